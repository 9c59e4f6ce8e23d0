package bot

import (
	"slices"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
)

// Buttons under a record that put right what it could not know: its category, a day that
// is yet to come, a source that was not named, who paid a bill that was divided
// (split.go). They are corrections: the old value is shown, and they can be taken back.

// rowsUnder gives the rows of the answer under which the button stood as they were then
// and are now, if they are still what they were.
func (t *turn) rowsUnder(p pressed) (rows, then []ledger.Row, err error) {
	if p.used {
		return nil, nil, nil
	}
	for _, c := range p.target.Changes {
		now, err := t.tx.Row(c.After.ID)
		if err != nil {
			return nil, nil, err
		}
		if now == nil || !now.Stands() || now.Item != c.After.Item || now.Type != c.After.Type {
			return nil, nil, nil
		}
		rows, then = append(rows, *now), append(then, *c.After)
	}
	return rows, then, nil
}

// amend changes the rows and says so.
func (t *turn) amend(changes ...ledger.Change) (Reply, error) {
	applied, err := t.tx.Apply(changes...)
	if err != nil {
		return Reply{}, err
	}
	return t.corrected(changes, applied, nil)
}

// offerToday offers to move the rows that are dated ahead to the day on which they were
// typed.
func (t *turn) offerToday(a *answer, rows []ledger.Row) error {
	if !slices.ContainsFunc(rows, func(r ledger.Row) bool { return r.Date > t.today }) {
		return nil
	}
	operation, err := t.tx.Operation(tapToday)
	a.offer(t.todayButton(operation, t.today))
	return err
}

// tapToday moves them there: the label names that day, whenever it is pressed.
func (t *turn) tapToday(p pressed) (Reply, error) {
	rows, then, err := t.rowsUnder(p)
	if err != nil {
		return Reply{}, err
	}
	typed := p.target.TypedAt().In(t.zone)
	day := ledger.DateOf(typed)
	var changes []ledger.Change
	for i, row := range rows {
		if row.Date > day && row.Date == then[i].Date {
			after := row
			after.Date, after.Time = day, ledger.TimeOf(day, typed, t.zone)
			changes = append(changes, ledger.Change{Before: &rows[i], After: &after})
		}
	}
	if changes == nil {
		return said(t.text(oldButton)), nil
	}
	return t.amend(changes...)
}

// mostSources is how many other sources are offered.
const mostSources = 4

// offerSources offers other accounts for a transfer of which the source was guessed.
func (t *turn) offerSources(a *answer, row ledger.Row) error {
	accounts, err := t.tx.Accounts()
	if err != nil {
		return err
	}
	operation, err := t.tx.Operation(tapSource)
	if err != nil {
		return err
	}
	taken := map[string]bool{}
	names := []string{ledger.Cash, bank}
	toppedUp := slices.ContainsFunc(accounts, func(a ledger.Account) bool { return a.ID == row.ToAccount && isPrepaid(a.Name) })
	for _, account := range accounts {
		names = append(names, account.Name)
		if account.ID == row.Account || account.ID == row.ToAccount || isCard(account.Name) && !toppedUp { // nobody saves by card
			taken[account.Name] = true
		}
	}
	for _, name := range names {
		if !taken[name] && !isPrepaid(name) && len(taken) < mostSources+2 {
			taken[name] = true
			a.offer(t.sourceButton(operation, name))
		}
	}
	return nil
}

// offerHinted offers the account from which such a thing is mostly paid, if the household
// has it and the message named none; and the bank for income that mostly goes there.
func (t *turn) offerHinted(a *answer, e grammar.Entry, row ledger.Row) error {
	accounts, err := t.tx.Accounts()
	if e.Hint == "" || err != nil {
		return err
	}
	if row.Type == ledger.Income && e.Hint == bank {
		operation, err := t.tx.Operation(tapSource)
		a.offer(t.intoButton(operation, bank))
		return err
	}
	for _, account := range accounts {
		if account.Name != e.Hint && !(isCard(e.Hint) && isCard(account.Name)) || account.ID == row.Account || row.Type != ledger.Expense {
			continue
		}
		operation, err := t.tx.Operation(tapSource)
		a.offer(t.payButton(operation, account.Name))
		return err
	}
	return nil
}

// tapSource lets the transfer or payment come from another account, or income go to one.
func (t *turn) tapSource(p pressed) (Reply, error) {
	rows, then, err := t.rowsUnder(p)
	if len(rows) != 1 || err != nil {
		return said(t.text(oldButton)), err
	}
	if known, err := t.hasAccount(p.argument); !known || err != nil {
		return said(t.text(oldButton)), err
	}
	row := rows[0]
	source, err := t.account(row.Member, p.argument)
	if err != nil {
		return Reply{}, err
	}
	if row.Account != then[0].Account || source == row.Account || source == row.ToAccount {
		return said(t.text(oldButton)), nil
	}
	after := row
	after.Account = source
	return t.amend(ledger.Change{Before: &row, After: &after})
}

// offerUnder offers what can be put right in the rows that the answer is about.
func (t *turn) offerUnder(a *answer, rows []ledger.Row, guessed bool) error {
	if err := t.offerToday(a, rows); err != nil {
		return err
	}
	switch {
	case len(rows) != 1:
		return nil
	case guessed:
		return t.offerSources(a, rows[0])
	case len(t.cmd.Entries) == 1:
		return t.offerHinted(a, t.cmd.Entries[0], rows[0])
	}
	return nil
}

// tapCategory gives the row another category, and teaches it for the item.
func (t *turn) tapCategory(p pressed) (Reply, error) {
	category := ledger.Category(p.argument)
	n, err := t.names()
	if err != nil {
		return Reply{}, err
	}
	rows, _, err := t.rowsUnder(p)
	switch {
	case err != nil:
		return Reply{}, err
	case len(rows) != 1 || !hasCategory(rows[0]) || !n.categories.Known(category):
		return said(t.text(oldButton)), nil
	case string(n.category(rows[0])) == p.argument:
		return said(t.isAlready(category)), nil
	}
	if _, err := t.teach(rows[0].Item, category); err != nil {
		return Reply{}, err
	}
	after := rows[0]
	after.Category = category
	return t.amend(ledger.Change{Before: &rows[0], After: &after})
}

// How many categories are offered: few where one was found, more where none was.
const (
	fewCategories  = 4
	moreCategories = 8
)

// offerCategories offers other categories for the only row of an answer.
func (t *turn) offerCategories(a *answer, n *names, rows []ledger.Row) error {
	if len(rows) != 1 || rows[0].Type != ledger.Expense && rows[0].Type != ledger.Refund {
		return nil
	}
	operation, err := t.tx.Operation(tapCategory)
	if err != nil {
		return err
	}
	limit := fewCategories
	if rows[0].Category == "" {
		limit = moreCategories
	}
	all := n.categories.All()
	slices.SortStableFunc(all, func(a, b ledger.Category) int { return builtIn(a) - builtIn(b) })
	for _, c := range all {
		if limit > 0 && c != n.categories.Of(ledger.Other) && c != n.category(rows[0]) {
			limit--
			a.offer(t.categoryButton(c, operation))
		}
	}
	return nil
}
