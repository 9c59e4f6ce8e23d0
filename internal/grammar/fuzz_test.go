package grammar

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"ichido/internal/ledger"
)

// What FuzzParse checks of any text holds for those of the tables.
func TestEveryCommandIsSound(t *testing.T) {
	t.Parallel()
	for _, c := range parsed(t) {
		checkCommand(t, c)
	}
}

// A part of the tables is where the fuzzer begins: with all of them it would spend its
// first minute on nothing else. They are checked by tests of their own.
func FuzzParse(f *testing.F) {
	for i, text := range corpus(f) {
		if i%20 == 0 {
			f.Add(text)
		}
	}
	f.Add("\xff\x00ランチ 900")
	f.Fuzz(func(t *testing.T, text string) {
		c := Parse(text, testNow)
		checkCommand(t, c)
		if utf8.ValidString(text) {
			checkSame(t, text, untyped(c), variants(text))
			checkWritten(t, c)
		}
	})
}

// checkCommand checks what every command must hold, whatever was typed.
func checkCommand(t *testing.T, c Command) {
	t.Helper()
	if c.Kind == "" {
		t.Errorf("%q: no kind", c.Text)
	}
	if c.Kind == Ask && c.Reason == "" {
		t.Errorf("%q: asks without a reason", c.Text)
	}
	if c.Kind == Record && len(c.Entries) == 0 {
		t.Errorf("%q: a record without entries", c.Text)
	}
	if len(c.Entries) > 0 && c.Kind != Record && c.Kind != Recurring {
		t.Errorf("%q: %s with entries", c.Text, c.Kind)
	}
	if c.HasAmount && (c.Amount < 0 || c.Amount > ledger.MaxAmount) {
		t.Errorf("%q: amount %d", c.Text, c.Amount)
	}
	checkDate(t, c.Text, c.Date, true)
	for _, e := range c.Entries {
		checkEntry(t, c.Text, e)
	}
	if printed, err := json.Marshal(c); err != nil || !utf8.Valid(printed) {
		t.Errorf("%q: prints %q, %v", c.Text, printed, err)
	}
}

func checkEntry(t *testing.T, text string, e Entry) {
	t.Helper()
	if e.Amount < 1 || e.Amount > ledger.MaxAmount {
		t.Errorf("%q: amount %d", text, e.Amount)
	}
	if strings.TrimSpace(e.Item) == "" || !utf8.ValidString(e.Item) {
		t.Errorf("%q: item %q", text, e.Item)
	}
	if e.Type < ledger.Expense || e.Type > ledger.Transfer {
		t.Errorf("%q: type %v", text, e.Type)
	}
	checkDate(t, text, e.Date, false)
}

func checkDate(t *testing.T, text string, d ledger.Date, mayMiss bool) {
	t.Helper()
	if d == 0 && mayMiss {
		return
	}
	if _, err := ledger.NewDate(d.Year(), d.Month(), d.Day()); err != nil {
		t.Errorf("%q: date %d", text, d)
	}
}

// Long texts, made of what the scanners like; with -every the longest that LINE
// lets through.
func TestParseLongTexts(t *testing.T) {
	t.Parallel()
	limit := 500
	if *every {
		limit = 5000
	}
	for _, part := range []string{"9", "1,", "1、", "一", "千", "万", "1/", "1-", "×", "5×", "(", ")", "の", "ランチ", "ランチ900", "ランチ 900 ", "ランチ 900\n", "900 ", "月", "1月", "今日", "昨日の", "カード", "さっきの", "ではなく", "合計5", "ポイント", "¥", "¥ ", "-", "+", "o9", "9o", "なので", "財布", "🍜", "a", " ", "\n", "、", "ランチ、", "１２", "R8", "毎月", "取消 3-2 ", "元に戻す 1", "返品 シャツ 5 ", "100円の", "100円3個", "各1 ", "キャベツ 1/2 98 ", "$1", "から", "1k", "名前 ", "名前は", "招待", "共有の財布", "AB2CD-", "AB2CD34EF5 ", "家族", "戻して", "違う、", "8を日用品に", "花子の財布から", "私の", "を招待", "って呼んで", "品名は", "品名をに", "受付12は", "を950円に", "に変更", "して", "花子と", "、花子", "と割り勘", "カテゴリ 追加 ", "推し活を", "→", "訂正 850→", "は間違いで", "予算", "先月比", "1年の", "全額"} {
		text := strings.Repeat(part, limit/len([]rune(part)))
		checkCommand(t, Parse(text, testNow))
		checkCommand(t, Parse(text+"a", testNow))
	}
}
