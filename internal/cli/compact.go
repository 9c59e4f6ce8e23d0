package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"ichido/internal/control"
	"ichido/store"
)

type compactCmd struct{}

// Run rewrites the file and says on stderr how large it was and is.
func (c *compactCmd) Run(ctx context.Context, p *program) error {
	if err := p.needFile(); err != nil {
		return err
	}
	if err := p.needStopped(); err != nil {
		return fmt.Errorf("compacting %s: %w", p.db, err)
	}
	before, err := os.Stat(p.db)
	if err != nil {
		return err
	}
	if err := store.Compact(ctx, p.db, nil); err != nil {
		return err
	}
	after, err := os.Stat(p.db)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stderr, "compacted %s from %d to %d bytes\n", p.db, before.Size(), after.Size())
	return nil
}

// needStopped refuses while a server runs. It holds the file's lock as well; this
// only says so sooner.
func (p *program) needStopped() error {
	_, err := control.Dial(p.socket)
	if err == nil {
		return store.ErrInUse
	} else if !errors.Is(err, control.ErrNoServer) {
		return err
	}
	return nil
}
