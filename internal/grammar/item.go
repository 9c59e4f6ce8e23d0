package grammar

import "strings"

// piece is a range of a line that belongs to an item. The flags say whether
// something recognised stands directly beside it, so that a particle there
// joins the two and is no part of the item.
type piece struct {
	from, to    int
	left, right bool
	first, last int // the spans it was cut from, inclusive
}

// taken says whether the span never is a part of an item.
func (s *span) taken() bool {
	switch s.kind {
	case amountSpan, dateSpan, clockSpan, urlSpan, accountSpan, codeSpan:
		return true
	}
	return s.used
}

// pieces gives what is left of the spans [from, to) for an item.
func (l *line) pieces(from, to int) []piece {
	var found []piece
	for i := from; i < to; i++ {
		if l.spans[i].taken() {
			continue
		}
		p := piece{from: l.spans[i].from, left: i > 0 && l.spans[i-1].taken(), first: i}
		for i+1 < to && !l.spans[i+1].taken() {
			i++
		}
		p.to, p.last = l.spans[i].to, i
		p.right = i+1 < len(l.spans) && l.spans[i+1].taken() || i+1 == len(l.spans) && p.left
		if p = l.trim(p); p.from < p.to {
			found = append(found, p)
		}
	}
	return found
}

// itemOf joins pieces to the text of an item, each run of blanks to one.
func (l *line) itemOf(pieces []piece) string {
	if len(pieces) == 1 {
		return oneBlank(l.str(pieces[0].from, pieces[0].to))
	}
	parts := make([]string, 0, len(pieces))
	for _, p := range pieces {
		parts = append(parts, oneBlank(l.str(p.from, p.to)))
	}
	return strings.Join(parts, " ")
}

// isItem says whether the pieces name something: a number of things alone,
// such as 4人, does not.
func (l *line) isItem(pieces []piece) bool {
	for _, p := range pieces {
		for i := p.first; i <= p.last; i++ {
			s := &l.spans[i]
			if s.kind == counterSpan || s.kind == markSpan && (s.mark == halfYear || s.mark == yearLong) || l.isParticleSpan(i) {
				continue
			}
			if named := s.kind == wordSpan && l.at(s.from) == digit; named || l.hasWord(max(s.from, p.from), min(s.to, p.to)) {
				return true
			}
		}
	}
	return false
}

func (l *line) hasWord(from, to int) bool {
	for i := from; i < to; i++ {
		if isWord(l.at(i)) {
			return true
		}
	}
	return false
}

// trim takes blanks, punctuation and joining particles off both ends.
func (l *line) trim(p piece) piece {
	start := p.from
	p = l.trimPunct(p)
	if p.left {
		p.from = l.trimFront(start, p)
	}
	if p.right {
		p.to = l.trimBack(p.from, p.to)
	}
	if n := p.last + 1; p.right && n < len(l.spans) && l.spans[n].kind == amountSpan && l.amountsLead() && l.rune(p.to-1) == 'と' && l.kanaTail(p.from, p.to) > 2 && !l.knownTail(p.from, p.to) {
		p.to-- // 900おかしと1280みかん
	}
	return l.trimPunct(p)
}

// brackets maps each closing bracket to its opening one.
var brackets = map[rune]rune{
	')': '(', '」': '「', '』': '『', ']': '[', '】': '【', '》': '《', '〉': '〈', '〕': '〔', '}': '{', '"': '"', '\'': '\'', '”': '“', '’': '‘',
}

// bracketRunes are all of brackets.
var bracketRunes = func() string {
	all := ""
	for closing, opening := range brackets {
		all += string(closing) + string(opening)
	}
	return all
}()

// trimPunct keeps a bracket whose partner stands inside the range.
func (l *line) trimPunct(p piece) piece {
	from, to := p.from, p.to
	var count map[rune]int
	trims := func(i int) bool {
		if isWord(l.at(i)) && !l.isLoneDash(i) || l.at(i) == digit || l.isNamePlus(i) {
			return false
		}
		if l.at(i) != punct || !strings.ContainsRune(bracketRunes, l.raw[i]) {
			return true
		}
		if count == nil {
			count = l.countBrackets(from, to)
		}
		return count[l.raw[i]] == 0
	}
	for p.from < p.to && trims(p.from) {
		p.from++
	}
	for p.from < p.to && trims(p.to-1) {
		p.to--
	}
	return p
}

// isLoneDash says whether a long vowel stands alone, where it can only be a dash.
func (l *line) isLoneDash(i int) bool {
	return l.rune(i) == 'ー' && !isWord(l.at(i-1)) && !isWord(l.at(i+1))
}

// isNamePlus says whether a name ends in the plus: Disney+ 1140.
func (l *line) isNamePlus(i int) bool {
	return l.rune(i) == '+' && l.at(i-1) == latin && l.at(i+1) != digit
}

// countBrackets counts the brackets in the range that have a partner there.
func (l *line) countBrackets(from, to int) map[rune]int {
	seen, first, last := map[rune]int{}, map[rune]int{}, map[rune]int{}
	for i := from; i < to; i++ {
		r := l.raw[i]
		if l.at(i) != punct {
			continue
		}
		if seen[r]++; seen[r] == 1 {
			first[r] = i
		}
		last[r] = i
	}
	paired := map[rune]int{}
	for closing, opening := range brackets {
		if last[closing] < first[opening] {
			continue // )パン(
		}
		if n := min(seen[closing], seen[opening]); n > 1 || n == 1 && closing != opening {
			paired[closing], paired[opening] = n, n
		}
	}
	return paired
}

