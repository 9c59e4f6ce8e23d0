package bot

import (
	"slices"

	"ichido/internal/grammar"
	"ichido/store"
)

// Account words of the household's own. The account itself is made at its first use and
// stays when the word goes.

const accountSetting = "account/"

// addAccount makes a word that names an account.
func (t *turn) addAccount() (Reply, error) {
	name := cleanName(t.cmd.Value)
	if name == "" {
		return said(t.noAccountName(t.cmd.Value)), nil
	}
	if t.isAccount(name) {
		return said(t.accountIsThere(name)), nil
	}
	categories, err := t.tx.Categories()
	if err != nil {
		return Reply{}, err
	}
	if there := sameName(categories.All(), name); there != "" {
		return said(t.nameIsCategory(string(there))), nil
	}
	if meansElse(name, t.at) {
		return said(t.nameMeansElse(name)), nil
	}
	return t.set(accountSetting+name, name)
}

// isAccount says whether the word names an account already: of itself, or because the
// household says so.
func (t *turn) isAccount(name string) bool {
	c := t.parse(name+" 残高", t.at)
	return c.Kind == grammar.Query && c.Query == grammar.Balances && c.Item == "" && (c.Account != "" || c.Owner != "")
}

// removeAccount forgets a word that the household has made.
func (t *turn) removeAccount() (Reply, error) {
	accounts, err := ownAccounts(t.tx)
	if err != nil {
		return Reply{}, err
	}
	i := slices.IndexFunc(accounts, func(name string) bool { return grammar.Key(name) == grammar.Key(t.cmd.Item) })
	if i < 0 {
		return said(t.noSuchAccount(t.cmd.Item)), nil
	}
	return t.set(accountSetting+accounts[i], "")
}

func ownAccounts(tx *store.Tx) (names []string, err error) {
	err = tx.Settings(accountSetting, func(name, _ string) error {
		names = append(names, name)
		return nil
	})
	return names, err
}

// ownWords reads the words that the household has beyond the built-in ones; nil if it has
// none.
func ownWords(tx *store.Tx) (*grammar.Names, error) {
	accounts, err := ownAccounts(tx)
	if err != nil {
		return nil, err
	}
	categories, err := tx.Categories()
	own := ownCategories(categories)
	if len(accounts)+len(own) == 0 || err != nil {
		return nil, err
	}
	return grammar.NewNames(accounts, own), nil
}
