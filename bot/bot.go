// Package bot is the conversation: what one message does to the household's
// ledger and what is said about it. It knows no LINE and no HTTP.
//
// The table in commands.go says what there is to say to the bot, that in tap.go what
// its buttons do; each family of commands has a file of its own. A sentence is said in
// the language of whoever is answered (voice.go, language.go), and stands in all
// languages side by side in one of these:
//
//	wording.go         names, money, dates; records and balances
//	wording_undo.go    what is taken back and brought back
//	wording_correct.go what is put right, by a correction, a button or an edit
//	wording_query.go   answers to questions about the ledger
//	wording_budget.go  budgets
//	wording_words.go   settings: language, taught words, own categories and accounts, the wallet
//	wording_family.go  people and chats that come and go
//	wording_ask.go     the help, small talk, what can't be done, questions back
//	wording_choose.go  questions back with the person's own words, and the buttons under them
//	wording_notice.go  what is told without having been asked
//
// docs/wording.md, which a test writes, has all of them on one page.
package bot

import (
	"fmt"
	"strings"
	"time"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
	"ichido/store"
)

// Event says what happened in the chat.
type Event int

// The events. The zero value is that somebody said something.
const (
	Said     Event = iota
	Edited         // changed the text of what was said: Text is the new one, At the time of the change
	Tapped         // pressed a button: Text is its Tap
	Followed       // began, or began again, to talk with the bot alone
	Grouped        // took the bot into a group
	Photo          // sent a picture
)

var eventNames = map[Event]string{
	Edited: "an edit", Tapped: "a pressed button", Followed: "a follower", Grouped: "a group", Photo: "a photo",
}

// Message is what a person said to the bot or did in the chat.
type Message struct {
	Event     Event
	Text      string
	Chat      string    // where, as the door names it: what the bot has asked in a chat is answered there
	At        time.Time // when it happened, whenever it arrives
	Direct    bool      // in a chat with the bot alone, not in a group
	Addressed bool      // in a group, but plainly to the bot: it was mentioned or quoted

	// Quotes says that an earlier message was quoted. Quoted is the receipt that
	// this one stands for; nil if it is not known.
	Quotes bool
	Quoted *store.Receipt

	// InviteLink makes the link with which a code is sent to the bot; nil if the
	// door has none.
	InviteLink func(code string) string

	cmd *grammar.Command // what Read has understood; nil before
}

// Button offers something to say next.
type Button struct {
	Label string // at most 20 graphemes
	Text  string // what is sent, as if typed; with a Tap, only shown in the chat

	// Tap is the operation that pressing the button performs, once. It comes back
	// as the Text of a Tapped event. "" for a button that says its Text.
	Tap string
}

// Reply is what the bot says. The zero Reply is silence.
type Reply struct {
	Lines   []Line
	Buttons []Button
}

// Line is one line of an answer.
type Line struct {
	Text string // all of it in plain words
	Role Role

	// What a Head and an Item say, set apart for doors that can draw; Left "" says that
	// there is only the Text.
	Lead        string // stands above: 記録しました。
	Left, Right string // what, and its figure: 食費, 3,380円
	Note        string // small print of the line: who, a category
	Number      string // by which the line can be meant: of a receipt
	Group       string // begins, above the line, a group of lines: a day
	Bar         int    // per mille of the answer's longest bar; 0 for none
	Whole       bool   // the bar is of a whole, such as a budget; over 1000 is more than that
}

// Role is what a line is in its answer.
type Role int

// The roles. The zero value is plain words.
const (
	Sentence Role = iota
	Head          // begins the answer: what was done, or what is asked about
	Item          // a row, a category, a month
	Quiet         // small print at the end
	Notice        // what may not be missed, whatever else is cut
)

// Text is all that the reply says, in plain words.
func (r Reply) Text() string {
	var b strings.Builder
	for i, line := range r.Lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line.Text)
	}
	return b.String()
}

// said is a reply of sentences. Empty ones are nothing.
func said(texts ...string) Reply { return Reply{Lines: sentences(texts...)} }

func sentences(texts ...string) (lines []Line) {
	for _, text := range texts {
		if text == "" {
			continue
		}
		for line := range strings.SplitSeq(text, "\n") {
			lines = append(lines, Line{Text: line})
		}
	}
	return lines
}

// Bot holds what is the same in all conversations of a household. It has no
// state of its own and may be used by any number of goroutines.
type Bot struct {
	zone *time.Location
}

// New returns a bot for a household that lives in the zone.
func New(zone *time.Location) *Bot { return &Bot{zone: zone} }

// Read understands the message, without the ledger, and returns it with what it
// has understood. Handle does it if it has not been done; done before, it costs
// the transaction no time.
func (b *Bot) Read(m Message) Message {
	m.At = m.At.Truncate(time.Millisecond).In(b.zone)
	if m.Event == Said {
		cmd := grammar.Parse(m.Text, m.At)
		m.cmd = &cmd
	}
	return m
}

