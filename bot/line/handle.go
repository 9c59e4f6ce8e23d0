package line

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"time"

	"ichido/bot"
	"ichido/store"
)

// fate is what became of an event.
type fate int

const (
	handled fate = iota // it has a receipt
	strange             // a stranger's
	ignored             // none that this door takes
)

// begin queues an event and returns what waits for its end. The error is that of
// an event of ours that could not be handled and should be parked.
func (d *Door) begin(ctx context.Context, e *event) (wait func() (fate, error)) {
	switch {
	case !d.takes(e):
		d.counts.Ignored.Add(1)
		d.tellOfChat(e)
		return func() (fate, error) { return ignored, nil }
	case e.err != nil:
		return func() (fate, error) { return d.unread(e, e.err) }
	}
	h := &handling{door: d, event: e, open: d.hears(e.from), late: d.sender.late(e.from.chat)}
	h.read()
	e.code = d.code(e, h.message)
	req := e.request(d.admits(e.from))
	if req.Invite != "" && !d.guesses.allow(e.from.person, e.code, time.Now()) {
		req.Invite = ""
	}
	sub := d.store.Enqueue(ctx, req, h.apply)
	return func() (fate, error) {
		receipt, outcome, err := sub.Wait(ctx)
		if err == nil && h.joined {
			d.guesses.forget(e.from.person, e.code)
		}
		if errors.Is(err, store.ErrStranger) && h.takesBackParked() {
			req.Person, req.Admit = "", true
			receipt, outcome, err = d.store.Submit(ctx, req, h.apply)
		}
		return h.end(receipt, outcome, err)
	}
}

// admits says whether the configuration lets in who the event is of: the person
// or, in a group or room, everybody there.
func (d *Door) admits(s source) bool { return s.chat != "" && d.admit(s.chat) }

// hears says whether the door listens in the chat.
func (d *Door) hears(s source) bool { return s.direct() || d.admits(s) }

// takes says whether the door does anything with such an event in its chat. Where
// it does not listen, it takes back what is unsent all the same, and lets in who
// brings a code.
func (d *Door) takes(e *event) bool {
	switch e.kind {
	case unsent:
		return true
	case said:
		return d.hears(e.from) || store.NormalizeInvite(e.message.text) != ""
	case edited, tapped:
		return d.hears(e.from)
	case image, followed:
		return e.from.direct()
	case unfollowed: // by somebody who never spoke it is nothing
		return e.from.direct() && d.knows(e.from.person)
	case botJoined, botLeft, peopleLeft:
		return !e.from.direct() && d.hears(e.from)
	}
	return e.err != nil && d.hears(e.from)
}

// unread sorts out an event that can't be decoded: the cause comes back for one of
// ours; of others nothing is kept.
func (d *Door) unread(e *event, cause error) (fate, error) {
	if !d.hears(e.from) {
		d.counts.Ignored.Add(1)
		return ignored, nil
	}
	ours := false
	err := d.store.View(func(tx *store.Tx) (err error) {
		ours, err = tx.MayTalk(e.from.person, d.admits(e.from))
		return err
	})
	switch {
	case err != nil:
		return handled, err
	case !ours:
		d.counts.Strangers.Add(1)
		return strange, nil
	}
	return handled, cause
}

// handling is an event on its way through the store.
type handling struct {
	door    *Door
	event   *event
	open    bool             // the door listens in the chat
	late    []store.OutboxID // what waits for the chat and perhaps can go along with an answer
	message bot.Message
	failed  error // why there is no message

	// What the transaction came to; each run begins anew:
	speaker   store.Member // whose event it is; ID 0: LINE does not say
	joined    bool         // its code was right
	forgotten []string     // keys of parked events that are no more
}

// botEvents are the events that are for the bot. What the others do is in people.go
// and unsend.go.
var botEvents = map[eventKind]bot.Event{
	said: bot.Said, edited: bot.Edited, tapped: bot.Tapped, followed: bot.Followed, botJoined: bot.Grouped, image: bot.Photo,
}

