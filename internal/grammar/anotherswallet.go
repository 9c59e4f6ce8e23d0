package grammar

import "strings"

// readAnothersWallet asks about what was paid from a wallet that is not plainly
// the sender's: コンビニ 300 花子の財布. A row can't say whose wallet it was, and
// the name of the wallet is no part of the item.
func readAnothersWallet(l *line) (Command, bool) {
	at := l.walletAt()
	if at < 1 || l.count(amountSpan) == 0 || l.marked(unsafeMarks...) != nil || l.asks() {
		return Command{}, false
	}
	if l.rune(l.spans[at].to) == 'に' || l.rune(l.spans[at].to) == 'へ' {
		return Command{}, false // it receives
	}
	w := l.payingWallet(at, l.find(amountSpan))
	all := sharers.has(strings.ToLower(w.owner))
	switch {
	case w.owner == "" || !w.pays:
		return Command{}, false
	case isSelf(w.owner), all:
		return l.ask(WalletOrItem), w.beside
	case !w.beside:
		return Command{}, false
	}
	if l.spans[at-1].from == w.from {
		l.spans[at-1].used, l.spans[at].used = true, true
	}
	c := l.ask(AnothersWallet)
	c.Owner = w.owner
	return c, true
}

// payingWallet is a wallet with の and somebody in front of it.
type payingWallet struct {
	owner  string // "" if nobody is named
	from   int    // where the owner begins
	beside bool   // something stands in the line that may have been paid for
	pays   bool   // it most likely was paid from this wallet
}

// payingWallet looks at the wallet at span at.
func (l *line) payingWallet(at int, amounts []int) (w payingWallet) {
	l.nameOwner(at)
	s := &l.spans[at-1]
	w.from = s.from
	if l.isParticleSpan(at-1) && at >= 3 && l.spans[at-2].kind == counterSpan { // 花子2の
		w.from = l.spans[at-3].from
	}
	bought := false // メルカリで花子の財布 is a thing
	if i := strings.LastIndexAny(l.str(w.from, s.to), "でに"); i > 0 && s.kind == wordSpan && w.from == s.from && l.at(w.from) != kana {
		w.from += len([]rune(l.str(w.from, s.to)[:i])) + 1
		bought = true
	}
	owner, ok := strings.CutSuffix(l.str(w.from, s.to), "の")
	if !ok || s.kind != wordSpan {
		return w
	}
	w.owner = owner
	out := l.draws(at)
	w.beside = out && !bought || l.itemBefore(w.from) || l.itemBehind(at)
	bare := withoutNumber(owner)
	switch last := amounts[len(amounts)-1]; {
	case out, last < at && l.itemBefore(l.spans[last].from) && !l.isPresent():
		w.pays = l.isStranger(bare) || isSelf(owner)
	default:
		w.pays = len(amounts) == 1 && !bought && l.isPerson(bare) && !l.isPresent()
	}
	all := sharers.has(strings.ToLower(owner))
	w.pays = w.pays || all && w.beside && (out || len(amounts) == 1 && !bought)
	return w
}

// itemBefore says whether an item stands in front of the rune at i.
func (l *line) itemBefore(i int) bool {
	n := 0
	for n < len(l.spans) && l.spans[n].to <= i {
		n++
	}
	return l.isItem(l.pieces(0, n)) || n < len(l.spans) && l.spans[n].from < i
}

// itemBehind says whether an item stands behind the wallet at span at.
func (l *line) itemBehind(at int) bool {
	for i := at + 1; i < len(l.spans); i++ {
		s := &l.spans[i]
		if s.taken() || s.kind != wordSpan && s.kind != counterSpan && s.kind != categorySpan {
			continue
		}
		word := strings.TrimPrefix(strings.TrimRight(string(l.low[s.from:s.to]), sentenceTail), "から")
		if _, ok := walletPhrases.word(word); !ok && word != "" && !l.isParticleSpan(i) {
			return true
		}
	}
	return false
}

// draws says whether から or the like makes the wallet at span at where money
// comes from. 花子の財布で3000円 says that only with an item.
func (l *line) draws(at int) bool {
	end := l.skipBlank(l.spans[at].to)
	for _, particle := range []string{"から", "→", "⇒"} {
		if l.has(end, particle) {
			return true
		}
	}
	return l.rune(end) == 'で' && l.rune(end+1) != 'す' && (l.itemBefore(l.spans[at-1].from) || l.itemBehind(at))
}

// presents are what a wallet is that somebody gets.
var presents = wordSet("プレゼント 贈り物 ギフト 誕生日 お誕生日 お祝い 修理 買い替え 買い換え 新品 新しい 革 皮 本革")

// isPresent says whether the wallet was most likely bought: プレゼント 花子の財布.
func (l *line) isPresent() bool {
	for i := range l.low {
		if presents.startsAt(l.low, i) {
			return true
		}
	}
	return l.marked(paid) != nil
}
