package bot

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ichido/internal/ledger"
)

// This file has the sentences of the answers to questions about the ledger.

// subject is what the topic is called in an answer; "" for all rows.
func (q *topic) subject() string {
	words := q.words()
	if q.item != "" {
		words[len(words)-1] = q.say("「%s」", "“%s”", q.item)
	}
	return strings.Join(words, q.say("の", ", "))
}

// typed is the topic as one may type it.
func (q *topic) typed() string { return strings.Join(q.words(), q.say("の", " ")) }

// about joins period and subject: 今月, 今月の食費.
func (v Voice) about(p ledger.Period, today ledger.Date, subject string) string {
	period := v.periodName(p, today)
	if subject == "" {
		return period
	}
	now := p.Contains(today) && (isMonth(p) || p.From == p.To)
	if v == English && !now {
		return subject + ", " + period
	}
	return v.say("%[2]sの%[1]s", "%[1]s %[2]s", subject, period)
}

func (v Voice) nothingIn(p ledger.Period, today ledger.Date, q *topic) string {
	return v.none(p, today, v.recordsOf(v.about(p, today, q.subject())))
}

func (v Voice) recordsOf(what string) string { return v.say("%sの記録", "entries of %s", what) }

// none says that there is nothing of the sort in the period, or not yet.
func (v Voice) none(p ledger.Period, today ledger.Date, what string) string {
	if p.To >= today {
		return v.say("%sは、まだありません。", "Nothing yet: %s.", what)
	}
	return v.say("%sはありません。", "Nothing: %s.", what)
}

// askedFigure is what the figure of the topic in the period is called: 今月の支出,
// 今月の花子の収入, 今月の食費. Where it is nothing, that it is spending is said in any case.
func (v Voice) askedFigure(p ledger.Period, today ledger.Date, q *topic, nothing bool) string {
	if q.isIncome() || !nothing && (q.category != "" || q.item != "") {
		return v.about(p, today, q.subject())
	}
	if v == English {
		return v.about(p, today, v.spendingOf(q))
	}
	return v.about(p, today, q.subject()) + "の支出"
}

// spendingOf is what is spent on the topic, or by the person.
func (v Voice) spendingOf(q *topic) string {
	if q.subject() == "" {
		return v.say("支出", "spending")
	}
	return v.say("%sの支出", "%s, spending", q.subject())
}

var noLast = Phrase{"あなたの記録は、まだありません。", "You have recorded nothing yet."}

// lastLines show what the sender recorded last.
func (v Voice) lastLines(n *names, rows []ledger.Row) []Line {
	lines := sentences(v.say("あなたの最後の記録は、これです。", "This is your last record."))
	lines = append(lines, v.rowItems(n, rows)...)
	last := &lines[len(lines)-1]
	last.Text += v.say("（受付 %s）", " (No. %s)", commonID(rows))
	if last.Left != "" {
		last.Note = v.quietLine(last.Note, v.receiptLabel(commonID(rows)))
	}
	return lines
}

// summaryHead says what the topic comes to in the period.
func (v Voice) summaryHead(p ledger.Period, today ledger.Date, q *topic, s sums) []Line {
	amount, rows := q.figure(s)
	what := v.askedFigure(p, today, q, rows == 0)
	if rows == 0 {
		return sentences(v.none(p, today, what))
	}
	what = v.begin(what)
	lines := []Line{{
		Text: v.say("%s %s（%s）", "%s %s (%s)", what, v.yen(amount), v.entries(rows)), Role: Head,
		Left: what, Right: v.yen(amount), Note: v.entries(rows),
	}}
	if s.refunded > 0 && !q.isIncome() {
		lines = append(lines, sentences(v.say("返金%sを引いてあります。", "Refunds of %s are taken off.", v.yen(s.refunded)))...)
	}
	return lines
}

// begin lets the words begin a line.
func (v Voice) begin(words string) string {
	if v != English || words == "" {
		return words
	}
	first, size := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(first)) + words[size:]
}

