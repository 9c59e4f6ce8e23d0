package line

import (
	"ichido/bot"
	"ichido/store"
)

// TellEntry puts what a chat is to hear of an entry of a page or program into the outbox,
// in the event's own transaction, and returns what is to be called after its commit: then
// it is sent. A chat that may not hear it gets nothing.
func (d *Door) TellEntry(tx *store.Tx, chat string, r bot.Reply) (committed func(), err error) {
	o := store.Outgoing{Notice: store.NoticeEntry, Chat: chat, Pushing: true}
	if may, err := d.sender.mayHear(tx, &o); !may || err != nil {
		return func() {}, err
	}
	if o.Payload, err = render(r); err != nil {
		return nil, err
	}
	o, err = tx.Say(o)
	return func() { d.sender.add(o) }, err
}
