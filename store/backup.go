package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
)

// copyStep is how much of a copy is written before it is synced: a big copy
// must not fill the page cache and then stall the writer's own syncs.
const copyStep = 4 << 20

// Backup makes a copy of the file at path while the store is in use, and proves it: a
// child process verifies every invariant of it, and it is restored beside the path, where
// it must come to the same figures as the file did, which Backup returns. The path must be
// on a local disk, best that of the file, and not be taken; it appears only when the copy
// is complete, proven and durable. The copy carries a mark that Resume removes.
func (s *Store) Backup(ctx context.Context, path string) (Figures, error) {
	figures, err := s.backup(ctx, path)
	if err != nil {
		return Figures{}, fmt.Errorf("backing up to %s: %w", path, err)
	}
	return figures, nil
}

func (s *Store) backup(ctx context.Context, path string) (f Figures, err error) {
	if _, err := os.Lstat(path); err == nil {
		return f, os.ErrExist
	}
	if err := s.roomFor(filepath.Dir(path)); err != nil {
		return f, err
	}
	dir, err := NewTemp(filepath.Dir(path))
	if err != nil {
		return f, err
	}
	defer dir.Close()
	temp, err := dir.Create("copy")
	if err != nil {
		return f, err
	}
	var at time.Time
	err = s.View(func(tx *Tx) (err error) {
		at = tx.now
		if f, err = tx.Figures(); err != nil {
			return err
		}
		_, err = tx.btx.WriteTo(&stepWriter{ctx: ctx, f: temp})
		return err
	})
	if ctx.Err() != nil {
		err = ctx.Err() // bbolt hides it
	}
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return f, err
	}
	// The child looks first: damage in the copy would kill this process too.
	if err := inspectInChild(ctx, temp.Name(), false, s.opts.Inspector); err != nil {
		return f, fmt.Errorf("the copy is not sound: %w", err)
	}
	if err := mark(temp.Name(), at, 0); err != nil {
		return f, err
	}
	if err := prove(ctx, temp.Name(), dir.Path("restored"), f, s.opts.Inspector); err != nil {
		return f, err
	}
	if err := os.Link(temp.Name(), path); err != nil {
		return f, err
	}
	return f, SyncPath(filepath.Dir(path))
}

// prove restores a copy to a path of no other use, where it must come to the figures.
func prove(ctx context.Context, copied, scratch string, want Figures, inspector []string) error {
	if _, err := Restore(ctx, copied, scratch, inspector); err != nil {
		return fmt.Errorf("the copy is not sound: %w", err)
	}
	got, err := figuresOf(scratch, inspector)
	if err != nil {
		return fmt.Errorf("reading what was restored from the copy: %w", err)
	}
	if !got.Equal(want) {
		return fmt.Errorf("%w: what was restored from the copy comes to other figures than the file", ErrDamaged)
	}
	return nil
}

// roomLeft is what a copy must leave free on the disk, in bytes, so that the
// server is not the one that suffers.
const roomLeft = 64 << 20

func (s *Store) roomFor(dir string) error {
	size, err := s.Size()
	if err != nil {
		return err
	}
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil {
		return err
	}
	if free := int64(fs.Bavail) * fs.Bsize; free < 2*size+roomLeft {
		return fmt.Errorf("%w: a copy and its proof take %d MiB and %d MiB are free", ErrDiskFull, 2*size>>20, free>>20)
	}
	return nil
}

// lastNumber is the last receipt number that the file has given out, or 0 if that
// can't be read.
func lastNumber(path string, inspector []string) (last uint64) {
	s, err := Open(path, Options{ReadOnly: true, Inspector: inspector})
	if err != nil {
		return 0
	}
	defer s.Close()
	_ = s.View(func(tx *Tx) error {
		last = tx.sequence(bucketReceipts)
		return nil
	})
	return last
}

// mark notes in a copy when it was made, unless it says so already, and that the
// receipt numbers up to last have been given out.
func mark(path string, at time.Time, last uint64) error {
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: lockTimeout, FreelistType: bolt.FreelistMapType})
	if err != nil {
		return translate(err)
	}
	err = db.Update(func(btx *bolt.Tx) error {
		receipts := btx.Bucket(bucketReceipts)
		if err := receipts.SetSequence(max(receipts.Sequence(), last)); err != nil {
			return err
		}
		if _, marked, err := (&Tx{btx: btx}).CopiedAt(); marked || err != nil {
			return err
		}
		return markCopy(btx, at)
	})
	return errors.Join(err, db.Close())
}

