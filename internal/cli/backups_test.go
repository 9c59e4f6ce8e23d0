package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ichido/bot"
	"ichido/internal/backups"
	"ichido/internal/linesim"
	"ichido/store"
)

// until waits for what another process does.
func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it never comes: %s", what)
		}
	}
}

// backupsOf is what ichido backups --json says.
func (s *server) backupsOf() (view backupsView) {
	s.t.Helper()
	out, _ := exec.Command("ichido", "backups", "--db", s.db, "--json").Output() // fails if they can't be listed
	if err := json.Unmarshal(out, &view); err != nil {
		s.t.Fatal(err)
	}
	return view
}

// A server makes a backup by itself, tells where, and what is restored from it is what was
// recorded.
func TestServeMakesBackups(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	dir := filepath.Join(t.TempDir(), "backups")
	taken := filepath.Join(t.TempDir(), "taken")
	s.env = []string{"ICHIDO_BACKUP_DIR=" + dir, `ICHIDO_BACKUP_HOOK=cp "$ICHIDO_BACKUP" ` + taken + `; echo "secret is $LINE_CHANNEL_SECRET."`}
	s.start()
	until(t, "a backup", func() bool { return s.backupsOf().Last != nil })
	view := s.backupsOf()
	if len(view.Backups) != 1 || view.Dir != dir || view.Failure != "" || !view.Next.After(time.Now()) {
		t.Errorf("%+v", view)
	}
	health, err := s.client().Health(t.Context())
	if err != nil || !health.OK || health.Backups == nil || health.Backups.Last == nil {
		t.Errorf("%+v, %v", health, err)
	}
	until(t, "the command", func() bool { return strings.Contains(s.stderr.String(), "secret is .") })
	if err := store.CheckFile(t.Context(), taken, nil); err != nil {
		t.Error(err)
	}
	if status := s.terminate(); status != 0 {
		t.Errorf("status %d", status)
	}
	if out, err := exec.Command("ichido", "backups", "--db", s.db, "--backup-dir", dir).Output(); err != nil || !bytes.Contains(out, []byte(view.Last.File)) {
		t.Errorf("without a server: %v\n%s", err, out)
	}
}

// Backups that fail are told to the owner, once, and shown; recording goes on.
func TestServeTellsOfFailingBackups(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s.start()
	taro := linesim.User(linesim.UserID("taro"))
	if status := s.deliver(s.platform.Text(taro.UserID, "ランチ 900")); status != 200 {
		t.Fatalf("status %d", status)
	}
	s.terminate()
	s.env = []string{"ICHIDO_BACKUP_DIR=" + filepath.Join(file, "no")}
	heard := func() (n int) {
		want := strings.Split(bot.BackupsFail(time.Time{}, time.UTC).In(bot.Japanese), "。")[0]
		for _, b := range s.platform.Chat(taro.Chat()) {
			if strings.Contains(b.PlainText(), want) {
				n++
			}
		}
		return n
	}
	for range 2 { // the second time on the same day
		s.start()
		until(t, "a failure", func() bool { return s.backupsOf().Failure != "" })
		until(t, "the notice", func() bool { return heard() > 0 })
		if status, _ := s.health(); status != 200 {
			t.Errorf("health %d", status)
		}
		s.terminate()
	}
	if n := heard(); n != 1 {
		t.Errorf("the owner was told %d times", n)
	}
	if _, err := backups.List(filepath.Join(file, "no")); err == nil {
		t.Error("a directory in a file can be listed")
	}
}
