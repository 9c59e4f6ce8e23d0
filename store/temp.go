package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Temp is a directory for a process's temporary files. It is locked as long as it is
// in use, so that others can tell it from one that a dead process has left: that may
// hold what was unsent since.
type Temp struct {
	dir    string
	locked *os.File
}

const tempPrefix = ".ichido-tmp-"

// NewTemp makes one inside of the directory, and so on the same disk.
func NewTemp(dir string) (*Temp, error) {
	for {
		t := &Temp{}
		var err error
		if t.dir, err = os.MkdirTemp(dir, tempPrefix+"*"); err != nil {
			return nil, err
		}
		t.locked, err = os.Open(t.dir)
		if errors.Is(err, os.ErrNotExist) {
			continue // somebody took it for left behind, before it was locked
		} else if err != nil {
			return nil, errors.Join(err, os.RemoveAll(t.dir))
		}
		// Where directories can't be locked, nobody else gets the lock either.
		err = syscall.Flock(int(t.locked.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == syscall.EWOULDBLOCK || !stillNames(t.dir, t.locked) {
			t.locked.Close()
			continue
		}
		if err := giveTo(t.dir, dir); err != nil { // who can remove what a dead root has left
			return nil, errors.Join(err, t.Close())
		}
		return t, nil
	}
}

// Path is where a file of that name is, or will be.
func (t *Temp) Path(name string) string { return filepath.Join(t.dir, name) }

// Create makes the file, which nobody else can read.
func (t *Temp) Create(name string) (*os.File, error) {
	return os.OpenFile(t.Path(name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
}

// Close removes the directory with all that is still in it.
func (t *Temp) Close() error { return errors.Join(os.RemoveAll(t.dir), t.locked.Close()) }

// removeLeftovers removes the temporary files and directories that nobody has locked.
// What can't be removed stays.
func removeLeftovers(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), tempPrefix) && (entry.IsDir() || entry.Type().IsRegular()) {
			removeUnlocked(filepath.Join(dir, entry.Name()))
		}
	}
}

func removeUnlocked(path string) {
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil && stillNames(path, f) {
		os.RemoveAll(path)
	}
}
