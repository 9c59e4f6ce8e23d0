package grammar

// readTax labels the amount behind the word, or else the one in front of it.
func (l *line) readTax(i int, m mark) {
	a := l.labelled(i)
	if a == nil || a.amount.taxed || a.amount.untaxed {
		a = l.amountBefore(i)
	}
	if a == nil {
		return
	}
	a.amount.taxed, a.amount.untaxed = m == taxed, m == untaxed
}

// applyTax lets the price with tax win over the one without it.
func (l *line) applyTax() {
	for i := range l.spans {
		a := &l.spans[i]
		if a.kind != amountSpan || !a.amount.taxed {
			continue
		}
		if b := l.priceBeside(i, -1); b != nil && l.isWithTax(a, b) {
			b.used = true
		} else if b := l.priceBeside(i, +1); b != nil && b.amount.untaxed {
			b.used = true
		}
	}
	for i := range l.spans {
		if a := &l.spans[i]; a.kind == amountSpan && a.amount.untaxed && !a.used {
			a.fault = BeforeTax
		}
	}
}

// isWithTax says whether a may be b with the tax: Switch2 税込1100円 is no price
// of 2.
func (l *line) isWithTax(a, b *span) bool {
	const percent = 112 // somewhat more than the highest rate, for rounding
	return b.amount.untaxed || b.fault != "" || b.amount.value <= a.amount.value && a.amount.value*100 <= b.amount.value*percent+100
}

// priceBeside returns the unlabelled or untaxed amount next to the one at i
// with no word of an item between, or nil.
func (l *line) priceBeside(i, direction int) *span {
	for n := l.neighbour(i, direction); n >= 0; n = l.neighbour(n, direction) {
		switch s := &l.spans[n]; {
		case s.kind == amountSpan:
			if s.amount.taxed || s.amount.total {
				return nil
			}
			return s
		case s.kind == punctSpan, s.kind == markSpan && s.used:
		default:
			return nil
		}
	}
	return nil
}

// settleSubtotal keeps only the total of 小計 2298 税183 合計 2481.
func (l *line) settleSubtotal() {
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
