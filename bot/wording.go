package bot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
	"ichido/store"
)

// Money, dates, names.

func (v Voice) yen(y ledger.Yen) string {
	if v == English && y < 0 {
		return "-" + v.yen(-y)
	}
	return v.say("%s円", "¥%s", y)
}

// typedYen is an amount as it is written to be read again.
func typedYen(y ledger.Yen) string { return y.String() + "円" }

// category is what a category is called. The household's own keep their names.
func (v Voice) category(c ledger.Category) string {
	if v == English {
		return cmp.Or(grammar.EnglishCategory(c), string(c))
	}
	return string(c)
}

// place is what people call the account that has the name.
func (v Voice) place(name string) string {
	if v == English {
		return grammar.EnglishAccount(name)
	}
	return accountName(name)
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
	month := monthName(p.From)
	switch {
	case p == ledger.Month(today, 0):
		return v.say("今月", "this month")
	case p == ledger.Month(p.From, 0) && p.From.Year() == today.Year():
		return v.say(fmt.Sprintf("%d月", p.From.Month()), month)
	case p == ledger.Month(p.From, 0):
		return v.say(fmt.Sprintf("%d年%d月", p.From.Year(), p.From.Month()), fmt.Sprint(month, " ", p.From.Year()))
	case isYear(p):
		return v.say("%d年", "%d", p.From.Year())
	case p.From == p.To && p.From == today:
		return v.say("今日", "today")
	case p.From == p.To:
		return strings.TrimSpace(v.dayName(p.From, today))
	}
	return v.say("%s〜%s", "%s–%s", shortDate(p.From, today), shortDate(p.To, today))
}

// monthName is the English name of the day's month.
func monthName(d ledger.Date) string { return time.Month(d.Month()).String() }

func shortDate(d, today ledger.Date) string {
	if d.Year() != today.Year() {
		return fmt.Sprintf("%d/%d/%d", d.Year(), d.Month(), d.Day())
	}
	return fmt.Sprintf("%d/%d", d.Month(), d.Day())
}

const wallet = "財布"

var (
	you       = Phrase{"あなた", "you"}
	somebody  = Phrase{"だれか", "somebody"}
	everybody = Phrase{"みんな", "everybody"}
)

func (v Voice) walletOf(owner string) string {
	if owner == you.en {
		return "your wallet"
	}
	return v.say("%sの財布", "%s’s wallet", owner)
}

