package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"time"
)

// results are the best of each contestant, by its name and the number of clients.
type results struct {
	best map[string]map[int]result
	why  map[string]string // why a contestant took no part
}

func newResults() results { return results{map[string]map[int]result{}, map[string]string{}} }

func (r results) add(c contestant, clients int, now result) {
	if r.best[c.name] == nil {
		r.best[c.name] = map[int]result{}
	}
	if now.PerSecond > r.best[c.name][clients].PerSecond {
		r.best[c.name][clients] = now
	}
}

// The tables of a page lie between these lines.
const (
	beginMark = "<!-- begin: written by internal/bench -->\n"
	endMark   = "<!-- end -->\n"
)

// write prints the tables, or puts them in the page.
func (r results) write(page string, rounds int, span time.Duration) error {
	tables := r.tables(rounds, span)
	if page == "" {
		fmt.Print(tables)
		return nil
	}
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(text), beginMark)
	_, after, ok2 := strings.Cut(rest, endMark)
	if !ok || !ok2 {
		return fmt.Errorf("%s has no place for the tables", page)
	}
	return os.WriteFile(page, []byte(before+beginMark+tables+endMark+after), 0o644)
}

func (r results) tables(rounds int, span time.Duration) string {
	var b bytes.Buffer
	base := r.best[floor.name][1]
	fmt.Fprintf(&b, "Measured on %s. The best of %d interleaved rounds of %v each.\n", machine(), rounds, span)
	fmt.Fprintf(&b, "The floor here: %.0f writes a second, %v at the median, %v at the 99th percentile.\n", base.PerSecond, inMillis(base.P50), inMillis(base.P99))
	r.table(&b, "**Purchases a second**, in multiples of the floor:", func(m result) string {
		return times(m.PerSecond / base.PerSecond)
	})
	r.table(&b, "**Time for one**, median / 99th percentile, in multiples of the floor's median:", func(m result) string {
		return times(float64(m.P50)/float64(base.P50)) + " / " + times(float64(m.P99)/float64(base.P50))
	})
	r.table(&b, "**Memory** in MiB at the peak, in brackets what is no page of a file:", func(m result) string {
		return fmt.Sprintf("%d (%d)", m.Memory>>20, m.Anonymous>>20)
	})
	r.between(&b)
	for _, c := range contestants {
		if why := r.why[c.name]; why != "" {
			fmt.Fprintf(&b, "\n%s took no part: %s.\n", c.name, why)
		}
	}
	b.WriteString("\nWhat each of them does for one purchase:\n\n")
	for _, c := range contestants {
		fmt.Fprintf(&b, "- **%s**: %s.\n", c.name, c.about)
	}
	return b.String()
}

// table has a line for each contestant and a column for each number of clients.
func (r results) table(b *bytes.Buffer, title string, cell func(result) string) {
	fmt.Fprintf(b, "\n%s\n\n| |", title)
	for _, n := range clientCounts {
		fmt.Fprintf(b, " %s |", counted(n))
	}
	b.WriteString("\n|---|" + strings.Repeat("--:|", len(clientCounts)) + "\n")
	for _, c := range contestants {
		if r.best[c.name] == nil {
			continue
		}
		fmt.Fprintf(b, "| %s |", c.name)
		for _, n := range clientCounts {
			m, ok := r.best[c.name][n]
			if !ok {
				b.WriteString(" |")
				continue
			}
			fmt.Fprintf(b, " %s |", cell(m))
		}
		b.WriteString("\n")
	}
}

// between compares Ichido with those that do the same kind of thing.
func (r results) between(b *bytes.Buffer) {
	pairs := []struct{ ours, theirs contestant }{
		{ichidoSubmit, boltUpdate}, {ichidoSubmit, boltBatch}, {ichidoSubmit, sqlite}, {ichidoServe, phpMariaDB}, {ichidoAnswers, phpMariaDB},
	}
	b.WriteString("\n**Ichido beside the others**, purchases a second divided by theirs (below 1 Ichido is slower):\n\n| | beside |")
	for _, n := range clientCounts {
		fmt.Fprintf(b, " %s |", counted(n))
	}
	b.WriteString("\n|---|---|" + strings.Repeat("--:|", len(clientCounts)) + "\n")
	for _, p := range pairs {
		if r.best[p.theirs.name] == nil {
			continue
		}
		fmt.Fprintf(b, "| %s | %s |", p.ours.name, p.theirs.name)
		for _, n := range clientCounts {
			fmt.Fprintf(b, " %s |", times(r.best[p.ours.name][n].PerSecond/r.best[p.theirs.name][n].PerSecond))
		}
		b.WriteString("\n")
	}
}

func counted(clients int) string {
	if clients == 1 {
		return "1 client"
	}
	return fmt.Sprint(clients, " clients")
}

// times is a ratio with two digits that matter, or all before the point.
func times(ratio float64) string {
	switch {
	case ratio < 0.095:
		return fmt.Sprintf("%.3f", ratio)
	case ratio < 0.95:
		return fmt.Sprintf("%.2f", ratio)
	case ratio < 9.95:
		return fmt.Sprintf("%.1f", ratio)
	}
	return fmt.Sprintf("%.0f", ratio)
}

func inMillis(d time.Duration) string { return fmt.Sprintf("%.2f ms", d.Seconds()*1000) }
