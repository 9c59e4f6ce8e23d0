package bot

import (
	"cmp"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
)

// This file has the sentences of the answers that change nothing and tell
// nothing of the ledger: help, small talk, questions back.

var helpHead = Phrase{"こんなふうに送ってください。", "Send things like this."}

// The help, in the order of the table in commands.go.
var (
	useRecord     = usage{Phrase{"ランチ 900", "lunch 900"}, Phrase{"記録。「昨日 スーパー 2480 カード」も、何行まとめてでも", "records. “yesterday groceries 2480 card” too, and several lines at once"}}
	useBalance    = usage{Phrase{"財布 3000", "wallet 3000"}, Phrase{"いまある金額と記録を合わせる", "checks what you have against your entries"}}
	useBalances   = usage{Phrase{"財布", "balance"}, Phrase{"あるはずの金額", "what should be there"}}
	useUndo       = usage{Phrase{"取消", "undo"}, Phrase{"最後の記録を取り消す。「取消 12」なら受付 12", "takes back your last entry. “undo 12” takes back No. 12"}}
	useRedo       = usage{Phrase{"元に戻す", "restore"}, Phrase{"取り消したものを戻す", "brings back what was undone"}}
	useCorrect    = usage{Phrase{"さっきのは950円", "it was 950"}, Phrase{"最後の記録を直す。「ランチは交際費」「受付 12 は昨日」も", "corrects your last entry. “lunch is socialising” and “#12 is yesterday” too"}}
	useSummary    = usage{Phrase{"今月", "this month"}, Phrase{"合計とカテゴリ別の金額。「今日」「先月」も", "totals and categories. “today” and “last month” too"}}
	useList       = usage{Phrase{"一覧", "list"}, Phrase{"今月の記録を新しい順に", "this month’s entries, newest first"}}
	useHelp       = usage{Phrase{"ヘルプ", "help"}, Phrase{"この説明", "this page"}}
	useSearch     = usage{Phrase{"検索 スタバ", "search starbucks"}, Phrase{"この1年の記録をさがす", "looks through the last year"}}
	useTrend      = usage{Phrase{"推移", "trend"}, Phrase{"月ごとの合計。「1年の推移」「食費の推移」も", "totals by month. “12 month trend” too"}}
	useCompare    = usage{Phrase{"先月比", "compare"}, Phrase{"先月の同じ日までとくらべる", "beside the same days of last month"}}
	useCategories = usage{Phrase{"カテゴリ", "categories"}, Phrase{"カテゴリと今月の金額", "categories and this month’s amounts"}}
	useBudget     = usage{Phrase{"予算 食費 30000", "budget food 30000"}, Phrase{"1か月の予算を決める。「予算 100000」で全部の、「予算 食費 削除」でなくす", "sets a monthly budget. “budget 100000” is for everything, “budget food remove” ends it"}}
	useBudgets    = usage{Phrase{"予算", "budget"}, Phrase{"残りと、1日に使える金額", "what is left, and how much a day"}}
	useMembers    = usage{Phrase{"メンバー", "members"}, Phrase{"参加している人", "who takes part"}}
	useWords      = usage{Phrase{"辞書", "dictionary"}, Phrase{"教えてもらった言葉", "words that you have taught me"}}
	useName       = usage{Phrase{"名前 花子", "name Hanako"}, Phrase{"自分の呼び名を決める", "sets what I call you"}}
	useInvite     = usage{Phrase{"招待", "invite"}, Phrase{"家族を呼ぶコードを作る", "makes a code for a family member to join"}}
)

func (v Voice) helpEntry(u usage) string {
	return v.say("・「%s」：%s", "• “%s”: %s", v.text(u.words), v.text(u.does))
}

