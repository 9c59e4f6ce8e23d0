package bot

import (
	"slices"
	"strings"

	"ichido/store"
)

// The verbs of buttons that perform something. What such a button does, it does
// once, whoever presses it and however often.
const (
	tapUndo     = "undo"     // take back what the answer's receipt did
	tapRedo     = "redo"     // bring back what the answer's receipt took back
	tapCorrect  = "correct"  // do to the row that is named behind the operation what the asked message says
	tapCategory = "category" // give the row of the answer's receipt a category, named behind the operation
	tapChoose   = "choose"   // settle the question of the answer's receipt: the text behind the operation is read instead
	tapWhole    = "whole"    // make the share that the answer's receipt recorded the whole, named behind the operation
	tapToday    = "today"    // move the rows of the answer's receipt to the day on which they were typed
	tapErase    = "erase"    // forget all that the household has
	tapRevoke   = "revoke"   // end the session or token of the presser that is named behind the operation, or, once asked, all of them; none asks
	tapSource   = "source"   // let the transfer of the answer's receipt come from the account named behind the operation
)

// pressed is a button with an operation.
type pressed struct {
	target   *store.Receipt // under whose answer it stood
	argument string         // what stands behind the operation
	used     bool           // it has been pressed before
}

// taps perform the operations, by their verbs.
func taps() map[string]func(*turn, pressed) (Reply, error) {
	return map[string]func(*turn, pressed) (Reply, error){
		tapUndo:     (*turn).tapUndo,
		tapRedo:     (*turn).tapRedo,
		tapCorrect:  (*turn).tapCorrect,
		tapCategory: (*turn).tapCategory,
		tapChoose:   (*turn).choose,
		tapWhole:    (*turn).tapWhole,
		tapToday:    (*turn).tapToday,
		tapRevoke:   (*turn).tapRevoke,
		tapErase:    (*turn).tapErase,
		tapSource:   (*turn).tapSource,
	}
}

// tap performs the operation of a pressed button.
func (t *turn) tap() (Reply, error) {
	verb, argument := splitTap(t.message.Text)
	perform := taps()[verb]
	if perform == nil {
		return said(t.text(oldButton)), nil
	}
	_, target, state, err := t.tx.Consume(t.message.Text)
	if state == store.UnknownOperation || err != nil {
		return said(t.text(oldButton)), err
	}
	return perform(t, pressed{target, argument, state == store.UsedOperation})
}

func (t *turn) tapUndo(p pressed) (Reply, error) { return t.tapBack(p, store.Strike) }
func (t *turn) tapRedo(p pressed) (Reply, error) { return t.tapBack(p, store.Redo) }

// tapBack takes back all that the answer's receipt did.
func (t *turn) tapBack(p pressed, kind store.Kind) (Reply, error) {
	if p.used {
		return t.already(p.target)
	}
	t.tx.Receipt().Kind = kind
	return t.takeBack(p.target.Number)
}

// splitTap gives the verb of an operation and what stands behind it.
func splitTap(data string) (verb, argument string) {
	parts := strings.SplitN(data, ":", 4)
	return parts[0], strings.Join(parts[min(len(parts), 3):], "")
}

// audible gives the reply without the buttons whose words the bot does not hear in a
// group.
func (t *turn) audible(r Reply) Reply {
	if t.message.Direct {
		return r
	}
	r.Buttons = slices.DeleteFunc(r.Buttons, func(b Button) bool { return b.Tap == "" && !t.parse(b.Text, t.at).InGroup })
	return r
}

// sealed gives the reply with the operations of its buttons as they leave the house.
func (t *turn) sealed(r Reply) (_ Reply, err error) {
	for i := range r.Buttons {
		if b := &r.Buttons[i]; b.Tap != "" && err == nil {
			b.Tap, err = t.tx.Seal(b.Tap)
		}
	}
	return r, err
}
