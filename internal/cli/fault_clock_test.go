package cli

import (
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ichido/internal/linesim"
)

// The clock of the machine is set forward and back, by seconds and by years, while
// webhooks come in and answers go out. Each event is there once, under its own date, and
// was told of at most once. What was not is named, or the outbox says what became of it.
// With the right time again, all goes on by itself, what was held back for a night that
// was none as well.
func TestFaultClock(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	var ahead atomic.Int64 // nanoseconds
	s.trap = &trap{dir: filepath.Dir(s.db), now: func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }}
	if *long { // tokens fail, and pushes wait for the morning
		s.platform.SetFault(func(r *http.Request) linesim.Fault {
			if strings.HasSuffix(r.URL.Path, "/reply") && rand.IntN(4) == 0 {
				return linesim.NotAccepted(400, linesim.MessageReplyToken)
			}
			return linesim.Fault{}
		})
	}
	s.start()
	stream := s.talkOn(20 * time.Millisecond)
	const day = 24 * time.Hour
	jumps := []time.Duration{2 * day, -2 * day, 11 * time.Hour, -time.Hour, 5 * time.Second, -5 * time.Second, 40 * 365 * day, -40 * 365 * day, 0}
	rounds := 1
	if *long {
		rounds = 10
	}
	for range rounds {
		for _, jump := range jumps {
			ahead.Store(int64(jump))
			time.Sleep(rand.N(100 * time.Millisecond))
			if code, body := s.health(); code != 200 {
				t.Errorf("%v ahead, healthz says %d %s", jump, code, body)
			}
		}
	}
	stream.end()
	s.platform.SetFault(nil)
	if *long { // a push in a night that was none
		eventually(t, time.Minute, "all is said", func() bool { return s.pending() == 0 })
		ahead.Store(int64(11 * time.Hour))
		s.platform.Fail(linesim.NotAccepted(400, linesim.MessageReplyToken))
		stream.items[0] = append(stream.items[0], "夜食")
		stream.acknowledged.Add(1)
		s.deliver(s.platform.Text(s.users[0], "夜食 300"))
		for range 50 {
			if time.Sleep(10 * time.Millisecond); s.pending() == 0 {
				t.Fatal("a push does not wait for the morning")
			}
		}
		ahead.Store(0)
	}
	s.verifyStream(stream, 90*time.Second)
}
