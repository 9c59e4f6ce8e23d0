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
	grammar.AmountOnly:    {"{what}は、何のお金ですか？「{example}」のように送るか、品名だけを送ってください。", ""},
	grammar.ItemOnly:      {"{what}は、いくらでしたか？「{example}」のように送るか、金額だけを送ってください。", ""},
	grammar.AccountOnly:   {"{what}は、残高ですか、買ったものですか？買ったものなら「{example}」のように送るか、品名だけを送ってください。", ""},
	grammar.TwoAmounts:    {"{what}の金額は、どれですか？「{example}」のように送るか、払った金額だけを送ってください。", ""},
	grammar.BadGrouping:   {"{what}の金額の「,」の位置がわかりませんでした。「{example}」のように送るか、金額だけを送ってください。", ""},
	grammar.Decimal:       {"{what}の金額の小数が読めませんでした。「{example}」のように、円の単位で送ってください。", ""},
	grammar.LetterDigit:   {"{what}の金額に、数字ではない文字がまじっているようです。「{example}」のように、数字だけで送ってください。", ""},
	grammar.LeadingZero:   {"{what}の金額が0で始まっていて、読めませんでした。「{example}」のように送ってください。", ""},
	grammar.ForeignMoney:  {"外国のお金は記録できません。{what}は円でいくらでしたか？「{example}」のように送ってください。", ""},
	grammar.VagueAmount:   {"{what}は、ちょうどいくらでしたか？「{example}」のように、決まった金額を送ってください。", ""},
	grammar.UnclearNumber: {"{what}の金額が、どれかわかりませんでした。「{example}」のように送ってください。", ""},
	grammar.BeforeTax:     {"{what}は、税込みでいくらでしたか？「{example}」のように、払った金額を送ってください。", ""},
	grammar.Discount:      {"{what}は、割引のあと、いくらでしたか？「{example}」のように、払った金額を送ってください。", ""},
	grammar.Change:        {"{what}は、おつりを引くと、いくらでしたか？「{example}」のように、払った金額を送ってください。", ""},
	grammar.NoDay:         {"{what}は、何日のことですか？「{example}」のように送るか、日付だけを送ってください。", ""},
	grammar.VagueDate:     {"{what}は、いつのことですか？「{example}」のように送るか、日付だけを送ってください。", ""},
	grammar.NoSuchDate:    {"その日付はありません。{what}は、いつのことですか？「{example}」のように送るか、日付だけを送ってください。", ""},
	grammar.NotARow:       {"{what}を家計簿につけますか？つけるなら「{example}」のように送ってください。", ""},
	grammar.IncomeOrNot:   {"{what}は、入ったお金ですか、出たお金ですか？入ったお金なら「{example}」のように送ってください。", ""},
	grammar.HowManyPeople: {"{what}は、何人で割りますか？「{example}」のように送るか、人数だけを送ってください。", ""},
	grammar.WhichAccount:  {"{what}は、どこからどこへのお金ですか？「{example}」のように送ってください。", ""},
}

// boughtWith asks what was bought, where it can be nothing else.
var boughtWith = Phrase{"{what}は、何を買ったお金ですか？「{example}」のように送るか、品名だけを送ってください。", ""}

// toppedUpWhat asks what was topped up.
var toppedUpWhat = Phrase{"{what}は、何に入れましたか？「{example}」のように送るか、名前だけを送ってください。", ""}

// orHalf is what a group is not told: half a record is talk there.
var orHalf = regexp.MustCompile(`送るか、[^「」]*だけを送ってください`)

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
			what = accountName(c.Account) + "の" + what
		}
		return t.dayName(c.Date, cmpDate(c.Date, t.today)) + what, spaced(exampleItem(c.Amount), amount, c.Account)
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
		return item, spaced(item, amount, "4人で割り勘")
	case grammar.WhichAccount:
		if c.Item == topUp {
			return spaced(c.Item, t.yen(c.Amount)), spaced("Suica"+topUp, amount)
		}
		return spaced(c.Item, t.yen(c.Amount)), bank + "から" + wallet + "に" + amount + "円"
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
func exampleItem(amount ledger.Yen) string {
	switch {
	case amount < 300:
		return "お茶"
	case amount < 2000:
		return "ランチ"
	case amount < 10000:
		return "スーパー"
	case amount < 50000:
		return "シャツ"
	}
	return "家賃"
}

