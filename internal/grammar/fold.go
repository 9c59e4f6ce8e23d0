package grammar

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// text is what was typed in three parallel forms: a position means the same in
// all of them.
type text struct {
	raw []rune // width folded; what items are cut from
	low []rune // lower case; what the lexicon is looked up in
	key []rune // lower case and hiragana; what the dictionary is looked up in

	class []script // of each rune of raw
}

func newText(s string) text {
	n := utf8.RuneCountInString(s)
	forms := make([]rune, 3*n)
	t := text{raw: forms[:n:n], low: forms[n : 2*n : 2*n], key: forms[2*n:], class: make([]script, n)}
	i := 0
	for _, r := range s {
		t.raw[i], t.low[i], t.class[i] = r, unicode.ToLower(r), scriptOf(r)
		if r == '’' {
			t.low[i] = '\'' // the one of it’s
		}
		t.key[i] = hiragana(t.low[i])
		i++
	}
	return t
}

// until gives the text as if it ended there.
func (t *text) until(end int) *text {
	return &text{raw: t.raw[:end], low: t.low[:end], key: t.key[:end], class: t.class[:end]}
}

// fold normalises by NFKC, but leaves alone what would turn into digits that
// nobody typed: circled digits, fractions, superscripts, square units.
func fold(s string) string {
	if !strings.ContainsFunc(s, mayFold) {
		return s
	}
	s = strings.ToValidUTF8(s, "")
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	s = strings.Map(dropInvisible, s)
	return dropJoiners(foldWidth(s))
}

// foldWidth normalises but for what would become a number that nobody wrote.
func foldWidth(s string) string {
	if !strings.ContainsFunc(s, keepsForm) {
		return norm.NFKC.String(s)
	}
	var b strings.Builder
	for s != "" {
		i := strings.IndexFunc(s, keepsForm)
		if i < 0 {
			i = len(s)
		}
		b.WriteString(norm.NFKC.String(s[:i]))
		s = s[i:]
		kept := len(s) - len(strings.TrimLeftFunc(s, keepsForm))
		b.WriteString(s[:kept])
		s = s[kept:]
	}
	return b.String()
}

// mayFold says whether fold may change the rune or its neighbours. Most texts have
// none that it changes.
func mayFold(r rune) bool {
	return !(' ' <= r && r <= '~' || r == '\n' || 'ぁ' <= r && r <= 'ゖ' || 'ァ' <= r && r <= 'ー' || '一' <= r && r <= '鿿')
}

// foldKey gives the form in which a dictionary word is looked up.
func foldKey(s string) string { return string(newText(fold(s)).key) }

const zeroWidthJoiner = '\u200d' // holds an emoji together, so it stays

func dropInvisible(r rune) rune {
	switch {
	case '!' <= r && r <= '~', 'ぁ' <= r && r <= 'ヿ', '一' <= r && r <= '鿿':
		return r // most of what is typed
	case r == '\n' || r == zeroWidthJoiner:
		return r
	case unicode.Is(unicode.Zs, r) || unicode.IsControl(r) || r == '\u2028' || r == '\u2029':
		return ' '
	case unicode.Is(unicode.Cf, r):
		return -1
	}
	return r
}

// dropJoiners drops each joiner that joins no emoji.
func dropJoiners(s string) string {
	if !strings.ContainsRune(s, zeroWidthJoiner) {
		return s
	}
	last := blank
	return strings.Map(func(r rune) rune {
		if r == zeroWidthJoiner && last != other {
			return -1
		}
		last = scriptOf(r)
		return r
	}, s)
}

func keepsForm(r rune) bool {
	if r < 0xb2 || 'ぁ' <= r && r <= 'ヿ' || '一' <= r && r <= '鿿' || unicode.Is(unicode.Nd, r) {
		return false
	}
	if unicode.Is(unicode.No, r) {
		return true
	}
	return unicode.Is(unicode.So, r) && strings.ContainsAny(norm.NFKC.String(string(r)), "0123456789")
}

