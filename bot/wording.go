package bot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
	"ichido/store"
)

// Money, dates, names.

func yen(y ledger.Yen) string { return y.String() + "円" }

// gone writes unexplained money without its unit: plain if there is less than
// the ledger says, with a plus if there is more.
func gone(y ledger.Yen) string {
	if y < 0 {
		return "＋" + (-y).String()
	}
	return y.String()
}

// dayName is empty for today.
func dayName(d, today ledger.Date) string {
	switch {
	case d == today:
		return ""
	case d.Year() != today.Year():
		return fmt.Sprintf("%d/%d/%d ", d.Year(), d.Month(), d.Day())
	}
	weekday := []rune("日月火水木金土")[d.Weekday()]
	return fmt.Sprintf("%d/%d(%c) ", d.Month(), d.Day(), weekday)
}

func periodName(p ledger.Period, today ledger.Date) string {
	switch {
	case p == ledger.Month(today, 0):
		return "今月"
	case p == ledger.Month(p.From, 0) && p.From.Year() == today.Year():
		return fmt.Sprintf("%d月", p.From.Month())
	case p == ledger.Month(p.From, 0):
		return fmt.Sprintf("%d年%d月", p.From.Year(), p.From.Month())
	case isYear(p):
		return fmt.Sprintf("%d年", p.From.Year())
	case p.From == p.To && p.From == today:
		return "今日"
	case p.From == p.To:
		return strings.TrimSpace(dayName(p.From, today))
	}
	return fmt.Sprintf("%s〜%s", shortDate(p.From, today), shortDate(p.To, today))
}

func shortDate(d, today ledger.Date) string {
	if d.Year() != today.Year() {
		return fmt.Sprintf("%d/%d/%d", d.Year(), d.Month(), d.Day())
	}
	return fmt.Sprintf("%d/%d", d.Month(), d.Day())
}

const (
	wallet    = "財布"
	you       = "あなた"
	somebody  = "だれか"
	everybody = "みんな"
)

func walletOf(owner string) string { return owner + "の財布" }

// otherMember stands for the name of the nth of the members, who has none and
// is not the sender. only says that nobody else could be meant.
func otherMember(n int, only bool) string {
	if only {
		return "もうひとり"
	}
	return fmt.Sprintf("%d人目の人", n)
}

// withoutHonorific gives the bare name.
func withoutHonorific(name string) string {
	for _, honorific := range []string{"さん", "ちゃん", "くん", "君"} {
		if bare, ok := strings.CutSuffix(name, honorific); ok && bare != "" {
			return bare
		}
	}
	return name
}

const namelessOwner = "だれの財布か、わかりませんでした。いまは自分の財布だけ、「財布 3000」で記録できます。\n" + notRecorded

func nobodyFound(name string) string {
	return fmt.Sprintf("「%s」という名前の人が見つかりません。「メンバー」で名前を見られます。", name)
}

func nobodyCalled(name string) string { return nobodyFound(name) + "何も記録していません。" }

// Rows.

// rowLine shows a row: date unless today, item, amount.
func rowLine(n *names, r ledger.Row) string {
	return dayName(r.Date, n.today) + rowText(n, r)
}

func rowText(n *names, r ledger.Row) string {
	item := cmp.Or(r.Item, string(r.Category), string(ledger.Other))
	switch r.Type {
	case ledger.Transfer:
		return fmt.Sprintf("%s→%s %s", n.accounts[r.Account], n.accounts[r.ToAccount], yen(r.Amount))
	case ledger.Adjustment:
		return fmt.Sprintf("%sの残高 %s", n.accounts[r.Account], yen(r.Stated))
	case ledger.Refund:
		if !strings.Contains(item, "返") {
			item = "返金 " + item
		}
	}
	return item + " " + yen(r.Amount)
}

// rowLines shows the rows, each with its category where they differ in it.
func rowLines(n *names, rows []ledger.Row) (lines []string) {
	differ := n.commonCategory(rows) == ""
	for _, r := range rows {
		line := rowLine(n, r)
		if differ && hasCategory(r) {
			line += "（" + n.category(r) + "）"
		}
		if lines = append(lines, line); len(lines) == maxLines && len(rows) > maxLines {
			return append(lines, more(len(rows)-maxLines))
		}
	}
	return lines
}

// quietLine is small print; empty parts are left out.
func quietLine(parts ...string) string {
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return strings.Join(parts, "／")
}

func receiptLabel(id ledger.RowID) string { return fmt.Sprintf("受付 %s", id) }

func writtenBy(name string) string { return name + "の記録" }

func monthTotal(month string, s sums, onlyIncome bool) string {
	if onlyIncome {
		return fmt.Sprintf("%sの収入 %s", month, yen(s.income))
	}
	return fmt.Sprintf("%s %s", month, yen(s.spent))
}

