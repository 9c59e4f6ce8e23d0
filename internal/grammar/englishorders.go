package grammar

import (
	"slices"
	"strings"

	"ichido/internal/ledger"
)

// sentences are tried in order; the first that fits the whole line decides.
var sentences = []sentence{
	// What was recorded is put right.
	{pattern: "it|that|this|it's|that's|last was|should_be|should_have_been|were|is_really|was_really|was_actually only|just? $amount", make: correctAmount},
	{pattern: "should_be|should_have_been|i_meant|i_mean|correction|correct_to|make_it|make_that|make_this|change_to|change_it_to|change_that_to|change_amount_to|change_the_amount_to|change_price_to|fix_to|correct_it_to|set_it_to|rather|in_fact|actually_it_was $amount", make: correctAmount},
	{pattern: "$amount", make: func(l *line, s *slots) (Command, bool) {
		if !s.denied {
			return Command{}, false
		}
		return correctAmount(l, s)
	}},
	{pattern: "it|that was|should_be $amount not|instead_of $old", make: correctAmount},
	{pattern: "it_was|it's|that_was? not $old but|it_was|it's? $amount", make: correctPlainly},
	{pattern: "it_was|that_was|make_it? $amount not|instead_of|rather_than $old", make: correctPlainly},
	{pattern: "change|correct $old to|into $amount", make: correctPlainly},
	{pattern: "#|receipt|no|no. $receipt", make: func(l *line, s *slots) (Command, bool) {
		return Command{Kind: Ask, Reason: ReceiptAlone, Receipt: s.receipt}, l.saysReceipt()
	}},
	{pattern: "correct|fix|change|edit|amend|update $receipt", make: func(l *line, s *slots) (Command, bool) {
		return Command{Kind: Ask, Reason: ReceiptAlone, Receipt: s.receipt}, !l.hasYen()
	}},
	{pattern: "correct|change $amount", make: correctAmount},
	{pattern: "i|we? move|moved|transfer|transferred|put $amount to|into|onto my|the? $to", make: func(l *line, s *slots) (Command, bool) {
		return l.ask(WhichAccount), s.amount.amount.yen || s.amount.amount.value > mostBare
	}},
	{pattern: "$date? i|we? move|moved|transfer|transferred|put $amount to|into|in my|the|our? savings|savings_account from? my|the? $account? $date?", make: func(l *line, s *slots) (Command, bool) {
		return l.transfer(l.indexOf(s.amount), s.account, saveAccount, saveAccount)
	}},
	{pattern: "i|we? move|moved $amount to|into|onto my|the|our? $name", make: func(l *line, s *slots) (Command, bool) {
		return l.ask(WhichAccount), s.amount.amount.yen || s.amount.amount.value > mostBare
	}},
	{pattern: "change|correct|fix|set|update|make|move #|no|receipt? $receipt to|as? $amount|$category|$account|$date", make: correctReceipt},
	{pattern: "change|correct|fix|set|update the? amount|price|category|date|day|account|payment of $receipt to $amount|$category|$account|$date", make: correctReceipt},
	{pattern: "change|correct|fix|set|update the? amount|price|category|date|day|account|payment|payment_method of|for $item to $amount|$category|$account|$date", make: correctItem},
	{pattern: "change|correct|fix|set|update the? category|date|day|account|payment|payment_method to|as $category|$account|$date", make: correctLast},
	{pattern: "category|date|account|amount|price is|was|should_be $category|$account|$date|$amount", make: correctLast},
	{pattern: "change|move|put|set it|that|this to|into|under|in|as $category|$account|$date", make: correctLast},
	{pattern: "change|move|set to $category|$account|$date", make: correctLast},
	{pattern: "$receipt was|is|should_be $amount|$category|$account|$date", make: correctReceipt},
	{pattern: "it|that|this|last was|should_be|is|it's|that's $date", make: correctLast},
	{pattern: "it|that|this|it's|that's|last was|is|should_be paid? $account|$category", make: correctSaid},
	{pattern: "it's|that's $category|$account", make: correctSaid},
	{pattern: "i|we? $account", make: func(l *line, s *slots) (Command, bool) {
		if !strings.Contains(string(l.low), "paid ") {
			return Command{}, false
		}
		return correctLast(l, s)
	}},
	{pattern: "i|we? paid it|that|this? $account", make: correctLast},
	{pattern: "change|correct|fix|update|set|move $item to|into|as $amount|$category|$date", make: correctItem},
	{pattern: "$item is|was|goes_under|goes_in|belongs_to|belongs_in|counts_as|should_be|are $category", make: correctSaidItem},
	{pattern: "$item was|is|should_be paid? $account", make: correctKnown},
	{pattern: "$item was|should_be on? $date", make: correctKnown},
	{pattern: "change|correct|fix $item to|into $name", make: renameKnown},
	{pattern: "it_was|that_was? not $item but|it_was $name", make: renameKnown},
	{pattern: "it_was|that_was $name not|instead_of $item", make: renameKnown},
	{pattern: "change|correct|fix the? item to $name", make: func(l *line, s *slots) (Command, bool) {
		return Command{Kind: Correct, NewItem: s.name}, !notSubjects.has(strings.ToLower(s.name))
	}},
	{pattern: "undo the? undo", make: func(*line, *slots) (Command, bool) { return Command{Kind: Redo}, true }},
	{pattern: "undo|cancel|delete|remove|strike the|my? it|that|this|last|last_one|last_entry|last_record|latest|previous|previous_one|that_one|this_one", make: func(l *line, _ *slots) (Command, bool) {
		l.quiet = !strings.Contains(string(l.low), "undo")
		return Command{Kind: Undo}, true
	}},
	{pattern: "undo|cancel|delete|remove|strike #|number|entry|record? $receipt", make: undoReceipt},
	{pattern: "undo|cancel|delete|remove|strike the|my? $item", make: undoKnown},
	{pattern: "bring_back|put_back|restore|redo $receipt", make: func(_ *line, s *slots) (Command, bool) { return Command{Kind: Redo, Receipt: s.receipt}, true }},
	{pattern: "bring_it_back|put_it_back|restore_it|redo_it|restore_that", make: func(l *line, _ *slots) (Command, bool) {
		l.quiet = true
		return Command{Kind: Redo}, true
	}},

	// What goes from one person to another.
	{pattern: "$date? i|we? gave|sent|send|transferred|transfer|handed|wired|give $amount to $name $date?", make: betweenPeople},
	{pattern: "$date? i|we? gave|sent|handed|wired $name $amount $date?", make: betweenPeople},
	{pattern: "transfer|bank_transfer $amount", make: func(l *line, _ *slots) (Command, bool) { return l.ask(IncomeOrNot), true }},

	// Wallets and accounts.
	{pattern: "i_have|i_have_got|i've_got|there_is|there's|there_are $amount in|left_in my|the? wallet", make: walletHolds},
	{pattern: "my|the? wallet now|currently|today? is|has|holds|contains|balance|balance_is|at|now? $amount $date?", make: walletHolds},
	{pattern: "$date my|the? wallet $amount", make: walletHolds},
	{pattern: "my wallet|wallet_balance", asks: true, make: func(*line, *slots) (Command, bool) {
		return Command{Kind: Query, Query: Balances, Account: ledger.Cash}, true
	}},
	{pattern: "everybody's|everyone's wallet", asks: true, make: func(*line, *slots) (Command, bool) {
		return Command{Kind: Query, Query: Balances, Account: ledger.Cash, Shared: true}, true
	}},
	{pattern: "our|shared|family|joint|the_family|the_shared|everybody's|everyone's wallet is|has|balance? $amount", make: func(l *line, s *slots) (Command, bool) {
		c, ok := walletHolds(l, s)
		c.Shared = c.Kind == Balance
		return c, ok
	}},
	{pattern: "$name 's wallet is|has|balance|now? $amount $date?", make: anothersWallet},
	{pattern: "my? balance of|in|on|for my|the? $account is? $amount $date?", make: accountHolds},
	{pattern: "my|the? $account balance|has|holds|contains|is_at|balance_is|balance_of is|:|now? $amount $date?", make: accountHolds},
	{pattern: "i_have|there_is|there's $amount in|on|left_on|left_in my|the? $account", make: accountHolds},
	{pattern: "what|what's is? the|my? balance|balances of|on|in|for? my|the? $account?", asks: true, make: accountQuery},
	{pattern: "how_much is|do_i_have|do_we_have|money_is|have_i_got|have_we_got left? in|on my|the|our? $account", asks: true, make: accountQuery},
	{pattern: "my|our|list|show|the? accounts|balances|account_list|account_balances", asks: true, make: func(*line, *slots) (Command, bool) {
		return Command{Kind: Query, Query: Balances}, true
	}},
	{pattern: "$name 's wallet balance?", asks: true, make: func(_ *line, s *slots) (Command, bool) {
		return Command{Kind: Query, Query: Balances, Account: ledger.Cash, Owner: s.name}, true
	}},
	{pattern: "share the|our|a|one? wallet|wallets", make: func(*line, *slots) (Command, bool) {
		return Command{Kind: Setting, Setting: "wallet", Value: WalletShared}, true
	}},
	{pattern: "separate|split the|our? wallet|wallets", make: func(*line, *slots) (Command, bool) {
		return Command{Kind: Setting, Setting: "wallet", Value: WalletApart}, true
	}},
	{pattern: "savings|saved $amount", make: func(l *line, s *slots) (Command, bool) { return l.ask(SavedOrHolds), true }},

	// Questions that have their words in another order.
	{pattern: "show|show_me|see|let_me_see|give_me the|my|our? $category spending|expenses|total?", asks: true, make: func(l *line, s *slots) (Command, bool) {
		return Command{Kind: Query, Query: Summary, Category: ledger.Category(s.category), Period: ledger.Month(l.today, 0)}, true
	}},
	{pattern: "show|show_me? what|everything|all did? i|we buy|bought|get|got|spend_on|spend_money_on|pay_for|paid_for|eat on? $when", asks: true, make: listWhen},
	{pattern: "when did i|we last? go_to|have|buy|get|see|visit|eat|do|pay|pay_for the|my|a|an? $item last?", asks: true, make: searchKnown},
	{pattern: "when was the|my|our? last|latest|most_recent $item", asks: true, make: searchKnown},
	{pattern: "monthly|my summary|report", make: func(l *line, _ *slots) (Command, bool) {
		return Command{Kind: Query, Query: Summary, Period: ledger.Month(l.today, 0)}, true
	}},
	{pattern: "is_it|did_i|did_we|have_i|have_we|am_i|are_we|do_we|do_i spend|spent|spending|it? more|less|better|worse than $when", asks: true, make: compareWith},
	{pattern: "how_much money? do_i_have|do_we_have|have_we_got|have_i_got in_total|in_all|altogether|now?", asks: true, make: accountQuery},
	{pattern: "what's|what_is|how_much|how_much_is in my|the wallet", asks: true, make: func(*line, *slots) (Command, bool) {
		return Command{Kind: Query, Query: Balances, Account: ledger.Cash}, true
	}},
	{pattern: "settle_up|who_owes_whom|who_owes_who|who_owes_what|settlement|let's_settle|let's_settle_up", asks: true, make: func(*line, *slots) (Command, bool) {
		return Command{Kind: Settle}, true
	}},
	{pattern: "invite $name to the|our|this? household|family|budget?", make: func(_ *line, s *slots) (Command, bool) {
		return Command{Kind: Order, Command: "invite"}, isPlainName(s.name) && len(strings.Fields(s.name)) <= 2
	}},
	{pattern: "invite $name", make: func(_ *line, s *slots) (Command, bool) {
		return Command{Kind: Order, Command: "invite"}, isPlainName(s.name) && len(strings.Fields(s.name)) == 1
	}},
	{pattern: "can|could|may|do i|you send|read|scan|take|see|understand|post a|an|my|the? photo|photos|picture|pictures|receipt|receipts|image|images", asks: true, make: func(*line, *slots) (Command, bool) {
		return Command{Kind: Remark, Reason: Photos}, true
	}},
	{pattern: "photo|photos|picture|pictures|receipt_photo", asks: true, make: func(l *line, _ *slots) (Command, bool) {
		return Command{Kind: Remark, Reason: Photos}, l.asking
	}},

	// Money that only changes its place.
	{pattern: "$date? i|we? move|moved|transfer|transferred|transfer_of $amount from? my|the? $account to|into|onto|->|=>|→|> my|the? $to $date?", make: moveMoney},
	{pattern: "$date? i|we? move|moved|transfer|transferred from? my|the? $account to|into|onto|->|=>|→|> my|the? $to $amount $date?", make: moveMoney},
	{pattern: "$date? $amount from my|the? $account to|into|onto|->|=>|→|> my|the? $to $date?", make: moveMoney},
	{pattern: "$date? from? my|the? $account to|into|onto|->|=>|→|> my|the? $to $amount $date?", make: moveMoney},
	{pattern: "$date? i|we? move|moved|transfer|transferred|put $amount to|into|onto|in|on my|the? $to from my|the? $account $date?", make: moveMoney},
	{pattern: "$date? i|we? top_up|topped_up|top-up|topup|charge|charged|recharge|recharged|load|loaded|reload|reloaded my|the? $to with|by? $amount from|by|via|using|with? my|the? $account? $date?", make: topUpMoney},
	{pattern: "$date? i|we? top_up|topped_up|top-up|topup|charge|charged|recharge|recharged|load|loaded|add|added|put $amount to|onto|on|into my|the? $to from|by|via|using|with? my|the? $account? $date?", make: topUpMoney},
	{pattern: "$date? $to top_up|top-up|topup|charge|charged|recharge|topped_up $amount from|by|via|using|with? my|the? $account? $date?", make: topUpMoney},
	{pattern: "$date? i|we? withdrew|withdraw|took_out|withdrawn|got_out|cash_withdrawal|withdrawal|atm_withdrawal|withdrawal_of $amount from|at|out_of? the|an|my? atm|$account? $date?", make: withdrawMoney},
	{pattern: "$date? i|we? withdrew|withdraw|took_out $amount in|as? cash|$to from|at? the|an|my? atm|$account? $date?", make: withdrawMoney},
	{pattern: "$date? i|we? deposited|deposit|paid_in $amount in|into|to|at? the|an|my? atm|$to? $date?", make: depositMoney},
	{pattern: "atm $amount", make: func(l *line, _ *slots) (Command, bool) { return l.ask(WhichAccount), true }},
	{pattern: "$date? my|the? credit_card|card|visa|visa_card|mastercard|amex|jcb|debit_card bill|payment|debit|statement $amount $date?", make: func(l *line, _ *slots) (Command, bool) {
		return l.ask(CardDebit), true
	}},

	// What the household has of its own.
	{pattern: "my_name_is|call_me|my_name's|name_me|change_my_name_to|set_my_name_to|change_name_to|set_name_to $name", make: nameMe},
	{pattern: "forget|unlearn the_word|word? $item", make: setting("word-forget")},
	{pattern: "remove|delete $item from the|my? dictionary|words", make: setting("word-forget")},
	{pattern: "dictionary|words|word remove|delete|forget $item", make: setting("word-forget")},
	{pattern: "dictionary|words|word $item remove|delete|forget", make: setting("word-forget")},
	{pattern: "my|our|the|show|list? dictionary|words|taught_words|learned_words|learnt_words|word_list list?", asks: true, make: func(*line, *slots) (Command, bool) {
		return Command{Kind: Query, Query: Words}, true
	}},
	{pattern: "dictionary|teach|learn|remember $item as|is|= $category", make: correctItem},
	{pattern: "dictionary $item $category", make: correctItem},
	{pattern: "category|categories add|new|create $name", make: setting("category-add")},
	{pattern: "add|new|create a|the|new? category $name", make: setting("category-add")},
	{pattern: "category|categories remove|delete $item", make: setting("category-remove")},
	{pattern: "remove|delete the? category $item", make: setting("category-remove")},
	{pattern: "category rename $item to|into|as|->|→ $name", make: setting("category-rename")},
	{pattern: "rename the? category? $item to|into|as|->|→ $name", make: setting("category-rename")},
	{pattern: "rename category $item $name", make: twoWords("category-rename")},
	{pattern: "category rename $item $name", make: twoWords("category-rename")},
	{pattern: "category merge $item to|into|with|and|->|→ $name", make: setting("category-merge")},
	{pattern: "merge the? category|categories? $item to|into|with|and|->|→ $name", make: setting("category-merge")},
	{pattern: "category merge $item $name", make: twoWords("category-merge")},
	{pattern: "merge category|categories $item $name", make: twoWords("category-merge")},
	{pattern: "account add|new|create $name", make: setting("account-add")},
	{pattern: "add|new|create an|a|the? account $name", make: setting("account-add")},
	{pattern: "account remove|delete $item", make: setting("account-remove")},
	{pattern: "remove|delete the? account $item", make: setting("account-remove")},
	{pattern: "category|categories list|all?", asks: true, make: func(*line, *slots) (Command, bool) {
		return Command{Kind: Query, Query: Categories}, true
	}},
}

