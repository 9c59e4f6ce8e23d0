package line

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"ichido/store"
)

// BenchmarkWebhook takes webhooks with one purchase each, from the signed request to the
// answer in the outbox, without sockets and without a disk that syncs.
func BenchmarkWebhook(b *testing.B) {
	w := newWorld(b)
	requests := make([]*http.Request, b.N)
	for i := range requests {
		requests[i] = w.purchase()
	}
	b.ReportAllocs()
	b.ResetTimer()
	for _, r := range requests {
		w.serve(r)
	}
	b.StopTimer()
}

// purchase is the webhook of a purchase.
func (w *world) purchase() *http.Request {
	w.t.Helper()
	r, err := w.platform.Request(w.t.Context(), w.platform.Body(w.platform.Text(taro, "ランチ 900")))
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// serve wants the webhook to be taken.
func (w *world) serve(r *http.Request) {
	w.t.Helper()
	answer := httptest.NewRecorder()
	if w.door.ServeHTTP(answer, r); answer.Code != http.StatusOK {
		w.t.Fatalf("answered with %d", answer.Code)
	}
}

// A webhook of a purchase allocates about 700 times, two thirds of it in bbolt and its
// records. What allocates much more should be looked at, and what allocates much less
// lowers the limit.
func TestAllocationsOfAWebhook(t *testing.T) {
	const most = 850
	w := newWorld(t)
	const runs = 200
	requests := make([]*http.Request, runs+1) // one to warm up
	for i := range requests {
		requests[i] = w.purchase()
	}
	got := testing.AllocsPerRun(runs, func() {
		w.serve(requests[0])
		requests = requests[1:]
	})
	if got > most {
		t.Errorf("a webhook allocates %v times, more than %d", got, most)
	}
}

// What waits to be said, after hours without LINE, makes no webhook dearer.
func TestNothingGrowsWithTheOutbox(t *testing.T) {
	cost := func(waiting int) float64 {
		w := newWorld(t)
		w.serve(w.purchase())
		w.update(func(tx *store.Tx) error {
			var all error
			for i := range waiting {
				chat := []string{taro, other}[i%2]
				_, err := tx.Say(store.Outgoing{Notice: "test", Chat: chat, Pushing: true, Payload: []byte(`[{"type":"text","text":"x"}]`)})
				all = errors.Join(all, err)
			}
			return all
		})
		if err := w.door.sender.load(); err != nil {
			t.Fatal(err)
		}
		requests := make([]*http.Request, 20+1)
		for i := range requests {
			requests[i] = w.purchase()
		}
		return testing.AllocsPerRun(20, func() {
			w.serve(requests[0])
			requests = requests[1:]
		})
	}
	few, many := cost(100), cost(3000)
	t.Logf("%.0f allocations while 100 messages wait, %.0f while 3,000 do", few, many)
	if many > 1.25*few {
		t.Errorf("a webhook allocates %.0f times while 100 messages wait, and %.0f times while 3,000 do", few, many)
	}
}
