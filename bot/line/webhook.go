package line

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"time"

	"github.com/line/line-bot-sdk-go/v8/linebot/webhook"

	"ichido/bot"
	"ichido/internal/ledger"
	"ichido/store"
)

// maxBody limits a webhook's body in bytes. LINE does not say how large one can
// get; a hundred long texts fit.
const (
	maxBody   = 1 << 20
	smallBody = 64 << 10 // bodies up to this are read as they come
	maxLarge  = 4        // larger ones at the same time
)

// ServeHTTP takes one webhook. It answers 200 when every event of a member has
// its receipt or is parked, and 503 when that could not be made sure, so that
// LINE sends the webhook again.
func (d *Door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "POST only", http.StatusMethodNotAllowed)
		return
	}
	body, status := d.body(w, r)
	if status != http.StatusOK {
		http.Error(w, http.StatusText(status), status)
		return
	}
	events, err := decodeAll(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	// In the order in which they were typed; one without a time comes first.
	slices.SortStableFunc(events, func(a, b *event) int { return a.at.Compare(b.at) })
	// LINE may hang up after two seconds; what it sent is handled all the same.
	if !d.take(context.WithoutCancel(r.Context()), events) {
		http.Error(w, "not all could be stored; send it again", http.StatusServiceUnavailable)
	}
}

// body reads a request's body and checks its signature. Bodies that are large, or
// may get so, are read few at a time: until then anybody can send them.
func (d *Door) body(w http.ResponseWriter, r *http.Request) (body []byte, status int) {
	signature := r.Header.Get("X-Line-Signature")
	switch {
	case r.ContentLength > maxBody:
		return nil, http.StatusRequestEntityTooLarge
	case signature == "":
		d.forged()
		return nil, http.StatusUnauthorized
	case r.ContentLength < 0 || r.ContentLength > smallBody:
		select {
		case d.large <- struct{}{}:
			defer func() { <-d.large }()
		case <-r.Context().Done():
			return nil, http.StatusServiceUnavailable
		}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return nil, http.StatusRequestEntityTooLarge
	} else if err != nil {
		return nil, http.StatusBadRequest
	}
	if !webhook.ValidateSignature(d.secret, signature, body) {
		d.forged()
		return nil, http.StatusUnauthorized
	}
	return body, http.StatusOK
}

// forged counts a webhook with a wrong signature and says so in the log, at most
// once a minute: with a wrong secret all webhooks are such.
func (d *Door) forged() {
	n := d.counts.Forged.Add(1)
	last, now := d.warned.Load(), time.Now().Unix()
	if now-last >= 60 && d.warned.CompareAndSwap(last, now) {
		d.log.Warn("a webhook with a wrong signature was refused; is the channel secret right?", "refused so far", n)
	}
}

// take handles the events and says whether all are safe: on the disk, or none
// of ours. They are queued in order without waiting for one another, then all
// are awaited.
func (d *Door) take(ctx context.Context, events []*event) bool {
	waits := make([]func() (fate, error), len(events))
	for i, e := range events {
		waits[i] = d.begin(ctx, e)
	}
	safe := true
	for i, wait := range waits {
		fate, err := wait()
		if err != nil {
			safe = d.parkFailed(ctx, events[i], err) && safe
		} else if fate == strange {
			d.greet(events[i])
		}
	}
	return safe
}

// fate is what became of an event.
type fate int

const (
	handled fate = iota // it has a receipt
	strange             // a stranger's
	ignored             // none that this door takes
)

// begin queues an event and returns what waits for its end. The error is that of
// a member's event that could not be handled and should be parked.
func (d *Door) begin(ctx context.Context, e *event) (wait func() (fate, error)) {
	switch {
	case !e.heard():
		d.counts.Ignored.Add(1)
		return func() (fate, error) { return ignored, nil }
	case e.err != nil:
		return func() (fate, error) { return d.unread(e, e.err) }
	}
	message, err := d.read(e)
	if err != nil {
		return func() (fate, error) { return d.unread(e, err) }
	}
	var answer store.Outgoing
	sub := d.store.Enqueue(ctx, e.request(d.admit(e.from.person)), func(tx *store.Tx) (err error) {
		answer, err = d.handle(tx, e, message)
		return err
	})
	return func() (fate, error) {
		receipt, outcome, err := sub.Wait(ctx)
		if errors.Is(err, store.ErrStranger) {
			d.counts.Strangers.Add(1)
			return strange, nil
		} else if err != nil {
			return handled, err
		}
		d.done(e, receipt, outcome, answer)
		return handled, nil
	}
}

// heard says whether the door does anything with such an event.
func (e *event) heard() bool {
	return e.from.direct() && (e.kind == said || e.err != nil)
}

// read lets the bot understand the text, outside of the transaction. A panic
// becomes an error, as it does inside.
func (d *Door) read(e *event) (m bot.Message, err error) {
	defer func() {
		if p := recover(); p != nil {
			d.log.Error("reading a message panicked", "event", e.name(), "stack", string(debug.Stack()))
			err = store.ErrPanic
		}
	}()
	return d.bot.Read(bot.Message{Text: e.message.text, At: e.at, Direct: true}), nil
}

// unread sorts out an event that gave no message: the cause comes back for a
// member's event; of others nothing is kept.
func (d *Door) unread(e *event, cause error) (fate, error) {
	ours := false
	err := d.store.View(func(tx *store.Tx) (err error) {
		ours, err = tx.MayTalk(e.from.person, d.admit(e.from.person))
		return err
	})
	if err != nil {
		return handled, err
	}
	if !ours {
		d.counts.Strangers.Add(1)
		return strange, nil
	}
	return handled, cause
}

// handle is what happens to an event in its transaction: the bot does what the
// message says, and what it answers goes into the outbox.
func (d *Door) handle(tx *store.Tx, e *event, m bot.Message) (store.Outgoing, error) {
	reply, err := d.bot.Handle(tx, m)
	if err != nil || e.standby || reply.Text == "" {
		return store.Outgoing{}, err
	}
	unsaid, err := tx.TakeUnsaid(e.from.chat)
	if err != nil {
		return store.Outgoing{}, err
	}
	o := store.Outgoing{Chat: e.from.chat, ReplyToken: e.replyToken, Pushing: e.replyToken == ""}
	var receipts []ledger.ReceiptNumber
	for _, u := range unsaid {
		o.Names = append(o.Names, u.ID)
		receipts = append(receipts, u.Receipt)
	}
	if len(receipts) > 0 {
		reply.Text += "\n\n" + bot.Unsaid(receipts)
	}
	if o.Payload, err = render(reply); err != nil {
		return store.Outgoing{}, err
	}
	return tx.Say(o)
}

// done counts an event that is safe and wakes the sender. A repeated event does
// no more than that: LINE has made its reply token fresh again.
func (d *Door) done(e *event, r store.Receipt, outcome store.Outcome, answer store.Outgoing) {
	switch outcome {
	case store.Recorded:
		d.counts.Recorded.Add(1)
		d.sender.add(answer)
		d.log.LogAttrs(context.Background(), slog.LevelDebug, "recorded", slog.Uint64("receipt", uint64(r.Number)), slog.String("event", e.name()))
	case store.Repeated:
		d.counts.Repeated.Add(1)
		d.sender.wake(e.from.chat, r.Number)
		d.log.Debug("repeated", "receipt", r.Number, "event", e.name())
	case store.Conflict:
		d.counts.Conflicts.Add(1)
		d.log.Warn("an event came again with other content; refused", "receipt", r.Number, "event", e.name())
	}
}
