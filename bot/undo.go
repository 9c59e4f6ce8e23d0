package bot

import (
	"errors"
	"strings"
	"time"

	"ichido/internal/ledger"
	"ichido/store"
)

// reach is how far before itself a 取消 or 元に戻す without a number looks.
const reach = 24 * time.Hour

// undo takes back what is named by a number or described, or else what the
// sender wrote last.
func (t *turn) undo() (Reply, error) {
	switch {
	case t.cmd.Receipt != "":
		return t.undoNumber()
	case t.cmd.Item != "" || t.cmd.HasAmount || t.cmd.Date != 0:
		return t.undoDescribed()
	}
	t.tx.Receipt().Kind = store.Undo
	last, err := t.lastWritten(time.Time{})
	if err != nil {
		return Reply{}, err
	}
	if last == nil {
		return Reply{Text: nothingToUndo}, nil
	}
	if last.At.Before(t.at.Add(-reach)) {
		return t.askOld(last)
	}
	return t.takeBack(last.Number)
}

// lastWritten gives the sender's last message before this one of which a row
// still stands.
func (t *turn) lastWritten(since time.Time) (*store.Receipt, error) {
	return t.tx.Before(t.sender, t.at, since, func(r *store.Receipt) (bool, error) {
		if r.Kind != store.Record && r.Kind != store.Balance {
			return false, nil
		}
		return t.anyRow(r, standing)
	})
}

func standing(r *ledger.Row) bool { return !r.Voided }
func struck(r *ledger.Row) bool   { return r.Voided }

// anyRow says whether one of the rows that the receipt changed is now such.
func (t *turn) anyRow(r *store.Receipt, such func(*ledger.Row) bool) (bool, error) {
	rows, err := t.rowsOf(r, such)
	return len(rows) > 0, err
}

// rowsOf gives those rows that the receipt changed which are now such.
func (t *turn) rowsOf(r *store.Receipt, such func(*ledger.Row) bool) (rows []ledger.Row, err error) {
	for _, c := range r.Changes {
		row, err := t.tx.Row(c.After.ID)
		if err != nil {
			return nil, err
		}
		if such(row) {
			rows = append(rows, *row)
		}
	}
	return rows, nil
}

// askOld names the message instead of taking it back: it is so old that
// something else may be meant.
func (t *turn) askOld(r *store.Receipt) (Reply, error) {
	rows, err := t.rowsOf(r, standing)
	if err != nil {
		return Reply{}, err
	}
	n, err := t.names()
	if err != nil {
		return Reply{}, err
	}
	return Reply{Text: tooOld(n, rows, r.Number), Buttons: []Button{undoButton(ledger.RowID{Receipt: r.Number})}}, nil
}

// undoNumber takes back the receipt or the single row, whoever wrote it.
func (t *turn) undoNumber() (Reply, error) {
	t.tx.Receipt().Kind = store.Strike
	id, err := ledger.ParseRowID(t.cmd.Receipt)
	if err != nil {
		return Reply{Text: noSuchNumber(t.cmd.Receipt)}, nil
	}
	if id.Index == 0 {
		return t.takeBack(id.Receipt)
	}
	row, err := t.tx.Row(id)
	if err != nil {
		return Reply{}, err
	}
	if row == nil {
		return Reply{Text: noSuchNumber(t.cmd.Receipt)}, nil
	}
	return t.strike(row)
}

// undoDescribed takes back the sender's row with that item, amount and date, as
// far as they are said, if there is exactly one in reach.
func (t *turn) undoDescribed() (Reply, error) {
	t.tx.Receipt().Kind = store.Strike
	such := func(r *ledger.Row) bool {
		return standing(r) &&
			(t.cmd.Item == "" || strings.EqualFold(r.Item, t.cmd.Item)) &&
			(!t.cmd.HasAmount || r.Amount == t.cmd.Amount) &&
			(t.cmd.Date == 0 || r.Date == t.cmd.Date)
	}
	var found []ledger.Row
	_, err := t.tx.Before(t.sender, t.at, t.at.Add(-reach), func(r *store.Receipt) (bool, error) {
		if r.Kind != store.Record {
			return false, nil
		}
		rows, err := t.rowsOf(r, such)
		found = append(found, rows...)
		return false, err
	})
	if err != nil {
		return Reply{}, err
	}
	switch len(found) {
	case 0:
		return Reply{Text: nothingLikeIt(t.cmd)}, nil
	case 1:
		return t.strike(&found[0])
	}
	return t.askWhich(found)
}

func (t *turn) askWhich(rows []ledger.Row) (Reply, error) {
	n, err := t.names()
	if err != nil {
		return Reply{}, err
	}
	a := answer{}
	a.add(whichOne)
	for _, r := range rows[:min(len(rows), maxLines)] {
		a.add(numbered(n, r))
		a.offer(undoButton(r.ID))
	}
	return a.reply(), nil
}

