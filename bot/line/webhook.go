package line

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/line/line-bot-sdk-go/v8/linebot/webhook"
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
	if d.warned.allow("", time.Now()) {
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
