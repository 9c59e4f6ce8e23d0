package grammar

import (
	_ "embed"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ichido/internal/ledger"
)

// life1TSV has amounts, dates, names with digits and several rows in a message,
// written before anybody looked at what Parse makes of them.
//
//go:embed testdata/life1.tsv
var life1TSV string

func TestLife1(t *testing.T) { testSamples(t, life1TSV) }

// things are items that look like numbers, dates, particles or units in part.
var things = strings.Fields("ランチ 五目そば 三ツ矢サイダー 八百屋 百均 一蘭 十勝ミルク 六花亭 千疋屋 七味唐辛子 四国土産 " +
	"いちご にんじん うに かに はがき のり のど飴 もやし もち からあげ おでん まんじゅう えんぴつ ごま くり ねぎ はさみ はちみつ かつや てんや やよい軒 " +
	"iPhone17ケース 3COINS 100均 31アイス A4ノート 単3電池 4Kテレビ 牛乳1L 米5kg 卵10個 コーヒー2杯 ピザ3人前 食パン6枚切り 2次会 英検3級 3時間レンタカー " +
	"Netflix B'zライブ USB-Cケーブル スマホ代 定期券 子どもの靴 お菓子 上履き ポケモンカード 入金手数料 🍜 ボーナスステージ くら寿司 本屋")

var prices = map[string]ledger.Yen{
	"900": 900, "900円": 900, "¥900": 900, "９００円": 900, "1,280円": 1280, "1,280": 1280, "2480": 2480, "千円": 1000, "1万5千円": 15000,
	"1.5万円": 15000, "三千円": 3000, "壱万円": 10000, "38": 38, "350円×2": 700, "約3000円": 3000, "3000円くらい": 3000, "税込1100円": 1100,
}

// daysAgo are days before testNow; those that end in a digit want a blank.
var daysAgo = map[string]int{"": 0, "昨日": 1, "おととい": 2, "今朝": 0, "11/28 ": 2, "11月28日": 2, "金曜": 3, "3日前": 3, "11/28(土)": 2, "土曜日": 2, "2026-11-25 ": 5}

var payments = map[string]string{"": "", " PayPay": "PayPay", " カードで": "カード"}

// TestAnyDress puts things, prices, days and accounts together in the ways that
// people write them; each must be read as what it was made of.
func TestAnyDress(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	allPrices, allDays, allPayments := slices.Sorted(maps.Keys(prices)), slices.Sorted(maps.Keys(daysAgo)), slices.Sorted(maps.Keys(payments))
	for range 4000 {
		thing, price, day, payment := pick(r, things), pick(r, allPrices), pick(r, allDays), pick(r, allPayments)
		gap := pick(r, []string{"", " ", "　", "：", "に", "は"})
		text := day + thing + gap + price + payment
		if r.IntN(4) == 0 {
			text = strings.TrimSpace(day) + " " + price + " " + thing + payment
		}
		want := Entry{Type: ledger.Expense, Item: thing, Amount: prices[price], Date: ledger.DateOf(testNow).AddDays(-daysAgo[day]), Account: payments[payment]}
		if d := dressDiffers(Parse(text, testNow), want); d != "" {
			t.Errorf("%q: %s", text, d)
		}
	}
}

func pick(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

func dressDiffers(c Command, want Entry) string {
	if c.Kind != Record || len(c.Entries) != 1 {
		return fmt.Sprintf("%s %s, %d rows", c.Kind, c.Reason, len(c.Entries))
	}
	got := c.Entries[0]
	if got.Type != want.Type || got.Item != want.Item || got.Amount != want.Amount || got.Date != want.Date || got.Account != want.Account {
		return fmt.Sprintf("%+v, want %+v", got, want)
	}
	return ""
}
