package grammar

import "strings"

// renames reads what gives a row another item: 品名はディナー, ランチの品名を
// ディナーに変更, ランチをディナーに変更.
func (l *line) renames(from int, opened []mark, receipt *frontNumber) (Command, bool) {
	if len(l.find(amountSpan)) > 0 || l.first(dateSpan) != nil || l.marked(insteadOf) != nil {
		return Command{}, false
	}
	c := Command{Kind: Correct}
	if receipt != nil {
		c.Receipt = receipt.id
	}
	at, end := l.itemField(from)
	if at >= 0 {
		c.Item = l.newLine(strings.TrimSuffix(l.str(from, at), "の")).wholeItem()
		name, _, ok := l.newName(end)
		c.NewItem = name
		return c, ok
	}
	if l.first(accountSpan) != nil || l.first(categorySpan) != nil {
		return Command{}, false
	}
	old, rest, ok := strings.Cut(l.str(from, len(l.raw)), "を")
	if !ok || strings.Contains(rest, "を") {
		return Command{}, false
	}
	name, ends, ok := l.newName(from + len([]rune(old)) + 1)
	if !ok || !ends[endGoal] || !ends[endVerb] {
		return Command{}, false
	}
	head := l.newLine(old)
	c.Item, c.NewItem = head.wholeItem(), name
	return c, c.Item != "" && (head.knownIn() || len(opened) > 0 || receipt != nil)
}

// itemField finds the word for the item of a row, with a particle or a blank
// behind it, from a position on.
func (l *line) itemField(from int) (at, end int) {
	for i := from; i < len(l.raw); i++ {
		f, end, ok := fieldWords.at(l.low, i)
		if !ok || f != itemField || i > from && l.rune(i-1) != 'の' && l.at(i-1) != blank {
			continue
		}
		if r := l.rune(end); r == 'は' || r == 'を' || l.at(end) == blank || l.at(end) == punct {
			return i, end + 1
		}
	}
	return -1, from
}

// longestName is more than an item has in a rename.
const longestName = 40

// newName reads the new item from i on, up to where only words of amendEndings
// follow.
func (l *line) newName(i int) (name string, ends [endings]bool, ok bool) {
	i = l.skipBlank(i)
	for at := i + 1; at <= min(len(l.raw), i+longestName); at++ {
		if ends, ok = l.ends(at); ok {
			name = strings.TrimFunc(l.str(i, at), isNameEdge)
			return name, ends, name != "" && isWord(l.at(i))
		}
	}
	return "", ends, false
}
