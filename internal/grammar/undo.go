package grammar

import (
	"strconv"
	"strings"

	"ichido/internal/ledger"
)

// readRedo reads 元に戻す.
func readRedo(l *line) (Command, bool) {
	s := l.marked(redoWord)
	if s == nil || len(l.find(amountSpan)) > 0 || !l.endsClause(s.to) {
		return Command{}, false
	}
	return Command{Kind: Redo}, true
}

// readUndo reads 取消, さっきの取り消して, 取消 12, 削除 12-2 and ランチを取り消し.
// The word must be the last, or be followed by a number and nothing else.
func readUndo(l *line) (Command, bool) {
	at := -1
	for i := range l.spans {
		if l.spans[i].kind == markSpan && l.spans[i].mark == undoWord {
			at = i
		}
	}
	if at < 0 || l.marked(question, denial) != nil {
		return Command{}, false
	}
	if !l.closes(at) {
		return l.undoNamed(at)
	}
	named := l.isItem(l.pieces(0, at))
	c := Command{Kind: Undo}
	if c.Receipt = l.receipt(at); c.Receipt != "" && !named {
		return c, true
	}
	c.Receipt = ""
	if strings.HasPrefix(l.str(l.spans[at].from, l.spans[at].to), "なし") {
		return c, l.marked(earlier) != nil && len(l.find(amountSpan)) == 0
	}
	return l.undoItem(c, at)
}

// undoItem reads the item in front of the word. With an amount as well, only
// an explicit demand is one: ホテルキャンセル 5000 may be a fee.
func (l *line) undoItem(c Command, at int) (Command, bool) {
	for i := range l.spans {
		if s := &l.spans[i]; s.kind == markSpan && s.mark == earlier {
			s.used = true
		}
	}
	amounts := l.find(amountSpan)
	if len(amounts) > 0 && strings.HasPrefix(string(l.low[l.spans[at].from:l.spans[at].to]), "キャンセル") {
		return l.ask(UnclearCommand), true
	}
	l.spans[at].used = true
	pieces := l.pieces(0, at)
	if l.isItem(pieces) {
		c.Item = l.itemOf(pieces)
	}
	if len(amounts) == 1 && l.spans[amounts[0]].fault == "" {
		c.Amount, c.HasAmount = l.spans[amounts[0]].amount.value, true
	}
	if d := l.first(dateSpan); d != nil {
		c.Date = d.date
	}
	return c, true
}

// undoNamed reads 取消 ランチ: the word stands in front, apart from the item.
func (l *line) undoNamed(at int) (Command, bool) {
	next := at + 1
	if at != 0 || next >= len(l.spans) || l.spans[next].kind != spaceSpan || len(l.find(amountSpan)) > 0 {
		return Command{}, false
	}
	l.spans[at].used = true
	c := Command{Kind: Undo, Item: l.wholeItem()}
	return c, c.Item != ""
}

// closes says whether nothing but numbers, marks of punctuation and polite
// words stand behind span i.
func (l *line) closes(i int) bool {
	for _, s := range l.spans[i+1:] {
		switch s.kind {
		case spaceSpan, punctSpan, amountSpan, codeSpan, dateSpan:
		case counterSpan:
			if s.unit != "番" {
				return false
			}
		case markSpan:
			if s.mark != politeWord && s.mark != request && s.mark != paid {
				return false
			}
		default:
			if !l.isPolite(s) {
				return false
			}
		}
	}
	return true
}

func (l *line) isPolite(s span) bool {
	switch string(l.low[s.from:s.to]) {
	case "して", "てください", "します", "する", "を", "で", "ね", "よ":
		return true
	}
	return l.at(s.from) == other
}

// receipt reads the number of a receipt beside the word at span i: a bare
// number, perhaps with the number of a row. An amount with 円 is none.
func (l *line) receipt(i int) string {
	for _, direction := range []int{+1, -1} {
		for n := l.neighbour(i, direction); n >= 0; n = l.neighbour(n, direction) {
			if l.isParticleSpan(n) || l.spans[n].kind == punctSpan {
				continue
			}
			s := l.spans[n]
			if s.kind == counterSpan && s.unit == "番" {
				return strconv.FormatInt(int64(s.amount.value), 10)
			}
			for n+1 < len(l.spans) && direction > 0 && l.spans[n+1].kind == amountSpan {
				n++
				s.to = l.spans[n].to
			}
			for n > 0 && direction < 0 && l.spans[n-1].kind == amountSpan {
				n--
				s.from = l.spans[n].from
			}
			if id, err := ledger.ParseRowID(l.str(s.from, s.to)); err == nil && id.String() == l.str(s.from, s.to) {
				return id.String()
			}
			break
		}
	}
	return ""
}
