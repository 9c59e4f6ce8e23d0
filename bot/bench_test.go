package bot

import (
	"errors"
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

var errMeasured = errors.New("measured enough")

// benchmark answers again and again within one event, which is not kept.
func benchmark(b *testing.B, s *store.Store, bot *Bot, text string, at time.Time) {
	req := store.Request{Scope: "talk", At: at, Person: "taro", Admit: true}
	_, _, err := s.Submit(b.Context(), req, func(tx *store.Tx) error {
		for b.Loop() {
			reply, err := bot.Handle(tx, Message{Text: text, At: at, Direct: true})
			if err != nil || reply.Text() == "" {
				return fmt.Errorf("answering %q: %w", reply.Text(), err)
			}
		}
		return errMeasured
	})
	if !errors.Is(err, errMeasured) {
		b.Fatal(err)
	}
}
