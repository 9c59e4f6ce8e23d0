package linesim_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/line/line-bot-sdk-go/v8/linebot/webhook"

	"ichido/internal/linesim"
)

// examples are LINE's own shapes, by name: whole webhook bodies.
func examples(t *testing.T) map[string]json.RawMessage {
	t.Helper()
	f, err := os.Open("testdata/webhooks.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	bodies := make(map[string]json.RawMessage)
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var example struct {
			Name string
			Body json.RawMessage
		}
		if err := json.Unmarshal(lines.Bytes(), &example); err != nil {
			t.Fatal(err)
		}
		bodies[example.Name] = example.Body
	}
	if len(bodies) < 28 {
		t.Fatalf("only %d examples", len(bodies))
	}
	return bodies
}

func TestSignIsLINEs(t *testing.T) {
	p := linesim.New(linesim.Options{Secret: "a secret"})
	for name, body := range examples(t) {
		if !webhook.ValidateSignature("a secret", p.Sign(body), body) {
			t.Errorf("%s: the SDK refuses the signature", name)
		}
		if webhook.ValidateSignature("another", p.Sign(body), body) {
			t.Errorf("%s: the signature does not depend on the secret", name)
		}
		if webhook.ValidateSignature("a secret", p.Sign(body), append(slices.Clone(body), ' ')) {
			t.Errorf("%s: the signature does not depend on the body", name)
		}
	}
}

// shape is the set of an event's members, below them too, with the constants.
func shape(t *testing.T, event any) map[string]string {
	t.Helper()
	constant := map[string]bool{"type": true, "mode": true, "isRedelivery": true, "isUnblocked": true}
	members := make(map[string]string)
	var walk func(at, key string, v any)
	walk = func(at, key string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, inner := range v {
				walk(at+"."+k, k, inner)
			}
		case []any:
			for _, inner := range v {
				walk(at+"[]", key, inner)
			}
		default:
			kind := jsonKind(v)
			if constant[key] {
				kind = string(must(json.Marshal(v)))
			}
			members[at] = kind
		}
	}
	walk("", "", event)
	return members
}

func jsonKind(v any) string {
	switch v.(type) {
	case string:
		return "string"
	case bool:
		return "bool"
	case json.Number:
		return "number"
	}
	return "null"
}

func must(b []byte, _ error) []byte { return b }

func TestMakersMatchLINEsExamples(t *testing.T) {
	p := linesim.New(linesim.Options{})
	group := linesim.Group(family, hanako)
	message := p.Text(taro, "ランチ 900")
	quoting := p.Quote(linesim.User(taro), message.MessageID, "取消")
	quoting.Fields = nil
	standby := p.Text(taro, "ランチ 900")
	standby.Mode, standby.ReplyToken, standby.Fields = "standby", "", nil
	bare := p.Event("follow", linesim.User(taro))

	for name, e := range map[string]linesim.Event{
		"text in 1:1":                          message,
		"the same, redelivered":                message.Redelivered(),
		"text in a group":                      p.GroupText(family, hanako, "スーパー 2480"),
		"text in a group, speaker unknown":     p.GroupText(family, "", "カフェ 480"),
		"text in a room":                       p.TextIn(linesim.Room(linesim.RoomID("r"), taro), "電車 320"),
		"text that quotes an earlier message":  quoting,
		"text that mentions the bot":           p.Mention(group, "今月"),
		"edited text (groups only)":            p.Edited(p.GroupText(family, hanako, "a"), "b"),
		"unsend":                               p.Unsend(message),
		"postback":                             p.Postback(linesim.User(taro), "undo:1", nil),
		"postback of a date picker":            p.Postback(linesim.User(taro), "d", map[string]string{"date": "2026-11-29"}),
		"follow":                               p.Follow(taro, false),
		"follow without its object":            bare,
		"unfollow":                             p.Unfollow(taro),
		"bot joins a group":                    p.Join(linesim.Group(family, "")),
		"bot leaves a group":                   p.Leave(linesim.Group(family, "")),
		"members join":                         p.MemberJoined(linesim.Group(family, ""), hanako),
		"members leave":                        p.MemberLeft(linesim.Group(family, ""), hanako),
		"image":                                p.Image(linesim.User(taro)),
		"sticker":                              p.Sticker(linesim.User(taro)),
		"location":                             p.Location(linesim.User(taro), "東京都", 35.68, 139.76),
		"standby: do not speak":                standby,
		"a type nobody knows yet":              unknown(p),
		"several events of several people/[1]": p.TextIn(group, "x"),
	} {
		name, index, _ := strings.Cut(name, "/")
		at := strings.Count(index, "1")
		body := decode(t, examples(t)[name])
		want := shape(t, body["events"].([]any)[at])
		if diff := cmp.Diff(want, shape(t, decode(t, e.JSON()))); diff != "" {
			t.Errorf("%s: members (-LINE +ours):\n%s", name, diff)
		}
		if body["destination"] != linesim.BotUserID {
			t.Errorf("%s: destination %v", name, body["destination"])
		}
		if _, err := webhook.UnmarshalEvent(e.JSON()); err != nil {
			t.Errorf("%s: the SDK can't read it: %v", name, err)
		}
	}
}

