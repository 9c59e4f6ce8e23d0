package bot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ichido/internal/ledger"
	"ichido/store"
)

// Entry is a row as a form or a program says it, each thing in a field of its own. It is
// recorded as if it had been said in the chat: 取消 there takes it back.
type Entry struct {
	Type     ledger.RowType // Expense, Income or Refund
	Date     ledger.Date
	Amount   ledger.Yen
	Item     string
	Category ledger.Category // as it is called now, or was before; "" lets the item decide
	Account  string          // as the household calls it; "" is the sender's wallet
	Memo     string
}

// Limits of what an entry can say, in characters.
const (
	MaxItem = 100
	MaxMemo = 500
)

// Field names a part of an Entry, as forms and programs do.
type Field string

// The fields.
const (
	FieldType     Field = "type"
	FieldDate     Field = "date"
	FieldAmount   Field = "amount"
	FieldItem     Field = "item"
	FieldCategory Field = "category"
	FieldAccount  Field = "account"
	FieldMemo     Field = "memo"
)

// Fault says what is wrong with a field.
type Fault struct {
	Field Field
	Says  Phrase
}

// Faults are why an entry is not recorded; never none.
type Faults []Fault

func (Faults) Error() string { return "the entry can't be recorded as it is" }

// Clean gives the entry without blanks around its texts and with lines only in the memo.
func (e Entry) Clean() Entry {
	e.Item = strings.Join(strings.Fields(e.Item), " ")
	e.Category = ledger.Category(strings.TrimSpace(string(e.Category)))
	e.Account = strings.TrimSpace(e.Account)
	e.Memo = strings.TrimSpace(strings.ReplaceAll(e.Memo, "\r\n", "\n"))
	return e
}

// check says what is wrong with a clean entry that the sender wants to record, as Faults;
// nil if it can be.
func (t *turn) check(e Entry) error {
	var faults Faults
	fault := func(f Field, says Phrase) { faults = append(faults, Fault{f, says}) }
	if !slices.Contains([]ledger.RowType{ledger.Expense, ledger.Income, ledger.Refund}, e.Type) {
		fault(FieldType, noSuchType)
	}
	if e.Amount < 1 || e.Amount > ledger.MaxAmount {
		fault(FieldAmount, amountLimits)
	}
	if !e.Date.Valid() || e.Date.Year() > t.today.Year()+maxYearsAhead || e.Date < firstDay {
		fault(FieldDate, noSuchDay)
	}
	if e.Item == "" || !writable(e.Item, MaxItem) {
		fault(FieldItem, itemLimits)
	}
	if e.Memo != "" && !writable(strings.ReplaceAll(e.Memo, "\n", " "), MaxMemo) {
		fault(FieldMemo, memoLimits)
	}
	categories, err := t.tx.Categories()
	if err != nil {
		return err
	}
	if e.Category != "" && !slices.Contains(categoriesFor(categories, e.Type), categories.Of(e.Category)) {
		fault(FieldCategory, wrongCategory(categories, e))
	}
	accounts, err := Accounts(t.tx)
	if err != nil {
		return err
	}
	if e.Account != "" && !slices.Contains(accounts, e.Account) {
		fault(FieldAccount, noAccountOfForm)
	}
	if len(faults) > 0 {
		return faults
	}
	return nil
}

// An entry can be dated from the first day that people remember to some years ahead.
const (
	firstDay      = ledger.Date(19000101)
	maxYearsAhead = 10
)

// writable says whether the text is one that can be shown on a line.
func writable(text string, limit int) bool {
	return utf8.ValidString(text) && utf8.RuneCountInString(text) <= limit &&
		!strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) })
}

// CategoriesFor lists the categories that a row of the type can have.
func CategoriesFor(tx *store.Tx, rowType ledger.RowType) ([]ledger.Category, error) {
	categories, err := tx.Categories()
	return categoriesFor(categories, rowType), err
}

func categoriesFor(categories store.Categories, rowType ledger.RowType) []ledger.Category {
	if rowType == ledger.Income {
		return []ledger.Category{ledger.Pay}
	}
	return categories.All()
}

// wrongCategory says why a row of the type can't have the category: it may be that of
// another type.
func wrongCategory(categories store.Categories, e Entry) Phrase {
	switch {
	case e.Type == ledger.Income && categories.Known(categories.Of(e.Category)):
		return categoryOfExpenses
	case e.Category == ledger.Pay:
		return categoryOfIncome
	}
	return noCategoryOfForm
}

// usualAccounts are those that a household has before it has named any.
var usualAccounts = []string{"カード", bank, "Suica", "PayPay"}

// Accounts lists the accounts that an entry can name, the wallet first.
func Accounts(tx *store.Tx) ([]string, error) {
	own, err := ownAccounts(tx)
	if err != nil {
		return nil, err
	}
	accounts, err := tx.Accounts()
	names := append([]string{ledger.Cash}, own...)
	for _, a := range accounts {
		names = append(names, a.Name)
	}
	var all []string
	for _, name := range append(names, usualAccounts...) {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all, err
}

// Record writes a clean entry in the transaction of its own event (store.Submit) and
// returns the row. The error is Faults, and nothing is written, if it can't be recorded as
// it is.
func (b *Bot) Record(tx *store.Tx, at time.Time, e Entry) (ledger.Row, error) {
	t := b.turn(tx, Message{At: at})
	if err := t.check(e); err != nil {
		return ledger.Row{}, err
	}
	account, err := t.account(t.sender, e.Account)
	if err != nil {
		return ledger.Row{}, fmt.Errorf("finding the account of an entry: %w", err)
	}
	category := e.Category
	if category == "" && e.Type == ledger.Income {
		category = ledger.Pay
	}
	if category == "" {
		taught, err := t.taughtFor(e.Item)
		if err != nil {
			return ledger.Row{}, fmt.Errorf("looking up the category of an entry: %w", err)
		}
		category = cmp.Or(taught, t.dictionaryCategory(e.Item))
	}
	applied, err := tx.Apply(ledger.Change{After: &ledger.Row{
		Type: e.Type, Date: e.Date, Time: ledger.TimeOf(e.Date, t.at, t.zone), Amount: e.Amount,
		Item: e.Item, Memo: e.Memo, Category: category, Account: account, Member: t.sender,
	}})
	if err != nil {
		return ledger.Row{}, fmt.Errorf("recording an entry: %w", err)
	}
	tx.Receipt().Kind = store.Record
	return applied.Rows[0], nil
}
