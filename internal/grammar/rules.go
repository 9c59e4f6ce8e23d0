package grammar

import (
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
	{"fixed words", readFixed},
	{"redo", readRedo},
	{"undo", readUndo},
	{"code", readCode},
	{"correction", readCorrection},
	{"recurring", readRecurring},
	{"budget", readBudget},
	{"setting", readSetting},
	{"settle", readSettle},
	{"between accounts", readBetween},
	{"wallet", readWallet},
	{"balance", readBalance},
	{"query", readQuery},
	{"stray command", readStray},
	{"not a row", readUnsafe},
	{"split", readSplit},
	{"transfer", readTransfer},
	{"record", readRecord},
	{"half", readHalf},
	{"doubtful number", readDoubtful},
	{"remark", readRemark},
}

// Parse says what the text means for a household whose clock shows now.
func Parse(text string, now time.Time) Command {
	r := &reader{today: ledger.DateOf(now)}
	c := r.message(fold(text))
	c.Text = strings.ToValidUTF8(text, "\uFFFD")
	return c
}

// message reads all lines of a folded text.
func (r *reader) message(folded string) Command {
	var lines []string
	for s := range strings.SplitSeq(folded, "\n") {
		if s = strings.TrimSpace(s); s != "" {
			lines = append(lines, s)
		}
	}
	switch len(lines) {
	case 0:
		return Command{Kind: Remark}
	case 1:
		return r.newLine(lines[0]).read()
	}
	return r.severalLines(lines)
}

// read applies the rules to the line.
func (l *line) read() Command {
	for _, rule := range rules {
		if c, ok := rule.read(l); ok {
			c.InGroup = l.actsInGroup(&c)
			return c
		}
	}
	return Command{Kind: Remark}
}

// actsInGroup says whether the line is meant for the bot where nobody
// addressed it: a whole record, a named command, an item with 円.
func (l *line) actsInGroup(c *Command) bool {
	switch c.Kind {
	case Record, Balance, Undo, Redo, Correct, Budget, Help, Settle:
		return true
	case Ask:
		return c.Item != "" && l.hasYen()
	case Query:
		return l.marked(question) == nil && (l.marked(queryWord, listWord, balanceWord, budgetWord) != nil || l.isMonthWord())
	}
	return false
}

// isMonthWord says whether the whole line is the name of a month: those are
// commands, while 今日 and 昨日 are talk.
func (l *line) isMonthWord() bool {
	return len(l.spans) == 1 && l.spans[0].kind == periodSpan && l.spans[0].unit == "month"
}

func (l *line) hasYen() bool {
	for i := range l.spans {
		if s := &l.spans[i]; s.kind == amountSpan && s.amount.yen {
			return true
		}
	}
	return false
}

// ask makes a question about the line with what could be read: the item, and
// the amount if there is only one.
func (l *line) ask(reason Reason) Command {
	c := Command{Kind: Ask, Reason: reason, Item: l.wholeItem()}
	amounts := l.find(amountSpan)
	if len(amounts) == 1 && l.spans[amounts[0]].fault == "" {
		c.Amount, c.HasAmount = l.spans[amounts[0]].amount.value, true
	}
	if len(amounts) == 2 {
		c.Choices = l.choices(amounts)
	}
	if d := l.first(dateSpan); d != nil && d.fault == "" {
		c.Date = d.date
	}
	c.Account = l.nameIn(accountSpan, 0, len(l.spans))
	return c
}

// choices gives two amounts and their sum as buttons.
func (l *line) choices(amounts []int) []ledger.Yen {
	a, b := &l.spans[amounts[0]], &l.spans[amounts[1]]
	if a.fault != "" && a.fault != GluedNumber || b.fault != "" && b.fault != GluedNumber || a.amount.value <= 0 || b.amount.value <= 0 {
		return nil
	}
	choices := []ledger.Yen{a.amount.value}
	if b.amount.value != a.amount.value {
		choices = append(choices, b.amount.value)
	}
	if sum := a.amount.value + b.amount.value; sum <= ledger.MaxAmount {
		choices = append(choices, sum)
	}
	return choices
}

// wholeItem gives all words of the line that may be an item.
func (l *line) wholeItem() string {
	pieces := l.pieces(0, len(l.spans))
	if !l.isItem(pieces) {
		return ""
	}
	return l.itemOf(pieces)
}

// severalLines reads a message of several lines: rows, dates that carry on,
// and lines that say nothing. An item on one line and its amount on the next
// belong together.
func (r *reader) severalLines(lines []string) Command {
	all := Command{Kind: Record}
	var firstAsk *Command
	var date ledger.Date
	var sum ledger.Yen
	for i := 0; i < len(lines); i++ {
		l := r.newLine(lines[i])
		l.date = date
		if d, ok := l.onlyDate(); ok {
			date = d
			continue
		}
		if total, ok := l.onlyTotal(); ok && total == sum {
			continue
		}
		c := l.read()
		if c.Kind == Ask && c.Reason == ItemOnly || c.Kind == Remark {
			if joined, ok := r.joinNext(lines, i, date); ok {
				l, c = joined, joined.read()
				i++
			}
		}
		if c.Kind != Record {
			all.Unread = append(all.Unread, lines[i])
			if c.Kind == Ask && firstAsk == nil {
				firstAsk = &c
			}
			continue
		}
		date = l.date
		all.Entries = append(all.Entries, c.Entries...)
		for _, e := range c.Entries {
			sum += e.Amount
		}
	}
	if len(all.Entries) > 0 {
		all.InGroup = true
		return all
	}
	return r.noRows(lines, firstAsk)
}

// onlyTotal says whether the line is a total and nothing else.
func (l *line) onlyTotal() (ledger.Yen, bool) {
	amounts := l.find(amountSpan)
	if len(amounts) != 1 || !l.spans[amounts[0]].amount.total || l.wholeItem() != "" {
		return 0, false
	}
	return l.spans[amounts[0]].amount.value, true
}

// joinNext reads line i together with the next one, if that is an amount and
// nothing else.
func (r *reader) joinNext(lines []string, i int, date ledger.Date) (*line, bool) {
	if i+1 >= len(lines) {
		return nil, false
	}
	next := r.newLine(lines[i+1])
	if len(next.amountsIn(0, len(next.spans))) != 1 || next.wholeItem() != "" {
		return nil, false
	}
	joined := r.newLine(lines[i] + " " + lines[i+1])
	joined.date = date
	return joined, true
}

// noRows answers a message of which no line is a row: the first question, or
// the meaning of the lines as one.
func (r *reader) noRows(lines []string, firstAsk *Command) Command {
	const few = 4
	if len(lines) <= few {
		c := r.newLine(strings.Join(lines, " ")).read()
		if c.Kind == Record || c.Kind == Ask || firstAsk == nil {
			return c
		}
	}
	if firstAsk != nil {
		return *firstAsk
	}
	return Command{Kind: Remark}
}

// onlyDate says whether the line is one day and nothing else.
func (l *line) onlyDate() (ledger.Date, bool) {
	d := l.first(dateSpan)
	if d == nil || d.fault != "" || len(l.find(dateSpan)) > 1 {
		return 0, false
	}
	for i := range l.spans {
		if k := l.spans[i].kind; k != dateSpan && k != spaceSpan && k != punctSpan && !l.isParticleSpan(i) {
			return 0, false
		}
	}
	return d.date, true
}

// isParticleSpan says whether the span is a particle and nothing else.
func (l *line) isParticleSpan(i int) bool {
	s := &l.spans[i]
	return s.kind == wordSpan && s.to-s.from == 1 && isParticle(l.rune(s.from))
}
