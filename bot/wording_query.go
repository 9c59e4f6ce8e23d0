package bot

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
)

// This file has the sentences of the answers to questions about the ledger.

// subject is what a question is limited to, if it is.
func subject(c grammar.Command) string {
	switch {
	case c.Item != "":
		return fmt.Sprintf("「%s」", c.Item)
	case c.Category != "":
		return string(c.Category)
	}
	return ""
}

// about joins period and subject: 今月, 今月の食費.
func about(p ledger.Period, today ledger.Date, subject string) string {
	if subject == "" {
		return periodName(p, today)
	}
	return periodName(p, today) + "の" + subject
}

func nothingIn(p ledger.Period, today ledger.Date, subject string) string {
	return none(p, today, about(p, today, subject)+"の記録")
}

// none says that there is nothing of the sort in the period, or not yet.
func none(p ledger.Period, today ledger.Date, what string) string {
	if p.To >= today {
		return what + "は、まだありません。"
	}
	return what + "はありません。"
}

// incomeLine answers a question about income.
func incomeLine(p ledger.Period, today ledger.Date, s sums) string {
	what := about(p, today, string(ledger.Pay))
	if s.incomes == 0 {
		return none(p, today, what)
	}
	return fmt.Sprintf("%s %s（%d件）", what, yen(s.income), s.incomes)
}

const noLast = "あなたの記録は、まだありません。"

// lastLine shows what the sender recorded last.
func lastLine(n *names, rows []ledger.Row) string {
	return fmt.Sprintf("あなたの最後の記録は、これです。\n%s（受付 %s）", strings.Join(rowLines(n, rows), "\n"), commonID(rows))
}

func summaryHead(p ledger.Period, today ledger.Date, subject string, s sums) string {
	if s.spendings == 0 {
		return none(p, today, about(p, today, subject)+"の支出")
	}
	head := about(p, today, subject)
	if subject == "" {
		head += "の支出"
	}
	head = fmt.Sprintf("%s %s（%d件）", head, yen(s.spent), s.spendings)
	if s.refunded > 0 {
		head += fmt.Sprintf("\n返金 %s を引いてあります。", yen(s.refunded))
	}
	return head
}

// personSpent says what one member has spent, on the category if one is given.
func personSpent(p ledger.Period, today ledger.Date, name, category string, s sums) string {
	what := about(p, today, name) + "の" + cmp.Or(category, "支出")
	if s.spendings == 0 {
		return none(p, today, what)
	}
	return fmt.Sprintf("%s %s（%d件）", what, yen(s.spent), s.spendings)
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

func listHead(p ledger.Period, today ledger.Date, subject string) string {
	return about(p, today, subject) + "の記録（新しい順、先頭は受付の番号）"
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

// earlierRows says how to see the rows that were left out.
func earlierRows(d, today ledger.Date) string {
	return fmt.Sprintf("「%sの一覧」のように日付をつけると、前の記録を見られます。", shortDate(d, today))
}

// listFoot says how to take a row back.
func listFoot(example ledger.RowID) string {
	return fmt.Sprintf("「取消 %s」のように送ると、取り消せます。", example)
}
