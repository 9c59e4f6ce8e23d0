package grammar

import "strings"

// unitKind says what a unit behind a number makes of it.
type unitKind uint8

const (
	unitYen      unitKind = iota // money for certain
	unitForeign                  // money, but not ours
	unitDiscount                 // to be subtracted
	unitVague                    // money, but not how much; the last that is money
	unitAside                    // no money, and no part of the item
	unitCounter                  // a number of things: a part of the item
	unitName                     // a name that begins with a price or a number
)

// unitRow is a row of the table of units: words separated by blanks, _ for a
// blank inside a word.
type unitRow struct {
	kind  unitKind
	words string
}

// units are looked up behind a number; the longest word wins.
var units = []unitRow{
	{unitYen, "円 えん エン 圓 yen en jpy 円也"},
	{unitForeign, "ドル 米ドル 豪ドル 台湾ドル 香港ドル カナダドル シンガポールドル オーストラリアドル ニュージーランドドル 台湾元 香港元 韓国ウォン タイバーツ 英ポンド スイスフラン ベトナムドン インドルピー フィリピンペソ トルコリラ ディルハム セント ユーロ ポンド ウォン 元 人民元 バーツ ルピー ルピア ペソ フラン リンギット ドン リラ クローネ usd eur gbp krw cny rmb twd ntd hkd sgd aud cad nzd chf thb vnd php idr myr inr dollars dollar bucks cents euro euros pounds won baht $ € £ ₩"},
	{unitDiscount, "円引き 円引 円びき 円オフ 円off 円割引 円値引き"},
	{unitVague, "円以上 円以下 円以内 円未満 円まで 円超 円台 円前半 円後半 円弱 円強 円ずつ 円単位 以上 以下 以内"},
	{unitAside, "割負担 割自己負担 ポイント使用 ポイント利用 ポイント払い ポイント還元 ポイント獲得 ポイント付与 ポイント進呈 ポイント pt獲得 pt pts p獲得 p 円分のポイント 円分ポイント"},
	{unitName, "円玉 円札 円硬貨 円切手 円ショップ 円均一 円カット 円ガチャ 円セール 円券 次会"},
	{unitCounter, "つ 家族 世帯 人 人前 人分 名 名様 名分 個 こ コ 個入り 個入 本 本入り 枚 枚入り 枚組 杯 匹 羽 頭 冊 巻 台 足 着 脚 束 株 玉 丁 膳 皿 貫 串 切れ 切 袋 箱 缶 瓶 パック 箱入り カートン ケース セット 組 対 種 種類 品 点 点セット 食 食分 食入り 錠 滴 粒 片 房 斤 合 升 畳 坪 階 号 号室 号車 番 番線 番目 等 等分 級 位 代 歳 才 歳児 年生 学期 か月 ヶ月 カ月 ヵ月 ケ月 箇月 か月分 ヶ月分 カ月分 ヵ月分 月分 月号 月度 年 世紀 年代 連勝 連敗 号棟 合目 人用 人掛け 人乗り 年分 年間 年目 年ぶり 周年 週 週間 週間分 日 日間 日分 日目 日券 日乗車券 日パス 泊 泊目 時間 時間半 分 分間 秒 回 回目 回分 回券 度 話 曲 席 室 軒 戸 店舗 社 校 区 丁目 番地 連 連休 ロール 倍 倍デー 倍巻き 割 割引 割り引き 段 枠 口 層 件 通 部 面 周 戦 敗 勝 試合 インチ 型 系 号機 サイズ 度目 箇所 か所 ヶ所 カ所 発 球 打席 歩 列 ページ 頁 ホール ラウンド ゲーム 両 升瓶"},
	{unitCounter, "minutes minute mins min hours hour hrs hr seconds second secs sec days day weeks week months month years year yrs stars star people persons person pax adults times km/h mph am pm o'clock miles mile kilometers meters steps degrees nights floors floor years_old percent st nd rd th"},
	{unitCounter, "kg g mg t l ml cl dl cc km m m2 m3 立米 cm mm gb mb tb kb w kw kwh v mah ghz hz inch in k d xl dx mm角 リットル ミリ ミリリットル グラム キロ キログラム メートル センチ ワット ボルト ギガ テラ メガ kcal カロリー"},
}

var unitIndex = func() *wordIndex[unitKind] {
	x := newWordIndex[unitKind]()
	for _, row := range units {
		x.add(row.kind, row.words)
	}
	return x
}()

// unit is a row of the table that stands behind a certain number.
type unit struct {
	kind unitKind
	word string
}

