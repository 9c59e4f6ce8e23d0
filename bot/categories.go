package bot

import (
	"slices"
	"strings"
	"unicode"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
	"ichido/store"
)

// Categories of the household's own, and other names for those that are built in: see
// store.Categories. Rows stay as they were recorded.

const categorySetting = "category/"

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
	if refusal, err := t.refuseCategory(name); refusal != "" || err != nil {
		return Reply{Text: refusal}, err
	}
	return t.set(categorySetting+name, name)
}

// refuseCategory says why no new category can have the name, "" if one can.
func (t *turn) refuseCategory(name string) (string, error) {
	categories, err := t.tx.Categories()
	switch {
	case err != nil:
		return "", err
	case name == "":
		return noCategoryName(t.cmd.Value), nil
	case categories.Known(ledger.Category(name)) || name == string(ledger.Pay):
		return categoryIsThere(name), nil
	}
	if t.isAccount(name) {
		return nameIsAccount(name), nil
	}
	return "", nil
}

// knownCategory gives the category as it is shown, if the household has it and it can be
// changed.
func (t *turn) knownCategory(name string) (found ledger.Category, refusal string, err error) {
	categories, err := t.tx.Categories()
	if err != nil {
		return "", "", err
	}
	for _, c := range categories.All() {
		if grammar.Key(string(c)) == grammar.Key(name) {
			found = c
		}
	}
	switch found {
	case "":
		refusal = noSuchCategory(name)
	case ledger.Other:
		refusal = otherStays
	}
	return found, refusal, nil
}

// renameCategory gives a category another name, under which its rows are shown too.
func (t *turn) renameCategory() (Reply, error) {
	from, refusal, err := t.knownCategory(t.cmd.Item)
	if refusal != "" || err != nil {
		return Reply{Text: refusal}, err
	}
	name := cleanName(t.cmd.Value)
	refusal, err = t.refuseCategory(name)
	if refusal == categoryIsThere(name) {
		refusal += "\n" + mergeInstead(from, name)
	}
	if refusal != "" || err != nil {
		return Reply{Text: refusal}, err
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
		return Reply{Text: refusal}, err
	}
	to, refusal, err := t.knownCategory(into)
	switch {
	case err != nil:
		return Reply{}, err
	case to == "":
		return Reply{Text: refusal}, nil
	case to == from:
		return Reply{Text: sameCategory(from)}, nil
	}
	return t.set(categorySetting+string(from), string(to))
}

// ownCategories are the names that the household has for categories besides the built-in
// ones, also those that it no longer uses.
func ownCategories(c store.Categories) []ledger.Category {
	return slices.DeleteFunc(c.Names(), func(name ledger.Category) bool { return slices.Contains(ledger.Categories, name) })
}
