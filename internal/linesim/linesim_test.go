package linesim_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"ichido/internal/linesim"
)

var (
	taro   = linesim.UserID("taro")
	hanako = linesim.UserID("hanako")
	family = linesim.GroupID("family")
)

// api calls a platform without a socket.
type api struct {
	t      *testing.T
	client *http.Client
	token  string
}

func newAPI(t *testing.T, p *linesim.Platform) api {
	return api{t, &http.Client{Transport: linesim.Transport(p)}, p.Token()}
}

// result is what a caller of the API gets.
type result struct {
	status int
	header http.Header
	body   string
	err    error
}

func (a api) call(method, path, body string, header ...string) result {
	a.t.Helper()
	req, err := http.NewRequestWithContext(a.t.Context(), method, "http://line.test"+path, strings.NewReader(body))
	if err != nil {
		a.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+a.token)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := a.client.Do(req)
	if err != nil {
		return result{err: err}
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return result{resp.StatusCode, resp.Header, string(b), err}
}

func (a api) reply(token string, texts ...string) result {
	a.t.Helper()
	return a.call("POST", "/v2/bot/message/reply", sendBody("replyToken", token, texts))
}

func (a api) push(to, key string, texts ...string) result {
	a.t.Helper()
	var header []string
	if key != "" {
		header = []string{"X-Line-Retry-Key", key}
	}
	return a.call("POST", "/v2/bot/message/push", sendBody("to", to, texts), header...)
}

func sendBody(key, value string, texts []string) string {
	messages := []any{}
	for _, text := range texts {
		messages = append(messages, map[string]any{"type": "text", "text": text})
	}
	b, _ := json.Marshal(map[string]any{key: value, "messages": messages})
	return string(b)
}

func (r result) want(t *testing.T, status int, part string) {
	t.Helper()
	if r.err != nil || r.status != status || !strings.Contains(r.body, part) {
		t.Errorf("got %d %s (error %v), want %d with %q", r.status, r.body, r.err, status, part)
	}
}

// wantCut checks that no answer came.
func (r result) wantCut(t *testing.T) {
	t.Helper()
	if !errors.Is(r.err, io.ErrUnexpectedEOF) {
		t.Errorf("got %d %s (error %v), want a cut", r.status, r.body, r.err)
	}
}

func wantTexts(t *testing.T, p *linesim.Platform, chat string, want ...string) {
	t.Helper()
	if got := p.BotTexts(chat); strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("the bot said %q, want %q", got, want)
	}
}

// newBot is a platform and the webhook that it delivers to: one that gives the
// answers in order, then 200, and keeps what it got.
func newBot(o linesim.Options, answers ...func(http.ResponseWriter, *http.Request)) (*linesim.Platform, *inbox) {
	in := &inbox{answers: answers, got: make(chan post, 1000)}
	o.Webhook = "http://bot.test/line/webhook"
	o.Client = &http.Client{Transport: linesim.Transport(in)}
	return linesim.New(o), in
}

type post struct {
	body      []byte
	signature string
}

type inbox struct {
	answers []func(http.ResponseWriter, *http.Request)
	posts   atomic.Int64
	got     chan post
}

func (in *inbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	in.got <- post{body, r.Header.Get("X-Line-Signature")}
	if n := int(in.posts.Add(1)); n <= len(in.answers) {
		in.answers[n-1](w, r)
	}
}

func status(code int) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

func cut(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// hang answers 200 after d.
func hang(d time.Duration) func(http.ResponseWriter, *http.Request) {
	return func(http.ResponseWriter, *http.Request) { time.Sleep(d) }
}

func decode(t *testing.T, b []byte) map[string]any {
	t.Helper()
	var o map[string]any
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&o); err != nil {
		t.Fatalf("decoding %s: %v", b, err)
	}
	return o
}

func short(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// wantRefused checks that the caller knows that no connection stood.
func (r result) wantRefused(t *testing.T) {
	t.Helper()
	var dial *net.OpError
	if !errors.As(r.err, &dial) || dial.Op != "dial" || !errors.Is(r.err, syscall.ECONNREFUSED) {
		t.Errorf("got %d %s (error %v), want connection refused", r.status, r.body, r.err)
	}
}
