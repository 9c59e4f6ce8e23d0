package grammar

import (
	"strings"
	"time"

	"ichido/internal/ledger"
)

// aheadDays is how far in the future a day without a year may lie.
const aheadDays = 31

// dayWords name a day by its distance from today.
var dayWords = wordTable[int]{
	0:  "今日 本日 きょう 今朝 けさ 今夜 今晩 today tonight this_morning this_afternoon this_evening",
	-1: "昨日 きのう 昨夜 昨晩 ゆうべ 昨朝 yesterday last_night yesterday_morning yesterday_evening yesterday_afternoon yesterday_night",
	-2: "一昨日 おととい おとつい 一昨晩 the_day_before_yesterday day_before_yesterday",
	-3: "一昨々日 さきおととい",
	1:  "明日 あした tomorrow",
	2:  "明後日 あさって",
}.index()

// monthWords name a month by its distance from the present one.
var monthWords = wordTable[int]{
	0:  "今月 当月 this_month",
	-1: "先月 前月 last_month",
	-2: "先々月",
	1:  "来月 翌月 next_month",
	2:  "再来月",
}.index()

// weekWords name a week by its distance from the present one. A week begins
// on Monday.
var weekWords = wordTable[int]{
	0:  "今週 this_week",
	-1: "先週 last_week",
	-2: "先々週",
	1:  "来週 next_week",
}.index()

var yearWords = wordTable[int]{
	0:  "今年 本年 this_year",
	-1: "去年 昨年 last_year",
	-2: "一昨年 おととし",
	1:  "来年 next_year",
}.index()

// weekdays are the days of the week as time.Weekday numbers.
var weekdays = wordTable[int]{
	0: "日曜日 日曜 にちようび sunday",
	1: "月曜日 月曜 げつようび monday",
	2: "火曜日 火曜 かようび tuesday",
	3: "水曜日 水曜 すいようび wednesday",
	4: "木曜日 木曜 もくようび thursday",
	5: "金曜日 金曜 きんようび friday",
	6: "土曜日 土曜 どようび saturday",
}.index()

// eras give the year before their first.
var eras = wordTable[int]{2018: "令和 r", 1988: "平成 h", 1925: "昭和 s"}.index()

// vagueDays are days that nobody can name. A row must not be dated by them.
var vagueDays = wordTable[int]{0: "先日 この前 こないだ この間 いつか 半年前 数日前 数ヶ月前 数年前 数週間前 何日か前 the_other_day recently a_few_days_ago some_days_ago a_couple_of_days_ago"}.index()

// dayNames begin with a word for a day, but are people, places and plants.
var dayNames = wordSet("今日子 明日香 明日葉 明日菜 明日奈 明日美 明日海 明日花里 四日市 五日市 六日町 七日町 八日市 八日市場 十日町 廿日市 二十日大根 二日酔い 二日酔 三日月 四十九日 水曜どうでしょう 月曜から夜ふかし 金曜ロードショー 日曜大工 日曜学校 日曜版 日曜礼拝 土曜学校 土曜授業 土曜保育 土曜教室 あしたば 十日えびす 十日戎")

// datePattern recognises one way to write a day or a period.
type datePattern func(l *line, i int) (span, bool)

var datePatterns = []datePattern{endOfMonth, relativeDay, vagueDay, relativeMonth, relativeWeek, relativeYear, weekday, eraDate, writtenDate, distance}

// scanDate reads the longest date or period at i, together with a weekday in
// brackets behind it.
func scanDate(l *line, i int) (span, bool) {
	if s, ok := bracketedDay(l, i); ok {
		return s, true
	}
	if l.at(i) == punct || l.at(i) == digit && (l.at(i-1) == digit || l.rune(i-1) == '.') {
		return span{}, false
	}
	if l.isDayName(i) {
		return span{}, false
	}
	if s, ok := l.englishDate(i); ok {
		s.from, s.to = i, l.pastPossessive(s.to)
		return s, true
	}
	for _, pattern := range datePatterns {
		if s, ok := pattern(l, i); ok {
			s.from, s.to = i, l.pastPossessive(s.to)
			if s.kind == dateSpan {
				s.to = l.skipTimeOfDay(l.skipWeekday(s.to, s.date))
			}
			return s, true
		}
	}
	return span{}, false
}

// bracketedDay reads a day of the week in brackets at the start of a line:
// (日) 外食 5400.
func bracketedDay(l *line, i int) (span, bool) {
	if i != 0 || l.rune(0) != '(' || l.rune(2) != ')' || !isWord(l.at(l.skipBlank(3))) {
		return span{}, false
	}
	for w, name := range []rune("日月火水木金土") {
		if l.rune(1) == name {
			return day(3, l.lastWeekday(w))
		}
	}
	return span{}, false
}

