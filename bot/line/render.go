package line

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/line/line-bot-sdk-go/v8/linebot/messaging_api"
	"github.com/rivo/uniseg"

	"ichido/bot"
)

// LINE's limits: messages of one call; UTF-16 units of a text; quick replies of a
// message; grapheme clusters of a quick reply's label and of what it says or shows in
// the person's name; UTF-16 units of a postback's data.
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

// render turns a reply into the messages that LINE is sent, as a JSON array: a card if
// something in it is set apart, else a text. The late ones stand before it, without
// their quick replies, which LINE takes with the last message only. What is too long is
// cut with an ellipsis, never refused.
func render(r bot.Reply, late ...json.RawMessage) ([]byte, error) {
	var last any
	if drawn(r) {
		last = card(r)
	} else {
		last = textMessage(r)
	}
	messages, err := json.Marshal([]any{last})
	if err == nil && drawn(r) && len(messages) > maxCardBytes {
		if r, err = fitting(r); err == nil {
			messages, err = json.Marshal([]any{card(r)})
		}
	}
	if err == nil && len(late) > 0 {
		messages, err = behind(late, messages)
	}
	if err != nil {
		return nil, fmt.Errorf("rendering a reply: %w", err)
	}
	return messages, nil
}

// behind puts late messages in front of others.
func behind(late []json.RawMessage, messages []byte) ([]byte, error) {
	var all []json.RawMessage
	for _, l := range late {
		bare, err := withoutQuickReply(l)
		if err != nil {
			return nil, err
		}
		all = append(all, bare)
	}
	var rest []json.RawMessage
	if err := json.Unmarshal(messages, &rest); err != nil {
		return nil, err
	}
	return json.Marshal(append(all, rest...))
}

func withoutQuickReply(message json.RawMessage) (json.RawMessage, error) {
	if !bytes.Contains(message, []byte(`"quickReply"`)) {
		return message, nil
	}
	var properties map[string]json.RawMessage
	if err := json.Unmarshal(message, &properties); err != nil {
		return nil, err
	}
	delete(properties, "quickReply")
	return json.Marshal(properties)
}

func textMessage(r bot.Reply) textMessageJSON {
	m := textMessageJSON{Type: "text", Text: cutUnits(visible(r.Text()), maxText)}
	if blank(m.Text) {
		m.Text = "…"
	}
	buttons := usable(r.Buttons)
	if len(buttons) == 0 {
		return m
	}
	m.QuickReply = &quickReplyJSON{make([]quickReplyItemJSON, len(buttons))}
	for i := range buttons {
		m.QuickReply.Items[i] = quickReplyItemJSON{"action", action(&buttons[i])}
	}
	return m
}

func action(b *bot.Button) actionJSON {
	label, says := cutGraphemes(visible(b.Label), maxLabel), saidBy(b)
	if b.Tap == "" {
		return actionJSON{Type: "message", Label: label, Text: says}
	}
	return actionJSON{Type: "postback", Label: label, Data: b.Tap, DisplayText: says}
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

// cutUnits shortens s to at most limit UTF-16 units, each of which is three bytes at most.
func cutUnits(s string, limit int) string {
	return cut(s[:min(len(s), 3*max(limit, 0)+utf8.UTFMax)], limit, units)
}

// units is how many UTF-16 units a text has.
func units(s string) (n int) {
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// cutGraphemes shortens s to at most limit grapheme clusters and maxBytes bytes: one
// cluster can be of any length.
func cutGraphemes(s string, limit int) string {
	s = cut(s[:min(len(s), maxBytes+utf8.UTFMax)], maxBytes, func(cluster string) int { return len(cluster) })
	return cut(s, limit, func(string) int { return 1 })
}

// cut shortens s between grapheme clusters to at most the limit, with an ellipsis. No
// cluster is larger than its bytes.
func cut(s string, limit int, size func(cluster string) int) string {
	if len(s) <= limit {
		return s
	}
	const ellipsis = "…"
	total, end := 0, 0 // end of what fits with an ellipsis behind it
	for rest, state := s, -1; rest != ""; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if total += size(cluster); total > limit {
			return s[:end] + ellipsis
		}
		if total+size(ellipsis) <= limit {
			end = len(s) - len(rest)
		}
	}
	return s
}

// visible is s without control characters but line breaks: LINE does not say what it
// does with them.
func visible(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' && c != '\n' || c == 0x7f || c == 0xc2 {
			return strings.Map(func(r rune) rune {
				if unicode.IsControl(r) && r != '\n' {
					return -1
				}
				return r
			}, s)
		}
	}
	return s
}

// blank says whether nothing of s can be seen.
func blank(s string) bool { return strings.TrimSpace(s) == "" }

// plain is a reply of one text.
func plain(text string) bot.Reply { return bot.Reply{Lines: []bot.Line{{Text: text}}} }
