package grammar

import "ichido/internal/ledger"

// Lengths of a trend in months.
const (
	shortTrend = 6
	longTrend  = 12
)

// monthCounters count months; years are longer than any trend.
var monthCounters = wordTable[bool]{true: "か月 ヶ月 カ月 ヵ月 ケ月 箇月", false: "年 年間 年分"}.index()

// trendMonths says how many months a trend is to show: half a year, or one where
// more is asked for.
func (l *line) trendMonths() int {
	if l.marked(yearLong) != nil {
		return longTrend
	}
	for i := range l.spans {
		s := &l.spans[i]
		months, ok := monthCounters.word(s.unit)
		if s.kind == counterSpan && ok && (!months || s.amount.value > shortTrend) || s.kind == periodSpan && s.unit == "year" {
			return longTrend
		}
	}
	return shortTrend
}

// perDayWords say that the budget is to be divided by the days that are left.
var perDayWords = wordSet("1日あたり 1日当たり 一日あたり 一日当たり 1日につき 一日につき 日割り 日割りで")

// scanPerDay reads 1日あたり, which is not the first of a month.
func scanPerDay(l *line, i int) (span, bool) {
	_, end, ok := perDayWords.at(l.low, i)
	if !ok || l.at(i-1) == digit {
		return span{}, false
	}
	return span{kind: markSpan, to: end, from: i, mark: perDay}, true
}

// eachDay says whether a question about a budget asks for what is left a day. A
// bare 1日 there is no date.
func (l *line) eachDay() bool {
	for i := range l.spans {
		s := &l.spans[i]
		if word := l.str(s.from, s.to); s.kind == dateSpan && (word == "1日" || word == "一日") {
			s.kind, s.used = markSpan, true
			return true
		}
	}
	return l.marked(perDay, daysLeft) != nil
}

// remarksBudget says whether 予算 stands in a remark: 予算オーバー, 予算が足りない.
func (l *line) remarksBudget() bool {
	m := l.marked(budgetWord)
	if m == nil || l.asks() {
		return false
	}
	return l.marked(comparison) != nil && !l.has(l.marked(comparison).from, "残り") || l.isWordAfter(l.indexOf(m))
}

// isWordAfter says whether a word touches the end of span i that is neither a
// particle nor one of queryFillers.
func (l *line) isWordAfter(i int) bool {
	if i+1 == len(l.spans) || l.spans[i+1].kind != wordSpan {
		return false
	}
	return !queryFillers.startsAt(l.low, l.spans[i+1].from)
}

// compares says whether the line with a word of comparison is about the ledger:
// it names a month, a category or something known, or nothing else at all.
func (l *line) compares(item string) bool {
	if l.marked(hearsay, denial, wish) != nil || l.first(clockSpan) != nil || l.first(dateSpan) != nil {
		return false
	}
	return item == "" || l.first(periodSpan) != nil && l.knownIn()
}

// comparesMonth says whether a question sets a month against another: 先月より
// 多い？
func (l *line) comparesMonth() bool {
	months := 0
	for i := range l.spans {
		p := &l.spans[i]
		if p.kind != periodSpan || p.unit != "month" {
			continue
		}
		months++
		if l.asks() && (l.has(p.to, "より") || l.has(p.to, "と比")) {
			return true
		}
	}
	return months == 2 && l.asks() && l.marked(comparison) != nil
}

// later gives the later of the two months that are compared. A month with 比 is
// what the other is compared with, and so is the month before this one alone.
// Only months that follow each other can be compared.
func (l *line) later() (ledger.Period, bool) {
	this, before := ledger.Month(l.today, 0), ledger.Month(l.today, -1)
	named, relative, ok := l.comparedMonths()
	switch {
	case !ok || len(named) > 2:
		return this, false
	case len(named) == 2:
		last, first := named[0], named[1]
		if last.From < first.From {
			last, first = first, last
		}
		return last, ledger.Month(last.From, -1) == first
	case len(named) == 0 || !relative && named[0] == before:
		return this, true
	}
	return named[0], relative || named[0] == this
}

// comparedMonths gives the months of the line without the one that 比 hangs on,
// of which relative tells. ok is false if a period is no month.
func (l *line) comparedMonths() (named []ledger.Period, relative, ok bool) {
	for i := range l.spans {
		s := &l.spans[i]
		switch {
		case s.kind != periodSpan:
		case s.unit != "month":
			return nil, false, false
		case l.rune(s.to) == '比' && l.rune(s.to+1) != '較' && l.rune(s.to+1) != 'べ':
			relative = true
		default:
			named = append(named, s.period)
		}
	}
	return named, relative, true
}
