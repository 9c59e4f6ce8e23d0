package bot

import (
	"time"

	"ichido/internal/ledger"
	"ichido/store"
)

// A row says several things, and each of them counts as it was said last: by a text of
// the message or by a correction, whichever was typed later.

// field is one of the things that a text says of a row and a correction can change.
type field int

const (
	amountField field = iota
	itemField
	dateField
	categoryField
	accountField
)

var fields = []field{amountField, itemField, dateField, categoryField, accountField}

// differ says whether the rows say different things there.
func (f field) differ(a, b ledger.Row) bool {
	switch f {
	case amountField:
		a, b = a.Facts(), b.Facts() // of a statement the amount is derived
		return a.Amount != b.Amount || a.Stated != b.Stated
	case itemField:
		return a.Item != b.Item
	case dateField:
		return a.Date != b.Date
	case categoryField:
		return a.Category != b.Category
	}
	return a.Account != b.Account
}

// copy lets the row say what the other one says there.
func (f field) copy(to *ledger.Row, from ledger.Row) {
	switch f {
	case amountField:
		to.Amount, to.Stated = from.Amount, from.Stated
	case itemField:
		to.Item = from.Item
	case dateField:
		to.Date, to.Time = from.Date, from.Time
	case categoryField:
		to.Category = from.Category
	case accountField:
		to.Account = from.Account
	}
}

// past is what has happened to the rows of a message until now.
type past struct {
	message store.Message
	typed   time.Time // when the message was typed, as far as that is known
	all     []store.Happened
}

func (t *turn) past(r *store.Receipt) (past, error) {
	m, all, err := t.tx.History(r)
	return past{m, r.TypedAt(), all}, err
}

// pastOf is past of the message that made the row.
func (t *turn) pastOf(row ledger.Row) (past, error) {
	maker, err := t.tx.ReceiptByNumber(row.ID.Receipt)
	if err != nil {
		return past{}, err
	}
	return t.past(maker)
}

// rowAt gives the row as it was then; false if it was not there, or did not stand. What
// was done to it may have been typed before the edit that made it.
func (p past) rowAt(id ledger.RowID, at time.Time) (row ledger.Row, stood bool) {
	row, made := p.made(id, at)
	for _, h := range p.all {
		c := h.Change
		if c.After.ID != id || h.At.After(at) || c.Before == nil {
			continue
		}
		for _, f := range fields {
			if f.differ(*c.Before, *c.After) {
				f.copy(&row, *c.After)
			}
		}
		// Only what it changed counts: it may have been handled before something that was
		// typed earlier.
		if c.Before.Voided != c.After.Voided && !h.Covered {
			row.Voided = c.After.Voided
		}
		if c.Before.Withdrawn != c.After.Withdrawn && !h.Covered {
			row.Withdrawn = c.After.Withdrawn
		}
	}
	return row, made && row.Stands()
}

// made gives the row as it was made; false if that was later.
func (p past) made(id ledger.RowID, at time.Time) (ledger.Row, bool) {
	for _, h := range p.all {
		if c := h.Change; c.After.ID == id && c.Before == nil && !h.At.After(at) {
			return *c.After, true
		}
	}
	return ledger.Row{}, false
}

// corrected says which fields of the row corrections have set that were typed later
// than the given time and hold. A category that goes along with its item is not set.
func (p past) corrected(id ledger.RowID, at time.Time) map[field]bool {
	set := map[field]bool{}
	for _, h := range p.all {
		if c := h.Change; c.After.ID == id && h.At.After(at) && !h.Text && h.By.Kind == store.Correct && !h.TakenBack {
			for _, f := range fields {
				along := f == categoryField && itemField.differ(*c.Before, *c.After)
				set[f] = set[f] || f.differ(*c.Before, *c.After) && !along
			}
		}
	}
	return set
}

// edited says which fields of the row an edit says that was typed later than the given
// time: amount and item stand in every text, the others only if it has changed them. A
// category goes with its item.
func (p past) edited(id ledger.RowID, at time.Time) map[field]bool {
	said := map[field]bool{}
	if !p.message.EditedAt.After(at) {
		return said
	}
	said[amountField], said[itemField] = true, true
	for _, h := range p.all {
		c := h.Change
		if c.After.ID != id || !h.Text || !h.At.After(at) || c.Before == nil {
			continue
		}
		for _, f := range []field{dateField, categoryField, accountField} {
			said[f] = said[f] || f.differ(*c.Before, *c.After)
		}
		said[categoryField] = said[categoryField] || itemField.differ(*c.Before, *c.After)
	}
	return said
}

// touched says whether the row was changed by a receipt with a higher number.
func (p past) touched(id ledger.RowID, since ledger.ReceiptNumber) bool {
	for _, h := range p.all {
		if h.Change.After.ID == id && h.By.Number > since {
			return true
		}
	}
	return false
}