// listWhen lists the rows of a day or a period.
func listWhen(_ *line, s *slots) (Command, bool) {
	if s.when.fault != "" {
		return Command{}, false
	}
	p := s.when.period
	if s.when.kind == dateSpan {
		p = ledger.Period{From: s.when.date, To: s.when.date}
	}
	return Command{Kind: Query, Query: List, Period: p}, true
}

// searchKnown searches for what the dictionary knows: the rest is talk.
func searchKnown(l *line, s *slots) (Command, bool) {
	return Command{Kind: Query, Query: Search, Item: s.item}, l.knownIn()
}

// compareWith compares this month with the last.
func compareWith(l *line, s *slots) (Command, bool) {
	this := ledger.Month(l.today, 0)
	return Command{Kind: Query, Query: Compare, Period: this}, s.when.kind == periodSpan && s.when.period == ledger.Month(this.From, -1)
}

// correctAmount makes the correction of the last row's amount.
func correctAmount(l *line, s *slots) (Command, bool) {
	c := Command{Kind: Correct}
	return l.newAmount(c, s)
}

// correctPlainly is correctAmount for a sentence that is said to nobody else.
func correctPlainly(l *line, s *slots) (Command, bool) {
	l.explicit = true
	return correctAmount(l, s)
}

func (l *line) newAmount(c Command, s *slots) (Command, bool) {
	if reason := l.unusable(*s.amount); reason != "" {
		return l.ask(reason), true
	}
	if s.amount.amount.sign != 0 {
		return l.ask(NotPositive), true
	}
	c.Amount, c.HasAmount = s.amount.amount.value, true
	if s.old != nil && s.old.fault == "" && s.old.amount.value > 0 {
		c.Old, c.HasOld = s.old.amount.value, true
	}
	return c, true
}

