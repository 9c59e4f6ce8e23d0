package cli

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"ichido/internal/linesim"
	"ichido/store"
)

// A disk on which each sync takes seconds: LINE hangs up and delivers again, healthz
// tells, and what was said is there once and answered once. When the disk is quick again,
// healthz is well by itself.
func TestLongSlowSync(t *testing.T) {
	needLong(t)
	t.Parallel()
	s := newServer(t)
	var slow atomic.Bool
	s.trap = &trap{dir: filepath.Dir(s.db), decide: func(c trapped) harm {
		if c.name == "fdatasync" && slow.Load() {
			return harm{delay: 2500 * time.Millisecond}
		}
		return harm{}
	}}
	s.start()
	slow.Store(true)
	stream := s.talkOn(10 * time.Millisecond)
	eventually(t, 20*time.Second, "healthz tells", func() bool {
		code, body := s.health()
		if code != http.StatusOK && (code != http.StatusServiceUnavailable || body != "the disk is slow: a write has not passed in time") {
			t.Errorf("on a slow disk healthz says %d %s", code, body)
		}
		return code == http.StatusServiceUnavailable
	})
	slow.Store(false)
	eventually(t, 20*time.Second, "healthz is well again", func() bool { code, _ := s.health(); return code == http.StatusOK })
	stream.end()
	if stream.again.Load() == 0 {
		t.Error("LINE had to repeat nothing")
	}
	if n := s.verifyStream(stream, 30*time.Second); n != 0 {
		t.Errorf("%d answers were lost", n)
	}
}

// LINE takes many seconds for each answer, or longer than anybody waits, while webhooks
// come in from more chats than calls are made at the same time. Each webhook is still
// acknowledged at the first try, healthz is well, and memory stays bounded. When LINE is
// quick again, all that can be told is told, without a new start.
func TestLongSlowLINE(t *testing.T) {
	needLong(t)
	t.Parallel()
	s := newServer(t)
	for i := range 36 {
		s.users = append(s.users, linesim.UserID(fmt.Sprint("person", i)))
	}
	s.platform.SetFault(func(*http.Request) linesim.Fault { return linesim.Slow(rand.N(15 * time.Second)) })
	s.start()
	before, most := s.status("RssAnon"), 0 // the rest of what is resident is of files
	stream := s.talkOn(time.Second)
	for range 40 {
		time.Sleep(time.Second)
		if code, body := s.health(); code != http.StatusOK {
			t.Errorf("LINE is slow, and healthz says %d %s", code, body)
		}
		most = max(most, s.status("RssAnon"))
	}
	stream.end()
	s.platform.SetFault(nil)
	if n := stream.again.Load(); n != 0 {
		t.Errorf("LINE had to repeat %d of %d webhooks", n, stream.acknowledged.Load())
	}
	grown := fmt.Sprintf("while LINE was slow, memory grew from %d KiB to %d KiB, with %d threads", before, most, s.status("Threads"))
	if t.Log(grown); most > before+32<<10 || s.status("Threads") > 40 {
		t.Error(grown)
	}
	if n := s.verifyStream(stream, 100*time.Second); n != 0 {
		t.Errorf("%d answers were lost", n)
	}
}

// status is a number of the process's /proc/PID/status.
func (s *server) status(name string) (n int) {
	s.t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.process.Process.Pid))
	if err != nil {
		s.t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if value, ok := strings.CutPrefix(line, name+":"); ok {
			n, _ = strconv.Atoi(strings.Fields(value)[0])
			return n
		}
	}
	s.t.Fatalf("there is no %s", name)
	return 0
}

// Callers who say nothing take all the file descriptors that the server may have: nobody
// gets in, healthz included, and it can't call LINE. It throws them out by itself, and
// then all that was said meanwhile is taken and answered.
func TestLongDescriptors(t *testing.T) {
	needLong(t)
	t.Parallel()
	s := newServer(t)
	s.start()
	pid := s.process.Process.Pid
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		t.Fatal(err)
	}
	var limit unix.Rlimit
	if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, nil, &limit); err != nil {
		t.Fatal(err)
	}
	few := limit
	few.Cur = uint64(len(open) + 20)
	if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, &few, nil); err != nil {
		t.Fatal(err)
	}
	stream := s.talkOn(50 * time.Millisecond)
	for range 50 {
		c, err := net.Dial("tcp", s.listen)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	answers := func() bool {
		client := http.Client{Timeout: time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
		resp, err := client.Get("http://" + s.listen + "/healthz")
		if err != nil {
			return false
		}
		defer resp.Body.Close()
		_, _ = io.Copy(io.Discard, resp.Body)
		return resp.StatusCode == http.StatusOK
	}
	eventually(t, 10*time.Second, "nobody gets in", func() bool { return !answers() })
	eventually(t, 60*time.Second, "healthz answers again", answers)
	time.Sleep(time.Second)
	stream.end()
	eventually(t, time.Minute, "all is said", func() bool { return s.pending() == 0 })
	if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, &limit, nil); err != nil { // an export needs some, too
		t.Fatal(err)
	}
	if n := s.verifyStream(stream, time.Minute); n != 0 {
		t.Errorf("%d answers were lost", n)
	}
	if !strings.Contains(s.logs.String(), "too many open files") {
		t.Error("there were enough descriptors")
	}
}

// verifyStream waits until the server has told all that it has to tell, without a new
// start, ends it and checks what the stream has come to: each event is there once and was
// told of once. Of untold events nobody was told, and what is left of their answers says so.
func (s *server) verifyStream(stream *chatter, limit time.Duration) (untold int) {
	s.t.Helper()
	eventually(s.t, limit, "all is said", func() bool { return s.pending() == 0 })
	if code, body := s.health(); code != http.StatusOK {
		s.t.Errorf("in the end healthz says %d %s", code, body)
	}
	untold = s.verifyTold(stream)
	if status := s.terminate(); status != 0 {
		s.t.Errorf("exit status %d", status)
	}
	if err := store.CheckFile(s.t.Context(), s.db, nil); err != nil {
		s.t.Error(err)
	}
	return untold
}

// pending is how many answers have still to be told.
func (s *server) pending() int {
	s.t.Helper()
	box, err := s.client().Outbox(s.t.Context(), true, false)
	if err != nil {
		s.t.Fatal(err)
	}
	return box.Counts.Pending
}

func (s *server) verifyTold(stream *chatter) (untold int) {
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
	return untold
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
