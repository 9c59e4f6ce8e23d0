package line

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ichido/bot"
	"ichido/internal/ledger"
	"ichido/internal/linesim"
	"ichido/store"
	"ichido/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

var (
	tokyo = must(time.LoadLocation("Asia/Tokyo"))
	taro  = linesim.UserID("taro")
	other = linesim.UserID("other")
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// world is a household: its file, its door and LINE. Both directions go through
// the HTTP code without sockets, so that it also runs in a synctest bubble.
type world struct {
	t        testing.TB
	path     string
	store    *store.Store
	door     *Door
	platform *linesim.Platform
	log      *logBuffer
	maxSize  int      // of the file; 0 is no limit
	allow    []string // IDs that the configuration lets in

	secret, token, channelID string // what the bot is configured with

	transport http.RoundTripper // of the calls of LINE's API
	inspector []string          // store.Options.Inspector
	bot       *bot.Bot
	free      func() (uint64, error) // Config.Free
	stop      func()                 // ends the sender; nil while it does not run
	bubble    bool                   // the test runs in a bubble of synctest
}

// newWorld has taro as a member and a sender that does not run yet.
func newWorld(t testing.TB) *world {
	w := &world{t: t, path: filepath.Join(t.TempDir(), "ichido.db"), log: &logBuffer{}, bot: bot.New(tokyo), allow: []string{taro}}
	w.secret, w.token = linesim.DefaultSecret, linesim.DefaultToken
	w.platform = linesim.New(linesim.Options{
		Webhook: "http://bot.invalid/line/webhook",
		Client:  &http.Client{Transport: linesim.Transport(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { w.door.ServeHTTP(rw, r) }))},
	})
	w.platform.SetProfile(taro, "太郎")
	w.transport = linesim.Transport(w.platform)
	w.open()
	t.Cleanup(w.close)
	return w
}

