package line

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ichido/bot"
	"ichido/internal/linesim"
	"ichido/store"
)

var (
	hanako = linesim.UserID("hanako")
	family = linesim.GroupID("family") // in tests that allow it
	public = linesim.GroupID("public") // never allowed
	room   = linesim.RoomID("room")
)

// people are those of whom TestWhoIsHeard tells: what each is, and what makes him
// that.
var people = []struct {
	name   string
	become func(w *world)
}{
	{"allowed", func(w *world) { w.allow = append(w.allow, hanako) }},
	{"member", func(w *world) { w.join(hanako) }},
	{"left", func(w *world) {
		w.join(hanako)
		w.pass(time.Second)
		w.deliver(w.platform.Unfollow(hanako))
		w.platform.SetBlocked(hanako, false) // LINE's word of that has not come yet
	}},
	{"removed", func(w *world) {
		w.update(func(tx *store.Tx) error { return tx.Remove(must(tx.Join(hanako, "")).ID) })
	}},
	{"stranger", func(*world) {}},
	{"nobody", func(*world) {}}, // LINE does not say who it is
}

// What an event comes to.
const (
	done  = "done"  // it has a receipt and an answer
	quiet = "quiet" // it has a receipt
	joins = "joins" // the person is a member now, and welcome
	asked = "asked" // nothing is kept; the person is asked for a code
	none  = "-"     // nothing is kept, nothing is said
)

// heard says what becomes of each event, of each person, in the chat with the bot
// alone, in an allowed group and in another one.
var heard = map[string]string{
	//                   text              edit              unsend held       unsend unknown   tap               code              follow
	"allowed alone":  "done  done  quiet quiet done  joins done",
	"member alone":   "done  done  quiet quiet done  done  done",
	"left alone":     "asked asked quiet -     asked joins asked",
	"removed alone":  "asked asked quiet -     asked joins asked",
	"stranger alone": "asked asked quiet -     asked joins asked",
	"nobody alone":   "-     -     quiet -     -     -     -",

	"allowed family":  "done  done  quiet quiet done  joins -",
	"member family":   "done  done  quiet quiet done  -     -",
	"left family":     "done  done  quiet quiet done  joins -",
	"removed family":  "-     -     quiet quiet -     joins -",
	"stranger family": "done  done  quiet quiet done  joins -",
	"nobody family":   "done  done  quiet quiet done  -     -",

	"allowed public":  "-     -     quiet -     -     joins -",
	"member public":   "-     -     quiet -     -     -     -",
	"left public":     "-     -     quiet -     -     joins -",
	"removed public":  "-     -     quiet -     -     joins -",
	"stranger public": "-     -     quiet -     -     joins -",
	"nobody public":   "-     -     quiet -     -     -     -",
}

// trialEvents are the columns of heard. Each is made in the world by the source;
// said is a message of somebody else that the file holds, in the same chat.
var trialEvents = []struct {
	name string
	make func(w *world, s linesim.Source, said linesim.Event) linesim.Event
}{
	{"text", func(w *world, s linesim.Source, _ linesim.Event) linesim.Event {
		return w.platform.TextIn(s, "ランチ 900")
	}},
	{"edit", func(w *world, s linesim.Source, _ linesim.Event) linesim.Event {
		return w.platform.Edited(w.platform.TextIn(s, "ランチ 900"), "ランチ 950")
	}},
	{"unsend held", func(w *world, s linesim.Source, said linesim.Event) linesim.Event {
		said.Source = s
		return w.platform.Unsend(said)
	}},
	{"unsend unknown", func(w *world, s linesim.Source, _ linesim.Event) linesim.Event {
		return w.platform.Unsend(w.platform.TextIn(s, "ランチ 900"))
	}},
	{"tap", func(w *world, s linesim.Source, said linesim.Event) linesim.Event {
		return w.platform.Postback(s, w.operation("undo", said), nil)
	}},
	{"code", func(w *world, s linesim.Source, _ linesim.Event) linesim.Event { return w.platform.TextIn(s, w.code()) }},
	{"follow", func(w *world, s linesim.Source, _ linesim.Event) linesim.Event {
		e := w.platform.Follow(s.UserID, false)
		e.Source = s
		return e
	}},
}

