package linesim

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Limits of a message (LINE reference). Text is counted in UTF-16 units, labels
// and what is said in a person's name in grapheme clusters.
const (
	maxMessages     = 5
	maxText         = 5000
	maxAltText      = 400 // LINE has raised its own to 1500
	maxQuickReplies = 13
	maxSenderName   = 20
)

var messageTypes = []string{"text", "textV2", "sticker", "image", "video", "audio", "location", "imagemap", "template", "flex", "coupon"}

// fields are the properties of the messages that are checked in full.
var fields = map[string][]string{
	"text": {"type", "text", "emojis", "quoteToken", "quickReply", "sender"},
	"flex": {"type", "altText", "contents", "quickReply", "sender"},
}

// readMessages turns the messages of a request into bubbles, or is refused as LINE
// does: what is wrong with the request is told of all messages, what is wrong inside
// of a flex container of the first.
func readMessages(raw []json.RawMessage) (bubbles []Bubble, refusal answer, ok bool) {
	if len(raw) < 1 || len(raw) > maxMessages {
		return nil, badBody(detail{fmt.Sprintf("Size must be between 1 and %d", maxMessages), "messages"}), false
	}
	var all, inside []detail
	first := 0 // the message that inside is about
	bubbles = make([]Bubble, len(raw))
	for i, m := range raw {
		var rd reader
		bubbles[i] = rd.message(m, fmt.Sprintf("messages[%d]", i))
		if i < len(raw)-1 {
			bubbles[i].QuickReplies = nil // LINE shows those of the last message
		}
		all = append(all, rd.details...)
		if inside == nil {
			first, inside = i, rd.inside
		}
	}
	switch {
	case all != nil:
		return nil, badBody(all...), false
	case inside != nil:
		return nil, failure(http.StatusBadRequest, fmt.Sprintf("A message (messages[%d]) in the request body is invalid", first), inside...), false
	}
	return bubbles, answer{}, true
}

func badBody(details ...detail) answer {
	return failure(http.StatusBadRequest, fmt.Sprintf("The request body has %d error(s)", len(details)), details...)
}

// A place in the request is named as LINE names it, messages[0].text; one inside of a
// flex message by a path from its container on, /body/contents/0/text.
const top = "/"

func in(at, name string) string {
	switch {
	case at == top:
		return at + name
	case strings.HasPrefix(at, top):
		return at + "/" + name
	}
	return at + "." + name
}

func nth(at string, i int) string {
	if strings.HasPrefix(at, top) {
		return in(at, strconv.Itoa(i))
	}
	return fmt.Sprintf("%s[%d]", at, i)
}

// reader walks through a message object and collects what is wrong.
type reader struct {
	details  []detail // with the request
	inside   []detail // with the flex container
	buttons  []Button // in the order of their places
	animated int      // images so far
}

func (rd *reader) fail(at, format string, args ...any) {
	d := detail{fmt.Sprintf(format, args...), at}
	if strings.HasPrefix(at, top) {
		rd.inside = append(rd.inside, d)
	} else {
		rd.details = append(rd.details, d)
	}
}

func (rd *reader) message(raw json.RawMessage, at string) Bubble {
	b := Bubble{Messages: slices.Clone(raw)}
	var m map[string]any
	if json.Unmarshal(raw, &m) != nil || m == nil {
		rd.fail(at, "Must be a message object")
		return b
	}
	kind, _ := m["type"].(string)
	rd.known(m, fields[kind], at)
	switch kind {
	case "text", "textV2":
		b.Text = rd.units(m, "text", maxText, at)
	case "flex", "template", "imagemap":
		b.Text = rd.units(m, "altText", maxAltText, at)
		if kind == "flex" {
			rd.flex(raw, m["contents"], in(at, "contents"))
		} else {
			rd.actions(m, at)
		}
	default:
		rd.oneOf(kind, messageTypes, in(at, "type"))
	}
	b.Buttons, rd.buttons = rd.buttons, nil
	rd.quickReply(m["quickReply"], in(at, "quickReply"))
	b.QuickReplies = rd.buttons
	rd.sender(m["sender"], in(at, "sender"))
	return b
}

// known finds properties that the object can't have; with no names, it can have any.
func (rd *reader) known(o map[string]any, names []string, at string) {
	for _, name := range placed(o) {
		if names != nil && !slices.Contains(names, name) {
			rd.fail(in(at, name), "unknown field")
		}
	}
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

// units reads a property that must be a text, not empty, of at most limit UTF-16 units.
func (rd *reader) units(o map[string]any, key string, limit int, at string) string {
	s, _ := o[key].(string)
	rd.length(in(at, key), utf16Len(s), limit)
	return s
}

func (rd *reader) oneOf(s string, values []string, at string) bool {
	ok := slices.Contains(values, s)
	if !ok {
		rd.fail(at, "Must be one of the following values: [%s]", strings.Join(values, ", "))
	}
	return ok
}

func (rd *reader) quickReply(v any, at string) {
	if v == nil {
		return
	}
	o, _ := v.(map[string]any)
	rd.known(o, []string{"items"}, at)
	at = in(at, "items")
	items, ok := o["items"].([]any)
	if !ok || len(items) > maxQuickReplies {
		rd.fail(at, "Size must be between 0 and %d", maxQuickReplies)
	}
	for i, item := range items {
		at := nth(at, i)
		o, _ := item.(map[string]any)
		rd.known(o, []string{"type", "action", "imageUrl"}, at)
		kind, _ := o["type"].(string)
		rd.oneOf(kind, []string{"action"}, in(at, "type"))
		if o["imageUrl"] != nil {
			rd.https(o["imageUrl"], in(at, "imageUrl"))
		}
		rd.action(o["action"], inQuickReply, in(at, "action"))
	}
}

// sender is another name and picture of the bot.
func (rd *reader) sender(v any, at string) {
	if v == nil {
		return
	}
	o, _ := v.(map[string]any)
	rd.known(o, []string{"name", "iconUrl"}, at)
	if o["name"] != nil {
		rd.units(o, "name", maxSenderName, at)
	}
	if o["iconUrl"] != nil {
		rd.https(o["iconUrl"], in(at, "iconUrl"))
	}
}

// actions looks for the actions of a template or imagemap, of which no more is checked.
func (rd *reader) actions(v any, at string) {
	switch v := v.(type) {
	case []any:
		for i, item := range v {
			rd.actions(item, nth(at, i))
		}
	case map[string]any:
		for _, key := range placed(v) {
			switch at := in(at, key); key {
			case "quickReply":
			case "defaultAction":
				rd.action(v[key], inDefault, at)
			case "actions":
				list, _ := v[key].([]any)
				for i, a := range list {
					rd.action(a, inTemplate, nth(at, i))
				}
			default:
				rd.actions(v[key], at)
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

func utf16Len(s string) int { return len(utf16.Encode([]rune(s))) }
