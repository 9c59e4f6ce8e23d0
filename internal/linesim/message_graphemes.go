package linesim

import "unicode"

// graphemes counts what a reader takes for one character: the extended grapheme
// clusters of UAX #29, without the conjuncts of Indic scripts (GB9c), each of which
// counts as several.
func graphemes(s string) int {
	n := 0
	prev := breakStart
	flags := 0        // regional indicators that end before here, in one run
	pictured := false // prev ends a pictograph with extensions (GB11)
	for _, r := range s {
		b := breakOf(r)
		if !joins(prev, b, flags, pictured) {
			n++
		}
		if b != breakRegional {
			flags = 0
		} else {
			flags++
		}
		pictured = b == breakPictograph || pictured && (b == breakExtend || b == breakZWJ)
		prev = b
	}
	return n
}

// graphemeBreak is the property Grapheme_Cluster_Break, with the pictographs beside.
type graphemeBreak int

const (
	breakOther graphemeBreak = iota
	breakStart
	breakCR
	breakLF
	breakControl
	breakExtend
	breakZWJ
	breakRegional
	breakPrepend
	breakSpacing
	breakL
	breakV
	breakT
	breakLV
	breakLVT
	breakPictograph
)

// joins says whether no boundary stands between two characters (GB1 to GB13).
func joins(prev, b graphemeBreak, flags int, pictured bool) bool {
	control := func(b graphemeBreak) bool { return b == breakCR || b == breakLF || b == breakControl }
	switch {
	case prev == breakStart:
		return false
	case prev == breakCR && b == breakLF:
		return true
	case control(prev) || control(b):
		return false
	case b == breakExtend || b == breakZWJ || b == breakSpacing || prev == breakPrepend:
		return true
	case prev == breakL:
		return b == breakL || b == breakV || b == breakLV || b == breakLVT
	case prev == breakLV || prev == breakV:
		return b == breakV || b == breakT
	case prev == breakLVT || prev == breakT:
		return b == breakT
	case prev == breakZWJ && b == breakPictograph:
		return pictured
	}
	return prev == breakRegional && b == breakRegional && flags%2 == 1
}

func breakOf(r rune) graphemeBreak {
	switch {
	case r == '\r':
		return breakCR
	case r == '\n':
		return breakLF
	case r == '\u200d':
		return breakZWJ
	case r < 0x300 && r != 0xa9 && r != 0xad && r != 0xae:
		if unicode.IsControl(r) {
			return breakControl
		}
		return breakOther
	case r >= 0x1f1e6 && r <= 0x1f1ff:
		return breakRegional
	case r >= 0x1100 && r <= 0xd7ff:
		if b := hangul(r); b != breakOther {
			return b
		}
	}
	switch {
	case unicode.Is(prepends, r):
		return breakPrepend
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Other_Grapheme_Extend), r >= 0x1f3fb && r <= 0x1f3ff:
		return breakExtend
	case unicode.Is(unicode.Mc, r) && !unicode.Is(apart, r), r == 0xe33, r == 0xeb3:
		return breakSpacing
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp), r >= 0xe0000 && r <= 0xe0fff, r == 0x2065, r >= 0xfff0 && r <= 0xfff8:
		return breakControl
	case unicode.Is(pictographs, r):
		return breakPictograph
	}
	return breakOther
}

// hangul is the property of the letters and syllables of Korean.
func hangul(r rune) graphemeBreak {
	switch {
	case r <= 0x115f, r >= 0xa960 && r <= 0xa97c:
		return breakL
	case r <= 0x11a7, r >= 0xd7b0 && r <= 0xd7c6:
		return breakV
	case r <= 0x11ff, r >= 0xd7cb && r <= 0xd7fb:
		return breakT
	case r < 0xac00 || r > 0xd7a3:
		return breakOther
	case (r-0xac00)%28 == 0:
		return breakLV
	}
	return breakLVT
}

// Marks that Unicode leaves apart: they do not join what is before (UAX #29, table 2).
var apart = &unicode.RangeTable{R16: []unicode.Range16{
	{0x102b, 0x102c, 1}, {0x1038, 0x1038, 1}, {0x1062, 0x1064, 1}, {0x1067, 0x106d, 1}, {0x1083, 0x1083, 1},
	{0x1087, 0x108c, 1}, {0x108f, 0x108f, 1}, {0x109a, 0x109c, 1}, {0x1a61, 0x1a61, 1}, {0x1a63, 0x1a64, 1},
	{0xaa7b, 0xaa7b, 1}, {0xaa7d, 0xaa7d, 1},
}, R32: []unicode.Range32{{0x11720, 0x11721, 1}}}

