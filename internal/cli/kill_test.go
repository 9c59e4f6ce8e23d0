package cli

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ichido/internal/control"
	"ichido/internal/linesim"
	"ichido/store"
)

// The process is killed again and again under a stream of webhooks, while
// answers of LINE's get lost. Every acknowledged event has one row, and was
// shown once or its outbox row says that nobody knows. In the long form that is
// so of ten households, after a hundred deaths each.
func TestKill(t *testing.T) {
	t.Parallel()
	if *long {
		for i := range 10 {
			t.Run(fmt.Sprint(i), func(t *testing.T) { t.Parallel(); killUnderStream(t, 100) })
		}
		return
	}
	kills := 10
	if testing.Short() {
		kills = 5
	}
	killUnderStream(t, kills)
}

func killUnderStream(t *testing.T, kills int) {
	s := newServer(t)
	s.platform.SetFault(func(*http.Request) linesim.Fault {
		switch rand.IntN(30) {
		case 0, 1:
			return linesim.Lost()
		case 2:
			return linesim.Accepted500()
		case 3:
			return linesim.NotAccepted(500, "")
		case 4:
			return linesim.NotAccepted(429, "")
		}
		return linesim.Fault{}
	})
	s.start()
	stream := s.talkOn(10 * time.Millisecond)
	s.killOften(kills, 100*time.Millisecond)
	stream.end()
	box := s.sayAll()
	s.verifyKills(kills, stream, box)
	if status := s.terminate(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	if err := store.CheckFile(t.Context(), s.db, nil); err != nil {
		t.Error(err)
	}
}

// chatter is a stream of webhooks from all users at the same time, each of which is sent
// until it is taken.
type chatter struct {
	stop         chan struct{}
	users        sync.WaitGroup
	acknowledged atomic.Int64
	again        atomic.Int64 // deliveries that had to be repeated
	items        [][]string   // what was said, by users
}

// talkOn begins a stream with pauses of chance that are less than most.
func (s *server) talkOn(most time.Duration) *chatter {
	c := &chatter{stop: make(chan struct{}), items: make([][]string, len(s.users))}
	for i, user := range s.users {
		c.users.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-c.stop:
					return
				case <-time.After(rand.N(most)):
				}
				item := "item" + letters(len(s.users)*n+i)
				c.items[i] = append(c.items[i], item)
				tries, err := s.platform.DeliverUntil2xx(s.t.Context(), 1000, 20*time.Millisecond, s.platform.Text(user, item+" 100"))
				if err != nil {
					s.t.Errorf("an event was never taken: %v", err)
					return
				}
				c.acknowledged.Add(1)
				c.again.Add(int64(tries - 1))
			}
		})
	}
	return c
}

// end waits until all that was said is taken.
func (c *chatter) end() {
	close(c.stop)
	c.users.Wait()
}

// killOften kills the server, each time after a time of chance that is less than most,
// and starts it again. It would not start on a file that is not sound: at each opening
// of a file of this size every invariant is checked.
func (s *server) killOften(kills int, most time.Duration) {
	s.t.Helper()
	for range kills {
		time.Sleep(rand.N(most))
		s.kill()
		s.start()
	}
}

// sayAll ends the failures of LINE's and waits until nothing is left to be said. It
// returns what was not said, or perhaps not.
func (s *server) sayAll() (box control.Outbox) {
	s.t.Helper()
	s.platform.SetFault(nil)
	s.terminate() // what waits for its next try is tried at once after a start
	s.start()
	eventually(s.t, time.Minute, "all is said", func() bool {
		var err error
		box, err = s.client().Outbox(s.t.Context(), true, false)
		return err == nil && box.Counts.Pending == 0
	})
	return box
}

func (s *server) verifyKills(kills int, stream *chatter, box control.Outbox) {
	t := s.t
	acknowledged, items := int(stream.acknowledged.Load()), stream.items
	receiptOf := map[string]uint64{}
	for receipt, item := range s.exported() {
		if _, twice := receiptOf[item]; twice {
			t.Errorf("%s was recorded twice", item)
		}
		receiptOf[item] = receipt
	}
	if len(receiptOf) != acknowledged {
		t.Errorf("%d events were acknowledged, %d rows are there", acknowledged, len(receiptOf))
	}
	unknown := map[uint64]bool{}
	for _, m := range box.Messages {
		if m.State != "unknown" {
			t.Errorf("the answer to receipt %d is %s", m.Receipt, m.State)
		}
		unknown[uint64(m.Receipt)] = true
	}
	for i, user := range s.users {
		shown := map[string]int{}
		for _, text := range s.platform.BotTexts(user) {
			for _, item := range items[i] {
				if strings.Contains(text, item+" ") {
					shown[item]++
				}
			}
		}
		for _, item := range items[i] {
			if n := shown[item]; n > 1 || n == 0 && !unknown[receiptOf[item]] {
				t.Errorf("%s was shown %d times (unknown: %t)", item, n, unknown[receiptOf[item]])
			}
		}
	}
	doubtful := 0
	for _, c := range s.platform.Calls() {
		if c.Status == 0 || c.Status >= 500 {
			doubtful++
		}
	}
	if limit := doubtful + kills*len(s.users); len(unknown) > limit {
		t.Errorf("%d answers are unknown, but only %d calls ended so", len(unknown), limit)
	}
	t.Logf("%d kills, %d events, %d answers lost, %d unknown", kills, acknowledged, doubtful, len(unknown))
}

// letters writes n with letters only, so that no digit of it is an amount.
func letters(n int) string {
	s := ""
	for range 5 {
		s = string(rune('a'+n%26)) + s
		n /= 26
	}
	return s
}
