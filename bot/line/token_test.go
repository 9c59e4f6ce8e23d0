package line

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ichido/internal/linesim"
)

const tokenPath = "/oauth2/v3/token"

// withTokens runs a test in a bubble whose door has its tokens issued.
func withTokens(t *testing.T, test func(w *world)) {
	inBubble(t, func(w *world) {
		w.inspector = []string{"true"} // files are not what fails here
		w.token, w.channelID = "", linesim.DefaultChannelID
		w.restart()
		test(w)
		w.wantNoSecrets()
	})
}

// calls counts the calls of a path, those of tokens or of messages.
func (w *world) calls(path string) (n int) {
	for _, c := range w.platform.Calls() {
		if strings.HasSuffix(c.Path, path) {
			n++
		}
	}
	return n
}

func (w *world) wantCalls(path string, want int) {
	w.t.Helper()
	if n := w.calls(path); n != want {
		w.t.Errorf("%d calls of %s, want %d", n, path, want)
	}
}

// faultOf gives all calls of a path the fault; others have none.
func (w *world) faultOf(path string, fault linesim.Fault) {
	w.platform.SetFault(func(r *http.Request) linesim.Fault {
		if strings.HasSuffix(r.URL.Path, path) {
			return fault
		}
		return linesim.Fault{}
	})
}

// wantNoSecrets looks for what nobody may read in the log.
func (w *world) wantNoSecrets() {
	w.t.Helper()
	log := w.log.String()
	for _, secret := range []string{linesim.DefaultSecret, linesim.DefaultToken, w.secret, w.token, "Bearer", "client_secret"} {
		if secret != "" && strings.Contains(log, secret) {
			w.t.Errorf("the log holds %q:\n%s", secret, log)
		}
	}
}

func (w *world) wantLogged(text string, want int) {
	w.t.Helper()
	if n := strings.Count(w.log.String(), text); n != want {
		w.t.Errorf("the log says %q %d times, want %d:\n%s", text, n, want, w.log)
	}
}

// A token serves all calls of its life. In the last third the next one is fetched
// beside them; only after a silence does a call wait.
func TestTokenIsRenewedAhead(t *testing.T) {
	withTokens(t, func(w *world) {
		w.say("一 100円")
		w.pass(9 * time.Minute)
		w.say("二 100円")
		w.pass(2 * time.Minute)
		w.wantBubbles("一", "二")
		w.wantCalls(tokenPath, 1)

		w.faultOf(tokenPath, linesim.Slow(4*time.Second))
		w.say("三 100円")
		w.pass(time.Second)
		w.wantBubbles("一", "二", "三") // with the old token
		w.pass(time.Minute)
		w.wantCalls(tokenPath, 2)
		w.pass(8 * time.Minute) // the first one has ended long since
		w.say("四 100円")
		w.pass(time.Second)
		w.wantBubbles("一", "二", "三", "四")
		w.wantCalls(tokenPath, 2)

		w.pass(time.Hour)
		w.say("五 100円")
		w.pass(3 * time.Second)
		w.wantBubbles("一", "二", "三", "四")
		w.pass(3 * time.Second)
		w.wantBubbles("一", "二", "三", "四", "五")
		w.wantCalls(tokenPath, 3)
		for _, call := range w.platform.Calls() {
			if call.Status == http.StatusUnauthorized {
				t.Errorf("%s was called with a token that had ended", call.Path)
			}
		}
	})
}

// issuing returns the transport of a door that has its tokens issued.
func issuing(w *world, next http.RoundTripper) http.RoundTripper {
	return must(newAuthorizer(Config{
		ChannelID: linesim.DefaultChannelID, Secret: linesim.DefaultSecret, Endpoint: "http://line.invalid", Log: w.door.log,
	}, next))
}

// info makes a call that changes nothing and returns its status.
func info(ctx context.Context, transport http.RoundTripper, body io.Reader) (int, error) {
	method := http.MethodGet
	if body != nil {
		method = http.MethodPost
	}
	res, err := transport.RoundTrip(must(http.NewRequestWithContext(ctx, method, "http://line.invalid/v2/bot/info", body)))
	if err != nil {
		return 0, err
	}
	drain(res)
	return res.StatusCode, nil
}

