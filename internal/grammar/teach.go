package grammar

import "ichido/internal/ledger"

// wordsOrder reads an order about the words that the household taught: 辞書,
// 辞書 ランチ 削除, 辞書 ランチ 交際費. 辞書 1500 is a row.
func (l *line) wordsOrder(o *order) (Command, bool) {
	switch names := o.names; {
	case o.verb == removing && len(names) > 0:
		return Command{Kind: Setting, Setting: "word-forget", Item: o.name()}, true
	case o.verb == removing:
		return l.askCommand(), true
	case len(names) == 0 && (o.verb == 0 || o.verb == listing):
		return Command{Kind: Query, Query: Words}, true
	case len(names) == 2 && (o.verb == 0 || o.verb == adding || o.verb == teaching) && l.isCategoryName(names[1]):
		return Command{Kind: Correct, Item: names[0], Category: ledger.Category(l.categoryOf(names[1]))}, true
	}
	return Command{}, false
}

// categoryOf gives the category that is written so in the line.
func (l *line) categoryOf(name string) string {
	for i := range l.spans {
		if s := &l.spans[i]; s.kind == categorySpan && l.str(s.from, s.to) == name {
			return s.name
		}
	}
	return ""
}
