package line

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/rivo/uniseg"

	"ichido/bot"
	"ichido/internal/linesim"
)

// shown sends messages to LINE, which must take them, and returns what stands in the chat.
func shown(t testing.TB, payload []byte) []linesim.Bubble {
	t.Helper()
	platform := linesim.New(linesim.Options{})
	e := platform.Text(taro, "x")
	s := newSender(nil, must(newClient(Config{Token: linesim.DefaultToken, Endpoint: "http://line.invalid", Transport: linesim.Transport(platform)})), tokyo, nil)
	if end := s.reply(t.Context(), e.ReplyToken, payload); end.kind != accepted {
		t.Fatalf("LINE says %v to %.2000s", end, payload)
	}
	return platform.Chat(taro)[1:]
}

func TestRenderCuts(t *testing.T) {
	long := strings.Repeat("あ👨‍👩‍👧", 3000)
	var buttons []bot.Button
	for range 20 {
		buttons = append(buttons, bot.Button{Label: strings.Repeat("長", 30), Text: strings.Repeat("文", 400)})
	}
	b := shown(t, must(render(bot.Reply{Lines: []bot.Line{{Text: long}}, Buttons: buttons})))[0]
	if !strings.HasSuffix(b.Text, "👧…") && !strings.HasSuffix(b.Text, "あ…") {
		t.Errorf("the cut does not show, or goes through a family: %q", b.Text[len(b.Text)-30:])
	}
	if n := len(utf16.Encode([]rune(b.Text))); n > maxText || n < maxText-9 || len(b.QuickReplies) != maxButtons {
		t.Errorf("%d units, %d buttons", n, len(b.QuickReplies))
	}
}

// A button that does something is a postback; what can't be one whole is none, as what
// nobody can read.
func TestRenderButtons(t *testing.T) {
	long := strings.Repeat("x", maxData)
	payload := must(render(bot.Reply{Lines: []bot.Line{{Text: "x"}}, Buttons: []bot.Button{
		{Label: "今月", Text: "今月の合計"},
		{Label: "取消", Text: strings.Repeat("文", 400), Tap: "undo:12:abc"},
		{Label: "長い", Tap: long},
		{Label: "長すぎる", Tap: long + "x"},
		{Label: " \x00", Tap: "blank"},
		{Label: strings.Repeat("👨‍👩‍👧‍👦", 21), Text: "1\a2"},
	}}, json.RawMessage(`{"type":"text","text":"late","quickReply":{"items":[{}]}}`)))
	bubbles := shown(t, payload)
	want := []linesim.Button{
		{Type: "message", Label: "今月", Text: "今月の合計"},
		{Type: "postback", Label: "取消", Text: strings.Repeat("文", maxButtonText-1) + "…", Data: "undo:12:abc"},
		{Type: "postback", Label: "長い", Text: "長い", Data: long},
		{Type: "message", Label: strings.Repeat("👨‍👩‍👧‍👦", 19) + "…", Text: "12"},
	}
	if diff := cmp.Diff(want, bubbles[1].QuickReplies); diff != "" {
		t.Errorf("buttons (-want +got):\n%s", diff)
	}
	if late := bubbles[0]; late.Text != "late" || late.QuickReplies != nil {
		t.Errorf("in front stands %+v", late)
	}
}

func TestCut(t *testing.T) {
	const family = "👨‍👩‍👧‍👦" // 11 UTF-16 units
	for _, c := range []struct {
		s, units, clusters string // to 12 UTF-16 units, to 3 clusters
	}{
		{"", "", ""},
		{"abc", "abc", "abc"},
		{"abcd", "abcd", "ab…"},
		{"abcdefghijkl", "abcdefghijkl", "ab…"},
		{"abcdefghijklm", "abcdefghijk…", "ab…"},
		{family + "a", family + "a", family + "a"},
		{family + "ab", family + "…", family + "ab"},
		{"ab" + family + "c", "ab…", "ab…"},
		{"🇯🇵🇺🇸🇫🇷🇩🇪", "🇯🇵🇺🇸…", "🇯🇵🇺🇸…"},
		{"か\u3099か\u3099か\u3099か\u3099", "か\u3099か\u3099か\u3099か\u3099", "か\u3099か\u3099…"},
		{"👍🏽👍🏽👍🏽👍🏽", "👍🏽👍🏽…", "👍🏽👍🏽…"},
		{"a" + strings.Repeat("\u0301", 5000), "…", "…"},
	} {
		if got := cutUnits(c.s, 12); got != c.units {
			t.Errorf("%q to 12 units is %q", c.s, got)
		}
		if got := cutGraphemes(c.s, 3); got != c.clusters {
			t.Errorf("%q to 3 clusters is %q", c.s, got)
		}
	}
}

