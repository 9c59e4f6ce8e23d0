package sim

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"ichido/internal/linesim"
)

// roundTrip is a function that carries requests.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

var (
	errCut     = errors.New("the connection was cut")
	errRefused = &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
)

// The moments at which a process can be made to die.
type moment string

const (
	beforeCommit   moment = "dead before a commit"
	betweenCommits moment = "dead between a commit and what follows from it"
	afterCommit    moment = "dead after a commit, before its answer"
	beforeCall     moment = "dead before LINE got a call"
	afterCall      moment = "dead after LINE got a call, before its answer"
	idle           moment = "dead while nothing happens"
	inBackup       moment = "dead in the middle of a backup"
)

// death is a moment that is to come: after so many of its kind.
type death struct {
	moment moment
	left   atomic.Int64
}

func (w *world) arm(m moment, after int) {
	d := &death{moment: m}
	d.left.Store(int64(after))
	w.armed.Store(d)
}

// hits says whether the process dies at this moment.
func (w *world) hits(p *process, m moment) bool {
	d := w.armed.Load()
	if d == nil || d.moment != m || p.dead.Load() || d.left.Add(-1) != 0 {
		return false
	}
	w.armed.Store(nil)
	w.happened.note(string(m))
	return true
}

// weather is how things are at the time, from good to bad. The zero value is calm.
type weather struct{ sky, sea atomic.Int32 }

// The kinds of weather, of LINE (sky) and of the disk (sea).
const (
	calm int32 = iota
	unsteady
	stormy // nothing gets through
)

func (w *weather) set(to int32) {
	w.sky.Store(to)
	w.sea.Store(to)
}

// disk is how long the disk takes for a commit.
func (w *world) disk() time.Duration {
	r := w.at("disk")
	switch sea := w.weather.sea.Load(); {
	case sea == stormy && oneIn(r, 3):
		w.happened.note("disk of many seconds")
		return between(r, 3*time.Second, 20*time.Second)
	case sea >= unsteady && oneIn(r, 3):
		w.happened.note("disk of a second")
		return between(r, 100*time.Millisecond, 3*time.Second)
	}
	return between(r, 20*time.Microsecond, 2*time.Millisecond)
}

// faults are those that a call of LINE's API can meet, by their names.
var faults = map[string]linesim.Fault{
	"answer lost":         linesim.Lost(),
	"500 though taken":    linesim.Accepted500(),
	"slow":                linesim.Slow(15 * time.Second),
	"500":                 linesim.NotAccepted(500, ""),
	"cut":                 linesim.Refuse(),
	"429":                 linesim.NotAccepted(429, ""),
	"401":                 linesim.NotAccepted(401, ""),
	"down":                linesim.Down(),
	"reply token refused": linesim.NotAccepted(400, linesim.MessageReplyToken),
	"unreadable answer":   linesim.Garbled(),
}

// faultHeader tells the platform which fault a call meets.
const faultHeader = "Sim-Fault"

func faultOf(r *http.Request) linesim.Fault { return faults[r.Header.Get(faultHeader)] }

// fault is the name of the fault that a call meets now; "" is none.
func (w *world) fault(r *http.Request, name string) string {
	chance := w.at(name)
	push := strings.HasSuffix(r.URL.Path, "/push")
	sky := w.weather.sky.Load()
	if sky == stormy {
		return []string{"down", "down", "500", "slow"}[chance.IntN(4)]
	}
	if sky == calm && !w.flawed() || chance.IntN(10) >= 3 {
		return ""
	}
	all := []string{"answer lost", "answer lost", "500 though taken", "slow", "500", "cut", "429", "401", "down", "unreadable answer"}
	if push {
		all = append(all, "429", "429", "429", "429", "429") // so that answers wait and go along with others
	} else {
		all = append(all, "reply token refused", "reply token refused", "reply token refused", "reply token refused")
	}
	return all[chance.IntN(len(all))]
}

// flawed says whether even calm weather has its faults.
func (w *world) flawed() bool { return !w.resting.Load() }

// call carries a call of LINE's API there and its answer back.
func (p *process) call(r *http.Request) (*http.Response, error) {
	w := p.world
	sends := strings.HasSuffix(r.URL.Path, "/push") || strings.HasSuffix(r.URL.Path, "/reply")
	name := r.Method + r.URL.Path + words(r)
	time.Sleep(between(w.at("out "+name), time.Millisecond, 80*time.Millisecond))
	if sends && w.hits(p, beforeCall) {
		p.kill()
	}
	if p.dead.Load() {
		return nil, errCut
	}
	if sends {
		fault := w.fault(r, name)
		r = r.Clone(r.Context())
		r.Header.Set(faultHeader, fault)
		w.noteCall(r, fault)
		w.step("LINE gets %s, %s", name, cmp.Or(fault, "good"))
	}
	res, err := w.line.RoundTrip(r)
	time.Sleep(between(w.at("back "+name), time.Millisecond, 80*time.Millisecond))
	if sends && w.hits(p, afterCall) {
		p.kill()
	}
	if p.dead.Load() {
		return nil, errCut
	}
	return res, err
}

