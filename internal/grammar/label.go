package grammar

// labelled returns the amount that a label at i stands in front of, or nil.
func (l *line) labelled(i int) *span {
	for n := l.neighbour(i, +1); n >= 0; n = l.neighbour(n, +1) {
		s := &l.spans[n]
		switch {
		case s.kind == amountSpan:
			return s
		case s.kind == punctSpan, s.kind == wordSpan && s.to-s.from == 1 && isParticle(l.rune(s.from)):
			s.used = s.used || s.kind == wordSpan
		case s.kind == markSpan && s.mark == approximate:
		default:
			return nil
		}
	}
	return nil
}

// amountBefore returns the amount directly in front of the span at i, brackets and
// blanks aside, or nil.
func (l *line) amountBefore(i int) *span {
	for n := l.neighbour(i, -1); n >= 0; n = l.neighbour(n, -1) {
		switch l.spans[n].kind {
		case amountSpan:
			return &l.spans[n]
		case punctSpan:
			if r := l.rune(l.spans[n].from); r != '(' && r != '「' && r != '[' {
				return nil
			}
		default:
			return nil
		}
	}
	return nil
}

// readLabels marks the amounts that a word beside them explains.
func (l *line) readLabels() {
	several := l.count(amountSpan) > 1
	for i := range l.spans {
		switch l.spans[i].kind {
		case percentSpan:
			if a := l.amountBefore(i); a != nil {
				a.fault = Discount
			}
		case markSpan:
			l.readLabel(i, several)
		}
	}
}

// readLabel looks at the word at span i; several says that it may be the label of
// one amount of more.
func (l *line) readLabel(i int, several bool) {
	s := &l.spans[i]
	switch s.mark {
	case tendered, innerTax, points:
		l.noPrice(i)
	case codeWord:
		l.noCode(i)
	case measure:
		l.measured(i, s.mark)
		l.noGroups(i)
	case place:
		l.measured(i, s.mark)
	case tenderedOrItem:
		if s.used = several; several {
			l.noPrice(i)
		}
	case total, subtotal:
		if a := l.labelled(i); a != nil {
			a.amount.total = true
		}
	case limit:
		if a := l.amountBefore(i); l.discountFollows(i) {
			s.used = true
		} else if a != nil {
			a.fault = VagueAmount
		} else if a := l.labelled(i); a != nil && l.at(s.from) == latin {
			a.fault = VagueAmount // over 1000
		}
	case taxed, untaxed:
		l.readTax(i, s.mark)
	case untaxedOrItem:
		if s.used = l.isPriceOnly(i); s.used {
			l.readTax(i, untaxed)
		}
	}
}

// isPriceOnly says whether 本体 at span i is the price without the tax: a price
// touches it, or the tax is named. PS5本体 66980 is a thing.
func (l *line) isPriceOnly(i int) bool {
	touched := i > 0 && l.spans[i-1].kind == amountSpan || i+1 < len(l.spans) && l.spans[i+1].kind == amountSpan
	return touched || l.marked(taxed, taxPart, innerTax) != nil
}

// measured takes the number of a measure out: 血圧 120, 部屋 301.
func (l *line) measured(i int, m mark) {
	const largestPlace = 999
	if a := l.labelled(i); a != nil && !a.amount.yen && (m == measure || a.amount.value <= largestPlace) {
		a.used = true
	}
}

// discountFollows says whether から at span i is that of 2480円から500円引き.
func (l *line) discountFollows(i int) bool {
	n := l.neighbour(i, +1)
	return n >= 0 && l.spans[n].amount.discount
}

// noPrice takes the number behind the label at span i out: お釣り 200, ポイント5倍.
func (l *line) noPrice(i int) {
	if a := l.labelled(i); a != nil {
		a.used = true
		return
	}
	if n := l.neighbour(i, +1); n >= 0 && l.spans[n].kind == counterSpan {
		l.spans[n].used = true
	}
}

// noCode takes out the number of the code at span i, which stands behind it or, at
// the start of the line, in front: 482913 is your code.
func (l *line) noCode(i int) {
	l.noGroups(i)
	if l.labelled(i) != nil {
		return
	}
	n := l.neighbour(i, -1)
	if n >= 0 && l.isParticleSpan(n) {
		n = l.neighbour(n, -1)
	}
	if n >= 0 && l.spans[n].kind == amountSpan && !l.spans[n].amount.yen && l.isHead(n) {
		l.spans[n].used = true
	}
}

// noGroups takes out the groups of digits that go on behind the code at span i:
// カード番号 1234 5678 9012 3456.
func (l *line) noGroups(i int) {
	for n := l.neighbour(i, +1); n >= 0; n = l.neighbour(n, +1) {
		switch s := &l.spans[n]; {
		case s.kind == amountSpan && !s.amount.yen:
			s.used = true
		case s.kind == punctSpan && !l.isListMark(s.from), l.isParticleSpan(n):
		default:
			return
		}
	}
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