// moreOf are buttons that ask for more about the topic in the month.
func (v Voice) moreOf(p ledger.Period, today ledger.Date, q *topic) []Button {
	buttons := []Button{{Label: v.say("一覧", "list"), Text: v.listWords(p, today, q)}}
	if p.Contains(today) && q.subject() == "" {
		buttons = append(buttons, Button{Label: v.say("先月とくらべる", "beside last month"), Text: v.say("先月比", "compare")})
	}
	return buttons
}

// aheadLine says what of the figure is dated after today.
func (v Voice) aheadLine(amount ledger.Yen, rows int) string {
	return v.say("このうち%s（%s）は、あしたからの日付です。", "Of this, %s (%s) is dated from tomorrow on.", v.yen(amount), v.entries(rows))
}

// comparison says how the figure of the period, as far as it has gone, stands beside that
// of the earlier one. ahead says that the period has rows that are dated after today.
func (v Voice) comparison(p, earlier ledger.Period, today ledger.Date, now, was ledger.Yen, ahead bool) string {
	name, before := v.earlierName(p, earlier, today), v.yen(was)
	line := ""
	switch {
	case now > was:
		line = v.say("%[1]sの%[2]sより%[3]s多いです。", "%[3]s more than %[1]s (%[2]s).", name, before, v.yen(now-was))
	case now < was:
		line = v.say("%[1]sの%[2]sより%[3]s少ないです。", "%[3]s less than %[1]s (%[2]s).", name, before, v.yen(was-now))
	default:
		line = v.say("%sの%sと同じです。", "The same as %s (%s).", name, before)
	}
	if ahead {
		return v.say("今日までで、%s", "Up to today: %s", line)
	}
	return line
}

// earlierName names the period with which one is compared: where that still goes on, by
// its last day.
func (v Voice) earlierName(p, earlier ledger.Period, today ledger.Date) string {
	if !p.Contains(today) {
		return v.periodName(earlier, today)
	}
	day := fmt.Sprintf("%d/%d", earlier.To.Month(), earlier.To.Day())
	switch {
	case isMonth(p):
		return v.say("先月の%sまで", "last month up to %s", day)
	case isWeek(p):
		return v.say("先週の%sまで", "last week up to %s", day)
	case isYear(p):
		return v.say("去年の%sまで", "last year up to %s", day)
	}
	return v.periodName(earlier, today)
}

// byPerson says who spent what, where there are several members.
func (v Voice) byPerson(n *names, s sums) string {
	if len(n.members) == 0 {
		return ""
	}
	var parts []string
	for _, id := range slices.Sorted(maps.Keys(s.people)) {
		parts = append(parts, n.member(id)+" "+v.yen(s.people[id]))
	}
	return v.list(parts)
}

// amountLine shows an amount of a category beside the largest one; largest 0 shows it
// alone.
func (v Voice) amountLine(c ledger.Category, amount, largest ledger.Yen) Line {
	name, figure := v.category(c), v.yen(amount)
	return Line{
		Text: v.say("・%s %s", "• %s %s", name, spaced(figure, bar(amount, largest))), Role: Item,
		Left: name, Right: figure, Bar: perMille(amount, largest),
	}
}

// longestBar is the length of the bar of the largest amount.
const longestBar = 8

// bar is made of characters; "" for nothing and for less.
func bar(amount, largest ledger.Yen) string {
	if amount <= 0 || largest <= 0 {
		return ""
	}
	return strings.Repeat("▇", max(1, int((amount*longestBar+largest/2)/largest)))
}

// perMille is the length of the amount's bar where that of the largest is 1000.
func perMille(amount, largest ledger.Yen) int {
	if amount <= 0 || largest <= 0 {
		return 0
	}
	return max(1, int((amount*1000+largest/2)/largest))
}

// besides are the lines of a summary that are no spending.
func (v Voice) besides(s sums) (lines []string) {
	if s.incomes > 0 {
		lines = append(lines, v.say("収入 %s", "Income %s", v.yen(s.income)))
	}
	if s.moves > 0 {
		lines = append(lines, v.say("口座の間で移したお金 %s", "Moved between accounts %s", v.yen(s.moved)))
	}
	if s.unmatched > 0 {
		lines = append(lines, v.missingLine(s.missing))
	}
	return lines
}

