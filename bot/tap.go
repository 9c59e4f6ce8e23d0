package bot

import (
	"strings"

	"ichido/internal/ledger"
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
	tapSource   = "source"   // let the transfer of the answer's receipt come from the account named behind the operation
)

// taps perform the operations that do something to rows or questions. undo and redo, which
// take back a whole receipt, have no entry.
func taps() map[string]func(*turn, pressed) (Reply, error) {
	return map[string]func(*turn, pressed) (Reply, error){
		tapCorrect: func(t *turn, p pressed) (Reply, error) { return t.tapCorrect(p.target, p.argument, p.used) },
		tapCategory: func(t *turn, p pressed) (Reply, error) {
			return t.tapCategory(p.target, ledger.Category(p.argument), p.used)
		},
		tapChoose: (*turn).choose, tapWhole: (*turn).tapWhole, tapToday: (*turn).tapToday, tapSource: (*turn).tapSource,
	}
}

// tap performs the operation of a pressed button.
func (t *turn) tap() (Reply, error) {
	operation, argument := splitTap(t.message.Text)
	verb, _, _ := strings.Cut(operation, ":")
	perform := taps()[verb]
	if perform == nil && verb != tapUndo && verb != tapRedo {
		return Reply{Text: oldButton}, nil
	}
	_, target, state, err := t.tx.Consume(operation)
	if err != nil {
		return Reply{}, err
	}
	switch {
	case state == store.UnknownOperation:
		return Reply{Text: oldButton}, nil
	case perform != nil:
		return perform(t, pressed{target, argument, state == store.UsedOperation})
	case state == store.UsedOperation:
		return t.already(target)
	}
	t.tx.Receipt().Kind = store.Strike
	if verb == tapRedo {
		t.tx.Receipt().Kind = store.Redo
	}
	return t.takeBack(target.Number)
}

// splitTap parts verb:number:nonce from what stands behind it.
func splitTap(data string) (operation, argument string) {
	parts := strings.SplitN(data, ":", 4)
	if len(parts) < 4 {
		return data, ""
	}
	return strings.Join(parts[:3], ":"), parts[3]
}

// tapCategory gives the row another category, if it is still the row under which
// the button stood.
func (t *turn) tapCategory(target *store.Receipt, category ledger.Category, used bool) (Reply, error) {
	n, err := t.names()
	if err != nil {
		return Reply{}, err
	}
	if used || len(target.Changes) != 1 || !n.categories.Known(category) {
		return Reply{Text: oldButton}, nil
	}
	then := target.Changes[0].After
	now, err := t.tx.Row(then.ID)
	if err != nil {
		return Reply{}, err
	}
	if now == nil || !now.Stands() || now.Item != then.Item || now.Type != then.Type || !hasCategory(*now) {
		return Reply{Text: oldButton}, nil
	}
	row := *now
	if n.category(row) == string(category) {
		return Reply{Text: isAlready(category)}, nil
	}
	after := row
	after.Category = category
	applied, err := t.tx.Apply(ledger.Change{Before: &row, After: &after})
	if err != nil {
		return Reply{}, err
	}
	t.tx.Receipt().Kind = store.Correct
	if _, err := t.teach(row.Item, category); err != nil {
		return Reply{}, err
	}
	return t.recategorised(row, applied)
}

func (t *turn) recategorised(before ledger.Row, applied store.Applied) (Reply, error) {
	n, err := t.names()
	if err != nil {
		return Reply{}, err
	}
	a := answer{}
	a.add(categoryChanged(n, before, applied.Rows[0]))
	a.add(settingsNow(t.tx.Receipt().Settings)...)
	quiet, err := t.smallPrint(n, applied.Rows, false)
	if err != nil {
		return Reply{}, err
	}
	a.add(quiet)
	operation, err := t.tx.Operation(tapUndo)
	if err != nil {
		return Reply{}, err
	}
	a.offer(undoCategoryButton(operation))
	err = t.offerCategories(&a, n, applied.Rows)
	return a.reply(), err
}

// offerUndo offers to take back what this receipt did.
func (t *turn) offerUndo(a *answer, id ledger.RowID) (err error) {
	b := undoButton(id)
	b.Tap, err = t.tx.Operation(tapUndo)
	a.offer(b)
	return err
}

// How many categories are offered: few where one was found, more where none was.
const (
	fewCategories  = 4
	moreCategories = 8
)

// offerCategories offers other categories for the only row of an answer.
func (t *turn) offerCategories(a *answer, n *names, rows []ledger.Row) error {
	if len(rows) != 1 || rows[0].Type != ledger.Expense && rows[0].Type != ledger.Refund {
		return nil
	}
	operation, err := t.tx.Operation(tapCategory)
	if err != nil {
		return err
	}
	limit := fewCategories
	if rows[0].Category == "" {
		limit = moreCategories
	}
	for _, c := range n.categories.All() {
		if limit > 0 && c != n.categories.Of(ledger.Other) && string(c) != n.category(rows[0]) {
			limit--
			a.offer(categoryButton(c, operation))
		}
	}
	return nil
}
