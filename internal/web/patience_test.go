package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"ichido/bot"
	"ichido/store"
)

// holdUp keeps the writer from everything else until release is called.
func (h *house) holdUp() (release func()) {
	hold, held := make(chan struct{}), make(chan struct{})
	var holding sync.WaitGroup
	holding.Go(func() {
		h.update(func(*store.Tx) error {
			close(held)
			<-hold
			return nil
		})
	})
	<-held
	return func() { close(hold); holding.Wait() }
}

// waitFor asks until the answer has the status.
func (p *person) waitFor(path string, status int) {
	p.h.t.Helper()
	for range 2000 {
		if res, _ := p.get(path, "Accept", "application/json"); res.StatusCode == status {
			return
		}
		time.Sleep(time.Millisecond)
	}
	p.h.t.Fatalf("%s never answers with %d", path, status)
}

// impatient is the house with another door, which waits for next to nothing.
func (h *house) impatient() *house {
	hasty := *h
	hasty.door = New(Config{Store: h.store, Bot: bot.New(tokyo), Zone: tokyo, Patience: 50 * time.Millisecond})
	hasty.server = httptest.NewServer(hasty.door)
	h.t.Cleanup(hasty.server.Close)
	return &hasty
}

// While the first caller's entry is not recorded yet, the second waits, and is told so when
// its time is over: never that nothing is recorded. Both keys end as one row.
func TestSecondCallerWaitsInVain(t *testing.T) {
	h := newHouse(t)
	hasty := h.impatient()
	program, browser := h.program("taro"), h.browser("taro")
	hastyProgram := &person{h: hasty, client: &http.Client{}, token: program.token}
	hastyBrowser := &person{h: hasty, client: browser.client}
	key := newKey()
	release := h.holdUp()
	var first sync.WaitGroup
	first.Go(func() {
		if res, body := program.api("one", lunchJSON); res.StatusCode != http.StatusCreated {
			t.Errorf("the first caller of the API: %d %s", res.StatusCode, body)
		}
	})
	first.Go(func() {
		if _, body := browser.post("/entries", lunch(key)); !strings.Contains(body, "記録してあります") {
			t.Errorf("the first form: %s", body)
		}
	})
	program.waitFor("/api/v1/receipts/one", http.StatusAccepted)
	browser.waitFor("/receipts/"+key, http.StatusAccepted)
	res, body := hastyProgram.api("one", lunchJSON)
	if res.StatusCode != http.StatusConflict || res.Header.Get("Retry-After") == "" || !strings.Contains(body, "still being handled") {
		t.Errorf("the second caller of the API: %d %s", res.StatusCode, body)
	}
	res, body = hastyBrowser.post("/entries", lunch(key))
	if res.StatusCode != http.StatusAccepted || !strings.Contains(body, "いま記録しています") || res.Request.URL.Path != "/receipts/"+key {
		t.Errorf("the second form: %d %s", res.StatusCode, body)
	}
	release()
	first.Wait()
	if res, _ := hastyProgram.api("one", lunchJSON); res.StatusCode != http.StatusCreated || res.Header.Get(replayed) != "true" {
		t.Errorf("afterwards: %d", res.StatusCode)
	}
	if _, body := hastyBrowser.post("/entries", lunch(key)); !strings.Contains(body, "受付") {
		t.Errorf("afterwards: %s", body)
	}
	if n := len(h.rows()); n != 2 {
		t.Errorf("%d rows of two keys", n)
	}
}

// What the writer has not taken in time is not recorded, and the answer does not claim that
// it never will be; sent again it is recorded once.
func TestNotTakenInTime(t *testing.T) {
	h := newHouse(t)
	hasty := h.impatient()
	program, browser := hasty.program("taro"), h.browser("taro")
	hastyBrowser := &person{h: hasty, client: browser.client}
	key := newKey()
	release := h.holdUp()
	res, body := program.api("one", lunchJSON)
	if busy := res.StatusCode == http.StatusConflict; !busy && res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") == "" {
		t.Errorf("%d %s", res.StatusCode, body)
	}
	res, body = hastyBrowser.post("/entries", lunch(key))
	if !strings.Contains(body, "記録されていない証拠ではありません") && !strings.Contains(body, "いま記録しています") {
		t.Errorf("%d %s", res.StatusCode, body)
	}
	release()
	h.update(func(*store.Tx) error { return nil }) // the writer has come to all that was there
	h.wantRows()
	if res, _ := program.api("one", lunchJSON); res.StatusCode != http.StatusCreated || res.Header.Get(replayed) != "" {
		t.Errorf("sent again: %d, replayed: %q", res.StatusCode, res.Header.Get(replayed))
	}
	hastyBrowser.post("/entries", lunch(key))
	if n := len(h.rows()); n != 2 {
		t.Errorf("%d rows of two keys", n)
	}
}

// Other content under a key that has its receipt is refused also when the writer does not
// come to it in time: what the receipt says was not sent now.
func TestOtherContentInVain(t *testing.T) {
	h := newHouse(t)
	hasty := h.impatient()
	program, browser := hasty.program("taro"), h.browser("taro")
	hastyBrowser := &person{h: hasty, client: browser.client}
	key := newKey()
	program.api("one", lunchJSON)
	browser.post("/entries", lunch(key))
	release := h.holdUp()
	defer release()
	if res, body := program.api("one", strings.Replace(lunchJSON, "900", "950", 1)); res.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("other content by the API: %d %s", res.StatusCode, body)
	}
	if res, body := program.api("one", lunchJSON); res.StatusCode != http.StatusCreated {
		t.Errorf("the same by the API: %d %s", res.StatusCode, body)
	}
	other := lunch(key)
	other.Set("amount", "950")
	if res, body := hastyBrowser.post("/entries", other); res.StatusCode != http.StatusConflict {
		t.Errorf("other content by the form: %d %s", res.StatusCode, body)
	}
	if res, body := hastyBrowser.post("/entries", lunch(key)); res.StatusCode != http.StatusOK || !strings.Contains(body, "記録してあります") {
		t.Errorf("the same by the form: %d %s", res.StatusCode, body)
	}
}
