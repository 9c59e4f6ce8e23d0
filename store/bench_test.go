package store_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

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
	req := storetest.Lunch(int(benchNumber.Add(1)), time.Now())
	_, _, err := s.Submit(context.Background(), req, func(tx *store.Tx) error {
		if err := storetest.RecordLunch(tx); err != nil {
			return err
		}
		_, err := tx.Say(store.Outgoing{Chat: req.Person, ReplyToken: req.Key, Payload: make([]byte, 200)})
		return err
	})
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

// BenchmarkOpenMillion opens a file of a million rows, the child process that
// looks at it first included.
func BenchmarkOpenMillion(b *testing.B) {
	path := storetest.Million(b)
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
