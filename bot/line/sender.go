package line

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/line/line-bot-sdk-go/v8/linebot/messaging_api"

	"ichido/internal/ledger"
	"ichido/store"
)

// maxCalls is how many calls of LINE's API are under way at the same time.
const maxCalls = 16

// nightLook is how often a push that is held back looks whether the night is over.
const nightLook = time.Minute

// sender brings the outbox to LINE: each chat in order, chats side by side.
//
// A message is first a reply, on its token. A reply token works once, so trying
// the same one again can never show a message twice; but an answer "invalid
// token" after a try with an unknown end leaves open whether it was shown, and
// then it is never said again. Only what was certainly not shown becomes a push,
// which has a retry key against doubt.
//
// What a restart must know (that a try has begun, the retry key) is in the
// outbox before the call. What it need not know, how long to wait, is only here.
type sender struct {
	store  *store.Store
	client *messaging_api.MessagingApiAPI
	zone   *time.Location
	log    *slog.Logger
	admit  func(id string) bool // see Config.Admit
	slots  chan struct{}        // one token for each call under way

	mu      sync.Mutex
	chats   map[string]*chat
	running sync.WaitGroup
	ctx     context.Context // of run; nil while it does not run
}

// ended is an attempt whose end is known and not yet noted in the outbox.
type ended struct {
	before store.Outgoing // the message as it was before the attempt
	end    result
}

func newSender(s *store.Store, client *messaging_api.MessagingApiAPI, zone *time.Location, log *slog.Logger) *sender {
	return &sender{store: s, client: client, zone: zone, log: log, slots: make(chan struct{}, maxCalls), chats: make(map[string]*chat)}
}

// load takes up all pending messages of the outbox that it does not know yet.
func (s *sender) load() error {
	return s.store.View(func(tx *store.Tx) error {
		return tx.PendingOutgoing(func(o store.Outgoing) error {
			s.take(o, true)
			return nil
		})
	})
}

// say puts the message into the outbox. Its commit hands it to the sender, so that a chat
// reads in the order in which things were recorded.
func (s *sender) say(tx *store.Tx, o store.Outgoing) error {
	o, err := tx.Say(o)
	if err == nil {
		tx.AfterCommit(func() { s.add(o) })
	}
	return err
}

// add takes up a message of the outbox.
func (s *sender) add(o store.Outgoing) { s.take(o, false) }

// take is add; loaded says that an earlier run of the program may have put it in.
func (s *sender) take(o store.Outgoing, loaded bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chats[o.Chat]
	if c == nil {
		c = &chat{id: o.Chat, known: make(map[store.OutboxID]bool), kick: make(chan struct{}, 1)}
		s.chats[o.Chat] = c
	}
	c.insert(laneOf(o), &item{id: o.ID, receipt: o.Receipt, loaded: loaded})
	c.forget(o.Carries)
	s.start(c)
}

// mostLate is how many messages an answer looks at for those that can go along with it.
const mostLate = 32

// late are the first messages that wait for the chat and can only be pushed.
func (s *sender) late(chatID string) (ids []store.OutboxID) {
	s.mu.Lock()
	c := s.chats[chatID]
	s.mu.Unlock()
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, i := range c.lanes[pushLane] {
		if len(ids) == mostLate {
			break
		}
		ids = append(ids, i.id)
	}
	return ids
}

// start runs the chat's goroutine if the sender runs. s.mu is held.
func (s *sender) start(c *chat) {
	if c.busy || s.ctx == nil {
		return
	}
	c.busy = true
	ctx := s.ctx
	s.running.Go(func() { s.serve(ctx, c) })
}

// rouse lets the messages of the chat be tried at once of which that is so. What has
// ended meanwhile is dropped then.
func (s *sender) rouse(chatID string, which func(lane int, i *item) bool) {
	s.mu.Lock()
	c := s.chats[chatID]
	s.mu.Unlock()
	if c == nil {
		return
	}
	c.mu.Lock()
	for lane, items := range c.lanes {
		for _, i := range items {
			if which(lane, i) {
				i.next, i.woken = time.Time{}, i.trying
			}
		}
	}
	c.mu.Unlock()
	c.poke()
}

func everything(int, *item) bool { return true }

// answering is the answer to the receipt while it can be a reply.
func answering(receipt ledger.ReceiptNumber) func(int, *item) bool {
	return func(lane int, i *item) bool { return lane == replyLane && i.receipt == receipt }
}

