package line

import (
	"context"
	"fmt"
	"slices"

	"ichido/store"
)

// What people at the machine can wish: see ichido outbox retry and parked retry.

// RetryOutgoing sends a message of the outbox at once, with those before it in its
// chat: one that waits, or one that was given up, which becomes a push that has
// never been tried. One of which nobody knows whether it was said may then be said
// twice. Quiet hours are kept. It returns the message as it was; the errors are
// those of store.Tx.Resend.
func (d *Door) RetryOutgoing(ctx context.Context, id store.OutboxID) (was store.Outgoing, err error) {
	err = d.store.Update(ctx, func(tx *store.Tx) error {
		if was, err = tx.Resend(id); err != nil {
			return err
		}
		o, _, err := tx.Outgoing(id)
		tx.AfterCommit(func() {
			d.sender.add(o)
			d.sender.rouse(o.Chat, upTo(o))
		})
		return err
	})
	if err != nil {
		return store.Outgoing{}, fmt.Errorf("sending again: %w", err)
	}
	return was, nil
}

// ForgetParked lets no try of the event happen any more that is planned: people
// have dropped it.
func (d *Door) ForgetParked(key string) { d.parked.forget([]string{key}) }

// RetryParked handles a parked event now. An error means that it is still parked,
// with another try counted, and says why; or it is store.ErrNotParked.
func (d *Door) RetryParked(ctx context.Context, key string) error {
	var parked []store.Parked
	err := d.store.View(func(tx *store.Tx) (err error) {
		parked, err = tx.AllParked(Scope)
		return err
	})
	if err != nil {
		return fmt.Errorf("reading the parked events: %w", err)
	}
	i := slices.IndexFunc(parked, func(p store.Parked) bool { return p.Key == key })
	if i < 0 {
		return store.ErrNotParked
	}
	if err := d.again(context.WithoutCancel(ctx), parked[i]); err != nil {
		return fmt.Errorf("handling the event again: %w", err)
	}
	return nil
}
