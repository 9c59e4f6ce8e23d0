package line

import (
	"bytes"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"ichido/bot"
	"ichido/internal/linesim"
	"ichido/store"
)

// What is unsent ahead of its message is never recorded, in no order and not after
// a restart.
func TestUnsentAhead(t *testing.T) {
	inFamily(t, func(w *world) {
		message := w.platform.TextIn(of(hanako), "ランチ 900")
		w.pass(time.Second)
		edit := w.platform.Edited(message, "ランチ 950")
		w.pass(time.Second)
		unsend := w.platform.Unsend(message)
		w.deliver(unsend)
		w.deliver(edit, message)
		w.restart()
		w.deliver(message.Redelivered(), unsend.Redelivered())
		w.pass(time.Minute)
		w.wantRows()
		if got := w.platform.BotTexts(family); len(got) != 0 {
			t.Errorf("said %q", got)
		}
	})
}

// What a message recorded goes with it, and what the bot has still to say about it.
func TestUnsent(t *testing.T) {
	inFamily(t, func(w *world) {
		w.platform.SetFault(func(*http.Request) linesim.Fault { return linesim.NotAccepted(429, "") })
		message := w.tell(hanako, "ランチ 900")
		w.wantOutbox("1 pending")
		w.deliver(w.platform.Unsend(message))
		w.pass(time.Second)
		w.wantOutbox("1 expired")
		w.platform.SetFault(nil)
		w.tell(hanako, "カフェ 480")
		w.tell(hanako, "取消 1")
		w.tell(hanako, "元に戻す 1")
		w.wantRows("カフェ 480")
		if texts := strings.Join(w.platform.BotTexts(family), "\n"); strings.Contains(texts, "ランチ") {
			t.Errorf("said %q", texts)
		}
		if !w.fileHolds("カフェ") || w.fileHolds("ランチ") {
			t.Error("the text is in the file")
		}
		if strings.Contains(w.log.String(), "ランチ") {
			t.Error("the text is in the log")
		}
	})
}

// fileHolds says whether the text is anywhere in a compact copy of the file.
func (w *world) fileHolds(text string) bool {
	w.t.Helper()
	w.close()
	defer func() {
		w.open()
		w.run()
	}()
	if err := store.Compact(w.t.Context(), w.path, []string{"true"}); err != nil {
		w.t.Fatal(err)
	}
	return bytes.Contains(must(os.ReadFile(w.path)), []byte(text))
}

// An unsent message that could not be handled is forgotten, on the disk and in
// memory, whoever says so, and does not come back.
func TestUnsentWhileParked(t *testing.T) {
	for name, source := range map[string]linesim.Source{
		"by the sender":                 of(hanako),
		"by nobody":                     of(""),
		"where the bot does not listen": linesim.Group(public, taro),
		"by a stranger":                 linesim.User(other),
	} {
		t.Run(name, func(t *testing.T) {
			inFamily(t, func(w *world) {
				w.close()
				w.bot = bot.New(nil) // panics
				w.open()
				w.run()
				message := w.tell(hanako, "ランチ 900")
				edit := w.platform.Edited(message, "ランチ 950")
				w.deliver(edit)
				if parked := must(w.parked()); len(parked) != 2 {
					t.Fatalf("%d parked, want 2", len(parked))
				}
				unsend := w.platform.Unsend(message)
				unsend.Source = source
				w.deliver(unsend)
				if parked := must(w.parked()); len(parked) != 0 || len(w.door.parked.due) != 0 {
					t.Errorf("%d still parked, to be tried %d", len(parked), len(w.door.parked.due))
				}
				w.pass(time.Hour)
				w.deliver(message.Redelivered(), edit.Redelivered())
				if parked := must(w.parked()); len(parked) != 0 {
					t.Errorf("%d parked again", len(parked))
				}
				w.close()
				w.bot = bot.New(tokyo)
				w.open()
				w.run()
				w.pass(time.Hour)
				w.wantRows()
				if w.fileHolds("ランチ") {
					t.Error("the text is in the file")
				}
			})
		})
	}
}

// Each type of event is kept when it can't be handled, and handled once it can.
func TestEachTypeIsParked(t *testing.T) {
	inFamily(t, func(w *world) {
		w.join(other)
		said := w.tell(taro, "本 1500")
		w.pass(time.Minute)
		events := []linesim.Event{
			w.platform.TextIn(of(hanako), "ランチ 900"), w.platform.Edited(said, "本 1600"),
			w.platform.Postback(of(hanako), w.operation("undo", said), nil), w.platform.Text(hanako, w.code()),
			w.platform.Image(linesim.User(taro)), w.platform.Follow(taro, true), w.platform.Join(of("")),
		}
		w.close()
		w.bot = nil // panics in all that is for the bot
		w.open()
		w.run()
		w.deliver(events...)
		if parked := must(w.parked()); len(parked) != len(events) {
			t.Errorf("%d parked, want %d", len(parked), len(events))
		}
		w.close()
		w.bot = bot.New(tokyo)
		w.open()
		w.run()
		w.pass(time.Minute)
		if parked := must(w.parked()); len(parked) != 0 {
			t.Errorf("still parked: %+v", parked)
		}
		w.wantRows("ランチ 900")
		for chat, n := range map[string]int{family: 5, taro: 2, hanako: 1} {
			if texts := w.platform.BotTexts(chat); len(texts) != n {
				t.Errorf("said %q, want %d answers", texts, n)
			}
		}
	})
}

// A parked event of somebody who is not heard any more is forgotten, of each type.
func TestParkedOfFormerPeople(t *testing.T) {
	inFamily(t, func(w *world) {
		w.join(hanako)
		said := w.tell(hanako, "本 1500")
		w.close()
		w.bot = nil
		w.open()
		w.run()
		w.deliver(
			w.platform.Text(hanako, "ランチ 900"), w.platform.TextIn(of(hanako), "夕食 900"), w.platform.Edited(said, "本 1600"),
			w.platform.TextIn(of(other), "カフェ 480"), w.platform.Postback(linesim.User(hanako), w.operation("undo", said), nil),
		)
		if parked := must(w.parked()); len(parked) != 5 {
			t.Fatalf("%d parked, want 5", len(parked))
		}
		w.close()
		w.bot, w.allow = bot.New(tokyo), []string{taro}
		w.open()
		w.update(func(tx *store.Tx) error { return tx.Remove(must(tx.Join(hanako, "")).ID) })
		w.run()
		w.pass(time.Minute)
		if parked := must(w.parked()); len(parked) != 0 {
			t.Errorf("still parked: %+v", parked)
		}
		w.wantRows("本 1500")
	})
}
