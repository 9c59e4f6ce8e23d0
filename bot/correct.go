package bot

import (
	"cmp"
	"slices"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
	"ichido/store"
)

// A correction changes a row that is there and makes none. It means what it names by a
// number, what it quotes, or the sender's own last record that fits (meant.go), all as
// of when it was typed. What is said of the row in something that was typed later stays.

// correct puts a row right.
func (t *turn) correct() (Reply, error) {
	if t.cmd.Whole {
		return said(t.text(howToMakeWhole)), nil
	}
	if !changesAnything(t.cmd) {
		return said(t.text(howToCorrect)), nil
	}
	if t.teachesOnly() {
		return t.recategorise()
	}
	found, refusal, err := t.meant()
	switch {
	case err != nil || refusal != "":
		return said(refusal), err
	case len(found.rows) == 1 && found.sure:
		return t.putRight(t.cmd, found.rows[0])
	}
	return t.askWhichToCorrect(found)
}

// changesAnything says whether the command says what is to be otherwise.
func changesAnything(c grammar.Command) bool {
	return c.HasAmount || c.NewItem != "" || c.Date != 0 || c.Category != "" || c.Account != ""
}

// putRight does what the command says to the rows, of one message.
func (t *turn) putRight(c grammar.Command, rows ...ledger.Row) (Reply, error) {
	p, err := t.pastOf(rows[0])
	if err != nil {
		return Reply{}, err
	}
	var changes []ledger.Change
	var kept []later
	for _, row := range rows {
		after, refusal, err := t.righted(c, row, p)
		if refusal != "" || err != nil {
			return said(refusal), err
		}
		kept = append(kept, t.keepLater(&after, row, p, c.Category == "")...)
		if after.Facts() != row.Facts() {
			changes = append(changes, ledger.Change{Before: &row, After: &after})
		}
	}
	if c.Category != "" && len(kept) == 0 {
		if _, err := t.teach(cmp.Or(c.NewItem, rows[0].Item), c.Category); err != nil {
			return Reply{}, err
		}
	}
	if len(changes) == 0 {
		return t.unchanged(rows[0], kept)
	}
	applied, err := t.tx.Apply(changes...)
	if err != nil {
		return Reply{}, err
	}
	return t.corrected(changes, applied, kept)
}

// righted gives the row as the command wants it, or says why it can't be so.
func (t *turn) righted(c grammar.Command, row ledger.Row, p past) (after ledger.Row, refusal string, err error) {
	after = row
	if refusal, err := t.refuseCorrection(c, row); refusal != "" || err != nil {
		return row, refusal, err
	}
	if c.HasAmount && row.Type == ledger.Adjustment {
		after.Stated = c.Amount
	} else if c.HasAmount {
		after.Amount = c.Amount
	}
	if c.Date != 0 && c.Date != row.Date {
		timeOf := ledger.TimeOf
		if row.Type == ledger.Adjustment {
			timeOf = ledger.EndOf
		}
		after.Date, after.Time = c.Date, timeOf(c.Date, p.typed, t.zone)
	}
	if c.NewItem != "" {
		after.Item = c.NewItem
		if after.Category, err = t.categoryAlong(row, c.NewItem, p); err != nil {
			return row, "", err
		}
	}
	after.Category = cmp.Or(c.Category, after.Category)
	if c.Account != "" {
		after.Account, err = t.account(row.Member, c.Account)
	}
	return after, "", err
}

// refuseCorrection says why the row can't be as the command wants it; "" if it can.
func (t *turn) refuseCorrection(c grammar.Command, row ledger.Row) (string, error) {
	categories, err := t.tx.Categories()
	if err != nil {
		return "", err
	}
	statement := row.Type == ledger.Adjustment
	switch {
	case statement && (c.NewItem != "" || c.Category != "" || c.Account != ""):
		return t.text(statementHasNone), nil
	case statement && c.Date > t.today:
		return t.text(futureStatement), nil
	case row.Type == ledger.Transfer && (c.NewItem != "" || c.Category != "" || c.Account != ""):
		return t.text(transferHasNone), nil
	case !statement && c.HasAmount && c.Amount < 1:
		return t.text(unclearBecause[grammar.NotPositive]) + "\n" + t.text(nothingChanged), nil
	case c.Category != "" && row.Type == ledger.Income:
		return t.text(incomeHasNone), nil
	case c.Category == ledger.Pay, c.Category != "" && !categories.Known(categories.Of(c.Category)):
		return t.noSpendingCategory(c.Category), nil
	}
	return "", nil
}

