package cli

import (
	"context"
	"fmt"

	"ichido/internal/control"
)

type membersCmd struct {
	List   membersListCmd   `cmd:"" default:"withargs" help:"List them; this is what members alone does."`
	Remove membersRemoveCmd `cmd:"" help:"Take somebody's access away. The rows stay."`
	Rename membersRenameCmd `cmd:"" help:"Give somebody another name."`
	Owner  membersOwnerCmd  `cmd:"" help:"Make somebody the owner, who alone hears of what goes wrong."`
}

type membersListCmd struct {
	JSON bool `help:"Write JSON."`
}

// Run lists the members in the order in which they joined.
func (c *membersListCmd) Run(ctx context.Context, p *program) error {
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
	case !m.Left.IsZero():
		return "left"
	case m.Owner:
		return "owner"
	case m.Admitted:
		return "admitted"
	}
	return "member"
}

// who is the argument that names a member.
type who struct {
	Who string `arg:"" name:"name" help:"The name, or the number or LINE's ID of the person as in the list."`
}

type membersRemoveCmd struct{ who }

// Run removes a member.
func (c *membersRemoveCmd) Run(ctx context.Context, p *program) error {
	return p.withWriter(func(client *control.Client) error {
		m, err := client.RemoveMember(ctx, c.Who)
		if err == nil {
			fmt.Fprintf(p.stdout, "%s is removed; what was written stays\n", called(m))
		}
		return err
	})
}

type membersRenameCmd struct {
	who
	New string `arg:"" name:"new" help:"The new name."`
}

// Run renames a member and says what the name is: somebody else may have it.
func (c *membersRenameCmd) Run(ctx context.Context, p *program) error {
	return p.withWriter(func(client *control.Client) error {
		m, err := client.RenameMember(ctx, c.Who, c.New)
		if err == nil {
			fmt.Fprintf(p.stdout, "member %d is called %s now\n", m.ID, plain(m.Name))
		}
		return err
	})
}

type membersOwnerCmd struct{ who }

// Run makes a member the owner.
func (c *membersOwnerCmd) Run(ctx context.Context, p *program) error {
	return p.withWriter(func(client *control.Client) error {
		m, err := client.SetOwner(ctx, c.Who)
		if err == nil {
			fmt.Fprintf(p.stdout, "%s is the owner now\n", called(m))
		}
		return err
	})
}

// called names a member for people.
func called(m control.Member) string {
	if m.Name == "" {
		return fmt.Sprintf("member %d", m.ID)
	}
	return plain(m.Name)
}
