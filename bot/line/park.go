package line

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"

	"ichido/bot"
	"ichido/store"
)

// An event of a member that could not be handled is parked: kept whole, with its
// key, in a transaction of its own. It is tried again after each of parkedWaits
// and at each start; LINE's own redelivery uses the same key. After parkedTries
// failed tries the owner is told.
var parkedWaits = []time.Duration{time.Second, time.Minute}

const parkedTries = 3

// parkFailed keeps an event that failed with the cause and says whether it is
// safe now. The causes are errors of the bot and the store, which hold IDs and
// numbers and never a text.
func (d *Door) parkFailed(ctx context.Context, e *event, cause error) bool {
	if errors.Is(cause, store.ErrDiskFull) || errors.Is(cause, store.ErrClosed) {
		return false // parking would fail for the same reason
	}
	if e.key == "" {
		e.key = "parked:" + uuid.NewString()
	}
	parked, err := d.park(ctx, e, cause)
	switch {
	case err != nil:
		d.log.Error("an event could be neither handled nor parked", "event", e.name(), "cause", cause, "error", err)
		return false
	case parked.Tries == 0:
		return true // another delivery has been handled meanwhile, or its message was unsent
	}
	d.counts.Parked.Add(1)
	d.log.Error("an event could not be handled and is parked", "event", e.name(), "tries", parked.Tries, "cause", cause)
	if parked.Tries <= len(parkedWaits) {
		d.parked.later(parkedWaits[parked.Tries-1], parked)
	}
	return true
}

func (d *Door) park(ctx context.Context, e *event, cause error) (parked store.Parked, err error) {
	err = d.store.Update(ctx, func(tx *store.Tx) (err error) {
		parked, err = tx.Park(store.Parked{Scope: Scope, Key: e.key, MessageID: e.message.id, Event: e.original(), Why: cause.Error()})
		if err != nil || parked.Tries != parkedTries {
			return err
		}
		_, err = d.notify(tx, noticeParked, "", bot.ParkedNotice.In)
		return err
	})
	return parked, err
}

// retries holds the parked events whose next try is due soon, by key. The others
// wait for the next start or a redelivery.
type retries struct {
	mu   sync.Mutex
	due  map[string]retry
	kick chan struct{}
}

type retry struct {
	at     time.Time
	parked store.Parked
}

func newRetries() *retries {
	return &retries{due: make(map[string]retry), kick: make(chan struct{}, 1)}
}

func (r *retries) later(wait time.Duration, p store.Parked) {
	r.mu.Lock()
	r.due[p.Key] = retry{time.Now().Add(wait), p}
	r.mu.Unlock()
	select {
	case r.kick <- struct{}{}:
	default:
	}
}

// forget drops events that are not parked any more.
func (r *retries) forget(keys []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, key := range keys {
		delete(r.due, key)
	}
}

// take removes and returns what is due, and says how long the next one has.
func (r *retries) take(now time.Time) (due []store.Parked, wait time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	wait = time.Hour
	for key, one := range r.due {
		if left := one.at.Sub(now); left > 0 {
			wait = min(wait, left)
		} else {
			due = append(due, one.parked)
			delete(r.due, key)
		}
	}
	return due, wait
}

// retryParked tries all parked events once, and then each when it is due.
func (d *Door) retryParked(ctx context.Context) {
	var due []store.Parked
	err := d.store.View(func(tx *store.Tx) (err error) {
		due, err = tx.AllParked(Scope)
		return err
	})
	if err != nil {
		d.log.Error("reading the parked events failed", "error", err)
	}
	for {
		for _, p := range due {
			if ctx.Err() != nil {
				return
			}
			_ = d.again(context.WithoutCancel(ctx), p) // it is in the log
		}
		var wait time.Duration
		due, wait = d.parked.take(time.Now())
		if len(due) > 0 {
			continue
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-d.parked.kick:
		case <-timer.C:
		}
		timer.Stop()
		if ctx.Err() != nil {
			return
		}
	}
}

// again tries a parked event under the key that it is parked with. One that is
// no longer ours is forgotten. The error says why it is parked still.
func (d *Door) again(ctx context.Context, p store.Parked) error {
	e := decode(json.RawMessage(p.Event))
	e.key = cmp.Or(e.key, p.Key)
	fate, err := d.begin(ctx, e)()
	if err == nil && fate != handled {
		err = d.store.Update(ctx, func(tx *store.Tx) error { return tx.Unpark(p.Scope, p.Key) })
	}
	if err != nil {
		d.parkFailed(ctx, e, err)
	}
	return err
}
