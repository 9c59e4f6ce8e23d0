package line

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ichido/bot"
	"ichido/internal/linesim"
	"ichido/store"
)

// inBubble runs a test at 12:00 in Tokyo of a made-up day, with time that passes
// only while everybody waits.
func inBubble(t *testing.T, test func(w *world)) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(3 * time.Hour) // the bubble begins at midnight UTC, 9:00 in Tokyo
		w := newWorld(t)
		w.bubble = true
		test(w)
		w.close() // before the bubble's end: the writer is one of its goroutines
	})
}

func (w *world) fail(faults ...linesim.Fault) { w.platform.Fail(faults...) }

func (w *world) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// pushes counts the calls of push that the platform got.
func (w *world) pushes() (n int) {
	for _, c := range w.platform.Calls() {
		if strings.HasSuffix(c.Path, "/push") {
			n++
		}
	}
	return n
}

// Each end of a reply leads to one confirmation, or to an outbox row that says
// that nobody can know.
func TestReply(t *testing.T) {
	for _, c := range []struct {
		name   string
		faults []linesim.Fault
		pushes int
		outbox []string
	}{
		{name: "taken at once"},
		{name: "the answer is lost", faults: []linesim.Fault{linesim.Lost()}, outbox: []string{"1 unknown"}},
		{name: "accepted, but 500", faults: []linesim.Fault{linesim.Accepted500()}, outbox: []string{"1 unknown"}},
		{name: "accepted, unreadable body", faults: []linesim.Fault{linesim.Garbled()}},
		{name: "accepted, too slow", faults: []linesim.Fault{linesim.Slow(time.Minute)}, outbox: []string{"1 unknown"}},
		{name: "500 and not accepted", faults: []linesim.Fault{linesim.NotAccepted(500, "")}},
		{name: "503 thrice", faults: []linesim.Fault{linesim.NotAccepted(503, ""), linesim.NotAccepted(503, ""), linesim.NotAccepted(503, "")}},
		{name: "cut before it was read", faults: []linesim.Fault{linesim.Refuse()}},
		{name: "rate limit", faults: []linesim.Fault{linesim.NotAccepted(429, "")}},
		{name: "not authorised for a while", faults: []linesim.Fault{linesim.NotAccepted(401, ""), linesim.NotAccepted(403, "")}},
		{name: "no connection", faults: []linesim.Fault{linesim.Down(), linesim.Down()}},
		{name: "the reply is refused", faults: []linesim.Fault{linesim.NotAccepted(400, "Invalid reply token")}, pushes: 1},
		{name: "a rate limit in the middle of doubt", faults: []linesim.Fault{linesim.Lost(), linesim.NotAccepted(429, "")}, outbox: []string{"1 unknown"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				w.run()
				w.fail(c.faults...)
				w.say("ランチ 900")
				w.pass(time.Hour)
				w.wantBubbles("ランチ 900円")
				w.wantOutbox(c.outbox...)
				if n := w.pushes(); n != c.pushes {
					t.Errorf("%d pushes, want %d", n, c.pushes)
				}
			})
		})
	}
}

// Of what comes in side by side, a chat reads the answers in the order of the receipts.
func TestAnswersInOrder(t *testing.T) {
	inBubble(t, func(w *world) {
		w.run()
		for i := range 60 {
			var deliveries sync.WaitGroup
			for j := range 8 {
				deliveries.Go(func() { w.say(fmt.Sprintf("ランチ %d", 100+8*i+j)) })
			}
			deliveries.Wait()
			w.pass(time.Second)
		}
		last := 0
		for _, b := range w.bubbles() {
			_, number, _ := strings.Cut(b.PlainText(), "受付 ")
			n := 0
			if _, err := fmt.Sscan(strings.ReplaceAll(number, "／", " "), &n); err != nil || n <= last {
				t.Errorf("behind the answer to receipt %d: %q", last, b.PlainText())
			}
			last = n
		}
		if last != 480 {
			t.Errorf("the last answer is to receipt %d", last)
		}
	})
}

