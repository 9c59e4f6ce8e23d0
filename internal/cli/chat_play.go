package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"ichido/internal/control"
	"ichido/internal/talk"
	"ichido/store"
)

// play has the conversation of a talk file and shows it as it happens, then the
// ledger. What is said is of the file's times; the machine's own clock is the
// real one.
func play(ctx context.Context, p *program, h *home, file string) error {
	scene := &player{ctx: ctx, p: p, home: h}
	if err := talk.Play(p.stdout, file, p.zone, time.Now(), scene); err != nil {
		return fmt.Errorf("playing the talk: %w", err)
	}
	return h.store.View(func(tx *store.Tx) error {
		return talk.WriteLedger(p.stdout, tx, func(m store.Member) string { return h.stage.Name(m.Person) })
	})
}

// player is the scene of a talk that is played.
type player struct {
	ctx  context.Context
	p    *program
	home *home
	busy bool // LINE takes nothing at present, so nothing is waited for
}

// Until waits for what the bot has still to say, as far as it can say it.
func (s *player) Until(time.Time) ([]talk.Answer, error) {
	if s.busy {
		return nil, s.ctx.Err()
	}
	s.home.seen = 0
	answers, _, err := s.home.hear(s.ctx, answerTime, false)
	return answers, errors.Join(err, s.ctx.Err())
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
