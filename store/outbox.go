package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"time"

	"ichido/internal/ledger"
)

// OutboxID names an outgoing message. The first is 1; later ones are larger.
type OutboxID uint64

// OutgoingState says how far an outgoing message is. The numbers are stored on
// disk and must not change.
type OutgoingState uint8

// The states. All but Pending are final. A sent message leaves the outbox, so
// that it holds only what is not certainly said.
const (
	Pending OutgoingState = 0 // to be sent, or perhaps sent: see Doubt
	Sent    OutgoingState = 1 // the platform has certainly taken it; never on the disk
	Unknown OutgoingState = 2 // nobody can tell any more whether it was taken
	Expired OutgoingState = 3 // not sent, and too late or no longer true
	Failed  OutgoingState = 4 // refused by the platform for good
)

// String names the state for people and logs.
func (s OutgoingState) String() string {
	if int(s) >= len(stateNames) {
		return "?"
	}
	return stateNames[s]
}

var stateNames = [...]string{"pending", "sent", "unknown", "expired", "failed"}

// Outgoing is something that the bot still has to say, or has said, apart from
// the receipt.
type Outgoing struct {
	ID         OutboxID
	Receipt    ledger.ReceiptNumber // what it tells of; 0 for a notice
	Notice     string               // kind of a notice of the machine; "" for an answer
	Chat       string               // where it goes: the platform's ID of the person or group
	ReplyToken string               // "" if there is none, and when the state is final
	Payload    []byte               // a JSON array of the messages as the door rendered them; kept so that a person can look and decide
	State      OutgoingState
	Doubt      bool   // an attempt has begun whose end is not known
	Tries      int    // attempts begun
	Pushing    bool   // the reply token is of no more use
	RetryKey   string // of the push, fixed before its first attempt
	Created    time.Time
	Settled    time.Time // when the state became final

	// Names are the expired messages that this one tells of: see TakeUnsaid.
	Names []OutboxID

	// Carries are late messages that go along with this one: see TakeLate.
	Carries []OutboxID

	// Of is the receipt that each message of Payload tells of; nil: Receipt.
	Of []ledger.ReceiptNumber
}

func (r *outgoingRecord) outgoing(id OutboxID) Outgoing {
	return Outgoing{
		ID: id, Receipt: r.Receipt, Notice: r.Notice, Chat: r.Chat, ReplyToken: r.ReplyToken, Payload: r.Payload,
		State: r.State, Doubt: r.Doubt, Tries: r.Tries, Pushing: r.Pushing, RetryKey: r.RetryKey,
		Created: fromMillis(r.Created), Settled: fromMillis(r.Settled), Names: r.Names,
		Carries: r.Carries, Of: r.Of,
	}
}

func toOutgoingRecord(o *Outgoing) *outgoingRecord {
	return &outgoingRecord{
		Receipt: o.Receipt, Notice: o.Notice, Chat: o.Chat, ReplyToken: o.ReplyToken, Payload: o.Payload,
		State: o.State, Doubt: o.Doubt, Tries: o.Tries, Pushing: o.Pushing, RetryKey: o.RetryKey,
		Created: millis(o.Created), Settled: millis(o.Settled), Names: o.Names,
		Carries: o.Carries, Of: o.Of,
	}
}

// Say puts a message in the outbox and returns it with its ID. It belongs to
// the receipt in the making, or to none if it is a notice.
func (tx *Tx) Say(o Outgoing) (Outgoing, error) {
	if tx.receipt != nil && o.Notice == "" {
		o.Receipt = tx.receipt.Number
	} else if o.Notice == "" {
		return Outgoing{}, errors.New("an answer outside of an event")
	}
	id, err := tx.nextID(bucketOutbox)
	if err != nil {
		return Outgoing{}, err
	}
	o.ID, o.State, o.Created = OutboxID(id), Pending, tx.now
	return o, tx.putRecord(bucketOutbox, outboxKey(o.ID, false), toOutgoingRecord(&o))
}

// Outgoing returns the message and whether there is one with the ID.
func (tx *Tx) Outgoing(id OutboxID) (Outgoing, bool, error) {
	for _, settled := range []bool{false, true} {
		var record outgoingRecord
		if ok, err := tx.read(bucketOutbox, outboxKey(id, settled), &record); ok || err != nil {
			return record.outgoing(id), ok, err
		}
	}
	return Outgoing{}, false, nil
}

