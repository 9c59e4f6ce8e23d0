package powercut_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"ichido/internal/cli"
	"ichido/internal/powercut"
	"ichido/store"
)

var wanted = flag.Int("states", 100, "states of the file after a power cut, of each run")

// role is an environment variable that makes this executable another program.
const role = "ICHIDO_POWERCUT_ROLE"

// TestMain makes this executable all that the tests start.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "inspect" { // a store starts it
		os.Exit(store.Inspect(os.Args[2:], os.Stdout))
	}
	switch main := os.Getenv(role); main {
	case "":
		os.Exit(m.Run())
	case "ichido":
		os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	case "open":
		openStates(os.Args[1])
	default:
		if err := runs[main](os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// runs are the programs whose files are cut, by their roles.
var runs = map[string]func(dir string) error{"busy": runBusy, "house": runHouse}

// as is the command that runs this executable as another program.
func as(name string, args ...string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	c := exec.Command(self, args...)
	c.Env = append(os.Environ(), role+"="+name)
	c.Stderr = os.Stderr
	return c
}

// record runs the program in a directory and gives what strace has seen, and the directory.
// On a busy machine a record now and then mixes up what several threads do, and can't be
// understood, which says nothing about the program: then another one is made.
func record(t *testing.T, name string, understand func([]*powercut.Call) error) (calls []*powercut.Call, dir string) {
	t.Helper()
	if _, err := exec.LookPath("strace"); err != nil {
		if os.Getenv("ICHIDO_STRACE") == "required" {
			t.Fatal("strace is required and missing")
		}
		t.Skip("there is no strace to record a run with")
	}
	var err error
	for range 3 {
		calls, dir, err = recordOnce(t, name)
		if err == nil {
			err = understand(calls)
		}
		if err == nil {
			return calls, dir
		}
		t.Logf("a record can't be understood: %v", err)
	}
	t.Fatal(err)
	return nil, ""
}

func recordOnce(t *testing.T, name string) (calls []*powercut.Call, dir string, err error) {
	t.Helper()
	dir, err = os.MkdirTemp("", "ichido-test-*") // a short path, for the socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(t.TempDir(), "record")
	program := as(name, dir)
	traced := exec.CommandContext(t.Context(), "strace", append(powercut.Strace(log)[1:], program.Args...)...)
	traced.Env = program.Env
	if out, err := traced.CombinedOutput(); err != nil {
		t.Fatalf("the run failed: %v\n%s", err, out)
	}
	f, err := os.Open(log)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	calls, err = powercut.Parse(f)
	return calls, dir, err
}
