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
// reaches. So a child process opens a file before this one does, and if it dies
// that is the answer.

const (
	inspectTime = 30 * time.Second
	inspectRate = 20 << 20 // bytes of file for each further second

	// deepSize is the size of a file, in bytes, up to which every invariant is
	// checked at each opening: many years of a household. Of larger ones, only
	// bbolt's structure and the checksums are, which is faster.
	deepSize = 32 << 20
)

// The child's exit statuses. Any other, and death, mean damage.
var inspectStatus = map[int]error{3: ErrInUse, 4: ErrNewer, 5: ErrForeign, 6: ErrDamaged, 7: errors.New("it can't be read")}

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
	if errors.Is(err, os.ErrPermission) || errors.Is(err, os.ErrNotExist) {
		return 7
	}
	return 6
}

func inspect(path string, deep bool) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	err = soundMetas(f)
	info, statErr := f.Stat()
	if err := errors.Join(err, statErr, f.Close()); err != nil {
		return err
	}
	deep = deep || info.Size() <= deepSize
	db, err := bolt.Open(path, 0o600, &bolt.Options{
		Timeout: lockTimeout, ReadOnly: true, PreLoadFreelist: true, FreelistType: bolt.FreelistMapType, NoStatistics: true,
	})
	if err != nil {
		return translate(err)
	}
	defer db.Close()
	return db.View(func(btx *bolt.Tx) error {
		if err := checkSchema(btx); err != nil {
			return err
		}
		if info.Size() < btx.Size() {
			return fmt.Errorf("%w: %d bytes are missing at its end", ErrDamaged, btx.Size()-info.Size())
		}
		tx := &Tx{btx: btx}
		if deep {
			return tx.checkAll()
		}
		return tx.checkSums()
	})
}

// inspectInChild runs the child and turns its end into an error.
func inspectInChild(path string, deep bool, command []string) error {
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
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	child := exec.CommandContext(ctx, command[0], append(args, path)...)
	child.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C shall not look like damage
	out, err := child.Output()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("%w: reading it does not end", ErrDamaged)
	case !errors.As(err, &exit):
		return fmt.Errorf("starting the process that inspects the file: %w", err)
	}
	sentinel, known := inspectStatus[exit.ExitCode()]
	if !known {
		return fmt.Errorf("%w: reading it kills the process that tries", ErrDamaged)
	}
	sentence := strings.TrimSpace(string(out))
	if rest, ok := strings.CutPrefix(sentence, sentinel.Error()); ok {
		return fmt.Errorf("%w%s", sentinel, rest)
	}
	return fmt.Errorf("%w: %s", sentinel, sentence)
}
