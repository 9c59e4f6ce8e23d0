// Package ledger holds the nouns of the household budget and the rules of
// money and calendar that need nothing else: whole yen, civil dates, rows,
// accounts and the changes that receipts are made of. It imports only the
// standard library, does no input or output and knows no clock.
//
// A row is one line of the ledger. It is named by the receipt of the message
// that made it: 12, or 12-1 and 12-2 when the message made several. A change
// is a row before and after; everything that ever happens to the ledger is a
// list of changes, and reverting each of them undoes it.
package ledger

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Yen is an amount in whole yen. There are no fractions anywhere.
type Yen int64

// MaxAmount is the largest amount of one row that can be typed, in yen.
const MaxAmount Yen = 999_999_999

// String formats with thousands separators and without a unit: "-1,234".
func (y Yen) String() string {
	digits := strconv.FormatInt(int64(y), 10)
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// ReceiptNumber is the number that people see and type. The first receipt of a
// file is 1; zero means "no receipt".
type ReceiptNumber uint64

// MemberID names a person of the household for ever; the first is 1 and is the
// owner. Zero means "nobody": an event of the machine itself.
type MemberID uint32

// AccountID names an account (a wallet, a card) for ever. Zero means "none".
type AccountID uint32

// RowID names a row: the receipt that made it and, when that receipt made
// several, its place among them counted from 1. Index is 0 for a row that is
// alone in its receipt.
type RowID struct {
	Receipt ReceiptNumber
	Index   uint16
}

// String gives the form that people type: "12" or "12-2".
func (id RowID) String() string {
	if id.Index == 0 {
		return strconv.FormatUint(uint64(id.Receipt), 10)
	}
	return fmt.Sprintf("%d-%d", id.Receipt, id.Index)
}

// ParseRowID reads "12" or "12-2".
func ParseRowID(s string) (RowID, error) {
	receipt, index, several := strings.Cut(s, "-")
	n, err := strconv.ParseUint(receipt, 10, 63)
	if err != nil || n == 0 {
		return RowID{}, fmt.Errorf("%q is no receipt number", s)
	}
	id := RowID{Receipt: ReceiptNumber(n)}
	if several {
		i, err := strconv.ParseUint(index, 10, 16)
		if err != nil || i == 0 {
			return RowID{}, fmt.Errorf("%q is no row number", s)
		}
		id.Index = uint16(i)
	}
	return id, nil
}

// RowType says what a row does to its accounts. The numbers are stored on disk
// and must not change.
type RowType uint8

// The kinds of row. Zero is none of them.
const (
	Expense    RowType = 1 // money leaves Account
	Income     RowType = 2 // money comes into Account
	Refund     RowType = 3 // an expense comes back into Account
	Transfer   RowType = 4 // money goes from Account to ToAccount
	Adjustment RowType = 5 // a balance statement: Account holds Stated
)

var rowTypeNames = [...]string{Expense: "expense", Income: "income", Refund: "refund", Transfer: "transfer", Adjustment: "adjustment"}

// String gives the name used in exports: "expense", "income" and so on.
func (t RowType) String() string {
	if t == 0 || int(t) >= len(rowTypeNames) {
		return fmt.Sprintf("RowType(%d)", uint8(t))
	}
	return rowTypeNames[t]
}

// Row is one line of the ledger.
type Row struct {
	ID   RowID
	Type RowType
	Date Date // the day it belongs to

	// Time is when the row counts among the rows and balance statements of its
	// account, to the millisecond. See TimeOf and EndOf.
	Time time.Time

	// Amount is positive, except for an Adjustment. There it is signed and
	// derived: what the account must gain so that it holds Stated at Time. The
	// store computes it; what a caller puts here for an Adjustment is ignored.
	Amount Yen

	Stated  Yen  // Adjustment only: what the person says is there
	Opening bool // Adjustment only, derived: the account's first statement, so Amount is no unexplained money

	Item      string
	Memo      string    // what else is to be remembered; "" for nothing
	Category  Category  // "" when none fits; shown as Other
	Account   AccountID // never 0
	ToAccount AccountID // Transfer only
	Member    MemberID  // who wrote it
	Scope     string    // the door it came through, "line" for example
	Voided    bool      // taken back; kept as a tombstone and counted nowhere

	// Withdrawn says that the message that made the row does not say it any more:
	// it was edited, or unsent. Such a row counts nowhere, whether or not it is
	// Voided too.
	Withdrawn bool
}

// Stands says whether the row is part of the ledger as it is now.
func (r *Row) Stands() bool { return !r.Voided && !r.Withdrawn }

// Effect is what the row adds to the balance of the account: negative for what
// leaves, 0 for another account and for a row that does not stand.
func (r *Row) Effect(account AccountID) Yen {
	if !r.Stands() {
		return 0
	}
	var sum Yen
	if account == r.Account {
		switch r.Type {
		case Expense, Transfer:
			sum -= r.Amount
		case Income, Refund, Adjustment:
			sum += r.Amount
		}
	}
	if r.Type == Transfer && account == r.ToAccount {
		sum += r.Amount
	}
	return sum
}

// Counts says whether the row is part of a sum: it is not if it does not stand, or
// is an adjustment of nothing or of an opening balance.
func (r *Row) Counts() bool {
	return r.Stands() && (r.Type != Adjustment || !r.Opening && r.Amount != 0)
}

// Facts returns the row without its derived fields (an adjustment's Amount and
// Opening). Two rows that say the same have equal Facts.
func (r Row) Facts() Row {
	if r.Type == Adjustment {
		r.Amount, r.Opening = 0, false
	}
	return r
}

// Change is a row before and after. Before is nil where the row is new. A row
// is never removed: taking it back is an After that is Voided, and what its message
// says no longer is an After that is Withdrawn.
type Change struct {
	Before, After *Row
}

// Revert returns the row with the fields that the change set put back as they
// were before it; what else has been changed in the row since stays. It reports
// false if one of these fields has been set again since. The change must not be that of
// a new row. Derived fields are left out.
func (c Change) Revert(now Row) (Row, bool) {
	b, a := c.Before.Facts(), c.After.Facts()
	now = now.Facts()
	ok := revert(&now.Type, b.Type, a.Type) && revert(&now.Date, b.Date, a.Date) && revert(&now.Time, b.Time, a.Time) &&
		revert(&now.Amount, b.Amount, a.Amount) && revert(&now.Stated, b.Stated, a.Stated) &&
		revert(&now.Item, b.Item, a.Item) && revert(&now.Memo, b.Memo, a.Memo) && revert(&now.Category, b.Category, a.Category) &&
		revert(&now.Account, b.Account, a.Account) && revert(&now.ToAccount, b.ToAccount, a.ToAccount) &&
		revert(&now.Voided, b.Voided, a.Voided) && revert(&now.Withdrawn, b.Withdrawn, a.Withdrawn)
	return now, ok
}

// Over returns the row with what the change set, in those fields that the other change has
// set too. Derived fields are left out.
func (c Change) Over(row Row, other Change) Row {
	b, a := c.Before.Facts(), c.After.Facts()
	x, y := other.Before.Facts(), other.After.Facts()
	row = row.Facts()
	over(&row.Date, b.Date, a.Date, x.Date != y.Date)
	over(&row.Time, b.Time, a.Time, x.Time != y.Time)
	over(&row.Amount, b.Amount, a.Amount, x.Amount != y.Amount)
	over(&row.Stated, b.Stated, a.Stated, x.Stated != y.Stated)
	over(&row.Item, b.Item, a.Item, x.Item != y.Item)
	over(&row.Memo, b.Memo, a.Memo, x.Memo != y.Memo)
	over(&row.Category, b.Category, a.Category, x.Category != y.Category)
	over(&row.Account, b.Account, a.Account, x.Account != y.Account)
	return row
}

func over[T comparable](field *T, before, after T, both bool) {
	if both && before != after {
		*field = after
	}
}

// revert puts one field back, unless it is back already or was set again.
func revert[T comparable](now *T, before, after T) bool {
	if before == after || *now == before {
		return true
	}
	if *now != after {
		return false
	}
	*now = before
	return true
}

// Account is a place where money is: a wallet, a card, a bank account.
type Account struct {
	ID      AccountID
	Name    string   // Cash for every wallet
	Owner   MemberID // whose wallet it is; 0 for an account of the household
	Balance Yen      // the sum of the effects of all its rows
}

// Cash is the name of the account that is meant when none is named: the
// sender's own wallet.
const Cash = "現金"

// Category is the name of a category, built in or the household's own. Empty
// means that none fits.
type Category string

// Other is shown where a row has no category; Pay is the category of incomes.
const (
	Other Category = "その他"
	Pay   Category = "収入"
)

// Categories lists the built-in categories of expenses in the order in which
// they are shown.
var Categories = []Category{
	"食費", "日用品", "交通費", "交際費", "娯楽", "衣服", "医療費", "美容", "住居", "家具・家電",
	"光熱費", "通信費", "教育", "子ども", "車", "保険", "税・社会保険", "ペット", "特別費", Other,
}
