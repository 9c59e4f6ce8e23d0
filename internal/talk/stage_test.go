package talk

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ichido/internal/linesim"
)

// push lets the bot say something, with a button.
func push(t *testing.T, p *linesim.Platform, to, text, label string) int {
	t.Helper()
	body := fmt.Sprintf(`{"to":%q,"messages":[{"type":"text","text":%q,"quickReply":{"items":[{"type":"action",`+
		`"action":{"type":"postback","label":%q,"data":"data","displayText":"わたし"}}]}}]}`, to, text, label)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://line.invalid/v2/bot/message/push", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+p.Token())
	req.Header.Set("Content-Type", "application/json")
	resp, err := (&http.Client{Transport: linesim.Transport(p)}).Do(req)
	if err != nil {
		return 0
	}
	resp.Body.Close()
	return resp.StatusCode
}

func step(t *testing.T, line string) Step {
	t.Helper()
	lines, err := Read(line)
	if err != nil {
		t.Fatal(err)
	}
	return Step{Line: lines[0]}
}

// Each line makes an event of its type, about the message that it means.
func TestEvents(t *testing.T) {
	p := linesim.New(linesim.Options{})
	s := NewStage(p)
	ids, letter := map[string]string{}, 'a' // names of message IDs
	for _, tt := range []struct{ line, want string }{
		{"太郎 follows", "follow"},
		{"太郎> ランチ 900", "message a ランチ 900"},
		{"太郎@家族> スーパー 2480", "message b スーパー 2480"},
		{"花子@家族> スーパー 100", "message c スーパー 100"},
		{"太郎@家族 edits> スーパー 2840", "messageEdited b スーパー 2840"},
		{`太郎@家族 edits "スーパー 2840"> スーパー 3000`, "messageEdited b スーパー 3000"},
		{`花子@家族 quotes "スーパー 3000"> 取消`, "message d 取消 b"},
		{"花子@家族 quotes> 取消", "message e 取消 bot"},
		{"花子@家族 mentions> 今月", "message f @一度 今月"},
		{"花子@家族 presses> 食費", "postback"},
		{"花子@家族 presses> 食費", "postback"}, // hidden since, but pressed all the same
		{"太郎@家族 unsends", "unsend b"},
		{`花子@家族 unsends "スーパー"`, "unsend c"},
		{"太郎 unsends", "unsend a"},
		{"太郎 sends a photo", "message g"},
		{"太郎 sends a sticker", "message h"},
		{"太郎@家族 adds the bot", "join"},
		{"太郎@家族 removes the bot", "leave"},
		{"次郎@家族 joins", "memberJoined"},
		{"次郎@家族 leaves", "memberLeft"},
		{"太郎 blocks", "unfollow"},
		{"太郎 follows", "follow"},
		{"LINE repeats", "follow"},
	} {
		if strings.Contains(tt.line, "花子@家族 quotes>") {
			push(t, p, s.Group("家族"), "記録しました", "食費")
			bubbles := p.Chat(s.Group("家族"))
			ids[bubbles[len(bubbles)-1].ID] = "bot"
		}
		e, err := s.Event(step(t, tt.line))
		if err != nil {
			t.Errorf("%s: %v", tt.line, err)
			continue
		}
		if e.MessageID != "" && ids[e.MessageID] == "" {
			ids[e.MessageID] = string(letter)
			letter++
		}
		got := strings.Join(strings.Fields(strings.Join([]string{e.Type, ids[e.MessageID], e.Text, ids[e.QuotedMessageID]}, " ")), " ")
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.line, got, tt.want)
		}
		if again := strings.HasPrefix(tt.line, "LINE"); e.Redelivery != again {
			t.Errorf("%s: redelivery %t", tt.line, e.Redelivery)
		}
	}
}

