package grammar

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