// Signs that join what is behind: Prepend.
var prepends = &unicode.RangeTable{R16: []unicode.Range16{
	{0x0600, 0x0605, 1}, {0x06dd, 0x06dd, 1}, {0x070f, 0x070f, 1}, {0x0890, 0x0891, 1}, {0x08e2, 0x08e2, 1}, {0x0d4e, 0x0d4e, 1},
}, R32: []unicode.Range32{
	{0x110bd, 0x110bd, 1}, {0x110cd, 0x110cd, 1}, {0x111c2, 0x111c3, 1}, {0x1193f, 0x1193f, 1}, {0x11941, 0x11941, 1},
	{0x11a3a, 0x11a3a, 1}, {0x11a84, 0x11a89, 1}, {0x11d46, 0x11d46, 1}, {0x11f02, 0x11f02, 1},
}}

// pictographs are the characters with Extended_Pictographic (emoji-data.txt, with the
// places that are kept for later ones).
var pictographs = &unicode.RangeTable{R16: []unicode.Range16{
	{0xa9, 0xa9, 1}, {0xae, 0xae, 1}, {0x203c, 0x203c, 1}, {0x2049, 0x2049, 1}, {0x2122, 0x2122, 1}, {0x2139, 0x2139, 1},
	{0x2194, 0x2199, 1}, {0x21a9, 0x21aa, 1}, {0x231a, 0x231b, 1}, {0x2328, 0x2328, 1}, {0x2388, 0x2388, 1}, {0x23cf, 0x23cf, 1},
	{0x23e9, 0x23f3, 1}, {0x23f8, 0x23fa, 1}, {0x24c2, 0x24c2, 1}, {0x25aa, 0x25ab, 1}, {0x25b6, 0x25b6, 1}, {0x25c0, 0x25c0, 1},
	{0x25fb, 0x25fe, 1}, {0x2600, 0x2605, 1}, {0x2607, 0x2612, 1}, {0x2614, 0x2685, 1}, {0x2690, 0x2705, 1}, {0x2708, 0x2712, 1},
	{0x2714, 0x2714, 1}, {0x2716, 0x2716, 1}, {0x271d, 0x271d, 1}, {0x2721, 0x2721, 1}, {0x2728, 0x2728, 1}, {0x2733, 0x2734, 1},
	{0x2744, 0x2744, 1}, {0x2747, 0x2747, 1}, {0x274c, 0x274c, 1}, {0x274e, 0x274e, 1}, {0x2753, 0x2755, 1}, {0x2757, 0x2757, 1},
	{0x2763, 0x2767, 1}, {0x2795, 0x2797, 1}, {0x27a1, 0x27a1, 1}, {0x27b0, 0x27b0, 1}, {0x27bf, 0x27bf, 1}, {0x2934, 0x2935, 1},
	{0x2b05, 0x2b07, 1}, {0x2b1b, 0x2b1c, 1}, {0x2b50, 0x2b50, 1}, {0x2b55, 0x2b55, 1}, {0x3030, 0x3030, 1}, {0x303d, 0x303d, 1},
	{0x3297, 0x3297, 1}, {0x3299, 0x3299, 1},
}, R32: []unicode.Range32{
	{0x1f000, 0x1f0ff, 1}, {0x1f10d, 0x1f10f, 1}, {0x1f12f, 0x1f12f, 1}, {0x1f16c, 0x1f171, 1}, {0x1f17e, 0x1f17f, 1}, {0x1f18e, 0x1f18e, 1},
	{0x1f191, 0x1f19a, 1}, {0x1f1ad, 0x1f1e5, 1}, {0x1f201, 0x1f20f, 1}, {0x1f21a, 0x1f21a, 1}, {0x1f22f, 0x1f22f, 1}, {0x1f232, 0x1f23a, 1},
	{0x1f23c, 0x1f23f, 1}, {0x1f249, 0x1f3fa, 1}, {0x1f400, 0x1f53d, 1}, {0x1f546, 0x1f64f, 1}, {0x1f680, 0x1f6ff, 1}, {0x1f774, 0x1f77f, 1},
	{0x1f7d5, 0x1f7ff, 1}, {0x1f80c, 0x1f80f, 1}, {0x1f848, 0x1f84f, 1}, {0x1f85a, 0x1f85f, 1}, {0x1f888, 0x1f88f, 1}, {0x1f8ae, 0x1f8ff, 1},
	{0x1f90c, 0x1f93a, 1}, {0x1f93c, 0x1f945, 1}, {0x1f947, 0x1faff, 1}, {0x1fc00, 0x1fffd, 1},
}, LatinOffset: 2}
