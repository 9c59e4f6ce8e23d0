package grammar

import (
	"cmp"
	"strings"

	"ichido/internal/ledger"
)

// queryMarks are the words that name a query, in order of precedence.
var queryMarks = []struct {
	mark  mark
	query string
}{
	{compareWord, Compare}, {listWord, List}, {searchWord, Search}, {trendWord, Trend}, {budgetWord, Budgets}, {categoryWord, Categories},
	{queryWord, Summary}, {total, Summary},
}

// queryFillers may stand in a question about the ledger without naming an item.
var queryFillers = wordSet("ねえ ねぇ だれ 誰 の は を に へ が で と も って 使った 使ってる 使ってるの 使っている 使ってます 使っています 使ったの 使える 使えた つかった つかってる かかってる かかってます かかった 払った 払ってる 行った 行ったの 買った 買ったの した 何 あと 今 全部 全部で ある あった 残り 内訳 家計 支払い お金 出費 支出 使い すぎ 合計 まで から だけ くらい 円 日 か な ね よ 多い 少ない 増えた 増えてる 減った 減ってる どっち どちら どっちが どっちの方が 過去 直近 この ここ どう どうなの どうなった より 前回 最後 最後に 最近 のは spent did i on for in my the we spend spending expenses expense do have been so much what total is are was money show me us it a of you all left over remaining still am far with to page s")

// readQuery reads a question about the ledger. A line with an amount is none.
func readQuery(l *line) (Command, bool) {
	if l.first(amountSpan) != nil || l.first(codeSpan) != nil {
		return Command{}, false
	}
	for i := range l.spans { // what only decorates a row asks here
		if s := &l.spans[i]; s.kind == markSpan {
			s.used = true
		}
	}
	q := inquiry{named: l.namedQuery()}
	if q.named == Budgets && l.remarksBudget() {
		return Command{}, false
	}
	each, ok := q.named == Budgets && l.eachDay(), false
	if q.period, q.dated, ok = l.queryPeriod(); !ok {
		return l.ask(NoSuchDate), true
	}
	l.claimFillers()
	q.owner, q.own, q.possessed, q.item = l.whose(l.askedItem(q.named))
	q.category = ledger.Category(l.nameOf(categorySpan))
	if q.item == "それ" || q.item == "これ" {
		if q.item = ""; l.marked(question) == nil {
			return Command{}, false // それ交際費？
		}
	}
	switch {
	case q.named == Compare && !l.compares(q.item), q.named != Compare && !l.isQuery(&q):
		return Command{}, false
	case q.named == Compare:
		if q.period, q.dated = l.later(); !q.dated {
			return l.askCommand(), true
		}
	}
	if q.item == string(ledger.Pay) {
		q.item, q.category = "", ledger.Pay
	}
	c := l.query(&q)
	c.PerDay = each
	return c, true
}

// inquiry is what a line has of a question about the ledger.
type inquiry struct {
	named          string // the query that a word names, or ""
	item           string
	category       ledger.Category
	period         ledger.Period
	dated          bool
	owner          string
	own, possessed bool // as whose says
}

// isQuery says whether the line asks about the ledger, and about nothing else.
func (l *line) isQuery(q *inquiry) bool {
	switch {
	case q.named == Budgets && l.marked(budgetWord) == nil && q.item != "":
		return false // 誕生日まであと何日？
	case q.named == Trend && l.marked(trendWord) == nil && q.item != "" && !l.knownIn():
		return false
	case q.named != "", l.asks() && l.aboutLedger(q.item, q.dated || q.category != ""):
		return true
	case (q.own || q.owner != "") && !q.possessed:
		return false // 俺は明日
	case q.dated && q.item == "" && l.first(clockSpan) == nil && l.first(counterSpan) == nil && l.first(accountSpan) == nil:
		return true
	}
	return l.isPeriodOf() || l.isEnglishPeriodOf(q) || q.dated && q.item == string(ledger.Pay)
}

// namedQuery gives the query that a word of the line names, or "".
func (l *line) namedQuery() string {
	for _, q := range queryMarks {
		if l.marked(q.mark) != nil {
			return q.query
		}
	}
	switch {
	case l.marked(daysLeft) != nil, l.marked(perDay, budgetLeft) != nil && l.asks():
		return Budgets
	case l.marked(moneyLeft) != nil:
		return Budgets
	case l.asksWhen():
		return Search
	case l.comparesMonth():
		return Compare
	case l.marked(halfYear, yearLong) != nil && (l.asks() || l.first(categorySpan) != nil):
		return Trend // 半年の食費
	}
	return ""
}

// asksWhen says whether the line asks when something known was bought last:
// 美容院いつ行った？, 最後に美容院行ったのいつ
func (l *line) asksWhen() bool {
	m := l.marked(question)
	if m == nil || !l.has(m.from, "いつ") && !l.has(m.to-2, "いつ") {
		return false
	}
	_, known := words().head(&l.text, 0, m.from)
	return known || l.knownIn()
}

// askedItem gives the item of a query, of 最後に美容院 in a question when that was
// without 最後に.
func (l *line) askedItem(named string) string {
	item := l.wholeItem()
	if named != Search || !l.asksWhen() {
		return item
	}
	for _, word := range []string{"最後に", "前回", "最近", "この前"} {
		item = strings.TrimSpace(strings.TrimPrefix(item, word))
	}
	return item
}

