package store

import (
	"errors"
	"slices"

	"ichido/internal/ledger"
)

// Errors of Undo.
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
	return tx.Apply(back.changes...)
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
}

func (i inverse) nothing() bool { return len(i.changes)+len(i.settings) == 0 }

// inverse gives what takes the receipt back from the rows and settings as they are
// now; of what is back already, nothing.
func (tx *Tx) inverse(target *Receipt) (back inverse, err error) {
	if target.recorded() {
		rows, err := tx.MessageRowsOf(target)
		return inverse{changes: voiding(rows), did: len(rows) > 0}, err
	}
	back.did = len(target.Changes)+len(target.Settings) > 0
	if back.changes, err = tx.reverting(target); err != nil {
		return back, err
	}
	struck, err := tx.bornStruck(target)
	if err != nil {
		return back, err
	}
	for _, row := range struck {
		standing := row
		standing.Voided = false
		back.changes = append(back.changes, ledger.Change{Before: &row, After: &standing})
	}
	back.settings, err = tx.revertSettings(target)
	return back, err
}

// recorded says whether to take the receipt back is to take back what its message
// recorded: it made rows, is an edit, or did nothing itself (talk, which an edit
// may have made a record).
func (r *Receipt) recorded() bool {
	return len(r.Dates) > 0 || r.About == Edited || r.Kind == Other && len(r.Changes)+len(r.Settings) == 0
}

// voiding gives the changes that void the rows, the last one first.
func voiding(rows []ledger.Row) (changes []ledger.Change) {
	for _, row := range slices.Backward(rows) {
		if row.Stands() {
			voided := row
			voided.Voided = true
			changes = append(changes, ledger.Change{Before: &row, After: &voided})
		}
	}
	return changes
}

// reverting gives the changes that put back what the receipt changed in rows that
// were there, the last one first.
func (tx *Tx) reverting(target *Receipt) (changes []ledger.Change, err error) {
	reverted := map[ledger.RowID]ledger.Row{} // as the changes leave them
	for _, c := range slices.Backward(target.Changes) {
		row, again := reverted[c.After.ID]
		if !again {
			now, err := tx.Row(c.After.ID)
			if err != nil {
				return nil, err
			}
			if now == nil {
				return nil, damage(bucketReceipts, numberKey(target.Number), "changes a row that is not there")
			}
			row = *now
		}
		if row.Withdrawn {
			continue
		}
		after, ok := c.Revert(row)
		if !ok || validRow(&after) != nil {
			return nil, ErrChanged
		}
		if row.Facts() != after.Facts() {
			changes = append(changes, ledger.Change{Before: &row, After: &after})
		}
		reverted[row.ID] = after
	}
	return changes, nil
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
		maker, err := tx.ReceiptByNumber(c.After.ID.Receipt)
		if err != nil {
			return nil, err
		}
		rows, err := tx.MessageRowsOf(maker)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if row.ID.Receipt <= target.Number || !row.Voided || row.Withdrawn || seen[row.ID] {
				continue
			}
			seen[row.ID] = true
			if voided, err := tx.madeVoided(row.ID); err != nil {
				return nil, err
			} else if voided {
				born = append(born, row)
			}
		}
	}
	return born, nil
}

// madeVoided says whether the row was voided from the start.
func (tx *Tx) madeVoided(id ledger.RowID) (bool, error) {
	maker, err := tx.ReceiptByNumber(id.Receipt)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(maker.Changes, func(c ledger.Change) bool {
		return c.Before == nil && c.After.ID == id && c.After.Voided
	}), nil
}