// changed gives the correction what the slots have.
func (l *line) changed(c Command, s *slots) (Command, bool) {
	switch {
	case s.date != nil && s.date.fault != "":
		return l.ask(s.date.fault), true
	case s.amount != nil:
		return l.newAmount(c, s)
	case s.date != nil:
		c.Date = s.date.date
	}
	c.Category, c.Account = ledger.Category(s.category), s.account
	return c, true
}

func correctLast(l *line, s *slots) (Command, bool) { return l.changed(Command{Kind: Correct}, s) }

// betweenPeople asks about money that somebody else has now: a gift, or a member.
func betweenPeople(l *line, s *slots) (Command, bool) {
	const mostWords = 3
	t := newText(s.name)
	if _, known := words().head(&t, 0, len(t.raw)); known || len(strings.Fields(s.name)) > mostWords {
		return Command{}, false
	}
	return l.ask(BetweenPeople), true
}

// correctKnown is correctItem for what the dictionary knows: others may be talk.
func correctKnown(l *line, s *slots) (Command, bool) {
	if !l.knownIn() {
		return Command{}, false
	}
	return correctItem(l, s)
}

// renameKnown gives an item that the dictionary knows another name.
func renameKnown(l *line, s *slots) (Command, bool) {
	t := newText(s.item)
	if _, known := words().head(&t, 0, len(t.raw)); !known || len(strings.Fields(s.name)) > 4 {
		return Command{}, false
	}
	return Command{Kind: Correct, Item: s.item, NewItem: s.name}, true
}

