// The promise of Ichido, from outside, on a real file: every event counts
// exactly once. Each test is a sentence that a user could say.
package main_test

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

func TestMain(m *testing.M) { storetest.Main(m) }

var noon = time.Date(2026, 11, 30, 3, 0, 0, 0, time.UTC) // in Tokyo

const taro = "U0123456789abcdef0123456789abcdef"

// lunch is an event of somebody who is let in: 「ランチ 900」.
func lunch(key string) store.Request {
	return store.Request{Scope: "line", Key: key, Digest: store.NewDigest("ランチ 900"), At: noon, Person: taro, Admit: true}
}

// spend records one expense in the sender's wallet.
func spend(item string, amount ledger.Yen, at time.Time) func(*store.Tx) error {
	return func(tx *store.Tx) error {
		wallet, err := tx.OpenAccount(ledger.Cash, tx.Sender().ID)
		if err != nil {
			return err
		}
		tx.Receipt().Kind = store.Record
		_, err = tx.Apply(ledger.Change{After: &ledger.Row{
			Type: ledger.Expense, Date: ledger.DateOf(at), Time: at, Amount: amount, Item: item,
			Account: wallet.ID, Member: tx.Sender().ID,
		}})
		return err
	}
}

// state has the wallet hold the amount.
func state(amount ledger.Yen, at time.Time, applied *store.Applied) func(*store.Tx) error {
	return func(tx *store.Tx) error {
		wallet, err := tx.OpenAccount(ledger.Cash, tx.Sender().ID)
		if err != nil {
			return err
		}
		tx.Receipt().Kind = store.Balance
		done, err := tx.Apply(ledger.Change{After: &ledger.Row{
			Type: ledger.Adjustment, Date: ledger.DateOf(at), Time: at, Stated: amount, Account: wallet.ID, Member: tx.Sender().ID,
		}})
		if applied != nil {
			*applied = done
		}
		return err
	}
}

func submit(t testing.TB, s *store.Store, req store.Request, apply func(*store.Tx) error) (store.Receipt, store.Outcome) {
	t.Helper()
	r, outcome, err := s.Submit(t.Context(), req, apply)
	if err != nil {
		t.Fatalf("submitting %q: %v", req.Key, err)
	}
	return r, outcome
}