// helpButtons are what is asked for most, and the rest of the help.
func (v Voice) helpButtons() (buttons []Button) {
	for _, words := range []Phrase{{"今月", "this month"}, {"一覧", "list"}, {"予算", "budget"}} {
		buttons = append(buttons, Button{Label: v.text(words), Text: v.text(words)})
	}
	return append(buttons, Button{Label: v.say("もっと見る", "more"), Text: v.say("ヘルプ もっと", "help more")})
}

// What cannot be done yet.
var (
	noRecurring = Phrase{"毎月などの繰り返しは、まだできません。そのつど「家賃 80000」のように送ってください。何も記録していません。", "I can’t repeat things every month yet. Send each one when it comes, like “rent 80000”. Nothing is recorded."}
	noSetting   = Phrase{"その設定は、まだ変えられません。何も変えていません。", "That setting can’t be changed yet. Nothing is changed."}
	noSettle    = Phrase{"精算は、まだできません。「一覧」で、それぞれの記録を見られます。何も記録していません。", "I can’t settle up between people yet. “list” shows what each of you recorded. Nothing is recorded."}
	noOrder     = Phrase{"それは、ここからはまだできません。家計簿を管理している人に頼んでください。", "That can’t be done from here yet. Please ask whoever looks after this budget."}
)

// friendly has a line for what is said without meaning the ledger.
var friendly = map[grammar.Reason]Phrase{
	grammar.Morning:      {"おはようございます。", "Good morning."},
	grammar.FirstMeeting: {"はじめまして。「ランチ 900」のように品名と金額を送ると、記録します。使いかたは「ヘルプ」でどうぞ。", "Nice to meet you. Send what you bought and how much it was, like “lunch 900”, and I record it. “help” tells you more."},
	grammar.Evening:      {"こんばんは。", "Good evening."},
	grammar.Night:        {"おやすみなさい。", "Good night."},
	grammar.WellDone:     {"おつかれさまです。", "Well done today."},
	grammar.Laughter:     {"楽しそうですね。", "That sounds fun."},
	grammar.Thanks:       {"どういたしまして。", "You’re welcome."},
	grammar.Apology:      {"いえいえ、だいじょうぶです。", "No worries."},
	grammar.Praise:       {"ありがとうございます。", "Thank you."},
	grammar.Agreed:       {"はい。", "OK."},
	grammar.JoinCode:     alreadyMember,
	grammar.HowToUndo:    {"まちがえたときは、「さっきのは950円」のように正しい内容を送ると直せて、「取消」と送ると最後の記録を取り消せます。いまは何も変えていません。", "If something is wrong, send what is right, like “it was 950”, or “undo” to take back your last entry. Nothing is changed."},
	grammar.WhatIsGone:   {"不明金は、「財布 3000」のように送ってもらった金額と、記録から計算した金額との差です。書き忘れなどで、何に使ったかわからないお金のことです。", "Unexplained money is the difference between an amount that you send, like “wallet 3000”, and what your entries add up to: money that nobody knows what it was spent on, mostly because an entry was forgotten."},

	grammar.Leaving:      {"やめるときは、この公式アカウントをブロックしてください。記録は残ります。", "To leave, block this official account. What was recorded stays."},
	grammar.RemoveMember: {"メンバーを外すのは、家計簿を管理している人に頼んでください。", "To remove a member, ask whoever looks after this budget."},
	grammar.Photos:       noPhotos,
}

// smallTalk answers what is not for the ledger. A greeting that does not say the
// hour is answered by the hour.
func (v Voice) smallTalk(r grammar.Reason, hour int) string {
	switch {
	case r == grammar.Greeting && hour >= 4 && hour < 11:
		return v.say("おはようございます。", "Good morning.")
	case r == grammar.Greeting && hour >= 11 && hour < 18:
		return v.say("こんにちは。", "Hello.")
	case r == grammar.Greeting:
		return v.say("こんばんは。", "Good evening.")
	}
	return cmp.Or(v.text(friendly[r]), v.say("すみません、よくわかりませんでした。このメッセージは記録していません。使いかたは「ヘルプ」でどうぞ。", "Sorry, I didn’t understand that. This message is not recorded. “help” shows what I can do."))
}

