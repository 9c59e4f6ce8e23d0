package sim

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"ichido/internal/ledger"
	"ichido/store"
)

// The doors through which something is entered, as in the scopes of keys.
const (
	form = "web"
	api  = "api"
)

// enter lets somebody record something by the form or a program, with a key, and see to
// it that it is recorded.
func (w *world) enter(person string) {
	if person == "" {
		return
	}
	key := make([]byte, 16)
	for i := range key {
		key[i] = byte(w.IntN(256))
	}
	d := &deed{
		kind: entered, door: []string{form, api}[w.IntN(2)], key: base64.RawURLEncoding.EncodeToString(key), person: person,
		entries: w.newEntries(1),
	}
	d.entries[0].yesterday = false
	w.add(d)
	d.on, d.undated = time.Now().In(tokyo), d.door == api && oneIn(w.Rand, 3)
	go w.send(d, between(w.Rand, time.Millisecond, time.Second))
}

// client is what a person enters things with, at times several at once: a browser or a
// program.
type client struct {
	http.Client
	token atomic.Value // of a program: a string
	in    atomic.Bool
}

// clientOf is the person's at the door.
func (w *world) clientOf(d *deed) *client {
	w.mu.Lock()
	defer w.mu.Unlock()
	name := d.door + d.person
	if w.clients[name] == nil {
		jar, err := cookiejar.New(nil)
		if err != nil {
			panic(err)
		}
		c := &client{Client: http.Client{Jar: jar, Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			return w.request(r, "web", func(p *process) http.RoundTripper {
				w.burst.Store(time.Now().UnixNano()) // beside the entry the use of the token may be noted
				return p.web
			})
		})}}
		w.clients[name] = c
	}
	return w.clients[name]
}

// send sends what is entered until it is known to be recorded: after an answer that was
// lost, or that leaves it open, it is looked up, and if it is not found sent again.
func (w *world) send(d *deed, delay time.Duration) {
	time.Sleep(delay)
	c := w.clientOf(d)
	number, known := uint64(0), false
	for tries := 0; !known; tries++ {
		if tries == 1000 {
			panic(fmt.Sprintf("seed %d: %v was never taken", w.seed, d))
		}
		if !c.in.Load() && !w.letIn(c, d) {
			time.Sleep(between(w.at(fmt.Sprint("outside", d.n)), time.Second, time.Minute))
			continue
		}
		if tries > 0 {
			w.happened.note("web: sent again")
		}
		if number, known = w.sendOnce(c, d, d.entries[0].amount); known {
			break
		}
		time.Sleep(between(w.at(fmt.Sprint("wait", d.n)), time.Second, 2*time.Minute))
		if number, known = w.lookUp(c, d); known {
			w.happened.note("web: looked up and found")
		}
	}
	w.mu.Lock()
	d.taken, d.shown = time.Now(), append(d.shown, number)
	w.mu.Unlock()
	w.misuse(c, d)
}

// misuse sends something else with the key, at once, which must be refused.
func (w *world) misuse(c *client, d *deed) {
	p := w.process.Load()
	if !oneIn(w.at(fmt.Sprint("misuse", d.n)), 6) || p == nil || w.resting.Load() {
		return
	}
	status, body, err := w.submit(c, d, d.entries[0].amount+500_000)
	if err != nil || w.process.Load() != p || status == http.StatusUnauthorized || status >= 500 {
		return
	}
	refused := map[string]int{form: http.StatusConflict, api: http.StatusUnprocessableEntity}[d.door]
	if status != refused && !strings.Contains(body, "still being handled") {
		w.t.Errorf("seed %d: other content with the key of %v: status %d", w.seed, d, status)
	}
	w.happened.note("web: other content refused")
}

