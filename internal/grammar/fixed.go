package grammar

import "strings"

// HelpMore is the Value of a Help that asks for more than what is used most.
const HelpMore = "more"

// fixedWords are messages that consist of one known phrase.
var fixedWords = []struct {
	command Command
	words   string
}{
	{Command{Kind: Help, Value: HelpMore}, "ヘルプもっと ヘルプ_もっと もっとヘルプ help_more more_help"},
	{Command{Kind: Help}, "ヘルプ へるぷ help メニュー めにゅー menu 使い方 つかいかた 使いかた 使い方教えて 使い方を教えて 使い方おしえて 使い方は 使い方がわからない 使い方わからない これなに これ何 これは何 これはなに 何これ なにこれ 何ができますか なにができる 何をすればいい どうすればいい どうするの 使い方を知りたい 使いかた教えて どう使うの どうやって使うの コマンド コマンド一覧 何ができる 何ができるの できること 説明 ガイド how_does_this_work how_does_it_work how_do_i_use_this how_to_use how_do_you_work what_can_you_do what_can_i_do what_is_this what's_this commands command_list command show_commands show_help help_me instructions manual guide usage what_should_i_do how_do_i_start get_started start"},
	{Command{Kind: Query, Query: Last}, "記録された 記録されてる 記録されました 記録できた 記録できてる 記録できました 記録した できてる できた できました 届いた 届いてる 入った 入力できた ちゃんと記録された 今の記録された did_you_record_it did_you_get_that did_it_work was_it_recorded is_it_recorded was_that_recorded did_you_save_it"},
	{Command{Kind: Order, Command: "backup"}, "バックアップ make_a_backup make_backup back_up backup ばっくあっぷ"},
	{Command{Kind: Order, Command: "web"}, "ウェブ うぇぶ ウェブページ webページ ブラウザ ブラウザで開く ブラウザで見る ウェブで開く ウェブで見る ウェブを開く ログイン ログインしたい web web_page open_web browser open_browser open_in_browser login log_in log_me_in"},
	{Command{Kind: Order, Command: "devices"}, "端末 端末一覧 端末とトークン 端末を見る ログイン中 ログイン中の端末 ログイン一覧 トークン トークン一覧 devices my_devices list_devices show_devices tokens my_tokens list_tokens sessions my_sessions logged_in log_out logout ログアウト"},
	{Command{Kind: Order, Command: "export"}, "csv エクスポート export_csv csv_export download_csv download export_data export 書き出し ダウンロード csv出力 csv書き出し csvダウンロード"},
	{Command{Kind: Setting, Setting: "notify", Value: "on"}, "通知オン 通知をオン 通知オンにして turn_on_notifications turn_notifications_on notifications_on"},
	{Command{Kind: Setting, Setting: "notify", Value: "off"}, "通知オフ 通知をオフ 通知オフにして turn_off_notifications turn_notifications_off notifications_off"},
	{Command{Kind: Setting, Setting: "language", Value: "en"}, "英語で 英語にして 英語にする 英語に 英語に変えて 英語に変更 英語に変更して 英語でお願い 英語でお願いします 英語で話して 英語にしてください speak_english speak_in_english english_please please_speak_english in_english in_english_please switch_to_english change_to_english use_english set_language_to_english change_language_to_english change_the_language_to_english switch_language_to_english can_you_speak_english do_you_speak_english answer_in_english reply_in_english talk_in_english i_want_english"},
	{Command{Kind: Setting, Setting: "language", Value: "ja"}, "日本語で 日本語にして 日本語にする 日本語に 日本語に変えて 日本語に変更 日本語に変更して 日本語に戻して 日本語でお願い 日本語でお願いします 日本語で話して 日本語にしてください speak_japanese speak_in_japanese japanese_please please_speak_japanese in_japanese in_japanese_please switch_to_japanese change_to_japanese use_japanese set_language_to_japanese change_language_to_japanese change_the_language_to_japanese switch_language_to_japanese back_to_japanese answer_in_japanese reply_in_japanese"},
	{Command{Kind: Redo}, "戻したい もどしたい 元に戻したい もとに戻したい"},
	{Command{Kind: Undo}, "今のなし いまのなし やっぱりなし さっきのなし なしで 取り消してください 取り消しお願いします ひとつ戻す 一つ戻す 1つ戻す ひとつ戻して 一つ戻して 1つ戻して"},
	{Command{Kind: Remark, Reason: Thanks}, "ありがとう ありがとうございます ありがとうございました ありがと あざす どうも サンキュー thanks thank_you thx 感謝 助かった 助かりました 助かる 助かります たすかる たすかった thanks_a_lot thank_you_very_much thank_you_so_much many_thanks cheers ty appreciate_it"},
	{Command{Kind: Remark, Reason: Greeting}, "こんにちは こんちは ただいま おかえり よろしく よろしくお願いします hello hi hey hey_there hi_there hello_there good_afternoon i'm_home"},
	{Command{Kind: Remark, Reason: FirstMeeting}, "はじめまして 初めまして はじめまして、よろしく はじめまして、よろしくお願いします はじめましてよろしくお願いします 初めまして、よろしくお願いします nice_to_meet_you"},
	{Command{Kind: Remark, Reason: Morning}, "おはよう おはよ おはよー おはようございます good_morning morning"},
	{Command{Kind: Remark, Reason: Evening}, "こんばんは こんばんわ good_evening"},
	{Command{Kind: Remark, Reason: Night}, "おやすみ おやすみー おやすみなさい お休みなさい もう寝る 寝ます good_night goodnight night_night sleep_well"},
	{Command{Kind: Remark, Reason: WellDone}, "お疲れ お疲れさま お疲れさまです お疲れさまでした お疲れ様 お疲れ様です お疲れ様でした おつかれ おつかれー おつかれさま おつかれさまです おつかれさまでした おつ おつです 疲れた 疲れたー 疲れました つかれた つかれたー へとへと 眠い ねむい tired i'm_tired so_tired exhausted sleepy"},
	{Command{Kind: Remark, Reason: Apology}, "ごめん ごめんね ごめんなさい すみません すいません 申し訳ない 失礼しました sorry i'm_sorry my_bad my_mistake oops"},
	{Command{Kind: Remark, Reason: Praise}, "すごい すごいね すごいです えらい 偉い 便利 便利だね 便利です いいね 最高 さすが やった やったー かしこい 賢い かわいい かわいいね 可愛い 可愛いね いい子 天才 cute nice great awesome well_done good_job good_bot cool perfect amazing wonderful brilliant lovely"},
	{Command{Kind: Remark, Reason: HowToUndo}, "that's_wrong that's_not_right this_is_wrong it's_wrong wrong wrong_amount wrong_date wrong_category wrong_item i_made_a_mistake made_a_mistake mistake how_do_i_undo how_to_undo how_do_i_delete how_do_i_correct how_do_i_fix_it how_do_i_change_it entered_twice recorded_twice it's_there_twice duplicate duplicated 間違えた 間違えました まちがえた まちがえました 間違い 間違いです 間違ってる 間違ってます まちがい ミスった 違う 違います 違った ちがう ちがいます ちがった 取り消したい 取消したい とりけしたい 消したい 直したい なおしたい 修正したい 変更したい 取り消し方 取消方法 取り消し方法 取り消し方は 取り消しかた 取り消すには 消し方 直し方 間違えたときは 金額間違えた 金額を間違えた 金額間違い 金額違う 金額が違う 日付間違えた 日付を間違えた 日付間違い 日付違う 日付が違う 品名間違えた 名前間違えた 打ち間違えた 打ち間違い 入力ミス 入力間違い 入力間違えた 記録間違えた 間違えて入れた 間違えて記録した 二重に入れた 二重に入れちゃった 二重に入ってる 二重になってる 二重に記録した 二重に記録しちゃった 二回入れた 二回入れちゃった 二回入ってる 二回記録した 二回記録しちゃった 2回入れた 2回入れちゃった 2回入ってる 2回記録した 2回記録しちゃった 2つ入ってる 二つ入ってる ダブった だぶった ダブってる だぶってる ダブって入れた 重複 重複した 重複してる 重複しちゃった"},
	{Command{Kind: Remark, Reason: WhatIsGone}, "不明金 不明金って 不明金って何 不明金ってなに 不明金って何ですか 不明金とは 不明金とは何 不明金は何"},
	{Command{Kind: Remark, Reason: Agreed}, "了解 了解です りょうかい りょ ok おけ おっけー オッケー はい うん いいえ いいよ わかった わかりました なるほど"},
	{Command{Kind: Remark, Reason: Laughter}, "うける ウケる わろた ワロタ おもしろい 面白い lol"},
	{Command{Kind: Remark}, "いただきます ごちそうさま 乾杯 yes no ほしい 欲しい"},
}

