// The promise of Ichido, from outside, on a real file: every event counts
// exactly once. Each test is a sentence that a user could say.
package main_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

var noon = storetest.Noon

// lunch is an event of somebody who is let in: 「ランチ 900」.
func lunch(key string) store.Request {
	return store.Request{Scope: "line", Key: key, Digest: store.NewDigest("ランチ 900"), At: noon, Person: storetest.Taro, Admit: true}
}

func TestSameEventTwice(t *testing.T) {
	s := storetest.New(t)
	first, outcome := storetest.Submit(t, s, lunch("a"), storetest.Spend("ランチ", 900, noon))
	if outcome != store.Recorded || first.Number != 1 {
		t.Fatalf("first: receipt %d, %v", first.Number, outcome)
	}
	again, outcome := storetest.Submit(t, s, lunch("a"), func(*store.Tx) error {
		t.Error("a repeated event was handled")
		return nil
	})
	if outcome != store.Repeated || again.Number != first.Number {
		t.Errorf("again: receipt %d, %v", again.Number, outcome)
	}
	storetest.WantRows(t, s, "1 ランチ 900")
}

func TestSameTextInTwoEvents(t *testing.T) {
	s := storetest.New(t)
	storetest.Submit(t, s, lunch("a"), storetest.Spend("ランチ", 900, noon))
	storetest.Submit(t, s, lunch("b"), storetest.Spend("ランチ", 900, noon))
	storetest.WantRows(t, s, "1 ランチ 900", "2 ランチ 900")
}

func TestNoKey(t *testing.T) {
	s := storetest.New(t)
	for range 2 {
		r, outcome := storetest.Submit(t, s, lunch(""), storetest.Spend("ランチ", 900, noon))
		if outcome != store.Recorded || r.Key != "" {
			t.Errorf("got %v with key %q", outcome, r.Key)
		}
	}
	storetest.WantRows(t, s, "1 ランチ 900", "2 ランチ 900")
	if _, state, err := s.Lookup("line", ""); state != store.NotFound || err != nil {
		t.Errorf("the empty key: %v, %v", state, err)
	}
}

func TestStrangerIsTakenLaterOnceAllowed(t *testing.T) {
	s := storetest.New(t)
	req := lunch("a")
	req.Admit = false
	if _, _, err := s.Submit(t.Context(), req, storetest.Spend("ランチ", 900, noon)); !errors.Is(err, store.ErrStranger) {
		t.Fatalf("got %v, want ErrStranger", err)
	}
	if _, state, _ := s.Lookup("line", "a"); state != store.NotFound {
		t.Error("the stranger's key was stored")
	}
	storetest.WantRows(t, s)
	if _, outcome := storetest.Submit(t, s, lunch("a"), storetest.Spend("ランチ", 900, noon)); outcome != store.Recorded {
		t.Errorf("once allowed: %v", outcome)
	}
	storetest.WantRows(t, s, "1 ランチ 900")
	if _, _, err := s.Submit(t.Context(), store.Request{Scope: "line", Key: "b", At: noon, Person: storetest.Taro}, storetest.Spend("x", 1, noon)); !errors.Is(err, store.ErrStranger) {
		t.Errorf("no longer allowed: %v, want ErrStranger", err)
	}
}

func TestFailureBeforeCommit(t *testing.T) {
	boom := errors.New("boom")
	for _, fail := range []struct {
		name string
		how  func() error
		want error
	}{
		{"error", func() error { return boom }, boom},
		{"panic", func() error { panic("boom") }, store.ErrPanic},
	} {
		t.Run(fail.name, func(t *testing.T) {
			s := storetest.New(t)
			_, _, err := s.Submit(t.Context(), lunch("a"), func(tx *store.Tx) error {
				if err := storetest.Spend("ランチ", 900, noon)(tx); err != nil {
					return err
				}
				return fail.how()
			})
			if !errors.Is(err, fail.want) {
				t.Fatalf("got %v, want %v", err, fail.want)
			}
			storetest.WantRows(t, s)
			if r, outcome := storetest.Submit(t, s, lunch("a"), storetest.Spend("ランチ", 900, noon)); outcome != store.Recorded || r.Number != 1 {
				t.Errorf("the same key again: receipt %d, %v", r.Number, outcome)
			}
			storetest.WantRows(t, s, "1 ランチ 900")
		})
	}
}

