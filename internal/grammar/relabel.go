package grammar

import "ichido/internal/ledger"

// relabelling changes spans in view of the others.
type relabelling struct {
	name  string
	apply func(l *line)
}

// relabellings are applied in order to every line, once each. What one of them
// takes out the later ones don't see.
var relabellings = []relabelling{
	{"reason", (*line).dropReasons},
	{"next time", (*line).dropNext},
	{"fraction", (*line).doubtFractions},
	{"multiplication", (*line).multiply},
	{"result", (*line).dropResults},
	{"label", (*line).readLabels},
	{"change", (*line).settleChange},
	{"receipt", (*line).settleReceipt},
	{"tax", (*line).applyTax},
	{"discount", (*line).applyDiscounts},
	{"half price", (*line).doubtHalf},
	{"points", (*line).doubtPoints},
	{"plus", (*line).doubtPlus},
	{"name with a number", (*line).nameNumbers},
}

// relabel looks at the spans in their company and decides what a single span
// can't know: which numbers are multiplied, which are no price, which belong
// to a name.
func (l *line) relabel() {
	for _, step := range relabellings {
		step.apply(l)
		if l.why != nil {
			l.noteChanges("", step.name)
		}
	}
}

// dropReasons takes out why something was bought: 給料日なので in
// 給料日なので焼肉.
func (l *line) dropReasons() {
	for i := range l.spans {
		if s := &l.spans[i]; s.kind != markSpan || s.mark != because {
			continue
		}
		for n := i - 1; n >= 0 && (l.spans[n].kind == wordSpan || l.spans[n].kind == markSpan && !l.spans[n].used); n-- {
			l.spans[n].used = true
		}
	}
}

// doubtFractions makes a date that may be a fraction a fault beside food.
func (l *line) doubtFractions() {
	for i := range l.spans {
		s := &l.spans[i]
		if s.kind != dateSpan || s.unit != fraction {
			continue
		}
		if m, ok := words.head(&l.text, 0, len(l.raw)); ok && m.category == "食費" {
			s.fault = VagueDate
		}
		return
	}
}

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
		s := &l.spans[i]
		if s.kind == percentSpan {
			if a := l.amountBefore(i); a != nil {
				a.fault = Discount
			}
		}
		if s.kind != markSpan {
			continue
		}
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
			}
		case taxed, untaxed:
			l.readTax(i, s.mark)
		case untaxedOrItem:
			if s.used = l.isPriceOnly(i); s.used {
				l.readTax(i, untaxed)
			}
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
