package grammar

import (
	"slices"

	"ichido/internal/ledger"
)

// spanKind is what a span of a line is.
type spanKind uint8

const (
	spaceSpan    spanKind = iota
	punctSpan             // punctuation that is no part of a number
	wordSpan              // anything that no table knows: a part of an item
	counterSpan           // a number with its counter, or a model name: a part of an item
	amountSpan            // money
	dateSpan              // one day, or a day that does not exist: fault says so
	periodSpan            // a month, a week, a year
	clockSpan             // a time of day
	codeSpan              // a phone number, a postal code
	urlSpan               // never an item, never an amount
	accountSpan           // name is the account
	categorySpan          // name is the category
	markSpan              // mark says what it does to the meaning
	timesSpan             // ×
	percentSpan           // 20%引き
)

// span is a range of a line with its meaning. The spans of a line follow each
// other without gaps. The fields are in an order that wastes no memory, because
// a long message has thousands of spans.
type span struct {
	from, to int
	kind     spanKind
	mark     mark          // markSpan
	used     bool          // taken out of the item
	by       uint8         // 1 + the index of the scanner; 0 for what none took
	date     ledger.Date   // dateSpan
	period   ledger.Period // periodSpan
	amount   amount        // amountSpan; the number of a counterSpan
	unit     string        // counterSpan: the counter; periodSpan: month, week, year; dateSpan: fraction
	name     string        // accountSpan, categorySpan
	fault    Reason        // why it must not be used as it stands
}

// amount is a number that may be money.
type amount struct {
	value    ledger.Yen
	sign     int8 // -1, 0 or +1
	yen      bool // 円, ¥ or 万 stands with it: it is money for certain
	discount bool // 100円引き
	times    bool // made by ×
	total    bool // 合計: no row of its own
	taxed    bool // 税込
	untaxed  bool // 税抜
}

// line is one line of a message, cut into spans.
type line struct {
	text
	reader
	spans []span
	date  ledger.Date // carried on from an earlier line; 0 for none

	marks        [2]uint64 // which marks stand in it, a bit each
	doubt        doubt
	aboutAccount bool // a word such as チャージ or 残高 stands in it
	hasDigit     bool
	asking       bool // a question mark stands in it
	page         int  // of a list; 0 is none
	quiet        bool // an order that may be said to somebody else
	explicit     bool // an order that is said to nobody else

	why *lineTrace // nil unless somebody asks why
}

// reader holds what does not change while a message is read.
type reader struct {
	today ledger.Date
	names *Names
	trace *trace // nil unless somebody asks why
}

// newLine cuts the text into spans.
func (r *reader) newLine(s string) *line {
	l := &line{text: newText(s), reader: *r}
	l.spans = make([]span, 0, l.runs()+1)
	l.hasDigit, l.asking = slices.Contains(l.class, digit), slices.Contains(l.raw, '?')
	l.aboutAccount = l.speaksOfAccount()
	l.scan()
	if r.trace != nil {
		l.startTrace()
	}
	l.relabel()
	return l
}

// scanner recognises one sort of span at a position and says where it ends. It
// is asked only where the rune is of one of the scripts.
type scanner struct {
	name   string
	begins scripts
	scan   func(l *line, i int) (span, bool)
}

// scanners are tried in order at every position where a span may begin. What
// none of them takes becomes a word.
var scanners = []scanner{
	{"url", of(latin), scanURL},
	{"own word", anyScript, scanOwn},
	{"list number", of(digit, punct, other), scanListNumber},
	{"ordinal", of(latin), scanOrdinal},
	{"each day", of(digit, kanji), scanPerDay},
	{"date", of(digit, kanji, kana, latin, punct), scanDate},
	{"dictionary number", of(digit, kanji), scanNamedNumber},
	{"clock", of(digit, kanji, kana), scanClock},
	{"code", of(digit, latin, punct, other), scanCode},
	{"lexicon", anyScript, scanLexicon},
	{"number", anyScript, scanNumber},
	{"times", of(latin, punct, other), scanTimes},
}

func (l *line) scan() {
	for i := 0; i < len(l.raw); {
		s, ok := l.scanAt(i)
		if !ok {
			s = l.plain(i)
		}
		l.push(s)
		i = s.to
	}
}

func (l *line) scanAt(i int) (span, bool) {
	here := of(l.at(i))
	if here == of(blank) {
		return span{}, false
	}
	for n := range scanners {
		if scanners[n].begins&here == 0 {
			continue
		}
		if s, ok := scanners[n].scan(l, i); ok && s.to > i {
			s.by = uint8(n + 1)
			return s, true
		}
	}
	return span{}, false
}