// recordCard is the answer to a record, as a card.
func recordCard() bot.Reply {
	r := bot.Reply{Lines: []bot.Line{
		{Text: "記録しました。スーパー 2,480円", Role: bot.Item, Lead: "記録しました。", Left: "スーパー", Right: "2,480円"},
		{Text: "食費／花子の財布／受付 7／今月 3,380円", Role: bot.Quiet},
	}}
	r.Buttons = []bot.Button{{Label: "取消 7", Text: "取消 7", Tap: "undo:7:0123456789abcdef0123456789abcdef"}}
	for _, c := range []string{"日用品", "交通費", "交際費", "娯楽"} {
		r.Buttons = append(r.Buttons, bot.Button{Label: "→" + c, Text: c + "に変更", Tap: "category:7:0123456789abcdef0123456789abcdef:" + c})
	}
	return r
}

// summaryCard is the answer to 今月, with bars.
func summaryCard() bot.Reply {
	r := bot.Reply{Lines: []bot.Line{
		{Text: "今月の支出 104,660円（23件）", Role: bot.Head, Left: "今月の支出", Right: "104,660円", Note: "23件"},
	}}
	for i, c := range []string{"住居", "食費", "日用品", "推し活とそのほかの楽しみのための費用", "交通費"} {
		figure := fmt.Sprintf("%d,%03d円", 60>>i, 660*i%1000)
		r.Lines = append(r.Lines, bot.Line{Text: "・" + c + " " + figure, Role: bot.Item, Left: c, Right: figure, Bar: 1000 >> i})
	}
	r.Lines = append(r.Lines, bot.Line{Text: "先月の同じ日より 2,480円 多いです。"}, bot.Line{Text: "太郎 900円、花子 2,480円", Role: bot.Quiet})
	r.Buttons = []bot.Button{{Label: "一覧", Text: "一覧"}, {Label: "先月", Text: "先月"}}
	return r
}

// What is pressed on a card is what is pressed under a text, in the same order.
func TestCard(t *testing.T) {
	b := shown(t, must(render(recordCard())))[0]
	if b.Text != recordCard().Text() || b.QuickReplies != nil {
		t.Errorf("%+v", b)
	}
	text := recordCard()
	text.Lines[0].Left = ""
	if diff := cmp.Diff(shown(t, must(render(text)))[0].QuickReplies, b.Buttons); diff != "" {
		t.Errorf("buttons (-text +card):\n%s", diff)
	}
	if n := len(b.Messages); n > 2900 { // it is written in the transaction of each record
		t.Errorf("%d bytes", n)
	}
	for _, words := range []string{`"記録しました。 "`, `"スーパー"`, `"2,480円"`, `"食費／花子の財布／受付 7／今月 3,380円"`} {
		if !strings.Contains(string(b.Messages), `"text":`+words) {
			t.Errorf("%s is not on %s", words, b.Messages)
		}
	}
	late := must(render(plain("x"), json.RawMessage(b.Messages)))
	if again := shown(t, late)[0]; string(again.Messages) != string(b.Messages) {
		t.Errorf("late it is\n%s", again.Messages)
	}
}