// categoryAlong gives the category that the row has under the new item: that of this,
// unless somebody has chosen or said the present one.
func (t *turn) categoryAlong(row ledger.Row, item string, p past) (ledger.Category, error) {
	if row.Type == ledger.Income || p.corrected(row.ID, p.typed.Add(-1))[categoryField] {
		return row.Category, nil
	}
	known, err := t.categoryOf(row.Item)
	if err != nil || known != row.Category {
		return row.Category, err
	}
	return t.categoryOf(item)
}

// later says that a field stays as it is, since that was said after the correction.
type later struct {
	row    ledger.RowID
	field  field
	edited bool // by an edit; else by another correction
}

// keepLater puts back into the row what was said of it later than this correction was
// typed. along says that a category only goes along with the item.
func (t *turn) keepLater(after *ledger.Row, row ledger.Row, p past, along bool) (kept []later) {
	edited, corrected := p.edited(row.ID, t.at), p.corrected(row.ID, t.at)
	if along && itemField.differ(*after, row) && (edited[itemField] || corrected[itemField]) {
		categoryField.copy(after, row)
	}
	for _, f := range fields {
		if f.differ(*after, row) && (edited[f] || corrected[f]) {
			f.copy(after, row)
			kept = append(kept, later{row.ID, f, !corrected[f]})
		}
	}
	return kept
}

// unchanged says that the row is as it should be, or stays as was said later. A category
// may have been taught all the same.
func (t *turn) unchanged(row ledger.Row, kept []later) (Reply, error) {
	if len(t.tx.Receipt().Settings) > 0 {
		return t.settingsChanged()
	}
	n, err := t.names()
	if err != nil {
		return Reply{}, err
	}
	if len(kept) > 0 {
		return said(t.staysAsLater(n, row, kept[0].edited)), nil
	}
	return said(t.soAlready(n, row)), nil
}

// corrected says what a correction has changed, and that it has not changed what was said
// later.
func (t *turn) corrected(changes []ledger.Change, applied store.Applied, kept []later) (Reply, error) {
	t.tx.Receipt().Kind = store.Correct
	n, err := t.names()
	if err != nil {
		return Reply{}, err
	}
	a := answer{}
	for i, now := range applied.Rows {
		a.put(t.changedItem(n, *changes[i].Before, now, t.text(correctedLead), t.correctedLine(n, *changes[i].Before, now)))
		a.add(t.statedLine(now))
	}
	if len(kept) > 0 {
		a.add(t.restStays(kept[0].edited))
	}
	a.add(t.settingsNow(t.message.Chat, n.categories, t.tx.Receipt().Settings)...)
	quiet, err := t.smallPrint(n, applied.Rows, false)
	if err != nil {
		return Reply{}, err
	}
	a.quiet(quiet)
	operation, err := t.tx.Operation(tapUndo)
	if err != nil {
		return Reply{}, err
	}
	a.offer(t.undoChangeButton(operation))
	if onlyDiffers(categoryField, *changes[0].Before, applied.Rows[0]) {
		if err := t.offerCategories(&a, n, applied.Rows); err != nil {
			return Reply{}, err
		}
	}
	err = t.addEffects(&a, n, applied)
	return a.reply(), err
}

// onlyDiffers says whether the rows differ in the field and in nothing else that is
// shown.
func onlyDiffers(only field, a, b ledger.Row) bool {
	for _, f := range fields {
		if f.differ(a, b) != (f == only) {
			return false
		}
	}
	return true
}

