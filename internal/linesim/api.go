package linesim

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

const (
	replyPath = "/v2/bot/message/reply"
	pushPath  = "/v2/bot/message/push"

	maxBody = 2 << 20 // bytes of a request; more is 413 (LINE reference)
)

// Call is one call of the API. Calls are in the order in which they were decided.
type Call struct {
	Method, Path string
	RequestID    string // X-Line-Request-Id of the answer
	Status       int    // answered; 0 = cut, or the caller hung up
	Accepted     bool   // reply or push: the messages were taken
	To           string // of a push or loading animation; the chat of an accepted reply
	ReplyToken   string
	RetryKey     string
	Body         []byte // nil if it was not read
	At           time.Time
}

// Calls is the log of all API calls, oldest first. It is empty with
// Options.Forget.
func (p *Platform) Calls() []Call {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.calls)
}

// answer is what an API call gets; status 0 = the connection is cut.
type answer struct {
	status   int
	accepted string // X-Line-Accepted-Request-Id; "" = none
	body     []byte

	mediaType string // of body; "" = JSON
}

func success(status int, v any) answer { return answer{status: status, body: encode(v)} }

// detail is one fault of a request body.
type detail struct {
	Message  string `json:"message,omitempty"`
	Property string `json:"property,omitempty"`
}

func failure(status int, message string, details ...detail) answer {
	return answer{status: status, body: encode(struct {
		Message string   `json:"message"`
		Details []detail `json:"details,omitempty"`
	}{message, details})}
}

func notFound(*call) answer { return failure(http.StatusNotFound, "Not found") }

// call is one call while it is decided.
type call struct {
	Call
	r        *http.Request
	messages []json.RawMessage // of a reply or push
	err      error             // why the body is no reply or push
}

// open reads what a reply and a push say. Other bodies have nothing of it.
func (c *call) open() {
	var req struct {
		To, ReplyToken string
		Messages       []json.RawMessage
	}
	c.err = json.Unmarshal(c.Body, &req)
	c.To, c.ReplyToken, c.messages = req.To, req.ReplyToken, req.Messages
}

// handler decides a call. It runs with Platform.mu held, so that a call is
// decided, shown and logged at one moment.
type handler func(*call) answer

func (p *Platform) routes() *http.ServeMux {
	mux := http.NewServeMux()
	for pattern, h := range map[string]handler{
		"POST " + replyPath:                      p.reply,
		"POST " + pushPath:                       p.push,
		"GET /v2/bot/profile/{user}":             p.profile,
		"GET /v2/bot/group/{chat}/member/{user}": p.memberProfile,
		"GET /v2/bot/room/{chat}/member/{user}":  p.memberProfile,
		"GET /v2/bot/info":                       p.info,
		"GET /v2/bot/message/quota":              p.quotaLimit,
		"GET /v2/bot/message/quota/consumption":  p.quotaUse,
		"GET /v2/bot/channel/webhook/endpoint":   p.endpoint,
		"PUT /v2/bot/channel/webhook/endpoint":   p.setEndpoint,
		"POST /v2/bot/channel/webhook/test":      p.testEndpoint,
		"POST /v2/bot/chat/loading/start":        p.loading,
		"/":                                      notFound,
	} {
		mux.HandleFunc(pattern, p.serve(p.authorized(h)))
	}
	for pattern, h := range p.menuRoutes() {
		mux.HandleFunc(pattern, p.serve(p.authorized(h)))
	}
	mux.HandleFunc("POST /oauth2/v3/token", p.serve(p.issueToken))
	return mux
}

// ServeHTTP is LINE's Messaging API: reply, push, profiles of users and of
// members of groups and rooms, bot info, quota and its consumption, the webhook
// endpoint (get, set, test), the loading animation, rich menus, and stateless
// tokens. What LINE serves on its data host is here, too.
func (p *Platform) ServeHTTP(w http.ResponseWriter, r *http.Request) { p.mux.ServeHTTP(w, r) }

// serve does what all calls share: faults, the log, the answer.
func (p *Platform) serve(h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c := &call{r: r, Call: Call{
			Method: r.Method, Path: r.URL.Path, RequestID: newUUID(),
			RetryKey: r.Header.Get("X-Line-Retry-Key"), At: time.Now(),
		}}
		fault := p.nextFault(r)
		if fault.unread() {
			p.mu.Lock()
			p.log(c)
			p.mu.Unlock()
			fault.cut(w)
		}
		a, entry := p.decide(w, c, h, fault)
		if fault.delay > 0 && !sleep(r.Context(), fault.delay) {
			p.hungUp(entry)
			a = answer{}
		}
		if a.status == 0 {
			fault.cut(w)
		}
		a.write(w, c.RequestID)
	}
}

// decide reads the call, decides it and logs it as number entry.
func (p *Platform) decide(w http.ResponseWriter, c *call, h handler, fault Fault) (a answer, entry int) {
	var err error
	c.Body, err = io.ReadAll(http.MaxBytesReader(w, c.r.Body, maxBody))
	if c.r.Method == http.MethodPost {
		c.open()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch tooLarge := new(http.MaxBytesError); {
	case errors.As(err, &tooLarge):
		a = failure(http.StatusRequestEntityTooLarge, "Request body is too large")
	case err != nil: // the caller went away
	case fault.kind == notAccepted:
		if c.Path == pushPath && fault.status >= 500 {
			p.retryKey(c) // an attempt: its age begins
		}
		a = failure(fault.status, fault.message)
	default:
		a = fault.spoil(h(c))
	}
	c.Status = a.status
	return a, p.log(c)
}

// log returns the number of the entry; -1 = none is kept.
func (p *Platform) log(c *call) int {
	if p.forget {
		return -1
	}
	p.calls = append(p.calls, c.Call)
	return len(p.calls) - 1
}

func (p *Platform) hungUp(entry int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if entry >= 0 {
		p.calls[entry].Status = 0
	}
}

func (a answer) write(w http.ResponseWriter, requestID string) {
	h := w.Header()
	h.Set("Content-Type", or(a.mediaType, "application/json"))
	h.Set("X-Line-Request-Id", requestID)
	if a.accepted != "" {
		h.Set("X-Line-Accepted-Request-Id", a.accepted)
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body) // a caller who is gone can't be told
}

// authorized answers 401 without the channel's token or one that was issued
// within IssuedTokenAge.
func (p *Platform) authorized(h handler) handler {
	return func(c *call) answer {
		token, ok := strings.CutPrefix(c.r.Header.Get("Authorization"), "Bearer ")
		if ok && subtle.ConstantTimeCompare([]byte(token), []byte(p.token)) == 1 {
			return h(c)
		}
		if _, issued := p.issued.get(c.At, token); ok && issued {
			return h(c)
		}
		return failure(http.StatusUnauthorized, MessageUnauthorized)
	}
}

// parse reads the body into v; refusal is LINE's answer if it can't be read.
func (c *call) parse(v any) (refusal answer, ok bool) {
	if json.Unmarshal(c.Body, v) != nil {
		return malformed(), false
	}
	return answer{}, true
}

func malformed() answer {
	return failure(http.StatusBadRequest, "The request body could not be parsed as JSON (line: -, column: -)")
}