// One that fails in a batch is taken out; the others of the batch are committed
// without it, each once.
func TestFailureDoesNotHarmOthersInTheBatch(t *testing.T) {
	s := storetest.New(t)
	var subs []*store.Submission
	hold := make(chan struct{})
	subs = append(subs, s.Enqueue(t.Context(), lunch("hold"), func(*store.Tx) error { <-hold; return store.Leave }))
	for i := range 20 {
		apply := storetest.Spend(fmt.Sprint("item", i), 100, noon)
		if i%7 == 3 {
			apply = func(tx *store.Tx) error {
				if err := storetest.Spend("bad", 1, noon)(tx); err != nil {
					return err
				}
				panic("bad")
			}
		}
		subs = append(subs, s.Enqueue(t.Context(), lunch(fmt.Sprint("k", i)), apply))
	}
	close(hold)
	for i, sub := range subs[1:] {
		_, outcome, err := sub.Wait(t.Context())
		if bad := i%7 == 3; bad != errors.Is(err, store.ErrPanic) || !bad && outcome != store.Recorded {
			t.Errorf("event %d: %v, %v", i, outcome, err)
		}
	}
	if n := len(storetest.Rows(t, s)); n != 17 {
		t.Errorf("%d rows, want 17", n)
	}
	if b := storetest.Balance(t, s); b != -1700 {
		t.Errorf("balance %d, want -1700", b)
	}
}

func TestAnswerLostThenReopened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ichido.db")
	s, err := store.Open(path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	storetest.Submit(t, s, lunch("a"), storetest.Spend("ランチ", 900, noon)) // nobody reads the answer
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again := storetest.Open(t, path)
	if r, outcome := storetest.Submit(t, again, lunch("a"), storetest.Spend("ランチ", 900, noon)); outcome != store.Repeated || r.Number != 1 {
		t.Errorf("redelivered: receipt %d, %v", r.Number, outcome)
	}
	storetest.WantRows(t, again, "1 ランチ 900")
}

// The writer is held up until all of them wait, so that they are surely in one commit.
func TestSimultaneousDeliveries(t *testing.T) {
	s := storetest.New(t)
	held, hold := make(chan struct{}), make(chan struct{})
	first := s.Enqueue(t.Context(), lunch("hold"), func(*store.Tx) error { close(held); <-hold; return store.Leave })
	<-held
	subs := make([]*store.Submission, 64)
	var wg sync.WaitGroup
	for i := range subs {
		wg.Go(func() { subs[i] = s.Enqueue(t.Context(), lunch("a"), storetest.Spend("ランチ", 900, noon)) })
	}
	wg.Wait()
	close(hold)
	if _, outcome, err := first.Wait(t.Context()); err != nil || outcome != store.Left {
		t.Fatalf("what held the writer up: %v, %v", outcome, err)
	}
	count := map[store.Outcome]int{}
	for _, sub := range subs {
		r, outcome, err := sub.Wait(t.Context())
		if err != nil || r.Number != 1 {
			t.Errorf("receipt %d, %v", r.Number, err)
		}
		count[outcome]++
	}
	if count[store.Recorded] != 1 || count[store.Repeated] != 63 {
		t.Errorf("outcomes %v", count)
	}
	storetest.WantRows(t, s, "1 ランチ 900")
}

func TestChangedContentIsAConflict(t *testing.T) {
	s := storetest.New(t)
	storetest.Submit(t, s, lunch("a"), storetest.Spend("ランチ", 900, noon))
	req := lunch("a")
	req.Digest = store.NewDigest("ランチ 950")
	r, outcome := storetest.Submit(t, s, req, storetest.Spend("ランチ", 950, noon))
	if outcome != store.Conflict || r.Number != 1 || len(r.Changes) != 1 || r.Changes[0].After.Amount != 900 {
		t.Errorf("got %v and receipt %+v", outcome, r)
	}
	storetest.WantRows(t, s, "1 ランチ 900")
}

func TestOtherScopeSameKey(t *testing.T) {
	s := storetest.New(t)
	storetest.Submit(t, s, lunch("a"), storetest.Spend("ランチ", 900, noon))
	req := lunch("a")
	req.Scope = "web"
	if r, outcome := storetest.Submit(t, s, req, storetest.Spend("ランチ", 900, noon)); outcome != store.Recorded || r.Number != 2 {
		t.Errorf("receipt %d, %v", r.Number, outcome)
	}
}

