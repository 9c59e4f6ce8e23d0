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
	endState                    // です
	endWas                      // だった
	endPaying                   // で払った
	endBy                       // で
	endTeach                    // で覚えて
	endRight                    // で合ってた
	endPolite
	endings = endPolite + 1
)

// amendEndings has all that may stand behind the new value of a change.
var amendEndings = wordTable[ending]{
	endGoal:   "に へ として",
	endMaking: "して して下さい する します しといて しておいて しました した",
	endVerb: "変更 変更して 変更する 変更します 変えて 変える 変えます かえて 直して 直す 直します なおして 訂正 訂正して 訂正する 訂正します 修正 修正して 修正する 修正します 更新 更新して " +
		"の間違い の間違いでした の間違いだった の間違いです の間違え の打ち間違い 間違い 間違いでした 間違いだった 間違えた",
	endState:  "です だよ だ ですよ になります になりました の分です",
	endWas:    "だった でした だったよ だったわ だったの のだった のだったわ のだったよ のでした の分だった の分だったわ の分だったよ の分でした のぶんだった",
	endRight:  "であってた で合ってた であってる で合ってる であってます で合ってます で正しい が正しい で正解 が正解 でよかった で良かった",
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
		what, end, ok := amendEndings.at(l.low, i)
		if !ok {
			return set, false
		}
		set[what] = true
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

// readAmendment reads a sentence that changes one field of an earlier row: ランチは
// 850ではなく950, さっきのはカードだった, 日付は昨日, ランチは交際費.
func readAmendment(l *line) (Command, bool) { return l.amend(nil) }

// neverChange are the marks with which a line is no change.
var neverChange = []mark{question, hearsay, wish, denial, loan, comparison, remains, news, budgetWord, wallet, balanceWord, topUp, withdraw, deposit, debit, everyWord, splitWord, undoWord, redoWord}

func (l *line) amend(receipt *frontNumber) (Command, bool) {
	if l.asks() || l.marked(neverChange...) != nil || l.first(urlSpan) != nil || l.opensSetting() {
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
		return aimed && ch.item != "" || ch.item == "" && (ch.has(earlier) && ch.particle != 0 || ch.has(earlier, apology) && ch.stated() || ch.ends[endWas] && ch.particle == 0)
	case ch.ends[endRight]:
		return ch.item == "" || ch.particle == 'は' // 2480で合ってた
	case ch.item == "" && ch.particle == 0 && len(ch.opened) == 0:
		return ch.ends[endGoal] && ch.ends[endMaking] // 950円にして
	}
	return aimed && (ch.item != "" || ch.has(earlier))
}

// stated says whether the words behind the value say that it is so.
func (ch *amendment) stated() bool { return ch.ends[endState] || ch.ends[endWas] }

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
		return ch.particle != 0 || ch.stated() || ch.ends[endPaying]
	case ch.item == "":
		return ch.particle == 0 && (ch.ends[endPaying] || ch.stated() || ch.ends[endBy] || ch.ends[endGoal] && ch.ends[endMaking])
	case ch.has(earlier) && (ch.stated() || ch.ends[endPaying]):
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
	if reason := ch.fault(); reason != "" {
		return l.ask(reason), true
	}
	ch.set(&c)
	return c, true
}

// fault says why the new value can't be one.
func (ch *amendment) fault() Reason {
	if ch.value.kind == amountSpan && ch.value.fault == "" && ch.value.amount.value <= 0 {
		return NotPositive
	}
	return ch.value.fault
}

// set gives the correction its new value, and the old amount.
func (ch *amendment) set(c *Command) {
	switch v := ch.value; v.kind {
	case amountSpan:
		c.Amount, c.HasAmount = v.amount.value, true
		if ch.old != nil && ch.old.amount.value > 0 {
			c.Old, c.HasOld = ch.old.amount.value, true
		}
	case dateSpan:
		c.Date = v.date
	case accountSpan:
		c.Account = v.name
	case categorySpan:
		c.Category = ledger.Category(v.name)
	}
}