// adjectives are categories that say of other things what they are like.
var adjectives = []string{"special", "social", "medical", "other", "fun", "leisure", "personal care"}

// isDescribing says whether the line ends in one of them: that was special.
func (l *line) isDescribing() bool {
	end := strings.TrimRight(string(l.low), ".! ")
	return slices.ContainsFunc(adjectives, func(word string) bool { return strings.HasSuffix(end, word) })
}

func correctSaid(l *line, s *slots) (Command, bool) {
	if l.isDescribing() {
		return Command{}, false
	}
	return correctLast(l, s)
}

func correctSaidItem(l *line, s *slots) (Command, bool) {
	if l.isDescribing() {
		return Command{}, false
	}
	return correctItem(l, s)
}

// correctReceipt makes the correction of a receipt. A bare number may be an old
// amount where another follows: 900 is 950.
func correctReceipt(l *line, s *slots) (Command, bool) {
	c, ok := l.changed(Command{Kind: Correct, Receipt: s.receipt}, s)
	n := frontNumber{id: s.receipt, row: strings.Contains(s.receipt, "-"), named: strings.ContainsRune(string(l.low), '#') || l.saysReceipt()}
	if (c.HasAmount || c.Account != "") && n.mayBeAmount() {
		c = l.ask(MaybeCorrect)
		c.Receipt, c.Choices = s.receipt, nil
	}
	l.explicit = n.named
	return c, ok
}

