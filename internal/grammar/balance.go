package grammar

import (
	"slices"

	"ichido/internal/ledger"
)

// stated makes a balance of the amount.
func (l *line) stated(a span, account string) (Command, bool) {
	switch {
	case a.fault != "":
		return l.ask(a.fault), true
	case a.amount.sign < 0 || a.amount.discount:
		return l.ask(NotPositive), true
	}
	c := Command{Kind: Balance, Account: account, Amount: a.amount.value, HasAmount: true}
	if reason := l.datedBy(&c); reason != "" {
		return l.ask(reason), true
	}
	return c, true
}

// readAccountAlone reads an account word alone, as 財布 alone is read: what is there?
func readAccountAlone(l *line) (Command, bool) {
	account := ""
	for i := range l.spans {
		switch s := &l.spans[i]; {
		case s.kind == accountSpan && account == "":
			account = s.name
		case s.kind == spaceSpan, s.kind == punctSpan, account != "" && l.str(s.from, s.to) == "は":
		default:
			return Command{}, false
		}
	}
	return Command{Kind: Query, Query: Balances, Account: account}, account != ""
}

// asksHolding says whether the line asks how much an account has: 銀行にいくらある？
func (l *line) asksHolding() bool {
	m := l.marked(question)
	return m != nil && l.has(m.from, "いくら") && slices.ContainsFunc(l.spans, func(s span) bool {
		return s.kind != accountSpan && holdings.has(string(l.low[s.from:s.to]))
	})
}

// readBalance reads an account with 残高, with an amount or without. The word
// 残高 without an account asks for all of them.
func readBalance(l *line) (Command, bool) {
	m := l.marked(balanceWord)
	amounts := l.find(amountSpan)
	account := l.first(accountSpan)
	if m == nil && account != nil && l.asksHolding() {
		return Command{Kind: Query, Query: Balances, Account: account.name}, len(amounts) == 0
	}
	if m == nil || l.marked(question) != nil && len(amounts) > 0 {
		return Command{}, false
	}
	m.used = true
	if len(amounts) == 0 {
		c := Command{Kind: Query, Query: Balances}
		if account != nil {
			c.Account = account.name
		}
		return c, true
	}
	if account == nil {
		return l.ask(WhichBalance), true
	}
	if len(amounts) != 1 || l.wholeItem() != "" {
		return l.ask(UnclearCommand), true
	}
	name := account.name
	if name == ledger.Cash {
		name = ""
	}
	return l.stated(l.spans[amounts[0]], name)
}