// otherMember stands for the name of the nth of the members, who has none and
// is not the sender. only says that nobody else could be meant.
func (v Voice) otherMember(n int, only bool) string {
	if only {
		return v.say("もうひとり", "the other one")
	}
	return v.say("%d人目の人", "member %d", n)
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

var namelessOwner = Phrase{
	"だれの財布か、わかりませんでした。いまは自分の財布だけ、「財布 3000」で記録できます。\nまだ記録していません。",
	"I could not tell whose wallet that is. For now only your own can be stated, with “wallet 3000”.\nNothing is recorded yet.",
}

func (v Voice) nobodyFound(name string) string {
	return v.say("「%s」という名前の人が見つかりません。「メンバー」で名前を見られます。", "There is nobody called “%s”. “members” shows the names.", name)
}

func (v Voice) nobodyCalled(name string) string {
	return v.nobodyFound(name) + v.say("何も記録していません。", " Nothing is recorded.")
}

// Rows.

// rowLine shows a row: date unless today, item, amount.
func (v Voice) rowLine(n *names, r ledger.Row) string {
	return v.dayName(r.Date, n.today) + v.rowText(n, r)
}

func (v Voice) rowText(n *names, r ledger.Row) string {
	return v.rowItem(n, r) + " " + v.yen(rowAmount(r))
}

// rowItem says what a row is about, all but its amount.
func (v Voice) rowItem(n *names, r ledger.Row) string {
	item := cmp.Or(r.Item, v.category(cmp.Or(r.Category, ledger.Other)))
	switch {
	case r.Type == ledger.Transfer:
		return n.accounts[r.Account] + "→" + n.accounts[r.ToAccount]
	case r.Type == ledger.Adjustment:
		return v.say("%sの残高", "%s balance", n.accounts[r.Account])
	case r.Type == ledger.Refund && !strings.Contains(item, "返") && !strings.Contains(strings.ToLower(item), "refund"):
		return v.say("返金 %s", "refund %s", item)
	}
	return item
}

// rowAmount is the amount that is shown of a row.
func rowAmount(r ledger.Row) ledger.Yen {
	if r.Type == ledger.Adjustment {
		return r.Stated
	}
	return r.Amount
}

// rowItems are the lines of rows, each with its category where they differ in it.
func (v Voice) rowItems(n *names, rows []ledger.Row) (lines []Line) {
	differ := n.commonCategory(rows) == ""
	for _, r := range rows {
		line := Line{
			Text: v.rowLine(n, r), Role: Item,
			Left: v.rowItem(n, r), Right: v.yen(rowAmount(r)), Note: strings.TrimSpace(v.dayName(r.Date, n.today)),
		}
		if differ && hasCategory(r) {
			category := v.category(n.category(r))
			line.Text += v.say("（%s）", " (%s)", category)
			line.Note = v.quietLine(line.Note, category)
		}
		v.addMemo(&line, r)
		if lines = append(lines, line); len(lines) == maxLines && len(rows) > maxLines {
			return append(lines, sentences(v.more(len(rows)-maxLines))...)
		}
	}
	return lines
}

// addMemo adds what somebody has noted of the row in a form.
func (v Voice) addMemo(line *Line, r ledger.Row) {
	if r.Memo == "" {
		return
	}
	memo := shortened(strings.Join(strings.Fields(r.Memo), " "))
	line.Text += v.say("（メモ：%s）", " (memo: %s)", memo)
	line.Note = v.quietLine(line.Note, memo)
}

// changedItem is the line of a row that was changed, of which the text says all; lead
// what was done to it.
func (v Voice) changedItem(n *names, was, now ledger.Row, lead, text string) Line {
	changes := v.changes(n, was, now)
	if !now.Stands() || changes == "" {
		return Line{Text: text}
	}
	return Line{
		Text: text, Role: Item, Lead: lead,
		Left: v.rowItem(n, now), Right: v.yen(rowAmount(now)), Note: changes,
	}
}

// changes says in which way two states of a row differ.
func (v Voice) changes(n *names, was, now ledger.Row) string {
	var parts []string
	differ := func(before, after string) {
		if before != after {
			parts = append(parts, before+"→"+after)
		}
	}
	differ(v.rowItem(n, was), v.rowItem(n, now))
	differ(v.yen(rowAmount(was)), v.yen(rowAmount(now)))
	differ(shortDate(was.Date, n.today), shortDate(now.Date, n.today))
	if hasCategory(was) && hasCategory(now) {
		differ(v.category(n.category(was)), v.category(n.category(now)))
		differ(n.accounts[was.Account], n.accounts[now.Account])
	}
	return v.quietLine(parts...)
}

// rowList is rowItems in one sentence.
func (v Voice) rowList(n *names, rows []ledger.Row) string {
	var texts []string
	for _, line := range v.rowItems(n, rows) {
		texts = append(texts, line.Text)
	}
	return v.list(texts)
}

// quietLine is small print; empty parts are left out.
func (v Voice) quietLine(parts ...string) string {
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return strings.Join(parts, v.say("／", " · "))
}

func (v Voice) receiptLabel(id ledger.RowID) string { return v.say("受付 %s", "No. %s", id) }

func (v Voice) writtenBy(name string) string { return v.say("%sの記録", "by %s", name) }

func (v Voice) monthTotal(month string, s sums, onlyIncome bool) string {
	if onlyIncome {
		return v.say("%sの収入 %s", "income %s %s", month, v.yen(s.income))
	}
	return month + " " + v.yen(s.spent)
}

// lastMonth tells once, when a month has begun, what the one before came to.
func (v Voice) lastMonth(m ledger.Period, spent ledger.Yen) string {
	name := v.say(fmt.Sprintf("%d月", m.From.Month()), monthName(m.From))
	return v.say("先月（%s）の支出は%sでした。", "Last month (%s) you spent %s.", name, v.yen(spent))
}

func (v Voice) more(n int) string { return v.say("…ほかに %d件", "… and %d more", n) }

func (v Voice) entries(n int) string {
	if n == 1 {
		return v.say("1件", "1 entry")
	}
	return v.say("%d件", "%d entries", n)
}

// Answers to records and balance statements.

// recordedHead begins the answer about n rows that were recorded.
func (v Voice) recordedHead(n int) string {
	if n == 1 {
		return v.say("記録しました。", "Recorded. ")
	}
	return v.say("%d件を記録しました。", "Recorded %d entries.", n)
}

var (
	sameAccount = Phrase{
		"同じところへお金を移すことはできません。どこからどこへかを、「銀行からSuicaに3000円」のように送ってください。\nまだ記録していません。",
		"Money can’t be moved to where it is. Say from where to where, like “move 3000 from bank to suica”.\nNothing is recorded yet.",
	}
	guessedSource = Phrase{
		"どこから入れたかは聞いていないので、財布からにしました。ちがうときは、ボタンで変えるか、取り消して「銀行からSuicaに3000円」のように送ってください。",
		"You did not say from where, so I took it from your wallet. If that is wrong, press a button, or undo it and send “move 3000 from bank to suica”.",
	}
	takenOff      = Phrase{"（支出から引きました）", "(taken off the spending)"}
	noCardBalance = Phrase{
		"カードの残高は、まだ扱えません。カードで買ったものは「スーパー 2480 カード」のように送ってください。何も記録していません。",
		"Balances of cards are not kept yet. Send what you bought by card like “groceries 2480 card”. Nothing is recorded.",
	}
	futureBalance = Phrase{
		"先の日の残高は、まだわかりません。その日になったら送ってください。\nまだ記録していません。",
		"Nobody knows a balance of a day to come. Please send it on that day.\nNothing is recorded yet.",
	}
)

func (v Voice) unreadLines(lines []string) (notes []string) {
	for i, line := range lines {
		if i == maxLines {
			return append(notes, v.more(len(lines)-maxLines))
		}
		notes = append(notes, v.say("「%s」は読めなかったので、記録していません。", "I could not read “%s”, so it is not recorded.", shortened(line)))
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
		return v.say("これを最初の残高にします。", "That is the balance to begin with.")
	case r.Amount == 0:
		return v.say("記録とぴったりです。", "Just as recorded.")
	case r.Amount < 0:
		return v.say("記録より%s少ないです（不明金 %s）。", "%s less than recorded (unexplained %s).", v.yen(-r.Amount), v.gone(-r.Amount))
	}
	return v.say("記録より%s多いです（不明金 %s）。", "%s more than recorded (unexplained %s).", v.yen(r.Amount), v.gone(-r.Amount))
}

// gone writes unexplained money: plain if there is less than the ledger says, with a
// plus if there is more.
func (v Voice) gone(y ledger.Yen) string {
	if y < 0 {
		return v.say("＋%s", "+%s", v.yen(-y))
	}
	return v.yen(y)
}

// adjustedLine says how a balance statement changed along with other rows.
func (v Voice) adjustedLine(n *names, c ledger.Change) string {
	name := v.dayName(c.After.Date, n.today) + n.accounts[c.After.Account]
	before, after := v.gap(c.Before.Amount), v.gap(c.After.Amount)
	switch {
	case c.Before.Opening && c.After.Opening:
		return v.say("%sの最初の残高%sより前のことは、いまの残高を変えません。",
			"%s: what was before the first balance, %s, does not change what is there now.", name, v.yen(c.After.Stated))
	case c.After.Opening:
		return v.say("%sの残高%sが最初の残高になりました（「%s」の差はなくなりました）。",
			"%s: the balance %s is now the one to begin with (%s is gone).", name, v.yen(c.After.Stated), before)
	case c.Before.Opening:
		return v.say("%sの残高%sは最初の残高ではなくなりました。記録とくらべると：%s",
			"%s: the balance %s is not the first any more. Beside the records: %s", name, v.yen(c.After.Stated), after)
	}
	return v.say("%sは、記録とくらべると：%s→%s", "%s, beside the records: %s→%s", name, before, after)
}

// gap says in words by how much there is more or less than the ledger says.
func (v Voice) gap(amount ledger.Yen) string {
	switch {
	case amount < 0:
		return v.say("%s足りない", "%s short", v.yen(-amount))
	case amount > 0:
		return v.say("%s多い", "%s over", v.yen(amount))
	}
	return v.say("ぴったり", "exact")
}

var lateForUndo = Phrase{
	"あとから送られた「取消」より前のメッセージが、今届きました。記録してあります。",
	"This message arrived only now, but was typed before an “undo”. It is recorded.",
}

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
	return v.say("その「取消」では、受付 %d（%s）を取り消してあります。", "That “undo” took back No. %d (%s) instead.", rows[0].ID.Receipt, v.rowList(n, rows))
}