// open opens the file and makes a door, as the start of the program does.
func (w *world) open() {
	w.t.Helper()
	s, err := store.Open(w.path, store.Options{NoSync: true, MaxSize: w.maxSize, Inspector: w.inspector, Fatal: func(err error) { w.t.Errorf("fatal: %v", err) }})
	if err != nil {
		w.t.Fatal(err)
	}
	w.store = s
	w.door, err = New(Config{
		Store: s, Bot: w.bot, Secret: w.secret, Token: w.token, ChannelID: w.channelID, Endpoint: "http://line.invalid",
		Admit: func(id string) bool { return slices.Contains(w.allow, id) }, Zone: tokyo,
		Log: slog.New(slog.NewTextHandler(w.log, nil)), Transport: w.transport, Free: w.free,
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// run starts the sender. In a bubble it has begun all that it does by itself when run
// returns.
func (w *world) run() {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := w.door.Run(ctx); err != nil {
			w.t.Error(err)
		}
	})
	w.stop = func() {
		cancel()
		running.Wait()
		w.stop = nil
	}
	if w.bubble {
		synctest.Wait()
	}
}

func (w *world) close() {
	if w.stop != nil {
		w.stop()
	}
	if w.store == nil {
		return
	}
	if err := errors.Join(w.store.Check(), w.store.Close()); err != nil {
		w.t.Error(err)
	}
	w.store = nil
}

// restart is the program's end and a new start on the same file.
func (w *world) restart() {
	w.close()
	w.open()
	w.run()
}

func (w *world) deliver(events ...linesim.Event) {
	w.t.Helper()
	status, err := w.platform.Deliver(w.t.Context(), events...)
	if err != nil || status != http.StatusOK {
		w.t.Fatalf("delivering: %d, %v", status, err)
	}
}

func (w *world) say(text string) linesim.Event {
	w.t.Helper()
	e := w.platform.Text(taro, text)
	w.deliver(e)
	return e
}

// rows gives the rows that count, as "item amount".
func (w *world) rows() []string {
	w.t.Helper()
	lines := []string{}
	err := w.store.View(func(tx *store.Tx) error {
		return tx.Rows(store.AllRows, func(r *ledger.Row) error {
			if r.Stands() {
				lines = append(lines, fmt.Sprintf("%s %d", r.Item, r.Amount))
			}
			return nil
		})
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return lines
}

func (w *world) wantRows(want ...string) {
	w.t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), w.rows()); diff != "" {
		w.t.Errorf("rows (-want +got):\n%s", diff)
	}
}

// outbox gives what is in the outbox as "id state".
func (w *world) outbox() []string {
	w.t.Helper()
	lines := []string{}
	note := func(o store.Outgoing) error {
		lines = append(lines, fmt.Sprintf("%d %v", o.ID, o.State))
		return nil
	}
	err := w.store.View(func(tx *store.Tx) error {
		return errors.Join(tx.PendingOutgoing(note), tx.SettledOutgoing(note))
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return lines
}

func (w *world) wantOutbox(want ...string) {
	w.t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), w.outbox()); diff != "" {
		w.t.Errorf("outbox (-want +got):\n%s", diff)
	}
}

// wantBubbles compares the bot's bubbles in taro's chat: each must contain the
// text in its place.
func (w *world) wantBubbles(want ...string) {
	w.t.Helper()
	got := w.platform.BotTexts(taro)
	ok := len(got) == len(want)
	for i := range min(len(got), len(want)) {
		ok = ok && strings.Contains(got[i], want[i])
	}
	if !ok {
		w.t.Errorf("the chat shows %q, want bubbles with %q", got, want)
	}
}

// logBuffer is a log that may be written by many.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// The main job, on real sockets: a signed webhook becomes one row and one
// answer, however often it comes.
func TestOneRowOneAnswer(t *testing.T) {
	w := newWorld(t)
	server := httptest.NewServer(w.door)
	defer server.Close()
	platform := linesim.New(linesim.Options{Webhook: server.URL})
	url, stop := platform.Start()
	defer stop()
	w.close()
	w.platform, w.token = platform, linesim.DefaultToken
	w.open()
	door := must(New(Config{
		Store: w.store, Bot: w.bot, Secret: linesim.DefaultSecret, Token: linesim.DefaultToken, Endpoint: url,
		Admit: func(id string) bool { return id == taro }, Zone: tokyo,
	}))
	w.door = door
	server.Config.Handler = door
	w.run()

	e := platform.Text(taro, "ランチ 900")
	for _, r := range platform.DeliverTimes(t.Context(), 64, e) {
		if r.Status != http.StatusOK || r.Err != nil {
			t.Errorf("delivering: %+v", r)
		}
	}
	w.deliver(e.Redelivered())
	if _, err := platform.Wait(t.Context(), taro, 1); err != nil {
		t.Fatal(err)
	}
	w.stop()
	w.wantBubbles("ランチ 900円")
	w.wantRows("ランチ 900")
	w.wantOutbox()
}

func TestSameTextTwiceAndNoIDs(t *testing.T) {
	w := newWorld(t)
	w.say("ランチ 900")
	w.say("ランチ 900")
	e := w.platform.Text(taro, "ランチ 900")
	e.ID, e.MessageID = "", ""
	w.deliver(e)
	w.deliver(e)
	w.wantRows("ランチ 900", "ランチ 900", "ランチ 900", "ランチ 900")
	withoutID := w.platform.Text(taro, "カフェ 480") // then the message's ID is the key
	withoutID.ID = ""
	w.deliver(withoutID)
	w.deliver(withoutID)
	otherID := w.platform.Text(taro, "夕食 2000")
	w.deliver(otherID)
	otherID.ID += "x" // and another event with the same message adds nothing
	w.deliver(otherID)
	if n := len(w.rows()); n != 6 {
		t.Errorf("%d rows, want 6: %q", n, w.rows())
	}
}

func TestSignature(t *testing.T) {
	w := newWorld(t)
	body := w.platform.Body(w.platform.Text(taro, "ランチ 900"))
	var spaced bytes.Buffer
	if err := json.Indent(&spaced, body, "", " "); err != nil {
		t.Fatal(err)
	}
	sign := w.platform.Sign(body)
	for name, c := range map[string]struct {
		body      []byte
		signature string
	}{
		"missing":        {body, ""},
		"wrong":          {body, w.platform.Sign([]byte("other"))},
		"no base64":      {body, "%%%"},
		"re-serialised":  {spaced.Bytes(), sign},
		"with a newline": {append(bytes.Clone(body), '\n'), sign},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodPost, "/line/webhook", bytes.NewReader(c.body))
			if c.signature != "" {
				r.Header.Set("X-Line-Signature", c.signature)
			}
			rec := httptest.NewRecorder()
			w.door.ServeHTTP(rec, r)
			if rec.Code != http.StatusUnauthorized {
				t.Errorf("status %d, want 401", rec.Code)
			}
		})
	}
	w.wantRows()
	if log := w.log.String(); strings.Contains(log, "ランチ") || strings.Count(log, "\n") > 1 {
		t.Errorf("more than a warning was logged: %s", log)
	}
}

