package store

import (
	"bytes"
	"errors"
	"time"

	bolt "go.etcd.io/bbolt"

	"ichido/internal/ledger"
)

// Tx is one transaction: what Submit, Update and View hand to their caller. It
// sees one state of the file and has one frozen time. It must not be used after
// the caller's function has returned, nor by two goroutines at once. Values that
// its methods return may be kept, but the receipt in the making changes until the
// end.
type Tx struct {
	btx    *bolt.Tx
	now    time.Time
	writes int // puts and deletes so far

	// Only while an event is being handled (Submit):
	receipt *Receipt
	member  Member
	joined  bool    // the event's code made the sender a member
	message Message // that the event is about, as it was before; then as it is noted

	erased bool // all was forgotten (Erase)

	after []func() // see AfterCommit

	history []*Receipt // the newest receipts as far back as History has read them, as they are stored
}

// Now is the instant at which the transaction is handled, the same in all of
// it, in UTC and whole milliseconds.
func (tx *Tx) Now() time.Time { return tx.now }

// Receipt is the receipt in the making, whose Kind the caller may set. It is
// nil outside of Submit.
func (tx *Tx) Receipt() *Receipt { return tx.receipt }

// Sender is the member whose event is being handled; the zero Member for an
// event of the machine and outside of Submit.
func (tx *Tx) Sender() Member { return tx.member }

// AfterCommit has fn called when all that the transaction wrote is on the disk, before the
// caller of Submit or Update is told, and for all transactions in their order. If the
// function of Submit or Update fails or leaves, or a disk has no room, fn is not called.
// It must be quick, as the next transaction waits for it, and must not use the store.
func (tx *Tx) AfterCommit(fn func()) { tx.after = append(tx.after, fn) }

var (
	errReadOnly = errors.New("writing in a reading transaction")
	errNoEvent  = errors.New("what only an event may do, outside of one")
)

// get returns the verified value, which is valid until the transaction ends,
// or nil if the key is not there.
func (tx *Tx) get(bucket, key []byte) ([]byte, error) {
	sealed := tx.btx.Bucket(bucket).Get(key)
	if sealed == nil {
		return nil, nil
	}
	return unseal(bucket, key, sealed)
}

// read decodes the record at key into record and says whether it is there.
func (tx *Tx) read(bucket, key []byte, record any) (bool, error) {
	value, err := tx.get(bucket, key)
	if value == nil || err != nil {
		return false, err
	}
	return true, decode(bucket, key, value, record)
}

// put stores the value, which is the transaction's from now on.
func (tx *Tx) put(bucket, key, value []byte) error {
	if !tx.btx.Writable() {
		return errReadOnly
	}
	tx.writes++
	b := tx.btx.Bucket(bucket)
	if timeOrdered(bucket) {
		b.FillPercent = 0.9
	}
	return b.Put(key, seal(bucket, key, value))
}

func (tx *Tx) putRecord(bucket, key []byte, record any) error {
	return tx.put(bucket, key, encode(record))
}

func (tx *Tx) delete(bucket, key []byte) error {
	if !tx.btx.Writable() {
		return errReadOnly
	}
	tx.writes++
	return tx.btx.Bucket(bucket).Delete(key)
}

// Stop is returned by the function of a scan to end it early; the scan's own
// error is nil then.
//
//lint:ignore ST1012 it is no failure
var Stop = errors.New("stop")

// scan calls fn for the keys from first up to, and not including, end in their
// order; a nil end means all. fn may return Stop. Keys and values are valid
// until the transaction ends. fn must not write to the same bucket.
func (tx *Tx) scan(bucket, first, end []byte, fn func(key, value []byte) error) error {
	c := tx.btx.Bucket(bucket).Cursor()
	for k, v := c.Seek(first); k != nil && (end == nil || bytes.Compare(k, end) < 0); k, v = c.Next() {
		if err := visit(bucket, k, v, fn); err == Stop {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

// scanBack calls fn for the keys at or before last that begin with prefix, the
// last one first.
func (tx *Tx) scanBack(bucket, prefix, last []byte, fn func(key, value []byte) error) error {
	c := tx.btx.Bucket(bucket).Cursor()
	k, v := c.Seek(last)
	if k == nil {
		k, v = c.Last()
	} else if !bytes.Equal(k, last) {
		k, v = c.Prev()
	}
	for ; k != nil && bytes.HasPrefix(k, prefix); k, v = c.Prev() {
		if err := visit(bucket, k, v, fn); err == Stop {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

func visit(bucket, key, sealed []byte, fn func(key, value []byte) error) error {
	value, err := unseal(bucket, key, sealed)
	if err != nil {
		return err
	}
	return fn(key, value)
}

// prefixEnd is the first key after all that begin with prefix.
func prefixEnd(prefix []byte) []byte {
	end := bytes.Clone(prefix)
	for i := len(end) - 1; i >= 0; i-- {
		if end[i]++; end[i] != 0 {
			return end[:i+1]
		}
	}
	return nil
}

// sequence is the last number that the bucket gave out.
func (tx *Tx) sequence(bucket []byte) uint64 { return tx.btx.Bucket(bucket).Sequence() }

func (tx *Tx) nextReceipt() ledger.ReceiptNumber {
	return ledger.ReceiptNumber(tx.sequence(bucketReceipts) + 1)
}
