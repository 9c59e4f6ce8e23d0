package linesim

import (
	"encoding/json"
	"slices"
)

// Limits of a flex message (LINE reference); bytes as they are sent.
const (
	maxBubbleBytes = 30 << 10
	maxFlexBytes   = 50 << 10
	maxCarousel    = 12
	maxAnimated    = 10
)

// flex reads the container of a flex message; raw is the message.
func (rd *reader) flex(raw json.RawMessage, contents any, at string) {
	container, ok := contents.(map[string]any)
	if !ok {
		rd.fail(at, "May not be empty")
		return
	}
	var sent struct {
		Contents json.RawMessage `json:"contents"`
	}
	_ = json.Unmarshal(raw, &sent) // it was readable
	switch kind, _ := container["type"].(string); kind {
	case "bubble":
		rd.bubble(container, sent.Contents, top)
	case "carousel":
		rd.carousel(container, sent.Contents, top)
	default:
		rd.oneOf(kind, []string{"bubble", "carousel"}, in(top, "type"))
	}
	if rd.animated > maxAnimated {
		rd.fail(top, "at most %d animated images", maxAnimated)
	}
}

func (rd *reader) carousel(o map[string]any, raw json.RawMessage, at string) {
	rd.known(o, []string{"type", "contents"}, at)
	rd.bytes(raw, maxFlexBytes, at)
	at = in(at, "contents")
	bubbles, _ := o["contents"].([]any)
	if len(bubbles) < 1 || len(bubbles) > maxCarousel {
		rd.fail(at, "Size must be between 1 and %d", maxCarousel)
		return
	}
	var sent struct {
		Contents []json.RawMessage `json:"contents"`
	}
	_ = json.Unmarshal(raw, &sent) // it was readable
	var size any
	for i, v := range bubbles {
		at := nth(at, i)
		bubble, _ := v.(map[string]any)
		rd.bubble(bubble, sent.Contents[i], at)
		if i == 0 {
			size = bubble["size"]
		} else if bubble["size"] != size {
			rd.fail(in(at, "size"), "bubbles of a carousel must be of one size")
		}
		if isVideo(bubble["hero"]) {
			rd.fail(in(at, "hero"), "invalid property")
		}
	}
}

func (rd *reader) bytes(raw json.RawMessage, limit int, at string) {
	if len(raw) > limit {
		rd.fail(at, "must be at most %d bytes, is %d", limit, len(raw))
	}
}

func isVideo(v any) bool {
	o, _ := v.(map[string]any)
	return o["type"] == "video"
}

// bubble reads a bubble: its blocks are boxes, the hero a picture or video as well.
func (rd *reader) bubble(o map[string]any, raw json.RawMessage, at string) {
	if o["type"] != "bubble" {
		rd.fail(in(at, "type"), "Must be one of the following values: [bubble]")
		return
	}
	rd.bytes(raw, maxBubbleBytes, at)
	rd.object(o, bubble, at)
	for _, name := range []string{"header", "hero", "body", "footer"} {
		if o[name] == nil {
			continue
		}
		allowed := []string{"box"}
		if name == "hero" {
			allowed = []string{"box", "image", "video"}
		}
		rd.component(o[name], allowed, in(at, name))
	}
	if size := o["size"]; isVideo(o["hero"]) && size != nil && size != "kilo" && size != "mega" && size != "giga" {
		rd.fail(in(at, "size"), "a video needs kilo, mega or giga")
	}
	if o["action"] != nil {
		rd.action(o["action"], inFlex, in(at, "action"))
	}
	rd.styles(o["styles"], in(at, "styles"))
}

func (rd *reader) styles(v any, at string) {
	if v == nil {
		return
	}
	o, _ := v.(map[string]any)
	rd.object(o, styles, at)
	for _, name := range placed(o) {
		block, _ := o[name].(map[string]any)
		rd.object(block, blockStyle, in(at, name))
	}
}

// component reads one of the allowed types, with all that is in it.
func (rd *reader) component(v any, allowed []string, at string) {
	o, _ := v.(map[string]any)
	kind, _ := o["type"].(string)
	switch {
	case kind == "":
		rd.fail(in(at, "type"), "must be specified")
		return
	case !slices.Contains(allowed, kind):
		rd.fail(at, "invalid property")
		return
	}
	rd.object(o, components[kind], at)
	switch kind {
	case "box":
		rd.box(o, at)
	case "text":
		rd.text(o, at)
	case "image":
		if o["animated"] == true {
			rd.animated++
		}
	case "video":
		if o["altContent"] != nil {
			rd.component(o["altContent"], []string{"box", "image"}, in(at, "altContent"))
		}
	}
	if o["action"] != nil {
		rd.action(o["action"], useIn(kind), in(at, "action"))
	}
}

// useIn is what an action is for in a type of component.
func useIn(kind string) actionUse {
	switch kind {
	case "button":
		return inButton
	case "video":
		return inVideo
	}
	return inFlex
}

// box reads what is in a box: icons and texts stand on a base line, all else does not.
func (rd *reader) box(o map[string]any, at string) {
	allowed := []string{"box", "button", "image", "text", "separator", "filler"}
	if o["layout"] == "baseline" {
		allowed = []string{"icon", "text", "filler"}
	}
	if o["background"] != nil {
		background, _ := o["background"].(map[string]any)
		rd.object(background, gradient, in(at, "background"))
	}
	list, ok := o["contents"].([]any)
	if o["contents"] != nil && !ok {
		rd.fail(in(at, "contents"), "invalid property")
	}
	for i, v := range list {
		rd.component(v, allowed, nth(in(at, "contents"), i))
	}
}

// text reads what a text says: by itself, or in spans.
func (rd *reader) text(o map[string]any, at string) {
	spans, ok := o["contents"].([]any)
	switch {
	case o["contents"] != nil && !ok:
		rd.fail(in(at, "contents"), "invalid property")
	case len(spans) == 0 || o["text"] != nil:
		rd.nonEmpty(o["text"], in(at, "text"))
	}
	for i, v := range spans {
		rd.component(v, []string{"span"}, nth(in(at, "contents"), i))
	}
}
