package bot

import (
	"fmt"
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
	benchmark(b, s, bot, "今月", time.Date(2000, 1, 31, 12, 0, 0, 0, time.UTC))
}

// BenchmarkQuestions answers other questions at the end of files of two years and of
// ten: they read a year at most, and so it must not matter how much there was before.
func BenchmarkQuestions(b *testing.B) {
	for _, rows := range []int{20_000, 100_000} {
		s, err := store.Open(storetest.Filled(b, rows), store.Options{NoSync: true})
		if err != nil {
			b.Fatal(err)
		}
		at := time.Date(1927, 1, 1, 3, 0, 0, 0, time.UTC).Add(time.Duration(rows) * 50 * time.Minute)
		for _, text := range []string{"今月", "先月比", "検索 ランチ", "推移", "1年の推移", "食費の推移", "カテゴリ", "予算"} {
			b.Run(fmt.Sprint(rows, " rows, ", text), func(b *testing.B) { benchmark(b, s, New(time.UTC), text, at) })
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmark(b *testing.B, s *store.Store, bot *Bot, text string, at time.Time) {
	for b.Loop() {
		err := s.View(func(tx *store.Tx) error {
			reply, err := bot.Handle(tx, Message{Text: text, At: at, Direct: true})
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
