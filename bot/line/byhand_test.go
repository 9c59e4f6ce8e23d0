package line

import (
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"ichido/internal/linesim"
	"ichido/store"
)

// parkedEvents returns what is parked.
func (w *world) parkedEvents() (all []store.Parked) {
	w.t.Helper()
	err := w.store.View(func(tx *store.Tx) (err error) {
		all, err = tx.AllParked("")
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return all
}

// park keeps the event as if it had failed.
func (w *world) park(e linesim.Event) store.Parked {
	w.t.Helper()
	event := decode(e.JSON())
	if !w.door.parkFailed(w.t.Context(), event, errors.New("a test")) {
		w.t.Fatal("not parked")
	}
	return w.parkedEvents()[0]
}

func TestTryParked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.run()
		p := w.park(w.platform.Text(taro, "ランチ 900"))
		w.door.TryParked(t.Context(), p)
		if left := w.parkedEvents(); len(left) != 0 {
			t.Errorf("still parked: %+v", left)
		}
		w.wantRows("ランチ 900")
		time.Sleep(time.Hour) // the tries that were planned do nothing more
		w.wantRows("ランチ 900")
		w.close()
	})
}

func TestForgetParked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.run()
		p := w.park(w.platform.Text(taro, "ランチ 900"))
		if err := w.store.Update(t.Context(), func(tx *store.Tx) error { return tx.Unpark(p.Scope, p.Key) }); err != nil {
			t.Fatal(err)
		}
		w.door.ForgetParked(p.Key)
		time.Sleep(time.Hour)
		w.wantRows()
		w.close()
	})
}

func TestSendNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(12 * time.Hour) // daytime in Japan
		w := newWorld(t)
		w.run()
		w.platform.SetFault(func(*http.Request) linesim.Fault { return linesim.NotAccepted(http.StatusTooManyRequests, "") })
		w.say("ランチ 900")
		w.say("お茶 150")
		time.Sleep(2 * time.Second)
		w.platform.SetFault(nil)
		w.door.SendNow(99)
		synctest.Wait()
		w.wantBubbles()
		w.door.SendNow(2) // and what is before it in its chat
		synctest.Wait()
		w.wantBubbles("ランチ", "お茶")

		// One that was given up goes out as a push.
		if err := w.store.Update(t.Context(), func(tx *store.Tx) error {
			_, err := tx.Say(store.Outgoing{Notice: "test", Chat: taro, Payload: []byte(`[{"type":"text","text":"お知らせ"}]`), Pushing: true})
			return err
		}); err != nil {
			t.Fatal(err)
		}
		for _, change := range []func(*store.Tx) error{
			func(tx *store.Tx) error { _, err := tx.Discard(3); return err },
			func(tx *store.Tx) error { _, err := tx.Resend(3); return err },
		} {
			if err := w.store.Update(t.Context(), change); err != nil {
				t.Fatal(err)
			}
		}
		w.door.SendNow(3)
		synctest.Wait()
		w.wantBubbles("ランチ", "お茶", "お知らせ")
		w.wantOutbox()
		w.close()
	})
}
