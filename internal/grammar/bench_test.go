package grammar

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// hostile are the parts of texts that make reading hard, each repeated in one
// line. Twice the text must take twice the time and no more.
var hostile = []struct{ name, part string }{
	{"digits", "9"},
	{"grouped digits", "1,"},
	{"kanji numerals", "一"},
	{"myriads", "万"},
	{"times", "5×"},
	{"dates", "11/29 "},
	{"bare dates", "1/"},
	{"brackets", "(「"},
	{"blanks", "  "},
	{"kana", "の"},
	{"kana words", "さっきのは"},
	{"one word", "ランチ"},
	{"rows", "ランチ900"},
	{"spaced rows", "ランチ 900 "},
	{"listed rows", "ランチ900、"},
	{"addresses", "https://a.jp/1 "},
	{"letters for digits", "9o"},
	{"labels", "合計5"},
	{"change", "お釣り5 "},
	{"points", "5ポイント利用 "},
	{"tax", "税込5 "},
	{"discounts", "100円引き "},
	{"categories", "食費 "},
	{"accounts", "カード "},
	{"wallets", "花子の財布"},
	{"reasons", "雨なので"},
	{"emoji", "🍜"},
	{"mixed", "昨日 スーパーで(牛乳×2)1,280円、カード https://a.jp "},
}

func BenchmarkParse(b *testing.B) {
	b.Run("median", benchmarkCorpus)
	for _, text := range []string{"ランチ 900", "昨日スーパー2480、今日ドラッグ1200", "ありがとう"} {
		benchmarkText(b, text, text)
	}
	benchmarkText(b, "lines/5000", strings.Repeat("ランチ 900\n", 5000/7))
	for _, h := range hostile {
		for _, size := range []int{2500, 5000, 10_000} {
			text := strings.Repeat(h.part, size/utf8.RuneCountInString(h.part))
			benchmarkText(b, fmt.Sprintf("%s/%d", h.name, size), text)
		}
	}
}

func benchmarkText(b *testing.B, name, text string) {
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Parse(text, testNow)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*utf8.RuneCountInString(text)), "ns/rune")
	})
}

// benchmarkCorpus reads all texts of the tables; an operation is one of them.
func benchmarkCorpus(b *testing.B) {
	texts := corpus(b)
	runes, n := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		text := texts[n%len(texts)]
		n++
		runes += utf8.RuneCountInString(text)
		Parse(text, testNow)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(runes), "ns/rune")
}
