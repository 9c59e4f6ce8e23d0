package line

import (
	"context"
	"time"

	"ichido/bot"
)

const (
	greetEvery     = time.Hour   // a stranger is told what this is
	wrongCodeEvery = time.Second // a stranger is told that a code is wrong, or what this is if he adds the bot again
	maxGreets      = 8           // answers to strangers on their way at the same time
)

// greetings bounds what strangers are told.
type greetings struct {
	strangers, wrongCodes limiter
	slots                 chan struct{} // one for each answer under way
}

func newGreetings() *greetings {
	return &greetings{
		strangers: limiter{every: greetEvery}, wrongCodes: limiter{every: wrongCodeEvery},
		slots: make(chan struct{}, maxGreets),
	}
}

// greet tells a stranger in his own chat, now and then, on the reply token and
// without a trace in the file, that this bot is not for him unless he has a code.
func (d *Door) greet(e *event) {
	if !e.from.direct() || e.replyToken == "" || e.standby {
		return
	}
	select {
	case d.greeted.slots <- struct{}{}:
	default:
		return
	}
	text := d.greeting(e)
	payload, err := render(plain(text))
	if text == "" || err != nil {
		<-d.greeted.slots
		return
	}
	go func() {
		defer func() { <-d.greeted.slots }()
		d.sender.reply(context.Background(), e.replyToken, payload)
	}()
}

// greeting is what the stranger is told now, "" for nothing.
func (d *Door) greeting(e *event) string {
	person, now := e.from.person, time.Now()
	if e.code != "" {
		if d.greeted.wrongCodes.allow(person, now) {
			return bot.WrongCode
		}
		return ""
	}
	first := d.greeted.strangers.allow(person, now)
	if first {
		// So that whoever runs the machine can let the person in.
		d.log.Info("a stranger wrote; the configuration can let him in", "user", person)
	} else if e.kind != followed || !d.greeted.wrongCodes.allow(person, now) {
		return ""
	}
	if d.left(person) {
		return bot.WelcomeBack
	}
	return bot.Stranger
}
