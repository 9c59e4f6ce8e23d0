package store_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

func after(minutes int) time.Time { return storetest.Noon.Add(time.Duration(minutes) * time.Minute) }

// view fails the test if fn does.
func view(t *testing.T, s *store.Store, fn func(tx *store.Tx) error) {
	t.Helper()
	if err := s.View(fn); err != nil {
		t.Fatal(err)
	}
}

// receipt returns the receipt with the number.
func receipt(t *testing.T, s *store.Store, n ledger.ReceiptNumber) (r *store.Receipt) {
	t.Helper()
	view(t, s, func(tx *store.Tx) (err error) {
		if r, err = tx.ReceiptByNumber(n); r == nil {
			err = errors.Join(err, fmt.Errorf("no receipt %d", n))
		}
		return err
	})
	return r
}

// Each event sees its message as it was before it.
func TestMessage(t *testing.T) {
	s := storetest.New(t)
	see := func(req store.Request, want store.Message, items ...string) {
		t.Helper()
		storetest.Submit(t, s, req, func(tx *store.Tx) error {
			got := tx.Message()
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", req.Key, diff)
			}
			if err := storetest.Hear(items...)(tx); err != nil {
				return err
			}
			if cap(got.Receipts) > 0 {
				_ = append(got.Receipts[:0], 99) // is the caller's own
			}
			return nil
		})
	}
	see(storetest.Edited("m", "b", after(2)), store.Message{}, "b")
	see(storetest.Edited("m", "a", after(1)), store.Message{Receipts: []ledger.ReceiptNumber{1}, EditedAt: after(2), Text: "b"}, "a")
	see(storetest.Said("m", "0", after(0)), store.Message{Receipts: []ledger.ReceiptNumber{1, 2}, EditedAt: after(2), Text: "b"}, "0")
	see(storetest.Edited("m", "c d", after(3)),
		store.Message{Receipts: []ledger.ReceiptNumber{1, 2, 3}, Said: 3, At: after(0), EditedAt: after(2)}, "c", "d")
	see(storetest.Unsent("m", after(4)),
		store.Message{Receipts: []ledger.ReceiptNumber{1, 2, 3, 4}, Said: 3, At: after(0), EditedAt: after(3)})
	storetest.WantRows(t, s, "[1  100]", "[4  100]")
	see(storetest.Unsent("n", after(4)), store.Message{})
	see(store.Request{Scope: "line", Key: "none", At: after(5), Person: storetest.Taro, Admit: true}, store.Message{}, "e")
	view(t, s, func(tx *store.Tx) error {
		if diff := cmp.Diff(store.Message{}, tx.Message()); diff != "" {
			t.Errorf("outside of an event:\n%s", diff)
		}
		return nil
	})
}

// A text is kept only as long as it is of use.
func TestKeepTextInVain(t *testing.T) {
	s := storetest.New(t)
	keep := func(tx *store.Tx) error { tx.KeepText("text"); return nil }
	storetest.Submit(t, s, storetest.Said("m", "a", after(0)), keep)
	storetest.Submit(t, s, storetest.Edited("m", "b", after(1)), keep)
	storetest.Submit(t, s, storetest.Unsent("n", after(0)), keep)
	storetest.Submit(t, s, storetest.Unsent("m", after(3)), keep)
	for _, m := range []string{"m", "n"} {
		storetest.Submit(t, s, store.Request{
			Scope: "line", Key: "look " + m, At: after(5), Person: storetest.Taro, MessageID: m, About: store.Unsent,
		}, func(tx *store.Tx) error {
			if text := tx.Message().Text; text != "" {
				t.Errorf("of %s there is %q", m, text)
			}
			return nil
		})
	}
}

func TestMessageRowsOf(t *testing.T) {
	s := storetest.New(t)
	storetest.Submit(t, s, storetest.Said("m", "a b", after(0)), storetest.Hear("a", "b"))          // 1
	storetest.Submit(t, s, storetest.Edited("m", "c", after(1)), storetest.Hear("c"))               // 2
	storetest.Submit(t, s, storetest.Edited("m", "c d e", after(2)), storetest.Hear("c", "d", "e")) // 3
	storetest.Submit(t, s, lunch("x"), storetest.Spend("x", 1, after(0)))                           // 4
	storetest.Submit(t, s, lunch("y"), func(*store.Tx) error { return nil })                        // 5
	storetest.Submit(t, s, storetest.Unsent("m", after(3)), storetest.Hear())                       // 6
	for n, want := range map[ledger.ReceiptNumber]string{1: "1-1 1-2 3", 2: "1-1 1-2 3", 3: "1-1 1-2 3", 4: "4", 5: "", 6: ""} {
		r := receipt(t, s, n)
		var ids []string
		view(t, s, func(tx *store.Tx) error {
			rows, err := tx.MessageRowsOf(r)
			for _, row := range rows {
				ids = append(ids, row.ID.String())
			}
			return err
		})
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("of receipt %d: %q, want %q", n, got, want)
		}
	}
}

