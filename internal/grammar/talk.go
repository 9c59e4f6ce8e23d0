package grammar

import "strings"

// endsInTalk says whether the last word behind an amount is that of a request or
// of something that goes on, 500円持たせて, 198円で売ってる, or is said of an amount
// that it touches and is no word for paying: 2万円いった. What was paid is told
// otherwise.
func (l *line) endsInTalk() bool {
	last, end := l.lastWord()
	if m := l.marked(save); m != nil && l.speaksOfSavings(m) {
		return false // 貯金 50000円になった
	}
	if last < 1 || len(l.amountsIn(0, last)) == 0 {
		return false
	}
	from := l.spans[last].from
	if l.endsInVerb(from, end) || l.hasEnding(talkEndings, from, end) {
		return true
	}
	return l.touchesMoney(last) && !l.knownTail(from, end) && (l.hasEnding(saidOfMoney, from, end) || l.endsInPast(from, end))
}

// lastWord returns the last span that is a word, and where it ends; what may
// follow the last word of a sentence is left out. It gives -1 if something else
// stands behind it.
func (l *line) lastWord() (span, end int) {
	end = len(l.raw)
	for i := len(l.spans) - 1; i >= 0; i-- {
		s := &l.spans[i]
		for end > s.from && (!isWord(l.at(end-1)) || l.at(end-1) == other || strings.ContainsRune(sentenceTail, l.rune(end-1))) {
			end--
		}
		switch {
		case end == s.from:
		case s.kind == wordSpan:
			return i, end
		case s.kind == markSpan && s.mark == copula:
			end = s.from
		default:
			return -1, end
		}
	}
	return -1, end
}

// touchesMoney says whether nothing but words stands between an amount that is
// yen for certain and the span.
func (l *line) touchesMoney(span int) bool {
	for i := span - 1; i >= 0; i-- {
		switch s := &l.spans[i]; s.kind {
		case amountSpan:
			return s.amount.yen
		case wordSpan, markSpan, counterSpan:
		default:
			return false
		}
	}
	return false
}

// setsTerms says whether an amount is what something costs in a month or up to a
// day: 月5800円, 今日まで1990円.
func (l *line) setsTerms() bool {
	for i := range l.spans {
		switch s := &l.spans[i]; s.kind {
		case dateSpan, periodSpan:
			if l.has(s.to, "まで") {
				return true
			}
		case amountSpan:
			if l.has(s.from-2, "月々") {
				return true
			}
			if s.amount.yen && strings.ContainsRune("月年週", l.rune(s.from-1)) && (l.at(s.from-2) != kanji && l.at(s.from-2) != digit || isFeeSuffix(l.rune(s.from-2))) {
				return true
			}
		}
	}
	return false
}

// hasEnding says whether the range ends in one of the words.
func (l *line) hasEnding(words []string, from, to int) bool {
	for _, word := range words {
		if at := to - len([]rune(word)); at >= from && l.has(at, word) {
			return true
		}
	}
	return false
}

// Runes that stand before the last one of a verb: of 借りる, and of 取れた.
const (
	stemsOfRu   = "えけせてねべめれげぜでごりきしみびいぎち"
	stemsOfPast = "っいしんえけせてねべめれげきみりち"
)

// endsInVerb says whether the range ends in a verb in its plain form: 借りる,
// 乗る, 押す. Nouns that end so are rare behind an amount.
func (l *line) endsInVerb(from, end int) bool {
	if end-2 < from || l.at(end-1) != kana {
		return false
	}
	stem := end - 2
	if stem > from && l.at(stem) == kana && strings.ContainsRune(stemsOfRu, l.rune(stem)) {
		stem--
	}
	return l.at(stem) == kanji && strings.ContainsRune("うくすつむぶぐぬる", l.rune(end-1))
}

// endsInPast says whether the range ends in a verb of the past or in one that
// goes on with て. Comments such as 美味しかった are left alone.
func (l *line) endsInPast(from, end int) bool {
	const shortest = 3
	if end-from < shortest || !strings.ContainsRune("ただてで", l.rune(end-1)) {
		return false
	}
	return strings.ContainsRune(stemsOfPast, l.rune(end-2)) && !l.hasEnding(paidOrSaid, from, end)
}

// paidOrSaid are the ends of verbs of the past that may tell of a payment, and of
// comments.
var paidOrSaid = strings.Fields("かった して にて まとめて てきた てきました")

// talkEndings are the ends of verbs that ask for something or go on.
var talkEndings = strings.Fields("てきて せて といて どいて ておいて でおいて てる でる ている でいる てて てます でます っていて ようか てくる にして てた でた " +
	"なきゃ なくちゃ ないと なければ ねば される れる られる するの るの たの のに けど だろう でしょう でしょ じゃん はず になった になりました になります われた まれた された " +
	"きそう りそう いそう えそう れそう けそう せそう べそう すから るから くから うから むから " +
	"るそう うそう くそう すそう たそう てある たんだ るんだ いんだ なんだ くこと ること うこと すこと " +
	"きます します ちます みます ります びます ぎます います えます けます せます めます れます べます できる かかる くれる なってきた えてきた わってきた")

// saidOfMoney are the ends of what is said of an amount.
var saidOfMoney = strings.Fields("ある いる なる いく きつい つらい やばい すごい ひどい しんどい こわい 怖い うれしい 嬉しい かなしい 悲しい 見込み 見積もり 問題 生活 時代 目標 予想 相場 の壁 の店 の日 の話 の差 の件 の夢 の案 の枠 の世界 の価値 ぶり")

// readUnsafe reads a question, wish, request, plan, denial or hearsay. With an
// amount the bot may ask; without one it is talk.
func readUnsafe(l *line) (Command, bool) {
	if l.marked(news) != nil {
		return Command{Kind: Remark}, true
	}
	if l.marked(unsafeMarks...) == nil && !l.asks() && !l.asking && !l.endsInTalk() && !l.setsTerms() {
		return Command{}, false
	}
	if len(l.find(amountSpan)) == 0 {
		return Command{Kind: Remark}, true
	}
	if l.lends() {
		return l.ask(Lent), true
	}
	return l.ask(NotARow), true
}

// unsafeMarks make a line no row, whatever amounts stand in it.
var unsafeMarks = []mark{question, hearsay, request, wish, plan, denial, comparison, loan, remains}

// lends says whether the line tells of money that was lent, borrowed or given back.
func (l *line) lends() bool {
	m := l.marked(loan)
	return m != nil && (strings.ContainsRune("貸借返", l.rune(m.from)) || l.at(m.from) == latin && !l.has(m.from, "lost") && !l.has(m.from, "stolen"))
}
