package line

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"time"

	"ichido/bot"
	"ichido/store"
)

// inviteLink opens the chat with the bot and has the code that is put behind it ready
// to be sent. The basic ID is the bot's, with its @.
func inviteLink(basicID string) string {
	return "https://line.me/R/oaMessage/" + url.QueryEscape(basicID) + "/?"
}

// inviteLinks returns what makes the links for codes, nil while the basic ID is not
// known.
func inviteLinks(tx *store.Tx) (func(code string) string, error) {
	link, err := tx.Fact(store.FactInviteLink)
	if link == "" || err != nil {
		return nil, err
	}
	return func(code string) string { return link + code }, nil
}

// learnBasicID asks LINE for the bot's basic ID, until it is told or ctx ends, and
// notes the link that it makes if that has changed.
func (d *Door) learnBasicID(ctx context.Context) {
	for tries := 0; ; tries++ {
		err := d.askBasicID(ctx)
		if err == nil || ctx.Err() != nil {
			return
		}
		d.log.Log(ctx, slog.LevelDebug, "LINE did not tell the bot's basic ID", "error", err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(waits[min(tries, len(waits)-1)]):
		}
	}
}

func (d *Door) askBasicID(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	info, err := d.sender.with(ctx).GetBotInfo()
	if err != nil {
		return fmt.Errorf("asking for the bot's basic ID: %w", err)
	}
	return d.store.Update(ctx, func(tx *store.Tx) error {
		known, err := tx.Fact(store.FactInviteLink)
		link := inviteLink(info.BasicId)
		if known == link || info.BasicId == "" || err != nil {
			return err
		}
		return tx.SetFact(store.FactInviteLink, link)
	})
}

// How many codes may be tried within guessTime. A code has 47 bits.
const (
	guessTime  = time.Hour
	maxGuesses = 5   // by one person
	allGuesses = 100 // by all
)

// guesses remembers, in memory only, which codes have been tried in vain. The same
// code again, as in a redelivery, is no other guess.
type guesses struct {
	mu   sync.Mutex
	made map[guess]time.Time
}

type guess struct{ person, code string }

// allow says whether the person may try the code, and notes that he does.
func (g *guesses) allow(person, code string, now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	his := 0
	for other, at := range g.made {
		switch {
		case now.Sub(at) >= guessTime:
			delete(g.made, other)
		case other == guess{person, code}:
			return true
		case other.person == person:
			his++
		}
	}
	if his >= maxGuesses || len(g.made) >= allGuesses {
		return false
	}
	if g.made == nil {
		g.made = make(map[guess]time.Time)
	}
	g.made[guess{person, code}] = now
	return true
}

// forget takes back that the code was tried in vain.
func (g *guesses) forget(person, code string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.made, guess{person, code})
}

// code is the code for joining that the event brings, "" if there is none. Where
// the door does not listen, it is nothing but the code.
func (d *Door) code(e *event, m bot.Message) string {
	if e.kind != said || e.from.person == "" {
		return ""
	}
	code := store.NormalizeInvite(e.message.text)
	if code == "" && d.hears(e.from) {
		code = store.NormalizeInvite(cmp.Or(codeOfLink(e.message.text), m.InviteCode()))
	}
	return code
}

// codeOfLink is the code in a text that is the link of an invitation, as somebody
// sends it who was to open it; "" in any other.
func codeOfLink(text string) string {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Host != "line.me" {
		return ""
	}
	code, err := url.QueryUnescape(u.RawQuery)
	if err != nil {
		return ""
	}
	return code
}
