package grammar

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"ichido/internal/ledger"
)

//go:embed dictionary.tsv
var dictionarySource string

// dictionary knows everyday words and shops.
type dictionary struct {
	trie  *trie
	words []meaning
}

// meaning is what the dictionary knows of a word.
type meaning struct {
	category ledger.Category
	hint     string // account that most people pay it from; "" mostly
}

// words is the built-in dictionary. It is read when it is first asked: most processes
// of the program, the child that inspects a file above all, never do, and reading it
// is a third of their start. It is never written.
var words = sync.OnceValue(func() *dictionary { return mustDictionary(dictionarySource) })

func mustDictionary(source string) *dictionary {
	d, err := readDictionary(source)
	if err != nil {
		panic("grammar: " + err.Error())
	}
	return d
}

// readDictionary reads lines of word TAB category, perhaps TAB account. Two
// words that look the same after folding, and a category or an account that the
// grammar does not know, are errors.
func readDictionary(source string) (*dictionary, error) {
	const bits = 16 // as many edges as the built-in one comes to
	d := &dictionary{trie: newTrieOf(bits)}
	for n, line := range strings.Split(source, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		word, rest, _ := strings.Cut(line, "\t")
		category, hint, hinted := strings.Cut(rest, "\t")
		switch {
		case !isCategory(category):
			return nil, fmt.Errorf("dictionary line %d: no category in %q", n+1, line)
		case hinted && !isAccount(hint):
			return nil, fmt.Errorf("dictionary line %d: no account in %q", n+1, line)
		case !d.trie.add(newText(fold(word)).key, len(d.words)):
			return nil, fmt.Errorf("dictionary line %d: %q stands there twice", n+1, word)
		}
		d.words = append(d.words, meaning{ledger.Category(category), hint})
	}
	return d, nil
}

func isAccount(name string) bool { return slices.Contains(accounts.values, name) }

func isCategory(name string) bool {
	return slices.Contains(ledger.Categories, ledger.Category(name)) || name == string(ledger.Pay)
}

// at returns the end of the longest dictionary word that begins at i and ends at
// the end of a word, and what is known of it.
func (d *dictionary) at(t *text, i int) (end int, w meaning, ok bool) {
	return d.within(t, i, len(t.raw))
}

// startsAt says whether a word of the dictionary begins at i.
func (d *dictionary) startsAt(t *text, i int) bool {
	_, _, ok := d.at(t, i)
	return ok
}

// within is at for a range that ends at to, where a word ends as well.
func (d *dictionary) within(t *text, i, to int) (end int, w meaning, ok bool) {
	index, end, ok := d.trie.longest(t.key, i, func(_, end int) bool {
		return end == to || end < to && t.mayEnd(i, end)
	})
	switch {
	case ok:
		return end, d.words[index], true
	case t.honorific(i, to):
		return d.within(t, i+1, to)
	}
	return d.compound(t, i, to)
}

// honorific says whether お or ご at i stands in front of kana that may be a word of
// more than one rune: おべんとう. Two honorifics are none.
func (t *text) honorific(i, to int) bool {
	next := t.rune(i + 1)
	return (t.rune(i) == 'お' || t.rune(i) == 'ご') && i+2 < to && t.at(i+1) == kana && t.at(i+2) == kana && next != 'お' && next != 'ご'
}

// modifiers stand in front of words in katakana and say nothing of the category.
var modifiers = wordSet("スノー レイン ヘア ランニング ウォーキング ミニ ベビー キッズ メンズ レディース クリスマス バレンタイン ハロウィン サマー ウィンター スポーツ プレミアム " +
	"オーガニック クラフト ブラック ホワイト レッド ブルー ピンク グリーン ダブル シングル セミダブル ロング ショート ビーチ ガーデン オフィス デジタル ホット フレッシュ ドライ ポータブル コードレス ワイヤレス")

// compound reads a whole run of katakana that is made of words of one category,
// and of modifiers in front of them, as a word of it: アイスコーヒー is food,
// コーヒーメーカー and ガソリンチケット are no such words.
func (d *dictionary) compound(t *text, i, to int) (end int, w meaning, ok bool) {
	if t.at(i) != katakana || !t.startsWord(i) {
		return i, meaning{}, false
	}
	for end = i; end < to && t.at(end) == katakana; {
		next, part, found := d.part(t, end, to)
		if !found || w.category != "" && part.category != w.category {
			return i, meaning{}, false
		}
		end = next
		if part.category != "" {
			w = part
		}
	}
	return end, w, w.category != "" && (end == to || t.endsWord(end))
}

