package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"ichido/bot"
	"ichido/bot/line"
	"ichido/internal/linesim"
	"ichido/internal/talk"
	"ichido/store"
)

type chatCmd struct {
	Play   string `placeholder:"FILE" xor:"how" help:"Have the conversation of a talk file and show it as it happens."`
	Web    bool   `xor:"how" help:"Talk on a page that looks like LINE, with the ledger beside it, and switches that deliver twice, lose answers and kill the bot."`
	Listen string `placeholder:"ADDRESS" help:"Where the page of --web is, on loopback (default: a free port)."`
}

// Help is shown by ichido chat --help.
func (chatCmd) Help() string {
	return "Talks through the real webhook and a LINE platform of its own on loopback. The ledger is a temporary file " +
		"unless --db names one; ICHIDO_DB is ignored.\n\n" + chatHelp()
}

const (
	answerTime   = 10 * time.Second     // how long chat waits for an answer that the outbox promises
	strangerTime = time.Second          // and for one to a stranger, of which the outbox knows nothing
	askTime      = time.Second          // and for what the door asks LINE: names, and its own ID
	lookEvery    = 5 * time.Millisecond // while it waits
)

var errListenWithoutPage = errors.New("--listen is where the page of --web is")

// Run talks until the input ends.
func (c *chatCmd) Run(ctx context.Context, p *program) error {
	if c.Web {
		return c.web(ctx, p)
	}
	if c.Listen != "" {
		return usageError{errListenWithoutPage}
	}
	var file []byte
	if c.Play != "" {
		var err error
		if file, err = os.ReadFile(c.Play); err != nil {
			return fmt.Errorf("reading the talk: %w", err)
		}
	}
	path := p.db
	if !p.dbGiven {
		dir, err := os.MkdirTemp("", "ichido-chat-*")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		path = filepath.Join(dir, "ichido.db")
	}
	options := store.Options{Fatal: p.fatal}
	clock := &fileClock{}
	if c.Play != "" {
		options.Now = clock.now
	}
	s, err := store.Open(path, options)
	if err != nil {
		return err
	}
	if err := nothingWaits(s); err != nil {
		return errors.Join(err, s.Close())
	}
	err = withHome(ctx, p, s, func(h *home) error {
		if c.Play != "" {
			return play(ctx, p, h, clock, string(file))
		}
		return chat(ctx, p, h)
	})
	return errors.Join(err, s.Close())
}

// errWaiting says that a file has answers for the real LINE.
var errWaiting = errors.New("this file has answers that wait for LINE, which would be told to nobody")

// nothingWaits refuses a file of which answers still wait for people of the real LINE: that
// of the chat would take them, and nobody would ever hear them. Of a backup they are not
// sent.
func nothingWaits(s *store.Store) error {
	return s.View(func(tx *store.Tx) error {
		if _, copied, err := tx.CopiedAt(); copied || err != nil {
			return err
		}
		members, err := tx.Members()
		if err != nil {
			return err
		}
		ours := map[string]bool{linesim.GroupID(defaultGroup): true} // who is of the chat's own LINE
		for _, m := range members {
			ours[linesim.UserID(m.Name)] = true
		}
		return tx.PendingOutgoing(func(o store.Outgoing) error {
			if !ours[o.Chat] {
				return errWaiting
			}
			return nil
		})
	})
}

// home is a household with a LINE of its own, on loopback.
type home struct {
	store    *store.Store
	platform *linesim.Platform
	stage    *talk.Stage
	door     *line.Door
	seen     store.OutboxID  // the newest message that has been waited for
	allowed  map[string]bool // users and groups whom the configuration lets in, besides all groups
	mu       sync.Mutex      // over allowed
}

// withHome sets up both ends on loopback for the time that fn takes.
func withHome(ctx context.Context, p *program, s *store.Store, fn func(*home) error) error {
	platform := linesim.New(linesim.Options{})
	endpoint, stopPlatform := platform.Start()
	defer stopPlatform()
	h := &home{store: s, platform: platform, stage: talk.NewStage(platform), allowed: make(map[string]bool)}
	door, err := line.New(line.Config{
		Store: s, Bot: bot.New(p.zone), Secret: linesim.DefaultSecret, Token: linesim.DefaultToken, Endpoint: endpoint,
		Admit: h.admits, Zone: p.zone,
	})
	if err != nil {
		return err
	}
	h.door = door
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: door}
	go server.Serve(listener)
	defer server.Close()
	platform.SetWebhook("http://" + listener.Addr().String() + "/line/webhook")

	if err := door.Resume(ctx); err != nil { // of a backup: what waited in it is not said
		return err
	}
	sendCtx, stopSending := context.WithCancel(context.WithoutCancel(ctx))
	var sending sync.WaitGroup
	var sendErr error
	sending.Go(func() { sendErr = door.Run(sendCtx) })
	if err = h.settleIn(ctx); err == nil {
		err = fn(h)
	}
	stopSending()
	sending.Wait()
	return errors.Join(err, sendErr)
}

