package store

import (
	"cmp"
	"fmt"

	"ichido/internal/ledger"
)

// Names are what the numbers in rows stand for.
type Names struct {
	Accounts   map[ledger.AccountID]ledger.Account
	Members    map[ledger.MemberID]string // who has no name is called after the number: member-2
	Categories Categories
}

// Names reads them as they are now.
func (tx *Tx) Names() (n Names, err error) {
	n.Accounts, n.Members = map[ledger.AccountID]ledger.Account{}, map[ledger.MemberID]string{}
	if n.Categories, err = tx.Categories(); err != nil {
		return n, err
	}
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
