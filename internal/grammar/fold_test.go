package grammar

import (
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// What fold passes by is what it would leave alone.
func TestMayFold(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if mayFold(r) {
			continue
		}
		s := string(r)
		if norm.NFKC.String(s) != s || norm.NFKC.PropertiesString(s).CCC() != 0 || keepsForm(r) || dropInvisible(r) != r {
			t.Errorf("%q is folded", s)
		}
	}
}
