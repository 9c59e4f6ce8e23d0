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
func (v Voice) about(p ledger.Period, today ledger.Date, subject string) string {
	if subject == "" {
		return v.periodName(p, today)
	}
	return v.periodName(p, today) + v.say("の", "") + subject
}

func (v Voice) nothingIn(p ledger.Period, today ledger.Date, q *topic) string {
	return v.none(p, today, v.about(p, today, q.subject())+v.say("の記録", ""))
}

// none says that there is nothing of the sort in the period, or not yet.
func (v Voice) none(p ledger.Period, today ledger.Date, what string) string {
	if p.To >= today {
		return what + v.say("は、まだありません。", "")
	}
	return what + v.say("はありません。", "")
}

// askedFigure is what the figure of the topic in the period is called: 今月の支出, 今月の花子の収入,
// 今月の食費. Where it is nothing, that it is spending is said in any case.
func (v Voice) askedFigure(p ledger.Period, today ledger.Date, q *topic, nothing bool) string {
	what := v.about(p, today, q.subject())
	if q.isIncome() || !nothing && (q.category != "" || q.item != "") {
		return what
	}
	return what + v.say("の支出", "")
}

var noLast = Phrase{"あなたの記録は、まだありません。", ""}

// lastLine shows what the sender recorded last.
func (v Voice) lastLine(n *names, rows []ledger.Row) string {
	return v.say("あなたの最後の記録は、これです。\n%s（受付 %s）", "", strings.Join(v.rowLines(n, rows), "\n"), commonID(rows))
}

// summaryHead says what the topic comes to in the period.
func (v Voice) summaryHead(p ledger.Period, today ledger.Date, q *topic, s sums) []string {
	amount, rows := q.figure(s)
	what := v.askedFigure(p, today, q, rows == 0)
	if rows == 0 {
		return []string{v.none(p, today, what)}
	}
	lines := []string{v.say("%s %s（%d件）", "", what, v.yen(amount), rows)}
	if s.refunded > 0 && !q.isIncome() {
		lines = append(lines, v.say("返金 %s を引いてあります。", "", v.yen(s.refunded)))
	}
	return lines
}

// aheadLine says what of the figure is dated after today.
func (v Voice) aheadLine(amount ledger.Yen, rows int) string {
	return v.say("このうち %s（%d件）は、あしたからの日付です。", "", v.yen(amount), rows)
}

// comparison says how the figure of the period, as far as it has gone, stands beside that
// of the earlier one. ahead says that the period has rows that are dated after today.
func (v Voice) comparison(p, earlier ledger.Period, today ledger.Date, now, was ledger.Yen, ahead bool) string {
	line := ""
	if ahead {
		line = v.say("今日までで、", "")
	}
	line += v.say("%sの %s ", "", v.earlierName(p, earlier, today), v.yen(was))
	switch {
	case now > was:
		return line + v.say("より %s 多いです。", "", v.yen(now-was))
	case now < was:
		return line + v.say("より %s 少ないです。", "", v.yen(was-now))
	}
	return line + v.say("と同じです。", "")
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
		return v.say("先月の", "") + day + v.say("まで", "")
	case isWeek(p):
		return v.say("先週の", "") + day + v.say("まで", "")
	case isYear(p):
		return v.say("去年の", "") + day + v.say("まで", "")
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
	return strings.Join(parts, v.say("、", ", "))
}

func (v Voice) amountLine(name string, amount ledger.Yen) string {
	return v.say("・", "• ") + name + " " + v.yen(amount)
}

// besides are the lines of a summary that are no spending.
func (v Voice) besides(s sums) (lines []string) {
	if s.incomes > 0 {
		lines = append(lines, v.say("収入 ", "")+v.yen(s.income))
	}
	if s.moves > 0 {
		lines = append(lines, v.say("口座の間で移したお金 ", "")+v.yen(s.moved))
	}
	if s.unmatched > 0 {
		lines = append(lines, v.missingLine(s.missing))
	}
	return lines
}

func (v Voice) missingLine(missing ledger.Yen) string {
	line := v.say("不明金 %s円", "", gone(missing))
	if missing < 0 {
		line += v.say("（記録より多くあった分）", "")
	}
	return line
}

func (v Voice) listHead(p ledger.Period, today ledger.Date, q *topic) string {
	return v.about(p, today, q.subject()) + v.say("の記録（新しい順、先頭は受付の番号）", "")
}

// numbered shows a row after its number.
func (v Voice) numbered(n *names, r ledger.Row) string {
	return v.say("%s ｜ %s%s", "", r.ID, v.dayName(r.Date, n.today), v.rowText(n, r))
}

// listLine is numbered with the name of who wrote it, where there are several.
func (v Voice) listLine(n *names, r ledger.Row) string {
	line := v.numbered(n, r)
	if len(n.members) > 0 {
		line += v.say("（", " (") + n.member(r.Member) + v.say("）", ")")
	}
	return line
}

// listLines are the first of the rows and how many more there are.
func (v Voice) listLines(n *names, rows []ledger.Row) (lines []string) {
	for _, r := range rows[:min(len(rows), maxLines)] {
		lines = append(lines, v.listLine(n, r))
	}
	if len(rows) > maxLines {
		lines = append(lines, v.more(len(rows)-maxLines))
	}
	return lines
}

// earlierRows says how to see the rows that were left out.
func (v Voice) earlierRows(d, today ledger.Date) string {
	return v.say("「%sの一覧」のように日付をつけると、前の記録を見られます。", "", shortDate(d, today))
}

// listFoot says how to take a row back.
func (v Voice) listFoot(example ledger.RowID) string {
	return v.say("「取消 %s」のように送ると、取り消せます。", "", example)
}

// Search.

