package line

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ichido/bot"
)

// drawing is a component as a person sees it.
type drawing struct {
	Type, Layout, Text, Size, Color, Width, BackgroundColor string
	Wrap, Scaling                                           bool
	Flex                                                    *int
	Contents                                                []drawing
	Action                                                  *struct{ Type, Label, Data string }
}

// drawingOf is the card of a reply.
func drawingOf(t *testing.T, r bot.Reply) drawing {
	t.Helper()
	var card struct{ Contents struct{ Body drawing } }
	if err := json.Unmarshal(shown(t, must(render(r)))[0].Messages, &card); err != nil {
		t.Fatal(err)
	}
	return card.Contents.Body
}

// walk visits each component with the colour that it stands on.
func (d drawing) walk(ground string, visit func(d drawing, ground string)) {
	ground = cmp.Or(d.BackgroundColor, ground)
	visit(d, ground)
	for _, c := range d.Contents {
		if c.Type == "span" {
			c.Color, c.Scaling = cmp.Or(c.Color, d.Color), d.Scaling
		}
		c.walk(ground, visit)
	}
}

// contrast is the ratio of two colours (WCAG 2.2, relative luminance).
func contrast(a, b string) float64 {
	luminance := func(color string) float64 {
		sum := 0.0
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			v := float64(must(strconv.ParseUint(color[1+2*i:3+2*i], 16, 8))) / 255
			if v <= 0.04045 {
				v /= 12.92
			} else {
				v = math.Pow((v+0.055)/1.055, 2.4)
			}
			sum += weight * v
		}
		return sum
	}
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// All can be read in light and in dark mode: nothing is left to LINE's own colours.
// And all grows with the person's font size.
func TestCardCanBeRead(t *testing.T) {
	texts := 0
	for _, r := range []bot.Reply{recordCard(), summaryCard()} {
		drawingOf(t, r).walk("", func(d drawing, ground string) {
			switch {
			case d.Type != "text" && d.Type != "span":
				return
			case d.Type == "text" && len(d.Contents) > 0:
				return // its spans are read
			}
			texts++
			if d.Color == "" || ground == "" {
				t.Errorf("%q has no colour of its own: %s on %s", d.Text, d.Color, ground)
			} else if c := contrast(d.Color, ground); c < 4.5 {
				t.Errorf("%q: contrast %.2f", d.Text, c)
			}
			if !d.Scaling {
				t.Errorf("%q stays small", d.Text)
			}
		})
	}
	if texts < 20 {
		t.Errorf("%d texts", texts)
	}
	if got := contrast("#FFFFFF", "#000000"); math.Abs(got-21) > 0.001 {
		t.Errorf("black on white: %.3f", got)
	}
}

// What is long wraps and leaves the figure whole; a figure that is long stands below.
func TestCardFigures(t *testing.T) {
	d := drawingOf(t, summaryCard())
	for _, row := range d.Contents {
		if row.Layout != "baseline" {
			continue
		}
		what, figure := row.Contents[0], row.Contents[1]
		if !what.Wrap || what.Flex != nil || figure.Wrap || figure.Flex == nil || *figure.Flex != 0 {
			t.Errorf("%+v", row)
		}
	}
	wide := bot.Reply{Lines: []bot.Line{{Text: "x", Role: bot.Item, Left: "食費", Right: "30,000円 のうち 12,345円"}}}
	below := drawingOf(t, wide).Contents
	if len(below) != 2 || below[0].Text != "食費" || below[1].Text != "30,000円 のうち 12,345円" || !below[1].Wrap {
		t.Errorf("%+v", below)
	}
	alone := bot.Reply{Lines: []bot.Line{{Text: "x", Role: bot.Item, Left: "食費"}}}
	if got := drawingOf(t, alone).Contents; len(got) != 1 || got[0].Text != "食費" {
		t.Errorf("%+v", got)
	}
}

