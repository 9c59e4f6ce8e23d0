// Package web is the door of browsers and programs: a page with a form, receipts, and an
// API, through the same store.Submit as LINE's door.
//
// What it is about is the lost answer. Whoever sends something has a key for it before:
// a page carries one in its address, a program makes one. The same key with the same
// content is the same receipt, however often it comes; with other content it is a
// conflict, which shows what was recorded. A receipt can be looked up by its key, and a
// key that is not found does not prove that nothing was saved: then the same is sent once
// more, with the same key.
//
// A browser gets in by a link that a member asks for in the chat, once, and is known by a
// cookie afterwards (session.go); a program by a token (api.go). There is no password. The
// table in routes says what each address needs; nothing else decides who may what.
//
// Scopes of keys are "web/" and "api/" with the member's number: nobody meets the keys of
// somebody else.
package web

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"ichido/bot"
	"ichido/internal/ledger"
	"ichido/store"
)

// maxBody is the most that a request may bring, in bytes: a form with a memo is a tenth.
const maxBody = 64 << 10

// Config is what the door needs. Store, Bot and Zone are required.
type Config struct {
	Store *store.Store
	Bot   *bot.Bot
	Zone  *time.Location           // of the household
	Admit func(person string) bool // whom the configuration lets in; nil is nobody

	// TellEntry puts what a chat is to hear of an entry into the outbox, in the entry's
	// own transaction. nil tells nobody.
	TellEntry func(tx *store.Tx, chat string, r bot.Reply) error

	// Public is how the world reaches the door, behind a proxy with TLS; nil is a
	// browser on this machine, without.
	Public *url.URL
	Log    *slog.Logger // nil discards

	// Patience is how long an entry is waited for; then whoever sent it is told that
	// nobody knows yet. 0 is defaultPatience.
	Patience time.Duration
}

// defaultPatience is less than the server waits for any answer, and than form.js does.
const defaultPatience = 12 * time.Second

// Door serves pages and the API. It is an http.Handler.
type Door struct {
	Config
	mux     http.Handler
	now     func() time.Time
	entries *limiters // by address: getting in
	calls   *limiters // by member: everything else
}

//go:embed pages static
var files embed.FS

// New makes a door.
func New(c Config) *Door {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Admit == nil {
		c.Admit = func(string) bool { return false }
	}
	c.Patience = cmp.Or(c.Patience, defaultPatience)
	d := &Door{Config: c, now: time.Now, entries: newLimiters(time.Second, 10), calls: newLimiters(time.Second/10, 60)}
	mux := http.NewServeMux()
	for _, r := range routes() {
		mux.Handle(r.pattern, d.guard(r))
	}
	static, err := fs.Sub(files, "static")
	if err != nil {
		panic(err) // it is embedded
	}
	mux.Handle("GET /static/", http.StripPrefix("/static/", http.FileServerFS(static)))
	d.mux = d.shield(d.elsewhere(mux))
	return d
}

func (d *Door) ServeHTTP(w http.ResponseWriter, r *http.Request) { d.mux.ServeHTTP(w, r) }

// secure says whether browsers reach the door by TLS.
func (d *Door) secure() bool { return d.Public != nil && d.Public.Scheme == "https" }

// need is what somebody needs for an address.
type need int

const (
	anybody   need = iota
	inBrowser      // a session
	inProgram      // a token
)

// route is one address and what serves it.
type route struct {
	pattern string
	need    need
	serve   func(*visit) error
}

// routes is the table of all of them.
func routes() []route {
	return []route{
		{"GET /enter/{link}", anybody, (*visit).offerEntry},
		{"POST /enter/{link}", anybody, (*visit).enter},
		{"GET /{$}", inBrowser, (*visit).start},
		{"POST /entries", inBrowser, (*visit).submit},
		{"GET /receipts/{key}", inBrowser, (*visit).receipt},
		{"GET /access", inBrowser, (*visit).listAccess},
		{"POST /access/{id}/revoke", inBrowser, (*visit).revoke},
		{"POST /tokens", inBrowser, (*visit).makeToken},
		{"POST /leave", inBrowser, (*visit).leave},
		{"POST /api/v1/entries", inProgram, (*visit).apiSubmit},
		{"GET /api/v1/entries", inProgram, (*visit).apiEntries},
		{"GET /api/v1/receipts/{key}", inProgram, (*visit).apiReceipt},
		{"GET /api/v1/summary", inProgram, (*visit).apiSummary},
		{"GET /api/v1/openapi.json", anybody, (*visit).openAPI},
	}
}

