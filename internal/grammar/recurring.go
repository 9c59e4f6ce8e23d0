package grammar

import "strings"

// everyUnits maps the words of rhythm to the unit of Every.
var everyUnits = wordTable[string]{
	"month": "毎月 every_month monthly", "week": "毎週 every_week every_monday every_tuesday every_wednesday every_thursday every_friday every_saturday every_sunday", "year": "毎年 every_year", "day": "毎日 every_day",
}.index()

// readRecurring reads 毎月27日 家賃 80000, 毎週月曜 習い事 3000 and 家賃 80000
// 毎月27日.
func readRecurring(l *line) (Command, bool) {
	m := l.marked(everyWord)
	if m == nil || l.marked(unsafeMarks...) != nil || l.asks() || l.marked(trendWord) != nil || l.endsInTalk() {
		return Command{}, false
	}
	unit, _ := everyUnits.whole(l.low[m.from:m.to])
	every, end, ok := l.everyDay(unit, m.to)
	if w, _, named := weekdays.at(l.low, m.from+len("every ")); named && l.at(m.from) == latin {
		every.Weekday = (w+6)%7 + 1
	}
	if !ok {
		return l.ask(NoSuchDate), true
	}
	if end == m.to && isWord(l.at(end)) && l.rune(end) != 'の' {
		return Command{}, false // 毎日新聞
	}
	rest := l.without(m.from, l.skipJoint(end))
	c, ok := readTransfer(rest)
	if !ok {
		c, ok = readRecord(rest)
	}
	switch {
	case ok && c.Kind == Record:
		return Command{Kind: Recurring, Every: every, Entries: c.Entries}, true
	case ok:
		return c, true
	case rest.wholeItem() == "":
		return Command{}, false
	}
	return rest.ask(NothingToMake), true
}

// skipJoint skips the particle that joins a day to an item, but not the beginning
// of a word: 毎月1日に習い事.
func (l *line) skipJoint(i int) int {
	if strings.ContainsRune("には", l.rune(i)) && i < len(l.raw) && !l.knownStart(i) {
		return i + 1
	}
	return i
}

// without reads the line as it would be if the range were blank.
func (l *line) without(from, to int) *line {
	return l.newLine(strings.TrimSpace(l.str(0, from) + " " + l.str(to, len(l.raw))))
}

// everyDay reads the day behind the word of rhythm.
func (l *line) everyDay(unit string, i int) (e Every, end int, ok bool) {
	e.Unit = unit
	i = l.skipNo(i)
	switch unit {
	case "week":
		if day, end, ok := weekdays.at(l.low, i); ok {
			e.Weekday = (day+6)%7 + 1
			return e, end, true
		}
	case "month":
		for _, word := range []string{"月末", "末日", "末"} {
			if l.has(i, word) {
				e.Day = MonthEnd
				return e, i + len([]rune(word)), true
			}
		}
		if n, end, ok := l.onTheDay(i); ok {
			e.Day = n
			return e, end, true
		}
		if n, end := l.smallNumber(i); end > i && l.rune(end) == '日' {
			e.Day = n
			return e, end + 1, n >= 1 && n <= 31
		}
	case "year":
		return l.everyYear(e, i)
	}
	return e, i, true
}

// onTheDay reads the 27th of every month on the 27th.
func (l *line) onTheDay(i int) (n, end int, ok bool) {
	for _, word := range []string{"on", "the"} {
		if at, found := l.englishWord(l.skipBlank(i), word); found {
			i = at
		}
	}
	n, end, ok = l.dayNumber(l.skipBlank(i))
	return n, end, ok && l.at(end-1) == latin
}

// everyYear reads 毎年4月1日; 29 February is allowed.
func (l *line) everyYear(e Every, i int) (Every, int, bool) {
	month, end := l.smallNumber(i)
	if end == i || l.rune(end) != '月' {
		return e, i, true
	}
	e.Month = month
	end++
	if n, dend := l.smallNumber(end); dend > end && l.rune(dend) == '日' {
		e.Day, end = n, dend+1
	}
	return e, end, month >= 1 && month <= 12 && e.Day <= 31
}