func more(n int) string { return fmt.Sprintf("…ほかに %d件", n) }

// Answers to records and balance statements.

// recordedHead begins the answer about n rows that were recorded.
func recordedHead(n int) string {
	if n == 1 {
		return "記録しました。"
	}
	return fmt.Sprintf("%d件を記録しました。", n)
}

const (
	sameAccount   = "同じところへお金を移すことはできません。どこからどこへかを、「銀行からSuicaに3000円」のように送ってください。\n" + notRecorded
	guessedSource = "どこから入れたかは聞いていないので、財布からにしました。ちがうときは、ボタンで変えるか、取り消して「銀行からSuicaに3000円」のように送ってください。"
	takenOff      = "（支出から引きました）"
	noCardBalance = "カードの残高は、まだ扱えません。カードで買ったものは「スーパー 2480 カード」のように送ってください。何も記録していません。"
	futureBalance = "先の日の残高は、まだわかりません。その日になったら送ってください。\n" + notRecorded
)

func unreadLines(lines []string) (notes []string) {
	for i, line := range lines {
		if i == maxLines {
			return append(notes, more(len(lines)-maxLines))
		}
		notes = append(notes, fmt.Sprintf("「%s」は読めなかったので、記録していません。", shortened(line)))
	}
	return notes
}

func shortened(line string) string {
	const limit = 40
	if runes := []rune(line); len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return line
}

// statedLine says what a balance statement came to; "" of any other row, and of one that
// does not stand.
func statedLine(r ledger.Row) string {
	switch {
	case r.Type != ledger.Adjustment || !r.Stands():
		return ""
	case r.Opening:
		return "これを最初の残高にします。"
	case r.Amount == 0:
		return "記録とぴったりです。"
	case r.Amount < 0:
		return fmt.Sprintf("記録より %s 少ないです（不明金 %s円）。", yen(-r.Amount), gone(-r.Amount))
	}
	return fmt.Sprintf("記録より %s 多いです（不明金 %s円）。", yen(r.Amount), gone(-r.Amount))
}

// adjustedLine says how a balance statement changed along with other rows.
func adjustedLine(n *names, c ledger.Change) string {
	name := dayName(c.After.Date, n.today) + n.accounts[c.After.Account]
	before, after := gap(c.Before.Amount), gap(c.After.Amount)
	switch {
	case c.Before.Opening && c.After.Opening:
		return fmt.Sprintf("%sの最初の残高 %s より前のことは、いまの残高を変えません。", name, yen(c.After.Stated))
	case c.After.Opening:
		return fmt.Sprintf("%sの残高 %s が最初の残高になりました（「%s」の差はなくなりました）。", name, yen(c.After.Stated), before)
	case c.Before.Opening:
		return fmt.Sprintf("%sの残高 %s は最初の残高ではなくなりました。記録とくらべると：%s", name, yen(c.After.Stated), after)
	}
	return fmt.Sprintf("%sは、記録とくらべると：%s→%s", name, before, after)
}

// gap says in words by how much there is more or less than the ledger says.
func gap(amount ledger.Yen) string {
	switch {
	case amount < 0:
		return yen(-amount) + " 足りない"
	case amount > 0:
		return yen(amount) + " 多い"
	}
	return "ぴったり"
}

const lateForUndo = "あとから打たれた「取消」より前のメッセージが、今届きました。記録してあります。"

// missedBy says that a 取消 was handled before something of the kind that it would have
// meant.
func missedBy(kind store.Kind) string {
	if kind == store.Correct {
		return correctedLateForUndo
	}
	return lateForUndo
}

// tookInstead says what a 取消 took back that had to do without its message.
func tookInstead(n *names, rows []ledger.Row) string {
	return fmt.Sprintf("その「取消」では、受付 %d（%s）を取り消してあります。", rows[0].ID.Receipt, strings.Join(rowLines(n, rows), "、"))
}

func lateForBalance(n *names, statement *ledger.Row) string {
	return fmt.Sprintf("あとから打たれた「%s」より前のメッセージが、今届きました。記録してあります。", rowText(n, *statement))
}

const (
	noBalances   = "残高は、まだ何も聞いていません。「財布 3000」のように、いまある金額を送ってください。"
	balancesHead = "記録どおりなら、これだけあるはずです。"
)

func oneOfBalances(account string, holds ledger.Yen, stated bool) string {
	if !stated {
		return fmt.Sprintf("・%s：まだ残高を聞いていません", account)
	}
	if holds < 0 {
		return fmt.Sprintf("・%s：記録では %s 足りません", account, yen(-holds))
	}
	return fmt.Sprintf("・%s %s", account, yen(holds))
}

