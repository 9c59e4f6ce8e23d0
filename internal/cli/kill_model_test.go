package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ichido/internal/linesim"
)

// replay is what the events of a family must come to when they are handled in the
// order of their receipts, said as plainly as possible. What a message says does not
// depend on that order: its latest edit counts, by the time at which it was made, and
// an unsent one says nothing. What 取消 and the buttons do depends on it: they act on
// what is there when they are handled (DESIGN 4).
type replay struct {
	messages map[string]*spoken
	did      map[uint64]*effect // by receipt
	pressed  map[string]bool    // operations that are used up
	taught   map[string]string  // categories, by items
}

// spoken is a message that somebody typed.
type spoken struct {
	id       string
	receipts []uint64 // of itself and its edits
	from     linesim.Source
	said     time.Time // zero: it has not come
	edited   time.Time // when its latest edit was made
	text     []entry   // of the latest edit
	unsent   bool
	rows     []*written
}

// written is a row.
type written struct {
	entry
	by                        uint64 // receipt
	at                        time.Time
	category, said            string // said: by the text, when that last changed it
	voided, withdrawn, struck bool   // struck: it was voided from the start
}

// effect is what an event did.
type effect struct {
	message *spoken // it is about; nil for none
	text    bool    // the event is the message, or an edit of it
	changes []rowChange
	taught  []teaching
	answer  answerKind
}

// teaching is a change of the category that an item has from then on.
type teaching struct{ item, before, after string }

type rowChange struct {
	row           *written
	before, after written
}

// answerKind is what an answer begins with.
type answerKind string

const (
	noAnswer   answerKind = ""
	ofText     answerKind = "text"
	ofUndo     answerKind = "undo"
	ofRedo     answerKind = "redo"
	ofCategory answerKind = "category"
	otherwise  answerKind = "other" // it tells of no change
)

func newReplay() *replay {
	return &replay{messages: map[string]*spoken{}, did: map[uint64]*effect{}, pressed: map[string]bool{}, taught: map[string]string{}}
}

func (r *replay) message(e linesim.Event) *spoken {
	m := r.messages[e.MessageID]
	if m == nil {
		m = &spoken{id: e.MessageID, from: e.Source}
		r.messages[e.MessageID] = m
	}
	return m
}

// play does the event with the receipt. known says of a quoted answer that the bot
// knows it.
func (r *replay) play(n uint64, d *deed, known bool) *effect {
	did := &effect{}
	switch d.kind {
	case said, edited:
		did.message, did.text = r.message(d.event), true
		r.write(did, n, d)
	case unsent:
		did.message = r.message(d.event)
		did.message.unsent = true
		for _, row := range did.message.rows {
			did.change(row, func(w *written) { w.withdrawn = true })
		}
		r.forget(did.message)
	case tapped:
		r.tap(did, d)
	case quoted:
		did.answer = otherwise
		if known {
			r.undo(did, r.target(d))
		}
	case asked:
		did.answer = otherwise
	}
	r.did[n] = did
	return did
}

// target is the receipt that a quote names, 0 for none.
func (r *replay) target(d *deed) uint64 {
	if d.of != 0 {
		return d.of
	}
	if m := r.messages[d.event.QuotedMessageID]; m != nil && len(m.receipts) > 0 {
		return m.receipts[0]
	}
	return 0
}

// change changes the row and keeps that, if it is one.
func (e *effect) change(row *written, how func(*written)) {
	before := *row
	if how(row); *row != before {
		e.changes = append(e.changes, rowChange{row, before, *row})
	}
}

// teach lets the item be of the category from now on.
func (r *replay) teach(e *effect, item, category string) {
	if before := r.taught[item]; before != category {
		e.taught = append(e.taught, teaching{item, before, category})
		r.taught[item] = category
	}
}

// forget takes back what changes of the message's rows have taught, for ever.
func (r *replay) forget(m *spoken) {
	items := map[string]bool{}
	for _, did := range r.did {
		for _, word := range did.taught {
			items[word.item] = items[word.item] || did.message == m
		}
	}
	for _, did := range r.did {
		did.taught = slices.DeleteFunc(did.taught, func(word teaching) bool { return items[word.item] })
	}
	for item, gone := range items {
		if gone {
			delete(r.taught, item)
		}
	}
}

// write is the message or an edit of it.
func (r *replay) write(e *effect, n uint64, d *deed) {
	m, at := e.message, d.event.Timestamp.Truncate(time.Millisecond)
	first := len(m.receipts) == 0
	m.receipts = append(m.receipts, n)
	switch {
	case d.kind == said:
		m.said = at
	case !at.After(m.edited):
		return
	}
	if m.unsent {
		return
	}
	switch {
	case d.kind == edited:
		m.edited, m.text = at, d.rows
		if !m.said.IsZero() {
			at = m.said
		}
		r.rewrite(e, n, d.rows, at)
		for _, c := range e.changes {
			if !c.after.withdrawn || !c.before.voided {
				e.answer = ofText
			}
		}
	case first:
		r.rewrite(e, n, d.rows, at)
		if e.answer = ofText; len(d.rows) == 0 {
			e.answer = otherwise // talk
		}
	default: // an edit came first: only when it was typed is new
		r.rewrite(e, n, m.text, at)
	}
}

