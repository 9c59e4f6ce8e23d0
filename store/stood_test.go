package store_test

import (
	"testing"
	"time"

	"ichido/store"
	"ichido/store/storetest"
)

// What a message had recorded at a time goes by what was typed until then, in
// whatever order it came.
func TestStoodAt(t *testing.T) {
	at := func(minute int) time.Time { return storetest.Noon.Add(time.Duration(minute) * time.Minute) }
	said := func(items ...string) step { return step{storetest.Said("m", "x", at(0)), items} }
	edited := func(minute int, items ...string) step { return step{storetest.Edited("m", "y", at(minute)), items} }
	unsent := step{storetest.Unsent("m", at(4)), nil}
	for _, c := range []struct {
		name  string
		steps []step
		stood [6]bool // at each minute
	}{
		{"a message", []step{said("a")}, [6]bool{true, true, true, true, true, true}},
		{"talk", []step{said()}, [6]bool{}},
		{"edited away", []step{said("a"), edited(2)}, [6]bool{true, true, false, false, false, false}},
		{"edited away and back", []step{said("a"), edited(2), edited(4, "b")}, [6]bool{true, true, false, false, true, true}},
		{"talk that was edited", []step{said(), edited(2, "a")}, [6]bool{false, false, true, true, true, true}},
		{"edited before it came", []step{edited(2, "a"), said("x")}, [6]bool{true, true, true, true, true, true}},
		{"unsent", []step{said("a"), unsent}, [6]bool{true, true, true, true, false, false}},
		{"unsent before it came", []step{unsent, said("a")}, [6]bool{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := storetest.New(t)
			for _, step := range c.steps {
				if _, _, err := s.Submit(t.Context(), step.req, storetest.Hear(step.items...)); err != nil {
					t.Fatal(err)
				}
			}
			r, _, err := s.Lookup("line", c.steps[0].req.Key)
			if err != nil {
				t.Fatal(err)
			}
			err = s.View(func(tx *store.Tx) error {
				for minute, want := range c.stood {
					if got, err := tx.StoodAt(&r, at(minute)); got != want || err != nil {
						t.Errorf("at minute %d: %t, %v, want %t", minute, got, err, want)
					}
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// step is an event, and what the message says with it.
type step struct {
	req   store.Request
	items []string
}

// What was edited away when it was struck is struck when an edit brings it back.
func TestStrikeWithdrawn(t *testing.T) {
	s := storetest.New(t)
	submit := func(req store.Request, apply func(*store.Tx) error) {
		t.Helper()
		if _, _, err := s.Submit(t.Context(), req, apply); err != nil {
			t.Fatal(err)
		}
	}
	at := storetest.Noon
	submit(storetest.Said("m", "x", at), storetest.Hear("a"))
	submit(storetest.Edited("m", "y", at.Add(time.Minute)), storetest.Hear())
	r, _, err := s.Lookup("line", storetest.Said("m", "", at).Key)
	if err != nil {
		t.Fatal(err)
	}
	submit(storetest.Said("n", "undo", at.Add(time.Second)), func(tx *store.Tx) error { return tx.StrikeWithdrawn(&r) })
	submit(storetest.Edited("m", "z", at.Add(2*time.Minute)), storetest.Hear("b", "c"))
	err = s.View(func(tx *store.Tx) error {
		rows, err := tx.MessageRowsOf(&r)
		for _, row := range rows {
			if !row.Voided || row.Withdrawn {
				t.Errorf("%+v, want it struck", row)
			}
		}
		if len(rows) != 2 {
			t.Errorf("%d rows, want 2", len(rows))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
