package store_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

// eraseAll is the owner's event that forgets all, and says so.
func eraseAll(t *testing.T, s *store.Store, at time.Time) store.Receipt {
	t.Helper()
	req := lunch("erase")
	req.At, req.Person = at, "U1"
	r, _ := storetest.Submit(t, s, req, func(tx *store.Tx) error {
		if err := tx.Erase(); err != nil {
			return err
		}
		_, err := tx.Say(store.Outgoing{Chat: "U1", Payload: []byte(`["all gone"]`)})
		return err
	})
	return r
}

// filledHousehold is a file with everything in it that there is, the owner's ID among it.
func filledHousehold(t *testing.T) string {
	t.Helper()
	path := write(t, household(t))
	s := storetest.Open(t, path)
	change(t, s, func(tx *store.Tx) error { return tx.SetOwner(1) })
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// After erasing there is the owner, the receipt of the erasing and the numbers; nothing
// else is in the file, not even in its unused pages.
func TestErase(t *testing.T) {
	path := filledHousehold(t)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := storetest.Open(t, path)
	var was store.Figures
	view(t, s, func(tx *store.Tx) (err error) { was, err = tx.Figures(); return err })
	r := eraseAll(t, s, time.Now())
	if r.Number != was.Receipts+1 {
		t.Errorf("receipt %d after %d", r.Number, was.Receipts)
	}
	if err := s.Probe(t.Context()); err != nil { // when this has passed the file is written anew
		t.Fatal(err)
	}
	view(t, s, func(tx *store.Tx) error {
		f, err := tx.Figures()
		if f.Rows != 0 || f.File == was.File || f.Receipts != r.Number {
			t.Errorf("left are %+v", f)
		}
		members, err2 := tx.Members()
		owner, ok, err3 := tx.Owner()
		if len(members) != 1 || !ok || owner.Person != "U1" || !owner.Active() {
			t.Errorf("members: %+v", members)
		}
		for _, fact := range []string{factButton, factCode} {
			if value, err := tx.Fact(fact); value != "" || err != nil {
				t.Errorf("%s is still there", fact)
			}
		}
		waiting := 0
		err4 := tx.PendingOutgoing(func(store.Outgoing) error { waiting++; return nil })
		if waiting != 1 {
			t.Errorf("%d messages wait, want the answer", waiting)
		}
		return errors.Join(err, err2, err3, err4)
	})
	after, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"ランチ", "食費", "はな", "key00001", "hanako", "late"} {
		if !bytes.Contains(before, []byte(text)) {
			t.Fatalf("%q was not there", text)
		}
		if bytes.Contains(after, []byte(text)) {
			t.Errorf("%q still stands in the file", text)
		}
	}
	if len(after) >= len(before)/2 {
		t.Errorf("%d bytes became %d", len(before), len(after))
	}
}

// What was sent before does not count, however late it comes; what is sent after it does.
func TestErasedDoesNotComeBack(t *testing.T) {
	s := storetest.Open(t, filledHousehold(t))
	at := time.Now()
	eraseAll(t, s, at)
	record := func(key string, at time.Time) store.Outcome {
		t.Helper()
		req := lunch(key)
		req.At, req.Person, req.MessageID = at, "U1", "message "+key
		_, outcome, err := s.Submit(t.Context(), req, storetest.RecordLunch)
		if err != nil {
			t.Fatal(err)
		}
		return outcome
	}
	for _, tt := range []struct {
		key  string
		at   time.Time
		want store.Outcome
	}{
		{"key00001", at.Add(-time.Hour), store.Left},
		{"new", at.Add(-time.Millisecond), store.Left},
		{"same time", at, store.Left},
		{"new", at.Add(time.Second), store.Recorded},
		{"new", at.Add(time.Second), store.Repeated},
	} {
		if got := record(tt.key, tt.at); got != tt.want {
			t.Errorf("%s at %v: %v, want %v", tt.key, tt.at.Sub(at), got, tt.want)
		}
	}
	req := lunch("erase")
	req.At, req.Person = at, "U1"
	if _, outcome, err := s.Submit(t.Context(), req, func(*store.Tx) error { return errOnPurpose }); outcome != store.Repeated || err != nil {
		t.Errorf("erasing again: %v, %v", outcome, err)
	}
	for _, person := range []string{"hanako", "U2"} {
		req := lunch("of " + person)
		req.At, req.Person, req.Admit = at.Add(time.Second), person, false
		if _, _, err := s.Submit(t.Context(), req, storetest.RecordLunch); !errors.Is(err, store.ErrStranger) {
			t.Errorf("%s: %v", person, err)
		}
	}
}

