package grammar

import (
	"errors"
	"time"

	"ichido/internal/ledger"
)

// smallNumber reads up to four digits, or a kanji numeral below a hundred, as
// dates need them. The end is i if there is none.
func (t *text) smallNumber(i int) (n, end int) {
	if i >= len(t.raw) {
		return 0, i
	}
	if t.at(i) == digit {
		value, end := t.readDigits(i)
		if end-i > 4 {
			return 0, i
		}
		return int(value), end
	}
	const longest = 3 // 三十一
	end = i
	for end < i+longest && t.at(end) == kanji && isNumeralRune(t.rune(end)) {
		end++
	}
	if end == i {
		return 0, i
	}
	num := t.until(end).readNumeral(i)
	if num.fault != "" || num.value > 99 || isNumeralRune(t.rune(end)) {
		return 0, i
	}
	return int(num.value), num.end
}

// writtenDate reads a date that is written in numbers.
func writtenDate(l *line, i int) (span, bool) {
	first, end := l.smallNumber(i)
	if end == i {
		return span{}, false
	}
	size, mark := end-i, l.rune(end)
	switch {
	case mark == '年' && size == 4:
		return l.yearThen(end+1, first)
	case mark == '年' && size == 2:
		if s, ok := l.monthDay(end+1, fullYear(first)); ok && s.kind == dateSpan {
			return s, true
		}
	case (mark == '/' || mark == '-' || mark == '.') && (size == 4 || size == 2 && mark == '/'):
		if s, ok := l.slashed(end, fullYear(first), mark); ok {
			return s, true
		}
		if month, mend := l.smallNumber(end + 1); size == 4 && mark == '/' && mend > end+1 && month >= 1 && month <= 12 {
			return l.wholeMonth(mend, first, month)
		}
	}
	if s, ok := l.monthDay(i, 0); ok {
		return s, true
	}
	if mark == '日' {
		return l.bareDay(i, end, first)
	}
	return span{}, false
}

func fullYear(n int) int {
	if n < 100 {
		return 2000 + n
	}
	return n
}

// Years that somebody may mean. Any other is a slip of the finger.
const (
	firstYear = 1900
	lastYear  = 2100
)

var errYear = errors.New("nobody means that year")

// civil is ledger.NewDate for the years that somebody may mean.
func civil(year int, month time.Month, day int) (ledger.Date, error) {
	if year < firstYear || year > lastYear {
		return 0, errYear
	}
	return ledger.NewDate(year, month, day)
}

// slashed reads what follows the year in 2026/6/29, at its first mark.
func (l *line) slashed(i, year int, mark rune) (span, bool) {
	month, end := l.smallNumber(i + 1)
	if end == i+1 || end > i+3 {
		return span{}, false
	}
	dayOfMonth, dend := l.smallNumber(end + 1)
	if l.rune(end) != mark || dend == end+1 || dend > end+3 {
		return span{}, false
	}
	d, err := civil(year, time.Month(month), dayOfMonth)
	return dayOrFault(dend, d, err)
}

// yearThen reads what follows 2026年.
func (l *line) yearThen(i, year int) (span, bool) {
	if s, ok := l.monthDay(i, year); ok {
		return s, true
	}
	if kind, end, ok := nameKinds.at(l.low, i); ok && kind != monthKind {
		return span{kind: wordSpan, to: end}, true
	}
	return wholeYear(i, year)
}

// What behind a month or a year makes it a part of a name.
const (
	anyKind   = iota // 2026年産, 1月始まり, 2027年手帳
	monthKind        // 12月号
	partKind         // 11月分: no name alone
)

var nameKinds = wordTable[int]{
	anyKind:   "モデル 製 型 式 版 産 用 発売 手帳 カレンダー 始まり 始り はじまり 度",
	monthKind: "号 人形 期 場所 見",
	partKind:  "分 生まれ",
}.index()

// monthDay reads 6/29, 6月29日, 6月末 and 6月. With year 0 the year is the one
// that fits the day.
func (l *line) monthDay(i, year int) (span, bool) {
	month, end := l.smallNumber(i)
	if end == i {
		return span{}, false
	}
	if l.rune(end) == '/' {
		return l.slashDay(i, end, year, month)
	}
	if l.rune(end) != '月' {
		return span{}, false
	}
	dayOfMonth, dend := l.smallNumber(end + 1)
	kind, kindEnd, named := nameKinds.at(l.low, end+1)
	switch {
	case dend > end+1 && l.has(dend, "日"):
		return l.resolve(dend+1, year, month, dayOfMonth)
	case l.has(end+1, "末"):
		p, ok := l.monthOf(year, month)
		if !ok {
			return noDay(end + 2)
		}
		return day(end+2, p.To)
	case named && kind == partKind:
		return span{kind: counterSpan, to: kindEnd}, true
	case named:
		return span{kind: wordSpan, to: kindEnd}, true
	}
	return l.wholeMonth(end+1, year, month)
}

// fraction is the unit of a date long ago that may be a part of something to
// eat: 1/2 キャベツ 98.
const fraction = "fraction"

