package grammar

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"ichido/internal/ledger"
)

// row is a line of the embedded file.
type row struct {
	word, category, hint string
}

func dictionaryRows() (rows []row) {
	for line := range strings.SplitSeq(dictionarySource, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		fields := append(strings.Split(line, "\t"), "", "")
		rows = append(rows, row{fields[0], fields[1], fields[2]})
	}
	return rows
}

func TestDictionaryCoversEveryCategory(t *testing.T) {
	const least, leastEach, leastHints = 1500, 20, 30
	keys, count, hints := map[string]bool{}, map[string]int{}, 0
	for _, r := range dictionaryRows() {
		keys[Key(r.word)] = true
		count[r.category]++
		if r.hint != "" {
			hints++
		}
	}
	if len(keys) < least {
		t.Errorf("%d words, want at least %d", len(keys), least)
	}
	if hints < leastHints {
		t.Errorf("%d words name an account, want at least %d", hints, leastHints)
	}
	for _, c := range append(slices.Clone(ledger.Categories), ledger.Pay) {
		if count[string(c)] < leastEach {
			t.Errorf("%s has %d words, want at least %d", c, count[string(c)], leastEach)
		}
	}
}

// Two words are one if they differ only in width, case, the kind of kana, お or ご
// in front and 代, 料, 費 behind: who types one of them means the other.
func TestDictionaryHasNoWordTwice(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, r := range dictionaryRows() {
		if other, ok := seen[Key(r.word)]; ok {
			t.Errorf("%s is %s", r.word, other)
		}
		seen[Key(r.word)] = r.word
	}
}

// notByDictionary are words that an earlier rule decides when they stand alone
// with an amount; the dictionary knows them as parts of items.
var notByDictionary = map[string]Reason{
	"いくら": NotARow, "お年玉": IncomeOrNot, "祝い金": IncomeOrNot, "副業": IncomeOrNot,
	"当選": AmountOnly, "財布": "", "おから": BetweenPeople,
}

func TestDictionaryWordsAreFound(t *testing.T) {
	t.Parallel()
	for _, r := range dictionaryRows() {
		got, c, ok := categoryTyped(r.word)
		if reason, excused := notByDictionary[r.word]; excused {
			if ok || c.Reason != reason {
				t.Errorf("%s: %s %q, want %q", r.word, c.Kind, c.Reason, reason)
			}
			continue
		}
		if !ok || string(got) != r.category {
			t.Errorf("%s: %s %s %q, want %s", r.word, c.Kind, c.Reason, got, r.category)
			continue
		}
		if e := c.Entries[0]; e.Hint != r.hint && e.Account == "" {
			t.Errorf("%s: hint %q, want %q", r.word, e.Hint, r.hint)
		}
	}
}

// A word is superfluous if it is read just so without its line, with an amount
// and alone: メロンパン is made of メロン and パン. Names of categories are known
// anyhow, but stand here as parts of items, as those of notByDictionary do.
func TestDictionaryNeedsEveryWord(t *testing.T) {
	for i, r := range dictionaryRows() {
		_, needed := notByDictionary[r.word]
		needed = needed || namesCategory(r.word)
		for _, text := range []string{r.word + " 900", r.word} {
			needed = needed || !reflect.DeepEqual(Parse(text, testNow), withoutWord(r.word, i, func() Command { return Parse(text, testNow) }))
		}
		if !needed {
			t.Errorf("%s is superfluous", r.word)
		}
	}
}

func namesCategory(word string) bool {
	l := (&reader{today: ledger.DateOf(testNow)}).newLine(word)
	return len(l.spans) == 1 && l.spans[0].kind == categorySpan
}

// withoutWord calls f while the word, which has the index, is missing in the
// dictionary.
func withoutWord(word string, index int, f func() Command) Command {
	node := int32(0)
	for _, r := range foldKey(word) {
		node = words().trie.slot(node, r).next
	}
	words().trie.value[node] = 0
	defer func() { words().trie.value[node] = int32(index) + 1 }()
	return f()
}

func TestHintOfItem(t *testing.T) {
	for text, want := range map[string]string{
		"電車 210": "Suica", "帰りの電車代 210": "Suica", "家賃 80000": "銀行", "Netflix 1490": "カード", "給料 250000": "銀行",
		"電車 210 PASMO": "", "電車 210 現金": "", "家賃 80000 口座から引き落とし": "", "バスタオル 900": "", "ランチ 900": "",
		"電車 210 交際費": "Suica",
	} {
		c := Parse(text, testNow)
		if c.Kind != Record || len(c.Entries) != 1 || c.Entries[0].Hint != want {
			t.Errorf("%s: %+v, want hint %q", text, c.Entries, want)
		}
	}
}

func TestReadDictionaryRefuses(t *testing.T) {
	for name, source := range map[string]string{
		"the same word":       "パン\t食費\nぱん\t食費\n",
		"an unknown category": "パン\t宇宙\n",
		"no category":         "パン\n",
		"an unknown account":  "パン\t食費\t葉っぱ\n",
		"an empty account":    "パン\t食費\t\n",
	} {
		if _, err := readDictionary(source); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestCategoryOfItem(t *testing.T) {
	for item, want := range map[string]ledger.Category{
		"バス": "交通費", "バスタオル": "日用品", "バス停": "交通費", "パン": "食費", "パンツ": "衣服", "パンク修理": "車", "パンク": "車", "パンクズ": "",
		"コーヒーメーカー": "家具・家電", "お茶": "食費", "ランチ代": "食費", "電気代": "光熱費", "ごはん": "食費",
		"しょうゆ": "食費", "シヨウユ": "", "ﾗﾝﾁ": "食費", "LUNCH": "食費", "犬の病院": "ペット", "お肉": "食費",
		"娘の誕生日プレゼント": "交際費", "米びつ": "家具・家電", "焼肉弁当": "食費", "bus": "交通費", "business": "",
		"ご祝儀": "交際費", "子供の服": "衣服", "ガスト": "食費", "ガス": "光熱費", "スパゲティ": "食費", "スパナ": "",
		"メロンパン": "食費", "ミニトマト": "食費", "キッズシューズ": "衣服", "スポーツミニ": "", "ミニ": "", "マスコット": "", "ゲームコントローラー": "娯楽", "バスチケット": "交通費", "ガソリンチケット": "", "パンダ": "", "八百屋さん": "食費",
		"歯医者さん": "医療費", "英語塾": "教育", "英語塾代": "教育", "筋肉": "", "東日本": "", "国民健康保険第5期": "税・社会保険", "スーパー🚗": "食費", "🚗": "車", "ロト6": "娯楽", "ガスター10": "医療費", "ガスター100": "", "ガスター10円": "", "ガスター10,000": "", "ガスター10、200": "",
	} {
		text := newText(fold(item))
		m, _ := words().head(&text, 0, len(text.raw))
		if m.category != want {
			t.Errorf("%s: %q, want %q", item, m.category, want)
		}
	}
}
