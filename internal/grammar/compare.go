package grammar

import "ichido/internal/ledger"

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
