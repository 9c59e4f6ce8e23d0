package cli

import (
	"context"
	"fmt"

	"ichido/internal/control"
)

type membersCmd struct {
	JSON bool `help:"Write JSON."`
}

// Run lists the members in the order in which they joined.
func (c *membersCmd) Run(ctx context.Context, p *program) error {
	return p.withClient(func(client *control.Client) error {
		members, err := client.Members(ctx)
		if err != nil {
			return err
		}
		if c.JSON {
			return writeJSON(p.stdout, members)
		}
		var rows [][]string
		for _, m := range members {
			rows = append(rows, []string{fmt.Sprint(m.ID), standing(m), p.clock(m.Joined), p.clock(m.Removed), m.Person, m.Name})
		}
		return writeTable(p.stdout, "ID STANDING JOINED REMOVED PERSON NAME", rows)
	})
}

// standing says in a word what the member is.
func standing(m control.Member) string {
	switch {
	case !m.Removed.IsZero():
		return "removed"
	case m.Owner:
		return "owner"
	case m.Admitted:
		return "admitted"
	}
	return "member"
}
