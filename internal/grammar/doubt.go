package grammar

import "ichido/internal/ledger"

// doubt is why the amounts of a line can't be taken as they stand, and those
// that may be meant. It is found while the spans are looked at together; the
// zero value is none.
type doubt struct {
	reason  Reason
	choices []ledger.Yen
}

// doubtSum notes the first doubt about the amounts of the line.
func (l *line) doubtSum(reason Reason, choices ...ledger.Yen) {
	if l.doubt.reason == "" {
		l.doubt = doubt{reason, choices}
	}
}

// readDoubt asks about a line of which the sum may be read in several ways.
func readDoubt(l *line) (Command, bool) {
	if l.doubt.reason == "" {
		return Command{}, false
	}
	c := l.ask(l.doubt.reason)
	c.Choices = l.doubt.choices
	c.Amount, c.HasAmount = 0, false
	return c, true
}

// onlyPrice returns the amount of a line that has only one, or nil.
func (l *line) onlyPrice() *span {
	if l.count(amountSpan) != 1 {
		return nil
	}
	if only := &l.spans[l.find(amountSpan)[0]]; only.fault == "" {
		return only
	}
	return nil
}
