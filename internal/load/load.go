// Package load sends events at times that are fixed beforehand, and measures how long
// each takes from the time at which it should have been sent.
//
// So arrives what people send: it does not wait until earlier messages have been
// answered. A server that stalls for a second is charged with the second by all events
// of that second, and not only by the one that it stalled on (no coordinated omission).
// Its tests put the real program under load, with a LINE on loopback.
package load

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// Constant is a schedule of arrivals at the same distance, as offsets from its begin.
func Constant(rate float64, span time.Duration) []time.Duration {
	schedule := make([]time.Duration, int(rate*span.Seconds()))
	for i := range schedule {
		schedule[i] = time.Duration(float64(i) / rate * float64(time.Second))
	}
	return schedule
}

// Poisson is a schedule of arrivals that know nothing of one another, as many in a
// second as rate says on the average.
func Poisson(rate float64, span time.Duration, random *rand.Rand) (schedule []time.Duration) {
	at := time.Duration(0)
	for {
		at += time.Duration(random.ExpFloat64() / rate * float64(time.Second))
		if at >= span {
			return schedule
		}
		schedule = append(schedule, at)
	}
}

// Report is what became of a schedule.
type Report struct {
	Sent   int
	Failed int           // of them
	Error  error         // of one that failed
	Late   time.Duration // the latest of the generator's own beginnings: more than a few milliseconds make the rest doubtful

	took []time.Duration // sorted, from the intended time, failed ones included
}

// Run calls send for each time of the schedule, at that time, however many calls are
// still under way, and waits for all of them. It ends early with ctx.
func Run(ctx context.Context, schedule []time.Duration, send func(ctx context.Context, i int) error) Report {
	var (
		mu    sync.Mutex
		r     Report
		calls sync.WaitGroup
	)
	began := time.Now()
	for i, offset := range schedule {
		due := began.Add(offset)
		if !sleepUntil(ctx, due) {
			break
		}
		r.Late = max(r.Late, time.Since(due))
		r.Sent++
		calls.Go(func() {
			err := send(ctx, i)
			took := time.Since(due)
			mu.Lock()
			defer mu.Unlock()
			r.took = append(r.took, took)
			if err != nil {
				r.Failed++
				r.Error = err
			}
		})
	}
	calls.Wait()
	slices.Sort(r.took)
	return r
}

func sleepUntil(ctx context.Context, due time.Time) bool {
	timer := time.NewTimer(time.Until(due))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// Quantile is the time within which this part of the events has ended: 0.99 is the 99th
// percentile. It is 0 if there were none.
func (r Report) Quantile(part float64) time.Duration {
	if len(r.took) == 0 {
		return 0
	}
	return r.took[min(int(part*float64(len(r.took))), len(r.took)-1)]
}

// String is the report in one line.
func (r Report) String() string {
	s := fmt.Sprintf("%d sent, %d failed; p50 %.1f ms, p99 %.1f ms, worst %.1f ms", r.Sent, r.Failed,
		millis(r.Quantile(0.5)), millis(r.Quantile(0.99)), millis(r.Quantile(1)))
	if r.Error != nil {
		s += fmt.Sprintf(" (%v)", r.Error)
	}
	return s
}

func millis(d time.Duration) float64 { return d.Seconds() * 1000 }