// However many calls want a token at once, one is asked for: at first, after the
// end of the last, and after a refusal. Whoever can't wait need not.
func TestOneTokenForAHundredCalls(t *testing.T) {
	inBubble(t, func(w *world) {
		transport := issuing(w, w.transport)
		w.faultOf(tokenPath, linesim.Slow(3*time.Second))
		for round, change := range []func(){func() {}, func() { w.pass(time.Hour) }, func() { w.pass(time.Minute); w.platform.Revoke() }} {
			change()
			var calls sync.WaitGroup
			for range 100 {
				calls.Go(func() {
					if status, err := info(w.t.Context(), transport, nil); status != http.StatusOK {
						t.Errorf("round %d: %d, %v", round, status, err)
					}
				})
			}
			calls.Go(func() {
				began := time.Now()
				ctx, cancel := context.WithTimeout(w.t.Context(), time.Second)
				defer cancel()
				status, err := info(ctx, transport, nil)
				if waited := time.Since(began); waited != time.Second {
					t.Errorf("round %d: a call with a second of time waits %v", round, waited)
				}
				if _, unsent := errors.AsType[*unsentError](err); !unsent && status != http.StatusUnauthorized {
					t.Errorf("round %d: a call with a second of time ends with %d, %v", round, status, err)
				}
			})
			calls.Wait()
			w.wantCalls(tokenPath, round+1)
		}
		synctest.Wait()
	})
}

// A call without a token is not in doubt, whatever became of the request for it.
func TestNoTokenIsNoDoubt(t *testing.T) {
	for name, fault := range map[string]linesim.Fault{
		"lost":         linesim.Lost(),
		"cut":          linesim.Refuse(),
		"unreachable":  linesim.Down(),
		"slow":         linesim.Slow(time.Minute),
		"broken":       linesim.Accepted500(),
		"unreadable":   linesim.Garbled(),
		"rate limit":   linesim.NotAccepted(429, ""),
		"wrong secret": linesim.NotAccepted(400, ""),
	} {
		t.Run(name, func(t *testing.T) {
			withTokens(t, func(w *world) {
				w.faultOf(tokenPath, fault)
				w.restart() // without a token
				end := w.door.sender.reply(w.t.Context(), "token", []byte(`[{"type":"text","text":"x"}]`))
				if end.kind != wait || end.status != 0 {
					t.Errorf("got %v, want wait", end)
				}
				w.wantCalls("/reply", 0)
				w.platform.SetFault(nil)
				e := w.say("ランチ 900")
				w.pass(time.Minute)
				w.wantBubbles("ランチ 900円")
				w.wantOutbox()
				if got := w.platform.Chat(taro); len(got) != 2 || got[1].Token != e.ReplyToken {
					t.Errorf("the chat holds %+v, want a reply", got)
				}
			})
		})
	}
}

// While LINE issues no tokens it is asked more and more rarely, and whatever was
// to be said is said once afterwards.
func TestNoTokensForFiveMinutes(t *testing.T) {
	for name, fault := range map[string]linesim.Fault{"unreachable": linesim.Down(), "broken": linesim.NotAccepted(503, ""), "slow": linesim.Slow(time.Minute)} {
		t.Run(name, func(t *testing.T) {
			withTokens(t, func(w *world) {
				w.faultOf(tokenPath, fault)
				w.restart() // without a token
				w.door.admit = func(string) bool { return true }
				asked := w.calls(tokenPath)
				var users []string
				for i := range 30 {
					users = append(users, linesim.UserID(fmt.Sprint("user", i)))
					w.deliver(w.platform.Text(users[i], "ランチ 900"))
					w.pass(10 * time.Second)
				}
				if n := w.calls(tokenPath) - asked; n < 8 || n > 16 {
					t.Errorf("%d requests for a token in five minutes", n)
				}
				w.platform.SetFault(nil)
				w.pass(time.Hour)
				for _, user := range users {
					if got := w.platform.BotTexts(user); len(got) != 1 {
						t.Errorf("said %d times: %q", len(got), got)
					}
				}
				w.wantOutbox()
			})
		})
	}
}

// One message alone is not held up by the pauses between requests for a token.
func TestTokenWaitsAreShorterThanTheSenders(t *testing.T) {
	for i, pause := range tokenWaits {
		if pause > waits[min(i, len(waits)-1)] {
			t.Errorf("after %d failures there is no request for %v, and the sender waits %v", i+1, pause, waits[i])
		}
	}
}

// roundTrip makes a RoundTripper of a function.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A refused call is made again only if its end will be as certain as the refusal.
func TestAgainOnlyIfSafe(t *testing.T) {
	for _, c := range []struct {
		name   string
		body   func() io.Reader
		time   time.Duration // of the call
		status int
		calls  int
	}{
		{"no body", func() io.Reader { return nil }, time.Minute, 200, 2},
		{"a body that can be had again", func() io.Reader { return strings.NewReader("x") }, time.Minute, 404, 2},
		{"a body that can't", func() io.Reader { return io.NopCloser(strings.NewReader("x")) }, time.Minute, 401, 1},
		{"no time", func() io.Reader { return nil }, callTimeout/2 - 1, 401, 1},
		{"just enough time", func() io.Reader { return nil }, callTimeout / 2, 200, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				var bodies []string
				transport := issuing(w, roundTrip(func(r *http.Request) (*http.Response, error) {
					if r.Body != nil && r.URL.Path != tokenPath {
						body := must(io.ReadAll(r.Body))
						bodies = append(bodies, string(body))
						r.Body = io.NopCloser(strings.NewReader(string(body)))
					}
					return w.transport.RoundTrip(r)
				}))
				if _, err := info(w.t.Context(), transport, nil); err != nil {
					t.Fatal(err)
				}
				w.pass(time.Minute)
				w.platform.Revoke()
				before := w.calls("/info")
				ctx, cancel := context.WithTimeout(w.t.Context(), c.time)
				defer cancel()
				if status, err := info(ctx, transport, c.body()); status != c.status {
					t.Errorf("the end is %d (%v), want %d", status, err, c.status)
				}
				w.wantCalls("/info", before+c.calls)
				for _, body := range bodies {
					if body != "x" {
						t.Errorf("the body was sent as %q", body)
					}
				}
			})
		})
	}
}

