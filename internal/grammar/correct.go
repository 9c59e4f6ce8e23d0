package grammar

import (
	"slices"
	"strings"

	"ichido/internal/ledger"
)

// readCorrection reads what changes an earlier row: 訂正 at the start, 850では
// なく950, さっきの … だった, ごめん … だった, 間違えた, or a bare amount with だった.
func readCorrection(l *line) (Command, bool) {
	amounts := l.amountsIn(0, len(l.spans))
	if l.marked(question, wish, plan, hearsay) != nil || l.first(accountSpan) != nil && l.marked(balanceWord) != nil {
		return Command{}, false
	}
	if c, ok := l.contradicted(amounts); ok {
		return c, true
	}
	switch {
	case l.marked(insteadOf) != nil:
		return l.instead(amounts)
	case l.marked(correctionStart) != nil:
		return l.correct(amounts)
	case l.marked(correction) != nil && len(amounts) == 1 && strings.ContainsRune("はが", l.rune(l.spans[amounts[0]].to)):
		return l.ask(UnclearCommand), true // 2000円は間違い names the old amount
	case l.marked(correction) != nil && (len(amounts) > 0 || l.marked(earlier) != nil || l.first(categorySpan) != nil):
		return l.correct(amounts)
	case l.marked(earlier, apology) != nil && l.marked(was) != nil:
		return l.correct(amounts)
	case l.marked(was) != nil && len(amounts) == 1 && l.wholeItem() == "":
		return l.correct(amounts)
	case l.marked(earlier) != nil && len(amounts) == 1 && l.onlyEarlier():
		return l.correct(amounts)
	case l.saysEarlierOf() && len(amounts) == 0 && l.first(dateSpan) != nil && !l.asks():
		return l.correct(amounts)
	case (l.saysEarlierOf() || l.afterAll(amounts)) && len(amounts) > 0 && l.marked(wallet) == nil:
		return l.ask(MaybeCorrect), true
	}
	return Command{}, false
}

// contradicted reads 違う、850円: the last record is said to be wrong, and what is
// right. With an item it may be another row.
func (l *line) contradicted(amounts []int) (Command, bool) {
	m := l.contradiction()
	if m == nil || l.marked(insteadOf, undoWord) != nil || l.asks() {
		return Command{}, false
	}
	m.used = true
	for _, i := range l.find(categorySpan) {
		l.spans[i].used = true
	}
	if l.wholeItem() == "" {
		return l.correct(amounts)
	}
	return l.ask(MaybeCorrect), len(amounts) > 0
}

// contradiction returns the word with which the line begins if it denies what
// was said before, or nil. 違う店 and 間違い電話 are items.
func (l *line) contradiction() *span {
	for i := range l.spans {
		switch s := &l.spans[i]; {
		case s.kind == spaceSpan, s.kind == punctSpan, s.kind == markSpan && (s.mark == interjection || s.mark == apology), l.at(s.from) == other:
		case s.kind == markSpan && s.mark == contradiction && (!isWord(l.at(s.to)) || l.at(s.to) == other):
			return s
		default:
			return nil
		}
	}
	return nil
}

// instead reads 850ではなく950: the amount behind the word is the new one.
func (l *line) instead(amounts []int) (Command, bool) {
	m := l.marked(insteadOf)
	var old, replacement []int
	for _, a := range amounts {
		if l.spans[a].from < m.from {
			old = append(old, a)
		} else {
			replacement = append(replacement, a)
		}
	}
	if len(replacement) != 1 || len(old) > 1 {
		if len(amounts) == 0 {
			return l.renamed(m)
		}
		return l.ask(UnclearCommand), true
	}
	c, ok := l.correct(replacement)
	if renamed, both := l.renamed(m); c.Kind == Correct && both && renamed.Item != "" && renamed.NewItem != "" && len(old) == 0 {
		c.Item, c.NewItem = renamed.Item, renamed.NewItem // ランチじゃなくてディナー 950
	}
	return c, ok
}

