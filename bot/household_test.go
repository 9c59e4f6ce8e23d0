package bot

import (
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"ichido/store"
)

func TestNames(t *testing.T) {
	k := newHousehold(t)
	expectText(t, k.hear("taro", "名前 たろう"), "「たろう」と呼びます")
	expectText(t, k.hear("taro", "名前 花子"), "「花子B」にしました")
	expectText(t, k.hear("taro", "名前 みんな"), "名前にはできません")
	expectText(t, k.hear("taro", "名前"), "いまの名前は「花子B」")
	expectText(t, k.hear("hanako", "メンバー"), "・花子B（管理する人）\n・花子")
	expectText(t, k.hear("hanako", "花子Bの財布 500"), "記録しました。花子Bの財布の残高 500円")
}

// A name that ends like an honorific is found before the name without it.
func TestNameWithHonorific(t *testing.T) {
	k := newHousehold(t)
	k.join("jiro", "次郎")
	expectText(t, k.hear("jiro", "名前 花子さん"), "花子さん")
	expectText(t, k.hear("taro", "花子さんの財布 3000"), "花子さんの財布の残高 3,000円")
	expectText(t, k.hear("jiro", "財布"), "3,000円")
	k.hear("jiro", "ランチ 900")
	expectText(t, k.hear("taro", "花子さんの今月"), "900円")
	expectText(t, k.hear("taro", "太郎さんの財布 500"), "太郎の財布の残高 500円")
}

