package line

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ichido/bot"
	"ichido/internal/linesim"
	"ichido/store"
)

// write delivers what the person writes to the bot alone, and waits for answers.
func (w *world) write(person, text string) linesim.Event {
	w.t.Helper()
	e := w.platform.Text(person, text)
	w.deliver(e)
	w.pass(time.Second)
	return e
}

// Somebody follows, hears what this is, sends the code that a member has made, and
// is welcome. The code works once.
func TestJoining(t *testing.T) {
	inFamily(t, func(w *world) {
		w.follow(hanako)
		w.wantLast(hanako, bot.Stranger)
		w.say("招待")
		w.pass(time.Second)
		invitation := w.lastSaid(taro)
		_, link, _ := strings.Cut(invitation, "https://")
		code := link[strings.LastIndex(link, "?")+1:]
		if want := strings.TrimPrefix(inviteLink(linesim.BotBasicID)+code, "https://"); link != want {
			t.Errorf("the link is %q, want %q", link, want)
		}
		sent := w.write(hanako, "招待コード "+code)
		w.wantLast(hanako, "ようこそ")
		w.deliver(sent.Redelivered())
		w.pass(time.Minute)
		if n := len(w.platform.BotTexts(hanako)); n != 2 {
			t.Errorf("said %q", w.platform.BotTexts(hanako))
		}
		w.write(other, code)
		w.wantLast(other, bot.WrongCode)
		w.write(hanako, "ランチ 900")
		w.wantRows("ランチ 900")
		w.wantLast(hanako, "ランチ 900円")
	})
}

// Who was to open the link may send it instead. A code that is wrong is answered
// each time, as often as one may try.
func TestJoiningByTheLinkItself(t *testing.T) {
	inFamily(t, func(w *world) {
		w.say("招待")
		w.pass(time.Second)
		invitation := w.lastSaid(taro)
		link := invitation[strings.Index(invitation, "https://"):]
		for n := range 2 {
			w.write(hanako, wrongCode(n))
			w.pass(time.Second)
		}
		if texts := w.platform.BotTexts(hanako); len(texts) != 2 || texts[1] != bot.WrongCode {
			t.Errorf("said %q", texts)
		}
		w.write(hanako, link)
		w.wantLast(hanako, "ようこそ")
	})
}

