package linesim

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// object is what a flex object can have. A property without a rule is read by the code
// that knows what stands in it.
type object struct {
	required   []string
	properties map[string]rule
}

// rule checks the value of a property.
type rule func(rd *reader, v any, at string)

// object checks the properties of o; null is as good as none, as LINE has it.
func (rd *reader) object(o map[string]any, spec object, at string) {
	if o == nil {
		rd.fail(at, "invalid property")
		return
	}
	for _, name := range spec.required {
		if o[name] == nil {
			rd.fail(in(at, name), "must be specified")
		}
	}
	for _, name := range placed(o) {
		check, known := spec.properties[name]
		switch {
		case !known:
			rd.fail(in(at, name), "unknown field")
		case check != nil && o[name] != nil:
			check(rd, o[name], in(at, name))
		}
	}
}

// The words for sizes, each list in order of growing size.
var (
	spaces    = []string{"none", "xs", "sm", "md", "lg", "xl", "xxl"}
	fontSizes = []string{"xxs", "xs", "sm", "md", "lg", "xl", "xxl", "3xl", "4xl", "5xl"}
	borders   = []string{"none", "light", "normal", "medium", "semi-bold", "bold"}
)

// The containers and components of LINE's schema (FlexBubble, FlexBox, ...).
var (
	bubble = object{[]string{"type"}, map[string]rule{
		"type": nil, "direction": enum("ltr", "rtl"), "styles": nil, "header": nil, "hero": nil, "body": nil, "footer": nil,
		"size": enum("nano", "micro", "deca", "hecto", "kilo", "mega", "giga"), "action": nil,
	}}
	styles     = object{nil, map[string]rule{"header": nil, "hero": nil, "body": nil, "footer": nil}}
	blockStyle = object{nil, map[string]rule{"backgroundColor": color, "separator": boolean, "separatorColor": color}}
	gradient   = object{[]string{"type", "angle", "startColor", "endColor"}, map[string]rule{
		"type": enum("linearGradient"), "angle": angle, "startColor": color, "endColor": color,
		"centerColor": color, "centerPosition": matching(percent),
	}}
	components = map[string]object{
		"box": {[]string{"layout", "contents"}, with(placing, map[string]rule{
			"layout": enum("horizontal", "vertical", "baseline"), "contents": nil, "flex": natural, "action": nil,
			"spacing": length(spaces, px), "backgroundColor": color, "background": nil,
			"borderColor": color, "borderWidth": length(borders, px), "cornerRadius": length(spaces, px),
			"width": length(nil, px, percent), "maxWidth": length(nil, px, percent),
			"height": length(nil, px, percent), "maxHeight": length(nil, px, percent),
			"paddingAll": padding, "paddingTop": padding, "paddingBottom": padding, "paddingStart": padding, "paddingEnd": padding,
			"justifyContent": enum("center", "flex-start", "flex-end", "space-between", "space-around", "space-evenly"),
			"alignItems":     enum("center", "flex-start", "flex-end"),
		})},
		"button": {[]string{"action"}, with(placing, map[string]rule{
			"flex": natural, "color": color, "style": enum("primary", "secondary", "link"), "action": nil,
			"gravity": gravity, "height": enum("md", "sm"), "adjustMode": enum("shrink-to-fit"), "scaling": boolean,
		})},
		"image": {[]string{"url"}, with(placing, map[string]rule{
			"url": (*reader).https, "flex": natural, "align": align, "gravity": gravity,
			"size": length(append(slices.Clone(fontSizes), "full"), px, percent), "aspectRatio": ratio,
			"aspectMode": enum("fit", "cover"), "backgroundColor": color, "action": nil, "animated": boolean,
		})},
		"video": {[]string{"url", "previewUrl", "altContent"}, map[string]rule{
			"type": nil, "url": (*reader).https, "previewUrl": (*reader).https, "altContent": nil, "aspectRatio": ratio, "action": nil,
		}},
		"icon": {[]string{"url"}, with(placing, map[string]rule{
			"url": (*reader).https, "size": length(fontSizes, px, percent), "aspectRatio": ratio, "scaling": boolean,
		})},
		"text": {nil, with(with(placing, font), map[string]rule{
			"text": nil, "contents": nil, "flex": natural, "align": align, "gravity": gravity, "wrap": boolean,
			"lineSpacing": length(nil, px), "maxLines": natural, "action": nil,
			"adjustMode": enum("shrink-to-fit"), "scaling": boolean,
		})},
		"span":      {[]string{"text"}, with(font, map[string]rule{"type": nil, "text": (*reader).nonEmpty})},
		"separator": {nil, map[string]rule{"type": nil, "margin": length(spaces, px), "color": color}},
		"filler":    {nil, map[string]rule{"type": nil, "flex": natural}},
	}
)

