package grammar

// categoryOrder reads an order with a word for categories: カテゴリ 追加 推し活.
// What only changes the category of a row is left to the rules behind.
func (l *line) categoryOrder(o *order) (Command, bool) {
	switch {
	case o.verb == adding:
		return Command{Kind: Setting, Setting: "category-add", Value: o.name()}, true
	case o.verb == removing && len(o.names) > 0:
		return Command{Kind: Setting, Setting: "category-remove", Item: o.name()}, true
	case o.verb == removing:
		return l.askCommand(), true
	case o.verb == listing && len(o.names) == 0 && l.first(periodSpan) == nil:
		return Command{Kind: Query, Query: Categories}, true
	case o.verb == renaming, o.verb == changing && o.named, o.into && o.verb == 0:
		return l.renameCategory(o)
	case o.verb == merging, o.verb == gathering && len(o.names) > 0:
		return l.mergeCategory(o)
	case o.verb == changing && len(o.names) == 2 && o.parted && !l.isCategoryName(o.names[1]):
		return l.renameCategory(o)
	}
	return Command{}, false
}

// namelessOrder reads 推し活を娯楽に統合 and 推し活をオタ活に改名, which need no word
// for categories.
func (l *line) namelessOrder(o *order) (Command, bool) {
	if len(o.names) != 2 || !o.parted {
		return Command{}, false
	}
	switch o.verb {
	case merging:
		return l.mergeCategory(o)
	case renaming:
		return l.renameCategory(o)
	}
	return Command{}, false
}

// renameCategory makes the order to call a category otherwise. A name that is that of
// another category would merge the two; only if 名前変更 is said it can be that of one
// that is not called so any more, which the household knows.
func (l *line) renameCategory(o *order) (Command, bool) {
	if len(o.names) != 2 || o.verb != renaming && l.isCategoryName(o.names[1]) || o.names[0] == o.names[1] {
		return l.askCommand(), true
	}
	return Command{Kind: Setting, Setting: "category-rename", Item: o.names[0], Value: o.names[1]}, true
}

func (l *line) mergeCategory(o *order) (Command, bool) {
	if len(o.names) != 2 || o.names[0] == o.names[1] {
		return l.askCommand(), true
	}
	return Command{Kind: Setting, Setting: "category-merge", Item: o.names[0], Value: o.names[1]}, true
}

// accountOrder reads an order with a word for accounts: 口座 追加 へそくり.
func (l *line) accountOrder(o *order) (Command, bool) {
	switch {
	case o.verb == adding:
		return Command{Kind: Setting, Setting: "account-add", Value: o.name()}, true
	case o.verb == removing && len(o.names) > 0:
		return Command{Kind: Setting, Setting: "account-remove", Item: o.name()}, true
	case o.verb == removing:
		return l.askCommand(), true
	case o.verb == listing && len(o.names) == 0:
		return Command{Kind: Query, Query: Balances}, true
	}
	return Command{}, false
}