func (v Voice) missingLine(missing ledger.Yen) string {
	line := v.say("不明金 %s", "Unexplained %s", v.gone(missing))
	if missing < 0 {
		line += v.say("（記録より多くあった分）", " (more than recorded)")
	}
	return line
}

func (v Voice) listHead(p ledger.Period, today ledger.Date, q *topic) Line {
	what := v.begin(v.recordsOf(v.about(p, today, q.subject())))
	return Line{Text: v.say("%s（新しい順、先頭は受付の番号）", "%s (newest first, after their numbers)", what), Role: Head, Left: what}
}

// numbered shows a row after its number.
func (v Voice) numbered(n *names, r ledger.Row) string {
	return fmt.Sprintf("%s ｜ %s", r.ID, v.rowLine(n, r))
}

// listLine is numbered with the name of who wrote it, where there are several.
func (v Voice) listLine(n *names, r ledger.Row) Line {
	line := Line{Text: v.numbered(n, r), Role: Item, Number: r.ID.String(), Left: v.rowItem(n, r), Right: v.yen(rowAmount(r))}
	if len(n.members) > 0 {
		line.Note = n.member(r.Member)
		line.Text += v.say("（%s）", " (%s)", line.Note)
	}
	v.addMemo(&line, r)
	return line
}

// listLines are the lines of rows, in groups of one day.
func (v Voice) listLines(n *names, rows []ledger.Row) (lines []Line) {
	for i, r := range rows {
		line := v.listLine(n, r)
		if i == 0 || rows[i-1].Date != r.Date {
			line.Group = v.begin(v.periodName(ledger.Period{From: r.Date, To: r.Date}, n.today))
		}
		lines = append(lines, line)
	}
	return lines
}

// listFoot says how to take a row back.
func (v Voice) listFoot(example ledger.RowID) Line {
	return Line{Text: v.say("「取消 %s」のように送ると、取り消せます。", "Send “undo %s” to take one back.", example), Role: Quiet}
}

// Pages.

// pageLine says which page of how many it is, and of how many rows.
func (v Voice) pageLine(page, pages, rows int) Line {
	return Line{Text: v.say("%d／%dページ（全部で%s）", "page %d of %d (%s in all)", page, pages, v.entries(rows)), Role: Quiet}
}

func (v Voice) noSuchPage(pages int) string {
	return v.say("%sまでです。", "There is no more than %s.", v.pages(pages))
}

func (v Voice) pages(n int) string {
	if n == 1 {
		return v.say("1ページ", "1 page")
	}
	return v.say("%dページ", "%d pages", n)
}

// pageButton goes to the page of what one asks for with the words.
func (v Voice) pageButton(words string, page int, back bool) Button {
	label := v.say("次のページ", "next page")
	if back {
		label = v.say("前のページ", "previous page")
	}
	return Button{Label: label, Text: v.say("%s %dページ", "%s page %d", words, page)}
}

// listWords ask for the list of the topic in the period.
func (v Voice) listWords(p ledger.Period, today ledger.Date, q *topic) string {
	when := v.typedPeriod(p, today)
	if v == English {
		return spaced("list", q.typed(), when)
	}
	return strings.Join(slices.DeleteFunc([]string{when, q.typed(), "一覧"}, func(s string) bool { return s == "" }), "の")
}

// typedPeriod is the period as one may type it; "" for this month.
func (v Voice) typedPeriod(p ledger.Period, today ledger.Date) string {
	switch {
	case p == ledger.Month(today, 0):
		return ""
	case isMonth(p) && p.From.Year() == today.Year() && p.From < today:
		return v.say(fmt.Sprintf("%d月", p.From.Month()), "in "+monthName(p.From))
	case isMonth(p):
		return v.say(fmt.Sprintf("%d年%d月", p.From.Year(), p.From.Month()), fmt.Sprintf("in %s %d", monthName(p.From), p.From.Year()))
	case isYear(p):
		return v.say("%d年", "in %d", p.From.Year())
	case p.From == p.To:
		return shortDate(p.From, today)
	}
	return v.say("%sから%sまで", "from %s to %s", shortDate(p.From, today), shortDate(p.To, today))
}