// Handle does all that the message does, in the transaction of the message's
// own event (store.Submit), and returns what to say. An error means that the
// machine failed and nothing may be kept; whatever is wrong with the message
// itself is said in the reply. The error store.Leave means that nothing is to be
// kept of the event: in a group the bot keeps out of what is not plainly meant
// for it.
func (b *Bot) Handle(tx *store.Tx, m Message) (Reply, error) {
	if m.cmd == nil {
		m = b.Read(m)
	}
	t := b.turn(tx, m)
	if err := t.learn(); err != nil {
		return Reply{}, err
	}
	reply, err := t.handle()
	if err == store.Leave {
		return Reply{}, err
	}
	if err != nil {
		return Reply{}, fmt.Errorf("handling %s: %w", t.what(), err)
	}
	return t.sealed(t.audible(reply))
}

// turn is one message while it is handled. Everything in it goes by when the
// message was typed; nothing by when it arrived.
type turn struct {
	Voice   // of the sender
	tx      *store.Tx
	zone    *time.Location
	message Message
	at      time.Time   // in the zone, whole milliseconds; of an edit, when the message was typed
	today   ledger.Date // of at
	sender  ledger.MemberID
	own     *grammar.Names  // the household's own words; nil for none
	cmd     grammar.Command // of what was said, or of the new text of an edit
}

func (b *Bot) turn(tx *store.Tx, m Message) *turn {
	t := &turn{tx: tx, zone: b.zone, message: m, sender: tx.Sender().ID}
	t.typed(m.At)
	if m.cmd != nil {
		t.cmd = *m.cmd
	}
	return t
}

// typed sets the time that everything goes by.
func (t *turn) typed(at time.Time) {
	t.at = at.Truncate(time.Millisecond).In(t.zone)
	t.today = ledger.DateOf(t.at)
}

// learn looks up what the household has settled about the talk with the sender.
func (t *turn) learn() (err error) {
	if t.Voice, err = VoiceOf(t.tx, t.sender); err != nil {
		return fmt.Errorf("looking up the sender's language: %w", err)
	}
	if err := t.reread(); err != nil {
		return fmt.Errorf("reading with the household's words: %w", err)
	}
	return nil
}

// reread reads what was said with the household's own words, if it has any.
func (t *turn) reread() (err error) {
	if t.own, err = ownWords(t.tx); t.own == nil || t.message.Event != Said || err != nil {
		return err
	}
	t.cmd = t.own.Parse(t.message.Text, t.at)
	return nil
}

// parse reads a text as typed at the time, with the household's own words.
func (t *turn) parse(text string, at time.Time) grammar.Command { return t.own.Parse(text, at) }

func (t *turn) handle() (Reply, error) {
	switch t.message.Event {
	case Edited:
		return t.edit()
	case Tapped:
		return t.tap()
	case Followed:
		return t.welcome()
	case Grouped:
		return said(t.text(groupGreeting)), nil
	case Photo:
		return t.photo()
	}
	if err := t.quoteCorrects(); err != nil {
		return Reply{}, err
	}
	switch m := t.tx.Message(); {
	case t.tx.JustJoined():
		return t.welcome()
	case !t.heard():
		return Reply{}, store.Leave
	case m.Said == 0 && len(m.Receipts) > 0:
		return t.late()
	}
	if reply, done, err := t.answerOpen(); done || err != nil {
		return reply, err
	}
	return t.run()
}

// what names in errors what is handled.
func (t *turn) what() string {
	if t.message.Event == Said {
		return string(t.cmd.Kind)
	}
	return eventNames[t.message.Event]
}

// heard says whether what was said is for the bot.
func (t *turn) heard() bool {
	kind := t.cmd.Kind
	aboutQuoted := kind == grammar.Undo || kind == grammar.Redo || kind == grammar.Correct
	return t.message.Direct || t.message.Addressed || t.cmd.InGroup || t.message.Quotes && t.message.Quoted != nil && aboutQuoted
}

// answer is a Reply while it is put together.
type answer struct {
	lines   []Line
	buttons []Button
}

// add adds sentences; an empty one is nothing.
func (a *answer) add(texts ...string) { a.put(sentences(texts...)...) }

// quiet adds small print.
func (a *answer) quiet(text string) { a.put(Line{Text: text, Role: Quiet}) }

func (a *answer) put(lines ...Line) { a.lines = append(a.lines, lines...) }

// maxTapData is how many bytes a button can carry: see bot/line/render.go.
const maxTapData = 300

// offer adds buttons, without those that can't be carried.
func (a *answer) offer(buttons ...Button) {
	for _, b := range buttons {
		if len(b.Tap) <= maxTapData {
			a.buttons = append(a.buttons, b)
		}
	}
}

func (a *answer) reply() Reply {
	return Reply{Lines: a.lines, Buttons: a.buttons}
}
