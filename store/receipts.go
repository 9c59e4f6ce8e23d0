package store

import (
	"bytes"
	"time"

	"ichido/internal/ledger"
)

// Kind says what sort of command an event was, as far as later events must know.
// The numbers are stored on disk and must not change.
type Kind uint8

// The kinds. Events of kind Other are not in the timeline.
const (
	Other   Kind = 0 // a question, an answer that changed nothing
	Record  Kind = 1 // wrote rows
	Balance Kind = 2 // stated what an account holds
	Undo    Kind = 3 // took the last thing back, or found nothing to take back
	Redo    Kind = 4 // brought back what had been taken back, or found nothing
	Strike  Kind = 5 // took back what it named
	Correct Kind = 6 // changed rows or settings that were there
)

// Receipt is the record that an event was accepted. It is kept for ever.
type Receipt struct {
	Number    ledger.ReceiptNumber
	Scope     string
	Key       string // "" if the event had none
	Digest    Digest
	At        time.Time // the event's own time
	Now       time.Time // when it was handled
	Member    ledger.MemberID
	MessageID string
	About     About     // what the event was to the message
	Typed     time.Time // when the message was typed, if that is not At; else zero
	Kind      Kind

	Changes  []ledger.Change // what it did to the ledger, in order
	Settings []SettingChange // what it did to the settings, in order

	// Covered is what the text of an edit says otherwise than the text before it, of rows of
	// which a correction that was typed later says something. The rows stay as the correction
	// left them; when that is taken back, this is what is there.
	Covered []ledger.Change

	// Nonce is the random part of its buttons' data; nil if it has none.
	Nonce []byte

	// Dates says where each row that it made stands now: element 0 for a row
	// that is alone, else element i for the row with index i+1. It is 0 for a row that was
	// lost with its receipt, which this one stands for (salvage.go).
	Dates []ledger.Date

	Asked   string               // the text that the bot asked back about; "" if it did not, and of an unsent message
	Answers ledger.ReceiptNumber // the receipt of the question that this one answers
	Undoes  ledger.ReceiptNumber // the receipt that this one takes back
	First   ledger.ReceiptNumber // the receipt of the same message under another key
}

// submit is Submit inside of the transaction.
func (tx *Tx) submit(req Request, apply func(*Tx) error) (*Receipt, Outcome, error) {
	if old, err := tx.receiptByKey(req.Scope, req.Key); err != nil {
		return nil, 0, err
	} else if old != nil {
		return old, repeat(old, req), nil
	}
	if before, err := tx.beforeErasing(req); err != nil {
		return nil, 0, err
	} else if before {
		return nil, 0, Leave
	}
	message, held, err := tx.messageByID(req.Scope, req.MessageID)
	if err != nil {
		return nil, 0, err
	}
	tx.message = message
	if tx.member, err = tx.admit(req, held); err != nil {
		return nil, 0, err
	}
	tx.receipt = &Receipt{
		Number: tx.nextReceipt(), Scope: req.Scope, Key: req.Key, Digest: req.Digest, At: wholeMillis(req.At),
		Now: tx.now, Member: tx.member.ID, MessageID: req.MessageID, About: req.About,
	}
	if message.Unsent() && req.About != Unsent {
		tx.receipt.Digest = nil // of what was taken back
	}
	if message.Said != 0 && req.About == Said {
		first, err := tx.pointed(bucketKeys, messageKey(req.Scope, req.MessageID), message.Said)
		if err != nil {
			return nil, 0, err
		}
		tx.receipt.First = first.Number
		return first, repeat(first, req), tx.keep()
	}
	if err := tx.perform(apply); err != nil {
		return nil, 0, err
	}
	return tx.receipt, Recorded, tx.keep()
}

// perform does what the event does. One that brings a text for a message that has
// been unsent does nothing.
func (tx *Tx) perform(apply func(*Tx) error) error {
	if tx.receipt.About == Unsent {
		if err := tx.unsend(); err != nil {
			return err
		}
	} else if tx.message.Unsent() {
		return nil
	}
	return apply(tx)
}

// repeat says what it means that the event's key is known. The digest of a message
// that was unsent has been forgotten.
func repeat(old *Receipt, req Request) Outcome {
	if len(old.Digest) == 0 || bytes.Equal(old.Digest, req.Digest) {
		return Repeated
	}
	return Conflict
}

// keep stores the receipt in the making and its indexes.
func (tx *Tx) keep() error {
	r := tx.receipt
	if err := tx.btx.Bucket(bucketReceipts).SetSequence(uint64(r.Number)); err != nil {
		return err
	}
	if err := tx.putReceipt(r); err != nil {
		return err
	}
	if r.Key != "" {
		if err := tx.put(bucketKeys, eventKey(r.Scope, r.Key), numberKey(r.Number)); err != nil {
			return err
		}
		if err := tx.Unpark(r.Scope, r.Key); err != nil {
			return err
		}
	}
	if err := tx.keepMessage(); err != nil || r.Kind == Other {
		return err
	}
	return tx.put(bucketTimeline, r.timelineKey(), []byte{byte(r.Kind)})
}

