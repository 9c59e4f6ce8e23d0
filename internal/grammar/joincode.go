package grammar

import (
	"slices"
	"strings"
)

// A code for joining has two halves of codeHalf symbols of Crockford's base 32,
// with a hyphen between them.
const (
	codeHalf     = 5
	codeAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"
)

// codeTalk are the words that say that a code stands beside them; codeHeads do
// so in front of the line only, because of レコード.
var (
	codeTalk  = []string{"招待", "しょうたい", "invit", "合言葉"}
	codeHeads = []string{"コード", "code", "参加コード"}
)

// InviteCode returns the code for joining that the text has, ten symbols in
// upper case without the hyphen; "" if it has none.
func InviteCode(text string) string {
	for s := range strings.SplitSeq(fold(text), "\n") {
		if code := newText(s).joinCode(); code != "" {
			return code
		}
	}
	return ""
}

// readJoinCode takes a code for joining out of the way of the other rules: none
// of its digits is an amount.
func readJoinCode(l *line) (Command, bool) {
	return Command{Kind: Remark, Reason: JoinCode}, l.joinCode() != ""
}

// joinCode finds the first word of the line that has the form of a code. No
// number may stand beside it: that would be the amount of a row. Where it may as
// well be something else, no word may, unless it speaks of a code.
func (t text) joinCode() string {
	for i := range t.low {
		if !isCodeRune(t.rune(i)) || isCodeRune(t.rune(i-1)) || isHyphen(t.rune(i-1)) {
			continue
		}
		found, ok := t.codeAt(i)
		if !ok {
			continue
		}
		around := string(t.low[:i]) + " " + string(t.low[found.to:])
		talk := speaksOfCode(around)
		words := strings.ContainsFunc(around, func(r rune) bool { return isWord(scriptOf(r)) && scriptOf(r) != other })
		number := strings.ContainsFunc(around, func(r rune) bool { return scriptOf(r) == digit || r == '円' })
		if !number && (talk && !found.apart || found.certain || found.likely && !words) {
			return strings.ToUpper(found.symbols)
		}
		return ""
	}
	return ""
}

func speaksOfCode(around string) bool {
	around = strings.TrimSpace(around)
	return slices.ContainsFunc(codeTalk, func(word string) bool { return strings.Contains(around, word) }) ||
		slices.ContainsFunc(codeHeads, func(word string) bool { return strings.HasPrefix(around, word) })
}

// codeShape is a word that may be a code. A code is random, so most have letters
// and digits in no order; a name with a price has one behind the other.
type codeShape struct {
	symbols string // ten
	to      int
	certain bool // whatever stands beside it
	likely  bool // alone in its line
	apart   bool // a word and a number, whatever is said of it
}

// codeAt reads XXXXX-XXXXX, XXXXXXXXXX and XXXXX XXXXX.
func (t text) codeAt(i int) (codeShape, bool) {
	first := t.codeRun(i)
	if first-i == 2*codeHalf {
		c := codeShape{symbols: string(t.low[i:first]), to: first}
		c.likely = isStrict(c.symbols) && hasBoth(c.symbols) && !isPriced(c.symbols)
		return c, t.codeEnds(first) && isCode(c.symbols)
	}
	second := t.skipBlank(first)
	hyphen := isHyphen(t.rune(second))
	if hyphen {
		second = t.skipBlank(second + 1)
	}
	end := t.codeRun(second)
	if first-i != codeHalf || end-second != codeHalf || !t.codeEnds(end) {
		return codeShape{}, false
	}
	left, right := string(t.low[i:first]), string(t.low[second:end])
	c := codeShape{symbols: left + right, to: end}
	if hyphen {
		c.certain = isMixed(c.symbols)
		c.likely = isStrict(c.symbols) && hasBoth(c.symbols) && !isPriced(c.symbols)
	} else {
		c.likely, c.apart = hasBoth(left) && hasBoth(right), !isMixed(c.symbols)
	}
	return c, isCode(c.symbols)
}

// codeRun gives the end of the letters and digits at i.
func (t text) codeRun(i int) int {
	for isCodeRune(t.rune(i)) {
		i++
	}
	return i
}

// codeEnds says whether a code may end before i: the key of a program goes on.
func (t text) codeEnds(i int) bool { return !isHyphen(t.rune(i)) || !isCodeRune(t.rune(i+1)) }

func isCodeRune(r rune) bool { return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' }

// isHyphen says whether people type the rune for the hyphen of a code.
func isHyphen(r rune) bool { return isDash(r) || r == '—' || r == '―' }

// isCode says whether all symbols are those of a code, or what is easily taken
// for one.
func isCode(symbols string) bool { return strings.Trim(symbols, codeAlphabet+"oil") == "" }

// isPriced says whether the symbols are a known word with its price, or a price
// in yen.
func isPriced(symbols string) bool {
	const shortest = 4 // letters of a word that no code has by chance
	if strings.HasSuffix(symbols, "yen") && isDigit(rune(symbols[len(symbols)-len("yen")-1])) {
		return true
	}
	return slices.ContainsFunc(strings.FieldsFunc(symbols, isDigit), func(letters string) bool {
		t := newText(letters)
		return len(letters) >= shortest && words().known(&t, 0, len(t.raw))
	})
}

func isDigit(r rune) bool  { return '0' <= r && r <= '9' }
func isLetter(r rune) bool { return 'a' <= r && r <= 'z' }

// isStrict says whether no symbol is one that codes avoid.
func isStrict(symbols string) bool { return !strings.ContainsAny(symbols, "oil") }

// hasBoth says whether the symbols are letters and digits.
func hasBoth(symbols string) bool {
	return strings.ContainsFunc(symbols, isDigit) && strings.ContainsFunc(symbols, isLetter)
}

// isMixed says whether letters and digits change places more than once.
func isMixed(symbols string) bool {
	changes := 0
	for i := 1; i < len(symbols); i++ {
		if isDigit(rune(symbols[i-1])) != isDigit(rune(symbols[i])) {
			changes++
		}
	}
	return changes > 1
}
