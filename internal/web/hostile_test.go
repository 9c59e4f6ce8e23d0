package web

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// attack is a request that means no good.
type attack struct {
	name, method, path, body string
	header                   http.Header
	status                   int
}

// headers makes a header of names and values; one may be there twice.
func headers(pairs ...string) http.Header {
	h := http.Header{}
	for i := 0; i < len(pairs); i += 2 {
		h.Add(pairs[i], pairs[i+1])
	}
	return h
}

const hostileMark = "mark-of-the-hostile"

// Whatever is sent, the answer is one of ours with its status, no row is recorded and the
// log has nothing of it.
func TestHostileRequests(t *testing.T) {
	h := newHouse(t)
	var log bytes.Buffer
	h.door.Log = newLog(&log)
	browser, program := h.browser("taro"), h.program("taro")
	const formType, jsonType = "application/x-www-form-urlencoded", "application/json"
	form := func(field string, values ...string) string {
		f := lunch(newKey())
		f.Set("memo", hostileMark)
		f[field] = values
		return f.Encode()
	}
	entry := func(fields string) string { return `{"memo":"` + hostileMark + `",` + fields + `}` }
	plain, keyed := headers("Content-Type", formType), headers("Content-Type", jsonType, "Idempotency-Key", "k")
	long := strings.Repeat("9", 400)
	deep := strings.Repeat(`{"item":`, 5000) + "1" + strings.Repeat("}", 5000)

	forms := []attack{
		{"two amounts", "POST", "/entries", form("amount", "900", "1"), plain, 400},
		{"two keys", "POST", "/entries", form("key", newKey(), newKey()), plain, 400},
		{"an amount in the address too", "POST", "/entries?amount=1", form("amount", ""), plain, 422},
		{"a huge amount", "POST", "/entries", form("amount", long), plain, 422},
		{"a negative amount", "POST", "/entries", form("amount", "-900"), plain, 422},
		{"an exponent", "POST", "/entries", form("amount", "9e2"), plain, 422},
		{"NUL in the item", "POST", "/entries", form("item", "a\x00b"), plain, 422},
		{"broken UTF-8 in the item", "POST", "/entries", form("item", "\xff\xfe"), plain, 422},
		{"broken UTF-8 in the memo", "POST", "/entries", form("memo", hostileMark+"\xc0\x80"), plain, 422},
		{"a long item", "POST", "/entries", form("item", strings.Repeat("あ", 101)), plain, 422},
		{"a script as type", "POST", "/entries", form("type", "<script>"), plain, 422},
		{"a path as account", "POST", "/entries", form("account", "../../etc/passwd"), plain, 422},
		{"a path as key", "POST", "/entries", form("key", "../../../etc/passwd..."), plain, 400},
		{"a broken escape", "POST", "/entries", "key=%zz&memo=" + hostileMark, plain, 400},
		{"a large body", "POST", "/entries", form("memo", strings.Repeat("x", maxBody)), plain, 413},
		{"JSON", "POST", "/entries", lunchJSON, headers("Content-Type", jsonType), 415},
		{"no type", "POST", "/entries", form("item", "x"), headers(), 415},
		{"another method", "PUT", "/entries", form("item", "x"), plain, 405},
		{"reading what is written to", "GET", "/entries", "", headers(), 405},
		{"no such address", "GET", "/etc/passwd", "", headers(), 404},
		{"another site", "POST", "/entries", form("item", "x"), headers("Content-Type", formType, "Sec-Fetch-Site", "cross-site"), 403},
	}
	programs := []attack{
		{"two amounts", "POST", "/api/v1/entries", entry(`"item":"x","amount":1,"amount":2`), keyed, 400},
		{"an amount in other letters", "POST", "/api/v1/entries", entry(`"item":"x","Amount":1`), keyed, 400},
		{"two keys", "POST", "/api/v1/entries", lunchJSON, headers("Content-Type", jsonType, "Idempotency-Key", "a", "Idempotency-Key", "b"), 400},
		{"two tokens", "POST", "/api/v1/entries", lunchJSON, headers("Content-Type", jsonType, "Idempotency-Key", "a", "Authorization", "Bearer a", "Authorization", "Bearer b"), 401},
		{"a huge amount", "POST", "/api/v1/entries", entry(`"item":"x","amount":` + long), keyed, 400},
		{"an exponent", "POST", "/api/v1/entries", entry(`"item":"x","amount":1e400`), keyed, 400},
		{"NUL in the item", "POST", "/api/v1/entries", entry(`"item":"a\u0000b","amount":1`), keyed, 422},
		{"broken UTF-8", "POST", "/api/v1/entries", entry("\"item\":\"\xff\",\"amount\":1"), keyed, 400},
		{"deep JSON", "POST", "/api/v1/entries", deep, keyed, 400},
		{"an array", "POST", "/api/v1/entries", "[" + lunchJSON + "]", keyed, 400},
		{"something behind it", "POST", "/api/v1/entries", lunchJSON + "]", keyed, 400},
		{"half of it", "POST", "/api/v1/entries", lunchJSON[:20], keyed, 400},
		{"a large body", "POST", "/api/v1/entries", entry(`"item":"` + strings.Repeat("x", maxBody) + `"`), keyed, 413},
		{"a form", "POST", "/api/v1/entries", form("item", "x"), headers("Content-Type", formType, "Idempotency-Key", "k"), 415},
		{"a path as account", "POST", "/api/v1/entries", entry(`"item":"x","amount":1,"account":"../../etc/passwd"`), keyed, 422},
		{"another method", "DELETE", "/api/v1/entries", "", headers(), 405},
		{"no such address", "GET", "/api/v1/../v2", "", headers(), 404},
		{"a path as key", "GET", "/api/v1/receipts/..%2f..%2fetc%2fpasswd", "", headers(), 404},
		{"NUL as key", "GET", "/api/v1/receipts/%00", "", headers(), 404},
		{"a path as month", "GET", "/api/v1/entries?month=../../x", "", headers(), 400},
		{"another site", "POST", "/api/v1/entries", lunchJSON, headers("Content-Type", jsonType, "Idempotency-Key", "k", "Sec-Fetch-Site", "cross-site"), 403},
	}
	for _, side := range []struct {
		who     *person
		kind    string
		attacks []attack
	}{{browser, "text/html", forms}, {program, "application/problem+json", programs}} {
		for _, chunked := range []bool{false, true} {
			for _, a := range side.attacks {
				res, body := side.who.attack(a, chunked)
				if res.StatusCode != a.status || !strings.HasPrefix(res.Header.Get("Content-Type"), side.kind) {
					t.Errorf("%s: %d %s, want %d", a.name, res.StatusCode, res.Header.Get("Content-Type"), a.status)
				}
				if strings.Contains(body, "<script>") && !strings.Contains(body, `src="/static/`) {
					t.Errorf("%s: the page has a script of it: %s", a.name, body)
				}
				if a.status == 405 && res.Header.Get("Allow") == "" {
					t.Errorf("%s: it does not say which methods there are", a.name)
				}
				var problem struct {
					Type, Title, Detail string
					Status              int
				}
				if side.who == program && (json.Unmarshal([]byte(body), &problem) != nil || problem.Status != a.status || problem.Title == "" || problem.Detail == "") {
					t.Errorf("%s: the problem is %s", a.name, body)
				}
			}
		}
	}
	h.wantRows()
	if log.Len() > 0 {
		t.Errorf("the log has %s", &log)
	}
}

// attack sends it, in chunks of unknown length or in one piece.
func (p *person) attack(a attack, chunked bool) (*http.Response, string) {
	p.h.t.Helper()
	req, err := http.NewRequestWithContext(p.h.t.Context(), a.method, p.h.server.URL, strings.NewReader(a.body))
	if err != nil {
		p.h.t.Fatal(err)
	}
	at, err := url.Parse(p.h.server.URL + a.path)
	if err != nil {
		p.h.t.Fatal(err)
	}
	req.URL, req.Header = at, a.header.Clone()
	if chunked && a.body != "" {
		req.ContentLength = -1
	}
	if len(req.Header["Authorization"]) > 1 {
		other := *p
		other.token = ""
		return other.do(req)
	}
	return p.do(req)
}
