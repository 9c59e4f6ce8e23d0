package bot

import (
	"errors"
	"strings"
	"testing"
	"time"

	"ichido/internal/ledger"
	"ichido/store"
)

func lunchEntry() Entry {
	return Entry{Type: ledger.Expense, Date: 20261130, Amount: 900, Item: "ランチ"}
}

// enter records the entry as a form does.
func (k *conversation) enter(person string, e Entry) (row ledger.Row) {
	k.t.Helper()
	at := k.clock
	_, _, err := k.store.Submit(k.t.Context(), store.Request{Scope: "web", At: at, Person: person}, func(tx *store.Tx) (err error) {
		row, err = k.bot.Record(tx, at, e)
		return err
	})
	if err != nil {
		k.t.Fatal(err)
	}
	return row
}

// What a form records is as good as what was said: the item decides the category, what
// was taught holds, and 取消 takes it back.
func TestEntryIsLikeSomethingSaid(t *testing.T) {
	k := newTalk(t)
	k.clock = time.Date(2026, 11, 30, 12, 0, 0, 0, tokyo)
	k.join("taro", "太郎")
	e := lunchEntry()
	e.Memo, e.Account = "駅前", "カード"
	row := k.enter("taro", e)
	if row.Category != "食費" || row.Memo != "駅前" || row.Scope != "web" || row.Amount != 900 {
		t.Errorf("it is recorded as %+v", row)
	}
	k.clock = k.clock.Add(time.Minute)
	k.say("taro", "ランチは交際費", k.clock, true)
	k.clock = k.clock.Add(time.Minute)
	if row := k.enter("taro", lunchEntry()); row.Category != "交際費" {
		t.Errorf("what was taught does not hold: %+v", row)
	}
	k.clock = k.clock.Add(time.Minute)
	if said := k.say("taro", "取消", k.clock, true).Text(); !strings.HasPrefix(said, "取り消しました。ランチ 900円") {
		t.Errorf("取消 says %q", said)
	}
}

func TestEntriesAreChecked(t *testing.T) {
	k := newTalk(t)
	k.join("taro", "太郎")
	for name, test := range map[string]struct {
		spoil func(*Entry)
		want  Field
	}{
		"nothing wrong":    {func(*Entry) {}, ""},
		"income":           {func(e *Entry) { e.Type, e.Category = ledger.Income, ledger.Pay }, ""},
		"a transfer":       {func(e *Entry) { e.Type = ledger.Transfer }, FieldType},
		"no amount":        {func(e *Entry) { e.Amount = 0 }, FieldAmount},
		"too much":         {func(e *Entry) { e.Amount = ledger.MaxAmount + 1 }, FieldAmount},
		"no such day":      {func(e *Entry) { e.Date = 20260230 }, FieldDate},
		"too far ahead":    {func(e *Entry) { e.Date = 20370101 }, FieldDate},
		"no item":          {func(e *Entry) { e.Item = "" }, FieldItem},
		"a long item":      {func(e *Entry) { e.Item = strings.Repeat("あ", MaxItem+1) }, FieldItem},
		"a broken item":    {func(e *Entry) { e.Item = "\xff" }, FieldItem},
		"control in it":    {func(e *Entry) { e.Item = "a\x00b" }, FieldItem},
		"a memo of lines":  {func(e *Entry) { e.Memo = "a\nb" }, ""},
		"a long memo":      {func(e *Entry) { e.Memo = strings.Repeat("あ", MaxMemo+1) }, FieldMemo},
		"unknown category": {func(e *Entry) { e.Category = "なぞ" }, FieldCategory},
		"income as food":   {func(e *Entry) { e.Type, e.Category = ledger.Income, "食費" }, FieldCategory},
		"food as income":   {func(e *Entry) { e.Category = ledger.Pay }, FieldCategory},
		"unknown account":  {func(e *Entry) { e.Account = "なぞ" }, FieldAccount},
	} {
		e := lunchEntry()
		test.spoil(&e)
		at := time.Date(2026, 11, 30, 12, 0, 0, 0, tokyo)
		_, _, err := k.store.Submit(t.Context(), store.Request{Scope: "web", At: at, Person: "taro"}, func(tx *store.Tx) error {
			_, err := k.bot.Record(tx, at, e.Clean())
			return err
		})
		faults, refused := errors.AsType[Faults](err)
		switch {
		case err != nil && !refused:
			t.Fatal(err)
		case test.want == "" && len(faults) > 0, test.want != "" && (len(faults) != 1 || faults[0].Field != test.want):
			t.Errorf("%s: %+v", name, faults)
		}
		if says := wrongCategories[name]; test.want == FieldCategory && (len(faults) != 1 || faults[0].Says != says) {
			t.Errorf("%s: %+v, want %+v", name, faults, says)
		}
	}
}

// wrongCategories are what the cases of TestEntriesAreChecked hear of their categories.
var wrongCategories = map[string]Phrase{
	"unknown category": noCategoryOfForm, "income as food": categoryOfExpenses, "food as income": categoryOfIncome,
}

// A category can be named as it is called now and as it was called before.
func TestEntryUnderAnOldCategory(t *testing.T) {
	k := newTalk(t)
	k.clock = time.Date(2026, 11, 30, 12, 0, 0, 0, tokyo)
	k.join("taro", "太郎")
	k.say("taro", "カテゴリ 名前変更 食費 食べ物", k.clock, true)
	k.clock = k.clock.Add(time.Minute)
	for _, name := range []ledger.Category{"食費", "食べ物", ""} {
		e := lunchEntry()
		e.Category = name
		k.enter("taro", e)
	}
	k.clock = k.clock.Add(time.Minute)
	if said := k.say("taro", "今月", k.clock, true).Text(); !strings.Contains(said, "食べ物 2,700円") {
		t.Errorf("今月 says %q", said)
	}
}
