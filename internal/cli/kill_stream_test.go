package cli

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"ichido/internal/linesim"
	"ichido/store"
)

// family is a household whose members write alone and in a group, change and take
// back what they wrote, and press buttons, while the server is killed. All that they
// did is kept, to be compared with the file in the end.
type family struct {
	*server
	people  []string
	group   string // is let in
	public  string // is not
	stopped chan struct{}

	mu     sync.Mutex
	deeds  []*deed
	items  map[string]string   // item -> ID of the only message that ever had it
	said   map[string][]string // chat -> IDs of messages that may be quoted
	used   map[string]bool     // IDs of answers that somebody has quoted, or pressed a button of
	gone   map[string]bool     // chats with somebody who has blocked the bot for a while
	races  [][]*deed           // the same code, from several people
	amount int
}

// deed is an event of the stream and what is known of it.
type deed struct {
	event linesim.Event
	kind  deedKind
	rows  []entry // that a message or an edit says; none is a remark
	data  string  // of the pressed button
	of    uint64  // the receipt under whose answer the button was, or whose answer was quoted
	shown time.Time
	reply bool // the quoted answer came as a reply

	never bool  // it must leave no receipt
	gate  *deed // it has a receipt if, and only if, this one has; nil: see never

	first, done time.Time // from its first delivery to the end of the last
}

type deedKind int

const (
	said   deedKind = iota
	edited          // another text for a message
	unsent          // a message taken back
	tapped          // a press on a button
	quoted          // 取消 with an earlier message
	asked           // anything else that is answered
	silent          // anything else that is not
)

// entry is a row as it is typed.
type entry struct {
	item   string
	amount int
}

func newFamily(t *testing.T) *family {
	f := &family{
		server: newServer(t), group: linesim.GroupID("family"), public: linesim.GroupID("public"), stopped: make(chan struct{}),
		items: map[string]string{}, said: map[string][]string{}, used: map[string]bool{}, gone: map[string]bool{},
	}
	f.people = f.users
	f.users = append(f.users[:len(f.users):len(f.users)], f.group) // of --allow
	f.env = []string{"ICHIDO_VERBOSE=true"}
	f.platform.SetFault(unreliable)
	return f
}

