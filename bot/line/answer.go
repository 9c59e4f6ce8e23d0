package line

import (
	"ichido/bot"
	"ichido/internal/ledger"
	"ichido/store"
)

// answer puts what the bot says to an event into the outbox, in the event's own
// transaction. It returns the zero message if there is nothing to say.
func (d *Door) answer(tx *store.Tx, e *event, reply bot.Reply) (store.Outgoing, error) {
	if e.standby || reply.Text == "" {
		return store.Outgoing{}, nil
	}
	unsaid, err := tx.TakeUnsaid(e.from.chat)
	if err != nil {
		return store.Outgoing{}, err
	}
	o := store.Outgoing{Chat: e.from.chat, ReplyToken: e.replyToken, Pushing: e.replyToken == ""}
	var receipts []ledger.ReceiptNumber
	for _, u := range unsaid {
		o.Names = append(o.Names, u.ID)
		receipts = append(receipts, u.Receipt)
	}
	if len(receipts) > 0 {
		reply.Text += "\n\n" + bot.Unsaid(receipts)
	}
	if o.Payload, err = render(reply); err != nil {
		return store.Outgoing{}, err
	}
	return tx.Say(o)
}
