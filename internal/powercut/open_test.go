package powercut_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"ichido/internal/ledger"
	"ichido/internal/powercut"
	"ichido/store"
	"ichido/store/storetest"
)

// facts are what a file says once it is opened.
type facts struct {
	Problem  string                        // "" if the file is sound and works
	Receipts map[string]fact               // by scope and key
	Unsaid   map[ledger.ReceiptNumber]bool // receipts with an answer in the outbox, and whether an attempt has begun
}

// fact is what there is of a receipt.
type fact struct {
	Number ledger.ReceiptNumber
	Rows   int // that it made and that are there
}

// openStates is the main function of the process that opens files: for each path that it
// reads it writes what is there. It may die of a file, or hang.
func openStates(string) {
	out := json.NewEncoder(os.Stdout)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		f, err := lookAt(lines.Text())
		if err != nil {
			f.Problem = err.Error()
		}
		if out.Encode(f) != nil {
			return
		}
	}
}

// lookAt does with the file what the program does after a start, and checks all of it: it
// is inspected and opened, one more event counts once, and then all that again.
func lookAt(path string) (f facts, err error) {
	f.Receipts, f.Unsaid = map[string]fact{}, map[ledger.ReceiptNumber]bool{}
	var first store.Receipt
	err = opened(path, func(s *store.Store) error {
		if err := s.View(func(tx *store.Tx) error { return f.read(tx) }); err != nil {
			return err
		}
		first, err = f.goOn(s)
		return err
	})
	if err != nil {
		return f, err
	}
	return f, opened(path, func(s *store.Store) error {
		r, state, err := s.Lookup(after.Scope, after.Key)
		if err == nil && (state != store.Found || r.Number != first.Number) {
			err = errors.New("what was recorded after the cut is gone at the second opening")
		}
		return err
	})
}

// opened opens the file and calls fn. A file that is there is inspected first, as the store
// has it done in a process of its own: of one of this size every invariant is checked.
func opened(path string, fn func(*store.Store) error) (err error) {
	if _, err := os.Stat(path); err == nil {
		var said bytes.Buffer
		if status := store.Inspect([]string{path}, &said); status != 0 {
			return fmt.Errorf("inspecting it: status %d: %s", status, said.String())
		}
	}
	s, err := store.Open(path, store.Options{Inspector: []string{"true"}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return fn(s)
}

func (f facts) read(tx *store.Tx) error {
	rows := map[ledger.ReceiptNumber]int{}
	err := tx.Rows(store.AllRows, func(r *ledger.Row) error {
		rows[r.ID.Receipt]++
		return nil
	})
	if err != nil {
		return err
	}
	err = tx.Receipts(0, func(r *store.Receipt) error {
		f.Receipts[r.Scope+" "+r.Key] = fact{r.Number, rows[r.Number]}
		delete(rows, r.Number)
		return nil
	})
	if err != nil {
		return err
	}
	for n := range rows {
		return fmt.Errorf("there are rows of receipt %d, and no receipt", n)
	}
	return tx.PendingOutgoing(func(o store.Outgoing) error {
		f.Unsaid[o.Receipt] = o.Doubt
		for _, id := range o.Carries { // those that go along with it
			carried, _, err := tx.Outgoing(id)
			if err != nil {
				return err
			}
			f.Unsaid[carried.Receipt] = o.Doubt
		}
		return nil
	})
}

// after is an event after the cut.
var after = storetest.Said("after the cut", "ランチ", storetest.Noon)

// goOn records one more event, and repeats one that is there.
func (f facts) goOn(s *store.Store) (store.Receipt, error) {
	r, outcome, err := s.Submit(context.Background(), after, storetest.Hear("ランチ"))
	if err != nil || outcome != store.Recorded {
		return r, fmt.Errorf("submitting after the cut: %v %v", outcome, err)
	}
	for name, there := range f.Receipts {
		if there.Number >= r.Number {
			return r, fmt.Errorf("receipt %d after the cut, where %q has %d", r.Number, name, there.Number)
		}
	}
	_, outcome, err = s.Submit(context.Background(), after, storetest.Hear("ランチ"))
	if err != nil || outcome != store.Repeated {
		return r, fmt.Errorf("repeating it: %v %v", outcome, err)
	}
	return r, nil
}

// limit is how long the opening of one state may take.
const limit = 20 * time.Second

// opener has states opened by a process, and by a new one when that dies or hangs.
type opener struct {
	dir     string
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

// fastDir is a new directory in memory if there is such a place: the files in it are for a
// moment.
func fastDir(t *testing.T) string {
	dir, err := os.MkdirTemp("/dev/shm", "ichido-test-*")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func (o *opener) start() (err error) {
	o.process = as("open", "-")
	var out io.ReadCloser
	if o.in, err = o.process.StdinPipe(); err == nil {
		out, err = o.process.StdoutPipe()
	}
	if err != nil {
		return err
	}
	o.out = bufio.NewReaderSize(out, 1<<16)
	return o.process.Start()
}

func (o *opener) stop() {
	if o.process != nil {
		o.in.Close()
		_ = o.process.Wait()
		o.process = nil
	}
}

// open tells what the state says when it is opened, as JSON of facts.
func (o *opener) open(s *powercut.State) (said []byte, err error) {
	dir, err := os.MkdirTemp(o.dir, "*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "ichido.db")
	if s.Exists {
		if err := s.Write(path); err != nil {
			return nil, err
		}
	}
	if o.process == nil {
		if err := o.start(); err != nil {
			return nil, err
		}
	}
	late := time.AfterFunc(limit, func() { _ = o.process.Process.Kill() })
	fmt.Fprintln(o.in, path)
	said, err = o.out.ReadBytes('\n')
	if !late.Stop() || err != nil {
		o.stop()
		return json.Marshal(facts{Problem: "it kills or hangs the process that opens it"})
	}
	return said, nil
}
