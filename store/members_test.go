package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

func nothing(*store.Tx) error { return nil }

// from is an event of somebody whom the configuration does not let in.
func from(person, key string) store.Request {
	r := lunch(key)
	r.Person, r.Admit = person, false
	return r
}

func newInvite(t *testing.T, s *store.Store) (code string) {
	t.Helper()
	change(t, s, func(tx *store.Tx) (err error) {
		code, err = tx.NewInvite()
		return err
	})
	return code
}

// invited is from with a code.
func invited(person, key, code string) store.Request {
	r := from(person, key)
	r.Invite = code
	return r
}

func TestInvite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := storetest.New(t)
		code := newInvite(t, s)
		if len(code) != 11 || code[5] != '-' || store.NormalizeInvite(code) != code[:5]+code[6:] {
			t.Fatalf("the code is %q", code)
		}
		joins := func(req store.Request, want bool) {
			t.Helper()
			joined := false
			_, _, err := s.Submit(t.Context(), req, func(tx *store.Tx) error {
				joined = tx.JustJoined()
				return nil
			})
			if joined != want || err != nil && !errors.Is(err, store.ErrStranger) {
				t.Errorf("%s of %s: joined %t, %v", req.Key, req.Person, joined, err)
			}
		}
		joins(invited("a", "1", "00000-00000"), false)
		joins(invited("", "2", code), false) // nobody is who joins
		_, _, err := s.Submit(t.Context(), invited("a", "3", code), func(*store.Tx) error { return errOnPurpose })
		if !errors.Is(err, errOnPurpose) {
			t.Errorf("handling failed with %v", err)
		}
		joins(invited("a", "3", strings.ToLower(code)), true)
		joins(invited("b", "4", code), false)
		joins(from("a", "5"), false) // is a member, and has not just joined

		code = newInvite(t, s)
		joins(invited("a", "6", code), false) // has no need of it
		time.Sleep(store.InviteTime - time.Millisecond)
		joins(invited("b", "7", code), true)
		code, second := newInvite(t, s), newInvite(t, s)
		time.Sleep(store.InviteTime)
		joins(invited("c", "8", code), false)
		joins(invited("c", "9", second), false)
		newInvite(t, s)

		admitted := lunch("10") // comes by the configuration, and then to stay
		joins(admitted, false)
		admitted.Key, admitted.Invite = "11", newInvite(t, s)
		joins(admitted, true)
		stays := from(storetest.Taro, "12")
		if _, _, err := s.Submit(t.Context(), stays, nothing); err != nil {
			t.Errorf("who had a code, without the configuration: %v", err)
		}

		change(t, s, func(tx *store.Tx) error {
			_, err := tx.Move(storetest.Taro, tx.Now().AddDate(100, 0, 0), false)
			return err
		})
		back := lunch("13") // has left, and comes to stay again where the configuration hears him
		back.Invite = newInvite(t, s)
		joins(back, true)
	})
}