// What the sender notes of a message that was on its way when all was erased is not kept.
func TestErasedWhileSending(t *testing.T) {
	s := storetest.Open(t, filledHousehold(t))
	r := eraseAll(t, s, time.Now())
	change(t, s, func(tx *store.Tx) error {
		o, ok, err := tx.Outgoing(1)
		if ok {
			t.Errorf("message %d is still there", o.ID)
		}
		return errors.Join(err, tx.NoteSent("line", []string{"old", "new"}, []ledger.ReceiptNumber{1, r.Number}))
	})
	view(t, s, func(tx *store.Tx) error {
		old, _, err := tx.Quoted("line", "old")
		now, _, err2 := tx.Quoted("line", "new")
		if old != nil || now == nil {
			t.Errorf("of the old message it knows %v, of the new one %v", old, now)
		}
		return errors.Join(err, err2)
	})
	if err := s.Check(); err != nil {
		t.Error(err)
	}
}

// Only the owner may, and only in an event.
func TestEraseRefuses(t *testing.T) {
	s := storetest.Open(t, filledHousehold(t))
	req := lunch("erase")
	req.At, req.Person = time.Now(), "hanako"
	if _, _, err := s.Submit(t.Context(), req, (*store.Tx).Erase); !errors.Is(err, store.ErrNotOwner) {
		t.Errorf("by another member: %v", err)
	}
	if err := s.Update(t.Context(), (*store.Tx).Erase); err == nil {
		t.Error("outside of an event")
	}
	view(t, s, func(tx *store.Tx) error {
		f, err := tx.Figures()
		if f.Rows == 0 {
			t.Error("all is gone")
		}
		return err
	})
}

// Others read and write while the file is written anew.
func TestEraseWhileOthersWork(t *testing.T) {
	s := storetest.Open(t, filledHousehold(t))
	at := time.Now()
	stop := make(chan struct{})
	var others sync.WaitGroup
	for range 4 {
		others.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				err := s.View(func(tx *store.Tx) error {
					return tx.Rows(store.AllRows, func(*ledger.Row) error { return nil })
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	eraseAll(t, s, at)
	for i := range 20 {
		req := lunch("after " + string(rune('a'+i)))
		req.At, req.Person = at.Add(time.Second), "U1"
		if _, outcome, err := s.Submit(t.Context(), req, storetest.RecordLunch); outcome != store.Recorded {
			t.Errorf("%v, %v", outcome, err)
		}
	}
	close(stop)
	others.Wait()
	view(t, s, func(tx *store.Tx) error {
		f, err := tx.Figures()
		if f.Rows != 20 {
			t.Errorf("%d rows", f.Rows)
		}
		return err
	})
}

// If the file can't be written anew, the household goes on, and the next opening does it.
func TestEraseWipesLater(t *testing.T) {
	path := filledHousehold(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	full := filepath.Join(t.TempDir(), "full")
	inspector := []string{"/bin/sh", "-c", `if test -e "$0"; then echo no; exit 9; fi; exec "$@"`, full, self, "inspect"}
	s, err := store.Open(path, store.Options{NoSync: true, Inspector: inspector})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	at := time.Now()
	eraseAll(t, s, at)
	req := lunch("after")
	req.At, req.Person = at.Add(time.Second), "U1"
	if _, outcome, err := s.Submit(t.Context(), req, storetest.RecordLunch); outcome != store.Recorded {
		t.Errorf("%v, %v", outcome, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if content, _ := os.ReadFile(path); !bytes.Contains(content, []byte("はな")) {
		t.Fatal("it was written anew all the same")
	}
	s = storetest.Open(t, path)
	if content, _ := os.ReadFile(path); bytes.Contains(content, []byte("はな")) {
		t.Error("what was erased still stands there")
	}
	view(t, s, func(tx *store.Tx) error {
		f, err := tx.Figures()
		if f.Rows != 1 {
			t.Errorf("%d rows", f.Rows)
		}
		return err
	})
}
