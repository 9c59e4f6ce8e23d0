package store_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

// What is to be done after commits is done once for each that happened, in the order of
// the receipts, and before anybody is told of it.
func TestAfterCommit(t *testing.T) {
	s := storetest.New(t)
	var after []ledger.ReceiptNumber // of the writer's goroutine
	failed := errors.New("failed")
	var clients sync.WaitGroup
	for c := range 8 {
		clients.Go(func() {
			for i := range 30 {
				called := false
				receipt, _, err := s.Submit(t.Context(), lunch(fmt.Sprint(c, i)), func(tx *store.Tx) error {
					number := tx.Receipt().Number
					tx.AfterCommit(func() { called, after = true, append(after, number) })
					if err := storetest.Spend("ランチ", 900, storetest.Noon)(tx); err != nil {
						return err
					}
					return []error{nil, failed, nil}[i%3]
				})
				if want := i%3 != 1; called != want || (err == nil) != want {
					t.Errorf("what follows receipt %d was done: %t, error %v", receipt.Number, called, err)
				}
			}
		})
	}
	clients.Wait()
	if len(after) != 8*20 || !slices.IsSorted(after) || len(slices.Compact(slices.Clone(after))) != len(after) {
		t.Errorf("what follows came in this order: %v", after)
	}
}

// Of what writes nothing there is no commit: what leaves is as if it had never come, and
// what has nothing to change has what it wants on the disk.
func TestAfterNoCommit(t *testing.T) {
	s := storetest.New(t)
	called := 0
	_, _, err := s.Submit(t.Context(), lunch("a"), func(tx *store.Tx) error {
		tx.AfterCommit(func() { called++ })
		return store.Leave
	})
	if err != nil || called != 0 {
		t.Errorf("leaving: called %d times, %v", called, err)
	}
	err = s.Update(t.Context(), func(tx *store.Tx) error {
		tx.AfterCommit(func() { called++ })
		return nil
	})
	if err != nil || called != 1 {
		t.Errorf("changing nothing: called %d times, %v", called, err)
	}
}