// stepWriter writes to a file and syncs it every copyStep bytes.
type stepWriter struct {
	ctx      context.Context
	f        *os.File
	unsynced int
}

func (w *stepWriter) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.f.Write(p)
	if w.unsynced += n; err == nil && w.unsynced >= copyStep {
		w.unsynced = 0
		err = syscall.Fdatasync(int(w.f.Fd()))
	}
	return n, err
}

// Restore puts a copy of the file at from in the place of to, after checking it
// in a child process. A file that was there is kept beside it under the name
// that Restore returns, also with an error that came after that; while somebody
// has it open, the error is ErrInUse.
func Restore(ctx context.Context, from, to string, inspector []string) (kept string, err error) {
	kept, err = restore(ctx, from, to, inspector)
	if err != nil {
		err = fmt.Errorf("restoring %s from %s: %w", to, from, err)
	}
	return kept, err
}

func restore(ctx context.Context, from, to string, inspector []string) (kept string, err error) {
	if err := CheckFile(ctx, from, inspector); err != nil {
		return "", err
	}
	dir, err := NewTemp(filepath.Dir(to))
	if err != nil {
		return "", err
	}
	defer dir.Close()
	temp := dir.Path("copy")
	if err := copyFile(ctx, from, dir); err != nil {
		return "", err
	}
	if err := giveTo(temp, to); err != nil {
		return "", err
	}
	at, err := lastReceipt(temp)
	if err != nil {
		return "", err
	}
	if err := mark(temp, at, lastNumber(to, inspector)); err != nil {
		return "", err
	}
	if _, err := os.Lstat(to); errors.Is(err, os.ErrNotExist) {
		if err := os.Link(temp, to); err != nil {
			return "", err
		}
		return "", SyncPath(filepath.Dir(to))
	}
	// Whoever opens the old file meanwhile finds it locked, and afterwards finds
	// that the path no longer names it.
	old, err := lock(to, os.O_RDWR, 0)
	if err != nil {
		return "", err
	}
	defer old.Close()
	if kept, err = keep(to, time.Now()); err != nil {
		return "", err
	}
	if err := os.Rename(temp, to); err != nil {
		return "", errors.Join(err, os.Remove(kept))
	}
	return kept, SyncPath(filepath.Dir(to))
}

// keep gives the file a second name with the time in it, and a number behind that where the
// name is taken already.
func keep(path string, now time.Time) (kept string, err error) {
	name := fmt.Sprintf("%s.replaced-%s", path, now.Format("20060102-150405"))
	kept = name
	for n := 2; ; n++ {
		if err := os.Link(path, kept); !errors.Is(err, os.ErrExist) {
			return kept, err
		}
		kept = fmt.Sprintf("%s-%d", name, n)
	}
}

// giveTo lets the file belong to whom the one at the path belongs to, or else
// its directory: root restores what the server must be able to open.
func giveTo(file, path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		info, err = os.Stat(filepath.Dir(path))
	}
	if err != nil {
		return err
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok || os.Geteuid() != 0 {
		return nil
	}
	return os.Chown(file, int(owner.Uid), int(owner.Gid))
}

// copyFile copies the file into the directory.
func copyFile(ctx context.Context, from string, dir *Temp) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := dir.Create("copy")
	if err != nil {
		return err
	}
	return errors.Join(CopyTo(ctx, dst, src), dst.Close())
}

// CopyTo copies all to the file, in steps that are synced each, and syncs it at the end.
func CopyTo(ctx context.Context, dst *os.File, src io.Reader) error {
	_, err := io.Copy(&stepWriter{ctx: ctx, f: dst}, src)
	return errors.Join(err, dst.Sync())
}

// lastReceipt is when the newest receipt of a closed file was made: the date of
// its state.
func lastReceipt(path string) (at time.Time, err error) {
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: lockTimeout, ReadOnly: true})
	if err != nil {
		return time.Time{}, translate(err)
	}
	defer db.Close()
	err = db.View(func(btx *bolt.Tx) error {
		at, err = (&Tx{btx: btx}).newest()
		return err
	})
	if at.IsZero() {
		at = now()
	}
	return at, err
}
