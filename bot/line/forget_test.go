package line

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ichido/internal/talk"
	"ichido/store"
)

// secretTalks are talks in which something is said with the word ヒミコ, in all ways in
// which that can get into the file, and unsent in the end.
var secretTalks = map[string]string{
	"record":                         "太郎> ヒミコ 850\n太郎 unsends",
	"question":                       "太郎> ヒミコ 1,50\n太郎 unsends",
	"question settled by a button":   "太郎> ヒミコ 1,50\n太郎 presses> 150円\n太郎 unsends",
	"question settled by others":     "太郎@家族 mentions> ヒミコ 1,50\n花子@家族 presses> 150円\n花子@家族 presses> →娯楽\n太郎@家族 unsends",
	"question settled by words":      "太郎> ヒミコ 1,50\n太郎> 150\n太郎 unsends \"ヒミコ\"",
	"answer":                         "太郎> 500\n太郎> ヒミコ\n太郎 unsends",
	"answer to a second question":    "太郎> PayPay 500\n太郎 presses> 買ったもの\n太郎> ヒミコ\n太郎 unsends",
	"second question":                "太郎> ヒミコ 3000 割り勘\n太郎 presses> 2人\n太郎 unsends",
	"third question":                 "太郎> ヒミコ 3000 割り勘\n太郎 presses> 2人\n太郎 presses> 家族で 3,000円\n太郎 unsends",
	"item of the ledger, alone":      "太郎> ヒミコ 850\n太郎> ヒミコ\n太郎> 900\n太郎 unsends \"ヒミコ\"\n太郎 unsends \"ヒミコ\"",
	"edited question":                "太郎@家族 mentions> ヒミコ 1,50\n太郎@家族 edits> ヒミコ 2,50\n太郎@家族 unsends",
	"edited answer":                  "太郎@家族 mentions> 500\n太郎@家族 mentions> ヒミコ\n太郎@家族 edits> ヒミコさん\n太郎@家族 unsends",
	"edited away":                    "太郎@家族> ヒミコ 850\n太郎@家族 edits> ランチ 850\n太郎@家族 unsends",
	"corrected":                      "太郎> ヒミコ 850\n太郎> ヒミコを950円に\n太郎> 取消\n太郎> 元に戻す\n太郎 unsends \"ヒミコ\"\n太郎 unsends \"ヒミコ\"",
	"corrected before the edit":      "太郎@家族> ランチ 850\n太郎@家族(12:05) mentions> 訂正 950\n太郎@家族(12:04) edits \"ランチ\"> ヒミコ 900\n太郎@家族 unsends \"ヒミコ\"",
	"correction of nothing":          "太郎> ヒミコを950円に\n太郎 unsends",
	"correction that is asked about": "太郎> ランチ 850\n太郎(14:30)> ヒミコは950円だった\n太郎 unsends",
	"new item that is asked about":   "太郎> ランチ 850\n太郎(14:30)> さっきのはヒミコだった\n太郎 unsends",
	"taught":                         "太郎> ヒミコは娯楽\n太郎 unsends",
	"taught, listed":                 "太郎> ヒミコは娯楽\n花子> 辞書\n太郎 unsends",
	"taught twice, and forgotten":    "太郎> ヒミコは娯楽\n太郎> 取消\n太郎> 元に戻す\n花子> ヒミコは交際費\n花子> 辞書 ヒミコ 削除\n花子 unsends \"辞書\"\n花子 unsends\n太郎 unsends \"ヒミコ\"",
	"taught by a button":             "太郎> ヒミコ 850\n太郎 presses> →娯楽\n花子> 辞書\n太郎 unsends",
	"taught by a correction":         "太郎> ヒミコ 850\n太郎> 娯楽に変えて\n花子> 辞書\n太郎 unsends \"ヒミコ\"",
	"searched":                       "太郎> ヒミコ 検索\n太郎 unsends",
	"listed":                         "太郎> ヒミコ 850\n花子> 一覧\n花子> 検索 ヒミ\n花子> ヒミコはいくら\n太郎 unsends\n花子 unsends\n花子 unsends",
	"undone by its name":             "太郎> ヒミコ 850\n太郎> 取消 ヒミコ\n太郎> 取消 ヒミコ\n太郎 unsends\n太郎 unsends\n太郎 unsends",
	"budget of what is no category":  "太郎> 予算 ヒミコ 500\n太郎 unsends",
	"word that nobody has taught":    "太郎> 辞書 ヒミコ 削除\n太郎 unsends",
	"names that can't be":            "太郎> カテゴリ 追加 ヒミコ12\n太郎> 口座 追加 ヒミコ12\n太郎> カテゴリ 名前変更 ヒミコ 食べ物\n太郎 unsends\n太郎 unsends\n太郎 unsends",
	"talk":                           "太郎> ヒミコさんは元気です\n太郎 unsends",
}

// After a message is unsent, nothing in the file has its text, whatever came of it:
// questions and their buttons, answers, corrections, taught words, lists that are still
// to be said or were said.
func TestUnsentTextIsForgotten(t *testing.T) {
	for name, script := range secretTalks {
		for _, busy := range []string{"", "LINE is busy\n"} {
			if busy != "" && strings.Contains(script, "presses") {
				continue // there are no buttons to press
			}
			t.Run(name+" "+strings.TrimSpace(busy), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					w := playOut(t, "# 2026-11-30 12:00\nallow 家族\njoin 太郎 太郎\njoin 花子 花子\n"+busy+script+"\n")
					if w.fileHolds("ヒミ") {
						t.Error("the text is in the file")
					}
					w.wantNoDigests()
					w.close()
				})
			})
		}
	}
}

// playOut has the talk and returns its world.
func playOut(t *testing.T, script string) *world {
	w := newWorld(t)
	s := &scene{world: w, stage: talk.NewStage(w.platform), allowed: make(map[string]bool)}
	w.door.admit = func(id string) bool { return s.allowed[id] }
	var out strings.Builder
	if err := talk.Play(&out, script, tokyo, time.Now(), s); err != nil {
		t.Fatal(err, out.String())
	}
	t.Log(out.String())
	return w
}

// wantNoDigests wants no digest to be left of a button that answered a question about a
// message that was unsent: it covers what was asked.
func (w *world) wantNoDigests() {
	w.t.Helper()
	w.view(func(tx *store.Tx) error {
		return tx.Receipts(1, func(r *store.Receipt) error {
			if r.Answers == 0 {
				return nil
			}
			question, err := tx.ReceiptByNumber(r.Answers)
			if question.Asked == "" && r.MessageID == "" && len(r.Digest) > 0 {
				w.t.Errorf("receipt %d has a digest", r.Number)
			}
			return err
		})
	})
}
