package line

import (
	"errors"
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
