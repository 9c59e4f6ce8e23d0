package line

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"ichido/internal/ledger"
	"ichido/store"
)

const (
	sendWithin  = 12 * time.Hour // an answer older than that is no answer
	quietFrom   = 22             // no push from this hour, in the household's zone,
	quietTo     = 7              // to this one
	maxDoubtful = 5              // tries of a reply whose ends nobody knows: a token lives a minute
)

// plan is what is to be done with a message now.
type plan int

const (
	attempt  plan = iota // make the attempt that the message describes
	drop                 // its state is final
	holdBack             // it is a push, and it is night
)

// prepare decides what is to be done with a message and notes it. before is the
// message as it was, o as it is noted.
func (s *sender) prepare(ctx context.Context, i *item) (before, o store.Outgoing, todo plan, err error) {
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		var ok bool
		before, ok, err = tx.Outgoing(i.id)
		o, todo = before, drop
		if err != nil || !ok || o.State != store.Pending {
			return err
		}
		if old, err := tooOld(tx, &o); old || err != nil {
			return errors.Join(err, tx.Abandon(o))
		}
		if o.Pushing || i.loaded {
			if may, err := s.mayHear(tx, &o); !may || err != nil {
				return errors.Join(err, tx.Abandon(o))
			}
		}
		if o.Pushing {
			if untilMorning(tx.Now(), s.zone) > 0 {
				todo = holdBack
				return nil
			}
			if outdated, err := outdated(tx, &o); outdated || err != nil {
				return errors.Join(err, tx.Abandon(o))
			}
			if o.RetryKey == "" {
				o.RetryKey = uuid.NewString()
			}
		}
		todo = attempt
		o.Doubt = true
		o.Tries++
		return tx.PutOutgoing(o)
	})
	return before, o, todo, err
}

// mayHear says whether the message may still be said in its chat: the configuration
// lets that in, or it is that of a member. A notice, which answers nothing, is for who is
// there: one of the machine for a member, one of an entry for a group as well.
func (s *sender) mayHear(tx *store.Tx, o *store.Outgoing) (bool, error) {
	if o.Notice != "" {
		m, known, err := tx.MemberByPerson(o.Chat)
		if err != nil || o.Notice != store.NoticeEntry || known && !m.Active() {
			return m.Active() && err == nil, err
		}
	}
	return tx.MayTalk(o.Chat, s.admit(o.Chat))
}

// tooOld says whether the message is no answer any more. What a push carries counts
// from when that was put in; a reply, which is new itself, is tried with all of it.
func tooOld(tx *store.Tx, o *store.Outgoing) (bool, error) {
	oldest := o.Created
	for _, id := range o.Carries {
		late, _, err := tx.Outgoing(id)
		if err != nil {
			return false, err
		}
		if o.Pushing && late.Created.Before(oldest) {
			oldest = late.Created
		}
	}
	return tx.Now().Sub(oldest) >= sendWithin, nil
}

// outdated says of a push whether something that it confirms has been taken back or
// changed since. One that has perhaps been said is not asked about any more, unless
// people send it again: then it has no retry key yet.
func outdated(tx *store.Tx, o *store.Outgoing) (bool, error) {
	if o.Doubt && o.RetryKey != "" {
		return false, nil
	}
	for _, n := range tellsOf(o) {
		if changed, err := tx.ChangedSince(n); changed || err != nil {
			return changed, err
		}
	}
	return misnames(tx, o)
}

// misnames says whether a record that o names as unanswered has been changed since:
// then what it says of that may not be so any more.
func misnames(tx *store.Tx, o *store.Outgoing) (bool, error) {
	if len(o.Names) == 0 {
		return false, nil
	}
	named := map[ledger.ReceiptNumber]bool{}
	for _, id := range o.Names {
		u, _, err := tx.Outgoing(id)
		if err != nil {
			return false, err
		}
		r, err := tx.ReceiptByNumber(u.Receipt)
		if err != nil {
			return false, err
		}
		if r == nil {
			continue
		}
		rows, err := tx.MessageRowsOf(r)
		if err != nil {
			return false, err
		}
		for _, row := range rows {
			named[row.ID.Receipt] = true
		}
	}
	first := o.Receipt
	for _, n := range tellsOf(o) {
		first = min(first, n) // of what o carries the names are as old as that
	}
	return tx.ChangedAfter(first, func(c ledger.Change) bool { return named[c.After.ID.Receipt] })
}

// after is the message o after an attempt with the given end, of which it is the
// doubtful-th with an unknown one: the rules of the sender in one place. More than
// one such try of a reply is safe, for its token works once; and it makes a
// certain end more likely, for a token lives a minute or more.
func after(before, o store.Outgoing, end result, doubtful int) store.Outgoing {
	switch {
	case end.kind == accepted:
		o.State, o.Doubt = store.Sent, false
	case end.kind == wait:
		o.Doubt = before.Doubt // this attempt did nothing; an earlier one may have
	case end.kind == doubt && !o.Pushing:
		if doubtful >= maxDoubtful {
			o.State = store.Unknown
		}
	case end.kind == refused && o.Pushing && !before.Doubt:
		o.State = store.Failed
	case end.kind == refused && before.Doubt:
		o.State = store.Unknown
	case end.kind == refused:
		o.Doubt, o.Pushing = false, true
	}
	return o
}

// untilMorning is how long a push must wait so that nobody is woken; 0 by day.
func untilMorning(now time.Time, zone *time.Location) time.Duration {
	local := now.In(zone)
	year, month, day := local.Date()
	morning := time.Date(year, month, day, quietTo, 0, 0, 0, zone)
	switch hour := local.Hour(); {
	case hour >= quietFrom:
		return morning.AddDate(0, 0, 1).Sub(local)
	case hour < quietTo:
		return morning.Sub(local)
	}
	return 0
}
