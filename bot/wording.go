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

func (v Voice) yen(y ledger.Yen) string { return v.say("%s円", "¥%s", y) }

// typedYen is an amount as it is written to be read again.
func typedYen(y ledger.Yen) string { return y.String() + "円" }

// category is what a category is called. The household's own keep their names.
func (v Voice) category(c ledger.Category) string { return string(c) }

// place is what an account is called that has the name; "" is the wallet.
func (v Voice) place(name string) string {
	switch name = accountName(name); name {
	case wallet:
		return v.text(walletName)
	case bank:
		return v.say("銀行", "bank")
	case "カード":
		return v.say("カード", "card")
	}
	return name
}

var walletName = Phrase{wallet, "wallet"}

// gone writes unexplained money without its unit: plain if there is less than
// the ledger says, with a plus if there is more.
func gone(y ledger.Yen) string {
	if y < 0 {
		return "＋" + (-y).String()
	}
	return y.String()
}

// dayName is empty for today.
func (v Voice) dayName(d, today ledger.Date) string {
	switch {
	case d == today:
		return ""
	case d.Year() != today.Year():
		return fmt.Sprintf("%d/%d/%d ", d.Year(), d.Month(), d.Day())
	}
	weekday := v.say(string([]rune("日月火水木金土")[d.Weekday()]), d.Weekday().String()[:3])
	return v.say("%d/%d(%s) ", "%d/%d (%s) ", d.Month(), d.Day(), weekday)
}

func (v Voice) periodName(p ledger.Period, today ledger.Date) string {
	switch {
	case p == ledger.Month(today, 0):
		return v.say("今月", "")
	case p == ledger.Month(p.From, 0) && p.From.Year() == today.Year():
		return v.say("%d月", "", p.From.Month())
	case p == ledger.Month(p.From, 0):
		return v.say("%d年%d月", "", p.From.Year(), p.From.Month())
	case isYear(p):
		return v.say("%d年", "", p.From.Year())
	case p.From == p.To && p.From == today:
		return v.say("今日", "")
	case p.From == p.To:
		return strings.TrimSpace(v.dayName(p.From, today))
	}
	return v.say("%s〜%s", "", shortDate(p.From, today), shortDate(p.To, today))
}

func shortDate(d, today ledger.Date) string {
	if d.Year() != today.Year() {
		return fmt.Sprintf("%d/%d/%d", d.Year(), d.Month(), d.Day())
	}
	return fmt.Sprintf("%d/%d", d.Month(), d.Day())
}

const wallet = "財布"

var (
	you       = Phrase{"あなた", ""}
	somebody  = Phrase{"だれか", ""}
	everybody = Phrase{"みんな", ""}
)

func (v Voice) walletOf(owner string) string { return owner + v.say("の財布", "") }

