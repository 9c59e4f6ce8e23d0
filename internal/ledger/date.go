package ledger

import (
	"errors"
	"fmt"
	"time"
)

// Date is a civil date as the number yyyymmdd, so that dates compare and sort
// as numbers. Zero means "no date".
type Date int32

var errNoDate = errors.New("no such date")

// NewDate returns the date, or an error if the calendar has none such. Years
// run from 1 to 9999.
func NewDate(year int, month time.Month, day int) (Date, error) {
	t := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	if year < 1 || year > 9999 || t.Year() != year || t.Month() != month || t.Day() != day {
		return 0, errNoDate
	}
	return dateOf(t), nil
}

// Valid says whether the calendar has the date.
func (d Date) Valid() bool {
	_, err := NewDate(d.Year(), d.Month(), d.Day())
	return err == nil
}

// DateOf returns the date that the clock of t's own zone shows.
func DateOf(t time.Time) Date { return dateOf(t) }

func dateOf(t time.Time) Date {
	year, month, day := t.Date()
	return Date(year*10000 + int(month)*100 + day)
}

// ParseDate reads the ISO form 2026-11-30.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return 0, fmt.Errorf("%q is no date like 2026-11-30", s)
	}
	return dateOf(t), nil
}

// Year, Month and Day are the parts of the date.
func (d Date) Year() int { return int(d) / 10000 }

// Month is the month of the date.
func (d Date) Month() time.Month { return time.Month(int(d) / 100 % 100) }

// Day is the day of the month.
func (d Date) Day() int { return int(d) % 100 }

// String gives the ISO form; "" for the zero date.
func (d Date) String() string {
	if d == 0 {
		return ""
	}
	return fmt.Sprintf("%04d-%02d-%02d", d.Year(), int(d.Month()), d.Day())
}

// MarshalText gives the ISO form, for JSON.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads the ISO form; an empty text is the zero date.
func (d *Date) UnmarshalText(text []byte) (err error) {
	if len(text) == 0 {
		*d = 0
		return nil
	}
	*d, err = ParseDate(string(text))
	return err
}

// In returns the first instant of the date in the zone.
func (d Date) In(zone *time.Location) time.Time {
	return time.Date(d.Year(), d.Month(), d.Day(), 0, 0, 0, 0, zone)
}

// AddDays returns the date n days later, or earlier for a negative n.
func (d Date) AddDays(n int) Date { return dateOf(d.In(time.UTC).AddDate(0, 0, n)) }

// Weekday returns the day of the week.
func (d Date) Weekday() time.Weekday { return d.In(time.UTC).Weekday() }

// Period is a range of days, both inclusive.
type Period struct{ From, To Date }

// Contains says whether the date lies in the period.
func (p Period) Contains(d Date) bool { return p.From <= d && d <= p.To }

// Month returns the calendar month that lies offset months after the date's
// own: -1 is the month before.
func Month(d Date, offset int) Period {
	first := time.Date(d.Year(), d.Month()+time.Month(offset), 1, 0, 0, 0, 0, time.UTC)
	return Period{dateOf(first), dateOf(first.AddDate(0, 1, -1))}
}

// TimeOf returns when a row of the given date counts on its account. A row of
// the day on which it was typed counts when it was typed; for another day
// nobody knows the hour, so it counts at noon of that day: before a balance
// stated that evening, after one stated that morning. The result has
// milliseconds, as LINE's clock has.
func TimeOf(date Date, at time.Time, zone *time.Location) time.Time {
	if DateOf(at.In(zone)) == date {
		return at.Truncate(time.Millisecond).UTC()
	}
	return date.In(zone).Add(12 * time.Hour).UTC()
}

// EndOf returns when a balance stated for the given date counts: when it was
// typed, or the last millisecond of a day other than that of typing.
func EndOf(date Date, at time.Time, zone *time.Location) time.Time {
	if DateOf(at.In(zone)) == date {
		return at.Truncate(time.Millisecond).UTC()
	}
	return date.AddDays(1).In(zone).Add(-time.Millisecond).UTC()
}
