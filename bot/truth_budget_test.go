package bot

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ichido/internal/ledger"
	"ichido/store"
)

// budgetPatterns are the lines about budgets.
var budgetPatterns = []pattern{
	says("budget set", "", `(.+)の予算を、1か月`+yenRE+`(?:→`+yenRE+`)?にしました。`, (*hearing).budgetSet),
	says("budget gone", "", `(.+)の予算（1か月`+yenRE+`）をなくしました。`, (*hearing).budgetGone),
	says("budget is so", "", `(.+)の予算は、(?:もう)?1か月`+yenRE+`です。(何も変えていません。)?`, (*hearing).budgetIs),
	says("no budget", "", `(.+)の予算は、決めてありません。(何も変えていません。)?`, (*hearing).budgetIsNone),
	says("no budget of it yet", "", `(.+)の予算は、まだ決めてありません。「予算 (.+) 30000」のように送ると、決められます。`, (*hearing).budgetIsNone),
	says("no budget at all", "", `予算は、まだ決めてありません。「予算 100000」で全部の、「予算 食費 30000」でカテゴリの、1か月の予算を決められます。`, func(h *hearing, _ []string) error {
		return wrong(len(h.after.budgets()) > 0, "there is one")
	}),
	says("no budget of income", "", `収入の予算は決められません。「予算 食費 30000」のように、使うお金で決めてください。何も変えていません。`, func(*hearing, []string) error { return nil }),

	says("left of a budget", "", `今月(?:の(.+))?は、予算`+yenRE+`のうち`+yenRE+`使って、あと`+yenRE+`です。`, (*hearing).budgetLeft),
	says("over a budget", "", `今月(?:の(.+))?は、予算`+yenRE+`を`+yenRE+`超えています（`+yenRE+`使いました）。`, (*hearing).budgetOver),
	says("per day", "", `今月は、今日を入れてあと(\d+)日、1日`+yenRE+`ずつです。`, (*hearing).perDay),
	says("days left", "", `今月は、今日を入れてあと(\d+)日です。`, (*hearing).perDay),
	says("last day", "", `今月は、今日までです。`, (*hearing).perDay),

	says("budgets", "", `今月の予算です（使った分／予算、今日を入れてあと(\d+)日）。`, (*hearing).budgetList),
	says("budgets of a month", "", periodRE+`の支出と、いまの予算です（使った分／予算）。`, (*hearing).budgetList),
	says("one budget", "budgets", `・(.+) `+yenRE+`／`+yenRE+`、(?:残り `+yenRE+`(?:（1日 `+yenRE+`）)?|`+yenRE+`超えています)`, (*hearing).oneBudget),
}

// budgets are the budgets by the names that categories have now; 全部 is of everything.
func (w *world) budgets() map[string]ledger.Yen {
	all := map[string]ledger.Yen{}
	for name, value := range w.settings {
		category, ok := strings.CutPrefix(name, "budget/")
		if !ok {
			continue
		}
		shown := "全部"
		if category != "" {
			shown = w.category(ledger.Row{Type: ledger.Expense, Category: ledger.Category(category)})
		}
		n, _ := strconv.Atoi(value)
		all[shown] += ledger.Yen(n)
	}
	return all
}

// spentOn is what was spent in the period on the category, or on everything.
func (h *hearing) spentOn(category string, p ledger.Period) ledger.Yen {
	f := h.after.figures(p, everything)
	if category == "全部" {
		return f.spent
	}
	return f.categories[category]
}

func (h *hearing) thisMonth() ledger.Period {
	p, _ := h.when("今月")
	return p
}

func (h *hearing) daysLeft() int {
	days := 0
	for d := h.today.In(tokyo); d.Month() == h.today.Month(); d = d.AddDate(0, 0, 1) {
		days++
	}
	return days
}

// changesBudget notes that the receipt changed a budget, and holds it to having done so.
func (h *hearing) changesBudget() error {
	h.other = true
	h.parts = append(h.parts, "受付")
	changed := func(c store.SettingChange) bool { return strings.HasPrefix(c.Name, "budget/") }
	return wrong(!slices.ContainsFunc(h.receipt.Settings, changed), "no budget changed")
}

func (h *hearing) budgetSet(m []string) error {
	h.parts = append(h.parts, "予算を")
	h.claims++
	was, now := m[2], m[3]
	if now == "" {
		was, now = "0", m[2]
	}
	return errors.Join(h.changesBudget(), is(was, h.before.budgets()[m[1]]), is(now, h.after.budgets()[m[1]]))
}

func (h *hearing) budgetGone(m []string) error {
	h.claims++
	_, there := h.after.budgets()[m[1]]
	return errors.Join(h.changesBudget(), is(m[2], h.before.budgets()[m[1]]), wrong(there, "it is there"))
}

func (h *hearing) budgetIs(m []string) error {
	if m[3] == "" {
		h.claims++
		h.turned = true
		return errors.Join(h.changesBudget(), is(m[2], h.after.budgets()[m[1]]))
	}
	return is(m[2], h.after.budgets()[m[1]])
}

func (h *hearing) budgetIsNone(m []string) error {
	_, there := h.after.budgets()[m[1]]
	errs := []error{wrong(there, "there is one")}
	switch m[2] {
	case "":
		h.claims++
		h.turned = true
		errs = append(errs, h.changesBudget())
	case "何も変えていません。", m[1]:
	default:
		errs = append(errs, errors.New("the example is of another category"))
	}
	return errors.Join(errs...)
}

