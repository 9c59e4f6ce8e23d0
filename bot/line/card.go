package line

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ichido/bot"
)

// The colours of a card. A bubble is white in LINE's dark mode, too, unless it says
// otherwise; all that can be read has a contrast of at least 4.5 (WCAG 1.4.3).
const (
	paper  = "#FFFFFF"
	ink    = "#16211C"
	faint  = "#56615B" // small print
	accent = "#0B6B4F" // what was done, and bars
	chip   = "#E7F1ED" // under what can be pressed
	back   = "#F3F1EE" // under what takes back
)

// Limits of a card's parts: grapheme clusters and bytes each; what is longer helps
// nobody to read. The bubble's own is LINE's, whichever thousand it means by 30 KB,
// with room for the frame.
const (
	maxAltText   = 400 // UTF-16 units
	maxCardBytes = 29_000
	maxChipBytes = 14_000

	maxWhat     = 80
	maxFigure   = 40
	maxNote     = 60
	maxSentence = 600
	maxBytes    = 2400 // of any of them
)

// wide is from how many columns on a figure stands on a line of its own, below what it
// is of: half of a card's width.
const wide = 20

// cardJSON is LINE's flex message, as far as it is used.
type cardJSON struct {
	Type     string     `json:"type"`
	AltText  string     `json:"altText"`
	Contents bubbleJSON `json:"contents"`
}

type bubbleJSON struct {
	Type string        `json:"type"`
	Body componentJSON `json:"body"`
}

// componentJSON is a box, a text, or a span of a text. Texts grow with the size that
// the person has chosen in LINE (scaling).
type componentJSON struct {
	Type       string          `json:"type"`
	Layout     string          `json:"layout,omitempty"`
	Text       string          `json:"text,omitempty"`
	Contents   []componentJSON `json:"contents,omitzero"` // a box can have none, and must say so
	Flex       *int            `json:"flex,omitempty"`
	Size       string          `json:"size,omitempty"`
	Color      string          `json:"color,omitempty"`
	Weight     string          `json:"weight,omitempty"`
	Align      string          `json:"align,omitempty"`
	Wrap       bool            `json:"wrap,omitempty"`
	Scaling    bool            `json:"scaling,omitempty"`
	Spacing    string          `json:"spacing,omitempty"`
	Margin     string          `json:"margin,omitempty"`
	Width      string          `json:"width,omitempty"`
	Height     string          `json:"height,omitempty"`
	Padding    string          `json:"paddingAll,omitempty"`
	Radius     string          `json:"cornerRadius,omitempty"`
	Background string          `json:"backgroundColor,omitempty"`
	Action     *actionJSON     `json:"action,omitempty"`
}

// asWideAsItIs is the flex of what takes its own width and leaves the rest to others.
var asWideAsItIs = new(int)

// drawn says whether a reply is a card: there is something to set apart.
func drawn(r bot.Reply) bool {
	return slices.ContainsFunc(r.Lines, func(l bot.Line) bool { return l.Left != "" })
}

// card draws a reply. All of it stands in one box: what was said from top to bottom,
// then what can be pressed.
func card(r bot.Reply) cardJSON {
	contents := make([]componentJSON, 0, 3*len(r.Lines)+len(r.Buttons)+1)
	for i := range r.Lines {
		contents = appendLine(contents, &r.Lines[i])
	}
	contents = appendChips(contents, r.Buttons)
	return cardJSON{"flex", altText(r), bubbleJSON{"bubble", componentJSON{
		Type: "box", Layout: "vertical", Contents: contents, Spacing: "md", Padding: "16px", Background: paper,
	}}}
}

// altText is what stands where no card can be seen: in notifications and quotes.
func altText(r bot.Reply) string { return cutUnits(visible(r.Text()), maxAltText) }

func appendLine(to []componentJSON, l *bot.Line) []componentJSON {
	if l.Left != "" {
		return appendItem(to, l)
	}
	t := written(l.Text, maxSentence, "sm", ink)
	switch l.Role {
	case bot.Head:
		t.Size, t.Weight = "md", "bold"
	case bot.Quiet:
		t.Size, t.Color = "xs", faint
	}
	if blank(t.Text) {
		return to
	}
	return append(to, t)
}

// appendItem draws what is set apart: what, with its small print, and its figure. A
// head says first what was done.
func appendItem(to []componentJSON, l *bot.Line) []componentJSON {
	what, figure := written(l.Left, maxWhat, "sm", ink), written(l.Right, maxFigure, "sm", ink)
	if l.Role == bot.Head {
		if done := before(l.Text, l.Left); done != "" {
			t := written(done, maxNote, "sm", accent)
			t.Weight = "bold"
			to = append(to, t)
		}
		what.Size, what.Weight, figure.Size, figure.Weight = "md", "bold", "lg", "bold"
	}
	if blank(what.Text) {
		what.Text = "…"
	}
	if note := cutGraphemes(visible(l.Note), maxNote); note != "" {
		what.Contents = []componentJSON{
			{Type: "span", Text: what.Text}, {Type: "span", Text: "  " + note, Size: "xs", Color: faint, Weight: "regular"},
		}
		what.Text = ""
	}
	switch columns := columns(figure.Text); {
	case blank(figure.Text):
		to = append(to, what)
	case columns > wide:
		figure.Align, figure.Margin = "end", "xs"
		to = append(to, what, figure)
	default:
		figure.Flex, figure.Wrap = asWideAsItIs, false
		to = append(to, componentJSON{Type: "box", Layout: "baseline", Spacing: "md", Contents: []componentJSON{what, figure}})
	}
	if l.Bar > 0 {
		to = append(to, bar(l.Bar))
	}
	return to
}

