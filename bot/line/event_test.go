package line

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ichido/internal/linesim"
	"ichido/store"
)

type example struct {
	Name string
	Body json.RawMessage
}

// examples are webhooks in the shapes that LINE sends.
func examples(t testing.TB) (all []example) {
	for i, line := range strings.Split(strings.TrimSpace(string(must(os.ReadFile("testdata/webhooks.jsonl")))), "\n") {
		var e example
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		all = append(all, e)
	}
	return all
}

// What the examples are about.
const (
	exampleTaro   = "U0123456789abcdef0123456789abcdef"
	exampleHanako = "Ufedcba9876543210fedcba9876543210"
	exampleGroup  = "C00112233445566778899aabbccddeeff"
	exampleRoom   = "Rffeeddccbbaa99887766554433221100"
)

var (
	alone      = source{kind: "user", chat: exampleTaro, person: exampleTaro}
	inGroup    = source{kind: "group", chat: exampleGroup, person: exampleHanako}
	ofTheGroup = source{kind: "group", chat: exampleGroup}
)

func textOf(id, text string) message { return message{id: id, typed: text, text: text} }

// exampleEvents are the events of the examples: number n has the n-th ID and came
// n seconds after a certain time. Their IDs, times and tokens are filled in by
// TestEachExample.
var exampleEvents = []struct {
	name string
	n    int
	want event
}{
	{"text in 1:1", 1, event{kind: said, from: alone, message: textOf("468789577898262530", "ランチ 900")}},
	{"the same, redelivered", 1, event{kind: said, from: alone, message: textOf("468789577898262530", "ランチ 900")}},
	{"text in a group", 2, event{kind: said, from: inGroup, message: textOf("468789577898262531", "スーパー 2480")}},
	{"text in a group, speaker unknown", 3, event{kind: said, from: ofTheGroup, message: textOf("468789577898262532", "カフェ 480")}},
	{"text in a room", 4, event{kind: said, from: source{"room", exampleRoom, exampleTaro}, message: textOf("468789577898262533", "電車 320")}},
	{"text that mentions the bot", 5, event{kind: said, from: inGroup, message: message{id: "468789577898262534", typed: "@一度 今月", text: "今月", addressed: true}}},
	{"text that quotes an earlier message", 6, event{kind: said, from: alone, message: message{id: "468789577898262535", typed: "取消", text: "取消", quotes: "468789577898262530"}}},
	{"text with a LINE emoji", 7, event{kind: said, from: alone, message: textOf("468789577898262536", "ランチ 900 (love)")}},
	{"edited text (groups only)", 8, event{kind: edited, from: inGroup, message: textOf("468789577898262531", "スーパー 2840")}},
	{"unsend", 9, event{kind: unsent, from: alone, message: message{id: "468789577898262530"}}},
	{"postback", 10, event{kind: tapped, from: alone, tap: tap{data: "undo:0f1e2d3c4b5a"}}},
	{"postback of a date picker", 11, event{kind: tapped, from: alone, tap: tap{data: "date:0f1e2d3c4b5b", date: "2026-11-29"}}},
	{"follow", 12, event{kind: followed, from: alone}},
	{"follow without its object", 13, event{kind: followed, from: alone}},
	{"unfollow", 14, event{kind: unfollowed, from: alone}},
	{"bot joins a group", 15, event{kind: botJoined, from: ofTheGroup}},
	{"bot leaves a group", 16, event{kind: botLeft, from: ofTheGroup}},
	{"members join", 17, event{kind: peopleJoined, from: ofTheGroup, people: []string{exampleHanako}}},
	{"members leave", 18, event{kind: peopleLeft, from: ofTheGroup, people: []string{exampleHanako}}},
	{"image", 19, event{kind: image, from: alone, message: message{id: "468789577898262537"}}},
	{"sticker", 20, event{kind: media, from: alone, message: message{id: "468789577898262538"}}},
	{"location", 21, event{kind: media, from: alone, message: message{id: "468789577898262539"}}},
	{"standby: do not speak", 22, event{kind: said, from: alone, standby: true, message: textOf("468789577898262540", "ランチ 900")}},
	{"a type nobody knows yet", 23, event{kind: unknown, from: alone}},
	{"a message type nobody knows yet", 24, event{kind: media, from: alone, message: message{id: "468789577898262541"}}},
	{"malformed: wrong JSON types", 25, event{kind: said, from: alone, message: textOf("1", "x"), err: errUndecodable}},
	{"several events of several people", 1, event{kind: said, from: alone, message: textOf("468789577898262530", "ランチ 900")}},
	{"several events of several people", 2, event{kind: said, from: inGroup, message: textOf("468789577898262531", "スーパー 2480")}},
	{"several events of several people", 9, event{kind: unsent, from: alone, message: message{id: "468789577898262530"}}},
}

