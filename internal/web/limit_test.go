package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"ichido/store"
)

func TestLimiters(t *testing.T) {
	l, at := newLimiters(time.Second, 3), time.Now()
	allowed := func(key string, at time.Time) (n int) {
		for range 10 {
			if l.allow(key, at) {
				n++
			}
		}
		return n
	}
	for i, tt := range []struct {
		key   string
		after time.Duration
		want  int
	}{{"a", 0, 3}, {"a", 0, 0}, {"b", 0, 3}, {"a", time.Second, 1}, {"a", time.Hour, 3}} {
		if got := allowed(tt.key, at.Add(tt.after)); got != tt.want {
			t.Errorf("%d: %s may do it %d times, want %d", i, tt.key, got, tt.want)
		}
	}
	for i := range 3 * maxLimiters {
		l.allow(fmt.Sprint("attacker ", i), at)
	}
	if len(l.by) > maxLimiters {
		t.Errorf("%d are remembered", len(l.by))
	}
	if !l.allow("somebody else", at) {
		t.Error("an attacker locks others out")
	}
}

// The address that counts is the one that the proxy on this machine has seen. What others
// claim does not.
func TestAddress(t *testing.T) {
	for _, tt := range []struct{ remote, forwarded, want string }{
		{"203.0.113.7:1234", "", "203.0.113.7"},
		{"203.0.113.7:1234", "198.51.100.1", "203.0.113.7"},
		{"127.0.0.1:1234", "198.51.100.1", "198.51.100.1"},
		{"[::1]:1234", "10.0.0.1, 198.51.100.1", "198.51.100.1"},     // the first is what the client said
		{"127.0.0.1:1234", "10.0.0.1\n198.51.100.1", "198.51.100.1"}, // and the proxy has added a line
		{"127.0.0.1:1234", "", "127.0.0.1"},
		{"[2001:db8:1:2:3:4:5:6]:1", "", "2001:db8:1:2::/64"},
		{"127.0.0.1:1", "2001:db8:1:2:9:9:9:9", "2001:db8:1:2::/64"},
		{"[::ffff:203.0.113.7]:1", "", "::ffff:203.0.113.7"},
		{"127.0.0.1:1", "<script>", "<script>"},
		{"@", "", "@"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = tt.remote
		if tt.forwarded != "" {
			r.Header["X-Forwarded-For"] = strings.Split(tt.forwarded, "\n")
		}
		if got := address(r); got != tt.want {
			t.Errorf("%s for %s is %s, want %s", tt.remote, tt.forwarded, got, tt.want)
		}
	}
}

// Who guesses links or sends too much is asked to wait; others are not, and nothing is
// recorded or lost.
func TestRateLimits(t *testing.T) {
	h := newHouse(t)
	h.door.entries, h.door.calls = newLimiters(time.Hour, 10), newLimiters(time.Hour, 5)
	p := h.browser("")
	statuses := map[int]int{}
	for range 30 {
		res, _ := p.post("/enter/guess", nil)
		statuses[res.StatusCode]++
		if res.StatusCode == http.StatusTooManyRequests && res.Header.Get("Retry-After") == "" {
			t.Fatal("it is not said when to come again")
		}
	}
	if statuses[http.StatusUnauthorized] != 10 || statuses[http.StatusTooManyRequests] != 20 {
		t.Errorf("guessing: %v", statuses)
	}
	link := h.grant(store.Link, "taro")
	if res, _ := p.post("/enter/"+link, nil); res.StatusCode != http.StatusTooManyRequests {
		t.Errorf("a good link from the same address: %d", res.StatusCode)
	}
	if res, _ := p.request("POST", "/enter/"+link, "", "X-Forwarded-For", "198.51.100.1"); res.StatusCode != http.StatusOK {
		t.Errorf("from another address: %d", res.StatusCode)
	}
	taro, hanako := h.program("taro"), h.program("hanako")
	for i := range 5 { // the page that the link has led to were the first two
		res, body := taro.api(fmt.Sprint("key", i), lunchJSON)
		if want := map[bool]int{true: http.StatusCreated, false: http.StatusTooManyRequests}[i < 3]; res.StatusCode != want {
			t.Errorf("entry %d: %d %s", i, res.StatusCode, body)
		}
	}
	if res, _ := hanako.api("key", lunchJSON); res.StatusCode != http.StatusCreated {
		t.Errorf("another member: %d", res.StatusCode)
	}
	if n := len(h.rows()); n != 4 {
		t.Errorf("%d rows", n)
	}
}
