package line

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ichido/bot"
	"ichido/internal/ledger"
	"ichido/internal/linesim"
	"ichido/store"
)

// enter records an entry of the person's as a page does.
func (w *world) enter(person, item string) ledger.ReceiptNumber {
	w.t.Helper()
	e := bot.Entry{Type: ledger.Expense, Date: ledger.DateOf(time.Now().In(tokyo)), Amount: 900, Item: item}
	req := store.Request{Scope: "web", Key: item, At: time.Now(), Person: person, Admit: true}
	r, _, err := w.store.Submit(w.t.Context(), req, func(tx *store.Tx) error {
		row, err := w.bot.Record(tx, req.At, e)
		if err != nil {
			return err
		}
		chat, notice, err := w.bot.EntryNotice(tx, req.At, row)
		if chat != "" && err == nil {
			err = w.door.TellEntry(tx, chat, notice)
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return r.Number
}

// entered is enter and what comes behind it.
func (w *world) entered(person, item string) ledger.ReceiptNumber {
	w.t.Helper()
	n := w.enter(person, item)
	w.pass(time.Second)
	return n
}

// wantNotice looks how far the notice of the entry is; "" is that there is none.
func (w *world) wantNotice(n ledger.ReceiptNumber, want string) {
	w.t.Helper()
	got := ""
	w.view(func(tx *store.Tx) error {
		words, err := bot.NoticeState(tx, n)
		if words != nil {
			got = words.In(bot.Japanese)
		}
		return err
	})
	if got != want {
		w.t.Errorf("the notice of receipt %d is %q, want %q", n, got, want)
	}
}

// told counts the notices of the item in the chat.
func (w *world) told(chat, item string) (n int) {
	for _, b := range w.platform.Chat(chat) {
		if text := b.PlainText(); strings.Contains(text, item) && (strings.Contains(text, "ウェブから") || strings.Contains(text, "from the web")) {
			n++
		}
	}
	return n
}

func (w *world) wantTold(chat, item string, want int) {
	w.t.Helper()
	if got := w.told(chat, item); got != want {
		w.t.Errorf("of %s the chat was told %d times, want %d", item, got, want)
	}
}

// listen lets the family's group be told.
func (w *world) listen() {
	w.t.Helper()
	w.deliver(w.platform.Mention(of(taro), "通知 オン"))
	w.pass(time.Second)
	w.wantLast(family, "このトークにお知らせします")
}

const (
	willSend = "これから送ります。"
	isSent   = "送りました。"
	notSent  = "送りませんでした。"
)

// A program that dies when the entry is durable and nothing has been sent tells of it once
// when it is there again.
func TestNoticeAfterADeath(t *testing.T) {
	inFamily(t, func(w *world) {
		w.say("通知 オン")
		w.pass(time.Second)
		w.close()
		w.open() // and nothing is sent
		n := w.enter(taro, "ランチ")
		w.pass(time.Minute)
		w.wantNotice(n, willSend)
		w.wantTold(taro, "ランチ", 0)
		w.restart()
		w.pass(time.Minute)
		w.wantTold(taro, "ランチ", 1)
		w.wantNotice(n, isSent)
		w.restart()
		w.pass(time.Hour)
		w.wantTold(taro, "ランチ", 1)
	})
}

// What became of a notice is said as it is.
func TestEndsOfNotices(t *testing.T) {
	for name, c := range map[string]struct {
		fault linesim.Fault // of each push
		first string        // soon
		want  string        // after a day
	}{
		"taken":        {linesim.Fault{}, isSent, isSent},
		"refused":      {linesim.NotAccepted(400, "no"), "送れませんでした。", "送れませんでした。"},
		"never taken":  {linesim.NotAccepted(429, "later"), willSend, notSent},
		"answers lost": {linesim.Lost(), willSend, "届いたかどうか、わかりません。"},
	} {
		t.Run(name, func(t *testing.T) {
			inFamily(t, func(w *world) {
				w.say("通知 オン")
				w.pass(time.Second)
				w.faultOf("/v2/bot/message/push", c.fault)
				n := w.entered(taro, "ランチ")
				w.wantNotice(n, c.first)
				w.pass(24 * time.Hour)
				w.wantNotice(n, c.want)
				w.wantRows("ランチ 900")
			})
		})
	}
}

// A chat that may not hear of the household any more is told nothing, of what comes and of
// what waits, even if the configuration still names it.
func TestNoticeForNobody(t *testing.T) {
	for name, c := range map[string]struct {
		group bool // it is the family's group that is told, else taro
		go_   func(w *world)
		back  func(w *world)
		again bool // after that it is told
	}{
		"the bot was removed": {
			group: true,
			go_:   func(w *world) { w.deliver(w.platform.Leave(of(""))) },
			back:  func(w *world) { w.deliver(w.platform.Join(of(""))) },
		},
		"the group is not allowed any more": {
			group: true,
			go_:   func(w *world) { w.allow = []string{taro} },
			back:  func(w *world) { w.allow = []string{taro, family} },
			again: true,
		},
		"the member blocks the bot": {
			go_:   func(w *world) { w.deliver(w.platform.Unfollow(taro)) },
			back:  func(w *world) { w.deliver(w.platform.Follow(taro, true)) },
			again: true,
		},
		"the member was removed": {
			go_:   func(w *world) { w.update(func(tx *store.Tx) error { return tx.Remove(w.member(taro).ID) }) },
			back:  func(w *world) { w.join(taro) },
			again: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			inFamily(t, func(w *world) {
				chat := taro
				w.tell(hanako, "電車 320")
				w.say("バス 210")
				w.pass(time.Second)
				if w.say("通知 オン"); c.group {
					chat = family
					w.listen()
				}
				w.pass(time.Second)
				w.entered(hanako, "ランチ")
				w.wantTold(chat, "ランチ", 1)
				w.faultOf("/v2/bot/message/push", linesim.NotAccepted(429, "later"))
				waiting := w.entered(hanako, "カフェ")
				w.wantNotice(waiting, willSend)
				c.go_(w)
				w.pass(time.Second)
				w.faultOf("/v2/bot/message/push", linesim.Fault{})
				after := w.entered(hanako, "夕食")
				w.pass(time.Hour)
				w.wantNotice(after, "")
				w.wantNotice(waiting, notSent)
				w.wantTold(chat, "カフェ", 0)
				w.wantTold(chat, "夕食", 0)
				c.back(w)
				w.pass(time.Second)
				w.entered(hanako, "パン")
				again := 0
				if c.again {
					again = 1
				}
				w.wantTold(chat, "パン", again)
				w.wantTold(chat, "カフェ", 0)
			})
		})
	}
}

// What is taken back before the notice of it goes out is told nobody, and no later answer
// names it as unsaid.
func TestNoticeOfWhatIsTakenBack(t *testing.T) {
	inFamily(t, func(w *world) {
		w.say("通知 オン")
		w.pass(time.Until(time.Date(2000, 1, 1, 23, 0, 0, 0, tokyo)))
		n := w.entered(taro, "ランチ")
		w.wantNotice(n, willSend) // nobody is woken
		w.say(fmt.Sprint("取消 ", n))
		w.pass(time.Second)
		w.wantLast(taro, "取り消しました。ランチ")
		w.pass(9 * time.Hour)
		w.wantNotice(n, notSent)
		w.wantTold(taro, "ランチ", 0)
		w.say("今日はいい天気")
		w.say("カフェ 480")
		w.pass(time.Second)
		for _, text := range w.platform.BotTexts(taro)[2:] {
			if strings.Contains(text, "ランチ") || strings.Contains(text, fmt.Sprintf("受付 %d", n)) {
				t.Errorf("it is named: %q", text)
			}
		}
		w.wantOutbox("2 expired")
	})
}

// The notice speaks the language of whose chat it is.
func TestEnglishNotice(t *testing.T) {
	inFamily(t, func(w *world) {
		w.say("language en")
		w.say("notify on")
		w.pass(time.Second)
		w.wantLast(taro, "I tell you here")
		w.entered(hanako, "lunch")
		w.wantLast(taro, "from the web")
		if got := w.lastSaid(taro); !strings.HasPrefix(got, "Recorded") || strings.Contains(got, "ウェブ") {
			t.Errorf("it says %q", got)
		}
		w.say("notify")
		w.pass(time.Second)
		w.wantLast(taro, "send “notify off”")
		w.say("turn off notifications")
		w.pass(time.Second)
		w.wantLast(taro, "I tell nobody")
	})
}

// One chat is told at a time. Which one that is can be changed, and taken back as anything
// else.
func TestNoticeIsMoved(t *testing.T) {
	inFamily(t, func(w *world) {
		w.say("通知 オン")
		w.pass(time.Second)
		w.entered(taro, "ランチ")
		w.wantTold(taro, "ランチ", 1)

		w.deliver(w.platform.Mention(of(taro), "通知"))
		w.pass(time.Second)
		w.wantLast(family, "ほかのトークにお知らせしています")
		w.listen()
		w.wantLast(family, "いままでのトークには、もうお知らせしません")
		undo := fmt.Sprint(w.receipts())
		w.entered(taro, "カフェ")
		w.wantTold(taro, "カフェ", 0)
		w.wantTold(family, "カフェ", 1)

		w.tell(taro, "取消 "+undo)
		w.wantLast(family, "ほかのトークにお知らせします")
		w.entered(taro, "夕食")
		w.wantTold(taro, "夕食", 1)
		w.wantTold(family, "夕食", 0)

		w.tell(taro, "元に戻す")
		w.wantLast(family, "このトークにお知らせします")
		w.entered(taro, "パン")
		w.wantTold(taro, "パン", 0)
		w.wantTold(family, "パン", 1)

		w.deliver(w.platform.Mention(of(hanako), "通知 オフ"))
		w.pass(time.Second)
		w.wantLast(family, "お知らせしません")
		n := w.entered(taro, "お茶")
		w.wantNotice(n, "")
		w.wantTold(taro, "お茶", 0)
		w.wantTold(family, "お茶", 0)
	})
}
