package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"ichido/internal/control"
)

type outboxCmd struct {
	List  outboxListCmd  `cmd:"" default:"withargs" help:"List them; this is what outbox alone does."`
	Retry outboxRetryCmd `cmd:"" help:"Send a message now, also one that had been given up."`
	Drop  outboxDropCmd  `cmd:"" help:"Send a message no more, or forget one that is not sent any more."`
}

type outboxListCmd struct {
	All  bool `help:"List what will not be sent any more too."`
	Text bool `help:"Show what the messages say."`
	JSON bool `help:"Write JSON."`
}

// Run lists messages, and counts the states.
func (c *outboxListCmd) Run(ctx context.Context, p *program) error {
	return p.withClient(func(client *control.Client) error {
		box, err := client.Outbox(ctx, c.All, c.Text)
		if err != nil {
			return err
		}
		if c.JSON {
			return writeJSON(p.stdout, box)
		}
		n := box.Counts
		fmt.Fprintf(p.stdout, "%d pending, %d carried, %d unknown, %d expired, %d failed\n", n.Pending, n.Carried, n.Unknown, n.Expired, n.Failed)
		if len(box.Messages) == 0 {
			return nil
		}
		var rows [][]string
		var texts []note
		for _, o := range box.Messages {
			rows = append(rows, []string{fmt.Sprint(o.ID), state(o), about(o), fmt.Sprint(o.Tries), p.clock(o.Created), p.clock(o.Settled), o.Chat})
			texts = append(texts, note{fmt.Sprint(o.ID), o.Text})
		}
		if err := writeTable(p.stdout, "ID STATE ABOUT TRIES CREATED SETTLED CHAT", rows); err != nil {
			return err
		}
		p.writeTexts(texts)
		return nil
	})
}

// note is a text below a table, of the row that it names.
type note struct{ name, text string }

// writeTexts writes the texts, without those that are empty.
func (p *program) writeTexts(notes []note) {
	for _, n := range notes {
		if n.text != "" {
			fmt.Fprintf(p.stdout, "\n%s:\n    %s\n", plain(n.name), strings.Join(plainLines(n.text), "\n    "))
		}
	}
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

// message is the argument that names a message of the outbox.
type message struct {
	ID outboxID `arg:"" help:"The number of the message, as in the list."`
}

// outboxID is a number of the outbox as an argument.
type outboxID uint64

// UnmarshalText reads the number.
func (id *outboxID) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil {
		return fmt.Errorf("%q is no number of a message: ichido outbox --all lists them", text)
	}
	*id = outboxID(n)
	return nil
}

func (m message) String() string { return strconv.FormatUint(uint64(m.ID), 10) }

type outboxRetryCmd struct{ message }

// Run sends a message again.
func (c *outboxRetryCmd) Run(ctx context.Context, p *program) error {
	return p.withWriter(func(client *control.Client) error {
		r, err := client.Resend(ctx, c.String())
		if err != nil {
			return err
		}
		when := "is tried now; ichido outbox shows how that ends"
		if !r.Now {
			when = "will be sent when ichido serve starts"
		}
		if r.Was != "pending" {
			when += " (as a push message: between 22:00 and 7:00 it waits)"
		}
		fmt.Fprintf(p.stdout, "message %s was %s and %s\n", c, r.Was, when)
		if r.Doubt {
			fmt.Fprintln(p.stdout, "nobody knows whether it was shown before: it may be shown twice")
		}
		return nil
	})
}

type outboxDropCmd struct{ message }

// Run drops a message.
func (c *outboxDropCmd) Run(ctx context.Context, p *program) error {
	return p.withWriter(func(client *control.Client) error {
		r, err := client.Discard(ctx, c.String())
		switch {
		case err != nil:
			return err
		case r.Was != "pending":
			fmt.Fprintf(p.stdout, "message %s was %s and is forgotten\n", c, r.Was)
		default:
			fmt.Fprintf(p.stdout, "message %s will not be sent any more; the rows that it tells of stay\n", c)
		}
		return nil
	})
}