// isPeriodOf says whether the line is a period and something of it that is
// known, or an account: 今月のスーパー, 今月のカード.
func (l *line) isPeriodOf() bool {
	p := l.first(periodSpan)
	if p == nil || !l.isHead(l.indexOf(p)) || l.rune(p.to) != 'の' || len(l.find(dateSpan)) > 0 {
		return false
	}
	a := l.first(accountSpan)
	return l.knownIn() || a != nil && a.from == p.to+1 && (a.to == len(l.raw) || l.asks())
}

// isEnglishPeriodOf says whether the line is something known, or an account, and a
// period behind it: coffee this month, suica last month.
func (l *line) isEnglishPeriodOf(q *inquiry) bool {
	p := l.first(periodSpan)
	if p == nil || !q.dated || !l.isEnglish() || l.first(dateSpan) != nil || p.to != len(l.raw) || l.marked(unsafeMarks...) != nil {
		return false
	}
	const mostWords = 3
	return q.item != "" && l.knownIn() && len(strings.Fields(q.item)) <= mostWords || q.item == "" && l.first(accountSpan) != nil
}

// aboutLedger says whether a question is one about the ledger: it has a day or
// a category and nothing unknown, or it asks how much of something known.
func (l *line) aboutLedger(item string, named bool) bool {
	known := item == "" || l.knownIn()
	if l.marked(question) == nil {
		return named && known
	}
	return known || l.marked(paid) != nil || named
}

// query makes the command. What is named by no word is a summary.
func (l *line) query(q *inquiry) Command {
	c := Command{
		Kind: Query, Query: cmp.Or(q.named, Summary), Item: q.item, Category: q.category, Account: l.nameOf(accountSpan),
		Owner: q.owner, Own: q.own,
	}
	if c.Query == List || c.Query == Search {
		c.Page = l.page
	}
	if c.Query == Trend {
		c.Months = l.trendMonths()
	}
	if q.dated {
		c.Period = q.period
	} else if c.Query == Summary || c.Query == List {
		c.Period = ledger.Month(l.today, 0)
	}
	return c
}

// asks says whether the line is a question.
func (l *line) asks() bool {
	if l.marked(question) != nil {
		return true
	}
	end := len(l.raw)
	for end > 0 && (l.at(end-1) == blank || l.at(end-1) == other || l.rune(end-1) == '!') {
		end--
	}
	return l.rune(end-1) == '?'
}

// queryPeriod finds the days that the query is about. Two dates are a range.
func (l *line) queryPeriod() (p ledger.Period, dated, ok bool) {
	for i := range l.spans {
		s := &l.spans[i]
		var q ledger.Period
		switch {
		case s.fault != "" && s.kind == dateSpan:
			return p, false, false
		case s.kind == dateSpan:
			q = ledger.Period{From: s.date, To: s.date}
		case s.kind == periodSpan:
			q = s.period
			s.used = true
		default:
			continue
		}
		if !dated {
			p, dated = q, true
			continue
		}
		p.From, p.To = min(p.From, q.From), max(p.To, q.To)
	}
	return p, dated, true
}

// claimFillers takes out of the item what belongs to the question, and the
// names of categories.
func (l *line) claimFillers() {
	for i := range l.spans {
		s := &l.spans[i]
		switch {
		case s.kind == categorySpan:
			s.used = true
		case s.kind == wordSpan && l.isFiller(s.from, s.to):
			s.used = true
		}
	}
}

// isFiller says whether the range is made of queryFillers only.
func (l *line) isFiller(from, to int) bool {
	for from < to {
		_, end, ok := queryFillers.atIf(l.low, from, func(_ bool, end int) bool { return end <= to && (l.at(end-1) != latin || l.at(end) != latin) })
		if !ok {
			return false
		}
		from = end
	}
	return true
}

// knownIn says whether the line has a word of the dictionary.
func (l *line) knownIn() bool {
	_, ok := words().head(&l.text, 0, len(l.raw))
	return ok
}

// whose says about whom a query is that would have the item: the sender or
// somebody who is named. possessed says whether の joins the person and what is
// asked for; item is what is left.
func (l *line) whose(item string) (owner string, own, possessed bool, left string) {
	if rest, of, ok := ownFront(item); ok {
		return "", true, of || l.ofFollows(item), rest
	}
	if name, rest, ok := l.possessive(item); ok {
		return name, false, true, rest
	}
	if name, ok := strings.CutSuffix(item, "の"); ok && l.isPerson(name) {
		return name, false, true, ""
	}
	if l.isPerson(item) {
		return item, false, l.ofFollows(item), ""
	}
	return "", false, false, item
}

// possessive reads somebody in front of a query in English: hanako's list. What
// hangs on a thing of his is a part of its name.
func (l *line) possessive(item string) (name, rest string, ok bool) {
	name, rest, _ = strings.Cut(item, " ")
	if l.marked(searchWord) != nil || name == "" || !l.isEnglish() || !strings.Contains(string(l.low), strings.ToLower(name)+"'s ") {
		return "", "", false
	}
	return name, rest, true
}

// ofFollows says whether の stands behind the person in front of a period: 私の今月.
func (l *line) ofFollows(item string) bool {
	n := len([]rune(item))
	for _, i := range l.find(wordSpan) {
		s := &l.spans[i]
		if l.has(s.from, strings.ToLower(item)) && (l.rune(s.from+n) == 'の' || l.rune(s.from+n-1) == 'の') {
			return i+1 < len(l.spans) && l.spans[i+1].kind == periodSpan
		}
	}
	return false
}

// Lengths of a trend in months.
const (
	shortTrend = 6
	longTrend  = 12
)

// monthCounters count months; years are longer than any trend.
var monthCounters = wordTable[bool]{true: "month months か月 ヶ月 カ月 ヵ月 ケ月 箇月", false: "year years 年 年間 年分"}.index()

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
