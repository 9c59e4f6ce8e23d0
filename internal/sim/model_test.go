package sim

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"ichido/internal/ledger"
)

// model is what the events of a household come to, said as plainly as possible. It is
// told them in the order of their receipts, and follows DESIGN: what a message says does
// not depend on that order, for its latest text counts, by the time at which that was
// typed, a correction that was typed later wins over it, and an unsent message says
// nothing. What 取消 and buttons do depends on it: they act on what is there when they
// are handled, and never touch what was typed later.
type model struct {
	messages map[string]*message // by LINE's ID, or the key of what was entered
	did      map[uint64]*effect  // by receipt
	pressed  map[string]bool     // buttons that are used up
	handled  []*effect
}

// message is something that somebody typed or entered.
type message struct {
	id, author string
	receipts   []uint64  // of itself and its edits
	typed      time.Time // zero: only edits have come
	texts      []text    // that have come
	unsent     time.Time // zero: it was not
	rows       []*row
}

// text is what a message says from some time on.
type text struct {
	at      time.Time
	entries []entry
}

// row is a line of the ledger.
type row struct {
	by                uint64 // receipt
	entry             entry  // by the latest text that has it
	textAt, at        time.Time
	day               ledger.Date
	fixes             []*correction
	voided, withdrawn bool
	struck            bool // voided from the start
}

// correction is another amount for a row.
type correction struct {
	at     time.Time
	amount int
	back   bool // taken back
}

// effect is what a receipt did.
type effect struct {
	receipt uint64
	kind    kind
	by      string
	at      time.Time
	message *message
	turned  []turn // rows that were struck or brought back
	row     *row   // of fix
	fix     *correction
	left    int // the row's amount after it
	answer  answerKind

	pressedRedo bool // by a button that brings back
}

// turn is a row that is struck or brought back; to is whether it was voided by that.
type turn struct {
	row *row
	to  bool
}

// answerKind is how an answer begins.
type answerKind string

const (
	silence   answerKind = ""
	ofText    answerKind = "recorded"
	ofUndo    answerKind = "taken back"
	ofRedo    answerKind = "brought back"
	ofChange  answerKind = "change turned"
	otherwise answerKind = "other" // it tells of no change
)

// reach is how far before itself 取消 without a number looks.
const reach = 24 * time.Hour

func newModel() *model {
	return &model{messages: map[string]*message{}, did: map[uint64]*effect{}, pressed: map[string]bool{}}
}

// amount is what the row says: its text, or a correction that was typed after that.
func (r *row) amount() int {
	if top := r.top(); top != nil {
		return top.amount
	}
	return r.entry.amount
}

// top is the correction by which the row has its amount; nil: it has that of its text.
func (r *row) top() (top *correction) {
	for _, c := range r.fixes {
		if !c.back && c.at.After(r.textAt) && (top == nil || c.at.After(top.at)) {
			top = c
		}
	}
	return top
}

func (r *row) stands() bool { return !r.voided && !r.withdrawn }

func (m *model) message(d *deed) *message {
	id := cmp.Or(d.event.MessageID, d.key)
	if m.messages[id] == nil {
		m.messages[id] = &message{id: id, author: cmp.Or(d.person, d.event.Source.UserID)}
	}
	return m.messages[id]
}

// play does what the deed with the receipt does.
func (m *model) play(n uint64, d *deed, at time.Time) *effect {
	e := &effect{receipt: n, kind: d.kind, by: d.event.Source.UserID, at: at, answer: otherwise}
	switch d.kind {
	case said, edited, entered:
		e.message = m.message(d)
		m.write(e, d)
	case unsent:
		e.message, e.answer = m.message(d), silence
		if e.message.unsent.IsZero() {
			e.message.unsent = at
		}
		for _, r := range e.message.rows {
			r.withdrawn = true
		}
	case undo:
		m.undoLast(e)
	case redo:
		m.takeBack(e, m.lastUndo(e))
	case undoOf:
		m.undoNumber(e, d)
	case redoOf:
		m.redoNumber(e, d)
	case quoted:
		if q := m.messages[d.event.QuotedMessageID]; q != nil && len(q.receipts) > 0 {
			m.takeBack(e, m.did[q.receipts[0]])
		}
	case tapped:
		button := strings.Join(strings.Split(d.data, ":")[:2], ":")
		if !m.pressed[button] {
			m.takeBack(e, m.did[d.of])
		}
		m.pressed[button] = true
		e.pressedRedo = strings.HasPrefix(d.data, "redo:")
	case fix:
		m.correct(e, d)
	}
	m.did[n] = e
	m.handled = append(m.handled, e)
	return e
}

