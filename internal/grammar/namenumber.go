package grammar

import (
	"slices"
	"strings"

	"ichido/internal/ledger"
)

// likelyPrice is the least number that more often is a price than a part of a
// name.
const likelyPrice = 100

// ahead is what stands behind a number, as far as it tells what the number is.
type ahead struct {
	free  bool       // a number follows that no word touches
	words bool       // words stand before it
	apart bool       // a blank does
	side  side       // where it is touched
	value ledger.Yen // 0: none follows
}

// nameNumbers finds the numbers that belong to a name: those glued to letters
// that are no known word, and those glued to any word when a free number
// follows. Where the word is known both readings are likely, so it is a fault.
func (l *line) nameNumbers() {
	var next ahead
	for i := len(l.spans) - 1; i >= 0; i-- {
		s := &l.spans[i]
		switch {
		case s.kind == amountSpan && !s.used:
			if l.nameNumber(i, next) {
				continue
			}
			if next.words && l.modelNumber(i, next.value) {
				s.fault = GluedNumber
			}
			next = ahead{free: !l.glued(i) && !s.amount.total, side: l.touched(i), value: s.amount.value}
		case s.kind == wordSpan:
			next.words = true
			if l.joins(i) {
				next.free = false
			}
		case s.kind == spaceSpan:
			next.apart = true
		case s.kind == punctSpan && l.isListMark(s.from):
			next.free = false
		}
	}
}

// side is where a word touches a number.
type side uint8

const (
	noSide side = iota
	leftSide
	rightSide
	bothSides
)

// touched says where a part of an item touches the number at span i.
func (l *line) touched(i int) side {
	at := noSide
	if i > 0 && l.spans[i-1].isPart() {
		at = leftSide
	}
	if i+1 < len(l.spans) && l.spans[i+1].isPart() {
		at += rightSide
	}
	return at
}

func (s *span) isPart() bool { return s.kind == wordSpan || s.kind == counterSpan && !s.used }

func (l *line) isListMark(i int) bool {
	switch l.rune(i) {
	case '、', ',', ';', '/', '+', '&':
		return true
	}
	return false
}

// joins says whether the word at span i begins with と behind an amount.
func (l *line) joins(i int) bool {
	s := l.spans[i]
	return i > 0 && l.spans[i-1].kind == amountSpan && l.rune(s.from) == 'と' && !l.knownStart(s.from)
}

// knownStart says whether a word of the dictionary begins at i, perhaps with
// an honorific.
func (l *line) knownStart(i int) bool {
	honorific := l.rune(i) == 'お' || l.rune(i) == 'ご'
	return honorific && words().startsAt(&l.text, i+1) || words().startsAt(&l.text, i)
}

// glued says whether a word touches the bare number at span i.
func (l *line) glued(i int) bool {
	s := l.spans[i]
	if s.amount.yen || s.amount.sign != 0 || s.fault == ForeignMoney {
		return false
	}
	left := i > 0 && l.spans[i-1].kind == wordSpan
	right := i+1 < len(l.spans) && l.spans[i+1].kind == wordSpan
	return left || right
}

// nameNumber makes the amount at span i a part of a name, or a fault, if it is
// one, and says whether it did.
func (l *line) nameNumber(i int, next ahead) bool {
	if next.free && l.hyphened(i) {
		l.hyphenName(i, next.words)
		return l.spans[i].kind == counterSpan
	}
	if next.free && l.leadsName(i) {
		l.spans[i].kind = counterSpan
		return true
	}
	if !l.glued(i) || l.isPlainPrice(i) {
		return false
	}
	s := &l.spans[i]
	letters := l.at(s.from-1) == latin || l.at(s.to) == latin
	switch strange := letters && !l.gluedToKnown(i); {
	case strange && l.isLostPrice(i, next):
		s.fault = GluedNumber
		return false
	case strange, (next.value > 0 || l.isAfterAmount(i)) && l.isGrade(i):
		s.kind, s.fault = counterSpan, ""
		if s.amount.value >= likelyPrice {
			s.fault = GluedNumber
		}
		return true
	case !next.free && l.isInside(i):
		s.fault = GluedNumber
		return false
	case !next.free || l.isRow(i, next) || s.fault == TwoAmounts:
		return false
	}
	return l.gluedNumber(i, next)
}

// gluedNumber is nameNumber for a number that a word touches and another follows,
// free to be the price. Where both may be prices it is a fault.
func (l *line) gluedNumber(i int, next ahead) bool {
	s := &l.spans[i]
	least := ledger.Yen(likelyPrice)
	if next.words {
		least = 10
	}
	switch {
	case s.amount.value >= likelyPrice && next.side >= rightSide && l.touched(i) == rightSide, // 900ゆずと¥900コーヒー
		s.amount.value >= least && l.gluedToKnown(i):
		s.fault = GluedNumber
		return false
	}
	s.kind, s.fault = counterSpan, ""
	return true
}

