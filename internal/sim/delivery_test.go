package sim

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"ichido/internal/linesim"
)

// deliverSoon hands events to LINE, which posts them: together or one by one, at once or
// much later, several times or never.
func (w *world) deliverSoon(all ...*deed) {
	all = slices.DeleteFunc(all, func(d *deed) bool {
		d.dropped = len(w.deeds) > 10 && oneIn(w.Rand, 60)
		if d.dropped {
			w.happened.note("dropped for good")
		}
		return d.dropped
	})
	if len(all) > 1 && oneIn(w.Rand, 2) {
		w.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for _, d := range all {
			w.dispatch(d)
		}
	} else if len(all) > 0 {
		w.dispatch(all...)
	}
}

// dispatch plans the deliveries of a webhook.
func (w *world) dispatch(all ...*deed) {
	delay := between(w.Rand, time.Millisecond, 200*time.Millisecond)
	if oneIn(w.Rand, 10) {
		w.happened.note("reorder")
		delay = between(w.Rand, time.Second, 30*time.Minute)
	}
	go w.post(delay, all)
	if oneIn(w.Rand, 8) {
		w.happened.note("duplicate at once")
		go w.post(delay+between(w.Rand, time.Microsecond, 30*time.Microsecond), all)
	}
	if oneIn(w.Rand, 8) {
		w.happened.note("duplicate")
		go w.post(between(w.Rand, time.Millisecond, 20*time.Minute), all)
	}
}

// post posts a webhook, and again until it is taken, then perhaps its events one by one.
func (w *world) post(delay time.Duration, all []*deed) {
	for tries := 0; ; tries++ {
		time.Sleep(delay)
		if w.postOnce(all, tries > 0) {
			return
		}
		chance := w.at(fmt.Sprint("again", all[0].n))
		delay = between(chance, time.Second, 5*time.Minute)
		w.happened.note("redelivery")
		if len(all) > 1 && oneIn(chance, 2) {
			w.happened.note("other grouping")
			for _, d := range all[1:] {
				go w.post(between(chance, time.Second, 5*time.Minute), []*deed{d})
			}
			all = all[:1]
		}
		if tries == 1000 {
			panic(fmt.Sprintf("seed %d: %v was never taken", w.seed, all[0]))
		}
	}
}

// postOnce posts a webhook, and says whether it was taken. LINE waits for two seconds.
func (w *world) postOnce(all []*deed, again bool) bool {
	var events []linesim.Event
	w.mu.Lock()
	for _, d := range all {
		if d.posted.IsZero() {
			d.posted = time.Now()
		}
		if again {
			events = append(events, d.event.Redelivered())
		} else {
			events = append(events, d.event)
		}
	}
	w.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), linesim.WebhookTimeout)
	defer cancel()
	status, err := w.platform.Deliver(ctx, events...)
	switch {
	case ctx.Err() != nil:
		w.happened.note("webhook: too late")
	case err == nil && status != http.StatusOK:
		w.happened.note(fmt.Sprint("webhook: ", status))
	case err == nil:
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, d := range all {
			d.taken = time.Now()
		}
		return true
	}
	return false
}

// again lets everything come again that has been taken since the moment: the program
// knows nothing of it any more.
func (w *world) again(since time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var events []*deed
	for _, d := range w.deeds {
		if !d.taken.After(since) {
			continue
		}
		d.taken = time.Time{}
		if d.kind == entered {
			go w.send(d, between(w.Rand, time.Second, time.Hour))
		} else {
			events = append(events, d)
		}
	}
	w.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
	for len(events) > 0 {
		n := min(len(events), 1+w.IntN(4))
		go w.post(between(w.Rand, time.Second, 30*time.Minute), slices.Clone(events[:n]))
		events = events[n:]
	}
}

// allTaken says whether nothing is on its way any more.
func (w *world) allTaken() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !slices.ContainsFunc(w.deeds, func(d *deed) bool { return d.taken.IsZero() && !d.dropped })
}
