package bot

import (
	"fmt"
	"slices"

	"ichido/internal/ledger"
	"ichido/store"
)

// maxLines limits how many rows an answer shows.
const maxLines = 20

// period is the one that the command names; this month if it names none.
func (t *turn) period() ledger.Period {
	if t.cmd.Period == (ledger.Period{}) {
		return ledger.Month(t.today, 0)
	}
	return t.cmd.Period
}

// summary answers with the figures of a period.
func (t *turn) summary() (Reply, error) {
	q, refusal, err := t.topic()
	if refusal != "" || err != nil {
		return said(refusal), err
	}
	p := t.period()
	s, err := t.sum(p, q)
	if err != nil {
		return Reply{}, err
	}
	a := answer{}
	a.put(t.summaryHead(p, t.today, q, s)...)
	if err := t.addComparison(&a, p, q, s); err != nil {
		return Reply{}, err
	}
	if q.isIncome() || q.person != "" {
		return a.reply(), nil
	}
	if q.category == "" {
		a.put(t.amountLines(s)...)
	}
	n, err := t.names()
	if err != nil {
		return Reply{}, err
	}
	a.add(t.byPerson(n, s))
	a.add(t.besides(s)...)
	if isMonth(p) && s.spendings > 0 {
		a.offer(t.moreOf(p, t.today, q)...)
	}
	if p == ledger.Month(t.today, 0) && q.subject() == "" {
		err = t.tellLastMonth(&a)
	}
	return a.reply(), err
}

// addComparison says what of the figure is dated ahead, and how the rest compares with
// the period before. s are the sums of the whole period.
func (t *turn) addComparison(a *answer, p ledger.Period, q *topic, s sums) error {
	ahead, err := t.sumAhead(p, q)
	if err != nil {
		return err
	}
	sofar, rows := q.figure(s)
	later, laterRows := q.figure(ahead)
	if laterRows > 0 {
		a.add(t.aheadLine(later, laterRows))
	}
	earlier, _, ok := before(p, t.today)
	if !ok || rows == laterRows || p.From > t.today {
		return nil
	}
	e, err := t.sum(earlier, q)
	if err != nil {
		return err
	}
	if was, rows := q.figure(e); rows > 0 {
		a.add(t.comparison(p, earlier, t.today, sofar-later, was, laterRows > 0))
	}
	return nil
}

// tellLastMonth adds, once for each member when a month has begun, what was spent in the
// one before.
func (t *turn) tellLastMonth(a *answer) error {
	if t.tx.Receipt() == nil {
		return nil // a page asks, and nothing is written
	}
	fact, month := fmt.Sprint("month told ", t.sender), ledger.Month(t.today, 0).From.String()
	told, err := t.tx.Fact(fact)
	if told >= month || t.sender == 0 || err != nil {
		return err
	}
	if err := t.tx.SetFact(fact, month); err != nil {
		return err
	}
	last := ledger.Month(t.today, -1)
	s, err := t.sum(last, &topic{})
	if s.spendings > 0 {
		a.add(t.lastMonth(last, s.spent))
	}
	return err
}

// sumAhead adds up what of a period that has begun is dated after today.
func (t *turn) sumAhead(p ledger.Period, q *topic) (sums, error) {
	if !p.Contains(t.today) {
		return sums{}, nil
	}
	return t.sum(ledger.Period{From: t.today.AddDays(1), To: p.To}, q)
}

// amountLines are those of the categories, the largest first.
func (t *turn) amountLines(s sums) (lines []Line) {
	all := s.byAmount()
	var largest ledger.Yen
	if len(all) > 1 {
		largest = s.categories[all[0]]
	}
	for _, c := range all {
		lines = append(lines, t.amountLine(c, s.categories[c], largest))
	}
	return lines
}

// list answers with the rows of a period, the newest first.
func (t *turn) list() (Reply, error) {
	q, refusal, err := t.topic()
	if refusal != "" || err != nil {
		return said(refusal), err
	}
	p := t.period()
	rows, err := t.rowsNewestFirst(p, q)
	if err != nil {
		return Reply{}, err
	}
	if len(rows) == 0 {
		return said(t.nothingIn(p, t.today, q)), nil
	}
	n, err := t.names()
	if err != nil {
		return Reply{}, err
	}
	a := answer{}
	a.put(t.listHead(p, t.today, q))
	if shown := t.onPage(&a, rows, t.listWords(p, t.today, q)); len(shown) > 0 {
		a.put(t.listLines(n, shown)...)
		a.put(t.listFoot(shown[0].ID))
	}
	return a.reply(), nil
}

// onPage gives the rows of the page that is asked for, and offers those beside it, for
// which one asks with the words. Where there is no such page, it says so.
func (t *turn) onPage(a *answer, rows []ledger.Row, words string) []ledger.Row {
	pages, page := (len(rows)+maxLines-1)/maxLines, max(t.cmd.Page, 1)
	if page > pages {
		a.add(t.noSuchPage(pages))
		return nil
	}
	if pages == 1 {
		return rows
	}
	a.put(t.pageLine(page, pages, len(rows)))
	if page < pages {
		a.offer(t.pageButton(words, page+1, false))
	}
	if page > 1 {
		a.offer(t.pageButton(words, page-1, true))
	}
	return rows[(page-1)*maxLines : min(page*maxLines, len(rows))]
}

// rowsNewestFirst gives the standing rows of the period that the topic has.
func (t *turn) rowsNewestFirst(p ledger.Period, q *topic) (rows []ledger.Row, err error) {
	err = t.tx.Rows(p, func(r *ledger.Row) error {
		if r.Stands() && q.has(r) {
			rows = append(rows, *r)
		}
		return nil
	})
	slices.Reverse(rows)
	return rows, err
}

// categoryList answers with all categories and what was spent on them.
func (t *turn) categoryList() (Reply, error) {
	categories, err := t.tx.Categories()
	if err != nil {
		return Reply{}, err
	}
	p := t.period()
	s, err := t.sum(p, allRows(categories))
	if err != nil {
		return Reply{}, err
	}
	all := categories.All()
	a := answer{}
	a.put(t.categoriesHead(len(all), p, t.today))
	a.put(t.amountLines(s)...)
	unused := slices.DeleteFunc(all, func(c ledger.Category) bool {
		_, used := s.categories[c]
		return used
	})
	a.add(t.unusedCategories(unused))
	a.quiet(t.text(categoriesFoot))
	return a.reply(), nil
}

// last answers whether something was recorded: with what the sender recorded
// last.
func (t *turn) last() (Reply, error) {
	r, err := t.lastWritten(store.Record, store.Balance)
	if err != nil {
		return Reply{}, err
	}
	if r == nil {
		return said(t.text(noLast)), nil
	}
	rows, err := t.rowsOf(r, standing)
	if err != nil {
		return Reply{}, err
	}
	n, err := t.names()
	if err != nil {
		return Reply{}, err
	}
	return Reply{Lines: t.lastLines(n, rows), Buttons: []Button{t.undoButton(commonID(rows))}}, nil
}
