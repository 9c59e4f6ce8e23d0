package linesim

import (
	"net/http"
	"regexp"
	"time"
)

// replyToken is the right to answer one event.
type replyToken struct {
	chat  string
	born  time.Time // when the platform first knew it: the event's time
	until time.Time // the last moment it is good
	used  bool
}

// retryKey is a key that was seen on a push less than RetryKeyAge ago.
type retryKey struct {
	requestID string // of the accepted request; "" = none was accepted yet
	sent      []sentMessage
}

type sentMessage struct {
	ID         string `json:"id"`
	QuoteToken string `json:"quoteToken"`
}

// UUIDs are all that LINE takes as retry keys, of any version and case.
var uuidForm = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// arm makes a reply token good for ReplyTokenAge from now, but not past
// ReplyTokenEnd. A used one stays used. p.mu is held.
func (p *Platform) arm(token, chatID string, now time.Time) {
	t, ok := p.tokens.get(now, token)
	if !ok {
		t = &replyToken{chat: chatID, born: now}
		p.tokens.put(now, token, t)
	}
	t.until = now.Add(ReplyTokenAge)
	if end := t.born.Add(ReplyTokenEnd); t.until.After(end) {
		t.until = end
	}
}

// dropped says whether an earlier token has ended so long ago that Options.Forget
// let it go. p.mu is held.
func (p *Platform) dropped(now time.Time, token string) bool {
	_, known := p.tokens.get(now, token)
	return p.forget && !known
}

// reply is POST /v2/bot/message/reply.
func (p *Platform) reply(c *call) answer {
	if c.err != nil {
		return malformed()
	}
	if c.RetryKey != "" {
		return failure(http.StatusBadRequest, "The retry key is not supported by this API") // text unpublished
	}
	bubbles, refusal, ok := readMessages(c.messages)
	if !ok {
		return refusal
	}
	t, ok := p.tokens.get(c.At, c.ReplyToken)
	if !ok || t.used || c.At.After(t.until) {
		return failure(http.StatusBadRequest, MessageReplyToken)
	}
	t.used = true
	c.To = t.chat
	return success(http.StatusOK, sentList{p.accept(c, bubbles, "reply")})
}

// push is POST /v2/bot/message/push.
func (p *Platform) push(c *call) answer {
	if c.err != nil {
		return malformed()
	}
	if c.RetryKey != "" && !uuidForm.MatchString(c.RetryKey) {
		return failure(http.StatusBadRequest, "The retry key is invalid") // text unpublished
	}
	if !chatIDForm.MatchString(c.To) {
		return failure(http.StatusBadRequest, "The property, 'to', in the request body is invalid (line: -, column: -)")
	}
	bubbles, refusal, ok := readMessages(c.messages)
	if !ok {
		return refusal
	}
	key := p.retryKey(c)
	if key.requestID != "" {
		return alreadyAccepted(key)
	}
	if !p.spend(c.At, p.recipients(c.To)) {
		return failure(http.StatusTooManyRequests, MessageQuota)
	}
	key.requestID, key.sent = c.RequestID, p.accept(c, bubbles, "push")
	return success(http.StatusOK, sentList{key.sent})
}

type sentList struct {
	SentMessages []sentMessage `json:"sentMessages"`
}

func alreadyAccepted(key *retryKey) answer {
	a := success(http.StatusConflict, struct {
		Message string `json:"message"`
		sentList
	}{MessageRetryKey, sentList{key.sent}})
	a.accepted = key.requestID
	return a
}

// retryKey is what is known of the call's key; its age begins with its first
// attempt. Without a key it is a fresh one that nobody finds again.
func (p *Platform) retryKey(c *call) *retryKey {
	if c.RetryKey == "" {
		return new(retryKey)
	}
	key, ok := p.keys.get(c.At, c.RetryKey)
	if !ok {
		key = new(retryKey)
		p.keys.put(c.At, c.RetryKey, key)
	}
	return key
}

// accept shows the messages and returns what LINE says of them.
func (p *Platform) accept(c *call, bubbles []Bubble, via string) []sentMessage {
	c.Accepted = true
	sent := make([]sentMessage, len(bubbles))
	for i := range bubbles {
		sent[i] = sentMessage{p.messageID(), newToken()}
		b := &bubbles[i]
		b.ID, b.At, b.Via = sent[i].ID, c.At, via
		b.Token, b.Key = c.ReplyToken, c.RetryKey
	}
	if !p.blocked[c.To] {
		p.showBot(c.To, bubbles)
	}
	return sent
}

// recipients is what a push to a chat costs.
func (p *Platform) recipients(chatID string) int {
	if p.blocked[chatID] {
		return 0
	}
	return max(1, len(p.members[chatID]))
}

// spend counts n messages and reports whether the month's quota has them.
func (p *Platform) spend(now time.Time, n int) bool {
	p.turnMonth(now)
	if p.quota >= 0 && p.used+n > p.quota {
		return false
	}
	p.used += n
	return true
}
