package line

import (
	"context"
	"time"

	"ichido/store"
)

// What people ask for on the machine is done at once, whatever the door had planned.

// TryParked handles a parked event again. If that fails, it stays parked.
func (d *Door) TryParked(ctx context.Context, p store.Parked) {
	d.parked.forget(p.Key)
	d.again(context.WithoutCancel(ctx), p)
}

// ForgetParked lets no try of the event happen any more that was planned.
func (d *Door) ForgetParked(key string) { d.parked.forget(key) }

// SendNow tries a pending message of the outbox now, and those of its chat that are
// before it. At night a push waits all the same.
func (d *Door) SendNow(id store.OutboxID) {
	if err := d.sender.load(); err != nil {
		d.log.Error("reading the outbox failed", "error", err)
	}
	d.sender.hurry(id)
}

func (r *retries) forget(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.due, key)
}

// hurry ends the waiting of the message and of what is before it in its lane.
func (s *sender) hurry(id store.OutboxID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.chats {
		if c.hurry(id) {
			c.poke()
		}
	}
}

func (c *chat) hurry(id store.OutboxID) (found bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, lane := range c.lanes {
		for i := range lane {
			if lane[i].id != id {
				continue
			}
			for _, item := range lane[:i+1] {
				item.next, item.woken = time.Time{}, item.trying
			}
			return true
		}
	}
	return false
}
