package bot

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"ichido/internal/ledger"
)

// This file has the sentences of the answers to questions about the ledger.

// subject is what the topic is called in an answer; "" for all rows.
func (q *topic) subject() string {
	words := q.words()
	if q.item != "" {
		words[len(words)-1] = fmt.Sprintf("「%s」", q.item)
	}
	return strings.Join(words, "の")
}

// about joins period and subject: 今月, 今月の食費.
func about(p ledger.Period, today ledger.Date, subject string) string {
	if subject == "" {
		return periodName(p, today)
	}
	return periodName(p, today) + "の" + subject
}

func nothingIn(p ledger.Period, today ledger.Date, q *topic) string {
	return none(p, today, about(p, today, q.subject())+"の記録")
}

// none says that there is nothing of the sort in the period, or not yet.
func none(p ledger.Period, today ledger.Date, what string) string {
	if p.To >= today {
		return what + "は、まだありません。"
	}
	return what + "はありません。"
}

// asked is what the figure of the topic in the period is called: 今月の支出, 今月の花子の収入,
// 今月の食費. Where it is nothing, that it is spending is said in any case.
func asked(p ledger.Period, today ledger.Date, q *topic, nothing bool) string {
	what := about(p, today, q.subject())
	if q.isIncome() || !nothing && (q.category != "" || q.item != "") {
		return what
	}
	return what + "の支出"
}

const noLast = "あなたの記録は、まだありません。"

// lastLine shows what the sender recorded last.
func lastLine(n *names, rows []ledger.Row) string {
	return fmt.Sprintf("あなたの最後の記録は、これです。\n%s（受付 %s）", strings.Join(rowLines(n, rows), "\n"), commonID(rows))
}

// summaryHead says what the topic comes to in the period.
func summaryHead(p ledger.Period, today ledger.Date, q *topic, s sums) []string {
	amount, rows := q.figure(s)
	what := asked(p, today, q, rows == 0)
	if rows == 0 {
		return []string{none(p, today, what)}
	}
	lines := []string{fmt.Sprintf("%s %s（%d件）", what, yen(amount), rows)}
	if s.refunded > 0 && !q.isIncome() {
		lines = append(lines, fmt.Sprintf("返金 %s を引いてあります。", yen(s.refunded)))
	}
	return lines
}

// aheadLine says what of the figure is dated after today.
func aheadLine(amount ledger.Yen, rows int) string {
	return fmt.Sprintf("このうち %s（%d件）は、あしたからの日付です。", yen(amount), rows)
}

// comparison says how the figure of the period, as far as it has gone, stands beside that
// of the earlier one. ahead says that the period has rows that are dated after today.
func comparison(p, earlier ledger.Period, today ledger.Date, now, was ledger.Yen, ahead bool) string {
	line := ""
	if ahead {
		line = "今日までで、"
	}
	line += fmt.Sprintf("%sの %s ", earlierName(p, earlier, today), yen(was))
	switch {
	case now > was:
		return line + fmt.Sprintf("より %s 多いです。", yen(now-was))
	case now < was:
		return line + fmt.Sprintf("より %s 少ないです。", yen(was-now))
	}
	return line + "と同じです。"
}

// earlierName names the period with which one is compared: where that still goes on, by
// its last day.
func earlierName(p, earlier ledger.Period, today ledger.Date) string {
	if !p.Contains(today) {
		return periodName(earlier, today)
	}
	day := fmt.Sprintf("%d/%d", earlier.To.Month(), earlier.To.Day())
	switch {
	case isMonth(p):
		return "先月の" + day + "まで"
	case isWeek(p):
		return "先週の" + day + "まで"
	case isYear(p):
		return "去年の" + day + "まで"
	}
	return periodName(earlier, today)
}

// byPerson says who spent what, where there are several members.
func byPerson(n *names, s sums) string {
	if len(n.members) == 0 {
		return ""
	}
	var parts []string
	for _, id := range slices.Sorted(maps.Keys(s.people)) {
		parts = append(parts, n.member(id)+" "+yen(s.people[id]))
	}
	return strings.Join(parts, "、")
}

func amountLine(name string, amount ledger.Yen) string { return "・" + name + " " + yen(amount) }

// besides are the lines of a summary that are no spending.
func besides(s sums) (lines []string) {
	if s.incomes > 0 {
		lines = append(lines, "収入 "+yen(s.income))
	}
	if s.moves > 0 {
		lines = append(lines, "口座の間で移したお金 "+yen(s.moved))
	}
	if s.unmatched > 0 {
		lines = append(lines, missingLine(s.missing))
	}
	return lines
}

func missingLine(missing ledger.Yen) string {
	line := fmt.Sprintf("不明金 %s円", gone(missing))
	if missing < 0 {
		line += "（記録より多くあった分）"
	}
	return line
}

func listHead(p ledger.Period, today ledger.Date, q *topic) string {
	return about(p, today, q.subject()) + "の記録（新しい順、先頭は受付の番号）"
}

// numbered shows a row after its number.
func numbered(n *names, r ledger.Row) string {
	return fmt.Sprintf("%s ｜ %s%s", r.ID, dayName(r.Date, n.today), rowText(n, r))
}

// listLine is numbered with the name of who wrote it, where there are several.
func listLine(n *names, r ledger.Row) string {
	line := numbered(n, r)
	if len(n.members) > 0 {
		line += "（" + n.member(r.Member) + "）"
	}
	return line
}

// listLines are the first of the rows and how many more there are.
func listLines(n *names, rows []ledger.Row) (lines []string) {
	for _, r := range rows[:min(len(rows), maxLines)] {
		lines = append(lines, listLine(n, r))
	}
	if len(rows) > maxLines {
		lines = append(lines, more(len(rows)-maxLines))
	}
	return lines
}