func (l *line) saysReceipt() bool {
	return strings.Contains(string(l.low), "receipt ") || strings.Contains(string(l.low), "#") || strings.Contains(string(l.low), "no.") || strings.Contains(string(l.low), "no ")
}

// notSubjects are no item of which somebody says to which category it belongs.
var notSubjects = wordSet("in in_the in_my my the is at to from back of for and it it's that this they me him her them us about these those he she who what there here everything life all which today yesterday i we you not you're i'm")

func correctItem(l *line, s *slots) (Command, bool) {
	const mostWords = 4
	item := strings.ToLower(s.item)
	if l.marked(budgetWord, wallet, balanceWord) != nil || notSubjects.has(item) || len(strings.Fields(item)) > mostWords || l.isCategoryName(s.item) && s.category != "" {
		return Command{}, false
	}
	return l.changed(Command{Kind: Correct, Item: s.item}, s)
}

func undoReceipt(_ *line, s *slots) (Command, bool) {
	return Command{Kind: Undo, Receipt: s.receipt}, true
}

// notUndone are taken back in other ways.
var notUndone = []string{"budget", "category", "account", "word", "list", "reservation", "booking", "subscription", "app", "fee"}

// undoKnown takes back what a word of the dictionary names: anything else may be
// talk.
func undoKnown(l *line, s *slots) (Command, bool) {
	low := strings.ToLower(s.item)
	if slices.ContainsFunc(notUndone, func(w string) bool { return strings.Contains(low, w) }) || !l.knownIn() {
		return Command{}, false
	}
	return Command{Kind: Undo, Item: s.item}, true
}

