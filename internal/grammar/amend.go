package grammar

import (
	"slices"
	"strings"

	"ichido/internal/ledger"
)

// ending is what a word behind a new value does.
type ending uint8

const (
	endGoal   ending = iota + 1 // に
	endMaking                   // にして
	endVerb                     // に変更
	endState                    // だった
	endPaying                   // で払った
	endBy                       // で
	endTeach                    // で覚えて
	endPolite
	endings = endPolite + 1
)

// amendEndings has all that may stand behind the new value of a change.
var amendEndings = wordTable[ending]{
	endGoal:   "に へ として",
	endMaking: "して して下さい する します しといて しておいて しました した",
	endVerb: "変更 変更して 変更する 変更します 変えて 変える 変えます かえて 直して 直す 直します なおして 訂正 訂正して 訂正する 訂正します 修正 修正して 修正する 修正します 更新 更新して " +
		"の間違い の間違いでした の間違いだった の間違いです の間違え の打ち間違い 間違い 間違いでした 間違いだった 間違えた",
	endState:  "だった でした です だよ だ だったよ だったわ だったの ですよ になります になりました",
	endPaying: "払った 払いました 支払った 支払いました 支払い 払い 払ってた 使った 買った 買いました",
	endBy:     "で",
	endTeach:  "覚えて おぼえて 登録 登録して",
	endPolite: "いい いいです いいよ ください 下さい お願い お願いします おねがい おねがいします ごめん ごめんなさい すみません",
}.index()

// ends reads what stands from i on as words of amendEndings; ok is false if it
// has anything else.
func (l *line) ends(i int) (set [endings]bool, ok bool) {
	for i < len(l.raw) {
		if !isWord(l.at(i)) && l.at(i) != digit || l.at(i) == other {
			if l.rune(i) == '?' || isMoneySign(l.rune(i)) {
				return set, false
			}
			i++
			continue
		}
		n, end, ok := amendEndings.trie.longest(l.low, i, nil)
		if !ok {
			return set, false
		}
		set[amendEndings.values[n]] = true
		i = end
	}
	return set, true
}

// field is what a change is about, if the text says so.
type field uint8

const (
	amountField field = iota + 1
	dateField
	accountField
	categoryField
	itemField
)

// fieldWords name the fields of a row.
var fieldWords = wordTable[field]{
	amountField:   "金額 値段 価格 額",
	dateField:     "日付 日付け 日にち 日",
	accountField:  "会計 お会計 支払い 支払 お支払い 支払い方法 支払方法 払い方 支払い元 支払元 決済方法 口座",
	categoryField: "カテゴリ カテゴリー 分類 費目",
	itemField:     "品名 項目 項目名 内容 品目 商品名 件名 品物",
}.index()

// fieldOf maps the kind of a value to the field that it belongs to.
var fieldOf = map[spanKind]field{amountSpan: amountField, dateSpan: dateField, accountSpan: accountField, categorySpan: categoryField}

// longestField is how many runes the longest of fieldWords has at most.
const longestField = 8

// cutField takes the name of a field off the end of what stands in front of a
// value: ランチの金額 is about ランチ.
func cutField(s string) (string, field) {
	runes := []rune(s)
	for i := max(0, len(runes)-longestField); i < len(runes); i++ {
		f, ok := fieldWords.word(string(runes[i:]))
		if !ok || i > 0 && runes[i-1] != 'の' && runes[i-1] != ' ' {
			continue
		}
		return strings.TrimSpace(strings.TrimSuffix(string(runes[:i]), "の")), f
	}
	return s, 0
}

// openers are the marks of words in front of a change that say that it is one,
// or that nobody hears.
var openers = []mark{earlier, apology, interjection, contradiction, correctionStart, correction}

