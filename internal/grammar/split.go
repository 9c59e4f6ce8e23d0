package grammar

import "ichido/internal/ledger"

// maxPeople is more than any bill is divided by.
const maxPeople = 100

// readSplit reads a divided bill: 焼肉 12000 4人で割り勘. The own share is the
// whole divided by the people, rounded up, unless 1人3000 is said.
func readSplit(l *line) (Command, bool) {
	m := l.marked(splitWord)
	if m == nil {
		m = l.slash()
	}
	if m == nil {
		return Command{}, false
	}
	m.used = true
	amounts := l.amountsIn(0, len(l.spans))
	if len(amounts) == 0 {
		return Command{Kind: Remark}, true
	}
	people := l.people(m)
	share := l.shareAmount()
	item := l.wholeItem()
	switch {
	case len(amounts) > 1:
		return l.ask(TwoAmounts), true
	case item == "":
		return l.ask(SplitWhat), true
	case l.marked(familyWord) != nil || people == 0 && !share:
		return l.ask(HowManyPeople), true
	}
	c, ok := readRecord(l)
	if !ok || c.Kind != Record || len(c.Entries) != 1 {
		return c, ok
	}
	e := &c.Entries[0]
	e.People = people
	if !share {
		e.Total = e.Amount
		e.Amount = (e.Total + ledger.Yen(people) - 1) / ledger.Yen(people)
	} else if people > 0 && e.Amount <= ledger.MaxAmount/ledger.Yen(people) {
		e.Total = e.Amount * ledger.Yen(people)
	}
	return c, true
}

// slash finds the / of 12000円/4人.
func (l *line) slash() *span {
	for i := 1; i+1 < len(l.spans); i++ {
		s, next := &l.spans[i], l.spans[i+1]
		if s.kind == punctSpan && l.rune(s.from) == '/' && l.spans[i-1].kind == amountSpan && next.kind == counterSpan && next.unit == "人" {
			return s
		}
	}
	return nil
}

// people finds by how many the bill is divided, takes the number out of the
// item, and gives 0 if none is named.
func (l *line) people(split *span) int {
	found := 0
	for i := range l.spans {
		s := &l.spans[i]
		if s.kind != counterSpan || s.unit != "人" && s.unit != "名" {
			continue
		}
		s.used = true
		if s.amount.value >= 2 && s.amount.value <= maxPeople {
			found = int(s.amount.value)
		}
	}
	if found == 0 && l.has(split.from, "折半") {
		return 2
	}
	return found
}

// shareAmount says whether the amount is what one person pays: 1人3000円.
func (l *line) shareAmount() bool {
	for i := range l.spans {
		s := &l.spans[i]
		if s.kind == markSpan && s.mark == shareWord {
			s.used = true
			return true
		}
		one := s.kind == counterSpan && s.unit == "人" && s.amount.value == 1
		if next := l.neighbour(i, +1); one && next >= 0 {
			if n := &l.spans[next]; n.kind == wordSpan && l.has(n.from, "あたり") || n.kind == wordSpan && l.has(n.from, "当たり") {
				n.used = true
				return true
			}
			return l.spans[next].kind == amountSpan
		}
	}
	return false
}