func walletHolds(l *line, s *slots) (Command, bool) {
	return l.statedOn(s, "")
}

func (l *line) statedOn(s *slots, account string) (Command, bool) {
	c, ok := l.stated(*s.amount, account)
	if s.date != nil && c.Kind == Balance {
		c.Date = s.date.date
	}
	return c, ok
}

func anothersWallet(l *line, s *slots) (Command, bool) {
	c := l.ask(WhoseWallet)
	c.Owner, c.Item = s.name, ""
	return c, s.amount.fault == ""
}

func accountHolds(l *line, s *slots) (Command, bool) {
	if s.account == ledger.Cash {
		s.account = ""
	}
	return l.statedOn(s, s.account)
}

func accountQuery(_ *line, s *slots) (Command, bool) {
	return Command{Kind: Query, Query: Balances, Account: s.account}, true
}

func moveMoney(l *line, s *slots) (Command, bool) {
	if s.account == s.to {
		return l.ask(WhichAccount), true
	}
	item := "振替"
	switch {
	case isBank(s.account) && s.to == ledger.Cash:
		item = "引き出し"
	case isBank(s.to) && s.account == ledger.Cash:
		item = "預け入れ"
	}
	return l.transfer(l.indexOf(s.amount), s.account, s.to, item)
}

func topUpMoney(l *line, s *slots) (Command, bool) {
	switch {
	case isBank(s.to), s.to == ledger.Cash, s.to == "カード", s.to == s.account:
		return l.ask(WhichAccount), true
	}
	return l.transfer(l.indexOf(s.amount), s.account, s.to, s.to+"チャージ")
}

