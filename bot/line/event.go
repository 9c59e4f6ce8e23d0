package line

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/line/line-bot-sdk-go/v8/linebot/webhook"

	"ichido/bot"
	"ichido/store"
)

// event is what this door has understood of one webhook event.
type event struct {
	raw        json.RawMessage
	id         string // webhookEventId, "" if there is none
	person     string // the sender's user ID; "" if LINE does not say
	chat       string // where an answer goes
	at         time.Time
	replyToken string
	standby    bool // another module has the chat: record, but do not speak
	text       textMessage
	err        error // why it could not be decoded

	key      string // of the receipt: the id, or the message's ID, or ""
	parkedAs string // the key under which it is parked, if it has none of its own
}

// textMessage is a text that somebody wrote to the bot alone; the zero value is
// any other event.
type textMessage struct {
	id   string
	text string
}

var errNotText = errors.New("no text message in a chat with one person")

// decode reads an event. Its error is in the result: such an event may still be
// a member's, and then it is kept. errNotText marks what this door does not take.
func decode(raw json.RawMessage) event {
	e := event{raw: raw}
	parsed, err := webhook.UnmarshalEvent(raw)
	if err != nil {
		e.rescue()
		e.err = errors.New("it can't be decoded")
		return e
	}
	message, ok := parsed.(webhook.MessageEvent)
	if ok && message.Timestamp <= 0 {
		e.rescue()
		e.err = errors.New("it has no time")
		return e
	}
	if !ok {
		e.err = errNotText
		return e
	}
	text, isText := message.Message.(webhook.TextMessageContent)
	source, isUser := message.Source.(webhook.UserSource)
	if !isText || !isUser {
		e.err = errNotText
		return e
	}
	e.id = message.WebhookEventId
	e.person, e.chat = source.UserId, source.UserId
	e.at = time.UnixMilli(message.Timestamp).UTC()
	e.replyToken = message.ReplyToken
	e.standby = message.Mode == webhook.EventMode_STANDBY
	e.text = textMessage{text.Id, text.Text}
	e.key = e.id
	if e.key == "" {
		e.key = text.Id
	}
	return e
}

// rescue finds out of a malformed event whose it is and how it is called, as far
// as that can be read.
func (e *event) rescue() {
	var fields struct {
		ID     json.RawMessage `json:"webhookEventId"`
		Source json.RawMessage `json:"source"`
	}
	var source struct {
		Type   string `json:"type"`
		UserID string `json:"userId"`
	}
	if json.Unmarshal(e.raw, &fields) != nil {
		return
	}
	_ = json.Unmarshal(fields.ID, &e.id)
	if json.Unmarshal(fields.Source, &source) == nil && source.Type == "user" {
		e.person = source.UserID
	}
	e.key = e.id
}

// digest covers what decides the effect of the event, and nothing that a
// redelivery or a new field of LINE's could change.
func (e *event) digest() store.Digest {
	return store.NewDigest("message", "text", "user", e.person, e.text.id, e.text.text)
}

func (e *event) request(admit bool) store.Request {
	key := e.key
	if key == "" {
		key = e.parkedAs
	}
	r := store.Request{Scope: Scope, Key: key, Digest: e.digest(), At: e.at, Person: e.person, Admit: admit}
	if e.id != "" {
		r.MessageID = e.text.id
	}
	return r
}

func (e *event) message() bot.Message {
	return bot.Message{Text: e.text.text, At: e.at, Direct: true}
}

// envelope is the body of a webhook, with its events left alone: one that can't
// be decoded must not harm the others.
type envelope struct {
	Events []json.RawMessage `json:"events"`
}

func split(body []byte) ([]json.RawMessage, error) {
	var e envelope
	if err := json.Unmarshal(body, &e); err != nil {
		// The error of encoding/json can quote the body, which is somebody's text.
		return nil, errors.New("the body is no webhook of LINE's")
	}
	return e.Events, nil
}

// name tells an event in the log.
func (e *event) name() string {
	if e.key == "" {
		return "(without ID)"
	}
	if len(e.key) > 64 {
		return fmt.Sprintf("(ID of %s bytes)", strconv.Itoa(len(e.key)))
	}
	return e.key
}
