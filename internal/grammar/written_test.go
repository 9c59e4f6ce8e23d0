package grammar

import (
	"math/big"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// No amount comes from anywhere but the text: it is written there, or follows
// from what is written by a rule that a word in the text calls for. What is
// written is found here without anything of the package's own.
func TestAmountsAreWritten(t *testing.T) {
	t.Parallel()
	for _, c := range parsed(t) {
		checkWritten(t, c)
	}
}

func checkWritten(t *testing.T, c Command) {
	t.Helper()
	may := derived(c.Text, written(c.Text))
	for _, e := range c.Entries {
		if !may[int64(e.Amount)] || e.Total != 0 && !may[int64(e.Total)] {
			t.Errorf("%q: nobody wrote %d of %d", c.Text, e.Amount, e.Total)
		}
	}
	if c.HasAmount && !may[int64(c.Amount)] || c.HasOld && !may[int64(c.Old)] {
		t.Errorf("%q: nobody wrote %d, was %d", c.Text, c.Amount, c.Old)
	}
	for _, choice := range c.Choices {
		if n := int64(choice); !may[n] && !isSum(may, n) && !isPriceOfSeveral(may, n) {
			t.Errorf("%q: nobody wrote the choice %d of %v", c.Text, choice, c.Choices)
		}
	}
}

// isSum says whether the number is the sum of two to four others. That is offered,
// but never recorded unasked.
func isSum(numbers map[int64]bool, n int64) bool {
	pairs := map[int64]bool{0: true}
	for a := range numbers {
		for b := range numbers {
			pairs[a+b] = true
		}
	}
	for pair := range pairs {
		if numbers[n-pair] || pairs[n-pair] {
			return true
		}
	}
	return false
}

// isPriceOfSeveral says whether the number is a price times a count. That is
// offered as well.
func isPriceOfSeveral(numbers map[int64]bool, n int64) bool {
	for a := range numbers {
		if a > 0 && n%a == 0 && numbers[n/a] {
			return true
		}
	}
	return false
}

const numberRunes = "0123456789〇零一二三四五六七八九壱壹弐貳参肆伍陸漆捌玖十拾百佰千仟阡万萬億.,、"

// written gives every number that somebody may see in the text.
func written(text string) map[int64]bool {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r):
			return -1
		case unicode.In(r, unicode.No, unicode.So):
			return ' '
		}
		return r
	}, text)
	found := map[int64]bool{}
	isNumber := func(r rune) bool { return strings.ContainsRune(numberRunes, r) }
	for run := range strings.FieldsFuncSeq(norm.NFKC.String(text), func(r rune) bool { return !isNumber(r) }) {
		runes := []rune(run)
		for from := range runes {
			for to := from + 1; to <= len(runes) && to <= from+24; to++ {
				if cutsDigits(runes, from) || cutsDigits(runes, to) {
					continue
				}
				for _, n := range values(string(runes[from:to])) {
					found[n] = true
				}
			}
		}
	}
	return found
}

func cutsDigits(runes []rune, i int) bool {
	return i > 0 && i < len(runes) && unicode.IsDigit(runes[i-1]) && unicode.IsDigit(runes[i])
}

var kanjiValues = strings.NewReplacer("〇", "0", "零", "0", "一", "1", "二", "2", "三", "3", "四", "4", "五", "5", "六", "6", "七", "7", "八", "8", "九", "9",
	"壱", "1", "壹", "1", "弐", "2", "貳", "2", "参", "3", "肆", "4", "伍", "5", "陸", "6", "漆", "7", "捌", "8", "玖", "9",
	"拾", "十", "佰", "百", "仟", "千", "阡", "千", "萬", "万")

