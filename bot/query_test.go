package bot

import (
	"strings"
	"testing"

	"ichido/internal/ledger"
)

// TestBefore has the edges of months, weeks and years.
func TestBefore(t *testing.T) {
	period := func(from, to ledger.Date) ledger.Period { return ledger.Period{From: from, To: to} }
	for _, test := range []struct {
		name         string
		p            ledger.Period
		today        ledger.Date
		earlier, now ledger.Period
		ok           bool
	}{
		{"a month so far", period(20261101, 20261130), 20261110, period(20261001, 20261010), period(20261101, 20261110), true},
		{"its first day", period(20261101, 20261130), 20261101, period(20261001, 20261001), period(20261101, 20261101), true},
		{"its last day", period(20261101, 20261130), 20261130, period(20261001, 20261030), period(20261101, 20261130), true},
		{"the 31st, after February", period(20260301, 20260331), 20260331, period(20260201, 20260228), period(20260301, 20260331), true},
		{"the 29th, after a February of 28 days", period(20260301, 20260331), 20260329, period(20260201, 20260228), period(20260301, 20260329), true},
		{"the 29th, after a February of 29 days", period(20280301, 20280331), 20280329, period(20280201, 20280229), period(20280301, 20280329), true},
		{"January", period(20260101, 20260131), 20260105, period(20251201, 20251205), period(20260101, 20260105), true},
		{"a month that is over", period(20260201, 20260228), 20261110, period(20260101, 20260131), period(20260201, 20260228), true},
		{"a month to come", period(20261201, 20261231), 20261110, period(20261101, 20261130), period(20261201, 20261231), true},
		{"a week so far", period(20261130, 20261206), 20261202, period(20261123, 20261125), period(20261130, 20261202), true},
		{"a week that is over", period(20261123, 20261129), 20261202, period(20261116, 20261122), period(20261123, 20261129), true},
		{"a year so far", period(20260101, 20261231), 20261110, period(20250101, 20251110), period(20260101, 20261110), true},
		{"a year, on 29 February", period(20280101, 20281231), 20280229, period(20270101, 20270228), period(20280101, 20280229), true},
		{"a day", period(20261110, 20261110), 20261110, period(0, 0), period(0, 0), false},
		{"seven other days", period(20261124, 20261130), 20261130, period(0, 0), period(0, 0), false},
		{"the first month of all", period(10101, 10131), 20261130, period(0, 0), period(0, 0), false},
	} {
		earlier, now, ok := before(test.p, test.today)
		if ok != test.ok || ok && (earlier != test.earlier || now != test.now) {
			t.Errorf("%s: %v, %v, %t", test.name, earlier, now, ok)
		}
	}
}

func TestAverageIsRounded(t *testing.T) {
	for _, test := range []struct {
		want    ledger.Yen
		amounts []ledger.Yen
	}{
		{2, []ledger.Yen{1, 2}}, {1, []ledger.Yen{1, 1, 2}}, {2, []ledger.Yen{1, 2, 2}}, {-1, []ledger.Yen{-1, -2}}, {-2, []ledger.Yen{-1, -2, -2}},
		{0, []ledger.Yen{0, 0}}, {-1, []ledger.Yen{-1, -1, -2}}, {7, []ledger.Yen{7}},
	} {
		if got := average(test.amounts); got != test.want {
			t.Errorf("the average of %v is %d", test.amounts, got)
		}
	}
}

// TestEveryAccountHasABalance asks for what every account holds, as it is called and
// called otherwise, before anybody has used it and after it was stated.
func TestEveryAccountHasABalance(t *testing.T) {
	k := newHousehold(t)
	for word, name := range map[string]string{
		"PayPay": "PayPay", "ペイペイ": "PayPay", "Suica": "Suica", "PASMO": "PASMO", "パスモ": "PASMO", "ICOCA": "ICOCA", "nanaco": "nanaco",
		"WAON": "WAON", "楽天Edy": "楽天Edy", "楽天ペイ": "楽天ペイ", "d払い": "d払い", "au PAY": "au PAY", "メルペイ": "メルペイ", "LINE Pay": "LINE Pay",
		"QUICPay": "QUICPay", "Apple Pay": "Apple Pay", "銀行": "銀行", "口座": "銀行", "ゆうちょ": "ゆうちょ", "楽天銀行": "楽天銀行",
	} {
		reply := k.hear("taro", word+"残高")
		if !strings.HasPrefix(reply.Text(), name+"の残高は、まだ聞いていません") && !strings.HasPrefix(reply.Text(), name+"には") {
			t.Errorf("%s is answered by %q", word, reply.Text())
		}
		k.hear("taro", word+"残高 4321")
		expectText(t, k.hear("taro", word+"の残高は？"), name+"には4,321円あるはずです。")
	}
	for _, card := range []string{"カード", "クレカ", "楽天カード", "イオンカード", "三井住友カード", "PayPayカード", "JCB", "VISA", "マスターカード", "アメックス", "ビューカード", "デビット"} {
		expectText(t, k.hear("taro", card+"残高"), "まだ扱えません")
		k.hear("taro", "本 1000 "+card)
		refuseText(t, k.hear("taro", card+"残高"), "あるはず")
	}
	expectText(t, k.hear("taro", "JCB残高"), "JCBの残高は、まだ扱えません。今月、JCBで払ったのは1,000円（1件）です。")
	expectText(t, k.hear("taro", "カード残高"), "今月、カードで払ったのは2,000円（2件）です。")
	expectText(t, k.hear("taro", "残高"), Japanese.text(cardsAreLeftOut))
}
