package bot

import (
	"regexp"
	"strconv"
	"strings"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
)

// This file has what questions say where the words of the message are known, and the
// labels of the buttons under them.

// unclearAbout asks about {what} was understood, with an {example} of the person's own
// words. Where that can't be made, unclearBecause has a sentence.
var unclearAbout = map[grammar.Reason]Phrase{
	grammar.AmountOnly:    {"{what}は、何のお金ですか？「{example}」のように送るか、品名だけを送ってください。", "What was {what} for? Send it like “{example}”, or just the item."},
	grammar.ItemOnly:      {"{what}は、いくらでしたか？「{example}」のように送るか、金額だけを送ってください。", "How much was it: {what}? Send it like “{example}”, or just the amount."},
	grammar.AccountOnly:   {"{what}は、残高ですか、買ったものですか？買ったものなら「{example}」のように送るか、品名だけを送ってください。", "Is {what} a balance, or something you bought? If you bought something, send it like “{example}”, or just the item."},
	grammar.TwoAmounts:    {"{what}の金額は、どれですか？「{example}」のように送るか、払った金額だけを送ってください。", "Which one is the amount of {what}? Send it like “{example}”, or just the amount you paid."},
	grammar.BadGrouping:   {"{what}の金額の「,」の位置がわかりませんでした。「{example}」のように送るか、金額だけを送ってください。", "I can’t tell where the comma in the amount of {what} belongs. Send it like “{example}”, or just the amount."},
	grammar.Decimal:       {"{what}の金額の小数が読めませんでした。「{example}」のように、円の単位で送ってください。", "I can’t read the decimal point in the amount of {what}. Send whole yen, like “{example}”."},
	grammar.LetterDigit:   {"{what}の金額に、数字ではない文字がまじっているようです。「{example}」のように、数字だけで送ってください。", "There seems to be a letter in the amount of {what}. Send digits only, like “{example}”."},
	grammar.LeadingZero:   {"{what}の金額が0で始まっていて、読めませんでした。「{example}」のように送ってください。", "I can’t read the amount of {what}, because it begins with 0. Send it like “{example}”."},
	grammar.ForeignMoney:  {"外国のお金は記録できません。{what}は円でいくらでしたか？「{example}」のように送ってください。", "I can’t record foreign money. How much was it in yen: {what}? Send it like “{example}”."},
	grammar.VagueAmount:   {"{what}は、ちょうどいくらでしたか？「{example}」のように、決まった金額を送ってください。", "Exactly how much was it: {what}? Send one exact amount, like “{example}”."},
	grammar.UnclearNumber: {"{what}の金額が、どれかわかりませんでした。「{example}」のように送ってください。", "I can’t tell which one is the amount of {what}. Send it like “{example}”."},
	grammar.BeforeTax:     {"{what}は、税込みでいくらでしたか？「{example}」のように、払った金額を送ってください。", "How much was it with tax: {what}? Send what you paid, like “{example}”."},
	grammar.Discount:      {"{what}は、割引のあと、いくらでしたか？「{example}」のように、払った金額を送ってください。", "How much was it after the discount: {what}? Send what you paid, like “{example}”."},
	grammar.Change:        {"{what}は、おつりを引くと、いくらでしたか？「{example}」のように、払った金額を送ってください。", "How much was it without the change you got back: {what}? Send what you paid, like “{example}”."},
	grammar.NoDay:         {"{what}は、何日のことですか？「{example}」のように送るか、日付だけを送ってください。", "Which day was it: {what}? Send it like “{example}”, or just the date."},
	grammar.VagueDate:     {"{what}は、いつのことですか？「{example}」のように送るか、日付だけを送ってください。", "When was it: {what}? Send it like “{example}”, or just the date."},
	grammar.NoSuchDate:    {"その日付はありません。{what}は、いつのことですか？「{example}」のように送るか、日付だけを送ってください。", "There is no such date. When was it: {what}? Send it like “{example}”, or just the date."},
	grammar.NotARow:       {"{what}を家計簿につけますか？つけるなら「{example}」のように送ってください。", "Shall I record {what}? If so, send it like “{example}”."},
	grammar.IncomeOrNot:   {"{what}は、入ったお金ですか、出たお金ですか？入ったお金なら「{example}」のように送ってください。", "Did this money come in or go out: {what}? If it came in, send it like “{example}”."},
	grammar.HowManyPeople: {"{what}は、何人で割りますか？「{example}」のように送るか、人数だけを送ってください。", "How many people split it: {what}? Send it like “{example}”, or just the number of people."},
	grammar.WhichAccount:  {"{what}は、どこからどこへのお金ですか？「{example}」のように送ってください。", "From where to where did it go: {what}? Send it like “{example}”."},
}

// boughtWith asks what was bought, where it can be nothing else.
var boughtWith = Phrase{"{what}は、何を買ったお金ですか？「{example}」のように送るか、品名だけを送ってください。", "What did you buy for {what}? Send it like “{example}”, or just the item."}

