// Package sim plays the whole program against a simulated world: a household of two or
// three people who talk with the bot in LINE, alone and in a group, and use the form and
// the API; a LINE that duplicates, reorders, delays, drops and sends again, and loses,
// refuses and delays answers; a process that dies at any commit and at any call and comes
// back on the file that it left, or on a copy of an earlier one; clocks that jump.
//
// There are no sockets and no real time: everything of a run happens in one bubble of
// testing/synctest, where all delays come from the run's seed, so that a seed plays the
// same again (TestSameSeedSameRun). In the end the ledger must be that of a small
// model (model_test.go), and the chats must show what is true, once (verdict_test.go).
//
//	go test ./internal/sim -seeds 1000            many runs
//	go test ./internal/sim -run Simulation -seed 7 -v    one again, with its trace
package sim

import (
	"flag"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"ichido/store/storetest"
)

var (
	seeds = flag.Uint64("seeds", 40, "runs of TestSimulation")
	seed  = flag.Uint64("seed", 0, "the only seed that TestSimulation plays, and traces; 0 is all")
	steps = flag.Int("steps", 800, "steps of a run at the least: see world.step")
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	storetest.Main(m)
}

// enough are so many runs that everything must have happened that can go wrong.
const enough = 40

func TestSimulation(t *testing.T) {
	first, last := uint64(1), *seeds
	if *seed != 0 {
		first, last = *seed, *seed
	}
	if testing.Short() {
		last = min(last, first+9)
	}
	happened := tally{}
	t.Run("seed", func(t *testing.T) {
		for n := first; n <= last; n++ {
			t.Run(fmt.Sprint(n), func(t *testing.T) {
				t.Parallel()
				var w *world
				t.Cleanup(func() { // a failure in the bubble ends the test
					happened.add(w.happened.count)
					happened.add(map[string]int{"steps": int(w.steps.Load())})
					if *seed != 0 {
						t.Logf("seed %d:\n%s", n, strings.Join(w.trace, "\n"))
					} else if t.Failed() {
						t.Logf("play it again: go test ./internal/sim -run Simulation -seed %d -v", n)
					}
				})
				play(t, n, &w)
			})
		}
	})
	t.Logf("%d runs: %v", last-first+1, &happened)
	if last-first+1 < enough {
		return
	}
	for _, what := range mustHappen {
		if happened.count[what] == 0 {
			t.Errorf("in %d runs this never happened: %s", last-first+1, what)
		}
	}
}

// A seed plays the same whenever it is played, but for loose runs. Which submissions share a
// commit is left to the scheduler of Go, and on a machine that does much else it sometimes
// shows: then a third run must be like one of the two.
func TestSameSeedSameRun(t *testing.T) {
	for _, n := range []uint64{1, 2, 3, 5, 6, 7} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			trace := func() []string {
				var w *world
				play(t, n, &w)
				return w.trace
			}
			first, second := trace(), trace()
			i := differsAt(first, second)
			if i < 0 {
				return
			}
			t.Logf("line %d is another one:\n%q\n%q", i, first[min(i, len(first)):min(i+3, len(first))], second[min(i, len(second)):min(i+3, len(second))])
			if third := trace(); differsAt(first, third) >= 0 && differsAt(second, third) >= 0 {
				t.Error("no two of three runs are alike")
			}
		})
	}
}

// differsAt is the first line in which traces differ, or -1.
func differsAt(a, b []string) int {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			return i
		}
	}
	return -1
}

// play is one run, from the first start to the verdict.
func play(t *testing.T, seed uint64, played **world) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, seed)
		*played = w
		for most := *steps * 4 / 5; w.steps.Load() < int64(*steps); most = *steps {
			w.live(most) // and what comes to rest are steps, too
			w.rest()
		}
		w.judge()
		w.end()
	})
}

// tally counts what has happened, by its name.
type tally struct {
	mu    sync.Mutex
	count map[string]int
}

func (t *tally) note(what string) { t.add(map[string]int{what: 1}) }

func (t *tally) add(count map[string]int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.count == nil {
		t.count = map[string]int{}
	}
	for what, n := range count {
		t.count[what] += n
	}
}

func (t *tally) String() string {
	var parts []string
	for _, what := range slices.Sorted(maps.Keys(t.count)) {
		parts = append(parts, fmt.Sprintf("%s %d", what, t.count[what]))
	}
	return strings.Join(parts, ", ")
}
