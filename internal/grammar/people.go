package grammar

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// nameEndings are the last letters of many given names. A word that ends in
// one of them and that no table knows is likely to be somebody.
const nameEndings = "郎子美太介助香奈恵人斗翔菜花乃代江樹輝也哉平司"

// readPeople asks about money that goes from one person to another: 太郎に5000円
// 渡した. It may stay within the household. What was given has a name in
// 太郎に靴 5000円, which is a row.
func readPeople(l *line) (Command, bool) {
	if l.count(amountSpan) != 1 || l.first(accountSpan) != nil {
		return Command{}, false
	}
	pieces := l.pieces(0, len(l.spans))
	if len(pieces) != 1 {
		return Command{}, false
	}
	text, particle := l.withParticle(pieces[0])
	if particle == "" {
		return Command{}, false
	}
	giver, name, passed := strings.Cut(text, "から")
	if !passed {
		giver, name = "", text
	}
	switch {
	case passed && giver != "" && name != "":
		return l.ask(BetweenPeople), l.isName(giver) && l.isName(name)
	case particle == "から":
		return l.ask(BetweenPeople), l.marked(got) == nil && l.isStranger(text)
	case particle == "へ", particle == "に" && l.marked(gave) != nil:
		return l.ask(BetweenPeople), l.isStranger(text)
	case particle == "に":
		return l.ask(BetweenPeople), l.isPerson(text)
	}
	return Command{}, false
}

// withParticle gives the text of the piece without the particle at its end or
// behind it, and that; "" if there is none.
func (l *line) withParticle(p piece) (text, particle string) {
	for _, particle := range []string{"から", "に", "へ"} {
		if at := p.to - utf8.RuneCountInString(particle); at >= p.from && l.has(at, particle) {
			return l.str(p.from, at), particle
		}
		if l.has(p.to, particle) {
			return l.str(p.from, p.to), particle
		}
	}
	return "", ""
}

// isStranger says whether no table knows the word, or it is a person.
func (l *line) isStranger(word string) bool { return l.isPerson(word) || l.isName(word) }

// isPerson says whether the word most likely is somebody.
func (l *line) isPerson(word string) bool {
	if l.isPossessor(word) {
		return true
	}
	t := newText(word)
	if m, ok := words().head(&t, 0, len(t.raw)); ok && m.to >= len(t.raw)-1 {
		return false // お菓子, スマホ代
	}
	last, _ := utf8.DecodeLastRuneInString(word)
	return l.isName(word) && utf8.RuneCountInString(word) > 1 && strings.ContainsRune(nameEndings, last)
}

// possessors may own a wallet, as may whoever is called by an honorific.
var possessors = wordSet("妻 夫 嫁 旦那 主人 母 父 ママ パパ 娘 息子 彼女 彼氏 おかあさん おとうさん お母さん お父さん 母さん 父さん かあさん とうさん おかん おとん おふくろ 親父 子供 子ども こども 長男 長女 次男 次女 孫 甥 姪 祖母 祖父 じいじ ばあば 義母 義父 兄 弟 姉 妹")

func (l *line) isPossessor(owner string) bool {
	if possessors.has(owner) {
		return true
	}
	for _, honorific := range []string{"さん", "ちゃん", "くん", "君"} {
		if strings.HasSuffix(owner, honorific) {
			return true
		}
	}
	return false
}

// isName says whether the word may be somebody's name: no word of the
// dictionary, and not a description.
func (l *line) isName(s string) bool {
	const longest = 8
	if utf8.RuneCountInString(s) > longest {
		return false
	}
	if _, looks := walletLooks.word(strings.ToLower(s)); looks {
		return false
	}
	t := newText(s)
	if strings.ContainsFunc(s, func(r rune) bool { return r == ' ' || scriptOf(r) == digit }) || words().known(&t, 0, len(t.raw)) {
		return false
	}
	return true
}

// selves are the words for whoever sends the message.
var selves = wordSet("俺 おれ オレ 私 わたし わたくし あたし 僕 ぼく ボク 自分 自分自身 わし me")

// isSelf says whether the word is the sender.
func isSelf(word string) bool {
	return selves.has(strings.ToLower(word))
}

// ownFront takes the sender off the front of a text: 私のスーパー. of says whether
// の joins the two; ok is false if nobody says I.
func ownFront(s string) (rest string, of, ok bool) {
	if first, _ := utf8.DecodeRuneInString(s); !selves.mayBegin(unicode.ToLower(first)) {
		return s, false, false
	}
	t := newText(s)
	_, end, ok := selves.at(t.low, 0)
	if !ok {
		return s, false, false
	}
	if !t.endsWord(end) && !t.saysOnly(end) { // 私立, 自分史
		return s, false, false
	}
	of = t.rune(end) == 'の'
	rest = string(t.raw[end:])
	for _, particle := range []string{"だけの", "だけ", "って", "の", "は", "が", "も"} {
		if bare, found := strings.CutPrefix(rest, particle); found {
			rest = bare
			break
		}
	}
	return strings.TrimSpace(rest), of, true
}

// saysOnly says whether だけ or って follows a person.
func (t *text) saysOnly(i int) bool { return t.has(i, "だけ") || t.has(i, "って") }
