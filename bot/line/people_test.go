package line

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"ichido/bot"
	"ichido/internal/linesim"
	"ichido/store"
)

func (w *world) follow(person string) {
	w.t.Helper()
	w.deliver(w.platform.Follow(person, true))
	w.pass(time.Second)
}

// Whom the configuration names is back at once after a block; who came by a code
// needs another one. The rows stay.
func TestBlockedAndBack(t *testing.T) {
	for name, c := range map[string]struct {
		code bool
		back string // what the person hears
	}{
		"by the configuration": {false, "家計簿の「一度」です"},
		"by a code":            {true, bot.WelcomeBack},
	} {
		t.Run(name, func(t *testing.T) {
			inFamily(t, func(w *world) {
				if c.code {
					w.allow = nil
					w.join(taro)
				}
				w.say("ランチ 900")
				w.pass(time.Minute)
				w.deliver(w.platform.Unfollow(taro))
				w.pass(time.Minute)
				w.follow(taro)
				w.wantLast(taro, c.back)
				w.say("カフェ 480")
				w.pass(time.Second)
				if !c.code {
					w.wantRows("ランチ 900", "カフェ 480")
					return
				}
				w.wantRows("ランチ 900")
				w.say(w.code())
				w.pass(time.Second)
				w.say("夕食 2000")
				w.wantRows("ランチ 900", "夕食 2000")
			})
		})
	}
}

// An older block that LINE tells of late does not end what a newer follow began;
// what was said before a block is recorded, whenever it comes.
func TestBlocksOutOfOrder(t *testing.T) {
	inFamily(t, func(w *world) {
		w.allow = nil
		w.join(hanako)
		w.pass(time.Minute)
		said := w.platform.Text(hanako, "ランチ 900")
		w.pass(time.Second)
		block := w.platform.Unfollow(hanako)
		w.pass(time.Minute)
		w.follow(hanako)
		w.deliver(block)
		w.deliver(w.platform.Text(hanako, "カフェ 480"))
		w.wantRows("カフェ 480")
		w.pass(time.Minute)
		w.deliver(w.platform.Unfollow(hanako))
		w.deliver(said)
		w.wantRows("カフェ 480", "ランチ 900")
	})
}

// After a block nothing more is pushed, and what was to be said is not named later.
func TestBlockStopsPushes(t *testing.T) {
	inFamily(t, func(w *world) {
		w.fail(linesim.NotAccepted(400, linesim.MessageReplyToken), linesim.NotAccepted(429, ""))
		w.say("ランチ 900")
		w.pass(500 * time.Millisecond)
		w.wantOutbox("1 pending")
		w.deliver(w.platform.Unfollow(taro))
		w.wantOutbox("1 expired")
		w.pass(time.Hour)
		if n := w.pushes(); n != 1 {
			t.Errorf("%d pushes, want the one before the block", n)
		}
		w.follow(taro)
		if text := w.lastSaid(taro); strings.Contains(text, "※") || text == "" {
			t.Errorf("the person hears %q", text)
		}
	})
}

// When the bot is removed from a group, what waits for it ends. Word of an older
// removal changes nothing.
func TestRemovedFromGroup(t *testing.T) {
	inFamily(t, func(w *world) {
		older := w.platform.Leave(of(""))
		w.pass(time.Minute)
		w.deliver(w.platform.Join(of("")))
		w.pass(time.Minute)
		w.platform.SetFault(func(*http.Request) linesim.Fault { return linesim.NotAccepted(429, "") })
		w.tell(hanako, "ランチ 900")
		w.deliver(older)
		w.pass(time.Second)
		w.wantOutbox("2 pending")
		w.deliver(w.platform.Leave(of("")))
		w.pass(time.Second)
		w.wantOutbox("2 expired")
		w.platform.SetFault(nil)
		w.pass(time.Hour)
		w.wantRows("ランチ 900")
		if got := w.platform.BotTexts(family); len(got) != 1 {
			t.Errorf("the group hears %q", got)
		}
		w.tell(hanako, "カフェ 480") // somebody has let it in again
		w.wantLast(family, "カフェ 480円")
	})
}

// Who leaves an allowed group is no member by it any more; whom the configuration
// names is.
func TestPeopleLeave(t *testing.T) {
	inFamily(t, func(w *world) {
		w.join(other)
		w.tell(hanako, "ランチ 900")
		w.say("カフェ 480")
		w.pass(time.Minute)
		w.deliver(w.platform.MemberLeft(linesim.Group(public, ""), other))
		if !w.member(other).Left.IsZero() {
			t.Error("leaving some other group is leaving the household")
		}
		w.deliver(w.platform.MemberLeft(of(""), hanako, taro, other, linesim.UserID("unknown")))
		for person, here := range map[string]bool{hanako: false, taro: true, other: false} {
			if m := w.member(person); m.Active() != here {
				t.Errorf("%+v", m)
			}
		}
		w.deliver(w.platform.Text(other, "本 1500"))
		w.wantRows("ランチ 900", "カフェ 480")
		w.pass(time.Minute)
		w.deliver(w.platform.MemberJoined(of(""), hanako))
		w.tell(hanako, "夕食 2000")
		w.wantRows("ランチ 900", "カフェ 480", "夕食 2000")
	})
}

