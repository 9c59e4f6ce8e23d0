package cli

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"ichido/bot"
	"ichido/internal/linesim"
	"ichido/store"
)

// faultKind is how system calls on the household's files fail.
type faultKind struct {
	name  string
	calls []string // that can fail so; nil: all but reads
	least int      // fewer of them are in no run, however much is written at once
	harm  harm
	stays bool // all later ones fail, too, until the fault is lifted
}

// allocating are the calls that need room on the disk.
var allocating = []string{"mkdirat", "create", "pwrite64", "write", "ftruncate", "linkat", "renameat"}

var faultKinds = []faultKind{
	{name: "EIO", least: 15, harm: harm{errno: unix.EIO}},
	{name: "ENOSPC", least: 15, calls: allocating, harm: harm{errno: unix.ENOSPC}},
	{name: "EIO of reads", least: 2, calls: []string{"pread64"}, harm: harm{errno: unix.EIO}},
	{name: "half a write", least: 15, calls: []string{"pwrite64"}, harm: harm{half: true}},
	{name: "EIO from then on", least: 15, harm: harm{errno: unix.EIO}, stays: true},
	{name: "ENOSPC from then on", least: 15, calls: allocating, harm: harm{errno: unix.ENOSPC}, stays: true},
}

// fault harms the n-th of the calls that can fail so.
type fault struct {
	faultKind
	n int

	mu     sync.Mutex
	seen   int
	hit    string // the first call that was harmed
	lifted bool
}

func (f *fault) decide(c trapped) harm {
	f.mu.Lock()
	defer f.mu.Unlock()
	name := c.name
	if name == "openat" && c.args[2]&unix.O_CREAT != 0 {
		name = "create"
	}
	if f.lifted || f.calls == nil && name == "pread64" || f.calls != nil && !slices.Contains(f.calls, name) {
		return harm{}
	}
	f.seen++
	switch {
	case f.seen == f.n:
		f.hit = name + " " + filepath.Base(c.path)
		return f.harm
	case f.seen == f.n+1 && f.harm.half: // of the other half
		return harm{errno: unix.ENOSPC}
	case f.seen > f.n && f.stays:
		return f.harm
	}
	return harm{}
}

func (f *fault) lift() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lifted = true
}

func (f *fault) what() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.hit
}

// Each call on the household's files fails once, the first one in the first run, the next
// one in the next run, until a run has fewer: as SQLite is tested. Whatever the program
// makes of it, in the end all that was sent is there once and was told once, and what was
// acknowledged or told was there whenever the program came back.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, kind := range faultKinds {
		for _, fresh := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, fresh %t", kind.name, fresh), func(t *testing.T) {
				t.Parallel()
				sweep(t, kind, fresh)
			})
		}
	}
}

// sweep is all runs with faults of the kind; without -long, some of them.
func sweep(t *testing.T, kind faultKind, fresh bool) {
	ends := map[string]int{}
	tried := 0
	run := func(n int) (hit bool) {
		f := &fault{faultKind: kind, n: n}
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			h := newFaultHouse(t, f, fresh)
			h.play(ends)
			if hit = f.what() != ""; t.Failed() {
				t.Logf("what failed: %s", f.what())
			}
		})
		tried++
		return hit
	}
	defer func() { t.Logf("%d runs with faults; besides ending well: %v", tried, ends) }()
	if !*long {
		run(1 + rand.IntN(kind.least))
		return
	}
	n, step := 1, 1
	if kind.stays { // there is less to tell apart
		n, step = 1+rand.IntN(3), 3
	}
	for ; run(n) && !t.Failed(); n += step {
	}
	delete(ends, "end, 0")
	if n <= kind.least || len(ends) == 0 {
		t.Errorf("only %d calls can fail, and that came to %v", n, ends)
	}
}

// faultHouse is a served household on a disk that fails.
type faultHouse struct {
	*server
	t       *testing.T
	fault   *fault
	fresh   bool                // it begins without a file, and has no pages
	secrets map[string][]string // see makeHousehold
	items   []string            // sent in
	taken   map[string]bool     // of these, those that were acknowledged
	events  []linesim.Event
	entries []*entrySent
	ends    map[string]int // what came of the faults of all runs
	down    int            // how often the program has ended by itself, or not started
	broken  bool           // it has ended with 70
	serving bool           // it did so while it served
}

// entrySent is what was sent to the form or the API.
type entrySent struct {
	job    lostJob
	item   string
	number uint64 // the receipt that was told, 0 for none
}

func newFaultHouse(t *testing.T, f *fault, fresh bool) *faultHouse {
	h := &faultHouse{server: newServer(t), t: t, fault: f, fresh: fresh, taken: map[string]bool{}}
	h.users = h.users[:2]
	if !fresh {
		h.secrets = makeHousehold(t, h.db, h.users)
		h.env = append(h.env, "ICHIDO_PUBLIC_URL=http://"+h.listen)
	}
	h.trap = &trap{dir: filepath.Dir(h.db), decide: f.decide}
	return h
}