// TestKillFamily is TestKill with all that a family does. What each acknowledged
// event did, and what is there in the end, is as a small model says; what was said,
// was said once, or the outbox has it; what was unsent is nowhere.
func TestKillFamily(t *testing.T) {
	t.Parallel()
	kills, races := 12, 3
	switch {
	case *long:
		kills, races = 150, 20
	case testing.Short():
		kills, races = 5, 2
	}
	f := newFamily(t)
	f.start()
	for i, person := range f.people { // so that LINE's unfollow is of somebody
		f.platform.SetProfile(person, []string{"太郎", "花子", "太郎", ""}[i])
		f.deliver(f.say(linesim.User(person), f.newRows(1)))
	}
	codes := f.invite(3 * races)
	var people sync.WaitGroup
	for _, person := range slices.Concat(f.people, f.people, f.people) { // each with three devices
		people.Go(func() { f.live(person) })
	}
	people.Go(func() {
		for c := range slices.Chunk(codes, 3) {
			f.race(c)
		}
	})
	f.killOften(kills, 300*time.Millisecond)
	close(f.stopped)
	people.Wait()
	f.sayAll()
	if status := f.terminate(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	if err := store.CheckFile(t.Context(), f.db, nil); err != nil {
		t.Error(err)
	}
	e := f.look()
	e.wantReceipts()
	e.wantEffects()
	e.wantAnswers(kills)
	e.wantForgotten()
	e.wantVariety()
}

// invite makes codes for people to join with.
func (f *family) invite(n int) (codes []string) {
	client := f.client()
	for range n {
		invite, err := client.Invite(f.t.Context())
		if err != nil {
			f.t.Fatal(err)
		}
		codes = append(codes, invite.Code)
	}
	return codes
}

// unreliable is a LINE that loses answers, refuses reply tokens, and takes pushes
// late, so that answers wait and go along with others.
func unreliable(r *http.Request) linesim.Fault {
	push := strings.HasSuffix(r.URL.Path, "/push")
	switch n := rand.IntN(30); {
	case n < 2:
		return linesim.Lost()
	case n < 3:
		return linesim.Accepted500()
	case n < 4:
		return linesim.NotAccepted(500, "")
	case n < 5 || push && n < 20:
		return linesim.NotAccepted(429, "")
	case n < 9 && !push:
		return linesim.NotAccepted(400, linesim.MessageReplyToken)
	}
	return linesim.Fault{}
}

// live has somebody at a device of a person's do one thing after another until the end.
func (f *family) live(person string) {
	in := func() linesim.Source { // where, and as whom, the next thing is done
		switch rand.IntN(8) {
		case 0:
			return linesim.Group(f.group, "")
		case 1, 2, 3:
			return linesim.User(person)
		}
		return linesim.Group(f.group, person)
	}
	var mine []*deed
	for !f.ended() {
		switch rand.IntN(13) {
		case 0, 1, 2, 3:
			mine = append(mine, f.tell(in())...)
		case 4, 5:
			mine = f.revise(mine)
		case 6, 7, 8, 9:
			f.press(in())
		case 10, 11:
			f.takeBackQuoted(in())
		case 12:
			f.ask(person)
		}
		time.Sleep(time.Duration(rand.IntN(10)) * time.Millisecond)
	}
}

func (f *family) ended() bool {
	select {
	case <-f.stopped:
		return true
	default:
		return false
	}
}

// add keeps an event that is about to be delivered. No two about one message are of
// the same millisecond.
func (f *family) add(d *deed) *deed {
	time.Sleep(2 * time.Millisecond)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.deeds = append(f.deeds, d)
	for _, e := range d.rows {
		f.items[e.item] = d.event.MessageID
	}
	return d
}

// newRows makes what a message says. Each item belongs to one message, each amount
// to one text of it.
func (f *family) newRows(n int) (rows []entry) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for range n {
		f.amount++
		rows = append(rows, entry{"item" + letters(f.amount), 100 + f.amount%900})
	}
	return rows
}

// typed is how rows are typed. None is a remark, which is not for the bot.
func typed(rows []entry) string {
	if len(rows) == 0 {
		return "おいしかった"
	}
	var lines []string
	for _, e := range rows {
		lines = append(lines, fmt.Sprintf("%s %d", e.item, e.amount))
	}
	return strings.Join(lines, "\n")
}

func someRows() int { return []int{0, 1, 1, 1, 1, 1, 2, 2}[rand.IntN(8)] }

func (f *family) say(in linesim.Source, rows []entry) *deed {
	d := f.add(&deed{event: f.platform.TextIn(in, typed(rows)), kind: said, rows: rows})
	f.mu.Lock()
	defer f.mu.Unlock()
	f.said[in.Chat()] = append(f.said[in.Chat()], d.event.MessageID)
	return d
}

// tell says something, and perhaps changes it and takes it back before anything of
// it has arrived. It returns what can still be revised.
func (f *family) tell(in linesim.Source) []*deed {
	d := f.say(in, f.newRows(someRows()))
	all := []*deed{d}
	for in.Type != "user" && rand.IntN(5) < 2 { // LINE has edits in groups only
		all = append(all, f.edit(d))
	}
	taken := rand.IntN(6) == 0
	if taken {
		all = append(all, f.unsend(d))
	}
	f.deliver(all...)
	if taken {
		return nil
	}
	return []*deed{d}
}

func (f *family) edit(of *deed) *deed {
	rows := f.newRows(someRows())
	if len(rows) > 0 && len(of.rows) > 0 && rand.IntN(2) == 0 {
		rows[0].item = of.rows[0].item
	}
	return f.add(&deed{event: f.platform.Edited(of.event, typed(rows)), kind: edited, rows: rows})
}

