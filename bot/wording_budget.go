package bot

import (
	"ichido/internal/ledger"
)

// This file has the sentences about budgets.

var noIncomeBudget = Phrase{"収入の予算は決められません。「予算 食費 30000」のように、使うお金で決めてください。何も変えていません。", ""}

// noCategoryForBudget says how there can be a budget of the name.
func (v Voice) noCategoryForBudget(name string) string {
	return v.say("「%s」というカテゴリはありません。「カテゴリ 追加 %s」と送ってから、もう一度送ってください。何も変えていません。", "", name, name)
}

// budgetOf is what the budget of the category is called.
func (v Voice) budgetOf(c ledger.Category) string {
	if c == "" {
		return v.say("全部の予算", "")
	}
	return string(c) + v.say("の予算", "")
}

// budgetIsNow says that a budget has been set, changed or taken away.
func (v Voice) budgetIsNow(c ledger.Category, before, now ledger.Yen) string {
	switch {
	case before == 0:
		return v.say("%sを、1か月 %s にしました。", "", v.budgetOf(c), v.yen(now))
	case now == 0:
		return v.say("%s（1か月 %s）をなくしました。", "", v.budgetOf(c), v.yen(before))
	}
	return v.say("%sを、1か月 %s→%s にしました。", "", v.budgetOf(c), v.yen(before), v.yen(now))
}

func (v Voice) budgetIsAlready(c ledger.Category, amount ledger.Yen) string {
	if amount == 0 {
		return v.budgetOf(c) + v.say("は、決めてありません。何も変えていません。", "")
	}
	return v.say("%sは、もう1か月 %s です。何も変えていません。", "", v.budgetOf(c), v.yen(amount))
}

// budgetIs says what the budget is after a change was taken back.
func (v Voice) budgetIs(c ledger.Category, amount ledger.Yen) string {
	if amount == 0 {
		return v.budgetOf(c) + v.say("は、決めてありません。", "")
	}
	return v.say("%sは、1か月 %s です。", "", v.budgetOf(c), v.yen(amount))
}

// noBudgetYet says how to set the budget.
func (v Voice) noBudgetYet(c ledger.Category) string {
	if c != "" {
		return v.say("%sは、まだ決めてありません。「予算 %s 30000」のように送ると、決められます。", "", v.budgetOf(c), c)
	}
	return v.say("予算は、まだ決めてありません。「予算 100000」で全部の、「予算 食費 30000」でカテゴリの、1か月の予算を決められます。", "")
}

// budgetState says what is left of a budget this month.
func (v Voice) budgetState(c ledger.Category, budget, spent ledger.Yen) string {
	month := v.say("今月は", "")
	if c != "" {
		month = v.say("今月の", "") + string(c) + v.say("は", "")
	}
	if spent > budget {
		return v.say("%s、予算 %s を %s 超えています（%s 使いました）。", "", month, v.yen(budget), v.yen(spent-budget), v.yen(spent))
	}
	return v.say("%s、予算 %s のうち %s 使って、あと %s です。", "", month, v.yen(budget), v.yen(spent), v.yen(budget-spent))
}

// perDay says how long this month still is, with today, and what may be spent each day,
// rounded down, if anything is left.
func (v Voice) perDay(left ledger.Yen, days int) string {
	switch {
	case days == 1:
		return v.say("今月は、今日までです。", "")
	case left < 0:
		return v.say("今月は、今日を入れてあと %d日 です。", "", days)
	}
	return v.say("今月は、今日を入れてあと %d日、1日 %s ずつです。", "", days, v.yen(left/ledger.Yen(days)))
}

// budgetsHead begins the list of the budgets; days of this month are left.
func (v Voice) budgetsHead(p ledger.Period, today ledger.Date, days int) string {
	if days == 0 {
		return v.say("%sの支出と、いまの予算です（使った分／予算）。", "", v.periodName(p, today))
	}
	return v.say("今月の予算です（使った分／予算、今日を入れてあと %d日）。", "", days)
}

func (v Voice) budgetLine(c ledger.Category, budget, spent ledger.Yen, days int) string {
	name := string(c)
	if c == "" {
		name = v.say("全部", "")
	}
	line := v.say("・%s %s／%s、", "", name, v.yen(spent), v.yen(budget))
	switch {
	case spent > budget:
		return line + v.yen(spent-budget) + v.say(" 超えています", "")
	case days == 0:
		return line + v.say("残り ", "") + v.yen(budget-spent)
	}
	return line + v.say("残り %s（1日 %s）", "", v.yen(budget-spent), v.yen((budget-spent)/ledger.Yen(days)))
}

// budgetLeft is the short form in the small print of a record.
func (v Voice) budgetLeft(c ledger.Category, left ledger.Yen) string {
	name := v.say("予算", "")
	if c != "" {
		name = v.budgetOf(c)
	}
	if left < 0 {
		return v.say("%sを %s 超えています", "", name, v.yen(-left))
	}
	return v.say("%s あと %s", "", name, v.yen(left))
}
