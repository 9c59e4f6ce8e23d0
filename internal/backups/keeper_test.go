package backups_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"filippo.io/age"

	"ichido/internal/backups"
	"ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

var zone = time.FixedZone("JST", 9*60*60)

// home is a household with a keeper of its backups.
type home struct {
	t     *testing.T
	store *store.Store
	plan  backups.Plan
	*backups.Keeper
	n int
}

func newHome(t *testing.T, change func(*backups.Plan)) *home {
	h := &home{t: t, store: storetest.New(t)}
	h.plan = backups.Plan{Dir: filepath.Join(t.TempDir(), "backups"), Zone: zone, Keep: backups.Keep{Daily: 7, Weekly: 5, Monthly: 12}}
	if change != nil {
		change(&h.plan)
	}
	h.Keeper = backups.New(backups.Config{Store: h.store, Plan: h.plan})
	return h
}

// record records a lunch.
func (h *home) record() {
	h.t.Helper()
	h.n++
	storetest.Submit(h.t, h.store, storetest.Lunch(h.n, storetest.Noon), storetest.RecordLunch)
}

// make makes a backup, which must succeed, and returns it.
func (h *home) make() backups.Backup {
	h.t.Helper()
	if err := h.Make(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
	return *h.Status().Last
}

func (h *home) list() []backups.Backup {
	h.t.Helper()
	all, err := backups.List(h.plan.Dir)
	if err != nil {
		h.t.Fatal(err)
	}
	return all
}

func (h *home) path(b backups.Backup) string { return filepath.Join(h.plan.Dir, b.File) }

// receipts are the numbers in the file, which is restored first.
func receipts(t *testing.T, path string) (numbers []ledger.ReceiptNumber) {
	t.Helper()
	restored := filepath.Join(t.TempDir(), "restored.db")
	if _, err := store.Restore(t.Context(), path, restored, nil); err != nil {
		t.Fatal(err)
	}
	s := storetest.Open(t, restored)
	err := s.View(func(tx *store.Tx) error {
		return tx.Receipts(0, func(r *store.Receipt) error {
			numbers = append(numbers, r.Number)
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return numbers
}

func TestMake(t *testing.T) {
	h := newHome(t, nil)
	h.record()
	h.record()
	b := h.make()
	if b.Receipts != 2 || b.Newest.IsZero() || b.Household == "" || len(b.SHA256) != 64 || b.Encrypted() {
		t.Errorf("%+v", b)
	}
	if all := h.list(); len(all) != 1 || !all[0].At.Equal(b.At) || all[0].File != b.File {
		t.Errorf("listed are %+v", all)
	}
	if got := receipts(t, h.path(b)); !slices.Equal(got, []ledger.ReceiptNumber{1, 2}) {
		t.Errorf("it holds %v", got)
	}
	for _, name := range []string{h.plan.Dir, h.path(b), h.path(b) + ".json"} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s can be read by others (%v)", name, err)
		}
	}
	for _, dir := range []string{h.plan.Dir, filepath.Dir(h.store.Path())} {
		if left, _ := filepath.Glob(filepath.Join(dir, ".ichido-tmp-*")); left != nil {
			t.Errorf("left behind: %v", left)
		}
	}
}

// Nothing new is no reason for a backup, anything new is one.
func TestOnlyWhatChanged(t *testing.T) {
	h := newHome(t, nil)
	h.record()
	h.make()
	h.make()
	if all := h.list(); len(all) != 1 {
		t.Errorf("%d backups of one state", len(all))
	}
	h.record()
	time.Sleep(time.Until(h.list()[0].At.Add(time.Second))) // its name tells the second
	h.make()
	if all := h.list(); len(all) != 1 || all[0].Receipts != 2 { // the other one is of the same day
		t.Errorf("listed are %+v", all)
	}
}

func TestEncrypted(t *testing.T) {
	classic, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	hybrid, err := age.GenerateHybridIdentity()
	if err != nil {
		t.Fatal(err)
	}
	for name, key := range map[string]struct{ recipient, identity string }{
		"classic": {classic.Recipient().String(), classic.String()},
		"hybrid":  {hybrid.Recipient().String(), hybrid.String()},
	} {
		t.Run(name, func(t *testing.T) {
			to, err := backups.ParseRecipients([]string{key.recipient})
			if err != nil {
				t.Fatal(err)
			}
			h := newHome(t, func(p *backups.Plan) { p.Recipients = to })
			h.record()
			b := h.make()
			content, err := os.ReadFile(h.path(b))
			if sealed, err := backups.Encrypted(h.path(b)); !sealed || !b.Encrypted() || err != nil || bytes.Contains(content, []byte("ランチ")) {
				t.Errorf("%s is not encrypted (%v)", b.File, err)
			}
			if err != nil {
				t.Fatal(err)
			}
			open := func(path, identity string) (string, error) {
				file := filepath.Join(t.TempDir(), "key.txt")
				dst, err := os.Create(filepath.Join(t.TempDir(), "plain.db"))
				if err = errors.Join(err, os.WriteFile(file, []byte("# a key\n"+identity+"\n"), 0o600)); err != nil {
					t.Fatal(err)
				}
				defer dst.Close()
				return dst.Name(), backups.Open(t.Context(), dst, path, file)
			}
			plain, err := open(h.path(b), key.identity)
			if err != nil {
				t.Fatal(err)
			}
			if got := receipts(t, plain); len(got) != 1 {
				t.Errorf("it holds %v", got)
			}
			stranger, _ := age.GenerateX25519Identity()
			if _, err := open(h.path(b), stranger.String()); !errors.Is(err, backups.ErrWrongIdentity) {
				t.Errorf("with another key: %v", err)
			}
			if _, err := open(h.path(b), "AGE-SECRET-KEY-1FOO"); !errors.Is(err, backups.ErrNoIdentity) || strings.Contains(err.Error(), "FOO") {
				t.Errorf("without a key: %v", err)
			}
			content[len(content)-100] ^= 1
			damaged := filepath.Join(t.TempDir(), "damaged.age")
			if err := os.WriteFile(damaged, content, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := open(damaged, key.identity); !errors.Is(err, store.ErrDamaged) {
				t.Errorf("damaged: %v", err)
			}
		})
	}
	for _, wrong := range []string{"", "age1", classic.String(), "ssh-ed25519 AAAA", classic.Recipient().String() + "\n" + classic.Recipient().String()} {
		if _, err := backups.ParseRecipients([]string{wrong}); !errors.Is(err, backups.ErrNoRecipient) || wrong != "" && strings.Contains(err.Error(), wrong) {
			t.Errorf("recipient %q: %v", wrong, err)
		}
	}
}

// A backup every 50 ms while eight write: each restores, holds all that was acknowledged
// before it began, and is a prefix of the history: no receipt is missing between others.
func TestPrefixes(t *testing.T) {
	h := newHome(t, func(p *backups.Plan) { p.Keep = backups.Keep{Daily: 1} })
	var mu sync.Mutex
	var acknowledged []ledger.ReceiptNumber
	ctx, stop := context.WithCancel(t.Context())
	var writers sync.WaitGroup
	defer writers.Wait()
	defer stop()
	for w := range 8 {
		writers.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				r, _, err := h.store.Submit(context.Background(), storetest.Lunch(1_000_000*(w+1)+n, storetest.Noon), storetest.RecordLunch)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				acknowledged = append(acknowledged, r.Number)
				mu.Unlock()
				// The slower the machine, the more is written until a backup is made, and the
				// longer the next one takes: this has an end.
				if time.Sleep(10 * time.Millisecond); n >= 150 {
					time.Sleep(500 * time.Millisecond)
				}
			}
		})
	}
	for i := range 8 {
		time.Sleep(50 * time.Millisecond)
		mu.Lock()
		before := slices.Clone(acknowledged)
		mu.Unlock()
		path := filepath.Join(t.TempDir(), fmt.Sprint(i))
		figures, err := h.store.Backup(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		got := receipts(t, path)
		for i, n := range got {
			if n != ledger.ReceiptNumber(i+1) {
				t.Fatalf("receipt %d is missing among %d", i+1, len(got))
			}
		}
		if figures.Rows != len(got) || figures.Receipts != ledger.ReceiptNumber(len(got)) {
			t.Errorf("the figures are %+v of %d receipts", figures, len(got))
		}
		if last := slices.Max(append(before, 0)); int(last) > len(got) {
			t.Errorf("receipt %d was acknowledged before the backup and is not in it", last)
		}
	}
}

// slowRecipient is one that takes as long as a test wants.
type slowRecipient struct{ begun, end chan struct{} }

func (r slowRecipient) Wrap(key []byte) ([]*age.Stanza, error) {
	close(r.begun)
	<-r.end
	return []*age.Stanza{{Type: "slow"}}, nil
}

// While the directory's disk hangs, here an encryption that does not come to its end, the
// file does not grow by more than what is written in it: no reading transaction is open.
func TestHangingBackup(t *testing.T) {
	size := func(hang bool) int64 {
		r := slowRecipient{make(chan struct{}), make(chan struct{})}
		h := newHome(t, func(p *backups.Plan) { p.Recipients = []age.Recipient{r} })
		h.record()
		ended := make(chan error, 1)
		if hang {
			go func() { ended <- h.Make(t.Context()) }()
			<-r.begun
		}
		for range 1500 {
			h.record()
		}
		size, err := h.store.Size()
		if err != nil {
			t.Fatal(err)
		}
		if hang {
			if h.Status().Since.IsZero() {
				t.Error("it does not show that it is being made")
			}
			close(r.end)
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
		return size
	}
	if without, with := size(false), size(true); with > without+without/4 {
		t.Errorf("the file grew to %d bytes, and to %d while a backup was hanging", without, with)
	}
}

// What is not a whole backup of this household is neither listed nor removed.
func TestForeignFiles(t *testing.T) {
	h := newHome(t, func(p *backups.Plan) { p.Keep = backups.Keep{} })
	h.record()
	b := h.make()
	other := newHome(t, func(p *backups.Plan) { p.Dir = h.plan.Dir })
	other.record()
	time.Sleep(time.Until(b.At.Add(time.Second)))
	theirs := other.make()
	for name, content := range map[string]string{
		"photo.jpg":                               "mine",
		"ichido-20200101T000000+0900.db":          "no note",
		"ichido-20200102T000000+0900.db":          "cut off",
		"ichido-20200102T000000+0900.db.json":     `{"file":"ichido-20200102T000000+0900.db","at":"2020-01-02T00:00:00+09:00","bytes":100}`,
		"ichido-20200103T000000+0900.db.json":     `{"file":"ichido-20200103T000000+0900.db","at":"2020-01-03T00:00:00+09:00","bytes":100}`,
		"ichido-20200104T000000+0900.db.age":      "?",
		"ichido-20200104T000000+0900.db.age.json": `{"file":"../../etc/passwd","bytes":1}`,
	} {
		if err := os.WriteFile(filepath.Join(h.plan.Dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if all := h.list(); len(all) != 2 {
		t.Errorf("listed are %+v", all)
	}
	h.record()
	time.Sleep(time.Until(theirs.At.Add(time.Second)))
	last := h.make()
	all := h.list()
	if len(all) != 2 || all[0].File != last.File || all[1].File != theirs.File {
		t.Errorf("left are %+v", all)
	}
	if entries, _ := os.ReadDir(h.plan.Dir); len(entries) != 2*2+7 {
		t.Errorf("%d files are left", len(entries))
	}
}

func TestHook(t *testing.T) {
	t.Setenv("LINE_CHANNEL_SECRET", "hush")
	var said bytes.Buffer
	h := newHome(t, func(p *backups.Plan) {
		p.Hook, p.HookOutput = `cp "$ICHIDO_BACKUP" "$ICHIDO_BACKUP.elsewhere" && env`, &said
	})
	h.record()
	b := h.make()
	if got := receipts(t, h.path(b)+".elsewhere"); len(got) != 1 {
		t.Errorf("elsewhere are %v", got)
	}
	if strings.Contains(said.String(), "hush") || !strings.Contains(said.String(), "PATH=") {
		t.Errorf("the command had the secret:\n%s", said.String())
	}
}

// A command that fails, a command that never ends and an old backup that can't be removed
// are told of, and there is a backup all the same.
func TestHookFails(t *testing.T) {
	h := newHome(t, func(p *backups.Plan) { p.Hook = "exit 3" })
	h.record()
	err := h.Make(t.Context())
	if err == nil || !strings.Contains(err.Error(), "the backup is good") || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("got %v", err)
	}
	if len(h.list()) != 1 || h.Status().Last == nil {
		t.Error("there is no backup")
	}
	// It is run again until it succeeds, and then no more.
	count := filepath.Join(t.TempDir(), "count")
	h = newHome(t, func(p *backups.Plan) { p.Hook = `echo >>` + count + `; test $(wc -l <` + count + `) -ge 2` })
	h.record()
	if err := h.Make(t.Context()); err == nil {
		t.Error("the first time it has not failed")
	}
	for range 2 {
		h.make()
	}
	if content, err := os.ReadFile(count); err != nil || len(content) != 2 || len(h.list()) != 1 {
		t.Errorf("it was run %d times for %d backups (%v)", len(content), len(h.list()), err)
	}
	h = newHome(t, func(p *backups.Plan) { p.Hook = "sleep 1000 & wait" })
	h.record()
	ctx, cancel := context.WithCancel(t.Context())
	h.plan.HookOutput = io.Discard
	time.AfterFunc(300*time.Millisecond, cancel)
	if err := h.Make(ctx); err == nil {
		t.Error("a command that was ended has not failed")
	}
}

// Nobody's backups are lost by a failure, and it is told with the time of the last one.
func TestFailure(t *testing.T) {
	h := newHome(t, nil)
	h.record()
	good := h.make()
	told := make(chan time.Time, 1)
	broken := h.plan
	broken.Dir = filepath.Join(h.path(good), "no directory")
	k := backups.New(backups.Config{Store: h.store, Plan: broken, Tell: func(_ context.Context, last time.Time, made bool) {
		if made {
			t.Error("it is told that there is one")
		}
		told <- last
	}})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { k.Run(ctx); close(ended) }()
	if last := <-told; !last.IsZero() {
		t.Errorf("the last one is told to be of %v", last)
	}
	if s := k.Status(); s.Failure == "" || s.Last != nil || s.Failed.IsZero() {
		t.Errorf("%+v", s)
	}
	cancel()
	<-ended
	if len(h.list()) != 1 {
		t.Error("the good one is gone")
	}
}

// Of a backup that is good it is not told that it was not made, though the command fails.
func TestFailureAfterwards(t *testing.T) {
	told := make(chan bool, 1)
	h := newHome(t, func(p *backups.Plan) { p.Hook = "exit 3" })
	h.record()
	k := backups.New(backups.Config{Store: h.store, Plan: h.plan, Tell: func(_ context.Context, last time.Time, made bool) { told <- made && !last.IsZero() }})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { k.Run(ctx); close(ended) }()
	if !<-told {
		t.Error("it is told that there is none")
	}
	cancel()
	<-ended
	if s := k.Status(); s.Last == nil || !strings.Contains(s.Failure, "the backup is good") {
		t.Errorf("%+v", s)
	}
}

// Run makes up for a backup that is overdue, and knows of those that are there.
func TestRun(t *testing.T) {
	h := newHome(t, nil)
	h.record()
	run := func(until func(backups.Status) bool) backups.Status {
		k := backups.New(backups.Config{Store: h.store, Plan: h.plan})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { k.Run(ctx); close(ended) }()
		for !until(k.Status()) {
			time.Sleep(time.Millisecond)
		}
		cancel()
		<-ended
		return k.Status()
	}
	first := run(func(s backups.Status) bool { return s.Last != nil && s.Since.IsZero() })
	if len(h.list()) != 1 {
		t.Errorf("listed are %+v", h.list())
	}
	second := run(func(s backups.Status) bool { return !s.Next.IsZero() && s.Last != nil })
	if second.Last.File != first.Last.File || !second.Next.After(time.Now()) || time.Until(second.Next) > 24*time.Hour {
		t.Errorf("%+v", second)
	}
}
