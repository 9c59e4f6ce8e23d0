package grammar

// trie finds the longest of many words that begins at a position, in time
// that depends on the length of the word and not on their number. Node 0 is
// the root. The edges of all nodes stand in one table of open addressing,
// which is never more than half full.
type trie struct {
	edges []edge
	used  int
	shift uint       // 32 minus the bits of an index of edges
	first [16]uint32 // which runes a word may begin with, by their low bits
	value []int32    // of each node: 1 + the index of the word that ends there
}

// edge leads from a node to another; next 0 is a free slot, because no edge
// leads to the root.
type edge struct {
	node int32
	r    rune
	next int32
}

func newTrie() *trie { return newTrieOf(4) }

// newTrieOf makes room for 1<<bits edges, half of which will be used.
func newTrieOf(bits uint) *trie {
	return &trie{edges: make([]edge, 1<<bits), shift: 32 - bits, value: make([]int32, 1, 1<<(bits-1))}
}

// slot returns the edge from the node by r, or the free slot for it.
func (t *trie) slot(node int32, r rune) *edge {
	last := uint32(len(t.edges) - 1)
	for i := (uint32(node)*0x9E3779B1 ^ uint32(r)*0x85EBCA6B) >> t.shift; ; i++ {
		e := &t.edges[i&last]
		if e.next == 0 || e.node == node && e.r == r {
			return e
		}
	}
}

// add stores the index under the word and says whether the word is new.
func (t *trie) add(word []rune, index int) bool {
	node := int32(0)
	for _, r := range word {
		node = t.grow(node, r)
	}
	if t.value[node] != 0 {
		return false
	}
	t.value[node] = int32(index) + 1
	return true
}

// grow returns the node that r leads to, a new one if there is none.
func (t *trie) grow(node int32, r rune) int32 {
	e := t.slot(node, r)
	if e.next != 0 {
		return e.next
	}
	next := int32(len(t.value))
	t.value = append(t.value, 0)
	*e = edge{node, r, next}
	if node == 0 {
		t.first[uint32(r)>>5%16] |= 1 << (uint32(r) % 32)
	}
	if t.used++; 2*t.used > len(t.edges) {
		t.double()
	}
	return next
}

func (t *trie) double() {
	old := t.edges
	t.edges, t.shift = make([]edge, 2*len(old)), t.shift-1
	for _, e := range old {
		if e.next != 0 {
			*t.slot(e.node, e.r) = e
		}
	}
}

// longest returns the index and the end of the longest word at position i of
// runes that accept takes, or ok = false.
func (t *trie) longest(runes []rune, i int, accept func(index, end int) bool) (index, end int, ok bool) {
	if i >= len(runes) || t.first[uint32(runes[i])>>5%16]&(1<<(uint32(runes[i])%32)) == 0 {
		return 0, 0, false
	}
	node := int32(0)
	for pos := i; pos < len(runes); pos++ {
		if node = t.slot(node, runes[pos]).next; node == 0 {
			break
		}
		if v := t.value[node]; v != 0 && (accept == nil || accept(int(v)-1, pos+1)) {
			index, end, ok = int(v)-1, pos+1, true
		}
	}
	return index, end, ok
}
