package line

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"ichido/bot"
)

// The colours of a card. A bubble is white in LINE's dark mode, too, unless it says
// otherwise; all that can be read has a contrast of at least 4.5 (WCAG 1.4.3).
const (
	paper  = "#FFFFFF"
	ink    = "#16211C"
	faint  = "#56615B" // small print
	accent = "#0B6B4F" // what was done, and bars
	over   = "#B3261E" // more than there is
	track  = "#E6EBE8" // the whole, of which a bar is a part
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

// inside is how many pixels of a card's width its parts share, on a narrow phone.
const inside = 252

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
	cardLooks = &looks{Spacing: "sm", Padding: "12px", Background: paper}

	leadLooks   = &looks{Size: "xs", Color: accent, Weight: "bold", Wrap: true, Scaling: true} // what was done
	headLooks   = &looks{Size: "md", Color: ink, Weight: "bold", Wrap: true, Scaling: true}
	totalLooks  = &looks{Size: "lg", Color: ink, Weight: "bold", Scaling: true} // the figure of a head
	textLooks   = &looks{Size: "sm", Color: ink, Wrap: true, Scaling: true}
	quietLooks  = &looks{Size: "xs", Color: faint, Wrap: true, Scaling: true}
	noticeLooks = &looks{Size: "sm", Color: ink, Wrap: true, Scaling: true, Margin: "lg"}
	groupLooks  = &looks{Size: "xs", Color: faint, Weight: "bold", Wrap: true, Scaling: true, Margin: "lg"}

	// Spans grow and wrap as the text does that they are of.
	besideLooks = &looks{Size: "xs", Color: accent} // what was done, before what it was done to
	noteLooks   = &looks{Size: "xs", Color: faint, Weight: "regular"}

	itemLooks       = &looks{Spacing: "md"}
	barredLooks     = &looks{Spacing: "md", Margin: "md"} // an item above its bar
	figureLooks     = &looks{Size: "sm", Color: ink, Scaling: true}
	overLooks       = &looks{Size: "sm", Color: over, Weight: "bold", Scaling: true}
	belowLooks      = &looks{Size: "sm", Color: ink, Align: "end", Wrap: true, Scaling: true, Margin: "xs"} // a figure too wide to stand beside
	smallPrintLooks = &looks{Size: "xs", Color: faint, Wrap: true, Scaling: true, Margin: "none"}
	barLooks        = &looks{Margin: "xs", Height: "6px", Radius: "3px", Background: accent}
	usedLooks       = &looks{Height: "6px", Background: accent} // of a track
	overUsedLooks   = &looks{Height: "6px", Background: over}
	trackLooks      = &looks{Margin: "xs", Height: "6px", Radius: "3px", Background: track}
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

// altText is what stands where no card can be seen: in notifications and quotes. A
// notice stands first where something must be cut.
func altText(r bot.Reply) string {
	text := visible(r.Text())
	notices := slices.IndexFunc(r.Lines, func(l bot.Line) bool { return l.Role == bot.Notice })
	if notices >= 0 && units(text) > maxAltText {
		first := bot.Reply{Lines: slices.Concat(r.Lines[notices:], r.Lines[:notices])}
		text = visible(first.Text())
	}
	return cutUnits(text, maxAltText)
}

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
	case bot.Notice:
		t.Text, t.looks = cutUnits(visible(l.Text), maxText), noticeLooks
	}
	if blank(t.Text) {
		return to
	}
	return append(to, t)
}

// appendItem draws what is set apart: what, with its small print, and its figure. What
// the answer is about is larger: a head, and what was done something to.
func appendItem(to []componentJSON, l *bot.Line) []componentJSON {
	it := itemOf(l)
	if !blank(it.group) {
		to = append(to, componentJSON{Type: "text", Text: it.group, looks: groupLooks})
	}
	beside := it.leadBeside()
	if !beside && !blank(it.lead) {
		to = append(to, componentJSON{Type: "text", Text: it.lead, looks: leadLooks})
	}
	noteBeside := it.noteBeside(beside)
	what := it.what(beside, noteBeside)
	figure := componentJSON{Type: "text", Text: it.figure, looks: it.figureLooks(l)}
	switch {
	case blank(it.figure):
		to = append(to, what)
	case width(it.figure, it.figureSize()) > inside*2/3:
		figure.looks = belowLooks
		to = append(to, what, figure)
	default:
		figure.Flex = asWideAsItIs
		row := componentJSON{Type: "box", Layout: "baseline", Contents: []componentJSON{what, figure}, looks: itemLooks}
		if len(to) > 0 && (l.Bar > 0 || l.Whole) {
			row.looks = barredLooks
		}
		to = append(to, row)
	}
	if !noteBeside && !blank(it.note) {
		to = append(to, componentJSON{Type: "text", Text: it.note, looks: smallPrintLooks})
	}
	return appendBar(to, l)
}

// appendBar draws the bar of a line, if it has one. That of a whole lies on it.
func appendBar(to []componentJSON, l *bot.Line) []componentJSON {
	b := bar(l.Bar)
	switch {
	case l.Whole:
		whole := componentJSON{Type: "box", Layout: "vertical", Contents: []componentJSON{}, looks: trackLooks}
		if b.looks = usedLooks; l.Bar > 1000 {
			b.looks = overUsedLooks
		}
		if l.Bar > 0 {
			whole.Contents = append(whole.Contents, b)
		}
		return append(to, whole)
	case l.Bar > 0:
		return append(to, b)
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

// fitting shortens a reply whose card is too large: buttons that are too many go, then
// lines, the last items first and notices last; how many lines are not there is said in their place.
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
	for rank := range 3 {
		for i := range r.Lines {
			if rankOf(r.Lines[i].Role) != rank {
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

// rankOf is how soon lines of the role find room in a card.
func rankOf(role bot.Role) int {
	switch role {
	case bot.Notice:
		return 0
	case bot.Item:
		return 2
	}
	return 1
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