var fixedIndex = func() *wordIndex[Command] {
	x := newWordIndex[Command]()
	for _, row := range fixedWords {
		x.add(row.command, row.words)
	}
	return x
}()

// readFixed reads a line that is one known phrase, marks and emoji aside. A
// lone question mark asks for help.
func readFixed(l *line) (Command, bool) {
	from, to := l.trimTo(0, len(l.raw), isPhraseRune)
	if from == to {
		return l.readSign()
	}
	if c, ok := fixedIndex.whole(l.low[from:to]); ok {
		return c, true
	}
	if l.isLaughter(from, to) {
		return Command{Kind: Remark, Reason: Laughter}, true
	}
	if c, ok := l.fixedBehind(from, to); ok {
		return c, true
	}
	if c, ok := l.fixedDemand(from, to); ok {
		return c, true
	}
	return l.fixedWithNumber(from, to)
}

// isLaughter says whether the range is made of what people write for laughing:
// www, 笑, 草.
func (l *line) isLaughter(from, to int) bool {
	for i := from; i < to; i++ {
		if !strings.ContainsRune("w笑草", l.rune(i)) {
			return false
		}
	}
	return true
}

// demands may stand behind the name of an order.
var demands = wordSet("して してください して下さい します しといて お願い お願いします おねがい おねがいします ください 下さい ちょうだい 頂戴 出して だして 見せて みせて 教えて おしえて 取って とって したい できる 欲しい ほしい me please を の が は で に ファイル データ 出力 書き出し ダウンロード 保存")

