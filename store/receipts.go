package store

import (
	"bytes"
	"errors"
	"fmt"
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
	Kind      Kind

	Changes []ledger.Change // what it did to the ledger, in order

	// Dates says where each row that it made stands now: element 0 for a row
	// that is alone, else element i for the row with index i+1.
	Dates []ledger.Date

	Undoes ledger.ReceiptNumber // the receipt that this one takes back
	First  ledger.ReceiptNumber // the receipt of the same message under another key
}

// Errors of Undo.
var (
	ErrNoReceipt = errors.New("no such receipt")
	ErrUndone    = errors.New("already taken back")
	ErrChanged   = errors.New("changed again since")
)

// submit is Submit inside of the transaction.
func (tx *Tx) submit(req Request, apply func(*Tx) error) (*Receipt, Outcome, error) {
	if old, err := tx.receiptByKey(req.Scope, req.Key); err != nil {
		return nil, 0, err
	} else if old != nil {
		return old, repeat(old, req), nil
	}
	member, err := tx.admit(req)
	if err != nil {
		return nil, 0, err
	}
	tx.member = member
	tx.receipt = &Receipt{
		Number: tx.nextReceipt(), Scope: req.Scope, Key: req.Key, Digest: req.Digest,
		At: req.At.UTC().Truncate(time.Millisecond), Now: tx.now, Member: member.ID, MessageID: req.MessageID,
	}
	first, err := tx.receiptByMessage(req.Scope, req.MessageID)
	if err != nil {
		return nil, 0, err
	}
	if first != nil {
		tx.receipt.First = first.Number
		return first, repeat(first, req), tx.keep(req)
	}
	if err := apply(tx); err != nil {
		return nil, 0, err
	}
	return tx.receipt, Recorded, tx.keep(req)
}

func repeat(old *Receipt, req Request) Outcome {
	if bytes.Equal(old.Digest, req.Digest) {
		return Repeated
	}
	return Conflict
}

// keep stores the receipt in the making and its indexes.
func (tx *Tx) keep(req Request) error {
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
	if r.MessageID != "" && r.First == 0 {
		if err := tx.put(bucketKeys, messageKey(r.Scope, r.MessageID), numberKey(r.Number)); err != nil {
			return err
		}
	}
	if r.Kind == Other {
		return nil
	}
	return tx.put(bucketTimeline, timelineKey(r.Member, r.At, r.Number), []byte{byte(r.Kind)})
}

func (tx *Tx) putReceipt(r *Receipt) error {
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
	return tx.ReceiptByNumber(r.First)
}

func (tx *Tx) receiptByMessage(scope, messageID string) (*Receipt, error) {
	if messageID == "" {
		return nil, nil
	}
	return tx.receiptByIndex(messageKey(scope, messageID))
}

func (tx *Tx) receiptByIndex(key []byte) (*Receipt, error) {
	value, err := tx.get(bucketKeys, key)
	if value == nil || err != nil {
		return nil, err
	}
	r, err := tx.ReceiptByNumber(parseNumber(value))
	if err == nil && r == nil {
		err = damage(bucketKeys, key, "points to no receipt")
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

// Before returns the newest receipt of the member that is not later than at, by
// the events' own times, and that match accepts; nil if there is none. Receipts
// of kind Other are not seen. It looks back no further than since; a zero since
// is the beginning.
func (tx *Tx) Before(member ledger.MemberID, at, since time.Time, match func(*Receipt) (bool, error)) (found *Receipt, err error) {
	last := timelineKey(member, at, ^ledger.ReceiptNumber(0))
	err = tx.scanBack(bucketTimeline, id4(member), last, func(key, _ []byte) error {
		if _, t, _ := parseTimelineKey(key); t.Before(since) {
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
	_, _, n := parseTimelineKey(key)
	r, err := tx.ReceiptByNumber(n)
	if err == nil && r == nil {
		err = damage(bucketTimeline, key, "points to no receipt")
	}
	return r, err
}

// Undo takes back what the receipt did, in the receipt of the event that is
// being handled. Undoing an undo brings back what it took. The errors are
// ErrNoReceipt, ErrUndone if nothing of it stands any more, and ErrChanged if a
// later receipt has changed what this one had changed.
func (tx *Tx) Undo(n ledger.ReceiptNumber) (Applied, error) {
	if tx.receipt == nil {
		return Applied{}, errNoEvent
	}
	target, err := tx.ReceiptByNumber(n)
	if err != nil {
		return Applied{}, err
	}
	if target == nil || len(target.Changes) == 0 || n == tx.receipt.Number {
		return Applied{}, ErrNoReceipt
	}
	changes, err := tx.inverse(target)
	if err != nil {
		return Applied{}, err
	}
	if len(changes) == 0 {
		return Applied{}, ErrUndone
	}
	tx.receipt.Undoes = n
	return tx.Apply(changes...)
}

// inverse gives the changes that take back the receipt's from the rows as they
// are now; of what is back already, none. Taking back a new row voids it whatever
// has been changed in it since.
func (tx *Tx) inverse(target *Receipt) ([]ledger.Change, error) {
	var changes []ledger.Change
	for _, c := range ledger.Inverse(target.Changes) {
		now, err := tx.Row(c.After.ID)
		if err != nil {
			return nil, err
		}
		if now == nil {
			return nil, fmt.Errorf("receipt %d changed row %v, which is not there", target.Number, c.After.ID)
		}
		after := c.After
		if made := after.ID.Receipt == target.Number; made {
			voided := *now
			voided.Voided = true
			after = &voided
		} else if now.Facts() != c.Before.Facts() && now.Facts() != after.Facts() {
			return nil, ErrChanged
		}
		if now.Facts() != after.Facts() {
			changes = append(changes, ledger.Change{Before: now, After: after})
		}
	}
	return changes, nil
}
