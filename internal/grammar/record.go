package grammar

import (
	"strings"

	"ichido/internal/ledger"
)

// gifts are income when they were received and expense when they were given;
// alone they are neither.
var gifts = wordTable[bool]{true: "お年玉 おとしだま お小遣い おこづかい 小遣い 仕送り お祝い 祝い金 お祝い金"}.index()

// unclearIncomes alone may be income or not.
var unclearIncomes = wordTable[bool]{true: "入金 振込 振り込み 年金 振込み 振り込まれた"}.index()

// readRecord reads rows: items with amounts. It takes every line that has an
// amount, and asks about those that it can't read safely.
func readRecord(l *line) (Command, bool) {
	all := l.find(amountSpan)
	if len(all) == 0 {
		return Command{}, false
	}
	if reason := l.datesUnusable(); reason != "" {
		return l.ask(reason), true
	}
	if reason := l.settleTotals(); reason != "" {
		return l.ask(reason), true
	}
	amounts := l.find(amountSpan)
	for _, a := range amounts {
		if reason := l.unusable(l.spans[a]); reason != "" {
			return l.ask(reason), true
		}
	}
	if len(amounts) > 1 && l.marked(partOf) != nil {
		return l.ask(TwoAmounts), true // 2000円 うち酒500円 is one row or two
	}
	l.claimCategories()
	regions, reason := l.regions(amounts)
	if reason == AmountOnly {
		reason = l.nameless()
	}
	if reason != "" {
		return l.ask(reason), true
	}
	return l.record(regions)
}

// record makes the rows of the regions.
func (l *line) record(regions []region) (Command, bool) {
	l.carryDates(regions)
	l.shareNames(regions)
	c := Command{Kind: Record}
	for _, r := range regions {
		e, reason := l.entry(r)
		if reason != "" {
			return l.ask(reason), true
		}
		c.Entries = append(c.Entries, e)
	}
	return c, true
}

// nameless says what is missing in a line without an item.
func (l *line) nameless() Reason {
	if l.first(accountSpan) != nil {
		return AccountOnly
	}
	return AmountOnly
}

// datesUnusable says why the line can't be dated: a day that does not exist, a
// month without a day, two days without a row for each.
func (l *line) datesUnusable() Reason {
	for i := range l.spans {
		switch s := &l.spans[i]; s.kind {
		case dateSpan:
			if s.fault != "" {
				return s.fault
			}
		case periodSpan:
			return NoDay
		}
	}
	return ""
}

// settleTotals takes totals out where they only repeat what the rows say, and
// fails if they say something else.
func (l *line) settleTotals() Reason {
	var sum, totals ledger.Yen
	var rows, found int
	for _, i := range l.find(amountSpan) {
		if a := l.spans[i].amount; a.total {
			totals, found = a.value, found+1
		} else {
			sum, rows = sum+a.value, rows+1
		}
	}
	if found == 0 || rows == 0 {
		return ""
	}
	if found > 1 || totals != sum {
		return TotalMismatch
	}
	for _, i := range l.find(amountSpan) {
		l.spans[i].used = l.spans[i].amount.total
	}
	return ""
}

// entry makes the row of a region.
func (l *line) entry(r region) (Entry, Reason) {
	e := Entry{
		Type: ledger.Expense, Date: r.date, Item: l.itemOf(r.pieces), Amount: r.amount.amount.value,
		Category: r.category, Account: r.account,
	}
	if e.Account == ledger.Cash {
		e.Account = ""
	}
	if l.marked(advanced) != nil {
		e.Memo = "立替"
	}
	if e.Category == "" {
		e.Category = l.category(r.pieces)
	}
	reason := l.classify(&e, r)
	return e, reason
}

// category gives that of the first piece that the dictionary knows.
func (l *line) category(pieces []piece) ledger.Category {
	for _, p := range pieces {
		if c := l.pieceCategory(p); c != "" {
			return c
		}
	}
	return ""
}

