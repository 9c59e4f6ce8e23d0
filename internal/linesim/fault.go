package linesim

import (
	"net"
	"net/http"
	"syscall"
	"time"
)

// Texts of LINE's refusals (LINE reference). Only the text tells the two kinds
// of 429 apart.
const (
	MessageUnauthorized = "Authentication failed. Confirm that the access token in the authorization header is valid."
	MessageRateLimit    = "The API rate limit has been exceeded. Try again later."
	MessageQuota        = "You have reached your monthly limit."
	MessageReplyToken   = "Invalid reply token" // unknown, used and expired alike
	MessageRetryKey     = "The retry key is already accepted"
)

// Fault is what goes wrong with one API call. The zero Fault is none. A fault
// either keeps the call from being accepted, or spoils the answer: then LINE's
// rules are applied as always, and what they accept is accepted.
type Fault struct {
	kind    faultKind
	status  int
	message string
	delay   time.Duration
}

type faultKind int

const (
	none faultKind = iota
	notAccepted
	refused // cut before the request is read
	down
	lost // cut instead of the answer
	accepted500
	garbled
	slow
)

// NotAccepted answers with a status and does nothing else. message "" is what
// LINE says with 401, 429 (the rate limit) and otherwise the status text.
func NotAccepted(status int, message string) Fault {
	if message == "" {
		message = usualMessage(status)
	}
	return Fault{kind: notAccepted, status: status, message: message}
}

func usualMessage(status int) string {
	switch status {
	case http.StatusUnauthorized:
		return MessageUnauthorized
	case http.StatusTooManyRequests:
		return MessageRateLimit
	}
	return http.StatusText(status)
}

// Refuse cuts the connection before the request is read: nothing is accepted,
// and the caller can't know that.
func Refuse() Fault { return Fault{kind: refused} }

// Down is a LINE that can't be reached. Through [Transport] the caller gets
// "connection refused" and knows that nothing was sent; on a socket, which
// stands by then, it is Refuse. There, end what Start or Listen began.
func Down() Fault { return Fault{kind: down} }

// Lost cuts the connection instead of answering.
func Lost() Fault { return Fault{kind: lost} }

// Accepted500 answers 500 whatever was accepted.
func Accepted500() Fault { return Fault{kind: accepted500} }

// Garbled answers with the right status and a body that is no JSON.
func Garbled() Fault { return Fault{kind: garbled} }

// Slow answers after d. A caller who has hung up by then gets nothing.
func Slow(d time.Duration) Fault { return Fault{kind: slow, delay: d} }

// Fail gives the next calls of reply and push, in the order in which they come,
// a fault each; the zero Fault lets one pass. Further faults queue up behind.
func (p *Platform) Fail(faults ...Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = append(p.faults, faults...)
}

// SetFault gives every API call that no fault of Fail is for the fault that f
// says; f = nil ends that. f must be safe for concurrent use and leave the
// request's body alone.
func (p *Platform) SetFault(f func(r *http.Request) Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.standing = f
}

// nextFault takes the fault of one call.
func (p *Platform) nextFault(r *http.Request) Fault {
	p.mu.Lock()
	if sends := r.URL.Path == replyPath || r.URL.Path == pushPath; sends && len(p.faults) > 0 {
		f := p.faults[0]
		p.faults = p.faults[1:]
		p.mu.Unlock()
		return f
	}
	standing := p.standing
	p.mu.Unlock()
	if standing == nil {
		return Fault{}
	}
	return standing(r)
}

// unread says whether the connection is cut before the request is read.
func (f Fault) unread() bool { return f.kind == refused || f.kind == down }

// spoil is what the caller gets instead of an answer.
func (f Fault) spoil(a answer) answer {
	switch f.kind {
	case lost:
		return answer{} // status 0: cut
	case accepted500:
		return failure(http.StatusInternalServerError, http.StatusText(http.StatusInternalServerError))
	case garbled:
		a.body = []byte(`{"sentMessages":[{"id":`)
	}
	return a
}

// cut ends the connection without an answer. It does not return.
func (f Fault) cut(w http.ResponseWriter) {
	if rec, ok := w.(*recorder); ok && f.kind == down {
		rec.broken = &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	}
	panic(http.ErrAbortHandler)
}
