package line

import (
	"ichido/bot"
)

// Sizes of texts, in pixels, and what is between two of them in one line.
const (
	sizeXS = 13
	sizeSM = 14
	sizeMD = 16
	sizeLG = 19
	gap    = 8
)

// cardItem is an item of a card, or its head: the words that are set apart.
type cardItem struct {
	group, number, lead, left, note, figure string
	large                                   bool
}

func itemOf(l *bot.Line) cardItem {
	it := cardItem{
		group: words(l.Group, maxNote), number: words(l.Number, maxNote), lead: words(l.Lead, maxNote),
		left: words(l.Left, maxWhat), note: words(l.Note, maxNote), figure: words(l.Right, maxFigure),
		large: l.Role == bot.Head || l.Lead != "",
	}
	if blank(it.left) {
		it.left = "…"
	}
	return it
}

func words(s string, limit int) string {
	if s == "" {
		return ""
	}
	return cutGraphemes(visible(s), limit)
}

// leadBeside says whether what was done finds room before what it was done to.
func (it *cardItem) leadBeside() bool {
	return !blank(it.lead) && it.row()+width(it.lead, sizeXS)+gap <= inside
}

// noteBeside says whether the small print finds room behind what it is about.
func (it *cardItem) noteBeside(leadBeside bool) bool {
	taken := it.row() + width(it.note, sizeXS) + gap
	if leadBeside {
		taken += width(it.lead, sizeXS) + gap
	}
	return taken <= inside
}

// row is how wide the rest of the item is.
func (it *cardItem) row() int {
	left := sizeSM
	if it.large {
		left = sizeMD
	}
	w := width(it.left, left) + gap + width(it.figure, it.figureSize())
	if it.number != "" {
		w += width(it.number, sizeXS) + gap
	}
	return w
}

func (it *cardItem) figureSize() int {
	if it.large {
		return sizeLG
	}
	return sizeSM
}

func (it *cardItem) figureLooks(l *bot.Line) *looks {
	switch {
	case it.large:
		return totalLooks
	case l.Whole && l.Bar > 1000:
		return overLooks
	}
	return figureLooks
}

// what draws all but the figure, in one text.
func (it *cardItem) what(leadBeside, noteBeside bool) componentJSON {
	c := componentJSON{Type: "text", looks: textLooks}
	if it.large {
		c.looks = headLooks
	}
	spans := make([]componentJSON, 0, 4)
	if !blank(it.number) {
		spans = append(spans, componentJSON{Type: "span", Text: it.number + "  ", looks: noteLooks})
	}
	if leadBeside {
		spans = append(spans, componentJSON{Type: "span", Text: it.lead + " ", looks: besideLooks})
	}
	spans = append(spans, componentJSON{Type: "span", Text: it.left})
	if noteBeside && !blank(it.note) {
		spans = append(spans, componentJSON{Type: "span", Text: "  " + it.note, looks: noteLooks})
	}
	if len(spans) == 1 {
		c.Text = it.left
		return c
	}
	c.Contents = spans
	return c
}

// width is about how many pixels a text takes: a letter of half width is some 0.53 em.
func width(s string, size int) int {
	hundredths := 0
	for _, r := range s {
		if r >= 0x1100 {
			hundredths += 100
		} else {
			hundredths += 53
		}
	}
	return (hundredths*size + 99) / 100
}
