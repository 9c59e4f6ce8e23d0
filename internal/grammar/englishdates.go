package grammar

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"ichido/internal/ledger"
)

// englishMonths are the months by name. Those whose names are other words as well
// count only beside a number.
var (
	englishMonths = wordTable[int]{
		1: "january jan", 2: "february feb", 3: "march mar", 4: "april apr", 5: "may", 6: "june jun",
		7: "july jul", 8: "august aug", 9: "september sept sep", 10: "october oct", 11: "november nov", 12: "december dec",
	}.index()
	plainMonths = wordSet("january february april june july august september october november december")
)

// shortWeekdays are no other words; sun, sat and mon need a word in front.
var (
	shortWeekdays    = wordTable[int]{2: "tue tues", 3: "wed weds", 4: "thu thur thurs", 5: "fri"}.index()
	doubtfulWeekdays = wordTable[int]{0: "sun", 1: "mon", 6: "sat"}.index()
)

// englishSpans are lengths of time in days; a month is -1.
var englishSpans = wordTable[int]{1: "day days", 7: "week weeks", -1: "month months"}.index()

var smallEnglish = wordTable[int]{1: "a one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten"}.index()

// englishDate reads a day or a period that is written in English, with the word in
// front that belongs to it: on Nov 28, last Friday, in June, 2 days ago.
func (l *line) englishDate(i int) (span, bool) {
	if l.at(i-1) == latin || l.at(i-1) == digit || l.rune(i-1) == '.' {
		return span{}, false
	}
	switch l.at(i) {
	case digit:
		return l.numberedEnglishDate(i)
	case latin:
	default:
		return span{}, false
	}
	if s, ok := l.prefixedDate(i); ok {
		return s, true
	}
	for _, read := range []func(int) (span, bool){l.namedMonth, l.namedWeekday, l.agoInWords} {
		if s, ok := read(i); ok {
			return s, true
		}
	}
	return span{}, false
}

// englishWord says whether the word stands at i as a whole; end is behind the blank
// that follows it.
func (l *line) englishWord(i int, word string) (end int, ok bool) {
	end = i + len(word)
	if !l.has(i, word) || l.at(end) == latin {
		return i, false
	}
	return l.skipBlank(end), true
}

// prefixedDate reads on or in with what follows it, and last Friday.
func (l *line) prefixedDate(i int) (span, bool) {
	for _, word := range []string{"on", "in", "for", "during", "of", "since"} {
		at, ok := l.englishWord(i, word)
		if !ok || at == i+len(word) {
			continue
		}
		if the, ok := l.englishWord(at, "the"); ok && word == "on" {
			at = the
		}
		if s, ok := l.yearOfList(at); ok && word == "in" {
			return s, true
		}
		s, ok := l.dateBehind(at)
		if !ok || word == "on" && s.kind != dateSpan || word != "on" && (s.kind != periodSpan || l.hasPrice(s.to) && !l.asksForRows()) {
			return span{}, false
		}
		return s, true
	}
	if at, ok := l.englishWord(i, "the"); ok {
		if s, ok := l.ordinalDay(at); ok {
			return s, true
		}
	}
	for word, offset := range map[string]int{"last": -1, "this": 0, "next": 1} {
		at, ok := l.englishWord(i, word)
		if !ok {
			continue
		}
		if w, end, ok := l.weekdayAt(at, true); ok {
			return l.weekdayOf(end, w, offset)
		}
		if month, end, ok := l.monthAt(at); ok && offset < 1 {
			return l.wholeMonth(end, 0, month)
		}
		return span{}, false
	}
	return span{}, false
}

// asksForRows says whether a list or a search has been asked for in front.
func (l *line) asksForRows() bool {
	return slices.ContainsFunc(l.spans, func(s span) bool { return s.kind == markSpan && (s.mark == listWord || s.mark == searchWord) })
}

// yearOfList reads a year alone, where it can't be an amount: list food in 2025.
func (l *line) yearOfList(i int) (span, bool) {
	end := i
	for l.at(end) == digit {
		end++
	}
	year, err := strconv.Atoi(string(l.low[i:end]))
	if end-i != 4 || err != nil || year < 1990 || year > 2099 || !l.asksForRows() {
		return span{}, false
	}
	return wholeYear(end, year)
}

// dateBehind reads any day or period at i.
func (l *line) dateBehind(i int) (span, bool) {
	if w, end, ok := l.weekdayAt(i, true); ok {
		return day(end, l.lastWeekday(w))
	}
	if month, end, ok := l.monthAt(i); ok && l.at(l.skipBlank(end)) != digit {
		return l.wholeMonth(end, 0, month)
	}
	if s, ok := l.ordinalDay(i); ok {
		return s, true
	}
	if s, ok := l.englishDate(i); ok {
		return s, true
	}
	for _, pattern := range datePatterns {
		if s, ok := pattern(l, i); ok {
			return s, true
		}
	}
	return span{}, false
}

