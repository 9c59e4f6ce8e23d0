package bot

import (
	"slices"
	"strings"
	"time"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
	"ichido/store"
)

// A correction without a number or a quote means a record of the last hour. Older ones,
// of the last month, are only asked about.
const (
	correctionReach = time.Hour
	candidateReach  = 31 * 24 * time.Hour
	maxCandidates   = 5
)

// meant are the rows that a correction may be about: if it is sure, the one there is.
type meant struct {
	rows []ledger.Row
	sure bool
}

// meant finds what the correction is about. refusal says why that is nothing.
func (t *turn) meant() (found meant, refusal string, err error) {
	switch {
	case t.cmd.Receipt != "":
		return t.meantByNumber()
	case t.message.Quotes:
		return t.meantByQuote()
	case t.sender == 0:
		return meant{}, t.text(whoseToCorrect), nil
	}
	return t.meantLast(t.cmd)
}

func (t *turn) meantByNumber() (meant, string, error) {
	none := t.nothingToCorrect(t.cmd.Receipt)
	id, err := ledger.ParseRowID(t.cmd.Receipt)
	if err != nil {
		return meant{}, none, nil
	}
	r, err := t.tx.ReceiptByNumber(id.Receipt)
	if r == nil || r == t.tx.Receipt() || err != nil {
		return meant{}, none, err
	}
	rows, err := t.rowsAbout(r)
	if err != nil {
		return meant{}, "", err
	}
	if id.Index != 0 {
		rows = slices.DeleteFunc(rows, func(row ledger.Row) bool { return row.ID != id })
	}
	return t.amongThese(rows, none)
}

func (t *turn) meantByQuote() (meant, string, error) {
	if t.message.Quoted == nil {
		return meant{}, t.text(quotedUnknown), nil
	}
	rows, err := t.rowsAbout(t.message.Quoted)
	if err != nil {
		return meant{}, "", err
	}
	return t.amongThese(rows, t.text(quotedHasNone))
}

// rowsAbout gives the rows that the receipt's message has made, or else those that the
// receipt has changed.
func (t *turn) rowsAbout(r *store.Receipt) ([]ledger.Row, error) {
	rows, err := t.tx.MessageRowsOf(r)
	if len(rows) > 0 || err != nil {
		return rows, err
	}
	for _, c := range r.Changes {
		row, err := t.tx.Row(c.After.ID)
		if err != nil {
			return nil, err
		}
		if row != nil && !slices.ContainsFunc(rows, func(r ledger.Row) bool { return r.ID == row.ID }) {
			rows = append(rows, *row)
		}
	}
	return rows, nil
}

// amongThese finds the row that is meant among those that are named together. none is
// said if they are no more there.
func (t *turn) amongThese(rows []ledger.Row, none string) (meant, string, error) {
	rows = slices.DeleteFunc(rows, func(row ledger.Row) bool { return row.Withdrawn })
	if len(rows) == 0 {
		return meant{}, none, nil
	}
	first := rows[0]
	p, err := t.pastOf(first)
	if err != nil {
		return meant{}, "", err
	}
	rows = slices.DeleteFunc(rows, func(row ledger.Row) bool {
		_, stood := p.rowAt(row.ID, t.at)
		return !stood && !row.Stands()
	})
	if len(rows) == 0 {
		return meant{}, t.struckToCorrect(first.ID), nil
	}
	for _, whole := range []bool{true, false} {
		fitting := slices.DeleteFunc(slices.Clone(rows), func(row ledger.Row) bool { return !fits(t.cmd, row, whole) })
		if len(fitting) > 0 {
			return meant{fitting, true}, "", nil
		}
	}
	return meant{rows, false}, "", nil
}

// meantLast finds the sender's last record that fits.
func (t *turn) meantLast(c grammar.Command) (meant, string, error) {
	for _, whole := range []bool{true, false} {
		rows, doubt, err := t.recent(c, whole)
		switch {
		case err != nil:
			return meant{}, "", err
		case slices.ContainsFunc(rows, func(r ledger.Row) bool { return r.Withdrawn }):
			return meant{}, t.text(goneToCorrect), nil
		case len(rows) > 0:
			return meant{rows, !doubt}, "", nil
		}
	}
	rows, err := t.candidates(c)
	if len(rows) == 0 || err != nil {
		return meant{}, t.nothingFits(c), err
	}
	return meant{rows, false}, "", nil
}

// recent gives the rows that fit of the last record of the hour that has such. Whose item
// only contains what is said may be of any record. doubt says that nothing tells which
// record is meant, and a newer one had been taken back.
func (t *turn) recent(c grammar.Command, whole bool) (found []ledger.Row, doubt bool, err error) {
	_, err = t.tx.Before(t.sender, t.at, t.at.Add(-correctionReach), func(r *store.Receipt) (bool, error) {
		if r.Kind != store.Record && r.Kind != store.Balance {
			return false, nil
		}
		rows, struck, err := t.fittingThen(c, r, whole)
		found = append(found, rows...)
		doubt = doubt || struck && !namesRow(c)
		return whole && len(found) > 0, err
	})
	return found, doubt, err
}

// fittingThen gives the rows of the record, as they are now, that stood and fitted when
// the correction was typed. What an unsent message said is not known any more. struck says
// whether any had been taken back, unsent or edited away.
func (t *turn) fittingThen(c grammar.Command, r *store.Receipt, whole bool) (fitting []ledger.Row, struck bool, err error) {
	p, err := t.past(r)
	if err != nil {
		return nil, false, err
	}
	rows, err := t.tx.MessageRowsOf(r)
	for _, row := range rows {
		then, stood := p.rowAt(row.ID, t.at)
		struck = struck || then.Voided || then.Withdrawn
		if stood && (p.message.Unsent() || fits(c, then, whole) && datedSo(c, then)) {
			fitting = append(fitting, row)
		}
	}
	return fitting, struck, err
}

