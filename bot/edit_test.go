package bot

import (
	"strings"
	"testing"
	"time"

	"ichido/internal/ledger"
	"ichido/store"
)

// post sends an event about the message "m" through the store, as a door does.
func (k *conversation) post(about store.About, text string, at time.Time) Reply {
	k.t.Helper()
	m := Message{Text: text, At: at}
	if about == store.Edited {
		m.Event = Edited
	}
	reply, _ := k.submit(store.Request{Person: "taro", MessageID: "m", About: about}, m)
	return reply
}

// ledgerNow lists what stands, a row a line, without numbers.
func (k *conversation) ledgerNow() string {
	var lines []string
	err := k.store.View(func(tx *store.Tx) error {
		return tx.Rows(store.AllRows, func(r *ledger.Row) error {
			if r.Stands() {
				lines = append(lines, strings.TrimSpace(r.Date.String()[5:]+" "+r.Item+" "+(r.Amount+r.Stated).String()))
			}
			return nil
		})
	})
	if err != nil {
		k.t.Fatal(err)
	}
	return strings.Join(lines, ", ")
}

// TestEdits edits a message in a group in all ways.
func TestEdits(t *testing.T) {
	typed := time.Date(2026, 11, 30, 23, 50, 0, 0, tokyo)
	tests := []struct {
		name   string
		before string // "" if it has not come yet
		edits  []string
		late   string // the message itself, after the edits
		ledger string
		says   string // in the last answer
	}{
		{"amount", "スーパー 2480", []string{"スーパー 2840"}, "", "11-30 スーパー 2,840", "直しました。スーパー 2,480円 → 2,840円"},
		{"item", "スーパー 2480", []string{"薬 2480"}, "", "11-30 薬 2,480", "直しました。スーパー 2,480円 → 薬 2,480円"},
		{"category", "ランチ 900", []string{"ランチ 900 娯楽"}, "", "11-30 ランチ 900", "娯楽"},
		{"date", "スーパー 2480", []string{"昨日 スーパー 2480"}, "", "11-29 スーパー 2,480", "11/29"},
		{"nothing", "スーパー 2480", []string{"スーパー　2480円"}, "", "11-30 スーパー 2,480", ""},
		{"more rows", "パン 200", []string{"パン 200\n牛乳 198"}, "", "11-30 パン 200, 11-30 牛乳 198", "記録しました。牛乳 198円"},
		{"fewer rows", "パン 200\n牛乳 198", []string{"パン 210"}, "", "11-30 パン 210", "外しました。牛乳 198円"},
		{"record to talk", "スーパー 2480", []string{"スーパー行った？"}, "", "", "外しました。スーパー 2,480円"},
		{"and back", "スーパー 2480", []string{"スーパー行った？", "スーパー 2480"}, "", "11-30 スーパー 2,480", "記録しました。スーパー 2,480円"},
		{"talk to record, dated by the edit", "スーパー行った？", []string{"スーパー 2480"}, "", "12-01 スーパー 2,480", "記録しました。"},
		{"to a command, which does not run", "スーパー 2480", []string{"取消"}, "", "", "外しました。"},
		{"a balance statement", "財布 3000", []string{"財布 3500"}, "", "11-30  7,000", "直しました。"},
		{"a statement to a record", "財布 3000", []string{"本 1200"}, "", "11-30 本 1,200", "記録しました。本 1,200円"},
		{"before its message", "", []string{"スーパー 2840"}, "スーパー 2480", "11-30 スーパー 2,840", ""},
		{"twice before its message", "", []string{"スーパー 2500", "昨日 スーパー 2840"}, "スーパー 2480", "11-29 スーパー 2,840", ""},
		{"before its message, which would be talk", "", []string{"スーパー 2840"}, "スーパー行った？", "12-01 スーパー 2,840", ""},
		{"an amount that can't be read", "スーパー 2480円", []string{"スーパー 2,48円"}, "", "", "まだ記録していません"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			k := newTalk(t)
			if test.before != "" {
				k.post(store.Said, test.before, typed)
			}
			var reply Reply
			for i, text := range test.edits { // after midnight
				reply = k.post(store.Edited, text, typed.Add(time.Duration(i+1)*15*time.Minute))
			}
			if test.late != "" {
				reply = k.post(store.Said, test.late, typed)
			}
			if got := k.ledgerNow(); got != test.ledger {
				t.Errorf("the ledger is %q, want %q", got, test.ledger)
			}
			if !strings.Contains(reply.Text(), test.says) || (test.says == "") != (reply.Text() == "") {
				t.Errorf("it says %q, want %q", reply.Text(), test.says)
			}
		})
	}
}

