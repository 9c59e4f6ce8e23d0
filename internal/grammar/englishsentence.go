package grammar

import (
	"strings"
	"unicode"
)

// sentence is a whole line in English with one meaning. Its pattern has words
// separated by blanks: | stands between words of which one is there, ? behind a
// word that may be missing, _ for a blank inside, and $ in front of what is read.
// make returns false where the line is something else after all.
type sentence struct {
	pattern string
	make    func(l *line, s *slots) (Command, bool)
	asks    bool // it may be a question
}

// slots are what stands in a sentence for the $ of its pattern.
type slots struct {
	amount, old *span  // $amount, $old
	date        *span  // $date
	when        *span  // $when: a day or a period
	category    string // $category
	account, to string // $account, $to; 現金 is the sender's own
	receipt     string // $receipt
	item, name  string // $item and $name: words
	denied      bool   // no, oops, actually or the like stands in front
}

// longestSentence is how many runes a line has at most that is compared with
// sentences: orders are short.
const longestSentence = 120

// matcher compares a line with a pattern.
type matcher struct {
	*line
	slots
	end int // of the line, without courtesies
}

// readSentence reads the sentences of the table.
func readSentence(l *line) (Command, bool) {
	if !l.mayBeSentence() {
		return Command{}, false
	}
	m := matcher{line: l}
	start, denied := m.courtesies()
	for i := range sentences {
		s := &sentences[i]
		if l.asking && !s.asks {
			continue
		}
		m.slots = slots{denied: denied}
		if !m.match(patterns[i], start) {
			continue
		}
		if c, ok := s.make(l, &m.slots); ok {
			return c, true
		}
	}
	return Command{}, false
}

// mayBeSentence says whether the line has letters, and is short.
func (l *line) mayBeSentence() bool {
	if len(l.raw) > longestSentence {
		return false
	}
	if l.rune(l.skipBlank(0)) == '#' {
		return true
	}
	for _, s := range l.class {
		if s == latin {
			return true
		}
	}
	return false
}

// Courtesies in front of an order and behind it.
var (
	englishOpeners = wordSet("please oh oops ah sorry hey ok okay hi no nope wait actually uh um well my_mistake my_bad")
	englishClosers = []string{"please", "thanks", "thank you", "thx", "pls", "sorry"}
)

// courtesies finds where the sentence itself begins, and sets where it ends. A no
// without a comma may be a number's.
func (m *matcher) courtesies() (start int, denied bool) {
	m.end = len(m.raw)
	for {
		start = m.skip(start)
		_, end, ok := englishOpeners.atIf(m.low, start, func(_ bool, end int) bool { return m.at(end) != latin && !m.has(end, ".") })
		if !ok || m.has(start, "no") && m.rune(end) != ',' && !m.has(end, " it") && !m.has(end, " that") || end >= m.end {
			break
		}
		start, denied = end, denied || !m.has(start, "please") && !m.has(start, "h") && !m.has(start, "ok")
	}
	for trimmed := true; trimmed; {
		trimmed = false
		for m.end > start && m.isSoft(m.end-1) {
			m.end--
		}
		for _, word := range englishClosers {
			if at := m.end - len(word); at > start && m.has(at, word) && m.at(at-1) != latin {
				m.end, trimmed = at, true
			}
		}
	}
	return start, denied
}

// isSoft says whether the rune only parts what stands around it.
func (m *matcher) isSoft(i int) bool {
	return m.at(i) == blank || m.at(i) == other || strings.ContainsRune(`,.:;!?~()"、。`, m.rune(i)) && i < len(m.raw)
}

func (m *matcher) skip(i int) int {
	for i < len(m.raw) && m.isSoft(i) {
		i++
	}
	return i
}

// match says whether the line goes on with the elements at pos, up to its end.
func (m *matcher) match(elements []element, pos int) bool {
	pos = m.skip(pos)
	if len(elements) == 0 {
		return pos >= m.end
	}
	e := &elements[0]
	rest := elements[1:]
	for _, slot := range e.slots {
		if m.matchSlot(slot, rest, pos) {
			return true
		}
	}
	for _, word := range e.words {
		if end, ok := m.wordAt(word, pos); ok && m.match(rest, end) {
			return true
		}
	}
	return e.optional && m.match(rest, pos)
}

