package store_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

var histories = flag.Int("histories", 12, "random histories in TestLinearizable")

// Whatever is submitted and looked up at the same time, while callers go away, functions
// fail and the process is closed or killed: there is an order of all of it, one after the
// other, in which every caller was told the truth.
func TestLinearizable(t *testing.T) {
	n := *histories
	if testing.Short() {
		n = min(n, 10)
	}
	var all linearCounts
	for i := range n {
		h := newTraffic(t, uint64(i))
		h.record()
		h.verify()
		all.add(h.counts)
	}
	t.Logf("%d histories: %v", n, all)
	if missing := all.missing(); n >= 10 && len(missing) > 0 {
		t.Errorf("that never happened, so that it was not tried: %q", missing)
	}
}

// linearCounts says how often each kind of answer was given, by its name.
type linearCounts map[string]int

func (c *linearCounts) add(more linearCounts) {
	if *c == nil {
		*c = linearCounts{}
	}
	for name, n := range more {
		(*c)[name] += n
	}
}

func (c linearCounts) missing() (names []string) {
	for _, name := range []string{"recorded", "repeated", "conflict", "left", "failed", "panicked", "withdrawn", "closed", "unknown", "not found", "in progress", "found", "process closed", "process killed"} {
		if c[name] == 0 {
			names = append(names, name)
		}
	}
	return names
}

const (
	linearClients = 6
	linearLives   = 4   // of the process in one history
	linearOps     = 120 // of all clients in one life, about
	linearPerKey  = 24  // submissions and look-ups of one key, about
)

// traffic is what clients did with one file and what they were told. Times are the
// ticks of a counter, of which no two are the same.
type traffic struct {
	t      *testing.T
	seed   uint64
	dir    string
	clock  atomic.Int64
	begun  atomic.Int64 // operations, of all lives
	counts linearCounts
	lives  int

	mu   sync.Mutex
	keys map[string]*keyHistory
}

// keyHistory is what happened to one key.
type keyHistory struct {
	submissions int
	ops         []porcupine.Operation
}

func newTraffic(t *testing.T, seed uint64) *traffic {
	return &traffic{t: t, seed: seed, dir: t.TempDir(), keys: map[string]*keyHistory{}, counts: linearCounts{}}
}

func (h *traffic) open(path string) *store.Store {
	h.t.Helper()
	s, err := store.Open(path, store.Options{NoSync: h.seed%3 > 0, Inspector: []string{"true"}, Fatal: func(err error) { h.t.Errorf("fatal: %v", err) }})
	if err != nil {
		h.t.Fatal(err)
	}
	return s
}

// record lets the clients work through the lives of the process.
func (h *traffic) record() {
	h.t.Helper()
	rnd := rand.New(rand.NewPCG(h.seed, 0))
	path := filepath.Join(h.dir, "ichido.db")
	for h.lives = range linearLives {
		s := h.open(path)
		p := &process{traffic: h, store: s}
		var clients sync.WaitGroup
		for i := range linearClients {
			clients.Go(func() { p.client(rand.New(rand.NewPCG(h.seed, uint64(100*h.lives+i+1)))) })
		}
		end := h.begun.Load() + linearOps
		for h.begun.Load() < end {
			time.Sleep(50 * time.Microsecond)
		}
		if rnd.IntN(2) == 0 {
			h.counts["process closed"]++
		} else {
			h.counts["process killed"]++
			path = p.kill(filepath.Join(h.dir, fmt.Sprint(h.lives, ".db")))
		}
		if err := s.Close(); err != nil {
			h.t.Error(err)
		}
		clients.Wait()
		h.settle(p)
	}
	h.lookAtAll(path)
}

