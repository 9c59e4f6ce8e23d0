package grammar

import (
	"strings"
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
	if m, ok := words.head(&t, 0, len(t.raw)); ok && m.to >= len(t.raw)-1 {
		return false // お菓子, スマホ代
	}
	last, _ := utf8.DecodeLastRuneInString(word)
	return l.isName(word) && utf8.RuneCountInString(word) > 1 && strings.ContainsRune(nameEndings, last)
}