// frontParticles join an item to what stands in front of it.
var frontParticles = []string{"として", "には", "では", "にて", "からの", "から", "の", "は", "に", "で", "を", "が", "も", "と", "へ", "し", "for", "on", "at", "by", "with", "and", "from"}

// trimFront strips a particle unless a word of the dictionary begins with it:
// 昨日のり弁 is のり弁. One that stands apart from what it would join, in a piece
// that began at start, is one only if it stands apart on both sides.
func (l *line) trimFront(start int, p piece) int {
	if l.knownStart(p.from) && !l.longerBehind(p.from) {
		return p.from
	}
	for _, particle := range frontParticles {
		end := p.from + len([]rune(particle))
		if end > p.to || !l.has(p.from, particle) || p.from > start && l.at(end) != blank {
			continue
		}
		if l.at(end-1) == latin {
			if l.at(end) == blank {
				return end
			}
			continue
		}
		if len([]rune(particle)) > 1 && l.knownStart(p.from+1) {
			continue // で はさみ
		}
		if l.mayStrip(particle, p, end) && (!l.isOneKana(end, p.to) || isParticle(l.rune(end))) { // 昨日のは
			return end
		}
		return p.from
	}
	return p.from
}

// longerBehind says whether the word of the dictionary at i is shorter than one
// that begins behind its first rune: はもやし is は and もやし, not はも.
func (l *line) longerBehind(i int) bool {
	end, _, ok := words().at(&l.text, i)
	next, _, longer := words().at(&l.text, i+1)
	return ok && longer && next > end && isParticle(l.rune(i))
}

// isOneKana says whether a single kana is left up to the end of the word: no
// thing is called so, and 今日のり is のり.
func (l *line) isOneKana(i, to int) bool {
	return i < to && l.at(i) == kana && (i+1 == to || !isWord(l.at(i+1)))
}

// mayStrip says whether a particle that ends at end can be told from the
// beginning of a word. の and は nearly always are particles, and so is で behind
// an account.
func (l *line) mayStrip(particle string, p piece, end int) bool {
	account := p.first > 0 && l.spans[p.first-1].kind == accountSpan
	switch particle {
	case "の", "は", "を", "には", "では", "にて", "からの", "として":
		return true
	case "で", "から":
		if account {
			return true
		}
	case "し":
		return l.at(end) == blank
	case "と":
		if p.first > 0 && l.spans[p.first-1].kind == amountSpan && !l.amountsLead() {
			return true
		}
	}
	return l.at(end) != kana || l.knownStart(end)
}

// amountsLead says whether the first amount of the line stands in front of what
// it was paid for.
func (l *line) amountsLead() bool {
	for i := range l.spans {
		switch l.spans[i].kind {
		case amountSpan:
			return true
		case wordSpan, counterSpan:
			return false
		}
	}
	return false
}

// backParticles join an item to what stands behind it. Words that end in one
// of the first are rare, those that end in one of the second are not.
const (
	backParticles         = "をはがでへ"
	doubtfulBackParticles = "にともの"
)

// trimBack strips a particle unless a word of the dictionary ends with it:
// うに2000 is うに.
func (l *line) trimBack(from, to int) int {
	if l.knownTail(from, to) || to-from > 2 && l.has(to-2, "まで") {
		return to
	}
	for _, word := range []string{"として", "には", "では", "とは", "から", "への", "での", "にて", " for", " at", " on", " and", " of"} {
		n := len([]rune(word))
		if to-n <= from || !l.has(to-n, word) {
			continue
		}
		if n == 2 && l.at(to-1) == kana && (l.knownTail(from, to-1) || l.kanaTail(from, to-n) == 1) {
			return to - 1 // かに は, さと は
		}
		return to - n
	}
	if to-from < 2 {
		if to > from && l.at(to-1) == kana && isParticle(l.rune(to-1)) {
			return from
		}
		return to
	}
	if l.joinsBack(from, to) {
		return to - 1
	}
	return to
}

// joinsBack says whether the last rune of the range joins the word in front of it
// to the amount.
func (l *line) joinsBack(from, to int) bool {
	last := l.rune(to - 1)
	switch {
	case strings.ContainsRune(backParticles, last):
		return true
	case last == '約':
		return l.at(to) == digit && l.knownOrFee(from, to-1)
	case !strings.ContainsRune(doubtfulBackParticles, last):
		return false
	case l.at(to-2) != kana || l.knownTail(from, to-1):
		return true
	}
	tail := l.kanaTail(from, to-1) // 上履きに; うに, ずわいがに and ばふんうに are things
	return last == 'に' && (tail > 1 || to-1-tail > from) && !strings.ContainsRune("がう", l.rune(to-2))
}

// kanaTail gives the length of the run of kana that ends at to.
func (l *line) kanaTail(from, to int) int {
	n := 0
	for to-n > from && l.at(to-n-1) == kana {
		n++
	}
	return n
}

// knownTail says whether the range ends in a whole word of the dictionary.
func (l *line) knownTail(from, to int) bool { return words().knownEnd(&l.text, from, to) }

// itemWithout gives the item of the line if span i were no part of it.
func (l *line) itemWithout(i int) string {
	s := &l.spans[i]
	was := s.used
	s.used = true
	item := l.wholeItem()
	s.used = was
	return item
}
