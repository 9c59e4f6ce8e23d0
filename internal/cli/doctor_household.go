package cli

import (
	"context"
	"fmt"
	"time"

	"ichido/internal/control"
)

// ask has the server or the file answer.
func (d *doctor) ask(ctx context.Context, fn func(context.Context, *control.Client) error) error {
	ctx, cancel := context.WithTimeout(ctx, d.patience)
	defer cancel()
	return d.p.withClient(func(client *control.Client) error { return fn(ctx, client) })
}

// household wants somebody who may talk to the bot, and an owner who hears notices.
func (d *doctor) household(ctx context.Context) finding {
	var members []control.Member
	err := d.ask(ctx, func(ctx context.Context, client *control.Client) (err error) {
		members, err = client.Members(ctx)
		return err
	})
	if err != nil {
		return failedBy(err)
	}
	active, owner := 0, false
	for _, m := range members {
		if m.Removed.IsZero() && m.Left.IsZero() {
			active++
			owner = owner || m.Owner
		}
	}
	switch {
	case active == 0:
		return warning("ichido invite makes a code: send it to the bot; who is the first is the owner", "nobody is a member")
	case !owner:
		return warning("make somebody else the owner: ichido members owner NAME", "active members: %d, but the owner has left and hears no notices", active)
	}
	return ok("active members: %d, with an owner", active)
}

// What is still to be said is old after these times: a push waits for the morning.
const (
	oldReply = 10 * time.Minute
	oldPush  = 10 * time.Hour
)

func (d *doctor) outbox(ctx context.Context) finding {
	var box control.Outbox
	err := d.ask(ctx, func(ctx context.Context, client *control.Client) (err error) {
		box, err = client.Outbox(ctx, false, false)
		return err
	})
	if err != nil {
		return failedBy(err)
	}
	old := 0
	for _, o := range box.Messages {
		age := d.now.Sub(o.Created)
		if age > oldPush || age > oldReply && !o.Pushing {
			old++
		}
	}
	n := box.Counts
	detail := fmt.Sprintf("%d pending, %d unknown, %d failed", n.Pending, n.Unknown, n.Failed)
	if old > 0 {
		detail = fmt.Sprintf("%d pending (%d of them for long), %d unknown, %d failed", n.Pending, old, n.Unknown, n.Failed)
	}
	switch {
	case old > 0 && !d.serving:
		return warning("they are sent when ichido serve starts", "%s", detail)
	case old > 0:
		return warning("the server's log says why they wait; ichido outbox lists them", "%s", detail)
	case n.Unknown+n.Failed > 0:
		return warning("ichido outbox --all lists them; retry ID sends one, drop ID forgets it", "%s", detail)
	}
	return ok("%s", detail)
}

func (d *doctor) parked(ctx context.Context) finding {
	var parked []control.Parked
	err := d.ask(ctx, func(ctx context.Context, client *control.Client) (err error) {
		parked, err = client.Parked(ctx, false)
		return err
	})
	if err != nil {
		return failedBy(err)
	}
	if len(parked) > 0 {
		return warning("ichido parked lists them, ichido parked retry handles them; a newer version may be able to", "events that could not be handled: %d", len(parked))
	}
	return ok("all events were handled")
}
