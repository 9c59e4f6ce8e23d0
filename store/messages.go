package store

import (
	"errors"
	"slices"
	"time"

	"ichido/internal/ledger"
)

// About says what an event is to the message that its MessageID names. The
// numbers are stored on disk and must not change.
type About uint8

// What an event can be to a message. The zero value is the message itself.
const (
	Said   About = 0 // brings the message
	Edited About = 1 // brings another text for it
	Unsent About = 2 // takes it back: see unsend.go
)

// Message is what is known of a message that somebody typed.
type Message struct {
	// Receipts are those of its own event, of its edits and of the answers to what was
	// asked about it, in the order in which these came.
	Receipts []ledger.ReceiptNumber

	Said     ledger.ReceiptNumber // the receipt of its own event; 0: that has not come
	At       time.Time            // when it was typed; zero: its own event has not come
	EditedAt time.Time            // of the latest edit; zero: none has come
	UnsentAt time.Time            // when it was taken back, by the event that came first; zero if it was not

	// Text is that of the latest edit while the message's own event, which tells
	// when it was typed, has not come; "" afterwards.
	Text string
}

// Unsent says whether the message has been taken back.
func (m *Message) Unsent() bool { return !m.UnsentAt.IsZero() }

func (r *messageRecord) message() Message {
	return Message{
		Receipts: r.Receipts, Said: r.Said, At: fromMillis(r.At), EditedAt: fromMillis(r.EditedAt), UnsentAt: fromMillis(r.UnsentAt), Text: r.Text,
	}
}

func (m *Message) record() *messageRecord {
	return &messageRecord{
		Receipts: m.Receipts, Said: m.Said, At: millis(m.At), EditedAt: millis(m.EditedAt), UnsentAt: millis(m.UnsentAt), Text: m.Text,
	}
}

// Message is what was known, before this event, of the message that it is about.
// It is the zero Message if it is about none, and outside of Submit.
func (tx *Tx) Message() Message {
	m := tx.message
	m.Receipts = slices.Clone(m.Receipts)
	return m
}

// KeepText keeps an edit's text until the message's own event comes. If that has
// come, or the message is unsent, it does nothing.
func (tx *Tx) KeepText(text string) { tx.message.Text = text }

func (tx *Tx) messageByID(scope, id string) (m Message, known bool, err error) {
	if id == "" {
		return Message{}, false, nil
	}
	var record messageRecord
	known, err = tx.read(bucketKeys, messageKey(scope, id), &record)
	return record.message(), known, err
}

// keepMessage notes what the event being handled was to its message.
func (tx *Tx) keepMessage() error {
	r, m := tx.receipt, &tx.message
	if r.MessageID == "" || r.First != 0 {
		return nil
	}
	m.note(r)
	return tx.putRecord(bucketKeys, messageKey(r.Scope, r.MessageID), m.record())
}

// note counts the receipt of an event about the message.
func (m *Message) note(r *Receipt) {
	switch r.About {
	case Said:
		m.Said, m.At = r.Number, r.At
	case Edited:
		if r.At.After(m.EditedAt) {
			m.EditedAt = r.At
		}
	case Unsent:
		if !m.Unsent() {
			m.UnsentAt = r.At
		}
	}
	if r.About != Unsent {
		m.Receipts = append(m.Receipts, r.Number)
	}
	if m.Said != 0 || m.Unsent() {
		m.Text = ""
	}
}

// MessageRows returns all rows that the message of this event has made so far,
// voided and withdrawn ones too, in the order in which they were made.
func (tx *Tx) MessageRows() ([]ledger.Row, error) { return tx.rowsMadeBy(tx.message.Receipts) }

// MessageRowsOf is MessageRows for the message that the receipt belongs to. A
// receipt without a message has only its own rows.
func (tx *Tx) MessageRowsOf(r *Receipt) ([]ledger.Row, error) {
	m, known, err := tx.messageByID(r.Scope, r.MessageID)
	if err != nil {
		return nil, err
	}
	if !known || r.About == Unsent {
		m.Receipts = []ledger.ReceiptNumber{r.Number}
	}
	return tx.rowsMadeBy(m.Receipts)
}

func (tx *Tx) rowsMadeBy(receipts []ledger.ReceiptNumber) (rows []ledger.Row, err error) {
	for _, n := range receipts {
		r, err := tx.ReceiptByNumber(n)
		if err != nil {
			return nil, err
		}
		if r == nil {
			return nil, damage(bucketReceipts, numberKey(n), "is missing")
		}
		for i, date := range r.Dates {
			if date == 0 {
				continue
			}
			id := ledger.RowID{Receipt: n}
			if len(r.Dates) > 1 {
				id.Index = uint16(i + 1)
			}
			row, err := tx.rowAt(date, id)
			if err != nil {
				return nil, err
			}
			if row == nil {
				return nil, damage(bucketRows, rowKey(date, id), "is missing")
			}
			rows = append(rows, *row)
		}
	}
	return rows, nil
}

// SetTyped lets the receipt stand at another time in the order of its member's
// messages: an edit counts as of when its message was typed. The error is ErrNoReceipt if
// there is none.
func (tx *Tx) SetTyped(n ledger.ReceiptNumber, at time.Time) error {
	r, err := tx.ReceiptByNumber(n)
	switch {
	case err != nil:
		return err
	case r == nil:
		return ErrNoReceipt
	case !inRange(at):
		return errors.New("the message's time is out of range")
	}
	if r != tx.receipt && r.Kind != Other {
		if err := tx.delete(bucketTimeline, r.timelineKey()); err != nil {
			return err
		}
	}
	r.Typed = wholeMillis(at)
	if r == tx.receipt {
		return nil
	}
	if err := tx.putReceipt(r); err != nil || r.Kind == Other {
		return err
	}
	return tx.put(bucketTimeline, r.timelineKey(), []byte{byte(r.Kind)})
}

// NoteSent notes the platform's IDs of messages that the bot has sent, and the
// receipt that each tells of, so that a quote of one can be understood. Receipt 0
// is left out, and what was erased while the message was on its way.
func (tx *Tx) NoteSent(scope string, messageIDs []string, receipts []ledger.ReceiptNumber) error {
	for i, id := range messageIDs {
		if i >= len(receipts) || id == "" || tx.btx.Bucket(bucketReceipts).Get(numberKey(receipts[i])) == nil {
			continue
		}
		if err := tx.put(bucketKeys, sentKey(scope, id), numberKey(receipts[i])); err != nil {
			return err
		}
	}
	return nil
}

// Quoted returns the receipt that a message stands for, be it one that somebody
// typed or one of the bot's own (ours); nil if it is not known.
func (tx *Tx) Quoted(scope, messageID string) (r *Receipt, ours bool, err error) {
	m, known, err := tx.messageByID(scope, messageID)
	if err != nil {
		return nil, false, err
	}
	if known && len(m.Receipts) > 0 {
		r, err = tx.ReceiptByNumber(m.Receipts[0])
		return r, false, err
	}
	value, err := tx.get(bucketKeys, sentKey(scope, messageID))
	if value == nil || err != nil {
		return nil, false, err
	}
	r, err = tx.ReceiptByNumber(parseNumber(value))
	return r, true, err
}