// strike takes back a single row.
func (t *turn) strike(row *ledger.Row) (Reply, error) {
	if row.ID.Index == 0 {
		return t.takeBack(row.ID.Receipt)
	}
	if row.Voided {
		return Reply{Text: alreadyUndone(row.ID)}, nil
	}
	voided := *row
	voided.Voided = true
	applied, err := t.tx.Apply(ledger.Change{Before: row, After: &voided})
	if err != nil {
		return Reply{}, err
	}
	return t.turnedBack(applied)
}

// takeBack takes back all that the receipt did.
func (t *turn) takeBack(number ledger.ReceiptNumber) (Reply, error) {
	id := ledger.RowID{Receipt: number}
	applied, err := t.tx.Undo(number)
	switch {
	case errors.Is(err, store.ErrNoReceipt):
		return Reply{Text: noSuchNumber(id.String())}, nil
	case errors.Is(err, store.ErrUndone):
		return t.already(id)
	case errors.Is(err, store.ErrChanged):
		return Reply{Text: changedSince(id)}, nil
	case err != nil:
		return Reply{}, err
	}
	return t.turnedBack(applied)
}

func (t *turn) already(id ledger.RowID) (Reply, error) {
	r, err := t.tx.ReceiptByNumber(id.Receipt)
	if err != nil {
		return Reply{}, err
	}
	if isUndo(r) {
		return Reply{Text: alreadyRedone(id)}, nil
	}
	return Reply{Text: alreadyUndone(id)}, nil
}

// redo brings back what the sender's last 取消 took, or what is named: by the
// number of a 取消, or by that of the record or row itself.
func (t *turn) redo() (Reply, error) {
	t.tx.Receipt().Kind = store.Redo
	id, err := ledger.ParseRowID(t.cmd.Receipt)
	if err != nil {
		return t.redoLast()
	}
	r, err := t.tx.ReceiptByNumber(id.Receipt)
	switch {
	case err != nil:
		return Reply{}, err
	case r == nil:
		return Reply{Text: nothingToRedo}, nil
	case isUndo(r):
		return t.takeBack(r.Number)
	}
	rows, err := t.rowsOf(r, func(row *ledger.Row) bool {
		return struck(row) && row.ID.Receipt == r.Number && (id.Index == 0 || row.ID == id)
	})
	if err != nil {
		return Reply{}, err
	}
	if len(rows) == 0 {
		return Reply{Text: nothingToRedo}, nil
	}
	return t.bringBack(rows)
}

func (t *turn) redoLast() (Reply, error) {
	undo, err := t.tx.Before(t.sender, t.at, t.at.Add(-reach), t.stillStruck)
	if err != nil {
		return Reply{}, err
	}
	if undo == nil {
		return Reply{Text: nothingToRedo}, nil
	}
	return t.takeBack(undo.Number)
}

// bringBack lets struck rows stand again.
func (t *turn) bringBack(rows []ledger.Row) (Reply, error) {
	var changes []ledger.Change
	for _, row := range rows {
		standing := row
		standing.Voided = false
		changes = append(changes, ledger.Change{Before: &row, After: &standing})
	}
	applied, err := t.tx.Apply(changes...)
	if err != nil {
		return Reply{}, err
	}
	return t.turnedBack(applied)
}

func isUndo(r *store.Receipt) bool { return r.Kind == store.Undo || r.Kind == store.Strike }

// stillStruck says whether the receipt is a 取消 of which something holds.
func (t *turn) stillStruck(r *store.Receipt) (bool, error) {
	if !isUndo(r) {
		return false, nil
	}
	return t.anyRow(r, struck)
}

// turnedBack says what was struck, or brought back: taking back an undo is one
// of these as well.
func (t *turn) turnedBack(applied store.Applied) (Reply, error) {
	n, err := t.names()
	if err != nil {
		return Reply{}, err
	}
	first := applied.Rows[0]
	head, button := undoneHead, redoButton(t.tx.Receipt().Number)
	if !first.Voided {
		head, button = redoneHead, undoButton(commonID(applied.Rows))
		t.tx.Receipt().Kind = store.Redo
	}
	a := answer{}
	a.add(headed(head, rowLines(n, applied.Rows))...)
	if first.Type == ledger.Adjustment && !first.Voided {
		a.add(statedLine(first))
	}
	quiet, err := t.smallPrint(n, applied.Rows, false)
	if err != nil {
		return Reply{}, err
	}
	a.add(quiet)
	a.offer(button)
	a, err = t.withEffects(a, n, applied)
	return a.reply(), err
}