// values gives what a number is worth: 8.5万, 二千五百, 1万5, 1,280.
func values(s string) (all []int64) {
	if strings.Trim(s, ".,、") != s {
		return nil
	}
	s, ok := ungrouped(kanjiValues.Replace(s))
	if !ok {
		return nil
	}
	exact := new(big.Rat)
	rest, last := s, int64(0)
	for _, unit := range []struct {
		sign  string
		value int64
	}{{"億", 100_000_000}, {"万", 10_000}} {
		if before, after, ok := strings.Cut(rest, unit.sign); ok {
			n, ok := small(before, true)
			if !ok {
				return nil
			}
			exact.Add(exact, n.Mul(n, big.NewRat(unit.value, 1)))
			rest, last = after, unit.value
		}
	}
	if i := strings.LastIndexAny(rest, "千百"); i >= 0 && rest[i:] != "" {
		if strings.HasPrefix(rest[i:], "千") {
			last = 1000
		} else {
			last = 100
		}
	}
	n, ok := small(rest, last == 0)
	if !ok {
		return nil
	}
	all = wholeNumber(all, new(big.Rat).Add(exact, n))
	if digits := strings.TrimLeftFunc(rest[strings.LastIndexAny(rest, "千百十")+1:], func(r rune) bool { return r > '9' }); last > 0 && len(digits) == 1 {
		d := int64(digits[0] - '0')
		all = wholeNumber(all, new(big.Rat).Add(exact, n.Add(n, big.NewRat(d*last/10-d, 1)))) // 1万5
	}
	return all
}

func wholeNumber(all []int64, n *big.Rat) []int64 {
	if n.IsInt() && n.Num().IsInt64() {
		return append(all, n.Num().Int64())
	}
	return all
}

// ungrouped takes rightly placed commas out of a number.
func ungrouped(s string) (string, bool) {
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == '、' })
	head := strings.FieldsFunc(parts[0], func(r rune) bool { return r == '万' || r == '億' }) // 3万2,800
	for i, p := range parts[1:] {
		digits := strings.TrimRight(p, "万千億円")
		if len(digits) < 3 || i+2 < len(parts) && len(p) != 3 || len(head) > 0 && len(head[len(head)-1]) > 3 {
			return "", false
		}
	}
	return strings.Join(parts, ""), true
}

// small reads what stands in front of 万 and 億, or behind the last of them.
func small(s string, mayBeEmpty bool) (*big.Rat, bool) {
	n := new(big.Rat)
	if s == "" {
		if mayBeEmpty {
			n.SetInt64(1)
		}
		return n, true
	}
	for _, unit := range []struct {
		sign  string
		value int64
	}{{"千", 1000}, {"百", 100}, {"十", 10}} {
		before, after, ok := strings.Cut(s, unit.sign)
		if !ok {
			continue
		}
		times, ok := plainNumber(before)
		if !ok {
			return nil, false
		}
		if before == "" {
			times.SetInt64(1)
		}
		n.Add(n, times.Mul(times, big.NewRat(unit.value, 1)))
		s = after
	}
	times, ok := plainNumber(s)
	if !ok {
		return nil, false
	}
	return n.Add(n, times), true
}

func plainNumber(s string) (*big.Rat, bool) {
	if s == "" {
		return new(big.Rat), true
	}
	if strings.ContainsFunc(s, func(r rune) bool { return r != '.' && (r < '0' || r > '9') }) {
		return nil, false
	}
	return new(big.Rat).SetString(s)
}

// rulesOfSums are what may be done with numbers, and what must stand in the text
// for it.
var rulesOfSums = []struct {
	words  []string
	counts []int64 // that need not be written
	apply  func(a, b int64) int64
}{
	{[]string{"×", "x", "X", "*", "✕", "✖", "╳", "⨯", "1人", "一人", "各"}, nil, func(a, b int64) int64 { return a * b }},
	{[]string{"割", "折半", "半", "÷", "人", "分", "シェア", "split", "divide", "share", "dutch"}, []int64{2, 3, 4, 5}, func(a, b int64) int64 { return (a + b - 1) / b }},
	{[]string{"引", "OFF", "off", "オフ", "クーポン", "釣", "つり", "ポイント", "値下げ"}, nil, func(a, b int64) int64 { return a - b }},
}

// derived adds to the numbers what follows from two of them by one of the rules
// that the text calls for, and then by the next.
func derived(text string, numbers map[int64]bool) map[int64]bool {
	all := map[int64]bool{}
	for n := range numbers {
		all[n] = true
	}
	text = norm.NFKC.String(text)
	for _, rule := range rulesOfSums {
		if !slices.ContainsFunc(rule.words, func(w string) bool { return strings.Contains(text, w) || strings.Contains(strings.ToLower(text), w) }) || len(all) > 200 {
			continue
		}
		counts := slices.Clone(rule.counts)
		for n := range all {
			counts = append(counts, n)
		}
		var more []int64
		for a := range all {
			for _, b := range counts {
				if b > 0 && a > 0 && a < 1<<31 && b < 1<<31 {
					more = append(more, rule.apply(a, b))
				}
			}
		}
		for _, n := range more {
			all[n] = true
		}
	}
	return all
}