// What several components have.
var (
	placing = map[string]rule{
		"type": nil, "margin": length(spaces, px), "position": enum("relative", "absolute"),
		"offsetTop": padding, "offsetBottom": padding, "offsetStart": padding, "offsetEnd": padding,
	}
	font = map[string]rule{
		"size": length(fontSizes, px), "color": color, "weight": enum("regular", "bold"),
		"style": enum("normal", "italic"), "decoration": enum("none", "underline", "line-through"),
	}
)

func with(common, own map[string]rule) map[string]rule {
	all := make(map[string]rule, len(common)+len(own))
	for _, m := range []map[string]rule{common, own} {
		for name, r := range m {
			all[name] = r
		}
	}
	return all
}

// The forms of values.
var (
	px      = regexp.MustCompile(`^\d+(\.\d+)?px$`)
	percent = regexp.MustCompile(`^(100(\.0+)?|\d{1,2}(\.\d+)?)%$`)

	color   = matching(regexp.MustCompile(`^#[0-9A-Fa-f]{6}([0-9A-Fa-f]{2})?$`))
	padding = length(spaces, px, percent)
	align   = enum("start", "end", "center")
	gravity = enum("top", "bottom", "center")
)

func enum(values ...string) rule {
	return func(rd *reader, v any, at string) {
		s, _ := v.(string)
		rd.oneOf(s, values, at)
	}
}

func matching(form *regexp.Regexp) rule { return length(nil, form) }

// length is one of the words or forms.
func length(words []string, forms ...*regexp.Regexp) rule {
	return func(rd *reader, v any, at string) {
		s, _ := v.(string)
		fits := func(form *regexp.Regexp) bool { return form.MatchString(s) }
		if !slices.Contains(words, s) && !slices.ContainsFunc(forms, fits) {
			rd.fail(at, "invalid property")
		}
	}
}

func boolean(rd *reader, v any, at string) {
	if _, ok := v.(bool); !ok {
		rd.fail(at, "invalid property")
	}
}

// natural is a whole number, not less than zero, of 32 bits.
func natural(rd *reader, v any, at string) {
	if n, ok := v.(float64); !ok || n < 0 || n != math.Trunc(n) || n > math.MaxInt32 {
		rd.fail(at, "invalid property")
	}
}

func (rd *reader) nonEmpty(v any, at string) {
	if s, _ := v.(string); s == "" {
		rd.fail(at, "must be non-empty text")
	}
}

// angle is a direction in degrees, less than 360.
func angle(rd *reader, v any, at string) {
	s, _ := v.(string)
	degrees, isAngle := strings.CutSuffix(s, "deg")
	n, err := strconv.ParseFloat(degrees, 64)
	if !isAngle || err != nil || !(n >= 0 && n < 360) {
		rd.fail(at, "invalid property")
	}
}

// ratio is width:height, each up to 100000; the height at most three times the width.
func ratio(rd *reader, v any, at string) {
	s, _ := v.(string)
	w, h, _ := strings.Cut(s, ":")
	width, errW := strconv.ParseFloat(w, 64)
	height, errH := strconv.ParseFloat(h, 64)
	fits := func(n float64) bool { return n >= 1 && n <= 100000 }
	if errW != nil || errH != nil || !fits(width) || !fits(height) || height > 3*width {
		rd.fail(at, "invalid property")
	}
}
