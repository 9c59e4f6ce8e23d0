package grammar

import (
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
	x := &wordIndex[V]{trie: newTrie()}
	for value, list := range table {
		x.add(value, list)
	}
	return x
}

func (x *wordIndex[V]) add(value V, list string) {
	for _, word := range strings.Fields(list) {
		if !x.trie.add(strings.ReplaceAll(word, "_", " "), len(x.values)) {
			panic("grammar: word twice in a table: " + word)
		}
	}
	x.values = append(x.values, value)
}

// begins says whether some word may begin with r.
func (x *wordIndex[V]) begins(r rune) bool { return x.trie.slot(0, r).next != 0 }

// word returns the value of a whole word.
func (x *wordIndex[V]) word(s string) (value V, ok bool) {
	if first, _ := utf8.DecodeRuneInString(s); !x.begins(first) {
		return value, false
	}
	runes := []rune(s)
	n, end, ok := x.trie.longest(runes, 0, nil)
	if !ok || end != len(runes) {
		return value, false
	}
	return x.values[n], true
}