// write is a message or an edit of it.
func (m *model) write(e *effect, d *deed) {
	s := e.message
	e.by = s.author
	first := len(s.receipts) == 0
	s.receipts = append(s.receipts, e.receipt)
	if s.unsent.IsZero() {
		s.texts = append(s.texts, text{e.at, d.entries})
	}
	latest := !slices.ContainsFunc(s.texts, func(t text) bool { return t.at.After(e.at) })
	if d.kind != edited {
		s.typed = e.at
		latest = first
	}
	e.answer = silence
	switch {
	case !s.unsent.IsZero():
	case d.kind == edited && latest:
		m.rewrite(e, d.entries, e.at, d)
	case d.kind != edited && first:
		m.rewrite(e, d.entries, e.at, d)
		if d.kind == said && len(d.entries) == 0 {
			e.answer = otherwise // talk
		}
	case d.kind != edited: // an edit came first: only when it was typed is new
		newest := slices.MaxFunc(s.texts, func(a, b text) int { return a.at.Compare(b.at) })
		m.rewrite(e, newest.entries, newest.at, d)
		e.answer = silence
	}
	if d.kind == entered {
		e.answer = silence
	}
}

// rewrite makes the rows of the message, one by one, those of the text.
func (m *model) rewrite(e *effect, entries []entry, textAt time.Time, d *deed) {
	s := e.message
	struck := len(s.rows) > 0 && !slices.ContainsFunc(s.rows, func(r *row) bool { return !r.voided })
	left := slices.Clone(entries)
	for _, r := range s.rows {
		before := *r
		i := slices.IndexFunc(left, func(o entry) bool { return (o.item == "") == (r.entry.item == "") })
		if r.withdrawn = i < 0; !r.withdrawn {
			r.entry, r.textAt = left[i], textAt
			r.date(cmp.Or(s.typed, e.at), d)
			left = slices.Delete(left, i, i+1)
		}
		if before.withdrawn && r.withdrawn {
			continue
		}
		changed := before.withdrawn != r.withdrawn || before.entry.item != r.entry.item || before.amount() != r.amount() || before.day != r.day
		if changed && (!r.withdrawn || !before.voided) {
			e.answer = ofText
		}
	}
	for _, o := range left {
		r := &row{by: e.receipt, entry: o, textAt: textAt, voided: struck, struck: struck}
		r.date(cmp.Or(s.typed, e.at), d)
		s.rows = append(s.rows, r)
		e.answer = ofText
	}
}

// date lets the row be of the day that its text says, typed at that time. What is dated
// back counts at noon, a balance at the end of its day.
func (r *row) date(typed time.Time, d *deed) {
	r.day, r.at = ledger.DateOf(typed.In(tokyo)), typed
	switch {
	case r.entry.yesterday:
		r.day = r.day.AddDays(-1)
		r.at = r.day.In(tokyo).Add(12 * time.Hour)
	case d.kind == entered && !d.undated && ledger.DateOf(d.on) != r.day:
		r.day = ledger.DateOf(d.on)
		r.at = r.day.In(tokyo).Add(12 * time.Hour)
	}
}

// undoLast takes back the sender's last message before this one that said something then
// and that nobody has taken back, or his last correction that holds.
func (m *model) undoLast(e *effect) {
	var last *effect
	for _, o := range m.handled {
		if o.by == e.by && e.by != "" && !m.typed(o).After(e.at) && m.couldMean(o, e.at) && (last == nil || m.typed(o).After(m.typed(last))) {
			last = o
		}
	}
	switch {
	case last == nil:
	case last.kind != fix && !slices.ContainsFunc(last.message.rows, (*row).stands):
		for _, r := range last.message.rows { // edited away or unsent by now: if it is said again, it is struck
			r.voided = r.voided || last.message.unsent.IsZero()
		}
	case last.at.Before(e.at.Add(-reach)):
	default:
		m.takeBack(e, last)
	}
}

// typed is when what the effect is about was typed.
func (m *model) typed(o *effect) time.Time {
	if o.writes() && !o.message.typed.IsZero() {
		return o.message.typed
	}
	return o.at
}

// couldMean says whether 取消 that was typed then could mean what the effect did.
func (m *model) couldMean(o *effect, then time.Time) bool {
	if o.kind == fix {
		return m.holds(o)
	}
	s := o.message
	if s == nil || o.kind == unsent || len(s.rows) == 0 || s.rows[0].by != o.receipt || !s.unsent.IsZero() && !s.unsent.After(then) {
		return false
	}
	if !slices.ContainsFunc(s.rows, func(r *row) bool { return !r.voided }) {
		return false
	}
	said := text{}
	for _, t := range s.texts {
		if !t.at.After(then) && t.at.After(said.at) {
			said = t
		}
	}
	return len(said.entries) > 0
}

// holds says whether anything of what the effect did is there to be taken back.
func (m *model) holds(o *effect) bool {
	switch {
	case o.fix != nil:
		return !o.row.withdrawn && o.row.amount() == o.left
	case o.writes():
		return slices.ContainsFunc(o.message.rows, (*row).stands)
	}
	return slices.ContainsFunc(o.turned, func(t turn) bool { return !t.row.withdrawn && t.row.voided == t.to }) ||
		slices.ContainsFunc(o.bornStruck(), func(r *row) bool { return !r.withdrawn && r.voided })
}