func (v Voice) lateForBalance(n *names, statement *ledger.Row) string {
	return v.say("あとから送られた「%s」より前のメッセージが、今届きました。記録してあります。",
		"This message arrived only now, but was typed before “%s”. It is recorded.", v.rowText(n, *statement))
}

var (
	noBalances = Phrase{
		"残高は、まだ何も聞いていません。「財布 3000」のように、いまある金額を送ってください。",
		"I have not been told any balance yet. Send what is there, like “wallet 3000”.",
	}
)

func (v Voice) balancesHead() Line {
	return Line{
		Text: v.say("記録どおりなら、これだけあるはずです。", "By the records there should be:"), Role: Head,
		Left: v.say("記録どおりなら", "By the records"), Note: v.say("これだけあるはず", "there should be"),
	}
}

func (v Voice) oneOfBalances(account string, holds ledger.Yen, stated bool) Line {
	switch {
	case !stated:
		return Line{
			Text: v.say("・%s：まだ残高を聞いていません", "• %s: no balance told yet", account), Role: Item,
			Left: account, Note: v.say("まだ残高を聞いていません", "no balance told yet"),
		}
	case holds < 0:
		return Line{
			Text: v.say("・%s：記録では%s足りません", "• %s: %s short by the records", account, v.yen(-holds)), Role: Item,
			Left: account, Right: v.say("%s足りません", "%s short", v.yen(-holds)),
		}
	}
	return Line{Text: v.say("・%s %s", "• %s %s", account, v.yen(holds)), Role: Item, Left: account, Right: v.yen(holds)}
}

