package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

func BenchmarkFloor(b *testing.B) { storetest.Floor(b) }

func openBench(b *testing.B) *store.Store {
	s, err := store.Open(filepath.Join(b.TempDir(), "ichido.db"), store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	return s
}

var benchNumber atomic.Int64

// submitLunch records one purchase as the LINE door does, with its answer in
// the outbox.
func submitLunch(s *store.Store) error {
	n := benchNumber.Add(1)
	at := time.Now()
	id := fmt.Sprintf("01KBA%021d", n)
	req := store.Request{
		Scope: "line", Key: id, Digest: store.NewDigest("text", id), At: at,
		Person: "U0123456789abcdef0123456789abcdef", Admit: true, MessageID: fmt.Sprint(468789577898262530 + n),
	}
	_, _, err := s.Submit(context.Background(), req, func(tx *store.Tx) error {
		if err := recordLunch(tx, at); err != nil {
			return err
		}
		_, err := tx.Say(store.Outgoing{Chat: req.Person, ReplyToken: id, Payload: make([]byte, 200)})
		return err
	})
	return err
}

func recordLunch(tx *store.Tx, at time.Time) error {
	wallet, err := tx.OpenAccount(ledger.Cash, tx.Sender().ID)
	if err != nil {
		return err
	}
	tx.Receipt().Kind = store.Record
	_, err = tx.Apply(ledger.Change{After: &ledger.Row{
		Type: ledger.Expense, Date: ledger.DateOf(at), Time: at.UTC().Truncate(time.Millisecond),
		Amount: 900, Item: "ランチ", Category: "食費", Account: wallet.ID, Member: tx.Sender().ID,
	}})
	return err
}

func BenchmarkSubmit(b *testing.B) {
	b.Run("callers=1", func(b *testing.B) {
		s := openBench(b)
		for b.Loop() {
			if err := submitLunch(s); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, callers := range []int{32, 256} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			s := openBench(b)
			b.SetParallelism(callers / 2)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if err := submitLunch(s); err != nil {
						b.Error(err)
					}
				}
			})
		})
	}
}

// million is a file with a million rows: a year of a busy household, a hundred
// times over, as one import after another would bring them. It is kept for the
// benchmarks of one run.
var million struct {
	once sync.Once
	path string
}

func millionRows(b *testing.B) string {
	million.once.Do(func() {
		dir, err := os.MkdirTemp("", "ichido-million-*")
		if err != nil {
			b.Fatal(err)
		}
		million.path = filepath.Join(dir, "ichido.db")
		if err := fillMillion(million.path); err != nil {
			b.Fatal(err)
		}
	})
	return million.path
}

func fillMillion(path string) error {
	s, err := store.Open(path, store.Options{NoSync: true})
	if err != nil {
		return err
	}
	defer s.Close()
	at := time.Date(1930, 1, 1, 3, 0, 0, 0, time.UTC)
	const receipts, batch = 1_000_000, 1000
	for n := 0; n < receipts; n += batch {
		subs := make([]*store.Submission, batch)
		for i := range subs {
			at = at.Add(50 * time.Minute)
			when := at
			id := fmt.Sprintf("01KBA%021d", n+i)
			subs[i] = s.Enqueue(context.Background(), store.Request{
				Scope: "line", Key: id, Digest: store.NewDigest("text", id), At: when,
				Person: "U0123456789abcdef0123456789abcdef", Admit: true, MessageID: fmt.Sprint(468789577898262530 + n + i),
			}, func(tx *store.Tx) error { return recordLunch(tx, when) })
			if i%400 == 399 { // no more than the queue holds
				if _, _, err := subs[i].Wait(context.Background()); err != nil {
					return err
				}
			}
		}
		for _, sub := range subs {
			if _, _, err := sub.Wait(context.Background()); err != nil {
				return err
			}
		}
	}
	return nil
}

// BenchmarkOpenMillion opens a file of a million rows, the child process that
// looks at it first included.
func BenchmarkOpenMillion(b *testing.B) {
	path := millionRows(b)
	for b.Loop() {
		s, err := store.Open(path, store.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
