package store_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ichido/store"
)

// What a killed process has left is removed at once, file or directory; what is in use
// is not, and goes when its user is done.
func TestLeftoversAreRemoved(t *testing.T) {
	for name, does := range map[string]struct {
		with    func(path string) error
		removes bool
	}{
		"compact": {func(path string) error { return store.Compact(t.Context(), path, nil) }, true},
		"open": {func(path string) error {
			s, err := store.Open(path, store.Options{NoSync: true})
			if err != nil {
				return err
			}
			return s.Close()
		}, true},
		"read": {func(path string) error {
			s, err := store.Open(path, store.Options{ReadOnly: true})
			if err != nil {
				return err
			}
			return s.Close()
		}, false},
	} {
		path := used(t)
		dir := filepath.Dir(path)
		left := []string{".ichido-tmp-dir", ".ichido-tmp-file"}
		if err := os.Mkdir(filepath.Join(dir, left[0]), 0o700); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{left[0] + "/copy", left[1]} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte("秘密"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		busy, err := store.NewTemp(dir)
		if err != nil {
			t.Fatal(err)
		}
		f, err := busy.Create("x")
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		if err := does.with(path); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		want := []string{filepath.Base(filepath.Dir(busy.Path("x")))}
		if !does.removes {
			want = append(want, left...)
		}
		got := leftOver(t, path)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: there are %q, want %q", name, got, want)
		}
		if _, err := os.Stat(busy.Path("x")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := busy.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(filepath.Dir(busy.Path("x"))); !os.IsNotExist(err) {
			t.Errorf("%s: what is closed is there: %v", name, err)
		}
	}
}
