package line

import (
	"cmp"
	"slices"
	"strings"

	"ichido/bot"
)

// The looks of what can be pressed on a card. With the text's own height, 32 pixels or
// more can be hit.
var (
	undoLooks     = &looks{Padding: "8px", Radius: "8px", Background: back}
	chipLooks     = &looks{Padding: "8px", Radius: "8px", Background: chip}
	labelLooks    = &looks{Size: "xs", Color: ink, Align: "center", Wrap: true, Scaling: true}
	firstRowLooks = &looks{Spacing: "6px", Margin: "md"}
	rowLooks      = &looks{Spacing: "6px", Margin: "6px"}
)

// Pixels of chips: their labels' size, what is beside a label, and between two chips.
const (
	labelSize   = 13
	chipPadding = 16
	chipGap     = 6
)

// flexes are the shares that chips of the widths in pixels have in their row.
var flexes = func() (all [inside + 1]int) {
	for i := range all {
		all[i] = i
	}
	return all
}()

// appendChips draws the buttons in as few rows as they fit in. What takes back is set
// apart: it comes first, in another colour, and no wider than it must be.
func appendChips(to []componentJSON, buttons []bot.Button) []componentJSON {
	buttons = usable(buttons)
	if len(buttons) == 0 {
		return to
	}
	chips, widths := chipsOf(buttons)
	if takesBack(&buttons[0]) {
		chips[0].looks, chips[0].Flex = undoLooks, asWideAsItIs
	}
	margin := firstRowLooks
	for _, n := range rowsOf(widths) {
		share(chips[:n], widths[:n])
		widths = widths[n:]
		to = append(to, componentJSON{Type: "box", Layout: "horizontal", Contents: chips[:n:n], looks: margin})
		chips, margin = chips[n:], rowLooks
	}
	return to
}

// chipsOf draws each button as a box that can be pressed, and measures it.
func chipsOf(buttons []bot.Button) (chips []componentJSON, widths []int) {
	chips, widths = make([]componentJSON, len(buttons)), make([]int, len(buttons))
	labels := make([]componentJSON, len(buttons))
	actions := make([]actionJSON, len(buttons))
	for i := range buttons {
		actions[i] = action(&buttons[i])
		widths[i] = min(width(actions[i].Label, labelSize)+chipPadding, inside)
		labels[i] = componentJSON{Type: "text", Text: actions[i].Label, looks: labelLooks}
		chips[i] = componentJSON{
			Type: "box", Layout: "vertical", Contents: labels[i : i+1 : i+1], Action: &actions[i], looks: chipLooks,
		}
	}
	return chips, widths
}

// share gives chips of a row as much room as they need, where it is not enough that LINE
// gives all as much.
func share(chips []componentJSON, widths []int) {
	room, others := inside+chipGap, 0
	widest := 0
	for i, w := range widths {
		if room -= chipGap; chips[i].Flex != nil {
			room -= w
			continue
		}
		others, widest = others+1, max(widest, w)
	}
	for i := range chips {
		if chips[i].Flex == nil && others*widest > room {
			chips[i].Flex = &flexes[widths[i]]
		}
	}
}

// takesBack says whether a button takes back what the answer tells of, be it that
// something was taken back.
func takesBack(b *bot.Button) bool {
	return strings.HasPrefix(b.Tap, "undo:") || strings.HasPrefix(b.Tap, "redo:")
}

// rowsOf tells how many chips of the widths stand in each row: in as few rows as they
// need, and as many in each.
func rowsOf(widths []int) []int {
	fewest := packed(widths, len(widths))
	even := packed(widths, (len(widths)+len(fewest)-1)/len(fewest))
	if len(even) > len(fewest) {
		return fewest
	}
	return even
}

// packed fills one row after the other, with so many at the most.
func packed(widths []int, most int) (rows []int) {
	left := 0
	for _, w := range widths {
		if last := len(rows) - 1; w+chipGap <= left && rows[last] < most {
			rows[last]++
			left -= w + chipGap
			continue
		}
		rows, left = append(rows, 1), inside-w
	}
	return rows
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
