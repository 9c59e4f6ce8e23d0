package line

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"ichido/bot"
	"ichido/internal/golden"
	"ichido/internal/linesim"
	"ichido/internal/talk"
	"ichido/store"
	"ichido/store/storetest"
)

// LINE takes all that is said in the conversations of package bot, which know no LINE:
// testdata/flex/bot has for each what is said and what of it goes to LINE, a line each.
func TestTalkOfBot(t *testing.T) {
	playAll(t, "../testdata/talk", func(t *testing.T, file, said string) {
		r := &rehearsal{t: t, store: storetest.New(t), bot: bot.New(tokyo)}
		if err := talk.Play(io.Discard, said, tokyo, time.Time{}, r); err != nil {
			t.Fatal(err)
		}
		if r.rendered.Len() == 0 {
			t.Error("nothing was said")
		}
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		golden.Check(t, filepath.Join("testdata/flex/bot", name+".txt"), r.rendered.String())
	})
}

// rehearsal is a talk with a bot on a real store, whose answers are rendered and not
// sent.
type rehearsal struct {
	t        *testing.T
	store    *store.Store
	bot      *bot.Bot
	rendered strings.Builder
}

// Until does nothing: the bot says nothing by itself.
func (r *rehearsal) Until(time.Time) ([]talk.Answer, error) { return nil, nil }

// Do does what the step says, and holds the answer to LINE's rules.
func (r *rehearsal) Do(s talk.Step) ([]talk.Answer, error) {
	switch s.Verb {
	case talk.Join:
		return nil, r.store.Update(r.t.Context(), func(tx *store.Tx) error {
			_, err := tx.Join(s.Who, s.Text)
			return err
		})
	case talk.Says:
		return nil, r.say(s)
	}
	return nil, errors.New("a talk without LINE has no such thing")
}

func (r *rehearsal) say(s talk.Step) error {
	m := bot.Message{Text: s.Text, At: s.At, Chat: s.Group, Direct: s.Group == ""}
	var reply bot.Reply
	_, _, err := r.store.Submit(r.t.Context(), store.Request{Scope: "talk", At: s.At, Person: s.Who, Admit: true}, func(tx *store.Tx) (err error) {
		reply, err = r.bot.Handle(tx, m)
		return err
	})
	if err != nil || len(reply.Lines) == 0 {
		return err
	}
	payload, err := render(reply)
	fmt.Fprintf(&r.rendered, "%s> %s\n%s\n", s.Who, strings.ReplaceAll(s.Text, "\n", "\\n"), codes.ReplaceAll(seals.ReplaceAll(payload, []byte("$1<seal>")), []byte("<code>")))
	if refused := refusalOf(payload); err == nil && refused != "" {
		r.t.Errorf("LINE says %s to %s", refused, payload)
	}
	return err
}

// What differs each time in a message: the seal of a button, and codes.
var (
	seals = regexp.MustCompile(`("data":"[a-z]+:[0-9]+:)[^":]+`)
	codes = regexp.MustCompile(`\b[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}\b`)
)

// messages are what LINE shows of the bot in each chat, as it has got them.
func (s *scene) messages() []byte {
	s.t.Helper()
	chats := make(map[string][]json.RawMessage)
	for _, call := range s.platform.Calls() {
		name := s.stage.Name(call.To)
		if name == "" || chats[name] != nil {
			continue
		}
		for _, b := range s.platform.Chat(call.To) {
			if b.Via != "" {
				chats[name] = append(chats[name], b.Messages)
			}
		}
	}
	var compact, out bytes.Buffer
	e := json.NewEncoder(&compact)
	e.SetEscapeHTML(false)
	if err := e.Encode(chats); err != nil {
		s.t.Fatal(err)
	}
	indent(&out, seals.ReplaceAll(bytes.TrimSpace(compact.Bytes()), []byte("$1<seal>")), "")
	out.WriteByte('\n')
	return codes.ReplaceAll(out.Bytes(), []byte("<code>"))
}

// indent writes compact JSON with each value on a line of its own, unless what it
// stands in fits into one.
func indent(out *bytes.Buffer, value json.RawMessage, margin string) {
	const width = 160
	if len(margin)+len(value) <= width || value[0] != '{' && value[0] != '[' {
		out.Write(value)
		return
	}
	d := json.NewDecoder(bytes.NewReader(value))
	begin := must(d.Token())
	fmt.Fprint(out, begin)
	for first := true; d.More(); first = false {
		if !first {
			out.WriteByte(',')
		}
		out.WriteString("\n" + margin + "  ")
		if begin == json.Delim('{') {
			fmt.Fprintf(out, "%q: ", must(d.Token()))
		}
		var inside json.RawMessage
		if err := d.Decode(&inside); err != nil {
			panic(err)
		}
		indent(out, inside, margin+"  ")
	}
	fmt.Fprint(out, "\n"+margin, must(d.Token()))
}

// checkMessages holds all that LINE was sent, whatever it answered, to its rules for
// messages.
func (s *scene) checkMessages() {
	s.t.Helper()
	sent := 0
	for _, call := range s.platform.Calls() {
		if !strings.HasPrefix(call.Path, "/v2/bot/message/") || call.Method != http.MethodPost {
			continue
		}
		var request struct {
			Messages json.RawMessage `json:"messages"`
		}
		if err := json.Unmarshal(call.Body, &request); err != nil {
			s.t.Fatal(err)
		}
		sent++
		if refused := refusalOf(request.Messages); refused != "" {
			s.t.Errorf("LINE says %s to %s", refused, request.Messages)
		}
	}
	if sent == 0 {
		s.t.Error("nothing was sent")
	}
}

// refusalOf is what LINE finds wrong with messages; "" for nothing.
func refusalOf(messages json.RawMessage) string {
	body := must(json.Marshal(map[string]any{"to": taro, "messages": messages}))
	r := httptest.NewRequest(http.MethodPost, "/v2/bot/message/push", bytes.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+linesim.DefaultToken)
	w := httptest.NewRecorder()
	linesim.New(linesim.Options{}).ServeHTTP(w, r)
	if w.Code == http.StatusOK {
		return ""
	}
	return w.Body.String()
}
