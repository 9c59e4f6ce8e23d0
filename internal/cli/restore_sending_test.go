package cli

import (
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ichido/bot"
	"ichido/internal/linesim"
)

// A backup is taken while answers are on their way, later restored, and LINE delivers
// everything again: no row is there twice, nothing that the backup knows of is told twice,
// and the owner is told of the state once. What the backup does not know of is recorded
// anew, and said again with its new number.
func TestRestoreAmidSending(t *testing.T) {
	moments := []int{0, 2}
	if *long {
		moments = moments[:0]
		for moment := range 40 {
			moments = append(moments, moment)
		}
	}
	for _, moment := range moments {
		t.Run(fmt.Sprint(moment), func(t *testing.T) { restoreAmidSending(t, moment) })
	}
}

func restoreAmidSending(t *testing.T, moment int) {
	const messages = 12
	s := newServer(t)
	dir := t.TempDir()
	copied := filepath.Join(dir, "copy.db")
	s.start()
	if status := s.deliver(s.platform.Text(s.users[0], "ランチ 900")); status != 200 { // the owner
		t.Fatalf("status %d", status)
	}
	if _, err := s.platform.Wait(t.Context(), s.users[0], 1); err != nil {
		t.Fatal(err)
	}
	s.platform.SetFault(func(r *http.Request) linesim.Fault {
		if strings.HasSuffix(r.URL.Path, "/reply") {
			return linesim.Slow(time.Duration(20+moment%5*40) * time.Millisecond)
		}
		return linesim.Fault{}
	})
	if moment%3 == 2 {
		s.platform.Fail(linesim.Fault{}, linesim.Fault{}, linesim.Lost(), linesim.Accepted500()) // taken, and nobody knows
	}
	var events []linesim.Event
	before := 1 + moment%messages // acknowledged when the backup begins
	ended := make(chan error, 1)
	for i := range messages {
		e := s.platform.Text(s.users[i%len(s.users)], fmt.Sprintf("%s 480", itemOf(i)))
		events = append(events, e)
		if status := s.deliver(e); status != 200 {
			t.Fatalf("status %d", status)
		}
		if i+1 == before {
			go func() {
				out, err := exec.Command("ichido", "backup", "--db", s.db, copied).CombinedOutput()
				if err != nil {
					err = fmt.Errorf("%w: %s", err, out)
				}
				ended <- err
			}()
		}
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	eventually(t, 20*time.Second, "the outbox is empty", func() bool {
		box, err := s.client().Outbox(t.Context(), false, false)
		return err == nil && len(box.Messages) == 0
	})
	s.kill()
	kept := itemsOf(t, copied)
	if len(kept) < before {
		t.Errorf("the backup has %d items, and %d were acknowledged before it began", len(kept), before)
	}
	if out, err := exec.Command("ichido", "restore", "--yes", "--db", s.db, copied).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s.platform.SetFault(nil)
	s.start()
	for range 2 {
		for _, e := range events {
			if status := s.deliver(e.Redelivered()); status != 200 {
				t.Fatalf("status %d", status)
			}
		}
	}
	eventually(t, 20*time.Second, "all is said after the restore", func() bool {
		box, err := s.client().Outbox(t.Context(), false, false)
		return err == nil && len(box.Messages) == 0
	})
	s.terminate()
	s.start() // the mark of the copy is gone: the owner is not told again
	s.terminate()

	rows := itemsOf(t, s.db)
	told := map[string]int{}
	notices := 0
	want := strings.SplitAfter(bot.Restored(time.Time{}, time.UTC).In(bot.Japanese), "のバックアップ")[1]
	for _, user := range s.users {
		for _, said := range s.platform.BotTexts(user) {
			notices += strings.Count(said, want)
			for i := range messages {
				told[itemOf(i)] += strings.Count(said, "記録しました。"+itemOf(i)+" ")
			}
		}
	}
	for i := range messages {
		item := itemOf(i)
		if rows[item] != 1 {
			t.Errorf("%s has %d rows", item, rows[item])
		}
		most := 1
		if kept[item] == 0 {
			most = 2 // what the backup does not know is recorded anew, under another number
		}
		if told[item] < 1 || told[item] > most {
			t.Errorf("%s was told %d times (in the backup: %d)", item, told[item], kept[item])
		}
	}
	if notices != 1 {
		t.Errorf("the owner was told %d times of what time the ledger is", notices)
	}
	t.Logf("%d of %d were in the backup; told: %v", len(kept), messages, told)
}

func itemOf(i int) string { return "item" + strings.Repeat(string(rune('a'+i)), 5) }

// itemsOf counts the rows that a file has of each item.
func itemsOf(t *testing.T, path string) map[string]int {
	t.Helper()
	out, err := exec.Command("ichido", "export", "--db", path, "--format", "csv").Output()
	if err != nil {
		t.Fatal(err)
	}
	items := map[string]int{}
	for _, item := range itemWord.FindAllString(string(out), -1) {
		items[item]++
	}
	return items
}
