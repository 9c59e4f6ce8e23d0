package cli

import (
	"context"
	"errors"
	"fmt"

	"ichido/internal/control"
	"ichido/store"
)

type checkCmd struct{}

// Run verifies the file: a running server a copy of it, this process the file
// itself.
func (c *checkCmd) Run(ctx context.Context, p *program) error {
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
	fmt.Fprintf(p.stdout, "ok: %d receipts, %d rows\n", totals.Receipts, totals.Rows)
	return nil
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