// part is the word or the modifier of a compound that begins at i.
func (d *dictionary) part(t *text, i, to int) (end int, w meaning, ok bool) {
	const shortest = 2
	inside := func(_, end int) bool { return end <= to && t.at(end-1) == katakana }
	if index, end, ok := d.trie.longest(t.key, i, inside); ok && end-i >= shortest {
		return end, d.words[index], true
	}
	_, end, ok = modifiers.atIf(t.raw, i, func(_ bool, end int) bool { return inside(0, end) })
	return end, meaning{}, ok
}

// mayEnd says whether a word of the dictionary that begins at from may end before
// end. A number at its end must be whole: ロト60円 and ロト6,000 have no ロト6.
func (t *text) mayEnd(from, end int) bool {
	if t.at(end-1) == digit && t.numberGoesOn(end) {
		return false
	}
	return t.endsWord(end) || t.compoundEnd(from, end) || t.shopkeeper(end)
}

func (t *text) numberGoesOn(i int) bool {
	r := t.rune(i)
	return isNumeralRune(r) || r == '円' || strings.ContainsRune(",、.", r) && t.at(i+1) == digit
}

// compoundEnd lets a word of two kanji or more end inside a run of kanji when
// it is followed by a fee suffix and more, or by which of several it is:
// 国民健康保険第5期.
func (t *text) compoundEnd(from, end int) bool {
	return end-from >= 2 && t.at(end) == kanji && (isFeeSuffix(t.rune(end)) || t.rune(end) == '第' && t.at(end+1) == digit)
}

// shopkeeper says whether さん hangs on a shop or a doctor: 八百屋さん, 歯医者さん.
func (t *text) shopkeeper(end int) bool {
	return t.at(end-1) == kanji && t.has(end, "さん") && t.endsWord(end+2)
}

// tails are kanji that say at the end of a long run of kanji what it is: 英語塾, 胃腸薬.
const tails = "薬塾税酒肉丼鍋麺靴服"

// startsDictionaryWord says whether a dictionary word may begin at i. Inside a
// run of kanji only words of two or more count, so that the head of a compound is
// found, and tails behind two.
func (t *text) startsDictionaryWord(i int) bool {
	if t.startsWord(i) {
		return true
	}
	if t.at(i) != kanji || t.at(i-1) != kanji {
		return false
	}
	return t.at(i+1) == kanji || t.at(i-2) == kanji && strings.ContainsRune(tails, t.rune(i))
}

// match is a dictionary word found in a range of a text.
type match struct {
	from, to int
	meaning
}

// head returns the dictionary word that says what the range is about: the
// range as a whole, or else the last word in it, because in Japanese the last
// word is the thing and those before it describe it.
func (d *dictionary) head(t *text, from, to int) (match, bool) {
	var best match
	for i := from; i < to; {
		end, w, ok := i, meaning{}, false
		decorates := t.at(i) == other && best.to > best.from // ランチ🚗
		if !decorates && (i == from || t.startsDictionaryWord(i)) {
			end, w, ok = d.within(t, i, to)
		}
		if !ok {
			i++
			continue
		}
		best = match{i, end, w}
		i = end
	}
	return best, best.to > best.from
}

// known says whether a dictionary word fills the range.
func (d *dictionary) known(t *text, from, to int) bool {
	if _, _, ok := d.trie.longest(t.key, from, func(_, end int) bool { return end == to }); ok {
		return true
	}
	if t.honorific(from, to) {
		return d.known(t, from+1, to)
	}
	end, _, ok := d.compound(t, from, to)
	return ok && end == to
}

// knownEnd says whether a dictionary word ends exactly at to and begins at a
// word boundary in the last runes of the range.
func (d *dictionary) knownEnd(t *text, from, to int) bool {
	const longestWord = 16
	for i := max(from, to-longestWord); i < to; i++ {
		if (i == from || t.startsDictionaryWord(i)) && d.known(t, i, to) {
			return true
		}
	}
	return false
}
