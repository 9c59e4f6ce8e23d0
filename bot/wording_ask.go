package bot

import (
	"cmp"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
)

// This file has the sentences of the answers that change nothing and tell
// nothing of the ledger: help, small talk, questions back.

var helpHead = Phrase{"こんなふうに送ってください。", ""}

// The help, in the order of the table in commands.go.
var (
	useRecord     = usage{Phrase{"記録", ""}, Phrase{"ランチ 900", ""}, Phrase{"書きとめます。「昨日 スーパー 2480 カード」「給料 250000」も、何行まとめてでもどうぞ", ""}}
	useBalance    = usage{Phrase{"残高を合わせる", ""}, Phrase{"財布 3000", ""}, Phrase{"いま財布にある金額と、記録との差を確かめます", ""}}
	useBalances   = usage{Phrase{"残高を見る", ""}, Phrase{"財布", ""}, Phrase{"財布にいくらあるはずかを答えます", ""}}
	useUndo       = usage{Phrase{"取り消す", ""}, Phrase{"取消", ""}, Phrase{"自分の最後の記録を取り消します。「取消 12」なら受付 12 です", ""}}
	useRedo       = usage{Phrase{"元に戻す", ""}, Phrase{"元に戻す", ""}, Phrase{"取り消した記録を戻します", ""}}
	useCorrect    = usage{Phrase{"直す", ""}, Phrase{"さっきのは950円", ""}, Phrase{"自分の最後の記録の金額を直します。「ランチは交際費」「受付 12 は昨日」のように、ほかのことも直せます", ""}}
	useSummary    = usage{Phrase{"まとめ", ""}, Phrase{"今月", ""}, Phrase{"合計とカテゴリ別の金額です。「今日」「先月」もどうぞ", ""}}
	useList       = usage{Phrase{"一覧", ""}, Phrase{"一覧", ""}, Phrase{"今月の記録を新しい順に並べます", ""}}
	useHelp       = usage{Phrase{"ヘルプ", ""}, Phrase{"ヘルプ", ""}, Phrase{"この説明です", ""}}
	useSearch     = usage{Phrase{"さがす", ""}, Phrase{"検索 スタバ", ""}, Phrase{"その言葉のある記録を、この1年からさがします", ""}}
	useTrend      = usage{Phrase{"推移", ""}, Phrase{"推移", ""}, Phrase{"月ごとの合計を6か月分並べます。「1年の推移」「食費の推移」もどうぞ", ""}}
	useCompare    = usage{Phrase{"くらべる", ""}, Phrase{"先月比", ""}, Phrase{"先月の同じ日までと、カテゴリごとにくらべます", ""}}
	useCategories = usage{Phrase{"カテゴリ", ""}, Phrase{"カテゴリ", ""}, Phrase{"カテゴリと、今月の金額を並べます", ""}}
	useBudget     = usage{Phrase{"予算を決める", ""}, Phrase{"予算 食費 30000", ""}, Phrase{"1か月の予算を決めます。「予算 100000」なら全部の予算です。「予算 食費 削除」でなくします", ""}}
	useBudgets    = usage{Phrase{"予算を見る", ""}, Phrase{"予算", ""}, Phrase{"予算の残りと、1日にいくら使えるかを答えます", ""}}
	useMembers    = usage{Phrase{"メンバー", ""}, Phrase{"メンバー", ""}, Phrase{"だれが参加しているかを答えます", ""}}
	useWords      = usage{Phrase{"辞書", ""}, Phrase{"辞書", ""}, Phrase{"教えてもらった言葉を見せます。「ランチは交際費」のように送ると覚えます", ""}}
	useName       = usage{Phrase{"名前", ""}, Phrase{"名前 花子", ""}, Phrase{"自分の呼び名を決めます", ""}}
	useInvite     = usage{Phrase{"招待", ""}, Phrase{"招待", ""}, Phrase{"家族が参加するためのコードを作ります", ""}}
)

func (v Voice) helpEntry(u usage) string {
	return v.say("◆ %s：「%s」\n%s。", "", v.text(u.name), v.text(u.words), v.text(u.does))
}

// What cannot be done yet.
var (
	noRecurring = Phrase{"毎月などの繰り返しは、まだできません。そのつど「家賃 80000」のように送ってください。何も記録していません。", ""}
	noSetting   = Phrase{"その設定は、まだ変えられません。何も変えていません。", ""}
	noSettle    = Phrase{"精算は、まだできません。「一覧」で、それぞれの記録を見られます。何も記録していません。", ""}
	noOrder     = Phrase{"それは、ここからはまだできません。家計簿を管理している人に頼んでください。", ""}
)

