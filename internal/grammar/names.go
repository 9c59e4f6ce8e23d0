package grammar

import (
	"strings"
	"time"

	"ichido/internal/ledger"
)

// Names are the words that a household has beyond the built-in ones: accounts
// and categories of its own. They are never changed after NewNames. A nil
// *Names has none.
type Names struct {
	words *wordIndex[ownWord]        // by their keys
	items map[string]ledger.Category // by the Key of the category's name
}

// ownWord is the name of an account or of a category, as the household wrote it.
type ownWord struct {
	kind spanKind
	name string
}

// NewNames prepares the names for reading. Of two that look the same after
// folding the first is taken, accounts before categories. A name that would be
// read as something else wherever it stands, such as 900円 or 昨日, is left out.
func NewNames(accounts []string, categories []ledger.Category) *Names {
	n := &Names{words: newWordIndex[ownWord](), items: map[string]ledger.Category{}}
	for _, name := range accounts {
		n.add(accountSpan, name)
	}
	for _, c := range categories {
		n.add(categorySpan, string(c))
		n.items[Key(string(c))] = c
	}
	if len(n.words.values) == 0 {
		return nil
	}
	return n
}

func (n *Names) add(kind spanKind, name string) {
	key := Folded(name)
	if canBeName(key) && n.words.trie.add([]rune(key), len(n.words.values)) {
		n.words.values = append(n.words.values, ownWord{kind, name})
	}
}

// category gives the category that the item is called after: 推し活代 belongs to
// 推し活.
func (n *Names) category(item string) ledger.Category {
	if n == nil {
		return ""
	}
	return n.items[Key(item)]
}

// canBeName says whether some part of the word is no number, date or other
// thing that must stay what it is.
func canBeName(key string) bool {
	l := (&reader{}).newLine(key)
	if len(l.raw) < 2 && l.at(0) != kanji {
		return false
	}
	for i := range l.spans {
		switch l.spans[i].kind {
		case wordSpan, accountSpan, categorySpan, markSpan:
			return true
		}
	}
	return false
}

// Parse says what the text means for a household that has the names.
func (n *Names) Parse(text string, now time.Time) Command {
	r := &reader{today: ledger.DateOf(now), names: n}
	c := r.message(fold(text))
	c.Text = strings.ToValidUTF8(text, "\uFFFD")
	return c
}

// scanOwn reads an account or a category of the household's own. A built-in
// word that is longer is left to its own scanner.
func scanOwn(l *line, i int) (span, bool) {
	if l.names == nil || l.splitsNumber(i) {
		return span{}, false
	}
	w, end, ok := l.names.words.atIf(l.key, i, func(w ownWord, end int) bool {
		return !l.splitsNumber(end) && l.isOwn(w.kind, i, end)
	})
	if !ok || l.builtInGoesOn(i, end) {
		return span{}, false
	}
	s := span{kind: w.kind, from: i, to: end, name: w.name}
	if w.kind == accountSpan {
		s.to = l.pastPayWord(end)
	}
	return s, true
}

func (l *line) splitsNumber(i int) bool { return l.at(i-1) == digit && l.at(i) == digit }

// isOwn says whether a name stands for itself at [i, end): the category 推し活
// is none in 推し活グッズ.
func (l *line) isOwn(kind spanKind, i, end int) bool {
	if kind == accountSpan {
		return l.accountStarts(i) && l.accountEnds(end)
	}
	return l.isolatedBefore(i) && (l.isolated(i, end) || l.categoryTail(end))
}

// builtInGoesOn says whether a built-in account, or a word of the dictionary
// that a blank or a particle goes through, begins at i and is longer.
func (l *line) builtInGoesOn(i, end int) bool {
	_, longer, ok := accounts.atIf(l.low, i, func(_ string, end int) bool { return l.accountEnds(end) })
	return ok && longer > end || l.dictionaryGoesOn(i, end)
}
