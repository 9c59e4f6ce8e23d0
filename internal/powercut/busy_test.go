package powercut_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"ichido/store"
	"ichido/store/storetest"
)

// runBusy is a program that uses the store as much as it can: callers submit at the same
// time, messages are edited and taken back, answers are long. Once it knows that an event
// is recorded it writes "ack" and the event's key. In between it closes the file and opens
// it again, makes backups, and compacts it.
func runBusy(dir string) error {
	path := filepath.Join(dir, "home", "ledger", "ichido.db") // two directories are new
	for life := range 4 {
		s, err := store.Open(path, store.Options{})
		if err != nil {
			return err
		}
		var callers sync.WaitGroup
		errs := make(chan error, 5)
		for i := range 5 {
			callers.Go(func() {
				errs <- busyCaller(s, fmt.Sprint(life, " ", i), rand.New(rand.NewPCG(uint64(life), uint64(i))))
			})
		}
		if life == 1 {
			_, err = s.Backup(context.Background(), filepath.Join(dir, "home", "backup.db"))
			if err == nil {
				err = acknowledge("backup")
			}
		}
		callers.Wait()
		close(errs)
		for e := range errs {
			err = errors.Join(err, e)
		}
		if err = errors.Join(err, s.Close()); err != nil {
			return err
		}
		if life == 2 {
			if err := store.Compact(context.Background(), path, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// acknowledge says, in one call, that something is for ever.
func acknowledge(what string) error {
	_, err := os.Stdout.WriteString("ack " + what)
	return err
}

func busyCaller(s *store.Store, name string, rnd *rand.Rand) error {
	at := storetest.Noon
	for n := range 5 {
		at = at.Add(time.Minute)
		message := fmt.Sprint(name, " ", n)
		items := []string{"a", "b", "c", "d"}[:1+rnd.IntN(4)]
		events := []store.Request{storetest.Said(message, "text", at)}
		if rnd.IntN(3) == 0 {
			events = append(events, storetest.Edited(message, "other", at.Add(time.Second)))
		}
		if rnd.IntN(4) == 0 {
			events = append(events, storetest.Unsent(message, at.Add(2*time.Second)))
		}
		long := 0
		if rnd.IntN(3) == 0 {
			long = rnd.IntN(12000) // more than a page
		}
		for _, e := range events {
			if err := busyEvent(s, e, items, long); err != nil {
				return err
			}
		}
	}
	return nil
}

func busyEvent(s *store.Store, e store.Request, items []string, long int) error {
	_, outcome, err := s.Submit(context.Background(), e, func(tx *store.Tx) error {
		if err := storetest.Hear(items...)(tx); err != nil {
			return err
		}
		_, err := tx.Say(store.Outgoing{Chat: "chat", ReplyToken: e.Key, Payload: []byte(`["` + strings.Repeat("x", long) + `"]`)})
		return err
	})
	if err != nil || outcome != store.Recorded {
		return fmt.Errorf("submitting %q: %v %v", e.Key, outcome, err)
	}
	return acknowledge(e.Scope + " " + e.Key)
}
