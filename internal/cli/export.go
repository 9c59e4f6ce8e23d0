package cli

import (
	"context"

	"ichido/internal/control"
)

type exportCmd struct {
	Format string `enum:"jsonl,csv" default:"jsonl" placeholder:"FORMAT" help:"jsonl, one object a row, or csv for spreadsheets (default: jsonl)."`
}

// Run writes all rows, voided ones too, ordered by date and number.
func (c *exportCmd) Run(ctx context.Context, p *program) error {
	return p.withClient(func(client *control.Client) error {
		return client.Export(ctx, c.Format, p.stdout)
	})
}
