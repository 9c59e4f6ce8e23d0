package grammar

import (
	_ "embed"
	"encoding/json"
	"reflect"
	"testing"

	"ichido/internal/ledger"
)

// namesTSV has what a household types that has accounts and categories of its
// own, and what only looks like them.
//
//go:embed testdata/names.tsv
var namesTSV string

var testNames = NewNames(
	[]string{"へそくり", "楽天カード2", "子ども手当口座", "メルカリ売上金", "PayPay家計", "2号口座", "Kyash", "スイカ割り"},
	[]ledger.Category{"推し活", "推し活遠征", "おでかけ", "ゴルフ・釣り", "ランチ", "Self Care", "猫", "サブスク", "夫の小遣い", "帰省"},
)

func TestNames(t *testing.T) {
	for _, s := range readSamples(t, namesTSV) {
		printed, err := json.Marshal(testNames.Parse(s.text, testNow))
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]any
		if err := json.Unmarshal(printed, &got); err != nil {
			t.Fatal(err)
		}
		if d := differs(s.expect, got); d != "" {
			t.Errorf("%q: %s\n\tgot %s", s.text, d, printed)
		}
	}
}

// Names that nobody uses change nothing.
func TestNamesLeaveOtherTextsAlone(t *testing.T) {
	t.Parallel()
	strange, texts := NewNames([]string{"ヌルヌル銀河口座"}, []ledger.Category{"ヌルヌル銀河"}), corpus(t)
	for i, want := range parsed(t) {
		if passedBy(i) {
			continue
		}
		if got := strange.Parse(texts[i], testNow); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, want %+v", texts[i], got, want)
		}
	}
}

// What always means something else is no name.
func TestNewNamesRefuses(t *testing.T) {
	for _, name := range []string{"", " ", "900", "900円", "昨日", "11/29", "の", "a", "12:30", "、", "千円", "https://example.com", "2人"} {
		if n := NewNames([]string{name}, []ledger.Category{ledger.Category(name)}); n != nil {
			t.Errorf("%q is taken for a name", name)
		}
	}
	if NewNames(nil, nil) != nil {
		t.Error("no names are not nil")
	}
}