// candidates gives rows of the last month that may be meant though it is not sure: those
// that fit in all that is said, or else by their item alone. Where nothing says which,
// it is those of the last record.
func (t *turn) candidates(c grammar.Command) ([]ledger.Row, error) {
	var all []ledger.Row
	last := 0 // how many are of the last record
	_, err := t.tx.Before(t.sender, t.at, t.at.Add(-candidateReach), func(r *store.Receipt) (bool, error) {
		if r.Kind != store.Record && r.Kind != store.Balance {
			return false, nil
		}
		rows, err := t.rowsOf(r, standing)
		all = append(all, slices.DeleteFunc(rows, func(row ledger.Row) bool { return !takes(c, row) })...)
		if last == 0 {
			last = len(all)
		}
		return false, err
	})
	if err != nil {
		return nil, err
	}
	if !namesRow(c) {
		return all[:last], nil
	}
	for _, such := range []func(ledger.Row) bool{
		func(row ledger.Row) bool { return fits(c, row, true) && datedSo(c, row) },
		func(row ledger.Row) bool { return fits(c, row, false) && datedSo(c, row) },
		func(row ledger.Row) bool { return c.Item != "" && hasItem(c, row, false) },
	} {
		found := slices.DeleteFunc(slices.Clone(all), func(row ledger.Row) bool { return !such(row) })
		if len(found) > 0 {
			return found[:min(len(found), maxCandidates)], nil
		}
	}
	if c.Item != "" {
		return nil, nil
	}
	return all[:last], nil
}

// fits says whether the row may be what the correction names: by its item, which must be
// the whole one or only contain what is said, and by what its amount was.
func fits(c grammar.Command, row ledger.Row, whole bool) bool {
	amount := row.Amount
	if row.Type == ledger.Adjustment {
		amount = row.Stated
	}
	return takes(c, row) && (c.Item == "" || hasItem(c, row, whole)) && (!c.HasOld || amount == c.Old)
}

// takes says whether what is said can be said of such a row.
func takes(c grammar.Command, row ledger.Row) bool {
	return hasCategory(row) || c.NewItem == "" && c.Category == "" && c.Account == ""
}

func hasItem(c grammar.Command, row ledger.Row, whole bool) bool {
	is, said := grammar.Key(row.Item), grammar.Key(c.Item)
	if whole {
		return is == said
	}
	return said != "" && strings.Contains(is, said)
}

// namesRow says whether anything tells which row is meant.
func namesRow(c grammar.Command) bool { return c.Item != "" || c.HasOld || namesDate(c) }

// namesDate says whether the date may tell which row is meant: something else is to be
// otherwise.
func namesDate(c grammar.Command) bool {
	return c.Date != 0 && (c.HasAmount || c.NewItem != "" || c.Category != "" || c.Account != "")
}

func datedSo(c grammar.Command, row ledger.Row) bool { return !namesDate(c) || row.Date == c.Date }

// askWhichToCorrect names what may be meant. The buttons do what the command says.
func (t *turn) askWhichToCorrect(found meant) (Reply, error) {
	a := answer{}
	t.tx.Receipt().Asked = t.message.Text
	refusal, err := t.offerCorrections(&a, t.cmd, found.rows)
	if len(a.buttons) == 0 || err != nil {
		return said(refusal), err
	}
	a.lines = append(sentences(t.whichToCorrect(len(a.buttons))), a.lines...)
	return a.reply(), nil
}

// offerCorrections adds for each row what it would become, and a button that makes it
// so. refusal says why the last one that gets none can't.
func (t *turn) offerCorrections(a *answer, c grammar.Command, rows []ledger.Row) (refusal string, err error) {
	operation, err := t.tx.Operation(tapCorrect)
	if err != nil {
		return "", err
	}
	var changes []ledger.Change
	for _, row := range rows[:min(len(rows), maxCandidates)] {
		if !row.Stands() { // it was struck after this was typed
			refusal = t.struckToCorrect(row.ID)
			continue
		}
		p, err := t.pastOf(row)
		if err != nil {
			return "", err
		}
		after, no, err := t.righted(c, row, p)
		if err != nil {
			return "", err
		}
		if no != "" {
			refusal = no
			continue
		}
		changes = append(changes, ledger.Change{Before: &row, After: &after})
	}
	n, err := t.names() // after a new account was made
	for _, change := range changes {
		if change.After.Facts() == change.Before.Facts() {
			refusal = t.soAlready(n, *change.Before)
			continue
		}
		a.add(t.wouldBecome(n, *change.Before, *change.After))
		a.offer(t.correctButton(change.Before.ID, operation))
	}
	return refusal, err
}

// tapCorrect does to the row what the text says about which was asked, if nothing has
// happened to the row since.
func (t *turn) tapCorrect(p pressed) (Reply, error) {
	asked := p.target
	id, err := ledger.ParseRowID(p.argument)
	if p.used || asked.Asked == "" || err != nil {
		return said(t.text(oldButton)), nil
	}
	row, err := t.tx.Row(id)
	if row == nil || err != nil {
		return said(t.text(oldButton)), err
	}
	past, err := t.pastOf(*row)
	if err != nil {
		return Reply{}, err
	}
	c := t.asked(asked)
	if err := t.asCorrection(&c); err != nil {
		return Reply{}, err
	}
	if c.Kind != grammar.Correct || !row.Stands() || past.touched(id, asked.Number) {
		return said(t.text(oldButton)), nil
	}
	if err := t.tx.UseUp(tapChoose, asked); err != nil { // it was a correction and nothing new
		return Reply{}, err
	}
	return t.putRight(c, *row)
}
