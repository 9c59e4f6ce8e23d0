package cli

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"ichido/internal/linesim"
	"ichido/store"
)

// needLong leaves a test out that needs root, strace or minutes.
func needLong(t *testing.T) {
	if !*long {
		t.Skip("a long form: run it with -long, as root and with strace")
	}
}

// stream delivers n events and wants each acknowledged. It returns n.
func (s *server) stream(n int) int {
	s.t.Helper()
	for i := range n {
		if code := s.deliver(s.platform.Text(s.users[i%len(s.users)], "early"+letters(i)+" 100")); code != 200 {
			s.t.Fatalf("event %d is answered with %d", i, code)
		}
	}
	return n
}

// A full disk is answered with 503. As soon as there is room, the program goes
// on by itself.
func TestLongFullDisk(t *testing.T) {
	needLong(t)
	s := newServer(t)
	disk := filepath.Join(shortDir(t), "disk")
	if err := os.Mkdir(disk, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=80m"); err != nil {
		t.Fatalf("mounting a small file system: %v", err)
	}
	t.Cleanup(func() {
		if s.process != nil {
			s.kill()
		}
		if err := syscall.Unmount(disk, 0); err != nil {
			t.Error(err)
		}
	})
	s.db = filepath.Join(disk, "ichido.db")
	s.start()
	acknowledged := s.stream(20)
	filler := filepath.Join(disk, "filler")
	fill(t, filler)
	if code, body := s.health(); code != 503 {
		t.Errorf("healthz on a full disk: %d %s", code, body)
	}
	var refused []linesim.Event
	for i := 0; len(refused) < 5; i++ {
		if i > 2000 {
			t.Fatal("the disk is full, and nothing is ever refused")
		}
		e := s.platform.Text(s.users[0], "full"+letters(i)+" 100")
		switch code := s.deliver(e); code {
		case 200:
			acknowledged++
		case 503:
			refused = append(refused, e)
		default:
			t.Fatalf("a full disk is answered with %d", code)
		}
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	eventually(t, 10*time.Second, "healthy again by itself", func() bool { code, _ := s.health(); return code == 200 })
	for _, e := range refused {
		if code := s.deliver(e.Redelivered()); code != 200 {
			t.Errorf("with room again: %d", code)
		}
	}
	if n := len(s.exported()); n != acknowledged+len(refused) {
		t.Errorf("%d rows, want %d", n, acknowledged+len(refused))
	}
	if status := s.terminate(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	if err := store.CheckFile(t.Context(), s.db, nil); err != nil {
		t.Error(err)
	}
}

// fill takes all that is left of a file system.
func fill(t *testing.T, path string) {
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for size := 1 << 20; size >= 512; size /= 2 {
		for {
			if _, err := f.Write(make([]byte, size)); err != nil {
				break
			}
		}
	}
}
