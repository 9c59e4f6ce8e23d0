package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ichido/bot"
	"ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

var tokyo, _ = time.LoadLocation("Asia/Tokyo")

// house is a household with two members and its door, over real HTTP.
type house struct {
	t       *testing.T
	store   *store.Store
	door    *Door
	server  *httptest.Server
	members map[string]ledger.MemberID
}

func newHouse(t *testing.T) *house { return newHouseAt(t, time.Now) }

func newHouseAt(t *testing.T, now func() time.Time) *house {
	h := &house{t: t, store: storetest.NewAt(t, now), members: map[string]ledger.MemberID{}}
	h.door = New(Config{Store: h.store, Bot: bot.New(tokyo), Zone: tokyo})
	h.door.now = now
	h.door.entries = newLimiters(0, 1e6)
	h.door.calls = newLimiters(0, 1e6)
	h.server = httptest.NewServer(h.door)
	t.Cleanup(h.server.Close)
	for _, name := range []string{"taro", "hanako"} {
		h.update(func(tx *store.Tx) error {
			m, err := tx.Join(name, name)
			h.members[name] = m.ID
			return err
		})
	}
	return h
}

func (h *house) update(fn func(*store.Tx) error) {
	h.t.Helper()
	if err := h.store.Update(h.t.Context(), fn); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) grant(kind store.AccessKind, name string) (secret string) {
	h.update(func(tx *store.Tx) (err error) {
		secret, err = tx.Grant(kind, h.members[name], "test")
		return err
	})
	return secret
}