// LINE can deliver the same message under another event ID.
func TestSameMessageUnderAnotherKey(t *testing.T) {
	s := storetest.New(t)
	first, second := lunch("a"), lunch("b")
	first.MessageID, second.MessageID = "m", "m"
	storetest.Submit(t, s, first, storetest.Spend("ランチ", 900, noon))
	if r, outcome := storetest.Submit(t, s, second, storetest.Spend("ランチ", 900, noon)); outcome != store.Repeated || r.Number != 1 {
		t.Errorf("other key: receipt %d, %v", r.Number, outcome)
	}
	if r, outcome := storetest.Submit(t, s, second, storetest.Spend("ランチ", 900, noon)); outcome != store.Repeated || r.Number != 1 {
		t.Errorf("other key again: receipt %d, %v", r.Number, outcome)
	}
	if r, state, err := s.Lookup("line", "b"); err != nil || state != store.Found || r.Number != 1 {
		t.Errorf("the other key leads to receipt %d (%v, %v), want 1", r.Number, state, err)
	}
	second.Key, second.Digest = "c", store.NewDigest("ランチ 950")
	for range 2 {
		if r, outcome := storetest.Submit(t, s, second, storetest.Spend("ランチ", 950, noon)); outcome != store.Conflict || r.Number != 1 {
			t.Errorf("other key and content: receipt %d, %v", r.Number, outcome)
		}
	}
	storetest.WantRows(t, s, "1 ランチ 900")
}

func TestLookup(t *testing.T) {
	s := storetest.New(t)
	if _, state, _ := s.Lookup("line", "a"); state != store.NotFound {
		t.Fatalf("before: %v", state)
	}
	entered, release := make(chan struct{}), make(chan struct{})
	sub := s.Enqueue(t.Context(), lunch("a"), func(tx *store.Tx) error {
		close(entered)
		<-release
		return storetest.Spend("ランチ", 900, noon)(tx)
	})
	<-entered
	if _, state, _ := s.Lookup("line", "a"); state != store.InProgress {
		t.Errorf("uncommitted: %v, want in progress", state)
	}
	storetest.WantRows(t, s)
	close(release)
	if _, _, err := sub.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r, state, _ := s.Lookup("line", "a"); state != store.Found || r.Number != 1 {
		t.Errorf("committed: receipt %d, %v", r.Number, state)
	}
}

func TestLeave(t *testing.T) {
	s := storetest.New(t)
	if _, outcome := storetest.Submit(t, s, lunch("a"), func(*store.Tx) error { return store.Leave }); outcome != store.Left {
		t.Errorf("outcome %v", outcome)
	}
	if _, state, _ := s.Lookup("line", "a"); state != store.NotFound {
		t.Error("the key was stored")
	}
}

// The context counts until the writer has taken the event, and not after: then
// the event is recorded although nobody waits.
func TestContext(t *testing.T) {
	s := storetest.New(t)
	entered, release := make(chan struct{}), make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	taken := s.Enqueue(ctx, lunch("taken"), func(tx *store.Tx) error {
		close(entered)
		<-release
		return storetest.Spend("taken", 1, noon)(tx)
	})
	<-entered
	waiting := s.Enqueue(ctx, lunch("waiting"), storetest.Spend("waiting", 2, noon))
	cancel()
	if _, _, err := waiting.Wait(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting: %v, want canceled", err)
	}
	close(release)
	if _, outcome, err := taken.Wait(ctx); outcome != store.Recorded || err != nil {
		t.Errorf("taken: %v, %v", outcome, err)
	}
	storetest.Submit(t, s, lunch("later"), storetest.Spend("later", 3, noon))
	storetest.WantRows(t, s, "1 taken 1", "2 later 3")
}

func TestWalletStatedTwice(t *testing.T) {
	s := storetest.New(t)
	var applied store.Applied
	storetest.Submit(t, s, lunch("a"), storetest.State(3000, noon, &applied))
	if r := applied.Rows[0]; !r.Opening || r.Amount != 3000 {
		t.Errorf("the first statement: %+v, want the opening balance", r)
	}
	storetest.Submit(t, s, lunch("b"), storetest.State(3000, noon.Add(time.Minute), &applied))
	if r := applied.Rows[0]; r.Opening || r.Amount != 0 {
		t.Errorf("the second statement: %+v, want difference 0", r)
	}
	if b := storetest.Balance(t, s); b != 3000 {
		t.Errorf("balance %d", b)
	}
}

