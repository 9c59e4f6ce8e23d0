package grammar

import (
	"strings"

	"ichido/internal/ledger"
)

// scanURL reads an address on the web up to the next blank, and an address of
// mail.
func scanURL(l *line, i int) (span, bool) {
	if l.at(i) != latin || l.at(i-1) == latin {
		return span{}, false
	}
	if !l.has(i, "http://") && !l.has(i, "https://") && !l.has(i, "www.") {
		return span{}, false
	}
	end := i
	for end < len(l.raw) && l.at(end) != blank && l.raw[end] < 0x3000 {
		end++
	}
	return span{kind: urlSpan, from: i, to: end}, true
}

// scanCode reads a telephone number, a postal code and other numbers that are
// joined by hyphens.
func scanCode(l *line, i int) (span, bool) {
	start := i
	postal := l.rune(i) == '〒'
	if postal {
		start = l.skipBlank(i + 1)
	}
	if l.rune(start) == '+' && l.has(start, "+81") {
		start++
	}
	if l.isLetterCode(start) {
		start += 2
	}
	if end, ok := l.phoneInParts(i); ok {
		return span{kind: codeSpan, from: i, to: end}, true
	}
	if l.at(start) != digit || l.at(i-1) == digit || l.at(i-1) == latin {
		return span{}, false
	}
	end, parts := l.hyphenated(start)
	plain := end - start
	phone := parts == 1 && l.raw[start] == '0' && (plain == 10 || plain == 11)
	s := span{kind: codeSpan, from: i, to: end}
	switch {
	case postal || phone || start > i:
		return s, true
	case parts == 2:
		s.fault = UnclearNumber
		return s, plain > 3
	case parts > 2:
		return s, true
	}
	return span{}, false
}

// phoneInParts reads a telephone number whose three parts are joined by blanks or
// brackets: 090 1234 5678, (03)1234-5678, +81 90 1234 5678.
func (l *line) phoneInParts(i int) (end int, ok bool) {
	const parts, shortest, longest = 3, 10, 11
	abroad := l.has(i, "+81")
	if l.at(i-1) == digit || !abroad && l.rune(i) != '0' && (l.rune(i) != '(' || l.rune(i+1) != '0') {
		return i, false
	}
	digits, found, start := 0, 0, i
	if abroad {
		digits, start = 1, i+len("+81")
	}
	for end = start; ; {
		from := end
		for from < end+2 && (strings.ContainsRune(" ()", l.rune(from)) || isHyphen(l.rune(from))) {
			from++
		}
		if found > 0 && from == end || l.at(from) != digit {
			break
		}
		_, end = l.readDigits(from)
		digits, found = digits+end-from, found+1
	}
	return end, found == parts && digits >= shortest && digits <= longest && !isWord(l.at(end))
}

// isLetterCode says whether a code with a single letter begins at i: G-482913.
func (l *line) isLetterCode(i int) bool {
	const least = 5 // digits; A-500 may be a row
	_, end := l.readDigits(i + 2)
	return l.at(i) == latin && l.rune(i+1) == '-' && end >= i+2+least && (!isWord(l.at(end)) || isParticle(l.rune(end)))
}

// hyphenated reads digits joined by hyphens and counts the parts.
func (l *line) hyphenated(i int) (end, parts int) {
	_, end = l.readDigits(i)
	parts = 1
	for isHyphen(l.rune(end)) && l.at(end+1) == digit {
		_, end = l.readDigits(end + 1)
		parts++
	}
	return end, parts
}

// bullets stand at the start of a line in a list. Two of them are something
// else: ○○さん.
const bullets = "●○◎◉■□◆◇▪▫◦★☆✓✔▶►♪"

// scanListNumber reads what stands before a line in a list: 1. or 2) or ● at its
// start.
func scanListNumber(l *line, i int) (span, bool) {
	const largest = 2 // digits
	if i != 0 {
		return span{}, false
	}
	if strings.ContainsRune(bullets, l.rune(i)) && l.rune(i+1) != l.rune(i) {
		return span{kind: punctSpan, to: i + 1, used: true}, true
	}
	if l.at(i) != digit {
		return span{}, false
	}
	_, end := l.readDigits(i)
	if r, next := l.rune(end), l.at(end+1); end > largest || r != '.' && r != ')' || next == digit || next == punct || end+1 >= len(l.raw) {
		return span{}, false
	}
	return span{kind: punctSpan, from: i, to: end + 1, used: true}, true
}

// scanOrdinal reads No.5: the number of a thing, and a part of its name.
func scanOrdinal(l *line, i int) (span, bool) {
	if !l.has(i, "no") || l.at(i-1) == latin {
		return span{}, false
	}
	start := i + 2
	if l.rune(start) == '.' {
		start = l.skipBlank(start + 1)
	}
	value, end := l.readDigits(start)
	if end == start || l.at(end) == latin {
		return span{}, false
	}
	return span{kind: counterSpan, from: i, to: end, unit: "番", amount: amount{value: ledger.Yen(value)}}, true
}

// scanNamedNumber reads a word that begins with a number: 100均 is a shop and no
// amount, 四日市 a town and no day.
func scanNamedNumber(l *line, i int) (span, bool) {
	if !isNumeralRune(l.rune(i)) || l.at(i-1) == digit {
		return span{}, false
	}
	end, _, ok := words().at(&l.text, i)
	if !ok {
		_, end, ok = dayNames.at(l.low, i)
	}
	return span{kind: wordSpan, from: i, to: end}, ok
}

// readCode reads telephone numbers, codes, addresses on the web and times of
// meeting: lines that have numbers, but none that could be money.
func readCode(l *line) (Command, bool) {
	if l.count(amountSpan) > 0 {
		return Command{}, false
	}
	code := l.first(codeSpan)
	switch {
	case l.marked(codeWord) != nil:
		return Command{Kind: Remark}, true
	case code != nil && code.fault != "" && l.wholeItem() != "" && !l.asks():
		return l.ask(code.fault), true
	case code != nil, l.first(urlSpan) != nil:
		return Command{Kind: Remark}, true
	case l.first(clockSpan) != nil && l.marked(queryWord, listWord) == nil:
		return Command{Kind: Remark}, true
	}
	return Command{}, false
}
