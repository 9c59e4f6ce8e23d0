package store_test

import (
	"errors"
	"testing"
	"time"

	"ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

// ask is an event that asks back about its message.
func ask(text string) func(*store.Tx) error {
	return func(tx *store.Tx) error { return tx.Ask("chat", text) }
}

// wantOpen says which question the person has open in the chat at the time.
func wantOpen(t *testing.T, s *store.Store, person, chat string, at time.Time, want ledger.ReceiptNumber) {
	t.Helper()
	req := store.Request{Scope: "test", At: at, Person: person, Admit: true}
	storetest.Submit(t, s, req, func(tx *store.Tx) error {
		r, err := tx.OpenQuestion(chat)
		var got ledger.ReceiptNumber
		if r != nil {
			got = r.Number
		}
		if got != want || err != nil {
			t.Errorf("question %d is open for %s in %q at %s (%v), want %d", got, person, chat, at, err, want)
		}
		return nil
	})
}

func heardFrom(person string, at time.Time) store.Request {
	return store.Request{Scope: "test", At: at, Person: person, Admit: true}
}

// A question is open for ten minutes, for who was asked, where he was asked.
func TestOpenQuestion(t *testing.T) {
	s := storetest.New(t)
	storetest.Submit(t, s, heardFrom("U1", after(0)), ask("500")) // 1
	for _, c := range []struct {
		person, chat string
		at           time.Time
		want         ledger.ReceiptNumber
	}{
		{"U1", "chat", after(0), 1}, {"U1", "chat", after(10), 1},
		{"U1", "chat", after(10).Add(time.Millisecond), 0}, {"U1", "chat", after(0).Add(-time.Millisecond), 0},
		{"U2", "chat", after(1), 0}, {"U1", "other", after(1), 0},
	} {
		wantOpen(t, s, c.person, c.chat, c.at, c.want)
	}
	newer, _ := storetest.Submit(t, s, heardFrom("U1", after(2)), ask("600"))
	storetest.Submit(t, s, heardFrom("U1", after(1)), ask("arrives late"))
	wantOpen(t, s, "U1", "chat", after(5), newer.Number)
	storetest.Submit(t, s, heardFrom("U1", after(3)), func(tx *store.Tx) error { return tx.CloseQuestion("chat") })
	wantOpen(t, s, "U1", "chat", after(5), 0)
	nobody := store.Request{Scope: "test", At: after(6), Admit: true}
	storetest.Submit(t, s, nobody, ask("700"))
	storetest.Submit(t, s, nobody, func(tx *store.Tx) error {
		if r, err := tx.OpenQuestion("chat"); r != nil || err != nil {
			t.Errorf("somebody whom nobody knows has the question %v, %v", r, err)
		}
		return nil
	})
}

// What an answer records belongs to the message that was asked about and to its own:
// it goes with either.
func TestUnsendQuestionOrAnswer(t *testing.T) {
	for _, unsent := range []string{"question", "answer"} {
		s := storetest.New(t)
		storetest.Submit(t, s, storetest.Said("question", "", after(0)), ask("500"))
		storetest.Submit(t, s, storetest.Said("answer", "", after(1)), func(tx *store.Tx) error {
			question, err := tx.OpenQuestion("chat")
			return errors.Join(err, tx.Answers(question), storetest.Hear("ランチ")(tx))
		})
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		if rows := storetest.Rows(t, s); len(rows) != 1 {
			t.Fatalf("recorded %q", rows)
		}
		storetest.Submit(t, s, storetest.Unsent(unsent, after(2)), storetest.Hear())
		if sum := storetest.Balance(t, s); sum != 0 {
			t.Errorf("after the %s is unsent %d are left", unsent, sum)
		}
		if err := s.Check(); err != nil {
			t.Errorf("%s: %v", unsent, err)
		}
		wantOpen(t, s, storetest.Taro, "chat", after(3), map[string]ledger.ReceiptNumber{"answer": 1}[unsent])
	}
}

// Buttons of a question are used up by an answer in words.
func TestUseUp(t *testing.T) {
	s := storetest.New(t)
	var button string
	r, _ := storetest.Submit(t, s, lunch("a"), func(tx *store.Tx) (err error) {
		button, err = sealed(tx, "choose", ":x")
		return err
	})
	plain, _ := storetest.Submit(t, s, lunch("b"), storetest.RecordLunch)
	storetest.Submit(t, s, lunch("c"), func(tx *store.Tx) error { return errors.Join(tx.UseUp("choose", &r), tx.UseUp("choose", &plain)) })
	storetest.Submit(t, s, lunch("d"), func(tx *store.Tx) error {
		if _, _, state, err := tx.Consume(button); state != store.UsedOperation || err != nil {
			t.Errorf("the button is %v, %v", state, err)
		}
		return nil
	})
}

// What was asked can be used up though no button was under it.
func TestUseUpAQuestionWithoutButtons(t *testing.T) {
	s := storetest.New(t)
	question, _ := storetest.Submit(t, s, lunch("a"), func(tx *store.Tx) error { return tx.Ask("chat", "ランチ") })
	storetest.Submit(t, s, lunch("b"), func(tx *store.Tx) error { return tx.UseUp("choose", &question) })
	storetest.Submit(t, s, lunch("c"), func(tx *store.Tx) error {
		if used, err := tx.Used("choose", &question); !used || err != nil {
			t.Errorf("it is used up: %t, %v", used, err)
		}
		return nil
	})
}
