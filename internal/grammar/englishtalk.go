package grammar

import "strings"

// Small numbers in English that are no price: what they count, and what they stand
// behind.
const (
	mostThings   = 20 // 2 coffees 900
	mostBehind   = 31 // home in 20, table for 4
	likelyTalked = 100
)

// countersBehind are words behind which a small number is no price: a time, people,
// the number of a thing.
var countersBehind = wordSet("at in for by till until around about before after of under over than chapter episode season page lesson unit level number day week part volume vol version step row grade class group team channel bus line track size age question problem round windows iphone galaxy pixel android ios type mark model series switch playstation ps")

// readEnglishCounts takes small numbers out that count things: 2 coffees 900, dinner
// for 2 3000, home in 20.
func (l *line) readEnglishCounts() {
	if !l.hasDigit || !l.isEnglish() {
		return
	}
	for i := range l.spans {
		s := &l.spans[i]
		if s.kind != amountSpan || s.amount.yen || s.fault != "" || s.amount.sign != 0 || s.amount.total || s.used {
			continue
		}
		if l.isYear(i) {
			s.fault = UnclearNumber
			continue
		}
		if v := s.amount.value; v <= mostBehind && l.isCountBehind(i) || v <= mostThings && l.isCountOf(i) {
			s.kind, s.unit = counterSpan, "つ"
		}
	}
}

// wordsBeforeCounts stand in front of a number of things: buy 2 eggs.
var wordsBeforeCounts = wordSet("and buy need bring get only have has had take order make see with these those the just another")

// isEnglish says whether the line has English words and no Japanese ones.
func (l *line) isEnglish() bool {
	found := false
	for i, s := range l.class {
		if l.raw[i] == '円' {
			continue
		}
		switch s {
		case kana, katakana, kanji:
			return false
		case latin:
			found = true
		}
	}
	return found
}

// isCountBehind says whether the word in front of the number at span i makes it a
// small number of something.
func (l *line) isCountBehind(i int) bool {
	at := l.spans[i].from
	if l.rune(l.spans[i].to) == '円' || l.at(l.spans[i].to) == latin {
		return false
	}
	from, ok := l.englishBefore(at)
	return ok && countersBehind.has(string(l.low[from:at-1]))
}

// yearsBehind are words behind which a number may be a year.
var yearsBehind = wordSet("in since year of until born before after new_year")

// isYear says whether the number at span i may be a year: in 2025, 2026 goals.
func (l *line) isYear(i int) bool {
	s := &l.spans[i]
	v := int(s.amount.value)
	if s.to-s.from != 4 || v < firstYear || v > lastYear {
		return false
	}
	if from, ok := l.englishBefore(s.from); ok && yearsBehind.has(string(l.low[from:s.from-1])) {
		return true
	}
	year := l.today.Year()
	return i == 0 && v >= year-1 && v <= year+1 && l.at(l.skipBlank(s.to)) == latin
}

// isCountOf says whether a word follows the number at span i that may be what it
// counts, and none stands in front of which it may be the price.
func (l *line) isCountOf(i int) bool {
	s := &l.spans[i]
	if next := s.to; l.at(next) != blank || l.at(l.skipBlank(next)) != latin {
		return false
	}
	before := l.neighbour(i, -1)
	if before >= 0 && l.spans[before].kind == wordSpan {
		word := strings.ToLower(l.str(l.spans[before].from, l.spans[before].to))
		return wordsBeforeCounts.has(word)
	}
	next := l.neighbour(i, +1)
	return next >= 0 && (l.spans[next].kind == wordSpan || l.spans[next].kind == markSpan && !l.spans[next].used || l.spans[next].kind == categorySpan)
}

// talkWords stand in English talk and hardly in the name of what was paid for.
var talkWords = wordSet("i'll we'll you'll he'll she'll they'll i'd i'm we're you're he's she's they're it's that's there's let's lets see meet meeting i've we've will would can could should shall must need needs want wants wanna gonna going is are am isn't aren't wasn't you your he she they them please when where who why what how if maybe perhaps think guess hope looks look looking sounds happy hurry wait waiting call ring text remember remind bring wake arrive arriving leave leaving leaves starts start ends late early score scored won lost left already yet still soon later tomorrow than there might may owe owes lend borrow")

// readEnglishTalk takes lines in English that are no rows for their words. Where a
// price is named the bot asks; a small number is none.
func readEnglishTalk(l *line) (Command, bool) {
	if !l.hasDigit || !l.isEnglish() || l.count(amountSpan) == 0 || !l.talks() && !l.saysIHave() && !notSubjects.has(strings.ToLower(l.wholeItem())) {
		return Command{}, false
	}
	for _, i := range l.find(amountSpan) {
		if a := &l.spans[i]; a.amount.yen || a.amount.value >= likelyTalked || a.fault == ForeignMoney {
			return l.ask(NotARow), true
		}
	}
	return Command{Kind: Remark}, true
}

// saysIHave says whether the line begins with what somebody has.
func (l *line) saysIHave() bool {
	start := l.skipBlank(0)
	return l.has(start, "i have ") || l.has(start, "we have ")
}

// talks says whether one of talkWords stands in the line, outside what the rows are
// named by.
func (l *line) talks() bool {
	for i := 0; i < len(l.low); i++ {
		if l.at(i) != latin || l.at(i-1) == latin || l.rune(i-1) == '\'' {
			continue
		}
		if s := l.spanOver(i); s != nil && s.kind != wordSpan && !(s.kind == markSpan && !s.used) {
			continue
		}
		_, end, ok := talkWords.atIf(l.low, i, func(_ bool, end int) bool { return l.at(end) != latin && l.rune(end) != '\'' && l.rune(end) != '-' })
		if ok && l.rune(i-1) != '-' && !l.isTitle(i, end) {
			return true
		}
	}
	return false
}

// isTitle says whether the word is written with a capital in the middle of a line,
// as in the name of a shop or a film.
func (l *line) isTitle(i, end int) bool {
	known, _, ok := words().at(&l.text, i)
	return ok && known >= end || i > l.skipBlank(0) && l.raw[i] != l.low[i] && l.low[i] != 'i' && l.raw[i+1] == l.low[i+1]
}
