package bot

import (
	"testing"
	"time"

	"ichido/store"
	"ichido/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// BenchmarkThisMonth answers 「今月」 in a file of a million rows: it must not
// matter how many there are.
func BenchmarkThisMonth(b *testing.B) {
	s, err := store.Open(storetest.Million(b), store.Options{NoSync: true})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	bot := New(time.UTC)
	at := time.Date(2000, 1, 31, 12, 0, 0, 0, time.UTC)
	for b.Loop() {
		err := s.View(func(tx *store.Tx) error {
			reply, err := bot.Handle(tx, Message{Text: "今月", At: at, Direct: true})
			if err == nil && reply.Text == "" {
				b.Fatal("no answer")
			}
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}