// play is one life of the household; ends counts what came of the fault.
func (h *faultHouse) play(ends map[string]int) {
	h.ends = ends
	h.up()
	h.send(0, 1)
	if !h.fresh {
		h.enter("form")
		h.send(0)
		h.enter("api")
	}
	h.send(1)
	h.untilTold()
	if h.process != nil && !h.ended() {
		before := h.fault.what()
		status := h.terminate()
		h.broken = h.broken || status == statusDisk
		h.note(fmt.Sprintf("end, %d", status))
		if status != 0 && h.fault.what() == "" || status != statusDisk && h.down == 0 && h.fault.untrusted(before) {
			h.t.Errorf("with the fault of %q the exit status is %d", before, status)
		}
	}
	h.verify()
}

// untrusted says of what was hit whether nobody knows what is on the disk since.
func (f *fault) untrusted(hit string) bool {
	call, _, _ := strings.Cut(hit, " ")
	return f.harm.errno == unix.EIO && slices.Contains([]string{"pwrite64", "fdatasync", "fsync"}, call)
}

// note counts what came of the fault, once there was one.
func (h *faultHouse) note(what string) {
	if hit := h.fault.what(); hit != "" {
		h.ends[what]++
	}
}

// ended says whether the process has ended by itself.
func (h *faultHouse) ended() bool {
	select {
	case <-h.stderr.ended:
		return true
	default:
		return false
	}
}

// up starts the program, which may fail as long as there is the fault.
func (h *faultHouse) up() {
	h.t.Helper()
	for range 3 {
		err := h.tryStart()
		if err == nil && h.process != nil {
			return
		}
		if h.process != nil {
			h.kill()
		}
		status, told := exitStatus(err), h.stderr.String()
		if h.fault.what() == "" || status != statusFailed && status != statusDisk || !strings.Contains(told, "ichido: ") {
			h.t.Fatalf("the start ends with %d and says:\n%s", status, told)
		}
		h.down++
		h.broken = h.broken || status == statusDisk
		h.note(fmt.Sprintf("no start, %d", status))
		h.fault.lift()
	}
	h.t.Fatal("it does not start")
}

// again starts the program after it has ended by itself, and checks what it knows then.
func (h *faultHouse) again() {
	h.t.Helper()
	if status := exitStatus(h.wait()); status != statusDisk || h.fault.what() == "" {
		h.t.Errorf("it ended with %d after the fault of %q:\n%s", status, h.fault.what(), h.stderr)
	}
	h.down++
	h.broken, h.serving = true, true
	h.note("ended")
	h.up()
	there := map[string]bool{}
	for _, item := range h.exported() {
		there[item] = true
	}
	for _, item := range h.items {
		if told := h.told(item); told > 0 && !there[item] {
			h.t.Errorf("it was told of %s, which is not there", item)
		}
		if h.taken[item] && !there[item] {
			h.t.Errorf("%s was acknowledged and is not there", item)
		}
	}
}

func (h *faultHouse) told(item string) (n int) {
	for _, user := range h.users {
		for _, text := range h.platform.BotTexts(user) {
			if strings.Contains(text, item+" ") {
				n++
			}
		}
	}
	return n
}

// until tries something until it is taken, as who sends it would.
func (h *faultHouse) until(what string, try func() (taken bool)) {
	h.t.Helper()
	for range 50 {
		if h.process == nil || h.ended() {
			h.again()
		}
		if try() {
			return
		}
		if h.endsSoon() {
			continue
		}
		h.note("refused")
		if h.fault.stays {
			if code, body := h.health(); code != 0 && (code != http.StatusServiceUnavailable || body != "the last write failed") {
				h.t.Errorf("%s was refused, and healthz says %d %s", what, code, body)
			}
			h.fault.lift()
		}
	}
	h.t.Fatalf("it was never taken: %s\n%s", what, h.stderr)
}

// endsSoon gives a process that is about to end the time for it.
func (h *faultHouse) endsSoon() bool {
	select {
	case <-h.stderr.ended:
		return true
	case <-time.After(30 * time.Millisecond):
		return false
	}
}

func (h *faultHouse) newItem() string {
	item := "item" + letters(len(h.items))
	h.items = append(h.items, item)
	return item
}

