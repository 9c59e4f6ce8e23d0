package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	bolt "go.etcd.io/bbolt"

	"ichido/internal/version"
)

// migrations[v] turns a file of schema v into one of schema v+1. A released
// schema's entry is never changed: files of that schema exist.
var migrations = map[uint32]func(*Tx) error{}

// checkSchema tells an Ichido file of a version that this program understands from all
// others, and returns its version. What one of the present version must have, it has.
func checkSchema(btx *bolt.Tx) (uint32, error) {
	if btx.Bucket(bucketMeta) == nil {
		return 0, ErrForeign
	}
	tx := &Tx{btx: btx}
	value, err := tx.get(bucketMeta, metaSchema)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%w: %v", ErrDamaged, err)
	case len(value) != 4:
		return 0, ErrForeign
	}
	found := binary.BigEndian.Uint32(value)
	if found > schema {
		by, err := tx.get(bucketMeta, metaProgram)
		if err != nil || len(by) == 0 {
			by = []byte("unknown")
		}
		return found, fmt.Errorf("%w: version %s with schema %d; this is version %s, which knows schema %d", ErrNewer, by, found, version.String(), schema)
	}
	for _, name := range buckets {
		if found == schema && btx.Bucket(name) == nil {
			return found, fmt.Errorf("%w: the part %q is missing", ErrDamaged, name)
		}
	}
	return found, nil
}

func schemaOf(db *bolt.DB) (found uint32, err error) {
	err = db.View(func(btx *bolt.Tx) error {
		found, err = checkSchema(btx)
		return err
	})
	return found, err
}

// putSchema notes the present schema and which program has written it.
func (tx *Tx) putSchema() error {
	return errors.Join(tx.put(bucketMeta, metaSchema, schemaValue(schema)), tx.put(bucketMeta, metaProgram, []byte(version.String())))
}

// update brings a closed file of an older schema up to date, all steps at once: in a copy
// beside it, which counts when every invariant of the present schema holds in it. The file
// as it was is kept under the name that update returns.
func update(path string, old uint32, opts Options) (kept string, err error) {
	ctx := context.Background()
	// Whoever opens the file meanwhile finds it locked, and afterwards finds that the path
	// no longer names it.
	locked, err := lock(path, os.O_RDWR, 0)
	if err != nil {
		return "", err
	}
	defer locked.Close()
	dir, err := NewTemp(filepath.Dir(path))
	if err != nil {
		return "", err
	}
	defer dir.Close()
	if err := copyFile(ctx, path, dir); err != nil {
		return "", err
	}
	copied := dir.Path("copy")
	if err := giveTo(copied, path); err != nil {
		return "", err
	}
	if err := migrate(copied); err != nil {
		return "", err
	}
	if err := CheckFile(ctx, copied, opts.Inspector); err != nil {
		return "", fmt.Errorf("after migrating from schema %d: %w", old, err)
	}
	kept = fmt.Sprintf("%s.schema%d-%s", path, old, time.Now().Format("20060102-150405"))
	if err := os.Link(path, kept); err != nil {
		return "", err
	}
	if err := os.Rename(copied, path); err != nil {
		return "", errors.Join(err, os.Remove(kept))
	}
	return kept, SyncPath(filepath.Dir(path))
}

// migrate makes the steps in the file, in one transaction, and makes them durable.
func migrate(path string) error {
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: lockTimeout, FreelistType: bolt.FreelistMapType})
	if err != nil {
		return translate(err)
	}
	err = db.Update(func(btx *bolt.Tx) error {
		found, err := checkSchema(btx)
		if err != nil {
			return err
		}
		tx := &Tx{btx: btx, now: now()}
		for ; found < schema; found++ {
			step, ok := migrations[found]
			if !ok {
				return fmt.Errorf("there is no way from schema %d", found)
			}
			if err := step(tx); err != nil {
				return fmt.Errorf("migrating from schema %d: %w", found, err)
			}
		}
		return tx.putSchema()
	})
	return errors.Join(err, db.Close())
}
