package line

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/line/line-bot-sdk-go/v8/linebot/messaging_api"
)

var (
	// ErrCredentials says that LINE does not take the token, or that it issues none
	// for the channel ID and secret.
	ErrCredentials = errors.New("LINE does not accept the channel's credentials")
	// ErrUnreachable says that LINE could not be asked.
	ErrUnreachable = errors.New("LINE can't be reached")
	// ErrRefused says that LINE answered that it does not do it.
	ErrRefused = errors.New("LINE refuses that")
)

// Channel is the bot's channel as LINE has it set up. It needs no household, and
// each call has a limit of time.
type Channel struct {
	api   *messaging_api.MessagingApiAPI
	data  *messaging_api.MessagingApiBlobAPI // LINE has images on another host
	clock *answerClock
}

// NewChannel takes from the configuration what calls to LINE's API need: Endpoint,
// for both hosts of LINE's, Transport, Secret, and Token or ChannelID.
func NewChannel(c Config) (*Channel, error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	clock := &answerClock{next: c.transport()}
	transport, err := newAuthorizer(c, clock)
	if err != nil {
		return nil, err
	}
	options := []messaging_api.MessagingApiBlobAPIOption{messaging_api.WithBlobHTTPClient(httpClient(transport))}
	if c.Endpoint != "" {
		options = append(options, messaging_api.WithBlobEndpoint(c.Endpoint))
	}
	api, err := newAPI(c.Endpoint, transport)
	if err != nil {
		return nil, fmt.Errorf("preparing LINE's API: %w", err)
	}
	data, err := messaging_api.NewMessagingApiBlobAPI(sdkToken, options...)
	if err != nil {
		return nil, fmt.Errorf("preparing LINE's API: %w", err)
	}
	return &Channel{api, data, clock}, nil
}

// answerClock is a RoundTripper that compares this machine's clock with the times
// on LINE's answers.
type answerClock struct {
	next http.RoundTripper

	mu    sync.Mutex
	ahead time.Duration
	known bool
}

func (a *answerClock) RoundTrip(req *http.Request) (*http.Response, error) {
	asked := time.Now()
	res, err := a.next.RoundTrip(req)
	if err != nil {
		return res, err
	}
	if at, err := http.ParseTime(res.Header.Get("Date")); err == nil {
		answered := time.Now()
		a.mu.Lock()
		defer a.mu.Unlock()
		a.ahead, a.known = ahead(at, asked, answered), true
	}
	return res, nil
}

// ahead is by how much a clock that showed asked and answered is certainly ahead of
// one that stamped the answer in between, to the second as a header does. Negative:
// behind.
func ahead(stamp, asked, answered time.Time) time.Duration {
	switch end := stamp.Add(time.Second); {
	case asked.After(end):
		return asked.Round(0).Sub(end)
	case answered.Before(stamp):
		return answered.Round(0).Sub(stamp)
	}
	return 0
}

// ClockAhead is by how much the machine's clock is ahead of LINE's, negative if it is
// behind, as the last answer showed it; false before there was one.
func (c *Channel) ClockAhead() (time.Duration, bool) {
	c.clock.mu.Lock()
	defer c.clock.mu.Unlock()
	return c.clock.ahead, c.clock.known
}

// request makes a call with one of the clients.
type request func(*messaging_api.MessagingApiAPI, *messaging_api.MessagingApiBlobAPI) (*http.Response, error)

// call is callWithin the time that other calls of LINE's API have, too.
func (c *Channel) call(ctx context.Context, doing string, fn request) (status int, err error) {
	return c.callWithin(ctx, callTimeout, doing, fn)
}

// callWithin runs fn with clients that have the context, limited in time. doing begins
// the error.
func (c *Channel) callWithin(ctx context.Context, limit time.Duration, doing string, fn request) (status int, err error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	api, data := *c.api, *c.data // WithContext changes the client that it is called on
	res, err := fn(api.WithContext(ctx), data.WithContext(ctx))
	if res != nil {
		status = res.StatusCode
	}
	if err == nil {
		return status, nil
	}
	return status, fmt.Errorf("%s: %w", doing, refusal(res, err))
}

// refusal tells the ends of a call apart. What it quotes of LINE's answers holds
// neither token nor secret, as no call made here sends one in its body.
func refusal(res *http.Response, err error) error {
	switch {
	case errors.Is(err, errNoChannel), errors.Is(err, errRefused), res != nil && res.StatusCode == http.StatusUnauthorized:
		return ErrCredentials
	case res == nil:
		if wrapped, ok := errors.AsType[*url.Error](err); ok {
			err = wrapped.Err
		}
		return fmt.Errorf("%w: %w", ErrUnreachable, err)
	case res.StatusCode/100 == 2:
		return fmt.Errorf("%w: its answer can't be read", ErrUnreachable)
	case res.StatusCode >= http.StatusInternalServerError:
		return fmt.Errorf("%w: it answers %d", ErrUnreachable, res.StatusCode)
	}
	return fmt.Errorf("%w (%d): %s", ErrRefused, res.StatusCode, messageOf(res.Body))
}

// messageOf is what LINE says in the body of a refusal.
func messageOf(body io.Reader) string {
	var said struct {
		Message string
		Details []struct{ Message, Property string }
	}
	if json.NewDecoder(io.LimitReader(body, 1<<16)).Decode(&said) != nil || said.Message == "" {
		return "it does not say why"
	}
	for _, d := range said.Details {
		said.Message += fmt.Sprintf("; %s: %s", d.Property, d.Message)
	}
	return said.Message
}

// SetWebhook makes url the address to which LINE sends webhooks.
func (c *Channel) SetWebhook(ctx context.Context, url string) error {
	_, err := c.call(ctx, "setting the webhook URL", func(api *messaging_api.MessagingApiAPI, _ *messaging_api.MessagingApiBlobAPI) (*http.Response, error) {
		res, _, err := api.SetWebhookEndpointWithHttpInfo(&messaging_api.SetWebhookEndpointRequest{Endpoint: url})
		return res, err
	})
	return err
}
