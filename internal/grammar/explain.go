package grammar

import (
	"encoding/json"
	"strings"
	"time"

	"ichido/internal/ledger"
)

// Explanation is a Command and how it came about.
type Explanation struct {
	Command Command
	Lines   []Reading
}

// Reading is how one line was read: the rule that decided, and its spans
// without the blanks.
type Reading struct {
	Rule  string  `json:"rule"`
	Spans []Piece `json:"spans,omitempty"`
}

// Piece is a part of a line as it was read: what it is in the end, and which
// scanner found it and which relabelling or rule changed it afterwards.
type Piece struct {
	Text string `json:"text"`
	Is   string `json:"is"`
	By   string `json:"by"`
}

// Explain reads the text as Parse does and says why.
func Explain(text string, now time.Time) Explanation {
	r := &reader{today: ledger.DateOf(now), trace: &trace{}}
	c := r.message(fold(text))
	c.Text = strings.ToValidUTF8(text, "\uFFFD")
	if len(r.trace.lines) == 0 {
		r.trace.note("nothing typed")
	}
	return Explanation{Command: c, Lines: r.trace.lines}
}

// MarshalJSON gives the object of the Command with the key why.
func (e Explanation) MarshalJSON() ([]byte, error) {
	out := e.Command.printed()
	out.Why = e.Lines
	return json.Marshal(out)
}

// trace collects the readings of a message. A nil *trace collects nothing and
// costs nothing.
type trace struct{ lines []Reading }

func (t *trace) note(rule string) {
	if t != nil {
		t.lines = append(t.lines, Reading{Rule: rule})
	}
}

// mark, back and put serve where lines are read once more in another way: the
// readings after the mark are taken back, and put again if the way fails.
func (t *trace) mark() int {
	if t == nil {
		return 0
	}
	return len(t.lines)
}

func (t *trace) back(to int) (dropped []Reading) {
	if t == nil {
		return nil
	}
	dropped = t.lines[to:]
	t.lines = t.lines[:to:to]
	return dropped
}

func (t *trace) put(readings []Reading) {
	if t != nil {
		t.lines = append(t.lines, readings...)
	}
}

// lineTrace says of each span of a line who made and changed it.
type lineTrace struct {
	last []span // as they were when last looked at
	by   []string
}

// startTrace begins with the spans as the scanners made them.
func (l *line) startTrace() {
	l.why = &lineTrace{last: append([]span(nil), l.spans...)}
	for i := range l.spans {
		l.why.by = append(l.why.by, l.spans[i].scannedBy())
	}
}

func (s *span) scannedBy() string {
	switch {
	case s.by > 0:
		return scanners[s.by-1].name
	case s.kind == spaceSpan:
		return "blank"
	case s.kind == punctSpan:
		return "punctuation"
	}
	return "word"
}

// noteChanges remembers the name with each span that is not what it was.
func (l *line) noteChanges(sort, name string) {
	for i := range l.spans {
		if l.spans[i] != l.why.last[i] {
			l.why.by[i] += ", " + sort + name
			l.why.last[i] = l.spans[i]
		}
	}
}

// noteLine adds the reading of the line to those of the message.
func (l *line) noteLine(rule string, c *Command) {
	if l.trace == nil {
		return
	}
	r := Reading{Rule: rule}
	items := c.items()
	pieces := l.pieces(0, len(l.spans))
	for i := range l.spans {
		s := &l.spans[i]
		if s.kind == spaceSpan {
			continue
		}
		p := Piece{Text: l.str(s.from, s.to), Is: l.meaning(s, pieces, items), By: l.why.by[i]}
		l.explainCategory(&p, s, c)
		r.Spans = append(r.Spans, p)
	}
	l.trace.lines = append(l.trace.lines, r)
}

// items are the items that the command has, in whatever role.
func (c *Command) items() []string {
	all := []string{c.Item, c.NewItem}
	for _, e := range c.Entries {
		all = append(all, e.Item)
	}
	return all
}

// meaning says what the span is, in words for whoever asks why.
func (l *line) meaning(s *span, pieces []piece, items []string) string {
	inItem := l.isInItem(s, pieces, items)
	if inItem && (s.kind == wordSpan || s.kind == counterSpan) {
		return "item"
	}
	is := s.value()
	if is == "" {
		is = kindNames[s.kind]
	}
	switch {
	case s.fault != "":
		is += ", doubtful: " + string(s.fault)
	case s.used && s.kind == amountSpan:
		is += ", not the price"
	case s.used && s.kind == wordSpan:
		is += ", no part of the item"
	case inItem:
		is += ", in the item"
	}
	return is
}

// isInItem says whether what is left of the span stands in one of the items.
func (l *line) isInItem(s *span, pieces []piece, items []string) bool {
	for _, p := range pieces {
		from, to := max(s.from, p.from), min(s.to, p.to)
		if from >= to || s.taken() || s.kind == punctSpan {
			continue
		}
		text := strings.Join(strings.Fields(l.str(from, to)), " ")
		for _, item := range items {
			if text != "" && strings.Contains(item, text) {
				return true
			}
		}
	}
	return false
}

// explainCategory adds where the category of a row was found in the dictionary.
func (l *line) explainCategory(p *Piece, s *span, c *Command) {
	if p.Is != "item" || s.kind == categorySpan {
		return
	}
	m, ok := words().head(&l.text, s.from, s.to)
	if !ok {
		return
	}
	for _, e := range c.Entries {
		if e.Category == m.category && !e.SaidCategory {
			p.Is = "item, category " + string(m.category) + " by " + l.str(m.from, m.to)
			p.By += ", dictionary"
			return
		}
	}
}
