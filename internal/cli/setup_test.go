package cli

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"ichido/internal/grammar"
	"ichido/internal/linesim"
)

// installation is a channel at LINE and a server behind a proxy.
type installation struct {
	t        *testing.T
	platform *linesim.Platform
	api      string
	hook     string // where serve is reached
	status   int    // of the webhook
}

func newInstallation(t *testing.T) *installation {
	s := &installation{t: t, platform: linesim.New(linesim.Options{}), status: 200}
	var stop func()
	s.api, stop = s.platform.Start()
	t.Cleanup(stop)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(s.status) }))
	t.Cleanup(web.Close)
	s.hook = web.URL + webhookPath
	for name, value := range map[string]string{nameSecret: linesim.DefaultSecret, nameChannelID: linesim.DefaultChannelID, nameToken: "", "LINE_API_ENDPOINT": s.api} {
		t.Setenv(name, value)
	}
	return s
}

func (s *installation) setup(args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = run(s.t.Context(), append([]string{"setup"}, args...), &program{stdin: strings.NewReader(""), stdout: &out, stderr: &errs})
	if strings.Contains(out.String()+errs.String(), linesim.DefaultSecret) {
		s.t.Error("the secret is told")
	}
	return status, out.String(), errs.String()
}

// want compares a run with what it should say, each line or a part of it.
func (s *installation) want(status int, lines []string, args ...string) {
	s.t.Helper()
	got, out, errs := s.setup(args...)
	if got != status {
		s.t.Errorf("setup %q ends with status %d", args, got)
	}
	for _, line := range lines {
		if !strings.Contains(out+errs, line) {
			s.t.Errorf("setup %q does not say %q:\n%s%s", args, line, out, errs)
		}
	}
}

func TestSetup(t *testing.T) {
	s := newInstallation(t)
	s.want(statusOK, []string{
		"bot: 一度 (@000ichid)\n", "rich menu: made, image uploaded, shown to everybody\n",
		"webhook URL: none yet; ichido setup --url", "- Webhook redelivery", "- Auto-reply", "- Allow bot to join",
	})
	s.want(statusOK, []string{"rich menu: is there already; nothing was changed\n", "webhook URL: set to " + s.hook, "webhook test: LINE reaches the bot\n", "Use webhook: on\n"}, "--url", s.hook)
	calls := len(s.platform.Calls())
	s.want(statusOK, []string{"nothing was changed\n", "webhook URL: is " + s.hook + " already\n", "LINE reaches the bot"}, "--url", s.hook)
	for _, call := range s.platform.Calls()[calls:] {
		if call.Method != http.MethodGet && call.Path != "/oauth2/v3/token" && call.Path != "/v2/bot/channel/webhook/test" {
			t.Errorf("run again it calls %s %s", call.Method, call.Path)
		}
	}
}

// What the menu says the bot understands, as what is meant.
func TestMenuIsRead(t *testing.T) {
	s := newInstallation(t)
	s.want(statusOK, nil)
	menu, _ := s.platform.RichMenu()
	var read []string
	for _, area := range menu.Areas {
		c := grammar.Parse(area.Text, time.Date(2026, 11, 30, 12, 0, 0, 0, tokyo))
		read = append(read, area.Text+" "+string(c.Kind)+" "+string(c.Query))
	}
	if got := strings.Join(read, ", "); got != "今月 query summary, 一覧 query list, 予算 query budget, 財布 query balance, 取消 undo , ヘルプ help " {
		t.Errorf("the bot reads %s", got)
	}
}

// A test that fails is told with LINE's words and what to do, and the rest is said
// all the same.
func TestSetupWebhookFails(t *testing.T) {
	s := newInstallation(t)
	for status, hint := range map[int]string{
		401: "channel secret", 404: "does not pass", 405: "POST", 502: "can't reach ichido serve", 503: "healthz", 301: "redirects", 418: "logs",
	} {
		s.status = status
		s.want(statusFailed, []string{"webhook test: failed; LINE says: ERROR_STATUS_CODE (status ", hint, "- Webhook redelivery", "ichido: the webhook does not work yet\n"}, "--url", s.hook)
	}
	s.want(statusFailed, []string{"COULD_NOT_CONNECT (status 0)", "port 443"}, "--url", "http://"+freeAddress(t)+webhookPath)
	s.platform.SetWebhookUse(false)
	s.status = 200
	s.want(statusOK, []string{"Use webhook: OFF", "- Use webhook (Webhookの利用): on, "}, "--url", s.hook)
}

// What breaks off is told, and done by the next run; the webhook does not wait for
// the menu.
func TestSetupBrokenOff(t *testing.T) {
	s := newInstallation(t)
	s.platform.SetFault(func(r *http.Request) linesim.Fault {
		if strings.HasSuffix(r.URL.Path, "/content") && r.Method == http.MethodPost {
			return linesim.Refuse()
		}
		return linesim.Fault{}
	})
	s.want(statusFailed, []string{"rich menu: made\n", "webhook URL: set to ", "ichido: uploading the image of the rich menu: LINE can't be reached", "hint: "}, "--url", s.hook)
	s.platform.SetFault(nil)
	s.want(statusOK, []string{"rich menu: image uploaded, shown to everybody\n"})
	s.want(statusOK, []string{"nothing was changed\n"})
}

func TestSetupRefusals(t *testing.T) {
	s := newInstallation(t)
	s.platform.Reissue(strings.Repeat("1", 32), "")
	s.want(statusFailed, []string{"ichido: asking for the bot's name: LINE does not accept the channel's credentials\n", "hint: compare"})
	s.want(statusUsage, []string{"hint: it is the address"}, "--url", "https://example.com/")
	t.Setenv(nameSecret, "")
	s.want(statusUsage, []string{nameSecret, "hint: "})
}

func TestCheckWebhookURL(t *testing.T) {
	for _, c := range []struct {
		url      string
		loopback bool
		want     string // "" = it is taken
	}{
		{"https://ichido.example.com/line/webhook", false, ""},
		{"https://ichido.example.com:8443/line/webhook", false, ""},
		{"https://203.0.113.7/line/webhook", false, ""},
		{"http://127.0.0.1:8080/line/webhook", true, ""},
		{"http://127.0.0.1:8080/line/webhook", false, "from outside"},
		{"https://localhost/line/webhook", false, "from outside"},
		{"https://192.168.1.2/line/webhook", false, "from outside"},
		{"http://ichido.example.com/line/webhook", false, "https://"},
		{"http://ichido.example.com/line/webhook", true, "https://"},
		{"https://ichido.example.com", false, "is https://ichido.example.com/line/webhook meant?"},
		{"https://ichido.example.com/", false, "is https://ichido.example.com/line/webhook meant?"},
		{"https://ichido.example.com/line/webhook/", false, "meant?"},
		{"https://ichido.example.com/line/webhook?x=1", false, "@ or #"},
		{"https://a:b@ichido.example.com/line/webhook", false, "@ or #"},
		{"ichido.example.com/line/webhook", false, "no address"},
		{"https:///line/webhook", false, "no address"},
		{"https://" + strings.Repeat("a", 500) + "/line/webhook", false, "500"},
		{"%", false, "no address"},
	} {
		err := checkWebhookURL(c.url, c.loopback)
		if (err != nil) != (c.want != "") || err != nil && (!errors.Is(err, errWebhookURL) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", c.url, err)
		}
	}
}
