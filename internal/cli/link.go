package cli

import (
	"context"
	"fmt"

	"ichido/internal/control"
)

type linkCmd struct {
	Who  string `arg:"" name:"name" help:"The member: by name, by number, or by LINE's ID."`
	JSON bool   `help:"Write JSON."`
}

// Run makes a link that lets a member into the web pages.
func (c *linkCmd) Run(ctx context.Context, p *program) error {
	return p.withWriter(func(client *control.Client) error {
		link, err := client.Link(ctx, c.Who)
		if err != nil {
			return err
		}
		if c.JSON {
			return writeJSON(p.stdout, link)
		}
		fmt.Fprintln(p.stdout, link)
		return nil
	})
}