// rows gives the ledger as lines of "id item amount", voided rows in brackets.
func rows(t testing.TB, s *store.Store) (lines []string) {
	t.Helper()
	err := s.View(func(tx *store.Tx) error {
		return tx.Rows(store.AllRows, func(r *ledger.Row) error {
			line := fmt.Sprintf("%v %s %d", r.ID, r.Item, r.Amount)
			if r.Voided {
				line = "(" + line + ")"
			}
			lines = append(lines, line)
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// wantRows compares the ledger, and has the store check that all else fits it.
func wantRows(t testing.TB, s *store.Store, want ...string) {
	t.Helper()
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(want, rows(t, s)); diff != "" {
		t.Errorf("the ledger differs (-want +got):\n%s", diff)
	}
}

func balance(t testing.TB, s *store.Store) (sum ledger.Yen) {
	t.Helper()
	err := s.View(func(tx *store.Tx) error {
		accounts, err := tx.Accounts()
		for _, a := range accounts {
			sum += a.Balance
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func TestSameEventTwice(t *testing.T) {
	s := storetest.New(t)
	first, outcome := submit(t, s, lunch("a"), spend("ランチ", 900, noon))
	if outcome != store.Recorded || first.Number != 1 {
		t.Fatalf("first: receipt %d, %v", first.Number, outcome)
	}
	again, outcome := submit(t, s, lunch("a"), func(*store.Tx) error {
		t.Error("a repeated event was handled")
		return nil
	})
	if outcome != store.Repeated || again.Number != first.Number {
		t.Errorf("again: receipt %d, %v", again.Number, outcome)
	}
	wantRows(t, s, "1 ランチ 900")
}

func TestSameTextInTwoEvents(t *testing.T) {
	s := storetest.New(t)
	submit(t, s, lunch("a"), spend("ランチ", 900, noon))
	submit(t, s, lunch("b"), spend("ランチ", 900, noon))
	wantRows(t, s, "1 ランチ 900", "2 ランチ 900")
}

func TestNoKey(t *testing.T) {
	s := storetest.New(t)
	for range 2 {
		r, outcome := submit(t, s, lunch(""), spend("ランチ", 900, noon))
		if outcome != store.Recorded || r.Key != "" {
			t.Errorf("got %v with key %q", outcome, r.Key)
		}
	}
	wantRows(t, s, "1 ランチ 900", "2 ランチ 900")
	if _, state, err := s.Lookup("line", ""); state != store.NotFound || err != nil {
		t.Errorf("the empty key: %v, %v", state, err)
	}
}

func TestStrangerIsTakenLaterOnceAllowed(t *testing.T) {
	s := storetest.New(t)
	req := lunch("a")
	req.Admit = false
	if _, _, err := s.Submit(t.Context(), req, spend("ランチ", 900, noon)); !errors.Is(err, store.ErrStranger) {
		t.Fatalf("got %v, want ErrStranger", err)
	}
	if _, state, _ := s.Lookup("line", "a"); state != store.NotFound {
		t.Error("the stranger's key was stored")
	}
	wantRows(t, s)
	if _, outcome := submit(t, s, lunch("a"), spend("ランチ", 900, noon)); outcome != store.Recorded {
		t.Errorf("once allowed: %v", outcome)
	}
	wantRows(t, s, "1 ランチ 900")
	if _, _, err := s.Submit(t.Context(), store.Request{Scope: "line", Key: "b", At: noon, Person: taro}, spend("x", 1, noon)); !errors.Is(err, store.ErrStranger) {
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
				if err := spend("ランチ", 900, noon)(tx); err != nil {
					return err
				}
				return fail.how()
			})
			if !errors.Is(err, fail.want) {
				t.Fatalf("got %v, want %v", err, fail.want)
			}
			wantRows(t, s)
			if r, outcome := submit(t, s, lunch("a"), spend("ランチ", 900, noon)); outcome != store.Recorded || r.Number != 1 {
				t.Errorf("the same key again: receipt %d, %v", r.Number, outcome)
			}
			wantRows(t, s, "1 ランチ 900")
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
		apply := spend(fmt.Sprint("item", i), 100, noon)
		if i%7 == 3 {
			apply = func(tx *store.Tx) error {
				if err := spend("bad", 1, noon)(tx); err != nil {
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
	if n := len(rows(t, s)); n != 17 {
		t.Errorf("%d rows, want 17", n)
	}
	if b := balance(t, s); b != -1700 {
		t.Errorf("balance %d, want -1700", b)
	}
}

func TestAnswerLostThenReopened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ichido.db")
	s, err := store.Open(path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	submit(t, s, lunch("a"), spend("ランチ", 900, noon)) // nobody reads the answer
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again := storetest.Open(t, path)
	if r, outcome := submit(t, again, lunch("a"), spend("ランチ", 900, noon)); outcome != store.Repeated || r.Number != 1 {
		t.Errorf("redelivered: receipt %d, %v", r.Number, outcome)
	}
	wantRows(t, again, "1 ランチ 900")
}

func TestSimultaneousDeliveries(t *testing.T) {
	s := storetest.New(t)
	var wg sync.WaitGroup
	outcomes := make([]store.Outcome, 64)
	for i := range outcomes {
		wg.Go(func() {
			r, outcome, err := s.Submit(t.Context(), lunch("a"), spend("ランチ", 900, noon))
			if err != nil || r.Number != 1 {
				t.Errorf("receipt %d, %v", r.Number, err)
			}
			outcomes[i] = outcome
		})
	}
	wg.Wait()
	count := map[store.Outcome]int{}
	for _, o := range outcomes {
		count[o]++
	}
	if count[store.Recorded] != 1 || count[store.Repeated] != 63 {
		t.Errorf("outcomes %v", count)
	}
	wantRows(t, s, "1 ランチ 900")
}

func TestChangedContentIsAConflict(t *testing.T) {
	s := storetest.New(t)
	submit(t, s, lunch("a"), spend("ランチ", 900, noon))
	req := lunch("a")
	req.Digest = store.NewDigest("ランチ 950")
	r, outcome := submit(t, s, req, spend("ランチ", 950, noon))
	if outcome != store.Conflict || r.Number != 1 || len(r.Changes) != 1 || r.Changes[0].After.Amount != 900 {
		t.Errorf("got %v and receipt %+v", outcome, r)
	}
	wantRows(t, s, "1 ランチ 900")
}

func TestOtherScopeSameKey(t *testing.T) {
	s := storetest.New(t)
	submit(t, s, lunch("a"), spend("ランチ", 900, noon))
	req := lunch("a")
	req.Scope = "web"
	if r, outcome := submit(t, s, req, spend("ランチ", 900, noon)); outcome != store.Recorded || r.Number != 2 {
		t.Errorf("receipt %d, %v", r.Number, outcome)
	}
}

// LINE can deliver the same message under another event ID.
func TestSameMessageUnderAnotherKey(t *testing.T) {
	s := storetest.New(t)
	first, second := lunch("a"), lunch("b")
	first.MessageID, second.MessageID = "m", "m"
	submit(t, s, first, spend("ランチ", 900, noon))
	if r, outcome := submit(t, s, second, spend("ランチ", 900, noon)); outcome != store.Repeated || r.Number != 1 {
		t.Errorf("other key: receipt %d, %v", r.Number, outcome)
	}
	if r, outcome := submit(t, s, second, spend("ランチ", 900, noon)); outcome != store.Repeated || r.Number != 1 {
		t.Errorf("other key again: receipt %d, %v", r.Number, outcome)
	}
	if r, state, err := s.Lookup("line", "b"); err != nil || state != store.Found || r.Number != 1 {
		t.Errorf("the other key leads to receipt %d (%v, %v), want 1", r.Number, state, err)
	}
	second.Key, second.Digest = "c", store.NewDigest("ランチ 950")
	for range 2 {
		if r, outcome := submit(t, s, second, spend("ランチ", 950, noon)); outcome != store.Conflict || r.Number != 1 {
			t.Errorf("other key and content: receipt %d, %v", r.Number, outcome)
		}
	}
	wantRows(t, s, "1 ランチ 900")
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
		return spend("ランチ", 900, noon)(tx)
	})
	<-entered
	if _, state, _ := s.Lookup("line", "a"); state != store.InProgress {
		t.Errorf("uncommitted: %v, want in progress", state)
	}
	wantRows(t, s)
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
	if _, outcome := submit(t, s, lunch("a"), func(*store.Tx) error { return store.Leave }); outcome != store.Left {
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
		return spend("taken", 1, noon)(tx)
	})
	<-entered
	waiting := s.Enqueue(ctx, lunch("waiting"), spend("waiting", 2, noon))
	cancel()
	if _, _, err := waiting.Wait(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting: %v, want canceled", err)
	}
	close(release)
	if _, outcome, err := taken.Wait(ctx); outcome != store.Recorded || err != nil {
		t.Errorf("taken: %v, %v", outcome, err)
	}
	submit(t, s, lunch("later"), spend("later", 3, noon))
	wantRows(t, s, "1 taken 1", "2 later 3")
}

func TestWalletStatedTwice(t *testing.T) {
	s := storetest.New(t)
	var applied store.Applied
	submit(t, s, lunch("a"), state(3000, noon, &applied))
	if r := applied.Rows[0]; !r.Opening || r.Amount != 3000 {
		t.Errorf("the first statement: %+v, want the opening balance", r)
	}
	submit(t, s, lunch("b"), state(3000, noon.Add(time.Minute), &applied))
	if r := applied.Rows[0]; r.Opening || r.Amount != 0 {
		t.Errorf("the second statement: %+v, want difference 0", r)
	}
	if b := balance(t, s); b != 3000 {
		t.Errorf("balance %d", b)
	}
}

// A row that comes late changes the difference of the statement after it and
// nothing else; taking it back changes it back.
func TestLateRowBeforeAStatement(t *testing.T) {
	s := storetest.New(t)
	submit(t, s, lunch("a"), state(5000, noon, nil))
	submit(t, s, lunch("b"), state(3000, noon.Add(2*time.Hour), nil))
	submit(t, s, lunch("c"), spend("あと", 100, noon.Add(3*time.Hour)))
	wantRows(t, s, "1  5000", "2  -2000", "3 あと 100")
	submit(t, s, lunch("d"), spend("ランチ", 900, noon.Add(time.Hour)))
	wantRows(t, s, "1  5000", "2  -1100", "3 あと 100", "4 ランチ 900")
	if b := balance(t, s); b != 2900 {
		t.Errorf("balance %d, want 2900", b)
	}
	submit(t, s, lunch("e"), undo(4))
	wantRows(t, s, "1  5000", "2  -2000", "3 あと 100", "(4 ランチ 900)")
	submit(t, s, lunch("f"), undo(5)) // take the undo back
	wantRows(t, s, "1  5000", "2  -1100", "3 あと 100", "4 ランチ 900")
}

// Taking back the first statement makes the next one the opening balance.
func TestUndoOfAStatement(t *testing.T) {
	s := storetest.New(t)
	submit(t, s, lunch("a"), state(5000, noon, nil))
	submit(t, s, lunch("b"), spend("ランチ", 900, noon.Add(time.Hour)))
	submit(t, s, lunch("c"), state(4000, noon.Add(2*time.Hour), nil))
	wantRows(t, s, "1  5000", "2 ランチ 900", "3  -100")
	submit(t, s, lunch("d"), undo(1))
	wantRows(t, s, "(1  5000)", "2 ランチ 900", "3  4900")
	if b := balance(t, s); b != 4000 {
		t.Errorf("balance %d, want 4000", b)
	}
	submit(t, s, lunch("e"), undo(4))
	wantRows(t, s, "1  5000", "2 ランチ 900", "3  -100")
}

func undo(n ledger.ReceiptNumber) func(*store.Tx) error {
	return func(tx *store.Tx) error {
		tx.Receipt().Kind = store.Undo
		_, err := tx.Undo(n)
		return err
	}
}

// One row of a receipt is struck, then the rest; what is brought back of it can
// be taken back again.
func TestUndoOfASingleRow(t *testing.T) {
	s := storetest.New(t)
	submit(t, s, lunch("a"), func(tx *store.Tx) error {
		wallet, err := tx.OpenAccount(ledger.Cash, tx.Sender().ID)
		if err != nil {
			return err
		}
		row := func(item string) *ledger.Row {
			return &ledger.Row{Type: ledger.Expense, Date: 20261130, Time: noon, Amount: 100, Item: item, Account: wallet.ID}
		}
		_, err = tx.Apply(ledger.Change{After: row("a")}, ledger.Change{After: row("b")})
		return err
	})
	submit(t, s, lunch("b"), func(tx *store.Tx) error {
		row, err := tx.Row(ledger.RowID{Receipt: 1, Index: 2})
		if err != nil {
			return err
		}
		voided := *row
		voided.Voided = true
		_, err = tx.Apply(ledger.Change{Before: row, After: &voided})
		return err
	})
	submit(t, s, lunch("c"), undo(1))
	wantRows(t, s, "(1-1 a 100)", "(1-2 b 100)")
	submit(t, s, lunch("d"), undo(2))
	wantRows(t, s, "(1-1 a 100)", "1-2 b 100")
	submit(t, s, lunch("e"), undo(1))
	wantRows(t, s, "(1-1 a 100)", "(1-2 b 100)")
}

// Whom the door can't tell is heard where everybody is, as nobody.
func TestPersonWithoutNameIsNobody(t *testing.T) {
	s := storetest.New(t)
	req := lunch("a")
	req.Person, req.Admit = "", false
	if _, _, err := s.Submit(t.Context(), req, spend("x", 1, noon)); !errors.Is(err, store.ErrStranger) {
		t.Errorf("got %v, want ErrStranger", err)
	}
	req.Admit = true
	if r, _ := submit(t, s, req, spend("x", 1, noon)); r.Member != 0 {
		t.Errorf("member %d, want nobody", r.Member)
	}
}

func TestUndoTwice(t *testing.T) {
	s := storetest.New(t)
	submit(t, s, lunch("a"), spend("ランチ", 900, noon))
	submit(t, s, lunch("b"), undo(1))
	if _, _, err := s.Submit(t.Context(), lunch("c"), undo(1)); !errors.Is(err, store.ErrUndone) {
		t.Errorf("got %v, want ErrUndone", err)
	}
	wantRows(t, s, "(1 ランチ 900)")
	submit(t, s, lunch("d"), undo(2))
	submit(t, s, lunch("e"), undo(1))
	wantRows(t, s, "(1 ランチ 900)")
	submit(t, s, lunch("g"), undo(4)) // brings it back once more
	submit(t, s, lunch("h"), undo(5)) // and takes that back
	wantRows(t, s, "(1 ランチ 900)")
	if _, _, err := s.Submit(t.Context(), lunch("i"), undo(1)); !errors.Is(err, store.ErrUndone) {
		t.Errorf("after a chain of undos: %v, want ErrUndone", err)
	}
	if _, _, err := s.Submit(t.Context(), lunch("f"), undo(99)); !errors.Is(err, store.ErrNoReceipt) {
		t.Errorf("got %v, want ErrNoReceipt", err)
	}
}

// What has been changed again since is not changed back.
func TestUndoOfWhatWasChangedSince(t *testing.T) {
	s := storetest.New(t)
	rename := func(to string) func(*store.Tx) error {
		return func(tx *store.Tx) error {
			row, err := tx.Row(ledger.RowID{Receipt: 1})
			if err != nil {
				return err
			}
			after := *row
			after.Item = to
			_, err = tx.Apply(ledger.Change{Before: row, After: &after})
			return err
		}
	}
	submit(t, s, lunch("a"), spend("ランチ", 900, noon))
	submit(t, s, lunch("b"), rename("夕食"))
	submit(t, s, lunch("c"), rename("夜食"))
	if _, _, err := s.Submit(t.Context(), lunch("d"), undo(2)); !errors.Is(err, store.ErrChanged) {
		t.Errorf("got %v, want ErrChanged", err)
	}
	wantRows(t, s, "1 夜食 900")
	submit(t, s, lunch("e"), undo(3))
	submit(t, s, lunch("f"), undo(2))
	wantRows(t, s, "1 ランチ 900")
	submit(t, s, lunch("g"), rename("朝食"))
	submit(t, s, lunch("h"), undo(1)) // a new row is struck whatever became of it
	wantRows(t, s, "(1 朝食 900)")
}

// A time or date that no calendar has is refused, and does not end up in a file
// that nobody can read any more.
func TestImpossibleTimes(t *testing.T) {
	s := storetest.New(t)
	req := lunch("a")
	req.At = time.UnixMicro(noon.UnixMicro() * 1000)
	if _, _, err := s.Submit(t.Context(), req, spend("ランチ", 900, req.At)); err == nil {
		t.Error("an event of the year 58000 was taken")
	}
	for _, date := range []ledger.Date{0, 20261131, 20260001, 100000101, -20261130} {
		_, _, err := s.Submit(t.Context(), lunch("b"), func(tx *store.Tx) error {
			wallet, err := tx.OpenAccount(ledger.Cash, tx.Sender().ID)
			if err != nil {
				return err
			}
			_, err = tx.Apply(ledger.Change{After: &ledger.Row{Type: ledger.Expense, Date: date, Time: noon, Amount: 1, Account: wallet.ID}})
			return err
		})
		if err == nil {
			t.Errorf("a row of %d was taken", date)
		}
	}
	epoch := time.UnixMilli(0).UTC()
	submit(t, s, lunch("c"), spend("月面", 1, epoch))
	submit(t, s, lunch("d"), undo(1))
	wantRows(t, s, "(1 月面 1)")
}

// Events are ordered by their own time, whenever they arrive.
func TestBeforeAndAfter(t *testing.T) {
	s := storetest.New(t)
	submitAt := func(key string, at time.Time, apply func(*store.Tx) error) store.Receipt {
		req := lunch(key)
		req.At = at
		r, _ := submit(t, s, req, apply)
		return r
	}
	early := submitAt("early", noon, spend("early", 1, noon))
	late := submitAt("late", noon.Add(2*time.Minute), spend("late", 2, noon.Add(2*time.Minute)))
	submitAt("same", noon.Add(time.Minute), spend("same", 3, noon.Add(time.Minute)))
	submitAt("between", noon.Add(time.Minute), func(tx *store.Tx) error {
		at := noon.Add(time.Minute)
		found, err := tx.Before(tx.Sender().ID, at, noon.Add(-time.Hour), func(r *store.Receipt) (bool, error) { return r.Number != 3, nil })
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
	submit(t, s, lunch("a"), spend("ランチ", 900, noon))
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
		_, err := tx.Apply(ledger.Change{After: &ledger.Row{Type: ledger.Expense, Amount: 1, Account: 1, Date: 20261130, Time: noon}})
		return err
	})
	if err == nil {
		t.Error("a row was written outside of an event")
	}
	wantRows(t, s)
}

func TestClosed(t *testing.T) {
	s, err := store.Open(filepath.Join(t.TempDir(), "ichido.db"), store.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			_, _, err := s.Submit(context.Background(), lunch(fmt.Sprint(i)), spend("x", 1, noon))
			if err != nil && !errors.Is(err, store.ErrClosed) {
				t.Errorf("while closing: %v", err)
			}
		})
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	wg.Wait() // everybody gets an answer
	if _, _, err := s.Submit(t.Context(), lunch("late"), spend("x", 1, noon)); !errors.Is(err, store.ErrClosed) {
		t.Errorf("got %v, want ErrClosed", err)
	}
	if err := s.View(func(*store.Tx) error { return nil }); !errors.Is(err, store.ErrClosed) {
		t.Errorf("reading: %v, want ErrClosed", err)
	}
}
