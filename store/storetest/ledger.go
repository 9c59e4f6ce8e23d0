package storetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ichido/internal/ledger"
	"ichido/store"
)

// Noon is a noon in Tokyo.
var Noon = time.Date(2026, 11, 30, 3, 0, 0, 0, time.UTC)

// Taro is somebody whom the configuration lets in.
const Taro = "U0123456789abcdef0123456789abcdef"

// Said is the event that Taro has written a message.
func Said(message, text string, at time.Time) store.Request {
	return store.Request{
		Scope: "line", Key: "said " + message, Digest: store.NewDigest(message, text), At: at, Person: Taro, Admit: true, MessageID: message,
	}
}

// Edited is the event that he has given the message another text.
func Edited(message, text string, at time.Time) store.Request {
	r := Said(message, text, at)
	r.Key, r.About = fmt.Sprint("edited ", message, at.UnixMilli()), store.Edited
	return r
}

// Unsent is the event that he has taken the message back.
func Unsent(message string, at time.Time) store.Request {
	r := Said(message, "", at)
	r.Key, r.About = "unsent "+message, store.Unsent
	return r
}

// Hear does what a door does with a message that says the items, 100 yen each, and
// with its edits, in whatever order they come.
func Hear(items ...string) func(*store.Tx) error {
	return func(tx *store.Tx) error {
		m, r := tx.Message(), tx.Receipt()
		switch {
		case r.About == store.Unsent, r.About == store.Edited && !m.EditedAt.Before(r.At):
			return nil
		case r.About == store.Said && len(m.Receipts) > 0: // after its edits
			for _, n := range m.Receipts {
				if err := tx.SetTyped(n, r.At); err != nil {
					return err
				}
			}
			return write(tx, r.At, strings.Fields(m.Text))
		case r.About == store.Edited && m.At.IsZero():
			tx.KeepText(strings.Join(items, " "))
			return write(tx, r.At, items)
		case r.About == store.Edited:
			if err := tx.SetTyped(r.Number, m.At); err != nil {
				return err
			}
			return write(tx, m.At, items)
		}
		return write(tx, r.At, items)
	}
}

// write makes the rows of the event's message those of the items: in place, further
// ones new and struck if all that are there are, surplus ones withdrawn.
func write(tx *store.Tx, at time.Time, items []string) error {
	wallet, err := tx.OpenAccount(ledger.Cash, tx.Sender().ID)
	if err != nil {
		return err
	}
	have, err := tx.MessageRows()
	if err != nil {
		return err
	}
	var changes []ledger.Change
	struck := len(have) > 0
	for i, row := range have {
		after := row
		struck = struck && row.Voided
		if after.Withdrawn = i >= len(items); !after.Withdrawn {
			after.Item, after.Date, after.Time = items[i], ledger.DateOf(at), at
		}
		changes = append(changes, ledger.Change{Before: &row, After: &after})
	}
	for _, item := range items[min(len(have), len(items)):] {
		changes = append(changes, ledger.Change{After: &ledger.Row{
			Type: ledger.Expense, Date: ledger.DateOf(at), Time: at, Amount: 100, Item: item, Account: wallet.ID,
			Member: tx.Sender().ID, Voided: struck,
		}})
		tx.Receipt().Kind = store.Record
	}
	_, err = tx.Apply(changes...)
	return err
}

// Spend records one expense in the sender's wallet.
func Spend(item string, amount ledger.Yen, at time.Time) func(*store.Tx) error {
	return func(tx *store.Tx) error {
		wallet, err := tx.OpenAccount(ledger.Cash, tx.Sender().ID)
		if err != nil {
			return err
		}
		tx.Receipt().Kind = store.Record
		_, err = tx.Apply(ledger.Change{After: &ledger.Row{
			Type: ledger.Expense, Date: ledger.DateOf(at), Time: at, Amount: amount, Item: item,
			Account: wallet.ID, Member: tx.Sender().ID,
		}})
		return err
	}
}

// State has the wallet hold the amount.
func State(amount ledger.Yen, at time.Time, applied *store.Applied) func(*store.Tx) error {
	return func(tx *store.Tx) error {
		wallet, err := tx.OpenAccount(ledger.Cash, tx.Sender().ID)
		if err != nil {
			return err
		}
		tx.Receipt().Kind = store.Balance
		done, err := tx.Apply(ledger.Change{After: &ledger.Row{
			Type: ledger.Adjustment, Date: ledger.DateOf(at), Time: at, Stated: amount, Account: wallet.ID, Member: tx.Sender().ID,
		}})
		if applied != nil {
			*applied = done
		}
		return err
	}
}

// Submit has the event recorded, or repeated.
func Submit(t testing.TB, s *store.Store, req store.Request, apply func(*store.Tx) error) (store.Receipt, store.Outcome) {
	t.Helper()
	r, outcome, err := s.Submit(t.Context(), req, apply)
	if err != nil {
		t.Fatalf("submitting %q: %v", req.Key, err)
	}
	return r, outcome
}

// Rows gives the ledger as lines of "id item amount": voided rows in round brackets,
// withdrawn ones in square ones.
func Rows(t testing.TB, s *store.Store) (lines []string) {
	t.Helper()
	err := s.View(func(tx *store.Tx) error {
		return tx.Rows(store.AllRows, func(r *ledger.Row) error {
			line := fmt.Sprintf("%v %s %d", r.ID, r.Item, r.Amount)
			if r.Voided {
				line = "(" + line + ")"
			}
			if r.Withdrawn {
				line = "[" + line + "]"
			}
			lines = append(lines, line)
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// WantRows compares the ledger, and has the store check that all else fits it.
func WantRows(t testing.TB, s *store.Store, want ...string) {
	t.Helper()
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	if got := Rows(t, s); !slices.Equal(want, got) {
		t.Errorf("the ledger is\n\t%s\ninstead of\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// Balance is what all accounts hold together.
func Balance(t testing.TB, s *store.Store) (sum ledger.Yen) {
	t.Helper()
	err := s.View(func(tx *store.Tx) error {
		accounts, err := tx.Accounts()
		for _, a := range accounts {
			sum += a.Balance
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// Pending are the messages in the outbox that are not settled, the oldest first.
func Pending(tx *store.Tx) (ids []store.OutboxID) {
	_ = tx.PendingOutgoing(func(o store.Outgoing) error { // an error shows in what is missing
		ids = append(ids, o.ID)
		return nil
	})
	return ids
}

// Undo takes the receipt back.
func Undo(n ledger.ReceiptNumber) func(*store.Tx) error {
	return func(tx *store.Tx) error {
		tx.Receipt().Kind = store.Undo
		_, err := tx.Undo(n)
		return err
	}
}
