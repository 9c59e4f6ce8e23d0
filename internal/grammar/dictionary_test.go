package grammar

import (
	"strings"
	"testing"

	"ichido/internal/ledger"
)

// dictionaryRows gives the words of the embedded file with their categories.
func dictionaryRows(t *testing.T) map[string]string {
	t.Helper()
	rows := map[string]string{}
	for line := range strings.SplitSeq(dictionarySource, "\n") {
		if word, category, ok := strings.Cut(line, "\t"); ok && line[0] != '#' {
			rows[word] = category
		}
	}
	return rows
}

func TestDictionaryCoversEveryCategory(t *testing.T) {
	const least, leastEach = 500, 15
	count := map[string]int{}
	rows := dictionaryRows(t)
	for _, category := range rows {
		count[category]++
	}
	if len(rows) < least {
		t.Errorf("%d words, want at least %d", len(rows), least)
	}
	for _, c := range append(ledger.Categories, ledger.Pay) {
		if count[string(c)] < leastEach {
			t.Errorf("%s has %d words, want at least %d", c, count[string(c)], leastEach)
		}
	}
}

// A word is shadowed if another one with an honorific or a fee suffix says the
// same already.
func TestDictionaryHasNoShadowedWords(t *testing.T) {
	byKey := map[string]string{}
	for word, category := range dictionaryRows(t) {
		byKey[foldKey(word)] = category
	}
	for key, category := range byKey {
		for _, affix := range []string{"代", "料", "費"} {
			if short, ok := strings.CutSuffix(key, affix); ok && byKey[short] == category {
				t.Errorf("%s is shadowed by %s", key, short)
			}
		}
		for _, affix := range []string{"お", "ご"} {
			if short, ok := strings.CutPrefix(key, affix); ok && byKey[short] == category {
				t.Errorf("%s is shadowed by %s", key, short)
			}
		}
	}
}

func TestReadDictionaryRefuses(t *testing.T) {
	for name, source := range map[string]string{
		"the same word":       "パン\t食費\nぱん\t食費\n",
		"an unknown category": "パン\t宇宙\n",
		"no category":         "パン\n",
	} {
		if _, err := readDictionary(source); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestCategoryOfItem(t *testing.T) {
	for item, want := range map[string]ledger.Category{
		"バス": "交通費", "バスタオル": "日用品", "バス停": "交通費", "パン": "食費", "パンツ": "衣服", "パンク修理": "",
		"コーヒーメーカー": "家具・家電", "お茶": "食費", "ランチ代": "食費", "電気代": "光熱費", "ごはん": "食費",
		"しょうゆ": "食費", "シヨウユ": "", "ﾗﾝﾁ": "食費", "LUNCH": "食費", "犬の病院": "医療費", "お肉": "食費",
		"娘の誕生日プレゼント": "交際費", "米びつ": "家具・家電", "焼肉弁当": "食費", "bus": "交通費", "business": "",
		"ご祝儀": "交際費", "子供の服": "衣服", "ガスト": "食費", "ガス": "光熱費", "スパゲティ": "食費", "スパナ": "",
	} {
		text := newText(fold(item))
		m, _ := words.head(&text, 0, len(text.raw))
		if m.category != want {
			t.Errorf("%s: %q, want %q", item, m.category, want)
		}
	}
}
