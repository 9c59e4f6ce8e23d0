package line

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/line/line-bot-sdk-go/v8/linebot/messaging_api"

	"ichido/internal/ledger"
	"ichido/store"
)

const (
	maxCalls    = 16             // calls of LINE's API at the same time
	sendWithin  = 12 * time.Hour // an answer older than that is no answer
	quietFrom   = 22             // no push from this hour, in the household's zone,
	quietTo     = 7              // to this one
	maxDoubtful = 5              // tries of a reply whose ends nobody knows: a token lives a minute
)

// waits between the tries of one message; the last one repeats.
var waits = []time.Duration{time.Second, 3 * time.Second, 10 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute}

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
	slots  chan struct{} // one token for each call under way

	mu      sync.Mutex
	chats   map[string]*chat
	running sync.WaitGroup
	ctx     context.Context // of run; nil while it does not run
}

// chat is what waits for one chat. It has a goroutine of its own while there is
// anything.
type chat struct {
	id    string
	mu    sync.Mutex
	lanes [2][]*item // replies, pushes; each in the order of the outbox
	known map[store.OutboxID]bool
	kick  chan struct{}
	busy  bool // its goroutine runs; guarded by sender.mu
}

const (
	replyLane = iota
	pushLane
)

func laneOf(o store.Outgoing) int {
	if o.Pushing {
		return pushLane
	}
	return replyLane
}

// item is one message that waits.
type item struct {
	id      store.OutboxID
	receipt ledger.ReceiptNumber

	// Guarded by the chat's mu:
	next   time.Time // not before
	trying bool      // an attempt is under way
	woken  bool      // during it: do not wait after it

	// Of the chat's goroutine:
	tries    int // in this run of the program
	doubtful int // of them with unknown end
	ended    *ended
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
			s.add(o)
			return nil
		})
	})
}

// add takes up a message of the outbox; ID 0 is none.
func (s *sender) add(o store.Outgoing) {
	if o.ID == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chats[o.Chat]
	if c == nil {
		c = &chat{id: o.Chat, known: make(map[store.OutboxID]bool), kick: make(chan struct{}, 1)}
		s.chats[o.Chat] = c
	}
	c.insert(laneOf(o), &item{id: o.ID, receipt: o.Receipt})
	s.start(c)
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

// wake lets the answer to a receipt be tried at once: its event came again, which
// has made the reply token fresh.
func (s *sender) wake(chatID string, receipt ledger.ReceiptNumber) {
	s.mu.Lock()
	c := s.chats[chatID]
	s.mu.Unlock()
	if c == nil {
		return
	}
	c.mu.Lock()
	for _, i := range c.lanes[replyLane] {
		if i.receipt == receipt {
			i.next, i.woken = time.Time{}, i.trying
		}
	}
	c.mu.Unlock()
	c.poke()
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

// insert puts the message in its place in the lane, unless the chat knows it.
func (c *chat) insert(lane int, i *item) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known[i.id] {
		return
	}
	c.known[i.id] = true
	l := c.lanes[lane]
	at := len(l)
	for at > 0 && l[at-1].id > i.id {
		at--
	}
	if c.lanes[lane] = slices.Insert(l, at, i); at == 0 {
		c.poke() // behind others it waits anyway
	}
}

// remove takes the message out of the lane of which it is the first.
func (c *chat) remove(lane int, i *item) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.known, i.id)
	c.lanes[lane] = slices.DeleteFunc(c.lanes[lane], func(known *item) bool { return known == i })
}

// move puts the message into another lane, as if it had never been tried.
func (c *chat) move(from int, i *item, to int) {
	c.remove(from, i)
	c.insert(to, &item{id: i.id, receipt: i.receipt})
}

func (c *chat) poke() {
	select {
	case c.kick <- struct{}{}:
	default:
	}
}

// due returns the first message of a lane whose time has come, replies before
// pushes, or how long the next one has to wait; 0 means that there is none.
func (c *chat) due(now time.Time) (i *item, lane int, wait time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for lane, l := range c.lanes {
		if len(l) == 0 {
			continue
		}
		left := l[0].next.Sub(now)
		if left <= 0 {
			l[0].trying = true
			return l[0], lane, 0
		}
		if wait == 0 || left < wait {
			wait = left
		}
	}
	return nil, 0, wait
}

func (c *chat) sleep(ctx context.Context, wait time.Duration) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-c.kick:
	case <-timer.C:
	}
}

