package grammar

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// nameWords stand in front of a new name of the sender.
var nameWords = wordSet("名前 なまえ お名前 私の名前 わたしの名前 僕の名前 ぼくの名前 俺の名前 自分の名前 ニックネーム 私のニックネーム 呼び名 表示名 name my_name nickname")

// nameThings have a name on them, or are made of one: 名前 シール 500 is a row.
var nameThings = []string{
	"シール", "ペン", "入り", "スタンプ", "タグ", "テープ", "ハンコ", "はんこ", "判子", "印", "札", "ワッペン", "プレート", "キーホルダー", "刺繍", "刺しゅう", "ラベル", "書き",
	"tag", "plate", "badge", "stamp", "sticker", "label", "pen", "card", "seal",
}

// nameVerbs change a name.
var nameVerbs = wordSet("変更 変更して 変更する 変更します 変更したい 変えて 変える 変えます 変えたい かえて かえる かえたい 設定 設定して 設定する 設定したい 登録 登録して 登録する して する します したい 直して なおして 直したい change")

// nameTails may stand behind a new name.
var nameTails = []string{"でお願いします", "でおねがいします", "と呼んで", "って呼んで", "といいます", "と言います", "と申します", "です", "だよ", "ください", "下さい", "お願いします"}

// readName reads 名前 花子, 名前を花子に変更 and 私の名前は花子です. Without a name
// the value is empty. What goes on as a sentence is talk, and 名前シール is an
// item.
func readName(l *line) (Command, bool) {
	start := l.skipBlank(0)
	if c, ok := l.readCallMe(); ok {
		return c, true
	}
	_, end, ok := nameWords.at(l.low, start)
	if !ok || l.marked(undoWord, redoWord) != nil || l.first(urlSpan) != nil || l.first(codeSpan) != nil {
		return Command{}, false
	}
	value, ok := l.nameBehind(end)
	if !ok || startsWithAny(strings.ToLower(value), nameThings) {
		return Command{}, false
	}
	c := Command{Kind: Setting, Setting: "name", Value: value}
	switch {
	case l.marked(question) != nil || l.asks() || isAskedFor(value):
		c.Value = ""
		return c, value == "" || isAskedFor(value)
	case value == "":
		return c, true
	case strings.ContainsFunc(withoutNumber(value), unicode.IsDigit) || l.hasYen():
		bare := strings.TrimFunc(value, func(r rune) bool { return !isWord(scriptOf(r)) || r == '円' })
		return l.askCommand(), bare == "" || isPlainName(bare)
	}
	return c, isPlainName(value) && l.marked(denial, hearsay, loan) == nil
}

// callMe are the ends of a wish to be called by what stands in front.
var callMe = []string{"って呼んで", "と呼んで", "ってよんで", "とよんで"}

// callTails may stand behind callMe.
var callTails = []string{"ください", "下さい", "ね", "よ", "ほしい", "欲しい", "ほしいです", "もらえる", "くれる"}

// readCallMe reads パパって呼んで and 私のことはママって呼んで. 花子をママって呼んで is
// about somebody else.
func (l *line) readCallMe() (Command, bool) {
	s := strings.TrimFunc(l.str(0, len(l.raw)), isNameEdge)
	for _, tail := range callTails {
		s = strings.TrimFunc(strings.TrimSuffix(s, tail), isNameEdge)
	}
	name, ok := "", false
	for _, end := range callMe {
		if name, ok = strings.CutSuffix(s, end); ok {
			break
		}
	}
	if !ok || len(name) > mostNameBytes {
		return Command{}, false
	}
	if rest, _, own := ownFront(name); own {
		name = strings.TrimLeftFunc(strings.TrimPrefix(rest, "こと"), isNameEdge)
		name = strings.TrimPrefix(strings.TrimPrefix(name, "は"), "を")
	}
	name = trimName(name)
	if isAskedFor(name) || !isPlainName(name) || strings.ContainsFunc(name, unicode.IsDigit) {
		return Command{}, false
	}
	for _, other := range []string{"を", "のこと", "から", "なん", "何"} {
		if strings.Contains(name, other) {
			return Command{}, false
		}
	}
	return Command{Kind: Setting, Setting: "name", Value: name}, true
}

