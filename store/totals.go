package store

import (
	"ichido/internal/ledger"
)

// Total is what the rows of one month, type, member and category come to, as far
// as they count (ledger.Row.Counts).
type Total struct {
	Type     ledger.RowType
	Member   ledger.MemberID
	Category ledger.Category
	Sum      ledger.Yen // of the amounts; signed for adjustments
	Rows     int        // at least 1
}

// Totals calls fn for the totals of the month that the date lies in, by type,
// member and category. They are kept along with the rows, so that this costs the same
// however many there are.
func (tx *Tx) Totals(month ledger.Date, fn func(Total) error) error {
	prefix := monthKey(month)
	return tx.scan(bucketTotals, prefix, prefixEnd(prefix), func(key, value []byte) error {
		var record totalRecord
		if err := decode(bucketTotals, key, value, &record); err != nil {
			return err
		}
		return fn(Total{
			Type: ledger.RowType(key[4]), Member: parseID4[ledger.MemberID](key[5:]), Category: ledger.Category(key[9:]),
			Sum: record.Sum, Rows: record.Rows,
		})
	})
}

// tally adds the row to its total, or takes it out for a sign of -1.
func (tx *Tx) tally(r *ledger.Row, sign int) error {
	if !r.Counts() {
		return nil
	}
	key := totalKey(r)
	var record totalRecord
	if _, err := tx.read(bucketTotals, key, &record); err != nil {
		return err
	}
	record.Sum += ledger.Yen(sign) * r.Amount
	record.Rows += sign
	if record.Rows == 0 {
		return tx.delete(bucketTotals, key)
	}
	return tx.putRecord(bucketTotals, key, &record)
}
