package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Each contestant holds in the end what it has acknowledged: measure fails otherwise.
func TestContestants(t *testing.T) {
	ichido := filepath.Join(t.TempDir(), "ichido")
	if out, err := exec.Command("go", "build", "-C", "../..", "-o", ichido, ".").CombinedOutput(); err != nil {
		t.Fatalf("building ichido: %v\n%s", err, out)
	}
	for _, c := range contestants {
		t.Run(c.name, func(t *testing.T) {
			if c.absent != nil {
				if why := c.absent(); why != "" {
					t.Skip(why)
				}
			}
			clients := c.clients()[min(1, len(c.clients())-1)]
			r, err := c.measure(setting{dir: t.TempDir(), ichido: ichido, clients: clients, span: 300 * time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			if r.PerSecond <= 0 || r.P50 <= 0 || r.P99 < r.P50 || r.Memory < r.Anonymous || r.Anonymous <= 0 {
				t.Errorf("measured: %+v", r)
			}
		})
	}
}

// All of them do the same: what comes a second time is acknowledged and not recorded.
func TestRepeats(t *testing.T) {
	ichido := filepath.Join(t.TempDir(), "ichido")
	if out, err := exec.Command("go", "build", "-C", "../..", "-o", ichido, ".").CombinedOutput(); err != nil {
		t.Fatalf("building ichido: %v\n%s", err, out)
	}
	for _, c := range contestants {
		t.Run(c.name, func(t *testing.T) {
			switch {
			case strings.HasPrefix(c.name, "floor"):
				t.Skip("the floor has no keys")
			case c.absent != nil && c.absent() != "":
				t.Skip(c.absent())
			}
			l, err := c.start(setting{dir: t.TempDir(), ichido: ichido, clients: 1, span: 10 * time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			record, err := l.client()
			for _, n := range []int{0, 1, 1, 0, 2} {
				if err == nil {
					err = record(n)
				}
			}
			if err != nil {
				t.Error(err)
			}
			if rows, err := l.close(); err != nil || rows != 3 {
				t.Errorf("three purchases, of which two came twice, left %d rows (%v)", rows, err)
			}
		})
	}
}

func TestTables(t *testing.T) {
	r := newResults()
	for _, c := range contestants {
		for _, n := range c.clients() {
			r.add(c, n, result{PerSecond: 1000, P50: time.Millisecond, P99: 2 * time.Millisecond, Memory: 3 << 20, Anonymous: 1 << 20})
			r.add(c, n, result{PerSecond: 500, P50: time.Second}) // a disturbed round
		}
	}
	r.why[phpMariaDB.name] = "not installed: nginx"
	got := r.tables(2, time.Second)
	for _, want := range []string{
		"The floor here: 1000 writes a second, 1.00 ms at the median",
		"| SQLite | 1.0 | 1.0 | 1.0 |\n",
		"| floor | 1.0 / 2.0 | | |\n",
		"| SQLite | 3 (1) | 3 (1) | 3 (1) |\n",
		"PHP + MariaDB, webhook took no part: not installed: nginx.",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the tables lack %q:\n%s", want, got)
		}
	}
}
