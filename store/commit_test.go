package store

import (
	"path/filepath"
	"testing"
	"time"

	"ichido/internal/ledger"
)

// bbolt shows a transaction before its last sync. No reader may begin between the
// start of a commit and its end.
func TestNoReaderBeginsInACommit(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "ichido.db"), Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	called := false
	req := Request{Scope: "test", Key: "a", At: time.UnixMilli(1796007601000), Person: "U1", Admit: true}
	_, _, err = s.Submit(t.Context(), req, func(tx *Tx) error {
		tx.btx.OnCommit(func() { // bbolt calls it at the end of its commit
			called = true
			if s.commit.TryRLock() {
				s.commit.RUnlock()
				t.Error("a commit does not keep readers out")
			}
		})
		return nil
	})
	if err != nil || !called {
		t.Fatalf("submitting: %v (committed: %t)", err, called)
	}
	s.commit.Lock()
	read := make(chan error)
	go func() { read <- s.View(func(*Tx) error { return nil }) }()
	select {
	case <-read:
		t.Error("a reader began in the middle of a commit")
		read = nil
	case <-time.After(20 * time.Millisecond):
	}
	s.commit.Unlock()
	if read != nil {
		if err := <-read; err != nil {
			t.Error(err)
		}
	}
}

// A check finds each kind of thing that cannot be.
func TestCheckFinds(t *testing.T) {
	key := Request{Scope: "test", Key: "a", At: time.UnixMilli(1796007601000), Person: "U1", Admit: true, MessageID: "m"}
	for name, spoil := range map[string]func(tx *Tx) error{
		"a row changed":  func(tx *Tx) error { r, _ := tx.Row(ledger.RowID{Receipt: 1}); r.Amount = 901; return tx.putRow(r) },
		"a row gone":     func(tx *Tx) error { return tx.delete(bucketRows, rowKey(20261130, ledger.RowID{Receipt: 1})) },
		"a balance":      func(tx *Tx) error { return tx.addBalance(1, 1) },
		"a total":        func(tx *Tx) error { return tx.tally(&ledger.Row{Type: ledger.Expense, Date: 20261130, Amount: 1}, 1) },
		"a key gone":     func(tx *Tx) error { return tx.delete(bucketKeys, eventKey("test", "a")) },
		"a key too many": func(tx *Tx) error { return tx.put(bucketKeys, eventKey("test", "b"), numberKey(1)) },
		"a message gone": func(tx *Tx) error { return tx.delete(bucketKeys, messageKey("test", "m")) },
		"the timeline":   func(tx *Tx) error { return tx.delete(bucketTimeline, timelineKey(1, key.At, 1)) },
		"a statement": func(tx *Tx) error {
			return tx.put(bucketStatements, statementKey(1, key.At, ledger.RowID{Receipt: 1}), id4(ledger.Date(20261130)))
		},
		"a person": func(tx *Tx) error { return tx.put(bucketPersons, []byte("U2"), id4(ledger.MemberID(1))) },
		"an answer to none": func(tx *Tx) error {
			return tx.putRecord(bucketOutbox, outboxKey(1, false), &outgoingRecord{Receipt: 9})
		},
		"a number too large": func(tx *Tx) error { return tx.putRecord(bucketAccounts, id4(ledger.AccountID(9)), &accountRecord{}) },
		"a wrong checksum":   func(tx *Tx) error { tx.writes++; return tx.btx.Bucket(bucketMeta).Put(metaFile, []byte("x")) },
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Open(filepath.Join(t.TempDir(), "ichido.db"), Options{NoSync: true})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			_, _, err = s.Submit(t.Context(), key, func(tx *Tx) error {
				wallet, err := tx.OpenAccount(ledger.Cash, 1)
				if err != nil {
					return err
				}
				tx.receipt.Kind = Record
				_, err = tx.Apply(ledger.Change{After: &ledger.Row{
					Type: ledger.Expense, Date: 20261130, Time: key.At.UTC(), Amount: 900, Item: "ランチ", Account: wallet.ID, Member: 1,
				}})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Check(); err != nil {
				t.Fatalf("before: %v", err)
			}
			if err := s.Update(t.Context(), spoil); err != nil {
				t.Fatal(err)
			}
			if s.Check() == nil {
				t.Error("the check finds nothing")
			}
		})
	}
}
