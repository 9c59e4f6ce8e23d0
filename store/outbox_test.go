package store_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

// say has the bot answer an event; the answer's ID is that of the receipt if all
// events of the file have one.
func say(t *testing.T, s *store.Store, key string, o store.Outgoing) store.Outgoing {
	t.Helper()
	storetest.Submit(t, s, lunch(key), func(tx *store.Tx) (err error) {
		o, err = tx.Say(o)
		return err
	})
	return o
}

// answerWithLate records a row and answers with what is late, as a door does.
func answerWithLate(t *testing.T, s *store.Store, key string, max int) (o store.Outgoing) {
	t.Helper()
	storetest.Submit(t, s, lunch(key), func(tx *store.Tx) error {
		late, err := tx.TakeLate("taro", storetest.Pending(tx), max)
		if err := errors.Join(err, storetest.RecordLunch(tx)); err != nil {
			return err
		}
		o = store.Outgoing{Chat: "taro", Pushing: true, Of: []ledger.ReceiptNumber{tx.Receipt().Number}}
		messages := []json.RawMessage{[]byte(`"` + key + `"`)}
		for _, l := range late {
			var also []json.RawMessage
			if json.Unmarshal(l.Payload, &also) != nil {
				also = []json.RawMessage{l.Payload}
			}
			o.Carries = append(o.Carries, l.ID)
			if l.Of == nil {
				l.Of = slices.Repeat([]ledger.ReceiptNumber{l.Receipt}, len(also))
			}
			o.Of = append(o.Of, l.Of...)
			messages = append(messages, also...)
		}
		if o.Payload, err = json.Marshal(messages); err != nil {
			return err
		}
		o, err = tx.Say(o)
		return err
	})
	return o
}

// box gives the outbox as "id state carries names payload".
func box(t *testing.T, s *store.Store) (lines []string) {
	t.Helper()
	add := func(o store.Outgoing) error {
		line := fmt.Sprintf("%d %v", o.ID, o.State)
		if len(o.Carries) > 0 {
			line += fmt.Sprint(" carries ", o.Carries)
		}
		if len(o.Names) > 0 {
			line += fmt.Sprint(" names ", o.Names)
		}
		lines = append(lines, line+" "+string(o.Payload))
		return nil
	}
	view(t, s, func(tx *store.Tx) error { return errors.Join(tx.PendingOutgoing(add), tx.SettledOutgoing(add)) })
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	return lines
}

func wantBox(t *testing.T, s *store.Store, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, box(t, s)); diff != "" {
		t.Errorf("the outbox (-want +got):\n%s", diff)
	}
}

func put(t *testing.T, s *store.Store, id store.OutboxID, with func(*store.Outgoing)) {
	t.Helper()
	change(t, s, func(tx *store.Tx) error {
		o, ok, err := tx.Outgoing(id)
		if err != nil || !ok {
			return errors.Join(err, fmt.Errorf("no message %d (%t)", id, ok))
		}
		with(&o)
		return tx.PutOutgoing(o)
	})
}

func end(t *testing.T, s *store.Store, id store.OutboxID, state store.OutgoingState) {
	t.Helper()
	put(t, s, id, func(o *store.Outgoing) { o.State = state })
}

// Late are pushes of the chat that have certainly not been said, the oldest first,
// as many as go into one call.
func TestTakeLate(t *testing.T) {
	late := store.Outgoing{Chat: "taro", Pushing: true, Payload: []byte(`["1"]`)}
	with := func(change func(*store.Outgoing)) store.Outgoing {
		o := late
		change(&o)
		return o
	}
	fill := func(t *testing.T) *store.Store {
		s := storetest.New(t)
		say(t, s, "1", late)
		say(t, s, "2", with(func(o *store.Outgoing) { o.Chat = "hanako" }))
		say(t, s, "3", with(func(o *store.Outgoing) { o.Pushing, o.ReplyToken = false, "x" }))
		say(t, s, "4", with(func(o *store.Outgoing) { o.Doubt = true }))
		say(t, s, "5", with(func(o *store.Outgoing) { o.Payload = []byte(`["2","3"]`) }))
		say(t, s, "6", with(func(o *store.Outgoing) { o.Notice = "disk" }))
		say(t, s, "7", with(func(o *store.Outgoing) { o.Payload = []byte(`{}`) }))
		return s
	}
	for max, want := range map[int][]store.OutboxID{0: nil, 1: {1}, 2: {1}, 3: {1, 5}, 4: {1, 5, 7}, 9: {1, 5, 7}} {
		if o := answerWithLate(t, fill(t), "8", max); !slices.Equal(o.Carries, want) {
			t.Errorf("at most %d: %v, want %v", max, o.Carries, want)
		}
	}
}

