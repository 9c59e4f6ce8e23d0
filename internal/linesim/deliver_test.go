package linesim_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ichido/internal/linesim"
)

func TestDeliverIsOneSignedPost(t *testing.T) {
	p, in := newBot(linesim.Options{}, status(http.StatusAccepted))
	first, second := p.Text(taro, "ランチ 900"), p.GroupText(family, hanako, "x")
	raw := linesim.Event{Raw: json.RawMessage(`{"type": "message"  ,`)}
	code, err := p.Deliver(t.Context(), second, first, raw)
	if code != http.StatusAccepted || err != nil {
		t.Fatalf("got %d, %v", code, err)
	}
	got := <-in.got
	if string(got.body) != string(p.Body(second, first, raw)) || got.signature != p.Sign(got.body) {
		t.Errorf("body %s, signature %s", got.body, got.signature)
	}
	want := `{"destination":"` + linesim.BotUserID + `","events":[` + string(second.JSON()) + "," + string(first.JSON()) + "," + `{"type": "message"  ,]}`
	if string(got.body) != want {
		t.Errorf("body %s", got.body)
	}
	if len(in.got) != 0 {
		t.Error("more than one POST")
	}
}

func TestDeliverErrors(t *testing.T) {
	if _, err := linesim.New(linesim.Options{}).Deliver(t.Context()); !errors.Is(err, linesim.ErrNoWebhook) {
		t.Errorf("without a URL: %v", err)
	}
	p, _ := newBot(linesim.Options{}, cut)
	if code, err := p.Deliver(t.Context()); code != 0 || err == nil {
		t.Errorf("cut: %d, %v", code, err)
	}
}

func TestDeliverTimesIsAtTheSameTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wait := hang(time.Second)
		p, in := newBot(linesim.Options{}, wait, wait, wait, status(503))
		begin := time.Now()
		results := p.DeliverTimes(t.Context(), 4, p.Text(taro, "x"))
		if took := time.Since(begin); took != time.Second {
			t.Errorf("took %v: not at the same time", took)
		}
		count := map[linesim.Result]int{}
		for _, r := range results {
			count[r]++
		}
		if diff := cmp.Diff(map[linesim.Result]int{{Status: 200}: 3, {Status: 503}: 1}, count); diff != "" {
			t.Error(diff)
		}
		first := <-in.got
		for range 3 {
			if next := <-in.got; string(next.body) != string(first.body) {
				t.Errorf("%s is not %s", next.body, first.body)
			}
		}
	})
}

func TestDeliverUntil2xx(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, in := newBot(linesim.Options{}, status(503), cut, hang(3*time.Second), status(302))
		e := p.Text(taro, "x")
		begin := time.Now()
		tries, err := p.DeliverUntil2xx(t.Context(), 9, time.Minute, e)
		if tries != 5 || err != nil {
			t.Errorf("%d tries, %v", tries, err)
		}
		// 2 s of them is LINE's patience with the one that hangs.
		if took := time.Since(begin); took != 4*time.Minute+2*time.Second {
			t.Errorf("took %v", took)
		}
		synctest.Wait()
		if got := (<-in.got).body; string(got) != string(p.Body(e)) {
			t.Errorf("first: %s", got)
		}
		for range 4 {
			if got := (<-in.got).body; string(got) != string(p.Body(e.Redelivered())) {
				t.Errorf("redelivered: %s", got)
			}
		}
		time.Sleep(time.Second) // the handler that hangs ends
	})
}

func TestDeliverUntil2xxGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, _ := newBot(linesim.Options{}, status(500), status(500), status(500), status(500))
		if tries, err := p.DeliverUntil2xx(t.Context(), 2, time.Second, p.Text(taro, "x")); tries != 2 || err == nil {
			t.Errorf("%d tries, %v", tries, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		tries, err := p.DeliverUntil2xx(ctx, 9, time.Hour, p.Text(taro, "x"))
		if tries != 1 || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%d tries, %v", tries, err)
		}
	})
}