// What is too much for a card is not there, what is most important is, and how much is
// missing is told.
func TestCardOfTooMuch(t *testing.T) {
	r := recordCard()
	long := strings.Repeat("👨‍👩‍👧‍👦", 100)
	for i := range 60 {
		r.Lines = append(r.Lines, bot.Line{Text: long, Role: bot.Item, Left: fmt.Sprint(i, "番 ", long), Right: "1円", Note: long})
	}
	r.Lines = append(r.Lines, bot.Line{Text: "おわり", Role: bot.Quiet})
	b := shown(t, must(render(r)))[0]
	drawn := string(b.Messages)
	for _, words := range []string{`"スーパー"`, `"text":"0番 `, `"おわり"`, `"text":"… +`} {
		if !strings.Contains(drawn, words) {
			t.Errorf("%s is missing", words)
		}
	}
	if strings.Contains(drawn, `"59番`) || len(b.Buttons) != 5 || len(drawn) < 20_000 {
		t.Errorf("%d bytes, %d buttons", len(drawn), len(b.Buttons))
	}
}

// hostile are contents that come from nobody who means well, or from a bug.
var hostile = []string{
	"", " ", "\n", "\x00\x01\x1b[31m", "\u0085\u009f", "\xff\xfe", "<script>&\"\\", "\u202eabc",
	strings.Repeat("👨‍👩‍👧‍👦", 5000), strings.Repeat("😀", 5000), strings.Repeat("<", 6000), strings.Repeat("長", 10_000),
	"a" + strings.Repeat("\u0301", 9000), strings.Repeat("\x01", 9000), strings.Repeat("🇯🇵", 600), "か\u3099\u200d",
	strings.Repeat("\u200d", 400), strings.Repeat("\r\n", 400), strings.Repeat("\u0600", 500) + "x", strings.Repeat("क्ष", 200),
}

func TestRenderHostile(t *testing.T) {
	for i, s := range hostile {
		next := hostile[(i+1)%len(hostile)]
		r := bot.Reply{}
		for n := range 60 {
			r.Lines = append(r.Lines, bot.Line{Text: s + next, Role: bot.Role(n % 6), Lead: next, Left: s, Right: next, Note: s, Number: s, Group: next, Bar: n*n - 5, Whole: n%3 == 0})
		}
		for range 40 {
			r.Buttons = append(r.Buttons, bot.Button{Label: s, Text: next, Tap: strings.Repeat("<", 290)}, bot.Button{Label: next, Text: s})
		}
		r.Lines[0].Left = "x"
		shown(t, must(render(r)))
		for n := range r.Lines {
			r.Lines[n].Left = ""
		}
		shown(t, must(render(r)))
	}
}

// FuzzRender looks for a reply that LINE refuses.
func FuzzRender(f *testing.F) {
	short := func(i int) string { s := hostile[i%len(hostile)]; return s[:min(len(s), 120)] } // long ones take the fuzzer's time
	for i := range hostile {
		f.Add(short(i), short(i+3), short(i+7), i*31, i*97)
	}
	f.Fuzz(func(t *testing.T, a, b, c string, n, bar int) {
		words := []string{a, b, c, a + b, ""}
		word := func() string { n = n*31 + 7; return words[uint(n)%uint(len(words))] }
		var r bot.Reply
		for range uint(n) % 70 {
			r.Lines = append(r.Lines, bot.Line{Text: word(), Role: bot.Role(uint(n) % 6), Lead: word(), Left: word(), Right: word(), Note: word(), Number: word(), Group: word(), Bar: bar, Whole: n%2 == 0})
		}
		for range uint(n) % 45 {
			r.Buttons = append(r.Buttons, bot.Button{Label: word(), Text: word(), Tap: word()})
		}
		payload := must(render(r))
		for _, bubble := range shown(t, payload) {
			if n := uniseg.GraphemeClusterCount(bubble.Text); n == 0 {
				t.Errorf("nothing can be seen of %s", payload)
			}
		}
	})
}

func BenchmarkRender(b *testing.B) {
	text := recordCard()
	text.Lines[0].Left = ""
	for name, r := range map[string]bot.Reply{"text": text, "record": recordCard(), "summary": summaryCard()} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				payload, err := render(r)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(payload)))
			}
		})
	}
}