func TestEmptySecretIsRefused(t *testing.T) {
	if _, err := New(Config{Token: "t", Zone: tokyo}); !errors.Is(err, ErrNoSecret) {
		t.Errorf("got %v, want ErrNoSecret", err)
	}
}

func TestRequestsThatAreNone(t *testing.T) {
	w := newWorld(t)
	post := func(body string) int {
		r := must(w.platform.Request(t.Context(), []byte(body)))
		rec := httptest.NewRecorder()
		w.door.ServeHTTP(rec, r)
		return rec.Code
	}
	get := httptest.NewRecorder()
	w.door.ServeHTTP(get, httptest.NewRequest(http.MethodGet, "/line/webhook", nil))
	for _, c := range []struct {
		name      string
		got, want int
	}{
		{"GET", get.Code, 405},
		{"no JSON", post("hello"), 400},
		{"of unknown length", postChunked(w, `{"events":[]}`), 200},
		{"too large, of unknown length", postChunked(w, `{"events":[`+strings.Repeat(" ", 1<<20)+`]}`), 413},
		{"too large", post(`{"events":[` + strings.Repeat(" ", 1<<20) + `]}`), 413},
		{"Verify button", post(`{"destination":"U","events":[]}`), 200},
		{"no events at all", post(`{}`), 200},
	} {
		if c.got != c.want {
			t.Errorf("%s: status %d, want %d", c.name, c.got, c.want)
		}
	}
}

// postChunked posts a body whose length the request does not tell.
func postChunked(w *world, body string) int {
	r := must(w.platform.Request(w.t.Context(), []byte(body)))
	r.ContentLength = -1
	rec := httptest.NewRecorder()
	w.door.ServeHTTP(rec, r)
	return rec.Code
}

func (w *world) parked() (parked []store.Parked, err error) {
	err = w.store.View(func(tx *store.Tx) error {
		parked, err = tx.AllParked("")
		return err
	})
	return parked, err
}

// In a chat with one person LINE always says who that is. Who is nobody is never
// taken for the machine.
func TestNobody(t *testing.T) {
	w := newWorld(t)
	w.door.admit = func(string) bool { return true }
	e := w.platform.Text(taro, "ランチ 900")
	e.Source.UserID = ""
	w.deliver(e)
	w.wantRows()
}

// A message without a reply token is answered by a push.
func TestNoReplyToken(t *testing.T) {
	inBubble(t, func(w *world) {
		w.run()
		e := w.platform.Text(taro, "ランチ 900")
		e.ReplyToken = ""
		w.deliver(e)
		w.pass(time.Minute)
		w.wantBubbles("ランチ 900円")
		w.wantOutbox()
		if n := w.pushes(); n != 1 {
			t.Errorf("%d pushes, want 1", n)
		}
	})
}

