package grammar

import (
	"slices"
	"strings"

	"ichido/internal/ledger"
)

// orderPart is what a word does in an order about what a household has of its
// own: categories, accounts, and the words that it taught.
type orderPart uint8

const (
	ofCategory orderPart = iota + 1
	ofAccount
	ofWords
	ofCategoryName
	ofName // の名前を: it is the name that is meant
	adding
	renaming
	changing // a new name only if nothing else can be meant
	merging
	gathering // merging beside the word for categories
	removing
	listing
	teaching
	arrow
	parting // it stands between two names
	joining // a particle if a word of the table stands beside it
	politeness
)

// orderPhrase has the words of such orders. What stands between them are names.
var orderPhrase = wordTable[orderPart]{
	ofCategory:     "カテゴリ カテゴリー 分類 費目 category categories",
	ofCategoryName: "カテゴリ名 カテゴリー名 費目名 分類名",
	ofAccount:      "口座 銀行口座 アカウント account",
	ofWords:        "辞書 覚えた言葉 覚えている言葉 覚えてる言葉 おぼえた言葉 覚えた単語 覚えたことば 学習した言葉 教えた言葉",
	ofName:         "名前 名称",
	adding:         "追加 追加して 追加する 追加します 追加したい 登録 登録して 登録する 登録したい 作成 作成して 作って 作る 作りたい 新しい 新規 新規追加 追加方法 追加の仕方 増やして 増やしたい add",
	renaming:       "名前変更 名前変更して 名称変更 名変更 改名 改名して 名前を変えて 名前を変更 名前を変更して リネーム rename",
	changing:       "変更 変更して 変更する 変えて 変える かえて 直して",
	merging:        "統合 統合して 統合する 統合したい 合併 合併して 一緒にして merge",
	gathering:      "まとめて まとめる",
	removing:       "削除 削除して 削除する 削除したい 消して 消す 消したい けして 消去 消去して 外して 除いて 取り除いて remove delete",
	listing:        "一覧 リスト 中身 内容 見せて みせて 教えて おしえて 表示 表示して 確認 list show",
	teaching:       "覚えて おぼえて",
	arrow:          "→ ⇒ -> => > =",
	parting:        "を",
	joining:        "に へ の は から という って で と",
	politeness:     "して します してください して下さい ください 下さい お願い お願いします おねがいします ね よ です",
}.index()

// order is a line read by the words of orderPhrase.
type order struct {
	noun, verb orderPart
	named      bool // the name itself is spoken of
	into       bool // an arrow stands between the names
	parted     bool // を stands behind a name
	names      []string
}

// orderReader walks through a line.
type orderReader struct {
	*line
	order
	ranges [][2]int  // of the names
	name   int       // where the name begins that is being read; -1 for none
	last   orderPart // what ends where the reader is; 0 for a name or a blank
}

// order finds the words of orderPhrase and the names between them. A line without
// any is all name, and no order.
func (l *line) order() order {
	r := orderReader{line: l, name: -1, ranges: make([][2]int, 0, 8)}
	for pos := 0; pos < len(l.raw); {
		part, end, ok := r.word(pos)
		switch {
		case ok:
			r.endName(pos)
			r.take(part)
			pos = end
			continue
		case l.at(pos) == blank, l.at(pos) == punct && l.rune(pos) != '・':
			r.endName(pos)
		case r.name < 0:
			r.name = pos
		}
		r.last = 0
		pos++
	}
	r.endName(len(l.raw))
	if r.noun == 0 && r.verb == 0 {
		return order{}
	}
	for _, name := range r.ranges {
		r.names = append(r.names, l.str(name[0], name[1]))
	}
	return r.order
}

// word reads a word of the table at i if it can be told from a part of a name.
func (r *orderReader) word(i int) (orderPart, int, bool) {
	return orderPhrase.atIf(r.low, i, func(part orderPart, end int) bool {
		switch part {
		case arrow, parting:
			return true
		case joining:
			return r.last != 0 && r.last < parting || r.name >= 0 && r.wordBegins(end)
		case ofName, politeness:
			return r.last != 0 && r.orderEnds(end)
		default:
			return (r.last != 0 || r.name < 0 || r.startsWord(i)) && r.orderEnds(end)
		}
	})
}

// wordBegins says whether a word of the table, other than a particle, begins at
// i.
func (r *orderReader) wordBegins(i int) bool {
	_, _, ok := orderPhrase.atIf(r.low, i, func(part orderPart, end int) bool {
		return part != joining && part != politeness && r.orderEnds(end)
	})
	return ok
}

// orderEnds says whether a word of the table may end there.
func (r *orderReader) orderEnds(end int) bool {
	if !isWord(r.at(end)) || r.endsWord(end) || r.endsClause(end) {
		return true
	}
	return orderPhrase.startsAt(r.low, end)
}

func (r *orderReader) endName(to int) {
	if r.name >= 0 {
		r.ranges = append(r.ranges, [2]int{r.name, to})
	}
	r.name = -1
}

func (r *orderReader) take(part orderPart) {
	r.last = part
	switch {
	case part == ofCategoryName:
		r.noun, r.named = ofCategory, true
	case part <= ofWords:
		r.noun = part
	case part == ofName:
		r.named = true
	case part <= teaching:
		if r.verb == 0 || r.verb == listing || part != listing {
			r.verb = part
		}
	case part == arrow:
		r.into = r.into || len(r.ranges) > 0
	case part == parting:
		r.parted = r.parted || len(r.ranges) > 0
	}
}

// readOrder reads what a household does with categories, accounts and taught
// words of its own: カテゴリ 追加 推し活, 口座 削除 へそくり, 辞書からランチを消して.
func readOrder(l *line) (Command, bool) {
	if l.first(urlSpan) != nil || l.marked(hearsay, denial, loan) != nil {
		return Command{}, false
	}
	o := l.order()
	if o.acts() && o.noun != 0 && l.hasYen() {
		return l.askCommand(), true
	}
	if l.asks() && o.acts() {
		o.names = nil // カテゴリを追加するには？ asks how
	}
	switch o.noun {
	case ofWords:
		return l.wordsOrder(&o)
	case ofAccount:
		return l.accountOrder(&o)
	case ofCategory:
		return l.categoryOrder(&o)
	}
	return l.namelessOrder(&o)
}

// acts says whether the order has a verb that changes something.
func (o *order) acts() bool {
	return slices.Contains([]orderPart{adding, renaming, merging, gathering, removing}, o.verb)
}

// name gives all names as one.
func (o *order) name() string { return strings.Join(o.names, " ") }

// isCategoryName says whether the whole text is a category that the line names.
func (l *line) isCategoryName(name string) bool {
	return slices.ContainsFunc(l.spans, func(s span) bool { return s.kind == categorySpan && l.str(s.from, s.to) == name })
}

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
