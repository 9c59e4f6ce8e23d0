package grammar

import (
	"strings"

	"ichido/internal/ledger"
)

// categoryWords are what an English speaker calls a category.
type categoryWords struct {
	category ledger.Category
	name     string // what it is shown as
	words    string // besides, where a category may be named
	loose    string // only beside the word of a command, because they are items as well
}

// englishCategories has the built-in categories in the order of the ledger.
var englishCategories = []categoryWords{
	{"食費", "Food", "foods", "groceries grocery eating_out dining_out dining meals"},
	{"日用品", "Daily goods", "daily_necessities household_goods household_items household", "toiletries supplies"},
	{"交通費", "Transport", "transportation transit commuting", "commute fares"},
	{"交際費", "Socialising", "socializing social", "gifts friends going_out"},
	{"娯楽", "Entertainment", "leisure recreation hobby hobbies", "fun"},
	{"衣服", "Clothes", "clothing apparel", "fashion"},
	{"医療費", "Medical", "health healthcare", "medicine doctor"},
	{"美容", "Beauty", "personal_care", "grooming cosmetics"},
	{"住居", "Housing", "home_and_rent", "rent house home"},
	{"家具・家電", "Home & tech", "furniture appliances electronics furniture_and_appliances", "furnishings gadgets"},
	{"光熱費", "Utilities", "utility utility_bills", "bills"},
	{"通信費", "Phone & net", "communication communications telecom", "phone internet phone_and_internet"},
	{"教育", "Education", "", "school lessons books"},
	{"子ども", "Kids", "children childcare kid", "child"},
	{"車", "Car", "auto automobile", "cars vehicle"},
	{"保険", "Insurance", "", ""},
	{"税・社会保険", "Taxes", "tax taxes_and_social_insurance social_insurance", ""},
	{"ペット", "Pets", "pet", ""},
	{"特別費", "Special", "special_expenses", "travel trip trips holiday vacation"},
	{ledger.Other, "Other", "misc miscellaneous others", ""},
	{ledger.Pay, "Income", "", ""},
}

// EnglishCategory gives the name of a built-in category in English, "" for any
// other.
func EnglishCategory(c ledger.Category) string {
	for i := range englishCategories {
		if englishCategories[i].category == c {
			return englishCategories[i].name
		}
	}
	return ""
}

// EnglishAccount gives what people call an account in English, in the middle of a
// sentence, or the name itself where it has no other.
func EnglishAccount(account string) string {
	switch account {
	case ledger.Cash:
		return "wallet"
	case "カード":
		return "card"
	case bankAccount:
		return "bank"
	case saveAccount:
		return "savings"
	}
	return account
}

// englishName is a category that a word names.
type englishName struct {
	category ledger.Category
	loose    bool
}

var englishCategoryIndex = func() *wordIndex[englishName] {
	x := newWordIndex[englishName]()
	for _, c := range englishCategories {
		if c.category == ledger.Pay {
			continue // income is no category that one chooses
		}
		name := strings.ReplaceAll(strings.ToLower(c.name), " ", "_")
		x.add(englishName{c.category, false}, name+" "+c.words)
		x.add(englishName{c.category, true}, c.loose)
	}
	return x
}()

// Words that may stand beside the name of a category or an account in English. Any
// other word makes it a part of an item: cat food, birthday card, power bank. Those
// that join say so only where the line changes something or asks.
var (
	wordsBeforeName  = wordSet("me under by with via using my our this last next month week year and or vs show set change account paid pay category as how_much_for much_for spent spend remove delete up charge charged")
	joinsBeforeName  = wordSet("to is was are in on of for from the into be that's it's this's")
	copulas          = wordSet("is was are be that's it's this's") // that was fun
	accountJoins     = wordSet("from to into onto the")
	wordsAfterName   = wordSet("to into budget budgets list history trend graph this last next category total spending spent today yesterday compare vs page off remove please balance is was has in on from now for by with limit per average")
	commandWords     = wordSet("list history budget budgets trend graph compare category as under set page spent spend show")
	changesInEnglish = []string{"change ", "set ", "move ", "correct ", "fix ", "update ", "put ", "make ", "#", "no. ", "receipt "}
)

