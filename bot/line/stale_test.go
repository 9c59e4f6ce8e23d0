package line

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"ichido/internal/linesim"
	"ichido/store"
)

// unreachable lets LINE take nothing while something is said and until it is too old,
// then everything again, by day.
func (w *world) unreachable(said func()) {
	w.t.Helper()
	w.platform.SetFault(func(*http.Request) linesim.Fault { return linesim.NotAccepted(429, "") })
	said()
	w.pass(13 * time.Hour)
	w.platform.SetFault(nil)
	w.pass(11 * time.Hour)
}

// What is named as unanswered is said to be recorded only if it is.
func TestUnsaidTellsWhatIsRecorded(t *testing.T) {
	inFamily(t, func(w *world) {
		w.tell(taro, "カフェ 100") // 1
		w.unreachable(func() {
			w.tell(taro, "ランチ 900")                       // 2
			away := w.tell(taro, "本 1200")                // 3
			w.tell(taro, "今月")                            // 4
			w.tell(taro, "夕食 2000")                       // 5
			w.deliver(w.platform.Edited(away, "やっぱりやめた")) // 6
			w.tell(taro, "取消 1")                          // 7
		})
		w.tell(taro, "バス 230")
		for _, line := range []string{
			"\n\n※ 受付 2、5 のお返事は、時間内に届けられませんでした。記録はしてあります。\n",
			"※ 受付 4 のお返事は、時間内に届けられませんでした。必要なら、もう一度送ってください。\n",
			"※ 受付 7 のお返事は、時間内に届けられませんでした。いまの記録は「一覧」で見られます。",
		} {
			w.wantLast(family, line)
		}
		if text := w.lastSaid(family); !strings.Contains(text, "※ 受付 3、6 のお返事は、時間内に届けられませんでした。いまは記録がありません。") {
			t.Errorf("it says %q", text)
		}
	})
}

// An answer that names a record as kept, and is late itself, is not pushed when that
// has been struck.
func TestLateNamingOfWhatWasStruck(t *testing.T) {
	inFamily(t, func(w *world) {
		w.join(hanako)
		w.unreachable(func() { w.tell(taro, "ランチ 900") })
		n := w.receipts()
		w.fail(linesim.NotAccepted(400, linesim.MessageReplyToken), linesim.NotAccepted(429, ""), linesim.NotAccepted(429, ""), linesim.NotAccepted(429, ""))
		w.tell(taro, "カフェ 480")
		if w.receipts() != n+1 {
			t.Fatal("not recorded")
		}
		w.say("取消 1")
		w.pass(time.Hour)
		for _, text := range w.platform.BotTexts(family) {
			if strings.Contains(text, "記録はしてあります") {
				t.Errorf("the group reads %q", text)
			}
		}
		w.wantLast(taro, "ランチ 900円\n受付 1")
	})
}

// The figures of an answer that is late are not said when they are others now.
func TestLateQuestion(t *testing.T) {
	for name, then := range map[string]string{"something changes": "取消 1", "nothing changes": "残高"} {
		t.Run(name, func(t *testing.T) {
			inFamily(t, func(w *world) {
				w.join(hanako)
				w.say("ランチ 900")
				w.pass(13*time.Hour + 30*time.Minute) // 22:30 or later
				w.refuseReply()
				w.write(hanako, "今月")
				w.pass(time.Second)
				w.say(then)
				w.pass(10 * time.Hour)
				said := strings.Contains(strings.Join(w.platform.BotTexts(hanako), "\n"), "900円")
				if said != (then == "残高") {
					t.Errorf("the ledger is %q, and it was said: %q", w.rows(), w.platform.BotTexts(hanako))
				}
				w.write(hanako, "残高")
				w.pass(time.Second)
				if text := w.lastSaid(hanako); strings.Contains(text, "もう一度送ってください") == said {
					t.Errorf("the next answer is %q", text)
				}
			})
		})
	}
}

// Nor may it go along with the answer to what changes them.
func TestLateQuestionIsNotCarried(t *testing.T) {
	inBubble(t, func(w *world) {
		w.lateAt23("今月")
		w.say("ランチ 900")
		w.pass(time.Second)
		w.wantBubbles("ランチ 900円")
		w.wantNames(0, 1)
	})
}

// Who has left the group is not told the ledger in the morning.
func TestPushToWhoLeft(t *testing.T) {
	inFamily(t, func(w *world) {
		w.join(hanako)
		w.tell(taro, "ひみつ 900")
		w.pass(13*time.Hour + 30*time.Minute)
		w.refuseReply()
		w.write(hanako, "一覧")
		w.pass(time.Second)
		w.deliver(w.platform.MemberLeft(of(""), hanako))
		w.pass(time.Second)
		if len(w.door.sender.late(hanako)) > 0 {
			t.Error("the sender still knows it")
		}
		w.pass(10 * time.Hour)
		if text := strings.Join(w.platform.BotTexts(hanako), "\n"); strings.Contains(text, "ひみつ") {
			t.Errorf("she reads %q", text)
		}
	})
}

// What waits for a chat that the configuration does not let in any more ends.
func TestPushAfterAllowIsShorter(t *testing.T) {
	for name, c := range map[string]struct {
		allow []string
		said  bool
	}{
		"the group is out": {[]string{taro}, false},
		"it stays":         {[]string{taro, family}, true},
	} {
		t.Run(name, func(t *testing.T) {
			inFamily(t, func(w *world) {
				w.fail(linesim.NotAccepted(400, linesim.MessageReplyToken), linesim.NotAccepted(429, ""), linesim.NotAccepted(429, ""))
				w.tell(hanako, "ひみつ 900")
				w.close()
				w.allow = c.allow
				w.open()
				w.run()
				w.pass(time.Hour)
				if texts := w.platform.BotTexts(family); (len(texts) > 0) != c.said {
					t.Errorf("the group reads %q", texts)
				}
				w.view(func(tx *store.Tx) error {
					return tx.PendingOutgoing(func(o store.Outgoing) error {
						t.Errorf("message %d is pending", o.ID)
						return nil
					})
				})
			})
		})
	}
}