// TypedAt is when the receipt counts among those of its member: when its message was
// typed, of an edit that of its message, as far as it is known.
func (r *Receipt) TypedAt() time.Time {
	if !r.Typed.IsZero() {
		return r.Typed
	}
	return r.At
}

func (r *Receipt) timelineKey() []byte { return timelineKey(r.Member, r.TypedAt(), r.Number) }

func (tx *Tx) putReceipt(r *Receipt) error {
	tx.history = nil
	return tx.putRecord(bucketReceipts, numberKey(r.Number), toReceiptRecord(r))
}

// ReceiptByNumber returns the receipt, or nil if there is none with the number.
func (tx *Tx) ReceiptByNumber(n ledger.ReceiptNumber) (*Receipt, error) {
	if tx.receipt != nil && n == tx.receipt.Number {
		return tx.receipt, nil
	}
	key := numberKey(n)
	value, err := tx.get(bucketReceipts, key)
	if value == nil || err != nil {
		return nil, err
	}
	return decodeReceipt(key, value)
}

func decodeReceipt(key, value []byte) (*Receipt, error) {
	var record receiptRecord
	if err := decode(bucketReceipts, key, value, &record); err != nil {
		return nil, err
	}
	for _, c := range record.Changes {
		if c.After == nil {
			return nil, damage(bucketReceipts, key, "a change to nothing")
		}
	}
	for _, c := range record.Covered {
		if c.Before == nil || c.After == nil {
			return nil, damage(bucketReceipts, key, "a covered change of nothing")
		}
	}
	return record.receipt(parseNumber(key)), nil
}

// receiptByKey returns nil for an unknown key and for no key. Of a message that
// came under several keys it is the first receipt, which tells of the effect.
func (tx *Tx) receiptByKey(scope, key string) (*Receipt, error) {
	if key == "" {
		return nil, nil
	}
	r, err := tx.receiptByIndex(eventKey(scope, key))
	if r == nil || r.First == 0 {
		return r, err
	}
	return tx.pointed(bucketReceipts, numberKey(r.Number), r.First)
}

func (tx *Tx) receiptByIndex(key []byte) (*Receipt, error) {
	value, err := tx.get(bucketKeys, key)
	if value == nil || err != nil {
		return nil, err
	}
	return tx.pointed(bucketKeys, key, parseNumber(value))
}

// pointed returns the receipt that the record points to. That it is not there is damage,
// and never a receipt that nobody knows.
func (tx *Tx) pointed(bucket, key []byte, n ledger.ReceiptNumber) (*Receipt, error) {
	r, err := tx.ReceiptByNumber(n)
	if err == nil && r == nil {
		err = damage(bucket, key, "points to no receipt")
	}
	return r, err
}

// Receipts calls fn for the receipts of which the number is at least from, in
// their order.
func (tx *Tx) Receipts(from ledger.ReceiptNumber, fn func(*Receipt) error) error {
	return tx.scan(bucketReceipts, numberKey(from), nil, func(key, value []byte) error {
		r, err := decodeReceipt(key, value)
		if err != nil {
			return err
		}
		return fn(r)
	})
}

// Newest calls fn for the receipts, the one with the largest number first. fn may return
// Stop.
func (tx *Tx) Newest(fn func(*Receipt) error) error {
	return tx.scanBack(bucketReceipts, nil, numberKey(^ledger.ReceiptNumber(0)), func(key, value []byte) error {
		r, err := decodeReceipt(key, value)
		if err != nil {
			return err
		}
		return fn(r)
	})
}

// Before returns the newest receipt of the member that is not later than at, by
// the times at which the messages were typed, and that match accepts; nil if there
// is none. Receipts of kind Other are not seen. It looks back no further than since;
// a zero since is the beginning.
func (tx *Tx) Before(member ledger.MemberID, at, since time.Time, match func(*Receipt) (bool, error)) (found *Receipt, err error) {
	last := timelineKey(member, at, ^ledger.ReceiptNumber(0))
	err = tx.scanBack(bucketTimeline, id4(member), last, func(key, _ []byte) error {
		if t, _ := parseTimelineKey(key); t.Before(since) {
			return Stop
		}
		r, err := tx.fromTimeline(key)
		if err != nil {
			return err
		}
		if ok, err := match(r); !ok || err != nil {
			return err
		}
		found = r
		return Stop
	})
	return found, err
}

// After calls fn for the receipts of the member whose events are later than at,
// in the order of their times: events that were typed later and arrived earlier.
// Receipts of kind Other are not seen. fn may return Stop.
func (tx *Tx) After(member ledger.MemberID, at time.Time, fn func(*Receipt) error) error {
	first := timelineKey(member, at.Add(time.Millisecond), 0)
	return tx.scan(bucketTimeline, first, prefixEnd(id4(member)), func(key, _ []byte) error {
		r, err := tx.fromTimeline(key)
		if err != nil {
			return err
		}
		return fn(r)
	})
}

func (tx *Tx) fromTimeline(key []byte) (*Receipt, error) {
	_, n := parseTimelineKey(key)
	return tx.pointed(bucketTimeline, key, n)
}