// wordAt says whether the word stands at i and where it ends.
func (m *matcher) wordAt(word []rune, i int) (end int, ok bool) {
	for _, r := range word {
		if m.rune(i) != r || i >= m.end {
			return i, false
		}
		i++
	}
	return i, m.at(i-1) != latin || m.at(i) != latin
}

// matchSlot reads what the slot stands for at pos.
func (m *matcher) matchSlot(slot string, rest []element, pos int) bool {
	switch slot {
	case "item", "name":
		return m.matchWords(slot, rest, pos)
	case "receipt":
		return m.matchReceipt(rest, pos)
	}
	s := m.spanFrom(pos)
	if s == nil {
		return false
	}
	before := m.slots
	if !m.fill(slot, s) {
		return false
	}
	if m.match(rest, s.to) {
		return true
	}
	m.slots = before
	return false
}

// fill gives the slot the span, if it is of that kind.
func (m *matcher) fill(slot string, s *span) bool {
	switch {
	case slot == "amount" && s.kind == amountSpan:
		m.amount = s
	case slot == "old" && s.kind == amountSpan:
		m.old = s
	case slot == "date" && s.kind == dateSpan:
		m.slots.date = s
	case slot == "when" && (s.kind == dateSpan || s.kind == periodSpan):
		m.when = s
	case slot == "category" && s.kind == categorySpan:
		m.category = s.name
	case (slot == "account" || slot == "to") && m.accountAt(m.indexOf(s)) != "":
		if slot == "to" {
			m.to = m.accountAt(m.indexOf(s))
		} else {
			m.account = m.accountAt(m.indexOf(s))
		}
	default:
		return false
	}
	return true
}

func (l *line) spanFrom(i int) *span {
	for n := range l.spans {
		if l.spans[n].from == i {
			return &l.spans[n]
		}
	}
	return nil
}

// matchReceipt reads the number of a receipt: 12, #12, no. 12-2.
func (m *matcher) matchReceipt(rest []element, pos int) bool {
	if _, end, ok := receiptSigns.at(m.low, pos); ok {
		pos = m.skip(end)
	}
	id, end, ok := m.receiptAt(pos)
	if !ok {
		return false
	}
	before := m.slots
	m.receipt = id
	if m.match(rest, end) {
		return true
	}
	m.slots = before
	return false
}

// matchWords tries ever more words, without an amount or a day among them.
func (m *matcher) matchWords(slot string, rest []element, pos int) bool {
	before := m.slots
	for i := pos; i < m.end; {
		for i++; i < m.end && m.at(i) != blank && m.rune(i) != '\''; {
			i++
		}
		if m.hasValue(pos, i) {
			return false
		}
		words := strings.TrimFunc(m.str(pos, i), func(r rune) bool { return unicode.IsPunct(r) && r != ')' || r == ' ' })
		if words != "" {
			if slot == "name" {
				m.name = words
			} else {
				m.item = words
			}
			if m.match(rest, i) {
				return true
			}
			m.slots = before
		}
		i = m.skipBlank(i)
	}
	return false
}

// hasValue says whether an amount or a day stands in the range.
func (l *line) hasValue(from, to int) bool {
	for i := range l.spans {
		s := &l.spans[i]
		if s.from < to && s.to > from && (s.kind == amountSpan || s.kind == dateSpan || s.kind == codeSpan || s.kind == urlSpan) {
			return true
		}
	}
	return false
}

// element is one place of a pattern.
type element struct {
	words    [][]rune
	slots    []string
	optional bool
}

// patterns are those of sentences, in their order.
var patterns = compilePatterns()

func compilePatterns() [][]element {
	all := make([][]element, 0, len(sentences))
	for _, s := range sentences {
		var elements []element
		for field := range strings.FieldsSeq(s.pattern) {
			var e element
			field, e.optional = strings.CutSuffix(field, "?")
			for word := range strings.SplitSeq(field, "|") {
				if slot, ok := strings.CutPrefix(word, "$"); ok {
					e.slots = append(e.slots, slot)
				} else {
					e.words = append(e.words, []rune(strings.ReplaceAll(word, "_", " ")))
				}
			}
			elements = append(elements, e)
		}
		all = append(all, elements)
	}
	return all
}
