package bot

import (
	"cmp"
	"maps"
	"slices"

	"ichido/internal/ledger"
	"ichido/store"
)

// sums are the figures of a period. Struck rows count nowhere.
type sums struct {
	spent      ledger.Yen                     // expenses less refunds
	categories map[ledger.Category]ledger.Yen // as they are called now
	people     map[ledger.MemberID]ledger.Yen // who spent what
	spendings  int                            // expenses and refunds
	refunded   ledger.Yen                     // what of the refunds was taken off

	income, moved, missing    ledger.Yen // missing is positive where money is gone
	incomes, moves, unmatched int        // how many rows make them up
}

// add counts the row.
func (s *sums) add(r *ledger.Row) {
	if r.Counts() {
		s.addTotal(totalOf(r))
	}
}

// totalOf is what the row adds to the totals of its month.
func totalOf(r *ledger.Row) store.Total {
	return store.Total{Type: r.Type, Member: r.Member, Category: r.Category, Sum: r.Amount, Rows: 1}
}

func (s *sums) spend(total store.Total, amount ledger.Yen) {
	if s.categories == nil {
		s.categories = map[ledger.Category]ledger.Yen{}
		s.people = map[ledger.MemberID]ledger.Yen{}
	}
	s.spent += amount
	s.categories[cmp.Or(total.Category, ledger.Other)] += amount
	s.people[total.Member] += amount
	s.spendings += total.Rows
}

// byAmount lists the categories, the largest amount first.
func (s *sums) byAmount() []ledger.Category {
	return slices.SortedFunc(maps.Keys(s.categories), func(a, b ledger.Category) int {
		return cmp.Or(cmp.Compare(s.categories[b], s.categories[a]), cmp.Compare(a, b))
	})
}

// addTotal counts rows by their total.
func (s *sums) addTotal(total store.Total) {
	switch total.Type {
	case ledger.Expense:
		s.spend(total, total.Sum)
	case ledger.Refund:
		s.spend(total, -total.Sum)
		s.refunded += total.Sum
	case ledger.Income:
		s.income += total.Sum
		s.incomes += total.Rows
	case ledger.Transfer:
		s.moved += total.Sum
		s.moves += total.Rows
	case ledger.Adjustment:
		s.missing -= total.Sum
		s.unmatched += total.Rows
	}
}

// sum adds up the rows of the period that the topic has: whole months by their totals,
// as far as those tell them apart, else one by one.
func (t *turn) sum(p ledger.Period, q *topic) (s sums, err error) {
	for from := p.From; from <= p.To; {
		month := ledger.Month(from, 0)
		if q.inTotals() && month.From == from && month.To <= p.To {
			err = t.sumMonth(from, q, &s)
		} else {
			month = ledger.Period{From: from, To: min(month.To, p.To)}
			err = t.sumDays(month, q, &s)
		}
		if err != nil {
			return s, err
		}
		from = month.To.AddDays(1)
	}
	return s, nil
}

func (t *turn) sumMonth(month ledger.Date, q *topic, s *sums) error {
	return t.tx.Totals(month, func(total store.Total) error {
		if q.hasTotal(total) {
			s.addTotal(q.named(total))
		}
		return nil
	})
}

func (t *turn) sumDays(p ledger.Period, q *topic, s *sums) error {
	return t.tx.Rows(p, func(r *ledger.Row) error {
		if r.Counts() && q.has(r) {
			s.addTotal(q.named(totalOf(r)))
		}
		return nil
	})
}
