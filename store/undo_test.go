package store_test

import (
	"errors"
	"testing"

	"ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

// One row of a receipt is struck, then the rest; what is brought back of it can
// be taken back again.
func TestUndoOfASingleRow(t *testing.T) {
	s := storetest.New(t)
	storetest.Submit(t, s, lunch("a"), func(tx *store.Tx) error {
		wallet, err := tx.OpenAccount(ledger.Cash, tx.Sender().ID)
		if err != nil {
			return err
		}
		row := func(item string) *ledger.Row {
			return &ledger.Row{Type: ledger.Expense, Date: 20261130, Time: storetest.Noon, Amount: 100, Item: item, Account: wallet.ID}
		}
		_, err = tx.Apply(ledger.Change{After: row("a")}, ledger.Change{After: row("b")})
		return err
	})
	storetest.Submit(t, s, lunch("b"), func(tx *store.Tx) error {
		row, err := tx.Row(ledger.RowID{Receipt: 1, Index: 2})
		if err != nil {
			return err
		}
		voided := *row
		voided.Voided = true
		_, err = tx.Apply(ledger.Change{Before: row, After: &voided})
		return err
	})
	storetest.Submit(t, s, lunch("c"), storetest.Undo(1))
	storetest.WantRows(t, s, "(1-1 a 100)", "(1-2 b 100)")
	storetest.Submit(t, s, lunch("d"), storetest.Undo(2))
	storetest.WantRows(t, s, "(1-1 a 100)", "1-2 b 100")
	storetest.Submit(t, s, lunch("e"), storetest.Undo(1))
	storetest.WantRows(t, s, "(1-1 a 100)", "(1-2 b 100)")
}

func TestUndoTwice(t *testing.T) {
	s := storetest.New(t)
	storetest.Submit(t, s, lunch("a"), storetest.Spend("ランチ", 900, storetest.Noon))
	storetest.Submit(t, s, lunch("b"), storetest.Undo(1))
	if _, _, err := s.Submit(t.Context(), lunch("c"), storetest.Undo(1)); !errors.Is(err, store.ErrUndone) {
		t.Errorf("got %v, want ErrUndone", err)
	}
	storetest.WantRows(t, s, "(1 ランチ 900)")
	storetest.Submit(t, s, lunch("d"), storetest.Undo(2))
	storetest.Submit(t, s, lunch("e"), storetest.Undo(1))
	storetest.WantRows(t, s, "(1 ランチ 900)")
	storetest.Submit(t, s, lunch("g"), storetest.Undo(4)) // brings it back once more
	storetest.Submit(t, s, lunch("h"), storetest.Undo(5)) // and takes that back
	storetest.WantRows(t, s, "(1 ランチ 900)")
	if _, _, err := s.Submit(t.Context(), lunch("i"), storetest.Undo(1)); !errors.Is(err, store.ErrUndone) {
		t.Errorf("after a chain of undos: %v, want ErrUndone", err)
	}
	if _, _, err := s.Submit(t.Context(), lunch("f"), storetest.Undo(99)); !errors.Is(err, store.ErrNoReceipt) {
		t.Errorf("got %v, want ErrNoReceipt", err)
	}
}

// What has been changed again since is not changed back.
func TestUndoOfWhatWasChangedSince(t *testing.T) {
	s := storetest.New(t)
	rename := func(to string) func(*store.Tx) error {
		return func(tx *store.Tx) error {
			row, err := tx.Row(ledger.RowID{Receipt: 1})
			if err != nil {
				return err
			}
			after := *row
			after.Item = to
			_, err = tx.Apply(ledger.Change{Before: row, After: &after})
			return err
		}
	}
	storetest.Submit(t, s, lunch("a"), storetest.Spend("ランチ", 900, storetest.Noon))
	storetest.Submit(t, s, lunch("b"), rename("夕食"))
	storetest.Submit(t, s, lunch("c"), rename("夜食"))
	if _, _, err := s.Submit(t.Context(), lunch("d"), storetest.Undo(2)); !errors.Is(err, store.ErrChanged) {
		t.Errorf("got %v, want ErrChanged", err)
	}
	storetest.WantRows(t, s, "1 夜食 900")
	storetest.Submit(t, s, lunch("e"), storetest.Undo(3))
	storetest.Submit(t, s, lunch("f"), storetest.Undo(2))
	storetest.WantRows(t, s, "1 ランチ 900")
	storetest.Submit(t, s, lunch("g"), rename("朝食"))
	storetest.Submit(t, s, lunch("h"), storetest.Undo(1)) // a new row is struck whatever became of it
	storetest.WantRows(t, s, "(1 朝食 900)")
}

// What a message recorded is taken back and brought back as a whole, whichever of
// its receipts is named and whatever its edits have made of it.
func TestUndoOfAMessage(t *testing.T) {
	type step struct {
		req   store.Request
		apply func(*store.Tx) error
	}
	said := func(items ...string) step {
		return step{storetest.Said("m", "", after(0)), storetest.Hear(items...)}
	}
	edit := func(minute int, items ...string) step {
		return step{storetest.Edited("m", "", after(minute)), storetest.Hear(items...)}
	}
	back := func(key string, n ledger.ReceiptNumber) step { return step{lunch(key), storetest.Undo(n)} }
	talk := step{storetest.Said("m", "", after(0)), func(*store.Tx) error { return nil }}
	for name, tt := range map[string]struct {
		steps []step
		want  []string
	}{
		"by its own receipt":      {[]step{said("a", "b"), edit(1, "c", "d", "e"), back("x", 1)}, []string{"(1-1 c 100)", "(1-2 d 100)", "(2 e 100)"}},
		"by its edit's":           {[]step{said("a", "b"), edit(1, "c", "d", "e"), back("x", 2)}, []string{"(1-1 c 100)", "(1-2 d 100)", "(2 e 100)"}},
		"talk made a record":      {[]step{talk, edit(1, "a"), back("x", 1)}, []string{"(2 a 100)"}},
		"what is withdrawn stays": {[]step{said("a", "b"), edit(1, "c"), back("x", 1), back("y", 3)}, []string{"1-1 c 100", "[1-2 b 100]"}},
		"struck, then edited":     {[]step{said("a"), back("x", 1), edit(1, "c", "d")}, []string{"(1 c 100)", "(3 d 100)"}},
		"and brought back":        {[]step{said("a"), back("x", 1), edit(1, "c", "d"), back("y", 2)}, []string{"1 c 100", "3 d 100"}},
		"and once more":           {[]step{said("a"), back("x", 1), edit(1, "c", "d"), back("y", 2), back("z", 4)}, []string{"(1 c 100)", "(3 d 100)"}},
		"struck twice":            {[]step{said("a"), edit(1, "a", "b"), back("x", 1), edit(2, "a", "b", "c"), back("y", 3)}, []string{"1 a 100", "2 b 100", "4 c 100"}},
		"struck, then said again": {[]step{said("a", "b"), edit(1, "c"), back("x", 1), edit(2, "c", "d")}, []string{"(1-1 c 100)", "(1-2 d 100)"}},
		"and all brought back":    {[]step{said("a", "b"), edit(1, "c"), back("x", 1), edit(2, "c", "d"), back("y", 3)}, []string{"1-1 c 100", "1-2 d 100"}},
		"brought back before":     {[]step{said("a", "b"), edit(1, "c"), back("x", 1), back("y", 3), edit(2, "c", "d")}, []string{"1-1 c 100", "1-2 d 100"}},
		"born struck, then less":  {[]step{said("a"), back("x", 1), edit(1, "a", "b"), edit(2, "a"), back("y", 2), edit(3, "a", "b")}, []string{"1 a 100", "3 b 100"}},
		"struck by itself": {[]step{said("a"), back("x", 1), back("y", 2), edit(1, "a", "b"),
			{lunch("b"), update(ledger.RowID{Receipt: 4}, func(r *ledger.Row) { r.Voided = true })}, back("z", 1), back("w", 2)}, []string{"1 a 100", "(4 b 100)"}},
		"unsent when struck": {[]step{said("a"), back("x", 1), {storetest.Unsent("m", after(2)), storetest.Hear()}}, []string{"[(1  100)]"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := storetest.New(t)
			for _, step := range tt.steps {
				storetest.Submit(t, s, step.req, step.apply)
			}
			storetest.WantRows(t, s, tt.want...)
		})
	}
}

// What can't be taken back says why, and changes nothing.
func TestUndoInVain(t *testing.T) {
	s := storetest.New(t)
	storetest.Submit(t, s, storetest.Said("m", "a", after(0)), storetest.Hear("a"))                     // 1
	storetest.Submit(t, s, lunch("x"), storetest.Undo(1))                                               // 2
	storetest.Submit(t, s, storetest.Unsent("m", after(1)), storetest.Hear())                           // 3
	storetest.Submit(t, s, lunch("y"), func(*store.Tx) error { return nil })                            // 4
	storetest.Submit(t, s, storetest.Said("n", "talk", after(0)), func(*store.Tx) error { return nil }) // 5
	for n, want := range map[ledger.ReceiptNumber]error{
		1: store.ErrUndone, 2: store.ErrUndone, 3: store.ErrUndone, 4: store.ErrNoReceipt, 5: store.ErrNoReceipt, 6: store.ErrNoReceipt, 99: store.ErrNoReceipt,
	} {
		if _, _, err := s.Submit(t.Context(), lunch("try"), storetest.Undo(n)); !errors.Is(err, want) {
			t.Errorf("receipt %d: %v, want %v", n, err, want)
		}
		if n > 5 {
			continue
		}
		view(t, s, func(tx *store.Tx) error {
			r, err := tx.ReceiptByNumber(n)
			if err != nil {
				return err
			}
			holds, err := tx.Holds(r)
			if holds {
				t.Errorf("receipt %d holds", n)
			}
			return err
		})
	}
	storetest.WantRows(t, s, "[(1  100)]")
}

// update changes a row that is there.
func update(id ledger.RowID, change func(*ledger.Row)) func(*store.Tx) error {
	return func(tx *store.Tx) error {
		row, err := tx.Row(id)
		if err != nil {
			return err
		}
		after := *row
		change(&after)
		_, err = tx.Apply(ledger.Change{Before: row, After: &after})
		return err
	}
}

// A change goes back field by field: what else was changed since stays, also in the
// same event and if the event changed the same twice.
func TestUndoByFields(t *testing.T) {
	s := storetest.New(t)
	row := ledger.RowID{Receipt: 1}
	storetest.Submit(t, s, lunch("a"), storetest.Spend("ランチ", 900, storetest.Noon))
	storetest.Submit(t, s, lunch("b"), func(tx *store.Tx) error {
		return errors.Join(
			update(row, func(r *ledger.Row) { r.Item = "夕食" })(tx),
			update(row, func(r *ledger.Row) { r.Item = "夜食" })(tx),
		)
	})
	storetest.Submit(t, s, lunch("c"), update(row, func(r *ledger.Row) { r.Amount = 950 }))
	if holds := holds(t, s, 2); !holds {
		t.Error("the change of the item does not hold")
	}
	storetest.Submit(t, s, lunch("d"), storetest.Undo(2))
	storetest.WantRows(t, s, "1 ランチ 950")
	if holds := holds(t, s, 2); holds {
		t.Error("what is taken back holds")
	}
	storetest.Submit(t, s, lunch("e"), storetest.Undo(4))
	storetest.WantRows(t, s, "1 夜食 950")
	storetest.Submit(t, s, lunch("f"), update(row, func(r *ledger.Row) { r.Item = "朝食" }))
	if holds := holds(t, s, 2); holds {
		t.Error("what was changed again holds")
	}
}

func holds(t *testing.T, s *store.Store, n ledger.ReceiptNumber) (holds bool) {
	t.Helper()
	view(t, s, func(tx *store.Tx) error {
		r, err := tx.ReceiptByNumber(n)
		if err != nil {
			return err
		}
		holds, err = tx.Holds(r)
		return err
	})
	return holds
}

// Fields can each be as they were and yet make no row together.
func TestUndoToAnImpossibleRow(t *testing.T) {
	s := storetest.New(t)
	row := ledger.RowID{Receipt: 1}
	storetest.Submit(t, s, lunch("a"), func(tx *store.Tx) error {
		from, err := tx.OpenAccount("財布", 0)
		to, err2 := tx.OpenAccount("銀行", 0)
		_, err3 := tx.Apply(ledger.Change{After: &ledger.Row{
			Type: ledger.Transfer, Date: 20261130, Time: storetest.Noon, Amount: 900, Account: from.ID, ToAccount: to.ID,
		}})
		return errors.Join(err, err2, err3)
	})
	storetest.Submit(t, s, lunch("b"), update(row, func(r *ledger.Row) { r.Type, r.ToAccount = ledger.Expense, 0 }))
	storetest.Submit(t, s, lunch("c"), update(row, func(r *ledger.Row) { r.Account = 2 }))
	if _, _, err := s.Submit(t.Context(), lunch("d"), storetest.Undo(2)); !errors.Is(err, store.ErrChanged) {
		t.Errorf("got %v, want ErrChanged", err)
	}
	storetest.Submit(t, s, lunch("e"), storetest.Undo(3))
	storetest.Submit(t, s, lunch("f"), storetest.Undo(2))
}
