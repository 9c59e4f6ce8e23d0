package grammar

import (
	"strings"

	"ichido/internal/ledger"
)

// countedUnits count what has a price each. Units of size, such as kg or 枚入り,
// are not among them, nor those that number things, such as 番 or 巻.
var countedUnits = wordSet("つ 個 こ コ 本 枚 杯 匹 羽 頭 冊 台 足 着 束 株 玉 丁 皿 貫 串 切れ 袋 箱 缶 瓶 パック ケース セット 組 対 点 食 品 人 人前 名 名様 回 泊 席 室 件 通 ロール")

// mostCounted is the largest number of things that people buy by the piece;
// more is the size of a pack.
const mostCounted = 30

// unitPrice asks where the amount may be the price of one of several things:
// りんご 100円 3個, 1個100円のりんご3個. The other choice is the whole.
func (l *line) unitPrice(amounts []int) (Command, bool) {
	counted := l.first(counterSpan) != nil
	for n, a := range amounts {
		end := len(l.spans)
		if n+1 < len(amounts) {
			end = amounts[n+1]
		}
		count, each := l.counted(a, end)
		if count == nil && l.perOne(a) {
			return l.ask(l.perReason(a)), true
		}
		if count == nil && counted && l.saysEach(a) {
			return l.ask(UnclearNumber), true // @165 30L
		}
		if count == nil {
			continue
		}
		c := l.ask(TwoAmounts)
		c.Choices = nil
		if len(amounts) == 1 {
			c.Choices = priceChoices(l.spans[a].amount.value, count.amount.value, each)
		}
		c.Amount, c.HasAmount = 0, false
		return c, true
	}
	return Command{}, false
}

// counted finds what the price of span i has to be multiplied by, if that is
// what it is, and for how many things the price is said to be. Behind end
// another row begins.
func (l *line) counted(i, end int) (count *span, each *unitCount) {
	if each = l.countBefore(i); each != nil {
		if count = l.countOf(each.unit, i+1, end); count != nil {
			return count, each
		}
	}
	if l.saysEach(i) || l.perOne(i) {
		return l.anyCount(i, end), nil
	}
	if count = l.countBehind(i); count != nil {
		return count, nil
	}
	return l.countDescribed(i, end), nil
}

// priceChoices gives the price as typed, and that of all things together.
func priceChoices(price, count ledger.Yen, each *unitCount) []ledger.Yen {
	choices := []ledger.Yen{price}
	if each != nil && each.value > 1 || count > ledger.MaxAmount/price {
		return choices
	}
	return append(choices, price*count)
}

// unitCount is for how many of a unit a price is: 1個, 100g.
type unitCount struct {
	unit  string
	value ledger.Yen
}

// isCounted says whether the span counts several things to buy.
func (s *span) isCounted() bool {
	ok := countedUnits.has(s.unit)
	return ok && s.kind == counterSpan && !s.used && s.amount.value >= 2 && s.amount.value <= mostCounted
}

// countBehind returns the count directly behind the amount at span i: 100円
// 3個, 100円が3個. 12000円 4人で is what four paid together.
func (l *line) countBehind(i int) *span {
	n := l.neighbour(i, +1)
	if n >= 0 && l.isParticleSpan(n) && strings.ContainsRune("がをの", l.rune(l.spans[n].from)) {
		n = l.neighbour(n, +1)
	}
	if n < 0 || !l.spans[n].isCounted() || l.rune(l.spans[n].to) == 'で' {
		return nil
	}
	return &l.spans[n]
}

// countDescribed returns the count in 100円のりんご3個.
func (l *line) countDescribed(i, end int) *span {
	if l.rune(l.spans[i].to) != 'の' {
		return nil
	}
	return l.countIn(i+1, end)
}

// countIn returns the first count in the spans [from, to).
func (l *line) countIn(from, to int) *span {
	for i := from; i < to; i++ {
		if l.spans[i].isCounted() {
			return &l.spans[i]
		}
	}
	return nil
}

// countBefore returns what the price in front of the amount at span i is for:
// 1個100円, 100g128円.
func (l *line) countBefore(i int) *unitCount {
	n := l.neighbour(i, -1)
	if n < 0 {
		return nil
	}
	s := &l.spans[n]
	switch {
	case s.kind == markSpan && s.mark == shareWord:
		s.used = true // 一人1500円 is what it costs, not what was bought
		return &unitCount{"人", 1}
	case s.kind == counterSpan && !s.used && s.unit != "":
		return &unitCount{s.unit, s.amount.value}
	}
	return nil
}

// saysEach says whether the amount at span i is called a price for one: 各100円,
// @100.
func (l *line) saysEach(i int) bool {
	n := l.neighbour(i, -1)
	return n >= 0 && (l.spans[n].kind == markSpan && l.spans[n].mark == eachWord || l.spans[n].kind == punctSpan && l.rune(l.spans[n].from) == '@')
}

// peopleUnits count people.
var peopleUnits = wordSet("人 人分 人前 名 名分 名様")

func sameUnit(a, b string) bool {
	people := peopleUnits.has(a)
	both := peopleUnits.has(b)
	return a == b || people && both
}

// perOne says whether the price at span i is one for each: 3000円/人. It takes
// the unit out of the item.
func (l *line) perOne(i int) bool {
	slash := l.neighbour(i, +1)
	if slash < 0 || slash+1 >= len(l.spans) || l.spans[slash].kind != punctSpan || l.rune(l.spans[slash].from) != '/' {
		return false
	}
	u := &l.spans[slash+1]
	word := string(l.low[u.from:u.to])
	counts := countedUnits.has(word)
	measures := sizeUnits.has(word)
	lasts := termUnits.has(word)
	if u.kind != wordSpan || !counts && !measures && !lasts {
		return false
	}
	u.used = true
	return !lasts
}

// sizeUnits measure what has a price for each unit; what is paid for a term of
// termUnits is paid at once.
var (
	sizeUnits = wordSet("l ml kg g m m3 h リットル リッター キロ グラム メートル 時間 分 日")
	termUnits = wordSet("月 年 ヶ月 か月 カ月 month year")
)

// perReason says what is missing beside the price for one at span i.
func (l *line) perReason(i int) Reason {
	u := &l.spans[l.neighbour(i, +1)+1]
	if _, people := peopleUnits.whole(l.low[u.from:u.to]); people {
		return HowManyPeople
	}
	return UnclearNumber
}

// anyCount returns a count that stands with the amount at span i, in front of
// it or behind.
func (l *line) anyCount(i, end int) *span {
	from := i
	for from > 0 && l.spans[from-1].kind != amountSpan {
		from--
	}
	return l.countIn(from, end)
}

// countOf returns another count of the unit in the spans [from, to).
func (l *line) countOf(unit string, from, to int) *span {
	for i := from; i < to; i++ {
		if s := &l.spans[i]; s.kind == counterSpan && sameUnit(s.unit, unit) && !s.used {
			return s
		}
	}
	return nil
}