func (f *family) unsend(of *deed) *deed {
	return f.add(&deed{event: f.platform.Unsend(of.event), kind: unsent, gate: of.gate})
}

// revise changes an earlier message or takes it back, and returns those that are left.
func (f *family) revise(mine []*deed) []*deed {
	if len(mine) == 0 {
		return mine
	}
	i := max(0, len(mine)-1-rand.IntN(8))
	d := mine[i]
	if d.event.Source.Type != "user" && rand.IntN(3) > 0 {
		f.deliver(f.edit(d))
		return mine
	}
	f.deliver(f.unsend(d))
	return append(mine[:i:i], mine[i+1:]...)
}

// press presses a button of the chat: one that LINE shows, or one that it does not
// show any more; often twice.
func (f *family) press(in linesim.Source) {
	label, data := f.someButton(in.Chat())
	if data == "" {
		return
	}
	var all []*deed
	for range 1 + rand.IntN(2) {
		e, ok := f.platform.Press(in, label)
		if !ok || rand.IntN(2) == 0 {
			e = f.platform.Postback(in, data, nil)
		}
		if e.Type != "postback" {
			return
		}
		pressed, _ := e.Fields["postback"].(map[string]any)["data"].(string)
		all = append(all, f.add(&deed{event: e, kind: tapped, data: pressed, of: receiptOf(pressed)}))
	}
	f.deliver(all...)
}

// receiptOf is the number in a button's data, 0 if there is none.
func receiptOf(data string) uint64 {
	parts := strings.Split(data, ":")
	if len(parts) < 3 {
		return 0
	}
	n, _ := strconv.ParseUint(parts[1], 10, 64)
	return n
}

// someButton finds a button of one of the last answers; at times it is certainly none
// of the many that change a category.
func (f *family) someButton(chat string) (label, data string) {
	bubble, ok := f.someAnswer(chat)
	if !ok {
		return "", ""
	}
	buttons := bubble.AllButtons()
	if rand.IntN(3) == 0 {
		buttons = buttons[:1]
	}
	b := buttons[rand.IntN(len(buttons))]
	return b.Label, b.Data
}

// someAnswer finds one of the last answers of the bot with buttons that do something,
// mostly one that was not found before.
func (f *family) someAnswer(chat string) (linesim.Bubble, bool) {
	var found []linesim.Bubble
	fresh, all := rand.IntN(4) > 0, f.platform.Chat(chat)
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, b := range all[max(0, len(all)-200):] {
		if b.Via != "" && len(b.AllButtons()) > 0 && receiptOf(b.AllButtons()[0].Data) != 0 && !(fresh && f.used[b.ID]) {
			found = append(found, b)
		}
	}
	if len(found) == 0 {
		return linesim.Bubble{}, false
	}
	b := found[max(0, len(found)-1-rand.IntN(15))]
	f.used[b.ID] = true
	return b, true
}

// takeBackQuoted says 取消 to a message or to an answer of the bot.
func (f *family) takeBackQuoted(in linesim.Source) {
	d := &deed{kind: quoted}
	f.mu.Lock()
	ids := f.said[in.Chat()]
	f.mu.Unlock()
	quotes := ""
	if answer, ok := f.someAnswer(in.Chat()); ok && rand.IntN(2) == 0 {
		quotes, d.of = answer.ID, receiptOf(answer.AllButtons()[0].Data)
		d.shown, d.reply = answer.At, answer.Via == "reply"
	} else if len(ids) > 0 {
		quotes = ids[max(0, len(ids)-1-rand.IntN(10))]
	} else {
		return
	}
	d.event = f.platform.Quote(in, quotes, "取消")
	f.deliver(f.add(d))
}