func unknown(p *linesim.Platform) linesim.Event {
	e := p.Event("somethingNew", linesim.User(taro))
	e.Fields = map[string]any{"somethingNew": map[string]any{"x": 1}}
	return e
}

func TestSDKReadsOurText(t *testing.T) {
	p := linesim.New(linesim.Options{})
	e := p.GroupText(family, hanako, "スーパー 2480 & <b>")
	e.Timestamp = time.UnixMilli(1796007601234)
	read, err := webhook.UnmarshalEvent(e.JSON())
	if err != nil {
		t.Fatal(err)
	}
	got := read.(webhook.MessageEvent)
	text := got.Message.(webhook.TextMessageContent)
	source := got.Source.(webhook.GroupSource)
	want := []any{e.ID, e.ReplyToken, int64(1796007601234), e.MessageID, e.Text, family, hanako}
	have := []any{got.WebhookEventId, got.ReplyToken, got.Timestamp, text.Id, text.Text, source.GroupId, source.UserId}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("(-made +read):\n%s", diff)
	}
}

func TestIDsAreFreshAndInOrder(t *testing.T) {
	p, other := linesim.New(linesim.Options{}), linesim.New(linesim.Options{})
	seen := make(map[string]bool)
	last := linesim.Event{}
	for range 1000 {
		e := p.Text(taro, "x")
		if len(e.ID) != 26 || e.ID <= last.ID || len(e.MessageID) < len(last.MessageID) || e.MessageID <= last.MessageID {
			t.Fatalf("%+v after %+v", e, last)
		}
		last = e
		o := other.Text(taro, "x")
		for _, id := range []string{e.ID, e.MessageID, e.ReplyToken, o.ID, o.MessageID, o.ReplyToken} {
			if seen[id] {
				t.Fatalf("%s twice", id)
			}
			seen[id] = true
		}
	}
}

func TestRedeliveredRawKeepsTheRest(t *testing.T) {
	raw := json.RawMessage(`{"type":"message", "timestamp": 1796007601000, "new":{"a":[1.50]},"deliveryContext":{"isRedelivery":false}}`)
	e := linesim.Event{Raw: raw}
	again := e.Redelivered()
	if !bytes.Equal(e.JSON(), raw) {
		t.Errorf("the original became %s", e.JSON())
	}
	want, got := decode(t, raw), decode(t, again.JSON())
	maps.Copy(want, map[string]any{"deliveryContext": map[string]any{"isRedelivery": true}})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	broken := linesim.Event{Raw: json.RawMessage(`[1`)}.Redelivered()
	if string(broken.JSON()) != `[1` {
		t.Errorf("a broken event became %s", broken.JSON())
	}
}
