// Package line is the LINE door: signed webhooks come in, confirmations go out.
//
// In: a webhook's events become submissions to the store, in the order of their
// timestamps (webhook.go, event.go, decode.go, handle.go). Before the 200 every event
// of a member has its receipt or is parked (park.go). Who is heard where is said in
// handle.go; who joins in invite.go; who comes and goes in people.go; what is told to
// others in stranger.go, and how often in limiter.go; how a message is taken back in
// unsend.go.
//
// Out: what the bot says to an event is rendered as a text (render.go) or drawn as a
// card (card.go) and put in the outbox in the event's own transaction, with what was
// said too late before (answer.go). The sender (sender.go, chat.go, rules.go,
// attempt.go) brings it to LINE afterwards, so that a confirmation can be late or lost
// but never false. A message is a reply first; only if LINE has certainly refused that
// does it become a push. From before each call until its end is certain the outbox says
// that there is doubt. The tokens that LINE wants with each call are the business of the
// transport (token.go). People at the machine can have things tried again (retry.go).
//
// A Channel needs no household: it sets up at LINE what can be set up from here
// (setup.go, menu.go) and looks at what is there (examine.go).
//
// Run has a goroutine for the parked events, one that looks after the machine
// (alert.go), one for each chat that something waits for, one until the bot's own ID
// is known (invite.go) and a few that ask for names (profile.go); Run waits for all of
// these, which end with its context. Nobody waits for the goroutines that answer
// strangers or fetch a token, which end with their calls, nor for one in which the store
// hangs while it is looked at.
//
// This package is the only importer of the LINE SDK. LINE's rules, to which the
// comments refer, are those of its Messaging API reference.
package line

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/line/line-bot-sdk-go/v8/linebot/messaging_api"

	"ichido/bot"
	"ichido/store"
)

// Scope is the name space of this door's event IDs in the store.
const Scope = "line"

// callTimeout limits one call of LINE's API, connection and answer included.
const callTimeout = 10 * time.Second

// ErrNoSecret says that the channel secret is empty. Everybody could sign
// webhooks then.
var ErrNoSecret = errors.New("the channel secret is empty")

// ErrNoCredentials says that it is not clear with which tokens to call LINE's API.
var ErrNoCredentials = errors.New("either a channel access token or a channel ID is needed")

// Config is what a door needs. Store, Bot, Secret and Zone are required, and
// either Token or ChannelID.
type Config struct {
	Store     *store.Store
	Bot       *bot.Bot
	Secret    string               // channel secret
	Token     string               // long-lived channel access token; "" has tokens issued
	ChannelID string               // to which, with Secret, LINE issues them
	Endpoint  string               // base URL of LINE's API; "" is LINE's own
	Admit     func(id string) bool // whom the configuration lets in: a user, or all in a group or room; nil is nobody
	Zone      *time.Location       // of the household: quiet hours
	Log       *slog.Logger         // nil discards

	// Free says how many bytes of the file's disk are free; nil looks at none.
	Free func() (uint64, error)

	// Transport carries the calls of LINE's API; nil is one of the door's own.
	Transport http.RoundTripper
}

// transport carries the calls, without their tokens.
func (c Config) transport() http.RoundTripper {
	if c.Transport == nil {
		return newTransport()
	}
	return c.Transport
}

// Door takes webhooks (it is an http.Handler) and sends what the bot says (Run).
type Door struct {
	store  *store.Store
	bot    *bot.Bot
	log    *slog.Logger
	secret string
	admit  func(string) bool
	zone   *time.Location
	sender *sender
	parked *retries
	names  *names
	free   func() (uint64, error)
	owner  atomic.Pointer[addressee] // to whom alerts go; nil: nobody
	large  chan struct{}             // one for each large body that is being read

	// What strangers are told and may try, and which chats the log has told of.
	greeted *greetings
	guesses guesses
	told    limiter

	counts Counts
	warned limiter // of wrong signatures
}

