package grammar

import (
	"slices"
	"strings"
)

// amendment finds the new value, which is the last thing in the line but for words
// of amendEndings, and takes apart what stands in front of it.
func (l *line) amendment(from int, opened []mark, receipt bool) (ch amendment, ok bool) {
	at := l.lastValue()
	if at < 0 {
		return ch, false
	}
	ch = amendment{value: &l.spans[at], opened: opened}
	if ch.ends, ok = l.ends(ch.value.to); !ok {
		return ch, false
	}
	to, joined := l.joint(at)
	if !joined && len(opened) > 0 {
		to, joined = l.arrowBefore(at, to)
	}
	ch.joined = joined
	text := strings.TrimRightFunc(l.str(min(from, to), to), isNameEdge)
	if !joined {
		text, ch.particle = cutParticle(text)
	}
	if len(opened) > 0 {
		text = strings.TrimLeftFunc(strings.TrimLeft(text, "はがの"), isNameEdge)
	}
	text, ch.wrong = cutWrong(text)
	text, ch.field = cutField(text)
	ch.wrong = ch.wrong && ch.field != 0
	if ch.value.kind == categorySpan {
		text = cutFromNow(text)
	}
	if ch.says() || receipt {
		ch.head = l.newLine(text)
		return ch, ch.takeHead()
	}
	return ch, false // a row
}

// says says whether any word hints at a change.
func (ch *amendment) says() bool {
	return len(ch.opened) > 0 || ch.joined || ch.field != 0 || ch.ends != [endings]bool{} || ch.particle != 0 && ch.value.kind != amountSpan
}

// lastValue returns the index of the last amount, date, account or category that
// only words of amendEndings follow, or -1.
func (l *line) lastValue() int {
	for i := len(l.spans) - 1; i >= 0; i-- {
		if s := &l.spans[i]; fieldOf[s.kind] != 0 && (s.kind != amountSpan || !s.used) {
			return i
		}
	}
	return -1
}

// cutParticle takes は, が or を off the end.
func cutParticle(s string) (string, rune) {
	for _, particle := range "はがを" {
		if bare, ok := strings.CutSuffix(s, string(particle)); ok {
			return strings.TrimRightFunc(bare, isNameEdge), particle
		}
	}
	return s, 0
}

// joint returns where the text in front of the value at span at ends. joined
// says that a word stands between which makes that text the old value.
func (l *line) joint(at int) (to int, joined bool) {
	v := &l.spans[at]
	before := l.neighbour(at, -1)
	if before < 0 {
		return v.from, false
	}
	b := &l.spans[before]
	if b.kind == markSpan && b.mark == insteadOf {
		return b.from, true
	}
	for i := before; i >= 0 && i >= before-4; i-- {
		if l.spans[i].kind != v.kind {
			continue
		}
		if replacing.has(strings.TrimFunc(string(l.low[l.spans[i].to:v.from]), isNameEdge)) {
			return l.spans[i].to, true
		}
	}
	return v.from, false
}

// arrowBefore is joint for 訂正 850→950. Without 訂正 it may be a price that fell.
func (l *line) arrowBefore(at, to int) (int, bool) {
	if at < 2 || l.spans[at-2].kind != l.spans[at].kind || l.spans[at-1].kind != punctSpan || !strings.ContainsRune("→⇒", l.rune(l.spans[at-1].from)) {
		return to, false
	}
	return l.spans[at-1].from, true
}

// wrongWords hang on the name of a field that is to be changed.
var wrongWords = []string{"間違いです", "間違いで", "間違い", "間違えた", "間違えました", "まちがい", "違い", "違う", "違った"}

// cutWrong takes one of wrongWords off the end: 日付間違い 昨日.
func cutWrong(s string) (string, bool) {
	for _, word := range wrongWords {
		if bare, ok := strings.CutSuffix(s, word); ok && bare != "" {
			return strings.TrimSuffix(strings.TrimSuffix(bare, "が"), "の"), true
		}
	}
	return s, false
}

// cutFromNow takes words off the front that say that a rule is to be kept: 今後
// ランチは交際費.
func cutFromNow(s string) string {
	for _, word := range []string{"今後は", "今後", "次からは", "次から", "これからは", "これから"} {
		if bare, ok := strings.CutPrefix(s, word); ok && bare != "" {
			return strings.TrimLeftFunc(bare, isNameEdge)
		}
	}
	return s
}

// replacing are the words between an old value and the new one.
var replacing = wordSet("を から は間違いで が間違いで は間違い が間違い は間違いで本当は を間違えて の間違いで は誤りで は違って")

// takeHead reads the text in front of the value: an item, and the old value if
// the two are joined. It is false if there is anything else.
func (ch *amendment) takeHead() bool {
	h := ch.head
	for _, i := range h.find(categorySpan) {
		h.spans[i].used = true
	}
	for i := range h.spans {
		s := &h.spans[i]
		switch {
		case ch.joined && s.kind == ch.value.kind && ch.old == nil:
			ch.old = s
		case s.kind == amountSpan, s.kind == accountSpan, s.kind == categorySpan, s.kind == codeSpan, s.kind == clockSpan, s.kind == periodSpan:
			return false
		case s.kind == dateSpan && (s.fault != "" || ch.value.kind == dateSpan):
			return false
		case s.kind == markSpan && (slices.Contains(neverChange, s.mark) || s.mark == correction || s.mark == insteadOf || s.mark == was):
			return false
		}
	}
	if ch.joined && ch.old == nil {
		return false
	}
	ch.item = h.wholeItem()
	if item, f := cutField(ch.item); f != 0 {
		ch.item, ch.field = item, f
	}
	return true
}
