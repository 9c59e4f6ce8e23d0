package store

import (
	"maps"
	"math"
	"time"

	"github.com/google/uuid"

	"ichido/internal/ledger"
)

// Figures say what a file comes to. Those of a file and of what was restored from its
// copy are equal. That they follow from the rows is among the invariants (Check), so that
// they are read from what is kept beside the rows, and soon.
type Figures struct {
	File     uuid.UUID            // of the household: FileID
	Receipts ledger.ReceiptNumber // the last number that was given out
	Newest   time.Time            // when the newest receipt was made; zero without one
	Rows     int                  // those that count

	balances map[ledger.AccountID]ledger.Yen
	sums     map[sum]ledger.Yen
}

// sum names what the rows of a month and type come to; the month is yyyymm.
type sum struct {
	month   ledger.Date
	rowType ledger.RowType
}

// Equal says whether both are of the same state, the sum of each month and type and the
// balance of each account among it.
func (f Figures) Equal(g Figures) bool {
	return f.File == g.File && f.Receipts == g.Receipts && f.Newest.Equal(g.Newest) && f.Rows == g.Rows &&
		maps.Equal(f.balances, g.balances) && maps.Equal(f.sums, g.sums)
}

// Figures reads them.
func (tx *Tx) Figures() (Figures, error) {
	file, err := tx.FileID()
	if err != nil {
		return Figures{}, err
	}
	f := Figures{
		File: file, Receipts: ledger.ReceiptNumber(tx.sequence(bucketReceipts)),
		balances: map[ledger.AccountID]ledger.Yen{}, sums: map[sum]ledger.Yen{},
	}
	accounts, err := tx.Accounts()
	if err != nil {
		return Figures{}, err
	}
	for _, a := range accounts {
		f.balances[a.ID] = a.Balance
	}
	err = tx.scan(bucketTotals, nil, nil, func(key, value []byte) error {
		var record totalRecord
		if err := decode(bucketTotals, key, value, &record); err != nil {
			return err
		}
		f.Rows += record.Rows
		f.sums[sum{parseID4[ledger.Date](key), ledger.RowType(key[4])}] += record.Sum
		return nil
	})
	if err != nil {
		return Figures{}, err
	}
	f.Newest, err = tx.newest()
	return f, err
}

// newest is when the newest receipt was made; zero without one.
func (tx *Tx) newest() (at time.Time, err error) {
	err = tx.scanBack(bucketReceipts, nil, numberKey(math.MaxUint64), func(key, value []byte) error {
		r, err := decodeReceipt(key, value)
		if err != nil {
			return err
		}
		at = r.Now
		return Stop
	})
	return at, err
}

// figuresOf reads those of a closed file, which the child looks at first.
func figuresOf(path string, inspector []string) (f Figures, err error) {
	s, err := Open(path, Options{ReadOnly: true, Inspector: inspector})
	if err != nil {
		return Figures{}, err
	}
	defer s.Close()
	err = s.View(func(tx *Tx) error {
		f, err = tx.Figures()
		return err
	})
	return f, err
}

// Version numbers the state of the file, from its opening on: it is another one after each
// change that is on the disk, and only then.
func (s *Store) Version() (version uint64, err error) {
	err = s.View(func(tx *Tx) error {
		version = uint64(tx.btx.ID())
		return nil
	})
	return version, err
}
