package line

import (
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode/utf16"
)

// eventJSON has the fields of LINE's webhook event objects that matter here. The
// SDK can decode events too, but goes over each one five times and refuses one
// for any field that it does not expect. What only some types have is left raw,
// so that another type may use the name for something else.
type eventJSON struct {
	Type       string          `json:"type"`
	ID         string          `json:"webhookEventId"`
	Timestamp  int64           `json:"timestamp"` // ms
	Mode       string          `json:"mode"`
	ReplyToken string          `json:"replyToken"`
	Source     sourceJSON      `json:"source"`
	Message    messageJSON     `json:"message"`
	Unsend     json.RawMessage `json:"unsend"`
	Postback   json.RawMessage `json:"postback"`
	Joined     json.RawMessage `json:"joined"`
	Left       json.RawMessage `json:"left"`
}

type sourceJSON struct {
	Type    string `json:"type"`
	UserID  string `json:"userId"`
	GroupID string `json:"groupId"`
	RoomID  string `json:"roomId"`
}

type messageJSON struct {
	Type    string          `json:"type"`
	ID      string          `json:"id"`
	Text    string          `json:"text"`
	Quotes  string          `json:"quotedMessageId"`
	Mention json.RawMessage `json:"mention"`
}

// mentionJSON is a place in a text that names somebody, in UTF-16 units.
type mentionJSON struct {
	Index  int  `json:"index"`
	Length int  `json:"length"`
	IsSelf bool `json:"isSelf"` // names the bot
}

// Why an event of a known type is none that can be handled.
var (
	errUndecodable = errors.New("it can't be decoded")
	errNoTime      = errors.New("its time is none")
	errNoMessage   = errors.New("it names no message")
)

// maxTimestamp is in the year 9998, the last that a row can be of.
const maxTimestamp = 253_339_228_800_000

// decodeAll decodes a webhook's body into its events. Mostly all of them can be
// decoded at once; if not, each is by itself, because one that can't be must not
// harm the others. Only then does an event have its raw form: see event.original.
func decodeAll(body []byte) ([]*event, error) {
	var all struct {
		Events []eventJSON `json:"events"`
	}
	if json.Unmarshal(body, &all) == nil {
		events := make([]*event, len(all.Events))
		for i := range events {
			events[i] = &event{body: body, index: i}
			events[i].read(&all.Events[i])
		}
		return events, nil
	}
	raw, err := split(body)
	events := make([]*event, len(raw))
	for i := range events {
		events[i] = decode(raw[i])
	}
	return events, err
}

// split takes a webhook's body apart and leaves its events alone.
func split(body []byte) ([]json.RawMessage, error) {
	var envelope struct {
		Events []json.RawMessage `json:"events"`
	}
	if err := json.Unmarshal(body, &envelope); err != nil {
		// The error of encoding/json can quote the body, which is somebody's text.
		return nil, errors.New("the body is no webhook of LINE's")
	}
	return envelope.Events, nil
}

// decode reads one event. Its error is in the result: such an event may still be
// a member's, and then it is kept; but not if its types say that nothing is lost.
func decode(raw json.RawMessage) *event {
	e := &event{raw: raw}
	var w eventJSON
	err := json.Unmarshal(raw, &w) // fills in what it can, error or not
	e.read(&w)
	none := e.kind == unknown && w.Type != "" || e.kind == media && w.Message.Type != ""
	if err != nil && !none {
		e.err = errUndecodable
	}
	return e
}

// read fills the event in.
func (e *event) read(w *eventJSON) {
	e.kind = kindOf(w.Type, w.Message.Type)
	e.id = shorten(w.ID)
	e.from = w.Source.source()
	e.replyToken = w.ReplyToken
	e.standby = w.Mode == "standby"
	if w.Timestamp > 0 && w.Timestamp <= maxTimestamp {
		e.at = time.UnixMilli(w.Timestamp).UTC()
	} else {
		e.err = errNoTime
	}
	if e.from.chat == "" && e.kind != unsent {
		e.kind = unknown // nobody's, and nobody to answer
	}
	if read := kinds[e.kind].read; read != nil {
		if err := read(e, w); err != nil {
			e.err = err
		}
	}
	if e.kind == unknown || e.kind == media {
		e.err = nil // nothing would be done with it
	}
	e.key = e.makeKey()
}

