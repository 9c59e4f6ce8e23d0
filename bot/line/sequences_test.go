package line

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ichido/bot"
	"ichido/internal/linesim"
	"ichido/store/storetest"
)

var sequences = flag.Int("sequences", 0, "length up to which TestEverySequence and TestEverySequenceOfACarryingAnswer try all sequences of ends of calls; 0 is 2 and 1")

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
		t.then, err = storetest.ReadWritten(t.path)
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
func TestEverySequence(t *testing.T) { everySequence(t, 2, trySequence) }

// The same for an answer that carries a late one: both are seen, or neither; and the
// late one is named by the next answer if, and only if, it was certainly not seen.
func TestEverySequenceOfACarryingAnswer(t *testing.T) { everySequence(t, 1, tryCarrying) }

func everySequence(t *testing.T, usual int, try func(*testing.T, string) error) {
	level := []string{""}
	length := *sequences
	if length == 0 {
		length = usual
	}
	if testing.Short() {
		length = 1
	}
	for range length {
		var next []string
		for _, prefix := range level {
			for _, letter := range endLetters {
				next = append(next, prefix+string(letter))
			}
		}
		t.Run(fmt.Sprint(len(next)), func(t *testing.T) {
			for _, sequence := range next {
				t.Run(sequence, func(t *testing.T) {
					t.Parallel()
					if err := try(t, sequence); err != nil {
						t.Errorf("%s: %v", sequence, err)
					}
				})
			}
		})
		level = next
	}
}

func trySequence(t *testing.T, sequence string) (bad error) {
	bubbles, push := expect(sequence)
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(3 * time.Hour) // 12:00 in Tokyo
		m := newMortal(t, "", sequence)
		m.say("ランチ 900")
		m.live()
		pushed := m.pushes() > 0
		if n := len(m.platform.BotTexts(taro)); n != bubbles || pushed && !push || len(m.rows()) != 1 {
			bad = fmt.Errorf("%d bubbles instead of %d, pushed %t (may: %t), rows %q, outbox %q", n, bubbles, pushed, push, m.rows(), m.outbox())
		}
		bad = errors.Join(bad, m.nothingPending())
		m.close()
	})
	return bad
}

func tryCarrying(t *testing.T, sequence string) (bad error) {
	bubbles, push := expect(sequence)
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(3 * time.Hour)
		m := newMortal(t, "09", sequence) // the reply refused, its push put off
		m.say("ランチ 900")
		synctest.Wait()
		m.say("カフェ 480")
		m.live()
		pushed := m.pushes() > 1 // the late one has tried once
		texts := m.platform.BotTexts(taro)
		unknown := strings.Contains(strings.Join(m.outbox(), " "), "unknown")
		named := bubbles == 0 && !unknown
		want := slices.Repeat([]string{"ランチ", "カフェ"}, bubbles)
		if !inOrder(texts, want) || pushed && !push || len(m.rows()) != 2 {
			bad = fmt.Errorf("bubbles %q instead of %q, pushed %t (may: %t), rows %q, outbox %q", texts, want, pushed, push, m.rows(), m.outbox())
		}
		bad = errors.Join(bad, m.nothingPending())
		m.say("夕食 2000")
		m.live()
		texts = append([]string{"nothing"}, m.platform.BotTexts(taro)...)
		if next := texts[len(texts)-1]; strings.Contains(next, bot.Japanese.Unsaid([]bot.Unanswered{{Receipt: 1}})) != named {
			bad = errors.Join(bad, fmt.Errorf("the next answer is %q, should name the late one: %t", next, named))
		}
		m.close()
	})
	return bad
}

// inOrder says whether each text contains the word in its place.
func inOrder(texts, words []string) bool {
	ok := len(texts) == len(words)
	for i := range min(len(texts), len(words)) {
		ok = ok && strings.Contains(texts[i], words[i])
	}
	return ok
}

// mortal is a world in which the process dies at some calls.
type mortal struct {
	*world
	transport *dyingTransport
}

// newMortal runs a door whose calls end as the letters say, those of before first.
func newMortal(t *testing.T, before, sequence string) *mortal {
	w := newWorld(t)
	m := &mortal{w, &dyingTransport{next: linesim.Transport(w.platform), dies: map[int]byte{}, path: w.path}}
	for i, letter := range []byte(before + sequence) {
		if letter == 'a' || letter == 'b' {
			m.transport.dies[i] = letter
		}
		if letter != 'b' {
			w.platform.Fail(ends[letter].fault)
		}
	}
	w.transport, w.inspector = m.transport, []string{"true"} // a copy of a sound file, thousands of times
	w.close()
	w.open()
	w.run()
	return m
}

// live lets a minute pass, in which a process that dies is started again on the file
// that it has left, and then some hours.
func (m *mortal) live() {
	for range 60 {
		m.pass(time.Second)
		if then := m.transport.bury(); then != nil {
			m.close()
			if err := os.WriteFile(m.path, then, 0o600); err != nil {
				m.t.Fatal(err)
			}
			m.transport.revive()
			m.open()
			m.run()
		}
	}
	m.pass(3 * time.Hour)
}

func (m *mortal) nothingPending() error {
	if strings.Contains(strings.Join(m.outbox(), " "), "pending") {
		return errors.New("it is still pending")
	}
	return nil
}