// rows are those that stand, in words.
func (h *house) rows() (rows []string) {
	h.t.Helper()
	err := h.store.View(func(tx *store.Tx) error {
		return tx.Rows(store.AllRows, func(r *ledger.Row) error {
			if r.Stands() {
				rows = append(rows, fmt.Sprintf("%s %v by %d", r.Item, r.Amount, r.Member))
			}
			return nil
		})
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return rows
}

func (h *house) wantRows(want ...string) {
	h.t.Helper()
	if got := h.rows(); !slices.Equal(got, want) {
		h.t.Errorf("the rows are %q, want %q", got, want)
	}
}

// person is somebody with a browser, or with a program that has a token.
type person struct {
	h      *house
	client *http.Client
	token  string
}

// browser is somebody with a browser, who is in if a member is named.
func (h *house) browser(name string) *person {
	jar, err := cookiejar.New(nil)
	if err != nil {
		h.t.Fatal(err)
	}
	p := &person{h: h, client: &http.Client{Jar: jar}}
	if name != "" {
		res, _ := p.post("/enter/"+h.grant(store.Link, name), nil)
		if res.StatusCode != http.StatusOK {
			h.t.Fatalf("a link lets nobody in: %d", res.StatusCode)
		}
	}
	return p
}

func (h *house) program(name string) *person {
	return &person{h: h, client: &http.Client{}, token: h.grant(store.Token, name)}
}

func (p *person) do(req *http.Request) (*http.Response, string) {
	p.h.t.Helper()
	if p.token != "" {
		req.Header.Set("Authorization", "Bearer "+p.token)
	}
	res, err := p.client.Do(req)
	if err != nil {
		p.h.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		p.h.t.Fatal(err)
	}
	if s, err := description(); err != nil {
		p.h.t.Fatal(err)
	} else if err := s.holds(res, string(body)); err != nil {
		p.h.t.Error(err)
	}
	return res, string(body)
}

func (p *person) request(method, path, body string, header ...string) (*http.Response, string) {
	p.h.t.Helper()
	req, err := http.NewRequestWithContext(p.h.t.Context(), method, p.h.server.URL+path, strings.NewReader(body))
	if err != nil {
		p.h.t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	return p.do(req)
}

func (p *person) get(path string, header ...string) (*http.Response, string) {
	p.h.t.Helper()
	return p.request("GET", path, "", header...)
}

func (p *person) post(path string, fields url.Values) (*http.Response, string) {
	p.h.t.Helper()
	return p.request("POST", path, fields.Encode(), "Content-Type", "application/x-www-form-urlencoded")
}

// api sends an entry with the key.
func (p *person) api(key, body string) (*http.Response, string) {
	p.h.t.Helper()
	return p.request("POST", "/api/v1/entries", body, "Content-Type", "application/json", "Idempotency-Key", key)
}

func lunch(key string) url.Values {
	return url.Values{"key": {key}, "type": {"expense"}, "date": {"2026-11-30"}, "amount": {"900"}, "item": {"ランチ"}}
}

const lunchJSON = `{"item":"ランチ","amount":900,"date":"2026-11-30"}`

func TestLinkIsUsedByTheButtonOnly(t *testing.T) {
	h := newHouse(t)
	link := h.grant(store.Link, "taro")
	p := h.browser("")
	for range 3 { // previews
		if res, body := p.get("/enter/" + link); res.StatusCode != http.StatusOK || !strings.Contains(body, "<button") || len(res.Cookies()) > 0 {
			t.Fatalf("opening the link: %d %s", res.StatusCode, body)
		}
	}
	if res, body := p.post("/enter/"+link, nil); res.StatusCode != http.StatusOK || !strings.Contains(body, "taro") {
		t.Fatalf("the button: %d %s", res.StatusCode, body)
	}
	if res, _ := h.browser("").post("/enter/"+link, nil); res.StatusCode != http.StatusUnauthorized {
		t.Errorf("a second use: %d", res.StatusCode)
	}
}

// The page's key stands in its address: reloading and going back have the same one.
func TestFormKeepsItsKey(t *testing.T) {
	h := newHouse(t)
	p := h.browser("taro")
	res, first := p.get("/")
	at := res.Request.URL.RequestURI()
	_, again := p.get(at)
	field := regexp.MustCompile(`name="key" value="([^"]+)"`)
	key, same := field.FindStringSubmatch(first), field.FindStringSubmatch(again)
	if key == nil || same == nil || key[1] != same[1] || !formKey.MatchString(key[1]) {
		t.Fatalf("the keys are %v and %v", key, same)
	}
	res, body := p.post("/entries", lunch(key[1]))
	if res.Request.URL.Path != "/receipts/"+key[1] || !strings.Contains(body, "受付 1") || !strings.Contains(body, "ランチ") {
		t.Fatalf("sent, the form leads to %s: %s", res.Request.URL, body)
	}
	if _, body := p.get(at); !strings.Contains(body, "記録済み") || strings.Contains(body, `id="entry"`) {
		t.Error("back at the form it can be sent again")
	}
	h.wantRows("ランチ 900 by 1")
}

func TestFormIsOnce(t *testing.T) {
	h := newHouse(t)
	p, key := h.browser("taro"), newKey()
	for range 3 {
		if res, body := p.post("/entries", lunch(key)); res.StatusCode != http.StatusOK || !strings.Contains(body, "受付 1") {
			t.Fatalf("%d %s", res.StatusCode, body)
		}
	}
	changed := lunch(key)
	changed.Set("amount", "950")
	res, body := p.post("/entries", changed)
	if res.StatusCode != http.StatusConflict || !strings.Contains(body, "900円") || !strings.Contains(body, "受付 1") {
		t.Errorf("changed content: %d %s", res.StatusCode, body)
	}
	changed.Set("amount", "")
	if res, _ := p.post("/entries", changed); res.StatusCode != http.StatusConflict {
		t.Errorf("content that would be refused: %d", res.StatusCode)
	}
	h.wantRows("ランチ 900 by 1")
	other := h.browser("hanako")
	if res, body := other.post("/entries", lunch(key)); res.StatusCode != http.StatusOK || strings.Contains(body, "受付 1<") {
		t.Errorf("somebody else with the same key: %d %s", res.StatusCode, body)
	}
	h.wantRows("ランチ 900 by 1", "ランチ 900 by 2")
}

// What is wrong with a form takes no key.
func TestFaultyFormTakesNoKey(t *testing.T) {
	h := newHouse(t)
	p, key := h.browser("taro"), newKey()
	bad := lunch(key)
	bad.Set("amount", "0")
	res, body := p.post("/entries", bad)
	if res.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(body, key) || !strings.Contains(body, "1円から") || !strings.Contains(body, `value="ランチ"`) {
		t.Fatalf("%d %s", res.StatusCode, body)
	}
	if res, _ := p.get("/receipts/" + key); res.StatusCode != http.StatusNotFound {
		t.Errorf("its key has a receipt: %d", res.StatusCode)
	}
	if res, _ := p.post("/entries", lunch(key)); res.StatusCode != http.StatusOK {
		t.Errorf("put right, it is refused: %d", res.StatusCode)
	}
	h.wantRows("ランチ 900 by 1")
	if res, _ := p.post("/entries", lunch("")); res.StatusCode != http.StatusBadRequest {
		t.Errorf("without a key: %d", res.StatusCode)
	}
	h.wantRows("ランチ 900 by 1")
}

func TestReceiptTellsWhatBecameOfIt(t *testing.T) {
	h := newHouse(t)
	p, key := h.browser("taro"), newKey()
	if res, body := p.get("/receipts/" + key); res.StatusCode != http.StatusNotFound || !strings.Contains(body, "証拠ではありません") || !strings.Contains(body, "/?key="+key) {
		t.Errorf("no receipt: %d %s", res.StatusCode, body)
	}
	if res, body := p.get("/receipts/"+key, "Accept", "application/json"); res.StatusCode != http.StatusNotFound || strings.TrimSpace(body) != `{"state":"not found"}` {
		t.Errorf("no receipt: %d %s", res.StatusCode, body)
	}
	p.post("/entries", lunch(key))
	if res, body := p.get("/receipts/"+key, "Accept", "application/json"); res.StatusCode != http.StatusOK || strings.TrimSpace(body) != `{"receipt":1,"state":"found"}` {
		t.Errorf("a receipt: %d %s", res.StatusCode, body)
	}
	h.undo(1)
	if _, body := p.get("/receipts/" + key); !strings.Contains(body, "ランチ 900円は、取り消してあります。") || strings.Contains(body, "記録してあります") {
		t.Errorf("of what was taken back: %s", body)
	}
	if res, _ := p.post("/entries", lunch(key)); res.StatusCode != http.StatusOK {
		t.Errorf("sent again: %d", res.StatusCode)
	}
	h.wantRows()
}

func (h *house) undo(n ledger.ReceiptNumber) {
	h.t.Helper()
	_, _, err := h.store.Submit(h.t.Context(), store.Request{Scope: "line", At: time.Now(), Person: "taro"}, func(tx *store.Tx) error {
		_, err := tx.Undo(n)
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

// While the writer is held up, a key is on its way, and who sends it again waits for the
// first.
func TestInProgress(t *testing.T) {
	h := newHouse(t)
	p, key := h.browser("taro"), newKey()
	hold, held := make(chan struct{}), make(chan struct{})
	var sent sync.WaitGroup
	sent.Go(func() {
		h.update(func(*store.Tx) error {
			close(held)
			<-hold
			return nil
		})
	})
	<-held
	answers := make(chan string, 2)
	for range 2 {
		sent.Go(func() {
			_, body := p.post("/entries", lunch(key))
			answers <- body
		})
	}
	for {
		res, body := p.get("/receipts/"+key, "Accept", "application/json")
		if res.StatusCode == http.StatusAccepted && strings.Contains(body, "in progress") {
			break
		}
		if res.StatusCode == http.StatusOK {
			t.Fatal("it is recorded while the writer is held up")
		}
	}
	close(hold)
	sent.Wait()
	for range 2 {
		if body := <-answers; !strings.Contains(body, "受付 1") {
			t.Errorf("an answer is %s", body)
		}
	}
	h.wantRows("ランチ 900 by 1")
}

func TestManyAtOnceAreOne(t *testing.T) {
	h := newHouse(t)
	p := h.program("taro")
	var wg sync.WaitGroup
	bodies := make([]string, 64)
	for i := range bodies {
		wg.Go(func() {
			res, body := p.api(`"one"`, lunchJSON)
			bodies[i] = fmt.Sprint(res.StatusCode, body)
		})
	}
	wg.Wait()
	if distinct := slices.Compact(slices.Sorted(slices.Values(bodies))); len(distinct) != 1 || !strings.HasPrefix(distinct[0], "201") {
		t.Errorf("the answers are %q", distinct)
	}
	h.wantRows("ランチ 900 by 1")
}

func TestAPIIsOnce(t *testing.T) {
	h := newHouse(t)
	p := h.program("taro")
	res, first := p.api(`"a"`, lunchJSON)
	if res.StatusCode != http.StatusCreated || res.Header.Get(replayed) != "" {
		t.Fatalf("%d %s", res.StatusCode, first)
	}
	for name, again := range map[string][2]string{
		"the same":      {`"a"`, lunchJSON},
		"a bare key":    {`a`, lunchJSON},
		"another order": {`"a"`, ` {"date":"2026-11-30" , "amount":900,"type":"expense","item":"ランチ"}`},
	} {
		if res, body := p.api(again[0], again[1]); res.StatusCode != http.StatusCreated || body != first || res.Header.Get(replayed) != "true" {
			t.Errorf("%s: %d %s", name, res.StatusCode, body)
		}
	}
	if res, body := p.api(`"a"`, strings.Replace(lunchJSON, "900", "950", 1)); res.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(body, "Something else") {
		t.Errorf("changed content: %d %s", res.StatusCode, body)
	}
	if _, body := p.get("/api/v1/receipts/a"); body != first {
		t.Errorf("looked up: %s", body)
	}
	if res, _ := h.program("hanako").get("/api/v1/receipts/a"); res.StatusCode != http.StatusNotFound {
		t.Errorf("looked up by somebody else: %d", res.StatusCode)
	}
	h.undo(1)
	if res, body := p.api(`"a"`, lunchJSON); res.StatusCode != http.StatusCreated || body != first {
		t.Errorf("after it was taken back: %d %s", res.StatusCode, body)
	}
	h.wantRows()
}

// A day that is left out is that of the first request: the repeat may come on another,
// even while the first is on its way.
func TestAPIWithoutDate(t *testing.T) {
	now := time.Date(2026, 12, 31, 23, 59, 59, 0, tokyo)
	h := newHouseAt(t, func() time.Time { return now })
	p := h.program("taro")
	first, body := p.api(`"a"`, `{"item":"ランチ","amount":900}`)
	now = now.Add(2 * time.Second)
	again, repeated := p.api(`"a"`, `{"item":"ランチ","amount":900}`)
	if first.StatusCode != http.StatusCreated || again.StatusCode != http.StatusCreated || repeated != body || !strings.Contains(body, "2026-12-31") {
		t.Errorf("%d %s, then %d %s", first.StatusCode, body, again.StatusCode, repeated)
	}
	for _, other := range []string{`{"item":"ランチ","amount":900,"date":"2027-01-01"}`, `{"item":"ランチ","amount":900,"date":"tomorrow"}`} {
		if res, body := p.api(`"a"`, other); res.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d %s", other, res.StatusCode, body)
		}
	}
	h.wantRows("ランチ 900 by 1")
}

func TestAPIRefuses(t *testing.T) {
	h := newHouse(t)
	p := h.program("taro")
	for name, test := range map[string]struct {
		key, kind, body string
		status          int
	}{
		"no key":         {"", "application/json", lunchJSON, 400},
		"a broken key":   {`"a`, "application/json", lunchJSON, 400},
		"a long key":     {strings.Repeat("a", 256), "application/json", lunchJSON, 400},
		"no JSON":        {"a", "application/json", "ランチ 900", 400},
		"two values":     {"a", "application/json", lunchJSON + lunchJSON, 400},
		"unknown field":  {"a", "application/json", `{"item":"x","amount":1,"price":2}`, 400},
		"text amount":    {"a", "application/json", `{"item":"x","amount":"1"}`, 400},
		"half a yen":     {"a", "application/json", `{"item":"x","amount":1.5}`, 400},
		"a huge amount":  {"a", "application/json", `{"item":"x","amount":99999999999999999999}`, 400},
		"too much":       {"a", "application/json", `{"item":"x","amount":1000000000}`, 422},
		"broken UTF-8":   {"a", "application/json", "{\"item\":\"\xff\",\"amount\":1}", 400},
		"no item":        {"a", "application/json", `{"amount":1}`, 422},
		"no such day":    {"a", "application/json", `{"item":"x","amount":1,"date":"2026-02-30"}`, 422},
		"a form":         {"a", "application/x-www-form-urlencoded", "item=x&amount=1", 415},
		"a large body":   {"a", "application/json", `{"memo":"` + strings.Repeat("x", maxBody) + `"}`, 413},
		"unknown type":   {"a", "application/json", `{"item":"x","amount":1,"type":"gift"}`, 422},
		"odd account":    {"a", "application/json", `{"item":"x","amount":1,"account":"火星"}`, 422},
		"a script":       {"script", "application/json", `{"item":"<script>alert(1)</script>","amount":1}`, 201},
		"nested":         {"a", "application/json", strings.Repeat("[", 20000), 400},
		"null":           {"a", "application/json", "null", 400},
		"a line in item": {"b", "application/json", `{"item":"a\nb","amount":1}`, 201},
	} {
		header := []string{"Content-Type", test.kind}
		if test.key != "" {
			header = append(header, "Idempotency-Key", test.key)
		}
		res, body := p.request("POST", "/api/v1/entries", test.body, header...)
		if res.StatusCode != test.status {
			t.Errorf("%s: %d %s, want %d", name, res.StatusCode, body, test.status)
		}
		var problem struct {
			Status        int
			Title, Detail string
		}
		if res.StatusCode >= 400 && (res.Header.Get("Content-Type") != "application/problem+json" || json.Unmarshal([]byte(body), &problem) != nil ||
			problem.Status != res.StatusCode || problem.Detail == "") {
			t.Errorf("%s: the problem is %s", name, body)
		}
	}
}

// What each address answers to whom. Whoever has not what an address needs gets 401
// whatever else is asked, and an address that is not in the table fails.
func TestWhoMayWhat(t *testing.T) {
	h := newHouse(t)
	h.update(func(tx *store.Tx) error {
		m, err := tx.Join("gone", "gone")
		h.members["gone"] = m.ID
		return err
	})
	key := newKey()
	h.browser("taro").post("/entries", lunch(key))
	h.program("taro").api(key, lunchJSON)
	cookie := func(secret string) *person {
		p := h.browser("")
		at, _ := url.Parse(h.server.URL)
		p.client.Jar.SetCookies(at, []*http.Cookie{{Name: plainCookie, Value: secret, Path: "/"}})
		return p
	}
	bearer := func(secret string) *person { return &person{h: h, client: h.browser("").client, token: secret} }
	revoked := h.grant(store.Session, "taro")
	revokedToken := h.grant(store.Token, "taro")
	gone, goneToken := h.grant(store.Session, "gone"), h.grant(store.Token, "gone")
	h.update(func(tx *store.Tx) error { return tx.Remove(h.members["gone"]) })
	h.update(func(tx *store.Tx) error { _, err := tx.Revoke(h.members["taro"], ""); return err })
	people := map[string]*person{
		"nobody": h.browser(""), "member": h.browser("taro"), "other member": h.browser("hanako"),
		"program": h.program("taro"), "other program": h.program("hanako"),
		"stranger's session": cookie("guess"), "stranger's token": bearer("guess"),
		"revoked session": cookie(revoked), "revoked token": bearer(revokedToken),
		"gone": cookie(gone), "gone program": bearer(goneToken),
		"session as token": bearer(h.grant(store.Session, "taro")), "token as cookie": cookie(h.grant(store.Token, "taro")),
		"link as session": cookie(h.grant(store.Link, "taro")), "link as token": bearer(h.grant(store.Link, "taro")),
	}
	for _, p := range people {
		p.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	}
	// Of who is let in: the member and another one.
	allowed := map[string][2]int{
		"GET /{$}": {303, 303}, "POST /entries": {415, 415}, "GET /receipts/{key}": {200, 404}, "GET /access": {200, 200},
		"POST /access/{id}/revoke": {303, 303}, "POST /tokens": {422, 422}, "POST /leave": {200, 200},
		"POST /api/v1/entries": {400, 400}, "GET /api/v1/entries": {200, 200}, "GET /api/v1/receipts/{key}": {200, 404}, "GET /api/v1/summary": {200, 200},
	}
	open := map[string]int{"GET /enter/{link}": 200, "POST /enter/{link}": 401, "GET /api/v1/openapi.json": 200}
	paths := strings.NewReplacer("{link}", "x", "{$}", "", "{key}", key, "{id}", "00000000")
	all := routes()
	slices.SortStableFunc(all, func(a, b route) int { return strings.Count(a.pattern, "/leave") - strings.Count(b.pattern, "/leave") }) // ends the session
	for _, r := range all {
		method, pattern, _ := strings.Cut(r.pattern, " ")
		statuses, ok := allowed[r.pattern]
		status, isOpen := open[r.pattern]
		if !ok && !isOpen {
			t.Errorf("%s is not in the table", r.pattern)
		}
		for name, p := range people {
			want := http.StatusUnauthorized
			switch in := map[string]need{"member": inBrowser, "other member": inBrowser, "program": inProgram, "other program": inProgram}[name]; {
			case isOpen:
				want = status
			case in == r.need && strings.HasPrefix(name, "other"):
				want = statuses[1]
			case in == r.need:
				want = statuses[0]
			}
			if res, _ := p.request(method, paths.Replace(pattern), ""); res.StatusCode != want {
				t.Errorf("%s at %s: %d, want %d", name, r.pattern, res.StatusCode, want)
			}
		}
	}
	h.wantRows("ランチ 900 by 1", "ランチ 900 by 1")
}

func TestOthersKeysAreNotThere(t *testing.T) {
	h := newHouse(t)
	key := newKey()
	h.browser("taro").post("/entries", lunch(key))
	if res, body := h.browser("hanako").get("/receipts/" + key); res.StatusCode != http.StatusNotFound || strings.Contains(body, "ランチ") {
		t.Errorf("%d %s", res.StatusCode, body)
	}
}

func TestHeaders(t *testing.T) {
	h := newHouse(t)
	public, _ := url.Parse("https://kakeibo.example")
	secure := New(Config{Store: h.store, Bot: bot.New(tokyo), Zone: tokyo, Public: public})
	server := httptest.NewServer(secure)
	defer server.Close()
	link := h.grant(store.Link, "taro")
	res, err := http.Post(server.URL+"/enter/"+link, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	link = h.grant(store.Link, "taro")
	res, err = client.Post(server.URL+"/enter/"+link, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	for _, c := range res.Cookies() {
		if c.Name != "__Host-ichido" || !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" {
			t.Errorf("the cookie is %+v", c)
		}
	}
	if len(res.Cookies()) != 1 {
		t.Errorf("there are %d cookies", len(res.Cookies()))
	}
	for name, want := range map[string]string{
		"Strict-Transport-Security": "max-age=", "Content-Security-Policy": "frame-ancestors 'none'", "X-Content-Type-Options": "nosniff",
		"Referrer-Policy": "same-origin", "Cache-Control": "no-store",
	} {
		if !strings.Contains(res.Header.Get(name), want) {
			t.Errorf("%s: %q", name, res.Header.Get(name))
		}
	}
	if strings.Contains(res.Header.Get("Content-Security-Policy"), "unsafe") {
		t.Error("the policy lets something unsafe through")
	}
}

func TestOtherSitesAreRefused(t *testing.T) {
	h := newHouse(t)
	p := h.browser("taro")
	key := newKey()
	body := lunch(key).Encode()
	res, _ := p.request("POST", "/entries", body, "Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example")
	if res.StatusCode != http.StatusForbidden {
		t.Errorf("another site posts: %d", res.StatusCode)
	}
	for origin, want := range map[string]int{"https://evil.example": http.StatusForbidden, "null": http.StatusForbidden, h.server.URL: http.StatusUnprocessableEntity} {
		if res, _ := p.request("POST", "/entries", "key="+key, "Content-Type", "application/x-www-form-urlencoded", "Origin", origin); res.StatusCode != want {
			t.Errorf("a browser without Sec-Fetch-Site at %s: %d, want %d", origin, res.StatusCode, want)
		}
	}
	req, _ := http.NewRequest("GET", h.server.URL+"/", nil)
	req.Host = "evil.example"
	if res, _ := p.do(req); res.StatusCode != http.StatusForbidden {
		t.Errorf("under another name: %d", res.StatusCode)
	}
	h.wantRows()
}

// No page and no log shows what it should not.
func TestHostileTexts(t *testing.T) {
	h := newHouse(t)
	p, key := h.browser("taro"), newKey()
	hostile := lunch(key)
	hostile.Set("item", `"><script>alert(1)</script>`)
	hostile.Set("memo", `</textarea><img src=x onerror=alert(1)>`)
	if _, body := p.post("/entries", hostile); strings.Contains(body, "<script>alert") || !strings.Contains(body, "&lt;script&gt;") {
		t.Errorf("the receipt has %s", body)
	}
	for _, path := range []string{"/", "/?key=<script>", "/receipts/..%2f..%2fetc%2fpasswd", "/receipts/%00", "/enter/%3Cscript%3E", "/static/../form.go", "/static/"} {
		res, body := p.get(path)
		if strings.Contains(body, "<script>alert") || strings.Contains(body, "package web") || res.StatusCode >= 500 {
			t.Errorf("%s: %d %s", path, res.StatusCode, body)
		}
	}
}

func TestLoggedErrorsHaveNumbersAndNoTexts(t *testing.T) {
	h := newHouse(t)
	var log bytes.Buffer
	h.door.Log = newLog(&log)
	p := h.browser("taro")
	if err := h.store.Close(); err != nil {
		t.Fatal(err)
	}
	res, body := p.post("/entries", lunch(newKey()))
	number := regexp.MustCompile(`[0-9a-f]{8}`).FindString(body)
	if res.StatusCode != http.StatusInternalServerError || number == "" || !strings.Contains(log.String(), number) || strings.Contains(log.String(), "ランチ") {
		t.Errorf("%d %s; the log says %s", res.StatusCode, body, &log)
	}
}

func TestSessionsAndTokensAreListedAndRevoked(t *testing.T) {
	h := newHouse(t)
	p := h.browser("taro")
	_, body := p.post("/tokens", url.Values{"label": {"iPhone"}})
	token := regexp.MustCompile(`<code>([^<]+)</code>`).FindStringSubmatch(body)
	if token == nil {
		t.Fatal(body)
	}
	program := &person{h: h, client: &http.Client{}, token: token[1]}
	if res, _ := program.api("a", lunchJSON); res.StatusCode != http.StatusCreated {
		t.Fatalf("a new token: %d", res.StatusCode)
	}
	_, body = p.get("/access")
	if strings.Contains(body, token[1]) || !strings.Contains(body, "iPhone") {
		t.Errorf("the list is %s", body)
	}
	id := regexp.MustCompile(`/access/([0-9a-f]{8})/revoke`).FindAllStringSubmatch(body, -1)
	for _, m := range id {
		h.browser("hanako").post("/access/"+m[1]+"/revoke", nil) // not hers
	}
	if res, _ := program.api("b", lunchJSON); res.StatusCode != http.StatusCreated {
		t.Fatalf("somebody else revokes it: %d", res.StatusCode)
	}
	for _, m := range id {
		p.post("/access/"+m[1]+"/revoke", nil)
	}
	if res, _ := program.api("c", lunchJSON); res.StatusCode != http.StatusUnauthorized {
		t.Errorf("a revoked token: %d", res.StatusCode)
	}
	if res, _ := p.get("/"); res.StatusCode != http.StatusUnauthorized {
		t.Errorf("a revoked session: %d", res.StatusCode)
	}
}

func TestOpenAPIHasTheRoutes(t *testing.T) {
	content, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]struct {
			Responses map[string]any
		}
	}
	if err := json.Unmarshal(content, &doc); err != nil {
		t.Fatal(err)
	}
	described := map[string]bool{}
	for path, methods := range doc.Paths {
		for method := range methods {
			described[strings.ToUpper(method)+" "+path] = true
		}
	}
	for _, r := range routes() {
		if strings.Contains(r.pattern, "/api/") && !described[r.pattern] {
			t.Errorf("%s is not described", r.pattern)
		}
		delete(described, r.pattern)
	}
	if len(described) > 0 {
		t.Errorf("described, and not there: %v", described)
	}
}

func newLog(w io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(w, nil)) }
