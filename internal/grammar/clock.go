package grammar

// scanClock reads a time of day: 12:30, 18時, 午後7時半, with a particle of
// time behind it.
func scanClock(l *line, i int) (span, bool) {
	start := i
	if _, end, ok := dayParts.at(l.low, i); ok && (l.startsWord(i) || l.afterSpan()) {
		start = end
	}
	if s, ok := l.ago(i); ok {
		return s, true
	}
	hour, end := l.smallNumber(start)
	if end == start || end > start+2 || hour > 29 || l.at(i-1) == digit {
		return span{}, false
	}
	end, ok := l.minutes(end)
	if !ok {
		return span{}, false
	}
	for _, word := range []string{"頃", "ごろ", "ころ", "すぎ", "過ぎ", "前"} {
		if l.has(end, word) {
			end += len([]rune(word))
		}
	}
	return span{kind: clockSpan, from: i, to: end}, true
}

// dayParts may stand in front of an hour.
var dayParts = wordSet("午前 午後 朝 早朝 未明 昼 お昼 夕方 夜 深夜 夜中 昨夜")

// agoUnits are lengths of time before now that end on the same day.
var agoUnits = wordSet("分前 時間前 時間半前 分くらい前 分ほど前 時間くらい前 時間ほど前")

// ago reads 5分前 and 1時間前.
func (l *line) ago(i int) (span, bool) {
	_, end := l.smallNumber(i)
	_, uend, ok := agoUnits.at(l.low, end)
	return span{kind: clockSpan, from: i, to: uend}, ok && end > i && l.at(i-1) != digit
}

// minutes reads what follows the hour.
func (l *line) minutes(i int) (end int, ok bool) {
	if l.rune(i) == ':' {
		for i < len(l.raw) && l.rune(i) == ':' && l.at(i+1) == digit && l.at(i+2) == digit && l.at(i+3) != digit {
			i, ok = i+3, true
		}
		price := l.rune(i) == ',' && l.at(i+1) == digit || l.rune(i) == '円' // PS5:59,800円
		return i, ok && !price
	}
	if l.rune(i) != '時' || l.has(i, "時間") || l.has(i, "時計") || l.has(i, "時価") {
		return i, false
	}
	i++
	if l.rune(i) == '半' {
		return i + 1, true
	}
	if _, end := l.smallNumber(i); end > i && l.rune(end) == '分' {
		return end + 1, true
	}
	return i, true
}