// open reads the words in front of a change. It returns where they end and
// their marks.
func (l *line) open() (end int, marks []mark) {
	for i := range l.spans {
		s := &l.spans[i]
		switch {
		case s.kind == spaceSpan, s.kind == punctSpan && !l.opensNumber(s.from), l.at(s.from) == other:
		case s.kind == markSpan && slices.Contains(openers, s.mark) && (l.standsApart(i) || s.mark == earlier && s.used) && !(s.mark == correction && isWord(l.at(s.to))):
			marks = append(marks, s.mark)
		default:
			return s.from, marks
		}
		end = s.to
	}
	return end, marks
}

func (l *line) opensNumber(i int) bool {
	return l.rune(i) == '#' || isMoneySign(l.rune(i)) || isMinus(l.rune(i))
}

// amendment is a sentence that gives one field of an earlier row a new value.
type amendment struct {
	value    *span
	old      *span // the value until now, as the text says
	opened   []mark
	head     *line // what stands in front, without the words that only join
	item     string
	field    field
	particle rune // は, が, を behind the head; else 0
	wrong    bool // the field is said to be wrong
	joined   bool // the head is said to be wrong: 850ではなく950
	ends     [endings]bool
	receipt  *frontNumber
}

// readChange reads a sentence that changes one field of an earlier row: ランチは
// 850ではなく950, さっきのはカードだった, 日付は昨日, ランチは交際費.
func readChange(l *line) (Command, bool) { return l.amend(nil) }

// neverChange are the marks with which a line is no change.
var neverChange = []mark{question, hearsay, wish, denial, loan, comparison, remains, news, budgetWord, wallet, balanceWord, topUp, withdraw, deposit, debit, everyWord, splitWord, undoWord, redoWord}

func (l *line) amend(receipt *frontNumber) (Command, bool) {
	if l.asks() || l.marked(neverChange...) != nil || l.first(urlSpan) != nil {
		return Command{}, false
	}
	from, opened := l.open()
	if c, ok := l.renames(from, opened, receipt); ok {
		return c, true
	}
	ch, ok := l.amendment(from, opened, receipt != nil)
	if !ok {
		return Command{}, false
	}
	ch.receipt = receipt
	if !ch.plain() {
		return Command{}, false
	}
	return l.amended(ch)
}

// amendment finds the new value, which is the last thing in the line but for words
// of amendEndings, and takes apart what stands in front of it.
func (l *line) amendment(from int, opened []mark, receipt bool) (ch amendment, ok bool) {
	at := l.lastValue()
	if at < 0 {
		return ch, false
	}
	ch = amendment{value: &l.spans[at], opened: opened}
	if ch.ends, ok = l.ends(ch.value.to); !ok {
		return ch, false
	}
	to, joined := l.joint(at)
	if !joined && len(opened) > 0 {
		to, joined = l.arrowBefore(at, to)
	}
	ch.joined = joined
	text := strings.TrimRightFunc(l.str(min(from, to), to), isNameEdge)
	if !joined {
		text, ch.particle = cutParticle(text)
	}
	if len(opened) > 0 {
		text = strings.TrimLeftFunc(strings.TrimLeft(text, "はがの"), isNameEdge)
	}
	text, ch.wrong = cutWrong(text)
	text, ch.field = cutField(text)
	ch.wrong = ch.wrong && ch.field != 0
	if ch.value.kind == categorySpan {
		text = cutFromNow(text)
	}
	if ch.says() || receipt {
		ch.head = l.newLine(text)
		return ch, ch.takeHead()
	}
	return ch, false // a row
}

// says says whether any word hints at a change.
func (ch *amendment) says() bool {
	return len(ch.opened) > 0 || ch.joined || ch.field != 0 || ch.ends != [endings]bool{} || ch.particle != 0 && ch.value.kind != amountSpan
}

// lastValue returns the index of the last amount, date, account or category that
// only words of amendEndings follow, or -1.
func (l *line) lastValue() int {
	for i := len(l.spans) - 1; i >= 0; i-- {
		if s := &l.spans[i]; fieldOf[s.kind] != 0 && (s.kind != amountSpan || !s.used) {
			return i
		}
	}
	return -1
}

