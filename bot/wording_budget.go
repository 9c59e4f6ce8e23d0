package bot

import (
	"fmt"

	"ichido/internal/ledger"
)

// This file has the sentences about budgets.

const noIncomeBudget = "収入の予算は決められません。「予算 食費 30000」のように、使うお金で決めてください。何も変えていません。"

// noCategoryForBudget says how there can be a budget of the name.
func noCategoryForBudget(name string) string {
	return fmt.Sprintf("「%s」というカテゴリはありません。「カテゴリ 追加 %s」と送ってから、もう一度送ってください。何も変えていません。", name, name)
}

// budgetOf is what the budget of the category is called.
func budgetOf(c ledger.Category) string {
	if c == "" {
		return "全部の予算"
	}
	return string(c) + "の予算"
}

// budgetIsNow says that a budget has been set, changed or taken away.
func budgetIsNow(c ledger.Category, before, now ledger.Yen) string {
	switch {
	case before == 0:
		return fmt.Sprintf("%sを、1か月 %s にしました。", budgetOf(c), yen(now))
	case now == 0:
		return fmt.Sprintf("%s（1か月 %s）をなくしました。", budgetOf(c), yen(before))
	}
	return fmt.Sprintf("%sを、1か月 %s→%s にしました。", budgetOf(c), yen(before), yen(now))
}

func budgetIsAlready(c ledger.Category, amount ledger.Yen) string {
	if amount == 0 {
		return budgetOf(c) + "は、決めてありません。何も変えていません。"
	}
	return fmt.Sprintf("%sは、もう1か月 %s です。何も変えていません。", budgetOf(c), yen(amount))
}

// budgetIs says what the budget is after a change was taken back.
func budgetIs(c ledger.Category, amount ledger.Yen) string {
	if amount == 0 {
		return budgetOf(c) + "は、決めてありません。"
	}
	return fmt.Sprintf("%sは、1か月 %s です。", budgetOf(c), yen(amount))
}

// noBudgetYet says how to set the budget.
func noBudgetYet(c ledger.Category) string {
	if c != "" {
		return fmt.Sprintf("%sは、まだ決めてありません。「予算 %s 30000」のように送ると、決められます。", budgetOf(c), c)
	}
	return "予算は、まだ決めてありません。「予算 100000」で全部の、「予算 食費 30000」でカテゴリの、1か月の予算を決められます。"
}

// budgetState says what is left of a budget this month.
func budgetState(c ledger.Category, budget, spent ledger.Yen) string {
	month := "今月は"
	if c != "" {
		month = "今月の" + string(c) + "は"
	}
	if spent > budget {
		return fmt.Sprintf("%s、予算 %s を %s 超えています（%s 使いました）。", month, yen(budget), yen(spent-budget), yen(spent))
	}
	return fmt.Sprintf("%s、予算 %s のうち %s 使って、あと %s です。", month, yen(budget), yen(spent), yen(budget-spent))
}

// perDay says how long this month still is, with today, and what may be spent each day,
// rounded down, if anything is left.
func perDay(left ledger.Yen, days int) string {
	switch {
	case days == 1:
		return "今月は、今日までです。"
	case left < 0:
		return fmt.Sprintf("今月は、今日を入れてあと %d日 です。", days)
	}
	return fmt.Sprintf("今月は、今日を入れてあと %d日、1日 %s ずつです。", days, yen(left/ledger.Yen(days)))
}

// budgetsHead begins the list of the budgets; days of this month are left.
func budgetsHead(p ledger.Period, today ledger.Date, days int) string {
	if days == 0 {
		return fmt.Sprintf("%sの支出と、いまの予算です（使った分／予算）。", periodName(p, today))
	}
	return fmt.Sprintf("今月の予算です（使った分／予算、今日を入れてあと %d日）。", days)
}

func budgetLine(c ledger.Category, budget, spent ledger.Yen, days int) string {
	name := string(c)
	if c == "" {
		name = "全部"
	}
	line := fmt.Sprintf("・%s %s／%s、", name, yen(spent), yen(budget))
	switch {
	case spent > budget:
		return line + yen(spent-budget) + " 超えています"
	case days == 0:
		return line + "残り " + yen(budget-spent)
	}
	return line + fmt.Sprintf("残り %s（1日 %s）", yen(budget-spent), yen((budget-spent)/ledger.Yen(days)))
}

// budgetLeft is the short form in the small print of a record.
func budgetLeft(c ledger.Category, left ledger.Yen) string {
	name := "予算"
	if c != "" {
		name = budgetOf(c)
	}
	if left < 0 {
		return fmt.Sprintf("%sを %s 超えています", name, yen(-left))
	}
	return fmt.Sprintf("%s あと %s", name, yen(left))
}
