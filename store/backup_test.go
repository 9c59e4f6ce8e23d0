package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

// A copy made while eight write holds all that was acknowledged before it began,
// nothing that never was, and is sound.
func TestBackupWhileWriting(t *testing.T) {
	s := storetest.New(t)
	var acknowledged atomic.Int64
	stop := make(chan struct{})
	var writers sync.WaitGroup
	for range 8 {
		writers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if err := submitLunch(s); err != nil {
					t.Error(err)
					return
				}
				acknowledged.Add(1)
				time.Sleep(5 * time.Millisecond)
			}
		})
	}
	dir := t.TempDir()
	for i := range 5 {
		before := acknowledged.Load()
		path := filepath.Join(dir, fmt.Sprint("copy", i))
		if _, err := s.Backup(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		after := acknowledged.Load() + 8 // committed and not yet counted
		if n := countReceipts(t, path); n < before || n > after {
			t.Errorf("copy %d holds %d receipts; %d were acknowledged before it, %d after", i, n, before, after)
		}
	}
	close(stop)
	writers.Wait()
	if left, _ := filepath.Glob(filepath.Join(dir, ".ichido-tmp-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func countReceipts(t *testing.T, path string) (n int64) {
	s := storetest.Open(t, path)
	err := s.View(func(tx *store.Tx) error {
		return tx.Receipts(0, func(*store.Receipt) error { n++; return nil })
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestBackupIsNeverHalf(t *testing.T) {
	s := storetest.New(t)
	path := filepath.Join(t.TempDir(), "copy.db")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Backup(ctx, path); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a cancelled backup is there: %v", err)
	}
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Backup(t.Context(), path); !errors.Is(err, os.ErrExist) {
		t.Errorf("onto a file that is there: %v", err)
	}
}

// Each file that a restore replaces is kept, also if several are within the same second.
func TestRestoreKeepsEach(t *testing.T) {
	dir := t.TempDir()
	path, copied := filepath.Join(dir, "ichido.db"), filepath.Join(dir, "copy.db")
	s, err := store.Open(path, store.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Backup(t.Context(), copied); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for range 4 {
		kept, err := store.Restore(t.Context(), copied, path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(kept); err != nil || names[kept] {
			t.Errorf("kept as %s: %v", kept, err)
		}
		names[kept] = true
	}
}

// A restored copy goes on where it was made, without saying anything a second
// time and without giving a number a second meaning.
func TestRestore(t *testing.T) {
	dir := t.TempDir()
	path, copied := filepath.Join(dir, "ichido.db"), filepath.Join(dir, "copy.db")
	s, err := store.Open(path, store.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := submitLunch(s); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Backup(t.Context(), copied); err != nil {
		t.Fatal(err)
	}
	if err := submitLunch(s); err != nil { // is lost by the restore
		t.Fatal(err)
	}
	if _, err := store.Restore(t.Context(), copied, path, nil); !errors.Is(err, store.ErrInUse) {
		t.Errorf("under an open store: %v, want ErrInUse", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	kept, err := store.Restore(t.Context(), copied, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := countReceipts(t, kept); n != 4 {
		t.Errorf("the replaced file holds %d receipts, want 4", n)
	}
	s = storetest.Open(t, path)
	if copied, at := resume(t, s); !copied || time.Since(at) > time.Minute {
		t.Errorf("the copy does not know that it is one, or of what time: %v", at)
	}
	if copied, _ := resume(t, s); copied {
		t.Error("the mark is still there after Resume")
	}
	if err := submitLunch(s); err != nil {
		t.Fatal(err)
	}
	numbers, states := numbersAndStates(t, s)
	if numbers != "1 2 3 1005" {
		t.Errorf("receipts %s, want 1 2 3 1005: beyond what the replaced file had", numbers)
	}
	if states != "pending unknown unknown unknown" {
		t.Errorf("outbox %s", states)
	}
}

// resume does what a server does when it opens a file, and says whether that was a copy,
// and of when.
func resume(t *testing.T, s *store.Store) (copied bool, at time.Time) {
	t.Helper()
	change(t, s, func(tx *store.Tx) (err error) {
		if at, copied, err = tx.CopiedAt(); copied {
			return tx.Resume()
		}
		return err
	})
	return copied, at
}

// numbersAndStates gives the numbers of all receipts and the states of the outbox.
func numbersAndStates(t *testing.T, s *store.Store) (string, string) {
	t.Helper()
	var numbers, states []string
	state := func(o store.Outgoing) error { states = append(states, o.State.String()); return nil }
	view(t, s, func(tx *store.Tx) error {
		number := func(r *store.Receipt) error { numbers = append(numbers, fmt.Sprint(r.Number)); return nil }
		return errors.Join(tx.Receipts(0, number), tx.PendingOutgoing(state), tx.SettledOutgoing(state))
	})
	return strings.Join(numbers, " "), strings.Join(states, " ")
}

func TestRestoreRefusesDamage(t *testing.T) {
	damaged := write(t, bytes.ReplaceAll(household(t), []byte("ランチ"), []byte("リンチ")))
	path := filepath.Join(t.TempDir(), "ichido.db")
	if _, err := store.Restore(t.Context(), damaged, path, nil); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("got %v, want ErrDamaged", err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) > 0 {
		t.Errorf("left behind: %v", entries)
	}
}

// Many who open a file that is not there yet get one file.
func TestCreatedOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ichido.db")
	var wg sync.WaitGroup
	var opened atomic.Int64
	for range 8 {
		wg.Go(func() {
			s, err := store.Open(path, store.Options{NoSync: true})
			if errors.Is(err, store.ErrInUse) {
				return
			} else if err != nil {
				t.Error(err)
				return
			}
			opened.Add(1)
			if err := errors.Join(submitLunch(s), s.Close()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := countReceipts(t, path); n != opened.Load() || n == 0 {
		t.Errorf("%d opened it, it holds %d receipts", opened.Load(), n)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

// What is on the disk for each limit: the transaction that does not fit is
// refused as a whole, the store goes on, and smaller or later ones are taken.
func TestMaxSize(t *testing.T) {
	s, err := store.Open(filepath.Join(t.TempDir(), "ichido.db"), store.Options{NoSync: true, MaxSize: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	taken := 0
	var full error
	for range 5000 {
		if full = submitLunch(s); full != nil {
			break
		}
		taken++
	}
	if !errors.Is(full, store.ErrDiskFull) || s.Failing() == nil {
		t.Fatalf("after %d: %v (failing: %v), want ErrDiskFull", taken, full, s.Failing())
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	var sum ledger.Yen
	err = s.View(func(tx *store.Tx) error {
		return tx.Rows(store.AllRows, func(r *ledger.Row) error { sum += r.Amount; return nil })
	})
	if err != nil || sum != ledger.Yen(taken)*900 {
		t.Errorf("%d were taken, the rows add up to %d (%v)", taken, sum, err)
	}
}

// What is restored from a copy must come to the figures of the file: else there is no copy.
func TestBackupIsProven(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	other := used(t) // is as sound as the copy
	inspector := []string{"/bin/sh", "-c", `case "$*" in *restored) cp "$1" "$2";; esac; shift; exec "$0" inspect "$@"`, self, other}
	s, err := store.Open(filepath.Join(t.TempDir(), "ichido.db"), store.Options{NoSync: true, Inspector: inspector})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := submitLunch(s); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "copy.db")
	if _, err := s.Backup(t.Context(), path); !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), "other figures") {
		t.Errorf("got %v", err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) > 0 {
		t.Errorf("left behind: %v", entries)
	}
}

// A copy can be restored again and again, and the files that it replaces may be gone: what
// was given out in between is not given out again.
func TestRestoredAgain(t *testing.T) {
	dir, now := t.TempDir(), storetest.Noon
	open := func(name string) *store.Store {
		s, err := store.Open(filepath.Join(dir, name), store.Options{NoSync: true, Now: func() time.Time { return now }})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
	s := open("ichido.db")
	for range 3 {
		if err := submitLunch(s); err != nil {
			t.Fatal(err)
		}
	}
	copied := filepath.Join(dir, "copy.db")
	if _, err := s.Backup(t.Context(), copied); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"1 2 3 1004", "1 2 3 2444"} {
		name := fmt.Sprint(i, ".db")
		if _, err := store.Restore(t.Context(), copied, filepath.Join(dir, name), nil); err != nil {
			t.Fatal(err)
		}
		s := open(name)
		resume(t, s)
		if err := submitLunch(s); err != nil {
			t.Fatal(err)
		}
		if numbers, _ := numbersAndStates(t, s); numbers != want {
			t.Errorf("restored %d times before: receipts %s, want %s", i, numbers, want)
		}
		now = now.Add(24 * time.Hour)
	}
}
