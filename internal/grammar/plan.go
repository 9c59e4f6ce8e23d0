package grammar

import (
	"slices"
	"strconv"
	"strings"

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
	budgetFiller: "上げて 下げて 増やして 減らして 設定し 設定方法 方法 やり方 新しく の は を に へ が で から も 月 月々 一ヶ月 ひと月 して する にして にする にします として 設定 設定して 変更 変更して 変えて 直して 修正 修正して 決めた です だよ ね よ 円 ください 下さい お願い お願いします おねがい set to",
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
		part, end, ok := budgetPhrase.atIf(l.low, from, func(_ budgetPart, end int) bool { return end <= s.to })
		if !ok {
			return false, false
		}
		ends = ends || part == budgetEnd
		from = end
	}
	return ends, true
}

// everyUnits maps the words of rhythm to the unit of Every.
var everyUnits = wordTable[string]{
	"month": "毎月 every_month monthly", "week": "毎週", "year": "毎年", "day": "毎日",
}.index()

// readRecurring reads 毎月27日 家賃 80000, 毎週月曜 習い事 3000 and 家賃 80000
// 毎月27日.
func readRecurring(l *line) (Command, bool) {
	m := l.marked(everyWord)
	if m == nil || l.marked(unsafeMarks...) != nil || l.asks() || l.marked(trendWord) != nil || l.endsInTalk() {
		return Command{}, false
	}
	unit, _ := everyUnits.whole(l.low[m.from:m.to])
	every, end, ok := l.everyDay(unit, m.to)
	if !ok {
		return l.ask(NoSuchDate), true
	}
	if end == m.to && isWord(l.at(end)) && l.rune(end) != 'の' {
		return Command{}, false // 毎日新聞
	}
	rest := l.without(m.from, l.skipJoint(end))
	c, ok := readTransfer(rest)
	if !ok {
		c, ok = readRecord(rest)
	}
	switch {
	case ok && c.Kind == Record:
		return Command{Kind: Recurring, Every: every, Entries: c.Entries}, true
	case ok:
		return c, true
	case rest.wholeItem() == "":
		return Command{}, false
	}
	return rest.ask(NothingToMake), true
}

// skipJoint skips the particle that joins a day to an item, but not the beginning
// of a word: 毎月1日に習い事.
func (l *line) skipJoint(i int) int {
	if strings.ContainsRune("には", l.rune(i)) && i < len(l.raw) && !l.knownStart(i) {
		return i + 1
	}
	return i
}

// without reads the line as it would be if the range were blank.
func (l *line) without(from, to int) *line {
	return l.newLine(strings.TrimSpace(l.str(0, from) + " " + l.str(to, len(l.raw))))
}

// everyDay reads the day behind the word of rhythm.
func (l *line) everyDay(unit string, i int) (e Every, end int, ok bool) {
	e.Unit = unit
	i = l.skipNo(i)
	switch unit {
	case "week":
		if day, end, ok := weekdays.at(l.low, i); ok {
			e.Weekday = (day+6)%7 + 1
			return e, end, true
		}
	case "month":
		for _, word := range []string{"月末", "末日", "末"} {
			if l.has(i, word) {
				e.Day = MonthEnd
				return e, i + len([]rune(word)), true
			}
		}
		if n, end := l.smallNumber(i); end > i && l.rune(end) == '日' {
			e.Day = n
			return e, end + 1, n >= 1 && n <= 31
		}
	case "year":
		return l.everyYear(e, i)
	}
	return e, i, true
}

// everyYear reads 毎年4月1日; 29 February is allowed.
func (l *line) everyYear(e Every, i int) (Every, int, bool) {
	month, end := l.smallNumber(i)
	if end == i || l.rune(end) != '月' {
		return e, i, true
	}
	e.Month = month
	end++
	if n, dend := l.smallNumber(end); dend > end && l.rune(dend) == '日' {
		e.Day, end = n, dend+1
	}
	return e, end, month >= 1 && month <= 12 && e.Day <= 31
}

// settings maps the words of settings to their names.
var settings = wordTable[string]{
	"month-start": "月初 月の初め 月の始まり 月の開始日 開始日", "closing-day": "締め日 締日 しめ日 締め",
	"notify": "通知", "zone": "タイムゾーン", "language": "言語", "settings": "設定",
}.index()

// settingVerbs may stand behind the new value of a setting.
var settingVerbs = []string{"して", "する", "します", "変更", "設定"}

// readSetting reads 締め日 25 and 月初 25日. A setting that stands with an
// item, as in 月初 ランチ 900, is none.
func readSetting(l *line) (Command, bool) {
	m := l.marked(settingWord)
	if !l.opensSetting() || l.hasYen() {
		return Command{}, false
	}
	name, _ := settings.whole(l.low[m.from:m.to])
	value := strings.Trim(l.str(m.to, len(l.raw)), " はを:にで")
	for _, verb := range settingVerbs {
		value = strings.TrimRight(strings.TrimSuffix(value, verb), " に")
	}
	if name == "month-start" || name == "closing-day" {
		day := strings.TrimSuffix(value, "日")
		n, err := strconv.Atoi(day)
		switch {
		case value == "" || value == "末" || value == "月末":
		case err != nil || n < 1 || n > 31:
			return Command{}, false
		default:
			value = day
		}
	} else if len(l.find(amountSpan)) > 0 || isWord(l.at(m.to)) && l.at(m.to) != kana {
		return Command{}, false
	}
	return Command{Kind: Setting, Setting: name, Value: value}, true
}

// opensSetting says whether the line begins with the name of a setting.
func (l *line) opensSetting() bool {
	m := l.marked(settingWord)
	return m != nil && l.skipBlank(0) == m.from
}

// readSettle reads 精算 and 立替一覧.
func readSettle(l *line) (Command, bool) {
	m := l.marked(settleWord)
	if m == nil || len(l.find(amountSpan)) > 0 {
		return Command{}, false
	}
	m.used = true
	for i := range l.spans {
		if l.spans[i].kind == periodSpan {
			l.spans[i].used = true
		}
	}
	return Command{Kind: Settle}, l.wholeItem() == ""
}
