package control

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"testing"

	"ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

func TestInvite(t *testing.T) {
	s := storetest.New(t)
	client := Local(s)
	invite, err := client.Invite(t.Context())
	if err != nil || store.NormalizeInvite(invite.Code) == "" || invite.Link != "" {
		t.Errorf("%+v, %v", invite, err)
	}
	err = s.Update(t.Context(), func(tx *store.Tx) error { return tx.SetFact(store.FactInviteLink, "https://example.com/?") })
	if err != nil {
		t.Fatal(err)
	}
	invite, err = client.Invite(t.Context())
	if want := "https://example.com/?" + invite.Code; err != nil || invite.Link != want {
		t.Errorf("%+v, %v, want the link %s", invite, err, want)
	}
	request := store.Request{Scope: "line", Key: "1", At: invite.Until, Person: "hanako", Invite: store.NormalizeInvite(invite.Code)}
	if _, _, err := s.Submit(t.Context(), request, func(*store.Tx) error { return nil }); err != nil {
		t.Errorf("the code lets nobody in: %v", err)
	}
}

// What is asked for goes on to the door that is running.
func TestDoor(t *testing.T) {
	s := storetest.New(t)
	record(t, s, 1)
	for _, key := range []string{"a", "b"} {
		err := s.Update(t.Context(), func(tx *store.Tx) error {
			_, err := tx.Park(store.Parked{Scope: "line", Key: key, Event: []byte("secret"), Why: "test"})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var asked []string
	handler := New(s, Door{
		RetryParked: func(ctx context.Context, key string) error {
			asked = append(asked, "try "+key)
			if key == "a" {
				return s.Update(ctx, func(tx *store.Tx) error { return tx.Unpark("line", key) })
			}
			return errors.New("it failed again")
		},
		ForgetParked: func(key string) { asked = append(asked, "forget "+key) },
		RetryOutgoing: func(context.Context, store.OutboxID) (store.Outgoing, error) {
			asked = append(asked, "send")
			return store.Outgoing{State: store.Unknown}, nil
		},
	})
	client := &Client{http.Client{Transport: inProcess{handler}}}

	if r, err := client.Retry(t.Context(), ""); err != nil || !r.Now || r.Handled != 1 || len(r.Left) != 1 || r.Left[0].Key != "b" || r.Left[0].Text != "" {
		t.Errorf("retry: %+v, %v", r, err)
	}
	if err := client.Unpark(t.Context(), "b"); err != nil {
		t.Error(err)
	}
	if err := client.Unpark(t.Context(), ""); err == nil {
		t.Error("all were forgotten at once")
	}
	if r, err := client.Resend(t.Context(), "1"); err != nil || !r.Now || r.Was != "unknown" || !r.Doubt {
		t.Errorf("resend: %+v, %v", r, err)
	}
	for _, id := range []string{"x", "-1", ""} {
		if _, err := client.Resend(t.Context(), id); err == nil {
			t.Errorf("message %q was sent", id)
		}
	}
	if want := []string{"try a", "try b", "forget b", "send"}; !slices.Equal(asked, want) {
		t.Errorf("the door was asked to %q, want %q", asked, want)
	}
	if r, err := Local(s).Resend(t.Context(), "1"); err != nil || r.Now {
		t.Errorf("without a door: %+v, %v", r, err)
	}
	if _, err := Local(s).Resend(t.Context(), "9"); !errors.Is(err, store.ErrNoSuchMessage) {
		t.Errorf("error %v", err)
	}
}

// A change is no change if it is only looked at.
func TestChangesArePosts(t *testing.T) {
	client := Local(storetest.New(t))
	for _, path := range []string{"/invite", "/members/remove?who=1", "/outbox/drop?id=1", "/parked/drop?key=a"} {
		if _, err := client.do(t.Context(), http.MethodGet, path, nil); err == nil {
			t.Errorf("GET %s was answered", path)
		}
	}
}

func TestPayloadText(t *testing.T) {
	for payload, want := range map[string]string{
		`[{"type":"text","text":"a\nb"},{"type":"flex","altText":"c"}]`: "a\nb\nc",
		`secret`: "",
		``:       "",
	} {
		if got := payloadText([]byte(payload)); got != want {
			t.Errorf("%s shows %q", payload, got)
		}
	}
}

// Each state is counted, that of a message which goes along with another one too.
func TestCounts(t *testing.T) {
	s := storetest.New(t)
	for n := range 6 {
		storetest.Submit(t, s, storetest.Lunch(n, storetest.Noon), func(tx *store.Tx) error {
			_, err := tx.Say(store.Outgoing{Chat: "taro", Pushing: true, Payload: []byte(`["x"]`)})
			return err
		})
	}
	err := s.Update(t.Context(), func(tx *store.Tx) error {
		for id, state := range map[store.OutboxID]store.OutgoingState{4: store.Unknown, 5: store.Expired, 6: store.Failed} {
			o, _, err := tx.Outgoing(id)
			o.State = state
			if err = errors.Join(err, tx.PutOutgoing(o)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	storetest.Submit(t, s, storetest.Lunch(7, storetest.Noon), func(tx *store.Tx) error {
		late, err := tx.TakeLate("taro", storetest.Pending(tx), 2)
		if err != nil || len(late) != 2 {
			return errors.Join(err, errors.New("two are late"))
		}
		_, err = tx.Say(store.Outgoing{
			Chat: "taro", Payload: []byte(`["x","x","x"]`), Carries: []store.OutboxID{late[0].ID, late[1].ID}, Of: []ledger.ReceiptNumber{1, 2, 7},
		})
		return err
	})
	box, err := Local(s).Outbox(t.Context(), false, false)
	if want := (Counts{Pending: 2, Carried: 2, Unknown: 1, Expired: 1, Failed: 1}); err != nil || box.Counts != want {
		t.Errorf("%+v, %v, want %+v", box.Counts, err, want)
	}
}