// before is what stands in a line before what is set apart.
func before(line, what string) string {
	done, _, found := strings.Cut(line, what)
	if !found {
		return ""
	}
	return strings.TrimSpace(visible(done))
}

// bar is as long as the per mille of the card's width.
func bar(permille int) componentJSON {
	percent := min(max((permille+5)/10, 1), 100)
	return componentJSON{
		Type: "box", Layout: "vertical", Contents: []componentJSON{}, Margin: "xs",
		Width: strconv.Itoa(percent) + "%", Height: "6px", Radius: "3px", Background: accent,
	}
}

func written(s string, limit int, size, color string) componentJSON {
	return componentJSON{
		Type: "text", Text: cutGraphemes(visible(s), limit), Size: size, Color: color, Wrap: true, Scaling: true,
	}
}

// appendChips draws the buttons: what takes back stands by itself, all others in a
// grid, as many side by side as the longest label allows.
func appendChips(to []componentJSON, buttons []bot.Button) []componentJSON {
	buttons = usable(buttons)
	if len(buttons) > 0 && takesBack(&buttons[0]) {
		undo := chipOf(&buttons[0], back)
		undo.Flex = asWideAsItIs
		to = append(to, componentJSON{Type: "box", Layout: "horizontal", Margin: "lg", Contents: []componentJSON{undo}})
		buttons = buttons[1:]
	}
	across := sideBySide(buttons)
	for i := 0; i < len(buttons); i += across {
		row := componentJSON{Type: "box", Layout: "horizontal", Spacing: "md", Contents: make([]componentJSON, across)}
		if i == 0 {
			row.Margin = "lg"
		}
		for j := range row.Contents {
			if i+j < len(buttons) {
				row.Contents[j] = chipOf(&buttons[i+j], chip)
			} else {
				row.Contents[j] = componentJSON{Type: "box", Layout: "vertical", Contents: []componentJSON{}}
			}
		}
		to = append(to, row)
	}
	return to
}

// takesBack says whether a button takes back what the answer tells of.
func takesBack(b *bot.Button) bool {
	verb, _, _ := strings.Cut(b.Tap, ":")
	return verb == "undo"
}

// sideBySide is how many chips stand in one row. A card has some 32 columns.
func sideBySide(buttons []bot.Button) int {
	longest := 0
	for i := range buttons {
		longest = max(longest, columns(buttons[i].Label))
	}
	switch {
	case longest > 14:
		return 1
	case longest > 9 || len(buttons) == 2 || len(buttons) == 4:
		return 2
	}
	return min(max(len(buttons), 1), 3)
}

func chipOf(b *bot.Button, ground string) componentJSON {
	a := action(b)
	return componentJSON{
		Type: "box", Layout: "vertical", Padding: "9px", Radius: "8px", Background: ground, Action: &a,
		Contents: []componentJSON{{Type: "text", Text: a.Label, Size: "sm", Color: ink, Align: "center", Wrap: true, Scaling: true}},
	}
}

// columns is about how wide a text is, in half-width characters.
func columns(s string) (n int) {
	for _, r := range s {
		if n++; r >= 0x1100 {
			n++
		}
	}
	return n
}

// fitting shortens a reply whose card is too large: buttons that are too many go, then
// lines, the last items first; how many lines are not there is said in their place.
func fitting(r bot.Reply) (bot.Reply, error) {
	r.Buttons = usable(r.Buttons)
	chips := 0
	for i := range r.Buttons {
		n, err := bytesOf(appendChips(nil, r.Buttons[i:i+1]))
		if err != nil {
			return r, err
		}
		if chips+n > maxChipBytes {
			r.Buttons = r.Buttons[:i]
			break
		}
		chips += n
	}
	room := maxCardBytes - chips
	fits := make([]bool, len(r.Lines))
	for _, items := range []bool{false, true} {
		for i := range r.Lines {
			if (r.Lines[i].Role == bot.Item) != items {
				continue
			}
			n, err := bytesOf(appendLine(nil, &r.Lines[i]))
			if err != nil {
				return r, err
			}
			if room -= n; room < 0 {
				break
			}
			fits[i] = true
		}
	}
	r.Lines = shortened(r.Lines, fits)
	return r, nil
}

// shortened leaves out lines that do not fit, and says how many.
func shortened(lines []bot.Line, fits []bool) []bot.Line {
	var kept []bot.Line
	place, missing := -1, 0
	for i, l := range lines {
		switch {
		case fits[i]:
			kept = append(kept, l)
		case missing == 0:
			place, missing = len(kept), 1
		default:
			missing++
		}
	}
	if missing == 0 {
		return kept
	}
	return slices.Insert(kept, place, bot.Line{Text: fmt.Sprintf("… +%d", missing), Role: bot.Quiet})
}

// bytesOf is how much components take in a card.
func bytesOf(components []componentJSON) (int, error) {
	encoded, err := json.Marshal(components)
	if err != nil {
		return 0, fmt.Errorf("measuring a card: %w", err)
	}
	return len(encoded), nil
}

// usable are the buttons that LINE takes and a person can read, no more than LINE has
// quick replies. An operation that is cut would be another one.
func usable(buttons []bot.Button) []bot.Button {
	ok := func(b bot.Button) bool { return len(b.Tap) <= maxData && !blank(visible(b.Label)) }
	if len(buttons) <= maxButtons && !slices.ContainsFunc(buttons, func(b bot.Button) bool { return !ok(b) }) {
		return buttons
	}
	var usable []bot.Button
	for _, b := range buttons {
		if ok(b) && len(usable) < maxButtons {
			usable = append(usable, b)
		}
	}
	return usable
}

// saidBy is what a button says or shows: at least its label.
func saidBy(b *bot.Button) string {
	return cutGraphemes(cmp.Or(visible(b.Text), visible(b.Label)), maxButtonText)
}
