package line

import (
	"encoding/json"
	"slices"
	"strings"

	"ichido/bot"
	"ichido/internal/ledger"
	"ichido/store"
)

// answer puts what the bot says to an event into the outbox, in the event's own
// transaction, if it says something.
//
// What could not be said before goes along, so that the chat reads in the order of
// the outbox: a late answer in front, as a message of its own; one that is lost, or
// no longer true, by its receipt's number. late are the messages that may be late ones.
func (d *Door) answer(tx *store.Tx, e *event, reply bot.Reply, late []store.OutboxID) error {
	if e.standby || len(reply.Lines) == 0 {
		return nil
	}
	o := store.Outgoing{Chat: e.from.chat, ReplyToken: e.replyToken, Pushing: e.replyToken == ""}
	before, err := takeLate(tx, &o, late)
	if err != nil {
		return err
	}
	unsaid, err := tx.TakeUnsaid(e.from.chat)
	if err != nil {
		return err
	}
	var receipts []bot.Unanswered
	for _, u := range unsaid {
		outcome, err := bot.OutcomeOf(tx, u.Receipt)
		if err != nil {
			return err
		}
		o.Names = append(o.Names, u.ID)
		receipts = append(receipts, bot.Unanswered{Receipt: u.Receipt, Outcome: outcome})
	}
	if len(receipts) > 0 {
		voice, err := bot.VoiceOf(tx, tx.Sender().ID)
		if err != nil {
			return err
		}
		reply.Lines = noted(reply, voice.Unsaid(receipts))
	}
	if o.Payload, err = render(reply, before...); err != nil {
		return err
	}
	return d.sender.say(tx, o)
}

// noted puts a notice behind the lines of a reply. It is never cut: a text is.
func noted(r bot.Reply, notice string) []bot.Line {
	if !drawn(r) {
		notice = "\n\n" + notice
		return plain(cutUnits(r.Text(), maxText-len(notice)) + notice).Lines // a byte is no less than a unit
	}
	lines := append(slices.Clip(r.Lines), bot.Line{})
	for line := range strings.SplitSeq(notice, "\n") {
		lines = append(lines, bot.Line{Text: line, Role: bot.Notice})
	}
	return lines
}

// takeLate lets o carry those of the messages that are late answers, and returns them as they were
// rendered. What may no longer be said ends here, to be named.
func takeLate(tx *store.Tx, o *store.Outgoing, ids []store.OutboxID) (messages []json.RawMessage, err error) {
	late, err := tx.TakeLate(o.Chat, ids, maxMessages-1)
	if err != nil {
		return nil, err
	}
	for _, l := range late {
		read, err := carriable(tx, &l)
		if err != nil {
			return nil, err
		}
		if read == nil {
			l.State = store.Expired
			if err := tx.PutOutgoing(l); err != nil {
				return nil, err
			}
			continue
		}
		messages = append(messages, read...)
		o.Carries = append(o.Carries, l.ID)
		o.Of = append(o.Of, tellsOf(&l)...)
	}
	if o.Of != nil {
		o.Of = append(o.Of, tx.Receipt().Number)
	}
	return messages, nil
}

// carriable reads the messages of a late answer; nil if it may no longer be said.
func carriable(tx *store.Tx, late *store.Outgoing) (messages []json.RawMessage, err error) {
	if old, err := tooOld(tx, late); old || err != nil {
		return nil, err
	}
	if wrong, err := outdated(tx, late); wrong || err != nil {
		return nil, err
	}
	noObject := func(m json.RawMessage) bool { return len(m) == 0 || m[0] != '{' }
	if json.Unmarshal(late.Payload, &messages) != nil || slices.ContainsFunc(messages, noObject) {
		return nil, nil // by another program than this; it can be named
	}
	return messages, nil
}

// tellsOf gives the receipt of each message of the payload.
func tellsOf(o *store.Outgoing) []ledger.ReceiptNumber {
	if o.Of != nil {
		return o.Of
	}
	raw, _ := rawMessages(o.Payload) // none: it tells of nothing
	return slices.Repeat([]ledger.ReceiptNumber{o.Receipt}, len(raw))
}
