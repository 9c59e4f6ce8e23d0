package grammar

import (
	"slices"
	"strings"

	"ichido/internal/ledger"
)

// readTransfer reads money that only changes its place: top-ups, withdrawals,
// deposits, savings, and from one account to another.
func readTransfer(l *line) (Command, bool) {
	if l.marked(transferMarks...) == nil || l.count(amountSpan) != 1 {
		return Command{}, false
	}
	amount := l.find(amountSpan)[0]
	for _, read := range transferReaders {
		if c, ok := read(l, amount); ok {
			return c, true
		}
	}
	return Command{}, false
}

// transferMarks are those without which a line is no transfer.
var transferMarks = []mark{withdraw, withdrawNoun, deposit, topUp, save, debit, billed, atm, cashWord}

var transferReaders = []func(l *line, amount int) (Command, bool){withdrawal, depositing, topUpping, saving, cardDebit, bareATM}

// accountBefore returns the account that one of the particles follows.
func (l *line) accountBefore(particles ...string) string {
	for i := range l.spans {
		name := l.accountAt(i)
		if name == "" {
			continue
		}
		for _, p := range particles {
			if l.has(l.spans[i].to, p) {
				return name
			}
		}
	}
	return ""
}

// accountAt gives the account that span i names; 財布 is where the cash is.
func (l *line) accountAt(i int) string {
	switch s := &l.spans[i]; {
	case s.kind == accountSpan:
		return s.name
	case s.kind == markSpan && s.mark == wallet:
		return ledger.Cash
	}
	return ""
}

// transfer makes the row, or asks if the amount or the date can't be used.
// from "" leaves the source open.
func (l *line) transfer(a int, from, to, item string) (Command, bool) {
	s := l.spans[a]
	e := Entry{Type: ledger.Transfer, Amount: s.amount.value, Account: from, ToAccount: to, Item: item, OpenSource: from == ""}
	if reason := l.unusable(s); reason != "" {
		return l.ask(reason), true
	}
	r, _ := l.region(0, len(l.spans), a)
	if reason := l.datesUnusable(); reason != "" {
		return l.ask(reason), true
	}
	regions := []region{r}
	l.carryDates(regions)
	e.Date = regions[0].date
	return Command{Kind: Record, Entries: []Entry{e}}, true
}

func withdrawal(l *line, a int) (Command, bool) {
	bank := l.marked(atm) != nil || l.marked(cashWord) != nil || l.accountBefore("から", "で") != ""
	if l.marked(withdraw) == nil && (l.marked(withdrawNoun) == nil || !bank && l.nameOf(accountSpan) == "") {
		return Command{}, false
	}
	if l.foreignWords() && (l.marked(withdraw, atm) == nil || l.namesFee()) {
		return Command{}, false
	}
	from := l.accountBefore("から", "で")
	if from == "" || from == ledger.Cash {
		from = bankAccount
	}
	return l.transfer(a, from, ledger.Cash, "引き出し")
}

// namesFee says whether the item is what something cost: 引き出し 手数料.
func (l *line) namesFee() bool {
	pieces := l.pieces(0, len(l.spans))
	return slices.ContainsFunc(pieces, func(p piece) bool { return l.rune(p.to-1) == '料' })
}

// foreignWords says whether words stand in the line that have no part in a
// transfer.
func (l *line) foreignWords() bool {
	for i := range l.spans {
		s := &l.spans[i]
		if s.kind == wordSpan && !l.isFiller(s.from, s.to) {
			return true
		}
	}
	return false
}

// depositing reads money brought to the bank: 口座に入金, ATMで預けた.
func depositing(l *line, a int) (Command, bool) {
	to := l.accountBefore("に", "へ")
	brought := l.marked(deposit) != nil || l.marked(topUp) != nil && (isBank(to) || l.marked(atm) != nil)
	if !brought || l.foreignWords() {
		return Command{}, false
	}
	from := l.accountBefore("から")
	if to == "" {
		to = bankAccount
	}
	if from == "" {
		from = ledger.Cash
	}
	return l.transfer(a, from, to, "預け入れ")
}

func isBank(account string) bool {
	return strings.HasSuffix(account, bankAccount) || account == "ゆうちょ"
}

// topUpping reads Suica入金 and PayPayチャージ. The source is open unless it is
// named with から or で.
func topUpping(l *line, a int) (Command, bool) {
	m := l.marked(topUp)
	if m == nil {
		return Command{}, false
	}
	if pieces := l.pieces(0, len(l.spans)); l.foreignWords() {
		return l.ask(WhichAccount), !l.has(m.from, "入金") || !l.isIncome(pieces) // 給料 入金
	}
	from := l.accountBefore("から", "で")
	to := l.accountBefore("に", "へ", "チャージ", "入金")
	for i := range l.spans {
		s := &l.spans[i]
		if s.kind == accountSpan && to == "" && s.name != from {
			to = s.name
		} else if s.kind == accountSpan && from == "" && to != "" && s.name != to {
			from = s.name
		}
	}
	word := "入金"
	if !l.has(m.from, word) {
		word = "チャージ"
	}
	switch {
	case to == "" && word == "入金":
		return l.ask(IncomeOrNot), true
	case to == "":
		return l.ask(WhichAccount), true
	case isBank(to) || to == ledger.Cash:
		return l.ask(IncomeOrNot), true
	case to == "カード":
		return l.ask(WhichAccount), true
	}
	return l.transfer(a, from, to, to+word)
}