func withdrawMoney(l *line, s *slots) (Command, bool) {
	from := s.account
	if s.to != "" && s.to != ledger.Cash {
		return Command{}, false
	}
	if from == "" || from == ledger.Cash {
		from = bankAccount
	}
	return l.transfer(l.indexOf(s.amount), from, ledger.Cash, "引き出し")
}

func depositMoney(l *line, s *slots) (Command, bool) {
	to := s.to
	if to == "" {
		to = bankAccount
	}
	if to == ledger.Cash {
		return l.ask(WhichAccount), true
	}
	return l.transfer(l.indexOf(s.amount), ledger.Cash, to, "預け入れ")
}

func nameMe(_ *line, s *slots) (Command, bool) {
	const mostWords = 3
	name := trimName(s.name)
	if !isPlainName(name) || len(strings.Fields(name)) > mostWords || notNames.has(strings.ToLower(strings.Fields(name + " x")[0])) {
		return Command{}, false
	}
	return Command{Kind: Setting, Setting: "name", Value: name}, true
}

// notNames follow call me in talk.
var notNames = wordSet("when if later back at on in tomorrow today tonight asap a an the crazy maybe now after before again please")

// setting makes the order of that name about the item and the new name.
func setting(name string) func(*line, *slots) (Command, bool) {
	return func(l *line, s *slots) (Command, bool) {
		switch {
		case name == "word-forget" && (notSubjects.has(strings.ToLower(s.item)) || strings.HasPrefix(strings.ToLower(s.item), "about ")):
			return Command{}, false
		case l.hasYen():
			return l.askCommand(), true
		}
		c := Command{Kind: Setting, Setting: name, Item: s.item, Value: s.name}
		if strings.HasPrefix(name, "category") {
			c.Item = ownOrBuiltIn(s.item)
			if name != "category-add" {
				c.Value = ownOrBuiltIn(s.name)
			}
			if name == "category-rename" && c.Value != s.name {
				return l.askCommand(), true // that would merge the two
			}
		}
		return c, true
	}
}

// twoWords is setting for a sentence in which a single word is called by another.
func twoWords(name string) func(*line, *slots) (Command, bool) {
	return func(l *line, s *slots) (Command, bool) {
		if strings.Contains(s.item, " ") || strings.Contains(s.name, " ") {
			return l.askCommand(), true
		}
		return setting(name)(l, s)
	}
}

// ownOrBuiltIn gives the built-in category whose English name the word is, or the
// word itself.
func ownOrBuiltIn(word string) string {
	for i := range englishCategories {
		if strings.EqualFold(englishCategories[i].name, word) {
			return string(englishCategories[i].category)
		}
	}
	return word
}
