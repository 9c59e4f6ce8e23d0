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
var queryFillers = wordSet("の は を に へ が で と も って 使った 使ってる 使ってるの 使っている 使ってます 使っています 使ったの 使える 使えた つかった つかってる かかってる かかってます かかった 払った 払ってる 行った 行ったの 買った 買ったの した 何 あと 今 全部 全部で ある あった 残り 内訳 家計 支払い お金 出費 支出 使い すぎ 合計 まで から だけ くらい 円 日 か な ね よ 多い 少ない 増えた 増えてる 減った 減ってる どっち どちら どっちが どっちの方が 過去 直近 この ここ どう どうなの どうなった より 前回 最後 最後に 最近 のは spent did i on for in my the")

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
	named := l.namedQuery()
	if named == Budgets && l.remarksBudget() {
		return Command{}, false
	}
	each := named == Budgets && l.eachDay()
	period, dated, ok := l.queryPeriod()
	if !ok {
		return l.ask(NoSuchDate), true
	}
	l.claimFillers()
	owner, own, possessed, item := l.whose(l.askedItem(named))
	if item == "それ" || item == "これ" {
		if item = ""; l.marked(question) == nil {
			return Command{}, false // それ交際費？
		}
	}
	asks := l.asks()
	category := ledger.Category(l.nameOf(categorySpan))
	switch {
	case named == Compare:
		if !l.compares(item) {
			return Command{}, false
		}
		if period, ok = l.later(); !ok {
			return l.askCommand(), true
		}
		dated = true
	case named == Budgets && l.marked(budgetWord) == nil && item != "":
		return Command{}, false // 誕生日まであと何日？
	case named == Trend && l.marked(trendWord) == nil && item != "" && !l.knownIn():
		return Command{}, false
	case named != "":
	case asks && l.aboutLedger(item, dated || category != ""):
	case (own || owner != "") && !possessed:
		return Command{}, false // 俺は明日
	case dated && item == "" && l.first(clockSpan) == nil && l.first(counterSpan) == nil && l.first(accountSpan) == nil:
	case l.isPeriodOf(), dated && item == string(ledger.Pay):
	default:
		return Command{}, false
	}
	if item == string(ledger.Pay) {
		item, category = "", ledger.Pay
	}
	c := l.query(cmp.Or(named, Summary), item, category, period, dated)
	c.Owner, c.Own, c.PerDay = owner, own, each
	return c, true
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
	_, known := words.head(&l.text, 0, m.from)
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

// aboutLedger says whether a question is one about the ledger: it has a day or
// a category and nothing unknown, or it asks how much of something known.
func (l *line) aboutLedger(item string, named bool) bool {
	known := item == "" || l.knownIn()
	if l.marked(question) == nil {
		return named && known
	}
	return known || l.marked(paid) != nil || named
}

func (l *line) query(named, item string, category ledger.Category, p ledger.Period, dated bool) Command {
	c := Command{Kind: Query, Query: named, Item: item, Category: category, Account: l.nameOf(accountSpan)}
	if named == Trend {
		c.Months = l.trendMonths()
	}
	if dated {
		c.Period = p
	} else if named == Summary || named == List {
		c.Period = ledger.Month(l.today, 0)
	}
	return c
}

// nameOf gives the first name among the spans of the kind.
func (l *line) nameOf(kind spanKind) string {
	if s := l.first(kind); s != nil {
		return s.name
	}
	return ""
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
		_, end, ok := queryFillers.atIf(l.low, from, func(_ bool, end int) bool { return end <= to })
		if !ok {
			return false
		}
		from = end
	}
	return true
}

// knownIn says whether the line has a word of the dictionary.
func (l *line) knownIn() bool {
	_, ok := words.head(&l.text, 0, len(l.raw))
	return ok
}

// readCode reads telephone numbers, codes, addresses on the web and times of
// meeting: lines that have numbers, but none that could be money.
func readCode(l *line) (Command, bool) {
	if l.count(amountSpan) > 0 {
		return Command{}, false
	}
	code := l.first(codeSpan)
	switch {
	case l.marked(codeWord) != nil:
		return Command{Kind: Remark}, true
	case code != nil && code.fault != "" && l.wholeItem() != "" && !l.asks():
		return l.ask(code.fault), true
	case code != nil, l.first(urlSpan) != nil:
		return Command{Kind: Remark}, true
	case l.first(clockSpan) != nil && l.marked(queryWord, listWord) == nil:
		return Command{Kind: Remark}, true
	}
	return Command{}, false
}

// unsafeMarks make a line no row, whatever amounts stand in it.
var unsafeMarks = []mark{question, hearsay, request, wish, plan, denial, comparison, loan, remains}

// readUnsafe reads a question, wish, request, plan, denial or hearsay. With an
// amount the bot may ask; without one it is talk.
func readUnsafe(l *line) (Command, bool) {
	if l.marked(news) != nil {
		return Command{Kind: Remark}, true
	}
	if l.marked(unsafeMarks...) == nil && !l.asks() && !l.asking && !l.endsInTalk() && !l.setsTerms() {
		return Command{}, false
	}
	if len(l.find(amountSpan)) == 0 {
		return Command{Kind: Remark}, true
	}
	if l.lends() {
		return l.ask(Lent), true
	}
	return l.ask(NotARow), true
}

// lends says whether the line tells of money that was lent, borrowed or given back.
func (l *line) lends() bool {
	m := l.marked(loan)
	return m != nil && strings.ContainsRune("貸借返", l.rune(m.from))
}

// readDoubtful asks about a number that was taken for a part of a name, where
// the line has no other that could be the amount: 15k lunch, Burger650.
func readDoubtful(l *line) (Command, bool) {
	for i := range l.spans {
		if s := &l.spans[i]; s.kind == counterSpan && s.fault != "" {
			return l.ask(s.fault), len(l.find(amountSpan)) == 0
		}
	}
	return Command{}, false
}

// readRemark takes what no other rule took.
func readRemark(l *line) (Command, bool) {
	return Command{Kind: Remark, Item: strings.TrimSpace(l.wholeItem())}, true
}
