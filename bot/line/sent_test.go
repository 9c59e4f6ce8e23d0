package line

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ichido/internal/ledger"
	"ichido/internal/linesim"
	"ichido/store"
)

// The bot's own messages can be quoted: each bubble stands for the receipt that it
// tells of.
func TestSentMessagesAreNoted(t *testing.T) {
	inBubble(t, func(w *world) {
		w.lateAt23("ランチ 900")
		w.say("夜食 300") // a reply with both
		w.pass(time.Second)
		w.refuseReply()
		w.say("水 100") // a push, accepted twice
		w.fail(linesim.Lost())
		w.pass(12 * time.Hour)
		w.wantBubbles("ランチ 900円", "夜食 300円", "水 100円")
		var got []ledger.ReceiptNumber
		for _, b := range w.bubbles() {
			got = append(got, w.quoted(b.ID))
		}
		if diff := cmp.Diff([]ledger.ReceiptNumber{1, 2, 3}, got); diff != "" {
			t.Errorf("receipts of the bubbles (-want +got):\n%s", diff)
		}
	})
}

// quoted gives the receipt that a message of the bot's stands for; 0 for none.
func (w *world) quoted(messageID string) (n ledger.ReceiptNumber) {
	w.t.Helper()
	err := w.store.View(func(tx *store.Tx) error {
		r, ours, err := tx.Quoted(Scope, messageID)
		if r != nil && ours {
			n = r.Number
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// otherBody carries calls and puts other bodies under the answers to reply and push.
type otherBody struct {
	next   http.RoundTripper
	status int // only under answers with this one
	body   string
}

func (o otherBody) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := o.next.RoundTrip(r)
	if sends := strings.HasPrefix(r.URL.Path, "/v2/bot/message/"); err == nil && sends && res.StatusCode == o.status {
		res.Body = io.NopCloser(bytes.NewBufferString(o.body))
		res.ContentLength = int64(len(o.body))
	}
	return res, err
}

// However LINE tells what it has sent, it has sent it; and an ID is noted only if it
// is certain which message it names.
func TestOddAnswersAreAccepted(t *testing.T) {
	const sent = `{"sentMessages":[{"id":"1001","quoteToken":"q"}]}`
	for _, c := range []struct {
		name, body string
		noted      bool
	}{
		{"as documented", sent, true},
		{"with more fields", `{"new":[],"sentMessages":[{"id":"1001","new":1}]}`, true},
		{"nothing", ``, false},
		{"an empty object", `{}`, false},
		{"no JSON", `{"sentMessages":[{"id":`, false},
		{"another type", `{"sentMessages":{"id":"1001"}}`, false},
		{"a number", `{"sentMessages":[{"id":1001}]}`, false},
		{"none", `{"sentMessages":[]}`, false},
		{"an empty ID", `{"sentMessages":[{"id":""}]}`, false},
		{"more", `{"sentMessages":[{"id":"1001"},{"id":"1002"}]}`, false},
		{"more without an ID", `{"sentMessages":[{"id":"1001"},{"id":""}]}`, false},
	} {
		for _, via := range []struct {
			name   string
			status int // of the answer with the body
			faults []linesim.Fault
		}{
			{"reply", 200, nil},
			{"push", 200, []linesim.Fault{linesim.NotAccepted(400, linesim.MessageReplyToken)}},
			{"push, 409", 409, []linesim.Fault{linesim.NotAccepted(400, linesim.MessageReplyToken), linesim.Lost()}},
		} {
			t.Run(c.name+", "+via.name, func(t *testing.T) {
				inBubble(t, func(w *world) {
					w.transport = otherBody{w.transport, via.status, c.body}
					w.close()
					w.open()
					w.run()
					w.fail(via.faults...)
					w.say("ランチ 900")
					w.pass(time.Hour)
					w.wantBubbles("ランチ 900円")
					w.wantOutbox()
					if n := w.quoted("1001"); (n == 1) != c.noted || n > 1 || w.quoted("1002") != 0 {
						t.Errorf("1001 stands for receipt %d, want it noted: %t", n, c.noted)
					}
				})
			})
		}
	}
}

// Of two messages with three IDs, or the same one twice, nobody knows which is which.
func TestIDsOfSeveralMessages(t *testing.T) {
	for body, want := range map[string][]ledger.ReceiptNumber{
		`{"sentMessages":[{"id":"1001"},{"id":"1002"}]}`:               {1, 2},
		`{"sentMessages":[{"id":"1001"},{"id":"1001"}]}`:               {0, 0},
		`{"sentMessages":[{"id":"1001"}]}`:                             {0, 0},
		`{"sentMessages":[{"id":"1001"},{"id":"1002"},{"id":"1001"}]}`: {0, 0},
	} {
		inBubble(t, func(w *world) {
			w.transport = otherBody{w.transport, 200, body}
			w.close()
			w.open()
			w.lateAt23("ランチ 900")
			w.say("夜食 300")
			w.pass(time.Minute)
			w.wantBubbles("ランチ 900円", "夜食 300円")
			if got := []ledger.ReceiptNumber{w.quoted("1001"), w.quoted("1002")}; !cmp.Equal(got, want) {
				t.Errorf("%s: receipts %v, want %v", body, got, want)
			}
		})
	}
}

// A confirmation that is taken while its outbox row is ended by an unsend has been
// said all the same.
func TestSentWhileItsMessageIsUnsent(t *testing.T) {
	inBubble(t, func(w *world) {
		w.run()
		w.fail(linesim.Slow(3 * time.Second))
		e := w.say("ランチ 900")
		w.pass(time.Second)
		w.deliver(w.platform.Unsend(e))
		w.pass(time.Hour)
		w.wantRows()
		if n := w.quoted(w.bubbles()[0].ID); n != 1 {
			t.Errorf("the bubble stands for receipt %d, want 1", n)
		}
		w.wantOutbox("1 unknown")
	})
}
