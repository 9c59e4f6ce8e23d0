package line

import (
	"context"
	"slices"
	"sync"
	"time"

	"ichido/internal/ledger"
	"ichido/store"
)

// waits between the tries of one message; the last one repeats.
var waits = []time.Duration{time.Second, 3 * time.Second, 10 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute}

// chat is what waits for one chat. It has a goroutine of its own while there is
// anything.
type chat struct {
	id    string
	mu    sync.Mutex
	lanes [2][]*item // replies, pushes; each in the order of the outbox
	known map[store.OutboxID]bool
	kick  chan struct{}
	busy  bool // its goroutine runs; guarded by sender.mu

	// No message of which an insertion could shorten the wait waits for longer: a long
	// queue is not gone through for each that joins it.
	latest time.Time
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
	loaded  bool // put in by an earlier run, whose configuration may have let in others

	// Guarded by the chat's mu:
	next   time.Time // not before
	trying bool      // an attempt is under way
	woken  bool      // during it: do not wait after it
	doubts bool      // an attempt had an unknown end: the next tries are few

	// Of the chat's goroutine:
	tries    int // in this run of the program
	doubtful int // of them with unknown end
	ended    *ended
}

// insert puts the message in its place in the lane, unless the chat knows it. Those
// in front of a reply do not make it wait until its token has ended: what LINE has
// certainly not taken is tried soon, but in a burst of replies only once.
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
	c.lanes[lane] = slices.Insert(l, at, i)
	if soon := time.Now().Add(waits[0]); lane == replyLane && c.latest.After(soon) {
		for _, older := range l[:at] {
			if !older.trying && !older.doubts && older.next.After(soon) {
				older.next = soon
			}
		}
		if at == len(l) {
			c.latest = soon
		}
	}
	if at == 0 || !l[0].trying {
		c.poke()
	}
}

// remove takes the message out of the lane of which it is the first.
func (c *chat) remove(lane int, i *item) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.known, i.id)
	c.lanes[lane] = slices.DeleteFunc(c.lanes[lane], func(known *item) bool { return known == i })
}

// forget takes out what goes along with another message now. One that is being
// tried finds that out by itself.
func (c *chat) forget(carried []store.OutboxID) {
	if len(carried) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lanes[pushLane] = slices.DeleteFunc(c.lanes[pushLane], func(i *item) bool {
		gone := !i.trying && slices.Contains(carried, i.id)
		if gone {
			delete(c.known, i.id)
		}
		return gone
	})
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

// due returns the first message of a lane whose time has come, of two the older
// one, or how long the next one has to wait; 0 means that there is none.
func (c *chat) due(now time.Time) (i *item, lane int, wait time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for at, l := range c.lanes {
		if len(l) == 0 {
			continue
		}
		left := l[0].next.Sub(now)
		switch {
		case left <= 0 && (i == nil || l[0].id < i.id):
			i, lane = l[0], at
		case left > 0 && (wait == 0 || left < wait):
			wait = left
		}
	}
	if i == nil {
		return nil, 0, wait
	}
	i.trying = true
	return i, lane, 0
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
	i.doubts = i.doubtful > 0
	if i.trying = false; i.woken {
		i.woken, wait = false, 0
	}
	i.next = time.Now().Add(wait)
	if i.next.After(c.latest) {
		c.latest = i.next
	}
}

// backoff lets the message wait before its next try.
func (c *chat) backoff(i *item) {
	c.delay(i, waits[min(i.tries, len(waits))-1])
}