var howToSearch = Phrase{"「検索 スタバ」のように、さがす言葉をつけて送ってください。「先月のスタバを検索」のように、いつのことかもつけられます。", ""}

// searchHead says how many rows were found since a day, or in a period that was named, and
// what they come to.
func (v Voice) searchHead(p ledger.Period, named bool, today ledger.Date, q *topic, rows int, s sums) []string {
	return []string{
		v.say("%s %d件（新しい順、先頭は受付の番号）", "", v.searched(p, named, today, q), rows),
		strings.Join(v.searchSums(s), v.say("、", ", ")),
	}
}

// searched names what was searched for and where.
func (v Voice) searched(p ledger.Period, named bool, today ledger.Date, q *topic) string {
	if named {
		return v.about(p, today, q.subject()) + v.say("の記録", "")
	}
	return v.say("%sからの%sの記録", "", shortDate(p.From, today), q.subject())
}

func (v Voice) searchSums(s sums) (parts []string) {
	if s.spendings > 0 {
		parts = append(parts, v.say("支出 ", "")+v.yen(s.spent))
	}
	if s.refunded > 0 {
		parts[0] += v.say("（返金 %s を引いた額）", "", v.yen(s.refunded))
	}
	return append(parts, v.besides(s)...)
}

// nothingFound says that there is no such row. Where no period was named, it says how to
// search what is older.
func (v Voice) nothingFound(p ledger.Period, named bool, today ledger.Date, q *topic) string {
	if named {
		return v.none(p, today, v.searched(p, named, today, q))
	}
	return v.say("%sはありません。それより前は「%d年の%sを検索」のように送ると、さがせます。", "",
		v.searched(p, named, today, q), p.From.AddDays(-1).Year(), strings.Join(q.words(), v.say("の", "")))
}

// olderRows says how to see the rows that were left out, of which the newest is of the
// day: by its month, or by the day where a month is too much.
func (v Voice) olderRows(d, today ledger.Date, q *topic, byDay bool) string {
	when := v.periodName(ledger.Month(d, 0), today)
	if byDay {
		when = shortDate(d, today)
	}
	return v.say("「%sの%sを検索」のように送ると、前の記録を見られます。", "", when, strings.Join(q.words(), v.say("の", "")))
}

// Categories.

func (v Voice) categoriesHead(n int, p ledger.Period, today ledger.Date) string {
	return v.say("カテゴリは %dこあります（金額は%sの支出）。", "", n, v.periodName(p, today))
}

func (v Voice) unusedCategories(unused []ledger.Category) string {
	if len(unused) == 0 {
		return ""
	}
	var names []string
	for _, c := range unused {
		names = append(names, string(c))
	}
	return v.say("まだ支出のないもの：", "") + strings.Join(names, v.say("、", ", "))
}

var categoriesFoot = Phrase{"「カテゴリ 追加 推し活」のように送ると、ふやせます。", ""}

// Comparisons.

func (v Voice) comparedTotal(p ledger.Period, today ledger.Date, q *topic, amount ledger.Yen, rows int) string {
	until := ""
	if p.Contains(today) {
		until = v.say("今日までで ", "")
	}
	return v.say("%sは、%s%s（%d件）です。", "", v.askedFigure(p, today, q, false), until, v.yen(amount), rows)
}

func (v Voice) nothingEarlier(p, earlier ledger.Period, today ledger.Date) string {
	return v.earlierName(p, earlier, today) + v.say("には、くらべる記録がありません。", "")
}

// differenceLine shows by how much a category has gone up or down.
func (v Voice) differenceLine(c ledger.Category, was, now ledger.Yen) string {
	sign, by := "±", now-was
	switch {
	case by > 0:
		sign = v.say("＋", "")
	case by < 0:
		sign, by = v.say("－", ""), -by
	}
	return v.say("・%s %s%s（%s→%s）", "", c, sign, v.yen(by), v.yen(was), v.yen(now))
}

// Cards.

// paidByCard answers the question what a card holds with what it has paid for.
func (v Voice) paidByCard(card string, p ledger.Period, today ledger.Date, s sums) string {
	if s.spendings == 0 {
		return v.text(noCardBalance)
	}
	return v.say("%sの残高は、まだ扱えません。%s、%sで払ったのは %s（%d件）です。", "", card, v.periodName(p, today), card, v.yen(s.spent), s.spendings)
}

var cardsAreLeftOut = Phrase{"カードで払ったものは、引いてありません。", ""}

// Trends.

func (v Voice) trendHead(q *topic, first ledger.Period, today ledger.Date) string {
	what := q.subject()
	if q.category == "" && q.item == "" {
		what = strings.TrimPrefix(what+v.say("の支出", ""), v.say("の", ""))
	}
	since := ""
	if !first.Contains(today) {
		since = v.periodName(first, today) + v.say("〜", "")
	}
	return v.say("%sの推移（%s今月）", "", what, since)
}

// longestBar is the length of the bar of the largest amount.
const longestBar = 8

// trendLine shows the amount of a month beside the largest one. goesOn says that the
// month is not over.
func (v Voice) trendLine(m ledger.Period, amount, largest ledger.Yen, goesOn bool) string {
	bar := ""
	if amount > 0 {
		bar = " " + strings.Repeat(v.say("▇", ""), max(1, int((amount*longestBar+largest/2)/largest)))
	}
	line := v.say("%d月%s %s", "", m.From.Month(), bar, v.yen(amount))
	if goesOn {
		line += v.say("（途中）", "")
	}
	return line
}

func (v Voice) averageLine(first, last ledger.Period, today ledger.Date, average ledger.Yen) string {
	return v.say("%s〜%sの平均 %s", "", v.periodName(first, today), v.periodName(last, today), v.yen(average))
}
