package grammar

import (
	"slices"

	"ichido/internal/ledger"
)

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

// doubtPlus asks whether 158+138 is a sum, if it stands on one side of its item
// and nothing else does.
func (l *line) doubtPlus() {
	amounts := l.find(amountSpan)
	if len(amounts) < 2 || l.isItem(l.pieces(0, amounts[0])) == l.isItem(l.pieces(amounts[len(amounts)-1]+1, len(l.spans))) {
		return
	}
	for n, a := range amounts {
		if !l.isAddend(a) || n > 0 && !l.plusBetween(amounts[n-1], a) {
			return
		}
	}
	l.doubtSum(TwoAmounts, l.choices(TwoAmounts, amounts)...)
}

// isAddend says whether the amount at span i may be added to another: 1+1 is
// the name of something.
func (l *line) isAddend(i int) bool {
	const least = 10
	s := &l.spans[i]
	return s.fault == "" && s.amount.sign == 0 && !s.amount.discount && s.amount.value >= least && s.amount.value <= ledger.MaxAmount
}

func (l *line) plusBetween(a, b int) bool {
	n := l.neighbour(a, +1)
	return n >= 0 && l.spans[n].kind == punctSpan && l.rune(l.spans[n].from) == '+' && l.neighbour(n, +1) == b
}

// readDoubtful asks about a number that was taken for a part of a name, where
// the line has no other that could be the amount: 15k lunch, Burger650.
func readDoubtful(l *line) (Command, bool) {
	for i := range l.spans {
		if s := &l.spans[i]; s.kind == counterSpan && s.fault != "" {
			return l.ask(s.fault), len(l.find(amountSpan)) == 0
		}
	}
	return Command{}, false
}

// readStray asks about the word of a command that stands with a number but was
// no command for the rules before: a row called 一覧 is not what 一覧 3 means.
func readStray(l *line) (Command, bool) {
	if l.count(amountSpan) == 0 {
		return Command{}, false
	}
	for i := range l.spans {
		s := &l.spans[i]
		if s.kind != markSpan || !slices.Contains(commandMarks, s.mark) || !l.standsApart(i) {
			continue
		}
		if (s.mark == settingWord || s.mark == everyWord) && l.itemWithout(i) != "" {
			continue // 月初 ランチ 900
		}
		return l.askCommand(), true
	}
	return Command{}, false
}

// commandMarks are the marks whose words are the name of a command.
var commandMarks = []mark{undoWord, redoWord, queryWord, listWord, searchWord, trendWord, categoryWord, settingWord, settleWord, everyWord}
