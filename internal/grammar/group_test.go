package grammar

import (
	_ "embed"
	"strings"
	"testing"
)

// groupTSV has what a family says in its group chat, and whether the bot may
// take it for meant for itself although nobody addressed it. It was written
// before anybody looked at what Parse makes of it.
//
//go:embed testdata/group.tsv
var groupTSV string

func TestInGroup(t *testing.T) { testInGroup(t, groupTSV) }

func testInGroup(t *testing.T, tsv string) {
	t.Helper()
	for n, row := range strings.Split(strings.TrimRight(tsv, "\n"), "\n")[1:] {
		text, expect, ok := strings.Cut(row, "\t")
		if !ok || expect != "acts" && expect != "silent" {
			t.Fatalf("row %d: %q", n+2, row)
		}
		text = strings.ReplaceAll(text, `\n`, "\n")
		if c := Parse(text, testNow); c.InGroup != (expect == "acts") {
			t.Errorf("%q: %s %s%s acts %v, want %s: %+v", text, c.Kind, c.Reason, c.Query, c.InGroup, expect, c.Entries)
		}
	}
}
