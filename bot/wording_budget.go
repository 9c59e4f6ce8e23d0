package bot

import (
	"ichido/internal/ledger"
)

// This file has the sentences about budgets.

var noIncomeBudget = Phrase{"収入の予算は決められません。「予算 食費 30000」のように、使うお金で決めてください。何も変えていません。", "There can’t be a budget for income. Set one for what you spend, like “budget food 30000”. Nothing is changed."}

// noCategoryForBudget says how there can be a budget of the name.
func (v Voice) noCategoryForBudget(name string) string {
	return v.say("「%s」というカテゴリはありません。「カテゴリ 追加 %s」と送ってから、もう一度送ってください。何も変えていません。", "There is no category “%s”. Send “category add %s” first, then try again. Nothing is changed.", name, name)
}

// budgetOf is what the budget of the category is called.
func (v Voice) budgetOf(c ledger.Category) string {
	if c == "" {
		return v.say("全部の予算", "total budget")
	}
	return v.say("%sの予算", "%s budget", v.category(c))
}

// budgetIsNow says that a budget has been set, changed or taken away.
func (v Voice) budgetIsNow(c ledger.Category, before, now ledger.Yen) string {
	switch {
	case before == 0:
		return v.say("%sを、1か月%sにしました。", "Set the %s to %s a month.", v.budgetOf(c), v.yen(now))
	case now == 0:
		return v.say("%s（1か月%s）をなくしました。", "Ended the %s (%s a month).", v.budgetOf(c), v.yen(before))
	}
	return v.say("%sを、1か月%s→%sにしました。", "Changed the %s from %s to %s a month.", v.budgetOf(c), v.yen(before), v.yen(now))
}

func (v Voice) budgetIsAlready(c ledger.Category, amount ledger.Yen) string {
	if amount == 0 {
		return v.say("%sは、決めてありません。何も変えていません。", "There is no %s. Nothing is changed.", v.budgetOf(c))
	}
	return v.say("%sは、もう1か月%sです。何も変えていません。", "The %s is %s a month already. Nothing is changed.", v.budgetOf(c), v.yen(amount))
}

// budgetIs says what the budget is after a change was taken back.
func (v Voice) budgetIs(c ledger.Category, amount ledger.Yen) string {
	if amount == 0 {
		return v.say("%sは、決めてありません。", "There is no %s.", v.budgetOf(c))
	}
	return v.say("%sは、1か月%sです。", "The %s is %s a month.", v.budgetOf(c), v.yen(amount))
}

// noBudgetYet says how to set the budget.
func (v Voice) noBudgetYet(c ledger.Category) string {
	if c != "" {
		return v.say("%sは、まだ決めてありません。「予算 %s 30000」のように送ると、決められます。", "There is no %s yet. Send something like “budget %s 30000” to set one.", v.budgetOf(c), v.category(c))
	}
	return v.say("予算は、まだ決めてありません。「予算 100000」で全部の、「予算 食費 30000」でカテゴリの、1か月の予算を決められます。", "There is no budget yet. Set one for a month with “budget 100000” for everything, or “budget food 30000” for a category.")
}

// budgetState says what is left of a budget this month.
func (v Voice) budgetState(c ledger.Category, budget, spent ledger.Yen) Line {
	name := v.say("今月", "This month’s total budget")
	if c != "" {
		name = v.say("今月の%s", "This month’s %s budget", v.category(c))
	}
	line := v.budgetItem(v.budgetStateText(c, budget, spent), name, budget, spent, "")
	if line.Note = v.say("予算 %s", "%s", line.Note); spent > budget {
		line.Right = v.say("%s超えています", "exceeded by %s", v.yen(spent-budget))
	} else {
		line.Right = v.say("あと%s", "%s left", v.yen(budget-spent))
	}
	return line
}

// budgetItem draws a budget below its text, with more small print than what is spent of it.
func (v Voice) budgetItem(text, name string, budget, spent ledger.Yen, more string) Line {
	note := v.say("%s／%s", "%s / %s", v.yen(spent), v.yen(budget))
	if more != "" {
		note = v.list([]string{note, more})
	}
	return Line{Text: text, Role: Item, Left: name, Right: v.rest(budget-spent, 0), Note: note, Bar: perMille(spent, budget), Whole: true}
}

