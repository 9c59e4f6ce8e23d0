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

// componentJSON is a box, a text, or a span of a text, with its looks.
type componentJSON struct {
	Type     string          `json:"type"`
	Layout   string          `json:"layout,omitempty"`
	Text     string          `json:"text,omitempty"`
	Contents []componentJSON `json:"contents,omitzero"` // a box can have none, and must say so
	Width    string          `json:"width,omitempty"`
	Flex     *int            `json:"flex,omitempty"`
	Action   *actionJSON     `json:"action,omitempty"`
	*looks
}

// looks are shared by what looks the same: they are not written for each answer.
type looks struct {
	Size       string `json:"size,omitempty"`
	Color      string `json:"color,omitempty"`
	Weight     string `json:"weight,omitempty"`
	Align      string `json:"align,omitempty"`
	Wrap       bool   `json:"wrap,omitempty"`
	Scaling    bool   `json:"scaling,omitempty"` // grows with the size that the person has chosen in LINE
	Spacing    string `json:"spacing,omitempty"`
	Margin     string `json:"margin,omitempty"`
	Height     string `json:"height,omitempty"`
	Padding    string `json:"paddingAll,omitempty"`
	Radius     string `json:"cornerRadius,omitempty"`
	Background string `json:"backgroundColor,omitempty"`
}

// The looks of the parts of a card.
var (
	cardLooks = &looks{Spacing: "md", Padding: "16px", Background: paper}

	leadLooks  = &looks{Size: "sm", Color: accent, Weight: "bold", Wrap: true, Scaling: true} // what was done
	headLooks  = &looks{Size: "md", Color: ink, Weight: "bold", Wrap: true, Scaling: true}
	totalLooks = &looks{Size: "lg", Color: ink, Weight: "bold", Scaling: true} // the figure of a head
	textLooks  = &looks{Size: "sm", Color: ink, Wrap: true, Scaling: true}
	quietLooks = &looks{Size: "xs", Color: faint, Wrap: true, Scaling: true}
	noteLooks  = &looks{Size: "xs", Color: faint, Weight: "regular"}

	itemLooks   = &looks{Spacing: "md"}
	figureLooks = &looks{Size: "sm", Color: ink, Scaling: true}
	belowLooks  = &looks{Size: "sm", Color: ink, Align: "end", Wrap: true, Scaling: true, Margin: "xs"} // a figure too wide to stand beside
	barLooks    = &looks{Margin: "xs", Height: "6px", Radius: "3px", Background: accent}

	undoLooks     = &looks{Padding: "9px", Radius: "8px", Background: back}
	chipLooks     = &looks{Padding: "9px", Radius: "8px", Background: chip}
	labelLooks    = &looks{Size: "sm", Color: ink, Align: "center", Wrap: true, Scaling: true}
	firstRowLooks = &looks{Spacing: "md", Margin: "lg"}
	rowLooks      = &looks{Spacing: "md"}
)

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
	body := componentJSON{Type: "box", Layout: "vertical", Contents: contents, looks: cardLooks}
	return cardJSON{"flex", altText(r), bubbleJSON{"bubble", body}}
}

// altText is what stands where no card can be seen: in notifications and quotes.
func altText(r bot.Reply) string { return cutUnits(visible(r.Text()), maxAltText) }

func appendLine(to []componentJSON, l *bot.Line) []componentJSON {
	if l.Left != "" {
		return appendItem(to, l)
	}
	t := written(l.Text, maxSentence, textLooks)
	switch l.Role {
	case bot.Head:
		t.looks = headLooks
	case bot.Quiet:
		t.looks = quietLooks
	}
	if blank(t.Text) {
		return to
	}
	return append(to, t)
}

// appendItem draws what is set apart: what, with its small print, and its figure. What
// the answer is about is larger: a head, and what stands below what was done.
func appendItem(to []componentJSON, l *bot.Line) []componentJSON {
	what, figure := written(l.Left, maxWhat, textLooks), written(l.Right, maxFigure, figureLooks)
	if lead := written(l.Lead, maxNote, leadLooks); !blank(lead.Text) {
		to = append(to, lead)
	}
	if l.Role == bot.Head || l.Lead != "" {
		what.looks, figure.looks = headLooks, totalLooks
	}
	if blank(what.Text) {
		what.Text = "…"
	}
	if note := cutGraphemes(visible(l.Note), maxNote); !blank(note) {
		what.Contents = []componentJSON{{Type: "span", Text: what.Text}, {Type: "span", Text: "  " + note, looks: noteLooks}}
		what.Text = ""
	}
	switch {
	case blank(figure.Text):
		to = append(to, what)
	case columns(figure.Text) > wide:
		figure.looks = belowLooks
		to = append(to, what, figure)
	default:
		figure.Flex = asWideAsItIs
		to = append(to, componentJSON{Type: "box", Layout: "baseline", Contents: []componentJSON{what, figure}, looks: itemLooks})
	}
	if l.Bar > 0 {
		to = append(to, bar(l.Bar))
	}
	return to
}

// bar is as long as the per mille of the card's width.
func bar(permille int) componentJSON {
	percent := min(max((permille+5)/10, 1), 100)
	return componentJSON{
		Type: "box", Layout: "vertical", Contents: []componentJSON{}, Width: strconv.Itoa(percent) + "%", looks: barLooks,
	}
}

func written(s string, limit int, l *looks) componentJSON {
	return componentJSON{Type: "text", Text: cutGraphemes(visible(s), limit), looks: l}
}

// appendChips draws the buttons: what takes back stands by itself, all others in a
// grid, as many side by side as the longest label allows.
func appendChips(to []componentJSON, buttons []bot.Button) []componentJSON {
	buttons = usable(buttons)
	chips := chipsOf(buttons)
	if len(buttons) > 0 && takesBack(&buttons[0]) {
		chips[0].looks, chips[0].Flex = undoLooks, asWideAsItIs
		to = append(to, componentJSON{Type: "box", Layout: "horizontal", Contents: chips[:1:1], looks: firstRowLooks})
		buttons, chips = buttons[1:], chips[1:]
	}
	across := sideBySide(buttons)
	for first := true; len(chips) > 0; first = false {
		row := componentJSON{Type: "box", Layout: "horizontal", looks: rowLooks}
		if first {
			row.looks = firstRowLooks
		}
		n := min(across, len(chips))
		row.Contents, chips = chips[:n:n], chips[n:]
		for range across - n { // the grid goes on
			row.Contents = append(row.Contents, componentJSON{Type: "box", Layout: "vertical", Contents: []componentJSON{}})
		}
		to = append(to, row)
	}
	return to
}

// chipsOf draws each button as a box that can be pressed.
func chipsOf(buttons []bot.Button) []componentJSON {
	chips := make([]componentJSON, len(buttons))
	labels := make([]componentJSON, len(buttons))
	actions := make([]actionJSON, len(buttons))
	for i := range buttons {
		actions[i] = action(&buttons[i])
		labels[i] = componentJSON{Type: "text", Text: actions[i].Label, looks: labelLooks}
		chips[i] = componentJSON{Type: "box", Layout: "vertical", Contents: labels[i : i+1 : i+1], Action: &actions[i], looks: chipLooks}
	}
	return chips
}

// takesBack says whether a button takes back what the answer tells of, be it that
// something was taken back.
func takesBack(b *bot.Button) bool {
	return strings.HasPrefix(b.Tap, "undo:") || strings.HasPrefix(b.Tap, "redo:")
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
