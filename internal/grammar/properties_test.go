package grammar

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"ichido/internal/ledger"
)

var every = flag.Bool("every", false, "every variant of every text, and the longest texts, in the tests that take a part of them otherwise")

// corpus gives the texts of all tables in testdata.
func corpus(t testing.TB) []string {
	t.Helper()
	texts, err := readCorpus()
	if err != nil || len(texts) == 0 {
		t.Fatalf("%d texts, %v", len(texts), err)
	}
	return texts
}

var readCorpus = sync.OnceValues(func() ([]string, error) {
	files, err := filepath.Glob("testdata/*.tsv")
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, file := range files {
		table, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		header, rows, _ := strings.Cut(string(table), "\n")
		if !strings.HasPrefix(header, "text\t") {
			continue
		}
		for row := range strings.Lines(rows) {
			text, _, _ := strings.Cut(row, "\t")
			texts = append(texts, unescape.Replace(text))
		}
	}
	slices.Sort(texts)
	return slices.Compact(texts), nil
})

// parsed gives what Parse makes of each text of the corpus. Nobody may change it.
func parsed(t testing.TB) []Command {
	t.Helper()
	corpus(t)
	return parseCorpus()
}

var parseCorpus = sync.OnceValue(func() []Command {
	texts, _ := readCorpus()
	all := make([]Command, len(texts))
	for i, text := range texts {
		all[i] = Parse(text, testNow)
	}
	return all
})

// passedBy says whether a test that is content with a third of the corpus passes
// the text with the index by.
func passedBy(i int) bool { return !*every && i%3 != 0 }

// read is Parse without what was typed.
func read(text string) Command { return untyped(Parse(text, testNow)) }

func untyped(c Command) Command {
	c.Text, c.Unread = "", nil
	return c
}

// widened types everything in full width.
func widened(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '\u3000'
		case '!' <= r && r <= '~':
			return r - '!' + '！'
		}
		return r
	}, text)
}

var halfKana = strings.NewReplacer(
	"ア", "ｱ", "イ", "ｲ", "ウ", "ｳ", "カ", "ｶ", "ガ", "ｶﾞ", "ク", "ｸ", "コ", "ｺ", "サ", "ｻ", "シ", "ｼ", "ス", "ｽ", "タ", "ﾀ", "チ", "ﾁ", "ッ", "ｯ",
	"ト", "ﾄ", "ド", "ﾄﾞ", "ナ", "ﾅ", "バ", "ﾊﾞ", "パ", "ﾊﾟ", "フ", "ﾌ", "マ", "ﾏ", "ラ", "ﾗ", "リ", "ﾘ", "ル", "ﾙ", "レ", "ﾚ", "ロ", "ﾛ", "ン", "ﾝ", "ー", "ｰ",
	"「", "｢", "」", "｣", "。", "｡", "、", "､", "・", "･")

// Width and blanks say nothing. Two of the ways to type a text are tried, with
// -every all of them.
func TestReadingIsStableUnderWidthAndBlanks(t *testing.T) {
	t.Parallel()
	texts := corpus(t)
	for i, c := range parsed(t) {
		ways := variants(texts[i])
		if !*every {
			ways = []string{ways[i%len(ways)], ways[(i+1)%len(ways)]}
		}
		checkSame(t, texts[i], untyped(c), ways)
	}
}

// variants types the text in other widths and with other blanks.
func variants(text string) []string {
	all := []string{widened(text), halfKana.Replace(text), strings.ReplaceAll(text, " ", "\u3000"), " " + text + "\u3000", "\n" + text + " \n", "\u200b" + text}
	if !strings.Contains(text, "  ") {
		all = append(all, strings.ReplaceAll(text, " ", "  "))
	}
	return all
}

func checkSame(t *testing.T, text string, want Command, variants []string) {
	t.Helper()
	for _, variant := range variants {
		if variant == text {
			continue
		}
		if got := read(variant); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v,\n%q: %+v", text, want, variant, got)
		}
	}
}

// plainRow gives the row of a record of one row and one line.
func plainRow(text string, c Command) (Entry, bool) {
	if c.Kind != Record || len(c.Entries) != 1 || strings.Contains(strings.TrimSpace(text), "\n") {
		return Entry{}, false
	}
	return c.Entries[0], true
}

