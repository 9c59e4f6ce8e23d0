package grammar

// wholePhrase has the words that say that all of a divided bill was paid.
var wholePhrase = wordTable[bool]{
	true:  "全額 全額払った 全額払いました 全額支払った 全額出した 全額払い",
	false: "私 わたし 俺 僕 自分 が は を で も だった でした です やっぱり やっぱ 実は じつは さっきの さっき 払った 払いました 支払った 支払いました 出した 払い 持ち もち 割り勘 わりかん 折半 じゃなくて ではなくて じゃなく ではなく ごめん よ に して 訂正 にして",
}.index()

// readWhole reads 全額払った: what the last record divided was not divided.
func readWhole(l *line) (Command, bool) {
	said := false
	for i := 0; i < len(l.raw); {
		if !isWord(l.at(i)) || l.at(i) == other {
			if l.at(i) == digit || l.rune(i) == '?' {
				return Command{}, false
			}
			i++
			continue
		}
		what, end, ok := wholePhrase.at(l.low, i)
		if !ok {
			return Command{}, false
		}
		said = said || what
		i = end
	}
	return Command{Kind: Correct, Whole: true}, said
}
