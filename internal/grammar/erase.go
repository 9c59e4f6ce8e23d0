package grammar

import "regexp"

// eraseAll is what somebody says who wants all data gone, with the code by which the bot
// lets it be said again. Nothing shorter or vaguer is that.
var eraseAll = regexp.MustCompile(`^(?:全データ ?(?:を ?)?(?:削除|消去)|データ(?:を ?)?(?:全|全部|すべて|全て)(?:削除|消去)|(?:全部|すべて|全て)のデータを(?:削除|消去)|(?:delete|erase) (?:all data|all the data|all my data))(?:して|する|します|してください)?(?: ?([0-9]{4}))?$`)

// readErase reads 全データ削除 and 全データ削除 4821.
func readErase(l *line) (Command, bool) {
	from, to := l.trimTo(0, len(l.raw), isPhraseRune)
	m := eraseAll.FindStringSubmatch(string(l.low[from:to]))
	if m == nil {
		return Command{}, false
	}
	return Command{Kind: Order, Command: "erase", Value: m[1]}, true
}
