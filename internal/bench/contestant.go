package main

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// contestant is a way to record purchases.
type contestant struct {
	name  string // as the table has it
	about string // what it does for one purchase, and its settings

	// start opens an empty ledger in the directory.
	start func(setting) (ledger, error)

	// absent says why the contestant can't take part on this machine, "" if it can.
	// Nil means that it always can.
	absent func() string

	alone bool // it is measured with one client only
}

// contestants, in the order of the table. The first is what all are compared with.
var contestants = []contestant{floor, floorOfTwo, ichidoSubmit, boltUpdate, boltBatch, sqlite, ichidoServe, ichidoAnswers, phpMariaDB}

func (c contestant) clients() []int {
	if c.alone {
		return clientCounts[:1]
	}
	return clientCounts
}

// setting is what a contestant is measured with.
type setting struct {
	dir     string // empty, on the disk
	ichido  string // the built program
	clients int
	span    time.Duration
}

// ledger is a contestant at work.
type ledger interface {
	// client returns the function of one client: it records purchase n, and comes back
	// when that is durable. Each n comes once, and any client may get it.
	client() (record func(n int) error, err error)
	// processes are those whose memory counts.
	processes() []int
	// close ends the work and says how many purchases are recorded.
	close() (rows int, err error)
}

// limited is a ledger that can record only so many purchases, which it has prepared.
type limited interface{ limit() int }

// result is what was measured.
type result struct {
	PerSecond float64
	P50, P99  time.Duration
	Memory    int64 // bytes at the peak, what is shared divided among those who share it
	Anonymous int64 // of it what is no part of a file
}

// measure lets the clients record for the span, after a tenth of it to warm up, and looks
// whether all is there that was acknowledged.
func (c contestant) measure(s setting) (r result, err error) {
	l, err := c.start(s)
	if err != nil {
		return result{}, err
	}
	records := make([]func(int) error, s.clients)
	for i := range records {
		if records[i], err = l.client(); err != nil {
			l.close()
			return result{}, err
		}
	}
	watch := watchMemory(l.processes())
	run := work(records, limit(l), s.span/10, s.span)
	memory := watch.stop()
	rows, err := l.close()
	switch {
	case run.err != nil:
		return result{}, run.err
	case err != nil:
		return result{}, err
	case rows != run.done:
		return result{}, fmt.Errorf("%d purchases were acknowledged, and %d are recorded", run.done, rows)
	}
	r = run.result()
	r.Memory, r.Anonymous = memory.all, memory.anonymous
	return r, nil
}

func limit(l ledger) int {
	if l, ok := l.(limited); ok {
		return l.limit()
	}
	return 1 << 40
}

// measured is what the clients of one run have seen.
type measured struct {
	done    int             // purchases that were acknowledged
	took    []time.Duration // for each that began after the warm-up
	elapsed time.Duration   // from the end of the warm-up to the last answer
	err     error
}

// work has each client record one purchase after the other until the time is over or
// there are no more.
func work(records []func(int) error, most int, warmUp, span time.Duration) measured {
	var next, done atomic.Int64
	seen := make([]measured, len(records))
	begin := time.Now().Add(warmUp)
	var clients sync.WaitGroup
	for i, record := range records {
		clients.Go(func() {
			own := &seen[i]
			for {
				n := int(next.Add(1)) - 1
				sent := time.Now()
				if n >= most || sent.Sub(begin) >= span {
					return
				}
				if own.err = record(n); own.err != nil {
					return
				}
				done.Add(1)
				if took := time.Since(sent); sent.After(begin) {
					own.took = append(own.took, took)
				}
			}
		})
	}
	clients.Wait()
	all := measured{done: int(done.Load()), elapsed: time.Since(begin)}
	for _, one := range seen {
		all.took = append(all.took, one.took...)
		if all.err == nil {
			all.err = one.err
		}
	}
	if len(all.took) == 0 && all.err == nil {
		all.err = fmt.Errorf("nothing was recorded in %v", span)
	}
	return all
}

func (m measured) result() result {
	slices.Sort(m.took)
	return result{
		PerSecond: float64(len(m.took)) / m.elapsed.Seconds(),
		P50:       m.took[len(m.took)/2],
		P99:       m.took[len(m.took)*99/100],
	}
}