func TestCardBars(t *testing.T) {
	for permille, want := range map[int]string{-3: "", 0: "", 1: "1%", 14: "1%", 15: "2%", 420: "42%", 999: "100%", 1000: "100%", 5000: "100%"} {
		r := bot.Reply{Lines: []bot.Line{{Text: "x", Role: bot.Item, Left: "食費", Right: "1円", Bar: permille}}}
		contents := drawingOf(t, r).Contents
		if got := contents[len(contents)-1].Width; got != want {
			t.Errorf("%d: %q", permille, got)
		}
	}
}

// The bar of a whole lies on it; what is more than the whole is of another colour.
func TestCardBarsOfAWhole(t *testing.T) {
	for permille, want := range map[int]string{0: "", 420: "42% " + accent, 1000: "100% " + accent, 1001: "100% " + over} {
		r := bot.Reply{Lines: []bot.Line{{Text: "x", Role: bot.Item, Left: "食費", Right: "1円", Bar: permille, Whole: true}}}
		contents := drawingOf(t, r).Contents
		whole, got := contents[len(contents)-1], ""
		for _, b := range whole.Contents {
			got = b.Width + " " + b.BackgroundColor
		}
		if got != want || whole.BackgroundColor != track {
			t.Errorf("%d: %s on %s", permille, got, whole.BackgroundColor)
		}
	}
}

