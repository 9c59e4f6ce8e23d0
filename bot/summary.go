package bot

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"ichido/internal/ledger"
	"ichido/store"
)

// maxLines limits how many rows an answer shows.
const maxLines = 20

// filter says which rows a question is about.
type filter func(*ledger.Row) bool

// sums are the figures of a period. Struck rows count nowhere.
type sums struct {
	spent      ledger.Yen // expenses less refunds
	categories map[ledger.Category]ledger.Yen
	people     map[ledger.MemberID]ledger.Yen // who spent what
	spendings  int                            // expenses and refunds
	refunded   ledger.Yen                     // what of the refunds was taken off

	income, moved, missing    ledger.Yen // missing is positive where money is gone
	incomes, moves, unmatched int        // how many rows make them up
}

// add counts the row.
func (s *sums) add(r *ledger.Row) {
	if r.Counts() {
		s.addTotal(store.Total{Type: r.Type, Member: r.Member, Category: r.Category, Sum: r.Amount, Rows: 1})
	}
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

// sum adds up all rows of the period: whole months by their totals, the days
// beside them one by one.
func (t *turn) sum(p ledger.Period) (s sums, err error) {
	for from := p.From; from <= p.To; {
		month := ledger.Month(from, 0)
		if month.From == from && month.To <= p.To {
			err = t.tx.Totals(from, func(total store.Total) error {
				s.addTotal(total)
				return nil
			})
		} else {
			month = ledger.Period{From: from, To: min(month.To, p.To)}
			err = t.tx.Rows(month, func(r *ledger.Row) error {
				s.add(r)
				return nil
			})
		}
		if err != nil {
			return s, err
		}
		from = month.To.AddDays(1)
	}
	return s, nil
}

// sumOf adds up the rows of the period that pass.
func (t *turn) sumOf(p ledger.Period, pass filter) (s sums, err error) {
	err = t.tx.Rows(p, func(r *ledger.Row) error {
		if pass(r) {
			s.add(r)
		}
		return nil
	})
	return s, err
}

// period is the one that the command names; this month if it names none.
func (t *turn) period() ledger.Period {
	if t.cmd.Period == (ledger.Period{}) {
		return ledger.Month(t.today, 0)
	}
	return t.cmd.Period
}

// filter passes the rows that the command asks about: of a category, or with an
// item that contains the word.
func (t *turn) filter() filter {
	category, item := t.cmd.Category, strings.ToLower(t.cmd.Item)
	return func(r *ledger.Row) bool {
		return (category == "" || hasCategory(*r) && categoryName(*r) == string(category)) &&
			strings.Contains(strings.ToLower(r.Item), item)
	}
}

// summary answers with the figures of a period.
func (t *turn) summary() (Reply, error) {
	if m, name, err := t.person(); name != "" || err != nil {
		return t.summaryOf(m, name, err)
	}
	p := t.period()
	var s sums
	var err error
	if t.cmd.Category == "" && t.cmd.Item == "" {
		s, err = t.sum(p)
	} else {
		s, err = t.sumOf(p, t.filter())
	}
	if err != nil {
		return Reply{}, err
	}
	a := answer{}
	if t.cmd.Category == ledger.Pay {
		return Reply{Text: incomeLine(p, t.today, s)}, nil
	}
	a.add(summaryHead(p, t.today, subject(t.cmd), s))
	if t.cmd.Category == "" {
		for _, c := range s.byAmount() {
			a.add(amountLine(string(c), s.categories[c]))
		}
	}
	n, err := t.names()
	if err != nil {
		return Reply{}, err
	}
	a.add(byPerson(n, s))
	a.add(besides(s)...)
	return a.reply(), nil
}

// list answers with the rows of a period, the newest first.
func (t *turn) list() (Reply, error) {
	p, pass := t.period(), t.filter()
	var rows []ledger.Row
	err := t.tx.Rows(p, func(r *ledger.Row) error {
		if pass(r) && r.Stands() {
			rows = append(rows, *r)
		}
		return nil
	})
	if err != nil {
		return Reply{}, err
	}
	if len(rows) == 0 {
		return Reply{Text: nothingIn(p, t.today, subject(t.cmd))}, nil
	}
	n, err := t.names()
	if err != nil {
		return Reply{}, err
	}
	slices.Reverse(rows)
	a := answer{}
	a.add(listHead(p, t.today, subject(t.cmd)))
	for _, r := range rows[:min(len(rows), maxLines)] {
		a.add(listLine(n, r))
	}
	if len(rows) > maxLines {
		a.add(more(len(rows)-maxLines), earlierRows(rows[maxLines].Date, t.today))
	}
	a.add(listFoot(rows[0].ID))
	return a.reply(), nil
}

// person gives the member about whom the command asks, by the name that it uses, "" if
// it asks about nobody. The zero member is one whom nobody knows.
func (t *turn) person() (found store.Member, name string, err error) {
	members, err := t.tx.Members()
	if err != nil {
		return store.Member{}, "", err
	}
	if t.cmd.Own && t.sender != 0 {
		return t.tx.Sender(), cmp.Or(t.tx.Sender().Name, you), nil
	}
	name = cmp.Or(t.cmd.Owner, t.cmd.Item)
	if m, ok := memberCalled(members, name); ok {
		return m, m.Name, nil
	}
	return store.Member{}, t.cmd.Owner, nil
}

// summaryOf answers with what one member has spent in the period.
func (t *turn) summaryOf(m store.Member, name string, err error) (Reply, error) {
	if err != nil {
		return Reply{}, err
	}
	if m.ID == 0 {
		return Reply{Text: nobodyFound(name)}, nil
	}
	p := t.period()
	mine := func(r *ledger.Row) bool {
		return r.Member == m.ID && (t.cmd.Category == "" || categoryName(*r) == string(t.cmd.Category))
	}
	s, err := t.sumOf(p, mine)
	if err != nil {
		return Reply{}, err
	}
	return Reply{Text: personSpent(p, t.today, name, string(t.cmd.Category), s)}, nil
}

// last answers whether something was recorded: with what the sender recorded
// last.
func (t *turn) last() (Reply, error) {
	r, err := t.lastWritten(store.Record, store.Balance)
	if err != nil {
		return Reply{}, err
	}
	if r == nil {
		return Reply{Text: noLast}, nil
	}
	rows, err := t.rowsOf(r, standing)
	if err != nil {
		return Reply{}, err
	}
	n, err := t.names()
	if err != nil {
		return Reply{}, err
	}
	return Reply{Text: lastLine(n, rows), Buttons: []Button{undoButton(commonID(rows))}}, nil
}
