package grammar

import (
	"strings"

	"ichido/internal/ledger"
)

// walletPhrases may stand around 財布 and its amount without making it
// anything but a statement of what is there.
var walletPhrases = wordSet("の の中 の中身 の中は の中身は には に は が の残高 の残高は 残高 残高は の残り 中身 の現金 現金 を で ある あります あった しかない 入ってる 入っている 入ってた 入ってます 入っています 入ってました 入っていました ありました です だった でした 今 いま 残り の中に ね よ ちょうど 残ってる 確認 数えたら")

// readWallet reads 財布 3000 and 財布.
func readWallet(l *line) (Command, bool) {
	at := l.walletAt()
	if at < 0 {
		return Command{}, false
	}
	if l.isSharedWallet(at) {
		c, ok := l.readWalletOf(at, "", true)
		c.Shared = ok && (c.Kind == Balance || c.Kind == Query)
		return c, ok
	}
	if at > 0 && ownWallet(l.itemOf(l.pieces(0, at))) {
		c, ok := l.readWalletOf(at, "", true)
		c.stateOwn()
		return c, ok
	}
	l.nameOwner(at)
	owner, ok := l.walletOwner(at)
	return l.readWalletOf(at, owner, ok)
}

// nameOwner makes the number in 花子2の財布 a part of the name.
func (l *line) nameOwner(at int) {
	if at < 3 || !l.isParticleSpan(at-1) || l.rune(l.spans[at-1].from) != 'の' {
		return
	}
	if s := &l.spans[at-2]; s.kind == amountSpan && !s.amount.yen && l.spans[at-3].kind == wordSpan && s.to-s.from <= mostNameDigits {
		s.kind, s.fault = counterSpan, ""
	}
}

// isSharedWallet says whether 共有の or the like stands in front of 財布.
func (l *line) isSharedWallet(at int) bool {
	front := strings.TrimSuffix(l.itemOf(l.pieces(0, at)), "の")
	return sharers.has(strings.ToLower(front))
}

// readWalletOf reads the line about the owner's wallet at span at; ok is false
// if what stands in front of it is nobody.
func (l *line) readWalletOf(at int, owner string, ok bool) (Command, bool) {
	amounts := l.find(amountSpan)
	if !ok {
		apart := l.spans[at-1].kind == spaceSpan || l.rune(l.spans[at].from-1) == 'で'
		return l.ask(WalletOrItem), apart && len(amounts) > 0
	}
	if len(amounts) == 0 {
		return l.walletQuery(at, owner)
	}
	if l.mayPutIn(at) {
		return l.ask(PutOrHolds), true
	}
	if l.marked(paid, got, gave) != nil && l.marked(was) == nil || !l.onlyWallet(at) || len(amounts) != 1 || l.otherAccount() {
		return l.ask(WalletOrItem), true
	}
	if d := l.first(dateSpan); d != nil && d.fault != "" {
		return l.ask(d.fault), true
	}
	if owner != "" && !l.isPossessor(owner) {
		c := l.ask(WhoseWallet)
		c.Owner = owner
		return c, true
	}
	c, ok := l.stated(l.spans[amounts[0]], "")
	c.Owner = owner
	return c, ok
}

// holdings say that money is in a wallet.
var holdings = wordSet("ある あります あった ありました 入ってる 入っている 入ってた 入ってます 入っています 入ってました 入っていました 残ってる")

// mayPutIn says whether the amount may have been put into the wallet at span
// at: 財布に5000円 without a word of being.
func (l *line) mayPutIn(at int) bool {
	if to := l.spans[at].to; l.marked(moved, gave) == nil && (l.rune(to) != 'に' || l.rune(to+1) == 'は') {
		return false
	}
	if l.marked(remains, was) != nil {
		return false
	}
	for _, s := range l.spans[at+1:] {
		if holdings.has(strings.TrimRight(string(l.low[s.from:s.to]), sentenceTail)) {
			return false
		}
	}
	return true
}

// otherAccount says whether an account is named that is not in a wallet.
func (l *line) otherAccount() bool {
	for _, i := range l.find(accountSpan) {
		if l.spans[i].name != ledger.Cash {
			return true
		}
	}
	return false
}

func (l *line) walletAt() int {
	for i := range l.spans {
		if l.spans[i].kind == markSpan && l.spans[i].mark == wallet {
			if next := l.spans[i].to; l.isWalletGood(next) || l.at(next) == kanji && !l.has(next, "残高") && !l.has(next, "残金") || l.at(next) == katakana {
				return -1
			}
			return i
		}
	}
	return -1
}

// walletGoods are bought for a wallet, or done to it.
var walletGoods = wordSet("修理 直し お直し ファスナー チャーム クリーム 手入れ クリーニング チェーン ストラップ ケース カバー プレゼント 購入 買い替え 買い換え 買替 箱 ラッピング 代金")

// isWalletGood says whether such a thing follows 財布の at i.
func (l *line) isWalletGood(i int) bool {
	return l.rune(i) == 'の' && walletGoods.startsAt(l.low, i+1)
}

// walletOwner reads what stands in front of 財布: nothing, or somebody's name
// with の. Anything else makes it a thing to buy.
func (l *line) walletOwner(at int) (owner string, ok bool) {
	front := l.itemOf(l.pieces(0, at))
	switch front {
	case "", "の", "今", "今の", "いま", "いまの", "現金", "お":
		return "", true
	}
	owner, found := strings.CutSuffix(front, "の")
	return owner, found && (l.isPossessor(owner) || l.isName(withoutNumber(owner)))
}

// walletLooks say what a wallet is like, or who made it, and not whose it is.
var walletLooks = wordTable[bool]{
	true: "革 本革 牛革 皮 レザー 本皮 合皮 布 布製 ナイロン 黒 白 赤 青 緑 茶色 黒色 ピンク ブランド ブランド物 中古 新品 メンズ レディース 誕生日 二つ折り 三つ折り 長め コーチ グッチ ヴィトン ルイヴィトン シャネル プラダ エルメス ポーター 無印 ケイトスペード ポールスミス フルラ マイケルコース サマンサ セール",
}.index()

// onlyWallet says whether all words behind 財布 are walletPhrases.
func (l *line) onlyWallet(at int) bool {
	for _, s := range l.spans[at+1:] {
		switch s.kind {
		case spaceSpan, punctSpan, amountSpan, dateSpan, clockSpan:
			continue
		case markSpan:
			if s.mark == approximate || s.mark == was || s.mark == copula || s.mark == balanceWord || s.mark == remains {
				continue
			}
		}
		if s.kind == accountSpan && s.name == ledger.Cash {
			continue
		}
		if !walletPhrases.has(strings.TrimRight(string(l.low[s.from:s.to]), sentenceTail)) {
			return false
		}
	}
	return true
}

func (l *line) walletQuery(at int, owner string) (Command, bool) {
	if l.marked(question) == nil && !l.asks() && !l.onlyWallet(at) {
		return Command{}, false
	}
	return Command{Kind: Query, Query: Balances, Account: ledger.Cash, Owner: owner}, true
}

// ownWallet reads the sender in front of 財布: 自分の, 俺の.
func ownWallet(front string) bool {
	bare := strings.TrimPrefix(strings.TrimPrefix(front, "今の"), "いまの")
	return isSelf(strings.TrimSuffix(bare, "の"))
}

// stateOwn makes the command that of the sender's own wallet, if it is about
// one.
func (c *Command) stateOwn() {
	c.Own = c.Kind == Balance || c.Kind == Query && c.Query == Balances && c.Account == ledger.Cash
}