// ask does what is no more than answered, in the person's own chat.
func (f *family) ask(person string) {
	in := linesim.User(person)
	switch rand.IntN(4) {
	case 0:
		f.deliver(f.add(&deed{event: f.platform.TextIn(in, "招待"), kind: asked}))
	case 1:
		f.mu.Lock()
		f.gone[person] = true
		f.mu.Unlock()
		went := f.add(&deed{event: f.platform.Unfollow(person), kind: silent})
		back := f.add(&deed{event: f.platform.Follow(person, true), kind: asked})
		f.deliver(went, back)
	default:
		f.deliver(f.add(&deed{event: f.platform.TextIn(in, "今日"), kind: asked}))
	}
	if rand.IntN(4) == 0 { // in a group where the bot is deaf
		f.deliver(f.add(&deed{event: f.platform.GroupText(f.public, person, "ランチ 900"), kind: asked, never: true}))
	}
}

// deliver delivers events until they are taken: in one webhook, at the same time, or
// one after the other, in any order.
func (f *family) deliver(all ...*deed) {
	if rand.IntN(3) > 0 {
		rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	switch rand.IntN(3) {
	case 0:
		f.post(all...)
	case 1:
		var posts sync.WaitGroup
		for _, d := range all {
			posts.Go(func() { f.post(d) })
		}
		posts.Wait()
	default:
		for _, d := range all {
			f.post(d)
		}
	}
}

// post delivers one webhook until it is taken, at times twice at once and at times
// again.
func (f *family) post(all ...*deed) {
	var events, again []linesim.Event
	later := rand.IntN(6) == 0
	for _, d := range all {
		d.first = time.Now()
		events, again = append(events, d.event), append(again, d.event.Redelivered())
		// What has left nothing counts when it comes again and somebody has joined.
		later = later && !d.never && d.gate == nil && !d.isRemark()
	}
	if rand.IntN(6) == 0 {
		f.platform.DeliverTimes(f.t.Context(), 2, events...)
	}
	if _, err := f.platform.DeliverUntil2xx(f.t.Context(), 1000, 20*time.Millisecond, events...); err != nil {
		f.t.Errorf("an event was never taken: %v", err)
	}
	if later {
		_, _ = f.platform.Deliver(f.t.Context(), again...) // it may hit a server that is being killed
	}
	for _, d := range all {
		d.done = time.Now()
	}
}

// race lets two people join with one code. The one who is too late joins with another
// one. codes are three.
func (f *family) race(codes []string) {
	var people sync.WaitGroup
	race := make([]*deed, 2)
	for i := range race {
		person := linesim.UserID(codes[1+i])
		race[i] = &deed{kind: asked}
		race[i].gate = race[i]
		people.Go(func() { f.join(person, race[i], codes[0], codes[1+i]) })
	}
	people.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.races = append(f.races, race)
}

// join is somebody who brings a code that perhaps is used already, records, leaves,
// and joins again with one of his own. first becomes the event with the first code.
func (f *family) join(person string, first *deed, shared, own string) {
	in := linesim.User(person)
	say := func(gate *deed) *deed {
		d := f.say(in, f.newRows(1))
		d.gate = gate
		return d
	}
	stranger := say(nil)
	stranger.never = true
	f.deliver(stranger)
	first.event = f.platform.Text(person, shared)
	f.deliver(f.add(first))
	kept := say(first)
	f.deliver(kept)
	taken := say(first)
	f.deliver(taken)
	f.deliver(f.unsend(taken))
	f.mu.Lock()
	f.gone[person] = true
	f.mu.Unlock()
	before := say(first)
	left := f.add(&deed{event: f.platform.Unfollow(person), kind: silent, gate: first})
	f.post(left)
	f.post(before) // said before leaving, it is heard
	after := say(nil)
	after.never = true
	f.post(after)
	f.post(f.add(&deed{event: f.platform.Follow(person, true), kind: asked, never: true}))
	where := in
	if rand.IntN(2) == 0 {
		where = linesim.Group(f.public, person)
	}
	f.deliver(f.add(&deed{event: f.platform.TextIn(where, own), kind: asked}))
	f.deliver(say(nil))
}