// writes says whether it is the effect of a text.
func (o *effect) writes() bool { return o.kind == said || o.kind == edited || o.kind == entered }

// takesBack says whether it is that of a 取消 that has found something.
func (o *effect) takesBack() bool {
	return o.answer == ofUndo || o.answer == ofChange && o.kind != redo && o.kind != redoOf && !o.pressedRedo
}

// bornStruck are the rows that edits have added to a message since it was struck: they
// come back with the others.
func (o *effect) bornStruck() (rows []*row) {
	if slices.ContainsFunc(o.turned, func(t turn) bool { return t.to }) {
		for _, r := range o.message.rows {
			if r.by > o.receipt && r.struck {
				rows = append(rows, r)
			}
		}
	}
	return rows
}

// lastUndo is the sender's last 取消 within reach of which something holds.
func (m *model) lastUndo(e *effect) (last *effect) {
	for _, o := range m.handled {
		if o.by == e.by && e.by != "" && o.takesBack() && !o.at.After(e.at) && !o.at.Before(e.at.Add(-reach)) && m.holds(o) && (last == nil || o.at.After(last.at)) {
			last = o
		}
	}
	return last
}

// takeBack takes back what the target did: of a message everything, of a 取消 what it
// struck, of a correction its amount, unless that is no more.
func (m *model) takeBack(e, target *effect) {
	if target == nil || !m.holds(target) {
		return
	}
	e.message = target.message
	switch {
	case target.fix != nil:
		target.fix.back = !target.fix.back
		e.row, e.fix, e.left, e.answer = target.row, target.fix, target.row.amount(), ofChange
	case target.writes():
		for _, r := range target.message.rows {
			e.turn(r, true)
		}
		e.answer = ofUndo
	default:
		strikes := false
		for _, t := range target.turned {
			strikes = strikes || t.to
			if t.row.voided == t.to {
				e.turn(t.row, !t.to)
			}
		}
		for _, r := range target.bornStruck() {
			e.turn(r, false)
		}
		if e.answer = ofUndo; strikes {
			e.answer = ofRedo
		}
	}
}

func (e *effect) turn(r *row, to bool) {
	if r.voided != to {
		r.voided = to
		e.turned = append(e.turned, turn{r, to})
	}
}

// rowsOf are the rows that the number of a receipt, and perhaps of a row in it, stands for:
// those of a message, or those that something else has changed.
func (m *model) rowsOf(d *deed) (rows []*row) {
	target := m.did[d.of]
	if target == nil || target.message == nil {
		return nil
	}
	switch {
	case target.fix != nil && d.index == 0:
		return []*row{target.row}
	case !target.writes() && d.index == 0:
		for _, t := range target.turned {
			rows = append(rows, t.row)
		}
		return rows
	case d.index == 0:
		return target.message.rows
	}
	for _, r := range target.message.rows {
		if r.by == d.of {
			rows = append(rows, r)
		}
	}
	if len(rows) < 2 || d.index > len(rows) {
		return nil
	}
	return rows[d.index-1 : d.index]
}

func (m *model) undoNumber(e *effect, d *deed) {
	if d.index == 0 {
		m.takeBack(e, m.did[d.of])
		return
	}
	for _, r := range m.rowsOf(d) {
		if r.stands() {
			e.message, e.answer = m.did[d.of].message, ofUndo
			e.turn(r, true)
		}
	}
}

// redoNumber brings back what the 取消 with the number took, or the struck rows of the
// record with it.
func (m *model) redoNumber(e *effect, d *deed) {
	target := m.did[d.of]
	if target == nil || !target.writes() && !target.takesBack() {
		return
	}
	if target.takesBack() {
		m.takeBack(e, target)
		return
	}
	for _, r := range m.rowsOf(d) {
		if r.voided && !r.withdrawn {
			e.message, e.answer = target.message, ofRedo
			e.turn(r, false)
		}
	}
}

// correct gives the row with the number another amount. What does not win when it comes is
// answered so, and stays without effect.
func (m *model) correct(e *effect, d *deed) {
	rows := slices.DeleteFunc(slices.Clone(m.rowsOf(d)), func(r *row) bool { return r.withdrawn || r.voided && m.struckBy(r, e.at) })
	if len(rows) != 1 {
		return
	}
	r, c := rows[0], &correction{at: e.at, amount: d.amount}
	before := r.fixes
	r.fixes = append(before, c)
	if r.top() != c {
		r.fixes = before
	} else {
		e.message, e.row, e.fix, e.left, e.answer = m.did[d.of].message, r, c, c.amount, ofText
	}
}

// struckBy says whether the row was struck by something that was typed until then.
func (m *model) struckBy(r *row, then time.Time) bool {
	struck, last := r.struck, time.Time{}
	for _, o := range m.handled {
		for _, t := range o.turned {
			if t.row == r && !o.at.After(then) && !o.at.Before(last) {
				struck, last = t.to, o.at
			}
		}
	}
	return struck
}