func TestInviteLink(t *testing.T) {
	if got, want := inviteLink("@000ichid"), "https://line.me/R/oaMessage/%40000ichid/?"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The bot's basic ID is asked for until LINE tells it; until then there are no links.
func TestBasicID(t *testing.T) {
	inBubble(t, func(w *world) {
		w.faultOf("/bot/info", linesim.NotAccepted(500, ""))
		w.run()
		w.pass(10 * time.Minute)
		w.say("招待")
		w.pass(time.Second)
		if text := w.lastSaid(taro); !strings.Contains(text, "招待コード") || strings.Contains(text, "https://") {
			t.Errorf("said %q", text)
		}
		w.platform.SetFault(nil)
		w.pass(5 * time.Minute)
		calls := w.calls("/bot/info")
		w.say("招待")
		w.pass(24 * time.Hour)
		w.wantLast(taro, "https://line.me/R/oaMessage/%40")
		w.wantCalls("/bot/info", calls)
		w.stop()
		w.platform.SetFault(func(*http.Request) linesim.Fault { return linesim.Down() })
		w.run()
		w.view(func(tx *store.Tx) error {
			if link, err := tx.Fact(store.FactInviteLink); link != inviteLink(linesim.BotBasicID) {
				t.Errorf("the link is %q, %v", link, err)
			}
			return nil
		})
	})
}

// One code lets one person in, however often and by how many it is sent at once.
func TestOneCodeAtOnce(t *testing.T) {
	t.Run("64 deliveries of one event", func(t *testing.T) {
		w := newWorld(t)
		w.run()
		e := w.platform.Text(hanako, w.code())
		for _, r := range w.platform.DeliverTimes(t.Context(), 64, e) {
			if r.Status != http.StatusOK || r.Err != nil {
				t.Errorf("delivering: %+v", r)
			}
		}
		bubbles, err := w.platform.Wait(t.Context(), hanako, 1)
		if err != nil || !strings.Contains(bubbles[0].Text, "ようこそ") {
			t.Fatalf("said %+v, %v", bubbles, err)
		}
		w.stop()
		if n := w.receipts(); n != 1 || !w.isMember(hanako) || len(w.platform.BotTexts(hanako)) != 1 {
			t.Errorf("%d receipts, said %q", n, w.platform.BotTexts(hanako))
		}
	})
	t.Run("64 people", func(t *testing.T) {
		w := newWorld(t)
		code := w.code()
		var events []linesim.Event
		for i := range 64 {
			events = append(events, w.platform.Text(linesim.UserID(fmt.Sprint("person", i)), code))
		}
		w.deliver(events...)
		if n := w.door.Counts().Strangers.Load(); n != 63 || w.receipts() != 1 {
			t.Errorf("%d strangers, want 63", n)
		}
	})
}

func (w *world) isMember(person string) bool {
	m := w.member(person)
	return m.Active() && !m.Admitted
}

// wrongCode is the n-th code that nobody has made.
func wrongCode(n int) string { return fmt.Sprintf("A1AA1-%05d", n) }

// A person may try few codes an hour, and all strangers together not many. Then not
// even the right one is looked at.
func TestGuessing(t *testing.T) {
	inFamily(t, func(w *world) {
		code := w.code()
		for i := range maxGuesses {
			w.write(hanako, wrongCode(i))
			w.wantLast(hanako, bot.WrongCode)
			w.deliver(w.platform.Text(hanako, wrongCode(i))) // no other guess
		}
		w.write(hanako, code)
		if w.isMember(hanako) {
			t.Error("the sixth code was looked at")
		}
		w.write(other, code)
		if !w.isMember(other) {
			t.Error("somebody else can't join")
		}
		for i := range 10 * allGuesses {
			w.deliver(w.platform.Text(linesim.UserID(fmt.Sprint("person", i)), wrongCode(i)))
		}
		if n := len(w.door.guesses.made); n != allGuesses {
			t.Errorf("%d guesses remembered, want %d", n, allGuesses)
		}
		late := w.code()
		person := linesim.UserID("late")
		w.write(person, late)
		if w.isMember(person) {
			t.Error("the 101st guess was looked at")
		}
		w.pass(time.Hour)
		w.write(hanako, w.code())
		if !w.isMember(hanako) {
			t.Error("after an hour a code lets nobody in")
		}
	})
}

// Who is let in by the group that he writes in may not try more codes than others: a
// code makes him one who stays when he leaves it.
func TestGuessingInAGroup(t *testing.T) {
	inFamily(t, func(w *world) {
		code := w.code()
		for i := range maxGuesses {
			w.tell(hanako, wrongCode(i))
		}
		w.tell(hanako, code)
		if w.isMember(hanako) {
			t.Error("the sixth code was looked at")
		}
		w.tell(other, code)
		if !w.isMember(other) {
			t.Error("somebody else can't join")
		}
		if n := len(w.door.guesses.made); n != maxGuesses {
			t.Errorf("%d guesses remembered, want %d: a code that was right is none", n, maxGuesses)
		}
	})
}

// Strangers hear one sentence an hour, and of a wrong code each time, but not in a
// burst; nothing of it is kept.
func TestStrangers(t *testing.T) {
	inFamily(t, func(w *world) {
		before := must(w.store.Size())
		for range 60 {
			w.write(hanako, "ランチ 900")
			w.write(hanako, "こんにちは")
			w.pass(58 * time.Second)
		}
		w.write(hanako, "ランチ 900")
		if got := w.platform.BotTexts(hanako); len(got) != 2 || got[0] != bot.Stranger || got[1] != bot.Stranger {
			t.Errorf("said %q, want the sentence twice", got)
		}
		told := len(w.platform.BotTexts(hanako))
		for range 3 {
			w.deliver(w.platform.Text(hanako, wrongCode(1)))
		}
		w.write(hanako, wrongCode(1))
		w.write(hanako, wrongCode(1))
		if got := w.platform.BotTexts(hanako)[told:]; len(got) != 2 || got[0] != bot.WrongCode {
			t.Errorf("said %q to wrong codes", got)
		}
		old := w.code()
		w.pass(store.InviteTime)
		w.write(hanako, old)
		w.wantLast(hanako, bot.WrongCode)
		if w.member(hanako).ID != 0 || w.receipts() != 0 || must(w.store.Size()) != before {
			t.Error("something was kept of a stranger")
		}
		w.wantLogged("a stranger wrote", 2)
	})
}

// Answers to strangers are few at a time.
func TestFewGreetingsAtATime(t *testing.T) {
	inFamily(t, func(w *world) {
		var replies atomic.Int64
		w.platform.SetFault(func(r *http.Request) linesim.Fault {
			if strings.HasSuffix(r.URL.Path, "/reply") {
				replies.Add(1)
			}
			return linesim.Slow(5 * time.Second)
		})
		for i := range 50 {
			w.deliver(w.platform.Text(linesim.UserID(fmt.Sprint("person", i)), "x"))
		}
		w.pass(time.Second)
		if n := replies.Load(); n != maxGreets {
			t.Errorf("%d answers at a time, want %d", n, maxGreets)
		}
		w.pass(time.Minute)
		w.deliver(w.platform.Text(linesim.UserID("person49"), "x")) // was not told yet
		w.pass(time.Minute)
		w.wantLast(linesim.UserID("person49"), bot.Stranger)
	})
}
