package grammar

// relabelling changes spans in view of the others.
type relabelling struct {
	name  string
	apply func(l *line)
}

// relabellings are applied in order to every line, once each. What one of them
// takes out the later ones don't see.
var relabellings = []relabelling{
	{"page", (*line).readPage},
	{"count in English", (*line).readEnglishCounts},
	{"reason", (*line).dropReasons},
	{"next time", (*line).dropNext},
	{"fraction", (*line).doubtFractions},
	{"multiplication", (*line).multiply},
	{"result", (*line).dropResults},
	{"label", (*line).readLabels},
	{"change", (*line).settleChange},
	{"subtotal", (*line).settleSubtotal},
	{"tax", (*line).applyTax},
	{"discount", (*line).applyDiscounts},
	{"half price", (*line).doubtHalf},
	{"points", (*line).doubtPoints},
	{"plus", (*line).doubtPlus},
	{"name with a number", (*line).nameNumbers},
}

// relabel looks at the spans in their company and decides what a single span
// can't know: which numbers are multiplied, which are no price, which belong
// to a name.
func (l *line) relabel() {
	for _, step := range relabellings {
		step.apply(l)
		if l.why != nil {
			l.noteChanges("", step.name)
		}
	}
}

// dropReasons takes out why something was bought: 給料日なので in
// 給料日なので焼肉.
func (l *line) dropReasons() {
	for i := range l.spans {
		if s := &l.spans[i]; s.kind != markSpan || s.mark != because {
			continue
		}
		for n := i - 1; n >= 0 && (l.spans[n].kind == wordSpan || l.spans[n].kind == markSpan && !l.spans[n].used); n-- {
			l.spans[n].used = true
		}
	}
}

// doubtFractions makes a date that may be a fraction a fault beside food.
func (l *line) doubtFractions() {
	for i := range l.spans {
		s := &l.spans[i]
		if s.kind != dateSpan || s.unit != fraction {
			continue
		}
		if m, ok := words().head(&l.text, 0, len(l.raw)); ok && m.category == "食費" {
			s.fault = VagueDate
		}
		return
	}
}

// dropNext takes 次回12/10 out where it stands behind a row: the day of the next
// visit is no day of this one. In front of the amount it is a plan.
func (l *line) dropNext() {
	for i := range l.spans {
		if s := &l.spans[i]; s.kind != markSpan || s.mark != nextTime {
			continue
		}
		switch {
		case !l.dayFollows(i):
		case len(l.amountsIn(i, len(l.spans))) > 0:
			l.spans[i].mark = plan
			l.addMark(plan)
		default:
			l.dropTail(i)
			return
		}
	}
}

// dayFollows says whether a date stands directly behind span i, particles and
// punctuation aside.
func (l *line) dayFollows(i int) bool {
	for n := l.neighbour(i, +1); n >= 0; n = l.neighbour(n, +1) {
		switch s := &l.spans[n]; {
		case s.kind == dateSpan || s.kind == periodSpan || s.kind == clockSpan:
			return true
		case s.kind != punctSpan && !l.isParticleSpan(n):
			return false
		}
	}
	return false
}

// dropTail takes the dates and words from span i on out of the row.
func (l *line) dropTail(i int) {
	for n := i; n < len(l.spans); n++ {
		switch s := &l.spans[n]; s.kind {
		case dateSpan, periodSpan:
			s.kind, s.used = counterSpan, true
		case wordSpan, counterSpan, markSpan:
			s.used = true
		}
	}
}
