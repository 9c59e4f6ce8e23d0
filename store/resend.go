package store

import (
	"errors"
	"fmt"
	"time"

	"ichido/internal/ledger"
)

var (
	// ErrNoSuchMessage says that the outbox has no message with the ID.
	ErrNoSuchMessage = errors.New("the outbox has no such message")
	// ErrOutdated says that a message may not be said any more: what it tells of has
	// been taken back, changed or unsent since.
	ErrOutdated = errors.New("what it tells of has been changed since")
	// ErrCarried says that a message is on its way already, along with another one.
	ErrCarried = errors.New("it goes along with another message")
)

// Resend puts a settled message back among the pending ones, as a push that has
// never been tried. That is for people to decide: one whose state was Unknown stays
// in doubt, and may be shown twice. A pending message stays as it is. Nothing is
// said again to a person who is no member now. It returns the message as it was.
func (tx *Tx) Resend(id OutboxID) (was Outgoing, err error) {
	was, err = tx.byHand(id)
	if err != nil {
		return was, err
	}
	if m, known, err := tx.MemberByPerson(was.Chat); err != nil {
		return was, err
	} else if known && !m.Active() {
		return was, fmt.Errorf("message %d: %w", id, ErrAway)
	}
	if was.State == Pending {
		return was, nil
	}
	if err := tx.mayResend(was); err != nil {
		return was, fmt.Errorf("message %d: %w", id, err)
	}
	for _, unsaid := range was.Names {
		if err := tx.delete(bucketUnsaid, unsaidKey(was.Chat, unsaid)); err != nil {
			return was, err
		}
	}
	if err := tx.forgetSettled(was); err != nil {
		return was, err
	}
	o := was
	o.State, o.Doubt, o.Pushing, o.RetryKey = Pending, was.State == Unknown, true, ""
	o.Created, o.Settled = tx.now, time.Time{}
	return was, tx.PutOutgoing(o)
}

func (tx *Tx) mayResend(o Outgoing) error {
	if len(o.Payload) == 0 {
		return ErrOutdated
	}
	changed, err := tx.ChangedSince(o.Receipt)
	if err == nil && changed {
		err = ErrOutdated
	}
	return err
}

// ChangedSince says whether a row is not as the receipt has left it; of a receipt that
// changed nothing, whose answer tells of all, whether anything was changed after it.
// Receipt 0 is none.
func (tx *Tx) ChangedSince(n ledger.ReceiptNumber) (bool, error) {
	r, err := tx.ReceiptByNumber(n)
	if r == nil || err != nil {
		return false, err
	}
	if len(r.Changes)+len(r.Settings) == 0 {
		return tx.ChangedAfter(n, nil)
	}
	for _, c := range r.Changes {
		now, err := tx.Row(c.After.ID)
		if err != nil {
			return false, err
		}
		if now == nil || now.Facts() != c.After.Facts() {
			return true, nil
		}
	}
	return false, nil
}

// Abandon ends a pending message for which no more is done: as Unknown if it may have
// been said.
func (tx *Tx) Abandon(o Outgoing) error {
	o.State = Expired
	if o.Doubt {
		o.State = Unknown
	}
	return tx.settle(o)
}

// Discard ends a pending message, which nothing will name any more, and forgets a
// settled one. It returns the message as it was.
func (tx *Tx) Discard(id OutboxID) (was Outgoing, err error) {
	was, err = tx.byHand(id)
	if err != nil {
		return was, err
	}
	if was.State != Pending {
		return was, tx.forgetSettled(was)
	}
	if err := tx.Abandon(was); err != nil {
		return was, err
	}
	return was, tx.delete(bucketUnsaid, unsaidKey(was.Chat, id))
}

// byHand returns a message that people may send again or discard.
func (tx *Tx) byHand(id OutboxID) (o Outgoing, err error) {
	o, ok, err := tx.Outgoing(id)
	switch {
	case err != nil:
		return o, err
	case !ok:
		return o, fmt.Errorf("message %d: %w", id, ErrNoSuchMessage)
	case o.State == Carried:
		return o, fmt.Errorf("message %d: %w", id, ErrCarried)
	}
	return o, nil
}

// forgetSettled removes a message from the settled ones and from those that are to
// be named.
func (tx *Tx) forgetSettled(o Outgoing) error {
	if err := tx.delete(bucketUnsaid, unsaidKey(o.Chat, o.ID)); err != nil {
		return err
	}
	return tx.delete(bucketOutbox, outboxKey(o.ID, true))
}
