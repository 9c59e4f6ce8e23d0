package bot

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
	"ichido/store"
)

// Categories of the household's own, and other names for those that are built in: see
// store.Categories. Rows stay as they were recorded.

const categorySetting = store.CategorySetting

// longestName is the length in runes of the longest name of a category or account.
const longestName = 15

// cleanName is what was typed as a name of a category or account; "" if nothing can be
// called so.
func cleanName(typed string) string {
	name := strings.Join(strings.Fields(typed), "")
	letter := func(r rune) bool { return unicode.IsLetter(r) || unicode.Is(unicode.So, r) }
	if len([]rune(name)) > longestName || !strings.ContainsFunc(name, letter) || strings.ContainsAny(name, "0123456789\t/") {
		return ""
	}
	return name
}

// addCategory makes a category of the household's own.
func (t *turn) addCategory() (Reply, error) {
	name := cleanName(t.cmd.Value)
	if refusal, err := t.refuseCategory(name, ""); refusal != "" || err != nil {
		return said(refusal), err
	}
	return t.set(categorySetting+name, name)
}

// refuseCategory says why no category can have the name, "" if one can. was is what it has
// been called until now, "" for a new one: it may be spelt otherwise.
func (t *turn) refuseCategory(name string, was ledger.Category) (string, error) {
	categories, err := t.tx.Categories()
	there := sameName(categories.All(), name)
	switch {
	case err != nil:
		return "", err
	case name == "":
		return t.noCategoryName(t.cmd.Value), nil
	case there != "" && (there != was || name == string(was)):
		return t.categoryIsThere(string(there)), nil
	case t.isAccount(name):
		return t.nameIsAccount(name), nil
	case meansElse(name, t.at):
		return t.nameMeansElse(name), nil
	}
	return "", nil
}

// sameName gives that of the categories, or the one of income, of which the name is the
// same in all but how it is written; "" if there is none.
func sameName(all []ledger.Category, name string) (found ledger.Category) {
	for _, c := range append(all, ledger.Pay) {
		if grammar.Key(string(c)) == grammar.Key(name) {
			found = c
		}
	}
	return found
}

// meansElse says whether the word, if nobody has made a name of it, is no noun that may
// stand with an amount: a command, a day, a number, a particle. As a name it could not be
// said any more for what it is.
func meansElse(name string, at time.Time) bool {
	alone, row := grammar.Parse(name, at), grammar.Parse(name+" 900", at)
	if !(alone.Kind == grammar.Remark && alone.Reason == "" || alone.Kind == grammar.Ask && alone.Reason == grammar.ItemOnly) {
		return true
	}
	if row.Kind == grammar.Ask {
		return !slices.Contains([]grammar.Reason{grammar.IncomeOrNot, grammar.SavedOrHolds}, row.Reason)
	}
	if len(row.Entries) != 1 || row.Entries[0].Amount != 900 {
		return true
	}
	if behind := grammar.Parse("本 900 "+name, at); len(behind.Entries) == 1 && behind.Entries[0].Item == "本" && !behind.Entries[0].SaidCategory {
		return true // it is of the amount, as 円 is
	}
	e := row.Entries[0]
	return e.Type == ledger.Refund || e.Type != ledger.Transfer && grammar.Folded(e.Item) != grammar.Folded(name)
}

// knownCategory gives the category as it is shown, if the household has it and it can be
// changed.
func (t *turn) knownCategory(name string) (found ledger.Category, refusal string, err error) {
	categories, err := t.tx.Categories()
	if err != nil {
		return "", "", err
	}
	switch found = sameName(categories.All(), name); found {
	case "", ledger.Pay:
		return "", t.noSuchCategory(name), nil
	case ledger.Other:
		refusal = t.text(otherStays)
	}
	return found, refusal, nil
}

// renameCategory gives a category another name, under which its rows are shown too.
func (t *turn) renameCategory() (Reply, error) {
	from, refusal, err := t.knownCategory(t.cmd.Item)
	if refusal != "" || err != nil {
		return said(refusal), err
	}
	name := cleanName(t.cmd.Value)
	refusal, err = t.refuseCategory(name, from)
	if there, _, err := t.knownCategory(name); refusal != "" && there != "" && there != from && err == nil {
		refusal += "\n" + t.mergeInstead(from, string(there))
	}
	if refusal != "" || err != nil {
		return said(refusal), err
	}
	if err := t.tx.Set(categorySetting+name, ownName(name)); err != nil {
		return Reply{}, err
	}
	return t.set(categorySetting+string(from), name)
}

// ownName is the setting of a category that is called so: a built-in one needs none.
func ownName(name string) string {
	if slices.Contains(ledger.Categories, ledger.Category(name)) {
		return ""
	}
	return name
}

// mergeCategory lets the rows of one category be shown under another.
func (t *turn) mergeCategory(into string) (Reply, error) {
	from, refusal, err := t.knownCategory(t.cmd.Item)
	if refusal != "" || err != nil {
		return said(refusal), err
	}
	to, refusal, err := t.knownCategory(into)
	switch {
	case err != nil:
		return Reply{}, err
	case to == "":
		return said(refusal), nil
	case to == from:
		return said(t.sameCategory(from)), nil
	}
	return t.set(categorySetting+string(from), string(to))
}

// ownCategories are the names that the household has for categories besides the built-in
// ones, also those that it no longer uses.
func ownCategories(c store.Categories) []ledger.Category {
	return slices.DeleteFunc(c.Names(), func(name ledger.Category) bool { return slices.Contains(ledger.Categories, name) })
}