// searchWords search for the topic, in a period if one is named.
func (v Voice) searchWords(p ledger.Period, named bool, today ledger.Date, q *topic) string {
	switch {
	case !named:
		return v.say("検索 %s", "search %s", q.typed())
	case v == English:
		return spaced("search", q.typed(), v.typedPeriod(p, today))
	case p == ledger.Month(today, 0):
		return "今月の" + q.typed() + "を検索"
	}
	return v.typedPeriod(p, today) + "の" + q.typed() + "を検索"
}

// Search.

var howToSearch = Phrase{
	"「検索 スタバ」のように、さがす言葉をつけて送ってください。「先月のスタバを検索」のように、いつのことかもつけられます。",
	"Send what to look for, like “search starbucks”, and if you like when: “search starbucks last month”.",
}

// searchHead says how many rows were found since a day, or in a period that was named, and
// what they come to.
func (v Voice) searchHead(p ledger.Period, named bool, today ledger.Date, q *topic, rows int, s sums) []Line {
	what := v.begin(v.searched(p, named, today, q))
	return append([]Line{{
		Text: v.say("%s %s（新しい順、先頭は受付の番号）", "%s: %s (newest first, after their numbers)", what, v.entries(rows)), Role: Head,
		Left: what, Right: v.entries(rows),
	}}, sentences(v.list(v.searchSums(s)))...)
}

// searched names what was searched for and where.
func (v Voice) searched(p ledger.Period, named bool, today ledger.Date, q *topic) string {
	if named {
		return v.recordsOf(v.about(p, today, q.subject()))
	}
	return v.say("%sからの%sの記録", "%[2]s since %[1]s", shortDate(p.From, today), q.subject())
}

func (v Voice) searchSums(s sums) (parts []string) {
	if s.spendings > 0 {
		parts = append(parts, v.say("支出 %s", "Spending %s", v.yen(s.spent)))
	}
	if s.refunded > 0 {
		parts[0] += v.say("（返金%sを引いた額）", " (less refunds of %s)", v.yen(s.refunded))
	}
	return append(parts, v.besides(s)...)
}

// nothingFound says that there is no such row. Where no period was named, it says how to
// search what is older.
func (v Voice) nothingFound(p ledger.Period, named bool, today ledger.Date, q *topic) string {
	if named {
		return v.none(p, today, v.searched(p, named, today, q))
	}
	return v.say("%[1]sはありません。それより前は「%[2]d年の%[3]sを検索」のように送ると、さがせます。",
		"Nothing: %[1]s. To look further back send “search %[3]s in %[2]d”.", v.searched(p, named, today, q), p.From.AddDays(-1).Year(), q.typed())
}

// Categories.

func (v Voice) categoriesHead(n int, p ledger.Period, today ledger.Date) Line {
	period := v.periodName(p, today)
	return Line{
		Text: v.say("カテゴリは%dこあります（金額は%sの支出）。", "There are %d categories (with the spending of %s).", n, period),
		Role: Head, Left: v.say("カテゴリ", "Categories"), Right: v.say("%dこ", "%d", n),
		Note: v.say("%sの支出", "spending of %s", period),
	}
}

func (v Voice) unusedCategories(unused []ledger.Category) string {
	if len(unused) == 0 {
		return ""
	}
	var names []string
	for _, c := range unused {
		names = append(names, v.category(c))
	}
	return v.say("まだ支出のないもの：%s", "nothing spent yet on: %s", v.list(names))
}

var categoriesFoot = Phrase{"「カテゴリ 追加 推し活」のように送ると、ふやせます。", "Add your own like “category add concerts”."}

// Comparisons.

func (v Voice) comparedTotal(p ledger.Period, today ledger.Date, q *topic, amount ledger.Yen, rows int) Line {
	what := v.begin(v.askedFigure(p, today, q, false))
	figure := v.say("%s（%s）", "%s (%s)", v.yen(amount), v.entries(rows))
	line := Line{Text: v.say("%sは、%sです。", "%s: %s.", what, figure), Role: Head, Left: what, Right: v.yen(amount), Note: v.entries(rows)}
	if p.Contains(today) {
		line.Text = v.say("%sは、今日までで%sです。", "%s up to today: %s.", what, figure)
	}
	return line
}

