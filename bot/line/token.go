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
	"time"

	"github.com/line/line-bot-sdk-go/v8/linebot/channel_access_token"
)

// authorizer is the http.RoundTripper of all calls of LINE's API: it puts a
// channel access token on each.
//
// A call that gets no token has certainly not left, which an unsentError says. A
// call that LINE answers with 401 was not looked at, so it may be made again.
type authorizer struct {
	next http.RoundTripper

	// token returns a channel access token, another one than that which LINE has
	// refused ("" is none). It is safe for concurrent use and waits no longer than
	// the context does; its errors hold neither token nor secret.
	token func(ctx context.Context, refused string) (string, error)
}

// warnEvery is between two warnings of what only people can mend.
const warnEvery = time.Hour

// newAuthorizer takes tokens as the configuration says. next carries the calls,
// and the requests for tokens.
func newAuthorizer(c Config, next http.RoundTripper) (*authorizer, error) {
	if (c.Token == "") == (c.ChannelID == "") {
		return nil, ErrNoCredentials
	}
	if c.Token != "" {
		fixed := &fixedToken{value: c.Token, log: c.Log, warned: limiter{every: warnEvery}}
		return &authorizer{next, fixed.token}, nil
	}
	options := []channel_access_token.ChannelAccessTokenAPIOption{channel_access_token.WithHTTPClient(httpClient(next))}
	if c.Endpoint != "" {
		options = append(options, channel_access_token.WithEndpoint(c.Endpoint))
	}
	api, err := channel_access_token.NewChannelAccessTokenAPI(options...)
	issued := &issuedTokens{api: api, channelID: c.ChannelID, secret: c.Secret, log: c.Log, warned: limiter{every: warnEvery}}
	return &authorizer{next, issued.token}, err
}

// unsentError is the end of a call that has certainly not reached LINE.
type unsentError struct{ error }

func (e *unsentError) Unwrap() error { return e.error }

// RoundTrip makes the call, at most twice.
func (a *authorizer) RoundTrip(req *http.Request) (*http.Response, error) {
	token, err := a.token(req.Context(), "")
	if err != nil {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, &unsentError{fmt.Errorf("no channel access token: %w", err)}
	}
	res, err := a.next.RoundTrip(withToken(req.Context(), req, token))
	if err != nil || res.StatusCode != http.StatusUnauthorized {
		return res, err
	}
	return a.again(req, token, res)
}

// again makes a call once more that LINE has refused for its token, if there is
// another one, the body can be had again, and enough time is left: a call that is
// cut short by its context ends in doubt, while the refusal is certain. Else the
// refusal is the answer.
func (a *authorizer) again(req *http.Request, refused string, refusal *http.Response) (*http.Response, error) {
	token, err := a.token(req.Context(), refused)
	if err != nil || !hasTime(req.Context()) {
		return refusal, nil
	}
	ctx, connected := noteConnection(req.Context())
	second := withToken(ctx, req, token)
	if !rewind(second) {
		return refusal, nil
	}
	drain(refusal)
	res, err := a.next.RoundTrip(second)
	if err != nil && !connected.Load() {
		err = &unsentError{err} // what the caller knows of a connection is of the first call
	}
	return res, err
}

// withToken is the request with the token on it. The caller's stays as it is.
func withToken(ctx context.Context, req *http.Request, token string) *http.Request {
	r := req.Clone(ctx)
	r.Header.Set("Authorization", "Bearer "+token)
	return r
}

// rewind gives a request whose body has been read the same body again, if it can.
func rewind(req *http.Request) bool {
	if req.Body == nil || req.Body == http.NoBody {
		return true
	}
	if req.GetBody == nil {
		return false
	}
	body, err := req.GetBody()
	req.Body = body
	return err == nil
}

// hasTime says whether a call has at least half of its time left.
func hasTime(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return !ok || time.Until(deadline) >= callTimeout/2
}

// drain reads and closes an answer, so that its connection can be used again.
func drain(res *http.Response) {
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 1<<16))
	res.Body.Close()
}

// fixedToken is a long-lived token. When LINE refuses it, only people can help.
type fixedToken struct {
	value  string
	log    *slog.Logger
	warned limiter
}

func (f *fixedToken) token(_ context.Context, refused string) (string, error) {
	if refused == "" {
		return f.value, nil
	}
	if f.warned.allow("", time.Now()) {
		f.log.Warn("LINE refuses the channel access token; put a new one in its place and restart: what waits is said then")
	}
	return "", errRefused
}

var (
	errRefused   = errors.New("LINE refuses it")
	errNoChannel = errors.New("LINE knows no channel with this ID and secret")
	errNoToken   = errors.New("LINE's answer holds no token")
)

const (
	// tokenTimeout limits the request for a token. It leaves the calls that wait
	// for it, which have a callTimeout each, the other half of their time.
	tokenTimeout = callTimeout / 2
	// maxTokenAge is how long a token is believed to live, at most.
	maxTokenAge = 15 * time.Minute
	// youngToken is an age at which a refusal can't be the token's fault: a LINE
	// that refuses everything is not asked for a new one with each call.
	youngToken = 30 * time.Second
)

