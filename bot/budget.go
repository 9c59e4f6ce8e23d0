package bot

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ichido/internal/ledger"
	"ichido/store"
)

// A budget is what may be spent in a month: on a category, or on everything, which is
// the category "". It is a setting, the same for all months, under the name that the
// category had when it was set: renamed, a category keeps it, and the budgets of
// categories that were merged come together.

const budgetSetting = "budget/"

// budgets are the budgets by the names that the categories have now.
type budgets map[ledger.Category]ledger.Yen

func (t *turn) budgets(c store.Categories) (budgets, error) {
	all := budgets{}
	err := t.tx.Settings(budgetSetting, func(name, value string) error {
		amount, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return fmt.Errorf("a budget that is no number: %w", err)
		}
		all[c.Of(ledger.Category(name))] += ledger.Yen(amount)
		return nil
	})
	return all, err
}

// inOrder lists of what there is a budget: everything first.
func (b budgets) inOrder(c store.Categories) (order []ledger.Category) {
	listed := append([]ledger.Category{""}, c.All()...)
	for category := range b { // of a category that has gone since
		if !slices.Contains(listed, category) {
			order = append(order, category)
		}
	}
	slices.Sort(order)
	missing := func(category ledger.Category) bool { _, ok := b[category]; return !ok }
	return append(slices.DeleteFunc(listed, missing), order...)
}

// budget sets a budget, or takes it away.
func (t *turn) budget() (Reply, error) {
	n, err := t.names()
	if err != nil {
		return Reply{}, err
	}
	category := n.categories.Of(t.cmd.Category)
	switch {
	case category == ledger.Pay || t.cmd.Item == string(ledger.Pay):
		return said(t.text(noIncomeBudget)), nil
	case t.cmd.Item != "":
		return said(t.noCategoryForBudget(t.cmd.Item)), nil
	case category != "" && !n.categories.Known(category):
		return said(t.noSuchCategory(string(category))), nil
	}
	all, err := t.budgets(n.categories)
	if err != nil {
		return Reply{}, err
	}
	amount := t.cmd.Amount
	if t.cmd.Remove {
		amount = 0
	}
	if amount == all[category] {
		return said(t.budgetIsAlready(category, amount)), nil
	}
	if err := t.setBudget(n.categories, category, amount); err != nil {
		return Reply{}, err
	}
	return t.budgetChanged(n, category, all[category], amount)
}

// setBudget makes the amount the only budget of the category, 0 for none. A category
// that was renamed keeps it under its old name, so that the renaming can still be taken
// back.
func (t *turn) setBudget(c store.Categories, category ledger.Category, amount ledger.Yen) error {
	names := []string{}
	err := t.tx.Settings(budgetSetting, func(name, _ string) error {
		if c.Of(ledger.Category(name)) == category {
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(names) == 0 {
		names = []string{string(category)}
	}
	keeps := names[0]
	if slices.Contains(names, string(category)) {
		keeps = string(category)
	}
	for _, name := range names {
		value := ""
		if name == keeps && amount > 0 {
			value = strconv.FormatInt(int64(amount), 10)
		}
		if err := t.tx.Set(budgetSetting+name, value); err != nil {
			return err
		}
	}
	return nil
}

func (t *turn) budgetChanged(n *names, category ledger.Category, before, now ledger.Yen) (Reply, error) {
	lines := sentences(t.budgetIsNow(category, before, now))
	if now > 0 {
		s, err := t.sum(ledger.Month(t.today, 0), allRows(n.categories))
		if err != nil {
			return Reply{}, err
		}
		lines = append(lines, t.budgetStates(category, now, s)...)
	}
	return t.changedTo(lines...)
}

// budgetsNow says what the budgets are which a change of settings was about, after it was
// taken back or brought back.
func (t *turn) budgetsNow(n *names, changes []store.SettingChange) (lines []string, err error) {
	all, err := t.budgets(n.categories)
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		name, ok := strings.CutPrefix(c.Name, budgetSetting)
		if !ok {
			continue
		}
		category := n.categories.Of(ledger.Category(name))
		if line := t.budgetIs(category, all[category]); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines, nil
}

// on is what was spent on the category, or on everything.
func (s *sums) on(category ledger.Category) ledger.Yen {
	if category == "" {
		return s.spent
	}
	return s.categories[category]
}

// daysLeft is how many days this month still has, with today.
func (t *turn) daysLeft() int { return ledger.Month(t.today, 0).To.Day() - t.today.Day() + 1 }

// budgetsLeft answers what is left of the budgets.
func (t *turn) budgetsLeft() (Reply, error) {
	n, err := t.names()
	if err != nil {
		return Reply{}, err
	}
	all, err := t.budgets(n.categories)
	if err != nil {
		return Reply{}, err
	}
	category := n.categories.Of(t.cmd.Category)
	of := t.askedBudgets(all, n.categories)
	if len(of) == 0 {
		return said(t.noBudgetYet(category)), nil
	}
	p := t.period()
	if !isMonth(p) {
		p = ledger.Month(t.today, 0)
	}
	s, err := t.sum(p, allRows(n.categories))
	if err != nil {
		return Reply{}, err
	}
	a := answer{}
	days := 0
	if p.Contains(t.today) {
		days = t.daysLeft()
	}
	if days > 0 && len(of) == 1 {
		a.put(t.budgetStates(of[0], all[of[0]], s)...)
		return a.reply(), nil
	}
	a.put(t.budgetsHead(p, t.today, days))
	for _, c := range of {
		a.put(t.budgetLine(c, all[c], s.on(c), days))
	}
	return a.reply(), nil
}

// askedBudgets lists those that are asked about: of the category that is named, of
// everything where it is asked what may be spent a day, else all.
func (t *turn) askedBudgets(all budgets, c store.Categories) []ledger.Category {
	one := c.Of(t.cmd.Category)
	if _, ok := all[one]; ok && (one != "" || t.cmd.PerDay) {
		return []ledger.Category{one}
	} else if one != "" {
		return nil
	}
	return all.inOrder(c)
}

// budgetStates are the lines about one budget in this month.
func (t *turn) budgetStates(c ledger.Category, amount ledger.Yen, s sums) []Line {
	spent := s.on(c)
	return []Line{t.budgetState(c, amount, spent), {Text: t.perDay(amount-spent, t.daysLeft()), Role: Quiet}}
}

// leftAfter says what is left of the budgets that the rows use, if they are of this
// month.
func (t *turn) leftAfter(n *names, rows []ledger.Row) (parts []string, err error) {
	all, err := t.budgets(n.categories)
	if len(all) == 0 || err != nil {
		return nil, err
	}
	m := ledger.Month(t.today, 0)
	var used []ledger.Category
	for _, r := range rows {
		if m.Contains(r.Date) && (r.Type == ledger.Expense || r.Type == ledger.Refund) {
			used = append(used, n.category(r), "")
		}
	}
	if len(used) == 0 {
		return nil, nil
	}
	s, err := t.sum(m, allRows(n.categories))
	for _, c := range slices.Backward(all.inOrder(n.categories)) {
		if slices.Contains(used, c) {
			parts = append(parts, t.budgetLeft(c, all[c]-s.on(c)))
		}
	}
	return parts, err
}
