package line

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ichido/bot"
	"ichido/internal/ledger"
	"ichido/internal/linesim"
	"ichido/store"
)

// inFamily is inBubble with an allowed group and a door that runs.
func inFamily(t *testing.T, test func(w *world)) {
	inBubble(t, func(w *world) {
		w.allow = []string{taro, family, room}
		w.run()
		synctest.Wait() // names are asked for once all of it runs
		test(w)
	})
}

func of(person string) linesim.Source { return linesim.Group(family, person) }

// tell delivers what the person says in the family's group, and waits for answers.
func (w *world) tell(person, text string) linesim.Event {
	w.t.Helper()
	e := w.platform.TextIn(of(person), text)
	w.deliver(e)
	w.pass(time.Second)
	return e
}

// lastSaid is the bot's last bubble in the chat, "" if there is none.
func (w *world) lastSaid(chat string) string {
	texts := w.platform.BotTexts(chat)
	if len(texts) == 0 {
		return ""
	}
	return texts[len(texts)-1]
}

func (w *world) wantLast(chat, part string) {
	w.t.Helper()
	if got := w.lastSaid(chat); !strings.Contains(got, part) {
		w.t.Errorf("the chat shows %q, want %q", got, part)
	}
}

// A joined group is greeted once. Another one is told in the log, once an hour, and
// so is one in which somebody writes.
func TestBotJoins(t *testing.T) {
	inFamily(t, func(w *world) {
		join := w.platform.Join(of(""))
		w.deliver(join)
		w.deliver(join.Redelivered())
		w.pass(time.Minute)
		if got := w.platform.BotTexts(family); len(got) != 1 || !strings.Contains(got[0], "一度") {
			t.Errorf("the group is greeted with %q", got)
		}
		for range 3 {
			w.deliver(w.platform.Join(linesim.Group(public, "")))
			w.deliver(w.platform.TextIn(linesim.Room(linesim.RoomID("x"), hanako), "今月"))
		}
		w.wantLogged(public, 1)
		w.wantLogged(linesim.RoomID("x"), 1)
		w.pass(time.Hour)
		w.deliver(w.platform.Join(linesim.Group(public, "")))
		w.wantLogged(public, 2)
		w.deliver(w.platform.Sticker(linesim.Group(linesim.GroupID("y"), taro)))
		w.wantLogged(linesim.GroupID("y"), 0)
	})
}

// Whom LINE does not name is nobody, and heard all the same.
func TestMissingUserID(t *testing.T) {
	inFamily(t, func(w *world) {
		w.tell("", "カフェ 480")
		w.wantLast(family, "記録しました。カフェ 480円")
		w.tell("", "取消")
		w.wantRows("カフェ 480")
		w.tell("", "取消 1")
		w.wantRows()
		w.deliver(w.platform.TextIn(linesim.Room(room, ""), "電車 320"))
		w.wantRows("電車 320")
		w.view(func(tx *store.Tx) error {
			if members, err := tx.Members(); len(members) != 0 {
				t.Errorf("members %+v, %v", members, err)
			}
			return nil
		})
	})
}

// Two who write at the same time each have their own rows, wallets and 取消.
func TestTwoAtOnce(t *testing.T) {
	inFamily(t, func(w *world) {
		var both []linesim.Event
		for i := range 10 {
			both = append(both, w.platform.TextIn(of(taro), fmt.Sprintf("本 %d00", i+1)), w.platform.TextIn(of(hanako), fmt.Sprintf("花 %d00", i+1)))
		}
		both = append(both, w.platform.TextIn(of(taro), "財布 3000"), w.platform.TextIn(of(hanako), "財布 5000"))
		for i := range both {
			both[i].Timestamp = both[i].Timestamp.Add(time.Duration(i) * time.Second)
		}
		w.deliver(both...)
		w.pass(time.Minute)
		undo := w.platform.TextIn(of(hanako), "取消")
		w.deliver(undo)
		if n := len(w.rows()); n != 21 {
			t.Errorf("%d rows, want 21: %q", n, w.rows())
		}
		w.view(func(tx *store.Tx) error {
			for person, want := range map[string]ledger.Yen{taro: 3000, hanako: -5500} {
				m, _, err := tx.MemberByPerson(person)
				if err != nil {
					return err
				}
				a, _, err := tx.FindAccount(ledger.Cash, m.ID)
				if a.Balance != want || err != nil {
					t.Errorf("%s has %d, want %d (%v)", m.Name, a.Balance, want, err)
				}
			}
			return nil
		})
	})
}

// What is said to the bot by name is heard though it is no command of a group. The
// mention counts UTF-16 units.
func TestMentioned(t *testing.T) {
	inFamily(t, func(w *world) {
		w.tell(hanako, "ランチ 900")
		for _, c := range []struct {
			text   string
			index  int // of the mention
			answer string
		}{
			{"🍺🍺 @一度 ビール 500", 5, "ビール 500円"},
			{"👨‍👩‍👧 カフェ 480 @一度", 17, "カフェ 480円"},
			{"@一度 今日", 0, "今日の支出"},
			{"@一度 ありがとう", 0, ""},
		} {
			e := w.platform.TextIn(of(hanako), c.text)
			e.Fields = map[string]any{"mention": map[string]any{"mentionees": []map[string]any{{"index": c.index, "length": 3, "type": "user", "isSelf": true}}}}
			before := len(w.platform.BotTexts(family))
			w.deliver(e)
			w.pass(time.Second)
			if len(w.platform.BotTexts(family)) != before+1 {
				t.Errorf("%q is not answered", c.text)
			}
			w.wantLast(family, c.answer)
		}
		w.wantRows("ランチ 900", "🍺🍺 ビール 500", "👨\u200d👩\u200d👧 カフェ 480")
	})
}

