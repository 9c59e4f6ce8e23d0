package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"ichido/bot/line"
	"ichido/internal/linesim"
	"ichido/internal/linesim/page"
)

const (
	webRedeliver = time.Second // from a delivery that failed to the next; LINE does not say how long it waits
	webGivesUp   = 5 * time.Minute
	webNotes     = 300 // lines of the log that are kept
)

// The household of the page.
var webPeople = []string{"太郎", "花子"}

var (
	errNobody    = errors.New("そのような人はいません")
	errNoMessage = errors.New("そのメッセージはもうありません")
	errNoButton  = errors.New("そのボタンは押せません")
	errOnlyGroup = errors.New("編集はグループだけでできます（LINEの決まり）")
	errTooLong   = errors.New("長すぎます（5000文字まで）")
	errNoSwitch  = errors.New("そのようなスイッチはありません")
)

// webHome is the household of the page: its people in LINE, and the bot in a process of
// its own.
type webHome struct {
	platform   *linesim.Platform
	key        string // stands in the page's address
	secret     string // of the channel
	token      string
	bot        *webBot
	zone       *time.Location
	ctx        context.Context // ends with the page
	delivering sync.WaitGroup

	mu      sync.Mutex // over everything down to changes
	said    map[string]linesim.Event
	facts   map[string]page.Facts // of people's messages, by ID
	inGroup bool                  // the bot is in the group
	twice   bool
	armed   bool // the bot is killed when it calls LINE next
	busy    bool // LINE takes nothing
	losing  bool // the end of the next call is lost
	notes   []page.Note
	changes int // of what the ledger may show

	reading sync.Mutex // over ledger, read and readAt; before mu
	ledger  []page.Row // nil before it was read
	read    int        // changes when it was read
	readAt  time.Time
}

func newWebHome(zone *time.Location) *webHome {
	h := &webHome{key: rand.Text(), secret: rand.Text(), token: rand.Text(), zone: zone, said: make(map[string]linesim.Event), facts: make(map[string]page.Facts)}
	h.platform = linesim.New(linesim.Options{Secret: h.secret, Token: h.token})
	var ids []string
	for _, name := range webPeople {
		h.platform.SetProfile(linesim.UserID(name), name)
		ids = append(ids, linesim.UserID(name))
	}
	h.platform.SetMembers(linesim.GroupID(defaultGroup), ids...)
	h.platform.SetFault(h.fault)
	return h
}

// everybody are the IDs that need no joining code.
func (h *webHome) everybody() []string {
	ids := []string{linesim.GroupID(defaultGroup)}
	for _, name := range webPeople {
		ids = append(ids, linesim.UserID(name))
	}
	return ids
}

func (h *webHome) note(side, text string, bad bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.notes = append(h.notes, page.Note{At: time.Now().In(h.zone), Side: side, Text: text, Bad: bad})
	if len(h.notes) > webNotes {
		h.notes = slices.Clone(h.notes[len(h.notes)-webNotes:])
	}
}

// moved tells that the ledger may have changed.
func (h *webHome) moved() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.changes++
}

// befriend lets everybody add the bot as a friend, which it answers with a greeting.
func (h *webHome) befriend() {
	for _, name := range webPeople {
		h.deliver("友だち追加", h.platform.Follow(linesim.UserID(name), false))
	}
}

// setUpMenu makes the rich menu as ichido setup does.
func (h *webHome) setUpMenu(ctx context.Context, endpoint string) error {
	channel, err := line.NewChannel(line.Config{Secret: h.secret, Token: h.token, Endpoint: endpoint})
	if err == nil {
		_, err = channel.SetUpMenu(ctx)
	}
	return err
}

// source is who speaks and where.
func (h *webHome) source(who, where string) (linesim.Source, error) {
	if !slices.Contains(webPeople, who) {
		return linesim.Source{}, errNobody
	}
	switch where {
	case "":
		return linesim.User(linesim.UserID(who)), nil
	case defaultGroup:
		return linesim.Group(linesim.GroupID(where), linesim.UserID(who)), nil
	}
	return linesim.Source{}, errNobody
}

