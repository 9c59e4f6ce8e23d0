package store

import (
	"maps"
	"slices"

	"ichido/internal/ledger"
)

// CategorySetting begins the names of the settings about categories: see settings.go.
const CategorySetting = "category/"

// Categories says what the household calls its categories. Rows keep the name under
// which they were recorded; it is looked up when they are shown, so that a renaming is
// one setting and can be taken back.
type Categories struct {
	names map[ledger.Category]ledger.Category
	own   []ledger.Category // in the order of their names
}

// Categories reads what the household calls its categories now.
func (tx *Tx) Categories() (Categories, error) {
	c := Categories{names: map[ledger.Category]ledger.Category{}}
	err := tx.Settings(CategorySetting, func(name, value string) error {
		c.names[ledger.Category(name)] = ledger.Category(value)
		if name == value {
			c.own = append(c.own, ledger.Category(name))
		}
		return nil
	})
	return c, err
}

// Of returns the name under which a stored category is shown; "" for "".
func (c Categories) Of(stored ledger.Category) ledger.Category {
	for range len(c.names) { // each name is followed at most once
		next, ok := c.names[stored]
		if !ok || next == stored {
			break
		}
		stored = next
	}
	return stored
}

// All lists the categories of expenses in the order in which they are shown: the
// built-in ones, under their new names where they have some, then the household's own,
// then what fits nothing. None stands there twice.
func (c Categories) All() (all []ledger.Category) {
	other := c.Of(ledger.Other)
	for _, list := range [][]ledger.Category{ledger.Categories, c.own} {
		for _, stored := range list {
			if name := c.Of(stored); name != other && !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return append(all, other)
}

// Names lists, in order, all names of categories that the household has ever made or
// changed, also those that are not shown any more.
func (c Categories) Names() []ledger.Category { return slices.Sorted(maps.Keys(c.names)) }

// Known says whether the household has a category of the name: a built-in one or an own
// one that has not been renamed or merged into another.
func (c Categories) Known(name ledger.Category) bool { return slices.Contains(c.All(), name) }
