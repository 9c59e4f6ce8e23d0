package grammar

import (
	_ "embed"
	"fmt"
	"strings"

	"ichido/internal/ledger"
)

//go:embed dictionary.tsv
var dictionarySource string

// dictionary knows the category of everyday words and shops.
type dictionary struct {
	trie       *trie
	categories []ledger.Category
}

// words is the built-in dictionary. It is read once and never written.
var words = mustDictionary(dictionarySource)

func mustDictionary(source string) *dictionary {
	d, err := readDictionary(source)
	if err != nil {
		panic("grammar: " + err.Error())
	}
	return d
}

// readDictionary reads lines of word TAB category. Two words that look the
// same after folding, or an unknown category, are errors.
func readDictionary(source string) (*dictionary, error) {
	d := &dictionary{trie: newTrie()}
	for n, line := range strings.Split(source, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		word, category, ok := strings.Cut(line, "\t")
		if !ok || !isCategory(category) {
			return nil, fmt.Errorf("dictionary line %d: no category in %q", n+1, line)
		}
		if !d.trie.add(foldKey(word), len(d.categories)) {
			return nil, fmt.Errorf("dictionary line %d: %q stands there twice", n+1, word)
		}
		d.categories = append(d.categories, ledger.Category(category))
	}
	return d, nil
}

func isCategory(name string) bool {
	for _, c := range ledger.Categories {
		if string(c) == name {
			return true
		}
	}
	return name == string(ledger.Pay)
}

// at returns the end and the category of the longest dictionary word that
// begins at i and ends at the end of a word.
func (d *dictionary) at(t *text, i int) (end int, category ledger.Category, ok bool) {
	return d.within(t, i, len(t.raw))
}

// within is at for a range that ends at to, where a word ends as well.
func (d *dictionary) within(t *text, i, to int) (end int, category ledger.Category, ok bool) {
	index, end, ok := d.trie.longest(t.key, i, func(_, end int) bool {
		return end == to || end < to && (t.endsWord(end) || t.compoundEnd(i, end))
	})
	if !ok {
		return i, "", false
	}
	return end, d.categories[index], true
}

// compoundEnd lets a word of two kanji or more end inside a run of kanji when
// it is followed by a fee suffix and more.
func (t *text) compoundEnd(from, end int) bool {
	return end-from >= 2 && t.at(end) == kanji && isFeeSuffix(t.rune(end))
}

// startsDictionaryWord says whether a dictionary word may begin at i. Inside a run of kanji
// only words of two or more count, so that the head of a compound is found.
func (t *text) startsDictionaryWord(i int) bool {
	if t.startsWord(i) {
		return true
	}
	return t.at(i) == kanji && t.at(i-1) == kanji && t.at(i+1) == kanji
}

// match is a dictionary word found in a range of a text.
type match struct {
	from, to int
	category ledger.Category
}

// head returns the dictionary word that says what the range is about: the
// range as a whole, or else the last word in it, because in Japanese the last
// word is the thing and those before it describe it.
func (d *dictionary) head(t *text, from, to int) (match, bool) {
	var best match
	for i := from; i < to; {
		end, category, ok := i, ledger.Category(""), false
		if i == from || t.startsDictionaryWord(i) {
			end, category, ok = d.within(t, i, to)
		}
		if !ok {
			i++
			continue
		}
		best = match{i, end, category}
		i = end
	}
	return best, best.to > best.from
}

// known says whether a dictionary word fills the range.
func (d *dictionary) known(t *text, from, to int) bool {
	_, _, ok := d.trie.longest(t.key, from, func(_, end int) bool { return end == to })
	return ok
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
