package cli

import (
	"context"
	"fmt"

	"ichido/internal/control"
)

type parkedCmd struct {
	List  parkedListCmd  `cmd:"" default:"withargs" help:"List them; this is what parked alone does."`
	Retry parkedRetryCmd `cmd:"" help:"Handle an event now, or all of them."`
	Drop  parkedDropCmd  `cmd:"" help:"Forget an event for good."`
}

type parkedListCmd struct {
	Text bool `help:"Show the events as they came, with what was said."`
	JSON bool `help:"Write JSON."`
}

// Run lists parked events.
func (c *parkedListCmd) Run(ctx context.Context, p *program) error {
	return p.withClient(func(client *control.Client) error {
		parked, err := client.Parked(ctx, c.Text)
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
		return p.writeParked(parked)
	})
}

func (p *program) writeParked(parked []control.Parked) error {
	var rows [][]string
	var texts []note
	for _, e := range parked {
		rows = append(rows, []string{e.Scope, e.Key, fmt.Sprint(e.Tries), p.clock(e.Since), p.clock(e.Last), fmt.Sprint(e.Bytes), e.Why})
		texts = append(texts, note{e.Key, e.Text})
	}
	if err := writeTable(p.stdout, "SCOPE KEY TRIES SINCE LAST BYTES WHY", rows); err != nil {
		return err
	}
	p.writeTexts(texts)
	return nil
}

type parkedRetryCmd struct {
	Key string `arg:"" optional:"" help:"The event's key, as in the list (default: all)."`
}

// Run has a running server handle parked events, and says what became of them.
func (c *parkedRetryCmd) Run(ctx context.Context, p *program) error {
	return p.withClient(func(client *control.Client) error {
		r, err := client.Retry(ctx, c.Key)
		if err != nil {
			return err
		}
		if !r.Now {
			fmt.Fprintf(p.stdout, "no server is running: %d parked, to be tried when ichido serve starts\n", len(r.Left))
			return nil
		}
		fmt.Fprintf(p.stdout, "%d handled, %d still parked\n", r.Handled, len(r.Left))
		if len(r.Left) == 0 {
			return nil
		}
		return p.writeParked(r.Left)
	})
}

type parkedDropCmd struct {
	Key string `arg:"" help:"The event's key, as in the list."`
}

// Run forgets a parked event.
func (c *parkedDropCmd) Run(ctx context.Context, p *program) error {
	return p.withWriter(func(client *control.Client) error {
		err := client.Unpark(ctx, c.Key)
		if err == nil {
			fmt.Fprintln(p.stdout, "it is forgotten: it counts only if LINE delivers it again")
		}
		return err
	})
}
