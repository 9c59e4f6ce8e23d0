package page

import (
	"regexp"
	"strconv"
	"strings"
)

// What LINE's keywords stand for, in CSS (LINE's Flex Message simulator).
var (
	textSizes = map[string]string{
		"xxs": "11px", "xs": "13px", "sm": "14px", "md": "16px", "lg": "19px", "xl": "22px", "xxl": "29px",
		"3xl": "35px", "4xl": "48px", "5xl": "74px",
	}
	spaces     = map[string]string{"none": "0", "xs": "2px", "sm": "4px", "md": "8px", "lg": "12px", "xl": "16px", "xxl": "20px"}
	borders    = map[string]string{"none": "0", "light": "0.5px", "normal": "1px", "medium": "2px", "semi-bold": "3px", "bold": "4px"}
	imageSizes = map[string]string{
		"xxs": "40px", "xs": "60px", "sm": "80px", "md": "100px", "lg": "120px", "xl": "140px", "xxl": "160px",
		"3xl": "180px", "4xl": "200px", "5xl": "220px", "full": "100%",
	}
	aligns = map[string]string{
		"start": "start", "end": "end", "center": "center",
		"flex-start": "flex-start", "flex-end": "flex-end", "space-between": "space-between",
		"space-around": "space-around", "space-evenly": "space-evenly",
	}
	weights   = map[string]string{"regular": "400", "bold": "700"}
	gravities = map[string]string{"top": "flex-start", "bottom": "flex-end", "center": "center"}
)

var (
	colorForm  = regexp.MustCompile(`^#([0-9a-fA-F]{6}|[0-9a-fA-F]{8})$`)
	lengthForm = regexp.MustCompile(`^[0-9]{1,5}(\.[0-9]{1,4})?(px|%)$`)
	ratioForm  = regexp.MustCompile(`^([1-9][0-9]{0,4}):([1-9][0-9]{0,4})$`)
)

// declare is a declaration, or nothing for a value that is "": only what has one of the
// forms above ever becomes a value.
func declare(property, value string) string {
	if value == "" {
		return ""
	}
	return property + ":" + value + ";"
}

func color(s string) string {
	if !colorForm.MatchString(s) {
		return ""
	}
	return s
}

func keyword(table map[string]string, s string) string {
	if v, ok := table[s]; ok {
		return v
	}
	if lengthForm.MatchString(s) {
		return s
	}
	return ""
}

func length(s string) string     { return keyword(spaces, s) }
func size(s string) string       { return keyword(textSizes, s) }
func imageWidth(s string) string { return keyword(imageSizes, s) }

func ratio(s string) string {
	m := ratioForm.FindStringSubmatch(s)
	if m == nil {
		return ""
	}
	return m[1] + "/" + m[2]
}

// boxCSS is how a box looks and how it places what is in it.
func (c *component) boxCSS() string {
	var b strings.Builder
	for _, d := range [][2]string{
		{"background-color", color(c.BackgroundColor)},
		{"border-radius", length(c.CornerRadius)},
		{"padding", length(c.PaddingAll)},
		{"padding-top", length(c.PaddingTop)},
		{"padding-bottom", length(c.PaddingBottom)},
		{"padding-inline-start", length(c.PaddingStart)},
		{"padding-inline-end", length(c.PaddingEnd)},
		{"justify-content", aligns[c.JustifyContent]},
		{"align-items", aligns[c.AlignItems]},
	} {
		b.WriteString(declare(d[0], d[1]))
	}
	if width := keyword(borders, c.BorderWidth); width != "" {
		b.WriteString("border:" + width + " solid;" + declare("border-color", color(c.BorderColor)))
	}
	return b.String()
}

func (c *component) textCSS() string {
	css := declare("font-size", size(c.Size)) + declare("color", color(c.Color)) + declare("text-align", aligns[c.Align])
	css += declare("font-weight", weights[c.Weight])
	if c.Style == "italic" {
		css += "font-style:italic;"
	}
	if c.Decoration == "underline" || c.Decoration == "line-through" {
		css += declare("text-decoration", c.Decoration)
	}
	if c.MaxLines != nil && *c.MaxLines > 0 {
		css += declare("-webkit-line-clamp", strconv.Itoa(*c.MaxLines))
	}
	if s := length(c.LineSpacing); s != "" {
		css += "line-height:calc(1.4em + " + s + ");"
	}
	return css
}

// place is where a component stands in a box of the layout, and how large it is there.
func (c *component) place(layout string) string {
	css, across := c.flex(layout), layout != "vertical"
	side, gap := "margin-top", length(c.Margin)
	if c.Position == "absolute" {
		gap = ""
	}
	if across {
		side = "margin-inline-start"
	}
	css += declare(side, gap)
	if c.Type == "box" {
		css += declare("width", length(c.Width)) + declare("max-width", length(c.MaxWidth)) +
			declare("height", length(c.Height)) + declare("max-height", length(c.MaxHeight))
	}
	if g := gravities[c.Gravity]; g != "" && layout == "horizontal" {
		css += declare("align-self", g)
	}
	if c.Position == "absolute" {
		css += "position:absolute;" + declare("top", length(c.OffsetTop)) + declare("bottom", length(c.OffsetBottom)) +
			declare("inset-inline-start", length(c.OffsetStart)) + declare("inset-inline-end", length(c.OffsetEnd))
	}
	return css
}

// flex is the share of the room: in a row 1 unless the component says otherwise, has
// a width or is a rule; in a column as much as it needs.
func (c *component) flex(layout string) string {
	across := layout != "vertical"
	share := 0
	switch {
	case c.Flex != nil:
		share = max(*c.Flex, 0)
	case c.Type == "filler":
		share = 1
	case across && c.Width == "" && c.Type != "separator" && c.Type != "icon" && c.Type != "spacer":
		share = 1
	}
	switch {
	case share == 0:
		return "flex:none;"
	case across:
		return "flex:" + strconv.Itoa(share) + " 0 0;"
	}
	return "flex:" + strconv.Itoa(share) + " 0 auto;"
}
