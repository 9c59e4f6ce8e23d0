package grammar

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// wordTable maps a value to the words that mean it, separated by blanks. An
// underscore stands for a blank inside a word. Words are in lower case.
type wordTable[V comparable] map[V]string

// wordIndex finds the words of a wordTable in a text.
type wordIndex[V any] struct {
	trie   *trie
	values []V
}

// index panics if a word stands in the table twice, because one of the two
// could never be found.
func (table wordTable[V]) index() *wordIndex[V] {
	x := newWordIndex[V]()
	for value, list := range table {
		x.add(value, list)
	}
	return x
}

// wordSet finds words that all mean the same.
func wordSet(list string) *wordIndex[bool] { return wordTable[bool]{true: list}.index() }

func newWordIndex[V any]() *wordIndex[V] { return &wordIndex[V]{trie: newTrie()} }

func (x *wordIndex[V]) add(value V, list string) {
	for _, word := range strings.Fields(list) {
		if !x.trie.add([]rune(strings.ReplaceAll(word, "_", " ")), len(x.values)) {
			panic("grammar: word twice in a table: " + word)
		}
	}
	x.values = append(x.values, value)
}

// at returns the value and the end of the longest word that begins at i.
func (x *wordIndex[V]) at(runes []rune, i int) (value V, end int, ok bool) {
	n, end, ok := x.trie.longest(runes, i, nil)
	if !ok {
		return value, i, false
	}
	return x.values[n], end, true
}

// atIf is at for the words that accept takes.
func (x *wordIndex[V]) atIf(runes []rune, i int, accept func(value V, end int) bool) (value V, end int, ok bool) {
	n, end, ok := x.trie.longest(runes, i, func(n, end int) bool { return accept(x.values[n], end) })
	if !ok {
		return value, i, false
	}
	return x.values[n], end, true
}

// startsAt says whether some word begins at i.
func (x *wordIndex[V]) startsAt(runes []rune, i int) bool {
	_, _, ok := x.trie.longest(runes, i, nil)
	return ok
}

// whole returns the value of the word that all runes are.
func (x *wordIndex[V]) whole(runes []rune) (value V, ok bool) {
	n, end, ok := x.trie.longest(runes, 0, nil)
	if !ok || end != len(runes) {
		return value, false
	}
	return x.values[n], true
}

// word is whole for a string.
func (x *wordIndex[V]) word(s string) (value V, ok bool) {
	if first, _ := utf8.DecodeRuneInString(s); !x.mayBegin(first) {
		return value, false
	}
	return x.whole([]rune(s))
}

// has says whether the string is one of the words.
func (x *wordIndex[V]) has(s string) bool {
	_, ok := x.word(s)
	return ok
}

// startsWithAny says whether the string begins with one of the words.
func startsWithAny(s string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(s, word) })
}

// mayBegin says whether some word begins with r.
func (x *wordIndex[V]) mayBegin(r rune) bool { return x.trie.slot(0, r).next != 0 }
