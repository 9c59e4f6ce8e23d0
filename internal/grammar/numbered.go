package grammar

import (
	"strconv"
	"strings"
)

// frontNumber is the number of a receipt with which a change begins.
type frontNumber struct {
	id       string
	named    bool // 受付, # or 番 stands with it
	row      bool // 12-2
	plain    bool // no. stands with it, which things have as well
	particle rune // behind it
}

// receiptSigns stand in front of the number of a receipt.
var receiptSigns = wordSet("受付 受付番号 # no no. receipt")

// mostBare is the largest number that is taken for that of a receipt where an
// amount could stand as well: 350を950に may give the old price.
const mostBare = 99

// readNumbered reads a change of the receipt that the line begins with: 受付12は
// 950円, 12を950円に, 12-2 カフェ 480に直して. The receipt is no item, and its
// number is no amount.
func readNumbered(l *line) (Command, bool) {
	n, end, ok := l.numberedFront()
	if !ok || n.isBare() && !l.hintsAtChange(end) {
		return Command{}, false
	}
	rest := l.newLine(strings.TrimSpace(l.str(end, len(l.raw))))
	c, ok := rest.amend(&n)
	switch {
	case ok && c.Kind == Correct && c.HasAmount && n.mayBeAmount() && !rest.namesField():
		c = l.ask(MaybeCorrect)
		c.Receipt, c.Choices = n.id, nil
		return c, true
	case ok:
		return c, true
	case n.named && len(rest.find(amountSpan)) > 0 && l.marked(codeWord) == nil:
		c = l.askCommand()
		c.Receipt = n.id
		return c, true
	}
	return Command{}, false
}

// numberedFront reads the number in front of the line, perhaps behind words such
// as 訂正, and returns where what is said of it begins.
func (l *line) numberedFront() (n frontNumber, end int, ok bool) {
	pos, _ := l.open()
	if _, end, ok := receiptSigns.at(l.low, pos); ok {
		n.named, n.plain, pos = true, l.rune(pos) == 'n', l.skipBlank(end)
	}
	n.id, end, ok = l.receiptAt(pos)
	if !ok && n.named {
		n.id, end, ok = l.receiptBefore(pos)
	}
	if !ok {
		return n, pos, false
	}
	n.row = strings.Contains(n.id, "-")
	if l.rune(end) == '番' {
		n.named, end = true, end+1
	}
	end = l.skipBlank(end)
	switch r := l.rune(end); {
	case strings.ContainsRune("はをのが", r):
		n.particle, end = r, end+1
	case l.at(end) == punct && r != '?', l.at(end-1) == blank:
	default:
		return n, pos, false
	}
	return n, end, end < len(l.raw)
}

// receiptBefore reads a number that 、 parts from the next one: 受付12、950円.
func (l *line) receiptBefore(i int) (id string, end int, ok bool) {
	_, end = l.readDigits(i)
	return l.str(i, end), end, end > i && end-i < 7 && l.rune(i) != '0' && l.rune(end) == '、'
}

// isBare says whether nothing stands with the number that makes it one of a
// receipt.
func (n *frontNumber) isBare() bool { return !n.named && !n.row && n.particle == 0 }

// hintsAtChange says whether a word stands from i on without which a bare number is
// never that of a receipt. It spares rows that begin with their price a second
// reading.
func (l *line) hintsAtChange(i int) bool {
	if l.marked(correction, correctionStart, contradiction) != nil {
		return true
	}
	for ; i < len(l.raw); i++ {
		if what, _, ok := amendEndings.at(l.low, i); l.rune(i) == 'を' || ok && what == endVerb || fieldWords.startsAt(l.low, i) {
			return true
		}
	}
	return false
}

// mayBeAmount says whether the number could be an old amount as well.
func (n *frontNumber) mayBeAmount() bool {
	value, err := strconv.Atoi(n.id)
	return !n.named && !n.row && (err != nil || value > mostBare)
}

// namesField says whether the name of a field stands at the front: の金額を.
func (l *line) namesField() bool {
	return fieldWords.startsAt(l.low, 0)
}

// sure says whether the number is that of a receipt, and what is said of it is
// meant as a change. said tells that the words of the change are plain.
func (n *frontNumber) sure(ch *amendment, said bool) bool {
	switch {
	case said:
		return true
	case n.plain && ch.item != "" && ch.value.kind == amountSpan:
		return false // No. 5 perfume 12000
	case n.named: // but 受付12 13 may be two of them
		return n.particle != 0 || ch.value.kind != amountSpan || ch.value.amount.yen || ch.item != ""
	case n.particle == 'を' || ch.particle == 'を':
		return ch.aims()
	}
	return n.row && n.particle == 'は' && ch.item == ""
}
