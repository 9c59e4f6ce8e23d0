package powercut_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"ichido/internal/powercut"
)

// never is a line after all others.
const never = math.MaxInt

// event is what the record tells of an event. Its key is its scope and key.
type event struct {
	key          string
	acknowledged int // from this line on its receipt must be there

	// From the line said on, an attempt at its answer has begun, which the file must know.
	// Until the line waits the answer must be in the outbox as soon as the receipt is
	// there; 0: it has none.
	said, waits int
}

// trial has states opened and compares them with what was promised.
type trial struct {
	t      *testing.T
	events []*event

	mu     sync.Mutex
	opened map[[sha256.Size]byte]*facts
	known  map[string]*facts // by their JSON
	end    map[string]fact   // what the run ended with, by keys

	tried    []*powercut.State
	problems map[string]int    // how often, by kind
	examples map[string]string // the first of each
}

// run tries states of the replay and notes what is wrong with them.
func (tr *trial) run(r powercut.Replay, states int) {
	tr.t.Helper()
	tr.opened, tr.known = map[[sha256.Size]byte]*facts{}, map[string]*facts{}
	tr.problems, tr.examples = map[string]int{}, map[string]string{}
	cuts, open, err := r.Cuts()
	if err != nil {
		tr.t.Fatal(err)
	}
	if open == 0 {
		tr.t.Fatal("nothing happened to the file")
	}
	r.PerCut = float64(states) / float64(open)
	jobs := make(chan *powercut.State)
	var openers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		openers.Go(func() { tr.work(jobs) })
	}
	seen := map[[sha256.Size]byte]bool{}
	err = r.States(func(s *powercut.State) error {
		tr.tried = append(tr.tried, s)
		if seen[s.Hash] {
			s.Forget()
			return nil
		}
		seen[s.Hash] = true
		jobs <- s
		return nil
	})
	close(jobs)
	openers.Wait()
	if err != nil {
		tr.t.Fatal(err)
	}
	tr.judge()
	tr.t.Logf("%d states at %d moments, %d different files", len(tr.tried), cuts, len(seen))
}

func (tr *trial) work(jobs <-chan *powercut.State) {
	o := &opener{dir: fastDir(tr.t)}
	defer o.stop()
	for s := range jobs {
		said, err := o.open(s)
		if err != nil {
			tr.t.Error(err)
			continue
		}
		tr.mu.Lock()
		f := tr.known[string(said)]
		if f == nil {
			f = &facts{}
			if err := json.Unmarshal(said, f); err != nil {
				tr.t.Errorf("the process that opens says %q: %v", said, err)
			}
			tr.known[string(said)] = f
		}
		tr.opened[s.Hash] = f
		tr.mu.Unlock()
		s.Forget()
	}
}

// judge compares each state with what was promised. What the last one has that is sound is
// what any other may have of it.
func (tr *trial) judge() {
	for _, s := range slices.Backward(tr.tried) {
		if f := tr.opened[s.Hash]; f != nil && f.Problem == "" && tr.end == nil {
			tr.end = f.Receipts
		}
	}
	for _, s := range tr.tried {
		kind, err := tr.compare(s)
		if err == nil {
			continue
		}
		if tr.problems[kind]++; tr.problems[kind] == 1 {
			tr.examples[kind] = fmt.Sprintf("after line %d: %v\non the disk of what was not durable: %s", s.Line, err, s.How)
		}
	}
}

// compare says what is wrong with the state, and of what kind that is.
func (tr *trial) compare(s *powercut.State) (kind string, err error) {
	f := tr.opened[s.Hash]
	switch {
	case f == nil:
		return "unopened", fmt.Errorf("it was not opened")
	case f.Problem != "":
		return "unsound", fmt.Errorf("%s", f.Problem)
	}
	for _, e := range tr.events {
		got, there := f.Receipts[e.key]
		doubt, waits := f.Unsaid[got.Number]
		switch {
		case !there && e.acknowledged <= s.Line:
			return "lost", fmt.Errorf("the acknowledged %q is not there", e.key)
		case there && s.Line < e.waits && !waits:
			return "half", fmt.Errorf("%q is there and its answer is not", e.key)
		case there && e.said <= s.Line && waits && !doubt:
			return "forgotten", fmt.Errorf("the file does not know that an attempt at the answer to %q has begun", e.key)
		}
	}
	for key, got := range f.Receipts {
		if want, known := tr.end[key]; known && got != want {
			return "half", fmt.Errorf("%q is %+v, and %+v at the end", key, got, want)
		}
	}
	return "", nil
}

