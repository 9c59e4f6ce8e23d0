package grammar

import (
	"slices"
	"strings"

	"ichido/internal/ledger"
)

// message reads a message of several lines: rows, dates that carry on, an
// account for all of them, and lines that say nothing.
type message struct {
	*reader
	lines []string

	rows     Command // the Record so far
	sum      ledger.Yen
	date     ledger.Date // carried on
	dangling bool        // a line set the date, and no row followed
	account  *line       // a line that names an account and nothing else
	at       int         // rows in front of it
	firstAsk *Command
	orders   int    // lines that change something that is there
	doubt    Reason // why nothing may be recorded
}

// severalLines reads the lines one by one. An item on one line and its amount
// on the next belong together.
func (r *reader) severalLines(lines []string) Command {
	m := &message{reader: r, lines: lines, rows: Command{Kind: Record}}
	for i := 0; i < len(lines); i++ {
		l := r.newLine(lines[i])
		l.date = m.date
		if m.heads(l) {
			continue
		}
		at := m.trace.mark()
		c := l.read()
		if c.Kind == Ask && c.Reason == ItemOnly || c.Kind == Remark {
			if joined, ok := r.joinNext(lines, i, m.date); ok {
				m.trace.back(at)
				l, c = joined, joined.read()
				i++
			}
		}
		m.take(l, &c, lines[i])
	}
	return m.command()
}

// heads takes a line that is no row itself, but says something about others.
func (m *message) heads(l *line) bool {
	if d, ok := l.onlyDate(); ok {
		l.noteLine("date of the rows below", &Command{})
		m.setDate(d)
		return true
	}
	if total, ok := l.onlyTotal(); ok {
		l.noteLine("total of the rows above", &Command{})
		if total != m.sum {
			m.refuse(TotalMismatch)
		}
		return true
	}
	if l.saysNothing() || len(m.rows.Entries) > 0 && l.onlyAside() {
		l.noteLine("no row", &Command{})
		return true
	}
	if l.onlyAccount() {
		l.noteLine("account of all rows", &Command{})
		if m.account != nil {
			m.refuse(UnclearLine)
		}
		m.account, m.at = l, len(m.rows.Entries)
		return true
	}
	return false
}

func (m *message) setDate(d ledger.Date) { m.date, m.dangling = d, true }

// refuse notes the first reason to record nothing of the message.
func (m *message) refuse(reason Reason) {
	if m.doubt == "" {
		m.doubt = reason
	}
}

// take keeps the rows of a line, or what it says instead.
func (m *message) take(l *line, c *Command, typed string) {
	switch {
	case c.Kind == Record:
		m.date, m.dangling = l.date, false
		m.rows.Entries = append(m.rows.Entries, c.Entries...)
		for _, e := range c.Entries {
			m.sum += e.Amount
		}
		return
	case c.isCourtesy():
		return
	case m.isTitle(l, c):
		if d := l.first(dateSpan); d != nil {
			m.setDate(d.date)
		}
		return
	case c.isOrder(), l.marked(correction) != nil:
		if slices.Contains([]Kind{Budget, Setting, Undo, Redo, Correct}, c.Kind) {
			m.orders++
		}
		m.refuse(SendApart)
		return
	case c.Kind == Ask && m.firstAsk == nil:
		m.firstAsk = c
	}
	if m.header(l) {
		return
	}
	m.rows.Unread = append(m.rows.Unread, typed)
}

// isTitle says whether the first line names what the lines below are: 今日の支出.
func (m *message) isTitle(l *line, c *Command) bool {
	return c.Kind == Query && c.Query == Summary && m.lines[0] == string(l.raw) && l.first(periodSpan) == nil && !l.asks()
}

// isCourtesy says whether the line is what one says besides.
func (c *Command) isCourtesy() bool {
	switch c.Reason {
	case Greeting, Morning, Evening, Night, WellDone, Thanks:
		return c.Kind == Remark
	}
	return false
}

// isOrder says whether the command does something that has no place among rows.
func (c *Command) isOrder() bool {
	switch c.Kind {
	case Record, Remark:
		return false
	case Ask:
		return c.Reason == UnclearCommand || c.Reason == MaybeCorrect || c.Reason == ReceiptAlone || c.Reason == SeveralReceipts
	}
	return true
}