// An edit stands among its member's messages where the message was typed.
func TestSetTyped(t *testing.T) {
	s := storetest.New(t)
	storetest.Submit(t, s, storetest.Edited("m", "a", after(9)), storetest.Hear("a")) // 1
	req := lunch("b")
	req.At = after(5)
	storetest.Submit(t, s, req, storetest.Spend("b", 1, after(5))) // 2
	order := func() (numbers []ledger.ReceiptNumber) {
		view(t, s, func(tx *store.Tx) error {
			_, err := tx.Before(1, after(99), time.Time{}, func(r *store.Receipt) (bool, error) {
				numbers = append(numbers, r.Number)
				return false, nil
			})
			return err
		})
		return numbers
	}
	if diff := cmp.Diff([]ledger.ReceiptNumber{1, 2}, order()); diff != "" {
		t.Errorf("backwards, before:\n%s", diff)
	}
	storetest.Submit(t, s, storetest.Said("m", "z", after(1)), storetest.Hear("z")) // 3 moves 1
	storetest.Submit(t, s, storetest.Edited("m", "a b", after(10)), storetest.Hear("a", "b"))
	if diff := cmp.Diff([]ledger.ReceiptNumber{2, 4, 1}, order()); diff != "" {
		t.Errorf("backwards, after:\n%s", diff)
	}
	for n, typed := range map[ledger.ReceiptNumber]time.Time{1: after(1), 3: {}, 4: after(1)} {
		if r := receipt(t, s, n); !r.Typed.Equal(typed) {
			t.Errorf("receipt %d was typed at %v, want %v", n, r.Typed, typed)
		}
	}
	_, _, err := s.Submit(t.Context(), lunch("of none"), func(tx *store.Tx) error { return tx.SetTyped(99, after(0)) })
	if !errors.Is(err, store.ErrNoReceipt) {
		t.Errorf("error %v of no receipt", err)
	}
	_, _, err = s.Submit(t.Context(), lunch("never"), func(tx *store.Tx) error { return tx.SetTyped(1, time.Time{}) })
	if err == nil {
		t.Error("a time that nobody can have typed at was taken")
	}
}

func TestQuoted(t *testing.T) {
	s := storetest.New(t)
	storetest.Submit(t, s, storetest.Said("m", "a", after(0)), storetest.Hear("a"))
	storetest.Submit(t, s, storetest.Edited("m", "b", after(1)), storetest.Hear("b"))
	storetest.Submit(t, s, storetest.Unsent("gone", after(1)), storetest.Hear())
	change(t, s, func(tx *store.Tx) error {
		return tx.NoteSent("line", []string{"s1", "s2", "", "s4"}, []ledger.ReceiptNumber{2, 0, 1})
	})
	for id, want := range map[string]string{"m": "1 false", "s1": "2 true", "s2": "0 false", "s4": "0 false", "gone": "0 false", "": "0 false"} {
		view(t, s, func(tx *store.Tx) error {
			r, ours, err := tx.Quoted("line", id)
			var n ledger.ReceiptNumber
			if r != nil {
				n = r.Number
			}
			if got := fmt.Sprint(n, " ", ours); got != want {
				t.Errorf("%q: %s, want %s", id, got, want)
			}
			return err
		})
	}
	view(t, s, func(tx *store.Tx) error {
		if r, _, err := tx.Quoted("web", "m"); r != nil || err != nil {
			t.Errorf("of another door: %v, %v", r, err)
		}
		return nil
	})
}

// Only who may talk, or who took back what the file holds, leaves a trace.
func TestUnsentByWhom(t *testing.T) {
	by := func(message, person string, admit bool) store.Request {
		r := storetest.Unsent(message, after(1))
		r.Key, r.Person, r.Admit = r.Key+person, person, admit
		return r
	}
	for _, tt := range []struct {
		req  store.Request
		want string // the ledger, or an error
	}{
		{by("m", "stranger", false), "[1  100]"},
		{by("m", "", false), "[1  100]"},
		{by("m", "removed", false), "[1  100]"},
		{by("m", "removed", true), "[1  100]"},
		{by("m", "hanako", false), "[1  100]"},
		{by("other", "stranger", false), store.ErrStranger.Error()},
		{by("other", "removed", true), store.ErrStranger.Error()},
		{by("other", "", false), store.ErrStranger.Error()},
		{by("other", "", true), "1 a 100"},
		{by("other", "hanako", false), "1 a 100"},
	} {
		t.Run(tt.req.Key+fmt.Sprint(tt.req.Admit), func(t *testing.T) {
			s := storetest.New(t)
			storetest.Submit(t, s, storetest.Said("m", "a", after(0)), storetest.Hear("a"))
			change(t, s, func(tx *store.Tx) error {
				removed, err := tx.Join("removed", "")
				_, err2 := tx.Join("hanako", "")
				return errors.Join(err, err2, tx.Remove(removed.ID))
			})
			called := false
			_, _, err := s.Submit(t.Context(), tt.req, func(*store.Tx) error { called = true; return nil })
			got := strings.Join(storetest.Rows(t, s), ", ")
			if err != nil {
				got = err.Error()
			}
			if got != tt.want || called != (err == nil) {
				t.Errorf("%s (called: %t), want %s", got, called, tt.want)
			}
			view(t, s, func(tx *store.Tx) error {
				if members, err := tx.Members(); len(members) != 3 || err != nil {
					t.Errorf("%d members, %v", len(members), err)
				}
				return nil
			})
		})
	}
}