// nothingEarlier says that there is nothing to compare with, and what the whole of the
// earlier period came to if that has more.
func (v Voice) nothingEarlier(p, earlier, whole ledger.Period, today ledger.Date, amount ledger.Yen, rows int) string {
	name := v.wholeName(p, whole, today)
	if rows == 0 {
		return v.say("%sには、くらべる記録がありません。", "There is nothing to compare with: %s.", name)
	}
	return v.say("%sは、まだ記録がありませんでした。%sは、全部で%sでした。", "There was nothing yet %s. All of %s: %s.",
		v.earlierName(p, earlier, today), name, v.yen(amount))
}

// wholeName names all of the period with which one is compared.
func (v Voice) wholeName(p, whole ledger.Period, today ledger.Date) string {
	switch {
	case !p.Contains(today):
	case isMonth(p):
		return v.say("先月", "last month")
	case isWeek(p):
		return v.say("先週", "last week")
	case isYear(p):
		return v.say("去年", "last year")
	}
	return v.periodName(whole, today)
}

// differenceLine shows by how much a category has gone up or down.
func (v Voice) differenceLine(c ledger.Category, was, now ledger.Yen) Line {
	sign, by := "±", now-was
	switch {
	case by > 0:
		sign = v.say("＋", "+")
	case by < 0:
		sign, by = v.say("－", "-"), -by
	}
	name, change, both := v.category(c), sign+v.yen(by), v.yen(was)+"→"+v.yen(now)
	return Line{Text: v.say("・%s %s（%s）", "• %s %s (%s)", name, change, both), Role: Item, Left: name, Right: change, Note: both}
}

// Cards.

// paidByCard answers the question what a card holds with what it has paid for.
func (v Voice) paidByCard(card string, p ledger.Period, today ledger.Date, s sums) string {
	if s.spendings == 0 {
		return v.text(noCardBalance)
	}
	return v.say("%[1]sの残高は、まだ扱えません。%[2]s、%[1]sで払ったのは%[3]s（%[4]s）です。",
		"Balances of cards are not kept yet. Paid by %[1]s %[2]s: %[3]s (%[4]s).", card, v.periodName(p, today), v.yen(s.spent), v.entries(s.spendings))
}

var cardsAreLeftOut = Phrase{"カードで払ったものは、引いてありません。", "What was paid by card is not taken off."}

// Trends.

func (v Voice) trendHead(q *topic, first ledger.Period, today ledger.Date) Line {
	what := q.subject()
	if q.category == "" && q.item == "" {
		what = v.spendingOf(q)
	}
	months := v.say("今月", "this month")
	if !first.Contains(today) {
		months = v.say("%s〜今月", "%s to this month", v.periodName(first, today))
	}
	head := v.begin(v.say("%sの推移", "%s by month", what))
	return Line{Text: v.say("%s（%s）", "%s (%s)", head, months), Role: Head, Left: head, Note: months}
}

// trendLine shows the amount of a month beside the largest one. goesOn says that the
// month is not over.
func (v Voice) trendLine(m ledger.Period, amount, largest ledger.Yen, goesOn bool) Line {
	name := v.say(fmt.Sprintf("%d月", m.From.Month()), monthName(m.From)[:3])
	line := Line{Text: spaced(name, bar(amount, largest), v.yen(amount)), Role: Item, Left: name, Right: v.yen(amount), Bar: perMille(amount, largest)}
	if goesOn {
		line.Text += v.say("（途中）", " (so far)")
		line.Note = v.say("途中", "so far")
	}
	return line
}

func (v Voice) averageLine(first, last ledger.Period, today ledger.Date, average ledger.Yen) string {
	return v.say("%s〜%sの平均 %s", "average of %s to %s: %s", v.periodName(first, today), v.periodName(last, today), v.yen(average))
}
