package grammar

import (
	"fmt"
	"strings"
	"testing"
)

// The word of a command never becomes a row, whatever number stands with it.
func TestCommandWordsAreNoItems(t *testing.T) {
	t.Parallel()
	const words = "取消 取り消し 取り消して 削除 消して 元に戻す もとに戻す 復元 一覧 履歴 明細 リスト 家計簿 まとめ レポート 集計 検索 グラフ カテゴリ " +
		"設定 締め日 精算 今月 先月 今週 今日 昨日 残高 財布 予算 毎月 ヘルプ メニュー 使い方 招待 メンバー コマンド CSV エクスポート バックアップ " +
		"undo redo delete cancel restore list history summary help"
	numbers := []string{"13", "１３", "3-2", "13番", "#13", " No.13", "5", "2026", "123456"}
	orders := []string{
		"%[1]s %[2]s", "%[1]s%[2]s", "%[2]s %[1]s", "%[2]s%[1]s", "%[1]s\u3000%[2]s。", "%[1]s:%[2]s", "%[1]s\n%[2]s", "%[2]s、%[1]s",
		"%[2]sを%[1]s", "%[2]sの%[1]s", "%[2]sで%[1]s", "%[1]sの%[2]s", "%[1]sを%[2]s", "%[1]sは%[2]s", "%[1]sに%[2]s",
	}
	for word := range strings.FieldsSeq(words) {
		for _, number := range numbers {
			for _, order := range orders {
				text := fmt.Sprintf(order, word, number)
				if c := Parse(text, testNow); c.Kind == Record || c.Kind == Recurring {
					t.Errorf("%q is read as %+v", text, c.Entries)
				}
			}
		}
	}
}
