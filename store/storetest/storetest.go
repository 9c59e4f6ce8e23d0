// Package storetest opens real stores for tests.
package storetest

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"ichido/store"
)

// Main is the TestMain of a package whose tests open existing files: the test's
// own executable serves as the child process that inspects them.
func Main(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "inspect" {
		os.Exit(store.Inspect(os.Args[2:], os.Stdout))
	}
	os.Exit(m.Run())
}

// New returns a new store in a temporary directory. It does not sync, and a
// failure of its disk fails the test. When the test ends, all invariants are
// checked and the store is closed.
func New(t testing.TB) *store.Store {
	t.Helper()
	return Open(t, filepath.Join(t.TempDir(), "ichido.db"))
}

// Open is New for a file of the caller's choice. An existing file needs Main.
func Open(t testing.TB, path string) *store.Store {
	t.Helper()
	s, err := store.Open(path, store.Options{NoSync: true, Fatal: func(err error) { t.Errorf("fatal: %v", err) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Check(); err != nil && err != store.ErrClosed {
			t.Errorf("an invariant of the store is broken:\n%v", err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Floor measures what one durable change costs on the disk of temporary files at
// the least: twice a page of 4 KiB written and synced, as bbolt must. Other
// figures are told as ratios to it.
func Floor(b *testing.B) {
	f, err := os.Create(filepath.Join(b.TempDir(), "floor"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	page := make([]byte, 4096)
	if _, err := f.Write(make([]byte, 64*len(page))); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for i := range 2 {
			if _, err := f.WriteAt(page, int64(i*len(page))); err != nil {
				b.Fatal(err)
			}
			if err := syscall.Fdatasync(int(f.Fd())); err != nil {
				b.Fatal(err)
			}
		}
	}
}