// What is carried ends as what carries it does, and has one owner all the time.
func TestCarried(t *testing.T) {
	late := store.Outgoing{Chat: "taro", Pushing: true}
	fill := func(t *testing.T, depth int) *store.Store {
		s := storetest.New(t)
		late.Payload = []byte(`["a"]`)
		gone := say(t, s, "0", late) // 1, is named by 2
		end(t, s, gone.ID, store.Expired)
		late.Payload = []byte(`["b"]`)
		storetest.Submit(t, s, lunch("1"), func(tx *store.Tx) error {
			named, err := tx.TakeUnsaid("taro")
			for _, n := range named {
				late.Names = append(late.Names, n.ID)
			}
			_, err2 := tx.Say(late)
			return errors.Join(err, err2)
		})
		late.Names = nil
		for i := range depth {
			answerWithLate(t, s, fmt.Sprint("carrier", i), 4)
		}
		return s
	}
	for _, tt := range []struct {
		depth  int
		end    store.OutgoingState
		want   []string
		unsaid []store.OutboxID
	}{
		{1, store.Pending, []string{`3 pending carries [2] names [1] ["carrier0","b"]`, `1 expired ["a"]`, `2 carried ["b"]`}, nil},
		{1, store.Sent, []string{`1 expired ["a"]`}, nil},
		{1, store.Unknown, []string{`1 expired ["a"]`, `2 unknown ["b"]`, `3 unknown names [1] ["carrier0"]`}, nil},
		{1, store.Expired, []string{`1 expired ["a"]`, `2 expired ["b"]`, `3 expired names [1] ["carrier0"]`}, []store.OutboxID{1, 2, 3}},
		{1, store.Failed, []string{`1 expired ["a"]`, `2 expired ["b"]`, `3 failed names [1] ["carrier0"]`}, []store.OutboxID{1, 2}},
		{2, store.Pending, []string{`4 pending carries [3 2] names [1] ["carrier1","carrier0","b"]`, `1 expired ["a"]`, `2 carried ["b"]`, `3 carried ["carrier0"]`}, nil},
		{2, store.Sent, []string{`1 expired ["a"]`}, nil},
		{3, store.Expired, []string{`1 expired ["a"]`, `2 expired ["b"]`, `3 expired ["carrier0"]`, `4 expired ["carrier1"]`,
			`5 expired names [1] ["carrier2"]`}, []store.OutboxID{1, 2, 3, 4, 5}},
	} {
		t.Run(fmt.Sprint(tt.depth, tt.end), func(t *testing.T) {
			s := fill(t, tt.depth)
			last := store.OutboxID(2 + tt.depth)
			if tt.end != store.Pending {
				end(t, s, last, tt.end)
			}
			wantBox(t, s, tt.want...)
			if diff := cmp.Diff(tt.unsaid, unsaid(t, s)); diff != "" {
				t.Errorf("unsaid (-want +got):\n%s", diff)
			}
			wantBox(t, s, tt.want...)
		})
	}
}

