package bot

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
	"ichido/store"
)

// What pages show is what the chat would say.

// Answer answers a member's question, in words as they are typed in the chat. It changes
// nothing; the transaction may be one that only reads.
func (b *Bot) Answer(tx *store.Tx, member ledger.MemberID, question string, at time.Time) (Reply, error) {
	t, err := b.reader(tx, member, Message{Text: question, At: at, Direct: true})
	if err != nil {
		return Reply{}, err
	}
	if t.cmd.Kind != grammar.Query {
		return Reply{}, fmt.Errorf("%q is no question", question)
	}
	return t.run()
}

// Shown is a receipt as it was and what has become of it.
type Shown struct {
	Recorded []Line // the rows as they were recorded
	Since    []Line // how those stand otherwise now; none if nothing has changed
}

// Show tells a member of a receipt.
func (b *Bot) Show(tx *store.Tx, member ledger.MemberID, r *store.Receipt, at time.Time) (s Shown, err error) {
	t, err := b.reader(tx, member, Message{At: at})
	if err != nil {
		return Shown{}, err
	}
	n, err := t.names()
	if err != nil {
		return Shown{}, fmt.Errorf("looking up names: %w", err)
	}
	var rows []ledger.Row
	for _, c := range r.Changes {
		rows = append(rows, *c.After)
	}
	if len(rows) == 0 {
		return Shown{}, nil
	}
	s.Recorded = t.rowItems(n, rows)
	for _, was := range rows {
		now, err := tx.Row(was.ID)
		if err != nil {
			return Shown{}, fmt.Errorf("reading a row: %w", err)
		}
		s.Since = append(s.Since, t.since(n, was, *now)...)
	}
	return s, nil
}

// maxLooked is the most receipts that Latest looks at for rows.
const maxLooked = 200

// Latest shows a member the rows that were recorded last, whatever their dates: n at the
// most, the last one first. What was taken back since is none.
func (b *Bot) Latest(tx *store.Tx, member ledger.MemberID, n int, at time.Time) ([]Line, error) {
	t, err := b.reader(tx, member, Message{At: at})
	if err != nil {
		return nil, err
	}
	var rows []ledger.Row
	looked := 0
	err = tx.Newest(func(r *store.Receipt) error {
		for _, c := range slices.Backward(r.Changes) {
			if c.Before != nil || len(rows) == n {
				continue
			}
			row, err := tx.Row(c.After.ID)
			if err != nil {
				return fmt.Errorf("reading a row: %w", err)
			}
			if row.Stands() {
				rows = append(rows, *row)
			}
		}
		if looked++; looked == maxLooked || len(rows) == n {
			return store.Stop
		}
		return nil
	})
	if len(rows) == 0 || err != nil {
		return nil, err
	}
	names, err := t.names()
	if err != nil {
		return nil, fmt.Errorf("looking up names: %w", err)
	}
	var lines []Line
	for _, r := range rows { // each with its day: they are in no order of days
		line := t.listLine(names, r)
		line.Note = t.quietLine(line.Note, strings.TrimSpace(t.dayName(r.Date, t.today)))
		lines = append(lines, line)
	}
	return lines, nil
}

// reader is a turn of a member who asks without an event.
func (b *Bot) reader(tx *store.Tx, member ledger.MemberID, m Message) (*turn, error) {
	t := b.turn(tx, b.Read(m))
	t.sender = member
	return t, t.learn()
}

// Sums are the figures of a period. What was taken back counts nowhere.
type Sums struct {
	Spent       ledger.Yen // expenses less refunds
	Income      ledger.Yen
	Moved       ledger.Yen                     // between accounts
	Unexplained ledger.Yen                     // 不明金: positive where money is gone
	Categories  map[ledger.Category]ledger.Yen // of what was spent, as they are called now
}

// Sums adds up a period.
func (b *Bot) Sums(tx *store.Tx, p ledger.Period) (Sums, error) {
	categories, err := tx.Categories()
	if err != nil {
		return Sums{}, err
	}
	s, err := b.turn(tx, Message{}).sum(p, allRows(categories))
	if s.categories == nil {
		s.categories = map[ledger.Category]ledger.Yen{}
	}
	return Sums{s.spent, s.income, s.moved, s.missing, s.categories}, err
}
