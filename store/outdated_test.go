package store_test

import (
	"testing"

	"ichido/store"
	"ichido/store/storetest"
)

// What a question was answered is outdated by any change after it, the one that is
// being made too.
func TestChangedSinceAQuestion(t *testing.T) {
	s := storetest.New(t)
	nothing := func(*store.Tx) error { return nil }
	changed := func(tx *store.Tx, want bool) {
		t.Helper()
		if got, err := tx.ChangedSince(2); got != want || err != nil {
			t.Errorf("changed: %t, error %v", got, err)
		}
	}
	storetest.Submit(t, s, lunch("1"), storetest.RecordLunch)
	storetest.Submit(t, s, lunch("2"), nothing)
	storetest.Submit(t, s, lunch("3"), func(tx *store.Tx) error {
		changed(tx, false)
		return nil
	})
	storetest.Submit(t, s, lunch("4"), func(tx *store.Tx) error {
		err := tx.Set("wallet", "one")
		changed(tx, true)
		return err
	})
	storetest.Submit(t, s, lunch("5"), nothing)
	change(t, s, func(tx *store.Tx) error {
		changed(tx, true)
		if got, err := tx.ChangedSince(5); got || err != nil {
			t.Errorf("the last one is outdated: error %v", err)
		}
		return nil
	})
}
