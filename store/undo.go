package store

import (
	"errors"
	"slices"

	"ichido/internal/ledger"
)

// Errors of Undo, and of other changes to a receipt.
var (
	ErrNoReceipt = errors.New("no such receipt")
	ErrUndone    = errors.New("already taken back")
	ErrChanged   = errors.New("changed again since")
)

// Undo takes back what the receipt did, in the receipt of the event that is
// being handled. If its message recorded something, all rows of the message are
// voided, those of later edits too; else each field that the receipt set goes back,
// and what was changed besides stays. So undoing an undo brings back what that
// took. The errors are ErrNoReceipt, also of a receipt that did nothing, ErrUndone
// if nothing of it stands any more, and ErrChanged if a later receipt has set the
// same again.
func (tx *Tx) Undo(n ledger.ReceiptNumber) (Applied, error) {
	if tx.receipt == nil {
		return Applied{}, errNoEvent
	}
	target, err := tx.ReceiptByNumber(n)
	if err != nil {
		return Applied{}, err
	}
	if target == nil || n == tx.receipt.Number {
		return Applied{}, ErrNoReceipt
	}
	back, err := tx.inverse(target)
	switch {
	case err != nil:
		return Applied{}, err
	case !back.did:
		return Applied{}, ErrNoReceipt
	case back.nothing():
		return Applied{}, ErrUndone
	}
	tx.receipt.Undoes = n
	for _, c := range back.settings {
		if err := tx.Set(c.Name, c.After); err != nil {
			return Applied{}, err
		}
	}
	applied, err := tx.Apply(slices.Concat(back.changes, back.withdrawn)...)
	if err == nil {
		applied.Rows = applied.Rows[:len(back.changes)]
	}
	return applied, err
}

// Holds says whether there is anything of the receipt's that Undo would take back.
// What has been changed again since does not hold.
func (tx *Tx) Holds(r *Receipt) (bool, error) {
	back, err := tx.inverse(r)
	if errors.Is(err, ErrChanged) {
		return false, nil
	}
	return !back.nothing(), err
}

// inverse is what takes a receipt back.
type inverse struct {
	changes  []ledger.Change
	settings []SettingChange
	did      bool // the receipt did anything that could ever be taken back

	// withdrawn are changes along with it that nobody sees: rows which their message
	// does not say any more are struck with the others, so that they are when an edit
	// lets the message say them again, and come back likewise.
	withdrawn []ledger.Change
}

func (i inverse) nothing() bool { return len(i.changes)+len(i.settings) == 0 }

// add takes a change into the inverse.
func (i *inverse) add(before, after ledger.Row) {
	if before.Withdrawn {
		i.withdrawn = append(i.withdrawn, ledger.Change{Before: &before, After: &after})
	} else {
		i.changes = append(i.changes, ledger.Change{Before: &before, After: &after})
	}
}

// strike adds that the row is voided, or is not.
func (i *inverse) strike(row ledger.Row, voided bool) {
	if row.Voided != voided {
		after := row
		after.Voided = voided
		i.add(row, after)
	}
}

// inverse gives what takes the receipt back from the rows and settings as they are
// now; of what is back already, nothing.
func (tx *Tx) inverse(target *Receipt) (back inverse, err error) {
	if target.recorded() {
		rows, err := tx.MessageRowsOf(target)
		for _, row := range slices.Backward(rows) {
			back.strike(row, true)
		}
		back.did = len(rows) > 0
		return back, err
	}
	back.did = len(target.Changes)+len(target.Settings) > 0
	if err := tx.revert(target, &back); err != nil {
		return back, err
	}
	born, err := tx.bornStruck(target)
	for _, row := range born {
		back.strike(row, false)
	}
	if err != nil {
		return back, err
	}
	back.settings, err = tx.revertSettings(target)
	return back, err
}

// recorded says whether to take the receipt back is to take back what its message
// recorded: it made rows, is an edit, did nothing itself (talk, which an edit may
// have made a record), or only moved the rows of an edit that came before it.
func (r *Receipt) recorded() bool {
	nothing := len(r.Changes)+len(r.Settings) == 0
	moved := r.About == Said && r.MessageID != ""
	return len(r.Dates) > 0 || r.About == Edited || r.Kind == Other && (nothing || moved)
}

// revert adds what puts back what the receipt changed in rows that were there, the
// last one first. Of a row that is withdrawn only the striking is put back.
func (tx *Tx) revert(target *Receipt, back *inverse) error {
	did, err := tx.broughtAgain(target)
	if err != nil {
		return err
	}
	reverted := map[ledger.RowID]ledger.Row{} // as the changes leave them
	for _, c := range slices.Backward(target.Changes) {
		if did.Kind == Correct {
			if c, err = tx.uncovered(did, c); err != nil {
				return err
			}
		}
		row, again := reverted[c.After.ID]
		if !again {
			now, err := tx.Row(c.After.ID)
			if err != nil {
				return err
			}
			if now == nil {
				return damage(bucketReceipts, numberKey(target.Number), "changes a row that is not there")
			}
			row = *now
		}
		after, ok := row, true
		if !row.Withdrawn {
			after, ok = c.Revert(row)
		} else if row.Voided == c.After.Voided {
			after.Voided = c.Before.Voided
		}
		if !ok || validRow(&after) != nil {
			return ErrChanged
		}
		if row.Facts() != after.Facts() {
			back.add(row, after)
		}
		reverted[row.ID] = after
	}
	return nil
}

// broughtAgain gives the receipt of which this one has brought back what it did, at once
// or after it had been taken back again; of any other receipt, itself.
func (tx *Tx) broughtAgain(r *Receipt) (*Receipt, error) {
	for back := r; back.Undoes != 0; {
		undone, err := tx.ReceiptByNumber(back.Undoes)
		if undone == nil || undone.Undoes == 0 || err != nil {
			return r, err
		}
		if back, err = tx.ReceiptByNumber(undone.Undoes); back == nil || err != nil {
			return r, err
		}
		r = back
	}
	return r, nil
}

// bornStruck gives the rows that edits have added since to messages of which the
// receipt struck rows: an edit of a message that is struck adds struck rows, and
// these come back with the others.
func (tx *Tx) bornStruck(target *Receipt) (born []ledger.Row, err error) {
	seen := map[ledger.RowID]bool{}
	for _, c := range target.Changes {
		if c.Before == nil || c.Before.Voided || !c.After.Voided {
			continue
		}
		maker, err := tx.maker(c.After)
		if err != nil {
			return nil, err
		}
		rows, err := tx.MessageRowsOf(maker)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if row.ID.Receipt <= target.Number || !row.Voided || seen[row.ID] {
				continue
			}
			seen[row.ID] = true
			if voided, err := tx.madeVoided(&row); err != nil {
				return nil, err
			} else if voided {
				born = append(born, row)
			}
		}
	}
	return born, nil
}

// madeVoided says whether the row was voided from the start.
func (tx *Tx) madeVoided(row *ledger.Row) (bool, error) {
	maker, err := tx.maker(row)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(maker.Changes, func(c ledger.Change) bool {
		return c.Before == nil && c.After.ID == row.ID && c.After.Voided
	}), nil
}