func (v Voice) balanceLine(c grammar.Command, account string, holds ledger.Yen, stated bool) string {
	switch {
	case stated && holds < 0:
		return v.say("%sは、記録では%s足りなくなっています。書き忘れがあるかもしれません。「%s 3000」のように、いまある金額を送ってください。",
			"%s: by the records %s short. Something may have been forgotten. Send what is there, like “%s 3000”.",
			account, v.yen(-holds), v.balanceWords(c))
	case stated:
		return v.begin(v.say("%sには%sあるはずです。", "%s: there should be %s.", account, v.yen(holds)))
	}
	counted := ""
	if holds > 0 {
		counted = v.say("（記録を足し引きすると%s）", " (the records come to %s)", v.yen(holds))
	}
	return v.say("%sの残高は、まだ聞いていません%s。「%s 3000」のように、いまある金額を送ってください。",
		"%s: no balance told yet%s. Send what is there, like “%s 3000”.", account, counted, v.balanceWords(c))
}

// balanceIs is balanceLine, drawn where there is a figure.
func (v Voice) balanceIs(c grammar.Command, account string, holds ledger.Yen, stated bool) Line {
	line := Line{Text: v.balanceLine(c, account, holds, stated)}
	if stated && holds >= 0 {
		line.Role, line.Left, line.Right = Head, v.begin(account), v.yen(holds)
		line.Note = v.say("あるはず", "there should be")
	}
	return line
}

// balanceWords is how one begins to state what the command asks about.
func (v Voice) balanceWords(c grammar.Command) string {
	if c.Owner != "" || c.Shared || c.Own || c.Account == "" || c.Account == ledger.Cash {
		return v.accountWords(c)
	}
	return v.say("%s残高", "%s balance", v.place(c.Account))
}

// accountWords is what the command calls the account that it asks about.
func (v Voice) accountWords(c grammar.Command) string {
	switch {
	case c.Shared:
		return v.say("みんなの財布", "shared wallet")
	case c.Own:
		return v.say("自分の財布", "my wallet")
	case c.Owner != "":
		return v.walletOf(c.Owner)
	}
	return v.place(cmp.Or(c.Account, ledger.Cash))
}
