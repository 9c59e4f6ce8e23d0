package grammar

// trie finds the longest of many words that begins at a position, in time
// that depends on the length of the word and not on their number. Node 0 is
// the root.
type trie struct {
	next  map[edge]int32
	value []int32 // of each node: 1 + the index of the word that ends there
}

type edge struct {
	node int32
	r    rune
}

func newTrie() *trie { return &trie{next: map[edge]int32{}, value: make([]int32, 1)} }

// add stores the index under the word and says whether the word is new.
func (t *trie) add(word string, index int) bool {
	node := int32(0)
	for _, r := range word {
		n, ok := t.next[edge{node, r}]
		if !ok {
			n = int32(len(t.value))
			t.value = append(t.value, 0)
			t.next[edge{node, r}] = n
		}
		node = n
	}
	if t.value[node] != 0 {
		return false
	}
	t.value[node] = int32(index) + 1
	return true
}

// longest returns the index and the end of the longest word at position i of
// runes that accept takes, or ok = false.
func (t *trie) longest(runes []rune, i int, accept func(index, end int) bool) (index, end int, ok bool) {
	node := int32(0)
	for pos := i; pos < len(runes); pos++ {
		n, found := t.next[edge{node, runes[pos]}]
		if !found {
			break
		}
		node = n
		if v := t.value[node]; v != 0 && (accept == nil || accept(int(v)-1, pos+1)) {
			index, end, ok = int(v)-1, pos+1, true
		}
	}
	return index, end, ok
}
