package bot

import (
	"ichido/internal/ledger"
)

// searchMonths is how many months are searched where no period is named: this one, those
// before it, and all that is dated ahead.
const searchMonths = 12

// search answers with the rows that have the word in their item or category, however it
// is written.
func (t *turn) search() (Reply, error) {
	q, refusal, err := t.topic()
	if refusal != "" || err != nil {
		return said(refusal), err
	}
	if len(q.words()) == 0 {
		return said(t.text(howToSearch)), nil
	}
	q.anywhere = true
	p, named := t.cmd.Period, t.cmd.Period != ledger.Period{}
	if !named {
		p = ledger.Period{From: ledger.Month(t.today, 1-searchMonths).From, To: lastDay}
	}
	rows, err := t.rowsNewestFirst(p, q)
	if err != nil {
		return Reply{}, err
	}
	if len(rows) == 0 {
		return said(t.nothingFound(p, named, t.today, q)), nil
	}
	return t.found(p, named, q, rows)
}

// lastDay is the last one that a row can have.
const lastDay ledger.Date = 99991231

func (t *turn) found(p ledger.Period, named bool, q *topic, rows []ledger.Row) (Reply, error) {
	var s sums
	for _, r := range rows {
		s.add(&r)
	}
	n, err := t.names()
	if err != nil {
		return Reply{}, err
	}
	a := answer{}
	a.put(t.searchHead(p, named, t.today, q, len(rows), s)...)
	a.put(t.listLines(n, t.onPage(&a, rows, t.searchWords(p, named, t.today, q)))...)
	return a.reply(), nil
}