// Counts is what the door has seen since it was made.
type Counts struct {
	Recorded  atomic.Int64
	Repeated  atomic.Int64
	Conflicts atomic.Int64 // same key, other content: refused, silent
	Ignored   atomic.Int64 // of a type or in a chat that is not ours
	Strangers atomic.Int64
	Parked    atomic.Int64
	Forged    atomic.Int64 // webhooks with a wrong signature
}

// New makes a door. Nothing is sent until Run.
func New(c Config) (*Door, error) {
	if c.Secret == "" {
		return nil, ErrNoSecret
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Admit == nil {
		c.Admit = func(string) bool { return false }
	}
	client, err := newClient(c)
	if err != nil {
		return nil, fmt.Errorf("preparing LINE's API: %w", err)
	}
	sender := newSender(c.Store, client, c.Zone, c.Log)
	d := &Door{
		store: c.Store, bot: c.Bot, log: c.Log, secret: c.Secret, zone: c.Zone,
		admit:   c.Admit,
		sender:  sender,
		parked:  newRetries(),
		names:   &names{store: c.Store, client: sender.with, asked: limiter{every: nameEvery}},
		large:   make(chan struct{}, maxLarge),
		greeted: newGreetings(),
		told:    limiter{every: time.Hour},
		warned:  limiter{every: time.Minute},
		free:    c.Free,
	}
	sender.admit = func(id string) bool { return d.admit(id) }
	if err := d.learnOwner(context.Background()); err != nil {
		return nil, err
	}
	return d, nil
}

func newClient(c Config) (*messaging_api.MessagingApiAPI, error) {
	transport, err := newAuthorizer(c, c.transport())
	if err != nil {
		return nil, err
	}
	return newAPI(c.Endpoint, transport)
}

// sdkToken is what the SDK is given; the transport puts the token in.
const sdkToken = "set by the transport"

// newAPI makes a client of the endpoint, "" for LINE's own.
func newAPI(endpoint string, transport http.RoundTripper) (*messaging_api.MessagingApiAPI, error) {
	options := []messaging_api.MessagingApiAPIOption{messaging_api.WithHTTPClient(httpClient(transport))}
	if endpoint != "" {
		options = append(options, messaging_api.WithEndpoint(endpoint))
	}
	return messaging_api.NewMessagingApiAPI(sdkToken, options...)
}

// httpClient follows no redirects: LINE makes none, and a token is for LINE only.
func httpClient(transport http.RoundTripper) *http.Client {
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Counts returns the door's counters, which go on counting.
func (d *Door) Counts() *Counts { return &d.counts }

// Run sends what is in the outbox, tries parked events again, looks after the
// machine, and learns what LINE knows of people and of the bot, until ctx ends. Then
// it lets calls that have begun end, and returns.
func (d *Door) Run(ctx context.Context) error {
	if err := d.sender.load(); err != nil {
		return fmt.Errorf("reading the outbox: %w", err)
	}
	var group sync.WaitGroup
	group.Go(func() { d.retryParked(ctx) })
	group.Go(func() { d.sender.run(ctx) })
	group.Go(func() { d.watch(ctx) })
	group.Go(func() { d.names.run(ctx) })
	group.Go(func() { d.learnBasicID(ctx) })
	group.Wait()
	return nil
}

// Resume goes on from a restored copy, if the file is one, and tells the owner of
// what time the ledger is. It must come before the first webhook.
func (d *Door) Resume(ctx context.Context) error {
	err := d.store.Update(ctx, func(tx *store.Tx) error {
		at, copied, err := tx.CopiedAt()
		if !copied || err != nil {
			return err
		}
		if err := tx.Resume(); err != nil {
			return err
		}
		_, err = d.notify(tx, noticeRestored, at.String(), bot.Restored(at, d.zone).In)
		return err
	})
	if err != nil {
		return fmt.Errorf("going on from a restored file: %w", err)
	}
	return nil
}
