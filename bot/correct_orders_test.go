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
