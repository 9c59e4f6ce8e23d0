package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"ichido/internal/linesim"
	"ichido/internal/linesim/page"
)

// maxForm is more than the longest message takes, encoded for a form.
const maxForm = 64 << 10

// handler serves the page, below its key:
//
//	GET /                who=, where=, theme=, view=chat, first=09:41
//	GET /menu            the image of the rich menu
//	GET /look            its parts that change, by their places; who=, where=, first=
//	POST /say            text=, quote=; all with who=, where=
//	POST /send           kind=photo or sticker
//	POST /tap            id=, button=, quick=
//	POST /menu           button=, the number of an area
//	POST /unsend, /edit  id=, text=
//	POST /switch         name=
//
// Only requests to loopback by name or number are answered, so that no name that
// somebody points there makes a browser let another page in, and changes only if they
// come from the page itself or from no browser.
func (h *webHome) handler(address net.Addr) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", h.document)
	mux.HandleFunc("GET /look", h.look)
	files := http.FileServerFS(page.Files)
	mux.Handle("GET /page.css", files)
	mux.Handle("GET /page.js", files)
	mux.HandleFunc("GET /menu", h.menuImage)
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	for path, does := range map[string]func(linesim.Source, *http.Request) error{
		"/say": func(s linesim.Source, r *http.Request) error {
			return h.say(s, r.PostFormValue("text"), r.PostFormValue("quote"))
		},
		"/send":   func(s linesim.Source, r *http.Request) error { h.send(s, r.PostFormValue("kind")); return nil },
		"/unsend": func(s linesim.Source, r *http.Request) error { return h.unsend(s, r.PostFormValue("id")) },
		"/edit": func(s linesim.Source, r *http.Request) error {
			return h.edit(s, r.PostFormValue("id"), r.PostFormValue("text"))
		},
		"/menu":   func(s linesim.Source, r *http.Request) error { return h.pressMenu(s, r.PostFormValue("button")) },
		"/switch": func(_ linesim.Source, r *http.Request) error { return h.turn(r.PostFormValue("name")) },
		"/tap": func(s linesim.Source, r *http.Request) error {
			return h.tap(s, r.PostFormValue("id"), r.PostFormValue("button"), r.PostFormValue("quick") != "")
		},
	} {
		mux.Handle("POST "+path, h.act(does))
	}
	return guard(address, h.keyed(http.NewCrossOriginProtection().Handler(mux)))
}

// keyed serves what is asked for below /KEY. Whoever else uses this machine can open its
// ports, but does not know the key.
func (h *webHome) keyed(next http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/"+h.key+"/", http.StripPrefix("/"+h.key, next))
	return mux
}

// guard refuses what is not for loopback, and tells the browser what the page may do.
func guard(address net.Addr, next http.Handler) http.Handler {
	_, port, _ := net.SplitHostPort(address.String())
	hosts := []string{address.String(), net.JoinHostPort("localhost", port)}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site := r.Header.Get("Sec-Fetch-Site")
		if !slices.Contains(hosts, r.Host) || !strings.HasSuffix(r.URL.Path, "/") && site != "" && site != "same-origin" && site != "none" {
			http.Error(w, "this page is for this machine only", http.StatusForbidden)
			return
		}
		for name, value := range map[string]string{
			"Content-Security-Policy": page.Policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-store",
		} {
			w.Header().Set(name, value)
		}
		next.ServeHTTP(w, r)
	})
}

// act answers a form: 204, or 400 with a sentence.
func (h *webHome) act(does func(linesim.Source, *http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		s, err := h.source(r.PostFormValue("who"), r.PostFormValue("where"))
		if err == nil {
			err = does(s, r)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
}

func (h *webHome) document(w http.ResponseWriter, r *http.Request) {
	d, err := h.view(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = d.Write(w) // a browser that is gone can't be told
}

// look answers with the parts, or with 304 if the browser has them.
func (h *webHome) look(w http.ResponseWriter, r *http.Request) {
	d, err := h.view(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	parts, err := d.Parts()
	var body []byte
	if err == nil {
		body, err = json.Marshal(parts)
	}
	if err != nil {
		http.Error(w, "the page can't be drawn", http.StatusInternalServerError)
		return
	}
	sum := sha256.Sum256(body)
	etag := `"` + hex.EncodeToString(sum[:12]) + `"`
	w.Header().Set("ETag", etag)
	if r.Header.Get("If-None-Match") == etag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body) // a browser that is gone can't be told
}

// view is the page as the request asks for it.
func (h *webHome) view(r *http.Request) (page.Document, error) {
	q := r.URL.Query()
	who := q.Get("who")
	if who == "" {
		who = webPeople[0]
	}
	s, err := h.source(who, q.Get("where"))
	if err != nil {
		return page.Document{}, err
	}
	chat := page.Chat{Self: s.UserID, Bubbles: h.platform.Chat(s.Chat()), Group: s.Type == "group", Name: nameOf, Facts: h.factsOf, Zone: h.zone}
	if first, err := time.ParseInLocation("15:04", q.Get("first"), h.zone); err == nil {
		chat.First = first
	}
	d := page.Document{
		Chat: chat, People: webPeople, Groups: []string{defaultGroup}, Who: who, Where: q.Get("where"), Alone: q.Get("view") == "chat",
		Running: h.bot.running(),
	}
	if menu, ok := h.platform.RichMenu(); ok && s.Type == "user" {
		d.Menu = &page.Menu{RichMenu: menu}
	}
	if theme := q.Get("theme"); theme == "light" || theme == "dark" {
		d.Theme = theme
	}
	if d.Alone {
		return d, nil
	}
	rows, ok := h.rows()
	d.Rows, d.Unread = rows, !ok || !d.Running
	d.Log, d.Switches = h.log(), h.switches()
	return d, nil
}

func (h *webHome) menuImage(w http.ResponseWriter, r *http.Request) {
	menu, ok := h.platform.RichMenu()
	if !ok || menu.Image == nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", menu.ImageType)
	_, _ = w.Write(menu.Image) // a browser that is gone can't be told
}

func nameOf(userID string) string {
	for _, name := range webPeople {
		if linesim.UserID(name) == userID {
			return name
		}
	}
	return "だれか"
}

func (h *webHome) factsOf(messageID string) page.Facts {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.facts[messageID]
}

// switches are the switches as they stand.
func (h *webHome) switches() []page.Switch {
	h.mu.Lock()
	defer h.mu.Unlock()
	return []page.Switch{
		{Name: "twice", Label: "二度届ける", Hint: "each webhook is delivered twice", Lasts: true, On: h.twice},
		{Name: "lose", Label: "返事をなくす", Hint: "the end of the next reply call is lost", Lasts: true, On: h.losing},
		{Name: "arm", Label: "次の返事の途中で落とす", Hint: "SIGKILL when the bot begins to reply", Lasts: true, On: h.armed},
		{Name: "busy", Label: "LINEが混む", Hint: "LINE answers 429 to everything", Lasts: true, On: h.busy},
		{Name: "kill", Label: "いま落とす", Hint: "SIGKILL now; starts again after a second"},
	}
}

// turn presses a switch.
func (h *webHome) turn(name string) error {
	if name == "kill" {
		h.bot.kill()
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	on := map[string]*bool{"twice": &h.twice, "lose": &h.losing, "arm": &h.armed, "busy": &h.busy}[name]
	if on == nil {
		return errNoSwitch
	}
	*on = !*on
	return nil
}