// otherMember stands for the name of the nth of the members, who has none and
// is not the sender. only says that nobody else could be meant.
func (v Voice) otherMember(n int, only bool) string {
	if only {
		return v.say("もうひとり", "")
	}
	return v.say("%d人目の人", "", n)
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

var namelessOwner = Phrase{"だれの財布か、わかりませんでした。いまは自分の財布だけ、「財布 3000」で記録できます。\nまだ記録していません。", ""}

func (v Voice) nobodyFound(name string) string {
	return v.say("「%s」という名前の人が見つかりません。「メンバー」で名前を見られます。", "", name)
}

func (v Voice) nobodyCalled(name string) string {
	return v.nobodyFound(name) + v.say("何も記録していません。", "")
}

// Rows.

// rowLine shows a row: date unless today, item, amount.
func (v Voice) rowLine(n *names, r ledger.Row) string {
	return v.dayName(r.Date, n.today) + v.rowText(n, r)
}

func (v Voice) rowText(n *names, r ledger.Row) string {
	item := cmp.Or(r.Item, string(r.Category), string(ledger.Other))
	switch r.Type {
	case ledger.Transfer:
		return v.say("%s→%s %s", "", n.accounts[r.Account], n.accounts[r.ToAccount], v.yen(r.Amount))
	case ledger.Adjustment:
		return v.say("%sの残高 %s", "", n.accounts[r.Account], v.yen(r.Stated))
	case ledger.Refund:
		if !strings.Contains(item, v.say("返", "")) {
			item = v.say("返金 ", "") + item
		}
	}
	return item + " " + v.yen(r.Amount)
}

// rowLines shows the rows, each with its category where they differ in it.
func (v Voice) rowLines(n *names, rows []ledger.Row) (lines []string) {
	differ := n.commonCategory(rows) == ""
	for _, r := range rows {
		line := v.rowLine(n, r)
		if differ && hasCategory(r) {
			line += v.say("（%s）", " (%s)", v.category(n.category(r)))
		}
		if lines = append(lines, line); len(lines) == maxLines && len(rows) > maxLines {
			return append(lines, v.more(len(rows)-maxLines))
		}
	}
	return lines
}

// quietLine is small print; empty parts are left out.
func (v Voice) quietLine(parts ...string) string {
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return strings.Join(parts, v.say("／", " · "))
}

func (v Voice) receiptLabel(id ledger.RowID) string { return v.say("受付 %s", "", id) }

func (v Voice) writtenBy(name string) string { return name + v.say("の記録", "") }

func (v Voice) monthTotal(month string, s sums, onlyIncome bool) string {
	if onlyIncome {
		return v.say("%sの収入 %s", "", month, v.yen(s.income))
	}
	return fmt.Sprintf("%s %s", month, v.yen(s.spent))
}

func (v Voice) more(n int) string { return v.say("…ほかに %d件", "", n) }

// Answers to records and balance statements.

// recordedHead begins the answer about n rows that were recorded.
func (v Voice) recordedHead(n int) string {
	if n == 1 {
		return v.say("記録しました。", "")
	}
	return v.say("%d件を記録しました。", "", n)
}

var (
	sameAccount   = Phrase{"同じところへお金を移すことはできません。どこからどこへかを、「銀行からSuicaに3000円」のように送ってください。\nまだ記録していません。", ""}
	guessedSource = Phrase{"どこから入れたかは聞いていないので、財布からにしました。ちがうときは、ボタンで変えるか、取り消して「銀行からSuicaに3000円」のように送ってください。", ""}
	takenOff      = Phrase{"（支出から引きました）", ""}
	noCardBalance = Phrase{"カードの残高は、まだ扱えません。カードで買ったものは「スーパー 2480 カード」のように送ってください。何も記録していません。", ""}
	futureBalance = Phrase{"先の日の残高は、まだわかりません。その日になったら送ってください。\nまだ記録していません。", ""}
)

func (v Voice) unreadLines(lines []string) (notes []string) {
	for i, line := range lines {
		if i == maxLines {
			return append(notes, v.more(len(lines)-maxLines))
		}
		notes = append(notes, v.say("「%s」は読めなかったので、記録していません。", "", shortened(line)))
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
func (v Voice) statedLine(r ledger.Row) string {
	switch {
	case r.Type != ledger.Adjustment || !r.Stands():
		return ""
	case r.Opening:
		return v.say("これを最初の残高にします。", "")
	case r.Amount == 0:
		return v.say("記録とぴったりです。", "")
	case r.Amount < 0:
		return v.say("記録より %s 少ないです（不明金 %s円）。", "", v.yen(-r.Amount), gone(-r.Amount))
	}
	return v.say("記録より %s 多いです（不明金 %s円）。", "", v.yen(r.Amount), gone(-r.Amount))
}

// adjustedLine says how a balance statement changed along with other rows.
func (v Voice) adjustedLine(n *names, c ledger.Change) string {
	name := v.dayName(c.After.Date, n.today) + n.accounts[c.After.Account]
	before, after := v.gap(c.Before.Amount), v.gap(c.After.Amount)
	switch {
	case c.Before.Opening && c.After.Opening:
		return v.say("%sの最初の残高 %s より前のことは、いまの残高を変えません。", "", name, v.yen(c.After.Stated))
	case c.After.Opening:
		return v.say("%sの残高 %s が最初の残高になりました（「%s」の差はなくなりました）。", "", name, v.yen(c.After.Stated), before)
	case c.Before.Opening:
		return v.say("%sの残高 %s は最初の残高ではなくなりました。記録とくらべると：%s", "", name, v.yen(c.After.Stated), after)
	}
	return v.say("%sは、記録とくらべると：%s→%s", "", name, before, after)
}

// gap says in words by how much there is more or less than the ledger says.
func (v Voice) gap(amount ledger.Yen) string {
	switch {
	case amount < 0:
		return v.yen(-amount) + v.say(" 足りない", "")
	case amount > 0:
		return v.yen(amount) + v.say(" 多い", "")
	}
	return v.say("ぴったり", "")
}

var lateForUndo = Phrase{"あとから打たれた「取消」より前のメッセージが、今届きました。記録してあります。", ""}

// missedBy says that a 取消 was handled before something of the kind that it would have
// meant.
func (v Voice) missedBy(kind store.Kind) string {
	if kind == store.Correct {
		return v.text(correctedLateForUndo)
	}
	return v.text(lateForUndo)
}

// tookInstead says what a 取消 took back that had to do without its message.
func (v Voice) tookInstead(n *names, rows []ledger.Row) string {
	return v.say("その「取消」では、受付 %d（%s）を取り消してあります。", "", rows[0].ID.Receipt, strings.Join(v.rowLines(n, rows), v.say("、", ", ")))
}

func (v Voice) lateForBalance(n *names, statement *ledger.Row) string {
	return v.say("あとから打たれた「%s」より前のメッセージが、今届きました。記録してあります。", "", v.rowText(n, *statement))
}

var (
	noBalances   = Phrase{"残高は、まだ何も聞いていません。「財布 3000」のように、いまある金額を送ってください。", ""}
	balancesHead = Phrase{"記録どおりなら、これだけあるはずです。", ""}
)

func (v Voice) oneOfBalances(account string, holds ledger.Yen, stated bool) string {
	if !stated {
		return v.say("・%s：まだ残高を聞いていません", "", account)
	}
	if holds < 0 {
		return v.say("・%s：記録では %s 足りません", "", account, v.yen(-holds))
	}
	return v.say("・%s %s", "", account, v.yen(holds))
}

func (v Voice) balanceLine(c grammar.Command, account string, holds ledger.Yen, stated bool) string {
	switch {
	case stated && holds < 0:
		return v.say("%sは、記録では %s 足りなくなっています。書き忘れがあるかもしれません。「%s 3000」のように、いまある金額を送ってください。", "",
			account, v.yen(-holds), v.balanceWords(c))
	case stated:
		return v.say("%sには %s あるはずです。", "", account, v.yen(holds))
	}
	counted := ""
	if holds > 0 {
		counted = v.say("（記録を足し引きすると %s）", "", v.yen(holds))
	}
	return v.say("%sの残高は、まだ聞いていません%s。「%s 3000」のように、いまある金額を送ってください。", "",
		account, counted, v.balanceWords(c))
}

// balanceWords is how one begins to state what the command asks about.
func (v Voice) balanceWords(c grammar.Command) string {
	if words := v.accountWords(c); c.Owner != "" || c.Shared || c.Own || words == wallet {
		return words
	}
	return c.Account + v.say("残高", "")
}

// accountWords is what the command calls the account that it asks about.
func (v Voice) accountWords(c grammar.Command) string {
	switch {
	case c.Shared:
		return v.walletOf(v.text(everybody))
	case c.Own:
		return v.walletOf(v.say("自分", ""))
	case c.Owner != "":
		return v.walletOf(c.Owner)
	case c.Account == "" || c.Account == ledger.Cash:
		return wallet
	}
	return c.Account
}

// Taking back.

func (v Voice) undoneHead(n int) string {
	if n == 1 {
		return v.say("取り消しました。", "")
	}
	return v.say("%d件を取り消しました。", "", n)
}

func (v Voice) redoneHead(n int) string {
	if n == 1 {
		return v.say("元に戻しました。", "")
	}
	return v.say("%d件を元に戻しました。", "", n)
}

var (
	nothingToUndo = Phrase{"取り消すものがありません。", ""}
	nothingToRedo = Phrase{"元に戻すものがありません。", ""}
	noLastToRedo  = Phrase{"元に戻すものがありません。番号で戻すなら「元に戻す 12」のように送ってください。", ""}
	whichOne      = Phrase{"どれを取り消しますか？まだ何も取り消していません。", ""}
)

func (v Voice) noSuchNumber(number string) string {
	return v.say("受付 %s に、取り消せる記録はありません。「一覧」で番号を見られます。", "", number)
}

// nothingLikeIt says that no row fits what the command describes.
func (v Voice) nothingLikeIt(c grammar.Command) string {
	words := []string{c.Date.String(), c.Item}
	if c.HasAmount {
		words = append(words, v.yen(c.Amount))
	}
	return v.say("この24時間にあなたが送った中に、「%s」はありません。「一覧」で番号を見て、「取消 12」のように送ってください。", "", spaced(words...))
}

// spaced joins the words that there are.
func spaced(words ...string) string {
	words = slices.DeleteFunc(words, func(s string) bool { return s == "" })
	return strings.Join(words, " ")
}

func (v Voice) alreadyRedone(id ledger.RowID) string {
	return v.say("もう元に戻してあります（受付 %s）。", "", id)
}

func (v Voice) alreadyUndone(id ledger.RowID) string {
	return v.say("もう取り消してあります（受付 %s）。", "", id)
}

func (v Voice) changedSince(id ledger.RowID) string {
	return v.say("受付 %s は、そのあとで変わっているので、このままでは取り消せません。何も変えていません。", "", id)
}

func (v Voice) tooOld(n *names, rows []ledger.Row, number ledger.ReceiptNumber) string {
	return v.say("最後の記録は、24時間より前の受付 %d（%s）です。これを取り消すなら「取消 %d」と送ってください。まだ何も取り消していません。", "",
		number, strings.Join(v.rowLines(n, rows), v.say("、", ", ")), number)
}

// oldChange is tooOld for what changed a setting or a category.
func (v Voice) oldChange(number ledger.ReceiptNumber) string {
	return v.say("最後に変えたのは、24時間より前の受付 %d です。これを取り消すなら「取消 %d」と送ってください。まだ何も取り消していません。", "", number, number)
}

// undoButton says what it takes back. With a Tap it does that itself.
func (v Voice) undoButton(id ledger.RowID) Button {
	text := v.say("取消 %s", "", id)
	return Button{Label: text, Text: text}
}

// redoButton names the 取消 that it takes back, so that everybody in the chat sees
// what is being brought back.
func (v Voice) redoButton(undo ledger.ReceiptNumber) Button {
	return Button{Label: v.say("元に戻す", ""), Text: v.say("元に戻す %d", "", undo)}
}

var (
	quotedUnknown = Phrase{"引用されたメッセージの記録は、見つかりませんでした。何も変えていません。", ""}
	quotedNothing = Phrase{"引用されたメッセージには、取り消せる記録がありません。何も変えていません。", ""}
	whoseLast     = Phrase{"だれの記録か、LINEから教えてもらえていません。「取消 12」のように番号をつけるか、取り消すメッセージを引用して送ってください。何も取り消していません。", ""}
)