// read lets the bot understand the text, outside of the transaction. A panic
// becomes the error of the transaction, in which it turns out whose event it is.
func (h *handling) read() {
	e := h.event
	what, forBot := botEvents[e.kind]
	if !forBot {
		return
	}
	defer func() {
		if p := recover(); p != nil {
			h.door.log.Error("reading a message panicked", "event", e.name(), "stack", string(debug.Stack()))
			h.failed = store.ErrPanic
		}
	}()
	text := e.message.text
	if e.kind == tapped {
		text = e.tap.data
	}
	h.message = h.door.bot.Read(bot.Message{
		Event: what, Text: text, Chat: e.from.chat, At: e.at, Direct: e.from.direct(), Addressed: e.message.addressed,
	})
}

// apply is what happens to an event in its transaction: its effect, and what the
// bot answers goes into the outbox.
func (h *handling) apply(tx *store.Tx) (err error) {
	h.speaker, h.joined, h.forgotten = tx.Sender(), tx.JustJoined(), nil
	if h.event.kind == unsent {
		return h.unsend(tx)
	}
	if !h.open && !tx.JustJoined() {
		return store.Leave
	}
	if h.failed != nil {
		return h.failed
	}
	reply, err := h.act(tx)
	if err != nil {
		return err
	}
	return h.door.answer(tx, h.event, reply, h.late)
}

// act does what the event is about.
func (h *handling) act(tx *store.Tx) (bot.Reply, error) {
	var err error
	switch e := h.event; e.kind {
	case unfollowed:
		return bot.Reply{}, h.unfollow(tx)
	case botLeft:
		return bot.Reply{}, h.leave(tx)
	case peopleLeft:
		return bot.Reply{}, h.part(tx)
	case followed:
		_, err = tx.Move(e.from.person, e.at, true)
	case botJoined:
		_, err = moveBot(tx, e.from.chat, e.at)
	}
	if err != nil {
		return bot.Reply{}, err
	}
	m := h.message
	if m.InviteLink, err = inviteLinks(tx); err != nil {
		return bot.Reply{}, err
	}
	if quotes := h.event.message.quotes; quotes != "" {
		var ours bool
		if m.Quoted, ours, err = tx.Quoted(Scope, quotes); err != nil {
			return bot.Reply{}, err
		}
		m.Quotes, m.Addressed = true, m.Addressed || ours
	}
	return h.door.bot.Handle(tx, m)
}

// end says what has become of the event.
func (h *handling) end(receipt store.Receipt, outcome store.Outcome, err error) (fate, error) {
	switch {
	case errors.Is(err, store.ErrStranger):
		h.door.counts.Strangers.Add(1)
		return strange, nil
	case err != nil:
		return handled, err
	case outcome == store.Left:
		h.door.counts.Ignored.Add(1)
		return ignored, nil
	}
	h.done(receipt, outcome)
	return handled, nil
}

// done follows up on an event that is safe and rouses the sender. A repeated event
// does no more than that: LINE has made its reply token fresh again.
func (h *handling) done(r store.Receipt, outcome store.Outcome) {
	e := h.event
	switch outcome {
	case store.Recorded:
		h.door.counts.Recorded.Add(1)
		h.door.parked.forget(h.forgotten)
		for _, chat := range e.ends() {
			h.door.sender.rouse(chat, everything)
		}
		h.door.names.learn(e.from, h.speaker)
		h.door.log.LogAttrs(context.Background(), slog.LevelDebug, "recorded", slog.Uint64("receipt", uint64(r.Number)), slog.String("event", e.name()))
	case store.Repeated:
		h.door.counts.Repeated.Add(1)
		h.door.sender.rouse(e.from.chat, answering(r.Number)) // its reply token is fresh
		h.door.log.Debug("repeated", "receipt", r.Number, "event", e.name())
	case store.Conflict:
		h.door.counts.Conflicts.Add(1)
		h.door.log.Warn("an event came again with other content; refused", "receipt", r.Number, "event", e.name())
	}
}
