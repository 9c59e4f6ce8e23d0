package linesim

import "time"

// Text is a text message that a person types in the 1:1 chat. It appears in the
// chat at once and once, however often it is delivered.
func (p *Platform) Text(userID, text string) Event {
	return p.TextIn(User(userID), text)
}

// GroupText is a text message in a group; userID "" = LINE does not say whose.
func (p *Platform) GroupText(groupID, userID, text string) Event {
	return p.TextIn(Group(groupID, userID), text)
}

// TextIn is a text message anywhere.
func (p *Platform) TextIn(s Source, text string) Event {
	e := p.message(s, "text")
	e.Text = text
	if s.Type == "user" {
		e.Fields = map[string]any{"markAsReadToken": newToken()}
	}
	p.show(s.Chat(), Bubble{ID: e.MessageID, From: s.UserID, Text: text, At: e.Timestamp})
	return e
}

// Quote is a text message that quotes an earlier one of the chat, the bot's or a
// person's.
func (p *Platform) Quote(s Source, messageID, text string) Event {
	e := p.TextIn(s, text)
	e.QuotedMessageID = messageID
	p.alter(s.Chat(), e.MessageID, func(b *Bubble) { b.Quotes = messageID })
	return e
}

// Mention is a text message that mentions the bot before the text.
func (p *Platform) Mention(s Source, text string) Event {
	mention := "@" + BotName
	e := p.TextIn(s, mention+" "+text)
	e.Fields = map[string]any{"mention": map[string]any{"mentionees": []map[string]any{{
		"index": 0, "length": utf16Len(mention), "type": "user", "userId": BotUserID, "isSelf": true,
	}}}}
	return e
}

// Sticker is a sticker, always the same.
func (p *Platform) Sticker(s Source) Event {
	return p.media(s, "sticker", map[string]any{
		"packageId": "11537", "stickerId": "52002734",
		"stickerResourceType": "ANIMATION", "keywords": []string{"Yay"},
	})
}

// Image is a picture whose content LINE holds.
func (p *Platform) Image(s Source) Event {
	return p.media(s, "image", map[string]any{"contentProvider": map[string]any{"type": "line"}})
}

// Location is a place; it has no quote token (LINE reference).
func (p *Platform) Location(s Source, address string, latitude, longitude float64) Event {
	e := p.media(s, "location", map[string]any{
		"address": address, "latitude": latitude, "longitude": longitude,
	})
	e.QuoteToken = ""
	return e
}

func (p *Platform) media(s Source, kind string, fields map[string]any) Event {
	e := p.message(s, kind)
	e.Fields = fields
	p.show(s.Chat(), Bubble{ID: e.MessageID, From: s.UserID, At: e.Timestamp})
	return e
}

// Edited is what LINE sends when the sender of a message changes its text; LINE
// has it in groups only. Message ID and quote token stay, the rest is new.
func (p *Platform) Edited(message Event, text string) Event {
	e := p.event("messageEdited", message.Source)
	e.MessageType, e.MessageID, e.QuoteToken = "text", message.MessageID, message.QuoteToken
	e.Text = text
	p.alter(message.Source.Chat(), message.MessageID, func(b *Bubble) { b.Text = text })
	return e
}

// Unsend is what LINE sends when a message is taken back. It has no reply token.
func (p *Platform) Unsend(message Event) Event {
	e := p.silent("unsend", message.Source)
	e.MessageID = message.MessageID
	p.alter(message.Source.Chat(), message.MessageID, func(b *Bubble) { b.Text, b.Unsent = "", true })
	return e
}

// Postback is a press on a button. params are a date picker's ("date", "time" or
// "datetime"); nil = none.
func (p *Platform) Postback(s Source, data string, params map[string]string) Event {
	o := map[string]any{"data": data}
	if params != nil {
		o["params"] = params
	}
	e := p.event("postback", s)
	e.Fields = map[string]any{"postback": o}
	return e
}

// Follow is a person who adds the bot, or takes a block back.
func (p *Platform) Follow(userID string, unblocked bool) Event {
	p.SetBlocked(userID, false)
	e := p.event("follow", User(userID))
	e.Fields = map[string]any{"follow": map[string]any{"isUnblocked": unblocked}}
	return e
}

// Unfollow is a person who blocks the bot.
func (p *Platform) Unfollow(userID string) Event {
	p.SetBlocked(userID, true)
	return p.silent("unfollow", User(userID))
}

// Join is the bot being added to a group or room.
func (p *Platform) Join(s Source) Event { return p.event("join", s) }

// Leave is the bot being removed from a group or room.
func (p *Platform) Leave(s Source) Event { return p.silent("leave", s) }

// MemberJoined is people coming into a group or room that the bot is in.
func (p *Platform) MemberJoined(s Source, userIDs ...string) Event {
	p.mu.Lock()
	for _, id := range userIDs {
		p.addMember(s.Chat(), id)
	}
	p.mu.Unlock()
	e := p.event("memberJoined", s)
	e.Fields = map[string]any{"joined": members(userIDs)}
	return e
}

// MemberLeft is people leaving a group or room that the bot is in.
func (p *Platform) MemberLeft(s Source, userIDs ...string) Event {
	p.mu.Lock()
	for _, id := range userIDs {
		delete(p.members[s.Chat()], id)
	}
	p.mu.Unlock()
	e := p.silent("memberLeft", s)
	e.Fields = map[string]any{"left": members(userIDs)}
	return e
}

func members(userIDs []string) map[string]any {
	list := make([]map[string]any, len(userIDs))
	for i, id := range userIDs {
		list[i] = User(id).object()
	}
	return map[string]any{"members": list}
}

// Event is an event of any type with nothing but what all types have, for those
// that have no maker: set Fields.
func (p *Platform) Event(eventType string, s Source) Event { return p.event(eventType, s) }

func (p *Platform) message(s Source, kind string) Event {
	e := p.event("message", s)
	e.MessageType, e.MessageID, e.QuoteToken = kind, p.messageID(), newToken()
	return e
}

// event is silent with a reply token, whose age counts from now until the event
// is delivered.
func (p *Platform) event(eventType string, s Source) Event {
	e := p.silent(eventType, s)
	e.ReplyToken = newToken()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.arm(e.ReplyToken, s.Chat(), time.Now())
	return e
}

func (p *Platform) silent(eventType string, s Source) Event {
	now := time.Now()
	if s.Type != "user" && s.UserID != "" {
		p.mu.Lock()
		p.addMember(s.Chat(), s.UserID)
		p.mu.Unlock()
	}
	return Event{ID: p.eventID(now), Type: eventType, Timestamp: now, Source: s}
}
