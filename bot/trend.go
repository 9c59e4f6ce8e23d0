package bot

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"ichido/internal/ledger"
)

// Periods beside each other: one and the one before it, and the months of a year.

func isMonth(p ledger.Period) bool { return p == ledger.Month(p.From, 0) }

func isWeek(p ledger.Period) bool {
	return p.From.Weekday() == time.Monday && p.To == p.From.AddDays(6)
}

func isYear(p ledger.Period) bool {
	return p.From%10000 == 101 && p.To == p.From+1130 // from 1 January to 31 December
}

// before gives the month, week or year before the given one. Of one that still goes on
// only the days that have passed are compared: now are these, and earlier has as many, or
// all if it has fewer. ok says whether the period has such a one before it.
func before(p ledger.Period, today ledger.Date) (earlier, now ledger.Period, ok bool) {
	var day ledger.Date // of the earlier one that is like today
	switch {
	case p.From <= 10101:
		return earlier, now, false
	case isMonth(p):
		earlier = ledger.Month(p.From, -1)
		day = earlier.From + (today - p.From) // may be no day of the calendar: it only bounds
	case isWeek(p):
		earlier = ledger.Period{From: p.From.AddDays(-7), To: p.To.AddDays(-7)}
		day = today.AddDays(-7)
	case isYear(p):
		earlier = ledger.Period{From: p.From - 10000, To: p.To - 10000}
		day = min(today-10000, ledger.Month(today, -12).To)
	default:
		return earlier, now, false
	}
	now = p
	if p.Contains(today) {
		now.To, earlier.To = today, min(earlier.To, day)
	}
	return earlier, now, true
}

// justBefore is before for a period of any length.
func justBefore(p ledger.Period, today ledger.Date) (earlier, now ledger.Period) {
	earlier, now, ok := before(p, today)
	if ok {
		return earlier, now
	}
	days := int(p.To.In(time.UTC).Sub(p.From.In(time.UTC))/(24*time.Hour)) + 1
	return ledger.Period{From: p.From.AddDays(-days), To: p.From.AddDays(-1)}, p
}

// compare answers with a period beside the one before it, by categories.
func (t *turn) compare() (Reply, error) {
	q, refusal, err := t.topic()
	if refusal != "" || err != nil {
		return said(refusal), err
	}
	p := t.period()
	earlier, now := justBefore(p, t.today)
	s, err := t.sum(now, q)
	if err != nil {
		return Reply{}, err
	}
	e, err := t.sum(earlier, q)
	if err != nil {
		return Reply{}, err
	}
	amount, rows := q.figure(s)
	was, earlierRows := q.figure(e)
	a := answer{}
	a.put(t.comparedTotal(p, t.today, q, amount, rows))
	if earlierRows == 0 {
		whole, _ := justBefore(p, max(t.today, p.To.AddDays(1)))
		all, err := t.sum(whole, q)
		amount, rows := q.figure(all)
		a.add(t.nothingEarlier(p, earlier, whole, t.today, amount, rows))
		return a.reply(), err
	}
	a.add(t.comparison(p, earlier, t.today, amount, was, false))
	if q.category == "" && q.item == "" {
		for _, c := range byDifference(s, e) {
			a.put(t.differenceLine(c, e.categories[c], s.categories[c]))
		}
	}
	return a.reply(), nil
}

// byDifference lists the categories of either, the largest difference first.
func byDifference(s, e sums) []ledger.Category {
	difference := func(c ledger.Category) ledger.Yen {
		d := s.categories[c] - e.categories[c]
		return max(d, -d)
	}
	all := maps.Clone(e.categories)
	maps.Copy(all, s.categories)
	return slices.SortedFunc(maps.Keys(all), func(a, b ledger.Category) int {
		return cmp.Or(cmp.Compare(difference(b), difference(a)), cmp.Compare(a, b))
	})
}

// trend answers with the sums of the last months, from the first that has any.
func (t *turn) trend() (Reply, error) {
	q, refusal, err := t.topic()
	if refusal != "" || err != nil {
		return said(refusal), err
	}
	var months []ledger.Period
	var amounts []ledger.Yen
	for i := 1 - cmp.Or(t.cmd.Months, 6); i <= 0; i++ {
		m := ledger.Month(t.today, i)
		s, err := t.sum(m, q)
		if err != nil {
			return Reply{}, err
		}
		if amount, rows := q.figure(s); rows > 0 || len(months) > 0 {
			months, amounts = append(months, m), append(amounts, amount)
		}
	}
	if len(months) == 0 {
		p := ledger.Period{From: ledger.Month(t.today, 1-cmp.Or(t.cmd.Months, 6)).From, To: ledger.Month(t.today, 0).To}
		return said(t.none(p, t.today, t.askedFigure(p, t.today, q, true))), nil
	}
	a := answer{}
	a.put(t.trendHead(q, months[0], t.today))
	for i, m := range months {
		a.put(t.trendLine(m, amounts[i], slices.Max(amounts), i == len(months)-1))
	}
	if over := len(months) - 1; over > 1 {
		a.add(t.averageLine(months[0], months[over-1], t.today, average(amounts[:over])))
	}
	return a.reply(), nil
}

// average is rounded to whole yen, halves up.
func average(amounts []ledger.Yen) ledger.Yen {
	var sum ledger.Yen
	for _, amount := range amounts {
		sum += amount
	}
	n := ledger.Yen(len(amounts))
	rounded := (2*sum + n) / (2 * n)
	if 2*sum+n < 0 && (2*sum+n)%(2*n) != 0 {
		rounded-- // division goes towards zero
	}
	return rounded
}
