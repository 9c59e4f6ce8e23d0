package grammar

import (
	"strings"

	"ichido/internal/ledger"
)

// readRedo reads 元に戻す, 元に戻す 13 and 取り消しの取り消し.
func readRedo(l *line) (Command, bool) {
	at := l.lastMarked(redoWord)
	ids, ok := l.receipts()
	if at < 0 && ok {
		at = l.lastMarked(maybeRedo)
	}
	if weak := l.lastMarked(maybeRedo); at < 0 && weak >= 0 && l.count(amountSpan) > 0 && l.itemWithout(weak) == "" {
		return l.askCommand(), true // 戻して500円
	}
	if at < 0 && !l.undoesUndo() || at >= 0 && !ok && !l.standsApart(at) {
		return Command{}, false // 写真復元 3000
	}
	switch {
	case ok && len(ids) == 1:
		return Command{Kind: Redo, Receipt: ids[0]}, true
	case ok && len(ids) == 0:
		return Command{Kind: Redo}, true
	case ok || at < 0 || l.endsClause(l.spans[at].to) || l.count(amountSpan) > 0:
		return l.askCommand(), true
	}
	return Command{}, false
}

// undoesUndo says whether the line speaks of taking back a 取消: 取消の取消.
func (l *line) undoesUndo() bool {
	for i := 2; i < len(l.spans); i++ {
		first, last := &l.spans[i-2], &l.spans[i]
		if first.kind == markSpan && first.mark == undoWord && last.kind == markSpan && last.mark == undoWord && l.isParticleSpan(i-1) {
			return true
		}
	}
	return false
}

// lastMarked returns the index of the last span with the mark, or -1.
func (l *line) lastMarked(m mark) int {
	if !l.hasMark([]mark{m}) {
		return -1
	}
	for i := len(l.spans) - 1; i >= 0; i-- {
		if l.spans[i].kind == markSpan && l.spans[i].mark == m {
			return i
		}
	}
	return -1
}

// readUndo reads 取消, さっきの取り消して, 取消 12, 削除 12-2 and ランチを取り消し.
// The word must be the last, or be followed by a number and nothing else, or
// stand in front of the item.
func readUndo(l *line) (Command, bool) {
	at := l.lastMarked(undoWord)
	if at < 0 || l.marked(question, denial) != nil {
		return Command{}, false
	}
	ids, ok := l.receipts()
	if ok && l.has(l.spans[at].from, "なし") { // pears have the same sound
		return l.undoNothing(ids)
	}
	switch {
	case ok && len(ids) > 1:
		return Command{Kind: Ask, Reason: SeveralReceipts}, true
	case ok && len(ids) == 1:
		return Command{Kind: Undo, Receipt: ids[0]}, true
	case ok:
		return Command{Kind: Undo}, true
	case l.closes(at) && !l.has(l.spans[at].from, "なし"):
		return l.undoItem(at, 0, at)
	case at == 0 && len(l.spans) > 2 && l.spans[1].kind == spaceSpan && !l.isFee(l.spans[2].from):
		return l.undoItem(at, 1, len(l.spans))
	}
	return Command{}, false
}

// fees may be paid for taking something back: cancel fee 500.
var fees = wordSet("fee charge cost 料金 料 代金 代 手数料 違約金")

func (l *line) isFee(i int) bool {
	_, _, ok := fees.atIf(l.low, i, func(_ bool, end int) bool { return l.endsWord(end) })
	return ok
}

// undoNothing reads さっきのなし and これなし: なし alone says too little.
func (l *line) undoNothing(ids []string) (Command, bool) {
	if len(ids) > 0 {
		return l.askCommand(), true
	}
	return Command{Kind: Undo}, l.marked(earlier) != nil || l.has(l.skipBlank(0), "これ")
}

// undoItem reads the item that stands with the word at span i in the spans
// [from, to). With an amount as well, only an explicit demand is one:
// ホテルキャンセル 5000 may be a fee.
func (l *line) undoItem(i, from, to int) (Command, bool) {
	for n := range l.spans {
		if s := &l.spans[n]; s.kind == markSpan && s.mark == earlier {
			s.used = true
		}
	}
	amounts := l.find(amountSpan)
	if len(amounts) > 1 || len(amounts) > 0 && l.has(l.spans[i].from, "キャンセル") {
		return l.askCommand(), true
	}
	l.spans[i].used = true
	c := Command{Kind: Undo}
	if pieces := l.pieces(from, to); l.isItem(pieces) {
		c.Item = strings.TrimSuffix(l.itemOf(pieces), "の記録")
	}
	if len(amounts) == 1 {
		a := l.spans[amounts[0]]
		if a.fault != "" || c.Item == "" && !a.amount.yen {
			return l.askCommand(), true
		}
		c.Amount, c.HasAmount = a.amount.value, true
	}
	if reason := l.datedBy(&c); reason != "" {
		return l.ask(reason), true
	}
	if n := l.records(c.Item); n > 1 {
		return Command{Kind: Ask, Reason: SeveralReceipts}, true
	} else if n == 1 {
		return c, true
	}
	if c.Item == "" && !c.HasAmount && c.Date == 0 && l.marked(correction, contradiction, apology, because) == nil {
		return l.askCommand(), true // 2番目を取消
	}
	return c, true
}

// allWords are what one calls more than one record.
var allWords = wordSet("全部 ぜんぶ 全て すべて 両方 どっちも どちらも all everything both them all_of_them both_of_them")

// records says how many records the line wants to take back, where it does not
// call them by an item: 全部取消, さっきの2つ消して. 0 is not said.
func (l *line) records(item string) ledger.Yen {
	if allWords.has(item) {
		return 2
	}
	for i := range l.spans {
		if s := &l.spans[i]; item == "" && s.kind == counterSpan && s.unit != "" && strings.Contains("つ個件回", s.unit) {
			return s.amount.value
		}
	}
	return 0
}

// closes says whether nothing but numbers, marks of punctuation and polite
// words stand behind span i.
func (l *line) closes(i int) bool {
	for _, s := range l.spans[i+1:] {
		switch s.kind {
		case spaceSpan, punctSpan, amountSpan, codeSpan, dateSpan, counterSpan:
		case markSpan:
			if s.mark != politeWord && s.mark != request && s.mark != paid && s.mark != copula && s.mark != interjection && s.mark != apology {
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
	switch strings.TrimSpace(string(l.low[s.from:s.to])) {
	case "して", "てください", "します", "する", "を", "で", "ね", "よ":
		return true
	}
	return l.at(s.from) == other
}
