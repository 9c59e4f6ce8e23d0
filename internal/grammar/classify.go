package grammar

import (
	"slices"
	"strings"

	"ichido/internal/ledger"
)

// gifts are income when they were received and expense when they were given;
// alone they are neither.
var gifts = wordSet("お年玉 おとしだま お小遣い おこづかい 小遣い 仕送り お祝い 祝い金 お祝い金 allowance pocket_money gift_money cash_gift money_gift")

// givenGifts alone are expense; who says that he got one has an income.
var givenGifts = wordSet("結婚祝い 結婚祝 出産祝い 出産祝 入学祝い 入学祝 入園祝い 卒業祝い 卒業祝 就職祝い 就職祝 合格祝い 成人祝い 成人祝 誕生日祝い 新築祝い 新築祝 開店祝い 快気祝い 還暦祝い 内祝い " +
	"ご祝儀 祝儀 香典 お香典 御香典 お見舞い 見舞金 お見舞い金 餞別 お餞別 謝礼 謝礼金 お礼金 寸志 お車代")

// unclearIncomes alone may be income or not.
var unclearIncomes = wordSet("給料日 入金 振込 振り込み 年金 振込み 振り込まれた バイト アルバイト パート 副業 保険金 払戻金")

// remittances are both ways of paying and of being paid.
var remittances = wordSet("振込 振り込み 振込み")

// refundCosts are paid because something is sent back; beside 返品 they may be
// that cost, or what was given back of it.
var refundCosts = wordSet("送料 返送料 配送料 手数料 着払い 運賃")

// claimRefunds takes the words of a refund that stand apart out of the item,
// if a word is left to be it: 返金 シャツ 2000, シャツを返品 2000.
func (l *line) claimRefunds() {
	var claimed []int
	for i := range l.spans {
		if s := &l.spans[i]; s.kind == markSpan && s.mark == refunded && l.standsApart(i) {
			s.used = true
			claimed = append(claimed, i)
		}
	}
	if len(claimed) > 0 && !l.isItem(l.pieces(0, len(l.spans))) {
		for _, i := range claimed {
			l.spans[i].used = false
		}
	}
}

// refund says whether the region is a refund: a word of refund stands apart in
// it, or is the end of its item. Apart from several rows it may be meant for
// any of them.
func (l *line) refund(r region) (found bool, reason Reason) {
	for i := r.from; i < r.to; i++ {
		s := &l.spans[i]
		if s.kind != markSpan || s.mark != refunded {
			continue
		}
		if whole := r.from == 0 && r.to == len(l.spans); s.used && !whole {
			return false, IncomeOrNot
		}
		found = found || s.used || endsPiece(r.pieces, s)
	}
	if found && l.isOneOf(refundCosts, r.pieces) {
		return false, IncomeOrNot
	}
	return found, ""
}

func endsPiece(pieces []piece, s *span) bool {
	for _, p := range pieces {
		if s.from >= p.from && s.to == p.to {
			return true
		}
	}
	return false
}

// deeds says what was done with the money of a line.
type deeds struct {
	got, gave, sold, advanced bool
}

func (l *line) deeds() deeds {
	return deeds{
		got: l.marked(got) != nil, gave: l.marked(gave) != nil, sold: l.marked(sold) != nil, advanced: l.marked(advanced) != nil,
	}
}

// classify decides whether the row is an expense, income or a refund.
func (l *line) classify(e *Entry, r region, d deeds) Reason {
	refund, reason := l.refund(r)
	switch {
	case reason != "":
		return reason
	case r.amount.amount.sign < 0:
		if !l.leads(r) {
			return NotPositive
		}
		e.Type = ledger.Refund
	case r.amount.amount.sign > 0:
		e.Type, e.Category = ledger.Income, ledger.Pay
	case refund:
		e.Type = ledger.Refund
	case l.isGift(r.pieces, &d):
		return classifyGift(e, d)
	case l.isUnclearIncome(r.pieces) && !(e.isSpending() && l.isOneOf(remittances, r.pieces)):
		return IncomeOrNot
	case l.isIncome(r.pieces), d.sold, d.got && !d.gave && l.isOneOf(givenGifts, r.pieces):
		e.Type, e.Category = ledger.Income, ledger.Pay
	case e.Category == ledger.Pay && strings.HasSuffix(e.Item, "払い"):
		e.Category = "" // ボーナス払い
	case d.got && !d.gave, e.Category == ledger.Pay:
		return IncomeOrNot
	}
	return ""
}

// isSpending says whether the item is known as something that one pays for.
func (e *Entry) isSpending() bool { return e.Category != "" && e.Category != ledger.Pay }

// isGift says whether a piece is a gift, or ends in one that somebody gave or
// got: 祖母からお祝い, 子供にお小遣い.
func (l *line) isGift(pieces []piece, d *deeds) bool {
	for _, p := range pieces {
		for i := p.from; i < p.to; i++ {
			_, end, ok := gifts.at(l.low, i)
			if !ok || end != p.to {
				continue
			}
			d.got = d.got || l.has(i-2, "から")
			d.gave = d.gave || l.rune(i-1) == 'に'
			return i == p.from || l.has(i-2, "から") || strings.ContainsRune("にの", l.rune(i-1))
		}
	}
	return false
}

func classifyGift(e *Entry, d deeds) Reason {
	switch {
	case d.got == d.gave:
		return IncomeOrNot
	case d.got:
		e.Type, e.Category = ledger.Income, ledger.Pay
	case e.Category == "":
		e.Category = "交際費"
	}
	return ""
}

// leads says whether the amount stands in front of its item.
func (l *line) leads(r region) bool {
	return len(r.pieces) > 0 && r.amount.from < r.pieces[0].from
}

func (l *line) isOneOf(index *wordIndex[bool], pieces []piece) bool {
	for _, p := range pieces {
		if _, ok := index.whole(l.low[p.from:p.to]); ok {
			return true
		}
	}
	return false
}

// isIncome says whether a piece is about income: its last word is one of the
// dictionary's incomes, and nothing hangs on it. 給料 11月分 has that word in front of
// what tells more about it.
func (l *line) isIncome(pieces []piece) bool {
	for _, p := range pieces {
		m, ok := words().head(&l.text, p.from, p.to)
		if ok && m.category == ledger.Pay && (m.to == p.to || l.at(m.to) == blank || l.countedAt(m.to)) {
			return true
		}
	}
	return false
}

// countedAt says whether a number of things begins there: 児童手当4ヶ月分.
func (l *line) countedAt(i int) bool {
	return slices.ContainsFunc(l.spans, func(s span) bool { return s.kind == counterSpan && s.from == i })
}

// isUnclearIncome says whether a piece has nothing but words of unclearIncomes.
func (l *line) isUnclearIncome(pieces []piece) bool {
	return slices.ContainsFunc(pieces, func(p piece) bool {
		return !slices.ContainsFunc(strings.Fields(string(l.low[p.from:p.to])), func(word string) bool { return !unclearIncomes.has(word) })
	})
}
