package line

import (
	"ichido/bot"
	"ichido/store"
)

// TellEntry puts what a chat is to hear of an entry of a page or program into the outbox,
// in the event's own transaction. A chat that may not hear it gets nothing.
func (d *Door) TellEntry(tx *store.Tx, chat string, r bot.Reply) error {
	o := store.Outgoing{Notice: store.NoticeEntry, Chat: chat, Pushing: true}
	if may, err := d.sender.mayHear(tx, &o); !may || err != nil {
		return err
	}
	var err error
	if o.Payload, err = render(r); err != nil {
		return err
	}
	return d.sender.say(tx, o)
}
