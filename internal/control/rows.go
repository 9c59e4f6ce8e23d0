package control

import (
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

// readNames reads what exports say for numbers.
func readNames(tx *store.Tx) (exchange.Names, error) {
	n, err := tx.Names()
	return exchange.Names{Accounts: n.Accounts, Members: n.Members, Category: n.Categories.Of}, err
}
