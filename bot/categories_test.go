package bot

import (
	"strings"
	"testing"
)

// Words that are needed otherwise are no names: one who has called a category 取消 could
// take nothing back any more.
func TestNoNames(t *testing.T) {
	k := newHousehold(t)
	for _, word := range []string{
		"取消", "元に戻す", "今月", "先月", "昨日", "月曜", "毎月", "割り勘", "はい", "予算", "残高", "記録", "一覧", "検索", "合計", "訂正", "円", "税抜",
		"百", "二百", "一万", "の", "は", "へ", "ー", "まで", "から", "返金", "ありがとう", "おはよう", "ヘルプ", "招待",
	} {
		for _, add := range []string{"カテゴリ 追加 ", "口座 追加 ", "カテゴリ 名前変更 娯楽 "} {
			if reply := k.hear("taro", add+word); !strings.Contains(reply.Text(), "何も変えていません") && !strings.Contains(reply.Text(), "記録していません") {
				t.Errorf("%s%s: %s", add, word, reply.Text())
			}
		}
	}
	for _, name := range []string{
		"推し活", "ペット用品", "旅行", "投資", "仕送り", "小遣い", "夫のお小遣い", "猫", "たばこ", "外食", "カフェ", "ローン", "冠婚葬祭", "水道・ガス", "おやつ",
		"固定費", "😀", "Gym", "100均", "寄付", "お祝い", "プレゼント", "習い事", "自己投資", "ママ友",
	} {
		want := "カテゴリに"
		if strings.ContainsAny(name, "0123456789") {
			want = "名前にはできません"
		}
		expectText(t, k.hear("taro", "カテゴリ 追加 "+name), want)
	}
	for _, name := range []string{"へそくり", "タンス預金", "家計口座", "みずほ", "学資", "封筒", "旅行積立", "共通"} {
		expectText(t, k.hear("taro", "口座 追加 "+name), "口座に「"+name)
	}
	if err := k.store.Check(); err != nil {
		t.Error(err)
	}
}

// Names that people can't tell apart when they say them are one name.
func TestSameNames(t *testing.T) {
	k := newHousehold(t)
	expectText(t, k.hear("taro", "カテゴリ 追加 Gym"), "カテゴリに「Gym」")
	for _, name := range []string{"gym", "GYM", "Ｇｙｍ", "Gym代", "食\u200b費", "食 費", "収入"} {
		expectText(t, k.hear("taro", "カテゴリ 追加 "+name), "もうあります")
	}
	expectText(t, k.hear("taro", "口座 追加 gym"), "「Gym」はカテゴリの名前")
	expectText(t, k.hear("taro", "カテゴリ 名前変更 娯楽 gym"), "「カテゴリ 統合 娯楽 Gym」")
	k.hear("taro", "プロテイン 900 gym")
	expectText(t, k.hear("taro", "カテゴリ 名前変更 gym GYM"), "「GYM」")
	expectText(t, k.hear("taro", "今月"), "・GYM 900円")
	expectText(t, k.hear("taro", "マシン 100 gym"), "GYM／")
	expectText(t, k.hear("taro", "カテゴリ 統合 GYM 収入"), "「収入」というカテゴリはありません")
}
