package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
)

// Damage can kill or hang bbolt in goroutines of its own, where no recover
// reaches. So a child process reads a file before this one does: first without
// bbolt (walk.go), then with it. If it dies that is an answer, too.

const (
	inspectTime = 30 * time.Second
	inspectRate = 20 << 20 // bytes of file for each further second

	// deepSize is the size of a file, in bytes, up to which every invariant is
	// checked at each opening: many years of a household. Of larger ones only
	// the pages and the checksums are, which is faster; a check or a backup does
	// all.
	deepSize = 32 << 20
)

// The child's exit statuses. That of a crash of Go's, 2, and death by a fault
// mean damage; any other death says nothing about the file.
var inspectStatus = map[int]error{3: ErrInUse, 4: ErrNewer, 5: ErrForeign, 6: ErrDamaged, 7: os.ErrPermission, 8: os.ErrNotExist, 9: ErrUnverified}

// Inspect is the main function of the child process. Its arguments are the path
// and before it, for the thorough form that checks every invariant, "-deep". It
// prints one sentence if something is wrong and returns the exit status.
func Inspect(args []string, stdout io.Writer) (status int) {
	deep := len(args) > 0 && args[0] == "-deep"
	if deep {
		args = args[1:]
	}
	if len(args) != 1 {
		fmt.Fprintln(stdout, "usage: inspect [-deep] FILE")
		return 2
	}
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintln(stdout, "reading it failed")
			status = 6
		}
	}()
	err := inspect(args[0], deep)
	if err == nil {
		return 0
	}
	fmt.Fprintln(stdout, strings.ReplaceAll(err.Error(), "\n", "; "))
	for status, sentinel := range inspectStatus {
		if errors.Is(err, sentinel) {
			return status
		}
	}
	return 9 // the disk, the system: nothing that tells of the content
}

func inspect(path string, deep bool) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := shareLock(f); err != nil {
		return err
	}
	if err := walk(f); err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: lockTimeout, ReadOnly: true, FreelistType: bolt.FreelistMapType, NoStatistics: true})
	if err != nil {
		return translate(err)
	}
	defer db.Close()
	return db.View(func(btx *bolt.Tx) error {
		if found, err := checkSchema(btx); found < schema || err != nil {
			return err // of an older schema all that is known are pages and checksums
		}
		tx := &Tx{btx: btx}
		check := tx.checkSequences
		if deep || info.Size() <= deepSize {
			check = tx.checkAll
		}
		if err := check(); err != nil {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		return nil
	})
}

// shareLock waits a little for whoever writes the file.
func shareLock(f *os.File) error {
	for deadline := time.Now().Add(lockTimeout); ; time.Sleep(50 * time.Millisecond) {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
		if err == nil || err != syscall.EWOULDBLOCK {
			return err
		}
		if time.Now().After(deadline) {
			return ErrInUse
		}
	}
}

// inspectInChild runs the child and turns its end into an error.
func inspectInChild(ctx context.Context, path string, deep bool, command []string) error {
	if command == nil {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		command = []string{self, "inspect"}
	}
	args := append([]string(nil), command[1:]...)
	limit := inspectTime
	if info, err := os.Stat(path); err == nil {
		limit += time.Duration(info.Size()/inspectRate) * time.Second
	}
	if deep {
		args = append(args, "-deep")
		limit *= 4
	}
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	child := exec.CommandContext(timed, command[0], append(args, path)...)
	child.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C shall not look like damage
	out, err := child.Output()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case timed.Err() != nil:
		return fmt.Errorf("%w: reading it does not end", ErrUnverified)
	case !errors.As(err, &exit):
		return fmt.Errorf("starting the process that inspects the file: %w", err)
	}
	sentinel, known := inspectStatus[exit.ExitCode()]
	if !known {
		return diedOf(exit)
	}
	sentence := strings.TrimSpace(string(out))
	if errors.Is(sentinel, os.ErrPermission) || errors.Is(sentinel, os.ErrNotExist) {
		return &os.PathError{Op: "open", Path: path, Err: sentinel}
	}
	if rest, ok := strings.CutPrefix(sentence, sentinel.Error()); ok {
		return fmt.Errorf("%w%s", sentinel, rest)
	}
	return fmt.Errorf("%w: %s", sentinel, sentence)
}

// diedOf judges the death of the child.
func diedOf(exit *exec.ExitError) error {
	status, ok := exit.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return fmt.Errorf("%w: reading it breaks the process that tries", ErrDamaged)
	}
	switch status.Signal() {
	case syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGABRT:
		return fmt.Errorf("%w: reading it kills the process that tries", ErrDamaged)
	}
	return fmt.Errorf("%w: the process that reads it was ended (%v)", ErrUnverified, status.Signal())
}
