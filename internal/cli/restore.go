package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"ichido/internal/control"
	"ichido/store"
)

type restoreCmd struct {
	File     string `arg:"" help:"The backup."`
	Identity string `placeholder:"FILE" help:"The key of an encrypted backup, as age-keygen wrote it."`
	Yes      bool   `short:"y" help:"Replace a file that is there without asking."`
}

// Run puts the backup in the place of the file and says where that one is kept.
func (c *restoreCmd) Run(ctx context.Context, p *program) error {
	restoring := func(err error) error { return fmt.Errorf("restoring %s: %w", p.db, err) }
	backup, err := os.Stat(c.File)
	if err != nil {
		return restoring(err)
	}
	if there, err := os.Stat(p.db); err == nil && os.SameFile(backup, there) {
		return restoring(errors.New("the backup is that very file"))
	}
	if err := p.needStopped(); err != nil {
		return restoring(err)
	}
	plain, done, err := p.readable(ctx, c.File, c.Identity)
	if err != nil {
		return restoring(err)
	}
	defer done()
	if _, err := os.Lstat(p.db); err == nil && !c.Yes {
		if !isTerminal(p.stdin) {
			return restoring(errNeedsYes)
		}
		fmt.Fprintf(p.stderr, "%s holds %s\n%s holds %s\n", c.File, p.contents(ctx, plain), p.db, p.contents(ctx, p.db))
		if !p.confirm(fmt.Sprintf("Put %s in the place of %s? What is only there goes (it is kept under another name).", c.File, p.db)) {
			return restoring(errors.New("not confirmed"))
		}
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return restoring(err)
	}
	kept, err := store.Restore(ctx, plain, p.db, nil)
	if kept != "" {
		fmt.Fprintf(p.stderr, "the file that was there is now %s\n", kept)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stderr, "restored %s from %s\n", p.db, c.File)
	return nil
}

// contents tells how much a file holds, or why nobody can tell.
func (p *program) contents(ctx context.Context, path string) string {
	s, err := store.Open(path, store.Options{ReadOnly: true})
	if err != nil {
		return "what can't be read: " + sentence(err)
	}
	defer s.Close()
	totals, err := control.Local(s).Totals(ctx)
	if err != nil {
		return "what can't be read: " + sentence(err)
	}
	return p.holds(totals)
}
