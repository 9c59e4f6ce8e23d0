package store_test

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

var seeds = flag.Int("seeds", 15, "random histories in TestAgainstModel")

// model is the ledger as facts only: everything derived is computed anew each
// time, in the simplest way.
type model map[ledger.RowID]ledger.Row

// derived is what follows from the facts.
type derived struct {
	amounts  map[ledger.RowID]ledger.Yen // of standing statements
	openings map[ledger.RowID]bool
	balances map[ledger.AccountID]ledger.Yen
	totals   map[string]store.Total // by month, type, member and category
}

// derive walks through all rows in their order up to and with the instant; zero
// is the end.
func (m model) derive(until time.Time) derived {
	d := derived{map[ledger.RowID]ledger.Yen{}, map[ledger.RowID]bool{}, map[ledger.AccountID]ledger.Yen{}, map[string]store.Total{}}
	rows := slices.SortedFunc(maps.Values(m), func(a, b ledger.Row) int {
		if c := a.Time.Compare(b.Time); c != 0 {
			return c
		}
		return int(a.ID.Receipt)*1000 + int(a.ID.Index) - int(b.ID.Receipt)*1000 - int(b.ID.Index)
	})
	stated := map[ledger.AccountID]bool{}
	for _, r := range rows {
		if r.Voided || r.Withdrawn || !until.IsZero() && r.Time.After(until) {
			continue
		}
		if r.Type == ledger.Adjustment {
			r.Amount, r.Opening = r.Stated-d.balances[r.Account], !stated[r.Account]
			stated[r.Account] = true
			d.amounts[r.ID], d.openings[r.ID] = r.Amount, r.Opening
		}
		d.balances[r.Account] += r.Effect(r.Account)
		if r.ToAccount != 0 {
			d.balances[r.ToAccount] += r.Effect(r.ToAccount)
		}
		if r.Type != ledger.Adjustment || !r.Opening && r.Amount != 0 {
			key := fmt.Sprint(r.Date/100, r.Type, r.Member, r.Category)
			d.totals[key] = store.Total{Type: r.Type, Member: r.Member, Category: r.Category, Sum: d.totals[key].Sum + r.Amount, Rows: d.totals[key].Rows + 1}
		}
	}
	return d
}

// compare says how the store differs from the model.
func (m model) compare(tx *store.Tx, rnd *rand.Rand) error {
	d := m.derive(time.Time{})
	rows := 0
	err := tx.Rows(store.AllRows, func(r *ledger.Row) error {
		rows++
		if m[r.ID] != r.Facts() {
			return fmt.Errorf("row %v is %+v instead of %+v", r.ID, r.Facts(), m[r.ID])
		}
		if amount, standing := d.amounts[r.ID]; standing && (r.Amount != amount || r.Opening != d.openings[r.ID]) {
			return fmt.Errorf("statement %v is %d (opening %t) instead of %d (%t)", r.ID, r.Amount, r.Opening, amount, d.openings[r.ID])
		}
		return nil
	})
	if err == nil && rows != len(m) {
		err = fmt.Errorf("%d rows instead of %d", rows, len(m))
	}
	if err != nil {
		return err
	}
	if err := m.compareTotals(tx, d.totals); err != nil {
		return err
	}
	at := firstDay.Add(time.Duration(rnd.IntN(60*24)) * time.Hour)
	then := m.derive(at)
	accounts, err := tx.Accounts()
	for _, a := range accounts {
		if a.Balance != d.balances[a.ID] {
			return fmt.Errorf("account %d holds %d instead of %d", a.ID, a.Balance, d.balances[a.ID])
		}
		if held, err := tx.BalanceAt(a.ID, at); err != nil || held != then.balances[a.ID] {
			return fmt.Errorf("account %d held %d (%v) at %v instead of %d", a.ID, held, err, at, then.balances[a.ID])
		}
	}
	return err
}

