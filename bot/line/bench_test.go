package line

import (
	"net/http"
	"net/http/httptest"
	"testing"
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
