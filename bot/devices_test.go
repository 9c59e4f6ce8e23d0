package bot

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ichido/store"
)

// access is a household with pages, and what its members' browsers and programs have.
type access struct {
	*conversation
	secrets map[string]string // by person and label
}

func newAccess(t *testing.T) *access {
	k := &access{newHousehold(t), map[string]string{}}
	k.change(func(tx *store.Tx) error { return tx.SetFact(store.FactWebAddress, "https://example.com") })
	return k
}

func (k *access) change(fn func(*store.Tx) error) {
	k.t.Helper()
	if err := k.store.Update(k.t.Context(), fn); err != nil {
		k.t.Fatal(err)
	}
}

// grant lets the person in; each later grant is newer.
func (k *access) grant(person string, kind store.AccessKind, label string) {
	k.t.Helper()
	k.change(func(tx *store.Tx) error {
		m, _, err := tx.MemberByPerson(person)
		if err != nil {
			return err
		}
		k.secrets[person+label], err = tx.Grant(kind, m.ID, label)
		return err
	})
}

// open says which of a person's secrets still open something, by label.
func (k *access) open(person string) (labels string) {
	k.t.Helper()
	var open []string
	for name, secret := range k.secrets {
		label, his := strings.CutPrefix(name, person)
		err := k.store.View(func(tx *store.Tx) error {
			_, _, _, err := tx.Access(store.Session, secret)
			if err != nil {
				_, _, _, err = tx.Access(store.Token, secret)
			}
			return err
		})
		if his && err == nil {
			open = append(open, label)
		}
	}
	slices.Sort(open)
	return strings.Join(open, " ")
}

func (k *access) wantOpen(person, labels string) {
	k.t.Helper()
	if got := k.open(person); got != labels {
		k.t.Errorf("%s has %q, want %q", person, got, labels)
	}
}

// place is the number of the label in the list.
func place(t *testing.T, list Reply, label string) string {
	t.Helper()
	for _, line := range list.Lines {
		if strings.Contains(line.Left, label) {
			return line.Number
		}
	}
	t.Fatalf("%q is not in the list:\n%s", label, list.Text())
	return ""
}

// The sessions and tokens of a member are listed in the chat, with what ends them; nobody
// ends those of somebody else, and no secret is said.
func TestDevices(t *testing.T) {
	expectText(t, newHousehold(t).hear("taro", "端末"), Japanese.text(noWeb))
	k := newAccess(t)
	expectText(t, k.hear("taro", "端末"), "トークンもありません")
	expectText(t, k.hear("taro", "端末 すべて終了"), "トークンもありません")
	k.grant("taro", store.Session, "Safari")
	k.grant("taro", store.Token, "ショートカット")
	k.grant("hanako", store.Session, "Chrome")
	list := k.hear("taro", "端末")
	for _, want := range []string{"2件です", "Safari", "トークン「ショートカット」", "まだ使っていません"} {
		expectText(t, list, want)
	}
	for _, no := range append([]string{"Chrome"}, k.secrets["taroSafari"], k.secrets["taroショートカット"]) {
		if strings.Contains(list.Text(), no) {
			t.Errorf("%q is said:\n%s", no, list.Text())
		}
	}
	expectText(t, k.do("taro", Message{Text: "端末", Addressed: true}), "1対1のトーク")
	expectText(t, k.do("taro", Message{Text: "端末 1 終了", Addressed: true}), "1対1のトーク")
	token := place(t, list, "ショートカット") + "を終了"
	for _, button := range []string{token, "すべて終了"} {
		expectText(t, k.press("hanako", list, button), Japanese.text(oldButton))
	}
	k.wantOpen("taro", "Safari ショートカット")
	k.wantOpen("hanako", "Chrome")
	expectText(t, k.press("taro", list, token), "トークン「ショートカット」は、もう使えません")
	expectText(t, k.press("taro", list, token), Japanese.text(revokedBefore))
	k.wantOpen("taro", "Safari")
	k.wantOpen("hanako", "Chrome")
}

