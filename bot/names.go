package bot

import (
	"cmp"

	"ichido/internal/ledger"
	"ichido/store"
)

// names is what accounts, members and categories are called in answers.
type names struct {
	Voice
	today      ledger.Date
	categories store.Categories
	accounts   map[ledger.AccountID]string
	wallets    map[ledger.AccountID]bool  // the accounts that are wallets
	only       ledger.AccountID           // the only wallet, if it is not somebody else's; else 0
	members    map[ledger.MemberID]string // empty while there are fewer than two
}

// member is what the person is called: also one whom nobody knows.
func (n *names) member(id ledger.MemberID) string { return cmp.Or(n.members[id], n.text(somebody)) }

// names looks up what things are called now. It must come after the changes,
// which may make accounts.
func (t *turn) names() (*names, error) {
	members, err := t.tx.Members()
	if err != nil {
		return nil, err
	}
	accounts, err := t.tx.Accounts()
	if err != nil {
		return nil, err
	}
	categories, err := t.tx.Categories()
	if err != nil {
		return nil, err
	}
	n := &names{
		Voice:      t.Voice,
		today:      t.today,
		categories: categories,
		accounts:   map[ledger.AccountID]string{},
		wallets:    map[ledger.AccountID]bool{},
		members:    map[ledger.MemberID]string{},
	}
	if len(members) > 1 {
		for i, m := range members {
			n.members[m.ID] = t.called(m, i+1, len(members))
		}
	}
	t.nameAccounts(n, accounts, members)
	return n, nil
}

// nameAccounts names the accounts, wallets after their owners where there are several.
func (t *turn) nameAccounts(n *names, accounts []ledger.Account, members []store.Member) {
	for _, a := range accounts {
		n.accounts[a.ID] = t.place(a.Name)
		if a.Name == ledger.Cash {
			n.wallets[a.ID] = true
			if a.Owner == 0 || a.Owner == t.sender {
				n.only = a.ID
			}
			n.accounts[a.ID] = t.walletOf(t.owner(a, members))
		}
	}
	if n.only != 0 && len(n.wallets) == 1 {
		n.accounts[n.only] = t.place(ledger.Cash)
	} else {
		n.only = 0
	}
}

// owner is what the owner of a wallet is called.
func (t *turn) owner(a ledger.Account, members []store.Member) string {
	for i, m := range members {
		if m.ID == a.Owner {
			return t.called(m, i+1, len(members))
		}
	}
	return t.text(everybody)
}

// called is what the nth of the members is called.
func (t *turn) called(m store.Member, n, members int) string {
	if m.ID == t.sender {
		return cmp.Or(m.Name, t.text(you))
	}
	return cmp.Or(m.Name, t.otherMember(n, members == 2 && t.sender != 0))
}

// category names the row's category as the household calls it now.
func (n *names) category(r ledger.Row) ledger.Category {
	return n.categories.Of(cmp.Or(r.Category, ledger.Other))
}

// quiet names the account unless it goes without saying: the only wallet.
func (n *names) quiet(id ledger.AccountID) string {
	if id == n.only {
		return ""
	}
	return n.accounts[id]
}

// memberCalled finds the member who has the name. An honorific may be part of a name:
// it counts as one only if nobody is called exactly so.
func memberCalled(members []store.Member, name string) (store.Member, bool) {
	for _, wanted := range []string{name, withoutHonorific(name)} {
		for _, m := range members {
			if m.Name != "" && m.Name == wanted {
				return m, true
			}
		}
	}
	return store.Member{}, false
}
