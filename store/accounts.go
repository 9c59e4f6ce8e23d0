package store

import (
	"bytes"
	"slices"
	"time"

	"ichido/internal/ledger"
)

// Accounts keep a running balance. A balance statement is a row of type
// Adjustment whose Stated is a fact and whose Amount is derived: what the
// account must gain at that moment. So each statement cuts its account's history
// in two: what is written before it changes the statement's Amount by as much,
// and nothing after it.

// adjustments collects balance statements whose derived fields changed in one
// Apply, as they were before.
type adjustments map[ledger.RowID]ledger.Row

// ids gives the rows in a fixed order.
func (a adjustments) ids() []ledger.RowID {
	ids := make([]ledger.RowID, 0, len(a))
	for id := range a {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, compareIDs)
	return ids
}

func compareIDs(a, b ledger.RowID) int {
	return bytes.Compare(rowKey(0, a), rowKey(0, b))
}

// addRow writes the row and lets balances, statements and totals follow. It fills in
// the derived fields.
func (tx *Tx) addRow(r *ledger.Row, adjusted adjustments) error {
	if r.Type == ledger.Adjustment && r.Stands() {
		if err := tx.derive(r); err != nil {
			return err
		}
		place := statementKey(r.Account, r.Time, r.ID)
		if err := tx.put(bucketStatements, place, id4(r.Date)); err != nil {
			return err
		}
	}
	if err := tx.putRow(r); err != nil {
		return err
	}
	if err := tx.tally(r, 1); err != nil {
		return err
	}
	return tx.shift(r, 1, adjusted)
}

// removeRow takes the row out with its effects.
func (tx *Tx) removeRow(r *ledger.Row, adjusted adjustments) error {
	if r.Type == ledger.Adjustment && r.Stands() {
		if err := tx.delete(bucketStatements, statementKey(r.Account, r.Time, r.ID)); err != nil {
			return err
		}
	}
	if err := tx.delete(bucketRows, rowKey(r.Date, r.ID)); err != nil {
		return err
	}
	if err := tx.tally(r, -1); err != nil {
		return err
	}
	return tx.shift(r, -1, adjusted)
}

// derive computes a new statement's Amount and Opening.
func (tx *Tx) derive(r *ledger.Row) error {
	book, err := tx.book(r.Account, r.Time, r.ID)
	if err != nil {
		return err
	}
	r.Amount = r.Stated - book
	r.Opening = true
	prefix := id4(r.Account)
	return tx.scanBack(bucketStatements, prefix, statementKey(r.Account, r.Time, r.ID), func(_, _ []byte) error {
		r.Opening = false
		return Stop
	})
}

// shift adds sign times the row's effects to the balances of its accounts and
// takes them out of the statements that follow.
func (tx *Tx) shift(r *ledger.Row, sign ledger.Yen, adjusted adjustments) error {
	if err := tx.shiftAccount(r.Account, r, sign, adjusted); err != nil || r.ToAccount == 0 {
		return err
	}
	return tx.shiftAccount(r.ToAccount, r, sign, adjusted)
}

func (tx *Tx) shiftAccount(id ledger.AccountID, r *ledger.Row, sign ledger.Yen, adjusted adjustments) error {
	effect := sign * r.Effect(id)
	isStatement := r.Type == ledger.Adjustment && r.Stands()
	if effect == 0 && !isStatement {
		return nil
	}
	next, err := tx.nextStatement(id, r)
	if err != nil {
		return err
	}
	if next == nil {
		return tx.addBalance(id, effect)
	}
	if _, known := adjusted[next.ID]; !known {
		adjusted[next.ID] = *next
	}
	if err := tx.tally(next, -1); err != nil {
		return err
	}
	next.Amount -= effect
	if isStatement && sign > 0 {
		next.Opening = false
	} else if isStatement {
		next.Opening = r.Opening
	}
	if err := tx.tally(next, 1); err != nil {
		return err
	}
	return tx.putRow(next)
}

// nextStatement returns the first statement of the account after the row.
func (tx *Tx) nextStatement(id ledger.AccountID, r *ledger.Row) (next *ledger.Row, err error) {
	after := append(statementKey(id, r.Time, r.ID), 0)
	err = tx.scan(bucketStatements, after, prefixEnd(id4(id)), func(key, value []byte) (err error) {
		_, _, rowID := parseStatementKey(key)
		next, err = tx.rowAt(parseID4[ledger.Date](value), rowID)
		if err == nil && next == nil {
			err = damage(bucketStatements, key, "points to no row")
		}
		if err != nil {
			return err
		}
		return Stop
	})
	return next, err
}

