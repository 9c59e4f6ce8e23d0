package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"ichido/internal/control"
	"ichido/internal/talk"
	"ichido/store"
)

// fileClock is the time of a talk file that is being played. It goes on by itself
// from where it was set.
type fileClock struct {
	mu      sync.Mutex
	at, set time.Time // zero is not set: the real time
}

func (c *fileClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at.IsZero() {
		return time.Now()
	}
	return c.at.Add(time.Since(c.set))
}

func (c *fileClock) turn(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at, c.set = at, time.Now()
}

// play has the conversation of a talk file and shows it as it happens, then the
// ledger. The household lives in the file's time; only the waits between two tries
// of a message are real.
func play(ctx context.Context, p *program, h *home, clock *fileClock, file string) error {
	scene := &player{ctx: ctx, p: p, home: h, clock: clock}
	if err := talk.Play(p.stdout, file, p.zone, time.Now(), scene); err != nil {
		return fmt.Errorf("playing the talk: %w", err)
	}
	return h.store.View(func(tx *store.Tx) error {
		return talk.WriteLedger(p.stdout, tx, func(m store.Member) string { return h.stage.Name(m.Person) })
	})
}

// player is the scene of a talk that is played.
type player struct {
	ctx   context.Context
	p     *program
	home  *home
	clock *fileClock
	busy  bool // LINE takes nothing at present, so nothing is waited for
}

// lateTime is how long a talk waits for what the bot could not say at first.
const lateTime = time.Second

// Until turns the clock and has everything said that can be said by then.
func (s *player) Until(at time.Time) ([]talk.Answer, error) {
	s.clock.turn(at)
	if s.busy {
		return nil, s.ctx.Err()
	}
	var waiting []store.OutboxID
	err := s.home.store.View(func(tx *store.Tx) error {
		return tx.PendingOutgoing(func(o store.Outgoing) error {
			waiting = append(waiting, o.ID)
			return nil
		})
	})
	for _, id := range waiting {
		if _, e := s.home.door.RetryOutgoing(s.ctx, id); e != nil && !errors.Is(e, store.ErrNoSuchMessage) {
			err = errors.Join(err, e)
		}
	}
	s.home.seen = 0
	answers, _, e := s.home.hear(s.ctx, lateTime, false)
	return answers, errors.Join(err, e, s.ctx.Err())
}

// Do does what the step says.
func (s *player) Do(step talk.Step) ([]talk.Answer, error) {
	switch step.Verb {
	case talk.Allow:
		s.home.allow(s.home.stage.Person(step.Who))
		s.home.allow(s.home.stage.Group(step.Who))
		return nil, nil
	case talk.Join:
		return nil, s.home.join(s.ctx, s.home.stage.Person(step.Who), step.Text)
	case talk.Command:
		return s.command(step.Text)
	}
	if s.home.stage.Trouble(step.Verb) {
		s.busy = step.Verb == talk.Busy || s.busy && step.Verb != talk.Back
		return nil, nil
	}
	e, err := s.home.stage.Event(step)
	if err != nil {
		return nil, err
	}
	if s.busy {
		_, err := s.home.platform.Deliver(s.ctx, e)
		return nil, err
	}
	status, answers, _, err := s.home.deliver(s.ctx, e)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("the bot answered LINE with %d", status)
	}
	return answers, err
}

// command runs one of this program's commands on the household.
func (s *player) command(line string) ([]talk.Answer, error) {
	words := strings.Fields(line)
	if words[0] != "ichido" || len(words) < 2 || !slices.Contains([]string{"invite", "members", "outbox", "parked"}, words[1]) {
		return nil, errors.New("a talk has no such command")
	}
	var out, errs bytes.Buffer
	p := &program{local: control.Local(s.home.store), stdin: strings.NewReader(""), stdout: &out, stderr: &errs}
	if run(s.ctx, words[1:], p) != statusOK {
		return nil, errors.New(strings.TrimSpace(errs.String()))
	}
	return []talk.Answer{{Text: strings.TrimSpace(out.String())}}, nil
}
