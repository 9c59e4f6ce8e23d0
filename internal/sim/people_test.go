package sim

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"ichido/internal/linesim"
)

// kind is what an event is.
type kind string

const (
	said    kind = "said"    // a message
	edited  kind = "edited"  // another text of one
	unsent  kind = "unsent"  // a message taken back
	undo    kind = "undo"    // 取消
	redo    kind = "redo"    // 元に戻す
	undoOf  kind = "undoOf"  // 取消 with a number
	redoOf  kind = "redoOf"  // 元に戻す with a number
	quoted  kind = "quoted"  // 取消 that quotes a message
	fix     kind = "fix"     // a record is to have another amount
	tapped  kind = "tapped"  // a press on a button
	asked   kind = "asked"   // anything else that is answered
	entered kind = "entered" // a form or a program's request
)

// entry is a row as it is typed. One without an item is a balance statement.
type entry struct {
	item      string
	amount    int
	yesterday bool
}

func (e entry) String() string {
	switch {
	case e.item == "":
		return fmt.Sprintf("財布 %d", e.amount)
	case e.yesterday:
		return fmt.Sprintf("昨日 %s %d", e.item, e.amount)
	}
	return fmt.Sprintf("%s %d", e.item, e.amount)
}

// typed is how a message says the entries. None is a remark, which is not for the bot.
func typed(entries []entry) string {
	if len(entries) == 0 {
		return "おいしかった"
	}
	var lines []string
	for _, e := range entries {
		lines = append(lines, e.String())
	}
	return strings.Join(lines, "\n")
}

// deed is something that somebody has done: an event on its way to the program.
type deed struct {
	n       int // of the run's deeds, from 1
	kind    kind
	event   linesim.Event
	entries []entry // of a text, a form, a request
	of      uint64  // the receipt that a number, a button or a quoted answer names; 0: none
	index   int     // of the row that the number names; 0: all
	amount  int     // of a fix
	data    string  // of a button

	// Of what is entered:
	door, key, person string
	on                time.Time // the day that it is dated
	undated           bool      // it says no day
	shown             []uint64  // the receipts that answers told of; several if there was a restore

	// Of its delivery; guarded by world.mu:
	posted  time.Time // first
	taken   time.Time // when LINE, or the client, had an answer that it has been taken; zero: not yet
	dropped bool      // LINE will never deliver it
}

// id names the deed's event in the store.
func (d *deed) id() string {
	if d.kind == entered {
		return d.key
	}
	return d.event.ID
}

func (d *deed) at() time.Time { return d.event.Timestamp.Truncate(time.Millisecond) }

// isRemark says whether the deed is a remark in a group, which leaves nothing.
func (d *deed) isRemark() bool {
	return (d.kind == said || d.kind == edited) && len(d.entries) == 0 && d.event.Source.Type != "user"
}

// String is for the trace: what of a deed does not depend on chance outside of the seed.
func (d *deed) String() string {
	return fmt.Sprintf("%s %q of %d-%d %d by %.3s%s", d.kind, typed(d.entries), d.of, d.index, d.amount, d.event.Source.UserID, d.person)
}

// add keeps a deed that somebody is about to do. No two are of one millisecond.
func (w *world) add(d *deed) *deed {
	w.pass(2 * time.Millisecond)
	w.deeds = append(w.deeds, d)
	d.n = len(w.deeds)
	w.tracef("deed %d: %v at %s", d.n, d, clock(d.event.Timestamp))
	return d
}

// newEntries are so many entries as nobody has typed before: each item and each amount
// stands in one text only.
func (w *world) newEntries(n int) (entries []entry) {
	for range n {
		w.names++
		e := entry{item: "item" + letters(w.names), amount: 1000 + w.names, yesterday: n == 1 && oneIn(w.Rand, 10)}
		entries = append(entries, e)
	}
	return entries
}

// newText is what somebody types: mostly a record or two, at times what the wallet holds,
// and in a group a remark.
func (w *world) newText(in linesim.Source) []entry {
	switch n := w.IntN(20); {
	case n < 3:
		w.names++
		return []entry{{amount: 100_000 + 10*w.names}}
	case n < 6:
		return w.newEntries(2)
	case n < 8 && in.Type != "user":
		return nil
	}
	return w.newEntries(1)
}

func letters(n int) string {
	var b [5]byte
	for i := range b {
		b[len(b)-1-i] = byte('a' + n%26)
		n /= 26
	}
	return string(b[:])
}

// somewhere is where, and as whom, the next thing is done.
func (w *world) somewhere() linesim.Source {
	person := w.people[w.IntN(len(w.people))]
	if w.IntN(2) == 0 {
		return linesim.User(person)
	}
	return linesim.Group(w.group, person)
}

// act lets somebody do something.
func (w *world) act() {
	in := w.somewhere()
	switch n := w.IntN(100); {
	case n < 30:
		w.tell(in)
	case n < 40:
		w.edit(in)
	case n < 46:
		w.unsend(in)
	case n < 54:
		w.command(in, undo, "取消")
	case n < 58:
		w.command(in, redo, "元に戻す")
	case n < 64:
		w.byNumber(in)
	case n < 69:
		w.correct(in)
	case n < 81:
		w.press(in)
	case n < 86:
		w.quote(in)
	case n < 88:
		w.command(in, asked, "今日")
	default:
		w.enter(in.UserID)
	}
}

