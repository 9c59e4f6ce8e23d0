package grammar

import (
	"slices"
	"strings"
	"time"

	"ichido/internal/ledger"
)

// rule recognises one kind of line. The name tells which rule decided.
type rule struct {
	name string
	read func(l *line) (Command, bool)
}

// rules are tried in order; the first that recognises the line decides. Those
// that recognise more special things stand first.
var rules = []rule{
	{"join code", readJoinCode},
	{"erasing", readErase},
	{"devices", readDevices},
	{"fixed words", readFixed},
	{"English sentence", readSentence},
	{"English division", readEnglishSplit},
	{"invite", readInvite},
	{"members", readMembers},
	{"name", readName},
	{"wallet sharing", readSharing},
	{"leaving", readLeaving},
	{"removal", readRemoval},
	{"photos", readPhotos},
	{"words of the household", readOrder},
	{"budget", readBudget},
	{"category", readRecategory},
	{"number of a receipt", readNumbered},
	{"whole of a divided bill", readWhole},
	{"amendment", readAmendment},
	{"redo", readRedo},
	{"undo", readUndo},
	{"receipt", readReceipt},
	{"code", readCode},
	{"correction", readCorrection},
	{"recurring", readRecurring},
	{"setting", readSetting},
	{"settle", readSettle},
	{"another's wallet", readAnothersWallet},
	{"paid by another", readPaidByAnother},
	{"between accounts", readBetween},
	{"wallet", readWallet},
	{"balance", readBalance},
	{"account alone", readAccountAlone},
	{"query", readQuery},
	{"stray command", readStray},
	{"English talk", readEnglishTalk},
	{"not a row", readUnsafe},
	{"doubtful sum", readDoubt},
	{"between people", readPeople},
	{"split", readSplit},
	{"transfer", readTransfer},
	{"record", readRecord},
	{"half", readHalf},
	{"doubtful number", readDoubtful},
	{"remark", readRemark},
}

// Parse says what the text means for a household whose clock shows now.
func Parse(text string, now time.Time) Command {
	return (*Names)(nil).Parse(text, now)
}

// message reads all lines of a folded text.
func (r *reader) message(folded string) Command {
	folded = strings.TrimSpace(folded)
	if folded == "" {
		return Command{Kind: Remark}
	}
	if !strings.Contains(folded, "\n") {
		return r.newLine(oneBlank(folded)).read()
	}
	var lines []string
	for s := range strings.SplitSeq(folded, "\n") {
		if s = oneBlank(s); s != "" {
			lines = append(lines, s)
		}
	}
	return r.severalLines(lines)
}

// oneBlank leaves no blanks at the ends of a line, and one where there are more,
// as words of two parts have it.
func oneBlank(s string) string {
	if s = strings.TrimSpace(s); strings.Contains(s, "  ") {
		return strings.Join(strings.Fields(s), " ")
	}
	return s
}

// read applies the rules to the line.
func (l *line) read() Command {
	for _, rule := range rules {
		c, ok := rule.read(l)
		if l.why != nil {
			l.noteChanges("rule ", rule.name)
		}
		if ok {
			c.InGroup = l.actsInGroup(&c)
			l.noteLine(rule.name, &c)
			return c
		}
	}
	return Command{Kind: Remark}
}

// ask makes a question about the line with what could be read: the item, and
// the amount if there is only one.
func (l *line) ask(reason Reason) Command {
	c := Command{Kind: Ask, Reason: reason, Item: l.wholeItem()}
	amounts := l.find(amountSpan)
	if len(amounts) == 1 && l.spans[amounts[0]].fault == "" {
		c.Amount, c.HasAmount = l.spans[amounts[0]].amount.value, true
	}
	if reason == TwoAmounts && c.Item == "" {
		c.Reason = AmountOnly
	}
	c.Choices = l.choices(reason, amounts)
	if d := l.first(dateSpan); d != nil && d.fault == "" {
		c.Date = d.date
	}
	c.Account = l.nameIn(accountSpan, 0, len(l.spans))
	return c
}

// mostChoices is for how many amounts there are buttons.
const mostChoices = 4

// choices gives each of several amounts, and their sum where that may be what
// was paid.
func (l *line) choices(reason Reason, amounts []int) (choices []ledger.Yen) {
	if reason != TwoAmounts && reason != GluedNumber || len(amounts) < 2 || len(amounts) > mostChoices {
		return nil
	}
	sum := ledger.Yen(0)
	for _, i := range amounts {
		a := &l.spans[i]
		if a.fault != "" && a.fault != GluedNumber || a.amount.value <= 0 {
			return nil
		}
		sum += a.amount.value
		if !slices.Contains(choices, a.amount.value) {
			choices = append(choices, a.amount.value)
		}
	}
	first := l.spans[amounts[0]].amount.value
	switch {
	case l.marked(takenOff) != nil && len(amounts) == 2:
		if left := first - l.spans[amounts[1]].amount.value; left > 0 {
			return []ledger.Yen{first, left}
		}
	case l.marked(taxPart) != nil && len(amounts) == 2 && sum <= ledger.MaxAmount:
		return []ledger.Yen{first, sum}
	case l.mayAddUp() && sum <= ledger.MaxAmount:
		choices = append(choices, sum)
	}
	return choices
}

// mayAddUp says whether nothing in the line speaks against a sum.
func (l *line) mayAddUp() bool {
	if l.marked(partOf, takenOff, change, wallet) != nil {
		return false
	}
	for i := range l.spans {
		if s := &l.spans[i]; s.kind == punctSpan && strings.ContainsRune("→⇒>", l.rune(s.from)) {
			return false
		}
	}
	return true
}

// wholeItem gives all words of the line that may be an item.
func (l *line) wholeItem() string {
	pieces := l.pieces(0, len(l.spans))
	if !l.isItem(pieces) {
		return ""
	}
	return l.itemOf(pieces)
}

// askCommand asks what is to be done. Its numbers are no amounts to choose from.
func (l *line) askCommand() Command {
	c := l.ask(UnclearCommand)
	c.Choices = nil
	return c
}

// readRemark takes what no other rule took.
func readRemark(l *line) (Command, bool) {
	return Command{Kind: Remark, Item: strings.TrimSpace(l.wholeItem())}, true
}