// settleIn waits a moment until the door knows the link that lets somebody join.
func (h *home) settleIn(ctx context.Context) error {
	return h.await(ctx, func(tx *store.Tx) (bool, error) {
		link, err := tx.Fact(store.FactInviteLink)
		return link != "", err
	})
}

// introduced waits a moment until a new member has a name: the next answer may need
// it.
func (h *home) introduced(ctx context.Context, person string) error {
	return h.await(ctx, func(tx *store.Tx) (bool, error) {
		m, known, err := tx.MemberByPerson(person)
		return !known || m.Name != "", err
	})
}

// await looks again and again, for askTime, until it is so.
func (h *home) await(ctx context.Context, so func(*store.Tx) (bool, error)) error {
	for deadline := time.Now().Add(askTime); ; time.Sleep(lookEvery) {
		enough := false
		err := h.store.View(func(tx *store.Tx) (err error) {
			enough, err = so(tx)
			return err
		})
		if err != nil || enough || time.Now().After(deadline) || ctx.Err() != nil {
			return err
		}
	}
}

// admits says whether the configuration lets a user or all in a group in.
func (h *home) admits(id string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.allowed[id]
}

func (h *home) allow(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.allowed[id] = true
}

// join makes the person a member, once: who was removed since, or has left, stays
// away. name "" is none.
func (h *home) join(ctx context.Context, person, name string) error {
	return h.store.Update(ctx, func(tx *store.Tx) error {
		_, known, err := tx.MemberByPerson(person)
		if !known && err == nil {
			_, err = tx.Join(person, name)
		}
		return err
	})
}

// deliver posts the webhook and returns what the bot answers. late says that it
// still has something to say.
func (h *home) deliver(ctx context.Context, e linesim.Event) (status int, answers []talk.Answer, late bool, err error) {
	if status, err = h.platform.Deliver(ctx, e); err != nil {
		return status, nil, false, err
	}
	stranger, err := h.stranger(e)
	if err != nil {
		return status, nil, false, err
	}
	if answers, late, err = h.hear(ctx, answerTime, stranger); err == nil {
		err = h.introduced(ctx, e.Source.UserID)
	}
	return status, answers, late, err
}

// stranger says whether the event is of somebody who is no member, and may be
// answered all the same: in groups strangers are not.
func (h *home) stranger(e linesim.Event) (stranger bool, err error) {
	if e.Source.Type != "user" || e.ReplyToken == "" {
		return false, nil
	}
	err = h.store.View(func(tx *store.Tx) error {
		may, err := tx.MayTalk(e.Source.UserID, h.admits(e.Source.UserID))
		stranger = !may
		return err
	})
	return stranger, err
}

// hear waits, no longer than the limit, until the bot has spoken in each chat for
// which the outbox has something new, and returns what it has said.
func (h *home) hear(ctx context.Context, limit time.Duration, stranger bool) (answers []talk.Answer, late bool, err error) {
	start := time.Now()
	for {
		// The outbox first: what leaves it after this is heard.
		waiting, newest, err := h.pending()
		if err != nil {
			return nil, false, err
		}
		answers = append(answers, h.stage.Heard()...)
		for _, a := range answers {
			waiting = slices.DeleteFunc(waiting, func(chat string) bool { return chat == a.Chat })
		}
		waited := time.Since(start)
		patient := len(waiting) > 0 && waited < limit || stranger && len(answers) == 0 && waited < strangerTime
		if !patient || ctx.Err() != nil {
			h.seen = max(h.seen, newest)
			return answers, len(waiting) > 0, nil
		}
		time.Sleep(lookEvery)
	}
}

// pending names the chats of this LINE for which the outbox has something that has not been
// waited for, and its newest message.
func (h *home) pending() (chats []string, newest store.OutboxID, err error) {
	err = h.store.View(func(tx *store.Tx) error {
		return tx.PendingOutgoing(func(o store.Outgoing) error {
			newest = o.ID
			if chat := h.stage.Name(o.Chat); chat != "" && o.ID > h.seen { // in a backup: people of the real LINE
				chats = append(chats, chat)
			}
			return nil
		})
	})
	return chats, newest, err
}

// newLines makes lines of a message that is typed on one line.
func newLines(text string) string { return strings.ReplaceAll(text, `\n`, "\n") }
