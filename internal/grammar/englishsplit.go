package grammar

import (
	"slices"
	"strings"
)

// splitVerbs say that a bill was divided.
var splitVerbs = wordSet("split divided shared went_dutch split_the_bill split_it split_the_bill_for split_equally split_evenly")

// splitAmong stand in front of the number of people, or of who they are.
var (
	splitAmong = wordSet("by between among into in for with_a_total_of amongst across")
	splitTails = wordSet("ways way people persons of_us friends_and_me parts equal_parts equally evenly with_friends")
	splitWith  = wordSet("with between_me_and")
	relatives  = wordSet("family wife husband my_wife my_husband my_family the_family friends friend a_friend some_friends my_friends kids mom dad mum mother father partner my_partner colleagues coworkers everyone everybody us them him her")
)

// readEnglishSplit reads a divided bill: split dinner 12000 by 4, dinner 12000 split
// with Hanako.
func readEnglishSplit(l *line) (Command, bool) {
	if !l.hasDigit || l.asks() || l.marked(splitWord) != nil {
		return Command{}, false
	}
	from, to, ok := l.splitVerb()
	if !ok {
		return Command{}, false
	}
	cut := []cutRange{{from, to}}
	people, with, named := 0, []string(nil), false
	if n, r, ok := l.splitPeople(to); ok {
		people, cut = n, append(cut, r)
	} else if names, r, ok := l.splitNames(to); ok {
		with, named, cut = names, true, append(cut, r)
	}
	rest := l.newLine(oneBlank(l.cutOut(cut)))
	rest.date = l.date
	amounts := rest.find(amountSpan)
	switch {
	case len(amounts) == 0:
		return Command{}, false
	case len(amounts) > 1:
		return l.ask(TwoAmounts), true
	case rest.wholeItem() == "":
		return l.ask(SplitWhat), true
	case rest.marked(unsafeMarks...) != nil:
		return l.ask(NotARow), true
	}
	c, ok := readRecord(rest)
	if !ok || c.Kind != Record || len(c.Entries) != 1 {
		return c, ok
	}
	if named && len(with) > 0 {
		people = len(with) + 1
	}
	if people < 2 || people > maxPeople || slices.ContainsFunc(with, func(n string) bool { return relatives.has(strings.ToLower(n)) }) {
		ask := rest.ask(HowManyPeople)
		return ask, true
	}
	c.Entries[0].With = with
	c.Entries[0].divide(people, false)
	return c, true
}

// cutRange is what is taken out of a line.
type cutRange struct{ from, to int }

// cutOut gives the line without the ranges.
func (l *line) cutOut(cut []cutRange) string {
	var b strings.Builder
	for i, r := range l.raw {
		if !slices.ContainsFunc(cut, func(c cutRange) bool { return c.from <= i && i < c.to }) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// splitVerb finds the word of dividing at either end of a word. An item that is
// shared, such as a shared taxi, has it elsewhere.
func (l *line) splitVerb() (from, to int, ok bool) {
	for i := range l.low {
		if l.at(i) != latin || l.at(i-1) == latin {
			continue
		}
		_, end, ok := splitVerbs.atIf(l.low, i, func(_ bool, end int) bool { return l.at(end) != latin })
		if !ok || l.rune(end) == '\'' {
			continue
		}
		if plain := l.has(i, "split") || l.has(i, "divided") || l.has(i, "went"); !plain && i != l.skipBlank(0) && !l.digitsBefore(i) {
			continue
		}
		return i, end, true
	}
	return 0, 0, false
}

func (l *line) digitsBefore(i int) bool {
	for i > 0 && l.at(i-1) == blank {
		i--
	}
	return l.at(i-1) == digit
}

// splitPeople finds by 4, 4 ways or between 4 people from i on.
func (l *line) splitPeople(i int) (people int, r cutRange, ok bool) {
	for at := i; at < len(l.raw); at++ {
		if l.at(at-1) == latin || l.at(at-1) == digit {
			continue
		}
		from, pos := at, at
		_, end, among := splitAmong.atIf(l.low, at, func(_ bool, end int) bool { return l.at(end) == blank })
		if among {
			pos = l.skipBlank(end)
		}
		n, nend := l.readDigits(pos)
		if nend == pos || nend > pos+2 || l.at(nend) == latin || l.rune(nend) == ',' && l.at(nend+1) == digit || strings.ContainsRune("円.%", l.rune(nend)) && l.at(nend+1) != blank && nend < len(l.raw) && l.rune(nend) != '.' {
			continue
		}
		tail := l.skipBlank(nend)
		_, tend, counted := splitTails.atIf(l.low, tail, func(_ bool, end int) bool { return l.at(end) != latin })
		if counted {
			nend = tend
		}
		if among || counted || pos == l.skipBlank(i) {
			return int(n), cutRange{from, nend}, true
		}
	}
	return 0, cutRange{}, false
}

// splitNames finds with Hanako and Taro from i on: all that stands behind with.
func (l *line) splitNames(i int) (names []string, r cutRange, ok bool) {
	for at := i; at < len(l.raw); at++ {
		if l.at(at-1) == latin {
			continue
		}
		_, end, found := splitWith.atIf(l.low, at, func(_ bool, end int) bool { return l.at(end) == blank })
		if !found || l.spanOver(at) != nil && l.spanOver(at).kind == accountSpan {
			continue
		}
		to := l.skipBlank(end)
		for to < len(l.raw) && l.at(to) != digit && !(l.spanFrom(to) != nil && (l.spanFrom(to).kind == accountSpan || l.spanFrom(to).kind == dateSpan)) {
			to++
		}
		text := strings.NewReplacer(",", " and ", "&", " and ", "、", " and ").Replace(l.str(l.skipBlank(end), to))
		for name := range strings.SplitSeq(text, " and ") {
			if name = strings.TrimFunc(name, isNameEdge); name != "" {
				names = append(names, name)
			}
		}
		names = slices.DeleteFunc(names, func(n string) bool { return strings.EqualFold(n, "me") || strings.EqualFold(n, "I") })
		return names, cutRange{at, to}, len(names) > 0
	}
	return nil, cutRange{}, false
}
