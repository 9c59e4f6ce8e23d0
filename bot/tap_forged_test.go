package bot

import (
	"fmt"
	"strings"
	"testing"

	"ichido/store"
)

// tapsUnder gives the operations under an answer.
func tapsUnder(r Reply) (taps []string) {
	for _, b := range r.Buttons {
		if b.Tap != "" {
			taps = append(taps, b.Tap)
		}
	}
	return taps
}

// What a client makes of a button itself does nothing: another verb, receipt or text, or
// the text of another button. The button it was made of still works.
func TestForgedButtons(t *testing.T) {
	k := newHousehold(t)
	k.hear("taro", "PayPay残高 5000")
	answers := []Reply{
		k.hear("taro", "PayPay 500"), k.hear("taro", "1 500"), k.hear("taro", "ランチ 900"), k.hear("taro", "財布 3000"),
		k.hear("taro", "飲み会 4000 4人で割り勘"), k.hear("taro", "Suicaにチャージ 3000"), k.hear("taro", "なぞの品 300"),
	}
	before := k.wholeLedger()
	arguments := []string{"", ":", ":取消", ":給料 900000", ":ランチ 100", ":娯楽", ":銀行", ":現金", ":9999999", ":4000", ":1", ":6", ":7-1", ":財布 1\n財布 2",
		":" + strings.Repeat("あ", 6000) + " 300", ":\x00", ":辞書 ランチ 削除", ":カテゴリ 追加 x"}
	for _, answer := range answers {
		for _, tap := range tapsUnder(answer) {
			parts := strings.SplitN(tap, ":", 4)
			for verb := range taps() {
				for _, behind := range arguments {
					forged := strings.Join([]string{verb, parts[1], parts[2]}, ":") + behind
					if forged == tap || forged == tap+":" {
						continue
					}
					expectText(t, k.do("hanako", Message{Event: Tapped, Text: forged, Direct: true}), Japanese.text(oldButton))
				}
			}
		}
	}
	if after := k.wholeLedger(); after != before {
		t.Errorf("the ledger has changed:\n%s\nwas\n%s", after, before)
	}
	expectText(t, k.press("hanako", answers[0], Japanese.text(boughtLabel)), "何を買ったお金ですか")
	expectText(t, k.press("hanako", answers[4], "全額払った 4,000円"), "1,000円 → 4,000円")
}

// Nobody is told the nonce from which the codes come.
func TestNonceIsSecret(t *testing.T) {
	k := newHousehold(t)
	for _, text := range []string{"ランチ 900", "500", "取消", "元に戻す", "財布 300"} {
		reply := k.hear("taro", text)
		nonce := ""
		err := k.store.View(func(tx *store.Tx) error {
			return tx.Receipts(0, func(r *store.Receipt) error {
				nonce = fmt.Sprintf("%x", r.Nonce)
				return nil
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, tap := range tapsUnder(reply) {
			if nonce == "" || strings.Contains(tap, nonce) {
				t.Errorf("%s: the button %s, of the nonce %s", text, tap, nonce)
			}
		}
	}
}