// earlierRows says how to see the rows that were left out.
func earlierRows(d, today ledger.Date) string {
	return fmt.Sprintf("「%sの一覧」のように日付をつけると、前の記録を見られます。", shortDate(d, today))
}

// listFoot says how to take a row back.
func listFoot(example ledger.RowID) string {
	return fmt.Sprintf("「取消 %s」のように送ると、取り消せます。", example)
}

// Search.

const howToSearch = "「検索 スタバ」のように、さがす言葉をつけて送ってください。「先月のスタバを検索」のように、いつのことかもつけられます。"

// searchHead says how many rows were found since a day, or in a period that was named, and
// what they come to.
func searchHead(p ledger.Period, named bool, today ledger.Date, q *topic, rows int, s sums) []string {
	return []string{
		fmt.Sprintf("%s %d件（新しい順、先頭は受付の番号）", searched(p, named, today, q), rows),
		strings.Join(searchSums(s), "、"),
	}
}

// searched names what was searched for and where.
func searched(p ledger.Period, named bool, today ledger.Date, q *topic) string {
	if named {
		return about(p, today, q.subject()) + "の記録"
	}
	return fmt.Sprintf("%sからの%sの記録", shortDate(p.From, today), q.subject())
}

func searchSums(s sums) (parts []string) {
	if s.spendings > 0 {
		parts = append(parts, "支出 "+yen(s.spent))
	}
	if s.refunded > 0 {
		parts[0] += fmt.Sprintf("（返金 %s を引いた額）", yen(s.refunded))
	}
	return append(parts, besides(s)...)
}

// nothingFound says that there is no such row. Where no period was named, it says how to
// search what is older.
func nothingFound(p ledger.Period, named bool, today ledger.Date, q *topic) string {
	if named {
		return none(p, today, searched(p, named, today, q))
	}
	return fmt.Sprintf("%sはありません。それより前は「%d年の%sを検索」のように送ると、さがせます。",
		searched(p, named, today, q), p.From.AddDays(-1).Year(), strings.Join(q.words(), "の"))
}

// olderRows says how to see the rows that were left out, of which the newest is of the
// day: by its month, or by the day where a month is too much.
func olderRows(d, today ledger.Date, q *topic, byDay bool) string {
	when := periodName(ledger.Month(d, 0), today)
	if byDay {
		when = shortDate(d, today)
	}
	return fmt.Sprintf("「%sの%sを検索」のように送ると、前の記録を見られます。", when, strings.Join(q.words(), "の"))
}

// Categories.

func categoriesHead(n int, p ledger.Period, today ledger.Date) string {
	return fmt.Sprintf("カテゴリは %dこあります（金額は%sの支出）。", n, periodName(p, today))
}

func unusedCategories(unused []ledger.Category) string {
	if len(unused) == 0 {
		return ""
	}
	var names []string
	for _, c := range unused {
		names = append(names, string(c))
	}
	return "まだ支出のないもの：" + strings.Join(names, "、")
}

const categoriesFoot = "「カテゴリ 追加 推し活」のように送ると、ふやせます。"

// Comparisons.

func comparedTotal(p ledger.Period, today ledger.Date, q *topic, amount ledger.Yen, rows int) string {
	until := ""
	if p.Contains(today) {
		until = "今日までで "
	}
	return fmt.Sprintf("%sは、%s%s（%d件）です。", asked(p, today, q, false), until, yen(amount), rows)
}

func nothingEarlier(p, earlier ledger.Period, today ledger.Date) string {
	return earlierName(p, earlier, today) + "には、くらべる記録がありません。"
}

// differenceLine shows by how much a category has gone up or down.
func differenceLine(c ledger.Category, was, now ledger.Yen) string {
	sign, by := "±", now-was
	switch {
	case by > 0:
		sign = "＋"
	case by < 0:
		sign, by = "－", -by
	}
	return fmt.Sprintf("・%s %s%s（%s→%s）", c, sign, yen(by), yen(was), yen(now))
}

// Cards.

// cardSpending answers the question what a card holds with what it has paid for.
func cardSpending(card string, p ledger.Period, today ledger.Date, s sums) string {
	if s.spendings == 0 {
		return noCardBalance
	}
	return fmt.Sprintf("%sの残高は、まだ扱えません。%s、%sで払ったのは %s（%d件）です。", card, periodName(p, today), card, yen(s.spent), s.spendings)
}

const cardsAreLeftOut = "カードで払ったものは、引いてありません。"

// Trends.

func trendHead(q *topic, first ledger.Period, today ledger.Date) string {
	what := q.subject()
	if q.category == "" && q.item == "" {
		what = strings.TrimPrefix(what+"の支出", "の")
	}
	since := ""
	if !first.Contains(today) {
		since = periodName(first, today) + "〜"
	}
	return fmt.Sprintf("%sの推移（%s今月）", what, since)
}

// longestBar is the length of the bar of the largest amount.
const longestBar = 8

// trendLine shows the amount of a month beside the largest one. goesOn says that the
// month is not over.
func trendLine(m ledger.Period, amount, largest ledger.Yen, goesOn bool) string {
	bar := ""
	if amount > 0 {
		bar = " " + strings.Repeat("▇", max(1, int((amount*longestBar+largest/2)/largest)))
	}
	line := fmt.Sprintf("%d月%s %s", m.From.Month(), bar, yen(amount))
	if goesOn {
		line += "（途中）"
	}
	return line
}

func averageLine(first, last ledger.Period, today ledger.Date, average ledger.Yen) string {
	return fmt.Sprintf("%s〜%sの平均 %s", periodName(first, today), periodName(last, today), yen(average))
}