// 円 behind a bare amount says nothing new.
func TestYenBehindTheAmountChangesNothing(t *testing.T) {
	t.Parallel()
	tried, texts := 0, corpus(t)
	for i, c := range parsed(t) {
		text := texts[i]
		want, ok := plainRow(text, c)
		if !ok {
			continue
		}
		folded := fold(text)
		at, alone := bareNumber(folded, int64(want.Amount))
		if !alone {
			continue
		}
		tried++
		with := folded[:at] + "円" + folded[at:]
		read := Parse(with, testNow)
		if got, ok := plainRow(with, read); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %q: %+v", text, want, with, read)
		}
	}
	if tried < 1000 {
		t.Errorf("only %d texts tried", tried)
	}
}

// bareNumber finds where the digits of the value end, if they stand in the text
// once and with nothing that could be a unit, a sign or a part of a longer number
// beside them.
func bareNumber(text string, value int64) (end int, ok bool) {
	digits := strconv.FormatInt(value, 10)
	if strings.Count(text, digits) != 1 {
		return 0, false
	}
	from := strings.Index(text, digits)
	end = from + len(digits)
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(text[end:], " "))
	const units = "0123456789円¥￥$€-.,、/:%kKえエ万千百十億割yYjJeE"
	return end, !strings.ContainsRune(units+"@x×*", before) && !strings.ContainsRune(units, next)
}

// What a row says, written plainly, is read as the same row.
func TestRowsReadBack(t *testing.T) {
	t.Parallel()
	tried, exceptions := 0, 0
	for _, c := range parsed(t) {
		for _, want := range c.Entries {
			if want.Type == ledger.Transfer || want.Type == ledger.Refund || want.Total != 0 || want.Memo != "" {
				continue // these have words of their own
			}
			tried++
			plain := canonical(want)
			got := read(plain)
			switch {
			case got.Kind == Record && len(got.Entries) == 1 && sameRow(got.Entries[0], want):
			case lostByWriting(want, got):
				exceptions++
			default:
				t.Errorf("%q: %+v,\n%q: %+v", c.Text, want, plain, got)
			}
		}
	}
	if tried < 1000 || exceptions*50 > tried {
		t.Errorf("%d exceptions of %d rows", exceptions, tried)
	}
}

// canonical writes a row as anybody would.
func canonical(e Entry) string {
	sign := ""
	if e.Type == ledger.Income {
		sign = "+"
	}
	s := fmt.Sprintf("%s %s %s%d円", e.Date, e.Item, sign, e.Amount)
	if e.Account != "" {
		s += " " + e.Account
	}
	if e.SaidCategory {
		s += " " + string(e.Category)
	}
	return s
}

func sameRow(a, b Entry) bool {
	return a.Type == b.Type && a.Date == b.Date && a.Item == b.Item && a.Amount == b.Amount && a.Category == b.Category && a.Account == b.Account
}

// lostByWriting names what can't be written plainly: an item that is asked about
// when it stands alone, because what was said about it in the text is no part of
// the row, and words that came from two places, each with a category of its own.
func lostByWriting(want Entry, got Command) bool {
	if got.Kind == Ask {
		switch got.Reason {
		case IncomeOrNot: // お年玉あげた 3000
			return true
		case WhoseWallet: // バッグ 5000 革の財布 8000
			return strings.Contains(want.Item, "財布")
		case SavedOrHolds: // バッグ 9000 へそくりから
			return strings.Contains(want.Item, "へそくり")
		case NotARow: // おにぎり2個買って280円
			return strings.HasSuffix(want.Item, "って")
		case ItemOnly: // スーパー 2480円 10%ポイント還元
			return strings.Contains(want.Item, "ポイント")
		}
		return false
	}
	if got.Kind != Record || len(got.Entries) != 1 {
		return false
	}
	row := got.Entries[0]
	switch {
	case row.Item+"入れて" == want.Item: // ガソリン入れて5,432円; alone it asks to be recorded
		row.Item = want.Item
	case strings.Contains(want.Item, " "):
		row.Category = want.Category
	}
	return sameRow(row, want)
}