// upTo is the message and those that must go before it.
func upTo(o store.Outgoing) func(int, *item) bool {
	return func(lane int, i *item) bool { return lane == laneOf(o) && i.id <= o.ID }
}

// run sends until ctx ends, then waits for the calls that have begun.
func (s *sender) run(ctx context.Context) {
	s.mu.Lock()
	s.ctx = ctx
	for _, c := range s.chats {
		s.start(c)
	}
	s.mu.Unlock()
	<-ctx.Done()
	s.mu.Lock()
	s.ctx = nil // nothing starts after this
	s.mu.Unlock()
	s.running.Wait()
}

// serve works for one chat until nothing waits in it.
func (s *sender) serve(ctx context.Context, c *chat) {
	for ctx.Err() == nil {
		i, lane, wait := c.due(time.Now())
		switch {
		case i != nil:
			s.slots <- struct{}{}
			s.try(ctx, c, i, lane)
			<-s.slots
		case wait > 0:
			c.sleep(ctx, wait)
		case s.retire(c):
			return
		}
	}
}

// retire ends the chat's goroutine unless something has come meanwhile.
func (s *sender) retire(c *chat) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.lanes[replyLane])+len(c.lanes[pushLane]) > 0 {
		return false
	}
	c.busy = false
	delete(s.chats, c.id)
	return true
}

// try makes one attempt: note it in the outbox, call, note its end. A machine
// that can't note it makes none.
func (s *sender) try(ctx context.Context, c *chat, i *item, lane int) {
	if i.ended != nil {
		s.settle(context.WithoutCancel(ctx), c, i, lane)
		return
	}
	i.tries++
	before, o, todo, err := s.prepare(ctx, i)
	switch {
	case err != nil:
		s.trouble(c, i, err)
		return
	case todo == drop:
		c.remove(lane, i)
		return
	case todo == holdBack:
		i.tries--
		// The store's clock decided, and may be another. The clock may be set meanwhile, and
		// timers stand still while a machine sleeps.
		c.delay(i, min(max(time.Second, untilMorning(time.Now(), s.zone)), nightLook))
		return
	}
	i.ended = &ended{before, s.call(context.WithoutCancel(ctx), o)}
	s.settle(context.WithoutCancel(ctx), c, i, lane)
}

// settle notes the end of an attempt. What else has been changed in the message
// meanwhile stays.
func (s *sender) settle(ctx context.Context, c *chat, i *item, lane int) {
	before, end := i.ended.before, i.ended.end
	var next store.Outgoing
	err := s.store.Update(ctx, func(tx *store.Tx) error {
		o, ok, err := tx.Outgoing(i.id)
		if err == nil && end.sent != nil {
			err = tx.NoteSent(Scope, end.sent, tellsOf(&before))
		}
		if err != nil || !ok || o.State != store.Pending {
			next = store.Outgoing{State: store.Failed} // somebody else has ended it
			return err
		}
		next = after(before, o, end, i.doubtful+1)
		return tx.PutOutgoing(next)
	})
	if err != nil {
		// The outbox says that there is doubt. For a restart that is true; this
		// run knows better and notes it later.
		s.trouble(c, i, err)
		return
	}
	if i.ended = nil; end.kind == doubt {
		i.doubtful++
	}
	level := slog.LevelDebug
	if end.kind != accepted {
		level = slog.LevelWarn
	}
	s.log.LogAttrs(ctx, level, "sending", slog.Uint64("outbox", uint64(i.id)), slog.Uint64("receipt", uint64(i.receipt)),
		slog.Bool("push", before.Pushing), slog.String("end", end.String()), slog.String("state", next.State.String()))
	switch {
	case next.State != store.Pending:
		c.remove(lane, i)
	case laneOf(next) != lane:
		c.move(lane, i, laneOf(next))
	default:
		c.backoff(i)
	}
}

// trouble is a failure of our own store in the middle of an attempt.
func (s *sender) trouble(c *chat, i *item, err error) {
	if errors.Is(err, store.ErrClosed) || errors.Is(err, context.Canceled) {
		c.delay(i, time.Hour) // the program ends
		return
	}
	s.log.Error("the outbox could not be written", "outbox", i.id, "error", err)
	c.backoff(i)
}