// pieceCategory gives that of the last word of the piece that the dictionary
// knows. Counters are no words: 24本 are no books.
func (l *line) pieceCategory(p piece) ledger.Category {
	var last ledger.Category
	for i := p.first; i <= p.last; i++ {
		if l.spans[i].kind == counterSpan {
			continue
		}
		from := l.spans[i].from
		for i < p.last && l.spans[i+1].kind != counterSpan {
			i++
		}
		if m, ok := words.head(&l.text, max(from, p.from), min(l.spans[i].to, p.to)); ok {
			last = m.category
		}
	}
	return last
}

// classify decides whether the row is an expense, income or a refund.
func (l *line) classify(e *Entry, r region) Reason {
	received, given := l.marked(got) != nil, l.marked(gave) != nil
	switch {
	case r.amount.amount.sign < 0:
		if !l.leads(r) {
			return NotPositive
		}
		e.Type = ledger.Refund
	case r.amount.amount.sign > 0:
		e.Type, e.Category = ledger.Income, ledger.Pay
	case l.isRefund(r.pieces):
		e.Type = ledger.Refund
	case l.isOneOf(gifts, r.pieces):
		return classifyGift(e, received, given)
	case l.isOneOf(unclearIncomes, r.pieces):
		return IncomeOrNot
	case l.isIncome(r.pieces):
		e.Type, e.Category = ledger.Income, ledger.Pay
	case l.marked(sold) != nil:
		e.Type, e.Category = ledger.Income, ledger.Pay
	case received && !given:
		return IncomeOrNot
	}
	return ""
}

func classifyGift(e *Entry, received, given bool) Reason {
	switch {
	case received == given:
		return IncomeOrNot
	case received:
		e.Type, e.Category = ledger.Income, ledger.Pay
	case e.Category == "":
		e.Category = "交際費"
	}
	return ""
}

// leads says whether the amount stands in front of its item.
func (l *line) leads(r region) bool {
	return len(r.pieces) > 0 && r.amount.from < r.pieces[0].from
}

func (l *line) isOneOf(index *wordIndex[bool], pieces []piece) bool {
	for _, p := range pieces {
		if _, ok := index.word(string(l.low[p.from:p.to])); ok {
			return true
		}
	}
	return false
}

// isIncome says whether a piece is about income: its last word is one of the
// dictionary's incomes, and nothing hangs on it.
func (l *line) isIncome(pieces []piece) bool {
	for _, p := range pieces {
		m, ok := words.head(&l.text, p.from, p.to)
		if ok && m.category == ledger.Pay && m.to == p.to {
			return true
		}
	}
	return false
}

// isRefund says whether a piece ends in a word of refund.
func (l *line) isRefund(pieces []piece) bool {
	for i := range l.spans {
		s := &l.spans[i]
		if s.kind != markSpan || s.mark != refunded {
			continue
		}
		for _, p := range pieces {
			if s.from >= p.from && s.to == p.to {
				return true
			}
		}
	}
	return false
}

// readHalf reads an item alone that the dictionary knows.
func readHalf(l *line) (Command, bool) {
	pieces := l.pieces(0, len(l.spans))
	if len(pieces) != 1 || !l.isItem(pieces) {
		return Command{}, false
	}
	p := pieces[0]
	m, ok := words.head(&l.text, p.from, p.to)
	if !ok || m.from != p.from || !l.onlyCounters(m.to) {
		return Command{}, false
	}
	c := l.ask(ItemOnly)
	c.Category = m.category
	c.Item = strings.TrimSpace(c.Item)
	return c, true
}

// onlyCounters says whether nothing but numbers of things stand from i on.
func (l *line) onlyCounters(i int) bool {
	for n := range l.spans {
		s := &l.spans[n]
		if s.to > i && s.kind != counterSpan && s.kind != spaceSpan && s.kind != punctSpan && !s.taken() && s.kind != timesSpan {
			return false
		}
	}
	return true
}
