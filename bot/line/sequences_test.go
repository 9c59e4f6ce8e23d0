package line

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ichido/internal/linesim"
)

var sequences = flag.Int("sequences", 2, "length up to which TestEverySequence tries all sequences of ends of calls")

// ends are the ways in which a call of LINE's API can end.
var ends = map[byte]struct {
	name  string
	fault linesim.Fault
	shown bool // the person sees the message
	doubt bool // we can't know
}{
	'o': {"taken", linesim.Fault{}, true, false},
	'l': {"taken, the answer lost", linesim.Lost(), true, true},
	'x': {"taken, but 500", linesim.Accepted500(), true, true},
	's': {"taken, too slow", linesim.Slow(time.Minute), true, true},
	'5': {"500", linesim.NotAccepted(500, ""), false, true},
	'r': {"cut", linesim.Refuse(), false, true},
	'9': {"429", linesim.NotAccepted(429, ""), false, false},
	'1': {"401", linesim.NotAccepted(401, ""), false, false},
	'd': {"no connection", linesim.Down(), false, false},
	'0': {"400", linesim.NotAccepted(400, linesim.MessageReplyToken), false, false},
	'b': {"the process dies before", linesim.Fault{}, false, true},
	'a': {"the process dies after it was taken", linesim.Fault{}, true, true},
}

const endLetters = "olxs5r91d0ba"

// expect says from the rules alone how often the person must see the message,
// and whether it may be pushed. After the sequence all calls are good.
func expect(sequence string) (bubbles int, push bool) {
	doubt, tries := false, 0
	for _, letter := range []byte(sequence) {
		end := ends[letter]
		if end.shown {
			bubbles = 1
		}
		switch {
		case letter == 'o':
			return 1, push
		case letter == '0' && push: // refused for good
			return bubbles, push
		case letter == '0' && doubt: // nobody can know
			return bubbles, push
		case letter == '0':
			push = true
		case end.doubt && !push:
			doubt = true
			if tries++; letter == 'b' || letter == 'a' {
				tries = 0 // a new run counts anew
			}
			if tries == maxDoubtful {
				return bubbles, push
			}
		}
	}
	return 1, push // a reply token works once, a retry key too
}

// dyingTransport carries calls, and lets the process die at some of those that send
// messages: it keeps the file as it was at the call, and from then on carries nothing.
type dyingTransport struct {
	next http.RoundTripper
	dies map[int]byte
	path string

	mu    sync.Mutex
	calls int
	then  []byte // the file at the call; nil while the process lives
}

func (t *dyingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method != http.MethodPost {
		return nil, errors.New("not in this test")
	}
	letter, dead, err := t.count()
	switch {
	case dead:
		return nil, &net.OpError{Op: "dial", Err: errors.New("the process is dead")}
	case err != nil:
		return nil, err
	case letter == 0:
		return t.next.RoundTrip(r)
	case letter == 'a':
		if resp, err := t.next.RoundTrip(r); err == nil {
			resp.Body.Close()
		}
	}
	return nil, errors.New("the process is dead")
}

// count counts a call, and says at which one the process dies and whether it is
// dead already.
func (t *dyingTransport) count() (letter byte, dead bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.then != nil {
		return 0, true, nil
	}
	if letter = t.dies[t.calls]; letter != 0 {
		t.then, err = os.ReadFile(t.path)
	}
	t.calls++
	return letter, false, err
}

// bury returns the file of a process that has died, nil while it lives.
func (t *dyingTransport) bury() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.then
}

func (t *dyingTransport) revive() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.then = nil
}

// Whatever the ends of the calls are, in whatever order, also across deaths of
// the process: nobody sees a confirmation twice; it is pushed only if the reply
// was certainly refused; and it is seen if there was a certain way.
func TestEverySequence(t *testing.T) {
	level := []string{""}
	for range *sequences {
		var next []string
		for _, prefix := range level {
			for _, letter := range endLetters {
				next = append(next, prefix+string(letter))
			}
		}
		for _, sequence := range next {
			if err := trySequence(t, sequence); err != nil {
				t.Errorf("%s: %v", sequence, err)
			}
		}
		level = next
	}
}

func trySequence(t *testing.T, sequence string) (bad error) {
	bubbles, push := expect(sequence)
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(3 * time.Hour) // 12:00 in Tokyo
		w := newWorld(t)
		mortal := &dyingTransport{next: linesim.Transport(w.platform), dies: map[int]byte{}, path: w.path}
		for i, letter := range []byte(sequence) {
			if letter == 'a' || letter == 'b' {
				mortal.dies[i] = letter
			}
			if letter != 'b' {
				w.platform.Fail(ends[letter].fault)
			}
		}
		w.transport, w.inspector = mortal, []string{"true"} // a copy of a sound file, thousands of times
		w.close()
		w.open()
		w.run()
		w.say("ランチ 900")
		for range 60 {
			w.pass(time.Second)
			if then := mortal.bury(); then != nil {
				w.close()
				if err := os.WriteFile(w.path, then, 0o600); err != nil {
					t.Fatal(err)
				}
				mortal.revive()
				w.open()
				w.run()
			}
		}
		w.pass(3 * time.Hour)
		pushed := w.pushes() > 0
		if n := len(w.platform.BotTexts(taro)); n != bubbles || pushed && !push || len(w.rows()) != 1 {
			bad = fmt.Errorf("%d bubbles instead of %d, pushed %t (may: %t), rows %q, outbox %q", n, bubbles, pushed, push, w.rows(), w.outbox())
		}
		if strings.Contains(strings.Join(w.outbox(), " "), "pending") {
			bad = errors.Join(bad, errors.New("it is still pending"))
		}
		w.close()
	})
	return bad
}
