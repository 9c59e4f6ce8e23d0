package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"slices"
	"strings"

	"ichido/bot/line"
)

// webhookPath is where serve takes webhooks.
const webhookPath = "/line/webhook"

var (
	// errWebhookURL comes before what is wrong with a webhook URL.
	errWebhookURL = errors.New("--url can't be the webhook URL")
	// errWebhookTest says that LINE could not deliver the webhook of a test.
	errWebhookTest = errors.New("the webhook does not work yet")
)

type setupCmd struct {
	URL      string `placeholder:"URL" help:"Make this the webhook URL, and have LINE test it: https://YOUR.NAME/line/webhook."`
	Endpoint string `name:"line-endpoint" env:"LINE_API_ENDPOINT" placeholder:"URL" help:"LINE's API, if it is another one than LINE's."`
}

// Help is shown by ichido setup --help.
func (setupCmd) Help() string {
	return "The rich menu is the row of buttons below the chat. What is there already is not made again. The secrets " +
		"are given as to serve. No file is opened, and serve may run or not; to test the webhook it must run."
}

// Run sets up at LINE what can be set up from here, and says what can't be.
func (c *setupCmd) Run(ctx context.Context, p *program) error {
	channel, err := newChannel(c.Endpoint, p)
	if err == nil && c.URL != "" {
		err = checkWebhookURL(c.URL, c.Endpoint != "")
	}
	if err != nil {
		return settingError{err}
	}
	info, err := channel.Info(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "bot: %s (%s)\n", plain(info.Name), plain(info.BasicID))
	menuErr := p.setUpMenu(ctx, channel)
	hook, hookErr := p.setUpWebhook(ctx, channel, c.URL)
	if hookErr == nil || errors.Is(hookErr, errWebhookTest) {
		p.sayConsole(hook)
	}
	return errors.Join(menuErr, hookErr)
}

// newChannel is the bot's channel, with the secrets that serve takes too.
func newChannel(endpoint string, p *program) (*line.Channel, error) {
	secrets, err := readLineSecrets(slog.New(slog.NewTextHandler(p.stderr, nil)))
	if err == nil {
		err = (&serveCmd{Endpoint: endpoint}).check()
	}
	if err != nil {
		return nil, err
	}
	return line.NewChannel(line.Config{Secret: secrets.channel, Token: secrets.token, ChannelID: secrets.channelID, Endpoint: endpoint})
}

// checkWebhookURL refuses what LINE would refuse, and what leads elsewhere than to
// serve. loopback lets a bot on this machine do without TLS.
func checkWebhookURL(s string, loopback bool) error {
	u, err := url.Parse(s)
	if err != nil || u.Hostname() == "" {
		return fmt.Errorf("%w: it is no address like https://YOUR.NAME%s", errWebhookURL, webhookPath)
	}
	ip := net.ParseIP(u.Hostname())
	here := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	switch {
	case here && !loopback || ip != nil && ip.IsPrivate():
		return fmt.Errorf("%w: LINE can't reach %s from outside", errWebhookURL, u.Hostname())
	case u.Scheme != "https" && !(here && u.Scheme == "http"):
		return fmt.Errorf("%w: it must begin with https://", errWebhookURL)
	case u.Path != webhookPath:
		return fmt.Errorf("%w: it must end in %s: is %s://%s%s meant?", errWebhookURL, webhookPath, u.Scheme, u.Host, webhookPath)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("%w: it must end in %s and hold no @ or #", errWebhookURL, webhookPath)
	case len(s) > 500:
		return fmt.Errorf("%w: LINE takes at most 500 characters", errWebhookURL)
	}
	return nil
}

// setUpMenu brings the rich menu to everybody and says what was done for that, also
// of one that failed half way.
func (p *program) setUpMenu(ctx context.Context, channel *line.Channel) error {
	done, err := channel.SetUpMenu(ctx)
	if did := menuChanges(done); did != "" {
		fmt.Fprintf(p.stdout, "rich menu: %s\n", did)
	} else if err == nil {
		fmt.Fprintln(p.stdout, "rich menu: is there already; nothing was changed")
	}
	if done.Shown {
		fmt.Fprintln(p.stdout, "  (people see it when they open the chat again, on phones; LINE has no menus in groups)")
	}
	if done.Replaced {
		fmt.Fprintln(p.stdout, "  (it takes the place of another menu, which was made elsewhere and still exists)")
	}
	return err
}

