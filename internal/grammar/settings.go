package grammar

import (
	"strconv"
	"strings"
)

// settings maps the words of settings to their names.
var settings = wordTable[string]{
	"month-start": "month_start 月初 月の初め 月の始まり 月の開始日 開始日", "closing-day": "closing_day 締め日 締日 しめ日 締め",
	"notify": "通知 notify notifications", "zone": "タイムゾーン timezone time_zone", "language": "言語 language", "settings": "設定 settings",
}.index()

// settingVerbs may stand behind the new value of a setting.
var settingVerbs = []string{"して", "する", "します", "変更", "設定"}

// readSetting reads 締め日 25 and 月初 25日. A setting that stands with an
// item, as in 月初 ランチ 900, is none.
func readSetting(l *line) (Command, bool) {
	m := l.marked(settingWord)
	if !l.opensSetting() || l.hasYen() {
		return Command{}, false
	}
	name, _ := settings.whole(l.low[m.from:m.to])
	value := strings.Trim(l.str(m.to, len(l.raw)), " はを:=にで")
	for _, verb := range settingVerbs {
		value = strings.TrimRight(strings.TrimSuffix(value, verb), " に")
	}
	if name == "month-start" || name == "closing-day" {
		day := strings.TrimSuffix(value, "日")
		n, err := strconv.Atoi(day)
		switch {
		case value == "" || value == "末" || value == "月末":
		case err != nil || n < 1 || n > 31:
			return Command{}, false
		default:
			value = day
		}
	} else if l.at(m.from) == latin && !l.mayBeLanguage(value) {
		return Command{}, false
	} else if len(l.find(amountSpan)) > 0 || isWord(l.at(m.to)) && l.at(m.to) != kana {
		return Command{}, false
	}
	if name == "language" {
		value = languageCode(value)
	}
	return Command{Kind: Setting, Setting: name, Value: value}, true
}

// languages maps what people call them to the codes of those that the bot speaks.
var languages = wordTable[string]{
	"en": "en eng english 英語 えいご イングリッシュ",
	"ja": "ja jp jpn japanese nihongo 日本語 にほんご",
}.index()

// languageCode gives the code of a language that the bot speaks, or the word itself.
func languageCode(word string) string {
	if code, ok := languages.word(strings.ToLower(word)); ok {
		return code
	}
	return word
}

// mayBeLanguage says whether the word behind language may name one: language school
// is a thing.
func (l *line) mayBeLanguage(word string) bool {
	return !strings.Contains(word, " ") && !l.knownIn()
}

// opensSetting says whether the line begins with the name of a setting.
func (l *line) opensSetting() bool {
	m := l.marked(settingWord)
	return m != nil && l.skipBlank(0) == m.from
}

// readSettle reads 精算 and 立替一覧.
func readSettle(l *line) (Command, bool) {
	m := l.marked(settleWord)
	if m == nil || len(l.find(amountSpan)) > 0 {
		return Command{}, false
	}
	m.used = true
	for i := range l.spans {
		if l.spans[i].kind == periodSpan {
			l.spans[i].used = true
		}
	}
	return Command{Kind: Settle}, l.wholeItem() == ""
}