// maySpeakOfName says whether the line changes something, or asks: to and is stand
// in items as well, as in taxi to home.
func (l *line) maySpeakOfName() bool {
	if !l.hasDigit {
		return true
	}
	start := l.skipBlank(0)
	for _, word := range changesInEnglish {
		if l.has(start, word) {
			return true
		}
	}
	if _, end, ok := l.receiptAt(start); ok && (l.has(end, " is ") || l.has(end, " was ") || l.has(end, " should be ")) {
		return true
	}
	for i := range l.raw {
		if l.has(i, "budget") {
			return true
		}
	}
	return l.has(start, "move") || l.has(start, "transfer") || l.has(start, "from ") || l.has(start, "withdr") || l.has(start, "took out") || l.has(start, "deposit")
}

// scanEnglishCategory reads the name of a category in English at i.
func (l *line) scanEnglishCategory(i int) (span, bool) {
	if l.at(i) != latin || l.at(i-1) == latin {
		return span{}, false
	}
	n, end, ok := englishCategoryIndex.atIf(l.low, i, func(n englishName, end int) bool {
		return l.standsAsName(i, end, false) && (!n.loose || l.besideCommand(i, end)) && !l.dictionaryGoesOn(i, end)
	})
	return span{kind: categorySpan, from: i, to: end, name: string(n.category)}, ok
}

// standsAsName says whether no English word hangs on the range but such as stand
// beside names.
func (l *line) standsAsName(i, end int, account bool) bool {
	if l.at(end) == latin || l.rune(end) == '\'' || strings.ContainsRune("-&/", l.rune(end)) && l.at(end+1) == latin || strings.ContainsRune("'-&/", l.rune(i-1)) && i > 0 && l.at(i-2) == latin {
		return false
	}
	if from, ok := l.englishBefore(i); ok && !l.isSpanWord(from) && !l.isCommandSpan(from) {
		word := string(l.low[from : i-1])
		if !wordsBeforeName.has(word) && !(joinsBeforeName.has(word) && l.maySpeakOfName()) && !(account && accountJoins.has(word)) && !(strings.HasSuffix(word, "'s") && !l.hasDigit) {
			return false
		}
	}
	return l.nameEnds(end)
}

// nameEnds says whether no English word hangs on a name that ends there.
func (l *line) nameEnds(end int) bool {
	next := l.skipBlank(end)
	if l.at(next) != latin {
		return true
	}
	_, _, named := wordsAfterName.atIf(l.low, next, func(_ bool, e int) bool { return l.at(e) != latin })
	return named && !(l.has(next, "for ") && !l.hasDigit) || l.opensName(next)
}

// besideCommand says whether the word of a command stands beside the range.
func (l *line) besideCommand(i, end int) bool {
	if from, ok := l.englishBefore(i); ok {
		word := string(l.low[from : i-1])
		return commandWords.has(word) || l.isCommandSpan(from) && l.spanOver(from).mark != paid || l.maySpeakOfName() && (joinsBeforeName.has(word) && !copulas.has(word) || word == "month" || word == "week" || word == "year")
	}
	next := l.skipBlank(end)
	if next == end || l.at(next) != latin {
		return false
	}
	_, _, ok := wordsAfterName.atIf(l.low, next, func(_ bool, e int) bool { return l.at(e) != latin })
	if ok && (l.has(next, "budget") || l.has(next, "trend") || l.has(next, "list")) {
		return true
	}
	return !l.hasDigit && (ok && !l.has(next, "for") && !l.has(next, "is ") && !l.has(next, "was ") || l.opensName(next))
}

