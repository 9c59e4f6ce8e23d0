package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"ichido/internal/ledger"
	"ichido/store"
)

// BenchmarkFloor is what one durable change costs on this disk at the least:
// bbolt writes and syncs twice. All other figures are ratios to it.
func BenchmarkFloor(b *testing.B) {
	f, err := os.Create(filepath.Join(b.TempDir(), "floor"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	page := make([]byte, 4096)
	if _, err := f.Write(make([]byte, 64*len(page))); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for i := range 2 {
			if _, err := f.WriteAt(page, int64(i*len(page))); err != nil {
				b.Fatal(err)
			}
			if err := syscall.Fdatasync(int(f.Fd())); err != nil {
				b.Fatal(err)
			}
		}
	}
}

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
