package grammar

import (
	"slices"
	"strings"
)

// part is what a word does in a phrase that is made of the words of one table.
type part uint8

const (
	filler part = iota // says nothing by itself
	core               // names the command
	verb               // what is to be done
	person
	who
	shared
	apart
	thing    // may be named
	ask      // a demand for it
	goal     // what something is to become: に
	object   // what is to be changed: を
	topic    // what is spoken of: は
	numbered // a receipt's number stands behind it
	making   // to make it so
	pointer  // what was said last
	partCount
)

// phrase reads the whole line as words of the table, and says which parts they
// are, in order, and whether numbers stand between them.
func (l *line) phrase(table *wordIndex[part]) (parts []part, numbers, ok bool) {
	amounts := l.find(amountSpan)
	for i := 0; i < len(l.raw); {
		what, end, found := table.atIf(l.low, i, func(_ part, end int) bool { return l.at(end-1) != latin || l.at(end) != latin })
		switch {
		case len(amounts) > 0 && l.spans[amounts[0]].from == i:
			i, amounts, numbers = l.spans[amounts[0]].to, amounts[1:], true
		case found:
			parts, i = append(parts, what), end
		case l.at(i) == digit:
			i, numbers = i+1, true
		case isWord(l.at(i)) && l.at(i) != other:
			return nil, false, false
		default:
			i++
		}
	}
	return parts, numbers, true
}

// family are the people of a household.
const family = "家族 家族の人 家族を メンバー もう一人 パートナー 妻 夫 嫁 旦那 主人 母 父 ママ パパ 娘 息子 彼女 彼氏 お母さん お父さん 子供 子ども"

var invitePhrase = wordTable[part]{
	core:   "招待 しょうたい 招待コード 招待リンク invite invitation invitation_code 合言葉",
	verb:   "追加 追加する 追加したい 増やす 増やしたい 登録 登録する 登録したい",
	person: family + " wife husband family",
	thing:  "コード code",
	ask:    "発行 発行して 作って 作る つくって 出して だして 送って 送りたい 教えて おしえて ほしい 欲しい ちょうだい ください 下さい お願い お願いします おねがい",
	filler: "は を が の に も へ と する して して下さい してください します したい したいです たい です リンク url 見せて 家計簿 家計簿に ここに 方法 やり方 しかた 仕方 どうやって どうやるの どうする どうするの さん ちゃん くん my a please send で 番 番号 no",
}.index()

// readInvite reads 招待, 家族を招待したい and メンバーを追加.
func readInvite(l *line) (Command, bool) {
	parts, numbers, ok := l.phrase(invitePhrase)
	if !ok {
		return Command{Kind: Order, Command: "invite"}, l.invitesSomebody()
	}
	named := slices.Contains(parts, core) || slices.Contains(parts, person) && slices.Contains(parts, verb) ||
		slices.Contains(parts, thing) && slices.Contains(parts, ask)
	if !named {
		return Command{}, false
	}
	if numbers {
		return l.askCommand(), true
	}
	return Command{Kind: Order, Command: "invite"}, true
}

// invitesSomebody reads 花子を招待 and 花子さんを招待したい. 夕食に招待 is talk.
func (l *line) invitesSomebody() bool {
	name, rest, ok := strings.Cut(string(l.low), "を")
	if !ok || len(l.find(amountSpan)) > 0 || !l.isName(name) {
		return false
	}
	for i, r := range l.raw[:len([]rune(name))] {
		if (r == 'に' || r == 'で') && i > 0 && l.at(i-1) != kana {
			return false // 夕食に花子を招待
		}
	}
	parts, numbers, ok := (&line{text: newText(rest)}).phrase(invitePhrase)
	return ok && !numbers && slices.Contains(parts, core)
}

var leavingPhrase = wordTable[part]{
	core:   "leave_household leave_the_household leave_this_household leave leave_this_budget quit unsubscribe how_do_i_leave 退会 退会する 退会します 退会したい 退会方法 解約 解約する 解約したい 脱退 脱退する 脱退したい",
	thing:  "家計簿 この家計簿 利用 使うの このボット ボット bot 一度",
	verb:   "やめる やめます やめよう 辞める 辞めます 抜ける 抜けます 終わり 終了 終了する",
	ask:    "やめたい やめたいです 辞めたい 抜けたい やめるには 辞めるには やめ方 やめかた やめさせて",
	filler: "は を が の から も もう する したい したいです します です には どう どうすれば どうしたら どうやって どうやるの いい 方法 やり方 ん だ だけど けど ください 下さい お願い お願いします",
}.index()

// readLeaving reads 退会, やめたい and 家計簿やめる. ジム退会 3000 is a row.
func readLeaving(l *line) (Command, bool) {
	parts, numbers, ok := l.phrase(leavingPhrase)
	if !ok || numbers {
		return Command{}, false
	}
	leaves := slices.Contains(parts, core) || slices.Contains(parts, ask) || slices.Contains(parts, thing) && slices.Contains(parts, verb)
	return Command{Kind: Remark, Reason: Leaving}, leaves
}

var removalPhrase = wordTable[part]{
	core:   "メンバーから メンバーの 家計簿から 家族から",
	person: family + " さん ちゃん くん",
	verb:   "外して 外す 外したい はずして はずす はずしたい 削除 削除して 削除する 削除したい 除名 除名して 抜いて 退会させて 退会させたい 追い出して",
	filler: "は を が の も する して したい 方法 ください 下さい お願い お願いします どうやって どうやるの",
}.index()

