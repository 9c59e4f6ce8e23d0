package bot

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
)

// choicesBecause is the table of what makes the choices for each reason to ask that a tap
// can settle. It is a function because some of these read texts again.
func choicesBecause() map[grammar.Reason]func(*turn, *grammar.Command) ([]choice, error) {
	return map[grammar.Reason]func(*turn, *grammar.Command) ([]choice, error){
		grammar.AmountOnly:    (*turn).chooseCategory,
		grammar.ItemOnly:      (*turn).chooseUsualAmount,
		grammar.AccountOnly:   plainly(chooseUse),
		grammar.TwoAmounts:    plainly(chooseAmount),
		grammar.GluedNumber:   plainly(chooseAmount),
		grammar.Change:        plainly(chooseAmount),
		grammar.Discount:      plainly(chooseAmount),
		grammar.BadGrouping:   plainly(chooseReading),
		grammar.Decimal:       plainly(chooseReading),
		grammar.LetterDigit:   plainly(chooseReading),
		grammar.LeadingZero:   plainly(chooseReading),
		grammar.NotPositive:   plainly(chooseDirection),
		grammar.BeforeTax:     plainly(chooseTax),
		grammar.NoSuchDate:    (*turn).chooseRealDay,
		grammar.NoDay:         (*turn).chooseDayOfPeriod,
		grammar.VagueDate:     (*turn).chooseRecentDay,
		grammar.NotARow:       (*turn).chooseRecord,
		grammar.MaybeCorrect:  plainly(chooseNew),
		grammar.IncomeOrNot:   plainly(chooseIncome),
		grammar.BetweenPeople: plainly(chooseGiver),
		grammar.WhichAccount:  (*turn).chooseAccounts,
		grammar.CardDebit:     plainly(chooseDebit),
		grammar.WalletOrItem:  plainly(chooseWallet),
		grammar.WhichBalance:  (*turn).chooseBalance,
		grammar.PutOrHolds:    plainly(choosePut),
		grammar.SavedOrHolds:  plainly(chooseSaved),
		grammar.HowManyPeople: plainly(choosePeople),
		grammar.SplitWhat:     (*turn).chooseWhatWasSplit,
	}
}

// plainly is for choices that need nothing but the command.
func plainly(choices func(*grammar.Command) []choice) func(*turn, *grammar.Command) ([]choice, error) {
	return func(_ *turn, c *grammar.Command) ([]choice, error) { return choices(c), nil }
}

// retyped writes a message about what the command is about: day, words, account.
func retyped(c *grammar.Command, words ...string) string {
	return spaced(c.Date.String(), spaced(words...), unlessCash(c.Account))
}

// oneRow says whether the command is to record one row of the amount, on the day and
// account of the other command if that names them.
func oneRow(c *grammar.Command, amount ledger.Yen) func(*grammar.Command) bool {
	date, account := c.Date, cmp.Or(c.Account, ledger.Cash)
	return func(read *grammar.Command) bool {
		if read.Kind != grammar.Record || len(read.Entries) != 1 || len(read.Unread) > 0 {
			return false
		}
		e := &read.Entries[0]
		return e.Amount == amount && e.Total == 0 && (date == 0 || e.Date == date) &&
			(e.Type == ledger.Transfer || cmp.Or(e.Account, ledger.Cash) == account)
	}
}

// typed says whether the command fits and is to record a row of the type.
func typed(fits func(*grammar.Command) bool, rowType ledger.RowType) func(*grammar.Command) bool {
	return func(read *grammar.Command) bool { return fits(read) && read.Entries[0].Type == rowType }
}

// states says whether the command states the balance of the account.
func states(c *grammar.Command, account string) func(*grammar.Command) bool {
	amount, date := c.Amount, c.Date
	return func(read *grammar.Command) bool {
		return read.Kind == grammar.Balance && read.Amount == amount && read.Date == date && read.Owner == "" &&
			cmp.Or(read.Account, ledger.Cash) == cmp.Or(account, ledger.Cash)
	}
}

// moves says whether the command moves the amount between the accounts; from "" is a
// source that is left open.
func moves(c *grammar.Command, from, to string) func(*grammar.Command) bool {
	amount, date := c.Amount, c.Date
	return func(read *grammar.Command) bool {
		if read.Kind != grammar.Record || len(read.Entries) != 1 {
			return false
		}
		e := &read.Entries[0]
		source := cmp.Or(e.Account, ledger.Cash)
		if e.OpenSource {
			source = ""
		}
		return e.Type == ledger.Transfer && e.Amount == amount && (date == 0 || e.Date == date) &&
			source == from && cmp.Or(e.ToAccount, ledger.Cash) == to
	}
}

