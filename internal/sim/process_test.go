package sim

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"ichido/bot"
	"ichido/bot/line"
	"ichido/internal/linesim"
	"ichido/internal/web"
	"ichido/store"
	"ichido/store/storetest"
)

// process is the program from its start to its death: what ichido serve puts together,
// without sockets. When it dies, the file as it is at that moment is kept, and from then
// on nothing gets in or out of it; what it still does by itself nobody ever sees.
type process struct {
	world *world
	path  string
	store *store.Store
	line  *line.Door
	web   http.RoundTripper
	hook  http.RoundTripper // the webhook
	stop  func()
	full  bool // the disk has no room

	// Of the writer's goroutine:
	wrote   int64 // when the last commit began, in nanoseconds
	certain bool  // of the commits at that moment there has been one, and what it has is certain

	dead    atomic.Bool
	died    chan struct{}
	remains []byte // the file at its death
}

// start starts the program on the file, which may be a restored one.
func (w *world) start(path string, maxSize int) {
	p := &process{world: w, path: path, died: make(chan struct{}), full: maxSize > 0}
	s, err := open(path, store.Options{
		NoSync: true, Now: p.now, MaxSize: maxSize, Inspector: unchecked,
		Fatal: func(err error) { panic(fmt.Sprintf("seed %d: fatal: %v", w.seed, err)) },
	})
	if err != nil {
		w.t.Fatal(err)
	}
	p.store = s
	p.line, err = line.New(line.Config{
		Store: s, Bot: bot.New(tokyo), Secret: linesim.DefaultSecret, Token: linesim.DefaultToken, Endpoint: "http://line.invalid",
		Admit: w.admitted, Zone: tokyo, Transport: roundTrip(p.call),
	})
	if err == nil {
		err = p.line.Resume(context.Background())
	}
	if err != nil {
		w.t.Fatal(err)
	}
	p.hook = linesim.Transport(p.line)
	p.web = linesim.Transport(web.New(web.Config{
		Store: s, Bot: bot.New(tokyo), Zone: tokyo, Public: &url.URL{Scheme: "https", Host: host}, TellEntry: p.line.TellEntry, Admit: w.admitted,
	}))
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = p.line.Run(ctx) }) // of a dying process there is no error
	p.stop = func() {
		cancel()
		running.Wait()
	}
	w.process.Store(p)
}

func open(path string, options store.Options) (s *store.Store, err error) {
	err = unlocked(func() error {
		s, err = store.Open(path, options)
		return err
	})
	return s, err
}

// unlocked repeats what finds a file locked. The child processes of other runs hold the
// locks of this one, too, from their fork to their exec, and the store waits for that by the
// clock, which stands still in a run.
func unlocked(do func() error) (err error) {
	for range 1000 {
		if err = do(); !errors.Is(err, store.ErrInUse) {
			return err
		}
		moment := syscall.NsecToTimespec(int64(time.Millisecond))
		_ = syscall.Nanosleep(&moment, nil) // of real time
	}
	return err
}

// unchecked is the command for looking at files that are known to be sound.
var unchecked = []string{"true"}

// admitted says whom the configuration lets in.
func (w *world) admitted(id string) bool { return id == w.group || slices.Contains(w.people, id) }

// now is the store's clock, which it reads once in each transaction. In one that writes
// the disk takes its time, and the process may die before it commits.
func (p *process) now() time.Time {
	switch {
	case calledBy(".tryBatch"): // the writer, at the beginning of a transaction
		p.beginTransaction()
	case calledBy(".backup") && p.world.hits(p, inBackup):
		p.kill()
	}
	return time.Now().Add(time.Duration(p.world.skew.Load()))
}

// beginTransaction lets the disk be slow, and the process die before the commit. Which
// submissions share a commit is a matter of chance that no seed decides. So that time
// goes by the seed all the same, all commits at one moment take the time of one; and the
// process dies only before the first of them, or behind it if what it has is certain.
func (p *process) beginTransaction() {
	w, begun := p.world, time.Now()
	dies := false
	if p.dead.Load() {
		return
	}
	if begun.UnixNano() != p.wrote {
		w.steps.Add(1)
		time.Sleep(w.disk())
		p.wrote, p.certain = time.Now().UnixNano(), begun.UnixNano() != w.burst.Load()
		dies = w.hits(p, beforeCommit)
	} else if p.certain {
		p.certain = false
		dies = w.hits(p, betweenCommits)
	}
	if dies {
		p.die(func() []byte { return w.read(p.path) })
	}
}

// loose says whether the run may have a disk that is slow or full. Then it does not play
// quite the same again: where in a file bbolt finds room, and which of the goroutines that
// have waited for the disk goes on first, no seed decides.
func (w *world) loose() bool { return w.seed%4 == 0 }

// calledBy says whether a function of the store, of that name, asks for the time.
func calledBy(name string) bool {
	var at [3]uintptr // the store asks from two functions deep at the most
	runtime.Callers(3, at[:])
	asking, known := askers.Load(at)
	if !known {
		frames := runtime.CallersFrames(at[:])
		names := ""
		for {
			frame, more := frames.Next()
			names += frame.Function + "\n"
			if !more {
				break
			}
		}
		asking, _ = askers.LoadOrStore(at, names)
	}
	return strings.Contains(asking.(string), name+"\n")
}