func (v Voice) budgetStateText(c ledger.Category, budget, spent ledger.Yen) string {
	what := v.say("今月は", "total budget")
	if c != "" {
		what = v.say("今月の%sは", "%s budget", v.category(c))
	}
	if spent > budget {
		return v.say("%s、予算%sを%s超えています（%s使いました）。", "This month’s %s of %s is exceeded by %s (%s spent).", what, v.yen(budget), v.yen(spent-budget), v.yen(spent))
	}
	return v.say("%s、予算%sのうち%s使って、あと%sです。", "Of this month’s %s of %s, %s is spent and %s left.", what, v.yen(budget), v.yen(spent), v.yen(budget-spent))
}

// perDay says how long this month still is, with today, and what may be spent each day,
// rounded down, if anything is left.
func (v Voice) perDay(left ledger.Yen, days int) string {
	switch {
	case days == 1:
		return v.say("今月は、今日までです。", "Today is the last day of the month.")
	case left < 0:
		return v.say("今月は、今日を入れてあと%sです。", "%s left this month, counting today.", v.daysCount(days))
	}
	return v.say("今月は、今日を入れてあと%s、1日%sずつです。", "%s left this month, counting today: %s a day.", v.daysCount(days), v.yen(left/ledger.Yen(days)))
}

func (v Voice) daysCount(days int) string { return v.count(days, "日", "day", "days") }

// budgetsHead begins the list of the budgets; days of this month are left.
func (v Voice) budgetsHead(p ledger.Period, today ledger.Date, days int) Line {
	if days == 0 {
		period := v.periodName(p, today)
		return Line{
			Text: v.say("%sの支出と、いまの予算です（使った分／予算）。", "%s: what was spent, and the budgets as they are now (spent / budget).", period),
			Role: Head, Left: v.begin(v.say("%sの支出", "%s", period)), Note: v.say("いまの予算", "spent / budget"),
		}
	}
	left := v.daysCount(days)
	return Line{
		Text: v.say("今月の予算です（使った分／予算、今日を入れてあと%s）。", "This month’s budgets (spent / budget; %s left, counting today).", left),
		Role: Head, Left: v.say("今月の予算", "This month’s budgets"), Note: v.say("今日を入れてあと%s", "%s left, counting today", left),
	}
}

func (v Voice) budgetLine(c ledger.Category, budget, spent ledger.Yen, days int) Line {
	name, daily := v.category(c), ""
	if c == "" {
		name = v.say("全部", "everything")
	}
	if days > 0 && spent <= budget {
		daily = v.daily(budget-spent, days)
	}
	text := v.say("・%s %s／%s、%s", "• %s %s / %s, %s", name, v.yen(spent), v.yen(budget), v.rest(budget-spent, days))
	return v.budgetItem(text, v.begin(name), budget, spent, daily)
}

// daily is what may be spent each day of what is left.
func (v Voice) daily(left ledger.Yen, days int) string {
	return v.say("1日 %s", "%s a day", v.yen(left/ledger.Yen(days)))
}

// rest says what is left of a budget, and for each of the days that are left.
func (v Voice) rest(left ledger.Yen, days int) string {
	switch {
	case left < 0:
		return v.say("%s超えています", "%s over", v.yen(-left))
	case days == 0:
		return v.say("残り %s", "%s left", v.yen(left))
	}
	return v.say("残り %s（%s）", "%s left (%s)", v.yen(left), v.daily(left, days))
}

// budgetLeft is the short form in the small print of a record.
func (v Voice) budgetLeft(c ledger.Category, left ledger.Yen) string {
	name := v.say("予算", "budget")
	if c != "" {
		name = v.budgetOf(c)
	}
	if left < 0 {
		return v.say("%sを%s超えています", "%s exceeded by %s", name, v.yen(-left))
	}
	return v.say("%s あと %s", "%s: %s left", name, v.yen(left))
}
