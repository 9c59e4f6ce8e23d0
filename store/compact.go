package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"
)

// compactStep is how much is written in one transaction, in bytes of records: it
// all stands in memory.
const compactStep = 16 << 20

// Compact rewrites a closed file without its unused pages, in which there may still
// stand what was scrubbed. It is the same file afterwards, and smaller. It is
// verified before and after. What fails, or is cut off anywhere, leaves the old file
// or the new one and never a part. The temporary files beside it that nobody uses are
// removed, as they may hold the same. While somebody has it open, the error is ErrInUse.
func Compact(ctx context.Context, path string, inspector []string) error {
	if err := compact(ctx, path, inspector); err != nil {
		return fmt.Errorf("compacting %s: %w", path, err)
	}
	return nil
}

func compact(ctx context.Context, path string, inspector []string) error {
	named := path
	path, err := filepath.EvalSymlinks(path) // the file is replaced, not a link to it
	if err != nil {
		return err
	}
	if err := CheckFile(ctx, path, inspector); err != nil {
		return err
	}
	// Whoever opens the file meanwhile finds it locked, and afterwards finds that
	// the path no longer names it.
	db, err := openBolt(path, Options{})
	if err != nil {
		return translate(err)
	}
	defer db.Close()
	if version, err := schemaOf(db); err != nil {
		return err
	} else if version < schema {
		return ErrOlder
	}
	removeLeftovers(filepath.Dir(named)) // copies of it, by who was killed
	removeLeftovers(filepath.Dir(path))
	temp, err := NewTemp(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer temp.Close()
	written := temp.Path("compact")
	if err := rewrite(db, written); err != nil && nothingWritten(err) {
		return fmt.Errorf("%w: %v", ErrDiskFull, err)
	} else if err != nil {
		return err
	}
	if err := giveTo(written, path); err != nil {
		return err
	}
	if err := CheckFile(ctx, written, inspector); err != nil {
		return fmt.Errorf("what was written is not sound: %w", err)
	}
	if err := os.Rename(written, path); err != nil {
		return err
	}
	return SyncPath(filepath.Dir(path))
}

// rewrite copies all records and sequences to the file at the path, which must be
// empty, and makes it durable.
func rewrite(db *bolt.DB, path string) error {
	small, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: lockTimeout, FreelistType: bolt.FreelistMapType, NoSync: true})
	if err != nil {
		return err
	}
	err = bolt.Compact(small, db, compactStep)
	var size int64
	if err == nil {
		err = small.View(func(btx *bolt.Tx) error { size = btx.Size(); return nil })
	}
	if err := errors.Join(err, small.Close()); err != nil {
		return err
	}
	if err := os.Truncate(path, size); err != nil { // bbolt has made it larger, for growth
		return err
	}
	return SyncPath(path)
}
