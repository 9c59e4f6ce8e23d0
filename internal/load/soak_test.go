package load

import (
	"context"
	"flag"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ichido/internal/linesim"
)

var soak = flag.Duration("soak", time.Second, "how long TestSoak lasts at half of the peak: ten minutes by hand")

// What flat means, for the file and the memory:
const (
	// fileStep is by how much the file grows at once; within it nothing can be told.
	fileStep = 16 << 20
	// rowBytes is more than a recorded message with its answer needs in the file for good.
	rowBytes = 1500
	// slack is by how much memory that is no page of the file may differ from one time to
	// another: the collector waits until the heap has tripled.
	slack = 24 << 20
)

// At half of what it can do, messages and their answers together, the program goes on for
// as long as one likes: all are taken and answered, the file grows by its rows only, and
// memory that is no page of the file does not grow.
func TestSoak(t *testing.T) {
	s := startServer(t, 32, linesim.Options{Forget: true})
	warmUp := min(*soak/4+500*time.Millisecond, 10*time.Second)
	peak := s.peak(warmUp)
	t.Logf("peak: %.0f messages a second, each answered before the next of its chat", peak)
	schedule := Poisson(peak/2, *soak, rand.New(rand.NewPCG(rand.Uint64(), 0)))
	rowsBefore, before := len(s.receipts()), s.size()
	trace := s.watch(*soak / 8)
	report := Run(t.Context(), schedule, func(ctx context.Context, i int) error { return s.deliver(ctx, s.lunch(i)) })
	samples := trace()
	t.Logf("half of it for %v: %v; the generator was %v late at most", *soak, report, report.Late)
	if report.Failed > 0 || report.Sent != len(schedule) {
		t.Errorf("of %d messages: %v", len(schedule), report)
	}
	s.answered()
	if rows := len(s.receipts()) - rowsBefore; rows != report.Sent {
		t.Errorf("%d messages left %d rows", report.Sent, rows)
	}
	grown := s.size() - before
	t.Logf("the file grew by %d bytes, %d for each message", grown, grown/int64(max(report.Sent, 1)))
	if most := int64(report.Sent)*rowBytes + fileStep; grown > most {
		t.Errorf("the file grew by %d bytes, and %d messages need less than %d", grown, report.Sent, most)
	}
	s.wantFlat(samples)
	s.end()
}

// peak is how many messages a second the server records and answers when everybody
// writes as soon as the answer is there.
func (s *server) peak(span time.Duration) float64 {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), span)
	defer cancel()
	var answered atomic.Int64
	var chats sync.WaitGroup
	began := time.Now()
	for i, person := range s.people {
		chats.Go(func() {
			for n := 1; ctx.Err() == nil; n++ {
				if err := s.deliver(s.t.Context(), s.lunch(i)); err != nil {
					s.t.Error(err)
					return
				}
				if _, err := s.platform.Wait(s.t.Context(), person, n); err != nil {
					return
				}
				answered.Add(1)
			}
		})
	}
	chats.Wait()
	return float64(answered.Load()) / time.Since(began).Seconds()
}

// answered waits until each message has been answered.
func (s *server) answered() {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 30*time.Second)
	defer cancel()
	for i, person := range s.people {
		if _, err := s.platform.Wait(ctx, person, int(s.messages[i].Load())); err != nil {
			s.t.Fatalf("person %d has %d messages and not as many answers: %v", i, s.messages[i].Load(), err)
		}
	}
}

// sample is memory in bytes at a time.
type sample struct {
	at                  time.Time
	resident, anonymous int64
}

// watch takes samples until its result is called.
func (s *server) watch(every time.Duration) (stop func() []sample) {
	stopped, ended := make(chan struct{}), make(chan struct{})
	var samples []sample
	go func() {
		defer close(ended)
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case now := <-tick.C:
				resident, anonymous := s.memory()
				samples = append(samples, sample{now, resident, anonymous})
			case <-stopped:
				return
			}
		}
	}()
	return func() []sample {
		close(stopped)
		<-ended
		return samples
	}
}

// wantFlat compares the most memory in the second half of the time with that in the first.
func (s *server) wantFlat(samples []sample) {
	s.t.Helper()
	if len(samples) < 4 {
		s.t.Fatalf("%d samples of the memory tell nothing", len(samples))
	}
	most := func(part []sample) (most int64) {
		for _, m := range part {
			most = max(most, m.anonymous)
		}
		return most
	}
	first, second := most(samples[:len(samples)/2]), most(samples[len(samples)/2:])
	s.t.Logf("memory: VmRSS %d MiB first, %d MiB last; without the file's pages at most %d MiB in the first half, %d MiB in the second",
		samples[0].resident>>20, samples[len(samples)-1].resident>>20, first>>20, second>>20)
	if second > first+first/4+slack {
		s.t.Errorf("memory grew from %d to %d bytes", first, second)
	}
}