func chooseAmount(c *grammar.Command) (choices []choice) {
	if c.Item == "" {
		return nil
	}
	for _, amount := range c.Choices {
		choices = append(choices, choice{label: yenLabel(amount), text: retyped(c, c.Item, typedYen(amount)), fits: oneRow(c, amount)})
	}
	return choices
}

// How many categories an amount alone is offered, beside income and その他.
const fewerCategories = 9

// chooseCategory offers to record an amount alone under the name of a category. The
// household's own categories come first.
func (t *turn) chooseCategory(c *grammar.Command) (choices []choice, err error) {
	if !c.HasAmount || c.Amount < 1 {
		return nil, nil
	}
	categories, err := t.spendingCategories()
	for _, category := range categories {
		fits := typed(oneRow(c, c.Amount), ledger.Expense)
		choices = append(choices, choice{label: categoryLabel(category), text: retyped(c, category, typedYen(c.Amount)), fits: fits})
	}
	income := typed(oneRow(c, c.Amount), ledger.Income)
	return append(choices, choice{label: incomeLabel, text: retyped(c, incomeLabel.ja, typedYen(c.Amount)), fits: income}), err
}

// spendingCategories gives the names of some categories, その他 at the end.
func (t *turn) spendingCategories() (names []string, err error) {
	categories, err := t.tx.Categories()
	all := categories.All()
	slices.SortStableFunc(all, func(a, b ledger.Category) int { return builtIn(a) - builtIn(b) })
	other := string(categories.Of(ledger.Other))
	for _, category := range all {
		if string(category) != other && len(names) < fewerCategories {
			names = append(names, string(category))
		}
	}
	return append(names, other), err
}

func builtIn(c ledger.Category) int {
	if slices.Contains(ledger.Categories, c) {
		return 1
	}
	return 0
}

// chooseUsualAmount offers what was paid for the item lately.
func (t *turn) chooseUsualAmount(c *grammar.Command) (choices []choice, err error) {
	rows, err := t.rowsLike(c.Item)
	for _, row := range slices.Backward(rows) {
		like := func(c choice) bool { return c.label == yenLabel(row.Amount) }
		if len(choices) < usualAmounts && !slices.ContainsFunc(choices, like) {
			fits := typed(oneRow(c, row.Amount), row.Type)
			choices = append(choices, choice{label: yenLabel(row.Amount), text: retyped(c, c.Item, typedYen(row.Amount)), fits: fits})
		}
	}
	return choices, err
}

const usualAmounts = 3

// chooseUse asks what an account with an amount is: what it holds, what was bought, or
// what was put in.
func chooseUse(c *grammar.Command) (choices []choice) {
	if !c.HasAmount || c.Amount < 1 {
		return nil
	}
	amount := typedYen(c.Amount)
	words := c.Account + "残高"
	if cmp.Or(c.Account, ledger.Cash) == ledger.Cash {
		words = wallet
	}
	choices = append(choices, choice{balanceLabel, spaced(c.Date.String(), words, amount), "残高です", states(c, c.Account)})
	again := func(read *grammar.Command) bool {
		return read.Kind == grammar.Ask && read.Reason == grammar.AccountOnly
	}
	account := cmp.Or(c.Account, ledger.Cash)
	choices = append(choices, choice{boughtLabel, spaced(c.Date.String(), amount, account), "買った 買いました 支払い", again})
	if account != ledger.Cash {
		put := spaced(c.Date.String(), account+"チャージ", amount)
		deposit := spaced(c.Date.String(), account+"に預けた", amount)
		choices = append(choices, choice{putLabel, put, "入れた チャージ 入金", moves(c, "", account)},
			choice{putLabel, deposit, "入れた 預けた 入金", moves(c, ledger.Cash, account)})
	}
	return choices
}

// mistyped finds numbers that are written wrongly.
var mistyped = regexp.MustCompile(`[0-9０-９][0-9０-９OoＯｏlIｌＩ,，、.．]*`)

// chooseReading offers what a number that is written wrongly may be, in its place.
func chooseReading(c *grammar.Command) (choices []choice) {
	var found []int
	for _, at := range mistyped.FindAllStringIndex(c.Text, -1) {
		if number := narrow(c.Text[at[0]:at[1]]); len(readings(c.Reason, number)) > 0 {
			if found != nil {
				return nil
			}
			found = at
		}
	}
	if found == nil {
		return nil
	}
	for _, amount := range readings(c.Reason, narrow(c.Text[found[0]:found[1]])) {
		corrected := c.Text[:found[0]] + typedYen(amount) + strings.TrimPrefix(c.Text[found[1]:], "円")
		row := oneRow(&grammar.Command{Date: c.Date, Account: c.Account}, amount)
		fits := func(read *grammar.Command) bool {
			return row(read) || read.Kind == grammar.Balance && read.Amount == amount
		}
		choices = append(choices, choice{label: yenLabel(amount), text: corrected, fits: fits})
	}
	return choices
}

