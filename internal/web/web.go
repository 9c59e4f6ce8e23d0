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

	// Public is how the world reaches the door, behind a proxy with TLS; nil is a
	// browser on this machine, without.
	Public *url.URL
	Log    *slog.Logger // nil discards
}

// Door serves pages and the API. It is an http.Handler.
type Door struct {
	Config
	mux     http.Handler
	entries *limiters // by address: getting in
	calls   *limiters // by member: the API
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
	d := &Door{Config: c, entries: newLimiters(time.Second, 10), calls: newLimiters(time.Second/10, 60)}
	mux := http.NewServeMux()
	for _, r := range routes() {
		mux.Handle(r.pattern, d.guard(r))
	}
	static, err := fs.Sub(files, "static")
	if err != nil {
		panic(err) // it is embedded
	}
	mux.Handle("GET /static/", http.StripPrefix("/static/", http.FileServerFS(static)))
	d.mux = d.shield(mux)
	return d
}

func (d *Door) ServeHTTP(w http.ResponseWriter, r *http.Request) { d.mux.ServeHTTP(w, r) }

// LinkTo is the address that lets the holder of the link's secret in.
func (d *Door) LinkTo(secret string) string {
	if d.Public == nil {
		return "/enter/" + secret
	}
	return d.Public.JoinPath("enter", secret).String()
}

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
		v := &visit{Door: d, w: w, r: r, at: time.Now()}
		err := v.authenticate(route.need)
		if err == nil {
			err = route.serve(v)
		}
		v.fail(route.need, err)
	})
}

// shield is what holds for every address.
func (d *Door) shield(next http.Handler) http.Handler {
	origin := http.NewCrossOriginProtection()
	if d.Public != nil {
		if err := origin.AddTrustedOrigin(d.Public.Scheme + "://" + d.Public.Host); err != nil {
			panic(err) // Public has a scheme and a host
		}
	}
	protected := origin.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; "+
			"form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
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
	detail []bot.Fault // what is wrong in an entry
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
	if n == inProgram {
		v.problem(said)
		return
	}
	v.page(said.status, "refusal.html", map[string]any{"Says": said.says.In(v.voice), "In": v.member.ID != 0})
}

var (
	notIn  = &refusal{status: http.StatusUnauthorized, says: bot.NewPhrase("ここには入れません。LINEで「ウェブ」と送ると、入るためのリンクが届きます。入力したものは、このブラウザに残っています。", "You are not in. Send “web” in LINE to get a link. What you have typed is kept in this browser.")}
	noRoom = &refusal{status: http.StatusServiceUnavailable, says: bot.NewPhrase("ディスクがいっぱいで、記録できませんでした。空きができたら、同じ内容をもう一度送ってください。", "The disk is full: nothing was recorded. Send the same again when there is room.")}
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

// page writes a page. It is rendered whole before its first byte is sent.
func (v *visit) page(status int, name string, data map[string]any) {
	data["V"], data["Member"], data["Lang"] = v.voice, v.member, v.voice.Say("ja", "en")
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
