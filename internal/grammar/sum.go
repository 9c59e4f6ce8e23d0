package grammar

import "ichido/internal/ledger"

// doubtPlus asks whether 158+138 is a sum, if it stands on one side of its item
// and nothing else does.
func (l *line) doubtPlus() {
	amounts := l.find(amountSpan)
	if len(amounts) < 2 || l.isItem(l.pieces(0, amounts[0])) == l.isItem(l.pieces(amounts[len(amounts)-1]+1, len(l.spans))) {
		return
	}
	for n, a := range amounts {
		if !l.isAddend(a) || n > 0 && !l.plusBetween(amounts[n-1], a) {
			return
		}
	}
	l.doubtSum(TwoAmounts, l.choices(TwoAmounts, amounts)...)
}

// isAddend says whether the amount at span i may be added to another: 1+1 is
// the name of something.
func (l *line) isAddend(i int) bool {
	const least = 10
	s := &l.spans[i]
	return s.fault == "" && s.amount.sign == 0 && !s.amount.discount && s.amount.value >= least && s.amount.value <= ledger.MaxAmount
}

func (l *line) plusBetween(a, b int) bool {
	n := l.neighbour(a, +1)
	return n >= 0 && l.spans[n].kind == punctSpan && l.rune(l.spans[n].from) == '+' && l.neighbour(n, +1) == b
}

// settleReceipt keeps only the total of 小計 2298 税183 合計 2481.
func (l *line) settleReceipt() {
	sub, tax, all := l.labelledBy(subtotal), l.labelledBy(taxPart), l.labelledBy(total)
	if sub == nil || tax == nil || all == nil || sub.fault+tax.fault+all.fault != "" {
		return
	}
	if l.count(amountSpan) != 3 || sub.amount.value+tax.amount.value != all.amount.value {
		return
	}
	sub.used, tax.used, all.amount.total = true, true, false
	l.marked(taxPart).used = true
}

// labelledBy returns the amount behind the first word with the mark, or nil.
func (l *line) labelledBy(m mark) *span {
	for i := range l.spans {
		if l.spans[i].kind == markSpan && l.spans[i].mark == m {
			return l.labelled(i)
		}
	}
	return nil
}
