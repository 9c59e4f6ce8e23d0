package grammar

import (
	"slices"

	"ichido/internal/ledger"
)

// budgetPart is what a word does in a sentence about a budget.
type budgetPart uint8

const (
	budgetFiller budgetPart = iota + 1
	budgetEnd               // there is to be none
)

// budgetPhrase has the words that may stand around a budget's category and
// amount.
var budgetPhrase = wordTable[budgetPart]{
	budgetFiller: "上げて 下げて 増やして 減らして 設定し 設定方法 方法 やり方 新しく の は を に へ が で から も 月 月々 一ヶ月 ひと月 して する にして にする にします として 設定 設定して 変更 変更して 変えて 直して 修正 修正して 決めた です だよ ね よ 円 ください 下さい お願い お願いします おねがい set to is for of per my our the should be make change it",
	budgetEnd:    "なし なしに なしで 無し 無しに 削除 削除して 消して 消す 消去 取り消して 取消 なくして 無くして やめる やめて やめます 解除 解除して 外して 廃止 リセット delete remove off",
}.index()

// readBudget reads 予算 食費 30000 and 予算 食費 削除. Without an amount or a word
// that ends it, it is a query.
func readBudget(l *line) (Command, bool) {
	m := l.marked(budgetWord, noBudget)
	if m == nil || l.marked(correctionStart, contradiction) != nil || !l.namesBudget(l.indexOf(m)) {
		return Command{}, false
	}
	amounts := l.amountsIn(0, len(l.spans))
	ends, whole := l.budgetWords()
	switch {
	case len(amounts) == 0 && (!ends || l.asks()):
		return Command{}, false
	case l.marked(question, hearsay, wish, plan, comparison, loan, remains, shareWord) != nil || len(l.find(dateSpan)) > 0 || l.asks() || l.marked(denial) != nil && !ends:
		return l.ask(NotARow), len(amounts) > 0
	}
	c := Command{Kind: Budget, Remove: ends, Category: ledger.Category(l.nameOf(categorySpan))}
	if !whole {
		c.Item = l.wholeItem()
	}
	switch {
	case len(amounts) == 0:
		return c, true
	case ends, l.namesTwo(categorySpan):
		return l.askCommand(), true
	}
	last := amounts[len(amounts)-1]
	if _, instead := l.joint(last); len(amounts) > 2 || len(amounts) == 2 && !instead {
		return l.ask(TwoAmounts), true
	}
	return l.budgetAmount(c, l.spans[last]) // 3万から4万に
}

// namesTwo says whether spans of the kind have different names.
func (l *line) namesTwo(kind spanKind) bool {
	return slices.ContainsFunc(l.spans, func(s span) bool { return s.kind == kind && s.name != l.nameOf(kind) })
}

// budgetAmount gives the budget its amount. None at all is none: 予算 食費 0.
func (l *line) budgetAmount(c Command, a span) (Command, bool) {
	if a.fault == "" && a.amount.value == 0 && a.amount.sign >= 0 {
		c.Remove = true
		return c, true
	}
	if reason := l.unusable(a); reason != "" {
		return l.ask(reason), true
	}
	if a.amount.sign < 0 {
		return l.ask(NotPositive), true
	}
	c.Amount, c.HasAmount = a.amount.value, true
	return c, true
}

// namesBudget says whether the word at span i is no part of a longer one: 予算書
// and 予算ノート are things, but お小遣い予算 is a budget.
func (l *line) namesBudget(i int) bool {
	if l.standsApart(i) || l.endsItem(i) {
		return true
	}
	s := &l.spans[i]
	_, _, ok := budgetPhrase.atIf(l.low, s.to, func(part budgetPart, end int) bool {
		return part == budgetEnd && (!isWord(l.at(end)) || l.endsWord(end))
	})
	return ok
}

// budgetWords takes what budgetPhrase has out of the item. ends says whether one
// of its words ends the budget; whole is false if other words are left.
func (l *line) budgetWords() (ends, whole bool) {
	ends, whole = l.marked(noBudget) != nil, true
	for i := range l.spans {
		s := &l.spans[i]
		switch {
		case s.kind == markSpan && (s.mark == budgetWord || s.mark == noBudget || s.mark == everyWord || s.mark == politeWord || s.mark == settingWord && l.has(s.from, "設定")):
			s.used = true
		case s.kind == categorySpan, s.kind == periodSpan:
			s.used = true
		case s.kind == wordSpan || s.kind == markSpan && !s.used:
			end, ok := l.budgetPhraseIn(s)
			s.used = ok
			ends, whole = ends || ok && end, whole && ok
		}
	}
	return ends, whole
}

// budgetPhraseIn says whether the span is made of words of budgetPhrase, and
// whether one of them ends the budget.
func (l *line) budgetPhraseIn(s *span) (ends, ok bool) {
	for from := s.from; from < s.to; {
		if l.at(from) == other {
			from++
			continue
		}
		part, end, ok := budgetPhrase.atIf(l.low, from, func(_ budgetPart, end int) bool { return end <= s.to && (l.at(end-1) != latin || l.at(end) != latin) })
		if !ok {
			return false, false
		}
		ends = ends || part == budgetEnd
		from = end
	}
	return ends, true
}

// perDayWords say that the budget is to be divided by the days that are left.
var perDayWords = wordSet("1日あたり 1日当たり 一日あたり 一日当たり 1日につき 一日につき 日割り 日割りで")

// scanPerDay reads 1日あたり, which is not the first of a month.
func scanPerDay(l *line, i int) (span, bool) {
	_, end, ok := perDayWords.at(l.low, i)
	if !ok || l.at(i-1) == digit {
		return span{}, false
	}
	return span{kind: markSpan, to: end, from: i, mark: perDay}, true
}

// eachDay says whether a question about a budget asks for what is left a day. A
// bare 1日 there is no date.
func (l *line) eachDay() bool {
	for i := range l.spans {
		s := &l.spans[i]
		if word := l.str(s.from, s.to); s.kind == dateSpan && (word == "1日" || word == "一日") {
			s.kind, s.used = markSpan, true
			return true
		}
	}
	return l.marked(perDay, daysLeft) != nil
}

// remarksBudget says whether 予算 stands in a remark: 予算オーバー, 予算が足りない.
func (l *line) remarksBudget() bool {
	m := l.marked(budgetWord)
	if m == nil || l.asks() {
		return false
	}
	return l.marked(comparison) != nil && !l.has(l.marked(comparison).from, "残り") || l.isWordAfter(l.indexOf(m))
}

// isWordAfter says whether a word touches the end of span i that is neither a
// particle nor one of queryFillers.
func (l *line) isWordAfter(i int) bool {
	if i+1 == len(l.spans) || l.spans[i+1].kind != wordSpan {
		return false
	}
	return !queryFillers.startsAt(l.low, l.spans[i+1].from)
}
