package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

const (
	lockTimeout = 2 * time.Second

	// mapSize is address space only. A file that outgrew its map would have to be
	// mapped anew, and that waits for all readers.
	mapSize = 1 << 30
)

// openFile opens an existing file after the child has looked at it, or makes a
// new one.
func openFile(path string, opts Options) (*bolt.DB, error) {
	_, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) && !opts.ReadOnly {
		err = create(path)
	} else if err == nil {
		err = inspectInChild(context.Background(), path, false, opts.Inspector)
	}
	if err != nil {
		return nil, err
	}
	if opts.ReadOnly {
		return openReadOnly(path)
	}
	db, err := openPresent(path, opts)
	if err != nil {
		return nil, err
	}
	removeLeftovers(filepath.Dir(path))
	return db, nil
}

// openPresent opens the file for writing, once it is of the present schema.
func openPresent(path string, opts Options) (*bolt.DB, error) {
	for {
		db, err := openBolt(path, opts)
		if err != nil {
			return nil, translate(err)
		}
		found, err := schemaOf(db)
		if err == nil && found == schema {
			return db, nil
		}
		if err = errors.Join(err, db.Close()); err != nil {
			return nil, err
		}
		kept, err := update(path, found, opts)
		if err != nil {
			return nil, fmt.Errorf("bringing it up to date: %w", err)
		}
		opts.Log.Info("the file was brought up to date; as it was it is kept", "schema", schema, "kept", kept)
	}
}

// openReadOnly opens a file without a write to it. One of an older schema must be
// brought up to date first.
func openReadOnly(path string) (*bolt.DB, error) {
	db, err := bolt.Open(path, 0, &bolt.Options{Timeout: lockTimeout, ReadOnly: true, NoStatistics: true})
	if err != nil {
		return nil, translate(err)
	}
	version, err := schemaOf(db)
	if err == nil && version < schema {
		err = ErrOlder
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// openBolt opens the file for writing. bbolt's free list is not stored with each
// commit, which saves a page, but when the store is closed: see storeFreelist.
func openBolt(path string, opts Options) (*bolt.DB, error) {
	return bolt.Open(path, 0o600, &bolt.Options{
		Timeout:         lockTimeout,
		FreelistType:    bolt.FreelistMapType,
		NoFreelistSync:  true,
		NoSync:          opts.NoSync,
		NoStatistics:    true,
		MaxSize:         opts.MaxSize,
		InitialMmapSize: mapSize,
		OpenFile: func(path string, flag int, mode os.FileMode) (*os.File, error) {
			f, err := lock(path, flag&^os.O_CREATE, mode)
			if err != nil || opts.NoSync {
				return f, err
			}
			if err := rewriteMetas(f); err != nil {
				f.Close()
				return nil, err
			}
			return f, nil
		},
	})
}

// storeFreelist stores the free list, so that the next opening need not scan the
// whole file for it, and the walker can tell lost pages.
func storeFreelist(db *bolt.DB) error {
	db.NoFreelistSync = false
	return db.Update(func(*bolt.Tx) error { return nil })
}

func translate(err error) error {
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return ErrInUse
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrVersionMismatch):
		return ErrForeign
	case errors.Is(err, bolterrors.ErrChecksum):
		return ErrDamaged
	}
	return err
}

