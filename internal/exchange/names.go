package exchange

import "ichido/internal/ledger"

// Names are what an export says in the place of numbers.
type Names struct {
	Accounts map[ledger.AccountID]ledger.Account
	Members  map[ledger.MemberID]string
	Category func(ledger.Category) ledger.Category // as it is called now
}

// Row gives the row in words.
func (n Names) Row(r *ledger.Row) Row {
	account, to := n.Accounts[r.Account], n.Accounts[r.ToAccount]
	row := Row{
		ID: r.ID.String(), Receipt: r.ID.Receipt, Type: r.Type.String(), Date: r.Date, Amount: r.Amount, Opening: r.Opening,
		Item: r.Item, Category: n.Category(r.Category),
		Account: account.Name, AccountOwner: n.Members[account.Owner],
		ToAccount: to.Name, ToAccountOwner: n.Members[to.Owner],
		Member: n.Members[r.Member], Source: r.Scope, Voided: !r.Stands(), Memo: r.Memo,
	}
	if r.Type == ledger.Adjustment {
		row.Stated = &r.Stated
	}
	return row
}