// sameEvent compares what has been understood of events.
var sameEvent = cmp.Options{
	cmp.AllowUnexported(event{}, source{}, message{}, tap{}),
	cmpopts.IgnoreFields(event{}, "raw", "body", "index"),
	cmpopts.EquateErrors(),
	cmpopts.EquateEmpty(),
}

func TestEachExample(t *testing.T) {
	wants := make(map[string][]*event)
	for _, e := range exampleEvents {
		want := e.want
		want.id = fmt.Sprintf("01KBA0000000000000000000%02d", e.n)
		want.key = want.id
		if want.err == nil {
			want.at = time.UnixMilli(1796007600000 + int64(e.n)*1000).UTC()
		}
		switch want.kind {
		case unsent, unfollowed, botLeft, peopleLeft:
		default:
			if !want.standby {
				want.replyToken = fmt.Sprintf("%032x", e.n)
			}
		}
		wants[e.name] = append(wants[e.name], &want)
	}
	for _, example := range examples(t) {
		t.Run(example.Name, func(t *testing.T) {
			got, err := decodeAll(example.Body)
			if err != nil {
				t.Fatal(err)
			}
			want, known := wants[example.Name]
			if !known && example.Name != "Verify button" {
				t.Error("nothing is said about this example")
			}
			if diff := cmp.Diff(want, got, sameEvent); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

// Every example of LINE's is taken with 200 and does what it should, also among all
// the others.
func TestExamples(t *testing.T) {
	w := newWorld(t)
	w.door.admit = func(string) bool { return true }
	for _, example := range examples(t) {
		rec := httptest.NewRecorder()
		w.door.ServeHTTP(rec, must(w.platform.Request(t.Context(), example.Body)))
		if rec.Code != http.StatusOK {
			t.Errorf("%s: status %d", example.Name, rec.Code)
		}
	}
	// The first lunch was taken back and unsent. The supermarket was edited.
	w.wantRows("スーパー 2840", "カフェ 480", "電車 320", "ランチ (love) 900", "ランチ 900")
	parked := must(w.parked())
	if len(parked) != 1 || parked[0].Key != "01KBA000000000000000000025" {
		t.Errorf("parked: %+v, want the malformed one", parked)
	}
	if log := w.log.String(); strings.Contains(log, "ランチ") || strings.Contains(log, "q3Plxr4AgKd") {
		t.Error("a text or token is in the log")
	}
}

// decoded is the one event of a JSON text.
func decoded(t testing.TB, raw string) *event {
	t.Helper()
	events, err := decodeAll([]byte(`{"events":[` + raw + `]}`))
	if err != nil || len(events) != 1 {
		t.Fatalf("%d events, %v", len(events), err)
	}
	return events[0]
}

// An event that can't be decoded is kept unless its types say that nothing is
// lost with it: LINE may use the names of fields for something else in a new type.
func TestMalformed(t *testing.T) {
	const from = `"timestamp":1796007601000,"source":{"type":"user","userId":"U1"}`
	for _, c := range []struct {
		name, raw string
		kind      eventKind
		err       error
	}{
		{"no object", `5`, unknown, errUndecodable},
		{"null", `null`, unknown, nil},
		{"nothing in it", `{}`, unknown, nil},
		{"no type", `{"webhookEventId":"1",` + from + `}`, unknown, nil},
		{"a type that is none", `{"type":5,` + from + `}`, unknown, errUndecodable},
		{"a new type with a message of its own", `{"type":"new","message":"x",` + from + `}`, unknown, nil},
		{"a new type with a list of its own", `{"type":"new","left":7,` + from + `}`, unknown, nil},
		{"a message type that is none", `{"type":"message","message":{"type":5},` + from + `}`, media, errUndecodable},
		{"a message that is none", `{"type":"message","message":"x",` + from + `}`, media, errUndecodable},
		{"a message without a type", `{"type":"message",` + from + `}`, media, nil},
		{"a text that is none", `{"type":"message","message":{"type":"text","id":"1","text":5},` + from + `}`, said, errUndecodable},
		{"a text with another type's field", `{"type":"message","left":7,"message":{"type":"text","id":"1","text":"x"},` + from + `}`, said, nil},
		{"a text without a time", `{"type":"message","message":{"type":"text","id":"1","text":"x"},"source":{"type":"user","userId":"U1"}}`, said, errNoTime},
		{"a text in no year", `{"type":"message","timestamp":253339228800001,"message":{"type":"text","id":"1","text":"x"},"source":{"type":"user","userId":"U1"}}`, said, errNoTime},
		{"a sticker without a time", `{"type":"message","message":{"type":"sticker","id":"1"},"source":{"type":"user","userId":"U1"}}`, media, nil},
		{"a sticker with an odd ID", `{"type":"message","message":{"type":"sticker","id":5},` + from + `}`, media, nil},
		{"a text of nobody", `{"type":"message","message":{"type":"text","id":"1","text":"x"},"timestamp":1,"source":{"type":"user"}}`, unknown, nil},
		{"a text of no source", `{"type":"message","message":{"type":"text","id":"1","text":"x"},"timestamp":1}`, unknown, nil},
		{"a text of a new source", `{"type":"message","message":{"type":"text","id":"1","text":"x"},"timestamp":1,"source":{"type":"square","userId":"U1"}}`, unknown, nil},
		{"a text in a group without ID", `{"type":"message","message":{"type":"text","id":"1","text":"x"},"timestamp":1,"source":{"type":"group","userId":"U1"}}`, unknown, nil},
		{"an edit without a message", `{"type":"messageEdited",` + from + `}`, edited, errUndecodable},
		{"an edit without an ID", `{"type":"messageEdited","message":{"type":"text","text":"x"},` + from + `}`, edited, errNoMessage},
		{"an edit of a picture", `{"type":"messageEdited","message":{"type":"image","id":"1"},` + from + `}`, unknown, nil},
		{"an unsend of nothing", `{"type":"unsend",` + from + `}`, unsent, errNoMessage},
		{"an unsend without an ID", `{"type":"unsend","unsend":{},` + from + `}`, unsent, errNoMessage},
		{"an unsend that is none", `{"type":"unsend","unsend":[],` + from + `}`, unsent, errNoMessage},
		{"an unsend of nobody", `{"type":"unsend","unsend":{"messageId":"1"},"timestamp":1}`, unsent, nil},
		{"a tap on nothing", `{"type":"postback",` + from + `}`, tapped, errUndecodable},
		{"a tap with odd params", `{"type":"postback","postback":{"data":"x","params":[1]},` + from + `}`, tapped, errUndecodable},
		{"a tap with new params", `{"type":"postback","postback":{"data":"x","params":{"new":1}},` + from + `}`, tapped, nil},
		{"nobody has left", `{"type":"memberLeft",` + from + `}`, peopleLeft, errUndecodable},
	} {
		t.Run(c.name, func(t *testing.T) {
			if e := decoded(t, c.raw); e.kind != c.kind || e.err != c.err {
				t.Errorf("kind %d, error %v, want %d and %v", e.kind, e.err, c.kind, c.err)
			}
		})
	}
}

// Of a malformed event everything is read that can be.
func TestMalformedIsReadAsFarAsPossible(t *testing.T) {
	got := decoded(t, `{"type":"message","webhookEventId":"E","replyToken":"T","timestamp":1796007601000,
		"source":{"type":"group","groupId":"C1","userId":"U1"},"message":{"type":"text","id":"1","text":[]}}`)
	want := &event{kind: said, id: "E", key: "E", replyToken: "T", at: time.UnixMilli(1796007601000).UTC(),
		from: source{"group", "C1", "U1"}, message: message{id: "1"}, err: errUndecodable}
	if diff := cmp.Diff(want, got, sameEvent); diff != "" {
		t.Errorf("event (-want +got):\n%s", diff)
	}
}

// Whom LINE does not name is nobody.
func TestPeople(t *testing.T) {
	e := decoded(t, `{"type":"memberLeft","timestamp":1,"source":{"type":"group","groupId":"C1"},"left":{"members":[
		{"type":"user","userId":"U1"},{"type":"user"},{"type":"user","userId":"`+strings.Repeat("U", 200)+`"},{"type":"user","userId":"U2"}]}}`)
	if diff := cmp.Diff([]string{"U1", "U2"}, e.people); diff != "" || e.err != nil {
		t.Errorf("%v, people (-want +got):\n%s", e.err, diff)
	}
}

// In the door, too, what nobody can do anything with is no reason to keep it.
func TestMalformedAndOfNoUseIsNotParked(t *testing.T) {
	w := newWorld(t)
	e := w.platform.Event("somethingNew", linesim.User(taro))
	e.Fields = map[string]any{"message": "x", "left": 7}
	sticker := w.platform.Sticker(linesim.User(taro))
	sticker.Timestamp = time.Time{}
	unreadable := w.platform.Text(taro, "ランチ 900")
	unreadable.Raw = []byte(strings.Replace(string(unreadable.JSON()), `"type":"message"`, `"type":5`, 1))
	w.deliver(e, sticker, unreadable)
	if parked := must(w.parked()); len(parked) != 1 || parked[0].Key != unreadable.ID {
		t.Errorf("parked: %+v, want the one of a type that can't be read", parked)
	}
	if n := w.door.Counts().Ignored.Load(); n != 2 {
		t.Errorf("%d ignored, want 2", n)
	}
}

func TestMentions(t *testing.T) {
	mention := func(list string) string { return `{"mentionees":[` + list + `]}` }
	const self = `"type":"user","isSelf":true`
	for _, c := range []struct {
		name, text, mention string
		want                string
		addressed           bool
	}{
		{"before the text", "@一度 今月", mention(`{"index":0,"length":3,` + self + `}`), "今月", true},
		{"behind it", "今月 @一度", mention(`{"index":3,"length":3,` + self + `}`), "今月", true},
		{"between two numbers", "900@一度500", mention(`{"index":3,"length":3,` + self + `}`), "900 500", true},
		{"counted in UTF-16 units", "🍺🍺 480@一度", mention(`{"index":8,"length":3,` + self + `}`), "🍺🍺 480", true},
		{"twice", "@一度 @一度 今月", mention(`{"index":0,"length":3,` + self + `},{"index":4,"length":3,` + self + `}`), "今月", true},
		{"the text is no more than it", "@一度", mention(`{"index":0,"length":3,` + self + `}`), "", true},
		{"lines stay", "@一度\nランチ 900\nカフェ 480", mention(`{"index":0,"length":3,` + self + `}`), "ランチ 900\nカフェ 480", true},
		{"overlapping", "@一度 今月", mention(`{"index":0,"length":3,` + self + `},{"index":1,"length":2,` + self + `}`), "今月", true},
		{"beside somebody else's", "@花子 @一度 今月", mention(`{"index":0,"length":3,"type":"user"},{"index":4,"length":3,` + self + `}`), "@花子   今月", true},
		{"of somebody else", "@花子 900", mention(`{"index":0,"length":3,"type":"user","userId":"U1"}`), "@花子 900", false},
		{"of all", "@All 900", mention(`{"index":0,"length":4,"type":"all"}`), "@All 900", false},
		{"beyond the end", "@一度 今月", mention(`{"index":4,"length":30,` + self + `}`), "@一度 今月", true},
		{"before the start", "@一度 今月", mention(`{"index":-1,"length":3,` + self + `}`), "@一度 今月", true},
		{"of negative length", "@一度 今月", mention(`{"index":3,"length":-3,` + self + `}`), "@一度 今月", true},
		{"longer than numbers are", "@一度 今月", mention(`{"index":1,"length":9223372036854775807,` + self + `}`), "@一度 今月", true},
		{"half an emoji", "🍺今月", mention(`{"index":0,"length":1,` + self + `}`), "\uFFFD今月", true},
		{"that is none", "@一度 今月", `5`, "@一度 今月", false},
		{"null", "@一度 今月", `null`, "@一度 今月", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := must(json.Marshal(c.text))
			e := decoded(t, fmt.Sprintf(`{"type":"message","timestamp":1,"source":{"type":"group","groupId":"C1"},
				"message":{"type":"text","id":"1","text":%s,"mention":%s}}`, text, c.mention))
			want := message{id: "1", typed: c.text, text: c.want, addressed: c.addressed}
			if e.err != nil || e.message != want {
				t.Errorf("got %+v, %v, want %+v", e.message, e.err, want)
			}
		})
	}
}

// What LINE's simulator says to somebody who mentions the bot is understood.
func TestMentionOfTheSimulator(t *testing.T) {
	w := newWorld(t)
	e := decoded(t, string(w.platform.Mention(linesim.Group(linesim.GroupID("family"), taro), "今月").JSON()))
	if e.message.text != "今月" || !e.message.addressed {
		t.Errorf("got %+v", e.message)
	}
}

// The key names the event. Without an ID of its own an event about a message has
// one that no other event about that message has.
func TestKeys(t *testing.T) {
	p := newWorld(t).platform
	text := p.TextIn(linesim.Group(linesim.GroupID("family"), taro), "ランチ 900")
	edit, unsend := p.Edited(text, "ランチ 950"), p.Unsend(text)
	edit.Timestamp = time.UnixMilli(1796007601234)
	later := edit
	later.Timestamp = edit.Timestamp.Add(time.Millisecond)
	for _, c := range []struct {
		name  string
		event linesim.Event
		want  string // without a webhookEventId
	}{
		{"text", text, text.MessageID},
		{"edit", edit, text.MessageID + "@1796007601234"},
		{"a later edit", later, text.MessageID + "@1796007601235"},
		{"unsend", unsend, text.MessageID + "/unsent"},
		{"tap", p.Postback(linesim.User(taro), "x", nil), ""},
		{"follow", p.Follow(taro, false), ""},
	} {
		if got := decoded(t, string(c.event.JSON())).key; got != c.event.ID || got == "" {
			t.Errorf("%s: key %q, want the event's ID %q", c.name, got, c.event.ID)
		}
		c.event.ID = ""
		if got := decoded(t, string(c.event.JSON())).key; got != c.want {
			t.Errorf("%s without an ID: key %q, want %q", c.name, got, c.want)
		}
	}
	text.ID, text.MessageID = "", ""
	if key := decoded(t, string(text.JSON())).key; key != "" {
		t.Errorf("an event without any ID has the key %q", key)
	}
	text.MessageID = strings.Repeat("m", 5000)
	if key := decoded(t, string(text.JSON())).key; len(key) > 100 {
		t.Errorf("a key of %d bytes", len(key))
	}
}

// A receipt's digest is stored: that of a text stays what it is.
func TestDigestOfTexts(t *testing.T) {
	e := event{kind: said, from: alone, message: textOf("1", "ランチ 900")}
	if !bytes.Equal(e.digest(), store.NewDigest("message", "text", "user", exampleTaro, "1", "ランチ 900")) {
		t.Error("the digest of a text is another one")
	}
}

// The digest covers what decides the effect, and no field can pass for another.
func TestDigest(t *testing.T) {
	group := source{kind: "group", chat: "C1", person: "U1"}
	seen := make(map[string]string)
	for _, c := range []struct {
		name string
		e    event
	}{
		{"text", event{kind: said, from: alone, message: textOf("1", "ランチ 900")}},
		{"text of somebody else", event{kind: said, from: source{"user", "U2", "U2"}, message: textOf("1", "ランチ 900")}},
		{"other text", event{kind: said, from: alone, message: textOf("1", "ランチ 901")}},
		{"text that mentions the bot", event{kind: said, from: alone, message: message{id: "1", typed: "@一度 ランチ 900", text: "ランチ 900"}}},
		{"other message", event{kind: said, from: alone, message: textOf("2", "ランチ 900")}},
		{"text in a group", event{kind: said, from: group, message: textOf("1", "ランチ 900")}},
		{"text in another group", event{kind: said, from: source{"group", "C2", "U1"}, message: textOf("1", "ランチ 900")}},
		{"text in a room", event{kind: said, from: source{"room", "C1", "U1"}, message: textOf("1", "ランチ 900")}},
		{"text in a group by somebody else", event{kind: said, from: source{"group", "C1", "U2"}, message: textOf("1", "ランチ 900")}},
		{"text in a group by nobody", event{kind: said, from: source{"group", "C1", ""}, message: textOf("1", "ランチ 900")}},
		{"edit", event{kind: edited, from: group, message: textOf("1", "ランチ 900")}},
		{"unsend", event{kind: unsent, from: group, message: message{id: "1"}}},
		{"picture", event{kind: image, from: group, message: message{id: "1"}}},
		{"tap", event{kind: tapped, from: alone, tap: tap{data: "x"}}},
		{"other tap", event{kind: tapped, from: alone, tap: tap{data: "y"}}},
		{"date", event{kind: tapped, from: alone, tap: tap{data: "x", date: "2026-11-29"}}},
		{"time", event{kind: tapped, from: alone, tap: tap{data: "x", time: "2026-11-29"}}},
		{"date and time", event{kind: tapped, from: alone, tap: tap{data: "x", datetime: "2026-11-29"}}},
		{"follow", event{kind: followed, from: alone}},
		{"unfollow", event{kind: unfollowed, from: alone}},
		{"leaving", event{kind: peopleLeft, from: group, people: []string{"U1"}}},
		{"leaving of two", event{kind: peopleLeft, from: group, people: []string{"U1", "U2"}}},
	} {
		digest := string(c.e.digest())
		if twin, taken := seen[digest]; taken {
			t.Errorf("%s has the digest of %s", c.name, twin)
		}
		seen[digest] = c.name
		c.e.replyToken, c.e.standby, c.e.id, c.e.key, c.e.at = "other", true, "other", "other", time.Now()
		if string(c.e.digest()) != digest {
			t.Errorf("%s: the digest covers what decides nothing", c.name)
		}
	}
}

func FuzzWebhook(f *testing.F) {
	for _, example := range examples(f) {
		f.Add([]byte(example.Body))
	}
	w := newWorld(f)
	w.door.admit = func(string) bool { return true }
	family := linesim.Group(linesim.GroupID("family"), taro)
	text := w.platform.Mention(family, "ランチ 900")
	unsend := w.platform.Unsend(text)
	unsend.ID, unsend.Source = "", linesim.Source{}
	for _, e := range []linesim.Event{text, w.platform.Edited(text, "カフェ 480"), unsend, w.platform.MemberLeft(family, taro, other)} {
		f.Add(w.platform.Body(e))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		fuzzEvents(t, body)
		rec := httptest.NewRecorder()
		w.door.ServeHTTP(rec, must(w.platform.Request(t.Context(), body)))
		if rec.Code != http.StatusOK && rec.Code != http.StatusBadRequest {
			t.Errorf("status %d", rec.Code)
		}
	})
}

// fuzzEvents holds the events of a body, whatever they are, against what is true
// of every event.
func fuzzEvents(t *testing.T, body []byte) {
	raw, err := split(body)
	if err != nil {
		return
	}
	for _, r := range raw {
		e := decode(r)
		switch {
		case max(len(e.id), len(e.key), len(e.from.chat), len(e.from.person), len(e.message.id)) > maxID+len("@-99999999999999"):
			t.Errorf("an ID that is too long for a key: %+v", e)
		case e.kind != unknown && e.kind != unsent && e.from.chat == "":
			t.Errorf("known, but from nowhere: %+v", e)
		case e.err == nil && e.at.IsZero() && e.kind != unknown && e.kind != media:
			t.Errorf("without a time: %+v", e)
		}
		again := decode(redelivered(r))
		if again.key != e.key || !bytes.Equal(again.digest(), e.digest()) {
			t.Errorf("redelivered with a new field it is another event:\n%+v\n%+v", again, e)
		}
		among, err := decodeAll([]byte(`{"events":[` + string(r) + `]}`))
		if diff := cmp.Diff([]*event{e}, among, sameEvent); err != nil || diff != "" {
			t.Errorf("in its webhook it is another event: %v (-alone +webhook):\n%s", err, diff)
		}
	}
}

// redelivered is an event as LINE may send it once more, years later.
func redelivered(raw json.RawMessage) json.RawMessage {
	rest, object := bytes.CutPrefix(raw, []byte("{"))
	if !object {
		return raw
	}
	added := `{"deliveryContext":{"isRedelivery":true},"newField":[{"id":1}]`
	if !bytes.HasPrefix(bytes.TrimSpace(rest), []byte("}")) {
		added += ","
	}
	return append([]byte(added), rest...)
}
