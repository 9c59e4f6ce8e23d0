package store

import (
	"cmp"
	"slices"
	"time"

	"ichido/internal/ledger"
)

// Happened is a change of a row: by a text of the message that made it, or by what
// somebody did with it.
type Happened struct {
	At        time.Time // when the text became that of the message, or the other thing was done
	By        *Receipt
	Text      bool // by the message itself or an edit of it
	TakenBack bool // By has been taken back, and that has not
	Covered   bool // what was typed later was there first, and stays: see Receipt.Covered
	Change    ledger.Change
}

// History returns the message that the receipt belongs to and what has happened to its
// rows, in the order in which that was typed. What this event does is not among it.
func (tx *Tx) History(r *Receipt) (Message, []Happened, error) {
	m, known, err := tx.messageByID(r.Scope, r.MessageID)
	if err != nil {
		return m, nil, err
	}
	if !known || r.About == Unsent {
		m = Message{Receipts: []ledger.ReceiptNumber{r.Number}, At: r.At}
	}
	var all []Happened
	undoes := map[ledger.ReceiptNumber]ledger.ReceiptNumber{}
	since, err := tx.receiptsFrom(slices.Min(m.Receipts))
	for _, by := range since {
		if by.Undoes != 0 {
			undoes[by.Number] = by.Undoes
		}
		all = append(all, m.happened(by)...)
	}
	back := takenBack(undoes)
	for i := range all {
		all[i].TakenBack = back[all[i].By.Number]
	}
	slices.SortStableFunc(all, func(a, b Happened) int { return a.At.Compare(b.At) })
	return m, all, err
}

// receiptsFrom returns the receipts of which the number is at least from. It keeps them for
// the next call, until a receipt is stored.
func (tx *Tx) receiptsFrom(from ledger.ReceiptNumber) ([]*Receipt, error) {
	read := func(end []byte) (some []*Receipt, err error) {
		err = tx.scan(bucketReceipts, numberKey(from), end, func(key, value []byte) error {
			r, err := decodeReceipt(key, value)
			some = append(some, r)
			return err
		})
		return some, err
	}
	if len(tx.history) == 0 {
		all, err := read(nil)
		tx.history = all
		return all, err
	}
	if first := tx.history[0].Number; from < first {
		older, err := read(numberKey(first))
		if err != nil {
			return nil, err
		}
		tx.history = append(older, tx.history...)
	}
	i, _ := slices.BinarySearchFunc(tx.history, from, func(r *Receipt, n ledger.ReceiptNumber) int { return cmp.Compare(r.Number, n) })
	return tx.history[i:], nil
}

// happened gives what the receipt did to the message's rows.
func (m *Message) happened(by *Receipt) (all []Happened) {
	h := Happened{At: by.At, By: by, Text: slices.Contains(m.Receipts, by.Number)}
	if h.Text {
		h.At = m.typed(by)
	}
	note := func(changes []ledger.Change, covered bool) {
		for _, c := range changes {
			if slices.Contains(m.Receipts, c.After.ID.Receipt) {
				h.Change, h.Covered = c, covered
				all = append(all, h)
			}
		}
	}
	note(by.Covered, true)
	note(by.Changes, false)
	return all
}

// uncovered gives the change of a correction with what is there without it: what it found,
// or what an edit says that was typed before it and came after it, unless another
// correction that was typed between them says something else. What such an edit has set
// again in the row is no more the correction's.
func (tx *Tx) uncovered(correction *Receipt, c ledger.Change) (ledger.Change, error) {
	maker, err := tx.ReceiptByNumber(c.After.ID.Receipt)
	if maker == nil || err != nil {
		return c, err
	}
	_, all, err := tx.History(maker)
	before, after, edited := *c.Before, *c.After, false
	for _, h := range all {
		late := h.Text && h.By.Number > correction.Number
		switch {
		case h.Change.After.ID != c.After.ID || h.Change.Before == nil || !h.At.Before(correction.At):
		case late:
			before, edited = h.Change.Over(before, c), true
			if !h.Covered {
				after = h.Change.Over(after, c)
			}
		case edited && h.By.Kind == Correct && h.By.Undoes == 0 && !h.TakenBack:
			before = h.Change.Over(before, c)
		}
	}
	if edited {
		c = ledger.Change{Before: &before, After: &after}
	}
	return c, err
}

// takenBack says which receipts are taken back by one that is not taken back itself.
func takenBack(undoes map[ledger.ReceiptNumber]ledger.ReceiptNumber) map[ledger.ReceiptNumber]bool {
	var numbers []ledger.ReceiptNumber
	for n := range undoes {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	back := map[ledger.ReceiptNumber]bool{}
	for _, n := range slices.Backward(numbers) {
		if !back[n] && undoes[n] != 0 {
			back[undoes[n]] = true
		}
	}
	return back
}