// lock opens the file and takes the lock on the descriptor that it returns:
// bbolt locks the same one again, and a lock on another one would shut it out.
// The path must still name this file once it is locked, because who replaces a
// file holds the old one's lock while doing so.
func lock(path string, flag int, mode os.FileMode) (*os.File, error) {
	deadline := time.Now().Add(lockTimeout)
	for {
		f, err := os.OpenFile(path, flag, mode)
		if err != nil {
			return nil, err
		}
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil && stillNames(path, f) {
			return f, nil
		}
		f.Close()
		if err != nil && err != syscall.EWOULDBLOCK {
			return nil, err
		}
		if time.Now().After(deadline) {
			return nil, ErrInUse
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func stillNames(path string, f *os.File) bool {
	there, err1 := os.Stat(path)
	held, err2 := f.Stat()
	return err1 == nil && err2 == nil && os.SameFile(there, held)
}

// Where things stand in a bbolt meta page, after the 16 bytes of page header.
const (
	metaHeader   = 16
	metaMagic    = 0xED0CDAED
	metaPageSize = 8  // offset of the page size
	metaSum      = 56 // offset of the FNV-1a sum of all before it
	metaLength   = 64
)

// rewriteMetas writes both meta pages with their own bytes and syncs them. When
// a process died after a failed sync, the page cache may show a meta page that
// is not on the disk and that no later sync would write; now it is, or the
// error comes out here. It touches a file only if one of its meta pages is
// valid.
func rewriteMetas(f *os.File) error {
	size, ok := pageSize(f)
	if !ok {
		return nil // bbolt will refuse it
	}
	pages := make([]byte, 2*size)
	if _, err := f.ReadAt(pages, 0); err != nil {
		return fmt.Errorf("reading the meta pages: %w", err)
	}
	if _, err := f.WriteAt(pages, 0); err != nil {
		return fmt.Errorf("rewriting the meta pages: %w", err)
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("syncing the meta pages: %w", err)
	}
	return nil
}

// pageSize finds the page size in whichever meta page is valid. The second one
// stands one page after the first.
func pageSize(f *os.File) (int, bool) {
	if size, ok := metaAt(f, 0); ok {
		return size, true
	}
	for size := 1 << 10; size <= 1<<24; size <<= 1 {
		if found, ok := metaAt(f, int64(size)); ok && found == size {
			return size, true
		}
	}
	return 0, false
}

// soundMetas tells a file of bbolt's of which both meta pages are valid. With
// only one, bbolt would quietly show the state before the last transaction. That
// can't come from a power cut: a meta fits into the first sector of its page,
// and a disk writes a sector whole or not at all.
func soundMetas(f *os.File) error {
	size, ok := pageSize(f)
	if !ok {
		return ErrForeign
	}
	for _, offset := range []int64{0, int64(size)} {
		if found, ok := metaAt(f, offset); !ok || found != size {
			return fmt.Errorf("%w: one of its two meta pages is broken, and with it the last change may be missing", ErrDamaged)
		}
	}
	return nil
}

func metaAt(f *os.File, offset int64) (size int, ok bool) {
	var page [metaHeader + metaLength]byte
	if _, err := f.ReadAt(page[:], offset); err != nil {
		return 0, false
	}
	meta := page[metaHeader:]
	sum := fnv.New64a()
	sum.Write(meta[:metaSum])
	size = int(binary.NativeEndian.Uint32(meta[metaPageSize:]))
	return size, binary.NativeEndian.Uint32(meta) == metaMagic &&
		binary.NativeEndian.Uint64(meta[metaSum:]) == sum.Sum64() &&
		size >= 1<<10 && size <= 1<<24 && size&(size-1) == 0
}

// create makes a new file complete and durable under another name before it
// gets its own, so that no crash leaves half a file there. If somebody else was
// first, theirs is used.
func create(path string) error {
	dir := filepath.Dir(path)
	if err := MakeDir(dir); err != nil {
		return err
	}
	temp, err := NewTemp(dir)
	if err != nil {
		return err
	}
	defer temp.Close()
	if err := fill(temp.Path("new")); err != nil {
		return err
	}
	return install(temp.Path("new"), path)
}

func fill(path string) error {
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: lockTimeout, FreelistType: bolt.FreelistMapType})
	if err != nil {
		return err
	}
	if err := errors.Join(initialise(db), db.Close()); err != nil {
		return err
	}
	return SyncPath(path)
}

// install gives a complete file its name, unless the name is taken.
func install(temp, path string) error {
	if err := os.Link(temp, path); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return SyncPath(filepath.Dir(path))
}

// MakeDir makes the directory, unless it is there, and what is missing above it, for the
// owner only and durable: what is synced in a directory is gone with that.
func MakeDir(dir string) error {
	above := filepath.Dir(dir)
	err := os.Mkdir(dir, 0o700)
	if errors.Is(err, os.ErrNotExist) && above != dir {
		if err := MakeDir(above); err != nil {
			return err
		}
		err = os.Mkdir(dir, 0o700)
	}
	switch info, there := os.Stat(dir); {
	case err == nil:
		return SyncPath(above)
	case there == nil && info.IsDir():
		_ = SyncPath(above) // who made it may have died before this, or it is none of ours
		return nil
	}
	return err
}

// SyncPath makes a file's content, or a directory's entries, durable.
func SyncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