func hiragana(r rune) rune {
	if 'ァ' <= r && r <= 'ヶ' {
		return r - 'ァ' + 'ぁ'
	}
	return r
}

// script is the class of a rune. A word rarely goes on from one class into
// another, so a change of class is where words begin and end.
type script uint8

const (
	blank script = iota
	punct
	digit
	latin
	kana // hiragana
	katakana
	kanji
	other // emoji and the like
)

func scriptOf(r rune) script {
	switch {
	case r == ' ' || r == '\n':
		return blank
	case '0' <= r && r <= '9':
		return digit
	case 'ぁ' <= r && r <= 'ゟ':
		return kana
	case 'ァ' <= r && r <= 'ヿ':
		if r == '・' {
			return punct
		}
		return katakana
	case '一' <= r && r <= '鿿' || unicode.Is(unicode.Han, r) || r == '々' || r == '〆':
		return kanji
	case unicode.IsLetter(r):
		return latin
	case unicode.IsPunct(r) || unicode.Is(unicode.Sm, r) || unicode.Is(unicode.Sc, r) || r == '`' || r == '^' || '─' <= r && r <= '╿':
		return punct
	}
	return other
}

// scripts is a set of them, a bit each.
type scripts uint8

const anyScript scripts = 1<<(other+1) - 1 ^ 1<<blank

func of(all ...script) (set scripts) {
	for _, s := range all {
		set |= 1 << s
	}
	return set
}

// runs counts the runs of one script, as a guess at the number of spans: a mark
// of punctuation is one by itself.
func (t *text) runs() (n int) {
	for i, s := range t.class {
		if i == 0 || s == punct || s != t.class[i-1] {
			n++
		}
	}
	return n
}

func isWord(s script) bool { return s >= latin }

// at gives the class of the rune at i; a position outside is blank.
func (t *text) at(i int) script {
	if i < 0 || i >= len(t.class) {
		return blank
	}
	return t.class[i]
}

// rune gives the lower-case rune at i; a position outside gives 0.
func (t *text) rune(i int) rune {
	if i < 0 || i >= len(t.low) {
		return 0
	}
	return t.low[i]
}

// has says whether the lower-case text goes on with s at i.
func (t *text) has(i int, s string) bool {
	for _, r := range s {
		if t.rune(i) != r {
			return false
		}
		i++
	}
	return true
}

// skipBlank gives the first position from i on that is not blank.
func (t *text) skipBlank(i int) int {
	for i < len(t.raw) && t.at(i) == blank {
		i++
	}
	return i
}

// startsWord says whether a word may begin at i: the class of script changes
// there. Kana before kanji may be an honorific or a particle.
func (t *text) startsWord(i int) bool {
	before, here := t.at(i-1), t.at(i)
	switch {
	case !isWord(before) || before == other || here == other:
		return true
	case before == kana && here == kana:
		return isParticle(t.rune(i-1)) && i >= 2 && t.at(i-2) != kana
	case before == katakana && t.raw[i] == 'ー':
		return false
	}
	return before != here
}

// endsWord says whether a word may end before i.
func (t *text) endsWord(i int) bool {
	last, next := t.at(i-1), t.at(i)
	switch {
	case !isWord(next) || next == other || last == other:
		return true
	case next == kana && last != katakana:
		return isParticle(t.rune(i))
	case next == kanji && last == kanji:
		return isFeeSuffix(t.rune(i)) && !isWord(t.at(i+1)) || t.isKanjiPrice(i)
	}
	return last != next
}

// isKanjiPrice says whether a price in kanji begins at i: はま寿司千円.
func (t *text) isKanjiPrice(i int) bool {
	if !isNumeralRune(t.rune(i)) {
		return false
	}
	n := t.readNumeral(i)
	return n.unit && n.fault == "" && t.rune(n.end) == '円'
}

func isParticle(r rune) bool  { return strings.ContainsRune("のにでをはがもとやへ", r) }
func isFeeSuffix(r rune) bool { return strings.ContainsRune("代料費", r) }