// A row that comes late changes the difference of the statement after it and
// nothing else; taking it back changes it back.
func TestLateRowBeforeAStatement(t *testing.T) {
	s := storetest.New(t)
	storetest.Submit(t, s, lunch("a"), storetest.State(5000, noon, nil))
	storetest.Submit(t, s, lunch("b"), storetest.State(3000, noon.Add(2*time.Hour), nil))
	storetest.Submit(t, s, lunch("c"), storetest.Spend("あと", 100, noon.Add(3*time.Hour)))
	storetest.WantRows(t, s, "1  5000", "2  -2000", "3 あと 100")
	storetest.Submit(t, s, lunch("d"), storetest.Spend("ランチ", 900, noon.Add(time.Hour)))
	storetest.WantRows(t, s, "1  5000", "2  -1100", "3 あと 100", "4 ランチ 900")
	if b := storetest.Balance(t, s); b != 2900 {
		t.Errorf("balance %d, want 2900", b)
	}
	storetest.Submit(t, s, lunch("e"), storetest.Undo(4))
	storetest.WantRows(t, s, "1  5000", "2  -2000", "3 あと 100", "(4 ランチ 900)")
	storetest.Submit(t, s, lunch("f"), storetest.Undo(5)) // take the undo back
	storetest.WantRows(t, s, "1  5000", "2  -1100", "3 あと 100", "4 ランチ 900")
}

// Taking back the first statement makes the next one the opening balance.
func TestUndoOfAStatement(t *testing.T) {
	s := storetest.New(t)
	storetest.Submit(t, s, lunch("a"), storetest.State(5000, noon, nil))
	storetest.Submit(t, s, lunch("b"), storetest.Spend("ランチ", 900, noon.Add(time.Hour)))
	storetest.Submit(t, s, lunch("c"), storetest.State(4000, noon.Add(2*time.Hour), nil))
	storetest.WantRows(t, s, "1  5000", "2 ランチ 900", "3  -100")
	storetest.Submit(t, s, lunch("d"), storetest.Undo(1))
	storetest.WantRows(t, s, "(1  5000)", "2 ランチ 900", "3  4900")
	if b := storetest.Balance(t, s); b != 4000 {
		t.Errorf("balance %d, want 4000", b)
	}
	storetest.Submit(t, s, lunch("e"), storetest.Undo(4))
	storetest.WantRows(t, s, "1  5000", "2 ランチ 900", "3  -100")
}

// A message, its repeat under another ID, its edits and its unsending give the same
// ledger in whatever order they come: the one of the order of their times.
func TestOrdersOfAMessage(t *testing.T) {
	later := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }
	again := storetest.Said("m", "a b", noon)
	again.Key = "again"
	type event struct {
		name  string
		req   store.Request
		items []string
	}
	said := event{"said", storetest.Said("m", "a b", noon), []string{"a", "b"}}
	repeat := event{"again", again, []string{"a", "b"}}
	edit := event{"edit", storetest.Edited("m", "c", later(1)), []string{"c"}}
	edit2 := event{"edit2", storetest.Edited("m", "d e f", later(2)), []string{"d", "e", "f"}}
	unsend := event{"unsend", storetest.Unsent("m", later(3)), nil}
	for _, tt := range []struct {
		events []event
		want   string
	}{
		{[]event{said, repeat, edit, edit2}, "d e f"},
		{[]event{edit, edit2}, "d e f"},
		{[]event{said, edit, unsend}, ""},
		{[]event{said, repeat, edit, edit2, unsend}, ""},
		{[]event{edit2, edit, unsend}, ""},
	} {
		permute(tt.events, func(order []event) {
			var name []string
			for _, e := range order {
				name = append(name, e.name)
			}
			t.Run(strings.Join(name, " "), func(t *testing.T) {
				s := storetest.New(t)
				for range 2 { // all of it is delivered twice
					for _, e := range order {
						storetest.Submit(t, s, e.req, storetest.Hear(e.items...))
					}
				}
				if got := standing(t, s, slices.ContainsFunc(order, func(e event) bool { return e.name == "said" })); got != tt.want {
					t.Errorf("the ledger says %q, want %q:\n%s", got, tt.want, strings.Join(storetest.Rows(t, s), "\n"))
				}
			})
		})
	}
}

// standing gives the items of the rows that stand; each must be of noon if so wanted.
func standing(t *testing.T, s *store.Store, atNoon bool) string {
	var items []string
	err := s.View(func(tx *store.Tx) error {
		return tx.Rows(store.AllRows, func(r *ledger.Row) error {
			if r.Stands() {
				items = append(items, r.Item)
				if atNoon && !r.Time.Equal(noon) {
					t.Errorf("%s is of %v", r.Item, r.Time)
				}
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(items, " ")
}

// permute calls fn with each order of the elements.
func permute[T any](all []T, fn func([]T)) {
	var from func(int)
	from = func(i int) {
		if i == len(all) {
			fn(slices.Clone(all))
		}
		for j := i; j < len(all); j++ {
			all[i], all[j] = all[j], all[i]
			from(i + 1)
			all[i], all[j] = all[j], all[i]
		}
	}
	from(0)
}