var notRecorded = Phrase{"まだ記録していません。", "Nothing is recorded yet."}

// unclearBecause has a sentence for each reason to ask.
var unclearBecause = map[grammar.Reason]Phrase{
	grammar.AmountOnly:      {"何のお金ですか？「弁当 540」のように、品名と金額を一緒に送ってください。", "What was the money for? Send the item and the amount together, like “lunch 540”."},
	grammar.ItemOnly:        {"いくらでしたか？「弁当 540」のように、品名と金額を一緒に送ってください。", "How much was it? Send the item and the amount together, like “lunch 540”."},
	grammar.AccountOnly:     {"残高なら「財布 3000」「銀行残高 150000」のように、買ったものなら「スーパー 2480 カード」のように、品名も一緒に送ってください。", "For a balance, send “wallet 3000” or “bank balance 150000”. For something you bought, send the item as well, like “groceries 2480 card”."},
	grammar.TwoAmounts:      {"金額はどれですか？「弁当 540」のように、品名と払った金額を一緒に送ってください。", "Which one is the amount? Send the item and what you paid together, like “lunch 540”."},
	grammar.GluedNumber:     {"その数字は、金額ですか、名前の一部ですか？金額なら「ケース 2000円」のように、「円」をつけて、品名と一緒に送ってください。", "Is that number the amount, or part of the name? If it is the amount, send the item with the amount in yen, like “case 2000 yen”."},
	grammar.BadGrouping:     {"金額の「,」の位置がわかりませんでした。「ランチ 1280」のように、品名と一緒に送ってください。", "I can’t tell where the comma in the amount belongs. Send it with the item, like “lunch 1280”."},
	grammar.Decimal:         {"小数の金額は読めません。「ランチ 900」のように、円の単位で、品名と一緒に送ってください。", "I can’t read amounts with a decimal point. Send the item and whole yen, like “lunch 900”."},
	grammar.LetterDigit:     {"金額に、数字ではない文字がまじっているようです。「ランチ 900」のように、数字だけの金額で、品名と一緒に送ってください。", "There seems to be a letter in the amount. Send the item and the amount in digits only, like “lunch 900”."},
	grammar.ForeignMoney:    {"外国のお金は記録できません。「お土産 3000」のように、円になおして、品名と一緒に送ってください。", "I can’t record foreign money. Send the item and the amount in yen, like “souvenir 3000”."},
	grammar.TooLarge:        {"金額が大きすぎます。999,999,999円までです。", "That amount is too large. The most is ¥999,999,999."},
	grammar.NotPositive:     {"0円やマイナスの金額は記録できません。返ってきたお金なら「シャツ 返金 2000」のように送ってください。", "I can’t record ¥0 or an amount with a minus. For money that came back, send “shirt refund 2000”."},
	grammar.LeadingZero:     {"0で始まる金額は読めません。「ランチ 900」のように、品名と一緒に送ってください。", "I can’t read an amount that begins with 0. Send it with the item, like “lunch 900”."},
	grammar.UnclearNumber:   {"金額がどれかわかりませんでした。「ランチ 900」のように送ってください。", "I can’t tell which one is the amount. Send it like “lunch 900”."},
	grammar.VagueAmount:     {"ちょうどいくらか、わかりませんでした。「ランチ 900」のように、決まった金額で、品名と一緒に送ってください。", "I can’t tell exactly how much it was. Send the item and one exact amount, like “lunch 900”."},
	grammar.BeforeTax:       {"税込みでいくらですか？「シャツ 3300」のように、品名と払った金額を一緒に送ってください。", "How much is it with tax? Send the item and what you paid together, like “shirt 3300”."},
	grammar.Discount:        {"割引のあとの金額がわかりませんでした。「ピザ 1980」のように、品名と払った金額を一緒に送ってください。", "I can’t tell the amount after the discount. Send the item and what you paid together, like “pizza 1980”."},
	grammar.TotalMismatch:   {"合計が、それぞれの金額と合いません。確かめて、もう一度送ってください。", "The total does not match the amounts. Please check them and send it again."},
	grammar.NoSuchDate:      {"その日付はありません。確かめて、もう一度送ってください。", "There is no such date. Please check it and send it again."},
	grammar.NoDay:           {"何日のことですか？「11/29 ランチ 900」のように、日付で送ってください。", "Which day was it? Send it with the date, like “11/29 lunch 900”."},
	grammar.VagueDate:       {"いつのことですか？「11/29 ランチ 900」のように、日付も全部一緒に送ってください。", "When was it? Send everything with the date, like “11/29 lunch 900”."},
	grammar.NotARow:         {"家計簿につけるものですか？つけるなら「牛乳 198」のように、品名と金額だけを送ってください。", "Is this for the budget? If it is, send just the item and the amount, like “milk 198”."},
	grammar.Lent:            {"貸したお金や借りたお金、返したお金は、まだ記録できません。使ったお金なら「牛乳 198」のように、品名と金額だけを送ってください。", "I can’t record money that was lent, borrowed or paid back yet. For money that was spent, send just the item and the amount, like “milk 198”."},
	grammar.IncomeOrNot:     {"入ったお金ですか、出たお金ですか？入ったなら「+5000 お年玉」、出たなら「お年玉 あげた 5000」のように送ってください。", "Did the money come in or go out? If it came in, send “+5000 gift”. If it went out, send “birthday present 5000”."},
	grammar.WhichAccount:    {"どこからどこへのお金ですか？「銀行からSuicaに3000円」のように送ってください。", "From where to where did the money go? Send it like “move 3000 from bank to suica”."},
	grammar.CardDebit:       {"カードの引き落としは支出にしません。買ったものの記録と、二重になってしまうからです。銀行からの振替としてなら、記録できます。", "A card bill is not counted as spending, because what you bought with the card is counted already. I can record it as money moved from the bank."},
	grammar.MaybeCorrect:    {"新しい記録ですか、前の記録のまちがいですか？新しい記録なら「ランチ 950」、まちがいなら「訂正 ランチ 950」のように送ってください。", "Is this a new entry, or a correction of an earlier one? For a new one, send “lunch 950”. For a correction, send “change lunch to 950”."},
	grammar.WalletOrItem:    {"財布の残高ですか、買ったものですか？残高なら「財布 3000」、買ったものなら「新しい財布 3000」のように送ってください。", "Is this what your wallet holds, or something you bought? For a balance, send “wallet 3000”. For something you bought, send “new wallet 3000”."},
	grammar.WhoseWallet:     {"だれの財布ですか？「花子の財布 3000」のように送ってください。", "Whose wallet is it? Send it like “hanako’s wallet 3000”."},
	grammar.HowManyPeople:   {"何人で割りますか？「飲み会 12000 4人で割り勘」のように送ってください。", "How many people split it? Send it like “dinner 12000 split 4”."},
	grammar.SplitWhat:       {"何を割り勘しましたか？「飲み会 12000 4人で割り勘」のように、品名も一緒に送ってください。", "What did you split? Send the item as well, like “dinner 12000 split 4”."},
	grammar.NothingToMake:   {"金額がありませんでした。金額も一緒に、全部を送ってください。", "There was no amount. Send everything together with the amount."},
	grammar.UnclearCommand:  {"何をすればよいか、わかりませんでした。「ヘルプ」で使いかたを見られます。", "I can’t tell what to do. “help” shows what you can send."},
	grammar.Change:          {"おつりを引くと、いくら払いましたか？「スーパー 2480」のように、品名と払った金額を一緒に送ってください。", "How much did you pay, without the change you got back? Send the item and what you paid together, like “groceries 2480”."},
	grammar.Multiplied:      {"かけ算が読めませんでした。「映画 1900×2」のように、金額と数だけで、1つずつ送ってください。", "I can’t read that multiplication. Send only the price and the number, one at a time, like “movie 1900×2”."},
	grammar.SeveralReceipts: {"取り消しは1つずつ、「取消 12」のように送ってください。いまは何も取り消していません。", "Please undo them one by one, like “undo 12”. Nothing is undone yet."},
	grammar.WhichBalance:    {"どの残高ですか？「財布 3000」「銀行残高 150000」のように、どこの残高かも一緒に送ってください。", "Which balance is it? Send where the money is as well, like “wallet 3000” or “bank balance 150000”."},
	grammar.PutOrHolds:      {"財布に入れたお金ですか、いまある金額ですか？いまある金額なら「財布 3000」、入れたお金なら「銀行から財布に3000円」のように送ってください。", "Did you put this into the wallet, or is it what the wallet holds now? For what it holds, send “wallet 3000”. For what you put in, send “move 3000 from bank to wallet”."},
	grammar.SavedOrHolds:    {"いまためたお金ですか、たまっている金額ですか？いまためたなら「貯金 20000」のように送ってください。たまっている金額は「銀行残高 150000」のように送れます。", "Did you save this just now, or is it what you have saved so far? If just now, send “deposited 20000”. What there is so far you can send like “bank balance 150000”."},
	grammar.BetweenPeople:   {"人にあげたお金ですか、もらったお金ですか？あげたなら「お小遣い あげた 5000」、もらったなら「+5000 お小遣い」のように送ってください。家族の間で移しただけのお金は、まだ記録できません。", "Did you give this money, or get it? If you gave it, send “birthday present 5000”. If you got it, send “+5000 gift”. Money that only moves within the family can’t be recorded yet."},
	grammar.UnclearLine:     {"日付や「カード」などの行が、どの記録のことか、わかりませんでした。「11/29 スーパー 2480 カード」のように、1つの行に書いて、全部を送り直してください。", "I can’t tell which entry a line with only a date or “card” belongs to. Put everything on one line, like “11/29 groceries 2480 card”, and send it all again."},
	grammar.SendApart:       {"記録と、「取消」や「財布 3000」、おろしたお金などは、別々のメッセージで送ってください。どの行も、まだ何もしていません。", "Please send entries and things like “undo”, “wallet 3000” or a withdrawal as separate messages. Nothing is done yet for any of the lines."},
	grammar.AnothersWallet:  {"ほかの人の財布からの支払いは、まだ記録できません。払った人から送ってもらってください。", "I can’t record a payment from another person’s wallet yet. Ask the one who paid to send it."},
}

