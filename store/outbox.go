package store

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"ichido/internal/ledger"
)

// OutboxID names an outgoing message. The first is 1; later ones are larger.
type OutboxID uint64

// OutgoingState says how far an outgoing message is. The numbers are stored on
// disk and must not change.
type OutgoingState uint8

// The states. All but Pending are settled, and all but Carried of these are final.
// A sent message leaves the outbox, so that it holds only what is not certainly
// said.
const (
	Pending OutgoingState = 0 // to be sent, or perhaps sent: see Doubt
	Sent    OutgoingState = 1 // the platform has certainly taken it; never on the disk
	Unknown OutgoingState = 2 // nobody can tell any more whether it was taken
	Expired OutgoingState = 3 // not sent, and too late or no longer true
	Failed  OutgoingState = 4 // refused by the platform for good
	Carried OutgoingState = 5 // goes along with a later one, which has it in its Carries, and ends as that does
)

// String names the state for people and logs.
func (s OutgoingState) String() string {
	if int(s) >= len(stateNames) {
		return "?"
	}
	return stateNames[s]
}

var stateNames = [...]string{"pending", "sent", "unknown", "expired", "failed", "carried"}

// Outgoing is something that the bot still has to say, or has said, apart from
// the receipt.
type Outgoing struct {
	ID         OutboxID
	Receipt    ledger.ReceiptNumber // what it tells of; 0 for a notice of the machine
	Notice     string               // kind of a notice, which nobody has asked for; "" for an answer
	Chat       string               // where it goes: the platform's ID of the person or group
	ReplyToken string               // "" if there is none, and when the message is settled
	Payload    []byte               // a JSON array of the messages as the door rendered them; kept so that a person can look and decide
	State      OutgoingState
	Doubt      bool   // an attempt has begun whose end is not known
	Tries      int    // attempts begun
	Pushing    bool   // the reply token is of no more use
	RetryKey   string // of the push, fixed before its first attempt
	Created    time.Time
	Settled    time.Time // when it became settled; zero while it is pending

	// Names are the expired messages that this one tells of: see TakeUnsaid.
	Names []OutboxID

	// Carries are late messages that go along with this one, as long as it is
	// pending: see TakeLate.
	Carries []OutboxID

	// Of is the receipt that each message of Payload tells of; nil: Receipt. What
	// carries others needs it, and loses it, with what it has carried, when it is
	// settled and was not sent.
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
// the receipt in the making, or outside of an event to none if it is a notice. What it carries must
// come from TakeLate.
func (tx *Tx) Say(o Outgoing) (Outgoing, error) {
	if tx.receipt != nil {
		o.Receipt = tx.receipt.Number
	} else if o.Notice == "" {
		return Outgoing{}, errNoEvent
	}
	if err := tx.carry(&o); err != nil {
		return Outgoing{}, err
	}
	id, err := tx.nextID(bucketOutbox)
	if err != nil {
		return Outgoing{}, err
	}
	o.ID, o.State, o.Created = OutboxID(id), Pending, tx.now
	if o.Notice == NoticeEntry {
		if err := tx.SetFact(entryTold(o.Receipt), fmt.Sprint(id)); err != nil {
			return Outgoing{}, err
		}
	}
	return o, tx.putRecord(bucketOutbox, outboxKey(o.ID, false), toOutgoingRecord(&o))
}

// NoticeEntry is the kind of a notice that tells a chat of an entry of a page or program,
// with the receipt of that.
const NoticeEntry = "entry"

// entryTold is the fact that there is a notice of the entry: its ID in the outbox, or
// toldEntry once it was sent.
func entryTold(n ledger.ReceiptNumber) string { return fmt.Sprint("entry told ", n) }

const toldEntry = "sent"

// EntryNotice says how far the notice of an entry is, and whether there is one: a person
// may have discarded it.
func (tx *Tx) EntryNotice(n ledger.ReceiptNumber) (state OutgoingState, ok bool, err error) {
	told, err := tx.Fact(entryTold(n))
	switch {
	case told == "" || err != nil:
		return 0, false, err
	case told == toldEntry:
		return Sent, true, nil
	}
	id, err := strconv.ParseUint(told, 10, 64)
	if err != nil {
		return 0, false, damage(bucketMeta, factKey(entryTold(n)), "is no number")
	}
	o, ok, err := tx.Outgoing(OutboxID(id))
	return o.State, ok, err
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

// PutOutgoing stores a changed message. When it is settled it leaves the pending
// ones, and a sent one the outbox; one that expired unsaid is remembered for
// TakeUnsaid.
func (tx *Tx) PutOutgoing(o Outgoing) error {
	if o.State == Pending {
		return tx.putOutgoing(o)
	}
	return tx.settle(o)
}

func (tx *Tx) putOutgoing(o Outgoing) error {
	return tx.putRecord(bucketOutbox, outboxKey(o.ID, o.State != Pending), toOutgoingRecord(&o))
}

// settle ends a message and what it carries. What expired, and what a message names
// that was certainly not said, is to be named later.
func (tx *Tx) settle(o Outgoing) error {
	if err := tx.delete(bucketOutbox, outboxKey(o.ID, false)); err != nil {
		return err
	}
	for _, id := range o.Carries {
		late, ok, err := tx.Outgoing(id)
		if err != nil {
			return err
		}
		if !ok || late.State != Carried {
			return damage(bucketOutbox, outboxKey(id, true), "should be carried by another message")
		}
		if late.State = o.State; o.State == Failed {
			late.State = Expired // it was not looked at
		}
		if err := tx.settled(late); err != nil {
			return err
		}
	}
	o.Carries = nil
	if o.State == Expired || o.State == Failed {
		for _, id := range o.Names {
			if named, _, err := tx.Outgoing(id); err != nil {
				return err
			} else if named.State != Expired {
				continue // it is sent again, or was
			}
			if err := tx.noteUnsaid(o.Chat, id); err != nil {
				return err
			}
		}
	}
	return tx.settled(o)
}

// settled stores a message that is settled, unless it was sent.
func (tx *Tx) settled(o Outgoing) error {
	if o.State == Sent {
		if o.Notice == NoticeEntry {
			if err := tx.SetFact(entryTold(o.Receipt), toldEntry); err != nil {
				return err
			}
		}
		return tx.delete(bucketOutbox, outboxKey(o.ID, true))
	}
	if o.State == Expired && o.Receipt != 0 && o.Notice == "" {
		if err := tx.noteUnsaid(o.Chat, o.ID); err != nil {
			return err
		}
	}
	o.Payload, o.Of = o.own(), nil
	o.Settled = tx.now
	o.ReplyToken = ""
	return tx.putOutgoing(o)
}

// own is the part of the payload that tells of the message's own receipt: what it
// carries is settled by itself. Nil if that can't be told.
func (o *Outgoing) own() []byte {
	if o.Of == nil {
		return o.Payload
	}
	var all, own []json.RawMessage
	if json.Unmarshal(o.Payload, &all) != nil || len(all) != len(o.Of) {
		return nil
	}
	for i, message := range all {
		if o.Of[i] == o.Receipt {
			own = append(own, message)
		}
	}
	if own == nil {
		return nil
	}
	return must(json.Marshal(own))
}

func (tx *Tx) noteUnsaid(chat string, id OutboxID) error {
	return tx.put(bucketUnsaid, unsaidKey(chat, id), nil)
}

// TakeLate takes those of the messages, the oldest first, out of the pending ones that are
// late in the chat: that can only be pushed and certainly have not been said; as long as
// their payloads come to at most that many messages together. The caller puts the payloads
// into the next message and their IDs into its Carries, in the same transaction: then they
// end as that one does. The caller judges whether they are still true.
func (tx *Tx) TakeLate(chat string, ids []OutboxID, most int) (late []Outgoing, err error) {
	for _, id := range ids {
		o, ok, err := tx.Outgoing(id)
		if err != nil {
			return nil, err
		}
		if !ok || o.State != Pending || o.Chat != chat || !o.Pushing || o.Doubt || o.Notice != "" {
			continue
		}
		if most -= messagesIn(o.Payload); most < 0 {
			break
		}
		if err := tx.delete(bucketOutbox, outboxKey(id, false)); err != nil {
			return nil, err
		}
		o.State = Carried
		if err := tx.settled(o); err != nil {
			return nil, err
		}
		late = append(late, o)
	}
	return late, nil
}

// messagesIn counts the messages of a payload; what is no array is one.
func messagesIn(payload []byte) int {
	var messages []json.RawMessage
	if json.Unmarshal(payload, &messages) != nil {
		return 1
	}
	return len(messages)
}

// carry makes the new message the only owner of what it carries, and of what that
// carried and named before.
func (tx *Tx) carry(o *Outgoing) error {
	if len(o.Carries) > 0 && len(o.Of) != messagesIn(o.Payload) {
		return errors.New("carrying without saying what each message tells of")
	}
	for _, id := range slices.Clone(o.Carries) {
		late, ok, err := tx.Outgoing(id)
		if err != nil {
			return err
		}
		if !ok || late.State != Carried {
			return errors.New("carrying a message that was not taken")
		}
		o.Carries = slices.Concat(o.Carries, late.Carries)
		o.Names = slices.Concat(o.Names, late.Names)
		late.Carries, late.Names = nil, nil
		if err := tx.putOutgoing(late); err != nil {
			return err
		}
	}
	return nil
}

// DropOutgoing ends all that is pending for a chat that is gone. Nothing of it is
// named later.
func (tx *Tx) DropOutgoing(chat string) error {
	var pending []Outgoing
	err := tx.PendingOutgoing(func(o Outgoing) error {
		if o.Chat == chat {
			pending = append(pending, o)
		}
		return nil
	})
	for _, o := range pending {
		if err == nil {
			err = tx.Abandon(o)
		}
	}
	if err != nil {
		return err
	}
	for {
		unsaid, err := tx.TakeUnsaid(chat)
		if len(unsaid) == 0 || err != nil {
			return err
		}
	}
}

// PendingOutgoing calls fn for the pending messages in the order in which they
// were put in.
func (tx *Tx) PendingOutgoing(fn func(Outgoing) error) error {
	return tx.outgoingRange(outboxKey(0, false), outboxKey(0, true), fn)
}

// SettledOutgoing calls fn for the messages that are not sent, or not again, as
// they are, in order.
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

// mostNamed is how many messages one answer names: the answer itself must still
// have room.
const mostNamed = 50

// TakeUnsaid returns the messages of the chat that expired before they could be
// said, the oldest first, and forgets that, so that each is named once: in the
// message that the caller says next, with their IDs in its Names. If that one is not
// said either, they come again. What is more than mostNamed is left for the next
// answer.
func (tx *Tx) TakeUnsaid(chat string) (unsaid []Outgoing, err error) {
	var keys [][]byte
	prefix := scopedKey(chat, "")
	err = tx.scan(bucketUnsaid, prefix, prefixEnd(prefix), func(key, _ []byte) error {
		o, ok, err := tx.Outgoing(OutboxID(binary.BigEndian.Uint64(key[len(prefix):])))
		if ok {
			unsaid = append(unsaid, o)
		}
		keys = append(keys, bytes.Clone(key))
		if len(unsaid) == mostNamed && err == nil {
			return Stop
		}
		return err
	})
	for _, key := range keys {
		if err == nil {
			err = tx.delete(bucketUnsaid, key)
		}
	}
	return unsaid, err
}
