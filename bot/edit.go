package bot

import (
	"errors"
	"slices"
	"time"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
	"ichido/store"
)

// An edited message is as if it had been typed so at first: its rows become those
// of the new text, in place, so that they keep their numbers. What was struck stays
// struck. A command does not run again, and what it did stays.

// edit brings the ledger in line with the new text. An edit that is older than one
// that has come already is nothing.
func (t *turn) edit() (Reply, error) {
	m := t.tx.Message()
	if !m.EditedAt.Before(t.at) {
		return Reply{}, nil
	}
	if err := t.readEdited(m); err != nil {
		return Reply{}, err
	}
	if len(m.Receipts) == 0 && !t.heard() {
		return Reply{}, store.Leave
	}
	if err := t.speakAsAuthor(); err != nil {
		return Reply{}, err
	}
	want, ask, err := t.wantedAgain()
	if err != nil {
		return Reply{}, err
	}
	applied, before, err := t.rewrite(want, t.message.At)
	if err != nil {
		return Reply{}, err
	}
	question := Reply{}
	if ask != nil {
		if question, err = ask(); err != nil {
			return Reply{}, err
		}
	}
	return t.edited(applied, before, question)
}

// readEdited reads the new text as of when its message was typed. While the message has
// not come, that is not known: the text waits for it (late).
func (t *turn) readEdited(m store.Message) (err error) {
	if m.At.IsZero() {
		t.tx.KeepText(t.message.Text)
	} else {
		t.typed(m.At)
		err = t.tx.SetTyped(t.tx.Receipt().Number, m.At)
	}
	t.cmd = t.parse(t.message.Text, t.at)
	return err
}

// wantedAgain is wanted for the new text of a message. Nothing answers any more what was
// asked about the old one; what that has answered, the new one answers.
func (t *turn) wantedAgain() (rows []*ledger.Row, question func() (Reply, error), err error) {
	defer t.typed(t.at)
	if err := errors.Join(t.dropQuestions(), t.answerAgain()); err != nil {
		return nil, nil, err
	}
	return t.wanted()
}

// speakAsAuthor makes the sender who typed the message, which is the same person,
// though the door can tell him at one time and not at another.
func (t *turn) speakAsAuthor() error {
	m := t.tx.Message()
	if t.sender != 0 || len(m.Receipts) == 0 {
		return nil
	}
	first, err := t.tx.ReceiptByNumber(m.Receipts[0])
	if err == nil {
		t.sender = first.Member
	}
	return err
}

// late handles a message after its edit. Only now it is known when it was typed:
// the rows of the edit move there.
func (t *turn) late() (Reply, error) {
	m := t.tx.Message()
	t.cmd = t.parse(m.Text, t.at)
	want, asked, err := t.wanted()
	if err != nil {
		return Reply{}, err
	}
	if asked == nil { // else the rows are those of the answer
		if _, _, err := t.rewrite(want, m.EditedAt); err != nil {
			return Reply{}, err
		}
	}
	for _, n := range m.Receipts {
		if err := t.tx.SetTyped(n, t.at); err != nil {
			return Reply{}, err
		}
	}
	return Reply{}, nil
}

// rewrite makes the message's rows the wanted ones. It returns what was done and
// the rows as they were; of a new one there is nothing. at is when the text was typed.
func (t *turn) rewrite(want []*ledger.Row, at time.Time) (store.Applied, map[ledger.RowID]ledger.Row, error) {
	have, err := t.ownRows()
	if err != nil {
		return store.Applied{}, nil, err
	}
	before := map[ledger.RowID]ledger.Row{}
	for _, row := range have {
		before[row.ID] = row
	}
	said, err := t.saidBefore()
	if err != nil {
		return store.Applied{}, nil, err
	}
	later, err := t.correctedLater(have, at)
	if err != nil {
		return store.Applied{}, nil, err
	}
	own, err := t.ownCategory(want, later)
	if err != nil {
		return store.Applied{}, nil, err
	}
	changes, covered := rewriting(have, want, said, later, own)
	t.tx.Receipt().Covered = covered
	if len(changes) == 0 {
		return store.Applied{}, before, nil
	}
	if err := t.noteKind(changes); err != nil {
		return store.Applied{}, nil, err
	}
	applied, err := t.tx.Apply(changes...)
	return applied, before, err
}

