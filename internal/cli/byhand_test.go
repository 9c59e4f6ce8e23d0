package cli

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"ichido/internal/linesim"
)

// Without a configuration a code lets the first person in.
func TestFirstMember(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	taro := s.users[0]
	s.users = nil
	s.start()
	if log := s.stderr.String(); !strings.Contains(log, "ichido invite") {
		t.Errorf("the log does not say how to begin:\n%s", log)
	}
	invite, err := s.client().Invite(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range []string{invite.Code, "ランチ 900"} {
		if code := s.deliver(s.platform.Text(taro, text)); code != 200 {
			t.Errorf("the webhook is answered with %d", code)
		}
		if _, err := s.platform.Wait(t.Context(), taro, i+1); err != nil {
			t.Fatal(err)
		}
	}
	if said := s.platform.BotTexts(taro); !strings.Contains(said[0], "ようこそ") || !strings.Contains(said[1], "記録しました") {
		t.Errorf("the bot says %q", said)
	}
	members, err := s.client().Members(t.Context())
	if err != nil || len(members) != 1 || !members[0].Owner || members[0].Person != taro {
		t.Errorf("members: %+v, %v", members, err)
	}
	s.terminate()
	s.start()
	if log := s.stderr.String(); strings.Contains(log, "ichido invite") {
		t.Errorf("the log tells a household how to begin:\n%s", log)
	}
}

// A message that waits goes out at once if somebody wants that.
func TestRetryReachesTheSender(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.start()
	s.platform.SetFault(func(*http.Request) linesim.Fault { return linesim.NotAccepted(http.StatusTooManyRequests, "") })
	s.deliver(s.platform.Text(s.users[0], "ランチ 900"))
	eventually(t, 10*time.Second, "the second try fails: the next one is in three seconds", func() bool {
		box, err := s.client().Outbox(t.Context(), false, false)
		return err == nil && len(box.Messages) == 1 && box.Messages[0].Tries == 2 && !box.Messages[0].Doubt // which ends with the try
	})
	s.platform.SetFault(nil)
	r, err := s.client().Resend(t.Context(), "1")
	if err != nil || !r.Now || r.Was != "pending" || r.Doubt {
		t.Errorf("retry: %+v, %v", r, err)
	}
	eventually(t, 1500*time.Millisecond, "it is said", func() bool { return len(s.platform.BotTexts(s.users[0])) == 1 })
}

// So is an event that is parked.
func TestRetryReachesTheDoor(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.start()
	timeless := s.platform.Text(s.users[0], "ランチ 900")
	timeless.Timestamp = time.Time{}
	if code := s.deliver(timeless); code != 200 {
		t.Fatalf("the webhook is answered with %d", code)
	}
	for range 2 {
		r, err := s.client().Retry(t.Context(), timeless.ID)
		if err != nil || !r.Now || r.Handled != 0 || len(r.Left) != 1 || r.Left[0].Tries < 2 || r.Left[0].Text != "" {
			t.Errorf("retry: %+v, %v", r, err)
		}
	}
	if err := s.client().Unpark(t.Context(), timeless.ID); err != nil {
		t.Error(err)
	}
	parked, err := s.client().Parked(t.Context(), true)
	if err != nil || len(parked) != 0 {
		t.Errorf("still parked: %+v, %v", parked, err)
	}
}
