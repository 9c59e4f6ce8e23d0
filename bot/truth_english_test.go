package bot

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ichido/internal/grammar"
	"ichido/store"
)

// TestEnglishFamilies has the random conversations of TestTruth with answers in English.
// Each answer must say the same figures and offer the same as in Japanese, where what it
// says is held to the truth, and what is pressed must come to the same.
func TestEnglishFamilies(t *testing.T) {
	texts := japaneseMessages(t)
	for seed := range max(2, *conversations/8) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			ja, en := newFamily(t, uint64(seed), texts), newFamily(t, uint64(seed), texts)
			en.prepare = func(tx *store.Tx) error { return setLanguages(tx, "en") }
			defer func() { // the store is held to its receipts
				en.prepare = func(tx *store.Tx) error { return setLanguages(tx, "") }
				en.submit(store.Request{Person: "taro"}, Message{Text: "ヘルプ", At: en.clock, Direct: true})
			}()
			for range 70 {
				ja.step()
				en.step()
				if len(ja.now.receipts) != len(en.now.receipts) || len(ja.buttons) != len(en.buttons) {
					t.Fatalf("%d receipts, in English %d; the buttons are %q and %q\n%s", len(ja.now.receipts), len(en.now.receipts), ja.reply.Buttons, en.reply.Buttons, ja.log[len(ja.log)-1])
				}
				varies := func(s string) bool { return strings.Contains(ja.reply.Text(), s) }
				if !varies("https://") && !varies("記録していません") { // a code; an example of what to send
					compareReplies(t, ja.reply, en.reply)
				}
				if err := checkParts(en.reply); err != nil {
					t.Error(err)
				}
				if t.Failed() {
					t.Fatal(ja.log[len(ja.log)-1], "\n", en.log[len(en.log)-1])
				}
			}
		})
	}
}

// japaneseMessages are those of the grammar's tables that leave the language as it is.
func japaneseMessages(t *testing.T) []string {
	return slices.DeleteFunc(grammarMessages(t), func(text string) bool {
		c := grammar.Parse(text, time.Time{})
		return c.Kind == grammar.Setting && c.Setting == "language"
	})
}