// renamed reads ランチじゃなくてディナー: what stands behind the word is the new
// category, or else the new item.
func (l *line) renamed(m *span) (Command, bool) {
	m.used = true
	at := l.indexOf(m)
	for i := range l.spans {
		s := &l.spans[i]
		if s.kind == markSpan && (s.mark == earlier || s.mark == correction || s.mark == was) {
			s.used = true
		}
		if s.kind == categorySpan {
			s.used = true
		}
	}
	before, after := l.pieces(0, at), l.pieces(at+1, len(l.spans))
	c := Command{Kind: Correct, Category: ledger.Category(l.nameIn(categorySpan, at, len(l.spans)))}
	if _, end := l.itemField(0); end > 0 { // 品名はランチじゃなくてディナー
		c.Item = l.newLine(l.str(end, m.from)).wholeItem()
	} else if l.isItem(before) {
		c.Item = l.itemOf(before)
	}
	if l.isItem(after) {
		c.NewItem = l.itemOf(after)
	}
	return c, c.Category != "" || c.NewItem != ""
}

// onlyEarlier says whether nothing but a word such as やっぱり stands with the
// amount.
func (l *line) onlyEarlier() bool {
	for i := range l.spans {
		s := &l.spans[i]
		if s.kind == wordSpan && !l.isParticleSpan(i) || s.kind == counterSpan || s.kind == accountSpan || s.kind == categorySpan {
			return false
		}
		if s.kind == markSpan && s.mark != earlier && s.mark != paid && s.mark != copula && s.mark != was && s.mark != approximate {
			return false
		}
	}
	return true
}

// saysEarlierOf says whether the line begins with さっきの: it speaks of an
// earlier thing, but not what is to be done with it.
func (l *line) saysEarlierOf() bool {
	for i := range l.spans {
		s := &l.spans[i]
		if s.kind == markSpan && s.mark == earlier && s.used {
			return l.rune(s.to-1) == 'の' || l.rune(s.to) == 'の'
		}
	}
	return false
}

// afterAll says whether やっぱり begins a sentence about something that may have
// been recorded: やっぱりランチは950円. やっぱりカレー 800 is a row.
func (l *line) afterAll(amounts []int) bool {
	m := l.marked(earlier)
	return m != nil && l.has(m.from, "や") && len(amounts) == 1 && l.rune(l.spans[amounts[0]].from-1) == 'は' && l.wholeItem() != ""
}

// correct makes the correction from what is left of the line.
func (l *line) correct(amounts []int) (Command, bool) {
	l.claim(contradiction, insteadOf, correction, correctionStart, earlier, was)
	l.claimCategories()
	c := Command{Kind: Correct, Item: l.wholeItem(), Category: ledger.Category(l.nameIn(categorySpan, 0, len(l.spans)))}
	if item, f := cutField(c.Item); f == amountField && len(amounts) == 1 {
		c.Item = item // 金額間違い 950円
	}
	if a := l.first(accountSpan); a != nil {
		if strings.ContainsRune("をのは", l.rune(a.to)) {
			return l.askCommand(), true // PayPayを5000円に訂正 is no row's
		}
		c.Account = l.nameIn(accountSpan, 0, len(l.spans))
	}
	if reason := l.datedBy(&c); reason != "" {
		return l.ask(reason), true
	}
	if len(amounts) > 1 {
		return l.ask(TwoAmounts), true
	}
	if len(amounts) == 1 {
		a := l.spans[amounts[0]]
		if reason := l.unusable(a); reason != "" {
			return l.ask(reason), true
		}
		c.Amount, c.HasAmount = a.amount.value, true
	}
	return c, c.HasAmount || c.Date != 0 || c.Category != "" || c.Item != ""
}

// datedBy gives the command the first day of the line, or says why it can't.
func (l *line) datedBy(c *Command) Reason {
	d := l.first(dateSpan)
	if d == nil {
		return ""
	}
	c.Date = d.date
	return d.fault
}

// wholePhrase has the words that say that all of a divided bill was paid.
var wholePhrase = wordTable[part]{
	core:   "全額 全額払った 全額払いました 全額支払った 全額出した 全額払い",
	filler: "私 わたし 俺 僕 自分 が は を で も だった でした です やっぱり やっぱ 実は じつは さっきの さっき 払った 払いました 支払った 支払いました 出した 払い 持ち もち 割り勘 わりかん 折半 じゃなくて ではなくて じゃなく ではなく ごめん よ に して 訂正 にして",
}.index()

// readWhole reads 全額払った: what the last record divided was not divided.
func readWhole(l *line) (Command, bool) {
	parts, numbers, ok := l.phrase(wholePhrase)
	return Command{Kind: Correct, Whole: true}, ok && !numbers && !l.asking && slices.Contains(parts, core)
}
