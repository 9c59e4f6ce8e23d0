package cli

import (
	"context"
	"fmt"

	"ichido/internal/control"
)

type inviteCmd struct {
	JSON bool `help:"Write JSON."`
}

// Run makes a code that lets one person join.
func (c *inviteCmd) Run(ctx context.Context, p *program) error {
	return p.withWriter(func(client *control.Client) error {
		invite, err := client.Invite(ctx)
		if err != nil {
			return err
		}
		if c.JSON {
			return writeJSON(p.stdout, invite)
		}
		fmt.Fprintln(p.stdout, invite)
		return nil
	})
}
