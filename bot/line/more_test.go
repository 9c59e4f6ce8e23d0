package line

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ichido/bot"
	"ichido/internal/linesim"
	"ichido/store"
)

// What could not be stored is never acknowledged, not even as parked.
func TestNoRoomIs503(t *testing.T) {
	for name, event := range map[string]func(w *world) linesim.Event{
		"a good event": func(w *world) linesim.Event { return w.platform.Text(taro, strings.Repeat("ランチ 900\n", 60)) },
		"one to be parked": func(w *world) linesim.Event {
			e := w.platform.Text(taro, "ランチ 900")
			e.Raw = []byte(strings.Replace(string(e.JSON()), `"timestamp":`, `"timestamp":"soon","padding":"`+strings.Repeat("x", 20000)+`","was":`, 1))
			return e
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.close()
			w.maxSize = 1 << 20
			w.open()
			for i := range 5000 {
				if status, _ := w.platform.Deliver(t.Context(), w.platform.Text(taro, fmt.Sprintf("品%d 100円", i))); status == http.StatusServiceUnavailable {
					break
				}
			}
			e := event(w)
			for range 3 { // pages that come free can let a small one in
				if status, err := w.platform.Deliver(t.Context(), e); err != nil || status != http.StatusServiceUnavailable {
					continue
				}
				return
			}
			t.Error("a full file acknowledges")
		})
	}
}

func TestClosedStoreIs503(t *testing.T) {
	w := newWorld(t)
	e := w.platform.Text(taro, "ランチ 900")
	if err := w.store.Close(); err != nil {
		t.Fatal(err)
	}
	w.store = nil
	if status, err := w.platform.Deliver(t.Context(), e); err != nil || status != http.StatusServiceUnavailable {
		t.Errorf("status %d, %v, want 503", status, err)
	}
}

// LINE hangs up after two seconds; what it sent is recorded all the same.
func TestHangingUp(t *testing.T) {
	w := newWorld(t)
	hold, held := make(chan struct{}), make(chan struct{})
	go w.store.Update(context.Background(), func(*store.Tx) error { close(held); <-hold; return nil })
	<-held
	ctx, hangUp := context.WithCancel(t.Context())
	r, err := w.platform.Request(ctx, w.platform.Body(w.platform.Text(taro, "ランチ 900")))
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		w.door.ServeHTTP(httptest.NewRecorder(), r)
		close(done)
	}()
	time.Sleep(10 * time.Millisecond) // so that it has been queued; the test holds without it as well
	hangUp()
	close(hold)
	<-done
	w.wantRows("ランチ 900")
}

// IDs and times that LINE never sends harm nobody.
func TestAbsurdEvents(t *testing.T) {
	w := newWorld(t)
	absurd := func(change func(e *linesim.Event)) linesim.Event {
		e := w.platform.Text(taro, "ランチ 900")
		change(&e)
		return e
	}
	for _, e := range []linesim.Event{
		absurd(func(e *linesim.Event) { e.ID = strings.Repeat("k", 33000) }),
		absurd(func(e *linesim.Event) { e.ID, e.MessageID = "", strings.Repeat("m", 33000) }),
		absurd(func(e *linesim.Event) { e.ID = "a\x00b" }),
	} {
		w.deliver(e)
		w.deliver(e)
	}
	w.wantRows("ランチ 900", "ランチ 900", "ランチ 900")
	for _, e := range []linesim.Event{
		absurd(func(e *linesim.Event) { e.Timestamp = time.UnixMicro(e.Timestamp.UnixMilli() * 1_000_000) }),
		absurd(func(e *linesim.Event) { e.Timestamp = time.UnixMilli(-5) }),
	} {
		w.deliver(e)
	}
	w.deliver(absurd(func(e *linesim.Event) { e.Source.UserID = strings.Repeat("U", 40000) }))
	w.wantRows("ランチ 900", "ランチ 900", "ランチ 900")
	if parked := must(w.parked()); len(parked) != 2 {
		t.Errorf("%d parked, want the two of impossible times", len(parked))
	}
	w.close()
	w.open() // the file opens
}

