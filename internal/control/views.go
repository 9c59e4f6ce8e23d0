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
	Removed  time.Time       `json:"removed,omitzero"` // zero for who is still there
}

func (c *server) members(w http.ResponseWriter, _ *http.Request) error {
	list := []Member{}
	err := c.store.View(func(tx *store.Tx) error {
		owner, _, err := tx.Owner()
		if err != nil {
			return err
		}
		members, err := tx.Members()
		for _, m := range members {
			list = append(list, Member{m.ID, m.Name, m.Person, m.ID == owner.ID, m.Admitted, m.Joined, m.Removed})
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
	Unknown int `json:"unknown"`
	Expired int `json:"expired"`
	Failed  int `json:"failed"`
}

func (c *Counts) add(state store.OutgoingState) {
	switch state {
	case store.Pending:
		c.Pending++
	case store.Unknown:
		c.Unknown++
	case store.Expired:
		c.Expired++
	case store.Failed:
		c.Failed++
	}
}

// Outgoing is a message of the outbox without its text, tokens and keys.
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
}

func (c *server) outbox(w http.ResponseWriter, r *http.Request) error {
	box := Outbox{Messages: []Outgoing{}}
	all := r.FormValue("all") == "true"
	add := func(o store.Outgoing) error {
		box.Counts.add(o.State)
		if all || o.State == store.Pending {
			box.Messages = append(box.Messages, Outgoing{
				o.ID, o.State.String(), o.Receipt, o.Notice, o.Chat, o.Tries, o.Doubt, o.Pushing, o.Created, o.Settled,
			})
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

// Parked is an event that could not be handled, without what it says.
type Parked struct {
	Scope string    `json:"scope"`
	Key   string    `json:"key"`
	Bytes int       `json:"bytes"` // the event's size
	Tries int       `json:"tries"`
	Since time.Time `json:"since"`
	Last  time.Time `json:"last"` // the last try
	Why   string    `json:"why"`
}

func (c *server) parked(w http.ResponseWriter, _ *http.Request) error {
	list := []Parked{}
	err := c.store.View(func(tx *store.Tx) error {
		parked, err := tx.AllParked("")
		for _, p := range parked {
			list = append(list, Parked{p.Scope, p.Key, len(p.Event), p.Tries, p.Since, p.Last, p.Why})
		}
		return err
	})
	if err != nil {
		return err
	}
	return sendJSON(w, list)
}