// teachesOnly says whether the command names an item and its category and nothing else:
// it is as much about what comes as about what was.
func (t *turn) teachesOnly() bool {
	c := &t.cmd
	return c.Category != "" && c.Item != "" && c.Receipt == "" && !t.message.Quotes && !c.HasAmount && !c.HasOld && c.NewItem == "" && c.Date == 0 && c.Account == ""
}

// recategorise teaches the item's category and gives it to the rows of the sender's last
// record that has the item, if that is recent.
func (t *turn) recategorise() (Reply, error) {
	c := t.cmd
	if refusal, err := t.refuseCorrection(c, ledger.Row{Type: ledger.Expense}); refusal != "" || err != nil {
		return said(refusal), err
	}
	var rows []ledger.Row
	if t.sender != 0 {
		var err error
		if rows, _, err = t.recent(c, true); err != nil {
			return Reply{}, err
		}
	}
	if len(rows) > 0 && !slices.ContainsFunc(rows, func(r ledger.Row) bool { return r.Withdrawn }) {
		return t.putRight(c, rows...)
	}
	if !teachable(c.Item) {
		return said(t.notTeachable(c.Item)), nil
	}
	taught, err := t.teach(c.Item, c.Category)
	if err != nil {
		return Reply{}, err
	}
	n, err := t.names()
	if err != nil {
		return Reply{}, err
	}
	if !taught {
		return said(t.taughtAlready(c.Item, n.categories.Of(c.Category))), nil
	}
	return t.settingsChanged()
}

// quoteCorrects makes a correction of what is one only because it quotes what it is
// about.
func (t *turn) quoteCorrects() error {
	if t.message.Event != Said || !t.message.Quotes || t.message.Quoted == nil || t.cmd.Reason == grammar.MaybeCorrect {
		return nil
	}
	if q, err := t.openQuestion(); q != nil || err != nil {
		return err // it quotes what it answers
	}
	if rows, err := t.rowsAbout(t.message.Quoted); len(rows) == 0 || err != nil {
		return err
	}
	return t.asCorrection(&t.cmd)
}

// asCorrection makes a correction of a command that can be one where it is known what it
// is about: an amount or a category and nothing else, or what asks whether it is one.
func (t *turn) asCorrection(c *grammar.Command) error {
	switch {
	case c.Kind == grammar.Ask && c.HasAmount && (c.Reason == grammar.AmountOnly || c.Reason == grammar.MaybeCorrect):
		c.Kind, c.Reason = grammar.Correct, ""
		return nil
	case c.Kind != grammar.Remark:
		return nil
	}
	categories, err := t.tx.Categories()
	if category := sameName(categories.All(), c.Text); category != "" && category != ledger.Pay {
		c.Kind, c.Reason, c.Category = grammar.Correct, "", category
	}
	return err
}

// offerToCorrect adds, to an answer that asks whether the message is a new record or a
// correction, what would be corrected.
func (t *turn) offerToCorrect(a *answer) error {
	c := t.cmd
	if err := t.asCorrection(&c); c.Kind != grammar.Correct || t.sender == 0 || err != nil {
		return err
	}
	found, _, err := t.meantLast(c)
	if len(found.rows) == 0 || err != nil {
		return err
	}
	_, err = t.offerCorrections(a, c, found.rows)
	return err
}

// correctionTurned says of which rows a correction was taken back, or brought back again,
// and offers to turn that back.
func (t *turn) correctionTurned(n *names, applied store.Applied) (Reply, error) {
	did := t.tx.Receipt()
	a := answer{}
	for i, now := range applied.Rows {
		a.put(t.correctionBackItem(n, *did.Changes[i].Before, now, did.Kind == store.Redo))
		a.add(t.statedLine(now))
	}
	a.add(t.settingsNow(t.message.Chat, n.categories, did.Settings)...)
	id := ledger.RowID{Receipt: did.Number}
	a.quiet(t.receiptLabel(id))
	if err := t.offerTurn(&a, id); err != nil {
		return Reply{}, err
	}
	err := t.addEffects(&a, n, applied)
	return a.reply(), err
}
