package web

import (
	"errors"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"ichido/bot"
	"ichido/store"
	"ichido/store/storetest"
)

// keyField is where a page has the key of what it would send.
var keyField = regexp.MustCompile(`name="key" value="([^"]+)"`)

// What a conflict offers to add has a key of its own, and always the same: the page may be
// made anew when the answer to its button is lost.
func TestConflictKeepsItsKey(t *testing.T) {
	h := newHouse(t)
	p, key := h.browser("taro"), newKey()
	p.post("/entries", lunch(key))
	offered := func(item string) string {
		other := lunch(key)
		other.Set("item", item)
		res, body := p.post("/entries", other)
		m := keyField.FindStringSubmatch(body)
		if res.StatusCode != http.StatusConflict || m == nil || m[1] == key || !formKey.MatchString(m[1]) {
			t.Fatalf("%d %s", res.StatusCode, body)
		}
		return m[1]
	}
	first := offered("カフェ")
	for range 2 {
		other := lunch(offered("カフェ"))
		other.Set("item", "カフェ")
		if res, body := p.post("/entries", other); res.StatusCode != http.StatusOK || !strings.Contains(body, "受付 2") {
			t.Errorf("added: %d %s", res.StatusCode, body)
		}
	}
	if again, third := offered("カフェ"), offered("本"); again != first || third == first {
		t.Errorf("the keys are %s, %s, and %s of something else", first, again, third)
	}
	h.wantRows("ランチ 900 by 1", "カフェ 900 by 1")
}

// What was sent before all was erased, or by a clock that says so, is not recorded, and
// nobody is told that it is.
func TestErasedMeanwhile(t *testing.T) {
	h := newHouse(t)
	erased := time.Now().Add(time.Hour)
	req := store.Request{Scope: "line", Key: "erase", At: erased, Person: "taro"}
	if _, _, err := h.store.Submit(t.Context(), req, func(tx *store.Tx) error { return tx.Erase() }); err != nil {
		t.Fatal(err)
	}
	p, program, key := h.browser("taro"), h.program("taro"), newKey()
	res, body := p.post("/entries", lunch(key))
	if res.StatusCode != http.StatusServiceUnavailable || !strings.Contains(body, "記録していません") {
		t.Errorf("the form: %d %s", res.StatusCode, body)
	}
	res, body = program.api("a", lunchJSON)
	if res.StatusCode != http.StatusServiceUnavailable || !strings.Contains(body, "Nothing is recorded") || res.Header.Get("Retry-After") == "" {
		t.Errorf("the API: %d %s", res.StatusCode, body)
	}
	h.wantRows()
	h.door.now = func() time.Time { return erased.Add(time.Second) }
	if res, body := p.post("/entries", lunch(key)); res.StatusCode != http.StatusOK {
		t.Errorf("the form afterwards: %d %s", res.StatusCode, body)
	}
	if res, body := program.api("a", lunchJSON); res.StatusCode != http.StatusCreated {
		t.Errorf("the API afterwards: %d %s", res.StatusCode, body)
	}
	if n := len(h.rows()); n != 2 {
		t.Errorf("%d rows of two keys", n)
	}
}

// Content that can't be recorded is refused also when it waits behind another request with
// its key, of which nothing comes.
func TestFaultyBehindTheSameKey(t *testing.T) {
	h := newHouse(t)
	hasty := h.impatient()
	hasty.door.Patience = 500 * time.Millisecond
	program, browser, key := h.program("taro"), h.browser("taro"), newKey()
	release := h.holdUp()
	var first sync.WaitGroup
	first.Go(func() { (&person{h: hasty, client: &http.Client{}, token: program.token}).api("one", lunchJSON) })
	first.Go(func() { (&person{h: hasty, client: browser.client}).post("/entries", lunch(key)) })
	program.waitFor("/api/v1/receipts/one", http.StatusAccepted)
	browser.waitFor("/receipts/"+key, http.StatusAccepted)
	statuses := make(chan int, 2)
	go func() {
		res, _ := program.api("one", `{"item":"","amount":900,"account":"なぞ"}`)
		statuses <- res.StatusCode
	}()
	go func() {
		bad := lunch(key)
		bad.Set("category", "なぞ")
		res, _ := browser.post("/entries", bad)
		statuses <- res.StatusCode
	}()
	first.Wait()
	release()
	for range 2 {
		if status := <-statuses; status != http.StatusUnprocessableEntity {
			t.Errorf("it is answered with %d", status)
		}
	}
	h.wantRows()
}

// The button of a link sends to the address of its page and nowhere else.
func TestEntryPageLeadsNowhere(t *testing.T) {
	h := newHouse(t)
	p := h.browser("taro")
	for _, path := range []string{"/enter/..%2Fleave", "/enter/..%2Ftokens%3Flabel=x"} {
		if _, body := p.get(path); strings.Contains(body, "leave") || strings.Contains(body, "tokens") || strings.Contains(body, "action=") {
			t.Errorf("%s: %s", path, body)
		}
	}
	if res, body := p.post("/tokens?label=x", nil); res.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("a token is named by its address: %d %s", res.StatusCode, body)
	}
}

// The entries that were recorded last are listed, whatever their days.
func TestLatestEntries(t *testing.T) {
	h := newHouseAt(t, func() time.Time { return storetest.Noon })
	p := h.browser("taro")
	for _, e := range [][2]string{{"今日の本", "2026-11-30"}, {"先月の米", "2026-10-01"}, {"先月の茶", "2026-10-02"}} {
		form := lunch(newKey())
		form.Set("item", e[0])
		form.Set("date", e[1])
		p.post("/entries", form)
	}
	h.undo(3)
	_, body := p.get("/")
	_, list, _ := strings.Cut(body, "最近の記録")
	rice, book := strings.Index(list, "先月の米"), strings.Index(list, "今日の本")
	if rice < 0 || book < rice || !strings.Contains(list, "10/1(木)") || strings.Contains(list, "先月の茶") {
		t.Errorf("the list is %s", list)
	}
}

// What goes wrong behind a form that was read is logged without what it says.
func TestErrorsBehindTheFormAreLoggedWithoutIt(t *testing.T) {
	h := newHouse(t)
	var log strings.Builder
	h.door.Log = newLog(&log)
	how := func() error { return errors.New("the outbox is in the way") }
	h.door.TellEntry = func(*store.Tx, string, bot.Reply) error { return how() }
	h.say("taro", "通知 オン")
	p := h.browser("taro")
	for range 2 {
		res, body := p.post("/entries", lunch(newKey()))
		number := regexp.MustCompile(`[0-9a-f]{8}`).FindString(body)
		if res.StatusCode != http.StatusInternalServerError || number == "" || !strings.Contains(log.String(), number) {
			t.Errorf("%d %s; the log says %s", res.StatusCode, body, &log)
		}
		how = func() error { panic("of ランチ") }
	}
	if said := log.String(); strings.Contains(said, "ランチ") || !strings.Contains(said, "in the way") {
		t.Errorf("the log says %s", said)
	}
	h.wantRows()
}