// ownRows gives the rows of the message. Those of an answer to what has got another text
// since are not among them: they are what that text says.
func (t *turn) ownRows() ([]ledger.Row, error) {
	rows, err := t.tx.MessageRows()
	var own []ledger.Row
	for _, row := range rows {
		outdated, err := t.answersOldText(row.ID.Receipt)
		if err != nil {
			return nil, err
		}
		if !outdated {
			own = append(own, row)
		}
	}
	return own, err
}

// noteKind lets an edit that records stand in the order of messages, if nothing of
// its message stands there yet.
func (t *turn) noteKind(changes []ledger.Change) error {
	if !slices.ContainsFunc(changes, func(c ledger.Change) bool { return c.Before == nil }) {
		return nil
	}
	for _, n := range t.tx.Message().Receipts {
		r, err := t.tx.ReceiptByNumber(n)
		if err != nil {
			return err
		}
		if r.Kind == store.Record || r.Kind == store.Balance {
			return nil
		}
	}
	t.tx.Receipt().Kind = store.Record
	return nil
}

// wanted gives the rows that the command would make; none if it makes no rows or is
// not for the bot. question makes what has to be said about it instead; nil is nothing.
func (t *turn) wanted() (rows []*ledger.Row, question func() (Reply, error), err error) {
	if !t.heard() {
		return nil, nil, nil
	}
	switch t.cmd.Kind {
	case grammar.Record:
		if ask, err := t.withFamily(); ask || err != nil {
			return nil, t.askEdited, err
		}
		rows, _, err = t.rows()
		return rows, nil, err
	case grammar.Balance:
		row, refusal, err := t.statement()
		if row == nil || err != nil {
			return nil, func() (Reply, error) { return refusal, nil }, err
		}
		return []*ledger.Row{row}, nil, nil
	case grammar.Ask:
		return nil, t.askEdited, nil
	}
	return nil, nil, nil
}

// saidBefore gives what the message's own text has last said of each of its rows. What
// the row has beside that, somebody has chosen.
func (t *turn) saidBefore() (map[ledger.RowID]ledger.Row, error) {
	said := map[ledger.RowID]ledger.Row{}
	for _, n := range t.tx.Message().Receipts {
		r, err := t.tx.ReceiptByNumber(n)
		if err != nil {
			return nil, err
		}
		for _, c := range slices.Concat(r.Covered, r.Changes) {
			row := said[c.After.ID]
			for _, f := range fields {
				if c.Before == nil || f.differ(*c.Before, *c.After) {
					f.copy(&row, *c.After)
				}
			}
			said[c.After.ID] = row
		}
	}
	return said, nil
}

// correctedLater gives for each of the message's rows what corrections have set that were
// typed after the text.
func (t *turn) correctedLater(have []ledger.Row, at time.Time) (map[ledger.RowID]map[field]bool, error) {
	if len(have) == 0 {
		return nil, nil
	}
	p, err := t.pastOf(have[0])
	later := map[ledger.RowID]map[field]bool{}
	for _, row := range have {
		later[row.ID] = p.corrected(row.ID, at)
	}
	return later, err
}

// ownCategory tells which of the rows have another category than that of their item,
// where it matters: where a later correction has given a row another item.
func (t *turn) ownCategory(want []*ledger.Row, later map[ledger.RowID]map[field]bool) (map[*ledger.Row]bool, error) {
	own := map[*ledger.Row]bool{}
	for _, set := range later {
		for _, row := range want {
			if !set[itemField] || own[row] {
				continue
			}
			category, err := t.categoryOf(row.Item)
			if err != nil {
				return nil, err
			}
			own[row] = category != row.Category
		}
	}
	return own, nil
}

// rewriting gives the changes that make the rows of a message the wanted ones: the
// first of either sort the first, and so on. What corrections say that are later than the
// text stays and covers what the text says. own says which of the wanted rows have a
// category of their own.
func rewriting(have []ledger.Row, want []*ledger.Row, said map[ledger.RowID]ledger.Row, later map[ledger.RowID]map[field]bool, own map[*ledger.Row]bool) (changes, covered []ledger.Change) {
	allStruck := len(have) > 0
	for _, row := range have {
		allStruck = allStruck && row.Voided
		after := row
		i := slices.IndexFunc(want, func(w *ledger.Row) bool { return sameSort(*w, row) })
		if i < 0 {
			after.Withdrawn = true
		} else {
			wanted := want[i]
			after = *wanted
			want = slices.Delete(slices.Clone(want), i, i+1)
			after.ID, after.Member, after.Scope, after.Voided = row.ID, row.Member, row.Scope, row.Voided
			if after.Type == row.Type {
				covered = append(covered, covers(row, said[row.ID], after, later[row.ID])...)
			}
			keepChosen(&after, row, said[row.ID], later[row.ID], own[wanted])
		}
		if after.Facts() != row.Facts() {
			changes = append(changes, ledger.Change{Before: &row, After: &after})
		}
	}
	for _, row := range want {
		row.Voided = allStruck
		changes = append(changes, ledger.Change{After: row})
	}
	return changes, covered
}

