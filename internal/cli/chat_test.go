package cli

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ichido/store"
	"ichido/store/storetest"
)

// The talk files of the door can be played, and go as they do in the door's tests;
// those in which LINE's own times matter come to the same ledger.
func TestPlay(t *testing.T) {
	const ledgerMark = "\nledger:\n" // is in all of them
	files, err := filepath.Glob("../../bot/line/testdata/talk/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no talk files", err)
	}
	timed := []string{"comings", "delivery", "late", "pictures"}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var out, errs strings.Builder
			status := Main([]string{"--tz", "Asia/Tokyo", "chat", "--play", file}, strings.NewReader(""), &out, &errs)
			if status != statusOK || errs.String() != "" {
				t.Fatalf("status %d: %s", status, errs.String())
			}
			expected, got := string(want), out.String()
			if slices.Contains(timed, name) {
				expected, got = expected[strings.Index(expected, ledgerMark):], got[strings.Index(got, ledgerMark):]
			}
			if diff := cmp.Diff(expected, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A person at a terminal is asked, and does not read everything twice.
func TestChatAtTerminal(t *testing.T) {
	t.Parallel()
	keyboard, terminal := openTerminal(t)
	var out, errs strings.Builder
	for _, typed := range []string{"ランチ 900", "/group", "お茶 150", "1", "/as 花子", "/quit"} {
		if _, err := keyboard.WriteString(typed + "\n"); err != nil {
			t.Fatal(err)
		}
	}
	if status := Main([]string{"chat"}, terminal, &out, &errs); status != statusOK {
		t.Fatalf("status %d: %s", status, errs.String())
	}
	want := regexp.MustCompile(`^話しかけてください。.*
太郎> 一度> 記録しました。ランチ 900円
      .*
      \[1\] 取消 .*
太郎> 一度> 家計簿の.*
太郎@家族> 一度> 記録しました。お茶 150円
      .*
      \[1\] 取消 .*
太郎@家族> 太郎@家族> .*取.*
一度> 取り消しました。お茶 150円
      .*
      \[1\] 元に戻す
太郎@家族> 花子@家族> $`)
	if !want.MatchString(out.String()) {
		t.Errorf("the screen shows\n%s", out.String())
	}
}

// The file's time goes on from where it is set.
func TestFileClock(t *testing.T) {
	c := &fileClock{}
	if d := time.Since(c.now()).Abs(); d > time.Minute {
		t.Errorf("a clock that was not set is off by %v", d)
	}
	at := time.Date(2020, 2, 29, 12, 0, 0, 0, time.UTC)
	c.turn(at)
	if d := c.now().Sub(at); d < 0 || d > time.Minute {
		t.Errorf("the clock is off by %v", d)
	}
}

// What waits for people of the real LINE is not told to one on this machine; of a backup
// nothing waits.
func TestChatRefusesWhatWaits(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	real, backup := filepath.Join(dir, "ichido.db"), filepath.Join(dir, "backup.db")
	s := storetest.Open(t, real)
	err := s.Update(t.Context(), func(tx *store.Tx) error {
		if _, err := tx.Join("U0123456789abcdef0123456789abcdef", "太郎"); err != nil {
			return err
		}
		_, err := tx.Say(store.Outgoing{Chat: "U0123456789abcdef0123456789abcdef", Notice: "test", Payload: []byte(`[{"type":"text","text":"x"}]`), Pushing: true, RetryKey: "k"})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	chat := func(args ...string) (int, string) {
		var errs strings.Builder
		status := Main(append([]string{"chat"}, args...), strings.NewReader("今月\n"), &out, &errs)
		return status, errs.String()
	}
	for _, args := range [][]string{{"--db", real}, {"--web", "--db", real}} {
		if status, errs := chat(args...); status != statusFailed || !strings.Contains(errs, "wait for LINE") || !strings.Contains(errs, "hint: talk with a copy") {
			t.Errorf("%v: %d %s", args, status, errs)
		}
	}
	var errs strings.Builder
	if status := Main([]string{"--db", real, "backup", backup}, strings.NewReader(""), io.Discard, &errs); status != statusOK {
		t.Fatal(errs.String())
	}
	if status, errs := chat("--db", backup); status != statusOK {
		t.Errorf("with a backup: %d %s", status, errs)
	}
	if said := out.String(); strings.Contains(said, "no answer yet") { // it waited for what nobody hears here
		t.Errorf("with a backup: %s", said)
	}
}