func TestEventErrors(t *testing.T) {
	s := NewStage(linesim.New(linesim.Options{}))
	for _, tt := range []struct {
		line string
		want error
	}{
		{"LINE repeats", ErrNothingYet},
		{"太郎 edits> ランチ 950", ErrGroupsOnly},
		{"太郎@家族 edits> ランチ 950", ErrNoMessage},
		{"太郎 unsends", ErrNoMessage},
		{"太郎 quotes> 取消", ErrNoMessage},
		{"太郎 presses> 取消", ErrNoButton},
		{"太郎@家族 follows", ErrDirectOnly},
		{"太郎 adds the bot", ErrGroupsOnly},
		{"LINE is busy", ErrNotLINE}, // no event
		{"join 太郎", ErrNotLINE},
	} {
		if e, err := s.Event(step(t, tt.line)); !errors.Is(err, tt.want) {
			t.Errorf("%s: %+v, %v", tt.line, e, err)
		}
	}
}

func TestEventTime(t *testing.T) {
	s := NewStage(linesim.New(linesim.Options{}))
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	said := step(t, "太郎> ランチ 900")
	said.At = at
	if e, err := s.Event(said); err != nil || !e.Timestamp.Equal(at) {
		t.Errorf("%v, %v", e.Timestamp, err)
	}
}

func TestQuote(t *testing.T) {
	p := linesim.New(linesim.Options{})
	s := NewStage(p)
	if _, err := s.Quote("太郎", "", 0, "取消"); !errors.Is(err, ErrNoMessage) {
		t.Errorf("nothing to quote: %v", err)
	}
	for _, line := range []string{"太郎> 1", "太郎> 2"} {
		if _, err := s.Event(step(t, line)); err != nil {
			t.Fatal(err)
		}
		push(t, p, s.Person("太郎"), "bot "+line, "x")
	}
	text := make(map[string]string)
	for _, b := range p.Chat(s.Person("太郎")) {
		text[b.ID] = b.Text
	}
	for said, tt := range []struct {
		n    int
		want string
	}{{0, "bot 太郎> 2"}, {1, "bot 太郎> 2"}, {2, "2"}, {4, "1"}} {
		if tt.n > 0 {
			tt.n += said // the quotes of this test stand below
		}
		e, err := s.Quote("太郎", "", tt.n, "取消")
		if err != nil || text[e.QuotedMessageID] != tt.want {
			t.Errorf("%d quotes %q, want %q: %v", tt.n, text[e.QuotedMessageID], tt.want, err)
		}
	}
	if _, err := s.Quote("太郎", "", 99, "取消"); !errors.Is(err, ErrNoMessage) {
		t.Errorf("too far back: %v", err)
	}
}

func TestHeard(t *testing.T) {
	p := linesim.New(linesim.Options{})
	s := NewStage(p)
	family, hanako := s.Group("家族"), s.Person("花子")
	push(t, p, hanako, "1", "取消 1")
	push(t, p, family, "2", "元に戻す")
	if _, err := s.Event(step(t, "花子> 3")); err != nil {
		t.Fatal(err)
	}
	push(t, p, hanako, "4", "x")
	want := []Answer{
		{Chat: "花子", Text: "1", Buttons: []Button{{Label: "取消 1", Says: "わたし", Tap: true}}},
		{Chat: "家族", Group: true, Text: "2", Buttons: []Button{{Label: "元に戻す", Says: "わたし", Tap: true}}},
		{Chat: "花子", Text: "4", Buttons: []Button{{Label: "x", Says: "わたし", Tap: true}}},
	}
	if diff := cmp.Diff(want, s.Heard()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if again := s.Heard(); again != nil {
		t.Errorf("heard again: %v", again)
	}
	if s.Name(hanako) != "花子" || s.Name(family) != "家族" || s.Name("U") != "" {
		t.Error("names")
	}
}

func TestTrouble(t *testing.T) {
	p := linesim.New(linesim.Options{})
	s := NewStage(p)
	for _, tt := range []struct {
		verb   Verb
		status int
	}{{Busy, 429}, {Back, 200}, {Loses, 0}, {Back, 200}} {
		if !s.Trouble(tt.verb) {
			t.Errorf("%s is none of LINE's", tt.verb)
		}
		if status := push(t, p, s.Person("太郎"), "x", "x"); status != tt.status {
			t.Errorf("%s: %d, want %d", tt.verb, status, tt.status)
		}
	}
	if s.Trouble(Says) {
		t.Error("to say something is none of LINE's troubles")
	}
}
