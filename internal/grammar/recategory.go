package grammar

import (
	"strings"

	"ichido/internal/ledger"
)

// recategoryPhrase has the words that may stand around a category to which
// something is to be changed. A receipt's number and categories stand between
// them.
var recategoryPhrase = wordTable[part]{
	core: "カテゴリ カテゴリー 分類 費目 category",
	verb: "変更 変更して 変更する 変更します 変更したい 変えて 変える 変えます 変えたい かえて かえる かえたい 直して 直す 直したい なおして 修正 修正して 訂正 訂正して 移して 移動 移動して " +
		"変更方法 変え方 変更できる 変えられる 間違い 間違えた 間違えました change",
	making:   "して にして してください して下さい する にする",
	goal:     "に へ to",
	object:   "を",
	topic:    "は が",
	numbered: "受付 受付番号 no no. #",
	pointer:  "これ これは それ それは さっきの さっきのは",
	filler:   "の 番 の記録 この この記録 その 今の いまの です だよ だった でした だったよ ください 下さい お願い お願いします おねがい おねがいします ね よ で もの やつ please the of",
}.index()

// recategory is what a line says about the category of an earlier row.
type recategory struct {
	receipt      string
	category     ledger.Category
	receipts     int
	categories   int
	objectBehind bool // を stands behind the number: 8を
	topicBehind  bool // は
	parts        [partCount]bool
}

// readRecategory reads 8を日用品に, 受付 8 は日用品, 日用品に変えて and カテゴリ変更. A
// number there is that of a receipt and no amount, unless 円 stands behind it.
func readRecategory(l *line) (Command, bool) {
	r, ok := l.recategory()
	switch {
	case !ok || !r.isChange():
		return l.doubtRecategory()
	case r.receipts > 1 || r.receipts == 1 && r.categories > 1:
		return l.askCommand(), true
	case r.category != "" && l.asks():
		return Command{}, false
	case r.mayBeAmount():
		return l.ask(MaybeCorrect), true
	}
	return Command{Kind: Correct, Receipt: r.receipt, Category: r.category}, true
}

// recategory reads the line as words of recategoryPhrase, categories and
// numbers of receipts; ok is false if it has anything else.
func (l *line) recategory() (r recategory, ok bool) {
	next := 0
	for pos := 0; pos < len(l.raw); {
		for next < len(l.spans) && l.spans[next].from < pos {
			next++
		}
		if next < len(l.spans) && l.spans[next].kind == categorySpan && l.spans[next].from == pos {
			r.category, r.categories = ledger.Category(l.spans[next].name), r.categories+1
			pos = l.spans[next].to
			continue
		}
		end, ok := l.recategoryToken(pos, &r)
		if !ok {
			return r, false
		}
		pos = end
	}
	return r, true
}

// recategoryToken reads one word, number or other rune at pos.
func (l *line) recategoryToken(pos int, r *recategory) (end int, ok bool) {
	if l.at(pos) == digit {
		id, end, ok := l.receiptAt(pos)
		r.receipt, r.receipts = id, r.receipts+1
		r.objectBehind = r.objectBehind || r.categories == 0 && l.particleAt(end) == 'を'
		r.topicBehind = r.topicBehind || r.categories == 0 && l.particleAt(end) == 'は'
		r.parts[numbered] = r.parts[numbered] || l.rune(end) == '番'
		return end, ok
	}
	what, end, found := recategoryPhrase.atIf(l.low, pos, func(_ part, end int) bool { return l.at(end-1) != latin || l.at(end) != latin })
	switch {
	case found:
		r.parts[what] = true
		return end, true
	case !isWord(l.at(pos)) || l.at(pos) == other:
		return pos + 1, !isMinus(l.rune(pos)) && !isMoneySign(l.rune(pos))
	}
	return pos, false
}

// particleAt gives what stands behind a number that ends there, blanks and 番
// aside.
func (l *line) particleAt(i int) rune {
	if i = l.skipBlank(i); l.rune(i) == '番' {
		i = l.skipBlank(i + 1)
	}
	return l.rune(i)
}

// isChange says whether all of it asks for another category.
func (r *recategory) isChange() bool {
	p := r.parts
	aimed := p[goal] || p[verb] || p[making]
	switch {
	case r.categories == 0:
		return p[core] && p[verb]
	case r.receipts == 0 && p[pointer]:
		return true // それ交際費
	case r.receipts == 0:
		return p[goal] && p[verb] || p[making] || p[core] && (p[goal] || p[topic] || p[verb])
	case p[numbered] || strings.Contains(r.receipt, "-") || r.topicBehind:
		return true
	}
	return r.objectBehind && aimed || p[core] && (aimed || p[topic]) || p[verb] && p[goal]
}

// mayBeAmount says whether the number may be what was spent: 3000は食費.
func (r *recategory) mayBeAmount() bool {
	n := frontNumber{id: r.receipt, named: r.parts[numbered], row: strings.Contains(r.receipt, "-")}
	return r.topicBehind && !r.parts[core] && !r.parts[verb] && n.mayBeAmount()
}

// doubtRecategory asks about a number without 円 that を and a category with に
// follow, in a line that says more: 昨日の8を日用品に. Where it says that money was
// paid, it is an amount.
func (l *line) doubtRecategory() (Command, bool) {
	if l.marked(paid, moved, gave) != nil {
		return Command{}, false
	}
	for i := range l.spans {
		c := &l.spans[i]
		if c.kind != categorySpan || l.rune(c.to) != 'に' || l.rune(c.from-1) != 'を' || i < 2 {
			continue
		}
		if a := &l.spans[i-2]; a.kind == amountSpan && !a.amount.yen && a.to == c.from-1 {
			return l.ask(MaybeCorrect), true
		}
	}
	return Command{}, false
}
