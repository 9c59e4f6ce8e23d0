package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"ichido/internal/backups"
	"ichido/store"
)

// Each call with which a backup is made fails once, the first one in the first run, the next
// one in the next run. The backup fails then, is told of and leaves nothing, or it is a good
// one all the same; messages are recorded as ever, and the next attempt makes a backup.
func TestFaultsOfBackups(t *testing.T) {
	t.Parallel()
	for _, kind := range []faultKind{
		{name: "EIO", least: 20, harm: harm{errno: unix.EIO}},
		{name: "ENOSPC", least: 8, calls: allocating, harm: harm{errno: unix.ENOSPC}},
		{name: "ENOSPC from then on", least: 8, calls: allocating, harm: harm{errno: unix.ENOSPC}, stays: true},
	} {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			failed, n := 0, 1
			if !*long {
				n += rand.IntN(kind.least)
			}
			for hit := true; hit && !t.Failed(); n++ {
				t.Run(fmt.Sprint(n), func(t *testing.T) {
					f := &fault{faultKind: kind, n: n}
					told := faultyBackup(t, f)
					if hit = f.what() != "" && *long; told {
						failed++
					}
					if t.Failed() {
						t.Logf("what failed: %s", f.what())
					}
				})
			}
			t.Logf("up to call %d; %d backups failed", n-1, failed)
			if *long && (n <= kind.least || failed < kind.least/2) {
				t.Errorf("only %d calls can fail, and %d backups failed", n-1, failed)
			}
		})
	}
}

// faultyBackup is one run, and says whether the backup failed.
func faultyBackup(t *testing.T, f *fault) (failed bool) {
	s := newServer(t)
	makeHousehold(t, s.db, s.users[:1])
	home := filepath.Dir(s.db)
	dir := filepath.Join(home, "backups")
	s.env = []string{"ICHIDO_BACKUP_DIR=" + dir}
	s.trap = &trap{dir: home, writes: true, decide: func(c trapped) harm {
		if strings.HasPrefix(c.path, dir) || strings.Contains(c.path, "/.ichido-tmp-") {
			return f.decide(c)
		}
		return harm{}
	}}
	s.start()
	ended := func() bool {
		status := s.backupStatus(t)
		return status.Since.IsZero() && (status.Last != nil || status.Failure != "")
	}
	s.stream(5)
	until(t, "the end of the backup", ended)
	status := s.backupStatus(t)
	failed = status.Failure != ""
	if failed && f.what() == "" {
		t.Errorf("it failed by itself: %s", status.Failure)
	}
	s.stream(5)
	if code, body := s.health(); code != 200 {
		t.Errorf("after a backup that failed, health is %d %s", code, body)
	}
	wantGoodBackups(t, dir, status.Last != nil)
	if failed {
		until(t, "the notice", func() bool {
			return strings.Contains(strings.Join(s.platform.BotTexts(s.users[0]), "\n"), "家計簿のバックアップ")
		})
	}
	f.lift()
	if code := s.terminate(); code != 0 {
		t.Errorf("it ends with %d:\n%s", code, s.stderr)
	}
	if strings.Contains(s.logs.String(), "early") {
		t.Error("the log has what was recorded")
	}
	s.start()
	until(t, "a backup", func() bool { return s.backupStatus(t).Last != nil && ended() })
	if now := s.backupStatus(t); now.Failure != "" {
		t.Errorf("without a fault: %s", now.Failure)
	}
	wantGoodBackups(t, dir, true)
	if code := s.terminate(); code != 0 {
		t.Errorf("it ends with %d:\n%s", code, s.stderr)
	}
	for _, at := range []string{home, dir} {
		if left, _ := filepath.Glob(filepath.Join(at, ".ichido-tmp-*")); len(left) > 0 {
			t.Errorf("it left %v", left)
		}
	}
	return failed
}

func (s *server) backupStatus(t *testing.T) backups.Status {
	t.Helper()
	health, err := s.client().Health(t.Context())
	if err != nil || health.Backups == nil {
		t.Fatalf("%+v, %v", health, err)
	}
	return *health.Backups
}

// wantGoodBackups wants whatever has the name of a backup to be one.
func wantGoodBackups(t *testing.T, dir string, some bool) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.db"))
	if err != nil || some && len(paths) == 0 {
		t.Errorf("there is no backup: %v", err)
	}
	for _, path := range paths {
		if err := store.CheckFile(t.Context(), path, nil); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	listed, err := backups.List(dir)
	if err != nil && !os.IsNotExist(err) || len(listed) != len(paths) {
		t.Errorf("%d files, %d backups are listed: %v", len(paths), len(listed), err)
	}
}