// The same message with its event's ID and without counts once.
func TestWithAndWithoutEventID(t *testing.T) {
	w := newWorld(t)
	with := w.platform.Text(taro, "ランチ 900")
	without := with
	without.ID = ""
	w.deliver(with)
	w.deliver(without)
	without = w.platform.Text(taro, "カフェ 480")
	with = without
	without.ID = ""
	w.deliver(without)
	w.deliver(with)
	w.wantRows("ランチ 900", "カフェ 480")
}

// A connection that breaks off before TLS stands has carried nothing.
func TestBrokenHandshakeIsNoDoubt(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			conn.Read(make([]byte, 100))
			conn.Close()
		}
	}()
	s := newSender(nil, must(newClient(Config{Token: "t", Endpoint: "https://" + l.Addr().String()})), tokyo, nil)
	if end := s.reply(t.Context(), "token", []byte(`[{"type":"text","text":"x"}]`)); end.kind != wait {
		t.Errorf("got %v, want wait", end)
	}
}

// An answer that was to name what expired and expires itself gives both to the
// next one.
func TestNamingAnswerExpiresToo(t *testing.T) {
	inBubble(t, func(w *world) {
		w.say("ランチ 900")
		w.pass(13 * time.Hour)
		w.run()
		w.pass(time.Minute)
		w.stop()
		w.say("カフェ 480") // names receipt 1
		w.pass(13 * time.Hour)
		w.run()
		w.pass(10 * time.Hour)
		w.say("夕食 2000")
		w.pass(time.Minute)
		w.say("夜食 300")
		w.pass(time.Minute)
		texts := w.platform.BotTexts(taro)
		if len(texts) != 2 || !strings.Contains(texts[0], bot.Japanese.Unsaid([]bot.Unanswered{{Receipt: 1}, {Receipt: 2}})) || strings.Contains(texts[1], "※") {
			t.Errorf("the chat shows %q", texts)
		}
	})
}

// A push that has perhaps been said is never dropped as outdated: it is tried
// with its key until that is certain.
func TestStruckInTheMiddleOfAPush(t *testing.T) {
	inBubble(t, func(w *world) {
		w.run()
		w.fail(linesim.NotAccepted(400, linesim.MessageReplyToken), linesim.Lost(), linesim.NotAccepted(429, ""))
		w.say("ランチ 900")
		w.pass(500 * time.Millisecond)
		w.say("取消")
		w.pass(time.Hour)
		w.wantOutbox()
		w.wantBubbles("ランチ 900円", "取り消しました")
	})
}

// After twelve hours of doubt nobody knows; that is not the same as not said.
func TestTwelveHoursOfDoubt(t *testing.T) {
	inBubble(t, func(w *world) {
		w.run()
		w.fail(linesim.NotAccepted(400, linesim.MessageReplyToken))
		w.platform.SetFault(func(r *http.Request) linesim.Fault {
			if strings.HasSuffix(r.URL.Path, "/push") {
				return linesim.NotAccepted(500, "")
			}
			return linesim.Fault{}
		})
		w.say("ランチ 900")
		w.pass(12*time.Hour - time.Minute)
		w.wantOutbox("1 pending")
		w.pass(3 * time.Minute) // still in the night
		w.wantOutbox("1 unknown")
	})
}

