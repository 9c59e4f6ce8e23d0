package linesim

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Limits of a message (LINE reference). Text is counted in UTF-16 units, labels
// and what is said in a person's name in grapheme clusters.
const (
	maxMessages     = 5
	maxText         = 5000
	maxAltText      = 400
	maxQuickReplies = 13
	maxQuickLabel   = 20
	maxLabel        = 40
	maxData         = 300
	maxSaid         = 300
	maxBubbleBytes  = 30 << 10
	maxFlexBytes    = 50 << 10
	maxCarousel     = 12
)

var (
	messageTypes = []string{"text", "textV2", "sticker", "image", "video", "audio", "location", "imagemap", "template", "flex", "coupon"}
	actionTypes  = []string{"message", "postback", "uri", "datetimepicker", "camera", "cameraRoll", "location", "richmenuswitch", "clipboard"}
)

// component is the place of a flex component or bubble in a list.
var component = regexp.MustCompile(`\.contents\[\d+\]$`)

// readMessages turns the messages of a request into bubbles, or tells what LINE
// finds wrong with them.
func readMessages(raw []json.RawMessage) ([]Bubble, []detail) {
	if len(raw) < 1 || len(raw) > maxMessages {
		return nil, []detail{{fmt.Sprintf("Size must be between 1 and %d", maxMessages), "messages"}}
	}
	var rd reader
	bubbles := make([]Bubble, len(raw))
	for i, m := range raw {
		bubbles[i] = rd.message(m, fmt.Sprintf("messages[%d]", i))
		if i < len(raw)-1 {
			bubbles[i].QuickReplies = nil // LINE shows those of the last message
		}
	}
	return bubbles, rd.details
}

// reader walks through message objects and collects what is wrong.
type reader struct{ details []detail }

func (rd *reader) fail(at, format string, args ...any) {
	rd.details = append(rd.details, detail{fmt.Sprintf(format, args...), at})
}

func (rd *reader) message(raw json.RawMessage, at string) Bubble {
	b := Bubble{Messages: slices.Clone(raw)}
	var m struct {
		Type, Text, AltText string
		Contents            any
		QuickReply          struct{ Items []any }
	}
	if json.Unmarshal(raw, &m) != nil {
		rd.fail(at, "Must be a message object")
		return b
	}
	b.Text = m.Text
	switch {
	case !slices.Contains(messageTypes, m.Type):
		rd.fail(at+".type", "Must be one of the following values: %v", messageTypes)
	case m.Type == "text" || m.Type == "textV2":
		rd.length(at+".text", utf16Len(m.Text), maxText)
	case m.Type == "flex" || m.Type == "template" || m.Type == "imagemap":
		b.Text = m.AltText
		rd.length(at+".altText", utf16Len(m.AltText), maxAltText)
		if m.Type == "flex" {
			rd.flex(m.Contents, at+".contents")
		}
		var tree map[string]any
		_ = json.Unmarshal(raw, &tree) // it was readable above
		delete(tree, "quickReply")
		rd.tree(tree, at, &b.Buttons)
	}
	rd.quickReplies(m.QuickReply.Items, at+".quickReply.items", &b.QuickReplies)
	return b
}

// length checks a text that must not be empty.
func (rd *reader) length(at string, n, limit int) {
	switch {
	case n == 0:
		rd.fail(at, "May not be empty")
	case n > limit:
		rd.fail(at, "Length must be between 0 and %d", limit)
	}
}

func (rd *reader) quickReplies(items []any, at string, into *[]Button) {
	if len(items) > maxQuickReplies {
		rd.fail(at, "Size must be between 0 and %d", maxQuickReplies)
	}
	for i, item := range items {
		at := fmt.Sprintf("%s[%d]", at, i)
		o, _ := item.(map[string]any)
		if o["type"] != "action" {
			rd.fail(at+".type", "Must be one of the following values: [action]")
		}
		rd.action(o["action"], at+".action", maxQuickLabel, into)
	}
}

