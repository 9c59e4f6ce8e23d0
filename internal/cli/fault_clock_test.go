package cli

import (
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ichido/internal/linesim"
	"ichido/store"
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
	eventually(t, 90*time.Second, "all is said", func() bool {
		box, err := s.client().Outbox(t.Context(), true, false)
		return err == nil && box.Counts.Pending == 0
	})
	s.verifyTimes(stream)
	if status := s.terminate(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	if err := store.CheckFile(t.Context(), s.db, nil); err != nil {
		t.Error(err)
	}
}

// verifyTimes checks what the stream has come to.
func (s *server) verifyTimes(stream *chatter) {
	t := s.t
	receiptOf := map[string]uint64{}
	for receipt, item := range s.exported() {
		if receiptOf[item] != 0 {
			t.Errorf("%s was recorded twice", item)
		}
		receiptOf[item] = receipt
	}
	if n := int(stream.acknowledged.Load()); len(receiptOf) != n {
		t.Errorf("%d events were acknowledged, %d rows are there", n, len(receiptOf))
	}
	unsaid := s.unsaid()
	untold := 0
	for i, user := range s.users {
		texts := s.platform.BotTexts(user)
		for _, item := range stream.items[i] {
			n := 0
			for _, text := range texts {
				if strings.Contains(text, item+" ") {
					n++
				}
			}
			if n > 1 || n == 0 && !slices.Contains(unsaid, receiptOf[item]) {
				t.Errorf("%s was told of %d times", item, n)
			}
			untold += 1 - n
		}
	}
	t.Logf("%d events, %d deliveries repeated, %d not told of", stream.acknowledged.Load(), stream.again.Load(), untold)
}

// unsaid gives the receipts whose answers are in the outbox, or were named as unsaid.
func (s *server) unsaid() (receipts []uint64) {
	box, err := s.client().Outbox(s.t.Context(), true, false)
	if err != nil {
		s.t.Error(err)
	}
	for _, m := range box.Messages {
		receipts = append(receipts, uint64(m.Receipt))
	}
	for _, user := range s.users {
		for _, text := range s.platform.BotTexts(user) {
			for _, note := range unsaidNote.FindAllStringSubmatch(text, -1) {
				for number := range strings.SplitSeq(note[1], "、") {
					n, _ := strconv.ParseUint(number, 10, 64)
					receipts = append(receipts, n)
				}
			}
		}
	}
	return receipts
}
