package bot

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

// asking is a conversation in one chat in which messages can be quoted and edited,
// on a file that can be closed and opened again.
type asking struct {
	*conversation
	path string
}

func newAsking(t *testing.T) *asking {
	path := filepath.Join(t.TempDir(), "ichido.db")
	k := &conversation{t: t, store: storetest.Open(t, path), bot: New(tokyo), clock: time.Date(2026, 11, 30, 12, 0, 0, 0, tokyo)}
	k.join("taro", "太郎")
	k.join("hanako", "花子")
	return &asking{k, path}
}

// restart closes the file and opens it again.
func (a *asking) restart() {
	a.t.Helper()
	if err := a.store.Close(); err != nil {
		a.t.Fatal(err)
	}
	a.store = storetest.Open(a.t, a.path)
}

// send sends an event about the message with the ID, a minute after the last one.
func (a *asking) send(person, id string, about store.About, m Message) (Reply, store.Receipt) {
	a.t.Helper()
	a.clock = a.clock.Add(time.Minute)
	m.At, m.Chat, m.Direct = a.clock, "chat", true
	if about == store.Edited {
		m.Event = Edited
	}
	key := fmt.Sprint(about, id, a.clock.Unix())
	return a.submit(store.Request{Key: key, Digest: store.NewDigest(id, m.Text), Person: person, MessageID: id, About: about}, m)
}

func (a *asking) says(person, id, text string) Reply {
	a.t.Helper()
	reply, _ := a.send(person, id, store.Said, Message{Text: text})
	return reply
}

func (a *asking) quotes(person, id string, of store.Receipt, text string) Reply {
	a.t.Helper()
	reply, _ := a.send(person, id, store.Said, Message{Text: text, Quotes: true, Quoted: &of})
	return reply
}

func (a *asking) edits(person, id, text string) Reply {
	a.t.Helper()
	reply, _ := a.send(person, id, store.Edited, Message{Text: text})
	return reply
}

// presses presses a button, as a door tells of it.
func (a *asking) presses(person string, under Reply, label string) Reply {
	a.t.Helper()
	for _, b := range under.Buttons {
		if b.Label == label {
			reply, _ := a.send(person, "", store.Said, Message{Event: Tapped, Text: b.Tap})
			return reply
		}
	}
	a.t.Fatalf("no button %s under %q: %v", label, under.Text(), under.Buttons)
	return Reply{}
}

func (a *asking) wantLedger(want string) {
	a.t.Helper()
	if got := a.ledgerNow(); got != want {
		a.t.Errorf("the ledger is %q, want %q", got, want)
	}
	if err := a.store.Check(); err != nil {
		a.t.Error(err)
	}
}

// member gives whose the rows are that stand.
func (a *asking) member() (all []ledger.MemberID) {
	err := a.store.View(func(tx *store.Tx) error {
		return tx.Rows(store.AllRows, func(r *ledger.Row) error {
			if r.Stands() {
				all = append(all, r.Member)
			}
			return nil
		})
	})
	if err != nil {
		a.t.Fatal(err)
	}
	return all
}

// A question without buttons is answered once as well: who quotes it again corrects what
// came of it.
func TestAnswersOnce(t *testing.T) {
	a := newAsking(t)
	_, question := a.send("taro", "1", store.Said, Message{Text: "ランチ"})
	expectText(t, a.says("taro", "2", "850"), "記録しました。ランチ 850円")
	expectText(t, a.quotes("taro", "3", question, "900"), "直しました。ランチ 850円 → 900円")
	a.wantLedger("11-30 ランチ 900")
	a.says("taro", "4", "取消")
	a.says("taro", "5", "取消")
	a.quotes("taro", "6", question, "950")
	a.wantLedger("")
}

// The rows are of whoever was asked first, whoever presses the buttons.
func TestWhoseAnswer(t *testing.T) {
	for _, last := range []string{"taro", "hanako"} {
		a := newAsking(t)
		question := a.says("taro", "1", "PayPay 500")
		next := a.presses("hanako", question, Japanese.text(boughtLabel))
		expectText(t, a.presses(last, next, "食費"), "記録しました。食費 500円")
		if got := fmt.Sprint(a.member()); got != "[1]" {
			t.Errorf("%s has pressed last, and the rows are of %s", last, got)
		}
	}
}