// PutOutgoing stores a changed message. With a final state it leaves the pending
// ones, and a sent one the outbox, with those that it carried; one that expired
// unsaid is remembered for TakeUnsaid.
func (tx *Tx) PutOutgoing(o Outgoing) error {
	if o.State == Pending {
		return tx.putRecord(bucketOutbox, outboxKey(o.ID, false), toOutgoingRecord(&o))
	}
	return tx.settle(o, true)
}

// settle ends a message. name says whether it is to be named later if it was
// certainly not said.
func (tx *Tx) settle(o Outgoing, name bool) error {
	if err := tx.delete(bucketOutbox, outboxKey(o.ID, false)); err != nil {
		return err
	}
	if o.State == Sent {
		for _, id := range o.Carries {
			if err := tx.delete(bucketOutbox, outboxKey(id, true)); err != nil {
				return err
			}
		}
		return nil
	}
	if err := tx.noteUnsaid(o, name); err != nil {
		return err
	}
	o.Settled = tx.now
	o.ReplyToken = ""
	return tx.putRecord(bucketOutbox, outboxKey(o.ID, true), toOutgoingRecord(&o))
}

// noteUnsaid remembers what the message would have told, if it certainly did not:
// itself if it expired and may be named, what it names and what it carries.
func (tx *Tx) noteUnsaid(o Outgoing, name bool) error {
	if o.State != Expired && o.State != Failed {
		return nil
	}
	unsaid := slices.Concat(o.Names, o.Carries)
	if name && o.State == Expired && o.Receipt != 0 {
		unsaid = append(unsaid, o.ID)
	}
	for _, id := range unsaid {
		if err := tx.put(bucketUnsaid, unsaidKey(o.Chat, id), nil); err != nil {
			return err
		}
	}
	return nil
}

// TakeLate takes the chat's late messages out of the pending ones, at most max of
// them: those that can only be pushed and certainly have not been said. The caller
// says them along with the next one, which names them in its Carries, so that they
// are remembered if it is not said.
func (tx *Tx) TakeLate(chat string, max int) (late []Outgoing, err error) {
	err = tx.PendingOutgoing(func(o Outgoing) error {
		if o.Chat == chat && o.Pushing && !o.Doubt && o.Notice == "" && len(late) < max {
			late = append(late, o)
		}
		return nil
	})
	for _, o := range late {
		o.State = Expired
		if err == nil {
			err = tx.settle(o, false)
		}
	}
	return late, err
}

// DropOutgoing ends all that is pending for a chat that is gone.
func (tx *Tx) DropOutgoing(chat string) error {
	var pending []Outgoing
	err := tx.PendingOutgoing(func(o Outgoing) error {
		if o.Chat == chat {
			pending = append(pending, o)
		}
		return nil
	})
	for _, o := range pending {
		o.State = Expired
		if o.Doubt {
			o.State = Unknown
		}
		if err == nil {
			err = tx.settle(o, false)
		}
	}
	return err
}

// PendingOutgoing calls fn for the pending messages in the order in which they
// were put in.
func (tx *Tx) PendingOutgoing(fn func(Outgoing) error) error {
	return tx.outgoingRange(outboxKey(0, false), outboxKey(0, true), fn)
}

// SettledOutgoing calls fn for the messages that will never be sent, or not again, in order.
func (tx *Tx) SettledOutgoing(fn func(Outgoing) error) error {
	return tx.outgoingRange(outboxKey(0, true), nil, fn)
}

func (tx *Tx) outgoingRange(first, end []byte, fn func(Outgoing) error) error {
	return tx.scan(bucketOutbox, first, end, func(key, value []byte) error {
		var record outgoingRecord
		if err := decode(bucketOutbox, key, value, &record); err != nil {
			return err
		}
		return fn(record.outgoing(OutboxID(binary.BigEndian.Uint64(key[1:]))))
	})
}

// TakeUnsaid returns the messages of the chat that expired before they could be
// said, and forgets that, so that each is named once: in the message that the
// caller says next, with their IDs in its Names. If that one is not said either,
// they come again.
func (tx *Tx) TakeUnsaid(chat string) (unsaid []Outgoing, err error) {
	var keys [][]byte
	prefix := scopedKey(chat, "")
	err = tx.scan(bucketUnsaid, prefix, prefixEnd(prefix), func(key, _ []byte) error {
		o, ok, err := tx.Outgoing(OutboxID(binary.BigEndian.Uint64(key[len(prefix):])))
		if ok {
			unsaid = append(unsaid, o)
		}
		keys = append(keys, bytes.Clone(key))
		return err
	})
	for _, key := range keys {
		if err == nil {
			err = tx.delete(bucketUnsaid, key)
		}
	}
	return unsaid, err
}
