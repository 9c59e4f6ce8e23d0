package bot

import (
	"cmp"
	"slices"
	"strings"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
	"ichido/store"
)

// record writes the rows of a message, all under one receipt.
func (t *turn) record() (Reply, error) {
	ask, err := t.withFamily()
	if err != nil {
		return Reply{}, err
	}
	if ask {
		return t.askAbout(t.message.Text, false)
	}
	say, err := t.writeRows()
	if err != nil {
		return Reply{}, err
	}
	return say()
}

// writeRows writes the rows of the message, unless money were to go from one account to
// itself, and returns what says so.
func (t *turn) writeRows() (say func() (Reply, error), err error) {
	rows, guessed, err := t.rows()
	if rows == nil || err != nil {
		return func() (Reply, error) { return said(t.text(sameAccount)), nil }, err
	}
	var changes []ledger.Change
	for _, row := range rows {
		changes = append(changes, ledger.Change{After: row})
	}
	applied, err := t.tx.Apply(changes...)
	t.tx.Receipt().Kind = store.Record
	return func() (Reply, error) { return t.recorded(applied, guessed) }, err
}

// rows makes the rows of the message; none if money were to go from one account to
// itself. guessed says whether the source of a transfer was.
func (t *turn) rows() (rows []*ledger.Row, guessed bool, err error) {
	for _, e := range t.cmd.Entries {
		row, known, err := t.row(e)
		if err != nil {
			return nil, false, err
		}
		if row.Account == row.ToAccount {
			return nil, false, nil
		}
		rows = append(rows, row)
		guessed = guessed || !known
	}
	return rows, guessed, nil
}

// row makes the row of an entry. It reports whether all accounts are known: the
// source of a transfer may be neither named nor to be told from earlier ones.
func (t *turn) row(e grammar.Entry) (row *ledger.Row, known bool, err error) {
	row = &ledger.Row{
		Type: e.Type, Date: e.Date, Time: ledger.TimeOf(e.Date, t.at, t.zone),
		Amount: e.Amount, Item: e.Item, Category: e.Category, Member: t.sender,
	}
	switch {
	case row.Type == ledger.Income:
		row.Category = cmp.Or(row.Category, ledger.Pay)
	case row.Type != ledger.Transfer && !e.SaidCategory:
		taught, err := t.taughtFor(e.Item)
		if err != nil {
			return nil, false, err
		}
		row.Category = cmp.Or(taught, row.Category)
	}
	if row.Type == ledger.Transfer {
		if row.ToAccount, err = t.account(t.sender, e.ToAccount); err != nil {
			return nil, false, err
		}
	}
	if e.OpenSource {
		if row.Account, err = t.lastSource(row.ToAccount); err != nil || row.Account != 0 {
			return row, true, err
		}
	}
	row.Account, err = t.account(t.sender, e.Account)
	return row, !e.OpenSource, err
}

// lastSource gives the account from which money went to the given one last, in
// this month or the two before; 0 if there was no such transfer.
func (t *turn) lastSource(to ledger.AccountID) (source ledger.AccountID, err error) {
	recent := ledger.Period{From: ledger.Month(t.today, -2).From, To: t.today}
	err = t.tx.Rows(recent, func(r *ledger.Row) error {
		if r.ToAccount == to && r.Stands() {
			source = r.Account
		}
		return nil
	})
	return source, err
}

// recorded says what was recorded.
func (t *turn) recorded(applied store.Applied, guessed bool) (Reply, error) {
	n, err := t.names()
	if err != nil {
		return Reply{}, err
	}
	a := answer{}
	a.put(headed(t.recordedHead, len(applied.Rows), t.rowItems(n, applied.Rows))...)
	shares := answer{} // the button stands behind that which takes back
	if err := t.tellShares(&shares, t.cmd.Entries, applied.Rows); err != nil {
		return Reply{}, err
	}
	a.put(shares.lines...)
	if slices.ContainsFunc(applied.Rows, func(r ledger.Row) bool { return r.Type == ledger.Refund }) {
		a.add(t.text(takenOff))
	}
	quiet, err := t.smallPrint(n, applied.Rows, true)
	if err != nil {
		return Reply{}, err
	}
	a.quiet(quiet)
	if guessed {
		a.add(t.text(guessedSource))
	}
	a.add(t.unreadLines(t.cmd.Unread)...)
	if err := t.tellLastMonth(&a); err != nil {
		return Reply{}, err
	}
	if err := t.offerUndo(&a, commonID(applied.Rows)); err != nil {
		return Reply{}, err
	}
	a.offer(shares.buttons...)
	if err := t.offerUnder(&a, applied.Rows, guessed); err != nil {
		return Reply{}, err
	}
	if err := t.offerCategories(&a, n, applied.Rows); err != nil {
		return Reply{}, err
	}
	err = t.addEffects(&a, n, applied)
	return a.reply(), err
}