// narrow writes the number in ASCII.
func narrow(number string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '！' && r <= '～':
			return r - '！' + '!'
		case r == '、':
			return ','
		}
		return r
	}, number)
}

// readings gives the amounts that such a number is plausibly meant for.
func readings(reason grammar.Reason, number string) []ledger.Yen {
	joined, short := rewritten(reason, strings.Trim(number, ",."))
	n, err := strconv.Atoi(joined)
	amount := ledger.Yen(n)
	if err != nil || amount < 1 || amount > ledger.MaxAmount {
		return nil
	}
	amounts := []ledger.Yen{amount}
	for range max(short, 0) {
		amount *= 10
	}
	if short > 0 && amount <= ledger.MaxAmount {
		amounts = append(amounts, amount)
	}
	return amounts
}

// rewritten gives the digits of a number that is wrong for the reason, "" if it is not,
// and how many of them its last group lacks.
func rewritten(reason grammar.Reason, number string) (digits string, short int) {
	switch reason {
	case grammar.BadGrouping:
		last := strings.LastIndex(number, ",")
		if last < 0 || strings.ContainsAny(number, ".") {
			return "", 0
		}
		return strings.ReplaceAll(number, ",", ""), 3 - len(number[last+1:])
	case grammar.Decimal:
		whole, thousands, ok := strings.Cut(number, ".")
		if !ok || len(thousands) != 3 || len(whole) > 3 {
			return "", 0
		}
		return whole + thousands, 0
	case grammar.LetterDigit:
		digits = strings.NewReplacer("O", "0", "o", "0", "l", "1", "I", "1", ",", "").Replace(number)
		if digits == number {
			return "", 0
		}
		return digits, 0
	case grammar.LeadingZero:
		if digits = strings.ReplaceAll(number, ",", ""); !strings.HasPrefix(digits, "0") {
			return "", 0
		}
		return digits, 0
	}
	return "", 0
}

// chooseDirection asks which way an amount with a minus went.
func chooseDirection(c *grammar.Command) []choice {
	if c.Item == "" || c.Amount < 1 {
		return nil
	}
	return []choice{
		{refundedLabel, retyped(c, c.Item, "返金", typedYen(c.Amount)), "返金 返ってきた", typed(oneRow(c, c.Amount), ledger.Refund)},
		{spentLabel, retyped(c, c.Item, typedYen(c.Amount)), "支出 払った 出た", typed(oneRow(c, c.Amount), ledger.Expense)},
	}
}

// price finds the amounts of a text that are no percentage.
var price = regexp.MustCompile(`([0-9０-９][0-9０-９,，]*)(\s*[%％])?`)

func onlyPrice(text string) (ledger.Yen, bool) {
	var prices []ledger.Yen
	for _, m := range price.FindAllStringSubmatch(text, -1) {
		n, err := strconv.Atoi(strings.ReplaceAll(narrow(m[1]), ",", ""))
		if m[2] == "" && err == nil {
			prices = append(prices, ledger.Yen(n))
		}
	}
	if len(prices) != 1 || prices[0] < 1 || prices[0] > ledger.MaxAmount {
		return 0, false
	}
	return prices[0], true
}

// chooseTax offers the price with either rate of tax, whole yen as tills count, and as
// it is.
func chooseTax(c *grammar.Command) (choices []choice) {
	before, ok := onlyPrice(c.Text)
	if !ok || c.Item == "" {
		return nil
	}
	for _, rate := range []ledger.Yen{8, 10, 0} {
		amount := before + before*rate/100
		choices = append(choices, choice{taxLabel(int(rate), amount), retyped(c, c.Item, typedYen(amount)), typedYen(amount), oneRow(c, amount)})
	}
	return choices
}

// onDays offers the days for the item and amount of the command.
func (t *turn) onDays(c *grammar.Command, item string, days ...ledger.Date) (choices []choice) {
	if item == "" || !c.HasAmount || c.Amount < 1 {
		return nil
	}
	for _, day := range days {
		on := *c
		on.Date = day
		label := t.dayLabel(day)
		if !slices.ContainsFunc(choices, func(c choice) bool { return c.label == label }) {
			choices = append(choices, choice{label, retyped(&on, item, typedYen(c.Amount)), day.String(), oneRow(&on, c.Amount)})
		}
	}
	return choices
}

func (t *turn) dayLabel(day ledger.Date) Phrase {
	switch day {
	case t.today:
		return todayLabel
	case t.today.AddDays(-1):
		return yesterdayLabel
	}
	return both(func(v Voice) string { return strings.TrimSpace(v.dayName(day, t.today)) })
}