// send has the users say something, in one webhook.
func (h *faultHouse) send(users ...int) {
	h.t.Helper()
	var events []linesim.Event
	var items []string
	for _, i := range users {
		items = append(items, h.newItem())
		events = append(events, h.platform.Text(h.users[i], items[len(items)-1]+" 100"))
	}
	h.until("a webhook", func() bool {
		status, _ := h.platform.Deliver(h.t.Context(), events...)
		if status != http.StatusOK && status != http.StatusServiceUnavailable && status != 0 {
			h.t.Errorf("a webhook is answered with %d", status)
		}
		return status == http.StatusOK
	})
	for _, item := range items {
		h.taken[item] = true
	}
	h.events = append(h.events, events...)
}

// enter sends an entry by the form or the API.
func (h *faultHouse) enter(door string) {
	h.t.Helper()
	e := &entrySent{item: h.newItem()}
	e.job = lostJob{
		Base: "http://" + h.listen, Door: door, Secret: h.secrets[door][0], Key: fmt.Sprintf("%022d", len(h.items)),
		Body: lostBody(door, e.item, 900, false), Tries: 1,
	}
	h.entries = append(h.entries, e)
	h.until(door, func() bool {
		s := e.job.call(0)[0]
		e.number = s.number()
		if open := s.open(door); open || e.number == 0 {
			if !s.Lost && lostWords[door][s.Status] == "" {
				h.t.Errorf("the %s is answered with %+v", door, s)
			}
			return false
		}
		return true
	})
	h.taken[e.item] = true
}

// untilTold waits until the people have their answers, or the program ends.
func (h *faultHouse) untilTold() {
	for deadline := time.Now().Add(3 * time.Second); time.Now().Before(deadline) && !h.ended(); time.Sleep(5 * time.Millisecond) {
		if !slices.ContainsFunc(h.events, func(e linesim.Event) bool { return h.told(strings.Fields(e.Text)[0]) == 0 }) {
			return
		}
	}
}

// verify starts the program a last time, with no fault, sends everything again, and
// compares all that is there with all that was sent.
func (h *faultHouse) verify() {
	t := h.t
	h.fault.lift()
	if h.process != nil { // it has ended by itself
		h.again()
	} else {
		h.up()
	}
	for range 2 {
		status, err := h.platform.Deliver(t.Context(), again(h.events)...)
		if status != http.StatusOK {
			t.Errorf("everything once more: %d, %v", status, err)
		}
	}
	for _, e := range h.entries {
		if s := e.job.call(0)[0]; s.number() != e.number {
			t.Errorf("the entry with receipt %d has this now: %+v", e.number, s)
		}
	}
	var unknown []uint64
	eventually(t, 20*time.Second, "all is said", func() bool {
		box, err := h.client().Outbox(t.Context(), true, false)
		for _, m := range box.Messages {
			unknown = append(unknown, uint64(m.Receipt))
		}
		return err == nil && box.Counts.Pending == 0
	})
	h.verifyItems(unknown)
	h.verifyOwnerTold()
	if status := h.terminate(); status != 0 {
		t.Errorf("in the end the exit status is %d:\n%s", status, h.stderr)
	}
	if err := store.CheckFile(t.Context(), h.db, nil); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(filepath.Dir(h.db)); len(left) != 1 {
		t.Errorf("the file is not alone: %v", left)
	}
	if strings.Contains(h.logs.String(), "item") {
		t.Error("the log has what was recorded")
	}
}

// verifyItems wants each item to be there once, and told of once unless nobody knows.
func (h *faultHouse) verifyItems(unknown []uint64) {
	count := map[string]int{}
	mayBeUntold := map[string]bool{}
	for number, item := range h.exported() {
		count[item]++
		mayBeUntold[item] = slices.Contains(unknown, number)
	}
	for _, e := range h.entries {
		mayBeUntold[e.item] = true // who has entered it has seen the page
	}
	for _, item := range h.items {
		if count[item] != 1 {
			h.t.Errorf("%s is there %d times", item, count[item])
		}
		if n := h.told(item); n > 1 || n == 0 && !mayBeUntold[item] {
			h.t.Errorf("it was told of %s %d times", item, n)
		}
		delete(count, item)
	}
	if len(count) != 0 {
		h.t.Errorf("nobody has sent %v", count)
	}
}

// verifyOwnerTold wants the owner, if the file had one when the program was started, to be
// told once an hour that it ends because of the disk.
func (h *faultHouse) verifyOwnerTold() {
	n := 0
	for _, text := range h.platform.BotTexts(h.users[0]) {
		if text == bot.StoreBroken.In(bot.Japanese) {
			n++
		}
	}
	if n > 2 || n > 0 && !h.broken || n == 0 && h.serving && !h.fresh {
		h.t.Errorf("the program ended with 70: %t, while serving: %t; the owner was told %d times", h.broken, h.serving, n)
	}
}

func again(events []linesim.Event) (redelivered []linesim.Event) {
	for _, e := range events {
		redelivered = append(redelivered, e.Redelivered())
	}
	return redelivered
}
