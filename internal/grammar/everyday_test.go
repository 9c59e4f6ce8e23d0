package grammar

import (
	_ "embed"
	"slices"
	"strings"
	"testing"

	"ichido/internal/ledger"
)

// everydayTSV has what families buy and where, as they type it, written down
// before anybody looked whether the dictionary has it.
//
//go:embed testdata/everyday.tsv
var everydayTSV string

// boundariesTSV has words that stand inside others, and others that look like
// them; - is no category.
//
//go:embed testdata/boundaries.tsv
var boundariesTSV string

// wanted is an item with the categories that are right for it; "" is none.
type wanted struct {
	item       string
	categories []ledger.Category
}

func readWanted(t *testing.T, tsv string) (all []wanted) {
	t.Helper()
	for n, row := range strings.Split(strings.TrimRight(tsv, "\n"), "\n")[1:] {
		item, list, ok := strings.Cut(row, "\t")
		if !ok {
			t.Fatalf("row %d: %q", n+2, row)
		}
		w := wanted{item: item}
		for c := range strings.SplitSeq(list, "|") {
			if c = strings.TrimSpace(c); c != "-" && !isCategory(c) {
				t.Fatalf("row %d: no category %q", n+2, c)
			}
			w.categories = append(w.categories, ledger.Category(strings.TrimPrefix(c, "-")))
		}
		all = append(all, w)
	}
	return all
}

// categoryTyped is what a person gets who types the item with an amount. ok is
// false if that is no single row with the item and the amount as typed.
func categoryTyped(item string) (c ledger.Category, row Command, ok bool) {
	row = Parse(item+" 900", testNow)
	if row.Kind != Record || len(row.Entries) != 1 {
		return "", row, false
	}
	e := row.Entries[0]
	return e.Category, row, e.Amount == 900
}

// everydayMissing is how many of a hundred everyday items may have no category.
const everydayMissing = 10

func TestEverydayItems(t *testing.T) {
	t.Parallel()
	rows := readWanted(t, everydayTSV)
	var missing []string
	for _, w := range rows {
		switch got, c, ok := categoryTyped(w.item); {
		case !ok:
			t.Errorf("%s: %s %s", w.item, c.Kind, c.Reason)
		case got == "":
			missing = append(missing, w.item)
		case !slices.Contains(w.categories, got):
			t.Errorf("%s: %s, want %s", w.item, got, w.categories)
		}
	}
	t.Logf("%d of %d without a category: %s", len(missing), len(rows), strings.Join(missing, " "))
	if len(missing)*100 > len(rows)*everydayMissing {
		t.Errorf("%d of %d have no category", len(missing), len(rows))
	}
}

func TestBoundaries(t *testing.T) {
	for _, w := range readWanted(t, boundariesTSV) {
		switch got, c, ok := categoryTyped(w.item); {
		case !ok:
			t.Errorf("%s: %s %s", w.item, c.Kind, c.Reason)
		case !slices.Contains(w.categories, got):
			t.Errorf("%s: %q, want %q", w.item, got, w.categories)
		}
	}
}
