package line

import (
	"context"
	"sync"
	"time"

	"ichido/bot"
)

const (
	greetEvery = time.Hour
	maxGreeted = 1024 // strangers remembered; beyond that nobody new is answered
	maxGreets  = 8    // answers on their way at the same time
)

// greetings remembers, in memory only, which strangers have been answered
// lately.
type greetings struct {
	mu      sync.Mutex
	last    map[string]time.Time
	sending int
}

// allow says whether the person may be answered now, and notes that he was.
func (g *greetings) allow(person string, now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.last == nil {
		g.last = make(map[string]time.Time)
	}
	if len(g.last) >= maxGreeted {
		for p, t := range g.last {
			if now.Sub(t) >= greetEvery {
				delete(g.last, p)
			}
		}
	}
	if t, known := g.last[person]; known && now.Sub(t) < greetEvery || len(g.last) >= maxGreeted || g.sending >= maxGreets {
		return false
	}
	g.last[person] = now
	g.sending++
	return true
}

func (g *greetings) sent() {
	g.mu.Lock()
	g.sending--
	g.mu.Unlock()
}

// greet tells a stranger once an hour, on the reply token and without a trace in
// the file, that this bot is not for him.
func (d *Door) greet(e *event) {
	if e.from.person == "" || e.replyToken == "" || e.standby || !d.greeted.allow(e.from.person, time.Now()) {
		return
	}
	// So that whoever runs the machine can let the person in.
	d.log.Info("a stranger wrote; the configuration can let him in", "user", e.from.person)
	payload, err := render(bot.Reply{Text: bot.Stranger})
	if err != nil {
		d.greeted.sent()
		return
	}
	go func() {
		defer d.greeted.sent()
		d.sender.reply(context.Background(), e.replyToken, payload)
	}()
}