// plain makes a span of a run that no scanner knows: all blanks at once, one
// mark of punctuation, or one rune of a word. A word that the dictionary knows
// is taken whole, so that nothing is found inside it.
func (l *line) plain(i int) span {
	switch l.at(i) {
	case blank:
		return span{kind: spaceSpan, from: i, to: l.skipBlank(i)}
	case punct:
		return span{kind: punctSpan, from: i, to: i + 1}
	}
	if l.startsWord(i) || l.afterSpan() {
		if end, _, ok := words().at(&l.text, i); ok {
			return span{kind: wordSpan, from: i, to: end}
		}
	}
	return span{kind: wordSpan, from: i, to: i + 1}
}

// push appends the span; words that touch become one.
func (l *line) push(s span) {
	if n := len(l.spans); n > 0 && s.kind == wordSpan && l.spans[n-1].kind == wordSpan {
		l.spans[n-1].to = s.to
		return
	}
	if s.kind == markSpan {
		l.addMark(s.mark)
	}
	l.spans = append(l.spans, s)
}

func (l *line) addMark(m mark) { l.marks[m/64] |= 1 << (m % 64) }

// hasMark says whether a word with one of the marks may stand in the line. It
// spares the others the search.
func (l *line) hasMark(marks []mark) bool {
	for _, m := range marks {
		if l.marks[m/64]&(1<<(m%64)) != 0 {
			return true
		}
	}
	return false
}

// str gives the text of a range.
func (l *line) str(from, to int) string { return string(l.raw[from:to]) }

// find returns the indexes of the spans of the kind.
func (l *line) find(kind spanKind) []int {
	n := l.count(kind)
	if n == 0 {
		return nil
	}
	found := make([]int, 0, n)
	for i := range l.spans {
		if l.spans[i].kind == kind && !l.spans[i].used {
			found = append(found, i)
		}
	}
	return found
}

// count says how many find would find.
func (l *line) count(kind spanKind) (n int) {
	for i := range l.spans {
		if l.spans[i].kind == kind && !l.spans[i].used {
			n++
		}
	}
	return n
}

// first returns the first span of the kind, or nil.
func (l *line) first(kind spanKind) *span {
	for i := range l.spans {
		if l.spans[i].kind == kind {
			return &l.spans[i]
		}
	}
	return nil
}

// marked returns the first span with one of the marks, or nil.
func (l *line) marked(marks ...mark) *span {
	if !l.hasMark(marks) {
		return nil
	}
	for i := range l.spans {
		if l.spans[i].kind != markSpan {
			continue
		}
		for _, m := range marks {
			if l.spans[i].mark == m {
				return &l.spans[i]
			}
		}
	}
	return nil
}

// neighbour returns the index of the next span in the direction (+1 or -1)
// that is not blank, or -1.
func (l *line) neighbour(i, direction int) int {
	for i += direction; i >= 0 && i < len(l.spans); i += direction {
		if l.spans[i].kind != spaceSpan {
			return i
		}
	}
	return -1
}

// standsApart says whether no word touches the span i, except by a particle.
func (l *line) standsApart(i int) bool {
	if i > 0 && l.spans[i-1].kind == wordSpan {
		last := l.spans[i-1].to - 1
		if l.at(last) != other && (l.at(last) != kana || !isParticle(l.rune(last))) {
			return false
		}
	}
	if i+1 < len(l.spans) && l.spans[i+1].kind == wordSpan {
		first := l.spans[i+1].from
		return l.at(first) == other || l.at(first) == kana && isParticle(l.rune(first))
	}
	return true
}

// isParticleSpan says whether the span is a particle and nothing else.
func (l *line) isParticleSpan(i int) bool {
	s := &l.spans[i]
	return s.kind == wordSpan && s.to-s.from == 1 && isParticle(l.rune(s.from))
}

func (l *line) indexOf(s *span) int {
	for i := range l.spans {
		if &l.spans[i] == s {
			return i
		}
	}
	return -1
}

func (l *line) amountsIn(from, to int) []int {
	var found []int
	for i := from; i < to; i++ {
		if s := &l.spans[i]; s.kind == amountSpan && !s.used {
			found = append(found, i)
		}
	}
	return found
}

// nameOf gives the first name among the spans of the kind.
func (l *line) nameOf(kind spanKind) string {
	if s := l.first(kind); s != nil {
		return s.name
	}
	return ""
}

// nameIn returns the one name that the spans of the kind have in the range
// [from, to). Two different names are no answer.
func (l *line) nameIn(kind spanKind, from, to int) string {
	name := ""
	for i := from; i < to; i++ {
		s := &l.spans[i]
		if s.kind != kind || kind == categorySpan && !s.used {
			continue
		}
		if name != "" && name != s.name {
			return ""
		}
		name = s.name
	}
	return name
}
