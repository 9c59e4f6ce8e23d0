package bot

import (
	"cmp"
	"slices"
	"strings"

	"ichido/internal/ledger"
	"ichido/store"
)

// balance records what an account really holds.
func (t *turn) balance() (Reply, error) {
	say, err := t.writeStatement()
	if err != nil {
		return Reply{}, err
	}
	return say()
}

// writeStatement writes the row of a balance statement, if there can be one, and returns
// what says so.
func (t *turn) writeStatement() (say func() (Reply, error), err error) {
	row, refusal, err := t.statement()
	if row == nil || err != nil {
		return func() (Reply, error) { return refusal, nil }, err
	}
	applied, err := t.tx.Apply(ledger.Change{After: row})
	t.tx.Receipt().Kind = store.Balance
	return func() (Reply, error) { return t.stated(applied) }, err
}

// statement makes the row of a balance statement, or says in refusal why there can
// be none.
func (t *turn) statement() (row *ledger.Row, refusal Reply, err error) {
	if isCard(t.cmd.Account) {
		return nil, said(t.text(noCardBalance)), nil
	}
	if t.cmd.Date > t.today {
		return nil, said(t.text(futureBalance)), nil
	}
	name, owner, ok, err := t.namedAccount()
	if err != nil {
		return nil, Reply{}, err
	}
	if !ok {
		refusal, err = t.unknownOwner()
		return nil, refusal, err
	}
	account, err := t.tx.OpenAccount(name, owner)
	date := cmp.Or(t.cmd.Date, t.today)
	return &ledger.Row{
		Type: ledger.Adjustment, Date: date, Time: ledger.EndOf(date, t.at, t.zone),
		Stated: t.cmd.Amount, Account: account.ID, Member: t.sender,
	}, Reply{}, err
}

// account gives the account that the member calls by the name, and makes it at its first
// use.
func (t *turn) account(member ledger.MemberID, name string) (ledger.AccountID, error) {
	name, owner, err := t.accountCalled(member, name)
	if err != nil {
		return 0, err
	}
	a, err := t.tx.OpenAccount(name, owner)
	return a.ID, err
}

// accountCalled tells the account that the member calls by the name. His own wallet is
// meant by 現金 and if none is named, unless there is one for all.
func (t *turn) accountCalled(member ledger.MemberID, name string) (string, ledger.MemberID, error) {
	if name != "" && name != ledger.Cash {
		return name, 0, nil
	}
	shared, err := t.tx.Setting(walletSetting)
	if shared == walletShared {
		return ledger.Cash, 0, err
	}
	return ledger.Cash, member, err
}

// namedAccount tells the account of the command, which may be the wallet of a
// named member; not ok if nobody has the name.
func (t *turn) namedAccount() (name string, owner ledger.MemberID, ok bool, err error) {
	switch {
	case t.cmd.Shared:
		return ledger.Cash, 0, true, nil
	case t.cmd.Own && t.sender != 0:
		return ledger.Cash, t.sender, true, nil
	}
	if t.cmd.Owner == "" {
		name, owner, err = t.accountCalled(t.sender, t.cmd.Account)
		return name, owner, true, err
	}
	members, err := t.tx.Members()
	if err != nil {
		return "", 0, false, err
	}
	m, ok := memberCalled(members, t.cmd.Owner)
	return ledger.Cash, m.ID, ok, nil
}

// unknownOwner answers when nobody has the name that the command gives. While
// nobody has a name at all, that says nothing about who is a member.
func (t *turn) unknownOwner() (Reply, error) {
	members, err := t.tx.Members()
	if err != nil {
		return Reply{}, err
	}
	if !slices.ContainsFunc(members, func(m store.Member) bool { return m.Name != "" }) {
		return said(t.text(namelessOwner)), nil
	}
	return said(t.nobodyCalled(t.cmd.Owner)), nil
}

// isCard says whether the account is a card: what it holds is owed, and so its
// balance can't be kept like that of a wallet.
func isCard(account string) bool {
	return strings.HasSuffix(account, "カード") || slices.Contains([]string{"JCB", "VISA", "Mastercard", "AMEX"}, account)
}

// prepaid are the accounts that are topped up to be spent.
var prepaid = []string{
	"Suica", "PASMO", "ICOCA", "nanaco", "WAON", "楽天Edy", "電子マネー", "交通系IC", "manaca", "TOICA", "SUGOCA", "nimoca",
	"PayPay", "楽天ペイ", "d払い", "au PAY", "メルペイ", "LINE Pay", "QUICPay", "iD", "Apple Pay", "ファミペイ", "Amazon Pay", "Google Pay",
}

func isPrepaid(account string) bool { return slices.Contains(prepaid, account) }

// topUp is the item of money that was put into one of these.
const topUp = "チャージ"

// bank is the account that everybody has, used or not.
const bank = "銀行"

