package grammar

import (
	_ "embed"
	"testing"
)

// familyTSV has what a couple typed while it lived with the bot for a week, and
// what looks like it.
//
//go:embed testdata/family.tsv
var familyTSV string

func TestFamily(t *testing.T) { testSamples(t, familyTSV) }
