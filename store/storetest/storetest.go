// Package storetest opens real stores for tests.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"ichido/internal/ledger"
	"ichido/store"
)

// Main is the TestMain of a package whose tests open existing files: the test's
// own executable serves as the child process that inspects them.
func Main(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "inspect" {
		os.Exit(store.Inspect(os.Args[2:], os.Stdout))
	}
	os.Exit(m.Run())
}

// New returns a new store in a temporary directory. It does not sync, and a
// failure of its disk fails the test. When the test ends, all invariants are
// checked and the store is closed.
func New(t testing.TB) *store.Store { return NewAt(t, nil) }

// NewAt is New with the clock; nil is that of the machine.
func NewAt(t testing.TB, now func() time.Time) *store.Store {
	t.Helper()
	return open(t, filepath.Join(t.TempDir(), "ichido.db"), now)
}

// Open is New for a file of the caller's choice. An existing file needs Main.
func Open(t testing.TB, path string) *store.Store { return open(t, path, nil) }

func open(t testing.TB, path string, now func() time.Time) *store.Store {
	t.Helper()
	s, err := store.Open(path, store.Options{NoSync: true, Now: now, Fatal: func(err error) { t.Errorf("fatal: %v", err) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = s.Probe(ctx) // what the writer does by itself must not go on during the check
		if err := s.Check(); err != nil && err != store.ErrClosed {
			t.Errorf("an invariant of the store is broken:\n%v", err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Floor measures what one durable change costs on the disk of temporary files at
// the least. Other figures are told as ratios to it.
func Floor(b *testing.B) {
	write := Durable(b)
	for b.Loop() {
		write()
	}
}

// Durable returns a function that does the least that bbolt must for a durable
// change: twice it writes a page of 4 KiB and syncs.
func Durable(b *testing.B) (write func()) {
	f, err := os.Create(filepath.Join(b.TempDir(), "floor"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { f.Close() })
	page := make([]byte, 4096)
	if _, err := f.Write(make([]byte, 64*len(page))); err != nil {
		b.Fatal(err)
	}
	return func() {
		for i := range 2 {
			if _, err := f.WriteAt(page, int64(i*len(page))); err != nil {
				b.Error(err)
			}
			if err := syscall.Fdatasync(int(f.Fd())); err != nil {
				b.Error(err)
			}
		}
	}
}

// Million returns the path of a file of a million rows, each with a receipt of
// its own: a century of a busy household. It is gone
// with the benchmark.
func Million(b *testing.B) string { return Filled(b, 1_000_000) }

// Filled is Million for another number of rows.
func Filled(b testing.TB, rows int) string {
	path := filepath.Join(b.TempDir(), "ichido.db")
	if err := fill(path, rows); err != nil {
		b.Fatal(err)
	}
	return path
}

// fill writes rows of 1927 and later, 50 minutes apart.
func fill(path string, rows int) error {
	s, err := store.Open(path, store.Options{NoSync: true})
	if err != nil {
		return err
	}
	at := time.Date(1927, 1, 1, 3, 0, 0, 0, time.UTC)
	const atOnce = 400 // fewer than the queue holds
	for n := 0; n < rows && err == nil; n += atOnce {
		subs := make([]*store.Submission, min(atOnce, rows-n))
		for i := range subs {
			at = at.Add(50 * time.Minute)
			subs[i] = s.Enqueue(context.Background(), Lunch(n+i, at), RecordLunch)
		}
		for _, sub := range subs {
			_, _, failed := sub.Wait(context.Background())
			err = errors.Join(err, failed)
		}
	}
	return errors.Join(err, s.Close())
}

// Lunch is the n-th purchase of the same person, as the LINE door would submit
// it.
func Lunch(n int, at time.Time) store.Request {
	id := fmt.Sprintf("01KBA%021d", n)
	return store.Request{
		Scope: "line", Key: id, Digest: store.NewDigest("text", id), At: at,
		Person: "U0123456789abcdef0123456789abcdef", Admit: true, MessageID: fmt.Sprint(468789577898262530 + n),
	}
}

// RecordLunch records 「ランチ 900」 at the time of the event.
func RecordLunch(tx *store.Tx) error {
	wallet, err := tx.OpenAccount(ledger.Cash, tx.Sender().ID)
	if err != nil {
		return err
	}
	r := tx.Receipt()
	r.Kind = store.Record
	_, err = tx.Apply(ledger.Change{After: &ledger.Row{
		Type: ledger.Expense, Date: ledger.DateOf(r.At), Time: r.At,
		Amount: 900, Item: "ランチ", Category: "食費", Account: wallet.ID, Member: tx.Sender().ID,
	}})
	return err
}

// ReadWritten reads a file up to its last byte that was ever written: bbolt makes files
// 16 MB larger at a time, and to copy what is empty takes most of a trial's time.
func ReadWritten(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	const toData, toHole = 3, 4 // lseek(2)
	end := int64(0)
	for {
		data, err := f.Seek(end, toData)
		if errors.Is(err, syscall.ENXIO) { // there is none behind
			break
		}
		if err == nil {
			end, err = f.Seek(data, toHole)
		}
		if err != nil {
			return nil, err
		}
	}
	content := make([]byte, end)
	_, err = f.ReadAt(content, 0)
	return content, err
}
