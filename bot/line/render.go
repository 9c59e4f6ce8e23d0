package line

import (
	"cmp"
	"encoding/json"
	"fmt"
	"unicode/utf16"

	"github.com/line/line-bot-sdk-go/v8/linebot/messaging_api"

	"ichido/bot"
)

// LINE's limits: messages of one call; UTF-16 units of a text; quick replies of a
// message; characters of a quick reply's label, of what it says or shows in the
// person's name, and of a postback's data.
const (
	maxMessages   = 5
	maxText       = 5000
	maxButtons    = 13
	maxLabel      = 20
	maxButtonText = 300
	maxData       = 300
)

// textMessageJSON is LINE's text message object, as far as it is used. The SDK's
// own types encode each nested object by itself, which takes several times as
// long, and this is done inside of the transaction.
type textMessageJSON struct {
	Type       string          `json:"type"`
	Text       string          `json:"text"`
	QuickReply *quickReplyJSON `json:"quickReply,omitempty"`
}

type quickReplyJSON struct {
	Items []quickReplyItemJSON `json:"items"`
}

type quickReplyItemJSON struct {
	Type   string     `json:"type"`
	Action actionJSON `json:"action"`
}

// actionJSON is an action of type "message", with a text, or "postback".
type actionJSON struct {
	Type        string `json:"type"`
	Label       string `json:"label"`
	Text        string `json:"text,omitempty"`
	Data        string `json:"data,omitempty"`
	DisplayText string `json:"displayText,omitempty"`
}

// render turns a reply into the messages that LINE is sent, as a JSON array. The
// late ones stand before it, without their quick replies, which LINE takes with the
// last message only. What is too long is cut with an ellipsis, never refused.
func render(r bot.Reply, late ...textMessageJSON) ([]byte, error) {
	last := textMessageJSON{Type: "text", Text: cutUnits(r.Text(), maxText)}
	var items []quickReplyItemJSON
	for _, b := range r.Buttons {
		if len(b.Tap) <= maxData && len(items) < maxButtons { // cut, an operation would be another one
			items = append(items, quickReplyItemJSON{"action", action(b)})
		}
	}
	if len(items) > 0 {
		last.QuickReply = &quickReplyJSON{items}
	}
	for i := range late {
		late[i].QuickReply = nil
	}
	payload, err := json.Marshal(append(late, last))
	if err != nil {
		return nil, fmt.Errorf("rendering a reply: %w", err)
	}
	return payload, nil
}

func action(b bot.Button) actionJSON {
	label, text := cutRunes(b.Label, maxLabel), cutRunes(cmp.Or(b.Text, b.Label), maxButtonText)
	if b.Tap == "" {
		return actionJSON{Type: "message", Label: label, Text: text}
	}
	return actionJSON{Type: "postback", Label: label, Data: b.Tap, DisplayText: text}
}

// rawMessage is a message that has been rendered before.
type rawMessage struct{ json.RawMessage }

// GetType makes it a message of the SDK's, which asks for no more.
func (rawMessage) GetType() string { return "" }

func rawMessages(payload []byte) ([]messaging_api.MessageInterface, error) {
	var raw []json.RawMessage
	if err := json.Unmarshal(payload, &raw); err != nil {
		return nil, fmt.Errorf("reading a rendered reply: %w", err)
	}
	messages := make([]messaging_api.MessageInterface, len(raw))
	for i, m := range raw {
		messages[i] = rawMessage{m}
	}
	return messages, nil
}

// cutUnits shortens s to at most limit UTF-16 units.
func cutUnits(s string, limit int) string {
	units := 0
	end := 0 // of what fits with an ellipsis behind it
	for i, r := range s {
		if units <= limit-1 {
			end = i
		}
		if units += utf16.RuneLen(r); units > limit {
			return s[:end] + "…"
		}
	}
	return s
}

// cutRunes shortens s to at most limit runes, which are never fewer than what
// LINE counts in labels, grapheme clusters.
func cutRunes(s string, limit int) string {
	runes := []rune(s)
	if len(runes) <= limit {
		return s
	}
	return string(runes[:limit-1]) + "…"
}

// plain is a reply of one text.
func plain(text string) bot.Reply { return bot.Reply{Lines: []bot.Line{{Text: text}}} }
