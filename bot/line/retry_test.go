package line

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"ichido/bot"
	"ichido/internal/linesim"
	"ichido/store"
)

func (w *world) retry(id store.OutboxID) error {
	_, err := w.door.RetryOutgoing(w.t.Context(), id)
	w.pass(time.Second)
	return err
}

func (w *world) mustRetry(id store.OutboxID) {
	w.t.Helper()
	if err := w.retry(id); err != nil {
		w.t.Error(err)
	}
}

// A message that waits is tried at once by wish, after those before it.
func TestRetryOfWhatWaits(t *testing.T) {
	inBubble(t, func(w *world) {
		w.run()
		w.platform.SetFault(func(*http.Request) linesim.Fault { return linesim.NotAccepted(429, "") })
		w.say("ランチ 900")
		w.say("カフェ 480")
		w.pass(20 * time.Second) // the next try is due in 24 s
		w.platform.SetFault(nil)
		w.pass(time.Second)
		w.wantBubbles()
		w.mustRetry(2)
		w.wantBubbles("ランチ 900円", "カフェ 480円")
		w.wantOutbox()
	})
}

// What was given up is said by wish, as a push, in quiet hours in the morning.
func TestRetryOfWhatWasGivenUp(t *testing.T) {
	for _, c := range []struct {
		name    string
		giveUp  func(w *world)
		outbox  string
		bubbles int // before
	}{
		{"failed", func(w *world) { w.refuseReply(); w.fail(linesim.NotAccepted(400, "")) }, "1 failed", 0},
		{"unknown", func(w *world) { w.fail(linesim.Lost()) }, "1 unknown", 1},
		{"expired", func(w *world) {
			w.platform.SetFault(func(*http.Request) linesim.Fault { return linesim.Down() })
		}, "1 expired", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				w.run()
				c.giveUp(w)
				w.say("ランチ 900")
				w.pass(13 * time.Hour) // 1:00
				w.platform.SetFault(nil)
				w.wantOutbox(c.outbox)
				w.mustRetry(1)
				w.wantOutbox("1 pending")
				w.pass(6 * time.Hour)
				w.wantOutbox()
				if n := len(w.platform.BotTexts(taro)); n != c.bubbles+1 {
					t.Errorf("said %d times, want %d", n, c.bubbles+1)
				}
				w.say("カフェ 480")
				w.pass(time.Second)
				w.wantNames(c.bubbles + 1)
			})
		})
	}
}

// What waits for the morning by wish is not said if it is taken back meanwhile, though
// nobody knows whether it was said before.
func TestRetryOfWhatIsTakenBack(t *testing.T) {
	inBubble(t, func(w *world) {
		w.run()
		w.fail(linesim.Lost())
		w.say("ランチ 900")
		w.pass(13 * time.Hour) // 1:00
		w.wantOutbox("1 unknown")
		w.mustRetry(1)
		w.say("取消 1")
		w.pass(7 * time.Hour)
		w.wantOutbox("1 unknown")
		w.wantBubbles("ランチ 900円", "取り消しました")
	})
}

func TestRetryRefuses(t *testing.T) {
	inBubble(t, func(w *world) {
		w.lateAt23("ランチ 900")
		w.refuseReply()
		w.say("夜食 300") // carries the first one
		w.pass(time.Second)
		for id, want := range map[store.OutboxID]error{1: store.ErrCarried, 9: store.ErrNoSuchMessage} {
			if err := w.retry(id); !errors.Is(err, want) {
				t.Errorf("message %d: %v, want %v", id, err, want)
			}
		}
	})
}

// A parked event is handled by wish, as often as it takes.
func TestRetryParked(t *testing.T) {
	inBubble(t, func(w *world) {
		w.bot = bot.New(nil) // makes every message panic
		w.close()
		w.open()
		e := w.say("ランチ 900")
		retry := func() error { return w.door.RetryParked(w.t.Context(), e.ID) }
		if err := retry(); !errors.Is(err, store.ErrPanic) {
			t.Errorf("not mended: %v", err)
		}
		if parked := must(w.parked()); len(parked) != 1 || parked[0].Tries != 2 {
			t.Errorf("parked: %+v", parked)
		}
		w.bot = bot.New(tokyo)
		w.close()
		w.open()
		if err := retry(); err != nil {
			t.Error(err)
		}
		w.wantRows("ランチ 900")
		if err := retry(); !errors.Is(err, store.ErrNotParked) {
			t.Errorf("again: %v", err)
		}
	})
}

// park keeps the event as if it had failed.
func (w *world) park(e linesim.Event) store.Parked {
	w.t.Helper()
	event := decode(e.JSON())
	if !w.door.parkFailed(w.t.Context(), event, errors.New("a test")) {
		w.t.Fatal("not parked")
	}
	return must(w.parked())[0]
}

func TestForgetParked(t *testing.T) {
	inBubble(t, func(w *world) {
		w.run()
		w.pass(0) // what is parked at the start is tried at once
		p := w.park(w.platform.Text(taro, "ランチ 900"))
		w.update(func(tx *store.Tx) error { return tx.Unpark(p.Scope, p.Key) })
		w.door.ForgetParked(p.Key)
		w.pass(time.Hour)
		w.wantRows()
	})
}
