package store_test

import (
	"errors"
	"strings"
	"testing"

	"ichido/store"
	"ichido/store/storetest"
)

func set(name string, values ...string) func(*store.Tx) error {
	return func(tx *store.Tx) (err error) {
		for _, value := range values {
			err = errors.Join(err, tx.Set(name, value))
		}
		return err
	}
}

func wantSetting(t *testing.T, s *store.Store, name, want string) {
	t.Helper()
	view(t, s, func(tx *store.Tx) error {
		if got, err := tx.Setting(name); got != want || err != nil {
			t.Errorf("%s is %q (%v), want %q", name, got, err, want)
		}
		return nil
	})
	if err := s.Check(); err != nil {
		t.Error(err)
	}
}

func TestSettings(t *testing.T) {
	s := storetest.New(t)
	storetest.Submit(t, s, lunch("a"), set("wallet", "own", "shared")) // 1
	wantSetting(t, s, "wallet", "shared")
	if r, _ := storetest.Submit(t, s, lunch("b"), set("wallet", "shared")); len(r.Settings) > 0 { // 2
		t.Errorf("no change is noted as %v", r.Settings)
	}
	storetest.Submit(t, s, lunch("c"), storetest.Undo(1)) // 3, back over both
	wantSetting(t, s, "wallet", "")
	storetest.Submit(t, s, lunch("d"), storetest.Undo(3)) // 4
	wantSetting(t, s, "wallet", "shared")
	storetest.Submit(t, s, lunch("e"), set("other", "x"))
	storetest.Submit(t, s, lunch("f"), set("wallet", "third"))
	if _, _, err := s.Submit(t.Context(), lunch("g"), storetest.Undo(1)); !errors.Is(err, store.ErrChanged) {
		t.Errorf("set again since: %v, want ErrChanged", err)
	}
	if holds(t, s, 1) {
		t.Error("what was set again holds")
	}
	wantSetting(t, s, "wallet", "third")
	wantSetting(t, s, "other", "x")
	if err := s.Update(t.Context(), set("wallet", "x")); err == nil {
		t.Error("a setting was changed outside of an event")
	}
}

func TestFacts(t *testing.T) {
	s := storetest.New(t)
	fact := func(want string) {
		t.Helper()
		view(t, s, func(tx *store.Tx) error {
			if got, err := tx.Fact("schema"); got != want || err != nil {
				t.Errorf("it is %q (%v), want %q", got, err, want)
			}
			return nil
		})
	}
	fact("")
	for _, value := range []string{"x", "y", "", ""} {
		change(t, s, func(tx *store.Tx) error { return tx.SetFact("schema", value) })
		fact(value)
	}
}

// A button works once for each of its verbs, and only as this file has made it.
func TestOperations(t *testing.T) {
	s := storetest.New(t)
	var undo, category, second, plain string
	storetest.Submit(t, s, lunch("a"), func(tx *store.Tx) (err error) {
		undo, err = sealed(tx, "undo", "")
		category, _ = sealed(tx, "category", ":食費")
		plain, _ = tx.Operation("choose")
		return err
	})
	storetest.Submit(t, s, lunch("b"), func(tx *store.Tx) (err error) {
		second, err = sealed(tx, "undo", "")
		return err
	})
	if !strings.HasPrefix(undo, "undo:1:") || second[7:] == undo[7:] {
		t.Fatalf("the operations are %s and %s", undo, second)
	}
	press := func(key, data string, fails bool, want store.OperationState, verb string, number int) {
		t.Helper()
		_, _, err := s.Submit(t.Context(), lunch(key), func(tx *store.Tx) error {
			got, r, state, err := tx.Consume(data)
			n := 0
			if r != nil {
				n = int(r.Number)
			}
			if got != verb || n != number || state != want || err != nil {
				t.Errorf("%s: %q of receipt %d is %d (%v), want %q of %d, %d", key, got, n, state, err, verb, number, want)
			}
			if fails {
				return errOnPurpose
			}
			return nil
		})
		if fails != errors.Is(err, errOnPurpose) {
			t.Fatal(err)
		}
	}
	press("1", undo, true, store.FreshOperation, "undo", 1)
	press("2", undo, false, store.FreshOperation, "undo", 1)
	press("3", undo, false, store.UsedOperation, "undo", 1)
	forged := []string{"", "undo", "undo:1", "undo:1:", "undo:01" + undo[6:], undo + "0", undo + ":x", "undo:99" + undo[6:], "undo:2" + undo[6:], "undo:3:", "undo:-1:x"}
	forged = append(forged, // a code is for what it was made for
		"redo"+undo[4:], "category"+undo[4:], "undo"+category[8:], strings.TrimSuffix(category, ":食費"), strings.Replace(category, "食費", "娯楽", 1),
		category+"x", category+":x", strings.Replace(category, "食費", "", 1), strings.ToUpper(undo),
		plain+":食費") // of the first versions, which had no code
	for _, data := range forged {
		press("x"+data, data, false, store.UnknownOperation, "", 0)
	}
	press("4", category, false, store.FreshOperation, "category", 1)
	press("5", second, false, store.FreshOperation, "undo", 2)
	press("6", plain, false, store.FreshOperation, "choose", 1)
	err := s.Update(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Operation("undo")
		_, _, _, err2 := tx.Consume(category)
		_, err3 := tx.Seal(category)
		if err == nil || err2 == nil || err3 == nil {
			t.Errorf("outside of an event: %v, %v, %v", err, err2, err3)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// sealed is what a button under the answer to the event carries.
func sealed(tx *store.Tx, verb, behind string) (string, error) {
	operation, err := tx.Operation(verb)
	if err != nil {
		return "", err
	}
	return tx.Seal(operation + behind)
}

// Nothing is sealed but what the receipt itself has made.
func TestSealsOnlyItsOwn(t *testing.T) {
	s := storetest.New(t)
	var first string
	storetest.Submit(t, s, lunch("a"), func(tx *store.Tx) (err error) {
		first, err = tx.Operation("undo")
		return err
	})
	storetest.Submit(t, s, lunch("b"), func(tx *store.Tx) error {
		for _, draft := range []string{first, "", "undo", "undo:2:", "undo:2:" + first[7:]} {
			if data, err := tx.Seal(draft); err == nil {
				t.Errorf("%q is sealed: %s", draft, data)
			}
		}
		return nil
	})
}