// words are what the messages of a call say.
func words(r *http.Request) string {
	var said []byte
	for i, part := range bytes.Split(bodyOf(r), []byte(`ext":"`)) { // text and altText
		if end := bytes.IndexByte(part, '"'); i > 0 && end >= 0 {
			said = append(said, part[:end+1]...)
		}
	}
	return string(said)
}

// bodyOf is what a request that a client has made brings.
func bodyOf(r *http.Request) []byte {
	if r.GetBody == nil {
		return nil
	}
	body, err := r.GetBody()
	if err != nil {
		return nil
	}
	content, _ := io.ReadAll(body) // it is in memory
	return content
}

func (w *world) noteCall(r *http.Request, fault string) {
	if fault != "" {
		w.happened.note("LINE: " + fault)
	}
	if strings.HasSuffix(r.URL.Path, "/push") {
		w.happened.note("push")
	}
}

// webhook carries what LINE posts to the program and its answer back.
func (w *world) webhook(r *http.Request) (*http.Response, error) {
	return w.request(r, "webhook", func(p *process) http.RoundTripper {
		if bytes.Count(bodyOf(r), []byte(`"webhookEventId"`)) > 1 {
			w.burst.Store(time.Now().UnixNano())
		}
		return p.hook
	})
}

// request carries a request to the program, if it runs, and the answer back, if it is not
// lost.
func (w *world) request(r *http.Request, what string, to func(*process) http.RoundTripper) (*http.Response, error) {
	time.Sleep(between(w.at(what+" out"), time.Millisecond, 50*time.Millisecond))
	p := w.process.Load()
	if p == nil || p.dead.Load() {
		w.happened.note(what + ": nobody there")
		return nil, errRefused
	}
	w.step("%s %s", what, strings.SplitAfter(r.URL.Path, "/enter/")[0])
	res, err := to(p).RoundTrip(r)
	chance := w.at(what + " back")
	time.Sleep(between(chance, time.Millisecond, 50*time.Millisecond))
	if w.hits(p, afterCommit) {
		p.kill()
	}
	if p.dead.Load() {
		return nil, errCut
	}
	if err == nil && !w.resting.Load() && oneIn(chance, 15) {
		w.happened.note(what + ": answer lost")
		return nil, errCut
	}
	return res, err
}

// misfortune lets something bad begin, or end.
func (w *world) misfortune() {
	switch n := w.IntN(100); {
	case n < 6:
		w.weather.sky.Store([]int32{calm, calm, unsteady, unsteady, unsteady, stormy}[w.IntN(6)])
		w.tracef("LINE is now %d", w.weather.sky.Load())
	case n < 9 && w.loose():
		w.weather.sea.Store([]int32{calm, calm, calm, unsteady, stormy}[w.IntN(5)])
		w.tracef("the disk is now %d", w.weather.sea.Load())
	case n < 12:
		w.jump()
	case n < 15:
		w.copyFile()
	case n < 19:
		m := []moment{beforeCommit, betweenCommits, afterCommit, beforeCall, afterCall}[w.IntN(5)]
		w.arm(m, 1+w.IntN(4)*w.IntN(2))
		w.tracef("armed: %s", m)
	case n < 20:
		if p := w.process.Load(); p != nil {
			w.happened.note(string(idle))
			p.kill()
		}
	case n < 24:
		if p := w.process.Load(); p != nil && p.full {
			p.kill()
		}
	}
}

// jump sets the machine's clock.
func (w *world) jump() {
	skew := []time.Duration{0, 0, 0, time.Minute, time.Hour, 13 * time.Hour, -time.Minute, -time.Hour, -13 * time.Hour}[w.IntN(9)]
	before := time.Duration(w.skew.Swap(int64(skew)))
	switch {
	case skew < before:
		w.happened.note("clock back")
	case skew > before:
		w.happened.note("clock forward")
	}
	w.step("the clock is %v off", skew)
}

// mustHappen are the things without which a run of many seeds shows nothing.
var mustHappen = slices.Concat([]string{
	string(beforeCommit), string(betweenCommits), string(afterCommit), string(beforeCall), string(afterCall), string(idle), string(inBackup),
	"restore", "copy", "backup", "disk full", "disk of a second", "disk of many seconds", "clock back", "clock forward", "push",
	"webhook: nobody there", "webhook: answer lost", "webhook: 503", "webhook: too late",
	"duplicate", "duplicate at once", "redelivery", "reorder", "other grouping", "dropped for good",
	"unsend first", "edit first", "late record", "unsend", "edit", "button", "button again",
	"web: nobody there", "web: answer lost", "web: looked up and found", "web: looked up and not found", "web: sent again", "web: other content refused",
}, faultNames())

func faultNames() (names []string) {
	for name := range faults {
		names = append(names, "LINE: "+name)
	}
	return names
}