func balanceLine(c grammar.Command, account string, holds ledger.Yen, stated bool) string {
	switch {
	case stated && holds < 0:
		return fmt.Sprintf("%sは、記録では %s 足りなくなっています。書き忘れがあるかもしれません。「%s 3000」のように、いまある金額を送ってください。",
			account, yen(-holds), balanceWords(c))
	case stated:
		return fmt.Sprintf("%sには %s あるはずです。", account, yen(holds))
	}
	counted := ""
	if holds > 0 {
		counted = fmt.Sprintf("（記録を足し引きすると %s）", yen(holds))
	}
	return fmt.Sprintf("%sの残高は、まだ聞いていません%s。「%s 3000」のように、いまある金額を送ってください。",
		account, counted, balanceWords(c))
}

// balanceWords is how one begins to state what the command asks about.
func balanceWords(c grammar.Command) string {
	if words := accountWords(c); c.Owner != "" || c.Shared || c.Own || words == wallet {
		return words
	}
	return c.Account + "残高"
}

// accountWords is what the command calls the account that it asks about.
func accountWords(c grammar.Command) string {
	switch {
	case c.Shared:
		return walletOf(everybody)
	case c.Own:
		return walletOf("自分")
	case c.Owner != "":
		return walletOf(c.Owner)
	case c.Account == "" || c.Account == ledger.Cash:
		return wallet
	}
	return c.Account
}

// Taking back.

func undoneHead(n int) string {
	if n == 1 {
		return "取り消しました。"
	}
	return fmt.Sprintf("%d件を取り消しました。", n)
}

func redoneHead(n int) string {
	if n == 1 {
		return "元に戻しました。"
	}
	return fmt.Sprintf("%d件を元に戻しました。", n)
}

const (
	nothingToUndo = "取り消すものがありません。"
	nothingToRedo = "元に戻すものがありません。"
	noLastToRedo  = nothingToRedo + "番号で戻すなら「元に戻す 12」のように送ってください。"
	whichOne      = "どれを取り消しますか？まだ何も取り消していません。"
)

func noSuchNumber(number string) string {
	return fmt.Sprintf("受付 %s に、取り消せる記録はありません。「一覧」で番号を見られます。", number)
}

// nothingLikeIt says that no row fits what the command describes.
func nothingLikeIt(c grammar.Command) string {
	words := []string{c.Date.String(), c.Item}
	if c.HasAmount {
		words = append(words, yen(c.Amount))
	}
	return fmt.Sprintf("この24時間にあなたが送った中に、「%s」はありません。「一覧」で番号を見て、「取消 12」のように送ってください。", spaced(words...))
}

// spaced joins the words that there are.
func spaced(words ...string) string {
	words = slices.DeleteFunc(words, func(s string) bool { return s == "" })
	return strings.Join(words, " ")
}

func alreadyRedone(id ledger.RowID) string {
	return fmt.Sprintf("もう元に戻してあります（受付 %s）。", id)
}

func alreadyUndone(id ledger.RowID) string {
	return fmt.Sprintf("もう取り消してあります（受付 %s）。", id)
}

func changedSince(id ledger.RowID) string {
	return fmt.Sprintf("受付 %s は、そのあとで変わっているので、このままでは取り消せません。何も変えていません。", id)
}

func tooOld(n *names, rows []ledger.Row, number ledger.ReceiptNumber) string {
	return fmt.Sprintf("最後の記録は、24時間より前の受付 %d（%s）です。これを取り消すなら「取消 %d」と送ってください。まだ何も取り消していません。",
		number, strings.Join(rowLines(n, rows), "、"), number)
}

// oldChange is tooOld for what changed a setting or a category.
func oldChange(number ledger.ReceiptNumber) string {
	return fmt.Sprintf("最後に変えたのは、24時間より前の受付 %d です。これを取り消すなら「取消 %d」と送ってください。まだ何も取り消していません。", number, number)
}

// undoButton says what it takes back. With a Tap it does that itself.
func undoButton(id ledger.RowID) Button {
	text := fmt.Sprintf("取消 %s", id)
	return Button{Label: text, Text: text}
}

// redoButton names the 取消 that it takes back, so that everybody in the chat sees
// what is being brought back.
func redoButton(undo ledger.ReceiptNumber) Button {
	return Button{Label: "元に戻す", Text: fmt.Sprintf("元に戻す %d", undo)}
}

const (
	quotedUnknown = "引用されたメッセージの記録は、見つかりませんでした。何も変えていません。"
	quotedNothing = "引用されたメッセージには、取り消せる記録がありません。何も変えていません。"
	whoseLast     = "だれの記録か、LINEから教えてもらえていません。「取消 12」のように番号をつけるか、取り消すメッセージを引用して送ってください。何も取り消していません。"
)
