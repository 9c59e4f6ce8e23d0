package grammar

import (
	"cmp"
	"slices"

	"ichido/internal/ledger"
)

// region is the part of a line that makes one row: one amount and the item,
// date, account and category that stand with it.
type region struct {
	pieces   []piece
	amount   *span
	date     ledger.Date
	account  string
	category ledger.Category
	from, to int // spans
}

// regions divides the line into rows by its amounts. It fails with a Reason
// if an amount has no item of its own.
func (l *line) regions(amounts []int) ([]region, Reason) {
	if len(amounts) == 1 {
		return l.oneRegion(amounts[0])
	}
	if slices.ContainsFunc(amounts, l.isInsideWord) {
		return nil, TwoAmounts
	}
	if cuts := l.listCuts(amounts); cuts != nil {
		return l.cutRegions(cuts)
	}
	return l.alternate(amounts, 0, len(l.spans))
}

// isInsideWord says whether the amount at span i stands in brackets in the midst of other
// signs, and the last of all does not, as in f(1)/x 100: it most likely is no amount.
func (l *line) isInsideWord(i int) bool {
	s, last := &l.spans[i], l.find(amountSpan)
	bracketed := func(s *span) bool { return l.rune(s.from-1) == '(' && l.rune(s.to) == ')' }
	if s.amount.yen || !bracketed(s) || bracketed(&l.spans[last[len(last)-1]]) || !isWord(l.at(s.from-2)) {
		return false
	}
	next := s.to + 1
	return next < len(l.raw) && l.at(next) != blank && !l.isListMark(next)
}

func (l *line) oneRegion(amount int) ([]region, Reason) {
	r, reason := l.region(0, len(l.spans), amount)
	return []region{r}, reason
}

// region makes the row of the spans [from, to).
func (l *line) region(from, to, amount int) (region, Reason) {
	r := region{
		pieces: l.pieces(from, to), amount: &l.spans[amount], from: from, to: to,
		account: l.nameIn(accountSpan, from, to), category: ledger.Category(l.nameIn(categorySpan, from, to)),
	}
	for i := from; i < to; i++ {
		if l.spans[i].kind == dateSpan {
			if r.date != 0 && r.date != l.spans[i].date {
				return r, VagueDate
			}
			r.date = l.spans[i].date
		}
	}
	if l.isItem(r.pieces) || l.itemByCategory(&r) {
		return r, ""
	}
	return r, AmountOnly
}

// itemByCategory lets the category of a row of several be its item, where nothing
// else is: イオン 食品2480、日用品980. The one of ランチ 900 食費 950 may be what the
// lunch is.
func (l *line) itemByCategory(r *region) bool {
	if r.category == "" || r.from == 0 || l.spans[r.from].kind != punctSpan && !l.namesCategories() {
		return false
	}
	for i := r.from; i < r.to; i++ {
		if l.spans[i].kind == categorySpan {
			l.spans[i].used = false
		}
	}
	r.pieces = l.pieces(r.from, r.to)
	return l.isItem(r.pieces)
}

// namesCategories says whether the line names several categories.
func (l *line) namesCategories() bool {
	name := l.nameOf(categorySpan)
	return slices.ContainsFunc(l.spans, func(s span) bool { return s.kind == categorySpan && s.name != name })
}

// listCuts returns the spans at which 、 and the like divide the line into
// parts with an amount each, or nil.
func (l *line) listCuts(amounts []int) []int {
	cuts := []int{}
	next := 0
	for i := range l.spans {
		s := &l.spans[i]
		if s.kind != punctSpan || !l.isListMark(s.from) {
			continue
		}
		inside := 0
		for next < len(amounts) && amounts[next] < i {
			inside++
			next++
		}
		if inside == 0 {
			return nil
		}
		cuts = append(cuts, i)
	}
	if len(cuts) == 0 || next == len(amounts) {
		return nil
	}
	return append(cuts, len(l.spans))
}