// A question about the answer to a question is about the message too: when that gets
// another text, nothing comes of the old one.
func TestEditWhileItIsAsked(t *testing.T) {
	a := newAsking(t)
	question := a.says("taro", "1", "PayPay 500")
	next := a.presses("hanako", question, Japanese.text(boughtLabel))
	again := a.edits("taro", "1", "PayPay 600")
	expectText(t, a.presses("hanako", next, "食費"), Japanese.text(oldButton))
	a.says("hanako", "2", "ランチ")
	a.wantLedger("")
	expectText(t, a.presses("taro", question, Japanese.text(balanceLabel)), Japanese.text(oldButton))
	expectText(t, a.presses("taro", a.presses("taro", again, Japanese.text(boughtLabel)), "食費"), "記録しました。食費 600円")
	a.wantLedger("11-30 食費 600")
}

// What answered a text that its message does not have any more is no answer when it is
// edited, and does nothing to what the message says now.
func TestEditOfAnAnswerToAnOldText(t *testing.T) {
	a := newAsking(t)
	a.says("taro", "1", "500")
	a.says("taro", "2", "ランチ")
	a.edits("taro", "1", "コーヒー 600")
	a.wantLedger("11-30 コーヒー 600")
	expectText(t, a.edits("taro", "2", "夕食"), "夕食は、いくらでしたか")
	a.wantLedger("11-30 コーヒー 600")
	expectText(t, a.edits("taro", "2", "夕食 800"), "記録しました。夕食 800円")
	a.wantLedger("11-30 コーヒー 600, 11-30 夕食 800")
	a.edits("taro", "1", "コーヒー 650")
	a.wantLedger("11-30 コーヒー 650, 11-30 夕食 800")
}

// A button does what it says, though its words mean something else by now.
func TestOtherWordsSince(t *testing.T) {
	a := newAsking(t)
	a.says("taro", "1", "口座 追加 ひみつ")
	question, another := a.says("taro", "2", "ひみつ 500"), a.says("taro", "3", "700")
	a.says("taro", "4", "口座 削除 ひみつ")
	expectText(t, a.presses("taro", question, Japanese.text(boughtLabel)), Japanese.text(oldButton))
	expectText(t, a.presses("taro", question, Japanese.text(balanceLabel)), Japanese.text(oldButton))
	expectText(t, a.presses("taro", another, "食費"), "記録しました。食費 700円")
	a.wantLedger("11-30 食費 700")
}

// What the bot has asked is open after a restart too, for ten minutes, and its buttons work.
func TestAnswersAfterARestart(t *testing.T) {
	a := newAsking(t)
	a.says("taro", "1", "ランチ")
	a.restart()
	expectText(t, a.says("taro", "2", "850"), "記録しました。ランチ 850円")
	question := a.says("taro", "3", "PayPay 500")
	a.restart()
	next := a.presses("hanako", question, Japanese.text(boughtLabel))
	a.restart()
	expectText(t, a.presses("taro", question, Japanese.text(boughtLabel)), Japanese.text(oldButton))
	expectText(t, a.presses("taro", next, "食費"), "記録しました。食費 500円")
	a.restart()
	expectText(t, a.presses("taro", next, "日用品"), Japanese.text(oldButton))
	a.says("taro", "4", "600")
	a.restart()
	a.clock = a.clock.Add(10 * time.Minute)
	expectText(t, a.says("taro", "5", "ランチ"), "ランチは、いくらでしたか")
	a.wantLedger("11-30 ランチ 850, 11-30 食費 500")
}

// A question that is asked anew with another amount has words of the first message, and
// forgets them when that is unsent.
func TestUnsentWordsLeaveTheNextQuestion(t *testing.T) {
	a := newAsking(t)
	a.says("taro", "m1", "Suicaに2000円")
	_, again := a.send("taro", "m2", store.Said, Message{Text: "さっきのは2530円だった"})
	if !strings.Contains(again.Asked, "Suica") {
		t.Fatalf("what is asked about is %q", again.Asked)
	}
	a.clock = a.clock.Add(time.Minute)
	a.submit(store.Request{Person: "taro", MessageID: "m1", About: store.Unsent, At: a.clock}, Message{At: a.clock})
	err := a.store.View(func(tx *store.Tx) error {
		r, err := tx.ReceiptByNumber(again.Number)
		if err == nil && r.Asked != "" {
			t.Errorf("unsent, it still says %q", r.Asked)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
