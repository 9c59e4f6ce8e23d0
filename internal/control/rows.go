package control

import (
	"fmt"

	"ichido/internal/exchange"
	"ichido/internal/ledger"
	"ichido/store"
)

// rows yields all rows with the names of accounts, members and categories as they are
// now.
func rows(tx *store.Tx) exchange.Rows {
	return func(yield func(exchange.Row, error) bool) {
		names, err := readNames(tx)
		if err == nil {
			err = tx.Rows(store.AllRows, func(r *ledger.Row) error {
				if !yield(names.row(r), nil) {
					return store.Stop
				}
				return nil
			})
		}
		if err != nil {
			yield(exchange.Row{}, err)
		}
	}
}

// names are what exports say for numbers.
type names struct {
	accounts   map[ledger.AccountID]ledger.Account
	members    map[ledger.MemberID]string
	categories store.Categories
}

func readNames(tx *store.Tx) (names, error) {
	n := names{accounts: map[ledger.AccountID]ledger.Account{}, members: map[ledger.MemberID]string{}}
	var err error
	if n.categories, err = tx.Categories(); err != nil {
		return n, err
	}
	accounts, err := tx.Accounts()
	if err != nil {
		return n, err
	}
	for _, a := range accounts {
		n.accounts[a.ID] = a
	}
	members, err := tx.Members()
	for _, m := range members {
		n.members[m.ID] = m.Name
		if m.Name == "" {
			n.members[m.ID] = fmt.Sprintf("member-%d", m.ID)
		}
	}
	return n, err
}

func (n names) row(r *ledger.Row) exchange.Row {
	account, to := n.accounts[r.Account], n.accounts[r.ToAccount]
	row := exchange.Row{
		ID: r.ID.String(), Receipt: r.ID.Receipt, Type: r.Type.String(), Date: r.Date, Amount: r.Amount, Opening: r.Opening,
		Item: r.Item, Category: n.categories.Of(r.Category),
		Account: account.Name, AccountOwner: n.members[account.Owner],
		ToAccount: to.Name, ToAccountOwner: n.members[to.Owner],
		Member: n.members[r.Member], Source: r.Scope, Voided: !r.Stands(), Memo: r.Memo,
	}
	if r.Type == ledger.Adjustment {
		row.Stated = &r.Stated
	}
	return row
}
