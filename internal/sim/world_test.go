package sim

import (
	"fmt"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ichido/internal/linesim"
	"ichido/store"
)

var tokyo = func() *time.Location {
	zone, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		panic(err)
	}
	return zone
}()

// host is where browsers find the program.
const host = "ichido.example"

// world is a household, its program, and LINE. Its driver is the goroutine of the test.
type world struct {
	t *testing.T
	chance
	dir      string
	buried   sync.WaitGroup          // dead processes that are not gone yet
	files    int                     // so many paths have been used
	process  atomic.Pointer[process] // nil while none runs
	platform *linesim.Platform
	line     http.RoundTripper // to the platform
	people   []string          // LINE's IDs
	group    string
	names    int // items that have been named

	mu       sync.Mutex // over the deeds' deliveries, clients and trace
	deeds    []*deed
	clients  map[string]*client
	weather  weather
	armed    atomic.Pointer[death]
	skew     atomic.Int64 // of the store's clock, nanoseconds
	backup   *backup      // the latest; nil: none yet
	lost     []lostReceipt
	restores int
	about    map[string]string // LINE's ID of a message, or a key, by what it says: an item, or a balance
	steps    atomic.Int64      // what has happened at the program's edges: see step
	resting  atomic.Bool       // nothing bad happens any more
	burst    atomic.Int64      // when a webhook with several events has come last, in nanoseconds

	happened tally
	trace    []string
}

func newWorld(t *testing.T, seed uint64) *world {
	w := &world{t: t, chance: newChance(seed), dir: t.TempDir(), group: linesim.GroupID("family"), clients: map[string]*client{}, about: map[string]string{}}
	time.Sleep(between(w.Rand, 0, 24*time.Hour))
	w.platform = linesim.New(linesim.Options{
		Webhook: "https://" + host + "/line/webhook", Client: &http.Client{Transport: roundTrip(w.webhook)},
	})
	w.platform.SetFault(faultOf)
	w.line = linesim.Transport(w.platform)
	for i := range 2 + w.IntN(2) {
		person := linesim.UserID(fmt.Sprint("person", i))
		w.people = append(w.people, person)
		w.platform.SetProfile(person, []string{"太郎", "花子", "次郎"}[i])
	}
	w.platform.SetMembers(w.group, w.people...)
	w.start(filepath.Join(w.dir, "0.db"), 0)
	for _, person := range w.people { // so that they are members, with names
		w.deliverSoon(w.add(&deed{kind: asked, event: w.platform.Text(person, "今日")}))
		w.pass(time.Minute)
	}
	return w
}

// tracef traces what happens.
func (w *world) tracef(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.trace = append(w.trace, clock(time.Now())+" "+fmt.Sprintf(format, args...))
}

// step counts and traces what happens at an edge of the program: a request that reaches it,
// a call that reaches LINE, a start, a death, a copy of its file, a jump of its clock. What
// it writes to its disk at one moment is a step, too: see beginTransaction.
func (w *world) step(format string, args ...any) {
	w.steps.Add(1)
	w.tracef(format, args...)
}

// clock is a moment in the household's time.
func clock(t time.Time) string { return t.In(tokyo).Format("02 15:04:05.000000") }

// pass lets time pass. A process that dies meanwhile is brought back.
func (w *world) pass(d time.Duration) {
	end := time.Now().Add(d)
	for left := d; left > 0; left = time.Until(end) {
		var died chan struct{}
		if p := w.process.Load(); p != nil {
			died = p.died
		}
		timer := time.NewTimer(left)
		select {
		case <-timer.C:
		case <-died:
			w.revive()
		}
		timer.Stop()
	}
}

// live is what the household and the world around it do.
func (w *world) live(steps int) {
	w.resting.Store(false)
	for w.steps.Load() < int64(steps) {
		w.pass(w.pause())
		w.misfortune()
		w.act()
	}
}

// pause is the time between two steps: mostly seconds, at times hours.
func (w *world) pause() time.Duration {
	switch n := w.IntN(100); {
	case n < 2:
		return between(w.Rand, time.Hour, 8*time.Hour)
	case n < 20:
		return between(w.Rand, time.Minute, 15*time.Minute)
	case n < 50:
		return between(w.Rand, time.Millisecond, time.Second)
	}
	return between(w.Rand, time.Second, time.Minute)
}

// rest ends all that is bad and gives everything the time to come to its end: what was
// not taken comes again, and half a day and a night pass.
func (w *world) rest() {
	w.resting.Store(true)
	w.weather.set(calm)
	w.armed.Store(nil)
	w.skew.Store(0)
	if p := w.process.Load(); p.full {
		p.kill()
	}
	for range 40 {
		w.pass(time.Minute)
		if w.allTaken() {
			break
		}
	}
	for range 26 { // half a day and a bit: nothing waits longer
		w.pass(30 * time.Minute)
		if w.allSaid() {
			break
		}
	}
	synctest.Wait()
}

// allSaid says whether nothing waits to be said.
func (w *world) allSaid() bool {
	waits := false
	err := w.process.Load().store.View(func(tx *store.Tx) error {
		return tx.PendingOutgoing(func(store.Outgoing) error {
			waits = true
			return nil
		})
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return !waits
}

// end closes the program.
func (w *world) end() {
	p := w.process.Swap(nil)
	p.dead.Store(true)
	p.bury()
	w.buried.Wait()
}