// friendly has a line for what is said without meaning the ledger.
var friendly = map[grammar.Reason]Phrase{
	grammar.Morning:      {"おはようございます。", ""},
	grammar.FirstMeeting: {"はじめまして。「ランチ 900」のように品名と金額を送ると、記録します。使いかたは「ヘルプ」でどうぞ。", ""},
	grammar.Evening:      {"こんばんは。", ""},
	grammar.Night:        {"おやすみなさい。", ""},
	grammar.WellDone:     {"おつかれさまです。", ""},
	grammar.Laughter:     {"楽しそうですね。", ""},
	grammar.Thanks:       {"どういたしまして。", ""},
	grammar.Apology:      {"いえいえ、だいじょうぶです。", ""},
	grammar.Praise:       {"ありがとうございます。", ""},
	grammar.Agreed:       {"はい。", ""},
	grammar.JoinCode:     alreadyMember,
	grammar.HowToUndo:    {"まちがえたときは、「さっきのは950円」のように正しい内容を送ると直せて、「取消」と送ると最後の記録を取り消せます。いまは何も変えていません。", ""},
	grammar.WhatIsGone:   {"不明金は、「財布 3000」のように送ってもらった金額と、記録から計算した金額との差です。書き忘れなどで、何に使ったかわからないお金のことです。", ""},

	grammar.Leaving:      {"やめるときは、この公式アカウントをブロックしてください。記録は残ります。", ""},
	grammar.RemoveMember: {"メンバーを外すのは、家計簿を管理している人に頼んでください。", ""},
	grammar.Photos:       noPhotos,
}

// smallTalk answers what is not for the ledger. A greeting that does not say the
// hour is answered by the hour.
func (v Voice) smallTalk(r grammar.Reason, hour int) string {
	switch {
	case r == grammar.Greeting && hour >= 4 && hour < 11:
		return v.say("おはようございます。", "")
	case r == grammar.Greeting && hour >= 11 && hour < 18:
		return v.say("こんにちは。", "")
	case r == grammar.Greeting:
		return v.say("こんばんは。", "")
	}
	return cmp.Or(v.text(friendly[r]), v.say("すみません、よくわかりませんでした。いまのメッセージは記録していません（これまでの記録はそのままです）。使いかたは「ヘルプ」でどうぞ。", ""))
}

var notRecorded = Phrase{"まだ記録していません。", ""}