// Resume, people and a chat that goes end a message like the sender does.
func TestCarriedEndsOtherwise(t *testing.T) {
	for name, tt := range map[string]struct {
		do     func(tx *store.Tx) error
		doubt  bool
		want   string
		unsaid []store.OutboxID
	}{
		"resume":           {(*store.Tx).Resume, false, "1 unknown, 2 unknown", nil},
		"discard":          {func(tx *store.Tx) error { _, err := tx.Discard(2); return err }, false, "1 expired, 2 expired", []store.OutboxID{1}},
		"discard in doubt": {func(tx *store.Tx) error { _, err := tx.Discard(2); return err }, true, "1 unknown, 2 unknown", nil},
		"drop":             {func(tx *store.Tx) error { return tx.DropOutgoing("taro") }, false, "1 expired, 2 expired", nil},
		"drop in doubt":    {func(tx *store.Tx) error { return tx.DropOutgoing("taro") }, true, "1 unknown, 2 unknown", nil},
		"drop another":     {func(tx *store.Tx) error { return tx.DropOutgoing("hanako") }, false, "2 pending carries [1], 1 carried", nil},
		"resend the carried": {func(tx *store.Tx) error {
			_, err := tx.Resend(1)
			_, err2 := tx.Discard(1)
			if !errors.Is(err, store.ErrCarried) || !errors.Is(err2, store.ErrCarried) {
				return fmt.Errorf("not refused: %v, %v", err, err2)
			}
			return nil
		}, false, "2 pending carries [1], 1 carried", nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := storetest.New(t)
			say(t, s, "1", store.Outgoing{Chat: "taro", Pushing: true, Payload: []byte("[1]")})
			answerWithLate(t, s, "2", 4)
			put(t, s, 2, func(o *store.Outgoing) { o.Doubt = tt.doubt })
			change(t, s, tt.do)
			lines := box(t, s)
			for i, line := range lines {
				lines[i] = strings.TrimRight(line[:strings.LastIndex(line, " ")], " ")
			}
			if got := strings.Join(lines, ", "); got != tt.want {
				t.Errorf("the outbox is %s, want %s", got, tt.want)
			}
			if diff := cmp.Diff(tt.unsaid, unsaid(t, s)); diff != "" {
				t.Errorf("unsaid (-want +got):\n%s", diff)
			}
		})
	}
}

// A message is carried only by who took it, and by nobody if the taking fails.
func TestCarryInVain(t *testing.T) {
	s := storetest.New(t)
	say(t, s, "1", store.Outgoing{Chat: "taro", Pushing: true, Payload: []byte("[1]")})
	for _, id := range []store.OutboxID{1, 99} {
		_, _, err := s.Submit(t.Context(), lunch("2"), func(tx *store.Tx) error {
			_, err := tx.Say(store.Outgoing{Chat: "taro", Carries: []store.OutboxID{id}, Of: []ledger.ReceiptNumber{1}})
			return err
		})
		if err == nil {
			t.Errorf("message %d is carried", id)
		}
	}
	_, _, err := s.Submit(t.Context(), lunch("2"), func(tx *store.Tx) error {
		_, err := tx.TakeLate("taro", storetest.Pending(tx), 1)
		return errors.Join(err, errOnPurpose)
	})
	if !errors.Is(err, errOnPurpose) {
		t.Error(err)
	}
	_, _, err = s.Submit(t.Context(), lunch("2"), func(tx *store.Tx) error {
		late, err := tx.TakeLate("taro", storetest.Pending(tx), 1)
		if err != nil {
			return err
		}
		_, err = tx.Say(store.Outgoing{Chat: "taro", Payload: []byte("[2,1]"), Carries: []store.OutboxID{late[0].ID}, Of: []ledger.ReceiptNumber{2}})
		return err
	})
	if err == nil {
		t.Error("a message is carried that nobody could tell from the other")
	}
	wantBox(t, s, "1 pending [1]")
}

// What carried others and was not sent is sent again without them: they have ended by
// themselves, and what they tell of may not be so any more.
func TestResendOfACarrier(t *testing.T) {
	for _, state := range []store.OutgoingState{store.Unknown, store.Expired, store.Failed} {
		s := storetest.New(t)
		confirm(t, s, "a", store.Outgoing{Chat: "taro", Pushing: true, Payload: []byte(`["a"]`)})
		answerWithLate(t, s, "b", 4)
		end(t, s, 2, state)
		storetest.Submit(t, s, lunch("undo"), storetest.Undo(1))
		change(t, s, func(tx *store.Tx) error { _, err := tx.Resend(2); return err })
		if state == store.Failed {
			state = store.Expired // what is carried was not looked at
		}
		wantBox(t, s, `2 pending ["b"]`, fmt.Sprintf(`1 %v ["a"]`, state))
		if err := s.Update(t.Context(), func(tx *store.Tx) error { _, err := tx.Resend(1); return err }); !errors.Is(err, store.ErrOutdated) {
			t.Errorf("what was taken back is said again: %v", err)
		}
	}
}