func (m model) compareTotals(tx *store.Tx, want map[string]store.Total) error {
	found := 0
	for month := ledger.Date(20261001); month <= 20270101; month = ledger.Month(month, 1).From {
		err := tx.Totals(month, func(total store.Total) error {
			found++
			if want[fmt.Sprint(month/100, total.Type, total.Member, total.Category)] != total {
				return fmt.Errorf("a total of %v is %+v", month, total)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if found != len(want) {
		return fmt.Errorf("%d totals instead of %d", found, len(want))
	}
	return nil
}

var firstDay = time.Date(2026, 10, 20, 0, 0, 0, 0, time.UTC)

// history makes random events.
type history struct {
	*rand.Rand
	rows     model
	accounts []ledger.AccountID
	last     ledger.ReceiptNumber
	messages map[string]*spoken
	texts    []text
	settings map[string]string
	undone   map[ledger.ReceiptNumber]bool
	sent     []store.Request // all that were recorded
}

func (h *history) row() *ledger.Row {
	at := firstDay.Add(time.Duration(h.IntN(40)) * 12 * time.Hour) // often the same instant
	if h.IntN(3) > 0 {
		at = at.Add(time.Duration(h.IntN(1000)) * time.Minute)
	}
	r := &ledger.Row{
		Type: ledger.RowType(1 + h.IntN(5)), Date: ledger.DateOf(at.In(time.FixedZone("JST", 9*3600))), Time: at,
		Account: h.accounts[h.IntN(len(h.accounts))], Category: ledger.Category([]string{"", "食費", "娯楽"}[h.IntN(3)]), Scope: "test",
		Item: fmt.Sprint("item", h.IntN(5)), Member: ledger.MemberID(h.IntN(3)),
	}
	switch r.Type {
	case ledger.Adjustment:
		r.Stated = ledger.Yen(h.IntN(5000))
		return r
	case ledger.Transfer:
		for r.ToAccount == 0 || r.ToAccount == r.Account {
			r.ToAccount = h.accounts[h.IntN(len(h.accounts))]
		}
	}
	r.Amount = ledger.Yen(1 + h.IntN(500))
	return r
}

// event does something random in a transaction.
func (h *history) event(tx *store.Tx) error {
	switch op := h.IntN(10); {
	case op < 5:
		var changes []ledger.Change
		for range 1 + h.IntN(3) {
			changes = append(changes, ledger.Change{After: h.row()})
		}
		_, err := tx.Apply(changes...)
		return err
	case op < 8:
		return h.undo(tx, ledger.ReceiptNumber(1+h.IntN(int(h.last)+1)))
	case op < 9 && h.IntN(2) == 0:
		return tx.Set([]string{"a", "b"}[h.IntN(2)], []string{"", "x", "y"}[h.IntN(3)])
	}
	if len(h.rows) == 0 {
		return store.Leave
	}
	ids := slices.SortedFunc(maps.Keys(h.rows), func(a, b ledger.RowID) int {
		return int(a.Receipt)*1000 + int(a.Index) - int(b.Receipt)*1000 - int(b.Index)
	})
	id := ids[h.IntN(len(ids))]
	now, err := tx.Row(id)
	if err != nil {
		return err
	}
	if now.Withdrawn {
		return store.Leave
	}
	h.corrected(id)
	after := *h.row()
	after.ID = id
	if h.IntN(3) == 0 {
		after = *now
		after.Voided = !now.Voided
	}
	_, err = tx.Apply(ledger.Change{Before: now, After: &after}, ledger.Change{After: h.row()})
	return err
}

// undo takes a receipt back, and makes sure that nothing of it holds afterwards.
func (h *history) undo(tx *store.Tx, n ledger.ReceiptNumber) error {
	_, err := tx.Undo(n)
	if errors.Is(err, store.ErrUndone) || errors.Is(err, store.ErrChanged) || errors.Is(err, store.ErrNoReceipt) {
		return store.Leave
	} else if err != nil {
		return err
	}
	r, err := tx.ReceiptByNumber(n)
	if err != nil {
		return err
	}
	if holds, err := tx.Holds(r); holds || err != nil {
		return fmt.Errorf("receipt %d was taken back and holds (%v)", n, err)
	}
	if h.undone[n] && r.Undoes != 0 {
		// An undo that was taken back before and made again by another one: only the
		// rows come back that it knew.
		for _, c := range r.Changes {
			h.corrected(c.After.ID)
		}
	}
	h.undone[n] = true
	return nil
}

var errOnPurpose = errors.New("on purpose")

// Random histories of records, transfers, statements, corrections, undos, settings,
// failures, and of messages with edits and unsending in any order of arrival, leave
// the ledger that a plain computation from the facts gives.
func TestAgainstModel(t *testing.T) {
	n := *seeds
	if testing.Short() {
		n = min(n, 8)
	}
	for seed := range n {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			s := storetest.New(t)
			h := &history{
				Rand: rand.New(rand.NewPCG(uint64(seed), 1)), rows: model{}, messages: map[string]*spoken{}, settings: map[string]string{},
				undone: map[ledger.ReceiptNumber]bool{},
			}
			for step := range 80 {
				req, event := h.next(step)
				fails := h.IntN(10) == 0
				r, outcome, err := s.Submit(t.Context(), req, func(tx *store.Tx) error {
					h.accounts = nil
					for _, name := range []string{"財布", "Suica", "銀行"} {
						a, err := tx.OpenAccount(name, 0)
						if err != nil {
							return err
						}
						h.accounts = append(h.accounts, a.ID)
					}
					if err := event(tx); err != nil || !fails {
						return err
					}
					return errOnPurpose
				})
				switch {
				case err == nil && outcome == store.Recorded:
					h.note(req, r)
				case err != nil && !errors.Is(err, errOnPurpose):
					t.Fatalf("step %d: %v", step, err)
				}
				err = s.View(func(tx *store.Tx) error {
					return errors.Join(h.rows.compare(tx, h.Rand), h.compareSettings(tx), h.compareMessages(tx))
				})
				if err != nil {
					t.Fatalf("after step %d (%s): %v", step, req.Key, err)
				}
				if h.IntN(10) == 0 {
					if err := s.Check(); err != nil {
						t.Fatalf("after step %d (%s): %v", step, req.Key, err)
					}
				}
				h.repeat(t, s)
			}
		})
	}
}