// slashDay reads 6/29. Half of something, as in キャベツ1/2, is no date, and
// between an item and its amount nobody can tell: キャベツ 1/2 98.
func (l *line) slashDay(i, mark, year, month int) (span, bool) {
	dayOfMonth, end := l.smallNumber(mark + 1)
	if l.rune(end) == ',' && l.at(end+1) == digit {
		return span{}, false // Switch2/12,800円
	}
	if end == mark+1 || end > mark+3 || mark > i+2 || l.rune(end) == '/' || l.rune(mark+1) > '9' {
		return span{}, false
	}
	if l.rune(end) == '号' {
		return span{kind: wordSpan, to: end + 1}, true // of a magazine
	}
	s, ok := l.resolve(end, year, month, dayOfMonth)
	if year != 0 || month > 3 || month >= dayOfMonth || dayOfMonth > 8 {
		return s, ok
	}
	const recent = 60
	glued := isWord(l.at(i-1)) || isWord(l.at(end)) && l.at(end) != kana
	switch {
	case glued && s.date < l.today.AddDays(-recent):
		return span{kind: counterSpan, to: end}, true
	case l.afterItem(i) && l.amountFollows(end):
		return span{kind: dateSpan, to: end, fault: VagueDate}, true
	case s.date < l.today.AddDays(-recent):
		s.unit = fraction
	}
	return s, ok
}

// afterItem says whether a word that may be an item stands before the blank in
// front of i.
func (l *line) afterItem(i int) bool {
	n := len(l.spans) - 1
	if n >= 0 && l.spans[n].kind == spaceSpan {
		n--
	}
	return n >= 0 && l.spans[n].to < i && l.spans[n].kind == wordSpan
}

// amountFollows says whether the next thing behind the blank at i is a number.
func (l *line) amountFollows(i int) bool {
	return l.at(i) == blank && l.digitFollows(i)
}

// resolve finds the year of a day without one: the latest that is at most
// aheadDays ahead and not older than a year.
func (l *line) resolve(end, year, month, dayOfMonth int) (span, bool) {
	if year != 0 {
		d, err := civil(year, time.Month(month), dayOfMonth)
		return dayOrFault(end, d, err)
	}
	oldest, newest := ledger.Date(int(l.today)-10000), l.today.AddDays(aheadDays)
	for y := l.today.Year() + 1; y >= l.today.Year()-1; y-- {
		d, err := civil(y, time.Month(month), dayOfMonth)
		if err == nil && d >= oldest && d <= newest {
			return day(end, d)
		}
	}
	return noDay(end)
}

// wholeMonth makes a period of a month.
func (l *line) wholeMonth(end, year, month int) (span, bool) {
	p, ok := l.monthOf(year, month)
	if !ok {
		return noDay(end)
	}
	return period(end, "month", p)
}

// monthOf gives the month of the year, or of year 0 the last one that has
// begun.
func (l *line) monthOf(year, month int) (ledger.Period, bool) {
	if month < 1 || month > 12 {
		return ledger.Period{}, false
	}
	if year == 0 {
		year = l.today.Year()
		if month > int(l.today.Month()) {
			year--
		}
	}
	first, err := civil(year, time.Month(month), 1)
	return ledger.Month(first, 0), err == nil
}

// bareDay reads 25日: the last one, today included. 1日 to 3日 before a word
// are lengths of time, SPF50日焼け止め and 1500日用品 have a word that begins so.
func (l *line) bareDay(i, end, dayOfMonth int) (span, bool) {
	if wordEnd, _, ok := words().at(&l.text, end); l.at(i-1) == latin || dayOfMonth > 31 && ok && wordEnd > end+1 {
		return span{}, false
	}
	if l.rune(i-1) == '泊' || l.dayGoesOn(end+1) || dayOfMonth <= 3 && l.at(end+1) >= katakana && l.at(end+1) != other {
		return span{}, false
	}
	for offset := 0; offset >= -2; offset-- {
		month := ledger.Month(l.today, offset)
		d, err := civil(month.From.Year(), month.From.Month(), dayOfMonth)
		if err == nil && d <= l.today {
			return day(end+1, d)
		}
	}
	return noDay(end + 1)
}

// distances are days, months and years before today.
var distances = wordTable[[3]int]{
	{1}:        "日前 日まえ",
	{7}:        "週間前 週前",
	{-1}:       "日後",
	{-7}:       "週間後 週後",
	{0, 1}:     "か月前 ヶ月前 カ月前 ヵ月前 ケ月前",
	{0, -1}:    "か月後 ヶ月後 カ月後 ヵ月後 ケ月後",
	{0, 0, 1}:  "年前",
	{0, 0, -1}: "年後",
}.index()

// distance reads 3日前 and 二週間前.
func distance(l *line, i int) (span, bool) {
	n, end := l.smallNumber(i)
	if end == i {
		return span{}, false
	}
	d, uend, ok := distances.at(l.low, end)
	if !ok {
		return span{}, false
	}
	switch {
	case d[0] != 0:
		return day(uend, l.today.AddDays(-n*d[0]))
	case d[1] != 0:
		return period(uend, "month", ledger.Month(l.today, -n*d[1]))
	}
	return wholeYear(uend, l.today.Year()-n*d[2])
}
