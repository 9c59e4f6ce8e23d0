package web

import (
	"cmp"
	"fmt"

	"ichido/internal/exchange"
	"ichido/internal/ledger"
	"ichido/store"
)

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
