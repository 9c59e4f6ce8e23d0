package line

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"ichido/internal/linesim"
)

// A wrong channel ID or secret is said once an hour. What waits is said after a
// restart with the right one.
func TestWrongChannelThenMended(t *testing.T) {
	withTokens(t, func(w *world) {
		w.channelID = "987654321"
		w.restart()
		for i := range 4 {
			w.say(fmt.Sprintf("品%d 100円", i+1))
			w.pass(29 * time.Minute)
		}
		w.wantBubbles()
		w.wantLogged("correct the channel ID or the channel secret and restart", 2)
		w.channelID = linesim.DefaultChannelID
		w.restart()
		w.pass(time.Hour)
		w.wantBubbles("品1", "品2", "品3", "品4")
		w.wantOutbox()
	})
}

// A secret that is issued anew in the console: what was recorded before is said
// after a restart with it, and what was typed meanwhile comes again.
func TestSecretIsReissued(t *testing.T) {
	withTokens(t, func(w *world) {
		w.platform.Fail(linesim.NotAccepted(429, ""), linesim.NotAccepted(429, ""), linesim.NotAccepted(429, ""))
		w.say("ランチ 900")
		w.pass(5 * time.Second)
		w.platform.Reissue("11111111111111111111111111111111", "")
		w.platform.Revoke()
		w.pass(time.Minute)
		late := w.platform.Text(taro, "カフェ 480")
		if status, err := w.platform.Deliver(w.t.Context(), late); status != http.StatusUnauthorized {
			t.Fatalf("a webhook with another signature is answered with %d (%v)", status, err)
		}
		w.wantLogged("is the channel secret right?", 1)
		w.wantLogged("correct the channel ID or the channel secret and restart", 1)
		w.secret = w.platform.Secret()
		w.restart()
		w.deliver(late.Redelivered())
		w.pass(time.Hour)
		got := strings.Join(w.platform.BotTexts(taro), "\n")
		if strings.Count(got, "ランチ 900円") != 1 || strings.Count(got, "カフェ 480円") != 1 {
			t.Errorf("the chat shows %q", got)
		}
		w.wantRows("ランチ 900", "カフェ 480")
		w.wantOutbox()
	})
}

// The same with a long-lived token, which nobody but its owner can replace.
func TestTokenIsReissued(t *testing.T) {
	inBubble(t, func(w *world) {
		w.run()
		w.say("ランチ 900")
		w.pass(time.Second)
		w.platform.Reissue("", "another-token")
		for i := range 4 {
			w.say(fmt.Sprintf("品%d 100円", i+1))
			w.pass(29 * time.Minute)
		}
		w.wantBubbles("ランチ")
		w.wantLogged("put a new one in its place and restart", 2)
		w.token = w.platform.Token()
		w.restart()
		w.pass(time.Hour)
		w.wantBubbles("ランチ", "品1", "品2", "品3", "品4")
		w.wantOutbox()
		w.wantNoSecrets()
	})
}

// A token that ends before its time is replaced in the middle of the call.
func TestTokenIsRevoked(t *testing.T) {
	withTokens(t, func(w *world) {
		w.say("ランチ 900")
		w.pass(time.Minute)
		w.platform.Revoke()
		e := w.say("カフェ 480")
		w.pass(time.Millisecond)
		w.wantBubbles("ランチ", "カフェ")
		if got := w.platform.Chat(taro); got[len(got)-1].Token != e.ReplyToken {
			t.Errorf("it was said as %+v, want a reply", got[len(got)-1])
		}
		w.wantCalls(tokenPath, 2)
		w.wantCalls("/reply", 3)
		w.wantLogged("level=WARN", 0)
	})
}

// A LINE that refuses every token is not asked for a new one with each call.
func TestEveryTokenIsRefused(t *testing.T) {
	withTokens(t, func(w *world) {
		w.door.admit = func(string) bool { return true }
		w.faultOf("/reply", linesim.NotAccepted(401, ""))
		for i := range 60 {
			w.deliver(w.platform.Text(linesim.UserID(fmt.Sprint("user", i)), "ランチ 900"))
			w.pass(10 * time.Second)
		}
		if n := w.calls(tokenPath); n < 10 || n > 21 {
			t.Errorf("%d requests for a token in ten minutes, with %d calls", n, w.calls("/reply"))
		}
		w.platform.SetFault(nil)
		w.pass(time.Hour)
		for i := range 60 {
			if got := w.platform.BotTexts(linesim.UserID(fmt.Sprint("user", i))); len(got) != 1 {
				t.Errorf("said %d times: %q", len(got), got)
			}
		}
		w.wantOutbox()
	})
}

// Whatever fails on the way to tokens and with them: everything is recorded once,
// nobody sees a confirmation twice, and all are seen or counted as unknown.
func TestTokensAndFaultsAtRandom(t *testing.T) {
	for seed := range uint64(20) {
		withTokens(t, func(w *world) {
			var mu sync.Mutex
			random := rand.New(rand.NewPCG(seed, 3))
			roll := func(n int) int {
				mu.Lock()
				defer mu.Unlock()
				return random.IntN(n)
			}
			faults := []linesim.Fault{
				linesim.Down(), linesim.Refuse(), linesim.Lost(), linesim.Accepted500(), linesim.Slow(7 * time.Second),
				linesim.NotAccepted(401, ""), linesim.NotAccepted(429, ""), linesim.NotAccepted(500, ""), linesim.Garbled(),
			}
			faults = append(faults, make([]linesim.Fault, 12)...)
			w.platform.SetFault(func(*http.Request) linesim.Fault { return faults[roll(len(faults))] })
			var items []string
			for i := range 25 {
				items = append(items, fmt.Sprintf("item%c%[1]c", 'a'+i))
				w.say(items[i] + " 100円")
				w.pass(time.Duration(roll(240)) * time.Second)
				switch roll(8) {
				case 0:
					w.platform.Revoke()
				case 1:
					w.restart()
				}
			}
			w.platform.SetFault(nil)
			w.pass(3 * time.Hour)
			said := strings.Join(w.platform.BotTexts(taro), "\n")
			unsaid := 0
			for _, item := range items {
				switch strings.Count(said, item+" ") {
				case 0:
					unsaid++
				case 1:
				default:
					t.Errorf("seed %d: %s was said twice", seed, item)
				}
			}
			if unknown := strings.Count(strings.Join(w.outbox(), " "), "unknown"); unsaid > unknown {
				t.Errorf("seed %d: %d were not said, %d are unknown: %q", seed, unsaid, unknown, w.outbox())
			}
			if n := len(w.rows()); n != len(items) {
				t.Errorf("seed %d: %d rows", seed, n)
			}
		})
	}
}
