package talk

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"ichido/internal/linesim"
)

var (
	// ErrNoMessage says that the person has no such message in the chat.
	ErrNoMessage = errors.New("there is no such message")
	// ErrNoButton says that the chat has no button with the label, or one that tells
	// the bot nothing.
	ErrNoButton = errors.New("there is no such button")
	// ErrGroupsOnly says that LINE has this in groups only.
	ErrGroupsOnly = errors.New("LINE has this in groups only")
	// ErrDirectOnly says that LINE has this in 1:1 chats only.
	ErrDirectOnly = errors.New("LINE has this in chats with one person only")
	// ErrNothingYet says that there is no event that could be delivered again.
	ErrNothingYet = errors.New("nothing has been said yet")
	// ErrNotLINE says that a step is none that LINE knows of.
	ErrNotLINE = errors.New("that does not happen in LINE")
)

// Stage brings the steps of a talk to a LINE platform of linesim: whose name is which
// user, which message or button is meant, and what has been said since somebody last
// looked. It is one platform with its people and groups, each of which is known from
// the first step with its name on. It is not safe for concurrent use.
type Stage struct {
	platform *linesim.Platform
	chats    []*chat
	names    map[string]string // of users and groups, by ID
	blocked  map[string]bool   // users
	last     *linesim.Event    // that was made; nil before the first
}

// chat is a chat with one person or a group.
type chat struct {
	id, name string
	group    bool
	said     []linesim.Event // by people, as they said it at first; oldest first
	told     int             // bubbles that Heard has looked at
}

// NewStage makes a stage of the platform.
func NewStage(p *linesim.Platform) *Stage {
	return &Stage{platform: p, names: make(map[string]string), blocked: make(map[string]bool)}
}

// Person returns the ID of the user with the name, which is also the name of the
// profile.
func (s *Stage) Person(name string) string {
	id := linesim.UserID(name)
	if _, known := s.names[id]; !known {
		s.names[id] = name
		s.platform.SetProfile(id, name)
		s.chats = append(s.chats, &chat{id: id, name: name})
	}
	return id
}

// Group returns the ID of the group with the name.
func (s *Stage) Group(name string) string {
	id := linesim.GroupID(name)
	if _, known := s.names[id]; !known {
		s.names[id] = name
		s.chats = append(s.chats, &chat{id: id, name: name, group: true})
	}
	return id
}

// Name is the name of the user or group with the ID, "" for an unknown one.
func (s *Stage) Name(id string) string { return s.names[id] }

// Trouble does what the verb says about LINE's side, and reports whether it is
// about that.
func (s *Stage) Trouble(verb Verb) bool {
	switch verb {
	case Loses:
		s.platform.Fail(linesim.Lost())
	case Busy:
		s.platform.SetFault(func(*http.Request) linesim.Fault { return linesim.NotAccepted(http.StatusTooManyRequests, "") })
	case Back:
		s.platform.SetFault(nil)
	default:
		return false
	}
	return true
}

// chatOf returns the chat of the line and the person in it.
func (s *Stage) chatOf(l Line) (*chat, linesim.Source) {
	source := linesim.User(s.Person(l.Who))
	if l.Group != "" {
		source = linesim.Group(s.Group(l.Group), source.UserID)
	}
	id := source.Chat()
	return s.chats[slices.IndexFunc(s.chats, func(c *chat) bool { return c.id == id })], source
}

// Event makes the event that the step causes, at the step's time; a zero time is
// now. What somebody says appears in the chat at once.
func (s *Stage) Event(step Step) (linesim.Event, error) {
	if step.Verb == Repeats {
		if s.last == nil {
			return linesim.Event{}, ErrNothingYet
		}
		return s.last.Redelivered(), nil
	}
	e, err := s.event(step.Line)
	if err != nil {
		return linesim.Event{}, err
	}
	if !step.At.IsZero() {
		e.Timestamp = step.At
	}
	s.last = &e
	return e, nil
}

func (s *Stage) event(l Line) (linesim.Event, error) {
	c, source := s.chatOf(l)
	switch l.Verb {
	case Says:
		return c.say(s.platform.TextIn(source, l.Text)), nil
	case Mentions:
		return c.say(s.platform.Mention(source, l.Text)), nil
	case Quotes:
		id, err := s.quotable(c, l.Of)
		if err != nil {
			return linesim.Event{}, err
		}
		return c.say(s.platform.Quote(source, id, l.Text)), nil
	case Edits, Unsends:
		return s.change(c, source, l)
	case Presses:
		return s.press(c, source, l.Text)
	case SendsPhoto:
		return c.say(s.platform.Image(source)), nil
	case SendsSticker:
		return c.say(s.platform.Sticker(source)), nil
	case Follows, Blocks:
		return s.befriend(c, source, l.Verb)
	case AddsBot, RemovesBot, Joins, Leaves:
		return s.gather(c, source, l.Verb)
	}
	return linesim.Event{}, fmt.Errorf("%w: %s", ErrNotLINE, l.Verb)
}

