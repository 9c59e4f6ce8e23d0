package cli

import (
	"context"
	"fmt"

	"ichido/internal/control"
)

type outboxCmd struct {
	All  bool `help:"List what will not be sent any more too."`
	JSON bool `help:"Write JSON."`
}

// Run lists messages without their texts, and counts the states.
func (c *outboxCmd) Run(ctx context.Context, p *program) error {
	return p.withClient(func(client *control.Client) error {
		box, err := client.Outbox(ctx, c.All)
		if err != nil {
			return err
		}
		if c.JSON {
			return writeJSON(p.stdout, box)
		}
		n := box.Counts
		fmt.Fprintf(p.stdout, "%d pending, %d unknown, %d expired, %d failed\n", n.Pending, n.Unknown, n.Expired, n.Failed)
		if len(box.Messages) == 0 {
			return nil
		}
		var rows [][]string
		for _, o := range box.Messages {
			rows = append(rows, []string{fmt.Sprint(o.ID), state(o), about(o), fmt.Sprint(o.Tries), p.clock(o.Created), p.clock(o.Settled), o.Chat})
		}
		return writeTable(p.stdout, "ID STATE ABOUT TRIES CREATED SETTLED CHAT", rows)
	})
}

func state(o control.Outgoing) string {
	if o.Doubt {
		return o.State + ", in doubt"
	}
	return o.State
}

func about(o control.Outgoing) string {
	if o.Receipt != 0 {
		return fmt.Sprintf("receipt %d", o.Receipt)
	}
	return "notice " + o.Notice
}
