package bot

import (
	"cmp"
	"fmt"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
)

// This file has the sentences of the answers that change nothing and tell
// nothing of the ledger: help, small talk, questions back.

const helpHead = "こんなふうに送ってください。"

var (
	useRecord   = usage{"記録", "ランチ 900", "書きとめます。「昨日 スーパー 2480 カード」「給料 250000」も、何行まとめてでもどうぞ"}
	useBalance  = usage{"残高を合わせる", "財布 3000", "いま財布にある金額と、記録との差を確かめます"}
	useBalances = usage{"残高を見る", "財布", "財布にいくらあるはずかを答えます"}
	useUndo     = usage{"取り消す", "取消", "自分の最後の記録を取り消します。「取消 12」なら受付 12 です"}
	useRedo     = usage{"元に戻す", "元に戻す", "取り消した記録を戻します"}
	useSummary  = usage{"まとめ", "今月", "合計とカテゴリ別の金額です。「今日」「先月」もどうぞ"}
	useList     = usage{"一覧", "一覧", "今月の記録を新しい順に並べます"}
	useHelp     = usage{"ヘルプ", "ヘルプ", "この説明です"}
)

func helpEntry(u usage) string {
	return fmt.Sprintf("◆ %s：「%s」\n%s。", u.name, u.words, u.does)
}

// What cannot be done yet.
const (
	noCorrect   = "記録を直すことは、まだできません。「取消」で取り消してから、正しい内容をもう一度送ってください。いまは何も変えていません。"
	noBudget    = "予算は、まだ使えません。「今月」で、いままでの合計とカテゴリ別の金額を見られます。何も記録していません。"
	noQuery     = "その調べものは、まだできません。「今月」か「一覧」なら、お答えできます。"
	noRecurring = "毎月などの繰り返しは、まだできません。そのつど「家賃 80000」のように送ってください。何も記録していません。"
	noSetting   = "設定は、まだ変えられません。何も変えていません。"
	noSettle    = "精算は、まだできません。「一覧」で、それぞれの記録を見られます。何も記録していません。"
	noOrder     = "それは、ここからはまだできません。家計簿を管理している人に頼んでください。"
)

// smallTalk answers what is not for the ledger.
func smallTalk(r grammar.Reason, hour int) string {
	switch {
	case r == grammar.Greeting && hour >= 4 && hour < 11:
		return "おはようございます。"
	case r == grammar.Greeting && hour >= 11 && hour < 18:
		return "こんにちは。"
	case r == grammar.Greeting:
		return "こんばんは。"
	case r == grammar.Thanks:
		return "どういたしまして。"
	}
	return "はい。家計簿には何も書いていません。（使いかたは「ヘルプ」）"
}

const notRecorded = "まだ記録していません。"

// unclearBecause has a sentence for each reason to ask.
var unclearBecause = map[grammar.Reason]string{
	grammar.AmountOnly:     "何のお金ですか？「ランチ 900」のように、品名もいっしょに送ってください。",
	grammar.ItemOnly:       "いくらでしたか？「ランチ 900」のように、金額もいっしょに送ってください。",
	grammar.AccountOnly:    "残高なら「財布 3000」「カード残高 3000」のように、買ったものなら品名もいっしょに送ってください。",
	grammar.TwoAmounts:     "金額はどれですか？",
	grammar.GluedNumber:    "その数字は、金額ですか、名前の一部ですか？金額なら「円」をつけて送ってください。",
	grammar.BadGrouping:    "金額の「,」の位置がわかりませんでした。「1280」のように送ってください。",
	grammar.Decimal:        "小数の金額は読めません。円の単位で送ってください。",
	grammar.LetterDigit:    "金額に、数字ではない文字がまじっているようです。数字だけで送ってください。",
	grammar.ForeignMoney:   "外国のお金は記録できません。円になおして送ってください。",
	grammar.TooLarge:       "金額が大きすぎます。999,999,999円までです。",
	grammar.NotPositive:    "0円やマイナスの金額は記録できません。返ってきたお金なら「シャツ 返金 2000」のように送ってください。",
	grammar.LeadingZero:    "0で始まる金額は読めません。「900」のように送ってください。",
	grammar.UnclearNumber:  "金額がどれかわかりませんでした。「ランチ 900」のように送ってください。",
	grammar.VagueAmount:    "ちょうどいくらか、わかりませんでした。決まった金額で送ってください。",
	grammar.BeforeTax:      "税込みでいくらですか？払った金額を送ってください。",
	grammar.Discount:       "割引のあとの金額がわかりませんでした。払った金額を送ってください。",
	grammar.TotalMismatch:  "合計が、それぞれの金額と合いません。確かめて、もう一度送ってください。",
	grammar.NoSuchDate:     "その日付はありません。確かめて、もう一度送ってください。",
	grammar.NoDay:          "何日のことですか？「11/29 ランチ 900」のように、日付で送ってください。",
	grammar.VagueDate:      "いつのことですか？「昨日」や「11/29」のように送ってください。",
	grammar.NotARow:        "家計簿につけるものですか？つけるなら「牛乳 198」のように、品名と金額だけを送ってください。",
	grammar.IncomeOrNot:    "入ったお金ですか、出たお金ですか？入ったなら「+5000 お年玉」、出たなら「お年玉 あげた 5000」のように送ってください。",
	grammar.WhichAccount:   "どこからどこへのお金ですか？「銀行からSuicaに3000円」のように送ってください。",
	grammar.CardDebit:      "カードの引き落としは、買ったときに記録してあれば、二重になってしまいます。まだなら、買ったものを送ってください。",
	grammar.MaybeCorrect:   "新しい記録ですか、前の記録のまちがいですか？新しい記録なら「ランチ 950」のように、まちがいなら「取消」してから送ってください。",
	grammar.WalletOrItem:   "財布の残高ですか、買ったものですか？残高なら「財布 3000」、買ったものなら「新しい財布 3000」のように送ってください。",
	grammar.WhoseWallet:    "だれの財布ですか？「花子の財布 3000」のように送ってください。",
	grammar.HowManyPeople:  "何人で割りますか？「飲み会 12000 4人で割り勘」のように送ってください。",
	grammar.SplitWhat:      "何を割り勘しましたか？「飲み会 12000 4人で割り勘」のように、品名もいっしょに送ってください。",
	grammar.NothingToMake:  "金額もいっしょに送ってください。",
	grammar.UnclearCommand: "何をすればよいか、わかりませんでした。「ヘルプ」で使いかたを見られます。",
}

// unclear asks about what could not be read safely.
func unclear(c grammar.Command) string {
	sentence := cmp.Or(unclearBecause[c.Reason], "うまく読めませんでした。「ランチ 900」のように送ってください。")
	return sentence + "\n" + notRecorded
}

// choiceButton offers to record the amount for what the command is about.
func choiceButton(c grammar.Command, amount ledger.Yen) Button {
	return Button{Label: yen(amount), Text: spaced(c.Date.String(), c.Item, yen(amount), c.Account)}
}

// splitAsk asks who divides the bill: with the family all of it is spent.
func splitAsk(e grammar.Entry) Reply {
	button := func(label string, amount ledger.Yen) Button {
		return Button{Label: label + yen(amount), Text: spaced(e.Date.String(), e.Item, yen(amount), e.Account)}
	}
	return Reply{
		Text:    "割り勘は、家族とですか、ほかの人とですか？家族となら全額を、ほかの人となら自分の分を記録します。\n" + notRecorded,
		Buttons: []Button{button("全額 ", e.Total), button("自分の分 ", e.Amount)},
	}
}
