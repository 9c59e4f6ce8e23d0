package cli

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"ichido/store"
)

// Killed anywhere, or out of room anywhere, compact leaves a whole file: the old one
// or the new one, and they say the same.
func TestLongCompactKilled(t *testing.T) {
	needLong(t)
	const calls = "openat,pwrite64,write,ftruncate,truncate,fsync,fdatasync,rename,renameat,renameat2,unlinkat,fchownat,flock"
	for _, harm := range []string{"signal=KILL", "error=ENOSPC"} {
		t.Run(harm, func(t *testing.T) {
			// strace counts the calls of each thread by itself, and Go's threads share
			// them as they like: only several runs without harm are the end.
			harmed, unharmed := 0, 0
			for when := 1; unharmed < 5; when++ {
				path := filepath.Join(t.TempDir(), "ichido.db")
				if err := fillFile(path); err != nil {
					t.Fatal(err)
				}
				before := exported(t, path)
				traced := calls
				if harm == "error=ENOSPC" {
					traced = "pwrite64,ftruncate,truncate,fsync,fdatasync,rename,renameat,renameat2" // what can say so
				}
				err := exec.Command("strace", "-f", "-o", "/dev/null", "-e", "trace="+traced,
					"-e", fmt.Sprintf("inject=%s:%s:when=%d", traced, harm, when), "ichido", "compact", "--db", path).Run()
				if err := store.CheckFile(t.Context(), path, nil); err != nil {
					t.Fatalf("harmed at call %d: %v", when, err)
				}
				if exported(t, path) != before {
					t.Fatalf("harmed at call %d, the file says something else", when)
				}
				if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(left) != 1 {
					t.Errorf("harmed at call %d, there are %v", when, left)
				}
				var exit *exec.ExitError
				if err == nil {
					unharmed++
					continue
				} else if !errors.As(err, &exit) {
					t.Fatal(err)
				}
				harmed, unharmed = harmed+1, 0
			}
			t.Logf("harmed in %d places", harmed)
			if harmed < 3 {
				t.Errorf("harmed only in %d places", harmed)
			}
		})
	}
}

func exported(t *testing.T, path string) string {
	t.Helper()
	out, err := exec.Command("ichido", "export", "--format", "jsonl", "--db", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
