package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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

// BenchmarkStall measures how long one writer waits, at the median, the 99th percentile
// and the worst, while a backup of a file of 250 MB is made and proven, and beside it in
// the same time without one. It runs once: -benchtime 1x.
func BenchmarkStall(b *testing.B) {
	path := storetest.Filled(b, rowsOf250MB)
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	s, err := store.Open(path, store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	benchNumber.Add(1_000_000_000) // apart from those in the file
	during := time.Second
	b.Run("backup", func(b *testing.B) {
		for n := range b.N {
			copied := filepath.Join(b.TempDir(), fmt.Sprint(n))
			began := time.Now()
			ended := make(chan error, 1)
			go func() { _, err := s.Backup(context.Background(), copied); ended <- err }()
			var err error
			stalls(b, s, func() bool {
				select {
				case err = <-ended:
					return true
				default:
					return false
				}
			})
			if err != nil {
				b.Fatal(err)
			}
			during = time.Since(began)
		}
		b.ReportMetric(float64(info.Size())/1e6, "MB")
	})
	b.Run("none", func(b *testing.B) {
		for range b.N {
			end := time.Now().Add(during)
			stalls(b, s, func() bool { return time.Now().After(end) })
		}
	})
}

// rowsOf250MB is how many rows such a file has.
const rowsOf250MB = 410_000

// stalls writes, one row after the other, until it is over, and reports how long one takes.
func stalls(b *testing.B, s *store.Store, over func() bool) {
	var took []time.Duration
	for !over() {
		began := time.Now()
		if err := submitLunch(s); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(ms(took[len(took)/2]), "p50-ms")
	b.ReportMetric(ms(took[len(took)*99/100]), "p99-ms")
	b.ReportMetric(ms(took[len(took)-1]), "worst-ms")
	b.ReportMetric(float64(len(took)), "writes")
}