func TestOlderEditChangesNothing(t *testing.T) {
	k := newTalk(t)
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, tokyo)
	k.post(store.Said, "スーパー 2480", at)
	k.post(store.Edited, "スーパー 2900", at.Add(2*time.Minute))
	if reply := k.post(store.Edited, "スーパー 2600", at.Add(time.Minute)); reply.Text() != "" {
		t.Errorf("it says %q", reply.Text())
	}
	if got := k.ledgerNow(); got != "11-30 スーパー 2,900" {
		t.Errorf("the ledger is %q", got)
	}
}

// TestStruckStaysStruck edits a message that has been taken back, and brings it
// back.
func TestStruckStaysStruck(t *testing.T) {
	k := newTalk(t)
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, tokyo)
	k.post(store.Said, "パン 200", at)
	k.say("taro", "取消", at.Add(time.Minute), false)
	reply := k.post(store.Edited, "パン 210\n牛乳 198", at.Add(2*time.Minute))
	if got := k.ledgerNow(); got != "" || !strings.Contains(reply.Text(), "取り消してあるまま") {
		t.Errorf("the ledger is %q, it says %q", got, reply.Text())
	}
	k.say("taro", "元に戻す", at.Add(3*time.Minute), true)
	if got := k.ledgerNow(); got != "11-30 パン 210, 11-30 牛乳 198" {
		t.Errorf("after 元に戻す the ledger is %q", got)
	}
	k.say("taro", "取消", at.Add(5*time.Minute), true)
	if got := k.ledgerNow(); got != "" {
		t.Errorf("after 取消, which means the whole message, the ledger is %q", got)
	}
}

func TestUnsentStaysUnsent(t *testing.T) {
	k := newTalk(t)
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, tokyo)
	k.post(store.Said, "パン 200", at)
	k.say("taro", "取消", at.Add(time.Minute), true)
	k.post(store.Unsent, "", at.Add(2*time.Minute))
	k.post(store.Edited, "パン 210", at.Add(3*time.Minute))
	for _, text := range []string{"元に戻す", "元に戻す 1", "元に戻す 2"} {
		if reply := k.say("taro", text, at.Add(4*time.Minute), true); strings.Contains(reply.Text(), "パン") || k.ledgerNow() != "" {
			t.Errorf("%s: %s; the ledger is %q", text, reply.Text(), k.ledgerNow())
		}
	}
}

// TestChosenCategoryStays edits a message whose category somebody has chosen.
func TestChosenCategoryStays(t *testing.T) {
	k := newTalk(t)
	k.clock = time.Date(2026, 11, 30, 12, 0, 0, 0, tokyo)
	said := k.post(store.Said, "スーパー 2480", k.clock)
	k.press("taro", said, "→日用品")
	category := func() (c ledger.Category) {
		err := k.store.View(func(tx *store.Tx) error {
			row, err := tx.Row(ledger.RowID{Receipt: 1})
			c = row.Category
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for i, step := range []struct {
		text string
		want ledger.Category
	}{
		{"スーパー 2840", "日用品"}, {"スーパー 2850", "日用品"}, {"スーパー 2850 交際費", "交際費"}, {"スーパー 2850", "日用品"}, {"薬 2850", "医療費"},
	} {
		k.post(store.Edited, step.text, k.clock.Add(time.Duration(i+1)*time.Minute))
		if got := category(); got != step.want {
			t.Errorf("after the edit %q the category is %s, want %s", step.text, got, step.want)
		}
	}
}