// tokenWaits are the pauses after requests for a token that failed in a row; the
// last one repeats. None is longer than the sender's after as many failures of
// one message, so that a message alone is never held up by them.
var tokenWaits = []time.Duration{time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second}

// issuedTokens has LINE issue tokens, each of which lives for 15 minutes.
//
// A call that finds the token in the last third of its life starts a request for
// the next one and goes on with the old: calls wait only after a silence or a
// refusal. There is one request at a time, and all who wait wait for that one.
// After one has failed, calls fail with its error until it is time for another.
//
// Ages are of the monotonic clock, which stands still while a machine sleeps. A
// token that has ended meanwhile is refused, and then replaced.
type issuedTokens struct {
	api       *channel_access_token.ChannelAccessTokenAPI
	channelID string
	secret    string
	log       *slog.Logger
	warned    limiter

	mu        sync.Mutex
	current   issuedToken
	request   *tokenRequest // under way; nil: none
	failures  int           // in a row
	failed    error         // the last of them
	notBefore time.Time     // no further request
}

// issuedToken is a token and its life. The zero value has ended.
type issuedToken struct {
	value             string
	born, renew, ends time.Time
}

// tokenRequest is a request for a token. value and err are there once done is
// closed.
type tokenRequest struct {
	done  chan struct{}
	value string
	err   error
}

func (s *issuedTokens) token(ctx context.Context, refused string) (string, error) {
	value, request, err := s.look(time.Now(), refused)
	if request == nil {
		return value, err
	}
	select {
	case <-request.done:
		return request.value, request.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// look returns the token, or the request that will bring it, or why there is
// neither.
func (s *issuedTokens) look(now time.Time, refused string) (string, *tokenRequest, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if refused != "" && refused == s.current.value {
		if now.Sub(s.current.born) < youngToken {
			return "", nil, errRefused
		}
		s.current = issuedToken{}
	}
	if s.request == nil && !now.Before(s.current.renew) && !now.Before(s.notBefore) {
		s.request = &tokenRequest{done: make(chan struct{})}
		go s.renew(s.request)
	}
	switch {
	case now.Before(s.current.ends):
		return s.current.value, nil, nil
	case s.request != nil:
		return "", s.request, nil
	}
	return "", nil, s.failed
}

// renew makes the request. It has a context of its own: whoever waits may give
// up, and a connection for it is not the connection of a call.
func (s *issuedTokens) renew(request *tokenRequest) {
	ctx, cancel := context.WithTimeout(context.Background(), tokenTimeout)
	defer cancel()
	born := time.Now()
	value, age, err := s.issue(ctx)
	if err != nil {
		s.warn(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	request.value, request.err, s.request = value, err, nil
	close(request.done)
	if err != nil {
		s.failed, s.notBefore = err, time.Now().Add(tokenWaits[min(s.failures, len(tokenWaits)-1)])
		s.failures++
		return
	}
	// In the last tenth of its life a token could end on its way.
	s.current = issuedToken{value: value, born: born, renew: born.Add(age * 2 / 3), ends: born.Add(age * 9 / 10)}
	s.failures = 0
}

// issue asks LINE for a token and says how long it lives.
func (s *issuedTokens) issue(ctx context.Context) (value string, age time.Duration, err error) {
	api := *s.api // WithContext changes the client that it is called on
	res, answer, err := api.WithContext(ctx).IssueStatelessChannelTokenByClientSecretWithHttpInfo(s.channelID, s.secret)
	if res == nil {
		return "", 0, err // names the URL; the secret was in the body
	}
	defer drain(res)
	switch status := res.StatusCode; {
	case status == http.StatusBadRequest, status == http.StatusUnauthorized, status == http.StatusForbidden:
		return "", 0, fmt.Errorf("%w (%d)", errNoChannel, status)
	case status/100 != 2:
		return "", 0, fmt.Errorf("LINE answers the request for one with %d", status)
	case err != nil || answer.ExpiresIn <= 0 || !fitsHeader(answer.AccessToken):
		return "", 0, errNoToken // err may quote the answer
	}
	return answer.AccessToken, min(time.Duration(answer.ExpiresIn)*time.Second, maxTokenAge), nil
}

// fitsHeader says whether a token can stand in a header.
func fitsHeader(token string) bool {
	return token != "" && !strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' })
}

// warn tells of a failed request. What only people can mend is told once an hour.
func (s *issuedTokens) warn(err error) {
	if !errors.Is(err, errNoChannel) {
		s.log.Warn("no channel access token could be had", "error", err)
	} else if s.warned.allow("", time.Now()) {
		s.log.Warn("LINE issues no channel access token; correct the channel ID or the channel secret and restart: what waits is said then", "error", err)
	}
}