// fixedDemand reads an order or a call for help with a demand behind it:
// バックアップお願い.
func (l *line) fixedDemand(from, to int) (Command, bool) {
	c, i, ok := fixedIndex.at(l.low, from)
	if !ok || c.Kind != Order && c.Kind != Help {
		return Command{}, false
	}
	for i < to {
		_, end, found := demands.at(l.low, i)
		switch {
		case found:
			i = end
		case l.at(i) == blank:
			i++
		default:
			return Command{}, false
		}
	}
	return c, true
}

// openings may stand in front of small talk.
var openings = wordSet("あ あっ おっと はい うん ごめん ごめんね ごめんなさい すみません すいません")

// fixedBehind reads small talk behind an opening: ごめんね間違えた.
func (l *line) fixedBehind(from, to int) (Command, bool) {
	_, end, ok := openings.at(l.low, from)
	if !ok {
		return Command{}, false
	}
	end, to = l.trimTo(end, max(end, to), isPhraseLetter)
	c, ok := fixedIndex.whole(l.low[end:to])
	return c, ok && c.Kind == Remark
}

// readSign reads a line without any letter: a lone question mark asks for help.
func (l *line) readSign() (Command, bool) {
	switch r := l.rune(0); {
	case r == '?':
		return Command{Kind: Help}, true
	case strings.ContainsRune("🙏🙇", r):
		return Command{Kind: Remark, Reason: Thanks}, true
	case strings.ContainsRune("👍👏👌🙆🎉✨😊😄❤💯", r):
		return Command{Kind: Remark, Reason: Praise}, true
	}
	return l.fixedWithNumber(0, len(l.raw))
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
	c, ok := fixedIndex.whole(l.low[from:to])
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