// usually is an amount that fits the category, for examples.
var usually = map[ledger.Category]string{
	ledger.Category("住居"): "80000", ledger.Category("光熱費"): "8000", ledger.Category("通信費"): "4000", ledger.Category("保険"): "5000",
	ledger.Category("教育"): "10000", ledger.Category("衣服"): "3000", ledger.Category("家具・家電"): "20000", ledger.Category("車"): "5000",
	ledger.Category("医療費"): "1500", ledger.Category("美容"): "5000", ledger.Category("交通費"): "320", ledger.Pay: "250000",
}

// Labels.

var (
	incomeLabel    = Phrase{"収入", ""}
	balanceLabel   = Phrase{"残高", ""}
	boughtLabel    = Phrase{"買ったもの", ""}
	putLabel       = Phrase{"入れたお金", ""}
	refundedLabel  = Phrase{"返ってきたお金", ""}
	spentLabel     = Phrase{"出たお金", ""}
	gotLabel       = Phrase{"入ったお金", ""}
	gaveLabel      = Phrase{"出たお金", ""}
	todayLabel     = Phrase{"今日", ""}
	yesterdayLabel = Phrase{"昨日", ""}
	recordLabel    = Phrase{"記録する", ""}
	newLabel       = Phrase{"新しく記録", ""}
	debitLabel     = Phrase{"振替として記録", ""}
	notLabel       = Phrase{"記録しない", ""}
	fromBankLabel  = Phrase{"銀行から入れた", ""}
	savedLabel     = Phrase{"いまためた", ""}
	familyLabel    = Phrase{"家族で", ""}
	friendsLabel   = Phrase{"友人と", ""}
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
			return v.say("そのまま %s", "as it is, %s", v.yen(amount))
		}
		return v.say("%d%%込み %s", "with %d%% %s", rate, v.yen(amount))
	})
}

// choiceButton offers the choice. What it shows in the chat says all where the label
// is only an amount.
func (v Voice) choiceButton(c choice, operation string) Button {
	label := v.text(c.label)
	shown := label
	if strings.HasSuffix(c.label.ja, "円") && !strings.Contains(c.label.ja, " ") {
		shown = c.text
	}
	return Button{Label: label, Text: shown, Tap: operation + ":" + c.text}
}

// Answers to questions.

var (
	notWanted = Phrase{"わかりました。記録していません。", ""}
	whoShared = Phrase{"{what}の割り勘は、家族とですか、友人とですか？家族となら全額を、友人となら自分の分を記録します。", ""}
)

func (v Voice) alreadyRecorded(id ledger.RowID) string {
	return v.say("もう記録してあります（受付 %s）。", "", id)
}

// Divided bills.

// dividedLine says what the whole was.
func (v Voice) dividedLine(e grammar.Entry) string {
	up := ""
	if e.Amount*ledger.Yen(e.People) != e.Total {
		up = v.say("（端数は切り上げ）", "")
	}
	return v.say("%s %s を%d人で割った1人分です%s。", "", e.Item, v.yen(e.Total), e.People, up)
}

func (v Voice) wholeButton(operation string, total ledger.Yen) Button {
	return Button{Label: v.say("全額払った ", "") + v.yen(total), Text: v.say("全額払った", ""), Tap: operation + ":" + digits(total)}
}

// howToGetBack says how to note what friends give back.
func (v Voice) howToGetBack(item string, amount ledger.Yen) string {
	return v.say("返してもらったら「%s 返金 %s」のように送ってください。", "", item, digits(amount))
}

// What buttons under a record change.

func (v Voice) todayButton(operation string, today ledger.Date) Button {
	label := v.say("今日（%s）にする", "", shortDate(today, today))
	return Button{Label: label, Text: label, Tap: operation}
}

// payButton offers an account from which the thing was paid.
func (v Voice) payButton(operation, account string) Button {
	return Button{Label: v.say("%sで", "by %s", v.place(account)), Text: v.say("%sで払った", "paid by %s", v.place(account)), Tap: operation + ":" + account}
}

func (v Voice) sourceButton(operation, account string) Button {
	return Button{Label: v.say("%sから", "from %s", v.place(account)), Text: v.say("%sからに変更", "it came from %s", v.place(account)), Tap: operation + ":" + account}
}