// What finds room stands beside what it belongs to, all else in a line of its own.
func TestCardSmallPrint(t *testing.T) {
	for _, c := range []struct {
		line bot.Line
		want string // lines from top to bottom
	}{
		{bot.Line{Left: "ランチ", Right: "900円", Number: "12", Group: "9/3(水)", Note: "花子"}, "9/3(水) / 12 ランチ 花子 900円"},
		{bot.Line{Left: "家族みんなでの温泉旅行", Right: "98,000円", Number: "12", Note: "花子"}, "12 家族みんなでの温泉旅行 98,000円 / 花子"},
		{bot.Line{Left: "ランチ", Right: "900円", Lead: "記録しました。"}, "記録しました。 ランチ 900円"},
		{bot.Line{Left: "ドラッグストア", Right: "1,900円", Lead: "記録しました。"}, "記録しました。 / ドラッグストア 1,900円"},
	} {
		c.line.Text = "x"
		var rows []string
		for _, row := range drawingOf(t, bot.Reply{Lines: []bot.Line{c.line}}).Contents {
			var said []string
			row.walk("", func(d drawing, _ string) { said = append(said, strings.Fields(d.Text)...) })
			rows = append(rows, strings.Join(said, " "))
		}
		if got := strings.Join(rows, " / "); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// A notice is told whole, on the card and in what stands for it, whatever is cut.
func TestCardWithNotice(t *testing.T) {
	r := bot.Reply{}
	for i := range 60 {
		r.Lines = append(r.Lines, bot.Line{Text: strings.Repeat("長", 100), Role: bot.Item, Left: fmt.Sprint(i, strings.Repeat("👨‍👩‍👧‍👦", 60))})
	}
	notice := "※ 受付 2、3 のお返事は、時間内に届けられませんでした。記録はしてあります。\n※ 受付 4 のお返事は、時間内に届けられませんでした。"
	r.Lines = noted(r, notice)
	b := shown(t, must(render(r)))[0]
	if !strings.HasPrefix(b.Text, notice+"\n") {
		t.Errorf("in words: %s", b.Text)
	}
	for line := range strings.SplitSeq(notice, "\n") {
		if !strings.Contains(string(b.Messages), `"text":"`+line+`"`) {
			t.Errorf("%s is not on the card", line)
		}
	}
	many := strings.Repeat("長", 900)
	short := bot.Reply{Lines: []bot.Line{{Text: "x", Left: "x"}}}
	short.Lines = noted(short, many)
	if b := shown(t, must(render(short)))[0]; !strings.Contains(string(b.Messages), many) {
		t.Error("a long notice is cut")
	}
}

// What was done stands above; what else stands before an item is only for plain text.
func TestCardOfWhatWasDone(t *testing.T) {
	r := bot.Reply{Lines: []bot.Line{
		{Text: "記録しました。ランチ 900円", Role: bot.Item, Lead: "記録しました。", Left: "ランチ", Right: "900円"},
		{Text: "・薬 1円", Role: bot.Item, Left: "薬", Right: "1円"},
		{Text: "", Role: bot.Quiet},
		{Text: "おわり"},
	}}
	var said []string
	drawingOf(t, r).walk("", func(d drawing, _ string) {
		if d.Text != "" {
			said = append(said, d.Text)
		}
	})
	if got := strings.Join(strings.Fields(strings.Join(said, " ")), " "); got != "記録しました。 ランチ 900円 薬 1円 おわり" {
		t.Error(got)
	}
}

// What takes back is set apart; chips stand in as few rows as they fit in.
func TestCardChips(t *testing.T) {
	for _, c := range []struct {
		labels string // those with ! take back
		rows   string
	}{
		{"", ""},
		{"取消!", "取消"},
		{"元に戻す!", "元に戻す"},
		{"取消! →食費 →日用品 →交通費 →娯楽", "取消 →食費 →日用品 / →交通費 →娯楽"},
		{"a b c", "a b c"},
		{"a b c d e", "a b c d e"},
		{"一覧 今月", "一覧 今月"},
		{"一覧", "一覧"},
		{"食費として記録する b c", "食費として記録する b c"},
		{"→Entertainment →Socialising →Transport →Food", "→Entertainment →Socialising / →Transport →Food"},
		{"食費として記録する何か 日用品として記録する", "食費として記録する何か / 日用品として記録する"},
		{"食費で記録 日用品で記録 交通費で記録", "食費で記録 日用品で記録 / 交通費で記録"},
		{"a 取消!", "a 取消"},
	} {
		r := bot.Reply{Lines: []bot.Line{{Text: "x", Left: "x"}}}
		for _, label := range strings.Fields(c.labels) {
			b := bot.Button{Label: strings.TrimSuffix(label, "!"), Text: "x"}
			if b.Label != label {
				if b.Tap = "undo:1:x"; b.Label == "元に戻す" {
					b.Tap = "redo:1:x"
				}
			}
			r.Buttons = append(r.Buttons, b)
		}
		var rows []string
		for i, row := range drawingOf(t, r).Contents[1:] {
			if apart := row.Contents[0].Flex != nil && *row.Contents[0].Flex == 0; apart != (i == 0 && strings.Contains(strings.Fields(c.labels)[0], "!")) {
				t.Errorf("%s: row %d stands apart: %v", c.labels, i, apart)
			}
			var labels []string
			for _, place := range row.Contents {
				label := "-"
				if place.Action != nil {
					label = place.Action.Label
				}
				labels = append(labels, label)
			}
			rows = append(rows, strings.Join(labels, " "))
		}
		if got := strings.Join(rows, " / "); got != c.rows {
			t.Errorf("%s: %s", c.labels, got)
		}
	}
}

// How many lines are missing is told where they are missing.
func TestShortened(t *testing.T) {
	var lines []bot.Line
	for i := range 5 {
		lines = append(lines, bot.Line{Text: fmt.Sprint(i)})
	}
	for want, fits := range map[string][]bool{
		"0 1 2 3 4":    {true, true, true, true, true},
		"0 1 … +2 4":   {true, true, false, false, true},
		"… +5":         make([]bool, 5),
		"0 … +2 2 4":   {true, false, true, false, true},
		"0 1 2 3 … +1": {true, true, true, true, false},
	} {
		got := bot.Reply{Lines: shortened(slices.Clone(lines), fits)}.Text()
		if got = strings.ReplaceAll(got, "\n", " "); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