// visit is one request.
type visit struct {
	*Door
	w      http.ResponseWriter
	r      *http.Request
	at     time.Time
	member store.Member
	access store.Access
	secret string // of the session or token
	voice  bot.Voice
}

func (v *visit) today() ledger.Date { return ledger.DateOf(v.at.In(v.Zone)) }

// guard lets in who has what the route needs.
func (d *Door) guard(route route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), d.Patience+2*time.Second)
		defer cancel()
		v := &visit{Door: d, w: w, r: r.WithContext(ctx), at: d.now()}
		err := v.authenticate(route.need)
		if err == nil && r.Method == http.MethodPost && route.need != inProgram {
			err = v.parseForm()
		}
		if err == nil {
			err = route.serve(v)
		}
		v.fail(route.need, err)
	})
}

// parseForm reads the form that was sent. What is wrong with it is not repeated: it may be
// what somebody has typed.
func (v *visit) parseForm() error {
	err := v.r.ParseForm()
	if tooLarge := new(http.MaxBytesError); err == nil || errors.As(err, &tooLarge) {
		return err
	}
	return unreadable
}

// elsewhere answers requests for which there is no route as all other refusals are.
func (d *Door) elsewhere(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		none, pattern := mux.Handler(r)
		if pattern != "" {
			mux.ServeHTTP(w, r)
			return
		}
		answer := refusalOf{ResponseWriter: w}
		none.ServeHTTP(&answer, r) // sets Allow
		said := noAddress
		if answer.status == http.StatusMethodNotAllowed {
			said = noMethod
		}
		(&visit{Door: d, w: w, r: r, at: time.Now()}).fail(anybody, said)
	})
}

// refusalOf keeps the status of an answer and nothing of its body.
type refusalOf struct {
	http.ResponseWriter
	status int
}

func (a *refusalOf) WriteHeader(status int)      { a.status = status }
func (a *refusalOf) Write(b []byte) (int, error) { return len(b), nil }

var (
	noAddress = &refusal{status: http.StatusNotFound, says: bot.NewPhrase("ここには何もありません。", "There is nothing here.")}
	otherSite = &refusal{status: http.StatusForbidden, says: bot.NewPhrase("ほかのサイトからは送れません。何も記録していません。", "Other sites can’t send here. Nothing is recorded.")}
	noMethod  = &refusal{status: http.StatusMethodNotAllowed, says: bot.NewPhrase("ここでは、その送り方は使えません。何も記録していません。", "This address has no such method. Nothing is recorded.")}
)

// shield is what holds for every address.
func (d *Door) shield(next http.Handler) http.Handler {
	origin := http.NewCrossOriginProtection()
	if d.Public != nil {
		if err := origin.AddTrustedOrigin(d.Public.Scheme + "://" + d.Public.Host); err != nil {
			panic(err) // Public has a scheme and a host
		}
	}
	origin.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		(&visit{Door: d, w: w, r: r, at: time.Now()}).fail(anybody, otherSite)
	}))
	protected := origin.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; "+
			"form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		// Nothing goes to other sites. no-referrer would have browsers send the forms of this
		// one with "Origin: null", and those that have no Sec-Fetch-Site be refused.
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		if d.secure() {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		if !strings.HasPrefix(r.URL.Path, "/static/") {
			h.Set("Cache-Control", "no-store")
		}
		if !d.secure() && !isLoopback(r.Host) {
			http.Error(w, "this address is for this machine only", http.StatusForbidden) // another name for it is DNS rebinding
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		protected.ServeHTTP(w, r)
	})
}

func isLoopback(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	ip := net.ParseIP(strings.Trim(name, "[]"))
	return name == "localhost" || ip != nil && ip.IsLoopback()
}

// refusal is an error that is said to whoever asked.
type refusal struct {
	status int
	says   bot.Phrase
	detail bot.Faults // what is wrong in an entry
	again  bool       // the same may be sent again in a moment
}

func (r *refusal) Error() string { return r.says.In(bot.English) }

// refuse says something in both languages.
func refuse(status int, ja, en string) error {
	return &refusal{status: status, says: bot.NewPhrase(ja, en)}
}

