package store_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"ichido/store"
	"ichido/store/storetest"
)

// used writes a file with history of every kind, and some of it forgotten.
func used(t *testing.T) (path string) {
	path = filepath.Join(t.TempDir(), "ichido.db")
	if err := os.WriteFile(path, household(t), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(path, store.Options{NoSync: true, Now: func() time.Time { return storetest.Noon }})
	if err != nil {
		t.Fatal(err)
	}
	for range 30 { // leaves free pages
		change(t, s, func(tx *store.Tx) error { return tx.SetFact("z", strings.Repeat("z", 1<<16)) })
		change(t, s, func(tx *store.Tx) error { return tx.SetFact("z", "") })
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// leftOver gives what is in the directory beside the file.
func leftOver(t *testing.T, path string) (names []string) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != filepath.Base(path) {
			names = append(names, e.Name())
		}
	}
	return names
}

func size(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// It is the same file afterwards, with the numbers that it will give out next.
func TestCompact(t *testing.T) {
	path := used(t)
	before, sizeBefore := describe(t, path), size(t, path)
	var id uuid.UUID
	next := func() (next [4]uint64) {
		s, err := store.Open(path, store.Options{NoSync: true})
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = s.Submit(t.Context(), lunch("next"), func(tx *store.Tx) error {
			if id, err = tx.FileID(); err != nil {
				return err
			}
			o, err := tx.Say(store.Outgoing{Chat: "taro"})
			m, err2 := tx.Join("next", "")
			a, err3 := tx.OpenAccount("next", 0)
			next = [4]uint64{uint64(tx.Receipt().Number), uint64(o.ID), uint64(m.ID), uint64(a.ID)}
			return errors.Join(err, err2, err3, errOnPurpose)
		})
		if !errors.Is(err, errOnPurpose) {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		return next
	}
	nextBefore := next()
	idBefore := id
	if err := store.Compact(t.Context(), path, nil); err != nil {
		t.Fatal(err)
	}
	if got := describe(t, path); got != before {
		t.Error("it says something else")
	}
	if got := next(); got != nextBefore || id != idBefore {
		t.Errorf("the next numbers are %v, not %v, of the file %v, not %v", got, nextBefore, id, idBefore)
	}
	if err := store.CheckFile(t.Context(), path, nil); err != nil {
		t.Error(err)
	}
	if left := leftOver(t, path); left != nil {
		t.Errorf("left behind: %v", left)
	}
	if mode := mode(t, path); mode != 0o600 {
		t.Errorf("mode %o", mode)
	}
	if err := store.Compact(t.Context(), path, nil); err != nil {
		t.Fatal(err)
	}
	if now := size(t, path); now >= sizeBefore/2 {
		t.Errorf("%d bytes became %d", sizeBefore, now)
	}
}

func mode(t *testing.T, path string) os.FileMode {
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

// A number that was given out last and whose record is gone is not given out again.
func TestCompactKeepsSequences(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ichido.db")
	s, err := store.Open(path, store.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	say(t, s, "1", store.Outgoing{Chat: "taro"})
	end(t, s, 1, store.Sent)
	change(t, s, (*store.Tx).Resume) // leaves out numbers
	if err := errors.Join(s.Close(), store.Compact(t.Context(), path, nil)); err != nil {
		t.Fatal(err)
	}
	s = storetest.Open(t, path)
	if o := say(t, s, "2", store.Outgoing{Chat: "taro"}); o.ID != 2 || o.Receipt != 1002 {
		t.Errorf("message %d of receipt %d, want 2 of 1002", o.ID, o.Receipt)
	}
}

func TestCompactRefuses(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, tt := range map[string]struct {
		prepare func(t *testing.T, path string)
		ctx     context.Context
		want    error
	}{
		"a damaged file": {func(t *testing.T, path string) {
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, bytes.ReplaceAll(content, []byte("ランチ"), []byte("リンチ")), 0o600); err != nil {
				t.Fatal(err)
			}
		}, t.Context(), store.ErrDamaged},
		"an open file": {func(t *testing.T, path string) { storetest.Open(t, path) }, t.Context(), store.ErrInUse},
		"a file that is read": {func(t *testing.T, path string) {
			s, err := store.Open(path, store.Options{ReadOnly: true})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.Close() })
		}, t.Context(), store.ErrInUse},
		"no time":   {func(*testing.T, string) {}, ctx, context.Canceled},
		"no file":   {func(t *testing.T, path string) { os.Remove(path) }, t.Context(), os.ErrNotExist},
		"no ledger": {func(t *testing.T, path string) { os.WriteFile(path, []byte("x"), 0o600) }, t.Context(), store.ErrForeign},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := used(t)
			tt.prepare(t, path)
			before, _ := os.ReadFile(path)
			err := store.Compact(tt.ctx, path, nil)
			if !errors.Is(err, tt.want) || strings.Contains(err.Error(), "what was written") {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			if now, _ := os.ReadFile(path); !bytes.Equal(now, before) {
				t.Error("the file was touched")
			}
			if left := leftOver(t, path); left != nil {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// The child that verifies what was written refuses it: the file stays.
func TestCompactVerifies(t *testing.T) {
	path := used(t)
	before, _ := os.ReadFile(path)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	inspector := []string{"/bin/sh", "-c", `case "$2" in *` + filepath.Base(path) + `) exec "$0" inspect "$@";; esac; echo it is bad; exit 6`, self}
	err = store.Compact(t.Context(), path, inspector)
	if !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), "it is bad") {
		t.Errorf("got %v", err)
	}
	if now, _ := os.ReadFile(path); !bytes.Equal(now, before) {
		t.Error("the file was touched")
	}
	if left := leftOver(t, path); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// A disk, here a limit, without room for the new file leaves the old one. The limit
// is that of a process, and so the test is its own child.
func TestCompactWithoutRoom(t *testing.T) {
	const variable = "COMPACT_WITHOUT_ROOM"
	if path := os.Getenv(variable); path != "" {
		small := syscall.Rlimit{Cur: 1 << 14, Max: 1 << 14}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small); err != nil {
			t.Fatal(err)
		}
		if err := store.Compact(t.Context(), path, nil); !errors.Is(err, store.ErrDiskFull) {
			t.Fatalf("got %v, want ErrDiskFull", err)
		}
		return
	}
	path := used(t)
	before, _ := os.ReadFile(path)
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), variable+"="+path)
	if out, err := child.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if now, _ := os.ReadFile(path); !bytes.Equal(now, before) {
		t.Error("the file was touched")
	}
	if left := leftOver(t, path); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// A link to the file stays one.
func TestCompactBehindALink(t *testing.T) {
	path := used(t)
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	before := size(t, path)
	if err := store.Compact(t.Context(), link, nil); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v (%v)", info.Mode(), err)
	}
	if size(t, path) >= before {
		t.Error("the file is as large as it was")
	}
}