// header takes the date from a line that is no row, such as 11/29 イオン. Where
// a date or an account in it can't be told from those of the rows, the whole is
// asked about.
func (m *message) header(l *line) bool {
	d := l.first(dateSpan)
	leads := d != nil && l.isHead(l.indexOf(d))
	if l.count(amountSpan) > 0 { // a row that can't be read keeps its own
		if leads && d.fault == "" {
			m.setDate(d.date)
		}
		return false
	}
	switch {
	case l.first(accountSpan) != nil:
		m.refuse(UnclearLine)
	case d != nil && d.fault != "":
		m.refuse(d.fault)
	case l.first(periodSpan) != nil:
		m.refuse(NoDay)
	case d != nil && l.marked(unsafeMarks...) == nil && l.first(clockSpan) == nil:
		m.setDate(d.date)
		return true
	}
	return false
}

// isHead says whether no word stands in front of span i.
func (l *line) isHead(i int) bool { return !l.isItem(l.pieces(0, i)) }

// command is the meaning of the message.
func (m *message) command() Command {
	if len(m.rows.Entries) == 0 {
		return m.noRows()
	}
	if m.dangling {
		m.refuse(UnclearLine)
	}
	m.shareAccount()
	if m.doubt != "" {
		m.trace.note("lines together")
		return Command{Kind: Ask, Reason: m.doubt, InGroup: true}
	}
	m.rows.InGroup = len(m.rows.Unread) <= len(m.rows.Entries) // else it is a letter with a price in it
	return m.rows
}

// shareAccount gives the rows the account that a line of its own names: above
// all rows, or below a single one. Anywhere else, or with rows that have an
// account already, it may be meant for some of them.
func (m *message) shareAccount() {
	if m.account == nil {
		return
	}
	rows := m.rows.Entries
	if m.at > 0 && (m.at < len(rows) || len(rows) > 1) {
		m.refuse(UnclearLine)
		return
	}
	name := m.account.nameOf(accountSpan)
	if name == ledger.Cash {
		name = ""
	}
	for i := range rows {
		if rows[i].Type == ledger.Transfer || rows[i].Account != "" && rows[i].Account != name {
			m.refuse(UnclearLine)
			return
		}
		rows[i].Account = name
	}
}

// noRows answers a message of which no line is a row: the first question, or
// the meaning of the lines as one.
func (m *message) noRows() Command {
	const few = 4
	if m.orders > 1 {
		return Command{Kind: Ask, Reason: SendApart}
	}
	if len(m.lines) <= few {
		apart := m.trace.back(0)
		c := m.newLine(strings.Join(m.lines, " ")).read()
		if c.Kind == Record || c.Kind == Ask || m.firstAsk == nil {
			return c
		}
		m.trace.back(0)
		m.trace.put(apart)
	}
	if m.firstAsk != nil {
		return *m.firstAsk
	}
	return Command{Kind: Remark}
}

// onlyTotal says whether the line is a total and nothing else.
func (l *line) onlyTotal() (ledger.Yen, bool) {
	amounts := l.find(amountSpan)
	if len(amounts) != 1 || !l.spans[amounts[0]].amount.total || l.wholeItem() != "" {
		return 0, false
	}
	return l.spans[amounts[0]].amount.value, true
}

// saysNothing says whether the line has no word and no number, as ---- has not.
func (l *line) saysNothing() bool {
	for i := range l.raw {
		if isWord(l.at(i)) || l.at(i) == digit {
			return false
		}
	}
	return true
}

// onlyAside says whether the line tells what was handed over or came back, and
// nothing else: お預かり 1000.
func (l *line) onlyAside() bool {
	return l.marked(tendered, change, points) != nil && len(l.find(amountSpan)) == 0 && l.wholeItem() == ""
}

// onlyAccount says whether the line is the name of one account, perhaps with a
// word for paying: カードで払った.
func (l *line) onlyAccount() bool {
	found := 0
	for i := range l.spans {
		switch s := &l.spans[i]; {
		case s.kind == accountSpan:
			found++
		case s.kind == spaceSpan, s.kind == punctSpan, l.isParticleSpan(i):
		case s.kind == markSpan && (s.mark == paid || s.mark == copula):
		default:
			return false
		}
	}
	return found == 1 && !l.asks()
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

// onlyDate says whether the line is one day and nothing else.
func (l *line) onlyDate() (ledger.Date, bool) {
	d := l.first(dateSpan)
	if d == nil || d.fault != "" || l.count(dateSpan) > 1 {
		return 0, false
	}
	for i := range l.spans {
		if k := l.spans[i].kind; k != dateSpan && k != spaceSpan && k != punctSpan && !l.isParticleSpan(i) {
			return 0, false
		}
	}
	return d.date, true
}