// source leaves out what is no ID of LINE's. A chat that is not known makes it no
// source.
func (s *sourceJSON) source() source {
	from := source{kind: s.Type, person: s.UserID}
	switch s.Type {
	case "user":
		from.chat = s.UserID
	case "group":
		from.chat = s.GroupID
	case "room":
		from.chat = s.RoomID
	}
	if from.chat == "" || max(len(from.chat), len(from.person)) > maxID {
		return source{}
	}
	return from
}

func (e *event) readMedia(w *eventJSON) error {
	e.message.id = shorten(w.Message.ID)
	return nil
}

func (e *event) readText(w *eventJSON) error {
	m := &w.Message
	e.message = message{id: shorten(m.ID), typed: m.Text, text: m.Text, quotes: shorten(m.Quotes)}
	if m.Mention != nil {
		e.message.text, e.message.addressed = withoutBot(m.Text, m.Mention)
	}
	return nil
}

func (e *event) readEdit(w *eventJSON) error {
	switch {
	case w.Message.Type == "":
		return errUndecodable
	case w.Message.Type != "text":
		e.kind = unknown // LINE has no such edits now
		return nil
	case w.Message.ID == "":
		return errNoMessage
	}
	return e.readText(w)
}

func (e *event) readUnsend(w *eventJSON) error {
	var u struct {
		MessageID string `json:"messageId"`
	}
	if json.Unmarshal(w.Unsend, &u) != nil || u.MessageID == "" {
		return errNoMessage
	}
	e.message = message{id: shorten(u.MessageID)}
	return nil
}

func (e *event) readTap(w *eventJSON) error {
	var p struct {
		Data   string `json:"data"`
		Params struct {
			Date     string `json:"date"`
			Time     string `json:"time"`
			DateTime string `json:"datetime"`
		} `json:"params"`
	}
	if json.Unmarshal(w.Postback, &p) != nil {
		return errUndecodable
	}
	e.tap = tap{p.Data, p.Params.Date, p.Params.Time, p.Params.DateTime}
	return nil
}

func (e *event) readJoined(w *eventJSON) error { return e.readPeople(w.Joined) }

func (e *event) readLeft(w *eventJSON) error { return e.readPeople(w.Left) }

// readPeople leaves out whom LINE does not name.
func (e *event) readPeople(raw json.RawMessage) error {
	var list struct {
		Members []sourceJSON `json:"members"`
	}
	if json.Unmarshal(raw, &list) != nil {
		return errUndecodable
	}
	for _, m := range list.Members {
		if m.UserID != "" && len(m.UserID) <= maxID {
			e.people = append(e.people, m.UserID)
		}
	}
	return nil
}

// withoutBot takes the mentions of the bot out of a text, each for a space, and
// says whether there are any. Mentions that can't be read are none: the text says
// what it says.
func withoutBot(text string, mention json.RawMessage) (rest string, addressed bool) {
	var m struct {
		Mentionees []mentionJSON `json:"mentionees"`
	}
	if json.Unmarshal(mention, &m) != nil {
		return text, false
	}
	units := utf16.Encode([]rune(text))
	named := make([]bool, len(units))
	for _, one := range m.Mentionees {
		addressed = addressed || one.IsSelf
		if one.IsSelf && one.Index >= 0 && one.Length <= len(units)-one.Index {
			for i := range one.Length {
				named[one.Index+i] = true
			}
		}
	}
	if !addressed {
		return text, false
	}
	kept := make([]uint16, 0, len(units))
	for i, u := range units {
		if !named[i] {
			kept = append(kept, u)
		} else if i == 0 || !named[i-1] {
			kept = append(kept, ' ')
		}
	}
	return strings.TrimSpace(string(utf16.Decode(kept))), true
}
