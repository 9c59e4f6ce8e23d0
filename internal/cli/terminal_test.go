package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// openTerminal returns both ends of a terminal: what is typed into keyboard is
// read from the screen's side.
func openTerminal(t testing.TB) (keyboard, terminal *os.File) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("there are no terminals here:", err)
	}
	t.Cleanup(func() { keyboard.Close() })
	if err := unix.IoctlSetPointerInt(int(keyboard.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(keyboard.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("there are no terminals here:", err)
	}
	t.Cleanup(func() { terminal.Close() })
	return keyboard, terminal
}

func TestIsTerminal(t *testing.T) {
	_, terminal := openTerminal(t)
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, tt := range []struct {
		stream any
		want   bool
	}{{terminal, true}, {null, false}, {strings.NewReader(""), false}} {
		if got := isTerminal(tt.stream); got != tt.want {
			t.Errorf("isTerminal(%v) = %t", tt.stream, got)
		}
	}
}

// Bytes of a database are not for a terminal.
func TestBackupToTerminal(t *testing.T) {
	t.Parallel()
	_, terminal := openTerminal(t)
	db := filepath.Join(t.TempDir(), "ichido.db")
	if err := fillFile(db); err != nil {
		t.Fatal(err)
	}
	var errs strings.Builder
	status := Main([]string{"--db", db, "backup", "-"}, strings.NewReader(""), terminal, &errs)
	if status != 1 || !strings.HasPrefix(errs.String(), "ichido: writing the backup: standard output is a terminal\nhint: ") {
		t.Errorf("status %d: %s", status, errs.String())
	}
}

// A restore asks before it replaces a file.
func TestRestoreAsks(t *testing.T) {
	t.Parallel()
	keyboard, terminal := openTerminal(t)
	dir := t.TempDir()
	db, backup := filepath.Join(dir, "ichido.db"), filepath.Join(dir, "backup.db")
	for _, path := range []string{db, backup} {
		if err := fillFile(path); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		answer string
		status int
		said   string
	}{
		{"n\n", 1, "not confirmed"},
		{"\n", 1, "not confirmed"},
		{"yes\n", 0, "the file that was there is now " + db + ".replaced-"},
	} {
		if _, err := keyboard.WriteString(tt.answer); err != nil {
			t.Fatal(err)
		}
		var errs strings.Builder
		status := Main([]string{"--db", db, "restore", backup}, terminal, io.Discard, &errs)
		if status != tt.status || !strings.Contains(errs.String(), tt.said) || !strings.HasPrefix(errs.String(), backup+" holds receipts: 10, rows: 10, newest: ") {
			t.Errorf("answer %q: status %d: %s", tt.answer, status, errs.String())
		}
	}
}