// covers gives what the text says of a row in the fields of which later corrections say
// something: amount and item, which stand in every text, the category that goes with the
// item, and what is otherwise than in the text before it.
func covers(row, said, text ledger.Row, later map[field]bool) []ledger.Change {
	before := text
	for _, f := range fields {
		switch {
		case f == categoryField && later[itemField]:
			f.copy(&before, ledger.Row{})
		case !later[f]:
		case f == categoryField && text.Item == said.Item && text.Category == row.Category: // the correction has taught it
		case f == amountField, f == itemField, f == categoryField && text.Item != said.Item:
			f.copy(&before, ledger.Row{})
		default:
			f.copy(&before, said)
		}
	}
	if before.Facts() == text.Facts() {
		return nil
	}
	return []ledger.Change{{Before: &before, After: &text}}
}

// keepChosen lets the rewritten row keep what somebody has said of the present one. What
// was said later than the text stays. Of what was said earlier, amount and item give way,
// since they stand in every text; the others stay unless the new text gives the row
// another one of them than the old text did, or another item. own says that the new text's
// category is not that of its item.
func keepChosen(after *ledger.Row, row, said ledger.Row, later map[field]bool, own bool) {
	if after.Type != row.Type {
		return
	}
	text := *after
	for _, f := range fields {
		stays := !f.differ(text, said) && f.differ(row, said) && (f == dateField || f == accountField)
		if f == categoryField {
			stays = text.Item == row.Item && text.Category == said.Category || later[itemField] && (!own || text.Category == said.Category)
		}
		if later[f] || stays {
			f.copy(after, row)
		}
	}
}

// sameSort says whether one row can become the other: a balance statement stays
// one.
func sameSort(a, b ledger.Row) bool {
	return (a.Type == ledger.Adjustment) == (b.Type == ledger.Adjustment)
}

// edited says what an edit did. If it did nothing, it is silence, unless the new
// text asks for an answer.
func (t *turn) edited(applied store.Applied, before map[ledger.RowID]ledger.Row, question Reply) (Reply, error) {
	n, err := t.names()
	if err != nil {
		return Reply{}, err
	}
	a := answer{}
	var rows []ledger.Row // those that the answer is about
	for _, row := range applied.Rows {
		was, known := before[row.ID]
		there := known && !was.Withdrawn
		if line := t.editedLine(n, was, there, row); line != "" {
			a.put(t.editedItem(n, was, there, row, line))
			a.add(t.statedLine(row))
			rows = append(rows, row)
		}
	}
	a.put(question.Lines...)
	a.offer(question.Buttons...)
	if len(rows) == 0 {
		return a.reply(), nil
	}
	if rows, err = t.ownFirst(rows); err != nil {
		return Reply{}, err
	}
	standing := slices.DeleteFunc(slices.Clone(rows), func(r ledger.Row) bool { return !r.Stands() })
	quiet, err := t.smallPrint(n, rows, len(standing) == len(rows))
	if err != nil {
		return Reply{}, err
	}
	a.quiet(quiet)
	if len(standing) > 0 {
		whole := ledger.RowID{Receipt: rows[0].ID.Receipt} // all rows of the message, however few were changed
		if err := t.offerUndo(&a, whole); err != nil {
			return Reply{}, err
		}
	}
	err = t.addEffects(&a, n, applied)
	return a.reply(), err
}

// ownFirst puts those of the rows in front that a text of the message has made, and not
// the answer to a question about it: their number stands for all.
func (t *turn) ownFirst(rows []ledger.Row) ([]ledger.Row, error) {
	texts, err := t.texts()
	own := map[ledger.ReceiptNumber]bool{t.tx.Receipt().Number: true}
	for _, r := range texts {
		own[r.Number] = true
	}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b ledger.Row) int {
		switch {
		case own[a.ID.Receipt] == own[b.ID.Receipt]:
			return 0
		case own[a.ID.Receipt]:
			return -1
		}
		return 1
	})
	return rows, err
}
