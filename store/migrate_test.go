package store_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ichido/store"
	"ichido/store/storetest"
)

// older is a file of a schema before the present one, which lacks a part.
func older(t *testing.T) (path string, content []byte) {
	t.Helper()
	path = write(t, household(t))
	if err := store.Age(path, store.Schema-1, "v0.0.9", "access"); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, content
}

// keptFiles are those that were kept beside the file.
func keptFiles(t *testing.T, path string) []string {
	t.Helper()
	kept, err := filepath.Glob(path + ".schema*")
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

// A file of an older schema is brought up to date and says what it said; as it was it is
// kept. The second opening finds nothing to do.
func TestMigration(t *testing.T) {
	defer store.SetMigration(store.Schema-1, func(tx *store.Tx) error { return tx.CreateBucket("access") })()
	path, before := older(t)
	if _, err := store.Open(path, store.Options{ReadOnly: true}); !errors.Is(err, store.ErrOlder) {
		t.Errorf("only for reading: %v", err)
	}
	for range 2 {
		s := storetest.Open(t, path)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := describe(t, path), describe(t, write(t, household(t))); got != want {
		t.Error("it says something else")
	}
	kept := keptFiles(t, path)
	if len(kept) != 1 {
		t.Fatalf("kept are %v", kept)
	}
	if content, err := os.ReadFile(kept[0]); err != nil || !bytes.Equal(content, before) {
		t.Errorf("what was kept is not the file as it was (%v)", err)
	}
	if mode := mode(t, path); mode != 0o600 {
		t.Errorf("mode %o", mode)
	}
}

// A step that fails, or makes a file in which an invariant does not hold, or is missing
// leaves the file as it was.
func TestMigrationFails(t *testing.T) {
	for name, tt := range map[string]struct {
		step func(*store.Tx) error
		want string
	}{
		"no step":          {nil, "there is no way from schema"},
		"a failing step":   {func(*store.Tx) error { return errOnPurpose }, errOnPurpose.Error()},
		"a forgetful step": {func(*store.Tx) error { return nil }, "the part \"access\" is missing"},
		"a wrong step": {func(tx *store.Tx) error {
			return errors.Join(tx.CreateBucket("access"), tx.Break())
		}, "after migrating"},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.step != nil {
				defer store.SetMigration(store.Schema-1, tt.step)()
			}
			path, before := older(t)
			_, err := store.Open(path, store.Options{NoSync: true})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v", err)
			}
			if content, _ := os.ReadFile(path); !bytes.Equal(content, before) {
				t.Error("the file was touched")
			}
			if left := leftOver(t, path); left != nil {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// A newer file is refused by the name of the version that wrote it, and not touched.
func TestNewerFile(t *testing.T) {
	path := write(t, household(t))
	if err := store.Age(path, store.Schema+1, "v9.8.7", ""); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(path)
	_, err := store.Open(path, store.Options{NoSync: true})
	if !errors.Is(err, store.ErrNewer) || !strings.Contains(err.Error(), "version v9.8.7 with schema") {
		t.Errorf("got %v", err)
	}
	if content, _ := os.ReadFile(path); !bytes.Equal(content, before) {
		t.Error("the file was touched")
	}
}