// fail answers a request that could not be served. What went wrong inside is logged under
// a number, which is all that the other side gets to see of it.
func (v *visit) fail(n need, err error) {
	if err == nil {
		return
	}
	said, ok := errors.AsType[*refusal](err)
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		said, ok = refuse(http.StatusRequestEntityTooLarge, "送られたものが大きすぎます。", "That is too large.").(*refusal), true
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		said, ok = tooLong, true // or nobody is there any more
	}
	if errors.Is(err, store.ErrStranger) || errors.Is(err, store.ErrNoAccess) {
		said, ok = notIn, true
	}
	if errors.Is(err, store.ErrDiskFull) {
		said, ok = noRoom, true
	}
	number := ""
	if !ok {
		number = errorNumber()
		v.Log.Error("a request failed", "number", number, "path", v.r.Pattern, "error", err)
		said = &refusal{status: http.StatusInternalServerError, says: bot.NewPhrase(
			"うまくいきませんでした（番号 "+number+"）。記録されたかどうかは、受付を確かめるまでわかりません。",
			"Something went wrong (number "+number+"). Whether it was recorded only the receipt can tell.")}
	}
	if said.again {
		v.w.Header().Set("Retry-After", "1")
	}
	if n == inProgram || strings.HasPrefix(v.r.URL.Path, "/api/") {
		v.problem(said)
		return
	}
	data := map[string]any{"Says": said.says.In(v.voice), "In": v.member.ID != 0}
	if v.member.ID == 0 {
		data["Also"] = said.says.In(bot.English) // nobody knows whose language it is
	}
	if said == notIn {
		data["Title"] = v.voice.Say("入れません", "You are not in")
	}
	v.page(said.status, "refusal.html", data)
}

var (
	notIn  = &refusal{status: http.StatusUnauthorized, says: bot.NewPhrase("ここには入れません。LINEで「ウェブ」と送ると、入るためのリンクが届きます。", "You are not in. Send “web” in LINE to get a link.")}
	noRoom = &refusal{status: http.StatusServiceUnavailable, says: bot.NewPhrase("ディスクがいっぱいで、記録できませんでした。空きができたら、同じ内容をもう一度送ってください。", "The disk is full: nothing was recorded. Send the same again when there is room.")}
)

var (
	unreadable = &refusal{status: http.StatusBadRequest, says: bot.NewPhrase("送られたものが読めませんでした。もう一度試してください。", "What was sent can’t be read. Please try again.")}
	tooLong    = &refusal{status: http.StatusServiceUnavailable, again: true, says: bot.NewPhrase("時間がかかりすぎました。少し待ってから、もう一度試してください。", "That took too long. Please wait a moment and try again.")}
)

func errorNumber() string {
	b := make([]byte, 4)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

var pages = template.Must(template.New("").Funcs(template.FuncMap{
	"say":      func(v bot.Voice, ja, en string) string { return v.Say(ja, en) },
	"category": func(v bot.Voice, c ledger.Category) string { return v.CategoryName(c) },
	"account":  func(v bot.Voice, name string) string { return v.AccountName(name) },
}).ParseFS(files, "pages/*.html"))

// titles are what pages are, unless their data says it in another way.
var titles = map[string]bot.Phrase{
	"start.html":    bot.NewPhrase("記録する", "Record"),
	"waiting.html":  bot.NewPhrase("記録しています", "Being recorded"),
	"notfound.html": bot.NewPhrase("受付は、まだありません", "No receipt yet"),
	"conflict.html": bot.NewPhrase("ほかの内容が記録してあります", "Something else is recorded"),
	"access.html":   bot.NewPhrase("端末とトークン", "Devices and tokens"),
	"enter.html":    bot.NewPhrase("入る / Enter", "入る / Enter"),
	"refusal.html":  bot.NewPhrase("できませんでした", "That did not work"),
}

// page writes a page. It is rendered whole before its first byte is sent.
func (v *visit) page(status int, name string, data map[string]any) {
	data["V"], data["Member"], data["Lang"] = v.voice, v.member, v.voice.Say("ja", "en")
	if data["Title"] == nil {
		data["Title"] = titles[name].In(v.voice)
	}
	var b bytes.Buffer
	if err := pages.ExecuteTemplate(&b, name, data); err != nil {
		v.Log.Error("a page could not be made", "page", name, "error", err)
		http.Error(v.w, "this page could not be made", http.StatusInternalServerError)
		return
	}
	v.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	v.w.WriteHeader(status)
	_, _ = b.WriteTo(v.w) // a browser that is gone can't be told
}

func (v *visit) redirect(path string) error {
	http.Redirect(v.w, v.r, path, http.StatusSeeOther)
	return nil
}

// scope is the name space of the member's keys.
func (v *visit) scope(door string) string { return fmt.Sprintf("%s/%d", door, v.member.ID) }
