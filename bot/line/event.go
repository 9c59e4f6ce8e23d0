package line

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"ichido/store"
)

// event is what this door has understood of one webhook event.
type event struct {
	raw        json.RawMessage // as it came, or nil: then it is the index-th of body
	body       []byte
	index      int
	id         string // webhookEventId, "" if there is none
	person     string // the sender's user ID; "" if LINE does not say
	chat       string // where an answer goes
	at         time.Time
	replyToken string
	standby    bool // another module has the chat: record, but do not speak
	text       textMessage
	err        error // why it could not be decoded

	key string // of the receipt: the id, or the message's ID, or ""
}

// textMessage is a text that somebody wrote to the bot alone; the zero value is
// any other event.
type textMessage struct {
	id   string
	text string
}

var errNotText = errors.New("no text message in a chat with one person")

// webhookEvent has the fields of LINE's webhook event objects that matter here.
// The SDK can decode events too, but goes over each one five times and refuses
// one for any field that it does not expect.
type webhookEvent struct {
	Type       string `json:"type"`
	ID         string `json:"webhookEventId"`
	Timestamp  int64  `json:"timestamp"` // ms
	Mode       string `json:"mode"`
	ReplyToken string `json:"replyToken"`
	Source     source `json:"source"`
	Message    struct {
		Type string `json:"type"`
		ID   string `json:"id"`
		Text string `json:"text"`
	} `json:"message"`
}

type source struct {
	Type   string `json:"type"`
	UserID string `json:"userId"`
}

// decodeAll decodes a webhook's body into its events. Mostly all of them can be
// decoded at once; if not, each is by itself, because one that can't be must not
// harm the others. Only then does an event have its raw form: see event.original.
func decodeAll(body []byte) ([]*event, error) {
	var all struct {
		Events []webhookEvent `json:"events"`
	}
	var events []*event
	if json.Unmarshal(body, &all) == nil {
		for i, w := range all.Events {
			e := event{body: body, index: i}
			e.read(w)
			events = append(events, &e)
		}
		return events, nil
	}
	raw, err := split(body)
	for _, r := range raw {
		e := decode(r)
		events = append(events, &e)
	}
	return events, err
}

// decode reads one event. Its error is in the result: such an event may still be
// a member's, and then it is kept. errNotText marks what this door does not take.
func decode(raw json.RawMessage) event {
	e := event{raw: raw}
	var w webhookEvent
	if err := json.Unmarshal(raw, &w); err != nil {
		e.rescue("it can't be decoded")
	} else {
		e.read(w)
	}
	return e
}

func (e *event) read(w webhookEvent) {
	if w.Type != "message" || w.Message.Type != "text" || w.Source.Type != "user" || w.Source.UserID == "" || len(w.Source.UserID) > maxID {
		e.err = errNotText
		return
	}
	if w.Timestamp <= 0 || w.Timestamp > maxTimestamp {
		e.rescue("its time is none")
		return
	}
	messageID := shorten(w.Message.ID)
	e.id = shorten(w.ID)
	e.person, e.chat = w.Source.UserID, w.Source.UserID
	e.at = time.UnixMilli(w.Timestamp).UTC()
	e.replyToken = w.ReplyToken
	e.standby = w.Mode == "standby"
	e.text = textMessage{messageID, w.Message.Text}
	e.key = cmp.Or(e.id, messageID)
}

// original is the event as it came.
func (e *event) original() json.RawMessage {
	if e.raw == nil {
		if all, err := split(e.body); err == nil {
			e.raw = all[e.index]
		}
	}
	return e.raw
}

// rescue finds out of a malformed event whose it is and how it is called, as far
// as that can be read.
func (e *event) rescue(what string) {
	e.err = errors.New(what)
	var fields struct {
		ID      json.RawMessage `json:"webhookEventId"`
		Source  json.RawMessage `json:"source"`
		Message json.RawMessage `json:"message"`
	}
	var from source
	var message struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(e.original(), &fields) != nil {
		return
	}
	_ = json.Unmarshal(fields.ID, &e.id)
	_ = json.Unmarshal(fields.Message, &message)
	if json.Unmarshal(fields.Source, &from) == nil && from.Type == "user" && len(from.UserID) <= maxID {
		e.person = from.UserID
	}
	e.id = shorten(e.id)
	e.key = cmp.Or(e.id, shorten(message.ID))
}

// maxTimestamp is in the year 9998, the last that a row can be of.
const maxTimestamp = 253_339_228_800_000

// maxID is longer than any ID of LINE's.
const maxID = 128

// shorten replaces an ID that is too long for a key by its hash.
func shorten(id string) string {
	if len(id) <= maxID {
		return id
	}
	return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(id)))
}

// digest covers what decides the effect of the event, and nothing that a
// redelivery or a new field of LINE's could change.
func (e *event) digest() store.Digest {
	return store.NewDigest("message", "text", "user", e.person, e.text.id, e.text.text)
}

func (e *event) request(admit bool) store.Request {
	return store.Request{
		Scope: Scope, Key: e.key, Digest: e.digest(), At: e.at, Person: e.person, Admit: admit, MessageID: e.text.id,
	}
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
	return cmp.Or(e.key, "(without ID)")
}
