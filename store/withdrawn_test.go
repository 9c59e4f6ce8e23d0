package store_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"ichido/store"
	"ichido/store/storetest"
)

// What was withdrawn before the writer took it is not on its way any more.
func TestWithdrawnIsNotInProgress(t *testing.T) {
	s := storetest.New(t)
	held, hold := make(chan struct{}), make(chan struct{})
	var first sync.WaitGroup
	first.Go(func() {
		if err := s.Update(t.Context(), func(*store.Tx) error { close(held); <-hold; return nil }); err != nil {
			t.Error(err)
		}
	})
	<-held
	ctx, cancel := context.WithCancel(t.Context())
	req := lunch("one")
	sub := s.Enqueue(ctx, req, storetest.RecordLunch)
	if _, state, err := s.Lookup(req.Scope, req.Key); state != store.InProgress || err != nil {
		t.Errorf("waiting: %v, %v", state, err)
	}
	cancel()
	if _, _, err := sub.Wait(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("withdrawn: %v", err)
	}
	if _, state, err := s.Lookup(req.Scope, req.Key); state != store.NotFound || err != nil {
		t.Errorf("withdrawn: %v, %v", state, err)
	}
	close(hold)
	first.Wait()
	if _, outcome, err := s.Submit(t.Context(), req, storetest.RecordLunch); outcome != store.Recorded || err != nil {
		t.Errorf("sent again: %v, %v", outcome, err)
	}
	if _, state, err := s.Lookup(req.Scope, req.Key); state != store.Found || err != nil {
		t.Errorf("sent again: %v, %v", state, err)
	}
}