// skipWeekday skips (月), (月曜) or its own bare 月 behind a date, if an item
// follows: 11/25水 198 is water.
func (l *line) skipWeekday(i int, d ledger.Date) int {
	const names = "月火水木金土日祝"
	if d != 0 && l.rune(i) == []rune("日月火水木金土")[d.Weekday()] && l.at(i+1) == blank && isWord(l.at(l.skipBlank(i+1))) {
		return i + 1
	}
	at := l.skipBlank(i)
	if l.rune(at) != '(' || !strings.ContainsRune(names, l.rune(at+1)) {
		return i
	}
	for end := at + 2; end <= at+5; end++ {
		if l.rune(end) == ')' {
			return end + 1
		}
	}
	return i
}

// timesOfDay may stand behind a date. They say nothing more about the day.
var timesOfDay = wordSet("の朝 の昼 のお昼 の夕方 の夜 の晩 の午前中 の午後 の深夜 の夜中 朝 昼 夜 夕方 晩 午前中 深夜 分 付 付け")

// skipTimeOfDay skips の夜 behind a date, but not in 昨日の夜食.
func (l *line) skipTimeOfDay(i int) int {
	_, end, ok := timesOfDay.atIf(l.low, i, func(_ bool, end int) bool {
		return !isWord(l.at(end)) || strings.ContainsRune("にはの", l.rune(end)) || l.rune(i) == 'の' && l.isNewWord(i+1, end)
	})
	if !ok || l.onlyMoney(end) && !strings.ContainsRune("分付け", l.rune(end-1)) {
		return i
	}
	return end
}

// onlyMoney says whether nothing but an amount stands from i on, so that the time
// of day in front of it is what was paid for: 今日の昼 780円.
func (l *line) onlyMoney(i int) bool {
	digits := false
	for ; i < len(l.raw); i++ {
		digits = digits || l.at(i) == digit
		if isWord(l.at(i)) && l.rune(i) != '円' {
			return false
		}
	}
	return digits
}

// isNewWord says whether a word in katakana begins behind the time of day at
// [i, end): タクシー in 昨日の夜タクシー. 朝マック is one word.
func (l *line) isNewWord(i, end int) bool {
	_, _, one := words().at(&l.text, i)
	return l.at(end) == katakana && !one
}

// wordAt looks a word up that stands alone: kana goes on only with a particle,
// letters not at all.
func wordAt[V any](l *line, index *wordIndex[V], i int) (value V, end int, ok bool) {
	value, end, ok = index.atIf(l.low, i, func(_ V, end int) bool { return l.dateWordEnds(i, end) })
	return value, end, ok && l.dateWordStarts(i)
}

func (l *line) dateWordStarts(i int) bool {
	here := l.at(i)
	return l.afterSpan() || here == kanji && l.at(i-1) != kanji || l.at(i-1) != here || here == kana && isParticle(l.rune(i-1))
}

func (l *line) dateWordEnds(i, end int) bool {
	switch last := l.at(end - 1); {
	case last == kana:
		return l.at(end) != kana || isParticle(l.rune(end)) || l.knownStart(end) || l.has(i, "おととい")
	case last == latin:
		return l.at(end) != latin
	}
	return !l.isDayName(i)
}

// isDayName says whether a name begins at i, and not a day with a child behind it.
func (l *line) isDayName(i int) bool {
	_, end, ok := dayNames.at(l.low, i)
	return ok && !(l.rune(end-1) == '子' && (l.rune(end) == 'ど' || l.rune(end) == '供'))
}

func day(end int, d ledger.Date) (span, bool) {
	return span{kind: dateSpan, to: end, date: d}, true
}

func noDay(end int) (span, bool) {
	return span{kind: dateSpan, to: end, fault: NoSuchDate}, true
}

func dayOrFault(end int, d ledger.Date, err error) (span, bool) {
	if err != nil {
		return noDay(end)
	}
	return day(end, d)
}

func period(end int, unit string, p ledger.Period) (span, bool) {
	return span{kind: periodSpan, to: end, unit: unit, period: p}, true
}

func relativeDay(l *line, i int) (span, bool) {
	n, end, ok := wordAt(l, dayWords, i)
	if !ok {
		return span{}, false
	}
	return day(end, l.today.AddDays(n))
}

// endOfMonth reads 月末: the last one, today included, as 25日 is.
func endOfMonth(l *line, i int) (span, bool) {
	const word = "月末"
	end := i + len([]rune(word))
	if !l.has(i, word) || isWord(l.at(i-1)) || isWord(l.at(end)) && !isParticle(l.rune(end)) {
		return span{}, false
	}
	if this := ledger.Month(l.today, 0).To; this == l.today {
		return day(end, this)
	}
	return day(end, ledger.Month(l.today, -1).To)
}

func vagueDay(l *line, i int) (span, bool) {
	_, end, ok := wordAt(l, vagueDays, i)
	return span{kind: dateSpan, to: end, fault: VagueDate}, ok
}