// toppedUpWhat asks what was topped up.
var toppedUpWhat = Phrase{"{what}は、何に入れましたか？「{example}」のように送るか、名前だけを送ってください。", "What did you top up: {what}? Send it like “{example}”, or just the name."}

// orHalf is what a group is not told: half a record is talk there.
var (
	orHalf        = regexp.MustCompile(`送るか、[^「」]*だけを送ってください`)
	orHalfEnglish = regexp.MustCompile(`, or just [^.“”]*\.`)
)

// wholeOnly asks without it.
func (v Voice) wholeOnly(sentence string) string {
	if v == English {
		return orHalfEnglish.ReplaceAllString(sentence, ".")
	}
	return orHalf.ReplaceAllString(sentence, "送ってください")
}

// askedSentence puts the words into such a sentence.
func (v Voice) askedSentence(sentence, what, example string) string {
	return strings.NewReplacer("{what}", what, "{example}", example).Replace(sentence) + "\n" + v.text(notRecorded)
}

// inWords says what the command is about, and gives an example of how to say it whole.
func (t *turn) inWords(c *grammar.Command) (what, example string) {
	amount := digits(c.Amount)
	switch c.Reason {
	case grammar.AmountOnly, grammar.AccountOnly:
		if !c.HasAmount || c.Amount < 1 {
			return "", ""
		}
		if what = t.yen(c.Amount); c.Account != "" {
			what = t.say("%sの%s", "%[2]s (%[1]s)", t.place(c.Account), what)
		}
		return t.dayName(c.Date, cmpDate(c.Date, t.today)) + what, spaced(t.exampleItem(c.Amount), amount, t.typedAccount(c.Account))
	case grammar.NoDay, grammar.VagueDate, grammar.NoSuchDate:
		item := strings.TrimPrefix(c.Item, leadingPeriod.FindString(c.Item))
		return item, spaced(shortDate(t.today, t.today), item, amount)
	case grammar.NotARow:
		item := t.plainItem(c.Item)
		return item, spaced(item, amount)
	case grammar.IncomeOrNot:
		return spaced(c.Item, t.yen(c.Amount)), spaced("+"+amount, c.Item)
	case grammar.HowManyPeople:
		item := strings.TrimSuffix(c.Item, " 家族")
		return item, spaced(item, amount, t.say("4人で割り勘", "split 4"))
	case grammar.WhichAccount:
		if c.Item == topUp {
			return spaced(c.Item, t.yen(c.Amount)), t.say("Suicaチャージ %s", "top up suica %s", amount)
		}
		return spaced(c.Item, t.yen(c.Amount)), t.say("銀行から財布に%s円", "move %s from bank to wallet", amount)
	}
	if c.Reason == grammar.ItemOnly {
		what = t.dayName(c.Date, cmpDate(c.Date, t.today))
	}
	return what + c.Item, spaced(c.Item, t.exampleAmount(c))
}

// cmpDate lets a day that was not named go without saying.
func cmpDate(day, today ledger.Date) ledger.Date {
	if day == 0 {
		return day
	}
	return today
}

func digits(amount ledger.Yen) string { return strconv.FormatInt(int64(amount), 10) }

// exampleItem is something that may cost so much.
func (v Voice) exampleItem(amount ledger.Yen) string {
	switch {
	case amount < 300:
		return v.say("お茶", "tea")
	case amount < 2000:
		return v.say("ランチ", "lunch")
	case amount < 10000:
		return v.say("スーパー", "groceries")
	case amount < 50000:
		return v.say("シャツ", "shirt")
	}
	return v.say("家賃", "rent")
}

// typedAccount is the word for an account behind an amount; "" stays so.
func (v Voice) typedAccount(name string) string {
	switch {
	case name == "" || v == Japanese:
		return name
	case name == ledger.Cash:
		return v.say(ledger.Cash, "cash")
	}
	return v.place(name)
}

// usually is an amount that fits the category, for examples.
var usually = map[ledger.Category]string{
	ledger.Category("住居"): "80000", ledger.Category("光熱費"): "8000", ledger.Category("通信費"): "4000", ledger.Category("保険"): "5000",
	ledger.Category("教育"): "10000", ledger.Category("衣服"): "3000", ledger.Category("家具・家電"): "20000", ledger.Category("車"): "5000",
	ledger.Category("医療費"): "1500", ledger.Category("美容"): "5000", ledger.Category("交通費"): "320", ledger.Pay: "250000",
}

// Labels.