func TestNormalizeInvite(t *testing.T) {
	for text, want := range map[string]string{
		"A1CDE-FGHJ2": "A1CDEFGHJ2", "a1cdefghj2": "A1CDEFGHJ2", " A1CDE FGHJ2\n": "A1CDEFGHJ2", "aOiIl-bL0oI": "A0111B1001",
		"": "", "A1CDE-FGHJ": "", "A1CDE-FGHJ23": "", "A1CDE-FGHU2": "", "ランチ900": "", "A1CDU-FGHJ2": "", "ランチ": "",
		"1ACDE-FGHJ2": "", "A1CDE-FGH2J": "", "0312345678": "", "0123456789": "", "A123456789": "",
		"basketball": "", "coolschool": "", "bread 12000": "", "bread-12000": "", "A1CDE-FGHJK": "",
	} {
		if got := store.NormalizeInvite(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// Of many who send the same code at once one gets in, though others in the batch
// fail and it all runs again.
func TestInviteOnce(t *testing.T) {
	s := storetest.New(t)
	code := newInvite(t, s)
	var wg sync.WaitGroup
	var joined, strangers atomic.Int64
	for i := range 64 {
		wg.Go(func() {
			_, _, err := s.Submit(t.Context(), invited(fmt.Sprint("person", i), fmt.Sprint(i), code), func(tx *store.Tx) error {
				if i%4 == 0 {
					return errOnPurpose
				}
				return storetest.Spend("x", 1, storetest.Noon)(tx)
			})
			switch {
			case err == nil:
				joined.Add(1)
			case errors.Is(err, store.ErrStranger):
				strangers.Add(1)
			case !errors.Is(err, errOnPurpose):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if joined.Load() != 1 {
		t.Errorf("%d joined, %d did not", joined.Load(), strangers.Load())
	}
	view(t, s, func(tx *store.Tx) error {
		members, err := tx.Members()
		if len(members) != 1 {
			t.Errorf("%d members", len(members))
		}
		return err
	})
	if n := len(storetest.Rows(t, s)); n != 1 {
		t.Errorf("%d rows", n)
	}
}

// The file does not tell the code.
func TestInviteIsNotInTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ichido.db")
	s, err := store.Open(path, store.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	code := newInvite(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{code, store.NormalizeInvite(code)} {
		if strings.Contains(string(content), form) {
			t.Errorf("%s stands in the file", form)
		}
	}
}

// access is a step in the life of the person "a": what is said is refused or not.
type access struct {
	name string
	do   func(t *testing.T, s *store.Store) error
}

// saysIn is that the person says something in the minute after noon; admitted by the
// configuration or not.
func saysIn(minute int, admit bool) access {
	return access{fmt.Sprint("says ", minute, admit), func(t *testing.T, s *store.Store) error {
		r := from("a", fmt.Sprint("says ", minute))
		r.At, r.Admit = after(minute), admit
		_, _, err := s.Submit(t.Context(), r, nothing)
		return err
	}}
}

// movesIn is that the person comes or goes.
func movesIn(minute int, here bool) access {
	return access{fmt.Sprint("moves ", minute, here), func(t *testing.T, s *store.Store) error {
		return s.Update(t.Context(), func(tx *store.Tx) error { _, err := tx.Move("a", after(minute), here); return err })
	}}
}

// joinsIn is that the person sends a good code.
func joinsIn(minute int) access {
	return access{fmt.Sprint("joins ", minute), func(t *testing.T, s *store.Store) error {
		r := invited("a", fmt.Sprint("joins ", minute), newInvite(t, s))
		r.At = after(minute)
		_, _, err := s.Submit(t.Context(), r, nothing)
		return err
	}}
}

var isRemoved = access{"removed", func(t *testing.T, s *store.Store) error {
	return s.Update(t.Context(), func(tx *store.Tx) error { return tx.Remove(1) })
}}

// Who goes loses access, whatever the order in which going, coming and what was
// said between arrive.
func TestAccess(t *testing.T) {
	for _, tt := range []struct {
		steps []access // the last one must be refused if it ends in ErrStranger
		want  error
	}{
		{[]access{joinsIn(0), saysIn(1, false)}, nil},
		{[]access{joinsIn(0), movesIn(2, false), saysIn(3, false)}, store.ErrStranger},
		{[]access{joinsIn(0), movesIn(2, false), saysIn(1, false)}, nil},
		{[]access{joinsIn(0), movesIn(2, false), movesIn(3, true), saysIn(4, false)}, store.ErrStranger},
		{[]access{joinsIn(0), movesIn(3, true), movesIn(2, false), saysIn(4, false)}, nil}, // one is lenient with late events
		{[]access{joinsIn(0), movesIn(2, false), joinsIn(4), saysIn(5, false)}, nil},
		{[]access{joinsIn(0), joinsIn(4), movesIn(2, false), saysIn(5, false)}, store.ErrStranger}, // the second code was not used up
		{[]access{movesIn(2, false), joinsIn(4), saysIn(5, false)}, nil},
		{[]access{joinsIn(4), movesIn(2, false), saysIn(5, false)}, nil},
		{[]access{joinsIn(4), movesIn(6, false), saysIn(7, false)}, store.ErrStranger},
		{[]access{joinsIn(4), movesIn(6, false), saysIn(7, true), saysIn(8, false)}, nil},
		{[]access{saysIn(0, true), movesIn(2, false), saysIn(3, true)}, nil},
		{[]access{saysIn(0, true), saysIn(3, false)}, store.ErrStranger},
		{[]access{joinsIn(0), isRemoved, saysIn(1, true)}, store.ErrStranger},
		{[]access{joinsIn(0), isRemoved, saysIn(-1, false)}, store.ErrStranger},
		{[]access{joinsIn(0), isRemoved, joinsIn(2), saysIn(3, false)}, nil},
	} {
		var names []string
		for _, step := range tt.steps {
			names = append(names, step.name)
		}
		t.Run(strings.Join(names, ", "), func(t *testing.T) {
			s := storetest.New(t)
			for i, step := range tt.steps {
				err := step.do(t, s)
				if last := i == len(tt.steps)-1; last && !errors.Is(err, tt.want) || !last && err != nil {
					t.Errorf("%s: %v", step.name, err)
				}
			}
			view(t, s, func(tx *store.Tx) error {
				m, _, err := tx.MemberByPerson("a")
				may, err2 := tx.MayTalk("a", false)
				if may != (m.Active() && !m.Admitted) {
					t.Errorf("may talk: %t", may)
				}
				return errors.Join(err, err2)
			})
		})
	}
}

// A going that is told of too late does not make somebody leave who came back.
func TestMoveOrders(t *testing.T) {
	s := storetest.New(t)
	change(t, s, func(tx *store.Tx) error { _, err := tx.Join("a", "花子"); return err })
	at := time.Now().UTC().Add(time.Hour).Truncate(time.Millisecond)
	for _, step := range []struct {
		at    time.Time
		here  bool
		noted bool
		left  time.Time
	}{
		{at, false, true, at},
		{at.Add(-time.Minute), false, false, at},
		{at.Add(-time.Minute), true, false, at},
		{at.Add(time.Minute), true, true, at}, // only a code lets back in
		{at.Add(time.Minute + time.Microsecond), false, true, at.Add(time.Minute)},
	} {
		change(t, s, func(tx *store.Tx) error {
			noted, err := tx.Move("a", step.at, step.here)
			m, _, err2 := tx.MemberByPerson("a")
			if noted != step.noted || !m.Left.Equal(step.left) {
				t.Errorf("at %v: noted %t, left %v", step.at, noted, m.Left)
			}
			stranger, err3 := tx.Move("stranger", step.at, step.here)
			if stranger {
				t.Error("a stranger moved")
			}
			return errors.Join(err, err2, err3)
		})
	}
}

// Nor does what somebody said before going bring him back.
func TestSaidBeforeGoing(t *testing.T) {
	s := storetest.New(t)
	storetest.Submit(t, s, lunch("first"), nothing)
	change(t, s, func(tx *store.Tx) error { _, err := tx.Move(storetest.Taro, after(2), false); return err })
	for _, tt := range []struct {
		minute int
		active bool
	}{{1, false}, {3, true}} {
		req := lunch(fmt.Sprint(tt.minute))
		req.At = after(tt.minute)
		storetest.Submit(t, s, req, nothing)
		view(t, s, func(tx *store.Tx) error {
			m, err := tx.Member(1)
			if m.Active() != tt.active {
				t.Errorf("after what was said in minute %d: active %t", tt.minute, m.Active())
			}
			return err
		})
	}
}

// A copy does not know whether a code was used since it was made.
func TestResumeForgetsInvites(t *testing.T) {
	s := storetest.New(t)
	code := newInvite(t, s)
	change(t, s, (*store.Tx).Resume)
	if _, _, err := s.Submit(t.Context(), invited("a", "1", code), nothing); !errors.Is(err, store.ErrStranger) {
		t.Errorf("got %v, want ErrStranger", err)
	}
}

func TestRename(t *testing.T) {
	s := storetest.New(t)
	change(t, s, func(tx *store.Tx) error {
		for _, person := range []string{"a", "b", "c", "d"} {
			if _, err := tx.Join(person, ""); err != nil {
				return err
			}
		}
		for _, step := range []struct {
			id     ledger.MemberID
			name   string
			chosen bool
			want   string
		}{
			{1, "花子", false, "花子"},
			{2, "花子", false, "花子B"},
			{3, "花子", true, "花子C"},
			{1, "", true, "花子"},
			{4, "", false, ""},
			{4, "花子B", true, "花子BB"},
			{2, "太郎", true, "太郎"},
			{2, "花子", false, "太郎"}, // the door's name does not replace a chosen one
			{3, "花子", true, "花子B"},
			{1, "花子", true, "花子"},
			{4, "Hanako", true, "Hanako"},
			{2, "hanako", true, "hanakoB"},
			{2, "太郎", true, "太郎"},
		} {
			name, err := tx.Rename(step.id, step.name, step.chosen)
			if err != nil {
				return err
			}
			m, err := tx.Member(step.id)
			if name != step.want || m.Name != step.want {
				t.Errorf("%d as %q: %q (%q), want %q", step.id, step.name, name, m.Name, step.want)
			}
			if err != nil {
				return err
			}
		}
		if _, err := tx.Rename(9, "x", true); err == nil {
			t.Error("nobody got a name")
		}
		m, err := tx.Join("e", "太郎")
		if m.Name != "太郎B" {
			t.Errorf("who joins as 太郎 is %q", m.Name)
		}
		return err
	})
}

func TestOwner(t *testing.T) {
	s := storetest.New(t)
	owner := func(want ledger.MemberID) {
		t.Helper()
		view(t, s, func(tx *store.Tx) error {
			m, ok, err := tx.Owner()
			if m.ID != want || ok != (want != 0) {
				t.Errorf("the owner is %d (%t), want %d", m.ID, ok, want)
			}
			return err
		})
	}
	owner(0)
	change(t, s, func(tx *store.Tx) error {
		_, err := tx.Join("a", "花子")
		_, err2 := tx.Join("b", "太郎")
		return errors.Join(err, err2)
	})
	owner(1)
	if err := s.Update(t.Context(), func(tx *store.Tx) error { return tx.SetOwner(3) }); err == nil {
		t.Error("nobody became owner")
	}
	change(t, s, func(tx *store.Tx) error { return tx.SetOwner(2) })
	owner(2)
	change(t, s, func(tx *store.Tx) error { return errors.Join(tx.Remove(2), tx.Resume()) })
	owner(2) // the caller looks whether that one is there
}
