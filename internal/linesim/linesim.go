// Package linesim is a LINE platform on loopback: what a bot's webhook and its
// Messaging API client meet, with LINE's own rules and LINE's own failures.
//
// A [Platform] makes events ([Platform.Text] and its neighbours), signs and
// delivers them ([Platform.Deliver], [Platform.DeliverTimes],
// [Platform.DeliverUntil2xx]), takes reply and push as an [http.Handler], and
// keeps what a person would see ([Platform.Chat]). Messages are held to LINE's schema,
// Flex messages too (message.go, flex.go), as are rich menus ([Platform.RichMenu]).
// Failures come from [Platform.Fail] and [Platform.SetFault]. Package page draws a chat.
//
// The rules are those of LINE's Messaging API reference. Where LINE leaves
// something open, the stricter reading is taken. What LINE promises not to
// promise is used: members of JSON objects come in another order than in its
// examples.
//
// On a real socket use [Platform.Start]. Inside a testing/synctest bubble there
// are no sockets: use [Transport] in both directions.
package linesim

import (
	"fmt"
	"net"
	"net/http"
	"regexp"
	"sync"
	"sync/atomic"
	"time"
)

// What a Platform uses where [Options] say nothing.
const (
	DefaultSecret    = "00000000000000000000000000000000" // channel secret
	DefaultToken     = "linesim-long-lived-token"         // channel access token
	DefaultChannelID = "1234567890"                       // client_id at /oauth2/v3/token
)

// BotUserID is the bot's own user ID: the destination of every webhook.
const BotUserID = "Udddddddddddddddddddddddddddddddd"

// What GET /v2/bot/info tells of the bot.
const (
	BotName    = "一度"
	BotBasicID = "@000ichid"
)

// Times and limits of LINE (LINE reference).
const (
	ReplyTokenAge  = time.Minute      // from the last delivery of the event; LINE says "about"
	ReplyTokenEnd  = 20 * time.Minute // from the event, whatever was redelivered since
	RetryKeyAge    = 24 * time.Hour   // from the first attempt with the key
	IssuedTokenAge = 15 * time.Minute // of a stateless channel access token
	WebhookTimeout = 2 * time.Second  // LINE waits so long for an answer to a webhook
)

// Options say who the bot is. The zero value is a working platform with the
// defaults above and no webhook yet.
type Options struct {
	Secret    string // channel secret; "" = DefaultSecret
	Token     string // long-lived channel access token; "" = DefaultToken
	ChannelID string // "" = DefaultChannelID
	Webhook   string // URL that webhooks are posted to; see also SetWebhook

	// Client delivers webhooks. nil = a client of its own with a timeout of 10 s
	// that follows no redirects.
	Client *http.Client

	// Forget keeps no bubbles and no calls, and drops reply tokens that have
	// ended, so that memory stays flat under load. Wait still counts.
	Forget bool
}

// Platform is LINE as one bot sees it. It is safe for concurrent use. Its clock
// is time.Now, so that it follows testing/synctest. Make one with [New].
type Platform struct {
	channelID              string
	client                 *http.Client
	forget                 bool
	mux                    *http.ServeMux
	lastEvent, lastMessage atomic.Uint64 // serial numbers; see ids.go

	mu       sync.Mutex // over everything below
	secret   string
	token    string // long-lived
	webhook  string
	idle     bool // "Use webhook" is off
	menus    menus
	names    map[string]string          // user ID -> display name
	blocked  map[string]bool            // user IDs
	members  map[string]map[string]bool // group or room ID -> user IDs
	chats    map[string]*chat           // by user, group or room ID
	tokens   aging[*replyToken]         // by reply token
	issued   aging[struct{}]            // stateless channel access tokens
	keys     aging[*retryKey]           // by retry key
	quota    int                        // pushes a month; negative = no limit
	used     int                        // in month
	month    string                     // "2006-01" in Japan
	faults   []Fault
	standing func(*http.Request) Fault
	calls    []Call
}