// letIn gives the client a way in, as 「ウェブ」 in the chat would.
func (w *world) letIn(c *client, d *deed) bool {
	p := w.process.Load()
	if p == nil || p.dead.Load() {
		return false
	}
	secret := ""
	err := p.store.Update(context.Background(), func(tx *store.Tx) error {
		m, known, err := tx.MemberByPerson(d.person)
		if !known || err != nil {
			return err
		}
		secret, err = tx.Grant(map[string]store.AccessKind{form: store.Link, api: store.Token}[d.door], m.ID, "sim")
		return err
	})
	if err != nil || secret == "" {
		return false
	}
	if d.door == api {
		c.token.Store(secret)
		c.in.Store(true)
		return true
	}
	res, err := c.PostForm("https://"+host+"/enter/"+secret, nil)
	if err != nil {
		return false
	}
	defer res.Body.Close()
	c.in.Store(res.StatusCode == http.StatusOK)
	return c.in.Load()
}

// sendOnce sends it once and gives the receipt's number if the answer tells that it is
// recorded.
func (w *world) sendOnce(c *client, d *deed, amount int) (number uint64, known bool) {
	status, body, err := w.submit(c, d, amount)
	switch {
	case err != nil:
		return 0, false
	case status == http.StatusUnauthorized:
		c.in.Store(false)
	case d.door == api && status == http.StatusCreated:
		return w.readReceipt(d, body), true
	case d.door == form && status == http.StatusOK:
		return w.readReceipt(d, body), true
	case status < 500 && status != http.StatusAccepted && status != http.StatusConflict && status != http.StatusTooManyRequests && status != http.StatusNotFound:
		w.t.Errorf("seed %d: %v: status %d: %s", w.seed, d, status, body)
	}
	return 0, false
}

// submit posts it and gives the last answer, behind redirects.
func (w *world) submit(c *client, d *deed, amount int) (status int, body string, err error) {
	if d.door == form {
		return c.do(http.MethodPost, "/entries", "application/x-www-form-urlencoded", url.Values{
			"key": {d.key}, "type": {"expense"}, "date": {ledger.DateOf(d.on).String()}, "item": {d.entries[0].item}, "amount": {fmt.Sprint(amount)},
		}.Encode(), "")
	}
	content := map[string]any{"item": d.entries[0].item, "amount": amount}
	if !d.undated {
		content["date"] = ledger.DateOf(d.on).String()
	}
	encoded, err := json.Marshal(content)
	if err != nil {
		return 0, "", err
	}
	return c.do(http.MethodPost, "/api/v1/entries", "application/json", string(encoded), d.key)
}

func (c *client) do(method, path, kind, content, key string) (status int, body string, err error) {
	r, err := http.NewRequest(method, "https://"+host+path, bytes.NewReader([]byte(content)))
	if err != nil {
		return 0, "", err
	}
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	r.Header.Set("Accept", "application/json")
	if token, ok := c.token.Load().(string); ok {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	res, err := c.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	read, err := io.ReadAll(res.Body)
	return res.StatusCode, string(read), err
}

// lookUp asks what became of the key.
func (w *world) lookUp(c *client, d *deed) (number uint64, known bool) {
	path := map[string]string{form: "/receipts/", api: "/api/v1/receipts/"}[d.door] + d.key
	status, body, err := c.do(http.MethodGet, path, "", "", "")
	switch {
	case err != nil:
		return 0, false
	case status == http.StatusUnauthorized:
		c.in.Store(false)
		return 0, false
	case status == http.StatusNotFound:
		w.happened.note("web: looked up and not found")
		return 0, false
	case status == http.StatusAccepted:
		w.happened.note("web: looked up and in progress")
		return 0, false
	case status != http.StatusOK:
		return 0, false
	}
	return w.readReceipt(d, body), true
}

// readReceipt reads which receipt an answer tells of; what it says of its content must be
// what was entered.
func (w *world) readReceipt(d *deed, body string) uint64 {
	var answer struct {
		Receipt uint64
		Entries []struct {
			Item   string
			Amount int
		}
	}
	if err := json.Unmarshal([]byte(body), &answer); err != nil {
		w.t.Errorf("seed %d: %v: %v in %s", w.seed, d, err, body)
	}
	for _, e := range answer.Entries {
		if e.Item != d.entries[0].item || e.Amount != d.entries[0].amount {
			w.t.Errorf("seed %d: %v: the answer says %+v", w.seed, d, e)
		}
	}
	return answer.Receipt
}