// unitAt reads the unit at i. After a blank only those count that people
// write apart: 5 kg, 900 yen, 900 円.
func (l *line) unitAt(i int, apart bool) (unit, int, bool) {
	kind, end, ok := unitIndex.atIf(l.low, i, func(kind unitKind, end int) bool { return l.unitEnds(kind, i, end) })
	if !ok {
		return unit{}, i, false
	}
	u := unit{kind, string(l.low[i:end])}
	if apart && l.at(i) == latin && l.isEnglishGoingOn(u.word, i, end) {
		return unit{}, i, false
	}
	if apart && !(l.at(i) == latin && l.at(end) != latin) && u.kind != unitYen && u.kind != unitForeign {
		return unit{}, i, false
	}
	if u.kind == unitCounter && (l.wordGoesOn(i, end) || l.accountGoesOn(i, end)) || u.kind == unitForeign && l.commandGoesOn(i, end) {
		return unit{}, i, false
	}
	return u, end, true
}

// singularUnits count nothing behind a price: 1200 day pass.
var singularUnits = wordSet("day week month year night floor person star hour minute second")

// isEnglishGoingOn says whether the unit in letters that a blank parts from its number
// is a word of an English sentence: 3000 in my wallet, 1200 day pass.
func (l *line) isEnglishGoingOn(word string, i, end int) bool {
	if l.at(end) != blank || l.at(l.skipBlank(end)) != latin {
		return false
	}
	return word == "in" || l.at(i-4) == digit && singularUnits.has(word)
}

// isSize says whether the letter at i, which stands apart behind a price, is the
// size of what was bought and no unit: ポテト 350 L, ピザ 2400 Mサイズ.
func (l *line) isSize(i int) bool {
	return strings.ContainsRune("LMT", l.raw[i]) && (!isWord(l.at(i+1)) || l.has(i+1, "サイズ"))
}

// unitEnds says whether the unit may end there: a unit in letters is no part
// of a longer word. In 900円 anything may follow.
func (l *line) unitEnds(kind unitKind, i, end int) bool {
	if kind == unitYen && l.at(end-1) == kana && l.at(end) == kana && (l.at(i-1) == blank || l.knownStart(i)) {
		return false // 120 えんぴつ
	}
	if kind == unitDiscount && strings.ContainsRune("き落出下", l.rune(end)) {
		return false // 8420円引き落とし
	}
	last := l.at(end - 1)
	if last == latin || last == digit || last == katakana || kind == unitForeign {
		return l.at(end) != last
	}
	return true
}

// commandGoesOn says whether a longer word of the lexicon begins where the unit
// does: 13 元に戻す is no Chinese money.
func (l *line) commandGoesOn(i, end int) bool {
	_, longer, ok := lexiconIndex.longest(l.low, i, nil)
	return ok && longer > end
}

// wordGoesOn says whether a longer word of the dictionary begins where the
// counter does: 900本屋 is no number of books.
func (l *line) wordGoesOn(i, end int) bool {
	longer, _, ok := words().at(&l.text, i)
	return ok && longer > end
}

// accountGoesOn says whether the name of an account begins where the unit does:
// 540 d払い.
func (l *line) accountGoesOn(i, end int) bool {
	_, longer, ok := accounts.at(l.low, i)
	return ok && longer > end
}

// isMoney says whether the unit leaves the number an amount.
func (u unit) isMoney() bool { return u.kind <= unitVague }

// apply makes the span what the unit says.
func (u unit) apply(s *span, end int) {
	s.to, s.unit = end, u.word
	switch u.kind {
	case unitYen:
		s.amount.yen = true
	case unitDiscount:
		s.amount.yen, s.amount.discount = true, true
	case unitForeign:
		s.fault = ForeignMoney
	case unitVague:
		s.fault = VagueAmount
	case unitAside:
		s.kind, s.used = counterSpan, true
	case unitCounter:
		s.kind, s.fault = counterSpan, ""
		if u.word == "k" {
			s.fault = UnclearNumber // 4K is a picture, 15k may be money
		}
	case unitName:
		s.kind, s.fault = wordSpan, ""
	}
}

// yenName is the currency of the ledger.
const yenName = "yen"

// foreignName is any currency but that of the ledger.
const foreignName = "foreign"

// currencies stand in front of a number.
var currencies = wordTable[string]{
	yenName: `¥ \ jpy yen`,
	foreignName: "$ us$ nt$ hk$ a$ s$ € £ ₩ ฿ ₫ ₹ usd eur gbp krw cny rmb twd hkd sgd aud cad chf thb " +
		"ドル 米ドル ユーロ ウォン バーツ 人民元",
}.index()