// New makes a platform. It has no users, an endless quota and no faults.
func New(o Options) *Platform {
	p := &Platform{
		secret:    or(o.Secret, DefaultSecret),
		token:     or(o.Token, DefaultToken),
		channelID: or(o.ChannelID, DefaultChannelID),
		client:    o.Client,
		forget:    o.Forget,
		webhook:   o.Webhook,
		names:     make(map[string]string),
		blocked:   make(map[string]bool),
		members:   make(map[string]map[string]bool),
		chats:     make(map[string]*chat),
		issued:    aging[struct{}]{ttl: IssuedTokenAge},
		keys:      aging[*retryKey]{ttl: RetryKeyAge},
		quota:     -1,
	}
	if p.client == nil {
		p.client = newClient()
	}
	if o.Forget {
		p.tokens.ttl = ReplyTokenEnd + ReplyTokenAge
	}
	p.lastMessage.Store(firstMessageID(time.Now()))
	p.mux = p.routes()
	return p
}

// Secret is the channel secret that webhooks are signed with.
func (p *Platform) Secret() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.secret
}

// Token is the long-lived channel access token that the API takes.
func (p *Platform) Token() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.token
}

// Reissue gives the channel another secret and another long-lived token, as the
// console's buttons do: the old ones are worth nothing at once. "" leaves one as
// it is. What stateless tokens there are stay good; see Revoke.
func (p *Platform) Reissue(secret, token string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.secret, p.token = or(secret, p.secret), or(token, p.token)
}

// Revoke ends all stateless tokens that were issued until now. LINE has no such
// call, but it does not promise either that a token lives to its end.
func (p *Platform) Revoke() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.issued = aging[struct{}]{ttl: IssuedTokenAge}
}

// SetWebhook says where webhooks are posted to from now on. "" = nowhere.
func (p *Platform) SetWebhook(url string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.webhook = url
}

// SetWebhookUse turns the console's switch "Use webhook", which is on at first. It
// changes what LINE tells of it; what a test delivers is delivered all the same.
func (p *Platform) SetWebhookUse(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = !on
}

// SetProfile gives a user a display name. A user without one has no profile:
// the profile calls answer 404.
func (p *Platform) SetProfile(userID, displayName string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.names[userID] = displayName
}

// SetBlocked says whether a user has blocked the bot. A push to somebody who
// has is answered 200, costs nothing and is not shown (LINE reference).
func (p *Platform) SetBlocked(userID string, blocked bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.blocked[userID] = blocked
}

// SetMembers says who is in a group or room. Whoever speaks or joins there is
// added. A push costs one message a member, at least one.
func (p *Platform) SetMembers(chatID string, userIDs ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.members, chatID)
	for _, id := range userIDs {
		p.addMember(chatID, id)
	}
}

func (p *Platform) addMember(chatID, userID string) {
	if p.members[chatID] == nil {
		p.members[chatID] = make(map[string]bool)
	}
	p.members[chatID][userID] = true
}

// SetQuota limits the pushed messages of a month in Japan, counted per
// recipient. 0 = the quota is spent; negative = no limit. What was sent this
// month stays counted.
func (p *Platform) SetQuota(messages int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.quota = messages
}

// Start serves the API on a free port of loopback. url has no slash at its end.
// stop cuts the connections, waits for the listener to be closed, and may be
// called more than once. Start panics where loopback can't be listened on, as
// net/http/httptest does.
func (p *Platform) Start() (url string, stop func()) {
	url, stop, err := p.Listen("127.0.0.1:0")
	if err != nil {
		panic("linesim: " + err.Error())
	}
	return url, stop
}

// Listen is Start on an address of the caller's choice. Stopping and listening
// there again is a LINE that refuses connections for a while.
func (p *Platform) Listen(addr string) (url string, stop func(), err error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return "", nil, fmt.Errorf("starting the LINE platform: %w", err)
	}
	srv := &http.Server{Handler: p, ReadHeaderTimeout: 10 * time.Second}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = srv.Serve(l) // always http.ErrServerClosed or a listener's end
	}()
	stop = func() {
		_ = srv.Close() // an error would be the listener's second close
		<-done
	}
	return "http://" + l.Addr().String(), stop, nil
}

// newClient is the client that delivers webhooks: LINE follows no redirect, and
// loopback needs no proxy.
func newClient() *http.Client {
	return &http.Client{
		Timeout:   10 * time.Second,
		Transport: &http.Transport{MaxIdleConnsPerHost: 256, IdleConnTimeout: 10 * time.Second},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
}

// chatIDForm is a user, group or room ID.
var chatIDForm = regexp.MustCompile(`^[UCR][0-9a-f]{32}$`)

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