// What is pending for a chat that is gone is not named when it comes back.
func TestDropOutgoing(t *testing.T) {
	s := storetest.New(t)
	for _, key := range []string{"1", "2", "3"} {
		say(t, s, key, store.Outgoing{Chat: "taro", Payload: []byte(key)})
	}
	say(t, s, "4", store.Outgoing{Chat: "hanako", Payload: []byte("4")})
	end(t, s, 1, store.Expired)
	put(t, s, 2, func(o *store.Outgoing) { o.Doubt = true })
	change(t, s, func(tx *store.Tx) error { return tx.DropOutgoing("taro") })
	wantBox(t, s, "4 pending 4", "1 expired 1", "2 unknown 2", "3 expired 3")
	if ids := unsaid(t, s); ids != nil {
		t.Errorf("%v are named", ids)
	}
}

// An answer names so many lost ones that it has room for itself; the rest come with
// the next ones, the oldest first. Of a chat that is gone, all are forgotten.
func TestManyUnsaid(t *testing.T) {
	for _, gone := range []bool{false, true} {
		s := storetest.New(t)
		for i := range 120 {
			end(t, s, say(t, s, fmt.Sprint(i), store.Outgoing{Chat: "taro"}).ID, store.Expired)
		}
		want := []int{50, 50, 20, 0}
		if gone {
			change(t, s, func(tx *store.Tx) error { return tx.DropOutgoing("taro") })
			want = []int{0}
		}
		next := store.OutboxID(1)
		for _, n := range want {
			ids := unsaid(t, s)
			if len(ids) != n {
				t.Errorf("gone %t: %d are named, want %d", gone, len(ids), n)
			}
			for _, id := range ids {
				if id != next {
					t.Fatalf("%d is named, not %d", id, next)
				}
				next++
			}
		}
	}
}

// What is sent again after all is not named, though who named it was not sent.
func TestSentAgainIsNotNamed(t *testing.T) {
	for _, sent := range []bool{false, true} {
		s := storetest.New(t)
		say(t, s, "1", store.Outgoing{Chat: "taro", Payload: []byte("1")})
		end(t, s, 1, store.Expired)
		say(t, s, "2", store.Outgoing{Chat: "taro", Payload: []byte("2"), Names: unsaid(t, s)})
		change(t, s, func(tx *store.Tx) error { _, err := tx.Resend(1); return err })
		if sent {
			end(t, s, 1, store.Sent)
		}
		end(t, s, 2, store.Failed)
		box(t, s) // is sound
		if ids := unsaid(t, s); ids != nil {
			t.Errorf("sent %t: %v are named", sent, ids)
		}
	}
}

// How far the notice of an entry is can be told from the entry's receipt, whatever else the
// outbox holds: also after a person has decided about it.
func TestEntryNotice(t *testing.T) {
	s := storetest.New(t)
	say(t, s, "other", store.Outgoing{Chat: "taro", Pushing: true, Payload: []byte(`["1"]`)})
	o := say(t, s, "entry", store.Outgoing{Notice: store.NoticeEntry, Chat: "taro", Pushing: true, Payload: []byte(`["2"]`)})
	want := func(n ledger.ReceiptNumber, state store.OutgoingState, there bool) {
		t.Helper()
		view(t, s, func(tx *store.Tx) error {
			if got, ok, err := tx.EntryNotice(n); got != state || ok != there || err != nil {
				t.Errorf("receipt %d: %v, %v, %v; want %v, %v", n, got, ok, err, state, there)
			}
			return nil
		})
	}
	resend := func() {
		t.Helper()
		change(t, s, func(tx *store.Tx) error {
			_, err := tx.Resend(o.ID)
			return err
		})
	}
	want(o.Receipt-1, store.Pending, false) // has an answer, and no notice
	want(o.Receipt, store.Pending, true)
	for _, state := range []store.OutgoingState{store.Unknown, store.Expired, store.Failed} {
		end(t, s, o.ID, state)
		want(o.Receipt, state, true)
		resend()
		want(o.Receipt, store.Pending, true)
	}
	end(t, s, o.ID, store.Sent)
	want(o.Receipt, store.Sent, true)

	o = say(t, s, "discarded", store.Outgoing{Notice: store.NoticeEntry, Chat: "taro", Pushing: true, Payload: []byte(`["3"]`)})
	end(t, s, o.ID, store.Failed)
	change(t, s, func(tx *store.Tx) error {
		_, err := tx.Discard(o.ID)
		return err
	})
	want(o.Receipt, store.Pending, false)
}
