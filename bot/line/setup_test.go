package line

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"ichido/internal/linesim"
)

// Where the call can't be made, the error says whose fault that is, and no secret.
func TestChannelErrors(t *testing.T) {
	p := linesim.New(linesim.Options{Secret: "sesame-secret"})
	url, stop := p.Start()
	defer stop()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	for name, c := range map[string]struct {
		config Config
		fault  linesim.Fault
		want   error
		text   string
	}{
		"wrong secret":     {Config{Secret: "sesame-other", ChannelID: linesim.DefaultChannelID, Endpoint: url}, linesim.Fault{}, ErrCredentials, ""},
		"wrong channel ID": {Config{Secret: "sesame-secret", ChannelID: "77", Endpoint: url}, linesim.Fault{}, ErrCredentials, ""},
		"wrong token":      {Config{Secret: "sesame-secret", Token: "sesame-token", Endpoint: url}, linesim.Fault{}, ErrCredentials, ""},
		"nobody listens":   {Config{Secret: "sesame-secret", Token: "sesame-token", Endpoint: "http://" + closed.Addr().String()}, linesim.Fault{}, ErrUnreachable, "refused"},
		"cut":              {Config{Secret: "sesame-secret", Token: linesim.DefaultToken, Endpoint: url}, linesim.Refuse(), ErrUnreachable, ""},
		"500":              {Config{Secret: "sesame-secret", Token: linesim.DefaultToken, Endpoint: url}, linesim.NotAccepted(500, ""), ErrUnreachable, "500"},
		"garbled":          {Config{Secret: "sesame-secret", Token: linesim.DefaultToken, Endpoint: url}, linesim.Garbled(), ErrUnreachable, "read"},
		"rate limit":       {Config{Secret: "sesame-secret", Token: linesim.DefaultToken, Endpoint: url}, linesim.NotAccepted(429, ""), ErrRefused, "(429): " + linesim.MessageRateLimit},
	} {
		p.SetFault(func(*http.Request) linesim.Fault { return c.fault })
		channel, err := NewChannel(c.config)
		if err != nil {
			t.Fatal(err)
		}
		_, err = channel.Info(t.Context())
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) || strings.Contains(err.Error(), "sesame") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := NewChannel(Config{Secret: "x"}); !errors.Is(err, ErrNoCredentials) {
		t.Errorf("without credentials: %v", err)
	}
}

// A body that LINE can't take is told with the place in it.
func TestRefusalNamesTheProperty(t *testing.T) {
	p := linesim.New(linesim.Options{})
	c := newChannel(t, p)
	menu, err := newMenu()
	if err != nil {
		t.Fatal(err)
	}
	menu.ChatBarText = strings.Repeat("バ", 15)
	res, _, err := c.api.CreateRichMenuWithHttpInfo(menu)
	if err := refusal(res, err); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "chatBarText: Length") {
		t.Error(err)
	}
}

func TestChannelWebhook(t *testing.T) {
	p := linesim.New(linesim.Options{})
	c := newChannel(t, p)
	if hook, err := c.Webhook(t.Context()); err != nil || hook != (Webhook{}) {
		t.Errorf("there is a webhook: %+v, %v", hook, err)
	}
	status := http.StatusOK
	bot := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
	defer bot.Close()
	if err := c.SetWebhook(t.Context(), bot.URL); err != nil {
		t.Fatal(err)
	}
	p.SetWebhookUse(false)
	if hook, err := c.Webhook(t.Context()); err != nil || hook != (Webhook{bot.URL, false}) {
		t.Errorf("the webhook is %+v, %v", hook, err)
	}
	if test, err := c.TestWebhook(t.Context(), ""); err != nil || !test.Success || test.Status != 200 {
		t.Errorf("the test ends with %+v, %v", test, err)
	}
	status = http.StatusUnauthorized
	if test, err := c.TestWebhook(t.Context(), bot.URL); err != nil || test.Success || test.Status != 401 || test.Reason != "ERROR_STATUS_CODE" {
		t.Errorf("the test ends with %+v, %v", test, err)
	}
	if err := c.SetWebhook(t.Context(), "http://example.com/"); !errors.Is(err, ErrRefused) {
		t.Errorf("a URL without TLS: %v", err)
	}
}

func TestChannelQuota(t *testing.T) {
	p := linesim.New(linesim.Options{})
	c := newChannel(t, p)
	if q, err := c.Quota(t.Context()); err != nil || q != (Quota{Unlimited: true}) {
		t.Errorf("the quota is %+v, %v", q, err)
	}
	p.SetQuota(200)
	if q, err := c.Quota(t.Context()); err != nil || q != (Quota{Limit: 200}) {
		t.Errorf("the quota is %+v, %v", q, err)
	}
}

func TestClockAhead(t *testing.T) {
	stamp := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct{ asked, answered, want time.Duration }{
		{0, time.Second, 0},
		{500 * time.Millisecond, 1900 * time.Millisecond, 0}, // the stamp leaves the second open
		{time.Minute, time.Minute + time.Second, 59 * time.Second},
		{-time.Minute, -59 * time.Second, -59 * time.Second},
		{-time.Minute, time.Minute, 0}, // a slow answer shows nothing
	} {
		if got := ahead(stamp, stamp.Add(c.asked), stamp.Add(c.answered)); got != c.want {
			t.Errorf("asked at %v, answered at %v: %v ahead", c.asked, c.answered, got)
		}
	}
	c := newChannel(t, linesim.New(linesim.Options{}))
	if _, known := c.ClockAhead(); known {
		t.Error("the difference is known before an answer came")
	}
	if _, err := c.Info(t.Context()); err != nil {
		t.Fatal(err)
	}
	if ahead, known := c.ClockAhead(); !known || ahead.Abs() > 2*time.Second {
		t.Errorf("on one machine the clocks differ by %v, %v", ahead, known)
	}
}

// What answers everything with an empty object is not LINE.
func TestSetUpNothing(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "{}") }))
	t.Cleanup(server.Close)
	channel, err := NewChannel(Config{Secret: "s", Token: "t", Endpoint: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	if info, err := channel.Info(t.Context()); !errors.Is(err, ErrUnreachable) {
		t.Errorf("%+v, %v", info, err)
	}
	if done, err := channel.SetUpMenu(t.Context()); !errors.Is(err, ErrUnreachable) {
		t.Errorf("%+v, %v", done, err)
	}
}
