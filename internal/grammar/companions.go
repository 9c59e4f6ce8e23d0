package grammar

import "strings"

// crowds are people of whom nobody knows how many they are.
var crowds = wordSet("みんな 皆 皆んな みな 全員 友達 友人 友だち 同僚 仲間 家族 会社の人 先輩たち 後輩たち 同期 親戚 両親 子供たち 子どもたち ママ友 メンバー friends everyone")

// companions finds with whom a bill is divided: the names in front of と at the
// word of division, the span at. It takes them out of the item. sure is false if
// one can't tell how many they are.
func (l *line) companions(at int) (names []string, sure bool) {
	end, counted := l.companionsEnd(at)
	if end < 0 {
		return nil, true
	}
	last := &l.spans[end]
	to := last.to - 1
	by := l.rune(to) == 'で' // 俺と花子で, but 花子と太郎で may be two or three
	if r := l.rune(to); r != 'と' && !by && !(r == 'の' && counted) {
		return nil, true
	}
	start := end
	for start >= 2 && l.isListSpan(start-1) && l.spans[start-2].kind == wordSpan {
		start -= 2
	}
	names, self, sure := l.namesIn(l.afterParticle(l.spans[start].from), to)
	if by && !self {
		return nil, true
	}
	if start > 0 && !l.partsNames(start-1) {
		return nil, false // 次郎 begins with a word that is no name
	}
	if sure || len(names) > 0 {
		for i := start; i <= end; i++ {
			l.spans[i].used = true
		}
	}
	if !sure {
		return nil, counted && len(names) > 0
	}
	return names, true
}

// companionsEnd returns the span in which the names end: in front of the word of
// division and perhaps 3人で, or else the last of the line. counted says that a
// number of people stands between.
func (l *line) companionsEnd(at int) (end int, counted bool) {
	i := l.neighbour(at, -1)
	for i >= 0 {
		s := &l.spans[i]
		switch {
		case s.kind == counterSpan && (s.unit == "人" || s.unit == "名"):
			counted = true
		case s.kind == wordSpan && l.str(s.from, s.to) == "で":
		case s.kind == wordSpan:
			return i, counted
		default:
			i = -1
			continue
		}
		i = l.neighbour(i, -1)
	}
	last := len(l.spans) - 1
	if last > at+1 && l.spans[last].kind == wordSpan && l.str(l.spans[last].from, l.spans[last].to) == "で" {
		last-- // 花子と2人で
	}
	if s := &l.spans[last]; last > at+1 && s.kind == counterSpan && s.unit == "人" && s.amount.value > 1 {
		counted, last = true, last-1
	}
	if last > at && l.spans[last].kind == wordSpan && l.rune(l.spans[last].to-1) == 'と' {
		return last, counted
	}
	return -1, false
}

// partsNames says whether the span i may stand in front of the first name.
func (l *line) partsNames(i int) bool {
	switch l.spans[i].kind {
	case spaceSpan, amountSpan, dateSpan, accountSpan:
		return true
	case punctSpan:
		return !l.isListSpan(i)
	}
	return false
}

func (l *line) isListSpan(i int) bool {
	s := &l.spans[i]
	return s.kind == punctSpan && strings.ContainsRune("、,・&", l.rune(s.from))
}

// afterParticle skips the particle that joins the names to an amount in front.
func (l *line) afterParticle(i int) int {
	if i > 0 && strings.ContainsRune("をはにで", l.rune(i)) && l.at(i+1) != kana {
		return i + 1
	}
	return i
}

// namesIn reads the names in a range, parted by と or 、. sure is false if they
// may be parted otherwise, as kana may, or if one is no name. names then has
// something only if it is plain that they are people. self says that the sender
// is among them.
func (l *line) namesIn(from, to int) (names []string, self, sure bool) {
	sure = true
	start := from
	for i := from; i <= to; i++ {
		part := i == to || l.at(i) == punct
		if !part && l.rune(i) == 'と' && i > start && i < to-1 {
			inKana := l.at(i-1) == kana && l.at(i+1) == kana && !l.isPossessor(l.str(start, i))
			sure, part = sure && !inKana, !inKana
		}
		if !part {
			continue
		}
		name := strings.TrimSpace(l.str(start, i))
		crowd := crowds.has(name)
		switch {
		case isSelf(name):
			self = true
		case name == "":
		case crowd || strings.HasSuffix(name, "たち") || strings.HasSuffix(name, "達"):
			names, sure = append(names, name), false
		case l.isStranger(name):
			names = append(names, name)
		default:
			return nil, false, true // コーヒーとケーキと割り勘
		}
		start = i + 1
	}
	return names, self, sure
}
