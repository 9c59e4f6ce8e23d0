package grammar

import (
	"slices"
	"strings"

	"ichido/internal/ledger"
)

// scanNumber reads a number and says what it counts: money, things, nothing
// known. A number that can't be read safely becomes an amount with a fault.
func scanNumber(l *line, i int) (span, bool) {
	sign, currency, start := l.numberPrefix(i)
	if !isNumeralRune(l.rune(start)) || currency == "" && sign == 0 && start != i {
		return span{}, false
	}
	n := l.readNumeral(start)
	if n.arabic || currency != "" {
		return l.arabicNumber(i, n, sign, currency), true
	}
	return l.kanjiNumber(i, n), true
}

// numberPrefix reads the sign and the sign of currency in front of a number. A
// sign counts only where a word can't go on: in ランチ-900 it is a dash.
func (l *line) numberPrefix(i int) (sign int8, currency string, start int) {
	start = i
	if !isWord(l.at(i-1)) && l.at(i-1) != digit {
		const minus = "マイナス"
		switch behind := start + len([]rune(minus)); {
		case l.rune(start) == '+':
			sign, start = +1, start+1
			if blank := l.skipBlank(start); i == 0 && l.at(blank) == digit {
				start = blank
			}
		case isMinus(l.rune(start)):
			sign, start = -1, start+1
		case l.has(start, minus) && l.at(behind) == digit:
			sign, start = -1, behind
		}
	}
	if name, end, ok := currencies.atIf(l.low, start, func(_ string, end int) bool { return l.currencyStands(start, end) }); ok {
		currency, start = name, l.skipBlank(end)
	}
	if currency != "" && sign == 0 && l.rune(start) == '-' {
		sign, start = -1, start+1
	}
	return sign, currency, start
}

// currencyStands says whether the range may be a currency: a word of the same
// script touches it on neither side.
func (l *line) currencyStands(from, to int) bool {
	first, last := l.at(from), l.at(to-1)
	return (!isWord(first) || l.at(from-1) != first) && (!isWord(last) || l.at(to) != last)
}

func (l *line) arabicNumber(i int, n numeral, sign int8, currency string) span {
	s := span{kind: amountSpan, from: i, to: n.end, amount: amount{sign: sign}, fault: n.fault}
	if l.isRank(i) {
		s.kind, s.fault = counterSpan, ""
		return s
	}
	if l.letterForDigit(&s) {
		return s
	}
	l.readUnit(&s, n, currency)
	if s.kind != amountSpan {
		s.amount.value = ledger.Yen(n.value)
		return s
	}
	s.amount.value, s.fault = judge(n, s, currency)
	if s.fault == "" && s.unit == "" && l.bigUnitApart(s.to) {
		s.fault = UnclearNumber // 家賃 8 万
	}
	if s.fault == "" && n.listed && l.at(i-1) == latin {
		s.fault = UnclearNumber // Switch2、900円
	}
	return s
}

// bigUnitApart says whether a blank and then 万 or 億 by itself stand at i.
func (l *line) bigUnitApart(i int) bool {
	at := l.skipBlank(i)
	return at > i && strings.ContainsRune("万萬億", l.rune(at)) && !isWord(l.at(at+1)) && l.at(at+1) != digit
}

// isRank says whether what stands in front of the number at i makes it no price:
// 第2, the second of 5対3, A-23, at 7.
func (l *line) isRank(i int) bool {
	_, end := l.readDigits(i)
	before := l.rune(i - 1)
	switch {
	case before == '第', before == '対' && l.at(i-2) == digit:
		return true
	case end > i+2:
		return false
	}
	return l.has(i-3, "at ") && end == len(l.raw) || before == '-' && l.at(i-2) == latin && !isWord(l.at(i-3))
}

// judge turns the numeral into yen and says why it must not be taken for an
// amount, if so.
func judge(n numeral, s span, currency string) (ledger.Yen, Reason) {
	value := ledger.Yen(n.value)
	switch {
	case s.fault != "":
		return 0, s.fault
	case currency != "" && currency != yenName:
		return 0, ForeignMoney
	case n.scale > 1:
		return 0, Decimal
	case value > ledger.MaxAmount:
		return 0, TooLarge
	case n.short && (s.unit != "" || currency == yenName), n.loose && s.unit == "":
		return 0, UnclearNumber
	case n.listed && !s.amount.yen:
		return 0, TwoAmounts
	}
	return value, ""
}

// letterForDigit takes a number that goes on with the letter O, or with a
// circle, whole: 9O0.
func (l *line) letterForDigit(s *span) bool {
	const longest = 16 // what is longer is no price with a slip of the finger
	end, letters := s.to, 0
	for end-s.from < longest && (l.at(end) == digit || l.rune(end) == 'o' || l.rune(end) == '○' || l.rune(end) == '◯') {
		if l.at(end) != digit {
			letters++
		}
		end++
	}
	if letters == 0 || l.at(end) == latin {
		return false
	}
	s.to, s.fault = end, LetterDigit
	return true
}

// readUnit looks at what stands behind the number: a currency, a counter, or a
// word of the same run, which makes it a name.
func (l *line) readUnit(s *span, n numeral, currency string) {
	if currency == yenName || n.big {
		s.amount.yen = true
	}
	at := l.skipBlank(s.to)
	if at > s.to && l.at(at) != latin && l.at(at) != kanji && l.at(at) != kana {
		at = s.to
	}
	if at > s.to && n.value >= likelyPrice && l.isSize(at) {
		return
	}
	if u, end, ok := l.unitAt(at, at > s.to); ok && (currency == "" || u.isMoney()) {
		if u.kind == unitName && l.rune(at) == '円' && slices.Contains(l.raw[s.from:s.to], ',') {
			u, end = unit{unitYen, "円"}, at+1 // no stamp costs 12,800円
		}
		u.apply(s, end)
		return
	}
	if l.rune(s.to) == '%' {
		l.percent(s)
	}
}

func (l *line) percent(s *span) {
	s.kind = counterSpan
	s.to++
	for _, word := range []string{"引き", "引", "off", "オフ", "割引"} {
		if l.has(s.to, word) {
			s.kind = percentSpan
			s.to += len([]rune(word))
			return
		}
	}
}

// kanjiNumber reads a number without any digit 0-9. It is money only with 円,
// or alone with one of 百 千 万; otherwise it is a part of a word.
func (l *line) kanjiNumber(i int, n numeral) span {
	s := span{kind: wordSpan, from: i, to: n.end, fault: n.fault, amount: amount{value: ledger.Yen(n.value)}}
	u, end, ok := l.unitAt(n.end, false)
	switch {
	case ok && u.kind == unitYen:
		s.kind = amountSpan
		u.apply(&s, end)
		s.amount.value, s.fault = judge(n, s, "")
		if vagueDigit(l.rune(i - 1)) {
			s.fault = VagueAmount
		}
	case ok && n.fault == "":
		u.apply(&s, end)
	case n.unit && n.value >= 100 && l.standsAlone(i, n.end):
		s.kind = amountSpan
		s.amount.value, s.fault = judge(n, s, "")
	default:
		s.fault = ""
	}
	return s
}

// standsAlone says whether the range is bounded by something that is not a
// word on both sides, or by katakana, hiragana or letters before it.
func (l *line) standsAlone(from, to int) bool {
	before := l.at(from - 1)
	return before != kanji && before != digit && !isWord(l.at(to))
}

func vagueDigit(r rune) bool { return r == '数' || r == '何' || r == '幾' }
