// Command bench measures Ichido beside what one would otherwise take to record each
// purchase once and durably: on the same disk, in the same run, by the same clients.
//
// Each contestant (contestant.go) runs in a process of its own, so that its memory can be
// told, on a file of its own, and is asked afterwards how many purchases it holds. The
// floor (disk.go) is what the disk needs for one durable write; all figures are ratios to
// it. Rounds are interleaved and the best of each contestant's counts: what disturbs a
// machine can only make it slower.
//
// It is a module of its own, so that the program's go.mod stays free of other databases.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// clientCounts are the numbers of clients that wait side by side, each for its own answer.
var clientCounts = []int{1, 32, 256}

func main() {
	rounds := flag.Int("rounds", 3, "how often everything is measured; the best counts")
	span := flag.Duration("for", 3*time.Second, "how long one contestant is measured with one number of clients")
	out := flag.String("out", "", "the page whose tables are replaced; \"\" prints them")
	one := flag.String("one", "", "measure only this contestant, and print JSON (used by the program itself)")
	clients := flag.Int("clients", 1, "with -one: the number of clients")
	ichido := flag.String("ichido", "", "with -one: the built program")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var err error
	if *one != "" {
		err = printOne(*one, *ichido, *clients, *span)
	} else {
		err = compare(ctx, *rounds, *span, *out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// printOne measures one contestant in this process.
func printOne(name, ichido string, clients int, span time.Duration) error {
	i := slices.IndexFunc(contestants, func(c contestant) bool { return c.name == name })
	if i < 0 {
		return fmt.Errorf("there is no contestant %q", name)
	}
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	r, err := contestants[i].measure(setting{dir: dir, ichido: ichido, clients: clients, span: span})
	if err != nil {
		return fmt.Errorf("%s with %d clients: %w", name, clients, err)
	}
	return json.NewEncoder(os.Stdout).Encode(r)
}

// compare measures everything and writes the tables.
func compare(ctx context.Context, rounds int, span time.Duration, out string) error {
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if inMemory(dir) {
		return fmt.Errorf("%s is in memory, where nothing is durable: set TMPDIR to a directory on a disk", dir)
	}
	ichido := filepath.Join(dir, "ichido")
	if out, err := exec.CommandContext(ctx, "go", "build", "-C", "../..", "-o", ichido, ".").CombinedOutput(); err != nil {
		return fmt.Errorf("building ichido: %w\n%s", err, out)
	}
	best := newResults()
	for round := range rounds {
		for _, c := range contestants {
			if c.absent != nil {
				if why := c.absent(); why != "" {
					best.why[c.name] = why
					continue
				}
			}
			for _, clients := range c.clients() {
				fmt.Fprintf(os.Stderr, "round %d of %d: %s, %d clients\n", round+1, rounds, c.name, clients)
				r, err := measureApart(ctx, c, ichido, clients, span)
				if err != nil {
					return err
				}
				best.add(c, clients, r)
			}
		}
	}
	return best.write(out, rounds, span)
}

// measureApart measures a contestant in a process of its own.
func measureApart(ctx context.Context, c contestant, ichido string, clients int, span time.Duration) (result, error) {
	self, err := os.Executable()
	if err != nil {
		return result{}, err
	}
	cmd := exec.CommandContext(ctx, self, "-one", c.name, "-ichido", ichido, "-clients", fmt.Sprint(clients), "-for", span.String())
	cmd.Cancel = func() error { return nil } // it ends by itself, with its servers
	cmd.Stderr = os.Stderr
	printed, err := cmd.Output()
	if err != nil {
		return result{}, fmt.Errorf("measuring %s: %w", c.name, err)
	}
	var r result
	err = json.Unmarshal(printed, &r)
	return r, err
}
