package page

import (
	"cmp"
	"encoding/json"
	"slices"

	"ichido/internal/linesim"
)

// container is a Flex container: a bubble, or a carousel of bubbles.
type container struct {
	Type     string
	Size     string
	Contents []container // of a carousel
	Action   *action
	Header   *component
	Hero     *component
	Body     *component
	Footer   *component
	Styles   map[string]blockStyle // by the name of the block
}

type blockStyle struct {
	BackgroundColor string
	Separator       bool
	SeparatorColor  string
}

// component is any component of a bubble. Of the fields each type has some.
type component struct {
	Type     string
	Contents []component // of a box, and the spans of a text
	Action   *action

	// Of a box.
	Layout, Spacing, BackgroundColor, BorderColor, BorderWidth, CornerRadius  string
	PaddingAll, PaddingTop, PaddingBottom, PaddingStart, PaddingEnd           string
	Width, MaxWidth, Height, MaxHeight, JustifyContent, AlignItems            string
	Position, OffsetTop, OffsetBottom, OffsetStart, OffsetEnd                 string
	Text, Size, Color, Weight, Style, Decoration, Align, Gravity, LineSpacing string // of texts, some of buttons and images
	AspectRatio                                                               string // of images, "20:13"
	Margin                                                                    string
	Flex, MaxLines                                                            *int
	Wrap                                                                      bool
}

type action struct{ Type, Label, Text, DisplayText, Data string }

// node is a piece of HTML. A node with a Tap is something to press.
type node struct {
	Class string
	CSS   string // declarations; the page's script applies them, as a strict policy lets no style attribute in
	Text  string
	Role  string // "" for none
	Label string // read aloud in place of the contents; "" for the contents
	Tap   *int   // the number of the button in Buttons
	Off   bool   // of a button that tells the bot nothing
	Kids  []node
}

// Buttons are what can be pressed in a flex message, in the order of the numbers that
// the page posts: a component before what is in it, from top to bottom.
func Buttons(b linesim.Bubble) []linesim.Button {
	_, buttons, _ := drawMessage(b.Messages)
	return buttons
}

// drawMessage draws a message of the bot's. ok is false unless it is a flex message.
func drawMessage(message json.RawMessage) (n node, buttons []linesim.Button, ok bool) {
	var m struct {
		Type     string
		Contents json.RawMessage
	}
	if json.Unmarshal(message, &m) != nil || m.Type != "flex" {
		return node{}, nil, false
	}
	d := &drawer{}
	n, ok = d.flex(m.Contents)
	return n, d.buttons, ok
}

// drawer draws, and collects what can be pressed.
type drawer struct{ buttons []linesim.Button }

// flex draws the contents of a flex message.
func (d *drawer) flex(contents json.RawMessage) (n node, ok bool) {
	var c container
	if json.Unmarshal(contents, &c) != nil {
		return node{}, false
	}
	switch c.Type {
	case "bubble":
		return d.bubble(&c), true
	case "carousel":
		row := node{Class: "flex-carousel"}
		for i := range c.Contents {
			row.Kids = append(row.Kids, d.bubble(&c.Contents[i]))
		}
		return row, true
	}
	return node{}, false
}

func (d *drawer) press(n *node, a *action) {
	if a == nil {
		return
	}
	number := len(d.buttons)
	d.buttons = append(d.buttons, linesim.Button{Type: a.Type, Label: a.Label, Text: cmp.Or(a.DisplayText, a.Text), Data: a.Data})
	n.Tap, n.Role, n.Label = &number, "button", a.Label
	n.Off = !slices.Contains([]string{"message", "postback"}, a.Type)
}

var bubbleSizes = []string{"nano", "micro", "deca", "hecto", "kilo", "mega", "giga"}