// A push is tried with one key until its end is certain.
func TestPush(t *testing.T) {
	refused := linesim.NotAccepted(400, "Invalid reply token")
	for _, c := range []struct {
		name   string
		faults []linesim.Fault
		shown  bool
		outbox []string
	}{
		{name: "taken at once", shown: true},
		{name: "the answer is lost, then 409", faults: []linesim.Fault{linesim.Lost()}, shown: true},
		{name: "accepted, but 500", faults: []linesim.Fault{linesim.Accepted500(), linesim.NotAccepted(500, "")}, shown: true},
		{name: "rate limit", faults: []linesim.Fault{linesim.NotAccepted(429, "")}, shown: true},
		{name: "no connection", faults: []linesim.Fault{linesim.Down()}, shown: true},
		{name: "refused for good", faults: []linesim.Fault{linesim.NotAccepted(400, "")}, outbox: []string{"1 failed"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				w.run()
				w.fail(append([]linesim.Fault{refused}, c.faults...)...)
				w.say("ランチ 900")
				w.pass(time.Hour)
				if c.shown {
					w.wantBubbles("ランチ 900円")
				} else {
					w.wantBubbles()
				}
				w.wantOutbox(c.outbox...)
				keys := map[string]bool{}
				for _, call := range w.platform.Calls() {
					if strings.HasSuffix(call.Path, "/push") && call.RetryKey != "" {
						keys[call.RetryKey] = true
					}
				}
				if len(keys) > 1 {
					t.Errorf("%d retry keys for one message", len(keys))
				}
			})
		})
	}
}

func TestRestartTwoMinutesAfterTheCommit(t *testing.T) {
	inBubble(t, func(w *world) {
		w.say("ランチ 900") // and the process dies before the sender gets to it
		w.close()
		w.pass(2 * time.Minute)
		w.open()
		w.run()
		w.pass(time.Hour)
		w.wantBubbles("ランチ 900円")
		w.wantOutbox()
		if n := w.pushes(); n != 1 {
			t.Errorf("%d pushes, want 1", n)
		}
		w.restart()
		w.pass(time.Hour)
		w.wantBubbles("ランチ 900円")
	})
}