// rewrite makes the rows of the message, one by one, those of the text.
func (r *replay) rewrite(e *effect, n uint64, text []entry, at time.Time) {
	m := e.message
	struck := len(m.rows) > 0 && !slices.ContainsFunc(m.rows, func(w *written) bool { return !w.voided })
	for i, row := range m.rows {
		e.change(row, func(w *written) {
			if w.withdrawn = i >= len(text); w.withdrawn {
				return
			}
			if category := r.taught[text[i].item]; w.item != text[i].item || category != w.said {
				if w.category != category {
					w.said = category
				}
				w.category = category
			}
			w.entry, w.at = text[i], at
		})
	}
	for i := len(m.rows); i < len(text); i++ {
		category := r.taught[text[i].item]
		row := &written{entry: text[i], by: n, at: at, category: category, said: category, voided: struck, struck: struck}
		m.rows = append(m.rows, row)
		e.changes = append(e.changes, rowChange{row: row, after: *row})
	}
}

// tap presses a button, which works once.
func (r *replay) tap(e *effect, d *deed) {
	parts := strings.SplitN(d.data, ":", 4)
	operation := parts[0] + ":" + parts[1]
	used := r.pressed[operation]
	r.pressed[operation] = true
	e.answer = otherwise
	target := r.did[d.of]
	switch {
	case used || target == nil:
	case parts[0] != "category":
		r.undo(e, d.of)
	case len(target.changes) == 1:
		then, row := target.changes[0].after, target.changes[0].row
		if !row.voided && !row.withdrawn && row.item == then.item && row.category != parts[3] {
			e.message = target.message
			e.change(row, func(w *written) { w.category = parts[3] })
			r.teach(e, row.item, parts[3])
			e.answer = ofCategory
		}
	}
}

// undo takes back what the receipt did: of a text all rows of its message, else what
// it changed. Nothing is done if nobody would see it.
func (r *replay) undo(e *effect, n uint64) {
	target := r.did[n]
	if target == nil || target.message == nil {
		return
	}
	try := &effect{message: target.message}
	if target.text {
		for _, row := range target.message.rows {
			try.change(row, func(w *written) { w.voided = true })
		}
	} else if target.changedAgain() {
		return
	} else {
		try.revert(target)
		for _, word := range slices.Backward(target.taught) {
			if r.taught[word.item] == word.after {
				r.teach(try, word.item, word.before)
			}
		}
		for _, row := range target.message.rows { // those that an edit has added struck
			if target.strikes() && row.by > n && row.struck {
				try.change(row, func(w *written) { w.voided = false })
			}
		}
	}
	i := slices.IndexFunc(try.changes, func(c rowChange) bool { return !c.after.withdrawn })
	if i < 0 && len(try.taught) > 0 {
		e.message, e.changes, e.taught = try.message, try.changes, try.taught
		return
	}
	if i < 0 {
		for _, c := range try.changes {
			*c.row = c.before
		}
		return
	}
	e.message, e.changes, e.taught, e.answer = try.message, try.changes, try.taught, ofRedo
	if c := try.changes[i]; c.before.category != c.after.category {
		e.answer = ofCategory
	} else if c.after.voided {
		e.answer = ofUndo
	}
}

// changedAgain says whether a row has got a third category since.
func (e *effect) changedAgain() bool {
	return slices.ContainsFunc(e.changes, func(c rowChange) bool {
		return !c.row.withdrawn && c.before.category != c.after.category && c.row.category != c.before.category && c.row.category != c.after.category
	})
}

func (e *effect) strikes() bool {
	return slices.ContainsFunc(e.changes, func(c rowChange) bool { return !c.before.voided && c.after.voided })
}

// revert puts back what the target set, unless it has been set again.
func (e *effect) revert(target *effect) {
	for _, c := range target.changes {
		e.change(c.row, func(w *written) {
			if w.voided == c.after.voided {
				w.voided = c.before.voided
			}
			if !w.withdrawn && w.category == c.after.category {
				w.category = c.before.category
			}
		})
	}
}

// String is the row as it must be in the file.
func (w *written) String() string {
	return fmt.Sprintf("%s %d %q %s voided %t withdrawn %t", w.item, w.amount, w.category, w.at.UTC().Format("15:04:05.000"), w.voided, w.withdrawn)
}