// say sends a text; quote is the ID of the message that it quotes, "" for none.
func (h *webHome) say(s linesim.Source, text, quote string) error {
	if len([]rune(text)) > 5000 {
		return errTooLong
	}
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if quote == "" {
		h.utter(h.platform.TextIn(s, text), "")
		return nil
	}
	if _, err := h.bubble(s, quote); err != nil {
		return err
	}
	h.utter(h.platform.Quote(s, quote, text), "")
	return nil
}

// send sends a photo or a sticker.
func (h *webHome) send(s linesim.Source, kind string) {
	if kind == "photo" {
		h.utter(h.platform.Image(s), kind)
	} else {
		h.utter(h.platform.Sticker(s), "sticker")
	}
}

// utter delivers what a person says for the first time.
func (h *webHome) utter(e linesim.Event, kind string) {
	h.mu.Lock()
	h.said[e.MessageID], h.facts[e.MessageID] = e, page.Facts{Kind: kind}
	h.mu.Unlock()
	h.deliver("メッセージ", e)
}

func (h *webHome) bubble(s linesim.Source, id string) (linesim.Bubble, error) {
	for _, b := range h.platform.Chat(s.Chat()) {
		if b.ID == id && id != "" && !b.Unsent {
			return b, nil
		}
	}
	return linesim.Bubble{}, errNoMessage
}

// mine is the event of a message that the person has sent.
func (h *webHome) mine(s linesim.Source, id string) (linesim.Event, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	e, known := h.said[id]
	if !known || e.Source != s {
		return linesim.Event{}, errNoMessage
	}
	return e, nil
}

func (h *webHome) unsend(s linesim.Source, id string) error {
	e, err := h.mine(s, id)
	if err != nil {
		return err
	}
	h.mu.Lock()
	delete(h.said, id)
	h.mu.Unlock()
	h.deliver("送信取消", h.platform.Unsend(e))
	return nil
}

func (h *webHome) edit(s linesim.Source, id, text string) error {
	if s.Type == "user" {
		return errOnlyGroup
	}
	e, err := h.mine(s, id)
	if err != nil || e.MessageType != "text" {
		return errNoMessage
	}
	e.Text = text
	h.mu.Lock()
	facts := h.facts[id]
	facts.Edited = true
	h.said[id], h.facts[id] = e, facts
	h.mu.Unlock()
	h.deliver("編集", h.platform.Edited(e, text))
	return nil
}

// tap presses the n-th button in a bubble or, if quick, under it.
func (h *webHome) tap(s linesim.Source, id, n string, quick bool) error {
	b, err := h.bubble(s, id)
	if err != nil {
		return err
	}
	buttons := page.Buttons(b)
	if quick {
		buttons = b.QuickReplies
	}
	return h.press(s, buttons, n)
}

// pressMenu presses the n-th area of the rich menu.
func (h *webHome) pressMenu(s linesim.Source, n string) error {
	menu, _ := h.platform.RichMenu()
	var buttons []linesim.Button
	for _, area := range menu.Areas {
		buttons = append(buttons, area.Button)
	}
	return h.press(s, buttons, n)
}

func (h *webHome) press(s linesim.Source, buttons []linesim.Button, n string) error {
	i, err := strconv.Atoi(n)
	if err != nil || i < 0 || i >= len(buttons) {
		return errNoButton
	}
	e, ok := h.platform.Tap(s, buttons[i])
	switch {
	case !ok:
		return errNoButton
	case e.MessageID != "":
		h.utter(e, "")
	default:
		h.deliver("ボタン", e)
	}
	return nil
}

// deliver brings an event to the bot as LINE does: again and again until it is taken.
func (h *webHome) deliver(what string, e linesim.Event) {
	events := []linesim.Event{e}
	h.mu.Lock()
	if e.Source.Type == "group" && !h.inGroup {
		h.inGroup = true
		events = slices.Insert(events, 0, h.platform.Join(linesim.Group(e.Source.GroupID, "")))
	}
	twice := h.twice
	h.mu.Unlock()
	h.delivering.Go(func() { h.deliverUntilTaken(what, twice, events) })
}