// readRemoval reads メンバー削除 and 花子を外して. What is taken off must be somebody:
// メガネを外して is talk.
func readRemoval(l *line) (Command, bool) {
	c := Command{Kind: Remark, Reason: RemoveMember}
	parts, numbers, ok := l.phrase(removalPhrase)
	if ok {
		return c, !numbers && slices.Contains(parts, verb) && (slices.Contains(parts, core) || slices.Contains(parts, person))
	}
	name, rest, found := strings.Cut(string(l.raw), "を")
	if !found || len(l.find(amountSpan)) > 0 {
		return Command{}, false
	}
	parts, numbers, ok = (&line{text: newText(rest)}).phrase(removalPhrase)
	if !ok || numbers || !slices.Contains(parts, verb) {
		return Command{}, false
	}
	return c, l.isName(name) && slices.Contains(parts, core) || l.isPerson(name) && !strings.Contains(rest, "削除")
}

var photoPhrase = wordTable[part]{
	core: "写真 レシート レシートの写真 画像 領収書 スクショ スクリーンショット photo photos picture receipt",
	verb: "送っていい 送って良い 送ってもいい 送って大丈夫 送れる 送れます 送ったら 送る 送ります 撮って 撮っていい 撮って送る 撮ったら 読んで 読める 読めます 読み取って 読み取れる 読み取り 読み取る 読み込んで 読み込める 読み込み よめる よんで 認識 認識できる 認識して スキャン スキャンして スキャンできる " +
		"使える 対応 対応してる 入力 入力できる 登録できる 記録できる 記録して 見れる 見られる でいい でもいい で送って scan read send",
	filler: "を は も の で って から か な ですか ますか ます です できる できます できますか して してる いい 大丈夫 だめ ください 下さい くれる もらえる もらえますか お願い お願いします 機能 だけ この これ can you i a my",
}.index()

// readPhotos reads 写真送っていい？ and レシート読んで.
func readPhotos(l *line) (Command, bool) {
	parts, numbers, ok := l.phrase(photoPhrase)
	return Command{Kind: Remark, Reason: Photos}, ok && !numbers && slices.Contains(parts, core) && slices.Contains(parts, verb)
}

var membersPhrase = wordTable[part]{
	core:   "メンバー めんばー members member 参加者 登録者 参加メンバー",
	person: "家族 家族構成",
	who:    "who who's 誰 だれ 誰々 だれだれ",
	verb:   "いる いるの いますか います 入ってる 入っている 入ってるの 登録してる 登録されてる 登録している 登録されている 参加してる 参加している 使ってる 使っている 見てる 見られる 見れる is is_here is_in is_in_this_household are here uses_this can_see_this",
	filler: "this household the all in us we our 一覧 リスト は の が を に も 全員 何人 人 名前 教えて おしえて 見せて みせて 表示 確認 この ここ 家計簿 これ list show で 番 番号 no",
}.index()

// readMembers reads メンバー, 家族 and だれがいる？. 家族 with an amount is no command.
func readMembers(l *line) (Command, bool) {
	parts, numbers, ok := l.phrase(membersPhrase)
	switch {
	case !ok:
		return Command{}, false
	case slices.Contains(parts, core) && numbers:
		return l.askCommand(), true
	case numbers:
		return Command{}, false
	}
	named := slices.Contains(parts, core) || slices.Contains(parts, person)
	return Command{Kind: Query, Query: Members}, named || slices.Contains(parts, who) && slices.Contains(parts, verb)
}

// The values of the setting "wallet".
const (
	WalletShared = "共有" // one for all
	WalletApart  = "別々" // each one's own
)

var sharingPhrase = wordTable[part]{
	core:   "財布 さいふ サイフ お財布 おさいふ wallet wallets",
	shared: "共有 共有する 共有して 共有したい 共有します 共同 共用 共通 一緒 いっしょ 一つ ひとつ 1つ シェア shared share together one",
	apart: "別々 べつべつ 別 べつ 個別 個人 個人別 各自 それぞれ 分ける 分けて 分けたい 分けます わける わけて わけたい ばらばら バラバラ separate separately " +
		"do_not_share don't_share stop_sharing apart own 共有しない 共有をやめる 共有はやめる 共有やめる 共有をやめて 共有やめて 共有をやめたい 共有やめたい 共有解除 共有を解除 共有を解除して 共有をやめます",
	verb:   "にする にして にします にしたい にしてください する して したい します がいい でいい に変更 に変更して に変える にかえる",
	person: "家族 家族で みんな みんなで 夫婦 夫婦で 二人 二人で ふたり ふたりで 家 家の うち うちの",
	filler: "は を の に で と も が です だよ 全員 ください 下さい お願い お願いします おねがい the use our my a as keep make let's we",
}.index()

// readSharing reads 財布 共有 and 財布を分ける. 共有の財布 names a wallet and sets
// nothing, unless a verb follows.
func readSharing(l *line) (Command, bool) {
	parts, numbers, ok := l.phrase(sharingPhrase)
	if !ok || numbers || l.asks() {
		return Command{}, false
	}
	purse := slices.Index(parts, core)
	one, two := slices.Index(parts, shared), slices.Index(parts, apart)
	if purse < 0 || (one < 0) == (two < 0) {
		return Command{}, false
	}
	if max(one, two) < purse && !slices.Contains(parts, verb) {
		return Command{}, false
	}
	c := Command{Kind: Setting, Setting: "wallet", Value: WalletShared}
	if one < 0 {
		c.Value = WalletApart
	}
	return c, true
}

// sharers in front of 財布 make it the wallet of all.
var sharers = wordSet("共有 共同 共用 共通 家 家族 家族みんな うち 我が家 わが家 みんな 皆 全員 家計 夫婦 二人 ふたり 2人 our shared family")
