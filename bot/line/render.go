package line

import (
	"encoding/json"
	"fmt"
	"unicode/utf16"

	"github.com/line/line-bot-sdk-go/v8/linebot/messaging_api"

	"ichido/bot"
)

// LINE's limits: UTF-16 units of a text, quick replies of a message, and
// characters of a quick reply's label and text.
const (
	maxText       = 5000
	maxButtons    = 13
	maxLabel      = 20
	maxButtonText = 300
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
	Type   string            `json:"type"`
	Action messageActionJSON `json:"action"`
}

type messageActionJSON struct {
	Type  string `json:"type"`
	Label string `json:"label"`
	Text  string `json:"text"`
}

// render turns a reply into the messages that LINE is sent, as a JSON array.
// What is too long is cut with an ellipsis, never refused.
func render(r bot.Reply) ([]byte, error) {
	message := textMessageJSON{Type: "text", Text: cutUnits(r.Text, maxText)}
	if len(r.Buttons) > 0 {
		message.QuickReply = &quickReplyJSON{}
	}
	for _, b := range r.Buttons[:min(len(r.Buttons), maxButtons)] {
		action := messageActionJSON{"message", cutRunes(b.Label, maxLabel), cutRunes(b.Text, maxButtonText)}
		message.QuickReply.Items = append(message.QuickReply.Items, quickReplyItemJSON{"action", action})
	}
	payload, err := json.Marshal([]textMessageJSON{message})
	if err != nil {
		return nil, fmt.Errorf("rendering a reply: %w", err)
	}
	return payload, nil
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