// hasPrice says whether a number stands outside the period that ends at end: one
// in the middle of a row is a part of an item.
func (l *line) hasPrice(end int) bool {
	for i := end; i < len(l.raw); i++ {
		if l.at(i) == digit {
			return true
		}
	}
	for i := range l.spans {
		if l.spans[i].kind == amountSpan {
			return true
		}
	}
	return false
}

func (l *line) monthAt(i int) (month, end int, ok bool) {
	month, end, ok = englishMonths.atIf(l.low, i, func(_ int, end int) bool { return l.at(end) != latin && l.rune(end) != '\'' })
	if ok && l.rune(end) == '.' {
		end++
	}
	return month, end, ok
}

// weekdayAt reads the name of a day of the week; with a word in front also sun.
func (l *line) weekdayAt(i int, fronted bool) (weekday, end int, ok bool) {
	whole := func(_ int, end int) bool { return l.at(end) != latin }
	if w, end, ok := weekdays.atIf(l.low, i, whole); ok {
		return w, end, l.at(i) == latin
	}
	if w, end, ok := shortWeekdays.atIf(l.low, i, whole); ok {
		return w, end, true
	}
	w, end, ok := doubtfulWeekdays.atIf(l.low, i, whole)
	return w, end, ok && fronted
}

// weekdayOf gives last Friday: the latest before today. This Friday may be past or
// to come, and nobody has paid next Friday.
func (l *line) weekdayOf(end, weekday, offset int) (span, bool) {
	last := l.lastWeekday(weekday)
	switch {
	case offset == 0 && last != l.today:
		return span{kind: dateSpan, to: end, fault: VagueDate}, true
	case offset == 0:
		return day(end, last)
	case offset > 0:
		return day(end, last.AddDays(7))
	case last == l.today:
		return day(end, last.AddDays(-7))
	}
	return day(end, last)
}

// namedWeekday reads a short name of a day of the week.
func (l *line) namedWeekday(i int) (span, bool) {
	whole := func(_ int, end int) bool { return l.at(end) != latin && l.rune(end) != '-' }
	if _, end, ok := weekdays.atIf(l.low, i, whole); ok && l.isFeast(i, end) {
		return span{kind: wordSpan, to: end}, true
	}
	if from, ok := l.englishBefore(i); ok && l.has(from, "for ") {
		if _, end, ok := weekdays.atIf(l.low, i, whole); ok {
			return span{kind: dateSpan, to: end, fault: VagueDate}, true // a ticket for Saturday
		}
	}
	w, end, ok := shortWeekdays.atIf(l.low, i, whole)
	if !ok && i == l.skipBlank(0) {
		w, end, ok = doubtfulWeekdays.atIf(l.low, i, whole)
		ok = ok && (w != 0 || l.at(l.skipBlank(end)) == digit) // sun hat
	}
	if !ok || !l.hasDigit {
		return span{}, false
	}
	return day(end, l.lastWeekday(w))
}

// Words that make the name of a weekday a part of another: Black Friday, Sunday roast.
var (
	feastsBefore = wordSet("black good cyber casual ash easter super fat")
	feastsBehind = wordSet("roast school times special best mass")
)

func (l *line) isFeast(i, end int) bool {
	if from, ok := l.englishBefore(i); ok && feastsBefore.has(string(l.low[from:i-1])) {
		return true
	}
	_, _, ok := feastsBehind.atIf(l.low, l.skipBlank(end), func(_ bool, e int) bool { return l.at(e) != latin })
	return ok
}

// namedMonth reads Nov 28, November 28th, 2026, Oct 2025 and June.
func (l *line) namedMonth(i int) (span, bool) {
	month, end, ok := l.monthAt(i)
	if !ok {
		return span{}, false
	}
	at := l.skipBlank(end)
	if d, dend, ok := l.dayNumber(at); ok && at > end {
		year, yend := l.yearBehind(dend)
		return l.resolve(yend, year, month, d)
	}
	if year, yend := l.yearBehind(end); year != 0 {
		return l.wholeMonth(yend, year, month)
	}
	if i == l.skipBlank(0) && l.at(at) == digit && l.onlyMoney(at) {
		return l.wholeMonth(end, 0, month)
	}
	if l.at(at) == digit && !plainMonths.has(string(l.low[i:end])) {
		return span{}, false
	}
	alone := i == l.skipBlank(0) || len(l.spans) > 0 && l.afterPeriodWord()
	if !plainMonths.has(string(l.low[i:end])) && !(alone && at == len(l.raw) && month != 5 && month != 3) || !alone && l.hasDigit {
		return span{}, false
	}
	return l.wholeMonth(end, 0, month)
}

// afterPeriodWord says whether a word of a query or a category stands before.
func (l *line) afterPeriodWord() bool {
	for i := len(l.spans) - 1; i >= 0; i-- {
		switch l.spans[i].kind {
		case spaceSpan:
		case markSpan, categorySpan, accountSpan:
			return true
		default:
			return false
		}
	}
	return false
}

