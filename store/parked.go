package store

import (
	"bytes"
	"errors"
	"time"
)

// ErrNotParked says that no event is parked under a key.
var ErrNotParked = errors.New("no event is parked under that key")

// Parked is an event that could not be handled and is kept whole, to be tried
// again under the same key.
type Parked struct {
	Scope, Key string
	Event      []byte // raw, as the door got it
	Tries      int    // failed tries so far, at least 1
	Since      time.Time
	Last       time.Time // the last try
	Why        string    // the error of the last try, which must not hold the event's text

	// MessageID is of the message that the event brings or changes, "" for none. Only
	// Park looks at it.
	MessageID string
}

// Park keeps an event that could not be handled, or counts another failed try
// of one that is kept already. If the event has a receipt by now, or its message
// has been unsent, it does nothing. An event without a key cannot be told from
// another one and must be given one by the door. It returns the event as it is now
// kept.
func (tx *Tx) Park(p Parked) (Parked, error) {
	if done, err := tx.receiptByKey(p.Scope, p.Key); done != nil || err != nil {
		return Parked{}, err
	}
	if m, _, err := tx.messageByID(p.Scope, p.MessageID); m.Unsent() || err != nil {
		return Parked{}, err
	}
	key := scopedKey(p.Scope, p.Key)
	var record parkedRecord
	known, err := tx.read(bucketParked, key, &record)
	if err != nil {
		return Parked{}, err
	}
	if !known {
		record = parkedRecord{Event: p.Event, Since: millis(tx.now)}
	}
	record.Tries++
	record.Last = millis(tx.now)
	record.Why = p.Why
	return record.parked(key), tx.putRecord(bucketParked, key, &record)
}

// Unpark forgets the parked event if there is one. Submit does it for every
// event that gets a receipt.
func (tx *Tx) Unpark(scope, key string) error {
	k := scopedKey(scope, key)
	if tx.btx.Bucket(bucketParked).Get(k) == nil {
		return nil
	}
	return tx.delete(bucketParked, k)
}

// AllParked returns the parked events of the scope, or all for an empty one.
func (tx *Tx) AllParked(scope string) (parked []Parked, err error) {
	err = tx.scan(bucketParked, nil, nil, func(key, value []byte) error {
		var record parkedRecord
		if err := decode(bucketParked, key, value, &record); err != nil {
			return err
		}
		if p := record.parked(key); scope == "" || p.Scope == scope {
			parked = append(parked, p)
		}
		return nil
	})
	return parked, err
}

func (r *parkedRecord) parked(key []byte) Parked {
	scope, name, _ := bytes.Cut(key, []byte{0})
	return Parked{
		Scope: string(scope), Key: string(name), Event: bytes.Clone(r.Event),
		Tries: r.Tries, Since: fromMillis(r.Since), Last: fromMillis(r.Last), Why: r.Why,
	}
}