func (c *chat) delay(i *item, wait time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i.trying = false; i.woken {
		i.woken, wait = false, 0
	}
	i.next = time.Now().Add(wait)
}

// backoff lets the message wait before its next try.
func (c *chat) backoff(i *item) {
	c.delay(i, waits[min(i.tries, len(waits))-1])
}

// plan is what is to be done with a message now.
type plan int

const (
	attempt  plan = iota // make the attempt that the message describes
	drop                 // its state is final
	holdBack             // it is a push, and it is night
)

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
		c.delay(i, untilMorning(time.Now(), s.zone))
		return
	}
	i.ended = &ended{before, s.call(context.WithoutCancel(ctx), o)}
	s.settle(context.WithoutCancel(ctx), c, i, lane)
}

// prepare decides what is to be done with a message and notes it. before is the
// message as it was, o as it is noted.
func (s *sender) prepare(ctx context.Context, i *item) (before, o store.Outgoing, todo plan, err error) {
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		var ok bool
		before, ok, err = tx.Outgoing(i.id)
		o, todo = before, drop
		if err != nil || !ok || o.State != store.Pending {
			return err
		}
		if tx.Now().Sub(o.Created) >= sendWithin {
			return giveUp(tx, &o)
		}
		if o.Pushing {
			if untilMorning(tx.Now(), s.zone) > 0 {
				todo = holdBack
				return nil
			}
			if outdated, err := outdated(tx, &o); outdated || err != nil {
				return errors.Join(err, giveUp(tx, &o))
			}
			if o.RetryKey == "" {
				o.RetryKey = uuid.NewString()
			}
		}
		todo = attempt
		o.Doubt = true
		o.Tries++
		return tx.PutOutgoing(o)
	})
	return before, o, todo, err
}

// giveUp ends a message that was not said in time or is no longer true.
func giveUp(tx *store.Tx, o *store.Outgoing) error {
	o.State = store.Expired
	if o.Doubt {
		o.State = store.Unknown
	}
	return tx.PutOutgoing(*o)
}

// outdated says of a push whether what it confirms has been taken back or changed
// since. One that has perhaps been said is not asked about any more.
func outdated(tx *store.Tx, o *store.Outgoing) (bool, error) {
	if o.Receipt == 0 || o.Doubt {
		return false, nil
	}
	r, err := tx.ReceiptByNumber(o.Receipt)
	if err != nil || r == nil {
		return false, err
	}
	for _, change := range r.Changes {
		now, err := tx.Row(change.After.ID)
		if err != nil {
			return false, err
		}
		if now == nil || now.Facts() != change.After.Facts() {
			return true, nil
		}
	}
	return false, nil
}

// settle notes the end of an attempt. What else has been changed in the message
// meanwhile stays.
func (s *sender) settle(ctx context.Context, c *chat, i *item, lane int) {
	before, end := i.ended.before, i.ended.end
	var next store.Outgoing
	err := s.store.Update(ctx, func(tx *store.Tx) error {
		o, ok, err := tx.Outgoing(i.id)
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

// after is the message o after an attempt with the given end, of which it is the
// doubtful-th with an unknown one: the rules of the sender in one place. More than
// one such try of a reply is safe, for its token works once; and it makes a
// certain end more likely, for a token lives a minute or more.
func after(before, o store.Outgoing, end result, doubtful int) store.Outgoing {
	switch {
	case end.kind == accepted:
		o.State, o.Doubt = store.Sent, false
	case end.kind == wait:
		o.Doubt = before.Doubt // this attempt did nothing; an earlier one may have
	case end.kind == doubt && !o.Pushing:
		if doubtful >= maxDoubtful {
			o.State = store.Unknown
		}
	case end.kind == refused && o.Pushing:
		o.State = store.Failed
	case end.kind == refused && before.Doubt:
		o.State = store.Unknown
	case end.kind == refused:
		o.Doubt, o.Pushing = false, true
	}
	return o
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

// untilMorning is how long a push must wait so that nobody is woken; 0 by day.
func untilMorning(now time.Time, zone *time.Location) time.Duration {
	local := now.In(zone)
	year, month, day := local.Date()
	morning := time.Date(year, month, day, quietTo, 0, 0, 0, zone)
	switch hour := local.Hour(); {
	case hour >= quietFrom:
		return morning.AddDate(0, 0, 1).Sub(local)
	case hour < quietTo:
		return morning.Sub(local)
	}
	return 0
}