var monthDay = regexp.MustCompile(`([0-9０-９]{1,2})([/／月])([0-9０-９]{1,2})`)

// chooseRealDay offers the last day of a month for a day that it does not have.
func (t *turn) chooseRealDay(c *grammar.Command) ([]choice, error) {
	found := monthDay.FindAllStringSubmatchIndex(c.Text, -1)
	if len(found) != 1 || !c.HasAmount {
		return nil, nil
	}
	day := found[0][6:8]
	for last := 31; last >= 28; last-- {
		read := t.parse(c.Text[:day[0]]+strconv.Itoa(last)+c.Text[day[1]:], t.at)
		if len(read.Entries) == 1 && oneRow(&grammar.Command{Account: c.Account}, c.Amount)(&read) {
			return t.onDays(c, read.Entries[0].Item, read.Entries[0].Date), nil
		}
	}
	return nil, nil
}

// leadingPeriod is a period in front of an item.
var leadingPeriod = regexp.MustCompile(`^((?:[0-9０-９]{2,4}年)?[0-9０-９]{1,2}月|[今先来][週月]|再来月|先々月|今年|去年|来年)の?\s*`)

// chooseDayOfPeriod offers days of the period that stands instead of a day.
func (t *turn) chooseDayOfPeriod(c *grammar.Command) ([]choice, error) {
	m := leadingPeriod.FindStringSubmatch(c.Item)
	if m == nil {
		return nil, nil
	}
	period := t.parse(m[1]+"の一覧", t.at).Period
	if period == (ledger.Period{}) {
		return nil, nil
	}
	var days []ledger.Date
	for _, day := range []ledger.Date{t.today, t.today.AddDays(-1), period.From, period.To} {
		if period.Contains(day) && (day <= t.today || period.From > t.today) {
			days = append(days, day)
		}
	}
	return t.onDays(c, strings.TrimPrefix(c.Item, m[0]), days...), nil
}

func (t *turn) chooseRecentDay(c *grammar.Command) ([]choice, error) {
	return t.onDays(c, c.Item, t.today, t.today.AddDays(-1), t.today.AddDays(-2), ledger.Month(t.today, 0).From), nil
}

// chooseRecord offers to record what was said in talk, if it names plainly what and how
// much. In a group people talk to each other.
func (t *turn) chooseRecord(c *grammar.Command) ([]choice, error) {
	item := t.plainItem(c.Item)
	if !t.message.Direct || !c.HasAmount || item == "" {
		return nil, nil
	}
	return []choice{{recordLabel, retyped(c, item, typedYen(c.Amount)), "記録して つけて 記録", oneRow(c, c.Amount)}}, nil
}

// plainItem gives the words in front that name something, "" if there are none.
func (t *turn) plainItem(item string) string {
	words := strings.Fields(item)
	for n := len(words); n > 0; n-- {
		plain := strings.Join(words[:n], " ")
		if c := t.parse(plain, t.at); c.Kind == grammar.Ask && c.Reason == grammar.ItemOnly && grammar.Key(c.Item) == grammar.Key(plain) {
			return plain
		}
	}
	if len(words) == 1 && !endsLikeTalk(item) {
		return item
	}
	return ""
}

// endsLikeTalk says whether the last of the text is no noun, as far as the script tells.
func endsLikeTalk(text string) bool {
	runes := []rune(text)
	last := runes[len(runes)-1]
	return last >= 'ぁ' && last <= 'ゖ'
}

func chooseNew(c *grammar.Command) []choice {
	if !c.HasAmount || c.Item == "" {
		return nil
	}
	return []choice{{newLabel, retyped(c, c.Item, typedYen(c.Amount)), "新しい記録 新規", oneRow(c, c.Amount)}}
}

// chooseIncome asks which way the money went. Where the item can't say that, the row is
// called after its category.
func chooseIncome(c *grammar.Command) []choice {
	if !c.HasAmount || c.Amount < 1 {
		return nil
	}
	in, out := typed(oneRow(c, c.Amount), ledger.Income), typed(oneRow(c, c.Amount), ledger.Expense)
	amount, got, gave := typedYen(c.Amount), "もらった 入った 収入 入ってきた", "あげた 渡した 払った 出た 支出"
	return []choice{
		{gotLabel, retyped(c, "+"+amount, c.Item), got, in},
		{gotLabel, retyped(c, incomeLabel.ja, amount), got, in},
		{gaveLabel, retyped(c, c.Item, "あげた", amount), gave, out},
		{gaveLabel, retyped(c, string(ledger.Other), amount), gave, out},
	}
}

// chooseGiver asks whether somebody gave or got the money. Between members it is no
// expense.
func chooseGiver(c *grammar.Command) []choice {
	if c.Owner != "" || c.Item == "" {
		return nil
	}
	return chooseIncome(c)
}
