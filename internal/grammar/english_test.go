package grammar

import (
	_ "embed"
	"testing"
	"unicode/utf8"

	"ichido/internal/ledger"
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

// Each built-in category has a name in English of its own, short enough for a
// button, and that name is read as the category.
func TestEnglishCategories(t *testing.T) {
	const longest = 14
	seen := map[string]ledger.Category{}
	for _, c := range append(ledger.Categories[:len(ledger.Categories):len(ledger.Categories)], ledger.Pay) {
		name := EnglishCategory(c)
		if n := utf8.RuneCountInString(name); n == 0 || n > longest || seen[name] != "" {
			t.Errorf("%s is %q in English, as is %q", c, name, seen[name])
		}
		seen[name] = c
		if got := Parse("list "+name, testNow); c != ledger.Pay && got.Category != c {
			t.Errorf("list %s: %q, want %q", name, got.Category, c)
		}
		if got := Parse("curry 900 "+name, testNow); c != ledger.Pay && (len(got.Entries) != 1 || got.Entries[0].Category != c) {
			t.Errorf("curry 900 %s: %+v, want %q", name, got.Entries, c)
		}
	}
	if name := EnglishCategory("推し活"); name != "" {
		t.Errorf("a category of the household is %q", name)
	}
}

func TestEnglishAccounts(t *testing.T) {
	for account, want := range map[string]string{ledger.Cash: "wallet", "カード": "card", "銀行": "bank", "貯金": "savings", "Suica": "Suica", "ゆうちょ": "ゆうちょ"} {
		if got := EnglishAccount(account); got != want {
			t.Errorf("%s is %q, want %q", account, got, want)
		}
	}
}
