package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"ichido/store"
)

type repairCmd struct {
	New  string `arg:"" help:"The new file, which must not exist. The damaged one, that of --db, is only read."`
	JSON bool   `name:"json" help:"Report as JSON on standard output."`
}

// Run makes a new file of what can still be read, and says what that is and what to do
// next.
func (c *repairCmd) Run(ctx context.Context, p *program) error {
	if err := p.needFile(); err != nil {
		return err
	}
	if err := p.needStopped(); err != nil {
		return fmt.Errorf("repairing %s: %w", p.db, err)
	}
	salvaged, err := store.Salvage(ctx, p.db, c.New, nil)
	if err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(p.stdout).Encode(salvaged)
	}
	fmt.Fprint(p.stdout, c.report(p.db, salvaged))
	return nil
}

// report says in words what came of it.
func (c *repairCmd) report(file string, s store.Salvaged) string {
	if s.Sound {
		return fmt.Sprintf("nothing is wrong with %s; no other file was made\n", file)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "made %s of what could still be read in %s\n", c.New, file)
	fmt.Fprintf(&b, "rescued: receipts: %d, rows: %d, other records: %d\n", s.Receipts, s.Rows, s.Other)
	if len(s.Lost) == 0 {
		fmt.Fprintln(&b, "lost: no receipt is known to be lost")
	} else {
		fmt.Fprintf(&b, "lost: the receipts %s (some of these numbers may never have been used)\n", numbers(s.Lost))
	}
	if len(s.Substitutes) > 0 {
		fmt.Fprintf(&b, "rebuilt: the receipts %s, from what other records say of them\n", numbers(store.Ranges(s.Substitutes)))
	}
	if len(s.Untold) > 0 {
		fmt.Fprintf(&b, "without item and category: the receipts %s; whether their messages were unsent can't be read, and what was unsent must not come back\n", numbers(store.Ranges(s.Untold)))
	}
	for _, id := range s.Members {
		fmt.Fprintf(&b, "without a name: member %d; ichido members names people, ichido invite lets them in again\n", id)
	}
	for _, id := range s.Accounts {
		fmt.Fprintf(&b, "without a name: account %d, now called 口座 %d\n", id, id)
	}
	fmt.Fprintf(&b, `
What to do next:
  1. Look whether it has what you expect: ichido export --db %[1]s
  2. If a backup is newer than the damage or has more, use that instead: ichido check BACKUP
  3. Put the new file in the place of the household's: ichido restore %[1]s
  4. Enter again what is missing. What was sent may be sent again: nothing that is in the file counts twice.
Keep %[2]s until you are sure.
`, c.New, file)
	return b.String()
}

// numbers lists the ranges: 3, 7-9.
func numbers(ranges []store.Numbers) string {
	var all []string
	for _, r := range ranges {
		if r.From == r.To {
			all = append(all, fmt.Sprint(r.From))
		} else {
			all = append(all, fmt.Sprintf("%d-%d", r.From, r.To))
		}
	}
	return strings.Join(all, ", ")
}
