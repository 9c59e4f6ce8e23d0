package ledger

import (
	"testing"
	"time"
)

func TestYen(t *testing.T) {
	for y, want := range map[Yen]string{0: "0", 7: "7", 999: "999", 1000: "1,000", -900: "-900", -12345: "-12,345", 1234567: "1,234,567", 100: "100"} {
		if got := y.String(); got != want {
			t.Errorf("%d is %q, want %q", int64(y), got, want)
		}
	}
}

func TestRowID(t *testing.T) {
	for s, want := range map[string]RowID{"12": {12, 0}, "12-2": {12, 2}, "1-65535": {1, 65535}} {
		got, err := ParseRowID(s)
		if err != nil || got != want || got.String() != s {
			t.Errorf("%q is %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "0", "-1", "12-", "12-0", "12-65536", "x", "1-2-3", "99999999999999999999"} {
		if got, err := ParseRowID(s); err == nil {
			t.Errorf("%q is %v", s, got)
		}
	}
}

func TestDates(t *testing.T) {
	for _, c := range []struct {
		year, month, day int
		want             Date
	}{
		{2026, 11, 30, 20261130}, {2026, 2, 29, 0}, {2028, 2, 29, 20280229}, {2026, 13, 1, 0}, {2026, 11, 31, 0}, {0, 1, 1, 0}, {10000, 1, 1, 0},
	} {
		if got, err := NewDate(c.year, time.Month(c.month), c.day); got != c.want || (err == nil) != (c.want != 0) {
			t.Errorf("%d-%d-%d is %v, %v", c.year, c.month, c.day, got, err)
		}
	}
	d := Date(20261130)
	if got := d.String() + " " + d.AddDays(1).String() + " " + d.AddDays(-30).String() + " " + d.Weekday().String(); got != "2026-11-30 2026-12-01 2026-10-31 Monday" {
		t.Error(got)
	}
	if got, err := ParseDate("2026-11-30"); got != d || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	for offset, want := range map[int]Period{0: {20261101, 20261130}, -1: {20261001, 20261031}, 1: {20261201, 20261231}, -9: {20260201, 20260228}, 2: {20270101, 20270131}} {
		if got := Month(d, offset); got != want {
			t.Errorf("month %+d is %v", offset, got)
		}
	}
}

// A row of another day counts at noon, a balance of another day at its end, both
// in the household's zone.
func TestTimes(t *testing.T) {
	tokyo := time.FixedZone("JST", 9*3600)
	at := time.Date(2026, 11, 30, 0, 30, 0, 123456789, tokyo)
	for _, c := range []struct {
		name string
		got  time.Time
		want string
	}{
		{"a row of today", TimeOf(20261130, at, tokyo), "2026-11-29T15:30:00.123Z"},
		{"a row of yesterday", TimeOf(20261129, at, tokyo), "2026-11-29T03:00:00Z"},
		{"a row of tomorrow", TimeOf(20261201, at, tokyo), "2026-12-01T03:00:00Z"},
		{"a balance of today", EndOf(20261130, at, tokyo), "2026-11-29T15:30:00.123Z"},
		{"a balance of yesterday", EndOf(20261129, at, tokyo), "2026-11-29T14:59:59.999Z"},
	} {
		if got := c.got.Format(time.RFC3339Nano); got != c.want {
			t.Errorf("%s counts at %s, want %s", c.name, got, c.want)
		}
	}
}

func TestEffects(t *testing.T) {
	for _, c := range []struct {
		row      Row
		from, to Yen
	}{
		{row: Row{Type: Expense, Amount: 900, Account: 1}, from: -900},
		{row: Row{Type: Income, Amount: 900, Account: 1}, from: 900},
		{row: Row{Type: Refund, Amount: 900, Account: 1}, from: 900},
		{row: Row{Type: Transfer, Amount: 900, Account: 1, ToAccount: 2}, from: -900, to: 900},
		{row: Row{Type: Adjustment, Amount: -50, Account: 1}, from: -50},
		{row: Row{Type: Expense, Amount: 900, Account: 1, Voided: true}},
	} {
		if from, to := c.row.Effect(1), c.row.Effect(2); from != c.from || to != c.to {
			t.Errorf("%v (voided %t): %d and %d", c.row.Type, c.row.Voided, from, to)
		}
	}
}

func TestRevert(t *testing.T) {
	made := Row{Type: Expense, Item: "ランチ", Amount: 900, Category: "食費", Account: 1}
	category, amount, struck := made, made, made
	category.Category = "交際費"
	amount.Amount = 950
	struck.Voided = true
	both := category
	both.Amount = 950
	other := made
	other.Category = "娯楽"
	tests := []struct {
		name   string
		change Change
		now    Row
		want   Row
		ok     bool
	}{
		{"a field goes back", Change{&made, &category}, category, made, true},
		{"what was changed since stays", Change{&made, &category}, both, amount, true},
		{"a field that was set again", Change{&made, &category}, other, other, false},
		{"what is back already stays", Change{&made, &category}, made, made, true},
		{"a struck row stands again", Change{&made, &struck}, struck, made, true},
	}
	for _, test := range tests {
		got, ok := test.change.Revert(test.now)
		if ok != test.ok || ok && got != test.want {
			t.Errorf("%s: %+v, %v", test.name, got, ok)
		}
	}
}
