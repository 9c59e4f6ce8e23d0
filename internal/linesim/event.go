package linesim

import (
	"encoding/json"
	"fmt"
	"maps"
	"time"
)

// Source is where an event comes from. Only the IDs of its Type are set.
type Source struct {
	Type    string // "user", "group" or "room"; "" = the event has no source
	UserID  string // who; "" = LINE does not say, which happens in groups and rooms
	GroupID string
	RoomID  string
}

// User is the 1:1 chat with a person.
func User(userID string) Source { return Source{Type: "user", UserID: userID} }

// Group is a person in a group chat; userID may be "".
func Group(groupID, userID string) Source {
	return Source{Type: "group", GroupID: groupID, UserID: userID}
}

// Room is a person in a room; userID may be "".
func Room(roomID, userID string) Source {
	return Source{Type: "room", RoomID: roomID, UserID: userID}
}

// Chat is the ID of the chat: group, room or, in 1:1, user.
func (s Source) Chat() string {
	switch s.Type {
	case "group":
		return s.GroupID
	case "room":
		return s.RoomID
	}
	return s.UserID
}

func (s Source) object() map[string]any {
	o := map[string]any{"type": s.Type}
	setString(o, "userId", s.UserID)
	setString(o, "groupId", s.GroupID)
	setString(o, "roomId", s.RoomID)
	return o
}

// Event is one webhook event. The makers of [Platform] fill it in as LINE would;
// a test may change any field before it is delivered. A field that is "" or zero
// is left out of the JSON, where LINE may leave it out: always but for Type, Mode,
// Redelivery, a text message's Text and an unsend's MessageID.
type Event struct {
	ID         string // webhookEventId
	Type       string // "message", "unsend", "postback", ...
	ReplyToken string
	Timestamp  time.Time // sent in milliseconds
	Source     Source
	Mode       string // "" = "active"
	Redelivery bool   // deliveryContext.isRedelivery

	// The message object of the types "message" and "messageEdited";
	// MessageType "" = the event has none.
	MessageType     string // "text", "image", ...
	MessageID       string // also what an "unsend" names
	Text            string
	QuoteToken      string
	QuotedMessageID string

	// Fields are further members: of the message object where there is one, else
	// of the event. Copies of an Event share the map: replace it, don't change it.
	Fields map[string]any

	// Raw, if set, is sent verbatim instead of all the above.
	Raw json.RawMessage
}

// Redelivered is the event as LINE sends it again: only isRedelivery differs.
// Of a Raw event all other members are kept; one that is not a JSON object is
// returned as it is.
func (e Event) Redelivered() Event {
	e.Redelivery = true
	if e.Raw == nil {
		return e
	}
	var o map[string]json.RawMessage
	if json.Unmarshal(e.Raw, &o) != nil || o == nil {
		return e
	}
	o["deliveryContext"] = json.RawMessage(`{"isRedelivery":true}`)
	e.Raw = encode(o)
	return e
}

// JSON is the event as it stands in a webhook.
func (e Event) JSON() []byte {
	if e.Raw != nil {
		return e.Raw
	}
	o := map[string]any{
		"type":            e.Type,
		"mode":            or(e.Mode, "active"),
		"deliveryContext": map[string]any{"isRedelivery": e.Redelivery},
	}
	setString(o, "webhookEventId", e.ID)
	setString(o, "replyToken", e.ReplyToken)
	if !e.Timestamp.IsZero() {
		o["timestamp"] = e.Timestamp.UnixMilli()
	}
	if e.Source.Type != "" {
		o["source"] = e.Source.object()
	}
	if e.MessageType != "" {
		o["message"] = e.message()
		return encode(o)
	}
	if e.Type == "unsend" {
		o["unsend"] = map[string]any{"messageId": e.MessageID}
	}
	maps.Copy(o, e.Fields)
	return encode(o)
}

func (e Event) message() map[string]any {
	m := map[string]any{"type": e.MessageType}
	setString(m, "id", e.MessageID)
	setString(m, "quoteToken", e.QuoteToken)
	setString(m, "quotedMessageId", e.QuotedMessageID)
	if e.MessageType == "text" {
		m["text"] = e.Text
	}
	maps.Copy(m, e.Fields)
	return m
}

func setString(o map[string]any, key, value string) {
	if value != "" {
		o[key] = value
	}
}

// encode is json.Marshal for values that this package has built.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("linesim: encoding %T: %v", v, err)) // a test's Fields that are no JSON
	}
	return b
}
