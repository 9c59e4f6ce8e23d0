package store

import (
	"errors"
	"fmt"
	"time"

	"ichido/internal/ledger"
)

// Applied says what Apply did.
type Applied struct {
	// Rows are the rows of the changes as they now stand, in the order of the
	// changes, with their IDs and derived amounts.
	Rows []ledger.Row

	// Adjusted are other balance statements whose derived amount changed along
	// with them. They are no part of the receipt.
	Adjusted []ledger.Change
}

// Apply makes the changes to the ledger and adds them to the receipt of the
// event that is being handled. It is the only way to change the ledger.
//
// A change without Before makes a new row, whose ID and Scope Apply sets; all
// new rows of an event must come in one call. A Before must be the row as it
// stands. Balances of accounts and the derived amounts of balance statements
// follow in the same transaction.
func (tx *Tx) Apply(changes ...ledger.Change) (Applied, error) {
	if tx.receipt == nil {
		return Applied{}, errNoEvent
	}
	if err := tx.name(changes); err != nil {
		return Applied{}, err
	}
	adjusted := adjustments{}
	for _, c := range changes {
		if err := tx.applyOne(c, adjusted); err != nil {
			return Applied{}, err
		}
	}
	tx.receipt.Changes = append(tx.receipt.Changes, changes...)
	return tx.applied(changes, adjusted)
}

// name gives new rows their IDs.
func (tx *Tx) name(changes []ledger.Change) error {
	created := 0
	for _, c := range changes {
		if c.Before == nil {
			created++
		}
	}
	if created > 0 && len(tx.receipt.Dates) > 0 {
		return errors.New("an event's new rows must come in one call of Apply")
	}
	if created > 1<<16-1 {
		return errors.New("too many rows in one event")
	}
	for _, c := range changes {
		if c.Before != nil {
			continue
		}
		c.After.ID = ledger.RowID{Receipt: tx.receipt.Number}
		c.After.Scope = tx.receipt.Scope
		tx.receipt.Dates = append(tx.receipt.Dates, c.After.Date)
		if created > 1 {
			c.After.ID.Index = uint16(len(tx.receipt.Dates))
		}
	}
	return nil
}

func (tx *Tx) applyOne(c ledger.Change, adjusted adjustments) error {
	if err := validRow(c.After); err != nil {
		return err
	}
	if c.Before != nil {
		now, err := tx.Row(c.Before.ID)
		if err != nil {
			return err
		}
		if now == nil || c.Before.ID != c.After.ID || now.Facts() != c.Before.Facts() {
			return fmt.Errorf("row %v is not what the change says it was", c.Before.ID)
		}
		if err := tx.removeRow(now, adjusted); err != nil {
			return err
		}
		if err := tx.moveRow(now, c.After.Date); err != nil {
			return err
		}
	}
	row := *c.After
	return tx.addRow(&row, adjusted)
}

func validRow(r *ledger.Row) error {
	switch {
	case r.Type < ledger.Expense || r.Type > ledger.Adjustment:
		return fmt.Errorf("row with type %d", r.Type)
	case r.Account == 0 || (r.Type == ledger.Transfer) != (r.ToAccount != 0) || r.Account == r.ToAccount:
		return errors.New("row with wrong accounts")
	case r.Type != ledger.Adjustment && (r.Amount < 1 || r.Amount > ledger.MaxAmount):
		return errors.New("row with an amount out of range")
	case r.Stated < -ledger.MaxAmount || r.Stated > ledger.MaxAmount:
		return errors.New("row with a stated amount out of range")
	case !r.Date.Valid() || !inRange(r.Time):
		return errors.New("row without a date of the calendar")
	case r.Time != r.Time.Truncate(time.Millisecond) || r.Time.Location() != time.UTC:
		return errors.New("row with a time that is not in whole milliseconds of UTC")
	}
	return nil
}

// inRange says whether a time is of the years that a Date can have, with a year
// to spare for the zones.
func inRange(t time.Time) bool { return t.Year() >= 2 && t.Year() <= 9998 }

// maker is the receipt that made the row.
func (tx *Tx) maker(r *ledger.Row) (*Receipt, error) {
	return tx.pointed(bucketRows, rowKey(r.Date, r.ID), r.ID.Receipt)
}

// moveRow notes in the receipt that made the row where it stands now.
func (tx *Tx) moveRow(r *ledger.Row, to ledger.Date) error {
	if r.Date == to {
		return nil
	}
	maker, err := tx.maker(r)
	if err != nil {
		return err
	}
	maker.Dates[dateIndex(r.ID)] = to
	if maker == tx.receipt {
		return nil
	}
	return tx.putReceipt(maker)
}

// dateIndex is the place of a row in its receipt's Dates.
func dateIndex(id ledger.RowID) int { return max(int(id.Index)-1, 0) }

func (tx *Tx) applied(changes []ledger.Change, adjusted adjustments) (Applied, error) {
	var result Applied
	for _, c := range changes {
		row, err := tx.Row(c.After.ID)
		if err != nil {
			return Applied{}, err
		}
		result.Rows = append(result.Rows, *row)
		delete(adjusted, row.ID)
	}
	for _, id := range adjusted.ids() {
		now, err := tx.Row(id)
		if err != nil {
			return Applied{}, err
		}
		if before := adjusted[id]; before.Amount != now.Amount || before.Opening != now.Opening {
			result.Adjusted = append(result.Adjusted, ledger.Change{Before: &before, After: now})
		}
	}
	return result, nil
}

// Row returns the row, or nil if there is none with the ID.
func (tx *Tx) Row(id ledger.RowID) (*ledger.Row, error) {
	r, err := tx.ReceiptByNumber(id.Receipt)
	if err != nil || r == nil || dateIndex(id) >= len(r.Dates) || (id.Index == 0) != (len(r.Dates) == 1) {
		return nil, err
	}
	return tx.rowAt(r.Dates[dateIndex(id)], id)
}

func (tx *Tx) rowAt(date ledger.Date, id ledger.RowID) (*ledger.Row, error) {
	var record rowRecord
	if ok, err := tx.read(bucketRows, rowKey(date, id), &record); !ok || err != nil {
		return nil, err
	}
	return record.row(id), nil
}

func (tx *Tx) putRow(r *ledger.Row) error {
	return tx.putRecord(bucketRows, rowKey(r.Date, r.ID), toRowRecord(r))
}

// Rows calls fn for the rows of the period, voided ones too, ordered by date and
// ID. fn may keep the row.
func (tx *Tx) Rows(p ledger.Period, fn func(*ledger.Row) error) error {
	end := rowKey(p.To+1, ledger.RowID{}) // Date+1 need be no date to be a bound
	return tx.scan(bucketRows, rowKey(p.From, ledger.RowID{}), end, func(key, value []byte) error {
		row, err := decodeRow(key, value)
		if err != nil {
			return err
		}
		return fn(row)
	})
}

// AllRows is the period that holds every row.
var AllRows = ledger.Period{From: 0, To: 99991231}

func decodeRow(key, value []byte) (*ledger.Row, error) {
	date, id := parseRowKey(key)
	var record rowRecord
	if err := decode(bucketRows, key, value, &record); err != nil {
		return nil, err
	}
	if record.Date != date {
		return nil, damage(bucketRows, key, "stands under another date")
	}
	return record.row(id), nil
}
