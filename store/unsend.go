package store

import (
	"bytes"
	"encoding/json"
	"slices"

	"ichido/internal/ledger"
)

// When a message is unsent, its rows are withdrawn and its text is forgotten
// everywhere in the file: in the rows, in all receipts that hold a version of
// them, in what the bot has still to say. What stays is that there was a message:
// its receipts without digest, its rows without item and category, and a mark, so
// that nothing that comes later about it counts. What a command did stays too.

// unsend is what the event does before the caller's function.
func (tx *Tx) unsend() error {
	rows, err := tx.MessageRows()
	if err != nil {
		return err
	}
	words := [][]byte{[]byte(tx.message.Text)}
	var changes []ledger.Change
	for _, row := range rows {
		if !row.Withdrawn {
			after := row
			after.Withdrawn = true
			changes = append(changes, ledger.Change{Before: &row, After: &after})
		}
	}
	if len(changes) > 0 {
		if _, err := tx.Apply(changes...); err != nil {
			return err
		}
	}
	more, err := tx.scrubReceipts(rows)
	if err != nil {
		return err
	}
	if err := tx.scrubRows(rows); err != nil {
		return err
	}
	return tx.scrubOutbox(append(words, more...))
}

// scrubReceipts forgets the texts of the rows in all receipts since the message,
// and the digests of the message's own. It returns the texts.
func (tx *Tx) scrubReceipts(rows []ledger.Row) (words [][]byte, err error) {
	if len(tx.message.Receipts) == 0 {
		return nil, nil
	}
	ids := map[ledger.RowID]bool{}
	for _, r := range rows {
		ids[r.ID] = true
	}
	var changed []*Receipt
	visit := func(r *Receipt) error {
		dirty := slices.Contains(tx.message.Receipts, r.Number) && len(r.Digest) > 0
		if dirty {
			r.Digest = nil
		}
		for _, c := range r.Changes {
			if ids[c.After.ID] {
				words, dirty = append(words, scrub(c.Before)...), true
				words = append(words, scrub(c.After)...)
			}
		}
		if dirty && r != tx.receipt {
			changed = append(changed, r)
		}
		return nil
	}
	if err := tx.Receipts(slices.Min(tx.message.Receipts), visit); err != nil {
		return nil, err
	}
	for _, r := range changed {
		if err := tx.putReceipt(r); err != nil {
			return nil, err
		}
	}
	return words, visit(tx.receipt)
}

// scrub forgets the texts of a version of a row and returns them.
func scrub(r *ledger.Row) (words [][]byte) {
	if r == nil {
		return nil
	}
	words = append(words, []byte(r.Item))
	r.Item, r.Category = "", ""
	return words
}

// scrubRows forgets the texts of the rows themselves. They are withdrawn, so that
// no total and no balance knows of them.
func (tx *Tx) scrubRows(rows []ledger.Row) error {
	for _, r := range rows {
		now, err := tx.Row(r.ID)
		if err != nil {
			return err
		}
		scrub(now)
		if err := tx.putRow(now); err != nil {
			return err
		}
	}
	return nil
}

// wordStart is how many bytes of a text are looked for: an answer may be cut off
// in the middle of one.
const wordStart = 48

// scrubOutbox ends what would tell of the message and forgets what it says. An
// answer to another message that shows one of the texts is named to its chat
// later, if it certainly was not said.
func (tx *Tx) scrubOutbox(words [][]byte) error {
	for i, word := range words {
		escaped, err := json.Marshal(string(cutBytes(word, wordStart)))
		if err != nil {
			return err
		}
		words[i] = escaped[1 : len(escaped)-1] // as it stands in a payload
	}
	var affected []Outgoing
	own := func(o *Outgoing) bool { return slices.Contains(tx.message.Receipts, o.Receipt) }
	err := tx.outgoingRange(nil, nil, func(o Outgoing) error {
		tells := slices.ContainsFunc(words, func(w []byte) bool { return len(w) > 0 && bytes.Contains(o.Payload, w) })
		if own(&o) || tells {
			affected = append(affected, o)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, o := range affected {
		o.Payload = nil
		if o.State == Pending {
			o.State = Expired
			if o.Doubt {
				o.State = Unknown
			}
		}
		if err := tx.settle(o, !own(&o)); err != nil {
			return err
		}
	}
	return nil
}

// cutBytes shortens a text to at most n bytes of whole characters.
func cutBytes(s []byte, n int) []byte {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}