var (
	incomeLabel    = Phrase{"収入", "Income"}
	balanceLabel   = Phrase{"残高", "balance"}
	boughtLabel    = Phrase{"買ったもの", "bought"}
	putLabel       = Phrase{"入れたお金", "put in"}
	refundedLabel  = Phrase{"返ってきたお金", "came back"}
	spentLabel     = Phrase{"出たお金", "went out"}
	gotLabel       = Phrase{"入ったお金", "came in"}
	gaveLabel      = Phrase{"出たお金", "went out"}
	todayLabel     = Phrase{"今日", "today"}
	yesterdayLabel = Phrase{"昨日", "yesterday"}
	recordLabel    = Phrase{"記録する", "record it"}
	newLabel       = Phrase{"新しく記録", "new entry"}
	debitLabel     = Phrase{"振替として記録", "record as moved"}
	notLabel       = Phrase{"記録しない", "don’t record"}
	fromBankLabel  = Phrase{"銀行から入れた", "put in from bank"}
	savedLabel     = Phrase{"いまためた", "saved just now"}
	familyLabel    = Phrase{"家族で", "family"}
	friendsLabel   = Phrase{"友人と", "friends"}
)

func yenLabel(amount ledger.Yen) Phrase {
	return both(func(v Voice) string { return v.yen(amount) })
}

// withYen is the label with an amount.
func withYen(label Phrase, amount ledger.Yen) Phrase {
	return both(func(v Voice) string { return v.text(label) + " " + v.yen(amount) })
}

func categoryLabel(c string) Phrase {
	return both(func(v Voice) string { return v.category(ledger.Category(c)) })
}

func accountLabel(name string) Phrase {
	return both(func(v Voice) string { return v.place(name) })
}

func wayLabel(from, to string) Phrase {
	return both(func(v Voice) string { return v.place(from) + "→" + v.place(to) })
}

func peopleLabel(n int) Phrase {
	return both(func(v Voice) string { return v.say("%d人", "%d people", n) })
}

func taxLabel(rate int, amount ledger.Yen) Phrase {
	return both(func(v Voice) string {
		if rate == 0 {
			return v.say("そのまま %s", "as is %s", v.yen(amount))
		}
		return v.say("%d%%込み %s", "+%d%% %s", rate, v.yen(amount))
	})
}

// choiceButton offers the choice. What it shows in the chat says all where the label
// is only an amount.
func (v Voice) choiceButton(c choice, operation string) Button {
	label := v.text(c.label)
	shown := label
	if strings.HasSuffix(c.label.ja, "円") && !strings.Contains(c.label.ja, " ") {
		shown = v.shownYen(c.text)
	}
	return Button{Label: label, Text: shown, Tap: operation + ":" + c.text}
}

// writtenYen finds the amounts in the text of a choice.
var writtenYen = regexp.MustCompile(`([0-9,]+)円`)

// shownYen writes the amounts in a text as the voice does.
func (v Voice) shownYen(text string) string {
	return writtenYen.ReplaceAllString(text, v.say("${1}円", "¥${1}"))
}

// Answers to questions.

var (
	notWanted = Phrase{"わかりました。記録していません。", "All right. Nothing is recorded."}
	whoShared = Phrase{"{what}の割り勘は、家族とですか、友人とですか？家族となら全額を、友人となら自分の分を記録します。", "Did you split it with family or with friends: {what}? With family I record the whole, with friends your share."}
)

func (v Voice) alreadyRecorded(id ledger.RowID) string {
	return v.say("もう記録してあります（受付 %s）。", "That is already recorded (No. %s).", id)
}

// Divided bills.

// dividedLine says what the whole was.
func (v Voice) dividedLine(e grammar.Entry) string {
	up := ""
	if e.Amount*ledger.Yen(e.People) != e.Total {
		up = v.say("（端数は切り上げ）", " (rounded up)")
	}
	return v.say("%s %sを%d人で割った1人分です%s。", "That is the share of one person: %s %s split between %d people%s.", e.Item, v.yen(e.Total), e.People, up)
}

func (v Voice) wholeButton(operation string, total ledger.Yen) Button {
	return Button{Label: v.say("全額払った %s", "whole %s", v.yen(total)), Text: v.say("全額払った", "paid the whole"), Tap: operation + ":" + digits(total)}
}

// howToGetBack says how to note what friends give back.
func (v Voice) howToGetBack(item string, amount ledger.Yen) string {
	return v.say("返してもらったら「%s 返金 %s」のように送ってください。", "When you get it back, send “%s refund %s”.", item, digits(amount))
}

// What buttons under a record change.

func (v Voice) todayButton(operation string, today ledger.Date) Button {
	label := v.say("今日（%s）にする", "set to today (%s)", shortDate(today, today))
	return Button{Label: label, Text: label, Tap: operation}
}

// payButton offers an account from which the thing was paid.
func (v Voice) payButton(operation, account string) Button {
	return Button{Label: v.say("%sで", "by %s", v.place(account)), Text: v.say("%sで払った", "paid by %s", v.place(account)), Tap: operation + ":" + account}
}

// intoButton offers an account into which money came.
func (v Voice) intoButton(operation, account string) Button {
	return Button{Label: v.say("%sに", "to %s", v.place(account)), Text: v.say("%sに入った", "it went to the %s", v.place(account)), Tap: operation + ":" + account}
}

func (v Voice) sourceButton(operation, account string) Button {
	return Button{Label: v.say("%sから", "from %s", v.place(account)), Text: v.say("%sからに変更", "it came from %s", v.place(account)), Tap: operation + ":" + account}
}
