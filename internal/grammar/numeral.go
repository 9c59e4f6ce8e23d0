package grammar

import "cmp"

// numeral is a number written in digits, kanji or a mix of both.
type numeral struct {
	value  int64 // times scale
	scale  int64 // 1, or a power of ten where decimals are left over
	end    int
	arabic bool   // has a digit 0-9
	big    bool   // has 万 or 億
	unit   bool   // has any of 十 百 千 万 億
	short  bool   // one digit stands behind 万 or 千, short for the next unit: 1万5
	loose  bool   // two digits do: 1万25 may be either
	listed bool   // grouped by 、, which may as well separate two numbers
	fault  Reason // why it can't be read safely
}

// numeralLimit keeps the arithmetic far from overflow; whatever reaches it is
// too large to be an amount anyway.
const numeralLimit = 1_000_000_000_000

var kanjiDigits = map[rune]int64{
	'〇': 0, '零': 0, '一': 1, '二': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9,
	'壱': 1, '壹': 1, '弐': 2, '貳': 2, '参': 3, '肆': 4, '伍': 5, '陸': 6, '漆': 7, '捌': 8, '玖': 9,
}

var kanjiUnits = map[rune]int64{
	'十': 10, '拾': 10, '百': 100, '佰': 100, '千': 1000, '仟': 1000, '阡': 1000,
	'万': 10_000, '萬': 10_000, '億': 100_000_000,
}

const (
	manUnit = 10_000
	senUnit = 1000
)

func isNumeralRune(r rune) bool {
	if r < '〇' {
		return '0' <= r && r <= '9'
	}
	if 'ぁ' <= r && r <= 'ヿ' {
		return false
	}
	_, isDigit := kanjiDigits[r]
	_, isUnit := kanjiUnits[r]
	return isDigit || isUnit
}

// readDigits reads a plain run of digits. A run that is too long gives
// numeralLimit or more.
func (t *text) readDigits(i int) (value int64, end int) {
	for end = i; t.at(end) == digit; end++ {
		if value < numeralLimit {
			value = value*10 + int64(t.raw[end]-'0')
		}
	}
	return value, end
}

// readLiteral reads digits with their commas and decimals: 1,280 or 8.5.
func (t *text) readLiteral(i int) numeral {
	value, end := t.readDigits(i)
	n := numeral{value: value, scale: 1, end: end, arabic: true}
	groupable := end-i <= 3 && t.raw[i] != '0'
	if end-i > 1 && t.raw[i] == '0' {
		n.fault = LeadingZero
	}
	for (t.rune(n.end) == ',' || t.rune(n.end) == '、') && t.at(n.end+1) == digit {
		value, end = t.readDigits(n.end + 1)
		fits, comma := groupable && end-n.end == 4, t.rune(n.end) == ','
		if _, _, name := words().at(t, n.end+1); !comma && (!fits || name) {
			break // 、 between two numbers, or in front of 100均
		}
		if !fits {
			n.fault = BadGrouping
		}
		n.listed = n.listed || !comma
		n.value, n.end = min(n.value*1000+value, numeralLimit), end
	}
	t.readDecimals(&n)
	return n
}

// readDecimals reads what stands behind a decimal point. A second point makes
// it a version or a date, which is for somebody else to understand.
func (t *text) readDecimals(n *numeral) {
	if t.rune(n.end) != '.' || t.at(n.end+1) != digit {
		return
	}
	for i := n.end + 1; t.at(i) == digit; i++ {
		if n.scale < 1_000_000 && n.value < numeralLimit {
			n.value, n.scale = n.value*10+int64(t.raw[i]-'0'), n.scale*10
		} else {
			n.fault = Decimal
		}
		n.end = i + 1
	}
	if t.rune(n.end) == '.' && t.at(n.end+1) == digit {
		n.fault = Decimal
	}
}

