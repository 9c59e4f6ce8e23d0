package bot

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ichido/internal/ledger"
	"ichido/store"
)

// correctionOrder is a message, an edit of it and a correction: the texts, and the letters
// in the order in which they were typed and delivered. The message is typed first.
type correctionOrder struct {
	edit, correction string
	typed, delivered string // of m, e and c
}

func (o correctionOrder) String() string {
	return fmt.Sprintf("%s, %s: typed %s, delivered %s", o.edit, o.correction, o.typed, o.delivered)
}

// play delivers the events and returns what stands.
func (o correctionOrder) play(t *testing.T) string {
	k := newTalk(t)
	noon := time.Date(2026, 11, 30, 12, 0, 0, 0, tokyo)
	for _, letter := range o.delivered {
		at := noon.Add(time.Duration(strings.IndexRune(o.typed, letter)) * time.Minute)
		switch letter {
		case 'm':
			k.post(store.Said, "ランチ 850", at)
		case 'e':
			k.post(store.Edited, o.edit, at)
		case 'c':
			k.say("taro", o.correction, at, true)
		}
	}
	return k.wholeLedger()
}

// wholeLedger lists what stands with all that a correction can change.
func (k *conversation) wholeLedger() string {
	var lines []string
	err := k.store.View(func(tx *store.Tx) error {
		accounts, err := tx.Accounts()
		if err != nil {
			return err
		}
		return tx.Rows(store.AllRows, func(r *ledger.Row) error {
			i := slices.IndexFunc(accounts, func(a ledger.Account) bool { return a.ID == r.Account })
			if r.Stands() {
				lines = append(lines, fmt.Sprint(r.Date, r.Time.Format(" 15:04 "), r.Item, " ", r.Amount, " ", r.Category, " ", accounts[i].Name))
			}
			return nil
		})
	})
	if err != nil {
		k.t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

// findsNothing says whether the correction comes before there is anything that was typed
// before it.
func (o correctionOrder) findsNothing() bool {
	before, _, _ := strings.Cut(o.delivered, "c")
	older, _, _ := strings.Cut(o.typed, "c")
	return !strings.Contains(before, "m") && !(strings.Contains(before, "e") && strings.Contains(older, "e"))
}

// In whatever order a message, its edit and a correction come, the ledger is as if they had
// come as they were typed. A correction that comes before what it means finds nothing.
func TestOrdersOfCorrections(t *testing.T) {
	const talk = "おいしかった"
	edits := []string{"ランチ 900", "夕食 850", "ランチ 850 PayPay", "昨日 ランチ 850", "ランチ 850 娯楽", "薬 900 カード", talk}
	corrections := []string{"訂正 950", "品名は薬", "訂正 カード", "一昨日に直して", "日用品に変えて"}
	for _, edit := range edits {
		for _, correction := range corrections {
			for _, typed := range []string{"mec", "mce"} {
				want := correctionOrder{edit, correction, typed, typed}.play(t)
				without := correctionOrder{edit, correction, typed, "me"}.play(t)
				if typed == "mec" && edit != talk && want == without && !strings.Contains(want, "カード") {
					t.Errorf("%s does not correct %s", correction, edit)
				}
				for _, delivered := range []string{"mec", "mce", "emc", "ecm", "cme", "cem"} {
					o := correctionOrder{edit, correction, typed, delivered}
					first := strings.Index(delivered, "e") < strings.Index(delivered, "m")
					if first && (edit == talk || typed == "mce") {
						continue // it leaves nothing, or nothing that tells what it has changed
					}
					right := want
					if o.findsNothing() {
						right = without
					}
					if got := o.play(t); got != right {
						t.Errorf("%v:\n%s, want\n%s", o, got, right)
					}
				}
			}
		}
	}
}

// replay says, in the order of the second string, what stands at the places that the
// letters have in the first one, a minute each: m is the message, e an edit, c and d
// corrections, u and v 取消, r 元に戻す.
func replay(t *testing.T, texts map[rune]string, typed, delivered string) string {
	k := newTalk(t)
	noon := time.Date(2026, 11, 30, 12, 0, 0, 0, tokyo)
	for _, letter := range delivered {
		at := noon.Add(time.Duration(strings.IndexRune(typed, letter)) * time.Minute)
		switch letter {
		case 'm':
			k.post(store.Said, texts[letter], at)
		case 'e', 'f':
			k.post(store.Edited, texts[letter], at)
		default:
			k.say("taro", texts[letter], at, true)
		}
	}
	if err := k.store.Check(); err != nil {
		t.Error(err)
	}
	return k.wholeLedger()
}

// An edit that was typed before a correction and comes after it is what is there when the
// correction is taken back.
func TestOrdersOfTakingCorrectionsBack(t *testing.T) {
	orders := map[string][]string{
		"mecu": {"mceu", "mcue"}, "mecdu": {"mcedu", "mcdeu"}, "mcedu": {"mcdeu"}, "mecduv": {"mcdeuv", "mcduev"}, "mecdurv": {"mcdeurv", "mcdurev"},
		"mecur": {"mceur", "mcure"}, "mecurv": {"mcurev"},
	}
	n := 0
	for _, edit := range []string{"ランチ 900", "夕食 850", "ランチ 850 PayPay", "昨日 ランチ 850", "薬 900 カード", "昨日 薬 950 カード"} {
		for _, c := range [][2]string{
			{"訂正 950", "訂正 1000"}, {"品名はシャツ", "品名は本"}, {"訂正 Suica", "訂正 PayPay"}, {"一昨日に直して", "11/27に直して"},
			{"日用品に変えて", "交際費に変えて"}, {"訂正 1200", "一昨日に直して"},
		} {
			if n++; n%5 != 0 && n%7 != 0 && *conversations <= 20 || strings.Contains(edit, "950") && c[0] == "訂正 950" {
				continue // the last changes nothing where it comes after the edit
			}
			texts := map[rune]string{'m': "ランチ 850", 'e': edit, 'c': c[0], 'd': c[1], 'u': "取消", 'v': "取消", 'r': "元に戻す"}
			for typed, orders := range orders {
				want := replay(t, texts, typed, typed)
				for _, delivered := range orders {
					if got := replay(t, texts, typed, delivered); got != want {
						t.Errorf("%s, %v: typed %s, delivered %s:\n%s, want\n%s", edit, c, typed, delivered, got, want)
					}
				}
			}
		}
	}
}

// What the text of an edit says, which a correction covers, counts as the row's when the
// correction is taken back, and only then.
func TestCoveredByACorrection(t *testing.T) {
	k := newHousehold(t)
	at := k.clock
	k.post(store.Said, "ランチ 850", at)
	late := at.Add(time.Minute)
	k.clock = at.Add(2 * time.Minute)
	expectText(t, k.hear("taro", "訂正 950"), "直しました。ランチ 850円 → 950円")
	if reply := k.post(store.Edited, "ランチ 900", late); reply.Text() != "" {
		t.Errorf("the correction is newer, and it says %q", reply.Text())
	}
	k.clock = k.clock.Add(time.Minute)
	expectText(t, k.hear("taro", "取消"), "記録の変更を取り消しました。ランチ 950円 → 900円")
	expectText(t, k.hear("taro", "元に戻す"), "記録を元に戻しました。ランチ 900円 → 950円")
	k.post(store.Unsent, "", k.clock)
	if err := k.store.Check(); err != nil { // nothing of the texts is left
		t.Error(err)
	}
}
