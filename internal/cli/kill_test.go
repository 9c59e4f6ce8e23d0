package cli

import (
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
// shown once or its outbox row says that nobody knows.
func TestKill(t *testing.T) {
	t.Parallel()
	kills := 10
	switch {
	case *long:
		kills = 100
	case testing.Short():
		kills = 5
	}
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
	stop := make(chan struct{})
	var streams sync.WaitGroup
	var acknowledged atomic.Int64
	items := make([][]string, len(s.users))
	s.start()
	for i, user := range s.users {
		streams.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				case <-time.After(time.Duration(rand.IntN(10)) * time.Millisecond):
				}
				item := "item" + letters(len(s.users)*n+i)
				items[i] = append(items[i], item)
				if _, err := s.platform.DeliverUntil2xx(t.Context(), 1000, 20*time.Millisecond, s.platform.Text(user, item+" 100")); err != nil {
					t.Errorf("an event was never taken: %v", err)
					return
				}
				acknowledged.Add(1)
			}
		})
	}
	s.killOften(kills, 120*time.Millisecond)
	close(stop)
	streams.Wait()
	box := s.sayAll()
	s.verifyKills(kills, int(acknowledged.Load()), items, box)
	if status := s.terminate(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	if err := store.CheckFile(t.Context(), s.db, nil); err != nil {
		t.Error(err)
	}
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

func (s *server) verifyKills(kills, acknowledged int, items [][]string, box control.Outbox) {
	t := s.t
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
