package bot

import (
	"strings"
	"testing"
	"time"

	"ichido/store"
)

// The cases below were found by TestTruth.

func refuseText(t *testing.T, got Reply, part string) {
	t.Helper()
	if strings.Contains(got.Text(), part) {
		t.Errorf("it says %q, with %q", got.Text(), part)
	}
}

// TestManyRowsAreCounted has more rows than an answer shows.
func TestManyRowsAreCounted(t *testing.T) {
	k := newHousehold(t)
	reply := k.hear("taro", strings.TrimSpace(strings.Repeat("お茶 150\n", 26)))
	expectText(t, reply, "26件を記録しました。")
	expectText(t, reply, "…ほかに 6件")
	expectText(t, k.hear("taro", "取消"), "26件を取り消しました。")
}

// TestOldChanges asks about a setting and a category that were changed long ago.
// They are no records.
func TestOldChanges(t *testing.T) {
	k := newHousehold(t)
	k.hear("taro", "財布 共有")
	lunch := k.hear("hanako", "ランチ 900")
	k.press("taro", lunch, "→娯楽")
	expectText(t, k.hear("taro", "記録できた？"), Japanese.text(noLast))
	k.clock = k.clock.Add(25 * time.Hour)
	expectText(t, k.hear("taro", "取消"), "受付 3 です。これを取り消すなら「取消 3」")
	expectText(t, k.hear("taro", "取消 3"), "カテゴリの変更を取り消しました。")
	expectText(t, k.hear("taro", "取消"), "受付 1 です。これを取り消すなら「取消 1」")
	expectText(t, k.hear("taro", "取消 1"), "設定の変更を取り消しました。")
	expectText(t, k.hear("hanako", "取消"), "ランチ 900円")
}

// TestRowsOfAnEdit takes back and asks for rows that only an edit has made.
func TestRowsOfAnEdit(t *testing.T) {
	k := newHousehold(t)
	at := k.clock
	k.post(store.Said, "財布 3000", at)
	k.post(store.Edited, "本 1200\n牛乳 198", at.Add(time.Minute))
	k.clock = at.Add(2 * time.Minute)
	expectText(t, k.hear("taro", "記録できた？"), "本 1,200円")
	expectText(t, k.hear("taro", "取消 牛乳"), "取り消しました。牛乳 198円")
	k.clock = k.clock.Add(25 * time.Hour)
	expectText(t, k.hear("taro", "取消"), "最後の記録は、24時間より前の受付 1（11/30(月) 本 1,200円）です")
}

// TestButtonOfAnEdit takes back all that its label says.
func TestButtonOfAnEdit(t *testing.T) {
	k := newHousehold(t)
	k.post(store.Said, "パン 200\n牛乳 198", k.clock)
	edited := k.post(store.Edited, "パン 200\n牛乳 298 カード", k.clock.Add(time.Minute))
	expectText(t, edited, "直しました。牛乳 198円 → 298円（財布→カード）\n食費／カード／受付 1-2")
	expectText(t, k.press("taro", edited, "取消 1"), "2件を取り消しました。")
	k.post(store.Edited, "パン 200\n牛乳 298", k.clock.Add(time.Minute))
	if reply := k.post(store.Edited, "ありがとう", k.clock.Add(2*time.Minute)); reply.Text() != "" {
		t.Errorf("rows that were struck are gone, and it says %q", reply.Text())
	}
}

// TestGoneIsNoButton names by typing what has been unsent or has done nothing.
func TestGoneIsNoButton(t *testing.T) {
	k := newHousehold(t)
	k.post(store.Said, "パン 200\n牛乳 198", k.clock)
	k.hear("taro", "取消 1")
	k.post(store.Unsent, "", k.clock)
	expectText(t, k.hear("taro", "取消 1"), Japanese.noSuchNumber("1"))
	expectText(t, k.hear("taro", "取消 1-2"), Japanese.noSuchNumber("1-2"))
	expectText(t, k.hear("taro", "元に戻す 2"), Japanese.text(nothingToRedo))
	k.hear("taro", "取消") // 7, of nothing
	expectText(t, k.hear("taro", "元に戻す 7"), Japanese.text(nothingToRedo))
}

// TestTookInsteadNow names what is struck now, not what a 取消 once struck.
func TestTookInsteadNow(t *testing.T) {
	k := newHousehold(t)
	late := k.clock.Add(90 * time.Second)
	k.hear("taro", "パン 200\n牛乳 198")
	k.clock = k.clock.Add(time.Minute)
	k.hear("taro", "取消")
	k.hear("taro", "元に戻す 1-2")
	reply := k.say("taro", "お茶 150", late, true)
	expectText(t, reply, "その「取消」では、受付 1（パン 200円）を取り消してあります。")

	k = newHousehold(t)
	late = k.clock.Add(150 * time.Second)
	k.press("taro", k.hear("taro", "パン 200"), "→娯楽")
	k.clock = k.clock.Add(time.Minute)
	k.hear("taro", "取消") // of the category
	reply = k.say("taro", "お茶 150", late, true)
	expectText(t, reply, Japanese.text(lateForUndo))
	refuseText(t, reply, "パン")
}

// TestNobodyHearsWhoIsMeant has no two people called the same.
func TestNobodyHearsWhoIsMeant(t *testing.T) {
	k := newTalk(t)
	k.clock = time.Date(2026, 11, 30, 12, 0, 0, 0, tokyo)
	k.hear("taro", "ランチ 900")
	k.hear("hanako", "本 1200")
	expectText(t, k.hear("taro", "今月"), "あなた 900円、もうひとり 1,200円")
	expectText(t, k.do("", Message{Text: "今月", Addressed: true}), "1人目の人 900円、2人目の人 1,200円")
}