func TestWhoIsHeard(t *testing.T) {
	for _, who := range people {
		for _, where := range []string{"alone", "family", "public"} {
			cell := who.name + " " + where
			for i, what := range trialEvents {
				want := strings.Fields(heard[cell])[i]
				t.Run(cell+" "+what.name, func(t *testing.T) {
					inBubble(t, func(w *world) {
						w.allow = []string{taro, family}
						said := w.say("本 1500")
						who.become(w)
						w.run()
						w.pass(time.Minute)
						person := hanako
						if who.name == "nobody" {
							person = ""
						}
						source := map[string]linesim.Source{
							"alone": linesim.User(person), "family": linesim.Group(family, person), "public": linesim.Group(public, person),
						}[where]
						if got := w.cameTo(what.make(w, source, said)); got != want {
							t.Errorf("%s, want %s", got, want)
						}
					})
				})
			}
		}
	}
}

// cameTo delivers the event and says what it came to.
func (w *world) cameTo(e linesim.Event) string {
	before, told := w.receipts(), len(w.platform.BotTexts(e.Source.Chat()))
	w.deliver(e)
	w.pass(time.Second)
	receipts := w.receipts() - before
	said := w.platform.BotTexts(e.Source.Chat())[told:]
	switch {
	case receipts == 0 && len(said) == 0:
		return none
	case receipts == 0 && len(said) == 1 && (said[0] == bot.Stranger || said[0] == bot.WelcomeBack):
		return asked
	case receipts == 1 && len(said) == 0:
		return quiet
	case receipts == 1 && len(said) == 1 && strings.Contains(said[0], "参加しました"):
		return joins
	case receipts == 1 && len(said) == 1 && said[0] != bot.Stranger:
		return done
	}
	return fmt.Sprintf("%d receipts, %q", receipts, said)
}

func (w *world) update(fn func(*store.Tx) error) {
	w.t.Helper()
	if err := w.store.Update(w.t.Context(), fn); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) view(fn func(*store.Tx) error) {
	w.t.Helper()
	if err := w.store.View(fn); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) join(person string) {
	w.update(func(tx *store.Tx) error {
		_, err := tx.Join(person, "")
		return err
	})
}

// code makes a joining code.
func (w *world) code() (code string) {
	w.update(func(tx *store.Tx) (err error) {
		code, err = tx.NewInvite()
		return err
	})
	return code
}

func (w *world) receipts() (n int) {
	w.view(func(tx *store.Tx) error {
		return tx.Receipts(1, func(*store.Receipt) error {
			n++
			return nil
		})
	})
	return n
}

// operation is the data of a button under the answer to the message.
func (w *world) operation(verb string, message linesim.Event) string {
	w.t.Helper()
	r, _, err := w.store.Lookup(Scope, message.ID)
	if err != nil || len(r.Nonce) == 0 {
		w.t.Fatalf("receipt %+v, %v", r, err)
	}
	return fmt.Sprintf("%s:%d:%x", verb, r.Number, r.Nonce)
}

// member returns what the file knows of the person.
func (w *world) member(person string) (m store.Member) {
	w.view(func(tx *store.Tx) (err error) {
		m, _, err = tx.MemberByPerson(person)
		return err
	})
	return m
}

// Taking something back in a group makes nobody a member.
func TestUnsendingMakesNoMember(t *testing.T) {
	w := newWorld(t)
	w.allow = []string{family}
	w.deliver(w.platform.Unsend(w.platform.GroupText(family, hanako, "おいしかった")))
	if m := w.member(hanako); m.ID != 0 {
		t.Errorf("a member: %+v", m)
	}
}

// A remark leaves nothing in the file, not even of who made it.
func TestRemarkLeavesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.allow = []string{family}
		w.run()
		w.deliver(w.platform.GroupText(family, hanako, "今日は寒いね"), w.platform.GroupText(family, "", "そうだね"))
		w.pass(time.Minute)
		if m := w.member(hanako); m.ID != 0 || w.receipts() != 0 || len(w.platform.BotTexts(family)) != 0 {
			t.Errorf("member %+v, %d receipts, answers %q", m, w.receipts(), w.platform.BotTexts(family))
		}
		if n := w.door.Counts().Ignored.Load(); n != 2 {
			t.Errorf("%d ignored, want 2", n)
		}
		w.close()
	})
}