// tell says something, and perhaps changes it and takes it back before anything of it has
// arrived.
func (w *world) tell(in linesim.Source) {
	if in.Type != "user" && oneIn(w.Rand, 12) {
		in.UserID = "" // LINE does not say who it is
	}
	entries := w.newText(in)
	d := &deed{kind: said, event: w.platform.TextIn(in, typed(entries)), entries: entries}
	w.otherClock(d, 10*time.Minute)
	all := []*deed{w.add(d)}
	for in.Type != "user" && in.UserID != "" && oneIn(w.Rand, 4) { // LINE has edits in groups only
		all = append(all, w.edition(d))
	}
	if oneIn(w.Rand, 10) {
		all = append(all, w.add(&deed{kind: unsent, event: w.platform.Unsend(d.event)}))
	}
	w.deliverSoon(all...)
}

// otherClock lets an event be of another time than it is by other clocks.
func (w *world) otherClock(d *deed, back time.Duration) {
	if oneIn(w.Rand, 12) {
		d.event.Timestamp = d.event.Timestamp.Add(-between(w.Rand, time.Millisecond, back))
		w.happened.note("event of another clock")
	}
	for used := true; used; {
		used = false
		for _, other := range w.deeds {
			if other.kind != entered && other.at().Equal(d.at()) {
				d.event.Timestamp, used = d.event.Timestamp.Add(-time.Millisecond), true
			}
		}
	}
}

func (w *world) edition(d *deed) *deed {
	entries := w.newText(d.event.Source)
	if len(entries) > 0 && len(d.entries) > 0 && entries[0].item != "" && d.entries[0].item != "" && oneIn(w.Rand, 2) {
		entries[0].item = d.entries[0].item
	}
	return w.add(&deed{kind: edited, event: w.platform.Edited(d.event, typed(entries)), entries: entries})
}

// earlier is a message of the person's in the chat, mostly one of the last; nil: none.
func (w *world) earlier(in linesim.Source) *deed {
	var mine []*deed
	for _, d := range w.deeds {
		if d.kind == said && d.event.Source == in {
			mine = append(mine, d)
		}
	}
	if len(mine) == 0 {
		return nil
	}
	return mine[max(0, len(mine)-1-w.IntN(6))]
}

func (w *world) edit(in linesim.Source) {
	in = linesim.Group(w.group, in.UserID)
	if d := w.earlier(in); d != nil {
		w.happened.note("edit")
		w.deliverSoon(w.edition(d))
	}
}

func (w *world) unsend(in linesim.Source) {
	if d := w.earlier(in); d != nil {
		w.happened.note("unsend")
		w.deliverSoon(w.add(&deed{kind: unsent, event: w.platform.Unsend(d.event)}))
	}
}

func (w *world) command(in linesim.Source, k kind, text string) {
	if k == asked {
		in = linesim.User(in.UserID)
	}
	d := &deed{kind: k, event: w.platform.TextIn(in, text)}
	w.otherClock(d, 10*time.Minute)
	w.deliverSoon(w.add(d))
}

var number = regexp.MustCompile(`受付 ([0-9]+)(?:-([0-9]+))?`)

// someNumber is one that the chat shows, mostly one of the last.
func (w *world) someNumber(in linesim.Source) (n uint64, index int) {
	var found [][]string
	for _, b := range w.platform.Chat(in.Chat()) {
		if b.Via != "" && !strings.Contains(b.Text, "※") {
			found = append(found, number.FindAllStringSubmatch(b.Text, 1)...)
		}
	}
	if len(found) == 0 {
		return 0, 0
	}
	m := found[max(0, len(found)-1-w.IntN(10))]
	n, _ = strconv.ParseUint(m[1], 10, 64)
	index, _ = strconv.Atoi(m[2])
	return n, index
}

// byNumber takes back, or brings back, what a number stands for.
func (w *world) byNumber(in linesim.Source) {
	n, index := w.someNumber(in)
	if n == 0 {
		return
	}
	k, verb := undoOf, "取消"
	if oneIn(w.Rand, 3) {
		k, verb = redoOf, "元に戻す"
	}
	d := &deed{kind: k, of: n, index: index, event: w.platform.TextIn(in, verb+" "+numbered(n, index))}
	w.deliverSoon(w.add(d))
}

func numbered(n uint64, index int) string {
	if index == 0 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d-%d", n, index)
}

// correct gives a record another amount.
func (w *world) correct(in linesim.Source) {
	n, index := w.someNumber(in)
	if n == 0 {
		return
	}
	w.names++
	d := &deed{kind: fix, of: n, index: index, amount: 1000 + w.names}
	d.event = w.platform.TextIn(in, fmt.Sprintf("受付 %s は %d円", numbered(n, index), d.amount))
	w.deliverSoon(w.add(d))
}

// press presses a button of one of the chat's last answers, often twice.
func (w *world) press(in linesim.Source) {
	var all []linesim.Button
	for _, b := range w.platform.Chat(in.Chat()) {
		for _, button := range b.AllButtons() {
			if strings.HasPrefix(button.Data, "undo:") || strings.HasPrefix(button.Data, "redo:") {
				all = append(all, button)
			}
		}
	}
	if len(all) == 0 {
		return
	}
	data := all[max(0, len(all)-1-w.IntN(8))].Data
	var presses []*deed
	for i := range 1 + w.IntN(3)/2 {
		w.happened.note([]string{"button", "button again"}[i])
		presses = append(presses, w.add(&deed{kind: tapped, event: w.platform.Postback(in, data, nil), data: data, of: receiptOf(data)}))
	}
	w.deliverSoon(presses...)
}

// receiptOf is the number in a button's data.
func receiptOf(data string) uint64 {
	n, _ := strconv.ParseUint(strings.Split(data, ":")[1], 10, 64)
	return n
}

// quote says 取消 to an earlier message.
func (w *world) quote(in linesim.Source) {
	if d := w.earlier(in); d != nil {
		w.deliverSoon(w.add(&deed{kind: quoted, event: w.platform.Quote(in, d.event.MessageID, "取消")}))
	}
}
