package grammar

import (
	"strings"

	"ichido/internal/ledger"
)

// applyDiscounts subtracts 100円引き from the price in front of it. In any
// other order the price may be what was left: ピザ 1980円(500円引き).
func (l *line) applyDiscounts() {
	price := -1
	for i := range l.spans {
		s := &l.spans[i]
		switch {
		case s.kind != amountSpan || s.used:
		case !s.amount.discount:
			price = i
		case price < 0 || !l.onlySpace(price+1, i) || l.priceFollows(i):
			s.used = true
			l.doubtDiscount(s.amount.value)
		case l.spans[price].fault != "" || s.fault != "" || s.amount.value >= l.spans[price].amount.value:
			s.fault = Discount
		default:
			l.spans[price].amount.value -= s.amount.value
			s.used = true
		}
	}
}

func (l *line) onlySpace(from, to int) bool {
	for i := from; i < to; i++ {
		if l.spans[i].kind != spaceSpan {
			return false
		}
	}
	return true
}

// priceFollows says whether an amount stands behind the one at span i with no
// word of an item between.
func (l *line) priceFollows(i int) bool {
	n := l.neighbour(i, +1)
	if n >= 0 && l.isParticleSpan(n) {
		n = l.neighbour(n, +1)
	}
	return n >= 0 && l.spans[n].kind == amountSpan && !l.spans[n].amount.discount
}

// doubtDiscount asks whether the discount was already taken off the only price.
func (l *line) doubtDiscount(off ledger.Yen) {
	if l.doubt.reason != "" {
		return // the first doubt counts
	}
	if price := l.onlyPrice(); price != nil {
		l.doubtSum(Discount, paidChoices(price.amount.value, off)...)
		return
	}
	l.doubtSum(Discount)
}

// doubtHalf asks whether 半額 was already taken off.
func (l *line) doubtHalf() {
	if l.marked(half) == nil || l.count(amountSpan) == 0 {
		return
	}
	if price := l.onlyPrice(); price != nil && price.amount.value%2 == 0 {
		l.doubtDiscount(price.amount.value / 2)
		return
	}
	l.doubtSum(Discount)
}

// pointDeeds behind a number of points say that they were money off.
var pointDeeds = wordSet("使用 利用 引き 引いて 分引き 値引き 充当 使った 使いました 使って 払い 支払い を使用 を利用 を使った を使って")

// doubtPoints asks whether points that were used were already taken off.
func (l *line) doubtPoints() {
	for i := range l.spans {
		if p := l.pointsAt(i); p != nil && l.spentPoints(i, p) {
			l.doubtDiscount(p.amount.value)
		}
	}
}

// pointsAt returns the number of points that the span i is, or is the label of.
func (l *line) pointsAt(i int) *span {
	s := &l.spans[i]
	switch {
	case s.kind == counterSpan && s.used && strings.Contains(s.unit, "ポイント"):
		return s
	case s.kind == markSpan && s.mark == points:
		return l.labelled(i)
	}
	return nil
}

// spentPoints says whether the label at span i, its number or the word behind
// that says that the points were used. It takes the word out of the item.
func (l *line) spentPoints(i int, number *span) bool {
	for _, word := range []string{"利用", "使用", "払い"} {
		if strings.HasSuffix(l.str(l.spans[i].from, l.spans[i].to), word) || strings.HasSuffix(number.unit, word) {
			return true
		}
	}
	n := l.neighbour(l.indexOf(number), +1)
	if n >= 0 && l.spans[n].mark == approximate {
		n = l.neighbour(n, +1) // 100円分使用
	}
	if n < 0 {
		return false
	}
	s := &l.spans[n]
	_, end, ok := pointDeeds.at(l.low, s.from)
	if !ok {
		return false
	}
	for ; n < len(l.spans) && l.spans[n].to <= end; n++ {
		l.spans[n].used = true
	}
	return true
}
