package bot

import (
	"errors"
	"testing"
	"time"

	"ichido/store"
	"ichido/store/storetest"
)

// What the bot does for a message must not grow with what is in the file. Counted are
// allocations, which are the same on every machine: reading and writing a record takes
// some, as does going through a page. A file of two more years has as much in each month.
func TestNothingGrowsWithTheFile(t *testing.T) {
	rows := func(until time.Time) int {
		return int(until.Sub(time.Date(1927, 1, 1, 3, 0, 0, 0, time.UTC)) / (50 * time.Minute))
	}
	small, large := time.Date(1927, 5, 31, 12, 0, 0, 0, time.UTC), time.Date(1929, 5, 31, 12, 0, 0, 0, time.UTC)
	texts := []string{"ランチ 900", "今月", "取消", "一覧", "残高", "さっきのは950円", "財布 3000", "予算"}
	few := allocations(t, storetest.Filled(t, rows(small)), small, texts)
	many := allocations(t, storetest.Filled(t, rows(large)), large, texts)
	for _, text := range texts {
		t.Logf("%s: %.0f allocations in %d rows, %.0f in %d", text, few[text], rows(small), many[text], rows(large))
		// The trees are one page higher at most.
		if limit := few[text]*1.25 + 50; many[text] > limit {
			t.Errorf("%s: %.0f allocations in a file of %d rows, %.0f in one of %d", text, few[text], rows(small), many[text], rows(large))
		}
	}
}

// allocations says how many each message needs, as an event of its own that is taken back
// in the end.
func allocations(t *testing.T, path string, at time.Time, texts []string) map[string]float64 {
	t.Helper()
	s, err := store.Open(path, store.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	taro := storetest.Lunch(0, at).Person
	b, counts := New(time.UTC), map[string]float64{}
	for _, text := range texts {
		counts[text] = testing.AllocsPerRun(3, func() {
			_, _, err = s.Submit(t.Context(), store.Request{Scope: "talk", At: at, Person: taro, Admit: true}, func(tx *store.Tx) error {
				reply, err := b.Handle(tx, Message{Text: text, At: at, Direct: true})
				if err == nil && reply.Text() == "" {
					err = errors.New("no answer")
				}
				return errors.Join(err, errMeasured)
			})
			if !errors.Is(err, errMeasured) {
				t.Fatalf("%s: %v", text, err)
			}
		})
	}
	return counts
}
