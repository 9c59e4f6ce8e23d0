package cli

import (
	"context"
	"fmt"

	"ichido/internal/control"
)

type parkedCmd struct {
	JSON bool `help:"Write JSON."`
}

// Run lists parked events without what they say.
func (c *parkedCmd) Run(ctx context.Context, p *program) error {
	return p.withClient(func(client *control.Client) error {
		parked, err := client.Parked(ctx)
		if err != nil {
			return err
		}
		if c.JSON {
			return writeJSON(p.stdout, parked)
		}
		fmt.Fprintf(p.stdout, "%d parked\n", len(parked))
		if len(parked) == 0 {
			return nil
		}
		var rows [][]string
		for _, e := range parked {
			rows = append(rows, []string{e.Scope, e.Key, fmt.Sprint(e.Tries), p.clock(e.Since), p.clock(e.Last), fmt.Sprint(e.Bytes), e.Why})
		}
		return writeTable(p.stdout, "SCOPE KEY TRIES SINCE LAST BYTES WHY", rows)
	})
}
