package grammar

import (
	"strconv"
	"strings"

	"ichido/internal/ledger"
)

// readBudget reads 予算 食費 30000. Without an amount it is a query.
func readBudget(l *line) (Command, bool) {
	m := l.marked(budgetWord)
	amounts := l.amountsIn(0, len(l.spans))
	if m == nil || len(amounts) == 0 {
		return Command{}, false
	}
	if l.marked(unsafeMarks...) != nil || l.asks() {
		return l.ask(NotARow), true
	}
	m.used = true
	for i := range l.spans {
		if s := &l.spans[i]; s.kind == categorySpan || s.kind == periodSpan {
			s.used = true
		}
	}
	if len(amounts) > 1 {
		return l.ask(TwoAmounts), true
	}
	a := l.spans[amounts[0]]
	if reason := l.unusable(a); reason != "" {
		return l.ask(reason), true
	}
	return Command{
		Kind: Budget, Category: ledger.Category(l.nameOf(categorySpan)), Item: l.wholeItem(),
		Amount: a.amount.value, HasAmount: true,
	}, true
}

// everyUnits maps the words of rhythm to the unit of Every.
var everyUnits = wordTable[string]{
	"month": "毎月 every_month monthly", "week": "毎週", "year": "毎年", "day": "毎日",
}.index()

// readRecurring reads 毎月27日 家賃 80000, 毎週月曜 習い事 3000 and 家賃 80000
// 毎月27日.
func readRecurring(l *line) (Command, bool) {
	m := l.marked(everyWord)
	if m == nil || l.marked(unsafeMarks...) != nil || l.asks() {
		return Command{}, false
	}
	unit, _ := everyUnits.word(string(l.low[m.from:m.to]))
	every, end, ok := l.everyDay(unit, m.to)
	if !ok {
		return l.ask(NoSuchDate), true
	}
	if end == m.to && isWord(l.at(end)) && l.rune(end) != 'の' {
		return Command{}, false // 毎日新聞
	}
	rest := l.without(m.from, end)
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
		if n, end, ok := weekdays.trie.longest(l.low, i, nil); ok {
			e.Weekday = (weekdays.values[n]+6)%7 + 1
			return e, end, true
		}
	case "month":
		for _, word := range []string{"月末", "末日", "末"} {
			if l.has(i, word) {
				e.Day = MonthEnd
				return e, i + len([]rune(word)), true
			}
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

// settings maps the words of settings to their names.
var settings = wordTable[string]{
	"month-start": "月初 月の初め 月の始まり 開始日", "closing-day": "締め日 締日 しめ日",
	"notify": "通知", "zone": "タイムゾーン", "language": "言語", "settings": "設定",
}.index()

// readSetting reads 締め日 25 and 月初 25日. A setting that stands with an
// item, as in 月初 ランチ 900, is none.
func readSetting(l *line) (Command, bool) {
	m := l.marked(settingWord)
	if m == nil || l.skipBlank(0) != m.from || l.hasYen() {
		return Command{}, false
	}
	name, _ := settings.word(string(l.low[m.from:m.to]))
	value := strings.Trim(l.str(m.to, len(l.raw)), " はを:にで")
	if name == "month-start" || name == "closing-day" {
		day := strings.TrimSuffix(value, "日")
		n, err := strconv.Atoi(day)
		switch {
		case value == "" || value == "末" || value == "月末":
		case err != nil || n < 1 || n > 31:
			return Command{}, false
		default:
			value = day
		}
	} else if len(l.find(amountSpan)) > 0 || isWord(l.at(m.to)) && l.at(m.to) != kana {
		return Command{}, false
	}
	return Command{Kind: Setting, Setting: name, Value: value}, true
}

// readSettle reads 精算 and 立替一覧.
func readSettle(l *line) (Command, bool) {
	m := l.marked(settleWord)
	if m == nil || len(l.find(amountSpan)) > 0 {
		return Command{}, false
	}
	m.used = true
	for i := range l.spans {
		if l.spans[i].kind == periodSpan {
			l.spans[i].used = true
		}
	}
	return Command{Kind: Settle}, l.wholeItem() == ""
}