// lookAtAll tells at the end what is there, compares it with the rows and has all else
// checked.
func (h *traffic) lookAtAll(path string) {
	h.t.Helper()
	s := h.open(path)
	defer s.Close()
	p := &process{traffic: h, store: s}
	var want []string
	for key := range h.keys {
		if result, ok := p.lookup(key); !ok {
			h.t.Error("nothing can be looked up at the end")
		} else if result.state == store.Found {
			want = append(want, fmt.Sprintf("%d %s 100", result.number, key))
		}
	}
	h.settle(p)
	got := storetest.Rows(h.t, s)
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) {
		h.t.Errorf("seed %d: the rows are\n\t%s\nand by the receipts\n\t%s", h.seed, strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
	if err := s.Check(); err != nil {
		h.t.Error(err)
	}
}

// settle adds what the process was seen to do. What nobody was told did happen before it
// was dead, or not at all.
func (h *traffic) settle(p *process) {
	for _, op := range p.ops {
		if op.result.unknown {
			op.returned = p.dead.Load()
			op.accepted = min(op.accepted, op.returned)
			h.counts["unknown"]++
		} else {
			h.counts[op.result.name()]++
		}
		k := h.keys[op.key]
		if op.kind == linearLookup {
			k.ops = append(k.ops, porcupine.Operation{Input: op.linearInput, Call: op.called, Output: op.result, Return: op.returned})
			continue
		}
		// A submission is two steps: from the first to the second it is under way. The
		// first is over when it is in the queue.
		accept := op.linearInput
		accept.kind = linearAccept
		k.ops = append(k.ops,
			porcupine.Operation{Input: accept, Call: op.called, Output: op.result, Return: op.accepted},
			porcupine.Operation{Input: op.linearInput, Call: op.called, Output: op.result, Return: op.returned})
	}
}

// verify has the history of each key checked, and that no number is given out twice.
func (h *traffic) verify() {
	h.t.Helper()
	owner := map[ledger.ReceiptNumber]string{}
	for key, k := range h.keys {
		if result := porcupine.CheckOperationsTimeout(receiptModel, k.ops, time.Minute); result != porcupine.Ok {
			h.t.Errorf("seed %d: the history of the key is not linearizable (%s):\n%s", h.seed, result, tellHistory(k.ops))
		}
		for _, op := range k.ops {
			n := op.Output.(linearResult).number
			if other, used := owner[n]; n != 0 && used && other != key {
				h.t.Errorf("seed %d: receipt %d is that of %q and that of %q", h.seed, n, other, key)
			}
			owner[n] = key
		}
	}
}

// process is the store from its opening to its end.
type process struct {
	*traffic
	store  *store.Store
	killed atomic.Bool
	dead   atomic.Int64 // when nothing came of it any more

	mu  sync.Mutex
	ops []linearOp
}

// kill leaves a copy of the file as it is if the process dies at this moment, and lets
// nobody hear of what it does from now on.
func (p *process) kill(path string) string {
	p.t.Helper()
	p.killed.Store(true)
	err := p.store.CopyAsKilled(path)
	p.dead.Store(p.clock.Add(1))
	if err != nil {
		p.t.Fatal(err)
	}
	return path
}

// client submits and looks up until the process has ended. At one time all have to do
// with the same few keys.
func (p *process) client(rnd *rand.Rand) {
	for {
		n := int(p.begun.Add(1))
		key := fmt.Sprintf("key%03d", n/linearPerKey+rnd.IntN(3))
		p.know(key)
		if rnd.IntN(3) == 0 {
			if _, ok := p.lookup(key); !ok {
				return
			}
		} else if !p.submit(key, rnd) {
			return
		}
	}
}

func (p *process) know(key string) {
	p.traffic.mu.Lock()
	defer p.traffic.mu.Unlock()
	if p.keys[key] == nil {
		p.keys[key] = &keyHistory{}
	}
}

// lookup reports false if the process has ended.
func (p *process) lookup(key string) (linearResult, bool) {
	op := linearOp{linearInput: linearInput{kind: linearLookup}, key: key, called: p.clock.Add(1)}
	r, state, err := p.store.Lookup("line", key)
	if p.killed.Load() || errors.Is(err, store.ErrClosed) {
		return linearResult{}, false // nobody has seen it
	}
	op.result = linearResult{state: state, number: r.Number, digest: string(r.Digest)}
	if err != nil {
		p.t.Errorf("looking up: %v", err)
	}
	p.told(op)
	return op.result, true
}

// submit submits the key with one of two contents. Sometimes the function fails, or the
// caller goes away. It reports false if the process has ended.
func (p *process) submit(key string, rnd *rand.Rand) bool {
	digest := store.NewDigest([]string{"a", "a", "b"}[rnd.IntN(3)])
	end := []error{nil, nil, nil, nil, errApply, store.Leave, store.ErrPanic}[rnd.IntN(7)]
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if rnd.IntN(5) == 0 {
		time.AfterFunc(time.Duration(rnd.IntN(200))*time.Microsecond, cancel)
	}
	p.traffic.mu.Lock()
	id := p.keys[key].submissions
	p.keys[key].submissions++
	p.traffic.mu.Unlock()
	if id >= 64 {
		p.t.Error("too many submissions of one key for the model")
		return false
	}
	op := linearOp{linearInput: linearInput{kind: linearSettle, id: id, digest: string(digest), end: end}, key: key, called: p.clock.Add(1)}
	if p.killed.Load() {
		return false
	}
	req := store.Request{Scope: "line", Key: key, Digest: digest, At: storetest.Noon, Person: storetest.Taro, Admit: true}
	submission := p.store.Enqueue(ctx, req, apply(key, end, rnd.IntN(2) == 0, rnd.IntN(8) == 0))
	op.accepted = p.clock.Add(1)
	for range rnd.IntN(4) {
		p.lookup(key)
	}
	r, outcome, err := submission.Wait(ctx)
	op.result = linearResult{outcome: outcome, number: r.Number, digest: string(r.Digest), err: err}
	if p.killed.Load() {
		op.result = linearResult{unknown: true}
	} else if !slices.Contains([]error{nil, errApply, store.ErrPanic, context.Canceled, store.ErrClosed}, err) {
		p.t.Errorf("submitting: %v", err)
	}
	p.told(op)
	return !op.result.unknown && !errors.Is(err, store.ErrClosed)
}

var errApply = errors.New("the function fails")

// apply records the key as an item, or fails in some way, before or after it has written.
func apply(key string, end error, writes, slow bool) func(*store.Tx) error {
	return func(tx *store.Tx) error {
		if slow {
			time.Sleep(100 * time.Microsecond)
		}
		if end == nil || writes {
			if err := storetest.Spend(key, 100, storetest.Noon)(tx); err != nil {
				return err
			}
		}
		if end == store.ErrPanic {
			panic("the function panics")
		}
		return end
	}
}

// told notes what a caller was told, at the moment when it was.
func (p *process) told(op linearOp) {
	op.returned = p.clock.Add(1)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ops = append(p.ops, op)
}

// CopyAsKilled must not see half a commit, and what was answered.
func TestCopyAsKilled(t *testing.T) {
	s := storetest.New(t)
	storetest.Submit(t, s, lunch("a"), storetest.Spend("ランチ", 900, storetest.Noon))
	path := filepath.Join(t.TempDir(), "copy.db")
	if err := s.CopyAsKilled(path); err != nil {
		t.Fatal(err)
	}
	storetest.WantRows(t, storetest.Open(t, path), "1 ランチ 900")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the copy is %v, %v", info, err)
	}
}
