package linesim_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ichido/internal/linesim"
)

func roundTrip(ctx context.Context, h http.HandlerFunc, body string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://bot.test/a?b=c", strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	return linesim.Transport(h).RoundTrip(req)
}

func TestTransportIsAConnection(t *testing.T) {
	resp, err := roundTrip(t.Context(), func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("X-Seen", r.Method+" "+r.Host+" "+r.RequestURI+" "+string(body))
		w.WriteHeader(http.StatusTeapot)
		w.Header().Set("X-Late", "no")
		w.WriteHeader(http.StatusOK)
		_, _ = io.WriteString(w, "answer")
	}, "question")
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusTeapot || string(body) != "answer" || resp.ContentLength != 6 || resp.Header.Get("X-Late") != "" {
		t.Errorf("%+v, %s", resp, body)
	}
	if got := resp.Header.Get("X-Seen"); got != "POST bot.test /a?b=c question" {
		t.Errorf("the handler saw %s", got)
	}
}

func TestTransportEmptyAnswerIs200(t *testing.T) {
	resp, err := roundTrip(t.Context(), func(http.ResponseWriter, *http.Request) {}, "")
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("%+v, %v", resp, err)
	}
}

func TestTransportPanicsAreCuts(t *testing.T) {
	for _, v := range []any{http.ErrAbortHandler, "boom", errors.New("boom")} {
		_, err := roundTrip(t.Context(), func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusOK)
			panic(v)
		}, "")
		if !errors.Is(err, io.ErrUnexpectedEOF) || (v != http.ErrAbortHandler) != strings.Contains(err.Error(), "boom") {
			t.Errorf("panic(%v): %v", v, err)
		}
	}
}

func TestTransportContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var inside context.Context
		finished := false
		_, err := roundTrip(ctx, func(_ http.ResponseWriter, r *http.Request) {
			inside = r.Context()
			<-inside.Done()
			time.Sleep(time.Hour) // it goes on without its caller
			finished = true
		}, "")
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if !finished {
			t.Error("the handler was stopped")
		}
		called := false
		if _, err := roundTrip(ctx, func(http.ResponseWriter, *http.Request) { called = true }, ""); err == nil || called {
			t.Errorf("after its end: %v, called %v", err, called)
		}
		_, err = roundTrip(t.Context(), func(_ http.ResponseWriter, r *http.Request) { inside = r.Context() }, "")
		if err != nil || inside.Err() == nil {
			t.Errorf("%v; the handler's context outlives it: %v", err, inside.Err())
		}
	})
}