// accountsInUse names the accounts that can hold money, the bank first, without those
// that are left out.
func (t *turn) accountsInUse(without ...string) ([]string, error) {
	accounts, err := t.tx.Accounts()
	names := []string{bank}
	for _, a := range accounts {
		if !isCard(a.Name) && !slices.Contains(names, a.Name) && len(names) < 4 {
			names = append(names, a.Name)
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(without, name) }), err
}

// hasAccount says whether the household has an account of the name, or may have one, used
// or not.
func (t *turn) hasAccount(name string) (bool, error) {
	accounts, err := t.tx.Accounts()
	known := func(a ledger.Account) bool { return a.Name == name }
	return name == ledger.Cash || name == bank || slices.ContainsFunc(accounts, known), err
}

// unlessCash is how a message names the account that something was paid from: cash goes
// without saying.
func unlessCash(name string) string {
	if name == ledger.Cash {
		return ""
	}
	return name
}

// accountName is what people call the account.
func accountName(name string) string {
	if name == ledger.Cash {
		return wallet
	}
	return name
}

// stated says what the balance statement came to.
func (t *turn) stated(applied store.Applied) (Reply, error) {
	n, err := t.names()
	if err != nil {
		return Reply{}, err
	}
	row := applied.Rows[0]
	a := answer{}
	quiet, err := t.smallPrint(n, applied.Rows, false)
	if err != nil {
		return Reply{}, err
	}
	a.put(headed(t.recordedHead, 1, t.rowItems(n, applied.Rows[:1]))...)
	a.add(t.statedLine(row))
	a.quiet(quiet)
	if err := t.offerUndo(&a, row.ID); err != nil {
		return Reply{}, err
	}
	err = t.addEffects(&a, n, applied)
	return a.reply(), err
}

// balances says what the named account holds, or all accounts.
func (t *turn) balances() (Reply, error) {
	if isCard(t.cmd.Account) {
		return t.cardSpending()
	}
	if t.cmd.Account == "" && t.cmd.Owner == "" {
		return t.allBalances()
	}
	name, owner, ok, err := t.namedAccount()
	if err != nil {
		return Reply{}, err
	}
	if !ok {
		return t.unknownOwner()
	}
	account, known, err := t.tx.FindAccount(name, owner)
	if err != nil {
		return Reply{}, err
	}
	n, err := t.names()
	if err != nil {
		return Reply{}, err
	}
	if !known { // a question makes no account
		words := t.accountWords(t.cmd)
		if words == wallet && n.only != 0 { // which is that of all, while the sender has none
			words = t.walletOf(cmp.Or(t.tx.Sender().Name, t.text(you)))
		}
		return said(t.balanceLine(t.cmd, words, 0, false)), nil
	}
	stated, err := t.everStated(account.ID)
	if err != nil {
		return Reply{}, err
	}
	holds, err := t.tx.BalanceAt(account.ID, t.at)
	if err != nil {
		return Reply{}, err
	}
	return Reply{Lines: []Line{t.balanceIs(t.cmd, n.accounts[account.ID], holds, stated[account.ID])}}, nil
}

// cardSpending says what the card has paid for this month.
func (t *turn) cardSpending() (Reply, error) {
	q := &topic{}
	if err := t.limitToAccount(q); err != nil {
		return Reply{}, err
	}
	p := ledger.Month(t.today, 0)
	s, err := t.sum(p, q)
	return said(t.paidByCard(q.place, p, t.today, s)), err
}

func (t *turn) allBalances() (Reply, error) {
	accounts, err := t.tx.Accounts()
	if err != nil {
		return Reply{}, err
	}
	n, err := t.names()
	if err != nil {
		return Reply{}, err
	}
	var ids []ledger.AccountID
	for _, a := range accounts {
		if !isCard(a.Name) {
			ids = append(ids, a.ID)
		}
	}
	stated, err := t.everStated(ids...)
	if err != nil {
		return Reply{}, err
	}
	if len(stated) == 0 {
		return said(t.text(noBalances)), nil
	}
	a := answer{}
	a.put(t.balancesHead())
	for _, id := range ids {
		holds, err := t.tx.BalanceAt(id, t.at)
		if err != nil {
			return Reply{}, err
		}
		a.put(t.oneOfBalances(n.accounts[id], holds, stated[id]))
	}
	if len(ids) < len(accounts) {
		a.quiet(t.text(cardsAreLeftOut))
	}
	return a.reply(), nil
}

// everStated says of which of the accounts anybody has said what they hold.
// Without that, a sum of rows is no balance.
func (t *turn) everStated(accounts ...ledger.AccountID) (map[ledger.AccountID]bool, error) {
	stated := map[ledger.AccountID]bool{}
	for _, id := range accounts {
		yes, err := t.tx.StatedBefore(id, t.at)
		if err != nil {
			return nil, err
		}
		if yes {
			stated[id] = true
		}
	}
	return stated, nil
}
