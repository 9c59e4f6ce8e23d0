package bot

import (
	"regexp"
	"strings"
	"testing"

	"ichido/internal/ledger"
	"ichido/store"
)

var eraseCode = regexp.MustCompile(`「全データ削除 (\d{4})」`)

// rows counts all rows of the file.
func (k *conversation) rows() (n int) {
	k.t.Helper()
	err := k.store.View(func(tx *store.Tx) error {
		return tx.Rows(store.AllRows, func(*ledger.Row) error { n++; return nil })
	})
	if err != nil {
		k.t.Fatal(err)
	}
	return n
}

// Two confirmations by the owner, and all is gone.
func TestErase(t *testing.T) {
	k := newHousehold(t)
	k.hear("taro", "ランチ 900")
	k.hear("hanako", "スーパー 2480")
	warning := k.hear("taro", "全データ削除")
	expectText(t, warning, "2件の記録、2人のメンバー")
	expectText(t, warning, "まだ何も消していません")
	code := eraseCode.FindStringSubmatch(warning.Text())
	if code == nil {
		t.Fatalf("no code in %q", warning.Text())
	}
	last := k.hear("taro", "全データ削除 "+code[1])
	expectText(t, last, "最後の確認")
	if k.rows() != 2 {
		t.Fatal("it is erased without the last confirmation")
	}
	expectText(t, k.press("taro", last, "すべて消す"), "すべて消しました")
	if k.rows() != 0 {
		t.Error("rows are left")
	}
	expectText(t, k.hear("taro", "今月"), "ありません")
	expectText(t, k.hear("taro", "メンバー"), "1人")
	expectText(t, k.press("taro", last, "すべて消す"), "古いボタンです")
	if reply := k.hear("taro", "ランチ 900"); !strings.Contains(reply.Text(), "記録しました") {
		t.Errorf("after it the bot says %q", reply.Text())
	}
}

// Nothing short of both confirmations, in time and by the owner alone, erases anything.
func TestEraseTakesTwoConfirmations(t *testing.T) {
	k := newHousehold(t)
	k.hear("taro", "ランチ 900")
	next := func() string {
		t.Helper()
		code := eraseCode.FindStringSubmatch(k.hear("taro", "全データ削除").Text())
		if code == nil {
			t.Fatal("there is no code")
		}
		return code[1]
	}
	expectText(t, k.hear("hanako", "全データ削除"), "管理している人だけ")
	expectText(t, k.do("taro", Message{Text: "全データ削除", Addressed: true}), "1対1のトーク")
	expectText(t, k.hear("taro", "全データ削除 0000"), "その番号ではありません")
	code := next()
	expectText(t, k.hear("hanako", "全データ削除 "+code), "管理している人だけ")
	k.clock = k.clock.Add(eraseTime)
	expectText(t, k.hear("taro", "全データ削除 "+code), "その番号ではありません")
	last := k.hear("taro", "全データ削除 "+next())
	expectText(t, k.press("hanako", last, "すべて消す"), "管理している人だけ")
	last = k.hear("taro", "全データ削除 "+next())
	k.clock = k.clock.Add(eraseTime)
	expectText(t, k.press("taro", last, "すべて消す"), "時間が過ぎた")
	old := k.hear("taro", "全データ削除 "+next())
	k.hear("taro", "全データ削除 0000") // a code works once
	if k.rows() != 1 {
		t.Error("rows are gone")
	}
	k.press("taro", old, "すべて消す")
	if k.rows() != 0 {
		t.Error("rows are left")
	}
}

func TestEraseInEnglish(t *testing.T) {
	k := newHousehold(t)
	k.hear("taro", "language en")
	warning := k.hear("taro", "delete all data")
	code := regexp.MustCompile(`“delete all data (\d{4})”`).FindStringSubmatch(warning.Text())
	if code == nil {
		t.Fatalf("no code in %q", warning.Text())
	}
	expectText(t, k.press("taro", k.hear("taro", "delete all data "+code[1]), "erase everything"), "Everything is erased")
}