// sound fails the test if anything was wrong, or too little was tried.
func (tr *trial) sound(least int) {
	tr.t.Helper()
	if len(tr.tried) < least {
		tr.t.Errorf("%d states were tried, %d should have been", len(tr.tried), least)
	}
	for _, kind := range slices.Sorted(maps.Keys(tr.problems)) {
		tr.t.Errorf("%s, %d times, first %s", kind, tr.problems[kind], tr.examples[kind])
	}
}

// red fails the test if nothing of these kinds was wrong.
func (tr *trial) red(kinds ...string) {
	tr.t.Helper()
	for _, kind := range kinds {
		if tr.problems[kind] == 0 {
			tr.t.Errorf("nothing is %s on a disk that lies", kind)
		}
	}
	tr.t.Log(tr.problems)
}

// metas says of a sync whether it is for a meta page, which stands in the first two.
func metas(offsets []int64) bool {
	return len(offsets) > 0 && !slices.ContainsFunc(offsets, func(at int64) bool { return at >= 2*4096 })
}

// lies are disks on which the checks must fail, and how.
var lies = map[string]struct {
	lie  func(sync *powercut.Call, offsets []int64) bool
	reds []string
}{
	"nothing is synced":         {func(*powercut.Call, []int64) bool { return true }, []string{"lost"}},
	"meta pages are not":        {func(_ *powercut.Call, offsets []int64) bool { return metas(offsets) }, []string{"lost"}},
	"what they point to is not": {func(_ *powercut.Call, offsets []int64) bool { return len(offsets) > 0 && !metas(offsets) }, []string{"unsound"}},
	"directories are not":       {func(_ *powercut.Call, offsets []int64) bool { return len(offsets) == 0 }, []string{"lost"}},
}

// tryLies shows that the checks would see a sync that is missing.
func tryLies(t *testing.T, r powercut.Replay, events []*event) {
	for name, lie := range lies {
		t.Run(name, func(t *testing.T) {
			tr := &trial{t: t, events: events}
			r := r
			r.Lie = lie.lie
			tr.run(r, 200)
			tr.red(lie.reds...)
		})
	}
}

// A program that does nothing but use the store, as much as it can.
func TestPowerCutBusy(t *testing.T) {
	calls, dir := record(t, "busy", func([]*powercut.Call) error { return nil })
	var events, backedUp []*event
	backup := never
	for line, said := range powercut.Written(calls, "ack ") {
		if said == "ack backup" {
			backup = line
			continue
		}
		e := &event{key: strings.TrimPrefix(said, "ack "), acknowledged: line, said: never}
		events = append(events, e)
		if strings.HasPrefix(e.key, "line said 0") { // recorded before the backup was begun
			copied := *e
			backedUp = append(backedUp, &copied)
		}
	}
	if len(events) < 100 || len(backedUp) < 20 || backup == never {
		t.Errorf("only %d events were acknowledged, %d before the backup at line %d", len(events), len(backedUp), backup)
	}
	for _, e := range backedUp {
		e.acknowledged = backup
	}
	for _, e := range events {
		unsent := strings.Replace(e.key, "line said ", "line unsent ", 1)
		if !slices.ContainsFunc(events, func(other *event) bool { return other.key == unsent }) && strings.HasPrefix(e.key, "line said ") {
			e.waits = never
		}
	}
	ledger := powercut.Replay{Calls: calls, Root: dir, Path: dir + "/home/ledger/ichido.db"}
	tryCuts(t, ledger, dir+"/home/backup.db", events, backedUp)
	if *wanted >= 1000 { // else those of the other run must do
		tryLies(t, ledger, events)
	}
}

// tryCuts tries cuts of the ledger and of the backup that the same run has made.
func tryCuts(t *testing.T, ledger powercut.Replay, backup string, events, backedUp []*event) {
	t.Run("ledger", func(t *testing.T) {
		tr := &trial{t: t, events: events}
		tr.run(ledger, *wanted)
		tr.sound(*wanted * 4 / 5) // chance decides how many of few
	})
	t.Run("backup", func(t *testing.T) {
		tr := &trial{t: t, events: backedUp}
		tr.run(powercut.Replay{Calls: ledger.Calls, Root: ledger.Root, Path: backup}, *wanted/10)
		tr.sound(1)
	})
}