// A second call that gets no connection is as certain as the refusal of the
// first, which had one.
func TestAgainWithoutConnection(t *testing.T) {
	withTokens(t, func(w *world) {
		w.say("ランチ 900")
		w.pass(time.Minute)
		w.platform.Revoke()
		w.fail(linesim.Fault{}, linesim.Down())
		end := w.door.sender.reply(w.t.Context(), "token", []byte(`[{"type":"text","text":"x"}]`))
		if end.kind != wait || end.status != 0 {
			t.Errorf("no connection: %v, want wait", end)
		}
		w.pass(time.Minute)
		w.platform.Revoke()
		w.fail(linesim.Fault{}, linesim.Lost())
		end = w.door.sender.reply(w.t.Context(), "token", []byte(`[{"type":"text","text":"x"}]`))
		if end.kind != doubt {
			t.Errorf("a lost answer: %v, want doubt", end)
		}
	})
}

// An answer of LINE's that holds no token is a failure, and is not repeated in
// the log.
func TestAnswersWithoutToken(t *testing.T) {
	for _, body := range []string{
		``, `null`, `[]`, `{}`, `"sesame"`, `{"access_token":"sesame`, `{"access_token":"sesame"}`, `{"access_token":"","expires_in":900}`,
		`{"access_token":"sesame","expires_in":0}`, `{"access_token":"sesame","expires_in":-1}`, `{"access_token":"sesame","expires_in":99999999999}`,
		`{"access_token":"sesame","expires_in":"sesame"}`, `{"access_token":"ses\name","expires_in":900}`, `{"access_token":"ごま","expires_in":900}`,
	} {
		inBubble(t, func(w *world) {
			transport := issuing(w, linesim.Transport(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { io.WriteString(rw, body) })))
			_, err := info(w.t.Context(), transport, nil)
			if _, unsent := errors.AsType[*unsentError](err); !unsent || !errors.Is(err, errNoToken) || strings.Contains(err.Error()+w.log.String(), "ses") {
				t.Errorf("%s: %v\n%s", body, err, w.log)
			}
		})
	}
}

func TestCredentials(t *testing.T) {
	for _, c := range []Config{{Secret: "s"}, {Secret: "s", Token: "t", ChannelID: "1"}} {
		if _, err := New(c); !errors.Is(err, ErrNoCredentials) {
			t.Errorf("with token %q and channel ID %q: %v", c.Token, c.ChannelID, err)
		}
	}
}

// On real sockets: a request for a token that breaks off leaves no doubt about
// the call that it was for, and many calls share one token.
func TestTokensOnSockets(t *testing.T) {
	w := &world{t: t, platform: linesim.New(linesim.Options{}), log: &logBuffer{}}
	url, stop := w.platform.Start()
	defer stop()
	s := newSender(nil, must(newClient(Config{
		ChannelID: linesim.DefaultChannelID, Secret: linesim.DefaultSecret, Endpoint: url, Log: slog.New(slog.NewTextHandler(w.log, nil)),
	})), tokyo, nil)
	push := func(n int) result {
		return s.push(t.Context(), taro, []byte(`[{"type":"text","text":"x"}]`), fmt.Sprintf("00000000-0000-4000-8000-%012d", n))
	}
	w.faultOf(tokenPath, linesim.Lost())
	if end := push(0); end.kind != wait {
		t.Errorf("a lost token: %v, want wait", end)
	}
	w.platform.SetFault(nil)
	time.Sleep(tokenWaits[0])
	var calls sync.WaitGroup
	for n := range 100 {
		calls.Go(func() {
			if end := push(n); end.kind != accepted {
				t.Errorf("call %d: %v", n, end)
			}
		})
	}
	calls.Wait()
	w.wantCalls(tokenPath, 2)
	if n := len(w.platform.BotTexts(taro)); n != 100 {
		t.Errorf("%d messages were shown, want 100", n)
	}
	w.wantNoSecrets()
}
