package store_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

// lunch is an event of somebody who is let in: 「ランチ 900」.
func lunch(key string) store.Request {
	return store.Request{
		Scope: "line", Key: key, Digest: store.NewDigest("ランチ 900"), At: storetest.Noon, Person: storetest.Taro, Admit: true,
	}
}

// A time or date that no calendar has is refused, and does not end up in a file
// that nobody can read any more.
func TestImpossibleTimes(t *testing.T) {
	s := storetest.New(t)
	req := lunch("a")
	req.At = time.UnixMicro(storetest.Noon.UnixMicro() * 1000)
	if _, _, err := s.Submit(t.Context(), req, storetest.Spend("ランチ", 900, req.At)); err == nil {
		t.Error("an event of the year 58000 was taken")
	}
	for _, date := range []ledger.Date{0, 20261131, 20260001, 100000101, -20261130} {
		_, _, err := s.Submit(t.Context(), lunch("b"), func(tx *store.Tx) error {
			wallet, err := tx.OpenAccount(ledger.Cash, tx.Sender().ID)
			if err != nil {
				return err
			}
			_, err = tx.Apply(ledger.Change{After: &ledger.Row{Type: ledger.Expense, Date: date, Time: storetest.Noon, Amount: 1, Account: wallet.ID}})
			return err
		})
		if err == nil {
			t.Errorf("a row of %d was taken", date)
		}
	}
	epoch := time.UnixMilli(0).UTC()
	storetest.Submit(t, s, lunch("c"), storetest.Spend("月面", 1, epoch))
	storetest.Submit(t, s, lunch("d"), storetest.Undo(1))
	storetest.WantRows(t, s, "(1 月面 1)")
}

// Events are ordered by their own time, whenever they arrive.
func TestBeforeAndAfter(t *testing.T) {
	s := storetest.New(t)
	submitAt := func(key string, at time.Time, apply func(*store.Tx) error) store.Receipt {
		req := lunch(key)
		req.At = at
		r, _ := storetest.Submit(t, s, req, apply)
		return r
	}
	early := submitAt("early", storetest.Noon, storetest.Spend("early", 1, storetest.Noon))
	late := submitAt("late", storetest.Noon.Add(2*time.Minute), storetest.Spend("late", 2, storetest.Noon.Add(2*time.Minute)))
	submitAt("same", storetest.Noon.Add(time.Minute), storetest.Spend("same", 3, storetest.Noon.Add(time.Minute)))
	submitAt("between", storetest.Noon.Add(time.Minute), func(tx *store.Tx) error {
		at := storetest.Noon.Add(time.Minute)
		found, err := tx.Before(tx.Sender().ID, at, storetest.Noon.Add(-time.Hour), func(r *store.Receipt) (bool, error) { return r.Number != 3, nil })
		if err != nil {
			return err
		}
		if found == nil || found.Number != early.Number {
			t.Errorf("before: %+v, want receipt %d", found, early.Number)
		}
		var after []ledger.ReceiptNumber
		err = tx.After(tx.Sender().ID, at, func(r *store.Receipt) error {
			after = append(after, r.Number)
			return nil
		})
		if diff := cmp.Diff([]ledger.ReceiptNumber{late.Number}, after); diff != "" {
			t.Errorf("after (-want +got):\n%s", diff)
		}
		return err
	})
}

func TestParkedEventIsForgottenWithItsReceipt(t *testing.T) {
	s := storetest.New(t)
	park := func() (p store.Parked, err error) {
		return p, s.Update(t.Context(), func(tx *store.Tx) (err error) {
			p, err = tx.Park(store.Parked{Scope: "line", Key: "a", Event: []byte("{}"), Why: "panic"})
			return err
		})
	}
	for want := 1; want <= 2; want++ {
		if p, err := park(); err != nil || p.Tries != want {
			t.Fatalf("parking: %+v, %v, want %d tries", p, err, want)
		}
	}
	storetest.Submit(t, s, lunch("a"), storetest.Spend("ランチ", 900, storetest.Noon))
	if _, err := park(); err != nil { // a try that was under way meanwhile
		t.Fatal(err)
	}
	err := s.View(func(tx *store.Tx) error {
		parked, err := tx.AllParked("")
		if len(parked) != 0 {
			t.Errorf("still parked: %d", len(parked))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestUpdateCannotTouchTheLedger(t *testing.T) {
	s := storetest.New(t)
	err := s.Update(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Apply(ledger.Change{After: &ledger.Row{Type: ledger.Expense, Amount: 1, Account: 1, Date: 20261130, Time: storetest.Noon}})
		return err
	})
	if err == nil {
		t.Error("a row was written outside of an event")
	}
	storetest.WantRows(t, s)
}

func TestClosed(t *testing.T) {
	s, err := store.Open(filepath.Join(t.TempDir(), "ichido.db"), store.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			_, _, err := s.Submit(context.Background(), lunch(fmt.Sprint(i)), storetest.Spend("x", 1, storetest.Noon))
			if err != nil && !errors.Is(err, store.ErrClosed) {
				t.Errorf("while closing: %v", err)
			}
		})
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	wg.Wait() // everybody gets an answer
	if _, _, err := s.Submit(t.Context(), lunch("late"), storetest.Spend("x", 1, storetest.Noon)); !errors.Is(err, store.ErrClosed) {
		t.Errorf("got %v, want ErrClosed", err)
	}
	if err := s.View(func(*store.Tx) error { return nil }); !errors.Is(err, store.ErrClosed) {
		t.Errorf("reading: %v, want ErrClosed", err)
	}
}

// Whom the door can't tell is heard where everybody is, as nobody.
func TestPersonWithoutNameIsNobody(t *testing.T) {
	s := storetest.New(t)
	req := lunch("a")
	req.Person, req.Admit = "", false
	if _, _, err := s.Submit(t.Context(), req, storetest.Spend("x", 1, storetest.Noon)); !errors.Is(err, store.ErrStranger) {
		t.Errorf("got %v, want ErrStranger", err)
	}
	req.Admit = true
	if r, _ := storetest.Submit(t, s, req, storetest.Spend("x", 1, storetest.Noon)); r.Member != 0 {
		t.Errorf("member %d, want nobody", r.Member)
	}
}
