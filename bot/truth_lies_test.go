package bot

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ichido/internal/ledger"
	"ichido/store"
)

// TestTruthFindsLies spoils true answers in all ways that a program may get them
// wrong. A spoiled answer that is taken for true is a hole in the check.
func TestTruthFindsLies(t *testing.T) {
	texts := grammarMessages(t)
	spoiled := 0
	for seed := range uint64(max(2, *conversations/10)) {
		f := newFamily(t, 1000+seed, texts)
		f.hearer = func(before, after *world, r store.Receipt, e happening, reply Reply) {
			for _, lie := range lies(reply.Text(), after) {
				spoiled++
				if hear(before, after, r, e.text, e.what == Tapped, lie) == nil {
					t.Errorf("after %q\n%s\nthis was taken for true:\n%s", e.text, reply.Text(), lie)
				}
			}
			if changesSomething(r, before) && reply.Text() != "" && hear(after, after, r, e.text, e.what == Tapped, reply.Text()) == nil {
				t.Errorf("after %q this is true without any change:\n%s", e.text, reply.Text())
			}
		}
		for range 60 {
			f.step()
		}
	}
	if spoiled < 500 {
		t.Errorf("only %d answers were spoiled", spoiled)
	}
}

// changesSomething says whether the receipt changed what is no withdrawn row.
func changesSomething(r store.Receipt, before *world) bool {
	return slices.ContainsFunc(r.Changes, func(c ledger.Change) bool {
		was := before.row(c.After.ID)
		return there(was) || !c.After.Withdrawn
	})
}

// factRE finds what can be spoiled: an amount, a number, a day of the week, a name.
var factRE = regexp.MustCompile(`\d+|\([日月火水木金土]\)|▇+|[＋－±]|太郎|花子|カード|PayPay|Suica|食費|娯楽|交際費|日用品|交通費|その他|収入|推し活|オタ活|ペット|へそくり|スーパー|ランチ|お茶|返金|` +
	`最初|少ない|多い|足りない|足りません|残り|超えています|より|と同じ|取り消しました|元に戻しました|今月|先月|今日|（途中）|あと|の推移|編集|訂正`)

var otherwise = map[string]string{
	"太郎": "花子", "花子": "太郎", "カード": "PayPay", "PayPay": "Suica", "Suica": "カード", "食費": "娯楽", "娯楽": "食費", "交際費": "衣服", "日用品": "住居費",
	"交通費": "食費", "その他": "食費", "収入": "支出", "推し活": "食費", "オタ活": "食費", "ペット": "食費", "へそくり": "カード", "スーパー": "ランチ", "ランチ": "スーパー", "お茶": "本",
	"返金": "入金", "最初": "最後", "少ない": "多い", "多い": "足りない", "足りない": "多い", "足りません": "足ります", "残り": "", "超えています": "余っています",
	"より": "と", "と同じ": "より多い", "取り消しました": "元に戻しました", "元に戻しました": "取り消しました", "今月": "先月", "先月": "今月", "今日": "昨日",
	"（途中）": "", "あと": "", "の推移": "の合計", "＋": "－", "－": "＋", "±": "＋", "編集": "訂正", "訂正": "編集",
}

// lies gives the answer with one fact after the other spoiled, with a line left out
// and with one twice.
func lies(text string, w *world) (lies []string) {
	lines := strings.Split(text, "\n")
	with := func(i int, instead ...string) {
		spoiled := append(append(append([]string{}, lines[:i]...), instead...), lines[i+1:]...)
		lies = append(lies, strings.Join(spoiled, "\n"))
	}
	for i, line := range lines {
		if !saysFact(line, w) {
			continue
		}
		for _, at := range factRE.FindAllStringIndex(line, -1) {
			fact := line[at[0]:at[1]]
			if strings.Contains(text, "…ほかに") && !strings.ContainsAny(fact, "0123456789") {
				continue // it may be so of a row that is not shown
			}
			if strings.HasSuffix(line[:at[0]], "受付 ") && w.meanSame(fact, spoil(fact)) {
				continue
			}
			with(i, line[:at[0]]+spoil(fact)+line[at[1]:])
		}
		if needed(line) && len(lines) > 1 && !(strings.HasPrefix(lines[0], "ど") && len(lines) > 3) {
			with(i)
		}
		if !strings.HasPrefix(line, "「") {
			with(i, line, line)
		}
	}
	return lies
}

// meanSame says whether both numbers mean some row.
func (w *world) meanSame(a, b string) bool {
	return slices.ContainsFunc(w.rows, func(r ledger.Row) bool { return w.named(a, r) && w.named(b, r) })
}

// spoil makes another fact of the same form.
func spoil(fact string) string {
	if instead, ok := otherwise[fact]; ok {
		return instead
	}
	if strings.HasPrefix(fact, "▇") {
		return fact + "▇"
	}
	if strings.HasPrefix(fact, "(") {
		days := []rune("日月火水木金土日")
		for i, day := range days {
			if strings.ContainsRune(fact, day) {
				return "(" + string(days[i+1]) + ")"
			}
		}
	}
	last := fact[len(fact)-1]
	return fact[:len(fact)-1] + fmt.Sprint((last-'0'+1)%10)
}

// saysFact says whether the line tells of the ledger, and not only how to use it or
// what was not understood.
func saysFact(line string, w *world) bool {
	h := &hearing{after: w}
	return h.fact(line) != "" && !strings.Contains(Japanese.helpText(), line) && !strings.HasPrefix(line, "「") && !strings.HasPrefix(line, "収入の予算") && !strings.Contains(line, "〜") && !strings.HasPrefix(line, "https") && !strings.Contains(line, "を取り消すなら「取消") && !strings.Contains(line, "招待コード")
}

// needed says whether an answer without the line is wrong.
func needed(line string) bool {
	return !regexp.MustCompile(`^あとから|^先月（|^その「|割った1人分|^（|^どこから|^※|という人は|^この24時間|^受付 .+に、|^もう|^設定|^家計簿に参加|^カードの引き落とし|^カテゴリは |｜ .+ → |^教えてもらった|ですか？|でしたか？|つけますか？|送ってください。$|^最後|^・.+：`).MatchString(line)
}
