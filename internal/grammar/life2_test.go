package grammar

import (
	_ "embed"
	"testing"
)

// life2TSV has what is for the ledger and what is not, income, wallets,
// payment, commands, and what looks like them. Its rows were written before
// anybody looked at what Parse makes of them.
//
//go:embed testdata/life2.tsv
var life2TSV string

func TestLife2(t *testing.T) { testSamples(t, life2TSV) }