// sources stand behind the account that money comes from.
var sources = []string{"から", "→", "⇒", "->", "=>", ">"}

// readBetween reads 銀行から財布に3万 and 現金→Suica 3000: two accounts, and
// which of them the money leaves. 財布 alone would be a balance, so the rule
// stands before that one.
func readBetween(l *line) (Command, bool) {
	from, to := l.accountBefore(sources...), ""
	if from == "" || l.count(amountSpan) != 1 || l.marked(topUp) != nil || l.marked(unsafeMarks...) != nil || l.asks() {
		return Command{}, false
	}
	for i := range l.spans {
		switch name := l.accountAt(i); {
		case name == "" || name == from || name == to:
		case to != "":
			return l.ask(WhichAccount), true
		default:
			to = name
		}
	}
	if to == "" || l.foreignWords() {
		return Command{}, false
	}
	item := "振替"
	if isBank(from) && to == ledger.Cash {
		item = "引き出し"
	}
	return l.transfer(l.find(amountSpan)[0], from, to, item)
}

// saving reads 貯金, 積立 and NISA: money put by in an account of that name.
func saving(l *line, a int) (Command, bool) {
	m := l.marked(save)
	if m == nil {
		return Command{}, false
	}
	if l.speaksOfSavings(m) {
		return l.ask(SavedOrHolds), true
	}
	if l.foreignWords() && !l.closesItem(m) {
		return Command{}, false
	}
	if l.has(m.to, "から") {
		return l.ask(WhichAccount), true
	}
	name := string(l.raw[m.from:m.to])
	name = strings.TrimSuffix(strings.TrimSuffix(name, "しました"), "した")
	to := name
	if strings.HasSuffix(strings.ToLower(name), "nisa") || strings.HasSuffix(name, "ニーサ") {
		to = nisaAccount
	}
	return l.transfer(a, l.accountBefore("から", "で"), to, name)
}

// stateWords say that money is there, not that it was put there.
var stateWords = wordSet("になった になりました 貯まった 貯まりました たまった たまりました ある あります あった ありました")

// speaksOfSavings says whether the line may be about what there is by now:
// 貯金が50000円, 貯金 50000円になった.
func (l *line) speaksOfSavings(m *span) bool {
	if r := l.rune(m.to); r == 'は' || r == 'が' {
		return true
	}
	for i := range l.spans {
		s := &l.spans[i]
		if _, ok := stateWords.whole(l.low[s.from:s.to]); ok && s.kind == wordSpan {
			return true
		}
	}
	return l.has(m.from, "へそくり")
}

// closesItem says whether the word is the last of the item, so that it says
// what the item is: 旅行積立.
func (l *line) closesItem(m *span) bool {
	pieces := l.pieces(0, len(l.spans))
	return len(pieces) == 1 && pieces[0].to == m.to && isWord(l.at(m.from-1))
}

// bareATM asks about ATM 30000: money may have gone in or come out. 引き出し 30000
// may be money that came out, or a chest of drawers.
func bareATM(l *line, _ int) (Command, bool) {
	if l.marked(atm, cashWord, withdrawNoun) == nil || l.foreignWords() {
		return Command{}, false
	}
	return l.ask(WhichAccount), true
}

// cardDebit reads the monthly debit of a card, which must not become a second
// expense.
func cardDebit(l *line, a int) (Command, bool) {
	if l.marked(debit, billed) == nil || l.spans[a].fault != "" {
		return Command{}, false
	}
	ofCard := strings.HasSuffix(l.nameOf(accountSpan), "カード") && !l.knownIn()
	if l.foreignWords() && !ofCard {
		return Command{}, false
	}
	return l.ask(CardDebit), true
}

// paysCard says whether a line without an item tells that the card itself is paid:
// カードの支払い 45000.
func (l *line) paysCard() bool {
	c := l.first(accountSpan)
	return c != nil && strings.HasSuffix(c.name, "カード") && l.has(c.to, "の支払")
}

// claimDebit takes 引き落とし out of the item, if a word is left to be it. With
// a card nobody can tell what was debited.
func (l *line) claimDebit() (ofCard bool) {
	at := l.lastMarked(debit)
	if at < 0 || l.itemWithout(at) == "" || !l.standsApart(at) && !l.endsItem(at) {
		return false
	}
	l.spans[at].used = true
	return strings.HasSuffix(l.nameOf(accountSpan), "カード")
}

// endsItem says whether no word hangs on span i: ガス代引き落とし 4500.
func (l *line) endsItem(i int) bool {
	return i+1 == len(l.spans) || l.spans[i+1].kind != wordSpan
}

// claimed says whether a word with the mark was taken out of the item.
func (l *line) claimed(m mark) bool {
	at := l.lastMarked(m)
	return at >= 0 && l.spans[at].used
}
