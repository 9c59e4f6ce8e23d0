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
	from, to := l.trimTo(0, len(l.raw), isPhraseRune)
	if from == to && l.rune(0) == '?' {
		return Command{Kind: Help}, true
	}
	if c, ok := fixedIndex.word(string(l.low[from:to])); ok {
		return c, true
	}
	return l.fixedWithNumber(from, to)
}

// fixedWithNumber reads the phrase of a command that stands with a number:
// ヘルプ 3 is no row. A price makes even help doubtful: ガイド 1500円.
func (l *line) fixedWithNumber(from, to int) (Command, bool) {
	if len(l.find(amountSpan)) == 0 {
		return Command{}, false
	}
	for i := range l.spans {
		switch s := &l.spans[i]; {
		case s.kind != amountSpan:
		case s.from <= from:
			from = s.to
		case s.to >= to:
			to = s.from
		}
	}
	from, to = l.trimTo(from, max(from, to), isPhraseLetter)
	for to > from && l.at(to-1) == kana && isParticle(l.rune(to-1)) {
		to--
	}
	for from < to && l.at(from) == kana && isParticle(l.rune(from)) {
		from++
	}
	from, to = l.trimTo(from, to, isPhraseLetter)
	c, ok := fixedIndex.word(string(l.low[from:to]))
	switch {
	case !ok || c.Kind == Remark:
		return Command{}, false
	case c.Kind == Help && !l.hasYen():
		return c, true
	}
	return l.askCommand(), true
}

// trimTo narrows the range until it begins and ends with such a rune.
func (l *line) trimTo(from, to int, such func(script) bool) (int, int) {
	for from < to && !such(l.at(from)) {
		from++
	}
	for from < to && !such(l.at(to-1)) {
		to--
	}
	return from, to
}

func isPhraseLetter(s script) bool { return isWord(s) && s != other }
func isPhraseRune(s script) bool   { return isPhraseLetter(s) || s == digit }
