package store

import (
	"path/filepath"
	"testing"
	"time"
)

// bbolt shows a transaction before its last sync. No reader may begin between the
// start of a commit and its end.
func TestNoReaderBeginsInACommit(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "ichido.db"), Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	called := false
	req := Request{Scope: "test", Key: "a", At: time.UnixMilli(1796007601000), Person: "U1", Admit: true}
	_, _, err = s.Submit(t.Context(), req, func(tx *Tx) error {
		tx.btx.OnCommit(func() { // bbolt calls it at the end of its commit
			called = true
			if s.commit.TryRLock() {
				s.commit.RUnlock()
				t.Error("a commit does not keep readers out")
			}
		})
		return nil
	})
	if err != nil || !called {
		t.Fatalf("submitting: %v (committed: %t)", err, called)
	}
	s.commit.Lock()
	read := make(chan error)
	go func() { read <- s.View(func(*Tx) error { return nil }) }()
	select {
	case <-read:
		t.Error("a reader began in the middle of a commit")
		read = nil
	case <-time.After(20 * time.Millisecond):
	}
	s.commit.Unlock()
	if read != nil {
		if err := <-read; err != nil {
			t.Error(err)
		}
	}
}