func TestExampleOfTheSharedWallet(t *testing.T) {
	k := newHousehold(t)
	expectText(t, k.hear("taro", "共有の財布"), "「みんなの財布 3000」のように")
	k.hear("taro", "みんなの財布 3000")
	expectText(t, k.hear("taro", "共有の財布"), "3,000円あるはずです")
}

// TestNumberOfALateMessage names the message by its own receipt, which came after
// its edit and only moved the edit's row.
func TestNumberOfALateMessage(t *testing.T) {
	k := newHousehold(t)
	k.post(store.Edited, "パン 210", k.clock.AddDate(0, 0, 1)) // 1
	k.post(store.Said, "パン 200", k.clock)                    // 2
	if got := k.ledgerNow(); got != "11-30 パン 210" {
		t.Errorf("the ledger is %q", got)
	}
	expectText(t, k.hear("taro", "取消 2"), "取り消しました。パン 210円")
}

// TestStatementOfAnEditIsNotLater has a statement that an edit made of a record, older
// than the next message.
func TestStatementOfAnEditIsNotLater(t *testing.T) {
	k := newHousehold(t)
	at := k.clock
	k.post(store.Said, "本 1200", at.Add(-time.Minute))
	k.post(store.Edited, "財布 3000", at.Add(time.Hour))
	reply := k.hear("taro", "昨日 お茶 150")
	expectText(t, reply, "最初の残高3,000円")
	refuseText(t, reply, "あとから")
}

// TestWalletOfAllIsNotOnesOwn asks about a wallet that is not there, while there is
// only that of all.
func TestWalletOfAllIsNotOnesOwn(t *testing.T) {
	k := newHousehold(t)
	k.hear("taro", "共有の財布 3000")
	expectText(t, k.hear("taro", "財布"), "太郎の財布の残高は、まだ聞いていません")
}

// TestWhoHasNoNameIsCalledTheSameEverywhere after somebody has left.
func TestWhoHasNoNameIsCalledTheSameEverywhere(t *testing.T) {
	k := newTalk(t)
	k.clock = time.Date(2026, 11, 30, 12, 0, 0, 0, tokyo)
	for _, person := range []string{"taro", "hanako", "jiro"} {
		k.hear(person, "ランチ 900")
	}
	err := k.store.Update(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Move("hanako", k.clock, false)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	expectText(t, k.hear("taro", "メンバー"), "2人です。\n・あなた（管理する人）\n・3人目の人")
	expectText(t, k.hear("taro", "今月"), "3人目の人 900円")
}

// TestStruckIsNoCandidate asks about a correction that comes after a 取消 which was typed
// later: what is struck now can't be put right by a button.
func TestStruckIsNoCandidate(t *testing.T) {
	k := newHousehold(t)
	late := k.clock.Add(90 * time.Second)
	k.hear("taro", "パン 200\n牛乳 198\nお茶 150")
	k.clock = k.clock.Add(time.Minute)
	k.hear("taro", "取消 1-2")
	reply := k.say("taro", "訂正 PayPay", late, true)
	expectText(t, reply, "1-1 ｜ パン 200円（財布→PayPay）\n1-3 ｜ お茶 150円（財布→PayPay）")
	refuseText(t, reply, "牛乳")
}

// TestStruckBeforeItsEdit corrects what was struck before the edit that made it was typed.
func TestStruckBeforeItsEdit(t *testing.T) {
	k := newHousehold(t)
	at := k.clock
	k.hear("taro", "ありがとう")
	k.post(store.Edited, "ランチ 900", at.Add(time.Hour)) // 2
	k.say("taro", "取消 2", at.Add(time.Minute), true)
	k.clock = at.Add(2 * time.Hour)
	expectText(t, k.hear("taro", "受付2は950円"), "受付 2 は、取り消してあります。")
}

// TestWordOfARenamedCategory brings back what was taught of a category that is called
// otherwise since.
func TestWordOfARenamedCategory(t *testing.T) {
	k := newHousehold(t)
	expectText(t, k.hear("taro", "ランチは娯楽"), "これからは「ランチ」を娯楽にします。\n受付 1")
	k.hear("taro", "取消 1")
	expectText(t, k.hear("taro", "カテゴリ 名前変更 娯楽 遊び"), "「娯楽」は、いままでの記録も「遊び」になりました。")
	expectText(t, k.hear("taro", "元に戻す 2"), "これからは「ランチ」を遊びにします。")
	expectText(t, k.hear("taro", "ランチ 900"), "遊び／受付 5")
}

// TestTooLongToTeach does not claim that a sentence has been taught.
func TestTooLongToTeach(t *testing.T) {
	k := newHousehold(t)
	reply := k.hear("taro", strings.Repeat("大きな犬と猫の", 7)+"本は娯楽")
	expectText(t, reply, "は長いので、覚えられません。")
	expectText(t, k.hear("taro", "辞書"), Japanese.text(noWords))
}

// TestAnsweredAfterItsEdit presses a button of a question whose message had been edited
// before that, and gets the edit later: what the answer made is gone, and 取消 means what was
// there before it.
func TestAnsweredAfterItsEdit(t *testing.T) {
	k := newHousehold(t)
	at := k.clock
	k.hear("taro", "ランチ 900")
	k.clock = at.Add(time.Minute)
	req := store.Request{Person: "taro", MessageID: "m"}
	asked, _ := k.submit(req, Message{Text: "PayPay 900", At: k.clock, Direct: true})
	k.clock = at.Add(3 * time.Minute)
	k.press("taro", asked, "入れたお金")
	k.post(store.Edited, "おいしかった", at.Add(2*time.Minute))
	k.clock = at.Add(4 * time.Minute)
	expectText(t, k.hear("taro", "取消"), "取り消しました。ランチ 900円")
}
