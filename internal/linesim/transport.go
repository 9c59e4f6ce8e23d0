package linesim

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
)

// Transport is a RoundTripper that calls a handler instead of a server, so that
// nothing but goroutines and timers is involved: fit for testing/synctest.
//
// It behaves as a connection to net/http's server would: the handler runs in a
// goroutine of its own; its context ends with the request's and when it returns;
// a caller whose context ends gets that error at once while the handler goes on;
// a panic cuts the connection, which is io.ErrUnexpectedEOF (with the panic's
// value, unless it is http.ErrAbortHandler). Bodies are buffered whole, so an
// answer arrives when the handler has returned.
func Transport(h http.Handler) http.RoundTripper { return direct{h} }

type direct struct{ handler http.Handler }

func (d direct) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := readAll(req.Body)
	if err != nil {
		return nil, err
	}
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	rec := &recorder{header: make(http.Header)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		ctx, cancel := context.WithCancel(req.Context())
		defer cancel()
		rec.run(d.handler, serverRequest(ctx, req, body))
	}()
	select {
	case <-done:
		if _, refused := rec.broken.(*net.OpError); !refused {
			gotConn(req)
		}
		return rec.response(req)
	case <-req.Context().Done():
		gotConn(req)
		return nil, req.Context().Err()
	}
}

// gotConn tells the request's trace that there was a connection, later than a
// real one would.
func gotConn(req *http.Request) {
	if trace := httptrace.ContextClientTrace(req.Context()); trace != nil && trace.GotConn != nil {
		trace.GotConn(httptrace.GotConnInfo{})
	}
}

// readAll reads and closes a request's body, which may be nil.
func readAll(body io.ReadCloser) ([]byte, error) {
	if body == nil {
		return nil, nil
	}
	defer body.Close()
	return io.ReadAll(body)
}

// serverRequest is the request as a server sees it. The caller's stays as it is.
func serverRequest(ctx context.Context, req *http.Request, body []byte) *http.Request {
	r := req.Clone(ctx)
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.GetBody = nil
	r.ContentLength = int64(len(body))
	r.RequestURI = req.URL.RequestURI()
	r.RemoteAddr = "127.0.0.1:1"
	if r.Host == "" {
		r.Host = req.URL.Host
	}
	return r
}

// recorder is the ResponseWriter of one call. One goroutine uses it at a time.
type recorder struct {
	header http.Header
	sent   http.Header // as it was when the status was written
	status int         // 0 = not written yet
	body   bytes.Buffer
	broken error // what the caller gets instead of an answer
}

func (rec *recorder) Header() http.Header { return rec.header }

func (rec *recorder) WriteHeader(status int) {
	if rec.status != 0 || status/100 == 1 {
		return
	}
	rec.status, rec.sent = status, rec.header.Clone()
}

func (rec *recorder) Write(b []byte) (int, error) {
	rec.WriteHeader(http.StatusOK)
	return rec.body.Write(b)
}

// run calls the handler and turns its panic into a cut.
func (rec *recorder) run(h http.Handler, r *http.Request) {
	defer func() {
		v := recover()
		if v == nil || rec.broken != nil {
			return
		}
		rec.broken = io.ErrUnexpectedEOF
		if v != http.ErrAbortHandler {
			rec.broken = fmt.Errorf("the handler panicked: %v: %w", v, io.ErrUnexpectedEOF)
		}
	}()
	h.ServeHTTP(rec, r)
	rec.WriteHeader(http.StatusOK)
}

func (rec *recorder) response(req *http.Request) (*http.Response, error) {
	if rec.broken != nil {
		return nil, rec.broken
	}
	return &http.Response{
		Status:        fmt.Sprintf("%d %s", rec.status, http.StatusText(rec.status)),
		StatusCode:    rec.status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        rec.sent,
		Body:          io.NopCloser(&rec.body),
		ContentLength: int64(rec.body.Len()),
		Request:       req,
	}, nil
}
