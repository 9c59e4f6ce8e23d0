package grammar

import "ichido/internal/ledger"

// multiply joins 500×3 into one amount. A × with a number on one side only, or
// between small numbers beside another amount, is a part of the name.
func (l *line) multiply() {
	amounts := l.count(amountSpan)
	for i := range l.spans {
		if l.spans[i].kind != timesSpan {
			continue
		}
		left, right := l.neighbour(i, -1), l.neighbour(i, +1)
		if right < 0 || !l.spans[right].isNumber() {
			l.doubtTimes(left, right)
			continue
		}
		if left < 0 || !l.spans[left].isNumber() || !l.isProduct(left, right, amounts) {
			l.spans[right].kind = counterSpan
			if left >= 0 && left == i-1 && l.spans[left].isNumber() {
				l.spans[left].kind = counterSpan // a size: 45x90
			}
			continue
		}
		l.joinProduct(left, right)
		l.dropCounted(right)
	}
}

// dropCounted takes out a unit that stands apart behind the number at span i:
// 198 × 2 本.
func (l *line) dropCounted(i int) {
	n := l.neighbour(i, +1)
	if n < 0 || l.spans[n].kind != wordSpan {
		return
	}
	if _, ok := countedUnits.whole(l.low[l.spans[n].from:l.spans[n].to]); ok {
		l.spans[n].used = true
	}
}

// doubtTimes asks about a price that is multiplied by a word: 1900×大人2.
func (l *line) doubtTimes(left, right int) {
	if left >= 0 && right >= 0 && l.spans[left].kind == amountSpan && l.spans[right].kind == wordSpan {
		l.doubtSum(Multiplied)
	}
}

func (s *span) isNumber() bool { return s.kind == amountSpan || s.kind == counterSpan }

func (l *line) isProduct(left, right, amounts int) bool {
	a, b := &l.spans[left], &l.spans[right]
	if a.kind == counterSpan && b.kind == counterSpan {
		return false
	}
	const small = 100
	price := max(a.amount.value, b.amount.value)
	if a.kind == counterSpan {
		price = b.amount.value
	}
	own := 0
	for _, s := range []*span{a, b} {
		if s.kind == amountSpan {
			own++
		}
	}
	return price >= small || amounts == own
}

// joinProduct makes one amount of both spans. A number of things in front, as
// in りんご2個×300, stays a part of the item.
func (l *line) joinProduct(left, right int) {
	a, b := l.spans[left], l.spans[right]
	product := span{kind: amountSpan, from: a.from, to: a.to, amount: amount{times: true, yen: true}}
	product.amount.value, product.fault = multiplied(a, b)
	for i := left + 1; i <= right; i++ {
		l.spans[i].kind, l.spans[i].used = markSpan, true
	}
	if a.kind == counterSpan {
		product.from, product.to = b.from, b.to
		l.spans[right] = product
		return
	}
	l.spans[left] = product
}

func multiplied(a, b span) (ledger.Yen, Reason) {
	const price = 1000 // two numbers as large as this are no price and count
	x, y := a.amount.value, b.amount.value
	switch {
	case a.fault != "" || b.fault != "" || x >= price && y >= price:
		return 0, UnclearNumber
	case x <= 0 || y <= 0:
		return 0, NotPositive
	case x > ledger.MaxAmount/y:
		return 0, TooLarge
	}
	return x * y, ""
}

// dropResults takes out what only says what a product is: 500×3=1500, 84円 10枚
// 840円.
func (l *line) dropResults() {
	l.dropFactors()
	var product *span
	for i := range l.spans {
		switch s := &l.spans[i]; {
		case s.kind == amountSpan && s.amount.times && s.fault == "":
			product = s
		case s.kind == spaceSpan, s.kind == markSpan && s.used:
		case product != nil && s.kind == punctSpan && l.rune(s.from) == '=':
			if n := l.neighbour(i, +1); n >= 0 && l.spans[n].kind == amountSpan && l.spans[n].fault == "" && l.spans[n].amount.value == product.amount.value {
				l.spans[n].used = true
			}
			product = nil
		case product != nil && s.kind == amountSpan && s.fault == "" && s.amount.value == product.amount.value:
			s.used, product = true, nil
		default:
			product = nil
		}
	}
}

// dropFactors takes out the price of one thing where the number of things and the
// price of all follow it and bear it out.
func (l *line) dropFactors() {
	for i := range l.spans {
		each := &l.spans[i]
		n := l.neighbour(i, +1)
		if each.kind != amountSpan || each.fault != "" || n < 0 || l.spans[n].kind != counterSpan {
			continue
		}
		total, count := l.neighbour(n, +1), l.spans[n].amount.value
		if total > 0 && l.isParticleSpan(total) {
			total = l.neighbour(total, +1)
		}
		if total < 0 || count <= 1 || each.amount.value <= 0 || count > ledger.MaxAmount/each.amount.value {
			continue
		}
		if b := &l.spans[total]; b.kind == amountSpan && b.fault == "" && b.amount.value == each.amount.value*count {
			each.used = true
		}
	}
}

// scanTimes reads the sign of multiplication between or beside numbers.
func scanTimes(l *line, i int) (span, bool) {
	switch l.rune(i) {
	case '×', '✕', '✖', '╳', '⨯':
	case 'x', '*':
		apart := l.at(i+1) == blank && l.at(l.skipBlank(i+1)) == digit && l.behindNumber()
		if l.at(i+1) != digit && !apart || l.at(i-1) == latin {
			return span{}, false
		}
	default:
		return span{}, false
	}
	return span{kind: timesSpan, from: i, to: i + 1}, true
}

// behindNumber says whether the last span that is not blank is a number: the X of
// Xbox Series X 59980 multiplies nothing.
func (l *line) behindNumber() bool {
	n := len(l.spans) - 1
	for n >= 0 && l.spans[n].kind == spaceSpan {
		n--
	}
	return n >= 0 && l.spans[n].isNumber()
}
