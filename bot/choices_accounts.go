package bot

import (
	"slices"
	"strings"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
)

// Choices about money that is moved, or that is there.

// chooseAccounts offers the ways between the named account, or those in use, and the
// wallet or the bank. Nothing comes out of what is topped up.
func (t *turn) chooseAccounts(c *grammar.Command) (choices []choice, err error) {
	if !c.HasAmount || c.Amount < 1 {
		return nil, nil
	}
	if c.Item == topUp {
		return t.chooseToppedUp(c)
	}
	named := []string{c.Account}
	if c.Account == "" {
		if named, err = t.accountsInUse(ledger.Cash); err != nil {
			return nil, err
		}
	}
	for _, account := range named {
		for _, other := range []string{ledger.Cash, bank} {
			if account == other {
				continue
			}
			if !isPrepaid(account) {
				choices = append(choices, way(c, account, other))
			}
			if !isPrepaid(account) || c.Account != "" {
				choices = append(choices, way(c, other, account))
			}
		}
	}
	slices.SortStableFunc(choices, func(a, b choice) int { return strings.Count(b.label.ja, wallet) - strings.Count(a.label.ja, wallet) })
	return slices.CompactFunc(choices, func(a, b choice) bool { return a.label == b.label }), nil
}

// chooseToppedUp offers what may have been topped up: what the household has, or else
// what most people have.
func (t *turn) chooseToppedUp(c *grammar.Command) (choices []choice, err error) {
	accounts, err := t.tx.Accounts()
	offer := func(account string) {
		text := spaced(c.Date.String(), account+topUp, typedYen(c.Amount))
		fits := func(read *grammar.Command) bool { return moves(c, "", account)(read) }
		choices = append(choices, choice{accountLabel(account), text, account + "に", fits})
	}
	for _, a := range accounts {
		if isPrepaid(a.Name) {
			offer(a.Name)
		}
	}
	if len(choices) == 0 {
		offer("Suica")
		offer("PayPay")
	}
	return choices, err
}

// way is the choice to move the amount.
func way(c *grammar.Command, from, to string) choice {
	words := spaced(c.Date.String(), accountName(from)+"から"+accountName(to)+"に"+typedYen(c.Amount))
	return choice{wayLabel(from, to), words, "", moves(c, from, to)}
}

// chooseDebit asks whether the monthly debit of a card is to be noted, which is no
// expense: the purchases are.
func chooseDebit(c *grammar.Command) []choice {
	if !c.HasAmount || c.Amount < 1 {
		return nil
	}
	card := "カード"
	if isCard(c.Account) {
		card = c.Account
	}
	debit := way(c, bank, card)
	debit.label, debit.words = debitLabel, "振替 記録する"
	return []choice{debit, {label: notLabel, words: "いらない 不要 しません"}}
}

func chooseWallet(c *grammar.Command) []choice {
	if c.Item != wallet || !c.HasAmount || c.Amount < 1 {
		return nil
	}
	return []choice{
		{balanceLabel, spaced(c.Date.String(), wallet, typedYen(c.Amount)), "残高です", states(c, "")},
		{boughtLabel, spaced(c.Date.String(), wallet+"代", typedYen(c.Amount)), "買った 買いました", oneRow(c, c.Amount)},
	}
}

// chooseBalance asks which account holds the amount.
func (t *turn) chooseBalance(c *grammar.Command) (choices []choice, err error) {
	accounts, err := t.accountsInUse(ledger.Cash)
	if !c.HasAmount || err != nil {
		return nil, err
	}
	choices = append(choices, choice{accountLabel(ledger.Cash), spaced(c.Date.String(), wallet, typedYen(c.Amount)), "現金", states(c, "")})
	for _, account := range accounts {
		choices = append(choices, choice{accountLabel(account), spaced(c.Date.String(), account+"残高", typedYen(c.Amount)), account + "残高", states(c, account)})
	}
	return choices, nil
}

// choosePut asks whether an amount was put into the wallet or is what it holds.
func choosePut(c *grammar.Command) []choice {
	if !c.HasAmount || c.Amount < 1 {
		return nil
	}
	put := way(c, bank, ledger.Cash)
	put.label, put.words = fromBankLabel, "銀行から 入れた"
	return []choice{{balanceLabel, spaced(c.Date.String(), wallet, typedYen(c.Amount)), "残高です", states(c, "")}, put}
}

func chooseSaved(c *grammar.Command) []choice {
	if !c.HasAmount || c.Amount < 1 || c.Item == "" {
		return nil
	}
	fits := typed(oneRow(c, c.Amount), ledger.Transfer)
	return []choice{{savedLabel, retyped(c, c.Item, typedYen(c.Amount)), "ためた 貯めた", fits}}
}
