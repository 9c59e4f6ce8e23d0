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
	ledger.Cash:  "現金 キャッシュ cash",
	"カード":        "カード クレカ クレジット クレジットカード creditcard credit_card card",
	"PayPay":     "paypay ペイペイ",
	"Suica":      "suica モバイルsuica モバイルスイカ",
	"PASMO":      "pasmo パスモ モバイルpasmo モバイルパスモ",
	"ICOCA":      "icoca イコカ",
	"nanaco":     "nanaco ナナコ",
	"WAON":       "waon ワオン",
	"楽天Edy":      "楽天edy edy",
	"楽天ペイ":       "楽天ペイ 楽天pay",
	"d払い":        "d払い",
	"au PAY":     "aupay au_pay auペイ エーユーペイ",
	"メルペイ":       "メルペイ merpay",
	"LINE Pay":   "linepay line_pay ラインペイ",
	"QUICPay":    "quicpay クイックペイ",
	"iD":         "id id払い",
	"Apple Pay":  "applepay apple_pay アップルペイ",
	"楽天カード":      "楽天カード",
	"イオンカード":     "イオンカード",
	"三井住友カード":    "三井住友カード",
	"PayPayカード":  "paypayカード ペイペイカード",
	"JCB":        "jcb jcbカード",
	"VISA":       "visa visaカード",
	"Mastercard": "mastercard マスターカード",
	"AMEX":       "amex アメックス",
	"エポスカード":     "エポスカード",
	"セゾンカード":     "セゾンカード",
	"ビューカード":     "ビューカード viewカード",
	"dカード":       "dカード",
	"Amazonカード":  "amazonカード アマゾンカード",
	"デビットカード":    "デビットカード デビット debit debit_card",
	"電子マネー":      "電子マネー",
	"交通系IC":      "交通系ic 交通系icカード icカード 交通系電子マネー",
	"manaca":     "manaca マナカ",
	"TOICA":      "toica トイカ",
	"SUGOCA":     "sugoca スゴカ",
	"nimoca":     "nimoca ニモカ",
	"ファミペイ":      "ファミペイ famipay",
	"Amazon Pay": "amazonpay amazon_pay アマゾンペイ",
	"Google Pay": "googlepay google_pay グーグルペイ",
	bankAccount:  "銀行 口座 通帳 銀行口座 bank bank_account bank_transfer",
	"ゆうちょ":       "ゆうちょ ゆうちょ銀行",
	"楽天銀行":       "楽天銀行",
	"三菱UFJ銀行":    "三菱ufj銀行 三菱ufj",
	"三井住友銀行":     "三井住友銀行",
	"みずほ銀行":      "みずほ銀行",
	"りそな銀行":      "りそな銀行",
	"住信SBI":      "住信sbi 住信sbiネット銀行",
	"ソニー銀行":      "ソニー銀行",
	"PayPay銀行":   "paypay銀行 ペイペイ銀行",
	"auじぶん銀行":    "じぶん銀行 auじぶん銀行",
	"イオン銀行":      "イオン銀行",
	"セブン銀行":      "セブン銀行",
}.index()

// payWords may hang on an account and are taken with it.
var payWords = wordSet("払い 支払い 支払 決済 一括 一括払い 払 振替 振込 振り込み 自動引き落とし")

// accountActs may hang on an account and keep their own meaning.
var accountActs = wordSet("入金 チャージ 残高 引き落とし 引落し 引落 引き落し 請求 へ")

// doubtfulAccounts are ordinary words as well: they name an account only in a
// line about a top-up or a balance.
var doubtfulAccounts = wordTable[string]{"Suica": "スイカ"}.index()

func (l *line) scanDoubtfulAccount(i int) (span, bool) {
	name, end, ok := doubtfulAccounts.at(l.low, i)
	if !ok || !l.aboutAccount && !l.paysFare(end) || !l.accountStarts(i) || l.at(end) == kanji && !accountActs.startsAt(l.low, end) {
		return span{}, false
	}
	return span{kind: accountSpan, from: i, to: end, name: name}, true
}

// fares are paid with what doubtfulAccounts name.
var fares = wordSet("電車 バス 地下鉄 メトロ モノレール 自販機 運賃 乗り越し")

// paysFare says whether a doubtful account that ends at end is named as a means
// of payment: バス 220 スイカで, バス スイカで 220.
func (l *line) paysFare(end int) bool {
	if l.rune(end) != 'で' && !l.endsClause(end) {
		return false
	}
	for i := range l.low {
		if _, _, ok := fares.atIf(l.low, i, func(_ bool, e int) bool { return l.endsWord(e) }); ok && l.startsWord(i) {
			return true
		}
	}
	return false
}

// speaksOfAccount says whether a word of accountActs stands anywhere.
func (l *line) speaksOfAccount() bool {
	for i := range l.low {
		if _, end, ok := accountActs.at(l.low, i); ok && end > i+1 {
			return true
		}
	}
	return false
}

// scanAccount reads the name of an account that stands for itself: カード is
// none in 図書カード or カードケース.
func (l *line) scanAccount(i int) (span, bool) {
	if s, ok := l.scanPaidBy(i); ok {
		return s, true
	}
	name, end, ok := accounts.atIf(l.low, i, func(_ string, end int) bool { return l.accountEnds(end) })
	if ok && l.at(i) == latin && ordinaryAccounts.has(string(l.low[i:end])) && !l.standsAsName(i, end, true) {
		return span{}, false
	}
	if !ok || !l.accountStarts(i) || l.isAccountThing(end) {
		return span{}, false
	}
	return span{kind: accountSpan, from: i, to: l.pastPayWord(end), name: name}, true
}

// accountThings behind an account and の are what was paid for: カードの年会費.
var accountThings = wordSet("手数料 振込手数料 年会費 会費 再発行 発行 更新料 維持 ケース カバー フィルム")

func (l *line) isAccountThing(i int) bool {
	return l.rune(i) == 'の' && accountThings.startsAt(l.low, i+1)
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
		return isParticle(l.rune(end)) || l.has(end, "から") || l.has(end, "まで") || l.has(end, "だった") || l.has(end, "だよ") || l.has(end, "じゃ") || l.has(end, "いくら")
	}
	_, _, pays := payWords.atIf(l.low, end, func(_ bool, e int) bool { return l.endsWord(e) })
	_, _, acts := accountActs.atIf(l.low, end, func(_ bool, e int) bool { return l.endsWord(e) || l.politeFollows(e) })
	return pays || acts
}

// pastPayWord skips 払い and the like behind an account.
func (l *line) pastPayWord(end int) int {
	if _, pays, ok := payWords.at(l.low, end); ok && l.endsWord(pays) {
		return pays
	}
	return end
}
