package bot

import (
	"errors"
	"slices"
	"strings"
	"time"

	"ichido/internal/grammar"
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
	case t.message.Quotes:
		return t.undoQuoted()
	case t.cmd.Item != "" || t.cmd.HasAmount || t.cmd.Date != 0:
		return t.undoDescribed()
	}
	if t.sender == 0 {
		return said(t.text(whoseLast)), nil
	}
	t.tx.Receipt().Kind = store.Undo
	last, err := t.lastMeant()
	if err != nil {
		return Reply{}, err
	}
	if last == nil {
		return said(t.text(nothingToUndo)), nil
	}
	if holds, err := t.tx.Holds(last); !holds || err != nil {
		// An edit that was typed later, or its unsending, came first.
		return said(t.text(nothingToUndo)), errors.Join(err, t.tx.StrikeWithdrawn(last))
	}
	if last.At.Before(t.at.Add(-reach)) {
		return t.askOld(last)
	}
	return t.takeBack(last.Number)
}

// lastWritten gives the sender's last message of the kinds before this one of which
// something still holds.
func (t *turn) lastWritten(kinds ...store.Kind) (*store.Receipt, error) {
	return t.tx.Before(t.sender, t.at, time.Time{}, func(r *store.Receipt) (bool, error) {
		if !slices.Contains(kinds, r.Kind) {
			return false, nil
		}
		return t.tx.Holds(r)
	})
}

// lastMeant gives the sender's last message before this one of which something held
// when this one was typed, and which nobody has taken back.
func (t *turn) lastMeant() (*store.Receipt, error) {
	return t.tx.Before(t.sender, t.at, time.Time{}, func(r *store.Receipt) (bool, error) {
		switch r.Kind {
		case store.Record, store.Balance:
			return t.tx.StoodAt(r, t.at)
		case store.Correct:
			return t.tx.Holds(r)
		}
		return false, nil
	})
}

// undoQuoted takes back what the quoted message did, whoever wrote it.
func (t *turn) undoQuoted() (Reply, error) {
	t.tx.Receipt().Kind = store.Strike
	r := t.message.Quoted
	if r == nil {
		return said(t.text(quotedUnknown)), nil
	}
	return t.takeBack(r.Number)
}

func standing(r *ledger.Row) bool { return r.Stands() }
func struck(r *ledger.Row) bool   { return r.Voided && !r.Withdrawn }

// rowsOf gives those rows of the receipt's message which are now such: an edit may
// have made others than the receipt did.
func (t *turn) rowsOf(r *store.Receipt, such func(*ledger.Row) bool) ([]ledger.Row, error) {
	rows, err := t.tx.MessageRowsOf(r)
	return slices.DeleteFunc(rows, func(row ledger.Row) bool { return !such(&row) }), err
}

// askOld names the message instead of taking it back: it is so old that
// something else may be meant.
func (t *turn) askOld(r *store.Receipt) (Reply, error) {
	button := t.undoButton(ledger.RowID{Receipt: r.Number})
	if r.Kind == store.Correct {
		return Reply{Lines: sentences(t.oldChange(r.Number)), Buttons: []Button{button}}, nil
	}
	rows, err := t.rowsOf(r, standing)
	if err != nil {
		return Reply{}, err
	}
	n, err := t.names()
	if err != nil {
		return Reply{}, err
	}
	return Reply{Lines: sentences(t.tooOld(n, rows, r.Number)), Buttons: []Button{button}}, nil
}

// undoNumber takes back the receipt or the single row, whoever wrote it.
func (t *turn) undoNumber() (Reply, error) {
	t.tx.Receipt().Kind = store.Strike
	id, err := ledger.ParseRowID(t.cmd.Receipt)
	if err != nil {
		return said(t.noSuchNumber(t.cmd.Receipt)), nil
	}
	if id.Index == 0 {
		return t.takeBack(id.Receipt)
	}
	row, err := t.tx.Row(id)
	if err != nil {
		return Reply{}, err
	}
	if row == nil || row.Withdrawn {
		return said(t.noSuchNumber(t.cmd.Receipt)), nil
	}
	return t.strike(row)
}

