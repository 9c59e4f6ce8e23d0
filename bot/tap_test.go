package bot

import (
	"strings"
	"testing"
	"time"

	"ichido/internal/ledger"
	"ichido/store"
)

// press presses the button with the label under an earlier answer.
func (k *conversation) press(person string, under Reply, label string) Reply {
	k.t.Helper()
	for _, b := range under.Buttons {
		if b.Label == label {
			if b.Tap == "" {
				k.t.Fatalf("the button %s only says something", label)
			}
			return k.do(person, Message{Event: Tapped, Text: b.Tap, Direct: true})
		}
	}
	k.t.Fatalf("no button %s under %q: %v", label, under.Text(), under.Buttons)
	return Reply{}
}

// do sends whatever happens through the store, a minute after the last.
func (k *conversation) do(person string, m Message) Reply {
	k.t.Helper()
	k.clock = k.clock.Add(time.Minute)
	m.At = k.clock
	reply, _ := k.submit(store.Request{Person: person}, m)
	return reply
}

func (k *conversation) hear(person, text string) Reply {
	k.t.Helper()
	return k.do(person, Message{Text: text, Direct: true})
}

func newHousehold(t *testing.T) *conversation {
	k := newTalk(t)
	k.clock = time.Date(2026, 11, 30, 12, 0, 0, 0, tokyo)
	k.join("taro", "太郎")
	k.join("hanako", "花子")
	return k
}

func expectText(t *testing.T, got Reply, want string) {
	t.Helper()
	if !strings.Contains(got.Text(), want) || got.Text() == "" {
		t.Errorf("it says %q, want %q", got.Text(), want)
	}
}

func TestTaps(t *testing.T) {
	k := newHousehold(t)
	lunch := k.hear("taro", "ランチ 900")
	undone := k.press("hanako", lunch, "取消 1") // by somebody else
	expectText(t, undone, "取り消しました。ランチ 900円")
	expectText(t, undone, "太郎の記録")
	expectText(t, k.press("taro", lunch, "取消 1"), "もう取り消してあります")
	redone := k.press("taro", undone, "元に戻す")
	expectText(t, redone, "元に戻しました。ランチ 900円")
	expectText(t, k.press("taro", undone, "元に戻す"), "もう元に戻してあります")
	expectText(t, k.press("taro", lunch, "取消 1"), Japanese.text(oldButton)) // it would not be true that it is undone
	if got := k.ledgerNow(); got != "11-30 ランチ 900" {
		t.Errorf("the ledger is %q", got)
	}
	expectText(t, k.press("taro", redone, "取消 1"), "取り消しました。ランチ 900円")
	if got := k.ledgerNow(); got != "" {
		t.Errorf("the ledger is %q", got)
	}
}

func TestTapAfterTheWordsDidIt(t *testing.T) {
	k := newHousehold(t)
	lunch := k.hear("taro", "ランチ 900")
	undone := k.hear("taro", "取消")
	expectText(t, k.press("taro", lunch, "取消 1"), "もう取り消してあります")
	k.hear("taro", "元に戻す")
	expectText(t, k.press("taro", undone, "元に戻す"), "もう元に戻してあります")
}

func TestUnknownButtons(t *testing.T) {
	k := newHousehold(t)
	lunch := k.hear("taro", "ランチ 900")
	tap := lunch.Buttons[0].Tap
	for _, data := range []string{
		"", "undo", "undo:1", "undo:1:0000000000000000", "undo:0f1e2d3c4b5a", "undo:99" + tap[len("undo:1"):],
		"UNDO" + tap[4:], tap + "0", tap + ":x:y:z", "drop:1:", strings.Repeat(":", 300),
	} {
		if reply := k.do("taro", Message{Event: Tapped, Text: data, Direct: true}); reply.Text() != Japanese.text(oldButton) {
			t.Errorf("%q: %s", data, reply.Text())
		}
	}
	if !k.stands(1) {
		t.Error("one of them has taken the record back")
	}
}

func TestCategoryButton(t *testing.T) {
	k := newHousehold(t)
	market := k.hear("taro", "スーパー 2480")
	changed := k.press("taro", market, "→日用品")
	expectText(t, changed, "カテゴリを変えました。スーパー 2,480円：食費→日用品")
	expectText(t, k.press("taro", market, "→交際費"), Japanese.text(oldButton))
	again := k.press("taro", changed, "→交際費") // the answer offers others
	expectText(t, again, "日用品→交際費")
	expectText(t, k.press("taro", again, "変更を取り消す"), "交際費→日用品")
	expectText(t, k.hear("taro", "今月"), "・日用品 2,480円")
	back := k.press("hanako", changed, "変更を取り消す")
	expectText(t, back, "カテゴリの変更を取り消しました。スーパー 2,480円：日用品→食費\n「スーパー」のカテゴリは、おまかせになりました。\n受付 7")
	expectText(t, k.hear("taro", "今月"), "・食費 2,480円")
	redone := k.press("taro", back, "元に戻す")
	expectText(t, redone, "カテゴリを元に戻しました。スーパー 2,480円：食費→日用品\nこれからは「スーパー」を日用品にします。\n受付 9")
	expectText(t, k.press("taro", redone, "取消 9"), "カテゴリの変更を取り消しました。スーパー 2,480円：日用品→食費")
	expectText(t, k.hear("taro", "元に戻す 10"), "カテゴリを元に戻しました。スーパー 2,480円：食費→日用品")

	// 取消 takes the change of the category back first, then the record.
	tea := k.hear("taro", "お茶 150")
	k.press("taro", tea, "→娯楽")
	expectText(t, k.hear("taro", "取消"), "カテゴリの変更を取り消しました。お茶 150円：娯楽→食費")
	expectText(t, k.hear("taro", "取消"), "取り消しました。お茶 150円")
	expectText(t, k.press("taro", tea, "→交通費"), Japanese.text(oldButton))
}