func (tx *Tx) addBalance(id ledger.AccountID, effect ledger.Yen) error {
	account, err := tx.Account(id)
	if err != nil {
		return err
	}
	account.Balance += effect
	return tx.putAccount(account)
}

// book is what the account holds just before the given place in its order,
// going by all rows before it. It walks back over what was written for later,
// which is little unless a statement is dated far back.
func (tx *Tx) book(account ledger.AccountID, at time.Time, id ledger.RowID) (ledger.Yen, error) {
	a, err := tx.Account(account)
	if err != nil {
		return 0, err
	}
	place := statementKey(account, at, id)
	// A row's date and time can differ by the zone's offset, and the zone may have
	// been changed since: two days cover every zone.
	later := ledger.Period{From: ledger.DateOf(at.UTC()).AddDays(-2), To: AllRows.To}
	book := a.Balance
	err = tx.Rows(later, func(r *ledger.Row) error {
		if bytes.Compare(statementKey(account, r.Time, r.ID), place) >= 0 {
			book -= r.Effect(account)
		}
		return nil
	})
	return book, err
}

// BalanceAt returns what the account holds at the instant, going by all that is
// written: rows that are dated later do not count.
func (tx *Tx) BalanceAt(account ledger.AccountID, at time.Time) (ledger.Yen, error) {
	return tx.book(account, at, ledger.RowID{Receipt: ^ledger.ReceiptNumber(0), Index: ^uint16(0)})
}

// StatedBefore says whether somebody stated what the account holds at the instant
// or before it.
func (tx *Tx) StatedBefore(account ledger.AccountID, at time.Time) (stated bool, err error) {
	last := statementKey(account, at, ledger.RowID{Receipt: ^ledger.ReceiptNumber(0), Index: ^uint16(0)})
	err = tx.scanBack(bucketStatements, id4(account), last, func(_, _ []byte) error {
		stated = true
		return Stop
	})
	return stated, err
}

// Account returns the account; it must exist.
func (tx *Tx) Account(id ledger.AccountID) (ledger.Account, error) {
	key := id4(id)
	var record accountRecord
	ok, err := tx.read(bucketAccounts, key, &record)
	if err == nil && !ok {
		err = damage(bucketAccounts, key, "no such account")
	}
	return ledger.Account{ID: id, Name: record.Name, Owner: record.Owner, Balance: record.Balance}, err
}

func (tx *Tx) putAccount(a ledger.Account) error {
	return tx.putRecord(bucketAccounts, id4(a.ID), &accountRecord{Name: a.Name, Owner: a.Owner, Balance: a.Balance})
}

// Accounts returns all accounts in the order in which they were made.
func (tx *Tx) Accounts() (accounts []ledger.Account, err error) {
	err = tx.scan(bucketAccounts, nil, nil, func(key, value []byte) error {
		var record accountRecord
		if err := decode(bucketAccounts, key, value, &record); err != nil {
			return err
		}
		accounts = append(accounts, ledger.Account{
			ID: parseID4[ledger.AccountID](key), Name: record.Name, Owner: record.Owner, Balance: record.Balance,
		})
		return nil
	})
	return accounts, err
}

// FindAccount returns the account with the name and owner and whether it is
// there. Owner 0 means an account of the household.
func (tx *Tx) FindAccount(name string, owner ledger.MemberID) (ledger.Account, bool, error) {
	accounts, err := tx.Accounts()
	if err != nil {
		return ledger.Account{}, false, err
	}
	for _, a := range accounts {
		if a.Name == name && a.Owner == owner {
			return a, true, nil
		}
	}
	return ledger.Account{}, false, nil
}

// OpenAccount returns the account with the name and owner and makes it if there
// is none.
func (tx *Tx) OpenAccount(name string, owner ledger.MemberID) (ledger.Account, error) {
	a, ok, err := tx.FindAccount(name, owner)
	if ok || err != nil {
		return a, err
	}
	id, err := tx.nextID(bucketAccounts)
	if err != nil {
		return ledger.Account{}, err
	}
	a = ledger.Account{ID: ledger.AccountID(id), Name: name, Owner: owner}
	return a, tx.putAccount(a)
}

// nextID counts up the bucket's sequence.
func (tx *Tx) nextID(bucket []byte) (uint64, error) {
	if !tx.btx.Writable() {
		return 0, errReadOnly
	}
	return tx.btx.Bucket(bucket).NextSequence()
}
