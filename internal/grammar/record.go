package grammar

import (
	"cmp"
	"slices"
	"strings"

	"ichido/internal/ledger"
)

// readRecord reads rows: items with amounts. It takes every line that has an
// amount, and asks about those that it can't read safely.
func readRecord(l *line) (Command, bool) {
	if l.count(amountSpan) == 0 {
		return Command{}, false
	}
	if reason := l.unreadable(); reason != "" {
		return l.ask(reason), true
	}
	amounts := l.find(amountSpan)
	if len(amounts) > 1 && l.marked(partOf, takenOff, taxPart) != nil {
		l.claim(takenOff, taxPart)
		return l.ask(TwoAmounts), true // 2000円 うち酒500円 is one row or two
	}
	if len(amounts) > 1 && l.marked(withdraw) != nil {
		return l.ask(SendApart), true // 1万おろして手数料220円
	}
	if c, ok := l.unitPrice(amounts); ok {
		return c, true
	}
	l.claimRefunds()
	if l.claimDebit() {
		return l.ask(CardDebit), true
	}
	l.claimCategories()
	regions, reason := l.regions(amounts)
	if reason == TwoAmounts && l.namesByCategory(amounts) {
		regions, reason = l.regions(amounts)
	}
	if reason == AmountOnly {
		reason = l.nameless()
	}
	if reason != "" {
		return l.ask(reason), true
	}
	return l.record(regions)
}

// unreadable says why the dates, codes or amounts of the line can't be those of
// rows. It takes out totals that only repeat what the rows say.
func (l *line) unreadable() Reason {
	if reason := l.datesUnusable(); reason != "" {
		return reason
	}
	if code := l.first(codeSpan); code != nil && code.fault != "" {
		return code.fault // 11-3 may be a day
	}
	if reason := l.settleTotals(); reason != "" {
		return reason
	}
	for _, a := range l.find(amountSpan) {
		if reason := l.unusable(l.spans[a]); reason != "" {
			return reason
		}
	}
	return ""
}

// claim takes the words with the marks out of the item.
func (l *line) claim(marks ...mark) {
	for i := range l.spans {
		if s := &l.spans[i]; s.kind == markSpan && slices.Contains(marks, s.mark) {
			s.used = true
		}
	}
}

// record makes the rows of the regions.
func (l *line) record(regions []region) (Command, bool) {
	l.carryDates(regions)
	l.shareNames(regions)
	c, d := Command{Kind: Record}, l.deeds()
	for _, r := range regions {
		e, reason := l.entry(r, d)
		if reason != "" {
			return l.ask(reason), true
		}
		c.Entries = append(c.Entries, e)
	}
	return c, true
}

// namesByCategory gives the categories back to the items where each row has its
// price in yen: スーパー 食品 1980円 日用品 480円.
func (l *line) namesByCategory(amounts []int) (found bool) {
	for _, i := range amounts {
		if !l.spans[i].amount.yen {
			return false
		}
	}
	for i := range l.spans {
		if s := &l.spans[i]; s.kind == categorySpan && s.used {
			s.used, found = false, true
		}
	}
	return found
}

// nameless says what is missing in a line without an item.
func (l *line) nameless() Reason {
	switch {
	case l.paysCard():
		return CardDebit
	case l.first(accountSpan) != nil:
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
			if !l.namesYear(s) {
				return NoDay
			}
		}
	}
	return ""
}

// namesYear says whether the period is a year that a thing is for: 来年の手帳.
func (l *line) namesYear(s *span) bool {
	return s.unit == "year" && s.period.To >= l.today && l.rune(s.to) == 'の' && isWord(l.at(s.to+1))
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
func (l *line) entry(r region, d deeds) (Entry, Reason) {
	e := Entry{
		Type: ledger.Expense, Date: r.date, Item: l.itemOf(r.pieces), Amount: r.amount.amount.value,
		Category: l.saidCategory(r), Account: r.account,
	}
	e.SaidCategory = e.Category != ""
	if e.Account == ledger.Cash {
		e.Account = ""
	} else if e.Account == "" && l.claimed(debit) {
		e.Account = bankAccount
	}
	if d.advanced {
		e.Memo = "立替"
	}
	m := l.lookUp(r.pieces)
	if e.Category == "" {
		e.Category = cmp.Or(l.names.category(e.Item), m.category)
	}
	if r.account == "" && e.Account == "" {
		e.Hint = m.hint
	}
	reason := l.classify(&e, r, d)
	return e, reason
}

// saidCategory gives the category that was written for the region, even where
// it is the item as well: 食費 3000.
func (l *line) saidCategory(r region) ledger.Category {
	if r.category != "" {
		return r.category
	}
	name := ""
	for _, s := range l.spans[r.from:r.to] {
		if s.kind == categorySpan && name != "" && s.name != name {
			return ""
		} else if s.kind == categorySpan {
			name = s.name
		}
	}
	return ledger.Category(name)
}

// lookUp gives what is known of the first piece that the dictionary knows.
func (l *line) lookUp(pieces []piece) meaning {
	for _, p := range pieces {
		if m := l.lookUpPiece(p); m.category != "" {
			return m
		}
	}
	return meaning{}
}

// lookUpPiece gives what is known of the last word of the piece that the dictionary
// knows. Counters are no words: 24本 are no books.
func (l *line) lookUpPiece(p piece) (last meaning) {
	if to := l.englishHead(p.from, p.to); to < p.to {
		if m, ok := words().head(&l.text, p.from, to); ok {
			return m.meaning
		}
	}
	for i := p.first; i <= p.last; i++ {
		if l.spans[i].kind == counterSpan {
			continue
		}
		from := l.spans[i].from
		for i < p.last && l.spans[i+1].kind != counterSpan {
			i++
		}
		if m, ok := words().head(&l.text, max(from, p.from), min(l.spans[i].to, p.to)); ok {
			last = m.meaning
		}
	}
	return last
}

// readHalf reads an item alone that the dictionary knows.
func readHalf(l *line) (Command, bool) {
	pieces := l.pieces(0, len(l.spans))
	if len(pieces) != 1 || !l.isItem(pieces) {
		return Command{}, false
	}
	p := pieces[0]
	m, ok := words().head(&l.text, p.from, p.to)
	polite := m.from == p.from+1 && strings.ContainsRune("おご御", l.rune(p.from)) // お茶
	if !ok || m.from != p.from && !polite || !l.onlyCounters(m.to) {
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

// unusable says why the amount can't be that of a row.
func (l *line) unusable(a span) Reason {
	switch {
	case a.fault != "":
		return a.fault
	case a.amount.value <= 0:
		return NotPositive
	}
	return ""
}
