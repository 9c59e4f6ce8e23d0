package line

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ichido/bot"
	"ichido/internal/ledger"
	"ichido/internal/linesim"
	"ichido/store"
)

// hang lets the writer hang, as in a sync that does not return, until the result is
// called. Inside of what hangs it does what it is given.
func (w *world) hang(inside func()) (release func()) {
	hold, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		err := w.store.Update(w.t.Context(), func(*store.Tx) error {
			inside()
			<-hold
			return nil
		})
		if err != nil {
			w.t.Error(err)
		}
	}()
	synctest.Wait()
	return func() {
		close(hold)
		<-done
	}
}

// heard counts how often a person was told the text.
func (w *world) heard(person, text string) int {
	return strings.Count(strings.Join(w.platform.BotTexts(person), "\n"), text)
}

func (w *world) wantHeard(person, text string, n int) {
	w.t.Helper()
	if got := w.heard(person, text); got != n {
		w.t.Errorf("%s was told %d times instead of %d: %s", person, got, n, text)
	}
}

// The owner hears of a broken store from the middle of the writer, by night, too;
// and once an hour, however often the program starts.
func TestAlert(t *testing.T) {
	inBubble(t, func(w *world) {
		w.say("ランチ 900")
		alert := func() {
			t.Helper()
			w.hang(func() {
				if err := w.door.Alert(w.t.Context(), AlertBroken, bot.StoreBroken); err != nil {
					t.Error(err)
				}
			})()
		}
		w.pass(11*time.Hour + 10*time.Minute) // 23:10
		for range 3 {
			w.close()
			w.open()
			alert()
			w.pass(time.Minute)
			alert()
		}
		w.wantHeard(taro, bot.StoreBroken.In(bot.Japanese), 1)
		w.pass(time.Hour)
		alert()
		w.wantHeard(taro, bot.StoreBroken.In(bot.Japanese), 2)
	})
}

func TestAlertTakesThreeSeconds(t *testing.T) {
	inBubble(t, func(w *world) {
		if err := w.door.Alert(w.t.Context(), AlertBroken, bot.StoreBroken); !errors.Is(err, ErrNoOwner) {
			t.Errorf("nobody has joined: %v", err)
		}
		w.say("ランチ 900")
		w.close()
		w.open()
		w.fail(linesim.Slow(time.Minute))
		begun := time.Now()
		err := w.door.Alert(w.t.Context(), AlertBroken, bot.StoreBroken)
		if d := time.Since(begun); d != alertTime || err == nil {
			t.Errorf("it took %v: %v", d, err)
		}
		synctest.Wait()
	})
}

// An alert goes to who is the owner now, and to nobody who has gone.
func TestAlertGoesToTheOwner(t *testing.T) {
	inBubble(t, func(w *world) {
		w.door.admit = func(string) bool { return true }
		w.run()
		w.say("ランチ 900")
		w.deliver(w.platform.Text(other, "カフェ 480"))
		w.pass(watchEvery)
		change := func(fn func(tx *store.Tx) error) error {
			if err := w.store.Update(w.t.Context(), fn); err != nil {
				t.Error(err)
			}
			w.pass(watchEvery)
			return w.door.Alert(w.t.Context(), AlertBroken, bot.StoreBroken)
		}
		if err := change(func(tx *store.Tx) error { return tx.SetOwner(2) }); err != nil {
			t.Error(err)
		}
		w.wantHeard(taro, bot.StoreBroken.In(bot.Japanese), 0)
		w.wantHeard(other, bot.StoreBroken.In(bot.Japanese), 1)
		if err := change(func(tx *store.Tx) error { return tx.Remove(ledger.MemberID(2)) }); !errors.Is(err, ErrNoOwner) {
			t.Errorf("the owner was removed: %v", err)
		}
	})
}

// Writes that fail for five minutes are told, once until they are good again.
func TestWritesFailForFiveMinutes(t *testing.T) {
	inBubble(t, func(w *world) {
		w.say("ランチ 900")
		w.run()
		w.pass(10 * time.Second)
		release := w.hang(func() {})
		w.pass(failingLong)
		w.wantHeard(taro, bot.WritesFail.In(bot.Japanese), 0)
		w.fail(linesim.Down()) // then a minute later
		w.pass(3 * time.Minute)
		w.wantHeard(taro, bot.WritesFail.In(bot.Japanese), 1)
		w.pass(3 * time.Hour)
		w.wantHeard(taro, bot.WritesFail.In(bot.Japanese), 1)
		release()
		w.pass(time.Hour)
		release = w.hang(func() {})
		w.pass(4 * time.Minute)
		release()
		w.pass(time.Hour)
		w.wantHeard(taro, bot.WritesFail.In(bot.Japanese), 1)
		release = w.hang(func() {})
		w.pass(10 * time.Minute)
		release()
		w.wantHeard(taro, bot.WritesFail.In(bot.Japanese), 2)
	})
}

// What looks after the machine does not hang with a store that hangs while it is
// looked at, after the probe was good.
func TestWatchingDoesNotHang(t *testing.T) {
	inBubble(t, func(w *world) {
		hold := make(chan struct{})
		w.free = sync.OnceValues(func() (uint64, error) {
			hangs := make(chan struct{})
			go w.store.Update(w.t.Context(), func(*store.Tx) error {
				close(hangs)
				<-hold
				return nil
			})
			<-hangs
			<-hold
			return 0, nil
		})
		w.say("ランチ 900") // whoever is to be told
		w.close()
		w.open()
		w.run()
		w.pass(failingLong + 2*watchEvery)
		w.wantHeard(taro, bot.WritesFail.In(bot.Japanese), 1)
		w.wantLogged("looking after the machine failed", 1)
		close(hold)
		w.pass(diskEvery)
		w.wantHeard(taro, bot.DiskFilling.In(bot.Japanese), 1)
	})
}

// A disk that is filling is told once a day, and by day.
func TestDiskIsFilling(t *testing.T) {
	inBubble(t, func(w *world) {
		var free, looked atomic.Uint64
		free.Store(LowFree)
		w.free = func() (uint64, error) { looked.Add(1); return free.Load(), nil }
		w.close()
		w.open()
		w.run()
		w.pass(time.Hour)
		if n := looked.Load(); n != 7 {
			t.Errorf("looked %d times in an hour", n)
		}
		free.Store(LowFree - 1)
		w.pass(time.Hour)
		w.say("ランチ 900") // before, there was nobody to tell
		w.pass(diskEvery + watchEvery)
		w.wantHeard(taro, bot.DiskFilling.In(bot.Japanese), 1)
		w.restart()
		w.pass(9 * time.Hour) // 23:11
		w.wantHeard(taro, bot.DiskFilling.In(bot.Japanese), 1)
		w.pass(7*time.Hour + 45*time.Minute) // 6:56 of the next day
		w.wantHeard(taro, bot.DiskFilling.In(bot.Japanese), 1)
		w.pass(15 * time.Minute)
		w.wantHeard(taro, bot.DiskFilling.In(bot.Japanese), 2)
		free.Store(LowFree)
		w.pass(48 * time.Hour)
		w.wantHeard(taro, bot.DiskFilling.In(bot.Japanese), 2)
		w.wantOutbox()
	})
}
