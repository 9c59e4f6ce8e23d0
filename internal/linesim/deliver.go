package linesim

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// ErrNoWebhook is returned by deliveries while no webhook URL is set.
var ErrNoWebhook = errors.New("linesim: no webhook URL is set")

// Result is what became of one POST: Status 0 with an Err, or the status.
type Result struct {
	Status int
	Err    error
}

// Body is the body of the webhook with these events in this order; with none it
// is what the console's Verify button sends.
func (p *Platform) Body(events ...Event) []byte {
	list := make([][]byte, len(events))
	for i, e := range events {
		list[i] = e.JSON()
	}
	// Joined by hand: encoding/json would compact a Raw event, or refuse it.
	var b bytes.Buffer
	b.WriteString(`{"destination":"` + BotUserID + `","events":[`)
	b.Write(bytes.Join(list, []byte(",")))
	b.WriteString(`]}`)
	return b.Bytes()
}

// Sign is the value of X-Line-Signature for a body: base64 of HMAC-SHA256 with
// the channel secret.
func (p *Platform) Sign(body []byte) string {
	mac := hmac.New(sha256.New, []byte(p.Secret()))
	mac.Write(body)
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// Request is the signed POST of a body, for use by hand. The age of the reply
// tokens in it counts from now. Errors: ErrNoWebhook, or a URL that is none.
func (p *Platform) Request(ctx context.Context, body []byte) (*http.Request, error) {
	p.mu.Lock()
	url := p.webhook
	p.mu.Unlock()
	return p.requestTo(ctx, url, body)
}

func (p *Platform) requestTo(ctx context.Context, url string, body []byte) (*http.Request, error) {
	if url == "" {
		return nil, ErrNoWebhook
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("making the webhook request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json; charset=utf-8")
	req.Header.Set("User-Agent", "LineBotWebhook/2.0")
	req.Header.Set("X-Line-Signature", p.Sign(body))
	p.armAll(body)
	return req, nil
}

// armAll starts the age of every reply token in a body anew. Events that can't
// be read have none.
func (p *Platform) armAll(body []byte) {
	var envelope struct{ Events []json.RawMessage }
	if json.Unmarshal(body, &envelope) != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, raw := range envelope.Events {
		var e struct {
			ReplyToken      string
			Source          Source // encoding/json matches userId and UserID
			DeliveryContext struct{ IsRedelivery bool }
		}
		if json.Unmarshal(raw, &e) != nil || e.ReplyToken == "" {
			continue
		}
		now := time.Now()
		if e.DeliveryContext.IsRedelivery && p.dropped(now, e.ReplyToken) {
			continue
		}
		p.arm(e.ReplyToken, e.Source.Chat(), now)
	}
}

// Deliver posts the events in one webhook, once, and waits for the answer as
// long as ctx and the client do. Any status is a success here. An error, with
// status 0, means that no answer came, or ErrNoWebhook that nothing was posted.
func (p *Platform) Deliver(ctx context.Context, events ...Event) (status int, err error) {
	req, err := p.Request(ctx, p.Body(events...))
	if err != nil {
		return 0, err
	}
	return p.post(req)
}

func (p *Platform) post(req *http.Request) (status int, err error) {
	resp, err := p.client.Do(req)
	if err != nil {
		return 0, fmt.Errorf("delivering a webhook: %w", err)
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return 0, fmt.Errorf("delivering a webhook: reading the answer: %w", err)
	}
	return resp.StatusCode, nil
}

// DeliverTimes posts the same webhook n times at the same time and waits for
// all the answers. LINE does send duplicates with isRedelivery false.
func (p *Platform) DeliverTimes(ctx context.Context, n int, events ...Event) []Result {
	body := p.Body(events...)
	results := make([]Result, n)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range results {
		req, err := p.Request(ctx, body)
		if err != nil {
			results[i].Err = err
			continue
		}
		wg.Go(func() {
			<-start
			results[i].Status, results[i].Err = p.post(req)
		})
	}
	close(start)
	wg.Wait()
	return results
}

// DeliverUntil2xx posts the events until a 2xx comes, as LINE does with webhook
// redelivery switched on: IDs, tokens and timestamps stay, isRedelivery is true
// from the second try on. A try fails by any other status, by a cut, or by
// taking longer than WebhookTimeout; pause lies between two tries. tries are
// the POSTs made. The error tells how the last of attempts failed, or that ctx
// has ended.
func (p *Platform) DeliverUntil2xx(ctx context.Context, attempts int, pause time.Duration, events ...Event) (tries int, err error) {
	err = errors.New("linesim: no attempts allowed")
	for tries < attempts {
		if tries == 1 {
			events = redelivered(events)
		}
		if tries > 0 && !sleep(ctx, pause) {
			return tries, ctx.Err()
		}
		tries++
		if err = p.try(ctx, events); err == nil {
			return tries, nil
		}
		if ctx.Err() != nil {
			return tries, ctx.Err()
		}
	}
	return tries, err
}

// try is one POST by LINE's measure; nil means 2xx in time.
func (p *Platform) try(ctx context.Context, events []Event) error {
	ctx, cancel := context.WithTimeout(ctx, WebhookTimeout)
	defer cancel()
	status, err := p.Deliver(ctx, events...)
	if err == nil && status/100 != 2 {
		err = fmt.Errorf("delivering a webhook: status %d", status)
	}
	return err
}

func redelivered(events []Event) []Event {
	again := make([]Event, len(events))
	for i, e := range events {
		again[i] = e.Redelivered()
	}
	return again
}

// sleep waits for d and reports whether ctx lasted so long.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