// All are ended once, by whoever has said so twice.
func TestAllDevices(t *testing.T) {
	k := newAccess(t)
	k.grant("taro", store.Session, "Safari")
	k.grant("taro", store.Token, "ショートカット")
	k.grant("hanako", store.Session, "Chrome")
	asked := k.hear("taro", "端末 すべて終了")
	expectText(t, asked, "まだ何も終了していません")
	expectText(t, k.press("hanako", asked, "すべて終了する"), Japanese.text(oldButton))
	k.wantOpen("taro", "Safari ショートカット")

	asked = k.press("taro", k.hear("taro", "端末"), "すべて終了")
	expectText(t, asked, "2件")
	expectText(t, k.press("taro", asked, "やめる"), "何も終了していません")
	expectText(t, k.press("taro", asked, "すべて終了する"), Japanese.text(oldButton))
	k.wantOpen("taro", "Safari ショートカット")

	asked = k.hear("taro", "トークン 全部 削除")
	expectText(t, k.press("taro", asked, "すべて終了する"), "すべて使えなくしました")
	k.wantOpen("taro", "")
	k.wantOpen("hanako", "Chrome")
	k.grant("taro", store.Session, "Firefox")
	expectText(t, k.press("taro", asked, "すべて終了する"), Japanese.text(oldButton))
	k.wantOpen("taro", "Firefox")

	k.hear("taro", "language en")
	expectText(t, k.press("taro", k.hear("taro", "devices end all"), "yes, end all"), "None of them can get in")
	expectText(t, k.hear("taro", "devices"), "No browser is logged in")
}

// A number that is typed ends what stood there in the list that the person has seen, and
// nothing if nobody can know which list that was.
func TestDevicesByNumber(t *testing.T) {
	k := newAccess(t)
	for _, label := range []string{"Safari", "Chrome", "Firefox"} {
		k.grant("taro", store.Session, label)
	}
	unsure := "確かめられない"
	expectText(t, k.hear("taro", "端末 2 終了"), unsure) // the list has not been seen, and is shown
	k.wantOpen("taro", "Chrome Firefox Safari")

	list := k.hear("taro", "端末")
	k.grant("taro", store.Session, "Edge") // stands above the others now
	expectText(t, k.hear("taro", "端末 "+place(t, list, "Chrome")+" 終了"), "Chrome")
	k.wantOpen("taro", "Edge Firefox Safari")
	expectText(t, k.hear("taro", "端末 "+place(t, list, "Chrome")+" 終了"), Japanese.text(revokedBefore))
	now := k.hear("taro", "端末 9 終了") // shows the list of now
	expectText(t, now, unsure)
	at := func(list Reply, n string) string {
		i := slices.IndexFunc(list.Lines, func(line Line) bool { return line.Number == n })
		return list.Lines[i].Left
	}
	for _, n := range []string{"1", "2", "3"} {
		if at(list, n) != at(now, n) {
			expectText(t, k.hear("taro", "端末 "+n+" 削除"), unsure)
		}
	}
	k.wantOpen("taro", "Edge Firefox Safari")

	k.clock = k.clock.Add(comparedIn + time.Hour)
	list = k.hear("taro", "端末")
	typed := k.clock
	k.clock = k.clock.Add(listedFor + time.Minute)
	expectText(t, k.hear("taro", "端末 1 終了"), unsure) // a list from long ago
	k.clock = typed.Add(-time.Minute)
	expectText(t, k.hear("taro", "端末 1 終了"), unsure) // typed before the list was asked for
	k.wantOpen("taro", "Edge Firefox Safari")
	expectText(t, k.hear("hanako", "端末 1 終了"), "トークンもありません") // her list is another
	k.wantOpen("taro", "Edge Firefox Safari")

	k.clock = typed.Add(listedFor + 2*time.Minute)
	k.hear("taro", "language en")
	expectText(t, k.hear("taro", "devices end "+place(t, list, "Edge")), "can’t get in any more")
	k.wantOpen("taro", "Firefox Safari")
}

// What somebody has noted of a row is shown with it.
func TestMemo(t *testing.T) {
	k := newHousehold(t)
	e := lunchEntry()
	e.Memo = "駅前の店\n田中さんと"
	k.enter("taro", e)
	for _, question := range []string{"一覧", "検索 ランチ", "記録された？"} {
		expectText(t, k.hear("taro", question), "（メモ：駅前の店 田中さんと）")
	}
}
