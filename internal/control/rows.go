package control

import (
	"cmp"
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
				if !yield(names.Row(r), nil) {
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

// readNames reads what rows say for numbers. Who has no name is called after the number.
func readNames(tx *store.Tx) (exchange.Names, error) {
	n := exchange.Names{Accounts: map[ledger.AccountID]ledger.Account{}, Members: map[ledger.MemberID]string{}}
	categories, err := tx.Categories()
	if err != nil {
		return n, err
	}
	n.Category = categories.Of
	accounts, err := tx.Accounts()
	if err != nil {
		return n, err
	}
	for _, a := range accounts {
		n.Accounts[a.ID] = a
	}
	members, err := tx.Members()
	for _, m := range members {
		n.Members[m.ID] = cmp.Or(m.Name, fmt.Sprintf("member-%d", m.ID))
	}
	return n, err
}