// menuChanges tells in words what was done.
func menuChanges(done line.MenuChanges) string {
	var did []string
	for _, c := range []struct {
		done bool
		what string
	}{
		{done.Made, "made"}, {done.Uploaded, "image uploaded"}, {done.Shown, "shown to everybody"},
		{done.Deleted > 0, fmt.Sprintf("old ones deleted: %d", done.Deleted)},
	} {
		if c.done {
			did = append(did, c.what)
		}
	}
	return strings.Join(did, ", ")
}

// setUpWebhook makes url the webhook URL, unless it is that already, and tests it.
// For "" it says what the URL is.
func (p *program) setUpWebhook(ctx context.Context, channel *line.Channel, url string) (hook line.Webhook, err error) {
	if hook, err = channel.Webhook(ctx); err != nil {
		return hook, err
	}
	switch {
	case url == "":
		fmt.Fprintf(p.stdout, "webhook URL: %s\n", cmp.Or(plain(hook.URL), "none yet; ichido setup --url https://YOUR.NAME"+webhookPath+" sets it"))
		return hook, nil
	case url == hook.URL:
		fmt.Fprintf(p.stdout, "webhook URL: is %s already\n", url)
	default:
		if err := channel.SetWebhook(ctx, url); err != nil {
			return hook, err
		}
		fmt.Fprintf(p.stdout, "webhook URL: set to %s\n", url)
		if hook, err = channel.Webhook(ctx); err != nil { // whether it is in use
			return hook, err
		}
	}
	return hook, p.testWebhook(ctx, channel, url)
}

// testWebhook has LINE test url: what was set just now may not be in use for a minute.
func (p *program) testWebhook(ctx context.Context, channel *line.Channel, url string) error {
	test, err := channel.TestWebhook(ctx, url)
	if err != nil {
		return err
	}
	if test.Success {
		fmt.Fprintln(p.stdout, "webhook test: LINE reaches the bot")
		return nil
	}
	fmt.Fprintf(p.stdout, "webhook test: failed; LINE says: %s\n  %s\n", testWords(test), testHint(test))
	return errWebhookTest
}

// testWords are LINE's, on one line.
func testWords(test line.WebhookTest) string {
	words := fmt.Sprintf("%s (status %d)", plain(test.Reason), test.Status)
	if detail := plain(test.Detail); detail != "" && detail != fmt.Sprint(test.Status) {
		words += ", " + detail
	}
	return words
}

// testHint says what to do about a test that has failed.
func testHint(test line.WebhookTest) string {
	switch test.Status {
	case 401:
		return "The channel secret of the running server is not this channel's: correct it, and restart ichido serve."
	case 404:
		return "The proxy does not pass " + webhookPath + " on, or another server answers under this name."
	case 403, 405, 413:
		return "The proxy stops the request: it must pass " + webhookPath + " on as it comes, also POST."
	case 502, 504:
		return "The proxy can't reach ichido serve: does it run, and on the address that the proxy has?"
	case 503:
		return "ichido serve can't record now, or the proxy can't reach it: its log and /healthz say why."
	}
	if test.Status >= 300 && test.Status < 400 {
		return "The proxy redirects, which LINE does not follow: give the address to which it leads."
	}
	switch test.Reason {
	case "COULD_NOT_CONNECT":
		return "Check that the name leads to this server, that port 443 is open, and that the certificate is a public one with its full chain: curl -i URL from elsewhere."
	case "REQUEST_TIMEOUT":
		return "No answer came in time: is a firewall in the way, or the server overloaded?"
	}
	return "The logs of ichido serve and of the proxy say more."
}

// sayConsole says what nobody can do but a person in LINE's console.
func (p *program) sayConsole(hook line.Webhook) {
	steps := []string{
		"Webhook redelivery (Webhookの再送): on. Else what is typed while the server is down is lost.",
		"Auto-reply messages (応答メッセージ) > Edit: Greeting message (あいさつメッセージ) off, Auto-response messages (応答メッセージ) off. Else they answer beside the bot.",
		"Allow bot to join group chats (グループトーク・複数人トークへの参加を許可する): on, if it is to be in a group of the family.",
	}
	switch {
	case hook.URL != "" && hook.Active:
		fmt.Fprintln(p.stdout, "Use webhook: on")
	case hook.URL != "":
		fmt.Fprintln(p.stdout, "Use webhook: OFF: no message reaches the bot")
	}
	if !hook.Active {
		steps = slices.Insert(steps, 0, "Use webhook (Webhookの利用): on, when the webhook URL is set.")
	}
	fmt.Fprintln(p.stdout, "\nThe rest can be seen and done only in LINE's console: https://developers.line.biz/console/, the channel, tab Messaging API:")
	for _, step := range steps {
		fmt.Fprintln(p.stdout, "-", step)
	}
}