// cutParticle takes は, が or を off the end.
func cutParticle(s string) (string, rune) {
	for _, particle := range "はがを" {
		if bare, ok := strings.CutSuffix(s, string(particle)); ok {
			return strings.TrimRightFunc(bare, isNameEdge), particle
		}
	}
	return s, 0
}

// joint returns where the text in front of the value at span at ends. joined
// says that a word stands between which makes that text the old value.
func (l *line) joint(at int) (to int, joined bool) {
	v := &l.spans[at]
	before := l.neighbour(at, -1)
	if before < 0 {
		return v.from, false
	}
	b := &l.spans[before]
	if b.kind == markSpan && b.mark == insteadOf {
		return b.from, true
	}
	for i := before; i >= 0 && i >= before-4; i-- {
		if l.spans[i].kind != v.kind {
			continue
		}
		if _, ok := replacing.word(strings.TrimFunc(string(l.low[l.spans[i].to:v.from]), isNameEdge)); ok {
			return l.spans[i].to, true
		}
	}
	return v.from, false
}

// arrowBefore is joint for 訂正 850→950. Without 訂正 it may be a price that fell.
func (l *line) arrowBefore(at, to int) (int, bool) {
	if at < 2 || l.spans[at-2].kind != l.spans[at].kind || l.spans[at-1].kind != punctSpan || !strings.ContainsRune("→⇒", l.rune(l.spans[at-1].from)) {
		return to, false
	}
	return l.spans[at-1].from, true
}

// wrongWords hang on the name of a field that is to be changed.
var wrongWords = []string{"間違いです", "間違いで", "間違い", "間違えた", "間違えました", "まちがい", "違い", "違う", "違った"}

// cutWrong takes one of wrongWords off the end: 日付間違い 昨日.
func cutWrong(s string) (string, bool) {
	for _, word := range wrongWords {
		if bare, ok := strings.CutSuffix(s, word); ok && bare != "" {
			return strings.TrimSuffix(strings.TrimSuffix(bare, "が"), "の"), true
		}
	}
	return s, false
}

// cutFromNow takes words off the front that say that a rule is to be kept: 今後
// ランチは交際費.
func cutFromNow(s string) string {
	for _, word := range []string{"今後は", "今後", "次からは", "次から", "これからは", "これから"} {
		if bare, ok := strings.CutPrefix(s, word); ok && bare != "" {
			return strings.TrimLeftFunc(bare, isNameEdge)
		}
	}
	return s
}

// replacing are the words between an old value and the new one.
var replacing = wordTable[bool]{true: "を から は間違いで が間違いで は間違い が間違い は間違いで本当は を間違えて の間違いで は誤りで は違って"}.index()

// takeHead reads the text in front of the value: an item, and the old value if
// the two are joined. It is false if there is anything else.
func (ch *amendment) takeHead() bool {
	h := ch.head
	for _, i := range h.find(categorySpan) {
		h.spans[i].used = true
	}
	for i := range h.spans {
		s := &h.spans[i]
		switch {
		case ch.joined && s.kind == ch.value.kind && ch.old == nil:
			ch.old = s
		case s.kind == amountSpan, s.kind == accountSpan, s.kind == categorySpan, s.kind == codeSpan, s.kind == clockSpan, s.kind == periodSpan:
			return false
		case s.kind == dateSpan && (s.fault != "" || ch.value.kind == dateSpan):
			return false
		case s.kind == markSpan && (slices.Contains(neverChange, s.mark) || s.mark == correction || s.mark == insteadOf || s.mark == was):
			return false
		}
	}
	if ch.joined && ch.old == nil {
		return false
	}
	ch.item = h.wholeItem()
	if item, f := cutField(ch.item); f != 0 {
		ch.item, ch.field = item, f
	}
	return true
}

// has says whether a word with one of the marks stands in front.
func (ch *amendment) has(marks ...mark) bool {
	return slices.ContainsFunc(ch.opened, func(m mark) bool { return slices.Contains(marks, m) })
}