func (h *webHome) deliverUntilTaken(what string, twice bool, events []linesim.Event) {
	for start, tries := time.Now(), 1; h.ctx.Err() == nil; tries++ {
		taken := false
		if twice && tries == 1 {
			taken = h.post(what+"（1回目）", events)
			taken = h.post(what+"（2回目）", events) || taken
		} else {
			taken = h.post(what, events)
		}
		if taken {
			h.taken(events)
			return
		}
		if time.Since(start) > webGivesUp {
			h.note("LINE", what+" をあきらめました", true)
			return
		}
		select {
		case <-h.ctx.Done():
		case <-time.After(webRedeliver):
		}
		if tries == 1 {
			what += "（再送）"
		}
		for i := range events {
			events[i] = events[i].Redelivered()
		}
	}
}

// post delivers once and says whether the bot has taken it.
func (h *webHome) post(what string, events []linesim.Event) bool {
	ctx, cancel := context.WithTimeout(h.ctx, linesim.WebhookTimeout)
	defer cancel()
	status, err := h.platform.Deliver(ctx, events...)
	taken := err == nil && status/100 == 2
	switch {
	case h.ctx.Err() != nil:
		return false
	case err != nil:
		h.note("LINE", what+" → 届かない。1秒後にもう一度", true)
	default:
		h.note("LINE", fmt.Sprintf("%s → %d", what, status), !taken)
	}
	h.moved()
	return taken
}

// taken marks the messages as read.
func (h *webHome) taken(events []linesim.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, e := range events {
		if f, known := h.facts[e.MessageID]; known {
			f.Read = true
			h.facts[e.MessageID] = f
		}
	}
}

// fault says what goes wrong with a call of the bot's.
func (h *webHome) fault(r *http.Request) linesim.Fault {
	kind := callKind(r.URL.Path)
	if kind == "" {
		return linesim.Fault{}
	}
	h.mu.Lock()
	armed, losing, busy := h.armed, h.losing, h.busy
	h.armed = false
	if !armed && !busy {
		h.losing = false
	}
	h.mu.Unlock()
	switch {
	case armed:
		h.bot.kill()
		return linesim.Refuse()
	case busy:
		return linesim.NotAccepted(http.StatusTooManyRequests, "")
	case losing:
		return linesim.Lost()
	}
	return linesim.Fault{}
}

// log is what the bot and LINE did, in the order of time: the notes, and the calls.
func (h *webHome) log() []page.Note {
	h.mu.Lock()
	notes := slices.Clone(h.notes)
	h.mu.Unlock()
	for _, c := range h.platform.Calls() {
		if kind := callKind(c.Path); kind != "" {
			notes = append(notes, page.Note{At: c.At.In(h.zone), Side: "bot", Text: kind + " → " + callEnd(c), Bad: c.Status != http.StatusOK})
		}
	}
	slices.SortStableFunc(notes, func(a, b page.Note) int { return a.At.Compare(b.At) })
	return notes[max(0, len(notes)-webNotes):]
}

// callEnd is how a reply or push ended, as the bot saw it.
func callEnd(c linesim.Call) string {
	switch {
	case c.Status == 0 && c.Accepted:
		return "LINEは受け取ったが、その知らせは途中で消えた"
	case c.Status == 0:
		return "途中で切れた"
	case c.Status == http.StatusBadRequest && c.ReplyToken != "":
		return "400（この返信トークンはもう使えない）"
	case c.Status == http.StatusConflict:
		return "409（もう受け取ってある）"
	case c.Status == http.StatusTooManyRequests:
		return "429（混んでいる）"
	}
	return strconv.Itoa(c.Status)
}

// callKind is what a call says to people, "" for nothing.
func callKind(path string) string {
	switch path {
	case "/v2/bot/message/reply":
		return "返事"
	case "/v2/bot/message/push":
		return "プッシュ"
	}
	return ""
}