// undoDescribed takes back the sender's row with that item, amount and date, as
// far as they are said, if there is exactly one in reach.
func (t *turn) undoDescribed() (Reply, error) {
	t.tx.Receipt().Kind = store.Strike
	such := func(r *ledger.Row) bool {
		return standing(r) && r.Type != ledger.Adjustment &&
			(t.cmd.Item == "" || strings.EqualFold(r.Item, t.cmd.Item)) &&
			(!t.cmd.HasAmount || r.Amount == t.cmd.Amount) &&
			(t.cmd.Date == 0 || r.Date == t.cmd.Date)
	}
	var found []ledger.Row
	_, err := t.tx.Before(t.sender, t.at, t.at.Add(-reach), func(r *store.Receipt) (bool, error) {
		if r.Kind != store.Record && r.Kind != store.Balance {
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
		return said(t.nothingLikeIt(t.cmd)), nil
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
	a.add(t.text(whichOne))
	for i, r := range rows[:min(len(rows), maxLines)] {
		a.add(t.numbered(n, r))
		if i < maxChoices {
			a.offer(t.undoButton(r.ID))
		}
	}
	return a.reply(), nil
}

// strike takes back a single row.
func (t *turn) strike(row *ledger.Row) (Reply, error) {
	if row.ID.Index == 0 {
		return t.takeBack(row.ID.Receipt)
	}
	if !row.Stands() {
		return said(t.alreadyUndone(row.ID)), nil
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
		return said(t.nothingOf(id)), nil
	case errors.Is(err, store.ErrUndone):
		r, err := t.tx.ReceiptByNumber(number)
		if err != nil {
			return Reply{}, err
		}
		return t.already(r)
	case errors.Is(err, store.ErrChanged):
		return said(t.changedSince(id)), nil
	case err != nil:
		return Reply{}, err
	}
	return t.turnedBack(applied)
}

// already says that what the receipt did is taken back already, if it is.
func (t *turn) already(r *store.Receipt) (Reply, error) {
	id := ledger.RowID{Receipt: r.Number}
	if holds, err := t.tx.Holds(r); holds || err != nil {
		return said(t.text(oldButton)), err
	}
	if isUndo(r) {
		for _, c := range r.Changes {
			if row, err := t.tx.Row(c.After.ID); err != nil || row.Stands() {
				return said(t.alreadyRedone(id)), err
			}
		}
		if len(r.Changes) == 0 {
			return said(t.alreadyRedone(id)), nil
		}
		return said(t.nothingOf(id)), nil
	}
	rows, err := t.tx.MessageRowsOf(r)
	if err != nil {
		return Reply{}, err
	}
	if len(rows) > 0 && !slices.ContainsFunc(rows, func(r ledger.Row) bool { return struck(&r) }) {
		return said(t.nothingOf(id)), nil
	}
	return said(t.alreadyUndone(id)), nil
}

// nothingOf says that there is nothing to take back or bring back of what was named or
// quoted: it did nothing, or was unsent or edited away.
func (t *turn) nothingOf(id ledger.RowID) string {
	switch {
	case t.message.Event == Tapped:
		return t.text(oldButton)
	case t.cmd.Kind == grammar.Redo:
		return t.text(nothingToRedo)
	case t.message.Quotes && t.cmd.Receipt == "":
		return t.text(quotedNothing)
	}
	return t.noSuchNumber(id.String())
}

// redo brings back what the sender's last 取消 took, or what is named: by the
// number of a 取消, or by that of the record or row itself.
func (t *turn) redo() (Reply, error) {
	t.tx.Receipt().Kind = store.Redo
	if t.cmd.Receipt == "" && t.message.Quotes {
		if t.message.Quoted == nil {
			return said(t.text(quotedUnknown)), nil
		}
		return t.redoOf(t.message.Quoted, ledger.RowID{})
	}
	id, err := ledger.ParseRowID(t.cmd.Receipt)
	if err != nil {
		return t.redoLast()
	}
	r, err := t.tx.ReceiptByNumber(id.Receipt)
	if err != nil {
		return Reply{}, err
	}
	return t.redoOf(r, id)
}

// redoOf brings back what the 取消 took, or of a record its struck rows: with an
// index only that one.
func (t *turn) redoOf(r *store.Receipt, id ledger.RowID) (Reply, error) {
	switch {
	case r == nil:
		return said(t.text(nothingToRedo)), nil
	case isUndo(r):
		return t.takeBack(r.Number)
	}
	rows, err := t.tx.MessageRowsOf(r)
	if err != nil {
		return Reply{}, err
	}
	rows = slices.DeleteFunc(rows, func(row ledger.Row) bool {
		return !struck(&row) || id.Index != 0 && row.ID != id
	})
	if len(rows) == 0 {
		return said(t.text(nothingToRedo)), nil
	}
	return t.bringBack(rows)
}

func (t *turn) redoLast() (Reply, error) {
	if t.sender == 0 {
		return said(t.text(noLastToRedo)), nil
	}
	undo, err := t.tx.Before(t.sender, t.at, t.at.Add(-reach), t.stillStruck)
	if err != nil {
		return Reply{}, err
	}
	if undo == nil {
		return said(t.text(noLastToRedo)), nil
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
	return t.tx.Holds(r)
}

// turnedBack says what was struck, or brought back: taking back an undo is one
// of these as well.
func (t *turn) turnedBack(applied store.Applied) (Reply, error) {
	n, err := t.names()
	if err != nil {
		return Reply{}, err
	}
	did := t.tx.Receipt()
	if len(applied.Rows) == 0 {
		return t.settingsTurned(n)
	}
	if change := did.Changes[len(did.Changes)-1]; change.Before.Voided == change.After.Voided {
		return t.correctionTurned(n, applied)
	}
	head := t.undoneHead
	if !applied.Rows[0].Voided {
		head, did.Kind = t.redoneHead, store.Redo
	}
	a := answer{}
	a.put(headed(head, len(applied.Rows), t.rowItems(n, applied.Rows))...)
	a.add(t.statedLine(applied.Rows[0]))
	quiet, err := t.smallPrint(n, applied.Rows, false)
	if err != nil {
		return Reply{}, err
	}
	a.quiet(quiet)
	if err := t.offerTurn(&a, commonID(applied.Rows)); err != nil {
		return Reply{}, err
	}
	err = t.addEffects(&a, n, applied)
	return a.reply(), err
}

// settingsTurned says what settings are after a change of them was taken back, or
// brought back.
func (t *turn) settingsTurned(n *names) (Reply, error) {
	did := t.tx.Receipt()
	budgets, err := t.budgetsNow(n, did.Settings)
	if err != nil {
		return Reply{}, err
	}
	id := ledger.RowID{Receipt: did.Number}
	a := answer{}
	a.add(t.changeBack(settingWord, did.Kind == store.Redo))
	a.add(t.settingsNow(t.message.Chat, n.categories, did.Settings)...)
	a.add(budgets...)
	a.add(t.receiptLabel(id))
	err = t.offerTurn(&a, id)
	return a.reply(), err
}

// offerTurn offers to take back what this receipt brought back, of which id is the
// number, or to bring back what it took back.
func (t *turn) offerTurn(a *answer, id ledger.RowID) (err error) {
	did := t.tx.Receipt()
	if did.Kind == store.Redo {
		return t.offerUndo(a, id)
	}
	b := t.redoButton(did.Number)
	b.Tap, err = t.tx.Operation(tapRedo)
	a.offer(b)
	return err
}

// offerUndo offers to take back what this receipt did.
func (t *turn) offerUndo(a *answer, id ledger.RowID) (err error) {
	b := t.undoButton(id)
	b.Tap, err = t.tx.Operation(tapUndo)
	a.offer(b)
	return err
}
