package line

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ichido/bot"
	"ichido/internal/ledger"
	"ichido/internal/linesim"
	"ichido/store"
)

// lateAt23 makes the confirmations of the texts late: LINE can't be reached until
// their reply tokens are of no use, and then it is 23:00, when nothing is pushed.
func (w *world) lateAt23(texts ...string) {
	w.t.Helper()
	w.pass(11*time.Hour - 10*time.Minute)
	w.run()
	w.platform.SetFault(func(*http.Request) linesim.Fault { return linesim.Down() })
	for _, text := range texts {
		w.say(text)
	}
	w.pass(5 * time.Minute)
	w.platform.SetFault(nil)
	w.pass(5 * time.Minute)
	w.wantBubbles()
}

func (w *world) refuseReply() { w.fail(linesim.NotAccepted(400, linesim.MessageReplyToken)) }

// notify lets the owner be told the text.
func (w *world) notify(kind, text string) {
	w.t.Helper()
	err := w.store.Update(w.t.Context(), func(tx *store.Tx) error {
		_, err := w.door.notify(tx, kind, "", func(bot.Voice) string { return text })
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// bubbles are the bot's in taro's chat.
func (w *world) bubbles() (bubbles []linesim.Bubble) {
	for _, b := range w.platform.Chat(taro) {
		if b.Via != "" {
			bubbles = append(bubbles, b)
		}
	}
	return bubbles
}

// A late confirmation goes along with the chat's next answer, in front of it, and is
// not said again in the morning.
func TestLateAnswerIsCarried(t *testing.T) {
	inBubble(t, func(w *world) {
		w.lateAt23("ランチ 900")
		w.say("夜食 300")
		w.pass(time.Second)
		w.wantBubbles("ランチ 900円", "夜食 300円")
		w.wantOutbox()
		if len(w.door.sender.late(taro)) > 0 {
			t.Error("what is not there any more will be looked for")
		}
		b := w.bubbles()
		if b[0].Token != b[1].Token {
			t.Error("they came in two calls")
		}
		w.pass(12 * time.Hour)
		w.wantBubbles("ランチ 900円", "夜食 300円")
		if n := w.pushes(); n != 0 {
			t.Errorf("%d pushes, want none", n)
		}
	})
}

// LINE takes five messages at a time. What does not go along waits for the morning,
// or for the answer after the next.
func TestFourAreCarriedAtMost(t *testing.T) {
	inBubble(t, func(w *world) {
		w.lateAt23("品1 100円", "品2 100円", "品3 100円", "品4 100円", "品5 100円", "品6 100円", "品7 100円", "品8 100円", "品9 100円")
		w.say("夜食 300")
		w.pass(time.Second)
		w.wantBubbles("品1", "品2", "品3", "品4", "夜食 300円")
		w.say("水 100")
		w.pass(time.Second)
		w.wantBubbles("品1", "品2", "品3", "品4", "夜食 300円", "品5", "品6", "品7", "品8", "水 100円")
		w.pass(12 * time.Hour)
		w.wantBubbles("品1", "品2", "品3", "品4", "夜食 300円", "品5", "品6", "品7", "品8", "水 100円", "品9")
		w.wantOutbox()
		for _, call := range w.platform.Calls() {
			if call.Status == http.StatusBadRequest && !strings.Contains(string(call.Body), "品") {
				t.Errorf("LINE refused %s", call.Body)
			}
		}
	})
}

// Five messages that are late together go along with no other: they wait for the
// morning.
func TestFullCallIsNotCarried(t *testing.T) {
	inBubble(t, func(w *world) {
		w.lateAt23("品1 100円", "品2 100円", "品3 100円", "品4 100円")
		w.refuseReply()
		w.say("夜食 300")
		w.pass(time.Second)
		w.say("水 100")
		w.pass(12 * time.Hour)
		w.wantBubbles("水 100円", "品1", "品2", "品3", "品4", "夜食 300円")
		w.wantOutbox()
	})
}

// What is no longer true is not carried but named, once.
func TestOutdatedIsNamedInsteadOfCarried(t *testing.T) {
	inBubble(t, func(w *world) {
		w.lateAt23("ランチ 900", "カフェ 480")
		w.say("取消 1")
		w.pass(time.Second)
		w.wantBubbles("カフェ 480円", "取り消しました")
		w.wantNames(1, 1)
		w.say("夜食 300")
		w.pass(12 * time.Hour)
		w.wantBubbles("カフェ 480円", "取り消しました", "夜食 300円")
		w.wantNames(2)
	})
}

// What has waited for twelve hours is no answer any more.
func TestTooOldIsNamedInsteadOfCarried(t *testing.T) {
	inBubble(t, func(w *world) {
		w.pass(7*time.Hour - 2*time.Minute) // 18:58
		w.run()
		w.platform.SetFault(func(*http.Request) linesim.Fault { return linesim.NotAccepted(429, "") })
		w.refuseReply()
		w.say("ランチ 900")
		w.pass(4 * time.Hour)
		w.platform.SetFault(nil)
		w.pass(8 * time.Hour) // 6:58: its push is not due, nor was it looked at since
		w.wantOutbox("1 pending")
		w.say("朝食 300")
		w.pass(time.Hour)
		w.wantBubbles("朝食 300円")
		w.wantNames(0, 1)
	})
}

// named gives the receipts that the text names as not answered.
func named(text string) (receipts []ledger.ReceiptNumber) {
	for _, note := range regexp.MustCompile(`※ 受付 ([0-9、]+) のお返事は、`).FindAllStringSubmatch(text, -1) {
		for n := range strings.SplitSeq(note[1], "、") {
			receipts = append(receipts, ledger.ReceiptNumber(must(strconv.Atoi(n))))
		}
	}
	slices.Sort(receipts)
	return receipts
}

// wantNames wants the bot's nth bubble, from 0, to name the receipts as not
// confirmed.
func (w *world) wantNames(n int, receipts ...ledger.ReceiptNumber) {
	w.t.Helper()
	texts := w.platform.BotTexts(taro)
	if n >= len(texts) {
		w.t.Errorf("the chat shows only %q", texts)
		return
	}
	text := texts[n]
	if names := strings.Contains(text, "※ 受付"); names != (len(receipts) > 0) || names && !slices.Equal(named(text), receipts) {
		w.t.Errorf("bubble %d is %q, want receipts %v named", n, text, receipts)
	}
}

// An answer that carries one and is refused is late itself, with all of it.
func TestCarryingAnswerIsLateToo(t *testing.T) {
	for _, c := range []struct {
		name string
		then func(w *world)
	}{
		{"and is carried", carriedTwice},
		{"and is pushed after a restart", carriedAndPushed},
		{"and expires", carriedUntilTooOld},
		{"and one of it is struck", func(w *world) {
			w.say("取消 1")
			w.pass(12 * time.Hour)
			w.wantBubbles("取り消しました")
			w.wantNames(0, 1, 2)
		}},
		{"and one of it is struck elsewhere", func(w *world) {
			e := w.platform.Text(taro, "取消 1")
			e.Mode = "standby" // without an answer
			w.deliver(e)
			w.pass(12 * time.Hour)
			w.wantBubbles()
			w.wantOutbox("1 expired", "2 expired")
		}},
		{"and is refused for good", func(w *world) {
			w.fail(linesim.NotAccepted(400, "no"))
			w.pass(12 * time.Hour)
			w.wantBubbles()
			w.wantOutbox("1 expired", "2 failed")
			w.say("水 100")
			w.pass(time.Second)
			w.wantNames(0, 1)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				w.lateAt23("ランチ 900")
				w.refuseReply()
				w.say("夜食 300")
				w.pass(time.Second)
				w.wantBubbles()
				c.then(w)
			})
		})
	}
}

func carriedTwice(w *world) {
	w.say("水 100")
	w.pass(12 * time.Hour)
	w.wantBubbles("ランチ 900円", "夜食 300円", "水 100円")
	w.wantOutbox()
}

func carriedAndPushed(w *world) {
	w.restart()
	w.pass(12 * time.Hour)
	w.wantBubbles("ランチ 900円", "夜食 300円")
	w.wantOutbox()
	if n := w.pushes(); n != 1 {
		w.t.Errorf("%d pushes, want 1", n)
	}
}

func carriedUntilTooOld(w *world) {
	w.close()
	w.pass(12*time.Hour - time.Minute) // the second is not yet too old, what it carries is
	w.open()
	w.run()
	w.pass(30 * time.Second)
	w.wantBubbles()
	w.wantOutbox("1 expired", "2 expired")
	w.say("水 100")
	w.pass(time.Second)
	w.say("茶 100")
	w.pass(time.Second)
	w.wantBubbles("水 100円", "茶 100円")
	w.wantNames(0, 1, 2)
	w.wantNames(1)
}

// A carrying answer of which nobody knows whether it was shown is not said again,
// nor is what it carries.
func TestCarryingAnswerEndsUnknown(t *testing.T) {
	inBubble(t, func(w *world) {
		w.lateAt23("ランチ 900")
		w.fail(linesim.Lost())
		w.say("夜食 300")
		w.pass(time.Minute)
		w.say("水 100")
		w.pass(12 * time.Hour)
		w.wantBubbles("ランチ 900円", "夜食 300円", "水 100円")
		w.wantOutbox("1 unknown", "2 unknown")
		w.wantNames(2)
	})
}

// A push that has perhaps been said is never said along with another answer.
func TestDoubtfulPushIsNotCarried(t *testing.T) {
	inBubble(t, func(w *world) {
		w.run()
		w.refuseReply()
		w.fail(linesim.Lost())
		w.say("ランチ 900")
		synctest.Wait()
		w.say("カフェ 480")
		w.pass(time.Hour)
		w.wantBubbles("ランチ 900円", "カフェ 480円")
		w.wantOutbox()
	})
}

// A reply that was refused is pushed before the replies behind it are sent.
func TestPushBeforeLaterReplies(t *testing.T) {
	inBubble(t, func(w *world) {
		w.run()
		w.fail(linesim.NotAccepted(429, ""), linesim.NotAccepted(400, linesim.MessageReplyToken))
		w.say("ランチ 900")
		synctest.Wait()
		w.say("カフェ 480") // the first one is no push yet
		w.pass(time.Hour)
		w.wantBubbles("ランチ 900円", "カフェ 480円")
		if n := w.pushes(); n != 1 {
			t.Errorf("%d pushes, want 1", n)
		}
	})
}

// Answers of other chats, and notices, are never carried.
func TestOnlyTheChatsOwnIsCarried(t *testing.T) {
	inBubble(t, func(w *world) {
		w.door.admit = func(string) bool { return true }
		w.lateAt23("ランチ 900")
		w.notify("test", "お知らせ")
		w.deliver(w.platform.Text(other, "カフェ 480"))
		w.pass(time.Second)
		if texts := w.platform.BotTexts(other); len(texts) != 1 {
			t.Errorf("the other chat shows %q", texts)
		}
		w.say("夜食 300")
		w.pass(time.Second)
		w.wantBubbles("ランチ 900円", "夜食 300円")
		w.pass(12 * time.Hour)
		w.wantBubbles("ランチ 900円", "夜食 300円", "お知らせ")
	})
}

// A message that is unsent takes its confirmation out of what carries it, which is
// not said then but named.
func TestCarriedMessageIsUnsent(t *testing.T) {
	inBubble(t, func(w *world) {
		w.pass(11 * time.Hour)
		w.run()
		w.refuseReply()
		e := w.say("ランチ 900")
		w.pass(time.Second)
		w.refuseReply()
		w.say("夜食 300")
		w.pass(time.Second)
		w.deliver(w.platform.Unsend(e))
		w.pass(12 * time.Hour)
		w.wantBubbles()
		w.say("水 100")
		w.pass(time.Second)
		w.wantBubbles("水 100円")
		w.wantNames(0, 2)
	})
}