func (d *drawer) bubble(c *container) node {
	size := c.Size
	if !slices.Contains(bubbleSizes, size) {
		size = "mega"
	}
	n := node{Class: "flex-bubble flex-" + size}
	d.press(&n, c.Action)
	blocks := []struct {
		name string
		root *component
	}{{"header", c.Header}, {"hero", c.Hero}, {"body", c.Body}, {"footer", c.Footer}}
	for _, b := range blocks {
		if b.root == nil {
			continue
		}
		style := c.Styles[b.name]
		if style.Separator && len(n.Kids) > 0 {
			n.Kids = append(n.Kids, node{Class: "fx-separator", CSS: declare("background-color", color(style.SeparatorColor))})
		}
		class := "flex-" + b.name
		if b.name == "body" && c.Footer != nil {
			class += " flex-footed"
		}
		block := node{Class: class, CSS: declare("background-color", color(style.BackgroundColor))}
		block.Kids = []node{d.component(b.root, "vertical")}
		n.Kids = append(n.Kids, block)
	}
	return n
}

// component draws a component in a box of the layout.
func (d *drawer) component(c *component, layout string) node {
	var n node
	switch c.Type {
	case "box":
		n = d.box(c)
	case "text":
		n = d.text(c)
	case "button":
		n = d.button(c)
	case "image", "video":
		n = d.image(c)
	case "icon":
		n = node{Class: "fx-icon", Role: "img", Label: "アイコン", CSS: declare("font-size", size(c.Size))}
	case "separator":
		n = node{Class: "fx-separator", CSS: declare("background-color", color(c.Color))}
	case "filler":
		n = node{Class: "fx-filler"}
	case "spacer":
		n = node{Class: "fx-spacer", CSS: declare("padding-top", length(c.Size))}
	default:
		n = node{Class: "fx-unknown", Text: c.Type}
	}
	n.CSS += c.place(layout)
	return n
}

// box draws its contents too. Its action comes before theirs.
func (d *drawer) box(c *component) node {
	layout := c.Layout
	if !slices.Contains([]string{"horizontal", "vertical", "baseline"}, layout) {
		layout = "vertical"
	}
	n := node{Class: "fx fx-" + layout, CSS: c.boxCSS()}
	d.press(&n, c.Action)
	for i := range c.Contents {
		child := c.Contents[i]
		if i > 0 {
			child.Margin = cmp.Or(child.Margin, c.Spacing) // a margin stands in the place of the spacing (LINE reference)
		}
		n.Kids = append(n.Kids, d.component(&child, layout))
	}
	return n
}

func (d *drawer) text(c *component) node {
	n := node{Class: "fx-text", CSS: c.textCSS(), Text: c.Text}
	switch {
	case c.MaxLines != nil && *c.MaxLines > 0 && c.Wrap:
		n.Class += " fx-wrap fx-clamp"
	case c.Wrap:
		n.Class += " fx-wrap"
	}
	d.press(&n, c.Action)
	for i := range c.Contents {
		if span := &c.Contents[i]; span.Type == "span" {
			n.Text = ""
			n.Kids = append(n.Kids, node{Class: "fx-span", CSS: span.textCSS(), Text: span.Text})
		}
	}
	return n
}

func (d *drawer) button(c *component) node {
	style := c.Style
	if style != "primary" && style != "secondary" {
		style = "link"
	}
	n := node{Class: "fx-button fx-" + style}
	if c.Height == "sm" {
		n.Class += " fx-low"
	}
	property := "background-color"
	if style == "link" {
		property = "color"
	}
	n.CSS = declare(property, color(c.Color))
	d.press(&n, c.Action)
	n.Text, n.Label = n.Label, ""
	return n
}

// image is a grey field of the picture's size: the page fetches nothing.
func (d *drawer) image(c *component) node {
	n := node{Class: "fx-image", Role: "img", Label: "画像"}
	n.CSS = declare("max-width", imageWidth(c.Size)) + declare("aspect-ratio", ratio(c.AspectRatio))
	d.press(&n, c.Action)
	return n
}
