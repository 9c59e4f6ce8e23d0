package grammar

import (
	"slices"

	"ichido/internal/ledger"
)

// receiptFillers may stand around the number of a receipt in a command. Any
// other word is an item, and the number may be its amount.
var receiptFillers = wordSet("受付 受付番号 番 番号 の記録 記録 no no. を の は で も と に へ して してください して下さい てください ください 下さい お願い お願いします おねがい おねがいします する します したい です さっきの やっぱり receipt please the ね よ これ それ この この記録 その記録 こちら this that it")

// besideReceipts are the marks whose words may stand with the number of a
// receipt.
var besideReceipts = []mark{undoWord, redoWord, maybeRedo, politeWord, request, earlier, interjection, apology, copula, contradiction}

// receipts reads the numbers of receipts in a command: 取消 12, 12-2を取消,
// 受付3番を元に戻す. It reads what was typed, because 3-2 may be many things for
// the scanners. The line must have nothing else; if not, ok is false.
func (l *line) receipts() (ids []string, ok bool) {
	next := 0
	for pos := 0; pos < len(l.raw); {
		for next < len(l.spans) && l.spans[next].from < pos {
			next++
		}
		id, end, ok := l.receiptToken(pos, next)
		if !ok {
			return nil, false
		}
		if id != "" {
			ids = append(ids, id)
		}
		pos = end
	}
	return ids, true
}

// receiptToken reads one word, number or other rune at pos, where the span n
// may begin.
func (l *line) receiptToken(pos, n int) (id string, end int, ok bool) {
	if n < len(l.spans) && l.spans[n].from == pos && l.spans[n].kind == markSpan && slices.Contains(besideReceipts, l.spans[n].mark) {
		return "", l.spans[n].to, true
	}
	switch s := l.at(pos); {
	case s == digit:
		return l.receiptAt(pos)
	case !isWord(s) || s == other:
		return "", pos + 1, !isMinus(l.rune(pos)) && !isMoneySign(l.rune(pos))
	}
	_, end, ok = receiptFillers.at(l.low, pos)
	return "", end, ok
}

// receiptAt reads 12 or 12-2, with whatever dash was at hand. Digits that go on
// as a date, a time or a sum of money are no receipt.
func (l *line) receiptAt(i int) (id string, end int, ok bool) {
	if _, end = l.readDigits(i); end == i {
		return "", i, false
	}
	id = l.str(i, end)
	if isDash(l.rune(end)) && l.at(end+1) == digit {
		_, rowEnd := l.readDigits(end + 1)
		id += "-" + l.str(end+1, rowEnd)
		end = rowEnd
	}
	if next := l.rune(end); isDash(next) || isNumeralRune(next) || isInNumber(next) && l.at(end+1) == digit {
		return "", i, false
	}
	if u, _, ok := l.unitAt(end, false); ok && u.word != "番" {
		return "", i, false
	}
	read, err := ledger.ParseRowID(id)
	return id, end, err == nil && read.String() == id
}

// readReceipt reads the number of a receipt alone, 受付 4: it says what is meant,
// but not what is to be done with it.
func readReceipt(l *line) (Command, bool) {
	if !l.has(l.skipBlank(0), "受付") {
		return Command{}, false
	}
	ids, ok := l.receipts()
	if !ok || len(ids) != 1 {
		return Command{}, false
	}
	return Command{Kind: Ask, Reason: ReceiptAlone, Receipt: ids[0]}, true
}

// isDash says whether people type the rune between the number of a receipt and
// that of its row.
func isDash(r rune) bool { return isMinus(r) || r == 'ー' || r == '–' || r == '‐' }

func isMinus(r rune) bool     { return r == '-' || r == '−' || r == '▲' || r == '△' }
func isMoneySign(r rune) bool { return r == '¥' || r == '\\' || r == '$' || r == '€' || r == '£' }

// isInNumber says whether the rune joins two runs of digits to something that
// is no receipt: a date, a time, a sum of money.
func isInNumber(r rune) bool { return r == '/' || r == ':' || r == '.' || r == ',' || r == '、' }
