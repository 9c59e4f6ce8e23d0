package store

import (
	"slices"
	"time"

	"ichido/internal/ledger"
)

// StoodAt says whether anything stood at the time that the receipt's message had
// recorded until then and nobody has struck: that is what a 取消 of that time can
// mean, whatever edits and the unsending that were typed later have made of it.
func (tx *Tx) StoodAt(r *Receipt, at time.Time) (bool, error) {
	messages, err := tx.messagesOf(r)
	if err != nil {
		return false, err
	}
	stood := map[ledger.RowID]bool{}
	changed := false // by something that was typed later
	for _, m := range messages {
		if m.Unsent() && !m.UnsentAt.After(at) {
			return false, nil
		}
		later, err := tx.stoodBy(m, at, stood)
		if err != nil {
			return false, err
		}
		changed = changed || later || m.Unsent()
	}
	rows, err := tx.MessageRowsOf(r)
	return slices.ContainsFunc(rows, func(row ledger.Row) bool { return stood[row.ID] && !row.Voided && (changed || !row.Withdrawn) }), err
}

// messagesOf gives the receipt's message, and those of the questions that it answers:
// their edits change its rows too.
func (tx *Tx) messagesOf(r *Receipt) (messages []Message, err error) {
	m, known, err := tx.messageByID(r.Scope, r.MessageID)
	if err != nil {
		return nil, err
	}
	if !known {
		m.Receipts = []ledger.ReceiptNumber{r.Number}
	}
	messages = append(messages, m)
	question, err := tx.ReceiptByNumber(r.Answers)
	if question == nil || err != nil {
		return messages, err
	}
	err = tx.questions(question, func(q *Receipt) error {
		m, known, err := tx.messageByID(q.Scope, q.MessageID)
		if known {
			messages = append(messages, m)
		}
		return err
	})
	return messages, err
}

// stoodBy notes which rows the texts of the message that were typed until then let stand.
// later says that others were typed later.
func (tx *Tx) stoodBy(m Message, at time.Time, stood map[ledger.RowID]bool) (later bool, err error) {
	said, err := tx.asTyped(m)
	if err != nil {
		return false, err
	}
	for _, text := range said {
		if m.typed(text).After(at) {
			return true, nil
		}
		for _, c := range text.Changes {
			stood[c.After.ID] = !c.After.Withdrawn
		}
	}
	return false, nil
}

// typed is when the text of the receipt became that of its message. One that came
// before the message itself is taken for what this said at first.
func (m *Message) typed(text *Receipt) time.Time {
	if text.Number < m.Said {
		return m.At
	}
	return text.At
}

// asTyped gives the receipts of the message and of its edits in the order in which
// these were typed.
func (tx *Tx) asTyped(m Message) (said []*Receipt, err error) {
	for _, n := range m.Receipts {
		text, err := tx.ReceiptByNumber(n)
		if err != nil {
			return nil, err
		}
		if text == nil {
			return nil, damage(bucketReceipts, numberKey(n), "is missing")
		}
		said = append(said, text)
	}
	slices.SortStableFunc(said, func(a, b *Receipt) int { return m.typed(a).Compare(m.typed(b)) })
	return said, nil
}

// StrikeWithdrawn voids the rows that the receipt's message does not say any more, so
// that they are struck if an edit lets it say them again. Of an unsent message nothing
// comes again.
func (tx *Tx) StrikeWithdrawn(r *Receipt) error {
	m, _, err := tx.messageByID(r.Scope, r.MessageID)
	if m.Unsent() || err != nil {
		return err
	}
	back, err := tx.inverse(r)
	if len(back.withdrawn) == 0 || err != nil {
		return err
	}
	_, err = tx.Apply(back.withdrawn...)
	return err
}
