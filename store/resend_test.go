package store_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

// confirm records a row with an answer, whose ID it returns.
func confirm(t *testing.T, s *store.Store, key string, o store.Outgoing) store.OutboxID {
	t.Helper()
	at := time.Date(2026, 11, 30, 3, 0, 0, 0, time.UTC)
	req := store.Request{Scope: "line", Key: key, Digest: store.NewDigest(key), At: at, Person: "taro", Admit: true}
	_, _, err := s.Submit(t.Context(), req, func(tx *store.Tx) error {
		wallet, err := tx.OpenAccount(ledger.Cash, tx.Sender().ID)
		if err != nil {
			return err
		}
		_, err = tx.Apply(ledger.Change{After: &ledger.Row{
			Type: ledger.Expense, Item: "ランチ", Amount: 900, Date: 20261130, Time: at, Account: wallet.ID, Member: tx.Sender().ID,
		}})
		if err != nil {
			return err
		}
		o, err = tx.Say(o)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return o.ID
}

func change(t *testing.T, s *store.Store, fn func(*store.Tx) error) {
	t.Helper()
	if err := s.Update(t.Context(), fn); err != nil {
		t.Fatal(err)
	}
}

// settle ends a message with the state.
func settle(t *testing.T, s *store.Store, id store.OutboxID, state store.OutgoingState) {
	t.Helper()
	change(t, s, func(tx *store.Tx) error {
		o, _, err := tx.Outgoing(id)
		if err != nil {
			return err
		}
		o.State, o.Doubt = state, state == store.Unknown
		return tx.PutOutgoing(o)
	})
}

func outgoing(t *testing.T, s *store.Store, id store.OutboxID) string {
	t.Helper()
	what := "nothing"
	err := s.View(func(tx *store.Tx) error {
		o, ok, err := tx.Outgoing(id)
		if ok {
			what = fmt.Sprintf("%v doubt=%t pushing=%t key=%q token=%q payload=%q settled=%t",
				o.State, o.Doubt, o.Pushing, o.RetryKey, o.ReplyToken, o.Payload, !o.Settled.IsZero())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return what
}

func unsaid(t *testing.T, s *store.Store) (ids []store.OutboxID) {
	t.Helper()
	change(t, s, func(tx *store.Tx) error {
		all, err := tx.TakeUnsaid("taro")
		for _, o := range all {
			ids = append(ids, o.ID)
		}
		return err
	})
	return ids
}

func TestResend(t *testing.T) {
	said := store.Outgoing{Chat: "taro", ReplyToken: "token", Payload: []byte("x"), RetryKey: "old"}
	for _, tt := range []struct {
		state store.OutgoingState
		want  string
	}{
		{store.Pending, `pending doubt=false pushing=false key="old" token="token" payload="x" settled=false`},
		{store.Expired, `pending doubt=false pushing=true key="" token="" payload="x" settled=false`},
		{store.Failed, `pending doubt=false pushing=true key="" token="" payload="x" settled=false`},
		{store.Unknown, `pending doubt=true pushing=true key="" token="" payload="x" settled=false`},
		{store.Sent, "nothing"},
	} {
		t.Run(tt.state.String(), func(t *testing.T) {
			s := storetest.New(t)
			id := confirm(t, s, "1", said)
			if tt.state != store.Pending {
				settle(t, s, id, tt.state)
			}
			err := s.Update(t.Context(), func(tx *store.Tx) error {
				was, err := tx.Resend(id)
				if err == nil && was.State != tt.state {
					t.Errorf("it was %v", was.State)
				}
				return err
			})
			if sent := tt.state == store.Sent; errors.Is(err, store.ErrNoSuchMessage) != sent || !sent && err != nil {
				t.Errorf("error %v", err)
			}
			if diff := cmp.Diff(tt.want, outgoing(t, s, id)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if ids := unsaid(t, s); ids != nil {
				t.Errorf("%v are named too", ids)
			}
		})
	}
}

// A confirmation of what is not so any more is not said.
func TestResendRefuses(t *testing.T) {
	s := storetest.New(t)
	struck := confirm(t, s, "1", store.Outgoing{Chat: "taro", Payload: []byte("x")})
	empty := confirm(t, s, "2", store.Outgoing{Chat: "taro"})
	late := confirm(t, s, "3", store.Outgoing{Chat: "taro", Payload: []byte("x"), Pushing: true})
	settle(t, s, struck, store.Expired)
	settle(t, s, empty, store.Expired)
	change(t, s, func(tx *store.Tx) error { _, err := tx.TakeLate("taro", storetest.Pending(tx), 5); return err })
	confirm(t, s, "4", store.Outgoing{Chat: "taro", Payload: []byte("x"), Carries: []store.OutboxID{late}, Of: []ledger.ReceiptNumber{4}})
	req := store.Request{Scope: "line", Key: "5", At: time.Now(), Person: "taro", Admit: true}
	if _, _, err := s.Submit(t.Context(), req, func(tx *store.Tx) error {
		_, err := tx.Undo(1)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[store.OutboxID]error{
		struck: store.ErrOutdated, empty: store.ErrOutdated, late: store.ErrCarried, 99: store.ErrNoSuchMessage,
	} {
		before := outgoing(t, s, id)
		err := s.Update(t.Context(), func(tx *store.Tx) error { _, err := tx.Resend(id); return err })
		if !errors.Is(err, want) || !strings.Contains(fmt.Sprint(err), fmt.Sprintf("message %d: ", id)) {
			t.Errorf("message %d: error %v, want %v", id, err, want)
		}
		if after := outgoing(t, s, id); after != before {
			t.Errorf("message %d is %s now", id, after)
		}
	}
}

// Nothing is said again to who was removed or has left, until the person is back.
func TestResendToWhoIsAway(t *testing.T) {
	for name, away := range map[string]func(*store.Tx, store.Member) error{
		"removed": func(tx *store.Tx, m store.Member) error { return tx.Remove(m.ID) },
		"left":    func(tx *store.Tx, m store.Member) error { _, err := tx.Move(m.Person, tx.Now(), false); return err },
	} {
		s := storetest.New(t)
		id := confirm(t, s, "1", store.Outgoing{Chat: "taro", Payload: []byte("x")})
		family := confirm(t, s, "2", store.Outgoing{Chat: "family", Payload: []byte("x")})
		settle(t, s, id, store.Expired)
		settle(t, s, family, store.Expired)
		change(t, s, func(tx *store.Tx) error {
			m, _, err := tx.MemberByPerson("taro")
			return errors.Join(err, away(tx, m))
		})
		again := func(id store.OutboxID) error {
			return s.Update(t.Context(), func(tx *store.Tx) error { _, err := tx.Resend(id); return err })
		}
		before := outgoing(t, s, id)
		if err := again(id); !errors.Is(err, store.ErrAway) || outgoing(t, s, id) != before {
			t.Errorf("%s: error %v, the message is %s", name, err, outgoing(t, s, id))
		}
		if err := again(family); err != nil {
			t.Errorf("%s: to the group: %v", name, err)
		}
		change(t, s, func(tx *store.Tx) error { _, err := tx.Join("taro", ""); return err })
		if err := again(id); err != nil {
			t.Errorf("%s, and back: %v", name, err)
		}
	}
}

func TestDiscard(t *testing.T) {
	s := storetest.New(t)
	said := store.Outgoing{Chat: "taro", Payload: []byte("x")}
	pending, doubtful, expired := confirm(t, s, "1", said), confirm(t, s, "2", said), confirm(t, s, "3", said)
	settle(t, s, expired, store.Expired)
	change(t, s, func(tx *store.Tx) error {
		o, _, err := tx.Outgoing(doubtful)
		if err != nil {
			return err
		}
		o.Doubt = true
		return tx.PutOutgoing(o)
	})
	for id, want := range map[store.OutboxID]string{
		pending:  `expired doubt=false pushing=false key="" token="" payload="x" settled=true`,
		doubtful: `unknown doubt=true pushing=false key="" token="" payload="x" settled=true`,
		expired:  "nothing",
	} {
		change(t, s, func(tx *store.Tx) error { _, err := tx.Discard(id); return err })
		if got := outgoing(t, s, id); got != want {
			t.Errorf("message %d: %s, want %s", id, got, want)
		}
	}
	if ids := unsaid(t, s); ids != nil {
		t.Errorf("%v will be named", ids)
	}
	err := s.Update(t.Context(), func(tx *store.Tx) error { _, err := tx.Discard(99); return err })
	if !errors.Is(err, store.ErrNoSuchMessage) {
		t.Errorf("error %v", err)
	}
}

// A talk can be played at another time than it tells of.
func TestClock(t *testing.T) {
	at := time.Date(2020, 2, 29, 12, 0, 0, 0, time.UTC)
	s, err := store.Open(filepath.Join(t.TempDir(), "ichido.db"), store.Options{NoSync: true, Now: func() time.Time { return at }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	confirm(t, s, "1", store.Outgoing{Chat: "taro"})
	err = s.View(func(tx *store.Tx) error {
		r, err := tx.ReceiptByNumber(1)
		if !r.Now.Equal(at) || !tx.Now().Equal(at) {
			t.Errorf("written at %v, read at %v", r.Now, tx.Now())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
