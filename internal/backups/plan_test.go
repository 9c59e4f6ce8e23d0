package backups

import (
	"testing"
	"time"
)

// Three years of backups, of which after each new one the surplus goes.
func TestSurplus(t *testing.T) {
	tokyo := time.FixedZone("JST", 9*60*60)
	keep := Keep{Daily: 7, Weekly: 5, Monthly: 12}
	var all []Backup
	day := time.Date(2024, 1, 1, 18, 30, 0, 0, time.UTC) // half past three of the next day
	for n := range 3 * 365 {
		if n%30 == 11 {
			continue // the machine was off
		}
		at := day.AddDate(0, 0, n)
		all = append([]Backup{{File: nameOf(at.In(tokyo), false), At: at}}, all...)
		gone := map[string]bool{}
		for _, b := range keep.Surplus(all, tokyo) {
			gone[b.File] = true
		}
		var left []Backup
		for _, b := range all {
			if !gone[b.File] {
				left = append(left, b)
			}
		}
		all = left
		if all[0].At != at {
			t.Fatalf("the newest of %v is gone", at)
		}
	}
	var days, weeks, months []string
	seen := func(list *[]string, period string) {
		if len(*list) == 0 || (*list)[len(*list)-1] != period {
			*list = append(*list, period)
		}
	}
	for _, b := range all {
		local := b.At.In(tokyo)
		seen(&days, local.Format(time.DateOnly))
		seen(&months, local.Format("2006-01"))
		_, week := local.ISOWeek()
		seen(&weeks, local.Format("2006")+string(rune(week)))
	}
	if len(all) > 7+5+12 || len(days) < 7 || len(months) < 12 || len(weeks) < 5 {
		t.Errorf("%d are kept, of %d months: %v", len(all), len(months), days)
	}
	for i := range 7 {
		if age := all[0].At.Sub(all[i].At); age > 8*24*time.Hour {
			t.Errorf("of the last days only %d are kept", i)
		}
	}
	if left := len(all) - len(Keep{}.Surplus(all, tokyo)); left != 1 {
		t.Errorf("of nothing to keep %d are kept, want the newest", left)
	}
	if s := (Keep{}).Surplus(nil, tokyo); s != nil {
		t.Errorf("of none there are %v", s)
	}
}

func TestNext(t *testing.T) {
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		zone        *time.Location
		at          time.Duration
		after, want string
	}{
		{tokyo, 3*time.Hour + 30*time.Minute, "2026-12-01T01:00:00+09:00", "2026-12-01T03:30:00+09:00"},
		{tokyo, 3*time.Hour + 30*time.Minute, "2026-12-01T03:30:00+09:00", "2026-12-02T03:30:00+09:00"},
		{tokyo, 0, "2026-12-31T23:59:59+09:00", "2027-01-01T00:00:00+09:00"},
		{tokyo, 3 * time.Hour, "2026-11-30T16:00:00Z", "2026-12-01T03:00:00+09:00"},
		{berlin, 2*time.Hour + 30*time.Minute, "2026-03-28T12:00:00+01:00", "2026-03-29T03:30:00+02:00"}, // there is no half past two
		{berlin, 2*time.Hour + 30*time.Minute, "2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"}, // there are two: one is enough
	} {
		after, err := time.Parse(time.RFC3339, tt.after)
		if err != nil {
			t.Fatal(err)
		}
		if got := (Plan{At: tt.at, Zone: tt.zone}).next(after).Format(time.RFC3339); got != tt.want {
			t.Errorf("after %s comes %s, want %s", tt.after, got, tt.want)
		}
	}
}