// A quote of the bot's answer, or of one's own message, names the record.
func TestQuotes(t *testing.T) {
	inFamily(t, func(w *world) {
		first := w.tell(hanako, "ランチ 900")
		w.tell(hanako, "カフェ 480")
		w.tell(hanako, "夕食 2000")
		answers := w.platform.Chat(family)
		answer := answers[3].ID // to the second
		if answers[3].Via == "" {
			t.Fatalf("no answer: %+v", answers[3])
		}
		quote := func(id, text string) {
			w.deliver(w.platform.Quote(of(hanako), id, text))
			w.pass(time.Second)
		}
		quote(answer, "取消")
		w.wantRows("ランチ 900", "夕食 2000")
		quote(first.MessageID, "取消")
		w.wantRows("夕食 2000")
		quote(answer, "今日はいくら？") // not for the bot, were it not for the quote
		w.wantLast(family, "今日の支出")
		quote("999", "取消")
		w.wantRows("夕食 2000")
		w.wantLast(family, "見つかりませんでした")
		remarks := len(w.platform.BotTexts(family))
		quote(first.MessageID, "おいしかったね")
		if len(w.platform.BotTexts(family)) != remarks {
			t.Errorf("a quote of somebody's message is answered with %q", w.lastSaid(family))
		}
	})
}

// The latest edit wins, whatever comes first, and no edit makes a second record.
func TestEditsOutOfOrder(t *testing.T) {
	inFamily(t, func(w *world) {
		message := w.platform.TextIn(of(hanako), "ランチ 900")
		w.pass(time.Minute)
		first := w.platform.Edited(message, "ランチ 950")
		w.pass(time.Minute)
		second := w.platform.Edited(message, "ランチ 980")
		for _, e := range []linesim.Event{second, first, message, second.Redelivered(), first.Redelivered()} {
			w.deliver(e)
			w.wantRows("ランチ 980")
		}
		w.pass(time.Minute)
		w.deliver(w.platform.Edited(message, "雨だね"))
		w.wantRows()
		w.pass(time.Minute)
		w.deliver(w.platform.Edited(message, "ランチ 1000"))
		w.wantRows("ランチ 1000")
		if n := w.door.Counts().Repeated.Load(); n != 2 {
			t.Errorf("%d repeated, want 2", n)
		}
	})
}

// A button does what it says once, whoever presses it and how often.
func TestTaps(t *testing.T) {
	inFamily(t, func(w *world) {
		w.tell(hanako, "ランチ 900")
		tap, ok := w.platform.Press(of(taro), "取消 1")
		if !ok || tap.Type != "postback" {
			t.Fatalf("no such button: %+v", w.platform.Chat(family))
		}
		again, _ := w.platform.PressLate(of(hanako), "取消 1")
		w.deliver(tap, again)
		w.deliver(tap.Redelivered())
		w.pass(time.Second)
		w.wantRows()
		w.wantLast(family, "もう取り消してあります")
		if n := len(w.platform.BotTexts(family)); n != 3 {
			t.Errorf("%d answers, want 3: %q", n, w.platform.BotTexts(family))
		}
		redo, _ := w.platform.PressLate(of(hanako), "元に戻す")
		w.deliver(redo)
		w.wantRows("ランチ 900")
		w.deliver(again) // the same event, after it was brought back
		w.wantRows("ランチ 900")
		for _, data := range []string{"undo:1:00", "undo:999:0011223344556677", "x", "", strings.Repeat("undo:", 60), "pay:1:1"} {
			w.deliver(w.platform.Postback(of(hanako), data, map[string]string{"date": "2026-11-30"}))
			w.pass(time.Second)
			w.wantLast(family, "古いボタンです")
		}
		w.wantRows("ランチ 900")
	})
}

// Where several bots share a chat and another one has it, nothing is said.
func TestStandbyInGroup(t *testing.T) {
	inFamily(t, func(w *world) {
		e := w.platform.TextIn(of(hanako), "ランチ 900")
		e.Mode = "standby"
		w.deliver(e)
		w.pass(time.Minute)
		w.wantRows("ランチ 900")
		if got := w.platform.BotTexts(family); len(got) != 0 {
			t.Errorf("said %q", got)
		}
	})
}

// Pictures are told once a day that they can't be read, and only to one person;
// anything else that is no text is left alone.
func TestNoTexts(t *testing.T) {
	inFamily(t, func(w *world) {
		for range 3 {
			w.deliver(w.platform.Image(linesim.User(taro)), w.platform.Sticker(linesim.User(taro)), w.platform.Location(linesim.User(taro), "東京", 35, 139),
				w.platform.Image(of(taro)), w.platform.Sticker(of(hanako)), w.platform.MemberJoined(of(""), hanako))
			w.pass(time.Minute)
		}
		if got := w.platform.BotTexts(taro); len(got) != 1 || !strings.Contains(got[0], "写真") {
			t.Errorf("the person is told %q", got)
		}
		if n := w.receipts(); n != 1 || len(w.platform.BotTexts(family)) != 0 {
			t.Errorf("%d receipts, in the group %q", n, w.platform.BotTexts(family))
		}
		w.pass(24 * time.Hour)
		w.deliver(w.platform.Image(linesim.User(taro)))
		w.pass(time.Minute)
		if got := w.platform.BotTexts(taro); len(got) != 2 {
			t.Errorf("the next day the person is told %q", got)
		}
		w.deliver(w.platform.Image(linesim.User(hanako)))
		w.pass(time.Minute)
		w.wantLast(hanako, bot.Stranger)
	})
}
