// Package control lets the command line read and change a household's file while a
// server has it open: HTTP over a unix socket. Where no server runs, the command line
// opens the file itself and calls the same handler in its own process, so that
// each command is written once; see [Dial] and [Local].
package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"ichido/internal/exchange"
	"ichido/store"
)

// New returns the handler of the control socket:
//
//	GET /export?format=jsonl   the ledger in a format of package exchange
//	GET /backup                a verified copy of the file
//	GET /check                 Totals, after verifying every invariant
//	GET /totals                Totals
//	GET /healthz               Health
//	GET /members               []Member
//	POST /members/remove       Member; who=
//	POST /members/rename       Member; who=, name=
//	POST /members/owner        Member; who=
//	POST /invite               Invite
//	POST /link                 Link; who=
//	GET /outbox?all=true       Outbox; settled messages only with all, texts with text=true
//	POST /outbox/retry         Message; id=
//	POST /outbox/drop          Message; id=
//	GET /parked                []Parked; with text=true whole
//	POST /parked/retry         Retried; key=, none for all
//	POST /parked/drop          Retried; key=
//
// An error is an object with "error", a sentence, and perhaps "kind", which
// stands for one of the store's errors; the client makes that error of it again.
//
// What is large goes through a temporary file beside the household's, so that no
// reading transaction waits for a slow client, and a failure is known before the
// first byte is sent.
func New(s *store.Store, d Door) http.Handler {
	c := &server{s, d}
	mux := http.NewServeMux()
	mux.Handle("GET /export", handler(c.export))
	mux.Handle("GET /backup", handler(c.backup))
	mux.Handle("GET /check", handler(c.check))
	mux.Handle("GET /totals", handler(c.totals))
	mux.Handle("GET /healthz", handler(c.health))
	mux.Handle("GET /members", handler(c.members))
	mux.Handle("POST /members/remove", c.alter(remove))
	mux.Handle("POST /members/rename", c.alter(rename))
	mux.Handle("POST /members/owner", c.alter(setOwner))
	mux.Handle("POST /invite", handler(c.invite))
	mux.Handle("POST /link", handler(c.link))
	mux.Handle("GET /outbox", handler(c.outbox))
	mux.Handle("POST /outbox/retry", handler(c.resend))
	mux.Handle("POST /outbox/drop", handler(c.discard))
	mux.Handle("GET /parked", handler(c.parked))
	mux.Handle("POST /parked/retry", handler(c.retry))
	mux.Handle("POST /parked/drop", handler(c.unpark))
	return mux
}

type server struct {
	store *store.Store
	door  Door
}

// handler is a handler that may fail as long as it has not begun to answer.
type handler func(http.ResponseWriter, *http.Request) error

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	err := h(w, r)
	if err == nil {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	status := http.StatusInternalServerError
	if errors.Is(err, errBadRequest) {
		status = http.StatusBadRequest
	}
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(failure{err.Error(), kindOf(err)})
}

var errBadRequest = errors.New("bad request")

// failure is how an error crosses the socket.
type failure struct {
	Error string `json:"error"`
	Kind  string `json:"kind,omitempty"`
}

// kinds names the errors that the other side must be able to tell apart.
var kinds = map[string]error{
	"damaged": store.ErrDamaged, "full": store.ErrDiskFull, "closed": store.ErrClosed,
	"no member": ErrNoMember, "owner": ErrOwner, "gone": ErrGone, "name": ErrName, "no pages": ErrNoPages,
	"no message": store.ErrNoSuchMessage, "outdated": store.ErrOutdated, "carried": store.ErrCarried, "away": store.ErrAway,
	"not parked": store.ErrNotParked,
}

func kindOf(err error) string {
	if _, ok := errors.AsType[*store.DamageError](err); ok {
		return "damaged"
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return "full"
	}
	for kind, sentinel := range kinds {
		if errors.Is(err, sentinel) {
			return kind
		}
	}
	return ""
}

func (c *server) export(w http.ResponseWriter, r *http.Request) error {
	name := r.FormValue("format")
	format, ok := exchange.FormatNamed(name)
	if !ok {
		return fmt.Errorf("%w: there is no format %q", errBadRequest, name)
	}
	spool, err := c.spool()
	if err != nil {
		return err
	}
	defer spool.Close()
	if err := c.store.View(func(tx *store.Tx) error { return format.Write(spool, rows(tx)) }); err != nil {
		return fmt.Errorf("exporting: %w", err)
	}
	return send(w, spool, format.MediaType)
}

// spool makes a file beside the household's that has no name any more.
func (c *server) spool() (*os.File, error) {
	temp, err := store.NewTemp(filepath.Dir(c.store.Path()))
	if err != nil {
		return nil, fmt.Errorf("making a temporary directory: %w", err)
	}
	defer temp.Close()
	return temp.Create("spool")
}

func (c *server) backup(w http.ResponseWriter, r *http.Request) error {
	f, err := c.copy(r.Context())
	if err != nil {
		return err
	}
	defer f.Close()
	return send(w, f, "application/octet-stream")
}

// check verifies a fresh copy and not the file itself, because that is done in a
// child process: damage can kill the process that reads it, and it must not kill
// the server.
func (c *server) check(w http.ResponseWriter, r *http.Request) error {
	f, err := c.copy(r.Context())
	if err != nil {
		return err
	}
	f.Close()
	return c.totals(w, r)
}

// copy makes a verified copy of the file that has no name any more.
func (c *server) copy(ctx context.Context) (*os.File, error) {
	temp, err := store.NewTemp(filepath.Dir(c.store.Path()))
	if err != nil {
		return nil, fmt.Errorf("making a temporary directory: %w", err)
	}
	defer temp.Close()
	path := temp.Path(filepath.Base(c.store.Path()))
	if _, err := c.store.Backup(ctx, path); err != nil {
		return nil, fmt.Errorf("copying the file: %w", errors.Unwrap(err)) // without the temporary path
	}
	return os.Open(path)
}

// send answers with all of the file. Once it has begun, a failure can only be
// shown by breaking the connection off.
func send(w http.ResponseWriter, f *os.File, mediaType string) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	if _, err := io.CopyN(w, f, info.Size()); err != nil {
		panic(http.ErrAbortHandler)
	}
	return nil
}

func sendJSON(w http.ResponseWriter, v any) error {
	w.Header().Set("Content-Type", "application/json")
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(http.ErrAbortHandler)
	}
	return nil
}
