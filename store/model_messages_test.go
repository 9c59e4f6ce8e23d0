package store_test

import (
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"ichido/internal/ledger"
	"ichido/store"
)

// text is what a version of a message says: the facts of its rows, without ID.
type text []ledger.Row

// spoken is what the events about a message say, whatever their order.
type spoken struct {
	said      int // index in texts; -1: that event has not come
	edit      int // that of the latest edit; -1 for none
	editedAt  time.Time
	unsent    bool
	corrected bool                          // a row was changed otherwise: it need not say what the message says
	receipts  map[ledger.ReceiptNumber]bool // of what brought a text
}

// says is the index of the text that counts; -1 for none.
func (m *spoken) says() int {
	switch {
	case m.unsent:
		return -1
	case m.edit >= 0:
		return m.edit
	}
	return m.said
}

func (h *history) message(id string) *spoken {
	if h.messages[id] == nil {
		h.messages[id] = &spoken{said: -1, edit: -1, receipts: map[ledger.ReceiptNumber]bool{}}
	}
	return h.messages[id]
}

// next gives the event of a step: one about a message, or any other.
func (h *history) next(step int) (store.Request, func(*store.Tx) error) {
	req := store.Request{Scope: "test", Key: fmt.Sprint(step), At: firstDay, Person: "U1", Admit: true}
	if h.IntN(2) == 0 {
		return req, h.event
	}
	req.MessageID = fmt.Sprint("m", h.IntN(8))
	req.At = firstDay.Add(time.Duration(h.IntN(1000)) * time.Minute)
	req.About = []store.About{store.Said, store.Said, store.Edited, store.Edited, store.Edited, store.Unsent}[h.IntN(6)]
	if req.About == store.Unsent {
		req.Key += " unsend"
		return req, func(*store.Tx) error { return nil }
	}
	written := -1
	return req, func(tx *store.Tx) error {
		if written < 0 { // the same text however often it runs
			var rows text
			for range h.IntN(4) {
				rows = append(rows, *h.row())
			}
			written = len(h.texts)
			h.texts = append(h.texts, rows)
		}
		return h.hear(tx, written)
	}
}

// hear is what a door does with a version of a message.
func (h *history) hear(tx *store.Tx, written int) error {
	m, r := tx.Message(), tx.Receipt()
	switch {
	case r.About == store.Edited && !m.EditedAt.Before(r.At):
		return nil
	case r.About == store.Edited && m.At.IsZero():
		tx.KeepText(strconv.Itoa(written))
	case r.About == store.Said && len(m.Receipts) > 0:
		kept, err := strconv.Atoi(m.Text)
		if err != nil {
			return fmt.Errorf("the text of the edit is %q", m.Text)
		}
		written = kept
		for _, n := range m.Receipts {
			if err := tx.SetTyped(n, r.At); err != nil {
				return err
			}
		}
	}
	return h.write(tx, h.texts[written])
}

// write makes the rows of the message what the text says: in place, surplus ones
// withdrawn, further ones new and struck if all are.
func (h *history) write(tx *store.Tx, want text) error {
	have, err := tx.MessageRows()
	if err != nil {
		return err
	}
	var changes []ledger.Change
	struck := len(have) > 0
	for i, row := range have {
		struck = struck && row.Voided
		after := row
		if i < len(want) {
			after = want[i]
			after.ID, after.Voided, after.Withdrawn = row.ID, row.Voided, false
		} else {
			after.Withdrawn = true
		}
		changes = append(changes, ledger.Change{Before: &row, After: &after})
	}
	for i := len(have); i < len(want); i++ {
		row := want[i]
		row.Voided = struck
		changes = append(changes, ledger.Change{After: &row})
	}
	tx.Receipt().Kind = store.Record
	_, err = tx.Apply(changes...)
	return err
}

// note takes over what an event has done.
func (h *history) note(req store.Request, r store.Receipt) {
	h.last = r.Number
	h.sent = append(h.sent, req)
	for _, c := range r.Changes {
		h.rows[c.After.ID] = c.After.Facts()
	}
	for _, c := range r.Settings {
		h.settings[c.Name] = c.After
	}
	if req.MessageID == "" {
		return
	}
	m := h.message(req.MessageID)
	switch {
	case req.About == store.Unsent:
		m.unsent = true
		for id, row := range h.rows {
			if m.receipts[id.Receipt] {
				row.Item, row.Category, row.Withdrawn = "", "", true
				h.rows[id] = row
			}
		}
		return
	case req.About == store.Said:
		m.said = len(h.texts) - 1
	case m.editedAt.Before(r.At):
		m.edit, m.editedAt = len(h.texts)-1, r.At
	}
	m.receipts[r.Number] = true
}

// corrected notes that a row was changed by another event than its message's.
func (h *history) corrected(id ledger.RowID) {
	for _, m := range h.messages {
		m.corrected = m.corrected || m.receipts[id.Receipt]
	}
}

func (h *history) compareSettings(tx *store.Tx) error {
	for _, name := range []string{"a", "b"} {
		if got, err := tx.Setting(name); got != h.settings[name] || err != nil {
			return fmt.Errorf("setting %s is %q (%v) instead of %q", name, got, err, h.settings[name])
		}
	}
	return nil
}

// compareMessages says which message's rows are not what its latest text says.
func (h *history) compareMessages(tx *store.Tx) error {
	for id, m := range h.messages {
		var rows []ledger.Row
		for n := range m.receipts {
			r, err := tx.ReceiptByNumber(n)
			if err != nil {
				return err
			}
			if rows, err = tx.MessageRowsOf(r); err != nil {
				return err
			}
			break // they are the same of each
		}
		var want text
		if says := m.says(); says >= 0 {
			want = h.texts[says]
		}
		if len(rows) < len(want) {
			return fmt.Errorf("message %s has %d rows instead of %d", id, len(rows), len(want))
		}
		struck := len(rows) > 0 && rows[0].Voided
		for i, row := range rows {
			if row.Withdrawn != (i >= len(want)) {
				return fmt.Errorf("row %v of message %s is %+v", row.ID, id, row)
			}
			if m.unsent && (row.Item != "" || row.Category != "") {
				return fmt.Errorf("row %v of the unsent message %s tells what it said", row.ID, id)
			}
			if i < len(want) && !m.corrected {
				facts, said := row.Facts(), want[i].Facts()
				said.ID, said.Voided = facts.ID, struck
				if facts != said {
					return fmt.Errorf("row %v of message %s is\n%+v instead of\n%+v", row.ID, id, facts, said)
				}
			}
		}
	}
	return nil
}

// repeat delivers something again, a message under another key at times, and with
// another text if it was unsent. Nothing comes of it.
func (h *history) repeat(t *testing.T, s *store.Store) {
	t.Helper()
	if len(h.sent) == 0 {
		return
	}
	req := h.sent[h.IntN(len(h.sent))]
	if req.MessageID != "" && req.About == store.Said && h.IntN(2) == 0 {
		req.Key += " again"
	}
	_, outcome, err := s.Submit(t.Context(), req, func(*store.Tx) error { return errors.New("it was handled again") })
	if outcome != store.Repeated || err != nil {
		t.Fatalf("%s again: %v, %v", req.Key, outcome, err)
	}
}