// A process that dies between the call and the note of its end leaves doubt,
// and doubt never becomes a second bubble.
func TestDeathInTheMiddleOfAnAttempt(t *testing.T) {
	for _, pass := range []time.Duration{time.Second, 2 * time.Minute} {
		inBubble(t, func(w *world) {
			w.close()
			died := w.path + "-died"
			line := w.transport
			w.transport = roundTripper(func(r *http.Request) (*http.Response, error) {
				res, err := line.RoundTrip(r)
				if _, missing := os.Stat(died); missing != nil && strings.HasSuffix(r.URL.Path, "/reply") { // now
					w.copyTo(died)
				}
				return res, err
			})
			w.open()
			w.run()
			w.say("ランチ 900")
			w.pass(0)
			w.close()
			w.pass(pass)
			w.path, w.transport = died, line
			w.open()
			w.run()
			w.pass(time.Hour)
			w.wantBubbles("ランチ 900円")
			w.wantOutbox("1 unknown")
		})
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// copyTo copies the file as a process that dies now leaves it.
func (w *world) copyTo(path string) {
	content, err := os.ReadFile(w.path)
	if err == nil {
		err = os.WriteFile(path, content, 0o600)
	}
	if err != nil {
		w.t.Error(err)
	}
}

func TestTimeoutThenInvalidReplyToken(t *testing.T) {
	inBubble(t, func(w *world) {
		w.run()
		w.fail(linesim.Slow(time.Minute), linesim.NotAccepted(400, linesim.MessageReplyToken))
		w.say("ランチ 900")
		w.pass(time.Hour)
		w.wantOutbox("1 unknown")
		if n := w.pushes(); n != 0 {
			t.Errorf("%d pushes, want none", n)
		}
	})
}

func TestLINEDownForFiveMinutes(t *testing.T) {
	inBubble(t, func(w *world) {
		w.run()
		w.platform.SetFault(func(*http.Request) linesim.Fault { return linesim.Down() })
		for i := range 3 {
			w.say(fmt.Sprintf("品%d 100円", i+1))
			w.pass(time.Minute)
		}
		w.pass(2 * time.Minute)
		w.wantBubbles()
		w.platform.SetFault(nil)
		w.pass(time.Hour)
		got := w.platform.BotTexts(taro)
		if len(got) != 3 {
			t.Errorf("%d confirmations, want 3: %q", len(got), got)
		}
		w.wantOutbox()
	})
}

func TestWrongTokenThenMended(t *testing.T) {
	inBubble(t, func(w *world) {
		w.token = "wrong"
		w.close()
		w.open()
		w.run()
		w.say("ランチ 900")
		w.say("カフェ 480")
		w.pass(10 * time.Minute)
		w.wantBubbles()
		w.token = linesim.DefaultToken
		w.restart()
		w.pass(time.Hour)
		w.wantBubbles("ランチ 900円", "カフェ 480円")
		w.wantOutbox()
	})
}

// Nobody is woken: a push waits for the morning, but replies don't.
func TestQuietHours(t *testing.T) {
	inBubble(t, func(w *world) {
		w.pass(11 * time.Hour) // 23:00
		w.run()
		w.fail(linesim.NotAccepted(400, linesim.MessageReplyToken))
		w.say("夜食 300")
		w.pass(8*time.Hour - time.Second) // 6:59:59
		w.wantBubbles()
		w.pass(time.Second)
		w.wantBubbles("夜食 300円")
		if n := w.pushes(); n != 1 {
			t.Errorf("%d pushes, want 1", n)
		}
	})
}

func TestTooOldIsNamedInTheNextAnswer(t *testing.T) {
	inBubble(t, func(w *world) {
		w.say("ランチ 900")
		w.pass(13 * time.Hour)
		w.run()
		w.pass(time.Minute)
		w.wantOutbox("1 expired")
		w.pass(8 * time.Hour)
		w.say("カフェ 480")
		w.say("夕食 2000")
		w.pass(time.Minute)
		w.wantBubbles("受付 1", "夕食 2,000円")
		texts := w.platform.BotTexts(taro)
		if !strings.Contains(texts[0], "カフェ 480円") || strings.Contains(texts[1], "受付 1 ") {
			t.Errorf("the expired receipt is not named once: %q", texts)
		}
	})
}

// What is no longer true when its push could go is not said.
func TestStruckBeforeItsPush(t *testing.T) {
	inBubble(t, func(w *world) {
		w.run()
		w.fail(linesim.NotAccepted(400, linesim.MessageReplyToken), linesim.NotAccepted(429, ""))
		w.pass(11 * time.Hour) // 23:00: the push waits for the morning
		w.say("ランチ 900")
		w.pass(2 * time.Second)
		w.fail()
		w.say("取消")
		w.pass(9 * time.Hour)
		w.wantRows()
		for _, text := range w.platform.BotTexts(taro) {
			if strings.Contains(text, "記録しました") {
				t.Errorf("the bot says %q about a record that was taken back", text)
			}
		}
		if n := w.pushes(); n != 0 {
			t.Errorf("%d pushes, want none", n)
		}
	})
}

// A repeated event makes the reply token fresh and lets it be tried at once.
func TestRedeliveryWakesTheAnswer(t *testing.T) {
	inBubble(t, func(w *world) {
		w.run()
		w.fail(linesim.NotAccepted(429, ""), linesim.NotAccepted(429, ""), linesim.NotAccepted(429, ""), linesim.NotAccepted(429, ""))
		e := w.say("ランチ 900")
		w.pass(20 * time.Second) // the next try is due in 24 s
		w.wantBubbles()
		w.deliver(e.Redelivered())
		w.pass(time.Second)
		w.wantBubbles("ランチ 900円")
		if n := w.pushes(); n != 0 {
			t.Errorf("%d pushes, want none", n)
		}
	})
}

func TestOneChatInOrderOthersBeside(t *testing.T) {
	inBubble(t, func(w *world) {
		w.door.admit = func(string) bool { return true }
		w.run()
		w.fail(linesim.NotAccepted(429, "")) // holds up taro's first answer
		for i := range 3 {
			w.say(fmt.Sprintf("品%d 100円", i+1))
			synctest.Wait()
		}
		w.deliver(w.platform.Text(other, "カフェ 480"))
		synctest.Wait()
		if n := len(w.platform.BotTexts(other)); n != 1 {
			t.Error("one chat waits for another")
		}
		w.wantBubbles()
		w.pass(time.Minute)
		w.wantBubbles("品1", "品2", "品3")
	})
}

// The end of the program lets a call that has begun end, and notes how.
func TestStopInTheMiddleOfACall(t *testing.T) {
	inBubble(t, func(w *world) {
		w.run()
		w.fail(linesim.Slow(3 * time.Second))
		w.say("ランチ 900")
		synctest.Wait()
		begun := time.Now()
		w.stop()
		if d := time.Since(begun); d != 3*time.Second {
			t.Errorf("stopping took %v, want the 3 s of the call", d)
		}
		w.wantBubbles("ランチ 900円")
		w.wantOutbox()
	})
}

func TestStrangersAreToldOnceAnHour(t *testing.T) {
	inBubble(t, func(w *world) {
		say := func() {
			w.deliver(w.platform.Text(other, "ランチ 900"))
			w.pass(time.Minute)
		}
		say()
		say()
		if texts := w.platform.BotTexts(other); len(texts) != 1 || texts[0] != bot.Stranger {
			t.Errorf("the stranger heard %q", texts)
		}
		w.pass(time.Hour)
		say()
		if texts := w.platform.BotTexts(other); len(texts) != 2 {
			t.Errorf("an hour later: %q", texts)
		}
		w.wantRows()
		w.wantOutbox()
		err := w.store.View(func(tx *store.Tx) error {
			members, err := tx.Members()
			if len(members) > 0 {
				t.Errorf("members: %+v", members)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// A panic in handling parks the event, tries it again, tells the owner, and
// records it once as soon as the program is mended.
func TestParkedUntilMended(t *testing.T) {
	inBubble(t, func(w *world) {
		w.say("カフェ 480") // makes taro the owner
		w.close()
		w.bot = bot.New(nil) // a zone that is not there makes every message panic
		w.open()
		w.run()
		e := w.say("ランチ 900")
		w.deliver(e.Redelivered())
		w.pass(2 * time.Minute)
		parked := must(w.parked())
		if len(parked) != 1 || parked[0].Tries < parkedTries {
			t.Errorf("parked: %+v", parked)
		}
		w.wantRows("カフェ 480")
		texts := w.platform.BotTexts(taro)
		if n := strings.Count(strings.Join(texts, "\n"), bot.ParkedNotice.In(bot.Japanese)); n != 1 {
			t.Errorf("the owner was told %d times: %q", n, texts)
		}
		if strings.Contains(w.log.String(), "ランチ") {
			t.Error("the text is in the log")
		}
		w.bot = bot.New(tokyo)
		w.restart()
		w.pass(time.Minute)
		w.wantRows("カフェ 480", "ランチ 900")
		if parked := must(w.parked()); len(parked) != 0 {
			t.Errorf("still parked: %+v", parked)
		}
		w.deliver(e.Redelivered())
		w.wantRows("カフェ 480", "ランチ 900")
	})
}

// After a restore nothing is said twice, and the owner is told of what time the
// ledger is.
func TestRestoredCopy(t *testing.T) {
	inBubble(t, func(w *world) {
		e := w.say("ランチ 900")
		copied := filepath.Join(t.TempDir(), "copy.db")
		if _, err := w.store.Backup(w.t.Context(), copied); err != nil {
			t.Fatal(err)
		}
		w.run()
		w.pass(time.Minute)
		w.wantBubbles("ランチ 900円")
		w.close()
		if _, err := store.Restore(context.Background(), copied, w.path, nil); err != nil {
			t.Fatal(err)
		}
		w.open()
		if err := w.door.Resume(w.t.Context()); err != nil {
			t.Fatal(err)
		}
		w.run()
		w.pass(time.Hour)
		w.deliver(e.Redelivered())
		w.pass(time.Hour)
		w.wantRows("ランチ 900")
		w.wantOutbox("1 unknown")
		w.wantBubbles("ランチ 900円", "12:00")
		w.say("カフェ 480")
		w.pass(time.Minute)
		w.wantBubbles("ランチ 900円", "12:00", "受付 1003") // a minute after the copy
	})
}

// TestFreshReplyDoesNotWait lets LINE be away until the first answer waits for
// minutes between its tries. The next one is a reply in time all the same.
func TestFreshReplyDoesNotWait(t *testing.T) {
	inBubble(t, func(w *world) {
		w.run()
		w.platform.SetFault(func(*http.Request) linesim.Fault { return linesim.Down() })
		w.say("ランチ 900")
		w.pass(31 * time.Minute)
		w.platform.SetFault(nil)
		w.say("お茶 150")
		w.pass(2 * time.Second)
		w.wantBubbles("ランチ 900円", "お茶 150円")
		if b := w.bubbles(); len(b) != 2 || b[0].Via != "push" || b[1].Via != "reply" {
			t.Errorf("they came otherwise: %+v", b)
		}
	})
}