// withoutNumber takes the number that tells two people of one name apart off the
// name: 花子2.
func withoutNumber(name string) string {
	bare := strings.TrimRightFunc(name, isDigit)
	last, size := utf8.DecodeLastRuneInString(bare)
	if len(name)-len(bare) > mostNameDigits || !isWord(scriptOf(last)) || size == len(bare) { // 第2
		return name
	}
	return bare
}

// nameBehind reads the value behind the word 名前 that ends there. A particle, a
// blank or a colon must separate them.
func (l *line) nameBehind(end int) (value string, ok bool) {
	rest := strings.TrimRightFunc(l.str(end, len(l.raw)), isNameEdge)
	switch r := l.rune(end); {
	case rest == "":
		return "", true
	case r == 'を', r == 'の':
		return nameInto(strings.TrimLeftFunc(rest[len("を"):], isNameEdge), r == 'を')
	case r == 'は', r == 'が':
		if l.knownStart(end) {
			return "", false // 名前はがき
		}
		rest = rest[len("は"):]
	case isWord(l.at(end)) && scriptOf(r) != other || l.at(end) == digit:
		if _, verbEnd, found := nameVerbs.at(l.low, end); found {
			rest = string(l.raw[verbEnd:])
			if rest != "" && !isNameEdge(l.raw[verbEnd]) {
				return "", false
			}
			break
		}
		return "", false
	}
	return trimName(rest), true
}

// nameInto reads 花子に変更 and 変更 花子 behind 名前を.
func nameInto(rest string, mayNameIt bool) (string, bool) {
	runes := []rune(rest)
	if _, end, ok := nameVerbs.at(runes, 0); ok && (end == len(runes) || isNameEdge(runes[end])) {
		return trimName(string(runes[end:])), true
	}
	name := trimName(rest)
	return name, mayNameIt && name != strings.TrimFunc(rest, isNameEdge)
}

// trimName takes politeness and に変更 off the end of a name, and brackets and
// blanks off both.
func trimName(s string) string {
	s = strings.TrimFunc(s, isNameEdge)
	for {
		bare := s
		for _, tail := range nameTails {
			if b, ok := strings.CutSuffix(bare, tail); ok && b != "" {
				bare = b
			}
		}
		if at := strings.LastIndex(bare, "に"); at > 0 {
			if nameVerbs.has(bare[at+len("に"):]) {
				bare = bare[:at]
			}
		}
		bare = strings.TrimFunc(bare, isNameEdge)
		if bare == s {
			return strings.Join(strings.Fields(s), " ")
		}
		s = bare
	}
}

func isNameEdge(r rune) bool {
	s := scriptOf(r)
	return s == blank || s == punct
}

// isAskedFor says whether somebody asks for the name or how to set it.
func isAskedFor(s string) bool {
	switch s {
	case "何", "なに", "なん", "誰", "だれ", "何ですか", "なんですか", "何だっけ", "なんだっけ", "変更", "変更したい", "変えたい", "かえたい":
		return true
	}
	return false
}

// mostNameRunes is more than a name may have, so that the bot can say how long
// it may be; what is longer is no attempt at one.
const mostNameRunes = 40

// mostNameBytes is more than such a name may take with what stands around it.
const mostNameBytes = 8 * mostNameRunes

// mostNameDigits is how many digits may be glued to the end of a name: 花子2.
const mostNameDigits = 2

// isPlainName says whether the text may be a name: no sentence, that is to say,
// no punctuation in it and no end of a verb behind a kanji.
func isPlainName(s string) bool {
	runes := []rune(s)
	if len(runes) == 0 || len(runes) > mostNameRunes || len(strings.Fields(s)) > 3 {
		return false
	}
	letters := false
	for _, r := range runes {
		if scriptOf(r) == punct && r != '・' && r != '.' && r != '-' && r != '\'' {
			return false
		}
		letters = letters || isWord(scriptOf(r))
	}
	t := newText(s)
	hasKanji := slices.ContainsFunc(runes, func(r rune) bool { return scriptOf(r) == kanji })
	last := t.rune(len(runes) - 1)
	return letters && !strings.HasSuffix(s, "たい") && !(hasKanji && strings.ContainsRune("たるいてくだねよかなけどうはがを", last))
}
