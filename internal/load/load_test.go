package load

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestSchedules(t *testing.T) {
	constant := Constant(100, 2*time.Second)
	if len(constant) != 200 || constant[0] != 0 || constant[199] != 1990*time.Millisecond {
		t.Errorf("a constant schedule of %d, from %v to %v", len(constant), constant[0], constant[len(constant)-1])
	}
	random := Poisson(1000, 100*time.Second, rand.New(rand.NewPCG(1, 2)))
	if n := float64(len(random)); math.Abs(n-100_000) > 5*math.Sqrt(100_000) {
		t.Errorf("%v arrivals in 100 seconds at 1000 a second", n)
	}
	if !slices.IsSorted(random) {
		t.Error("arrivals are not in order")
	}
	// Of such distances 1/e are longer than the average; of equal ones none.
	longer := 0
	for i := range random[1:] {
		if random[i+1]-random[i] > time.Millisecond {
			longer++
		}
	}
	if part := float64(longer) / float64(len(random)); math.Abs(part-1/math.E) > 0.01 {
		t.Errorf("%.3f of the distances are longer than the average", part)
	}
}

// A server that stands still for a second, in a time in which an event is due each 10
// ms: who measures each call by itself sees one slow call in 200, an unhurt median and
// p99; from the intended time half of them are late.
func TestStallIsCharged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stall := time.Now().Add(time.Second)
		server := make(chan struct{}, 1)
		report := Run(t.Context(), Constant(100, 2*time.Second), func(_ context.Context, i int) error {
			server <- struct{}{}
			defer func() { <-server }()
			if i == 0 {
				time.Sleep(time.Until(stall))
			}
			time.Sleep(time.Millisecond)
			if i == 7 {
				return errors.New("refused")
			}
			return nil
		})
		if report.Sent != 200 || report.Failed != 1 || report.Error == nil || report.Late != 0 {
			t.Errorf("%v, %v late", report, report.Late)
		}
		if p50, p99 := report.Quantile(0.5), report.Quantile(0.99); p50 < 30*time.Millisecond || p99 < 900*time.Millisecond {
			t.Errorf("a stall of a second is not charged to those that it held up: %v", report)
		}
	})
}

func TestRunEndsWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 55*time.Millisecond)
		defer cancel()
		report := Run(ctx, Constant(100, time.Hour), func(context.Context, int) error { return nil })
		if report.Sent != 6 || report.Failed != 0 {
			t.Errorf("%v, want 6 sent", report)
		}
	})
}
