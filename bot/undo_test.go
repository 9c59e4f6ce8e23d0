package bot

import (
	"strings"
	"testing"
	"time"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
	"ichido/store"
)

// TestRedoByNumber brings back what is named by its own number or by that of
// the 取消, once, and nothing else.
func TestRedoByNumber(t *testing.T) {
	k := newTalk(t)
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, tokyo)
	for i, text := range []string{"ランチ 900", "取消", "お茶 150", "取消"} {
		k.say("taro", text, at.Add(time.Duration(i)*time.Minute), true)
	}
	at = at.Add(time.Hour)
	tests := []struct {
		number       string
		lunch, tea   bool // whether the rows 1 and 3 stand afterwards
		nothingToSay bool
	}{
		{number: "1", lunch: true},
		{number: "1", lunch: true, nothingToSay: true},
		{number: "2", lunch: true, nothingToSay: true},
		{number: "4", lunch: true, tea: true},
		{number: "99", lunch: true, tea: true, nothingToSay: true},
	}
	for _, test := range tests {
		var reply Reply
		req := store.Request{Scope: "talk", At: at, Person: "taro", Admit: true}
		_, _, err := k.store.Submit(t.Context(), req, func(tx *store.Tx) (err error) {
			cmd := grammar.Command{Kind: grammar.Redo, Receipt: test.number}
			reply, err = k.bot.turn(tx, Message{At: at, Direct: true, cmd: &cmd}).run()
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if nothing := reply.Text() == Japanese.text(nothingToRedo) || strings.HasPrefix(reply.Text(), "もう"); nothing != test.nothingToSay {
			t.Errorf("%s: %s", test.number, reply.Text())
		}
		if k.stands(1) != test.lunch || k.stands(3) != test.tea {
			t.Errorf("%s: lunch stands: %v, tea: %v", test.number, k.stands(1), k.stands(3))
		}
	}
}

func (k *conversation) stands(receipt ledger.ReceiptNumber) (stands bool) {
	k.t.Helper()
	err := k.store.View(func(tx *store.Tx) error {
		row, err := tx.Row(ledger.RowID{Receipt: receipt})
		if err == nil {
			stands = !row.Voided
		}
		return err
	})
	if err != nil {
		k.t.Fatal(err)
	}
	return stands
}
