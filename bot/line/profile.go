package line

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/line/line-bot-sdk-go/v8/linebot/messaging_api"

	"ichido/bot"
	"ichido/store"
)

const (
	nameEvery    = 10 * time.Minute // between two questions for the same person's name
	maxQuestions = 4                // at the same time
)

// names learns what members are called, from their profiles, after their first
// event. It runs only while the door does.
type names struct {
	store  *store.Store
	client func(context.Context) *messaging_api.MessagingApiAPI
	asked  limiter

	mu    sync.Mutex
	ctx   context.Context // of run; nil while it does not run
	busy  int             // questions under way
	tasks sync.WaitGroup
}

// run lets names be learned until ctx ends, then waits for the questions under way.
func (n *names) run(ctx context.Context) {
	n.mu.Lock()
	n.ctx = ctx
	n.mu.Unlock()
	<-ctx.Done()
	n.mu.Lock()
	n.ctx = nil // nothing begins after this
	n.mu.Unlock()
	n.tasks.Wait()
}

// learn asks for the member's name unless there is one, without waiting. What fails
// or has no room now is tried at a later event.
func (n *names) learn(from source, m store.Member) {
	if m.ID == 0 || m.Name != "" {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.ctx == nil || n.busy >= maxQuestions || !n.asked.allow(from.person, time.Now()) {
		return
	}
	n.busy++
	ctx := n.ctx
	n.tasks.Go(func() {
		defer n.free()
		n.ask(ctx, from, m) // an error is no more than that there is no name yet
	})
}

func (n *names) free() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.busy--
}

func (n *names) ask(ctx context.Context, from source, m store.Member) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	name, err := displayName(n.client(ctx), from)
	if err != nil {
		return fmt.Errorf("asking for a name: %w", err)
	}
	return n.store.Update(ctx, func(tx *store.Tx) error {
		now, err := tx.Member(m.ID)
		if err != nil || now.Name != "" {
			return err
		}
		_, err = tx.Rename(m.ID, bot.CleanName(name), false)
		return err
	})
}

// displayName asks LINE what the person is called, in the chat in which he spoke.
func displayName(client *messaging_api.MessagingApiAPI, from source) (string, error) {
	switch from.kind {
	case "user":
		p, err := client.GetProfile(from.person)
		if err != nil {
			return "", err
		}
		return p.DisplayName, nil
	case "group":
		p, err := client.GetGroupMemberProfile(from.chat, from.person)
		if err != nil {
			return "", err
		}
		return p.DisplayName, nil
	case "room":
		p, err := client.GetRoomMemberProfile(from.chat, from.person)
		if err != nil {
			return "", err
		}
		return p.DisplayName, nil
	}
	return "", errors.New("in no chat")
}
