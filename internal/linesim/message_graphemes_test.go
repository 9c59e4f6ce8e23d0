package linesim

import (
	"testing"

	"github.com/rivo/uniseg"
)

func TestGraphemes(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "a": 1, "日本語": 3, "a\nb": 3, "\r\n": 1, "\n\u0301": 2,
		"が": 1, "か\u3099": 1, "は\u309a": 1, "ｶﾞｯﾂ": 3, "é": 1, "e\u0301\u0302": 1,
		"👍": 1, "👍🏽": 1, "👨‍👩‍👧‍👦": 1, "👨‍👩‍👧‍👦👨‍👩‍👧‍👦": 2, "👩🏽‍🚀": 1, "🏳️‍🌈": 1, "❤️‍🔥": 1, "☕️": 1, "1️⃣": 1, "葛\U000e0100": 1,
		"🇯🇵": 1, "🇯🇵🇺🇸": 2, "🇯🇵🇺": 2, "🇯x🇵": 3, "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f": 1,
		"한국": 2, "\u1112\u1161\u11ab": 1, "\u1100\u1100\u1161": 1, "가\u11a8": 1, "각\u11a8": 1, "각\u1161": 2,
		"a\u200db": 2, "a\u200d👍": 2, "👍\u200d": 1, "กำ": 1, "\u0600a": 1, "©️": 1, "\u00ad\u0301": 2,
	} {
		if got := graphemes(s); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	}
}

// What is counted here is what the program counts with when it cuts.
func FuzzGraphemes(f *testing.F) {
	for _, s := range []string{"👨‍👩‍👧‍👦🇯🇵か\u3099", "한국\u1112\u1161\u11ab", "\u0600\u0e33\r\n", "क्ष", "\U00011720\u102b", "\xff\u200d👍"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := graphemes(s), uniseg.GraphemeClusterCount(s); got != want {
			t.Errorf("%+q: %d, want %d", s, got, want)
		}
	})
}

// Each character counts as it does there, behind what it could join and before it.
func TestGraphemesOfAllCharacters(t *testing.T) {
	for r := rune(0); r <= 0x10ffff; r++ {
		if r >= 0xd800 && r <= 0xdfff || r >= 0x33480 && r < 0xe0000 { // surrogates, and what nobody has assigned
			continue
		}
		for _, s := range []string{"a" + string(r) + "a", "👍\u200d" + string(r), "\u1100" + string(r) + "\u1161", "가" + string(r) + "\u11a8", string(r) + "\u0301", string(r) + "\u200d👍"} {
			if got, want := graphemes(s), uniseg.GraphemeClusterCount(s); got != want {
				t.Errorf("%U in %+q: %d, want %d", r, s, got, want)
			}
		}
	}
}