// unclear asks about what could not be read safely.
func (v Voice) unclear(c grammar.Command) string {
	sentence := cmp.Or(v.text(unclearBecause[c.Reason]), v.say("うまく読めませんでした。「ランチ 900」のように送ってください。", "I couldn’t read that. Send it like “lunch 900”."))
	if c.Reason == grammar.BetweenPeople && c.Owner != "" {
		sentence = v.say("家族の間で移しただけのお金は、まだ記録できません。使ったお金なら「牛乳 198」のように、品名と金額だけを送ってください。", "Money that only moves within the family can’t be recorded yet. For money that was spent, send just the item and the amount, like “milk 198”.")
	}
	if c.Reason == grammar.SeveralReceipts {
		return sentence // nothing was to be recorded
	}
	return sentence + "\n" + v.text(notRecorded)
}

// receiptAlone says what can be done with the number of a receipt.
func (v Voice) receiptAlone(id ledger.RowID) string {
	return v.say("受付 %[1]s を取り消すなら「取消 %[1]s」、直すなら「受付 %[1]s は950円」のように、記録を見るなら「一覧」と送ってください。いまは何も変えていません。",
		"To undo No. %[1]s, send “undo %[1]s”. To correct it, send it like “change #%[1]s to 950”. To see what was recorded, send “list”. Nothing is changed.", id)
}