// flex checks the sizes of a flex message's container.
func (rd *reader) flex(contents any, at string) {
	container, ok := contents.(map[string]any)
	switch list, _ := container["contents"].([]any); {
	case !ok:
		rd.fail(at, "May not be empty")
	case container["type"] == "bubble":
		rd.bytes(at, container, maxBubbleBytes)
	case container["type"] != "carousel":
		rd.fail(at+".type", "Must be one of the following values: [bubble, carousel]")
	case len(list) < 1 || len(list) > maxCarousel:
		rd.fail(at+".contents", "Size must be between 1 and %d", maxCarousel)
	default:
		rd.bytes(at, container, maxFlexBytes)
		for i, bubble := range list {
			rd.bytes(fmt.Sprintf("%s.contents[%d]", at, i), bubble, maxBubbleBytes)
		}
	}
}

func (rd *reader) bytes(at string, v any, limit int) {
	if n := len(encode(v)); n > limit {
		rd.fail(at, "Must be at most %d bytes, is %d", limit, n)
	}
}

// tree looks at every object below v: components need a type, and what can be
// pressed goes to buttons in the order of its place.
func (rd *reader) tree(v any, at string, buttons *[]Button) {
	switch v := v.(type) {
	case []any:
		for i, item := range v {
			rd.tree(item, fmt.Sprintf("%s[%d]", at, i), buttons)
		}
	case map[string]any:
		if v["type"] == "" || v["type"] == nil && component.MatchString(at) {
			rd.fail(at+".type", "May not be empty")
		}
		for _, key := range placed(v) {
			switch at := at + "." + key; key {
			case "action", "defaultAction":
				rd.action(v[key], at, maxLabel, buttons)
			case "actions":
				list, _ := v[key].([]any)
				for i, a := range list {
					rd.action(a, fmt.Sprintf("%s[%d]", at, i), maxQuickLabel, buttons)
				}
			default:
				rd.tree(v[key], at, buttons)
			}
		}
	}
}

// placed are the keys of an object from top to bottom of what is shown.
func placed(o map[string]any) []string {
	order := []string{"header", "hero", "body", "contents", "footer"}
	keys := make([]string, 0, len(o))
	for key := range o {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int {
		if d := slices.Index(order, a) - slices.Index(order, b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return keys
}

func (rd *reader) action(v any, at string, labelLimit int, into *[]Button) {
	o, _ := v.(map[string]any)
	field := func(key string) string { s, _ := o[key].(string); return s }
	b := Button{Type: field("type"), Label: field("label"), Data: field("data")}
	said := "text"
	if b.Type == "postback" {
		said = "displayText"
	}
	b.Text = field(said)
	if !slices.Contains(actionTypes, b.Type) {
		rd.fail(at+".type", "Must be one of the following values: %v", actionTypes)
	}
	if graphemes(b.Label) > labelLimit {
		rd.fail(at+".label", "Length must be between 0 and %d", labelLimit)
	}
	if graphemes(b.Text) > maxSaid {
		rd.fail(at+"."+said, "Length must be between 0 and %d", maxSaid)
	}
	if b.Type == "message" && b.Text == "" {
		rd.fail(at+".text", "May not be empty")
	}
	if b.Type == "postback" || b.Type == "datetimepicker" {
		rd.length(at+".data", utf16Len(b.Data), maxData)
	}
	*into = append(*into, b)
}

func utf16Len(s string) int { return len(utf16.Encode([]rune(s))) }

// graphemes counts what a reader takes for one character: Unicode's grapheme
// clusters as far as Japanese and emoji need them (combining marks, skin tones,
// joined emoji, flags). Elsewhere it may count more than LINE does.
func graphemes(s string) int {
	n, joined, flag := 0, false, false
	for _, r := range s {
		regional := r >= 0x1F1E6 && r <= 0x1F1FF
		extends := unicode.In(r, unicode.Mn, unicode.Me, unicode.Mc) ||
			r == '\u200d' || r >= 0x1F3FB && r <= 0x1F3FF || r >= 0xE0020 && r <= 0xE007F
		if !extends && !joined && !(regional && flag) {
			n++
		}
		flag = regional && !flag
		joined = r == '\u200d'
	}
	return n
}