// plain says whether the sentence can be nothing but a change.
func (ch *amendment) plain() bool {
	if ch.field != 0 && ch.field != fieldOf[ch.value.kind] {
		return false
	}
	verb := ch.ends[endVerb] || ch.wrong || ch.has(correction, correctionStart) || ch.has(contradiction) && ch.item == ""
	aimed := ch.particle == 'を' && ch.aims()
	joined := ch.joined && (verb || ch.ends[endGoal] || ch.old.to < ch.value.from)
	if n := ch.receipt; n != nil && !n.sure(ch, verb || ch.field != 0) {
		return false
	} else if n != nil {
		return true
	}
	if ch.item == "" && ch.value.kind == categorySpan && !ch.has(earlier, interjection) && ch.field == 0 {
		return joined
	}
	switch {
	case verb, joined, ch.field != 0:
		return true
	case ch.value.kind == categorySpan:
		return ch.teaches(aimed)
	case ch.value.kind == accountSpan:
		return ch.repays(aimed)
	case ch.value.kind == dateSpan:
		return aimed && ch.item != "" || ch.item == "" && (ch.has(earlier) && ch.particle != 0 || ch.has(earlier, apology) && ch.ends[endState])
	case ch.item == "" && ch.particle == 0 && len(ch.opened) == 0:
		return ch.ends[endGoal] && ch.ends[endMaking] // 950円にして
	}
	return aimed && (ch.item != "" || ch.has(earlier))
}

// aims says whether the words behind the value make it what something is to be.
func (ch *amendment) aims() bool {
	return (ch.ends[endGoal] || ch.ends[endMaking]) && !ch.ends[endPaying]
}

// teaches says whether the category is said of an item, or of the last row:
// ランチは交際費, さっきのは食費. 今日は娯楽 and 夫は車 are talk.
func (ch *amendment) teaches(aimed bool) bool {
	if ch.head.first(dateSpan) != nil || isSelf(ch.item) || ch.head.isPerson(ch.item) {
		return false
	}
	if ch.particle == 'を' {
		return aimed || ch.ends[endTeach]
	}
	return ch.particle != 0 && !ch.ends[endPaying]
}

// repays says whether the account is said of an item, or of the last row:
// ランチはカードだった, さっきのカードで払った, カードで払った.
func (ch *amendment) repays(aimed bool) bool {
	switch {
	case ch.head.first(dateSpan) != nil || isSelf(ch.item) || ch.item != "" && ch.head.isPerson(ch.item):
		return false
	case ch.item == "" && ch.has(earlier):
		return ch.particle != 0 || ch.ends[endState] || ch.ends[endPaying]
	case ch.item == "":
		return ch.particle == 0 && (ch.ends[endPaying] || ch.ends[endState] || ch.ends[endBy] || ch.ends[endGoal] && ch.ends[endMaking])
	case ch.has(earlier) && (ch.ends[endState] || ch.ends[endPaying]):
		return true
	case ch.particle == 'を':
		return aimed
	}
	return ch.particle != 0
}

// amended makes the correction.
func (l *line) amended(ch amendment) (Command, bool) {
	c := Command{Kind: Correct, Item: ch.item}
	if ch.receipt != nil {
		c.Receipt = ch.receipt.id
	}
	if d := ch.head.first(dateSpan); d != nil && ch.old != d {
		c.Date = d.date
	}
	v := ch.value
	switch v.kind {
	case amountSpan:
		if reason := l.unusable(*v); reason != "" {
			return l.ask(reason), true
		}
		c.Amount, c.HasAmount = v.amount.value, true
		if ch.old != nil && ch.old.amount.value > 0 {
			c.Old, c.HasOld = ch.old.amount.value, true
		}
	case dateSpan:
		if v.fault != "" {
			return l.ask(v.fault), true
		}
		c.Date = v.date
	case accountSpan:
		c.Account = v.name
	case categorySpan:
		c.Category = ledger.Category(v.name)
	}
	return c, true
}