func TestCleanName(t *testing.T) {
	for name, want := range map[string]string{
		"太郎": "太郎", " 太郎\n花子 ": "太郎 花子", "a\x00b\u200bc\u202e": "abc", "\xff\xfe": "", "👨‍👩‍👧": "👨👩👧",
		strings.Repeat("あ", 30): strings.Repeat("あ", 20), "　": "", "共有": "",
	} {
		if got := CleanName(name); got != want || utf8.RuneCountInString(got) > maxName {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
}

func TestInvite(t *testing.T) {
	k := newHousehold(t)
	m := Message{Text: "招待", Direct: true, InviteLink: func(code string) string { return "https://example.com/?" + code }}
	reply := k.do("taro", m)
	codes := regexp.MustCompile(`[0-9A-Z]{5}-[0-9A-Z]{5}`).FindAllString(reply.Text(), -1)
	if len(codes) != 2 || codes[0] != codes[1] {
		t.Fatalf("the codes are %q in %q", codes, reply.Text())
	}
	expectText(t, k.hear("hanako", codes[0]), Japanese.text(alreadyMember)) // it is not used up by a member
	expectText(t, k.join2("jiro", codes[0]), "家計簿に参加しました")
	expectText(t, k.do("taro", Message{Text: "招待", Addressed: true}), Japanese.text(inviteElsewhere))
}

// join2 lets a stranger send a code.
func (k *conversation) join2(person, code string) Reply {
	k.t.Helper()
	var reply Reply
	req := store.Request{Scope: "talk", At: k.clock, Person: person, Invite: store.NormalizeInvite(code)}
	_, _, err := k.store.Submit(k.t.Context(), req, func(tx *store.Tx) (err error) {
		reply, err = k.bot.Handle(tx, Message{Text: code, At: k.clock, Direct: true})
		return err
	})
	if err != nil {
		k.t.Fatal(err)
	}
	return reply
}

func TestSharedWallet(t *testing.T) {
	k := newHousehold(t)
	k.hear("taro", "財布 3000")
	shared := k.hear("taro", "財布 共有")
	expectText(t, shared, "みんなで1つにします")
	expectText(t, k.hear("hanako", "財布 共有"), "もうみんなで1つ")
	expectText(t, k.hear("hanako", "財布 10000"), "みんなの財布の残高 10,000円")
	k.hear("taro", "ランチ 900")
	expectText(t, k.hear("hanako", "財布"), "9,100円")
	expectText(t, k.hear("hanako", "太郎の財布"), "3,000円")
	expectText(t, k.hear("taro", "自分の財布 2900"), "太郎の財布の残高 2,900円")
	k.hear("taro", "自分の財布 3000")
	apart := k.press("hanako", shared, shared.Buttons[0].Label)
	expectText(t, apart, "設定の変更を取り消しました")
	expectText(t, k.hear("taro", "財布"), "3,000円")
	expectText(t, k.hear("taro", "共有の財布"), "9,100円")
	expectText(t, k.press("hanako", apart, "元に戻す"), "みんなで1つにします")
	expectText(t, k.hear("taro", "財布 別々"), "ひとりずつ分けます")
	expectText(t, k.hear("taro", "取消"), "みんなで1つにします")
}

func TestFirstDayOfAMember(t *testing.T) {
	k := newTalk(t)
	k.clock = time.Date(2026, 11, 30, 12, 0, 0, 0, tokyo)
	k.join("taro", "")
	welcome := k.do("taro", Message{Event: Followed, Direct: true})
	for _, part := range []string{"ランチ 900", "今月", "財布 3000", "取消", "家族みんなに見えます", "招待"} {
		expectText(t, welcome, part)
	}
	if len(welcome.Buttons) == 0 {
		t.Error("it offers nothing")
	}
	if k.join("hanako", ""); strings.Contains(k.do("hanako", Message{Event: Followed, Direct: true}).Text(), "招待") {
		t.Error("the second one is told to invite")
	}
}

func TestPhotoOnceADay(t *testing.T) {
	k := newHousehold(t)
	photo := Message{Event: Photo, Direct: true}
	expectText(t, k.do("taro", photo), "写真はまだ読めません")
	expectText(t, k.do("hanako", photo), "写真はまだ読めません")
	if reply := k.do("taro", photo); reply.Text() != "" {
		t.Errorf("it says again: %s", reply.Text())
	}
	k.clock = k.clock.AddDate(0, 0, 1)
	expectText(t, k.do("taro", photo), "写真はまだ読めません")
	if reply := k.do("taro", Message{Event: Photo}); reply.Text() != "" {
		t.Errorf("in a group it says %s", reply.Text())
	}
}

// TestErrorsNameTheEvent reads only, where something is to be written.
func TestErrorsNameTheEvent(t *testing.T) {
	k := newHousehold(t)
	for m, want := range map[*Message]string{
		{Event: Photo, Direct: true}:    "handling a photo: ",
		{Text: "ランチ 900", Direct: true}: "handling record: ",
	} {
		err := k.store.View(func(tx *store.Tx) error {
			_, err := k.bot.Handle(tx, *m)
			return err
		})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: %v, want %s", m.Event, err, want)
		}
	}
}

// TestNobodyTellsWho speaks in a group in which LINE does not say who it is.
func TestNobodyTellsWho(t *testing.T) {
	k := newHousehold(t)
	k.hear("taro", "財布 3000")
	say := func(text string) Reply { return k.do("", Message{Text: text, Addressed: true}) }
	expectText(t, say("ランチ 900"), "記録しました。ランチ 900円")
	expectText(t, say("取消"), "だれの記録か")
	expectText(t, say("取消 2"), "取り消しました。ランチ 900円")
	expectText(t, say("元に戻す"), Japanese.text(noLastToRedo))
	expectText(t, say("名前 三郎"), Japanese.text(whoAreYou))
	expectText(t, say("一覧"), "太郎の財布の残高 3,000円（太郎）")
	expectText(t, k.hear("taro", "財布"), "3,000円")
}

// TestRemarksInAGroupLeaveNothing makes sure that talk among people is not kept.
func TestRemarksInAGroupLeaveNothing(t *testing.T) {
	k := newHousehold(t)
	for _, text := range []string{"今日の夜ごはん何？", "ありがとう", "3時に駅で", "今日", "メンバー", "招待", "名前 花子"} {
		if reply := k.do("taro", Message{Text: text}); reply.Text() != "" {
			t.Errorf("%q: %s", text, reply.Text())
		}
	}
	err := k.store.View(func(tx *store.Tx) error {
		return tx.Receipts(0, func(r *store.Receipt) error {
			t.Errorf("receipt %d", r.Number)
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestOnePersonsSpending(t *testing.T) {
	k := newHousehold(t)
	k.hear("taro", "ランチ 900")
	k.hear("hanako", "スーパー 2480")
	k.hear("hanako", "洗剤 398")
	expectText(t, k.hear("taro", "花子は今月いくら使った？"), "今月の花子の支出 2,878円（2件）")
	expectText(t, k.hear("taro", "太郎さんは今月いくら使った？"), "今月の太郎の支出 900円（1件）")
	expectText(t, k.hear("taro", "俺いくら使った？"), "今月の太郎の支出 900円（1件）")
}