func (h *hearing) budgetLeft(m []string) error {
	name := cmp.Or(m[1], "全部")
	h.parts = append(h.parts, "あと", name)
	spent, budget := h.spentOn(name, h.thisMonth()), h.after.budgets()[name]
	return errors.Join(is(m[2], budget), is(m[3], spent), is(m[4], budget-spent), wrong(spent > budget || budget == 0, "it is more than that"))
}

func (h *hearing) budgetOver(m []string) error {
	name := cmp.Or(m[1], "全部")
	h.parts = append(h.parts, "あと", name)
	spent, budget := h.spentOn(name, h.thisMonth()), h.after.budgets()[name]
	return errors.Join(is(m[2], budget), is(m[3], spent-budget), is(m[4], spent), wrong(spent <= budget || budget == 0, "it is not more than that"))
}

// perDay is about the budget of the line before.
func (h *hearing) perDay(m []string) error {
	i := slices.Index(h.parts, "あと")
	if i < 0 {
		return errors.New("of what?")
	}
	name, days := h.parts[i+1], h.daysLeft()
	h.parts = append(h.parts, "日")
	left := h.after.budgets()[name] - h.spentOn(name, h.thisMonth())
	switch len(m) {
	case 1:
		return wrong(days != 1, "there are more days")
	case 2:
		return wrong(m[1] != strconv.Itoa(days) || left >= 0, "something is left, or the days are others")
	}
	return errors.Join(is(m[2], left/ledger.Yen(days)), wrong(m[1] != strconv.Itoa(days) || left < 0 || days == 1, "nothing is left, or the days are others"))
}

func (h *hearing) budgetList(m []string) (err error) {
	h.section = "budgets"
	all := h.after.budgets()
	for name := range all {
		h.parts = append(h.parts, name)
	}
	h.left = len(all)
	if h.period, err = h.when(m[1]); err != nil || strings.HasPrefix(h.lines[0], "今月") {
		h.period = h.thisMonth()
		return wrong(m[1] != strconv.Itoa(h.daysLeft()), "the days are others")
	}
	return wrong(h.period.Contains(h.today), "it is this month")
}

func (h *hearing) oneBudget(m []string) error {
	h.left--
	if i := slices.Index(h.parts, m[1]); i >= 0 {
		h.parts = slices.Delete(h.parts, i, i+1)
	} else {
		return errors.New("no such budget, or twice")
	}
	budget, spent := h.after.budgets()[m[1]], h.spentOn(m[1], h.period)
	errs := []error{is(m[2], spent), is(m[3], budget)}
	if m[6] != "" {
		return errors.Join(append(errs, is(m[6], spent-budget), wrong(spent <= budget, "it is not"))...)
	}
	errs = append(errs, is(m[4], budget-spent), wrong((m[5] != "") != h.period.Contains(h.today), "it is another month"))
	if m[5] != "" {
		errs = append(errs, is(m[5], (budget-spent)/ledger.Yen(h.daysLeft())))
	}
	return errors.Join(append(errs, wrong(spent > budget, "it is more"))...)
}

// budgetEnds holds the answer to having said all of a budget.
func (h *hearing) budgetEnds() error {
	about, days := slices.Contains(h.parts, "あと"), slices.Contains(h.parts, "日")
	return errors.Join(wrong(about != days, "it does not say what that is a day"), wrong(slices.Contains(h.parts, "予算を") && !about, "it does not say what is left"),
		wrong(slices.Contains(h.parts, "受付") && !h.quiet, "it says no number"))
}

var smallBudget = regexp.MustCompile(`^(?:(.+)の)?予算(?: あと |を)` + `(-?[\d,]+)円(超えています)?$`)

// smallBudgets takes what is left of budgets off the small print: of every budget that the
// rows of this month have used.
func (h *hearing) smallBudgets(parts []string) (rest []string, err error) {
	m := h.thisMonth()
	want := map[string]ledger.Yen{}
	for _, r := range h.about {
		for _, name := range []string{"全部", h.after.category(r)} {
			if budget, ok := h.after.budgets()[name]; ok && m.Contains(r.Date) && isSpending(r) {
				want[name] = budget - h.spentOn(name, m)
			}
		}
	}
	for _, part := range parts {
		found := smallBudget.FindStringSubmatch(part)
		if found == nil {
			rest = append(rest, part)
			continue
		}
		name := cmp.Or(found[1], "全部")
		left, ok := want[name]
		over := found[3] != ""
		if !ok || over != (left < 0) || over == strings.Contains(part, "あと") {
			return nil, fmt.Errorf("%q is not so", part)
		}
		delete(want, name)
		if err := is(found[2], max(left, -left)); err != nil {
			return nil, fmt.Errorf("%q: %w", part, err)
		}
	}
	return rest, wrong(len(want) > 0, "it says nothing of a budget")
}

// budgeting makes up something about budgets.
func (f *family) budgeting() string {
	return pick(f, "予算 食費 3000", "予算 食費 20000", "予算 10000", "予算 100000", "予算 娯楽 2000", "予算 食費 削除", "予算 削除", "予算 ランチ 500", "予算 収入 500",
		"予算", "予算", "予算", "食費の予算", "予算 娯楽", "先月の予算", "今月あといくら使える？", "1日いくら使える？", "今月あと何日でいくら使える？", "食費はあといくら使える？", "交通費の予算は？")
}
