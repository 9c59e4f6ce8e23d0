package grammar

import "ichido/internal/ledger"

// The accounts that rules name themselves.
const (
	bankAccount = "銀行"
	saveAccount = "貯金"
	nisaAccount = "NISA"
)

// accounts maps the one name of each account to what people call it.
var accounts = wordTable[string]{
	ledger.Cash: "現金 キャッシュ cash",
	"カード":       "カード クレカ クレジット クレジットカード creditcard credit_card",
	"PayPay":    "paypay ペイペイ",
	"Suica":     "suica",
	"PASMO":     "pasmo パスモ",
	"ICOCA":     "icoca イコカ",
	"nanaco":    "nanaco ナナコ",
	"WAON":      "waon ワオン",
	"楽天Edy":     "楽天edy edy",
	"楽天ペイ":      "楽天ペイ 楽天pay",
	"d払い":       "d払い",
	"au PAY":    "aupay au_pay",
	"メルペイ":      "メルペイ merpay",
	"LINE Pay":  "linepay line_pay ラインペイ",
	"QUICPay":   "quicpay クイックペイ",
	"Apple Pay": "applepay apple_pay アップルペイ",
	"楽天カード":     "楽天カード",
	"イオンカード":    "イオンカード",
	"三井住友カード":   "三井住友カード",
	"PayPayカード": "paypayカード ペイペイカード",
	"JCB":       "jcb jcbカード",
	bankAccount: "銀行 口座 通帳 銀行口座 bank",
	"ゆうちょ":      "ゆうちょ ゆうちょ銀行",
	"楽天銀行":      "楽天銀行",
}.index()

// payWords may hang on an account and are taken with it.
var payWords = wordTable[bool]{true: "払い 支払い 支払 決済 一括 一括払い 払 振替 自動引き落とし"}.index()

// accountActs may hang on an account and keep their own meaning.
var accountActs = wordTable[bool]{true: "入金 チャージ 残高 引き落とし 引落し 引落 引き落し 請求 へ"}.index()

// doubtfulAccounts are ordinary words as well: they name an account only in a
// line about a top-up or a balance.
var doubtfulAccounts = wordTable[string]{"Suica": "スイカ"}.index()

func (l *line) scanDoubtfulAccount(i int) (span, bool) {
	n, end, ok := doubtfulAccounts.trie.longest(l.low, i, nil)
	if !ok || !l.aboutAccount || !l.accountStarts(i) || l.at(end) == kanji {
		return span{}, false
	}
	return span{kind: accountSpan, from: i, to: end, name: doubtfulAccounts.values[n]}, true
}

// speaksOfAccount says whether a word of accountActs stands anywhere.
func (l *line) speaksOfAccount() bool {
	for i := range l.low {
		if _, end, ok := accountActs.trie.longest(l.low, i, nil); ok && end > i+1 {
			return true
		}
	}
	return false
}

// scanAccount reads the name of an account that stands for itself: カード is
// none in 図書カード or カードケース.
func (l *line) scanAccount(i int) (span, bool) {
	n, end, ok := accounts.trie.longest(l.low, i, func(_, end int) bool { return l.accountEnds(end) })
	if !ok || !l.accountStarts(i) {
		return span{}, false
	}
	return span{kind: accountSpan, from: i, to: l.pastPayWord(end), name: accounts.values[n]}, true
}

func (l *line) accountStarts(i int) bool {
	if !isWord(l.at(i-1)) || l.afterSpan() {
		return true
	}
	if l.at(i) == latin {
		return l.at(i-1) != latin
	}
	return l.at(i-1) == kana && isParticle(l.rune(i-1)) || l.has(i-2, "から")
}

func (l *line) accountEnds(end int) bool {
	next := l.at(end)
	if !isWord(next) || next == other {
		return true
	}
	if next == kana {
		return isParticle(l.rune(end)) || l.has(end, "から") || l.has(end, "まで")
	}
	_, _, pays := payWords.trie.longest(l.low, end, func(_, e int) bool { return l.endsWord(e) })
	_, _, acts := accountActs.trie.longest(l.low, end, func(_, e int) bool { return l.endsWord(e) })
	return pays || acts
}

// categoryIndex finds the categories by name.
var categoryIndex = func() *wordIndex[ledger.Category] {
	x := &wordIndex[ledger.Category]{trie: newTrie()}
	for _, c := range ledger.Categories {
		x.add(c, string(c))
	}
	return x
}()

// scanCategory reads the name of a category that no other word touches.
func (l *line) scanCategory(i int) (span, bool) {
	n, end, ok := categoryIndex.trie.longest(l.low, i, func(_, end int) bool { return l.isolated(i, end) || l.at(end) == kana || l.has(end, "予算") })
	if !ok || !l.isolatedBefore(i) {
		return span{}, false
	}
	return span{kind: categorySpan, from: i, to: end, name: string(categoryIndex.values[n])}, true
}

func (l *line) isolatedBefore(i int) bool {
	return !isWord(l.at(i-1)) || l.afterSpan() || l.at(i-1) == kana && isParticle(l.rune(i-1))
}
