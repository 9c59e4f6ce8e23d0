package grammar

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// why gives the explanation of a text in a short form: the rule, and each span
// as text=is<by.
func why(text string) string {
	var b strings.Builder
	for _, line := range Explain(text, testNow).Lines {
		b.WriteString("[" + line.Rule + "]")
		for _, p := range line.Spans {
			b.WriteString(" " + p.Text + "=" + p.Is + "<" + p.By)
		}
	}
	return b.String()
}

func TestExplain(t *testing.T) {
	for text, want := range map[string]string{
		"ランチ 900": "[record] ランチ=item, category 食費 by ランチ<word, dictionary 900=amount 900<number",
		"昨日セブンでおにぎり160円 PayPay": "[record] 昨日=date 2026-11-29<date セブンでおにぎり=item, category 食費 by おにぎり<word, dictionary 160円=amount 160<number PayPay=account PayPay<lexicon",
		"本 800 教育":               "[record] 本=item<word 800=amount 800<number 教育=category 教育<lexicon, rule record",
		"教育 800":                 "[record] 教育=category 教育, in the item<lexicon 800=amount 800<number",
		"水 150×3":                "[record] 水=item, category 食費 by 水<word, dictionary 150=amount 450, multiplied<number, multiplication ×=part of the amount<times, multiplication 3=part of the amount<number, multiplication",
		"酒1000円 100円引き":          "[record] 酒=item, category 食費 by 酒<word, dictionary 1000円=amount 900<number, discount 100円引き=amount 100, taken off, not the price<number, discount",
		"iPhone17 ケース 2000":      "[record] iPhone=item<word 17=item<number, name with a number ケース=item<word 2000=amount 2000<number",
		"雨なのでタクシー1500":           "[record] 雨=word, no part of the item<word, reason なので=reason<lexicon タクシー=item, category 交通費 by タクシー<word, dictionary 1500=amount 1500<number",
		"先月より5000円多い":            "[not a row] 先月=period 2026-10-01 to 2026-10-31, in the item<date より=item<word 5000円=amount 5000<number 多い=comparison, in the item<lexicon",
		"ランチ 1,20":               "[record] ランチ=item<word 1,20=amount 0, doubtful: bad-grouping<number",
		"11/28\n米 2480\n合計 2480": "[date of the rows below] 11/28=date 2026-11-28<date[record] 米=item, category 食費 by 米<word, dictionary 2480=amount 2480<number[total of the rows above] 合計=total<lexicon 2480=amount 2480, total<number, label",
		"ランチ\n900":               "[record] ランチ=item, category 食費 by ランチ<word, dictionary 900=amount 900<number",
		"取消":                     "[undo] 取消=undo<lexicon",
		"https://example.com 3":  "[record] https://example.com=address<url 3=amount 3<number",
		" ":                      "[nothing typed]",
	} {
		if got := why(text); got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}

// Whoever asks why gets the reading of Parse, and every rune of the text.
func TestExplainIsWhatParseDoes(t *testing.T) {
	t.Parallel()
	rules, texts := ruleNames(), corpus(t)
	blanks := strings.NewReplacer(" ", "", "\n", "")
	for i, want := range parsed(t) {
		if passedBy(i) {
			continue
		}
		text := texts[i]
		e := Explain(text, testNow)
		if !reflect.DeepEqual(e.Command, want) {
			t.Errorf("%q: %+v, want %+v", text, e.Command, want)
		}
		said := ""
		for _, line := range e.Lines {
			if !slices.Contains(rules, line.Rule) {
				t.Errorf("%q: no rule %q", text, line.Rule)
			}
			for _, p := range line.Spans {
				said += p.Text
				if p.Is == "" || p.By == "" || strings.HasPrefix(p.By, ",") {
					t.Errorf("%q: %+v", text, p)
				}
			}
		}
		if blanks.Replace(said) != blanks.Replace(fold(text)) {
			t.Errorf("%q: explains %q", text, said)
		}
	}
}

func ruleNames() []string {
	names := []string{"nothing typed", "date of the rows below", "total of the rows above", "account of all rows", "no row", "lines together"}
	for _, r := range rules {
		names = append(names, r.name)
	}
	return names
}

func TestEveryMarkAndKindHasAName(t *testing.T) {
	for _, row := range lexicon {
		if markNames[row.mark] == "" {
			t.Errorf("mark %d of %q has no name", row.mark, row.words)
		}
	}
	for kind := spaceSpan; kind <= percentSpan; kind++ {
		if int(kind) >= len(kindNames) || kindNames[kind] == "" {
			t.Errorf("kind %d has no name", kind)
		}
	}
}

func TestNamesOfStepsAreUnique(t *testing.T) {
	names := ruleNames()
	for _, s := range scanners {
		names = append(names, "scanner "+s.name)
	}
	for _, r := range relabellings {
		names = append(names, "relabelling "+r.name)
	}
	slices.Sort(names)
	if unique := slices.Compact(slices.Clone(names)); len(unique) != len(names) || unique[0] == "" {
		t.Errorf("names stand twice: %v", names)
	}
}
