package grammar

import (
	"slices"

	"ichido/internal/ledger"
)

// maxPeople is more than any bill is divided by.
const maxPeople = 100

// readSplit reads a divided bill: 焼肉 12000 4人で割り勘, 焼肉 12000 花子と割り勘.
// The own share is the whole divided by the people, rounded up, unless 1人3000
// is said.
func readSplit(l *line) (Command, bool) {
	m := l.division()
	if m == nil {
		return Command{}, false
	}
	with, sure := l.companions(l.indexOf(m))
	people := l.people(m)
	if m.mark == maybeSplit && people == 0 && len(with) == 0 {
		return Command{}, false // 皿を割った
	}
	m.used = true
	l.dropRemainder()
	amounts := l.amountsIn(0, len(l.spans))
	if len(amounts) == 0 {
		return Command{Kind: Remark}, true
	}
	if people == 0 && len(with) > 0 {
		people = len(with) + 1
	}
	amounts = l.dropShare(amounts, people)
	share := l.shareAmount()
	item := l.wholeItem()
	switch {
	case len(amounts) > 1:
		return l.ask(TwoAmounts), true
	case item == "":
		return l.ask(SplitWhat), true
	case l.marked(familyWord) != nil, !sure, people == 0 && !share, people > 0 && people <= len(with):
		return l.ask(HowManyPeople), true
	}
	c, ok := readRecord(l)
	if !ok || c.Kind != Record || len(c.Entries) != 1 {
		return c, ok
	}
	c.Entries[0].With = with
	c.Entries[0].divide(people, share)
	return c, true
}

// dropShare takes the share out that only repeats what comes of the division:
// カラオケ 6000 4人で割って1500.
func (l *line) dropShare(amounts []int, people int) []int {
	if len(amounts) != 2 || people < 2 {
		return amounts
	}
	e := Entry{Amount: l.spans[amounts[0]].amount.value}
	if e.divide(people, false); e.Amount != l.spans[amounts[1]].amount.value {
		return amounts
	}
	l.spans[amounts[1]].used = true
	return amounts[:1]
}

// dropRemainder takes out who pays what is left over: 端数は私.
func (l *line) dropRemainder() {
	for i := range l.spans {
		if s := &l.spans[i]; s.kind == wordSpan && l.has(s.from, "端数") {
			s.used = true
		}
	}
}

// divide makes the amount of the entry the own share of it, or if it is one
// already works out the whole.
func (e *Entry) divide(people int, share bool) {
	e.People = people
	if !share {
		e.Total = e.Amount
		e.Amount = (e.Total + ledger.Yen(people) - 1) / ledger.Yen(people)
	} else if people > 0 && e.Amount <= ledger.MaxAmount/ledger.Yen(people) {
		e.Total = e.Amount * ledger.Yen(people)
	}
}

// division finds what says that the bill was divided, or nil: a word, 4等分, or
// the / of 12000円/4人.
func (l *line) division() *span {
	if m := l.marked(splitWord, maybeSplit); m != nil {
		return m
	}
	for i := range l.spans {
		if s := &l.spans[i]; s.kind == counterSpan && s.unit == "等分" {
			return s
		}
	}
	return l.slash()
}

// slash finds the / of 12000円/4人, or the ÷ of 12000÷4.
func (l *line) slash() *span {
	for i := range l.spans {
		s := &l.spans[i]
		before, behind := l.neighbour(i, -1), l.neighbour(i, +1)
		if s.kind != punctSpan || before < 0 || behind < 0 || l.spans[before].kind != amountSpan {
			continue
		}
		next := &l.spans[behind]
		people := next.kind == counterSpan && next.unit == "人"
		switch l.rune(s.from) {
		case '/':
			if people && before == i-1 && behind == i+1 {
				return s
			}
		case '÷':
			if next.kind == amountSpan && !next.amount.yen && next.fault == "" {
				next.kind, next.unit, people = counterSpan, "人", true
			}
			if people {
				return s
			}
		}
	}
	return nil
}

// halves are the words that divide a bill by two.
var halves = []string{"折半", "半分", "半々"}

// dividers are the units of those who divide a bill.
var dividers = []string{"人", "名", "等分", "家族", "世帯"}

// people finds by how many the bill is divided, takes the number out of the
// item, and gives 0 if none is named.
func (l *line) people(split *span) int {
	found := 0
	for i := range l.spans {
		s := &l.spans[i]
		if s.kind != counterSpan || !slices.Contains(dividers, s.unit) {
			continue
		}
		s.used = true
		if s.amount.value >= 2 && s.amount.value <= maxPeople {
			found = int(s.amount.value)
		}
	}
	if found == 0 && slices.ContainsFunc(halves, func(word string) bool { return l.has(split.from, word) }) {
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