func TestEveryCategoryButtonIsOneOfOurs(t *testing.T) {
	k := newHousehold(t)
	for _, b := range k.hear("taro", "なぞの品 980").Buttons[1:] {
		_, category := splitTap(b.Tap)
		if b.Label != "→"+category || category == string(ledger.Other) {
			t.Errorf("button %+v", b)
		}
	}
	if rows := k.hear("taro", "パン 200\n牛乳 198").Buttons; len(rows) != 1 {
		t.Errorf("two rows have the buttons %v", rows)
	}
}

func TestQuotes(t *testing.T) {
	k := newHousehold(t)
	receipt := func(n ledger.ReceiptNumber) (r *store.Receipt) {
		err := k.store.View(func(tx *store.Tx) (err error) {
			r, err = tx.ReceiptByNumber(n)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	quote := func(person, text string, n ledger.ReceiptNumber) Reply {
		m := Message{Text: text, Direct: true, Quotes: true}
		if n > 0 {
			m.Quoted = receipt(n)
		}
		return k.do(person, m)
	}
	k.hear("taro", "ランチ 900") // 1
	k.hear("taro", "お茶 150")  // 2
	expectText(t, quote("hanako", "取消", 1), "取り消しました。ランチ 900円")
	expectText(t, quote("taro", "削除", 1), "もう取り消してあります（受付 1）")
	expectText(t, quote("taro", "取消", 0), Japanese.text(quotedUnknown))
	k.hear("taro", "今月") // 6
	expectText(t, quote("taro", "取消", 6), Japanese.text(quotedNothing))
	expectText(t, quote("taro", "取消 6", 1), Japanese.noSuchNumber("6")) // what is typed comes before what is quoted
	expectText(t, quote("taro", "元に戻す", 0), Japanese.text(quotedUnknown))
	expectText(t, quote("taro", "元に戻す", 3), "元に戻しました。ランチ 900円") // the 取消 quoted
	expectText(t, quote("taro", "取消", 1), "取り消しました。ランチ 900円")
	expectText(t, quote("taro", "元に戻す", 1), "元に戻しました。ランチ 900円") // the record quoted
	if got := k.ledgerNow(); got != "11-30 ランチ 900, 11-30 お茶 150" {
		t.Errorf("the ledger is %q", got)
	}
}

// A button for a category does nothing to what has become something else meanwhile.
func TestCategoryOfWhatIsAnIncomeNow(t *testing.T) {
	k := newHousehold(t)
	odd := k.hear("taro", "謎の品 900")
	label := odd.Buttons[len(odd.Buttons)-1].Label
	req := store.Request{Scope: "talk", At: k.clock, Person: "taro", Admit: true}
	_, _, err := k.store.Submit(t.Context(), req, func(tx *store.Tx) error {
		row, err := tx.Row(ledger.RowID{Receipt: 1})
		if err != nil {
			return err
		}
		after := *row
		after.Type, after.Category = ledger.Income, ""
		_, err = tx.Apply(ledger.Change{Before: row, After: &after})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	expectText(t, k.press("taro", odd, label), Japanese.text(oldButton))
}

// A button teaches the category for the item. If that was taught again since, taking
// the first button back changes its row only.
func TestCategoryButtonTeaches(t *testing.T) {
	k := newTalk(t)
	k.clock = time.Date(2026, 11, 30, 12, 0, 0, 0, tokyo)
	first := k.hear("taro", "お茶 150")
	changed := k.press("taro", first, "→娯楽")
	expectText(t, changed, "これからは「お茶」を娯楽にします。")
	second := k.hear("hanako", "茶 200")
	expectText(t, second, "娯楽／")
	expectText(t, k.hear("hanako", "お茶 300 食費"), "食費／")
	expectText(t, k.press("hanako", second, "→交際費"), "これからは「茶」を交際費にします。")
	back := k.press("taro", changed, "変更を取り消す")
	expectText(t, back, "娯楽→食費")
	if strings.Contains(back.Text(), "おまかせ") {
		t.Errorf("what was taught since is forgotten: %s", back.Text())
	}
	expectText(t, k.hear("taro", "お茶代 100"), "交際費／")
	expectText(t, k.hear("taro", "給料 1000"), "収入／")
}

// The account from which such things are mostly paid is one button away, once.
func TestHintedAccount(t *testing.T) {
	k := newTalk(t)
	k.clock = time.Date(2026, 11, 30, 12, 0, 0, 0, tokyo)
	k.hear("taro", "Suica残高 5000")
	paid := k.hear("taro", "電車 180")
	expectText(t, k.press("taro", paid, "Suicaで"), "直しました。電車 180円（財布→Suica）")
	expectText(t, k.press("taro", paid, "Suicaで"), Japanese.text(oldButton))
	expectText(t, k.hear("taro", "Suica"), "4,820円")
	edited := k.hear("taro", "電車 200")
	k.hear("taro", "カードで払った")
	expectText(t, k.press("taro", edited, "Suicaで"), Japanese.text(oldButton))
}
