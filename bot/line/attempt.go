package line

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/line/line-bot-sdk-go/v8/linebot/messaging_api"

	"ichido/store"
)

// result is how one call of LINE's API ended.
type result struct {
	kind   kind
	status int    // HTTP status, 0 if no answer came
	reason string // why none came

	// sent are LINE's IDs of the messages, of a call that was accepted; nil if LINE
	// did not tell them so that they can be trusted.
	sent []string
}

// kind is what the end of a call means for the message.
type kind int

const (
	accepted kind = iota // LINE has it
	wait                 // LINE has certainly not taken it and may do so later
	doubt                // nobody knows whether LINE has it
	refused              // LINE has certainly not taken it and never will
)

// String names the end for the log.
func (r result) String() string {
	why := r.reason
	if r.status != 0 {
		why = strconv.Itoa(r.status)
	}
	return fmt.Sprintf("%s (%s)", [...]string{"accepted", "wait", "doubt", "refused"}[r.kind], why)
}

// call makes the attempt that the message describes.
func (s *sender) call(ctx context.Context, o store.Outgoing) result {
	if o.Pushing {
		return s.push(ctx, o.Chat, o.Payload, o.RetryKey)
	}
	return s.reply(ctx, o.ReplyToken, o.Payload)
}

// with returns a client of its own for the context: the SDK's WithContext
// changes the client that it is called on.
func (s *sender) with(ctx context.Context) *messaging_api.MessagingApiAPI {
	client := *s.client
	return client.WithContext(ctx)
}

func (s *sender) reply(ctx context.Context, token string, payload []byte) result {
	messages, err := rawMessages(payload)
	if err != nil {
		return result{kind: refused, reason: "unreadable in the outbox"}
	}
	ctx, connected, cancel := callContext(ctx)
	defer cancel()
	res, answer, err := s.with(ctx).ReplyMessageWithHttpInfo(&messaging_api.ReplyMessageRequest{ReplyToken: token, Messages: messages})
	end := judge(res, err, connected.Load())
	if answer != nil {
		end.sent = sentIDs(answer.SentMessages, len(messages))
	}
	return end
}

func (s *sender) push(ctx context.Context, to string, payload []byte, retryKey string) result {
	messages, err := rawMessages(payload)
	if err != nil {
		return result{kind: refused, reason: "unreadable in the outbox"}
	}
	ctx, connected, cancel := callContext(ctx)
	defer cancel()
	res, answer, err := s.with(ctx).PushMessageWithHttpInfo(&messaging_api.PushMessageRequest{To: to, Messages: messages}, retryKey)
	before := messaging_api.PushMessageResponse{}
	conflict := res != nil && res.StatusCode == http.StatusConflict // accepted with this retry key, before
	if conflict && json.NewDecoder(res.Body).Decode(&before) == nil {
		answer = &before
	}
	end := judge(res, err, connected.Load())
	if conflict {
		end.kind = accepted
	}
	if answer != nil {
		end.sent = sentIDs(answer.SentMessages, len(messages))
	}
	return end
}

// sentIDs gives the IDs of n messages; nil unless there is one for each.
func sentIDs(sent []messaging_api.SentMessage, n int) (ids []string) {
	for _, m := range sent {
		if m.Id != "" && !slices.Contains(ids, m.Id) {
			ids = append(ids, shorten(m.Id))
		}
	}
	if len(ids) != n || len(sent) != n {
		return nil
	}
	return ids
}

// callContext limits a call and notes whether it got a connection, with TLS and
// all. Before that nothing of it can have been sent.
func callContext(ctx context.Context) (_ context.Context, connected *atomic.Bool, cancel func()) {
	ctx, connected = noteConnection(ctx)
	ctx, cancel = context.WithTimeout(ctx, callTimeout)
	return ctx, connected, cancel
}

// noteConnection notes whether a call with this context gets a connection.
func noteConnection(ctx context.Context) (_ context.Context, connected *atomic.Bool) {
	connected = new(atomic.Bool)
	note := func(httptrace.GotConnInfo) { connected.Store(true) }
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: note}), connected
}

// judge reads the end of a call from the status, whatever could be made of the
// body: a 2xx that can't be read was accepted.
func judge(res *http.Response, err error, connected bool) result {
	if res == nil {
		end := result{kind: doubt, reason: "no answer"}
		if _, unsent := errors.AsType[*unsentError](err); unsent || !connected {
			end.kind = wait
		}
		var call *url.Error
		if errors.As(err, &call) {
			end.reason = call.Err.Error()
		}
		return end
	}
	drain(res)
	end := result{status: res.StatusCode}
	switch status := res.StatusCode; {
	case status/100 == 2:
		end.kind = accepted
	case status/100 == 5:
		end.kind = doubt
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusTooManyRequests, status/100 != 4:
		end.kind = wait
	default:
		end.kind = refused
	}
	return end
}

// newTransport gives up connecting well before a whole call times out, so that a
// LINE that can't be reached is told from one that does not answer.
func newTransport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DialContext = (&net.Dialer{Timeout: callTimeout / 2}).DialContext
	t.MaxIdleConnsPerHost = maxCalls
	return t
}
