package grammar

import "ichido/internal/ledger"

// handings stand between the money that was handed over and the change.
var handings = wordSet("で を払って を出して を渡して 払って 支払って 出して だして 渡して 払い 払ったら 出したら 渡したら 払った 支払った 出した 渡した の")

// settleChange takes out what came back as change, and what was handed over if
// the price is named as well. What was handed over alone is no price: 5000円で
// お釣り2520円 asks.
func (l *line) settleChange() {
	at, back := l.change()
	if back == nil {
		return
	}
	sure := l.spans[at].mark == change
	labelled := l.marked(tendered, tenderedOrItem) != nil
	l.spans[at].used, back.used = true, true
	prices := l.find(amountSpan)
	handed := l.handedOver(min(at, l.indexOf(back)))
	switch {
	case back.fault != "":
		l.doubtSum(Change)
	case labelled && len(prices) > 0: // what was handed over is out already
	case len(prices) == 2 && l.dropTendered(prices, back.amount.value):
	case len(prices) != 1:
		l.doubtSum(Change)
	case l.spans[prices[0]].fault != "": // asked about anyway
	case sure && !handed && isPrice(l.spans[prices[0]].amount.value, back.amount.value):
	default:
		l.doubtSum(Change, paidChoices(l.spans[prices[0]].amount.value, back.amount.value)...)
	}
}

// paidChoices gives what was paid if less was taken off the price, and the
// price itself.
func paidChoices(price, less ledger.Yen) []ledger.Yen {
	if less <= 0 || less >= price {
		return nil
	}
	return []ledger.Yen{price - less, price}
}

// change finds the word for change and its amount, which stands behind it, or
// in front as in 2520円のお釣り.
func (l *line) change() (at int, back *span) {
	several := l.count(amountSpan) > 1
	for i := range l.spans {
		s := &l.spans[i]
		if s.kind != markSpan || s.mark != change && (s.mark != changeOrItem || !several) {
			continue
		}
		if back := l.labelled(i); back != nil {
			return i, back
		}
		n := l.neighbour(i, -1)
		if n >= 0 && l.isParticleSpan(n) && l.rune(l.spans[n].from) == 'の' {
			n = l.neighbour(n, -1)
		}
		if n >= 0 && l.spans[n].kind == amountSpan {
			return i, &l.spans[n]
		}
	}
	return -1, nil
}

// handedOver takes the words between an amount and the change, which begins at
// span i, out of the item, if they say that it was handed over.
func (l *line) handedOver(i int) bool {
	n := l.neighbour(i, -1)
	if n < 1 || l.spans[n-1].kind != amountSpan {
		return false
	}
	s := &l.spans[n]
	if _, ok := handings.whole(l.low[s.from:s.to]); ok {
		s.used = true
	}
	return s.used && s.kind != amountSpan
}

// dropTendered takes out what was handed over, if the other of the two prices
// and the change make it up.
func (l *line) dropTendered(prices []int, back ledger.Yen) bool {
	a, b := &l.spans[prices[0]], &l.spans[prices[1]]
	switch {
	case a.fault != "" || b.fault != "":
		return false
	case a.amount.value+back == b.amount.value:
		b.used = true
	case b.amount.value+back == a.amount.value:
		a.used = true
	default:
		return false
	}
	return true
}

// isPrice says whether the amount was the price and not what was handed over:
// more came back than that, or the two make up a round sum, as bank notes do.
func isPrice(amount, back ledger.Yen) bool {
	const note = 1000
	return amount < back || amount%note != 0 && (amount+back)%note == 0
}
