package grammar

import (
	_ "embed"
	"testing"
)

// life1TSV has amounts, dates, names with digits and several rows in a message,
// written before anybody looked at what Parse makes of them.
//
//go:embed testdata/life1.tsv
var life1TSV string

func TestLife1(t *testing.T) { testSamples(t, life1TSV) }