// unclearBecause has a sentence for each reason to ask.
var unclearBecause = map[grammar.Reason]Phrase{
	grammar.AmountOnly:      {"何のお金ですか？「弁当 540」のように、品名と金額を一緒に送ってください。", ""},
	grammar.ItemOnly:        {"いくらでしたか？「弁当 540」のように、品名と金額を一緒に送ってください。", ""},
	grammar.AccountOnly:     {"残高なら「財布 3000」「銀行残高 150000」のように、買ったものなら「スーパー 2480 カード」のように、品名も一緒に送ってください。", ""},
	grammar.TwoAmounts:      {"金額はどれですか？「弁当 540」のように、品名と払った金額を一緒に送ってください。", ""},
	grammar.GluedNumber:     {"その数字は、金額ですか、名前の一部ですか？金額なら「ケース 2000円」のように、「円」をつけて、品名と一緒に送ってください。", ""},
	grammar.BadGrouping:     {"金額の「,」の位置がわかりませんでした。「ランチ 1280」のように、品名と一緒に送ってください。", ""},
	grammar.Decimal:         {"小数の金額は読めません。「ランチ 900」のように、円の単位で、品名と一緒に送ってください。", ""},
	grammar.LetterDigit:     {"金額に、数字ではない文字がまじっているようです。「ランチ 900」のように、数字だけの金額で、品名と一緒に送ってください。", ""},
	grammar.ForeignMoney:    {"外国のお金は記録できません。「お土産 3000」のように、円になおして、品名と一緒に送ってください。", ""},
	grammar.TooLarge:        {"金額が大きすぎます。999,999,999円までです。", ""},
	grammar.NotPositive:     {"0円やマイナスの金額は記録できません。返ってきたお金なら「シャツ 返金 2000」のように送ってください。", ""},
	grammar.LeadingZero:     {"0で始まる金額は読めません。「ランチ 900」のように、品名と一緒に送ってください。", ""},
	grammar.UnclearNumber:   {"金額がどれかわかりませんでした。「ランチ 900」のように送ってください。", ""},
	grammar.VagueAmount:     {"ちょうどいくらか、わかりませんでした。「ランチ 900」のように、決まった金額で、品名と一緒に送ってください。", ""},
	grammar.BeforeTax:       {"税込みでいくらですか？「シャツ 3300」のように、品名と払った金額を一緒に送ってください。", ""},
	grammar.Discount:        {"割引のあとの金額がわかりませんでした。「ピザ 1980」のように、品名と払った金額を一緒に送ってください。", ""},
	grammar.TotalMismatch:   {"合計が、それぞれの金額と合いません。確かめて、もう一度送ってください。", ""},
	grammar.NoSuchDate:      {"その日付はありません。確かめて、もう一度送ってください。", ""},
	grammar.NoDay:           {"何日のことですか？「11/29 ランチ 900」のように、日付で送ってください。", ""},
	grammar.VagueDate:       {"いつのことですか？「11/29 ランチ 900」のように、日付も全部一緒に送ってください。", ""},
	grammar.NotARow:         {"家計簿につけるものですか？つけるなら「牛乳 198」のように、品名と金額だけを送ってください。", ""},
	grammar.Lent:            {"貸したお金や借りたお金、返したお金は、まだ記録できません。使ったお金なら「牛乳 198」のように、品名と金額だけを送ってください。", ""},
	grammar.IncomeOrNot:     {"入ったお金ですか、出たお金ですか？入ったなら「+5000 お年玉」、出たなら「お年玉 あげた 5000」のように送ってください。", ""},
	grammar.WhichAccount:    {"どこからどこへのお金ですか？「銀行からSuicaに3000円」のように送ってください。", ""},
	grammar.CardDebit:       {"カードの引き落としは支出にしません。買ったものの記録と、二重になってしまうからです。銀行からの振替としてなら、記録できます。", ""},
	grammar.MaybeCorrect:    {"新しい記録ですか、前の記録のまちがいですか？新しい記録なら「ランチ 950」、まちがいなら「訂正 ランチ 950」のように送ってください。", ""},
	grammar.WalletOrItem:    {"財布の残高ですか、買ったものですか？残高なら「財布 3000」、買ったものなら「新しい財布 3000」のように送ってください。", ""},
	grammar.WhoseWallet:     {"だれの財布ですか？「花子の財布 3000」のように送ってください。", ""},
	grammar.HowManyPeople:   {"何人で割りますか？「飲み会 12000 4人で割り勘」のように送ってください。", ""},
	grammar.SplitWhat:       {"何を割り勘しましたか？「飲み会 12000 4人で割り勘」のように、品名も一緒に送ってください。", ""},
	grammar.NothingToMake:   {"金額がありませんでした。金額も一緒に、全部を送ってください。", ""},
	grammar.UnclearCommand:  {"何をすればよいか、わかりませんでした。「ヘルプ」で使いかたを見られます。", ""},
	grammar.Change:          {"おつりを引くと、いくら払いましたか？「スーパー 2480」のように、品名と払った金額を一緒に送ってください。", ""},
	grammar.Multiplied:      {"かけ算が読めませんでした。「映画 1900×2」のように、金額と数だけで、1つずつ送ってください。", ""},
	grammar.SeveralReceipts: {"取り消しは1つずつ、「取消 12」のように送ってください。いまは何も取り消していません。", ""},
	grammar.WhichBalance:    {"どの残高ですか？「財布 3000」「銀行残高 150000」のように、どこの残高かも一緒に送ってください。", ""},
	grammar.PutOrHolds:      {"財布に入れたお金ですか、いまある金額ですか？いまある金額なら「財布 3000」、入れたお金なら「銀行から財布に3000円」のように送ってください。", ""},
	grammar.SavedOrHolds:    {"いまためたお金ですか、たまっている金額ですか？いまためたなら「貯金 20000」のように送ってください。たまっている金額は「銀行残高 150000」のように送れます。", ""},
	grammar.BetweenPeople:   {"人にあげたお金ですか、もらったお金ですか？あげたなら「お小遣い あげた 5000」、もらったなら「+5000 お小遣い」のように送ってください。家族の間で移しただけのお金は、まだ記録できません。", ""},
	grammar.UnclearLine:     {"日付や「カード」などの行が、どの記録のことか、わかりませんでした。「11/29 スーパー 2480 カード」のように、1つの行に書いて、全部を送り直してください。", ""},
	grammar.SendApart:       {"記録と、「取消」や「財布 3000」、おろしたお金などは、別々のメッセージで送ってください。どの行のことも、まだしていません。", ""},
	grammar.AnothersWallet:  {"ほかの人の財布からの支払いは、まだ記録できません。払った人から送ってもらってください。", ""},
}

// unclear asks about what could not be read safely.
func (v Voice) unclear(c grammar.Command) string {
	sentence := cmp.Or(v.text(unclearBecause[c.Reason]), v.say("うまく読めませんでした。「ランチ 900」のように送ってください。", ""))
	if c.Reason == grammar.BetweenPeople && c.Owner != "" {
		sentence = v.say("家族の間で移しただけのお金は、まだ記録できません。使ったお金なら「牛乳 198」のように、品名と金額だけを送ってください。", "")
	}
	if c.Reason == grammar.SeveralReceipts {
		return sentence // nothing was to be recorded
	}
	return sentence + "\n" + v.text(notRecorded)
}

// receiptAlone says what can be done with the number of a receipt.
func (v Voice) receiptAlone(id ledger.RowID) string {
	return v.say("受付 %s を取り消すなら「取消 %s」、記録を見るなら「一覧」と送ってください。いまは何も変えていません。", "", id, id)
}
