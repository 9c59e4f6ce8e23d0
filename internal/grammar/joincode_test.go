package grammar

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// No code for joining is ever read as a row or a question about one, however it
// is typed.
func TestJoinCodesAreNoRows(t *testing.T) {
	t.Parallel()
	codes := 300
	if *every {
		codes = 5000
	}
	random := rand.New(rand.NewPCG(1, 2))
	found, total := 0, 0
	for range codes {
		symbols := make([]byte, 2*codeHalf)
		for i := range symbols {
			symbols[i] = codeAlphabet[random.IntN(len(codeAlphabet))]
		}
		left, right := string(symbols[:codeHalf]), string(symbols[codeHalf:])
		if !hasBoth(left + right) {
			continue // one code in forty has letters only
		}
		wide := widened(left + "-" + right)
		for _, text := range []string{left + "-" + right, left + right, wide, "招待コード " + left + "-" + right, "コードは" + left + right + "です", left + "ー" + right} {
			for _, text := range []string{text, strings.ToUpper(text), "  " + text + "\n"} {
				c := Parse(text, testNow)
				if c.Kind != Remark {
					t.Errorf("%q is read as %s %s %+v", text, c.Kind, c.Reason, c.Entries)
				}
				total++
				if code := InviteCode(text); code == strings.ToUpper(left+right) && c.Reason == JoinCode {
					found++
				}
			}
		}
	}
	if found < total*999/1000 {
		t.Errorf("of %d codes only %d are known for what they are", total, found)
	}
}

func TestInviteCode(t *testing.T) {
	for text, want := range map[string]string{
		"AB2CD-34EF5":              "AB2CD34EF5",
		"ab2cd34ef5":               "AB2CD34EF5",
		"ＡＢ２ＣＤ－３４ＥＦ５":              "AB2CD34EF5",
		"招待コード\nAB2CD-34EF5\n":     "AB2CD34EF5",
		"招待コード: AB2CD 34EF5":       "AB2CD34EF5",
		"AB2CD-34EF5 よろしくお願いします":   "AB2CD34EF5",
		"AB2CO-34IF5":              "AB2CO34IF5",
		"招待コード KXQWZ-RTSVB":        "KXQWZRTSVB",
		"AB2CD-34EF5-GH6JK":        "",
		"AB2CD-34EF5 3000円":        "",
		"ランチ 900 AB2CD-34EF5":      "",
		"イヤホン WF1000XM5B":          "",
		"S25FE 98000":              "",
		"bread-12000":              "",
		"lunch12000":               "",
		"5kg2980yen":               "",
		"1234567890":               "",
		"12345-67890":              "",
		"happy-years":              "",
		"https://example.com/a/b1": "",
	} {
		if got := InviteCode(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
