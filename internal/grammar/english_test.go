package grammar

import (
	_ "embed"
	"testing"
)

// englishTSV has what a member types who speaks English. Most of it was written
// before anybody looked at what Parse makes of it.
//
//go:embed testdata/english.tsv
var englishTSV string

//go:embed testdata/englishgroup.tsv
var englishGroupTSV string

func TestEnglish(t *testing.T) { testSamples(t, englishTSV) }

func TestEnglishInGroup(t *testing.T) { testInGroup(t, englishGroupTSV) }
