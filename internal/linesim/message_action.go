package linesim

import (
	"net/url"
	"slices"
	"time"

	"github.com/rivo/uniseg"
)

// Limits of an action, in grapheme clusters; those of data, URIs and what is copied in
// UTF-16 units.
const (
	maxQuickLabel  = 20
	maxButtonLabel = 40
	maxData        = 300
	maxSaid        = 300
	maxURI         = 1000
	maxURL         = 2000 // of pictures and videos
	maxCopied      = 1000
)

// actionUse is what an action is for, and what it must have therefore.
type actionUse struct {
	label  int // most grapheme clusters
	needed bool
	quick  bool // a quick reply: postbacks need what is shown
	types  []string
}

var (
	inMessage    = []string{"postback", "message", "uri", "datetimepicker", "clipboard"}
	inQuickReply = actionUse{maxQuickLabel, true, true, slices.Concat(inMessage, []string{"camera", "cameraRoll", "location"})}
	inTemplate   = actionUse{maxQuickLabel, true, false, inMessage}
	inDefault    = actionUse{maxQuickLabel, false, false, inMessage}
	inButton     = actionUse{maxButtonLabel, true, false, inMessage}
	inFlex       = actionUse{maxButtonLabel, false, false, inMessage}
	inVideo      = actionUse{maxButtonLabel, false, false, []string{"uri"}}
)

// actionFields are the properties that an action has besides its type and label.
var actionFields = map[string][]string{
	"postback":       {"data", "displayText", "text", "inputOption", "fillInText"},
	"message":        {"text"},
	"uri":            {"uri", "altUri"},
	"datetimepicker": {"data", "mode", "initial", "max", "min"},
	"camera":         {},
	"cameraRoll":     {},
	"location":       {},
	"clipboard":      {"clipboardText"},
}

// action reads an action and adds its button.
func (rd *reader) action(v any, use actionUse, at string) {
	o, ok := v.(map[string]any)
	if !ok {
		rd.fail(at, "May not be empty")
		rd.buttons = append(rd.buttons, Button{})
		return
	}
	field := func(key string) string { s, _ := o[key].(string); return s }
	b := Button{Type: field("type"), Label: field("label"), Data: field("data")}
	if rd.oneOf(b.Type, use.types, in(at, "type")) {
		rd.known(o, append([]string{"type", "label"}, actionFields[b.Type]...), at)
	}
	if use.needed && (o["label"] == nil || o["label"] == "") {
		rd.fail(in(at, "label"), "May not be empty")
	}
	rd.said(o, "label", use.label, at)
	switch b.Type {
	case "message":
		b.Text = rd.said(o, "text", maxSaid, at)
		if b.Text == "" {
			rd.fail(in(at, "text"), "May not be empty")
		}
	case "postback":
		b.Text = rd.postback(o, use, at)
	case "uri":
		rd.uri(o["uri"], []string{"http", "https", "line", "tel"}, maxURI, in(at, "uri"))
		if alt, ok := o["altUri"].(map[string]any); ok {
			rd.uri(alt["desktop"], []string{"http", "https"}, maxURI, in(in(at, "altUri"), "desktop"))
		}
	case "datetimepicker":
		rd.picker(o, at)
	case "clipboard":
		rd.units(o, "clipboardText", maxCopied, at)
	}
	rd.buttons = append(rd.buttons, b)
}

// said reads a property that is counted in grapheme clusters; "" if there is none.
func (rd *reader) said(o map[string]any, key string, limit int, at string) string {
	s, ok := o[key].(string)
	if o[key] != nil && !ok || uniseg.GraphemeClusterCount(s) > limit {
		rd.fail(in(at, key), "Length must be between 0 and %d", limit)
	}
	return s
}

// postback returns what is said in the person's name.
func (rd *reader) postback(o map[string]any, use actionUse, at string) string {
	rd.units(o, "data", maxData, at)
	shown := rd.said(o, "displayText", maxSaid, at)
	switch text := rd.said(o, "text", maxSaid, at); {
	case shown != "" && text != "":
		rd.fail(in(at, "text"), "may not be used with displayText")
	case use.quick && shown == "" && text == "":
		rd.fail(in(at, "displayText"), "May not be empty")
	}
	option, _ := o["inputOption"].(string)
	options := []string{"closeRichMenu", "openRichMenu", "openKeyboard", "openVoice"}
	ok := o["inputOption"] == nil || rd.oneOf(option, options, in(at, "inputOption"))
	if rd.said(o, "fillInText", maxSaid, at) != "" && ok && option != "openKeyboard" {
		rd.fail(in(at, "fillInText"), "must be used with openKeyboard")
	}
	return shown
}

// picker reads a date picker: what it begins with and its ends have the form of its mode.
func (rd *reader) picker(o map[string]any, at string) {
	rd.units(o, "data", maxData, at)
	mode, _ := o["mode"].(string)
	forms := map[string][]string{
		"date": {time.DateOnly}, "time": {"15:04"}, "datetime": {"2006-01-02T15:04", "2006-01-02t15:04"},
	}
	if !rd.oneOf(mode, []string{"date", "time", "datetime"}, in(at, "mode")) {
		return
	}
	for _, key := range []string{"initial", "max", "min"} {
		s, _ := o[key].(string)
		fits := func(form string) bool { _, err := time.Parse(form, s); return err == nil }
		if o[key] != nil && !slices.ContainsFunc(forms[mode], fits) {
			rd.fail(in(at, key), "invalid property")
		}
	}
}

// uri reads an address with one of the schemes.
func (rd *reader) uri(v any, schemes []string, limit int, at string) {
	s, _ := v.(string)
	u, err := url.Parse(s)
	switch {
	case s == "":
		rd.fail(at, "May not be empty")
	case utf16Len(s) > limit:
		rd.fail(at, "Length must be between 0 and %d", limit)
	case err != nil:
		rd.fail(at, "invalid uri")
	case !slices.Contains(schemes, u.Scheme):
		rd.fail(at, "invalid uri scheme")
	}
}

func (rd *reader) https(v any, at string) { rd.uri(v, []string{"https"}, maxURL, at) }
