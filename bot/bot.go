// Package bot is the conversation: what one message does to the household's
// ledger and what is said about it. It knows no LINE and no HTTP.
//
// The table in commands.go says what there is to say to the bot; each family of
// commands has a file of its own; every sentence is in wording.go,
// in wording_query.go where something is told and, where nothing is done or
// told, in wording_ask.go.
package bot

import (
	"fmt"
	"strings"
	"time"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
	"ichido/store"
)

// Message is what a person said to the bot.
type Message struct {
	Text   string
	At     time.Time // when it was typed, whenever it arrives
	Direct bool      // said in a chat with the bot alone, not in a group

	cmd *grammar.Command // what Read has understood; nil before
}

// Button offers something to say next.
type Button struct {
	Label string // at most 20 graphemes
	Text  string // what is sent, as if typed
}

// Reply is what the bot says. The zero Reply is silence.
type Reply struct {
	Text    string
	Buttons []Button
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
	cmd := grammar.Parse(m.Text, m.At)
	m.cmd = &cmd
	return m
}

// Handle does all that the message does, in the transaction of the message's
// own event (store.Submit), and returns what to say. An error means that the
// machine failed and nothing may be kept; whatever is wrong with the message
// itself is said in the reply. In a group the bot keeps out of what is not
// plainly meant for it.
func (b *Bot) Handle(tx *store.Tx, m Message) (Reply, error) {
	if m.cmd == nil {
		m = b.Read(m)
	}
	t := b.turn(tx, m.At, *m.cmd)
	if !m.Direct && !t.cmd.InGroup {
		return Reply{}, nil
	}
	reply, err := t.run()
	if err != nil {
		return Reply{}, fmt.Errorf("handling %s: %w", t.cmd.Kind, err)
	}
	return reply, nil
}

// turn is one message while it is handled. Everything in it goes by when the
// message was typed; nothing by when it arrived.
type turn struct {
	tx     *store.Tx
	zone   *time.Location
	at     time.Time   // in the zone, whole milliseconds
	today  ledger.Date // of at
	sender ledger.MemberID
	cmd    grammar.Command
}

func (b *Bot) turn(tx *store.Tx, at time.Time, cmd grammar.Command) *turn {
	return &turn{tx: tx, zone: b.zone, at: at, today: ledger.DateOf(at), sender: tx.Sender().ID, cmd: cmd}
}

// answer is a Reply while it is put together.
type answer struct {
	lines   []string
	buttons []Button
}

// add adds lines; an empty one is nothing.
func (a *answer) add(lines ...string) {
	for _, line := range lines {
		if line != "" {
			a.lines = append(a.lines, line)
		}
	}
}

func (a *answer) offer(buttons ...Button) { a.buttons = append(a.buttons, buttons...) }

func (a *answer) reply() Reply {
	return Reply{Text: strings.Join(a.lines, "\n"), Buttons: a.buttons}
}