func (c *chat) say(e linesim.Event) linesim.Event {
	c.said = append(c.said, e)
	return e
}

// quotable finds the latest message of the chat that begins with the text; for ""
// the bot's latest.
func (s *Stage) quotable(c *chat, begin string) (messageID string, err error) {
	for _, b := range slices.Backward(s.platform.Chat(c.id)) {
		switch {
		case b.ID == "" || b.Unsent:
		case begin == "" && b.Via != "", begin != "" && strings.HasPrefix(b.Text, begin):
			return b.ID, nil
		}
	}
	return "", ErrNoMessage
}

// Quote is the event of quoting the n-th last message of a chat, which 1 is the
// last of; 0 is the bot's last.
func (s *Stage) Quote(who, group string, n int, text string) (linesim.Event, error) {
	c, source := s.chatOf(Line{Who: who, Group: group})
	id, err := "", ErrNoMessage
	if n == 0 {
		id, err = s.quotable(c, "")
	}
	for _, b := range slices.Backward(s.platform.Chat(c.id)) {
		if b.ID == "" || b.Unsent {
			continue
		}
		if n--; n == 0 {
			id, err = b.ID, nil
		}
	}
	if err != nil {
		return linesim.Event{}, err
	}
	e := c.say(s.platform.Quote(source, id, text))
	s.last = &e
	return e, nil
}

// change edits a message of the person or takes it back.
func (s *Stage) change(c *chat, source linesim.Source, l Line) (linesim.Event, error) {
	if l.Verb == Edits && !c.group {
		return linesim.Event{}, ErrGroupsOnly
	}
	for i, e := range slices.Backward(c.said) {
		if e.Source.UserID != source.UserID || l.Verb == Edits && e.MessageType != "text" || !strings.HasPrefix(e.Text, l.Of) {
			continue
		}
		if l.Verb == Unsends {
			c.said = slices.Delete(c.said, i, i+1)
			return s.platform.Unsend(e), nil
		}
		c.said[i].Text = l.Text
		return s.platform.Edited(e, l.Text), nil
	}
	return linesim.Event{}, ErrNoMessage
}

func (s *Stage) press(c *chat, source linesim.Source, label string) (linesim.Event, error) {
	e, ok := s.platform.Press(source, label)
	if !ok {
		e, ok = s.platform.PressLate(source, label)
	}
	if !ok {
		return linesim.Event{}, ErrNoButton
	}
	if e.MessageID != "" {
		c.say(e)
	}
	return e, nil
}

func (s *Stage) befriend(c *chat, source linesim.Source, verb Verb) (linesim.Event, error) {
	if c.group {
		return linesim.Event{}, ErrDirectOnly
	}
	was := s.blocked[source.UserID]
	s.blocked[source.UserID] = verb == Blocks
	if verb == Blocks {
		return s.platform.Unfollow(source.UserID), nil
	}
	return s.platform.Follow(source.UserID, was), nil
}

func (s *Stage) gather(c *chat, source linesim.Source, verb Verb) (linesim.Event, error) {
	if !c.group {
		return linesim.Event{}, ErrGroupsOnly
	}
	group := linesim.Group(c.id, "")
	switch verb {
	case AddsBot:
		return s.platform.Join(group), nil
	case RemovesBot:
		return s.platform.Leave(group), nil
	case Joins:
		return s.platform.MemberJoined(group, source.UserID), nil
	}
	return s.platform.MemberLeft(group, source.UserID), nil
}

// Heard returns what the bot has said since the last call, in all chats, in the
// order in which it came.
func (s *Stage) Heard() []Answer {
	type said struct {
		linesim.Bubble
		chat *chat
	}
	var all []said
	for _, c := range s.chats {
		bubbles := s.platform.Chat(c.id)
		for _, b := range bubbles[c.told:] {
			if b.Via != "" {
				all = append(all, said{b, c})
			}
		}
		c.told = len(bubbles)
	}
	slices.SortStableFunc(all, func(a, b said) int { return a.At.Compare(b.At) })
	var answers []Answer
	for _, b := range all {
		a := Answer{Chat: b.chat.name, Group: b.chat.group, Text: b.PlainText()}
		for _, button := range slices.Concat(b.Buttons, b.QuickReplies) {
			a.Buttons = append(a.Buttons, Button{Label: button.Label, Says: button.Text, Tap: button.Type != "message"})
		}
		answers = append(answers, a)
	}
	return answers
}
