// Package planted checks the tests that the promise rests on: a test that can't fail proves
// nothing. Each file in testdata is a fault that a store or a bot could have, as a patch of
// the program. It says in words what the fault is, and in lines that begin with "red:" which
// tests must fail because of it: a package, an expression for -run and more flags.
//
//	go test ./internal/planted           each patch still fits the program
//	go test ./internal/planted -plant    each test named fails
//
// A fault is compiled into the tests by an overlay and never into the program.
package planted

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var plant = flag.Bool("plant", false, "run the tests that must find the faults")

// limit is for the tests of one package with one fault.
const limit = 3 * time.Minute

// root is the directory of the program's module.
const root = "../.."

func TestCheckersFindFaults(t *testing.T) {
	patches, err := filepath.Glob("testdata/*.patch")
	if err != nil || len(patches) == 0 {
		t.Fatalf("there is no fault: %v", err)
	}
	for _, path := range patches {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".patch"), func(t *testing.T) {
			f := readFault(t, path)
			overlay := f.apply(t)
			if !*plant {
				return
			}
			dirs := slices.Sorted(maps.Keys(f.red))
			binaries := compile(t, overlay, dirs)
			for _, dir := range dirs {
				binary := filepath.Join(binaries, packageName(dir)+".test")
				for _, args := range f.red[dir] {
					wantRed(t, binary, dir, args)
				}
			}
		})
	}
}

// fault is what a file says.
type fault struct {
	patch string                // absolute path
	files []string              // that it changes, below root
	red   map[string][][]string // by package directory: arguments of the test's binary
}

var changed = regexp.MustCompile(`(?m)^\+\+\+ b/(.+)$`)

func readFault(t *testing.T, path string) fault {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f := fault{red: map[string][][]string{}}
	if f.patch, err = filepath.Abs(path); err != nil {
		t.Fatal(err)
	}
	for _, m := range changed.FindAllStringSubmatch(string(text), -1) {
		f.files = append(f.files, m[1])
	}
	for line := range strings.Lines(string(text)) {
		if names, ok := strings.CutPrefix(line, "red: "); ok {
			words := strings.Fields(names)
			if len(words) < 2 {
				t.Fatalf("no package and test: %q", line)
			}
			f.red[words[0]] = append(f.red[words[0]], words[1:])
		}
	}
	if len(f.files) == 0 || len(f.red) == 0 {
		t.Fatal("it changes nothing, or nothing finds it")
	}
	return f
}

// apply makes the changed files in a directory of their own and returns the path of an
// overlay that puts them in the place of the program's. The patch must fit as it is.
func (f fault) apply(t *testing.T) (overlay string) {
	t.Helper()
	dir := t.TempDir()
	replace := map[string]string{}
	for _, name := range f.files {
		original, err := filepath.Abs(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(original)
		if err != nil {
			t.Fatal(err)
		}
		replace[original] = filepath.Join(dir, name)
		write(t, replace[original], content)
	}
	command := exec.CommandContext(t.Context(), "git", "apply", f.patch)
	command.Dir = dir
	command.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir)) // it is in no repository
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("the fault does not fit the program any more: %v\n%s", err, out)
	}
	content, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	overlay = filepath.Join(dir, "overlay.json")
	write(t, overlay, content)
	return overlay
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, content, 0o600)); err != nil {
		t.Fatal(err)
	}
}

// compile makes the binaries of the tests of packages with the fault in them.
func compile(t *testing.T, overlay string, dirs []string) (binaries string) {
	t.Helper()
	binaries = t.TempDir()
	command := exec.CommandContext(t.Context(), "go", append([]string{"test", "-c", "-overlay", overlay, "-o", binaries}, dirs...)...)
	command.Dir = root
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("with the fault it does not compile: %v\n%s", err, out)
	}
	return binaries
}

// packageName is the last part of a package's path, after which go test -c names its binary.
func packageName(dir string) string {
	if dir == "." {
		return "ichido"
	}
	return filepath.Base(dir)
}

// wantRed runs tests that must fail: as a test does, and not because time is up.
func wantRed(t *testing.T, binary, dir string, args []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	began := time.Now()
	command := exec.CommandContext(ctx, binary, append([]string{"-test.failfast", "-test.timeout", fmt.Sprint(limit), "-test.run", args[0]}, args[1:]...)...)
	command.Dir = filepath.Join(root, dir)
	out, err := command.CombinedOutput()
	t.Logf("%s %s: %v after %v", dir, strings.Join(args, " "), err, time.Since(began).Round(time.Millisecond))
	switch text := string(out); {
	case err == nil:
		t.Errorf("%s %s does not find it", dir, strings.Join(args, " "))
	case !strings.Contains(text, "--- FAIL: "), ctx.Err() != nil, strings.Contains(text, "panic: test timed out"):
		t.Errorf("%s %s ends without a failed test:\n%s", dir, strings.Join(args, " "), text[max(0, len(text)-2000):])
	}
}
