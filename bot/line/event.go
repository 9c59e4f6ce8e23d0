package line

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"ichido/store"
)

// event is what this door has understood of one webhook event.
type event struct {
	raw   json.RawMessage // as it came, or nil: then it is the index-th of body
	body  []byte
	index int

	kind       eventKind
	id         string // webhookEventId, "" if there is none
	key        string // of the receipt: see makeKey
	from       source
	at         time.Time // zero if LINE told no possible one; err says so then
	replyToken string    // "" if it can't be replied to
	standby    bool      // another module has the chat: record, but do not speak

	message message  // of said, edited, image and media; only its ID of unsent
	tap     tap      // of tapped
	people  []string // user IDs, of peopleJoined and peopleLeft
	code    string   // for joining, that it brings; "" if there is none

	err error // why it could not be decoded; the rest is what could be read
}

// source is where an event comes from. The zero value is a source that LINE did
// not tell, or of a type that this door does not know.
type source struct {
	kind   string // "user", "group" or "room"
	chat   string // where an answer goes: the group, the room or, in 1:1, the person
	person string // the user ID; "" if LINE does not say who, as happens in groups
}

// direct says whether it is a chat with the bot alone.
func (s source) direct() bool { return s.kind == "user" }

// message is what a person sent.
type message struct {
	id        string
	typed     string // the text as it stands in the chat
	text      string // the text without mentions of the bot
	addressed bool   // the bot was mentioned
	quotes    string // ID of the message that it quotes, "" for none
}

// tap is a press on a button.
type tap struct {
	data string
	// What was chosen in a date picker, without a zone; "" for other buttons.
	date, time, datetime string
}

// eventKind says what happened.
type eventKind uint8

const (
	unknown      eventKind = iota // of a type, or from a source, that this door does not know
	said                          // somebody wrote a text
	edited                        // changed the text of a message
	unsent                        // took a message back
	tapped                        // pressed a button
	image                         // sent a picture
	media                         // sent any other message that is no text
	followed                      // added the bot, or no longer blocks it
	unfollowed                    // blocks the bot
	botJoined                     // added the bot to a group or room
	botLeft                       // removed it from there
	peopleJoined                  // came into a group or room
	peopleLeft                    // left it
)

// kinds are LINE's types of the events, with the types of their messages where
// those matter, and what reads the parts that other events do not have. The first
// that fits is an event's kind.
var kinds = [...]struct {
	event, message string
	read           func(*event, *eventJSON) error
}{
	unknown:      {},
	said:         {"message", "text", (*event).readText},
	edited:       {"messageEdited", "", (*event).readEdit},
	unsent:       {"unsend", "", (*event).readUnsend},
	tapped:       {"postback", "", (*event).readTap},
	image:        {"message", "image", (*event).readMedia},
	media:        {"message", "", (*event).readMedia},
	followed:     {"follow", "", nil},
	unfollowed:   {"unfollow", "", nil},
	botJoined:    {"join", "", nil},
	botLeft:      {"leave", "", nil},
	peopleJoined: {"memberJoined", "", (*event).readJoined},
	peopleLeft:   {"memberLeft", "", (*event).readLeft},
}

func kindOf(event, message string) eventKind {
	for kind := said; int(kind) < len(kinds); kind++ {
		if k := &kinds[kind]; k.event == event && (k.message == "" || k.message == message) {
			return kind
		}
	}
	return unknown
}

// makeKey is the webhookEventId; without one the message's ID, which names the
// event that brought the message. What else happened to the message has keys
// beside that: it may be edited often, and is unsent once. Anything else without
// an ID has no key, and then nobody can know that it came before.
func (e *event) makeKey() string {
	switch {
	case e.id != "" || e.message.id == "":
		return e.id
	case e.kind == edited:
		return e.message.id + "@" + strconv.FormatInt(e.at.UnixMilli(), 10)
	case e.kind == unsent:
		return e.message.id + "/unsent"
	}
	return e.message.id
}

// digest covers what decides the effect of the event, and nothing that a
// redelivery or a new field of LINE's could change. The first three fields decide
// what the others are; a list stands at the end.
func (e *event) digest() store.Digest {
	k := &kinds[e.kind]
	fields := append(make([]string, 0, 12), k.event, k.message, e.from.kind)
	if !e.from.direct() {
		fields = append(fields, e.from.chat)
	}
	fields = append(fields, e.from.person, e.message.id, e.message.typed)
	if e.kind == tapped {
		fields = append(fields, e.tap.data, e.tap.date, e.tap.time, e.tap.datetime)
	}
	return store.NewDigest(append(fields, e.people...)...)
}

func (e *event) request(admit bool) store.Request {
	req := store.Request{
		Scope: Scope, Key: e.key, Digest: e.digest(), At: e.at, Person: e.from.person, Admit: admit, MessageID: e.message.id,
		Invite: e.code,
	}
	switch e.kind {
	case edited:
		req.About = store.Edited
	case unsent:
		req.About = store.Unsent
		if !e.from.direct() {
			req.Person = "" // taking something back makes nobody a member
		}
	}
	return req
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

// name tells an event in the log.
func (e *event) name() string {
	return cmp.Or(e.key, "(without ID)")
}

// maxID is longer than any ID of LINE's.
const maxID = 128

// shorten replaces an ID that is too long for a key by its hash.
func shorten(id string) string {
	if len(id) <= maxID {
		return id
	}
	return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(id)))
}