// An end that could not be noted, because the disk was full just then, is noted
// later and is not taken for doubt.
func TestEndNotedLater(t *testing.T) {
	w := newWorld(t)
	w.say("ランチ 900")
	s, c, i := w.door.sender, w.door.sender.chats[taro], w.door.sender.chats[taro].lanes[replyLane][0]
	before, o, _, err := s.prepare(t.Context(), i)
	if err != nil || !o.Doubt {
		t.Fatalf("preparing: %v, doubt %t", err, o.Doubt)
	}
	i.tries, i.ended = 1, &ended{before, result{kind: refused, status: 400}}
	s.store = closedStore(t)
	s.settle(t.Context(), c, i, replyLane)
	if i.ended == nil {
		t.Fatal("an end that was not noted is forgotten")
	}
	s.store = w.store
	s.try(t.Context(), c, i, replyLane)
	err = w.store.View(func(tx *store.Tx) error {
		o, _, err := tx.Outgoing(i.id)
		if o.Doubt || !o.Pushing || o.Tries != 1 {
			t.Errorf("the outbox says %+v, want a push without doubt", o)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// closedStore is a store that takes nothing.
func closedStore(t testing.TB) *store.Store {
	s, err := store.Open(t.TempDir()+"/closed.db", store.Options{NoSync: true})
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The same token is tried a few times and then no more.
func TestDoubtEnds(t *testing.T) {
	inBubble(t, func(w *world) {
		w.run()
		w.platform.SetFault(func(*http.Request) linesim.Fault { return linesim.NotAccepted(500, "") })
		w.say("ランチ 900")
		w.pass(time.Hour)
		w.wantOutbox("1 unknown")
		w.wantCalls("/reply", maxDoubtful)
	})
}

// A redelivery in the middle of an attempt makes the token fresh, too: after it
// nobody waits.
func TestRedeliveryDuringAnAttempt(t *testing.T) {
	inBubble(t, func(w *world) {
		w.run()
		w.fail(linesim.NotAccepted(429, ""), linesim.NotAccepted(429, ""), linesim.NotAccepted(429, ""), linesim.Slow(20*time.Second))
		e := w.say("ランチ 900")
		w.pass(16 * time.Second) // the fourth try has begun and will time out
		w.deliver(e.Redelivered())
		w.pass(9 * time.Second)
		w.wantCalls("/reply", 5) // the fifth right after the fourth
	})
}

func TestFewCallsAtATime(t *testing.T) {
	inBubble(t, func(w *world) {
		w.door.admit = func(string) bool { return true }
		w.run()
		var now, most atomic.Int64
		w.platform.SetFault(func(r *http.Request) linesim.Fault {
			if !strings.HasSuffix(r.URL.Path, "/reply") {
				return linesim.NotAccepted(500, "")
			}
			most.Store(max(most.Load(), now.Add(1)))
			time.AfterFunc(time.Second-time.Millisecond, func() { now.Add(-1) })
			return linesim.Slow(time.Second)
		})
		for i := range 50 {
			w.deliver(w.platform.Text(linesim.UserID(fmt.Sprint("user", i)), "ランチ 900"))
		}
		w.pass(time.Minute)
		if n := most.Load(); n != maxCalls {
			t.Errorf("%d calls at a time, want %d", n, maxCalls)
		}
		synctest.Wait()
	})
}

// However many events are parked in an hour, and however often the program
// starts, the owner hears of it once.
func TestNoticeOnceAnHour(t *testing.T) {
	inBubble(t, func(w *world) {
		w.say("カフェ 480")
		w.close()
		w.bot = bot.New(nil)
		w.open()
		w.run()
		w.say("ランチ 900")
		w.say("夕食 2000")
		w.pass(2 * time.Minute)
		w.restart()
		w.pass(2 * time.Minute)
		if n := strings.Count(strings.Join(w.platform.BotTexts(taro), "\n"), bot.ParkedNotice.In(bot.Japanese)); n != 1 {
			t.Errorf("the owner was told %d times", n)
		}
	})
}

func TestStandbyIsRecordedInSilence(t *testing.T) {
	w := newWorld(t)
	e := w.platform.Text(taro, "ランチ 900")
	e.Mode, e.ReplyToken = "standby", ""
	w.deliver(e)
	w.wantRows("ランチ 900")
	w.wantOutbox()
}
