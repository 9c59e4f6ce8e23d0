package grammar

// fixedWords are messages that consist of one known phrase.
var fixedWords = []struct {
	command Command
	words   string
}{
	{Command{Kind: Help}, "ヘルプ へるぷ help メニュー menu 使い方 つかいかた 使いかた コマンド コマンド一覧 何ができる 何ができるの できること 説明 ガイド"},
	{Command{Kind: Order, Command: "backup"}, "バックアップ backup ばっくあっぷ"},
	{Command{Kind: Order, Command: "export"}, "csv エクスポート export 書き出し ダウンロード csv出力 csv書き出し csvダウンロード"},
	{Command{Kind: Undo}, "今のなし いまのなし やっぱりなし さっきのなし なしで 取り消してください 取り消しお願いします"},
	{Command{Kind: Remark, Reason: Thanks}, "ありがとう ありがとうございます ありがとうございました ありがと あざす どうも サンキュー thanks thank_you thx 感謝 助かった 助かります"},
	{Command{Kind: Remark, Reason: Greeting}, "おはよう おはようございます こんにちは こんばんは おやすみ おやすみなさい ただいま おかえり はじめまして よろしく よろしくお願いします お疲れ お疲れさま お疲れ様 おつかれ おつかれさま お疲れ様です hello hi good_morning good_night"},
	{Command{Kind: Remark}, "了解 了解です りょうかい りょ ok おけ おっけー オッケー はい うん いいえ いいよ わかった わかりました なるほど ごめん ごめんなさい すみません いただきます ごちそうさま 笑 w ww www 草 乾杯 yes no ほしい 欲しい"},
}

var fixedIndex = func() *wordIndex[Command] {
	x := &wordIndex[Command]{trie: newTrie()}
	for _, row := range fixedWords {
		x.add(row.command, row.words)
	}
	return x
}()

// readFixed reads a line that is one known phrase, marks and emoji aside. A
// lone question mark asks for help.
func readFixed(l *line) (Command, bool) {
	from, to := 0, len(l.raw)
	for from < to && !isPhraseRune(l.at(from)) {
		from++
	}
	for from < to && !isPhraseRune(l.at(to-1)) {
		to--
	}
	if from == to && l.rune(0) == '?' {
		return Command{Kind: Help}, true
	}
	return fixedIndex.word(string(l.low[from:to]))
}

func isPhraseRune(s script) bool { return isWord(s) && s != other || s == digit }
