package web

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
)

// What can't be read is refused as that, records nothing and is not repeated in the log.
func TestBrokenBodies(t *testing.T) {
	h := newHouse(t)
	var logged bytes.Buffer
	h.door.Log = newLog(&logged)
	browser, program := h.browser("taro"), h.program("taro")
	for _, body := range []string{"item=%zz", "%", "item=%E3%81&key=" + newKey()} {
		res, _ := browser.request("POST", "/entries", body, "Content-Type", "application/x-www-form-urlencoded")
		if res.StatusCode != http.StatusBadRequest && res.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("the form %q: %d", body, res.StatusCode)
		}
		if res, _ = browser.request("POST", "/tokens", body, "Content-Type", "application/x-www-form-urlencoded"); res.StatusCode/100 != 4 {
			t.Errorf("a token by %q: %d", body, res.StatusCode)
		}
	}
	for _, behind := range []string{"}", "]", "{}", " x", "\x00", `"`} {
		if res, _ := program.api("key", lunchJSON+behind); res.StatusCode != http.StatusBadRequest {
			t.Errorf("with %q behind it: %d", behind, res.StatusCode)
		}
	}
	if res, _ := program.api("key", lunchJSON+" \n"); res.StatusCode != http.StatusCreated {
		t.Errorf("with blanks behind it: %d", res.StatusCode)
	}
	h.wantRows("ランチ 900 by 1")
	if logged.Len() > 0 || strings.Contains(logged.String(), "%zz") {
		t.Errorf("logged: %s", logged.String())
	}
}

// A form that one member has opened is not recorded as another's, who got in meanwhile.
func TestFormOfSomebodyElse(t *testing.T) {
	h := newHouse(t)
	hanako, key := h.browser("hanako"), newKey()
	fields := lunch(key)
	fields.Set("member", "1")
	if res, body := hanako.post("/entries", fields); res.StatusCode != http.StatusForbidden || !strings.Contains(body, "ほかの人が開いた") {
		t.Errorf("%d %s", res.StatusCode, body)
	}
	h.wantRows()
	if res, _ := h.browser("taro").post("/entries", fields); res.StatusCode != http.StatusOK {
		t.Errorf("by himself: %d", res.StatusCode)
	}
	h.wantRows("ランチ 900 by 1")
}