// dayNumber reads 28 and 28th, which no price goes on from.
func (l *line) dayNumber(i int) (n, end int, ok bool) {
	value, end := l.readDigits(i)
	if end == i || end > i+2 || value < 1 || value > 31 {
		return 0, i, false
	}
	n = int(value)
	for _, suffix := range []string{"st", "nd", "rd", "th"} {
		if l.has(end, suffix) && l.at(end+2) != latin {
			return n, end + 2, true
		}
	}
	if r := l.rune(end); l.at(end) == latin || r == '円' || r == '/' || r == '-' || strings.ContainsRune(",.:", r) && l.at(end+1) == digit {
		return 0, i, false
	}
	return n, end, true
}

// yearBehind reads the year of a day that ends at i: one near the present. A price
// may look like it, but then nothing is left to be the price, and the bot asks.
func (l *line) yearBehind(i int) (year, end int) {
	at := i
	if l.rune(at) == ',' {
		at++
	}
	at = l.skipBlank(at)
	value, end := l.readDigits(at)
	year = int(value)
	if at == i || end != at+4 || year < l.today.Year()-2 || year > l.today.Year()+1 || isWord(l.at(end)) || strings.ContainsRune(",.", l.rune(end)) && l.at(end+1) == digit {
		return 0, i
	}
	return year, end
}

// numberedEnglishDate reads 28 Nov, 28th of November, 2 days ago, 2026-10.
func (l *line) numberedEnglishDate(i int) (span, bool) {
	if s, ok := l.isoMonth(i); ok {
		return s, true
	}
	n, end := l.smallNumber(i)
	if end == i || end > i+3 {
		return span{}, false
	}
	if s, ok := l.agoBehind(n, l.skipBlank(end)); ok {
		return s, true
	}
	d, dend, ok := l.dayNumber(i)
	if !ok {
		return span{}, false
	}
	at := l.skipBlank(dend)
	if of, ok := l.englishWord(at, "of"); ok {
		at = of
	}
	month, mend, ok := l.monthAt(at)
	if !ok || at == dend && dend == end {
		return span{}, false
	}
	year, yend := l.yearBehind(mend)
	return l.resolve(yend, year, month, d)
}

// isoMonth reads 2026-10.
func (l *line) isoMonth(i int) (span, bool) {
	year, end := l.smallNumber(i)
	month, mend := l.smallNumber(end + 1)
	if end != i+4 || l.rune(end) != '-' || mend != end+3 || year < firstYear || year > lastYear || month < 1 || month > 12 {
		return span{}, false
	}
	if r := l.rune(mend); r == '-' || r == '.' && l.at(mend+1) == digit || isWord(l.at(mend)) && l.at(mend) != kana || l.at(i-1) == punct {
		return span{}, false
	}
	return l.wholeMonth(mend, year, month)
}

// ordinalDay reads 25th: the last one, today included, as 25日 is.
func (l *line) ordinalDay(i int) (span, bool) {
	d, end, ok := l.dayNumber(i)
	if !ok || l.at(end-1) != latin {
		return span{}, false
	}
	if next := l.skipBlank(end); l.at(next) == latin {
		if of, ok := l.englishWord(next, "of"); ok {
			if month, mend, ok := l.monthAt(of); ok {
				year, yend := l.yearBehind(mend)
				return l.resolve(yend, year, month, d)
			}
		}
	}
	for offset := 0; offset >= -2; offset-- {
		month := ledger.Month(l.today, offset)
		if found, err := civil(month.From.Year(), time.Month(month.From.Month()), d); err == nil && found <= l.today {
			return day(end, found)
		}
	}
	return noDay(end)
}

// agoInWords reads two days ago, a week ago and the day before yesterday.
func (l *line) agoInWords(i int) (span, bool) {
	n, end, ok := smallEnglish.atIf(l.low, i, func(_ int, end int) bool { return l.at(end) == blank })
	if !ok {
		return span{}, false
	}
	return l.agoBehind(n, l.skipBlank(end))
}

// agoBehind reads days ago behind their number.
func (l *line) agoBehind(n, i int) (span, bool) {
	unit, end, ok := englishSpans.atIf(l.low, i, func(_ int, end int) bool { return l.at(end) == blank })
	if !ok {
		return span{}, false
	}
	end = l.skipBlank(end)
	if !l.has(end, "ago") || l.at(end+3) == latin {
		return span{}, false
	}
	if unit < 0 {
		return period(end+3, "month", ledger.Month(l.today, -n))
	}
	return day(end+3, l.today.AddDays(-n*unit))
}

// pastPossessive skips the 's behind a day: yesterday's lunch.
func (l *line) pastPossessive(i int) int {
	if r := l.rune(i); r == '\'' && l.rune(i+1) == 's' && l.at(i+2) != latin && l.at(i-1) == latin {
		return i + 2
	}
	return i
}
