package control

import (
	"net/http"
	"time"

	"ichido/internal/ledger"
	"ichido/store"
)

// Totals says how much a file holds.
type Totals struct {
	Receipts int   `json:"receipts"`
	Rows     int   `json:"rows"` // voided ones too
	Bytes    int64 `json:"bytes"`

	Newest time.Time `json:"newest,omitzero"` // when the last receipt was made; zero without one
}

func (c *server) totals(w http.ResponseWriter, _ *http.Request) error {
	var t Totals
	err := c.store.View(func(tx *store.Tx) error {
		err := tx.Receipts(0, func(r *store.Receipt) error {
			t.Receipts++
			t.Newest = r.Now
			return nil
		})
		if err != nil {
			return err
		}
		return tx.Rows(store.AllRows, func(*ledger.Row) error { t.Rows++; return nil })
	})
	if err != nil {
		return err
	}
	if t.Bytes, err = c.store.Size(); err != nil {
		return err
	}
	return sendJSON(w, t)
}

// Member is a person of the household.
type Member struct {
	ID       ledger.MemberID `json:"id"`
	Name     string          `json:"name"` // "" until it is known
	Person   string          `json:"person"`
	Owner    bool            `json:"owner"`
	Admitted bool            `json:"admitted"` // only as long as the configuration lets the person in
	Joined   time.Time       `json:"joined"`
	Removed  time.Time       `json:"removed,omitzero"` // by the owner; zero for who was not
	Left     time.Time       `json:"left,omitzero"`    // by blocking the bot or leaving the group
}

// view is the member as the command line sees it.
func view(tx *store.Tx, m store.Member) (Member, error) {
	owner, _, err := tx.Owner()
	return Member{m.ID, m.Name, m.Person, m.ID == owner.ID, m.Admitted, m.Joined, m.Removed, m.Left}, err
}

func (c *server) members(w http.ResponseWriter, _ *http.Request) error {
	list := []Member{}
	err := c.store.View(func(tx *store.Tx) error {
		members, err := tx.Members()
		for _, m := range members {
			if err != nil {
				return err
			}
			var seen Member
			seen, err = view(tx, m)
			list = append(list, seen)
		}
		return err
	})
	if err != nil {
		return err
	}
	return sendJSON(w, list)
}

// Outbox is what the bot has not certainly said: a sent message is not there any
// more.
type Outbox struct {
	Counts   Counts     `json:"counts"`
	Messages []Outgoing `json:"messages"`
}

// Counts says how many messages are in each state.
type Counts struct {
	Pending int `json:"pending"`
	Carried int `json:"carried"` // they go along with pending ones
	Unknown int `json:"unknown"`
	Expired int `json:"expired"`
	Failed  int `json:"failed"`
}

func (c *Counts) add(state store.OutgoingState) {
	switch state {
	case store.Pending:
		c.Pending++
	case store.Carried:
		c.Carried++
	case store.Unknown:
		c.Unknown++
	case store.Expired:
		c.Expired++
	case store.Failed:
		c.Failed++
	}
}

// Outgoing is a message of the outbox without its tokens and keys.
type Outgoing struct {
	ID      store.OutboxID       `json:"id"`
	State   string               `json:"state"`
	Receipt ledger.ReceiptNumber `json:"receipt,omitempty"` // what it tells of
	Notice  string               `json:"notice,omitempty"`  // the kind, if it tells of no receipt
	Chat    string               `json:"chat"`
	Tries   int                  `json:"tries"` // attempts begun
	Doubt   bool                 `json:"doubt"` // the end of an attempt is not known
	Pushing bool                 `json:"pushing"`
	Created time.Time            `json:"created"`
	Settled time.Time            `json:"settled,omitzero"` // zero while it is pending
	Text    string               `json:"text,omitempty"`   // only if it is asked for
}

func (c *server) outbox(w http.ResponseWriter, r *http.Request) error {
	box := Outbox{Messages: []Outgoing{}}
	all, text := r.FormValue("all") == "true", r.FormValue("text") == "true"
	add := func(o store.Outgoing) error {
		box.Counts.add(o.State)
		if all || o.State == store.Pending {
			message := Outgoing{o.ID, o.State.String(), o.Receipt, o.Notice, o.Chat, o.Tries, o.Doubt, o.Pushing, o.Created, o.Settled, ""}
			if text {
				message.Text = payloadText(o.Payload)
			}
			box.Messages = append(box.Messages, message)
		}
		return nil
	}
	err := c.store.View(func(tx *store.Tx) error {
		if err := tx.PendingOutgoing(add); err != nil {
			return err
		}
		return tx.SettledOutgoing(add)
	})
	if err != nil {
		return err
	}
	return sendJSON(w, box)
}

// Parked is an event that could not be handled.
type Parked struct {
	Scope string    `json:"scope"`
	Key   string    `json:"key"`
	Bytes int       `json:"bytes"` // the event's size
	Tries int       `json:"tries"`
	Since time.Time `json:"since"`
	Last  time.Time `json:"last"` // the last try
	Why   string    `json:"why"`
	Text  string    `json:"text,omitempty"` // the whole event, only if it is asked for
}

func viewParked(p store.Parked, text bool) Parked {
	v := Parked{p.Scope, p.Key, len(p.Event), p.Tries, p.Since, p.Last, p.Why, ""}
	if text {
		v.Text = string(p.Event)
	}
	return v
}

func (c *server) parked(w http.ResponseWriter, r *http.Request) error {
	list := []Parked{}
	err := c.store.View(func(tx *store.Tx) error {
		parked, err := tx.AllParked("")
		for _, p := range parked {
			list = append(list, viewParked(p, r.FormValue("text") == "true"))
		}
		return err
	})
	if err != nil {
		return err
	}
	return sendJSON(w, list)
}