// A message that the file holds lets nobody in who would say or change it.
func TestStrangersMessage(t *testing.T) {
	s := storetest.New(t)
	storetest.Submit(t, s, storetest.Said("m", "a", after(0)), storetest.Hear("a"))
	for _, req := range []store.Request{storetest.Said("m", "b", after(0)), storetest.Edited("m", "b", after(1))} {
		req.Key, req.Person, req.Admit = req.Key+" stranger", "stranger", false
		if _, _, err := s.Submit(t.Context(), req, storetest.Hear("b")); !errors.Is(err, store.ErrStranger) {
			t.Errorf("%s: %v, want ErrStranger", req.Key, err)
		}
	}
	storetest.WantRows(t, s, "1 a 100")
}

// Whatever of it comes later, and with whatever content, counts for nothing, and
// nothing is kept that could tell the content.
func TestAfterUnsend(t *testing.T) {
	for _, before := range []bool{true, false} {
		s := storetest.New(t)
		said, again := storetest.Said("m", "a", after(0)), storetest.Said("m", "a", after(0))
		again.Key = "again"
		wanted := store.Recorded
		if before {
			storetest.Submit(t, s, said, storetest.Hear("a"))
			storetest.Submit(t, s, again, storetest.Hear("a"))
			wanted = store.Repeated
		}
		storetest.Submit(t, s, storetest.Unsent("m", after(1)), storetest.Hear())
		never := func(*store.Tx) error { t.Error("it was handled"); return nil }
		changed := storetest.Said("m", "b", after(0))
		if _, outcome := storetest.Submit(t, s, changed, never); outcome != wanted {
			t.Errorf("said: %v, want %v", outcome, wanted)
		}
		for _, key := range []string{"again", "once more"} {
			again.Key = key
			if _, outcome := storetest.Submit(t, s, again, never); outcome != store.Repeated {
				t.Errorf("%s: %v", key, outcome)
			}
		}
		storetest.Submit(t, s, storetest.Edited("m", "c", after(2)), never)
		twice := storetest.Unsent("m", after(3))
		twice.Key = "unsent twice"
		storetest.Submit(t, s, twice, storetest.Hear())
		view(t, s, func(tx *store.Tx) error {
			return tx.Receipts(0, func(r *store.Receipt) error {
				if r.About != store.Unsent && r.Digest != nil {
					t.Errorf("receipt %d has a digest", r.Number)
				}
				return nil
			})
		})
		if err := s.Check(); err != nil {
			t.Error(err)
		}
	}
}

// All of it may wait in one batch, in which others fail, so that it runs again.
func TestUnsendInABatch(t *testing.T) {
	s := storetest.New(t)
	hold := make(chan struct{})
	subs := []*store.Submission{s.Enqueue(t.Context(), lunch("hold"), func(*store.Tx) error { <-hold; return store.Leave })}
	fails := func(tx *store.Tx) error {
		return errors.Join(storetest.Hear("x")(tx), errOnPurpose)
	}
	for _, e := range []struct {
		req   store.Request
		apply func(*store.Tx) error
	}{
		{storetest.Said("m", "a", after(0)), storetest.Hear("a")},
		{storetest.Said("bad", "x", after(0)), fails},
		{storetest.Edited("m", "b c", after(1)), storetest.Hear("b", "c")},
		{storetest.Said("m", "x", after(0)), fails},
		{storetest.Unsent("m", after(2)), storetest.Hear()},
		{storetest.Edited("m", "d", after(3)), storetest.Hear("d")},
		{storetest.Edited("bad", "x", after(3)), fails},
		{storetest.Unsent("n", after(2)), storetest.Hear()},
		{storetest.Said("n", "e", after(0)), storetest.Hear("e")},
		{storetest.Said("bad 2", "x", after(0)), fails},
	} {
		subs = append(subs, s.Enqueue(t.Context(), e.req, e.apply))
	}
	close(hold)
	var outcomes []string
	for _, sub := range subs {
		_, outcome, _ := sub.Wait(t.Context())
		outcomes = append(outcomes, outcome.String())
	}
	want := "left recorded failed recorded conflict recorded recorded failed recorded recorded failed"
	if got := strings.Join(outcomes, " "); got != want {
		t.Errorf("outcomes %s\nwant     %s", got, want)
	}
	storetest.WantRows(t, s, "[1  100]", "[2  100]")
}
