package store

import (
	"errors"
	"fmt"
	"time"
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
// in doubt, and may be shown twice. A pending message stays as it is. It returns
// the message as it was.
func (tx *Tx) Resend(id OutboxID) (was Outgoing, err error) {
	was, ok, err := tx.Outgoing(id)
	switch {
	case err != nil:
		return was, err
	case !ok:
		return was, fmt.Errorf("message %d: %w", id, ErrNoSuchMessage)
	case was.State == Pending:
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
	switch {
	case o.State == Carried:
		return ErrCarried
	case len(o.Payload) == 0:
		return ErrOutdated
	case o.Receipt == 0:
		return nil
	}
	r, err := tx.ReceiptByNumber(o.Receipt)
	if err != nil || r == nil {
		return err
	}
	for _, c := range r.Changes {
		now, err := tx.Row(c.After.ID)
		if err != nil {
			return err
		}
		if now == nil || now.Facts() != c.After.Facts() {
			return ErrOutdated
		}
	}
	return nil
}

// Discard ends a pending message, which nothing will name any more, and forgets a
// settled one. It returns the message as it was.
func (tx *Tx) Discard(id OutboxID) (was Outgoing, err error) {
	was, ok, err := tx.Outgoing(id)
	switch {
	case err != nil:
		return was, err
	case !ok:
		return was, fmt.Errorf("message %d: %w", id, ErrNoSuchMessage)
	case was.State == Carried:
		return was, fmt.Errorf("message %d: %w", id, ErrCarried)
	case was.State != Pending:
		return was, tx.forgetSettled(was)
	}
	if err := tx.settle(abandoned(was)); err != nil {
		return was, err
	}
	return was, tx.delete(bucketUnsaid, unsaidKey(was.Chat, id))
}

// forgetSettled removes a message from the settled ones and from those that are to
// be named.
func (tx *Tx) forgetSettled(o Outgoing) error {
	if err := tx.delete(bucketUnsaid, unsaidKey(o.Chat, o.ID)); err != nil {
		return err
	}
	return tx.delete(bucketOutbox, outboxKey(o.ID, true))
}