// Names come from the profiles after the first event, each once, and two of the same
// are told apart.
func TestNames(t *testing.T) {
	inFamily(t, func(w *world) {
		w.platform.SetProfile(hanako, "太郎\u200b ")
		w.platform.SetProfile(other, " 次郎\nJr.")
		w.say("ランチ 900")
		w.pass(time.Second)
		w.tell(hanako, "カフェ 480")
		w.deliver(w.platform.TextIn(linesim.Room(room, other), "電車 320"))
		w.pass(time.Second)
		for person, want := range map[string]string{taro: "太郎", hanako: "太郎B", other: "次郎 Jr."} {
			if m := w.member(person); m.Name != want || m.Named {
				t.Errorf("%+v, want the name %q", m, want)
			}
		}
		w.say("名前 たろう")
		w.say("本 1500")
		w.pass(time.Minute)
		if m := w.member(taro); m.Name != "たろう" {
			t.Errorf("%+v", m)
		}
		w.wantCalls("/v2/bot/profile/"+taro, 1)
		w.wantCalls("/v2/bot/group/"+family+"/member/"+hanako, 1)
		w.wantCalls("/v2/bot/room/"+room+"/member/"+other, 1)
	})
}

// The profile is asked for again at a later event, but not within ten minutes, and
// nobody waits for it.
func TestProfileFails(t *testing.T) {
	inFamily(t, func(w *world) {
		w.faultOf("/profile/"+taro, linesim.NotAccepted(500, ""))
		for range 19 {
			w.say("ランチ 900")
			w.pass(time.Minute)
		}
		w.wantCalls("/profile/"+taro, 2)
		if n := len(w.platform.BotTexts(taro)); n != 19 {
			t.Errorf("%d answers, want 19", n)
		}
		w.platform.SetFault(nil)
		w.pass(time.Minute)
		w.say("ランチ 900")
		w.pass(time.Second)
		if m := w.member(taro); m.Name != "太郎" {
			t.Errorf("%+v", m)
		}
	})
}

// A slow profile delays neither the webhook nor the answer, and ends with the door.
func TestProfileIsSlow(t *testing.T) {
	inFamily(t, func(w *world) {
		w.platform.SetFault(func(r *http.Request) linesim.Fault {
			if strings.Contains(r.URL.Path, "/profile/") {
				return linesim.Slow(time.Hour)
			}
			return linesim.Fault{}
		})
		began := time.Now()
		for i := range 50 {
			person := linesim.UserID(fmt.Sprint("user", i))
			w.allow = append(w.allow, person)
			w.deliver(w.platform.Text(person, "ランチ 900"))
		}
		if took := time.Since(began); took != 0 {
			t.Errorf("the webhooks took %v", took)
		}
		w.pass(time.Second)
		if n := w.calls("/reply"); n != 50 {
			t.Errorf("%d answers, want 50", n)
		}
		began = time.Now()
		w.stop()
		if took := time.Since(began); took > callTimeout {
			t.Errorf("the end took %v", took)
		}
		asked := 0
		for _, c := range w.platform.Calls() {
			if strings.Contains(c.Path, "/profile/") {
				asked++
			}
		}
		if asked != maxQuestions {
			t.Errorf("%d profiles asked for at once, want %d", asked, maxQuestions)
		}
	})
}

// Notices go to the owner, whoever that is, and to nobody if he is not there.
func TestOwnerIsTold(t *testing.T) {
	for name, c := range map[string]struct {
		owner  func(tx *store.Tx) error
		person string // "" is nobody
	}{
		"the first to join": {func(*store.Tx) error { return nil }, taro},
		"somebody else":     {func(tx *store.Tx) error { return tx.SetOwner(must(tx.Join(hanako, "")).ID) }, hanako},
		"one who was removed": {func(tx *store.Tx) error {
			return tx.Remove(must(tx.Join(taro, "")).ID)
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				w.say("カフェ 480")
				w.update(c.owner)
				w.notify(noticeParked, bot.ParkedNotice.In(bot.Japanese))
				w.run()
				w.pass(time.Minute)
				for _, person := range []string{taro, hanako} {
					if told := strings.Contains(strings.Join(w.platform.BotTexts(person), "\n"), bot.ParkedNotice.In(bot.Japanese)); told != (person == c.person) {
						t.Errorf("%s was told: %t", w.member(person).Name, told)
					}
				}
			})
		})
	}
}

// However many keys there are, a limiter remembers few.
func TestLimiter(t *testing.T) {
	r := limiter{every: time.Hour}
	now := time.Now()
	var wg sync.WaitGroup
	for i := range 4 * maxRemembered {
		wg.Go(func() { r.allow(fmt.Sprint(i), now) })
	}
	wg.Wait()
	if n := len(r.last); n != maxRemembered {
		t.Errorf("%d remembered, want %d", n, maxRemembered)
	}
	if r.allow("new", now.Add(time.Hour-1)) || !r.allow("new", now.Add(time.Hour)) || r.allow("new", now.Add(2*time.Hour-1)) {
		t.Error("not once an hour")
	}
	if n := len(r.last); n != 1 {
		t.Errorf("%d remembered, want 1", n)
	}
}
