package control

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
)

// inProcess is a RoundTripper that calls a handler. The answer's body goes
// through a pipe, so that it is never in memory as a whole.
type inProcess struct{ handler http.Handler }

// RoundTrip returns when the handler has begun to answer. Closing the answer's
// body ends the handler and waits for that.
func (t inProcess) RoundTrip(req *http.Request) (*http.Response, error) {
	body, pipe := io.Pipe()
	w := &pipeWriter{header: http.Header{}, pipe: pipe, begun: make(chan struct{}), ended: make(chan struct{})}
	stop := context.AfterFunc(req.Context(), func() { pipe.CloseWithError(context.Cause(req.Context())) })
	go func() {
		defer close(w.ended)
		defer stop()
		w.serve(t.handler, req)
	}()
	<-w.begun
	length, err := strconv.ParseInt(w.sent.Get("Content-Length"), 10, 64)
	if err != nil {
		length = -1
	}
	return &http.Response{
		Status: fmt.Sprintf("%d %s", w.status, http.StatusText(w.status)), StatusCode: w.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.sent, Body: pipeBody{body, w.ended}, ContentLength: length, Request: req,
	}, nil
}

// pipeBody is the reader's side.
type pipeBody struct {
	*io.PipeReader
	ended <-chan struct{}
}

func (b pipeBody) Close() error {
	err := b.PipeReader.Close()
	<-b.ended
	return err
}

// pipeWriter is the handler's side.
type pipeWriter struct {
	header http.Header
	pipe   *io.PipeWriter
	once   sync.Once
	begun  chan struct{} // closed when status and sent are there
	ended  chan struct{} // closed when the handler has returned

	status int
	sent   http.Header // the header as it was when the answer began
}

// serve runs the handler. As with a server, a handler that panics breaks the
// answer off.
func (w *pipeWriter) serve(h http.Handler, req *http.Request) {
	defer func() {
		p := recover()
		w.WriteHeader(http.StatusInternalServerError) // does nothing if the answer has begun
		if p != nil {
			w.pipe.CloseWithError(io.ErrUnexpectedEOF)
		}
		w.pipe.Close()
	}()
	h.ServeHTTP(w, req)
	w.WriteHeader(http.StatusOK)
}

func (w *pipeWriter) Header() http.Header { return w.header }

func (w *pipeWriter) WriteHeader(status int) {
	w.once.Do(func() {
		w.status, w.sent = status, w.header.Clone()
		close(w.begun)
	})
}

func (w *pipeWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.pipe.Write(p)
}
