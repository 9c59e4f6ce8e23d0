package store

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"ichido/internal/ledger"
)

// When the bot asks back about a message, the receipt keeps the text, so that a later
// event of the same member can complete it. In each chat the newest such question of a
// member is open, for a short while.

// openFor is how long a question is open, by the times of the events.
const openFor = 10 * time.Minute

// Ask keeps the text of the event's message in its receipt and makes it the question
// that is open for the sender in the chat, which is named as the door pleases. Whom the
// door can't tell is asked, but has no open question.
func (tx *Tx) Ask(chat, text string) error {
	if tx.receipt == nil {
		return errNoEvent
	}
	tx.receipt.Asked = text
	tx.receipt.makeNonce() // even without buttons it can be used up
	open, err := tx.question(chat)
	if tx.receipt.Member == 0 || err != nil || open != nil && open.TypedAt().After(tx.receipt.TypedAt()) {
		return err
	}
	return tx.SetFact(tx.questionFact(chat), fmt.Sprint(tx.receipt.Number))
}

// OpenQuestion returns the receipt of the question that is open for the sender in the
// chat at the time of the event; nil if there is none.
func (tx *Tx) OpenQuestion(chat string) (*Receipt, error) {
	if tx.receipt == nil {
		return nil, errNoEvent
	}
	r, err := tx.question(chat)
	if r == nil || err != nil || r.Asked == "" {
		return nil, err
	}
	since := tx.receipt.At.Sub(r.TypedAt())
	if since < 0 || since > openFor {
		return nil, nil
	}
	return r, nil
}

// CloseQuestion ends the question that is open for the sender in the chat.
func (tx *Tx) CloseQuestion(chat string) error {
	if tx.receipt == nil {
		return errNoEvent
	}
	fact := tx.questionFact(chat)
	if known, err := tx.Fact(fact); known == "" || err != nil {
		return err
	}
	return tx.SetFact(fact, "")
}

// question returns what is noted as open, however old it is.
func (tx *Tx) question(chat string) (*Receipt, error) {
	noted, err := tx.Fact(tx.questionFact(chat))
	if noted == "" || tx.receipt.Member == 0 || err != nil {
		return nil, err
	}
	n, err := strconv.ParseUint(noted, 10, 63)
	if err != nil {
		return nil, damage(bucketMeta, factKey(tx.questionFact(chat)), "is no number")
	}
	return tx.ReceiptByNumber(ledger.ReceiptNumber(n))
}

func (tx *Tx) questionFact(chat string) string {
	return fmt.Sprintf("asked/%d/%s", tx.receipt.Member, chat)
}

// Answers notes that the event answers the question: what it records belongs to the
// message that was asked about too, so that to unsend that withdraws it as well. A question
// may itself follow on the answer to an earlier one; then it belongs to that message.
func (tx *Tx) Answers(question *Receipt) error {
	if tx.receipt == nil {
		return errNoEvent
	}
	tx.receipt.Answers = question.Number
	return tx.questions(question, func(q *Receipt) error {
		m, known, err := tx.messageByID(q.Scope, q.MessageID)
		if !known || err != nil || slices.Contains(m.Receipts, tx.receipt.Number) {
			return err
		}
		m.Receipts = append(m.Receipts, tx.receipt.Number)
		return tx.putRecord(bucketKeys, messageKey(q.Scope, q.MessageID), m.record())
	})
}

// questions calls each for the question and those on whose answers it follows.
func (tx *Tx) questions(q *Receipt, each func(*Receipt) error) error {
	for {
		if err := each(q); err != nil || q.Answers == 0 || q.Answers >= q.Number {
			return err
		}
		before, err := tx.ReceiptByNumber(q.Answers)
		if before == nil || err != nil {
			return err
		}
		q = before
	}
}
