package load

import (
	"crypto/sha256"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ichido/internal/linesim"
)

var long = flag.Bool("long", false, "run the long forms, and hold their figures against limits")

// LINE delivers the same events again and again, at first while nobody has answered yet.
// Each has one row and one answer in the end; a storm of what is known writes nothing.
func TestStormOfRedeliveries(t *testing.T) {
	const events = 100
	deliveries := 1_000
	if *long {
		deliveries = 10_000
	}
	s := startServer(t, 10, linesim.Options{})
	same := make([]linesim.Event, events)
	for i := range same {
		same[i] = s.lunch(i)
	}
	s.storm(same, deliveries)
	for i, person := range s.people {
		if _, err := s.platform.Wait(t.Context(), person, events/len(s.people)); err != nil {
			t.Fatalf("the answers of person %d: %v", i, err)
		}
	}
	s.settled()
	size, content := s.size(), s.content()
	began := time.Now()
	s.storm(same, deliveries)
	t.Logf("%d redeliveries in %v", deliveries, time.Since(began))
	s.settled()

	if again := s.size(); again != size {
		t.Errorf("repeats let the file grow from %d to %d bytes", size, again)
	}
	if s.content() != content {
		t.Error("repeats were written to the file")
	}
	rows := s.receipts()
	slices.Sort(rows)
	if len(rows) != events || len(slices.Compact(rows)) != events {
		t.Errorf("%d rows of %d events", len(rows), events)
	}
	for i, person := range s.people {
		if n := len(said(s.platform, person)); n != events/len(s.people) {
			t.Errorf("person %d got %d answers to %d messages", i, n, events/len(s.people))
		}
	}
	s.end()
}

// said are the bot's bubbles of a chat.
func said(p *linesim.Platform, person string) []linesim.Bubble {
	return slices.DeleteFunc(p.Chat(person), func(b linesim.Bubble) bool { return b.Via == "" })
}

// storm delivers events of the list in any order, one to three in a webhook, over many
// connections, each of them at least once.
func (s *server) storm(events []linesim.Event, deliveries int) {
	s.t.Helper()
	var next atomic.Int64
	var connections sync.WaitGroup
	for range 64 {
		connections.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= deliveries {
					return
				}
				batch := []linesim.Event{events[i%len(events)]}
				for range rand.IntN(3) {
					batch = append(batch, events[rand.IntN(len(events))])
				}
				for j := range batch {
					if rand.IntN(2) == 0 {
						batch[j] = batch[j].Redelivered()
					}
				}
				if err := s.deliver(s.t.Context(), batch...); err != nil {
					s.t.Error(err)
					return
				}
			}
		})
	}
	connections.Wait()
}

// settled waits until nothing is written any more.
func (s *server) settled() {
	s.t.Helper()
	last, since := s.content(), time.Now()
	eventually(s.t, 20*time.Second, "nothing more is written", func() bool {
		if now := s.content(); now != last {
			last, since = now, time.Now()
		}
		return time.Since(since) > 300*time.Millisecond
	})
}

// content is a fingerprint of the file.
func (s *server) content() [sha256.Size]byte {
	s.t.Helper()
	f, err := os.Open(s.db)
	if err != nil {
		s.t.Fatal(err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		s.t.Fatal(err)
	}
	return [sha256.Size]byte(h.Sum(nil))
}
