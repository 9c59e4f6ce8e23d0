package bot

import (
	"strings"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
	"ichido/store"
)

// What the household says about an item's category counts for that item from then on,
// ahead of the built-in dictionary. It is a setting for each item: the newest counts.

// longestItem is the length in runes of the longest item that is taught or looked for. A
// longer one is a sentence, and does not come again.
const longestItem = 40

// taughtWord is the value of such a setting: the category, and the item as it was typed.
func taughtWord(c ledger.Category, item string) string { return string(c) + "\t" + item }

func splitWord(value string) (ledger.Category, string) {
	c, item, _ := strings.Cut(value, "\t")
	return ledger.Category(c), item
}

func wordSetting(item string) string { return store.WordSetting + grammar.Key(item) }

// taught gives the category that the household has taught for the item, "" if it has
// not.
func (t *turn) taught(item string) (ledger.Category, error) {
	value, err := t.tx.Setting(wordSetting(item))
	c, _ := splitWord(value)
	return c, err
}

// taughtFor is taught for an item that may be described by such a word as well: of
// ポチの病院, what was taught for ポチ counts. A word that the dictionary knows, as スーパー
// is in スーパーの花, says too little about what was bought.
func (t *turn) taughtFor(item string) (ledger.Category, error) {
	c, err := t.taught(item)
	if c != "" || err != nil {
		return c, err
	}
	front, _, found := strings.Cut(strings.Replace(item, " ", "の", 1), "の")
	if !found || t.dictionaryCategory(front) != "" {
		return "", nil
	}
	return t.taught(front)
}

// dictionaryCategory gives the category that the dictionary has for the item, "" if it has
// none.
func (t *turn) dictionaryCategory(item string) ledger.Category {
	if c := t.parse(spaced(item, "100円"), t.at); len(c.Entries) == 1 {
		return c.Entries[0].Category
	}
	return ""
}

// categoryOf gives the category of an item about which nobody says anything.
func (t *turn) categoryOf(item string) (ledger.Category, error) {
	taught, err := t.taughtFor(item)
	if taught != "" || err != nil {
		return taught, err
	}
	return t.dictionaryCategory(item), nil
}

func teachable(item string) bool { return grammar.Key(item) != "" && len([]rune(item)) <= longestItem }

// teach lets the item be of the category from now on. It reports whether that is new.
func (t *turn) teach(item string, c ledger.Category) (bool, error) {
	item = strings.TrimSpace(item)
	if !teachable(item) {
		return false, nil
	}
	if now, err := t.taught(item); now == c || err != nil {
		return false, err
	}
	return true, t.tx.Set(wordSetting(item), taughtWord(c, item))
}

// words lists what the household has taught.
func (t *turn) words() (Reply, error) {
	n, err := t.names()
	if err != nil {
		return Reply{}, err
	}
	a := answer{}
	words := 0
	err = t.tx.Settings(store.WordSetting, func(_, value string) error {
		if words++; words <= maxLines {
			c, item := splitWord(value)
			a.add(t.wordLine(item, n.categories.Of(c)))
		}
		return nil
	})
	if err != nil {
		return Reply{}, err
	}
	if words == 0 {
		return said(t.text(noWords)), nil
	}
	a.lines = append(sentences(t.wordsHead(words)), a.lines...)
	if words > maxLines {
		a.add(t.more(words - maxLines))
	}
	a.add(t.text(wordsFoot))
	return a.reply(), nil
}

// forgetWord takes an item out of what was taught.
func (t *turn) forgetWord() (Reply, error) {
	value, err := t.tx.Setting(wordSetting(t.cmd.Item))
	if err != nil {
		return Reply{}, err
	}
	if value == "" {
		return said(t.notTaught(t.cmd.Item)), nil
	}
	return t.set(wordSetting(t.cmd.Item), "")
}

// set changes the setting, says what it is now and offers to take that back.
func (t *turn) set(name, value string) (Reply, error) {
	if err := t.tx.Set(name, value); err != nil {
		return Reply{}, err
	}
	return t.settingsChanged()
}

// settingsChanged answers a change of settings, all of this receipt.
func (t *turn) settingsChanged() (Reply, error) {
	categories, err := t.tx.Categories()
	if err != nil {
		return Reply{}, err
	}
	return t.changed(t.settingsNow(t.message.Chat, categories, t.tx.Receipt().Settings)...)
}

// changed says what is so now, by this receipt, and offers to take it back.
func (t *turn) changed(now ...string) (Reply, error) { return t.changedTo(sentences(now...)...) }

func (t *turn) changedTo(now ...Line) (Reply, error) {
	r := t.tx.Receipt()
	r.Kind = store.Correct
	id := ledger.RowID{Receipt: r.Number}
	a := answer{}
	a.put(now...)
	a.quiet(t.receiptLabel(id))
	err := t.offerUndo(&a, id)
	return a.reply(), err
}