func (l *line) cutRegions(cuts []int) ([]region, Reason) {
	var all []region
	from := 0
	for _, to := range cuts {
		part, reason := l.alternate(l.amountsIn(from, to), from, to)
		if reason != "" {
			return nil, reason
		}
		all = append(all, part...)
		from = to
	}
	return all, ""
}

// alternate divides spans where items and amounts take turns: item first, or
// amount first.
func (l *line) alternate(amounts []int, from, to int) ([]region, Reason) {
	if len(amounts) == 1 {
		r, reason := l.region(from, to, amounts[0])
		return []region{r}, reason
	}
	if regions := l.turns(l.itemFirst(amounts, from, to), amounts); regions != nil {
		return regions, ""
	}
	if regions := l.turns(l.amountFirst(amounts, from, to), amounts); regions != nil {
		return regions, ""
	}
	return nil, TwoAmounts
}

// itemFirst gives the borders of the rows when each ends behind its amount.
// The last takes the rest of the line.
func (l *line) itemFirst(amounts []int, from, to int) []int {
	if l.isItem(l.pieces(amounts[len(amounts)-1]+1, to)) {
		return nil
	}
	trailing := l.nameIn(accountSpan, amounts[len(amounts)-1], to) != ""
	borders := []int{from}
	for _, a := range amounts[:len(amounts)-1] {
		borders = append(borders, l.pastTail(a+1, trailing))
	}
	return append(borders, to)
}

// pastTail skips the words that belong to the amount in front of them, with
// accounts also the account.
func (l *line) pastTail(i int, accounts bool) int {
	end := i
	for ; i < len(l.spans); i++ {
		switch s := &l.spans[i]; {
		case s.kind == markSpan && s.used, accounts && s.kind == accountSpan:
			end = i + 1
		case accounts && s.kind == spaceSpan:
		default:
			return end
		}
	}
	return end
}

// amountFirst gives the borders of the rows when each begins with its amount.
func (l *line) amountFirst(amounts []int, from, to int) []int {
	if l.isItem(l.pieces(from, amounts[0])) {
		return nil
	}
	borders := []int{from}
	for _, a := range amounts[1:] {
		borders = append(borders, l.withDate(a))
	}
	return append(borders, to)
}

// withDate gives the span at which the row of the amount at span i begins: at the
// date directly in front of it, if there is one.
func (l *line) withDate(i int) int {
	first := i
	for n := l.neighbour(i, -1); n > 0; n = l.neighbour(n, -1) {
		switch k := l.spans[n].kind; {
		case k == dateSpan:
			first = n
		case k == clockSpan, k == punctSpan, l.isParticleSpan(n):
		default:
			return first
		}
	}
	return first
}

// turns makes the rows between the borders; nil if one has no item.
func (l *line) turns(borders, amounts []int) []region {
	if borders == nil {
		return nil
	}
	regions := make([]region, 0, len(amounts))
	for i, a := range amounts {
		r, reason := l.region(borders[i], borders[i+1], a)
		if reason != "" {
			return nil
		}
		regions = append(regions, r)
	}
	return regions
}

// shareNames gives the rows without an account or a category the one that the
// line as a whole names.
func (l *line) shareNames(regions []region) {
	account := l.nameIn(accountSpan, 0, len(l.spans))
	category := ledger.Category(l.nameIn(categorySpan, 0, len(l.spans)))
	for i := range regions {
		regions[i].account = cmp.Or(regions[i].account, account)
		regions[i].category = cmp.Or(regions[i].category, category)
	}
}

// carryDates gives each row without a date that of the row before it. A date
// at the very end counts for all rows of the line when there is no other.
func (l *line) carryDates(regions []region) {
	dates := l.find(dateSpan)
	last := len(regions) - 1
	if len(dates) == 1 && last > 0 && dates[0] > l.indexOf(regions[last].amount) {
		for i := range regions {
			regions[i].date = l.spans[dates[0]].date
		}
		return
	}
	current := cmp.Or(l.date, l.today)
	for i := range regions {
		current = cmp.Or(regions[i].date, current)
		regions[i].date = current
	}
	if len(dates) > 0 && !l.isItem(l.pieces(0, dates[0])) {
		l.date = current
	}
}