// joinedBehind stand in English between a thing and what tells more about it.
var joinedBehind = wordSet("to from for at with in on")

// englishHead gives where what tells more about a thing in English begins: a bus to
// school is a bus. Without it, it is to.
func (l *line) englishHead(from, to int) int {
	if l.at(from) != latin {
		return to
	}
	for i := from + 1; i < to; i++ {
		if l.at(i-1) != blank || l.at(i) != latin {
			continue
		}
		if _, _, ok := joinedBehind.atIf(l.low, i, func(_ bool, end int) bool { return l.at(end) == blank }); ok {
			return i
		}
	}
	return to
}

// englishBefore returns where the English word begins that a blank parts from i.
func (l *line) englishBefore(i int) (from int, ok bool) {
	if l.at(i-1) != blank || l.at(i-2) != latin {
		return i, false
	}
	for from = i - 1; from > 0 && (l.at(from-1) == latin || strings.ContainsRune("'", l.rune(from-1))); {
		from--
	}
	return from, true
}

// isSpanWord says whether the word at i is a day, a period, an account or an amount.
func (l *line) isSpanWord(i int) bool {
	s := l.spanOver(i)
	return s != nil && (s.kind == dateSpan || s.kind == periodSpan || s.kind == accountSpan || s.kind == amountSpan)
}

// isCommandSpan says whether the word at i is that of a query or a budget.
func (l *line) isCommandSpan(i int) bool {
	s := l.spanOver(i)
	return s != nil && s.kind == markSpan && (s.mark == listWord || s.mark == budgetWord || s.mark == trendWord || s.mark == compareWord || s.mark == queryWord || s.mark == paid || s.mark == question || s.mark == categoryWord || s.mark == balanceWord || s.mark == topUp || s.mark == insteadOf)
}

func (l *line) spanOver(i int) *span {
	for n := len(l.spans) - 1; n >= 0; n-- {
		if l.spans[n].from <= i {
			if l.spans[n].to > i {
				return &l.spans[n]
			}
			return nil
		}
	}
	return nil
}

// opensName says whether an account, a day or a period begins at i.
func (l *line) opensName(i int) bool {
	if _, end, ok := accounts.at(l.low, i); ok && l.at(end) != latin && l.nameEnds(end) {
		return true
	}
	_, ok := scanDate(l, i)
	return ok
}

// ordinaryAccounts are English words that name an account only where they stand for
// themselves.
var ordinaryAccounts = wordSet("bank_account bank_transfer card bank cash debit visa id credit_card debit_card")

// payPrepositions stand in front of the account that something was paid with.
var payPrepositions = wordSet("by with via using on by_my with_my on_my using_my with_the by_the on_the using_the by_a with_a paid_by paid_with paid_in paid_via in paid_on")

// certainPayment are those behind which an account is never a part of an item.
var certainPayment = wordSet("by via using by_my using_my paid_by paid_with paid_via")

// scanPaidBy reads by card, with my Suica and in cash as the account.
func (l *line) scanPaidBy(i int) (span, bool) {
	if l.at(i) != latin || l.at(i-1) == latin {
		return span{}, false
	}
	_, end, ok := payPrepositions.atIf(l.low, i, func(_ bool, end int) bool { return l.at(end) == blank })
	if !ok {
		return span{}, false
	}
	name, to, ok := accounts.atIf(l.low, end+1, func(_ string, to int) bool { return l.at(to) != latin && l.at(end+1) == latin })
	if !ok || l.has(i, "in ") && name != ledger.Cash || ordinaryAccounts.has(string(l.low[end+1:to])) && !l.nameEnds(to) && !certainPayment.has(string(l.low[i:end])) {
		return span{}, false
	}
	if next := l.skipBlank(to); l.has(next, "card") && l.at(next+4) != latin {
		to = next + 4
	}
	return span{kind: accountSpan, from: i, to: to, name: name}, true
}
