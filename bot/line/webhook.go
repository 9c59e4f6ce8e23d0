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
	"ichido/store"
)

// maxBody limits a webhook's body in bytes. LINE does not say how large one can
// get; a hundred long texts fit.
const maxBody = 1 << 20

// ServeHTTP takes one webhook. It answers 200 when every event of a member has
// its receipt or is parked, and 503 when that could not be made sure, so that
// LINE sends the webhook again.
func (d *Door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "POST only", http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		http.Error(w, "body too large", http.StatusRequestEntityTooLarge)
		return
	} else if err != nil {
		http.Error(w, "the body did not arrive", http.StatusBadRequest)
		return
	}
	if !webhook.ValidateSignature(d.secret, r.Header.Get("X-Line-Signature"), body) {
		d.forged()
		http.Error(w, "wrong signature", http.StatusUnauthorized)
		return
	}
	events, err := split(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	// LINE may hang up after two seconds; what it sent is handled all the same.
	if !d.take(context.WithoutCancel(r.Context()), decodeAll(events)) {
		http.Error(w, "not all could be stored; send it again", http.StatusServiceUnavailable)
	}
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

// decodeAll decodes the events and puts them in the order in which they
// happened. One that can't be decoded has no time and comes first.
func decodeAll[T ~[]byte](raw []T) []*event {
	events := make([]*event, 0, len(raw))
	for _, r := range raw {
		e := decode([]byte(r))
		events = append(events, &e)
	}
	slices.SortStableFunc(events, func(a, b *event) int { return a.at.Compare(b.at) })
	return events
}

// take handles the events and says whether all are safe: on the disk, or none
// of ours. They are queued in order without waiting for one another, then all
// are awaited.
func (d *Door) take(ctx context.Context, events []*event) bool {
	waits := make([]func() error, len(events))
	for i, e := range events {
		waits[i] = d.begin(ctx, e)
	}
	safe := true
	for i, wait := range waits {
		if err := wait(); err != nil {
			safe = d.parkFailed(ctx, events[i], err) && safe
		}
	}
	return safe
}

// begin queues an event and returns what waits for its end. The error is that of
// an event that could not be handled and should be parked.
func (d *Door) begin(ctx context.Context, e *event) (wait func() error) {
	if e.err != nil {
		return func() error { return d.undecoded(e) }
	}
	message, err := d.read(e)
	if err != nil {
		return func() error { return d.unread(e, err) }
	}
	var said store.Outgoing
	sub := d.store.Enqueue(ctx, e.request(d.admit(e.person)), func(tx *store.Tx) (err error) {
		said, err = d.handle(tx, e, message)
		return err
	})
	return func() error {
		receipt, outcome, err := sub.Wait(ctx)
		if errors.Is(err, store.ErrStranger) {
			d.counts.Strangers.Add(1)
			d.greet(e)
			return nil
		} else if err != nil {
			return err
		}
		d.done(e, receipt, outcome, said.ID)
		return nil
	}
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
	return d.bot.Read(bot.Message{Text: e.text.text, At: e.at, Direct: true}), nil
}

// unread passes the error on for a member's event; of others nothing is kept.
func (d *Door) unread(e *event, cause error) error {
	member, err := d.isMember(e.person)
	if err != nil {
		return err
	}
	if !member {
		d.counts.Ignored.Add(1)
		return nil
	}
	return cause
}

// undecoded sorts out an event that gave no message.
func (d *Door) undecoded(e *event) error {
	if errors.Is(e.err, errNotText) {
		d.counts.Ignored.Add(1)
		return nil
	}
	return d.unread(e, e.err)
}

func (d *Door) isMember(person string) (yes bool, err error) {
	if d.admit(person) {
		return true, nil
	}
	err = d.store.View(func(tx *store.Tx) error {
		m, ok, err := tx.MemberByPerson(person)
		yes = ok && m.Removed.IsZero() && !m.Admitted
		return err
	})
	return yes, err
}

// handle is what happens to an event in its transaction: the bot does what the
// message says, and what it answers goes into the outbox.
func (d *Door) handle(tx *store.Tx, e *event, m bot.Message) (store.Outgoing, error) {
	reply, err := d.bot.Handle(tx, m)
	if err != nil || e.standby || reply.Text == "" {
		return store.Outgoing{}, err
	}
	unsaid, err := tx.TakeUnsaid(e.chat)
	if err != nil {
		return store.Outgoing{}, err
	}
	if len(unsaid) > 0 {
		reply.Text += "\n\n" + bot.Unsaid(unsaid)
	}
	payload, err := render(reply)
	if err != nil {
		return store.Outgoing{}, err
	}
	return tx.Say(store.Outgoing{Chat: e.chat, ReplyToken: e.replyToken, Payload: payload, Pushing: e.replyToken == ""})
}

// done counts an event that is safe and wakes the sender. A repeated event does
// no more than that: LINE has made its reply token fresh again.
func (d *Door) done(e *event, r store.Receipt, outcome store.Outcome, said store.OutboxID) {
	switch outcome {
	case store.Recorded:
		d.counts.Recorded.Add(1)
		d.sender.add(e.chat, said)
		d.log.LogAttrs(context.Background(), slog.LevelInfo, "recorded", slog.Uint64("receipt", uint64(r.Number)), slog.String("event", e.name()))
	case store.Repeated:
		d.counts.Repeated.Add(1)
		d.sender.wake(e.chat)
		d.log.Info("repeated", "receipt", r.Number, "event", e.name())
	case store.Conflict:
		d.counts.Conflicts.Add(1)
		d.log.Warn("an event came again with other content; refused", "receipt", r.Number, "event", e.name())
	}
}
