package cli

import (
	"context"
	"errors"
	"fmt"

	"ichido/internal/control"
	"ichido/store"
)

type checkCmd struct {
	File     string `arg:"" optional:"" help:"A backup or another file, instead of the household's."`
	Identity string `placeholder:"FILE" help:"The key of an encrypted backup, as age-keygen wrote it."`
}

// Run verifies the file: a running server a copy of it, this process the file
// itself.
func (c *checkCmd) Run(ctx context.Context, p *program) error {
	if c.File != "" {
		plain, done, err := p.readable(ctx, c.File, c.Identity)
		if err != nil {
			return fmt.Errorf("checking %s: %w", c.File, err)
		}
		defer done()
		p.db, p.socket = plain, control.DefaultSocket(c.File)
	}
	var totals control.Totals
	client, err := control.Dial(p.socket)
	if err == nil {
		totals, err = client.Check(ctx)
	} else if errors.Is(err, control.ErrNoServer) {
		totals, err = p.checkFile(ctx)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "ok: %s\n", p.holds(totals))
	return nil
}

// holds tells in words how much a file holds.
func (p *program) holds(t control.Totals) string {
	s := fmt.Sprintf("receipts: %d, rows: %d", t.Receipts, t.Rows)
	if !t.Newest.IsZero() {
		s += ", newest: " + p.clock(t.Newest)
	}
	return s
}

// checkFile has a child process read the file before this one does.
func (p *program) checkFile(ctx context.Context) (totals control.Totals, err error) {
	if err := p.needFile(); err != nil {
		return totals, err
	}
	if err := store.CheckFile(ctx, p.db, nil); err != nil {
		return totals, fmt.Errorf("checking %s: %w", p.db, err)
	}
	err = p.withClient(func(client *control.Client) error {
		totals, err = client.Totals(ctx)
		return err
	})
	return totals, err
}