// relativeMonth reads 先月, 先月25日, 先月の25日 and 先月末.
func relativeMonth(l *line, i int) (span, bool) {
	offset, end, ok := wordAt(l, monthWords, i)
	if !ok {
		return span{}, false
	}
	month := ledger.Month(l.today, offset)
	if s, ok := l.dayOf(month, l.skipNo(end)); ok {
		return s, true
	}
	if r := l.rune(end); r == '分' || r == '号' {
		return span{kind: counterSpan, to: end + 1}, true
	}
	return period(end, "month", month)
}

// dayOf reads the day within a month: 25日, 末, 月末.
func (l *line) dayOf(month ledger.Period, i int) (span, bool) {
	for _, word := range []string{"月末", "末日", "末"} {
		if l.has(i, word) {
			return day(i+len([]rune(word)), month.To)
		}
	}
	n, end := l.smallNumber(i)
	if end == i || !l.has(end, "日") || l.dayGoesOn(end+1) {
		return span{}, false
	}
	d, err := civil(month.From.Year(), month.From.Month(), n)
	return dayOrFault(end+1, d, err)
}

// dayGoesOn says whether what stands behind 日 makes it a length of time.
func (l *line) dayGoesOn(i int) bool { return strings.ContainsRune("間分目券前後", l.rune(i)) }

func (l *line) skipNo(i int) int {
	if l.rune(i) == 'の' {
		return i + 1
	}
	return i
}

// relativeWeek reads 先週 and 先週の金曜.
func relativeWeek(l *line, i int) (span, bool) {
	offset, end, ok := wordAt(l, weekWords, i)
	if !ok {
		return span{}, false
	}
	monday := l.today.AddDays(-(int(l.today.Weekday())+6)%7 + 7*offset)
	if w, wend, ok := wordAt(l, weekdays, l.skipNo(end)); ok {
		return day(wend, monday.AddDays((w+6)%7))
	}
	if r := l.rune(end); r == '分' || r == '号' {
		return span{kind: counterSpan, to: end + 1}, true
	}
	return period(end, "week", ledger.Period{From: monday, To: monday.AddDays(6)})
}

// sameMonth are the words for this month in another year.
var sameMonth = wordSet("同じ月 同月 同じ時期 同時期 今頃 今ごろ")

// monthInYear reads the month of 去年の今月 and 前年同月.
func (l *line) monthInYear(i, year int) (span, bool) {
	offset, end, ok := wordAt(l, monthWords, i)
	if !ok {
		_, end, ok = sameMonth.at(l.low, i)
	}
	first, err := civil(year, ledger.Month(l.today, offset).From.Month(), 1)
	if !ok || err != nil {
		return span{}, false
	}
	return period(end, "month", ledger.Month(first, 0))
}

// relativeYear reads 去年, 去年10/1, 去年の10月1日 and 去年の今月.
func relativeYear(l *line, i int) (span, bool) {
	offset, end, ok := wordAt(l, yearWords, i)
	if !ok {
		return span{}, false
	}
	year := l.today.Year() + offset
	if s, ok := l.monthDay(l.skipNo(end), year); ok {
		return s, true
	}
	if s, ok := l.monthInYear(l.skipNo(end), year); ok {
		return s, true
	}
	return wholeYear(end, year)
}

func wholeYear(end, year int) (span, bool) {
	from, err1 := civil(year, time.January, 1)
	to, err2 := civil(year, time.December, 31)
	if err1 != nil || err2 != nil {
		return noDay(end)
	}
	return period(end, "year", ledger.Period{From: from, To: to})
}

// weekday reads a day of the week: the last one, today included.
func weekday(l *line, i int) (span, bool) {
	w, end, ok := wordAt(l, weekdays, i)
	if ok && l.longerWord(end-1) {
		end-- // 土曜 日用品
	}
	if !ok {
		return span{}, false
	}
	return day(end, l.lastWeekday(w))
}

// lastWeekday gives the last such day of the week, today included.
func (l *line) lastWeekday(w int) ledger.Date {
	return l.today.AddDays(-(int(l.today.Weekday()) - w + 7) % 7)
}

// longerWord says whether a word of the dictionary of more than one rune begins
// with the 日 at i.
func (l *line) longerWord(i int) bool {
	end, _, ok := words().at(&l.text, i)
	return l.rune(i) == '日' && (ok && end > i+1 || l.has(i, "日替"))
}

// eraDate reads R8/6/29 and 令和8年6月29日.
func eraDate(l *line, i int) (span, bool) {
	before, end, ok := eras.at(l.low, i)
	if !ok || isWord(l.at(i-1)) && l.at(i-1) == l.at(i) {
		return span{}, false
	}
	year, yend := l.smallNumber(end)
	if l.rune(end) == '元' {
		year, yend = 1, end+1
	}
	if yend == end {
		return span{}, false
	}
	year += before
	if strings.ContainsRune("/.-", l.rune(yend)) && l.at(i) == latin {
		return l.slashed(yend, year, l.rune(yend))
	}
	if l.rune(yend) == '年' && l.at(i) != latin {
		return l.yearThen(yend+1, year)
	}
	return span{}, false
}
