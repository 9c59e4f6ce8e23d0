package linesim

import (
	"context"
	"encoding/json"
	"slices"
	"time"
)

// Bubble is one message in a chat as a person sees it.
type Bubble struct {
	ID   string // message ID
	From string // user ID; "" = the bot, or a person whom LINE does not name

	// Text is what stands in the bubble: the text, of a flex or template message
	// its altText, "" of a picture and of a message that was taken back.
	Text     string
	Unsent   bool            // taken back by its sender
	Quotes   string          // ID of the message that a person's quotes; "" = none
	Messages json.RawMessage // the bot's message object; nil for a person's

	// QuickReplies are the buttons under the bubble, which LINE shows only while
	// it is the last one; Buttons are those inside, which stay.
	QuickReplies []Button
	Buttons      []Button

	At    time.Time
	Via   string // "reply" or "push"; "" = a person's
	Token string // the reply token, if Via is "reply"
	Key   string // the retry key, if Via is "push"; may be ""
}

// AllButtons are those inside the bubble and those under it.
func (b *Bubble) AllButtons() []Button { return slices.Concat(b.Buttons, b.QuickReplies) }

// Button is something to press.
type Button struct {
	Type  string // of the action: "message", "postback", "uri", "datetimepicker", ...
	Label string
	Text  string // said in the person's name: text or displayText; may be ""
	Data  string // of a postback or date picker
}

// chat is one chat's past. Guarded by Platform.mu.
type chat struct {
	bubbles []Bubble
	fromBot int           // bot bubbles so far; counts also what is not kept
	grown   chan struct{} // closed at the next bot bubble; nil = nobody waits
}

func (p *Platform) chat(id string) *chat {
	c := p.chats[id]
	if c == nil {
		c = new(chat)
		p.chats[id] = c
	}
	return c
}

// show adds a person's bubble.
func (p *Platform) show(chatID string, b Bubble) {
	if p.forget {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.chat(chatID)
	c.bubbles = append(c.bubbles, b)
}

// showBot adds bubbles of the bot and wakes who waits for them. p.mu is held.
func (p *Platform) showBot(chatID string, bubbles []Bubble) {
	c := p.chat(chatID)
	c.fromBot += len(bubbles)
	if !p.forget {
		c.bubbles = append(c.bubbles, bubbles...)
	}
	if c.grown != nil {
		close(c.grown)
		c.grown = nil
	}
}

// alter changes the bubble of a message, if it is in the chat.
func (p *Platform) alter(chatID, messageID string, change func(*Bubble)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	bubbles := p.chat(chatID).bubbles
	for i := range slices.Backward(bubbles) {
		if bubbles[i].ID == messageID {
			change(&bubbles[i])
			return
		}
	}
}

// Chat is all that stands in a chat, oldest first. id is the user's in 1:1, else
// the group's or room's.
func (p *Platform) Chat(id string) []Bubble {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.chat(id).bubbles)
}

// BotTexts is the Text of each bubble of the bot in a chat, oldest first.
func (p *Platform) BotTexts(id string) []string {
	var texts []string
	for _, b := range botBubbles(p.Chat(id)) {
		texts = append(texts, b.Text)
	}
	return texts
}

func botBubbles(all []Bubble) []Bubble {
	return slices.DeleteFunc(all, func(b Bubble) bool { return b.Via == "" })
}

// Wait blocks until the bot has said at least n bubbles in a chat, and returns
// all of the bot's. If ctx ends first, it returns those so far and ctx's error.
func (p *Platform) Wait(ctx context.Context, id string, n int) ([]Bubble, error) {
	for {
		p.mu.Lock()
		c := p.chat(id)
		if c.fromBot >= n {
			p.mu.Unlock()
			return botBubbles(p.Chat(id)), nil
		}
		if c.grown == nil {
			c.grown = make(chan struct{})
		}
		grown := c.grown
		p.mu.Unlock()
		select {
		case <-grown:
		case <-ctx.Done():
			return botBubbles(p.Chat(id)), ctx.Err()
		}
	}
}

// Press is the event that a person causes by pressing the button with this label:
// a quick reply of the chat's last bubble, or else the latest button inside a
// bubble of the bot. What the button says in the person's name appears in the
// chat. ok is false if there is no such button, or one that tells the bot nothing
// or needs an answer of the person (a date picker: see Postback).
func (p *Platform) Press(s Source, label string) (e Event, ok bool) {
	b, found := p.button(s.Chat(), label)
	if !found {
		return Event{}, false
	}
	return p.press(s, b)
}

// PressLate is Press on the latest button with this label, whether or not LINE
// still shows it: a second tap before it was gone, or another of the person's
// devices.
func (p *Platform) PressLate(s Source, label string) (e Event, ok bool) {
	for _, bubble := range slices.Backward(p.Chat(s.Chat())) {
		for _, b := range slices.Concat(bubble.QuickReplies, bubble.Buttons) {
			if b.Label == label {
				return p.press(s, b)
			}
		}
	}
	return Event{}, false
}

func (p *Platform) press(s Source, b Button) (e Event, ok bool) {
	switch b.Type {
	case "message":
		return p.TextIn(s, b.Text), true
	case "postback":
		e = p.Postback(s, b.Data, nil)
		if b.Text != "" {
			p.show(s.Chat(), Bubble{From: s.UserID, Text: b.Text, At: e.Timestamp})
		}
		return e, true
	}
	return Event{}, false
}

func (p *Platform) button(chatID, label string) (Button, bool) {
	is := func(b Button) bool { return b.Label == label }
	all := p.Chat(chatID)
	if len(all) > 0 {
		last := all[len(all)-1].QuickReplies
		if i := slices.IndexFunc(last, is); i >= 0 {
			return last[i], true
		}
	}
	for _, bubble := range slices.Backward(all) {
		if j := slices.IndexFunc(bubble.Buttons, is); j >= 0 {
			return bubble.Buttons[j], true
		}
	}
	return Button{}, false
}