// A parked event whose sender may no longer talk is forgotten at the next start.
func TestParkedOfAFormerMember(t *testing.T) {
	inBubble(t, func(w *world) {
		w.bot = bot.New(nil)
		w.close()
		w.open()
		w.say("ランチ 900")
		if parked := must(w.parked()); len(parked) != 1 {
			t.Fatalf("%d parked, want 1", len(parked))
		}
		w.close()
		w.open()
		w.door.admit = func(string) bool { return false }
		w.run()
		w.pass(time.Minute)
		if parked := must(w.parked()); len(parked) != 0 {
			t.Errorf("still parked: %+v", parked)
		}
		w.wantRows()
	})
}

// One event that cannot be handled harms neither the others nor the 200.
func TestBadEventAmongGoodOnes(t *testing.T) {
	w := newWorld(t)
	bad := w.platform.Text(taro, "x")
	bad.Raw = []byte(strings.Replace(string(bad.JSON()), `"timestamp":`, `"timestamp":"soon","was":`, 1))
	w.deliver(w.platform.Text(taro, "ランチ 900"), bad, w.platform.Text(taro, "カフェ 480"))
	w.wantRows("ランチ 900", "カフェ 480")
	if parked := must(w.parked()); len(parked) != 1 {
		t.Errorf("%d parked, want 1", len(parked))
	}
	stranger := w.platform.Text(other, "x")
	stranger.Raw = []byte(strings.Replace(string(stranger.JSON()), `"timestamp":`, `"timestamp":"soon","was":`, 1))
	w.deliver(stranger)
	if parked := must(w.parked()); len(parked) != 1 {
		t.Errorf("a stranger's event was parked")
	}
}

func TestConflictIsRefusedInSilence(t *testing.T) {
	w := newWorld(t)
	e := w.say("ランチ 900")
	e.Text = "ランチ 9000"
	w.deliver(e)
	w.wantRows("ランチ 900")
	if n := w.door.Counts().Conflicts.Load(); n != 1 {
		t.Errorf("%d conflicts counted", n)
	}
	w.wantOutbox("1 pending")
}

// Events count in the order in which they were typed.
func TestOrderIsByTime(t *testing.T) {
	t.Run("in one webhook", func(t *testing.T) {
		w := newWorld(t)
		record := w.platform.Text(taro, "ランチ 900")
		undo := w.platform.Text(taro, "取消")
		undo.Timestamp = record.Timestamp.Add(time.Second)
		w.deliver(undo, record)
		w.wantRows()
	})
	t.Run("in two", func(t *testing.T) {
		w := newWorld(t)
		first := w.platform.Text(taro, "カフェ 480")
		record := w.platform.Text(taro, "ランチ 900")
		undo := w.platform.Text(taro, "取消")
		record.Timestamp = first.Timestamp.Add(2 * time.Second)
		undo.Timestamp = first.Timestamp.Add(time.Second)
		w.deliver(first)
		w.deliver(record)
		w.deliver(undo) // typed before the record: it never touches it
		w.wantRows("ランチ 900")
	})
	t.Run("a record that comes after a later undo is kept and says so", func(t *testing.T) {
		w := newWorld(t)
		record := w.platform.Text(taro, "ランチ 900")
		undo := w.platform.Text(taro, "取消")
		undo.Timestamp = record.Timestamp.Add(time.Second)
		w.deliver(undo)
		w.deliver(record)
		w.wantRows("ランチ 900")
		w.run()
		if _, err := w.platform.Wait(t.Context(), taro, 2); err != nil {
			t.Fatal(err)
		}
		w.stop()
		answer := w.platform.Chat(taro)
		last := answer[len(answer)-1]
		if !strings.Contains(last.Text, "取消") || len(last.Buttons) == 0 || last.Buttons[0].Text != "取消 2" {
			t.Errorf("the answer is %q with buttons %+v", last.Text, last.Buttons)
		}
	})
}
