package control

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"ichido/internal/backups"
	"ichido/store"
)

// Door is what a running server does at once when people ask for it. The zero value
// is a file that no server has open: it does the same at its next start.
type Door struct {
	RetryOutgoing func(context.Context, store.OutboxID) (was store.Outgoing, err error) // sends a message
	RetryParked   func(ctx context.Context, key string) error                           // handles an event
	ForgetParked  func(key string)                                                      // handles it no more

	Backups func() backups.Status        // how they are going; nil if none are made
	Health  func(context.Context) string // why nothing can be recorded, or soon; "" while all is well
}

// Health is how a running server is.
type Health struct {
	OK      bool            `json:"ok"`
	Reason  string          `json:"reason,omitempty"`  // why it is not
	Backups *backups.Status `json:"backups,omitempty"` // nil if none are made
}

// health tells more than the door that is open to the world.
func (c *server) health(w http.ResponseWriter, r *http.Request) error {
	var h Health
	if c.door.Health != nil {
		h.Reason = c.door.Health(r.Context())
	}
	h.OK = h.Reason == ""
	if c.door.Backups != nil {
		status := c.door.Backups()
		h.Backups = &status
	}
	return sendJSON(w, h)
}

// Message is a message of the outbox that was to be sent again or dropped.
type Message struct {
	Was   string `json:"was"`   // its state before
	Doubt bool   `json:"doubt"` // it was said perhaps, and if it is sent again may be shown twice
	Now   bool   `json:"now"`   // a server is sending it
}

func (c *server) resend(w http.ResponseWriter, r *http.Request) error {
	id, err := outboxID(r)
	if err != nil {
		return err
	}
	retry := c.door.RetryOutgoing
	if retry == nil {
		retry = c.resendLater
	}
	was, err := retry(r.Context(), id)
	if err != nil {
		return err
	}
	// A reply in doubt is tried on its token, which LINE takes once only.
	return sendJSON(w, Message{was.State.String(), was.State == store.Unknown, c.door.RetryOutgoing != nil})
}

// resendLater leaves the message for the next start of a server.
func (c *server) resendLater(ctx context.Context, id store.OutboxID) (was store.Outgoing, err error) {
	err = c.store.Update(ctx, func(tx *store.Tx) error {
		was, err = tx.Resend(id)
		return err
	})
	return was, err
}

func (c *server) discard(w http.ResponseWriter, r *http.Request) error {
	id, err := outboxID(r)
	if err != nil {
		return err
	}
	var was store.Outgoing
	err = c.store.Update(r.Context(), func(tx *store.Tx) error {
		was, err = tx.Discard(id)
		return err
	})
	if err != nil {
		return err
	}
	return sendJSON(w, Message{Was: was.State.String(), Doubt: was.Doubt})
}

func outboxID(r *http.Request) (store.OutboxID, error) {
	id, err := strconv.ParseUint(r.FormValue("id"), 10, 63)
	if err != nil {
		return 0, fmt.Errorf("%w: %q is no number of a message", errBadRequest, r.FormValue("id"))
	}
	return store.OutboxID(id), nil
}

// Retried is what became of parked events that were tried again.
type Retried struct {
	Now     bool     `json:"now"`     // a server has tried them; else one will when it starts
	Handled int      `json:"handled"` // they have a receipt now, or are none of ours any more
	Left    []Parked `json:"left"`    // they are parked still
}

// retry tries the parked event of the key, or all for none.
func (c *server) retry(w http.ResponseWriter, r *http.Request) error {
	events, err := c.parkedEvents(r.FormValue("key"))
	if err != nil {
		return err
	}
	result := Retried{Now: c.door.RetryParked != nil, Left: []Parked{}}
	for _, p := range events {
		if result.Now {
			_ = c.door.RetryParked(r.Context(), p.Key) // what is still parked says why
		}
	}
	left, err := c.parkedEvents("")
	if err != nil {
		return err
	}
	for _, p := range events {
		still := false
		for _, l := range left {
			if l.Scope == p.Scope && l.Key == p.Key {
				result.Left, still = append(result.Left, viewParked(l, false)), true
			}
		}
		if !still {
			result.Handled++
		}
	}
	return sendJSON(w, result)
}

func (c *server) unpark(w http.ResponseWriter, r *http.Request) error {
	events, err := c.parkedEvents(r.FormValue("key"))
	if err != nil {
		return err
	}
	if r.FormValue("key") == "" {
		return fmt.Errorf("%w: which event?", errBadRequest)
	}
	err = c.store.Update(r.Context(), func(tx *store.Tx) error {
		for _, p := range events {
			if err := tx.Unpark(p.Scope, p.Key); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if c.door.ForgetParked != nil {
		c.door.ForgetParked(r.FormValue("key"))
	}
	return sendJSON(w, Retried{Left: []Parked{}})
}

// parkedEvents returns the parked events of the key, or all for "".
func (c *server) parkedEvents(key string) (events []store.Parked, err error) {
	err = c.store.View(func(tx *store.Tx) error {
		all, err := tx.AllParked("")
		for _, p := range all {
			if key == "" || p.Key == key {
				events = append(events, p)
			}
		}
		return err
	})
	if err == nil && key != "" && len(events) == 0 {
		err = fmt.Errorf("%s: %w", key, store.ErrNotParked)
	}
	return events, err
}

// payloadText is what the messages of a payload show.
func payloadText(payload []byte) string {
	var messages []struct{ Text, AltText string }
	if json.Unmarshal(payload, &messages) != nil {
		return ""
	}
	var texts []string
	for _, m := range messages {
		texts = append(texts, m.Text+m.AltText)
	}
	return strings.Join(texts, "\n")
}

// Resend sends a message of the outbox as soon as may be, also one that had been
// given up.
func (c *Client) Resend(ctx context.Context, id string) (m Message, err error) {
	return m, c.post(ctx, "/outbox/retry", url.Values{"id": {id}}, &m)
}

// Discard gives a pending message up, and forgets a settled one.
func (c *Client) Discard(ctx context.Context, id string) (m Message, err error) {
	return m, c.post(ctx, "/outbox/drop", url.Values{"id": {id}}, &m)
}

// Retry tries the parked event of the key again, or all for "".
func (c *Client) Retry(ctx context.Context, key string) (r Retried, err error) {
	return r, c.post(ctx, "/parked/retry", url.Values{"key": {key}}, &r)
}

// Unpark forgets the parked event of the key.
func (c *Client) Unpark(ctx context.Context, key string) error {
	return c.post(ctx, "/parked/drop", url.Values{"key": {key}}, &Retried{})
}