// isLostPrice says whether the number at span i may be the price of the letters
// behind it, beside another row: 38パン 2480iMac.
func (l *line) isLostPrice(i int, next ahead) bool {
	return l.spans[i].amount.value >= likelyPrice && l.touched(i) == rightSide && !next.free && (next.value > 0 || l.isAfterAmount(i))
}

// isInside says whether a digit stands inside a word that has a price in front of
// it: 2480 単3ほげ.
func (l *line) isInside(i int) bool {
	const digits = 10
	return l.spans[i].amount.value < digits && l.touched(i) == bothSides && l.isAfterAmount(i)
}

// isPlainPrice says whether the number at span i is written as no name is: with
// a comma, or behind a particle.
func (l *line) isPlainPrice(i int) bool {
	s := &l.spans[i]
	if slices.Contains(l.raw[s.from:s.to], ',') {
		return true
	}
	const least = 10
	return i > 0 && l.spans[i-1].kind == wordSpan && strings.ContainsRune("でにをがと", l.rune(s.from-1)) && s.amount.value >= least &&
		!words().knownEnd(&l.text, l.spans[i-1].from, s.from)
}

// isRow says whether the number at span i and the next one, which stands apart
// from it, are written alike, as the prices of two rows are: ぶどう900 みかん¥900.
func (l *line) isRow(i int, next ahead) bool {
	const least = 10
	here := l.touched(i)
	return next.apart && here == next.side && (here == leftSide || here == rightSide) && l.spans[i].amount.value >= least
}

// isAfterAmount says whether a number that may be money stands somewhere in front
// of span i.
func (l *line) isAfterAmount(i int) bool {
	return slices.ContainsFunc(l.spans[:i], func(s span) bool { return s.kind == amountSpan && !s.used })
}

// isGrade says whether the small number at span i is glued to letters in front
// that are no known word: SPF50日焼け止め.
func (l *line) isGrade(i int) bool {
	s := &l.spans[i]
	return l.at(s.from-1) == latin && s.amount.value < likelyPrice && !words().knownEnd(&l.text, l.spans[i-1].from, s.from)
}

func (l *line) gluedToKnown(i int) bool {
	s := l.spans[i]
	left := i > 0 && l.spans[i-1].kind == wordSpan && l.knownOrFee(l.spans[i-1].from, s.from)
	right := i+1 < len(l.spans) && l.spans[i+1].kind == wordSpan && l.knownStart(s.to)
	return left || right
}

// knownOrFee says whether a word of the dictionary ends at to, perhaps with 代
// behind it.
func (l *line) knownOrFee(from, to int) bool {
	return words().knownEnd(&l.text, from, to) || isFeeSuffix(l.rune(to-1)) && words().knownEnd(&l.text, from, to-1)
}

// hyphened says whether a hyphen joins the bare number at span i to letters or
// to a number with letters: WD-40, 5W-30.
func (l *line) hyphened(i int) bool {
	s := &l.spans[i]
	if i < 2 || s.amount.yen || s.fault != "" || l.spans[i-1].kind != punctSpan || !isDash(l.rune(s.from-1)) {
		return false
	}
	before := &l.spans[i-2]
	return before.kind == counterSpan || before.kind == wordSpan && l.at(before.to-1) == latin
}

// leadsName says whether a hyphen joins the small number at span i to letters
// behind it: 7-Eleven.
func (l *line) leadsName(i int) bool {
	s := &l.spans[i]
	return s.amount.value < likelyPrice && !s.amount.yen && s.fault == "" && l.rune(s.to) == '-' && l.at(s.to+1) == latin
}

// hyphenName makes the number a part of the name, or a fault if it may as well
// be the price of a row: Coffee-450 Tea 300.
func (l *line) hyphenName(i int, wordsBetween bool) {
	s, before := &l.spans[i], &l.spans[i-2]
	goesOn := l.at(s.to) == latin // WH-1000XM5
	if !goesOn && (words().knownEnd(&l.text, before.from, before.to) || wordsBetween && s.amount.value >= likelyPrice) {
		s.fault = GluedNumber
		return
	}
	s.kind = counterSpan
}

// modelNumber says whether the free number at span i may be a part of the name
// in front of it, seen from the much larger amount behind it: iPhone 17 ケース
// 2000. Below ten it may as well be a number of things.
func (l *line) modelNumber(i int, later ledger.Yen) bool {
	const fewest, muchLarger = 10, 10
	s, n := &l.spans[i], l.neighbour(i, -1)
	value := s.amount.value
	if s.amount.yen || s.fault != "" || value >= likelyPrice || later < value*muchLarger || n < 0 || l.spans[n].kind != wordSpan {
		return false
	}
	if value < fewest {
		return true
	}
	before := &l.spans[n]
	last := l.at(before.to - 1)
	return (last == latin || last == katakana) && !words().knownEnd(&l.text, before.from, before.to)
}
