package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"ichido/internal/control"
	"ichido/store"
)

func TestReport(t *testing.T) {
	opening := func(err error) error { return fmt.Errorf("opening ichido.db: %w", err) }
	for _, tt := range []struct {
		err      error
		sentence string
		hint     string // a part of it; "" for none
		status   int
	}{
		{nil, "", "", 0},
		{errors.New("something"), "something", "", 1},
		{opening(store.ErrInUse), "opening ichido.db: the file is in use by another process", "--socket", 1},
		{opening(&store.DamageError{Bucket: "rows", Key: []byte{1}, Reason: "wrong checksum"}), "opening ichido.db: damaged record rows/01: wrong checksum", "ichido restore", 1},
		{opening(&fs.PathError{Op: "open", Path: "ichido.db", Err: syscall.EACCES}), "opening ichido.db: permission denied", "the user who runs", 1},
		{opening(&fs.PathError{Op: "mkdir", Path: "/var/x", Err: syscall.EROFS}), "opening ichido.db: /var/x: read-only file system", "must be able to write", 1},
		{&fs.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}, "/dev/stdout: no space left on device", "make room", 1},
		{fmt.Errorf("copying: %w", store.ErrDiskFull), "copying: no room on the disk", "make room", 1},
		{errors.Join(errors.New("one"), errors.New("two")), "one; two", "", 1},
		{control.ErrBrokenOff, "the server broke its answer off", "log", 1},
		{fmt.Errorf("exporting: %w", context.Canceled), "interrupted", "", 1},
		{usageError{errors.New("unknown flag --x")}, "unknown flag --x", "ichido --help", 2},
	} {
		var out strings.Builder
		status := report(&out, tt.err)
		want := ""
		if tt.sentence != "" {
			want = "ichido: " + tt.sentence + "\n"
		}
		first, hint, _ := strings.Cut(out.String(), "hint: ")
		if status != tt.status || first != want || !strings.Contains(hint, tt.hint) || (tt.hint == "") != (hint == "") {
			t.Errorf("report(%v) = %d:\n%s", tt.err, status, out.String())
		}
	}
}

func TestReportPanic(t *testing.T) {
	t.Setenv("GOTRACEBACK", "") // restored at the end
	os.Unsetenv("GOTRACEBACK")
	var out strings.Builder
	if status := reportPanic(&out, "index out of range"); status != 1 || strings.Contains(out.String(), "goroutine") || !strings.HasPrefix(out.String(), "ichido: this is a bug in ichido: index out of range\nhint: ") {
		t.Errorf("status %d:\n%s", status, out.String())
	}
	defer func() {
		if recover() == nil {
			t.Error("GOTRACEBACK does not show the stack")
		}
	}()
	t.Setenv("GOTRACEBACK", "all")
	reportPanic(&out, "index out of range")
}