// readNumeral reads the longest number that begins at i: digits, kanji digits
// and units in any mix. The end is i if there is none.
func (t *text) readNumeral(i int) numeral {
	p := numeralParser{text: t, n: numeral{scale: 1, end: i}}
	for p.step() {
	}
	return p.finish()
}

// numeralParser adds up a number from left to right: total holds what 万 and 億
// closed, section what 千 百 十 closed, current the bare digits.
type numeralParser struct {
	*text
	n                       numeral
	total, section, current int64
	bare                    int // number of digits in current
	lastUnit, lastBig       int64
}

func (p *numeralParser) step() bool {
	r := p.rune(p.n.end)
	if p.at(p.n.end) == digit {
		return p.stepLiteral()
	}
	if d, ok := kanjiDigits[r]; ok && !p.n.arabicBare(p.bare) {
		p.current, p.bare = min(p.current*10+d, numeralLimit), p.bare+1
		p.n.end++
		return true
	}
	if u, ok := kanjiUnits[r]; ok && !p.isNameAhead(u) {
		return p.stepUnit(u)
	}
	return false
}

// isNameAhead says whether the unit belongs to a name behind a number in digits:
// 2480百均, 900千疋屋.
func (p *numeralParser) isNameAhead(u int64) bool {
	return p.n.arabic && p.current > 9 && u < manUnit && p.rune(p.n.end+1) != '円'
}

// arabicBare says whether bare digits before this point were written 0-9, so
// that a kanji digit can't go on with them.
func (n *numeral) arabicBare(bare int) bool { return n.arabic && bare > 0 }

func (p *numeralParser) stepLiteral() bool {
	if p.bare > 0 {
		return false
	}
	lit := p.readLiteral(p.n.end)
	if p.n.unit && (lit.fault == LeadingZero || lit.scale > 1) {
		lit.fault = UnclearNumber
	}
	p.bare = lit.end - p.n.end
	p.current, p.n.scale, p.n.end = lit.value, lit.scale, lit.end
	p.n.arabic, p.n.listed = true, p.n.listed || lit.listed
	if lit.fault != "" {
		p.n.fault = lit.fault
	}
	return true
}

func (p *numeralParser) stepUnit(u int64) bool {
	p.n.unit = true
	p.n.end++
	if u < manUnit {
		p.small(u)
	} else {
		p.bigUnit(u)
	}
	p.current, p.bare = 0, 0
	return true
}

func (p *numeralParser) small(u int64) {
	if p.bare == 0 {
		p.current = 1
	}
	if p.n.scale > 1 || p.lastUnit != 0 && u >= p.lastUnit || p.current > 9 {
		p.n.fault = UnclearNumber
	}
	p.section = min(p.section+p.current*u, numeralLimit)
	p.lastUnit = u
}

func (p *numeralParser) bigUnit(u int64) {
	amount := p.section + p.current
	if p.section == 0 && p.bare == 0 || p.lastBig != 0 && u >= p.lastBig {
		p.n.fault = UnclearNumber
	}
	if amount >= numeralLimit/u {
		p.n.fault = TooLarge
	} else if amount*u%p.n.scale != 0 {
		p.n.fault = Decimal
	} else {
		p.total += amount * u / p.n.scale
	}
	p.n.scale, p.section, p.lastUnit = 1, 0, 0
	p.lastBig, p.n.big = u, true
}

// finish adds the bare digits at the end. One digit behind 万 or 千 is short
// for the next unit: 1万5 is 15000.
func (p *numeralParser) finish() numeral {
	if p.n.unit && p.bare > 0 {
		p.finishOpen(cmp.Or(p.lastUnit, p.lastBig))
	}
	p.n.value = p.total + p.section + p.current
	return p.n
}

func (p *numeralParser) finishOpen(last int64) {
	if p.current >= last {
		p.n.fault = UnclearNumber
	}
	if last < senUnit {
		return
	}
	p.n.short, p.n.loose = p.bare == 1, p.bare == 2
	if p.n.short {
		p.current *= last / 10
	}
}