// smallPrint is the last line of an answer about the rows: category, accounts,
// receipt and the total of their month.
func (t *turn) smallPrint(n *names, rows []ledger.Row, detailed bool) (string, error) {
	var parts []string
	if detailed {
		parts = append(parts, t.category(n.commonCategory(rows)), accountsOf(n, rows))
	}
	parts = append(parts, t.receiptLabel(commonID(rows)))
	if name := n.members[rows[0].Member]; name != "" && rows[0].Member != t.sender {
		parts = append(parts, t.writtenBy(name))
	}
	totals, err := t.monthTotals(rows)
	if err != nil {
		return "", err
	}
	left, err := t.leftAfter(n, rows)
	return t.quietLine(slices.Concat(parts, totals, left)...), err
}

// monthTotals gives the totals of the months that the rows belong to.
func (t *turn) monthTotals(rows []ledger.Row) (parts []string, err error) {
	var months []ledger.Period
	for _, r := range rows {
		if m := ledger.Month(r.Date, 0); hasCategory(r) && !slices.Contains(months, m) {
			months = append(months, m)
		}
	}
	onlyIncome := !slices.ContainsFunc(rows, func(r ledger.Row) bool { return r.Type != ledger.Income })
	for _, m := range months {
		sums, err := t.sum(m, &topic{})
		if err != nil {
			return nil, err
		}
		parts = append(parts, t.monthTotal(t.periodName(m, t.today), sums, onlyIncome))
	}
	return parts, nil
}

// addEffects completes an answer about changes with what followed from them:
// balance statements that were recomputed, and what was typed later but handled
// earlier.
func (t *turn) addEffects(a *answer, n *names, applied store.Applied) error {
	for _, c := range applied.Adjusted {
		a.add(t.adjustedLine(n, c))
	}
	kind := t.tx.Receipt().Kind
	if kind != store.Record && kind != store.Balance && kind != store.Correct {
		return nil
	}
	if err := t.sayMissedUndo(a, n); kind == store.Correct || err != nil {
		return err
	}
	for _, c := range applied.Adjusted {
		stated, err := t.tx.ReceiptByNumber(c.After.ID.Receipt)
		if err != nil {
			return err
		}
		if stated.TypedAt().After(t.at) {
			a.add(t.lateForBalance(n, c.After))
		}
	}
	return nil
}

// sayMissedUndo says that a 取消 was typed after this message and handled before
// it, and what it took back instead.
func (t *turn) sayMissedUndo(a *answer, n *names) error {
	missed, err := t.missedUndo()
	if missed == nil || err != nil {
		return err
	}
	a.add(t.missedBy(t.tx.Receipt().Kind))
	var rows []ledger.Row
	for _, c := range missed.Changes {
		row, err := t.tx.Row(c.After.ID)
		if err != nil {
			return err
		}
		if c.Before.Voided != c.After.Voided && struck(row) { // a category may have been taken back
			rows = append(rows, *row)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	a.add(t.tookInstead(n, rows))
	a.offer(t.redoButton(missed.Number))
	return nil
}

// missedUndo gives the 取消 without a number that was typed after this message
// and would have meant it: one that found nothing, or took back something older
// instead.
func (t *turn) missedUndo() (missed *store.Receipt, err error) {
	err = t.tx.After(t.sender, t.at, func(r *store.Receipt) error {
		if r.Kind != store.Undo {
			return nil
		}
		if len(r.Changes)+len(r.Settings) > 0 {
			number := r.Undoes
			if number == 0 { // it struck rows that an edit had taken out of the ledger
				number = r.Changes[0].After.ID.Receipt
			}
			target, err := t.tx.ReceiptByNumber(number)
			if err != nil || target.TypedAt().After(t.at) {
				return err
			}
			if holds, err := t.stillStruck(r); !holds {
				return err
			}
		}
		missed = r
		return store.Stop
	})
	return missed, err
}

// commonID names the rows of one receipt: a single row by itself.
func commonID(rows []ledger.Row) ledger.RowID {
	if len(rows) == 1 {
		return rows[0].ID
	}
	return ledger.RowID{Receipt: rows[0].ID.Receipt}
}

func hasCategory(r ledger.Row) bool {
	return r.Type != ledger.Transfer && r.Type != ledger.Adjustment
}

// commonCategory is the one of all rows; empty if they differ or have none.
func (n *names) commonCategory(rows []ledger.Row) ledger.Category {
	for _, r := range rows {
		if !hasCategory(r) || n.category(r) != n.category(rows[0]) {
			return ""
		}
	}
	return n.category(rows[0])
}

// accountsOf names the accounts that rows were paid from or into, except where
// the row itself shows them and where it goes without saying.
func accountsOf(n *names, rows []ledger.Row) string {
	var accounts []string
	for _, r := range rows {
		if name := n.quiet(r.Account); hasCategory(r) && !slices.Contains(accounts, name) {
			accounts = append(accounts, name)
		}
	}
	if len(accounts) > 1 && slices.Contains(accounts, "") {
		accounts[slices.Index(accounts, "")] = n.place(ledger.Cash)
	}
	return n.list(accounts)
}

// headed puts the head of n rows above their lines, in words before an only one.
func headed(head func(n int) string, n int, lines []Line) []Line {
	if n == 1 {
		return []Line{lines[0].under(head(1))}
	}
	return append([]Line{{Text: head(n), Role: Head, Left: head(n)}}, lines...)
}

// under is the line below the words.
func (l Line) under(lead string) Line {
	l.Text, l.Lead = lead+l.Text, strings.TrimSpace(lead)
	return l
}