// askers are the names of the functions at the addresses: looking them up takes time.
var askers sync.Map

// die ends the process, once. copied reads the file when no transaction is half written.
func (p *process) die(copied func() []byte) {
	if p.dead.CompareAndSwap(false, true) {
		p.remains = copied()
		close(p.died)
	}
}

// kill lets the process die between two transactions.
func (p *process) kill() { p.die(p.snapshot) }

// snapshot is the file between two transactions, whatever the store is doing.
func (p *process) snapshot() (content []byte) {
	_ = p.store.Update(context.Background(), func(*store.Tx) error {
		content = p.world.read(p.path)
		return nil
	})
	return content
}

// bury ends what a dead process still does.
func (p *process) bury() {
	p.stop()
	if err := p.store.Close(); err != nil {
		p.world.t.Error(err)
	}
	os.Remove(p.path)
}

func (w *world) read(path string) []byte {
	content, err := storetest.ReadWritten(path)
	if err != nil {
		panic(err)
	}
	return content
}

// newPath is a path that nothing has been at.
func (w *world) newPath() string {
	w.files++
	return filepath.Join(w.dir, fmt.Sprintf("%d.db", w.files))
}

// revive starts the program again after some time: on the file that it has left, or at
// times on a copy of an earlier one.
func (w *world) revive() {
	old := w.process.Swap(nil)
	w.step("the process is dead")
	b := w.backup
	if b != nil && oneIn(w.Rand, 5) && !w.resting.Load() {
		w.buried.Go(old.bury)
		w.pass(w.downtime())
		w.restore(b, old.remains)
		return
	}
	w.buried.Go(old.bury)
	w.pass(w.downtime())
	path, maxSize := w.newPath(), 0
	if w.loose() && oneIn(w.Rand, 4) && !w.resting.Load() {
		maxSize = len(old.remains) + 1
		w.happened.note("disk full")
	}
	w.write(path, old.remains)
	w.start(path, maxSize)
	w.step("it runs again, disk full %t", maxSize > 0)
}

func (w *world) downtime() time.Duration {
	if oneIn(w.Rand, 10) {
		return between(w.Rand, time.Minute, time.Hour)
	}
	return between(w.Rand, 100*time.Millisecond, 20*time.Second)
}

func (w *world) write(path string, content []byte) {
	if err := os.WriteFile(path, content, 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// backup is a copy of the file.
type backup struct {
	content []byte
	at      time.Time // before it was begun

	restored bool
}

// copyFile makes a backup: a plain copy while nothing is written, or at times by the
// program itself, in the middle of which it may die.
func (w *world) copyFile() {
	p := w.process.Load()
	if p == nil {
		return
	}
	b := &backup{at: time.Now()}
	if oneIn(w.Rand, 6) {
		w.arm(inBackup, 1)
		path := w.newPath()
		err := unlocked(func() error {
			_, err := p.store.Backup(context.Background(), path)
			return err
		})
		if err != nil {
			w.t.Fatal(err)
		}
		b.content, err = os.ReadFile(path)
		if err != nil {
			w.t.Fatal(err)
		}
		w.happened.note("backup")
	} else {
		b.content = p.snapshot()
		w.happened.note("copy")
	}
	if !p.dead.Load() {
		w.backup = b
	}
	w.step("a copy was made")
}

// restore starts the program on the backup. What has happened since then comes again.
func (w *world) restore(b *backup, remains []byte) {
	path, copied := w.newPath(), w.newPath()
	w.write(copied, b.content)
	// The file that is given up may be gone, but not when the copy has been restored before:
	// then the program would give out the same numbers a second time.
	if oneIn(w.Rand, 2) || b.restored {
		w.write(path, remains)
	}
	b.restored = true
	kept := ""
	err := unlocked(func() (err error) {
		kept, err = store.Restore(context.Background(), copied, path, unchecked)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	if kept != "" {
		os.Remove(kept)
	}
	os.Remove(copied)
	w.happened.note("restore")
	w.restores++
	w.start(path, 0)
	w.step("it runs again on the copy of %s", clock(b.at))
	w.mourn(w.receiptsIn(remains), w.receiptsOf(w.process.Load().store))
	w.again(b.at)
}

// receiptsIn are the receipts in a file.
func (w *world) receiptsIn(content []byte) []store.Receipt {
	path := w.newPath()
	w.write(path, content)
	defer os.Remove(path)
	s, err := open(path, store.Options{ReadOnly: true, Inspector: unchecked})
	if err != nil {
		w.t.Fatal(err)
	}
	defer s.Close()
	return w.receiptsOf(s)
}

func (w *world) receiptsOf(s *store.Store) (all []store.Receipt) {
	err := s.View(func(tx *store.Tx) error {
		return tx.Receipts(0, func(r *store.Receipt) error {
			all = append(all, *r)
			return nil
		})
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return all
}

// check looks at all invariants of the file, in a copy of it.
func (w *world) check() {
	if err := w.process.Load().store.Check(); err != nil {
		w.t.Errorf("an invariant of the store is broken: %v", err)
	}
}
