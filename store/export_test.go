package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"

	bolt "go.etcd.io/bbolt"
)

// LivePages gives the bytes of all pages of a closed file that are in use.
func LivePages(path string) (live []byte, err error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	db, err := bolt.Open(path, 0, &bolt.Options{ReadOnly: true, Timeout: lockTimeout, PreLoadFreelist: true})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	err = db.View(func(btx *bolt.Tx) error {
		size := db.Info().PageSize
		for id := 0; ; {
			info, err := btx.Page(id)
			if info == nil || err != nil {
				return err
			}
			pages := 1
			if info.Type != "free" {
				pages += info.OverflowCount
				live = append(live, content[id*size:(id+pages)*size]...)
			}
			id += pages
		}
	})
	return live, err
}

// SetMigration lets the step from the schema be another one until undo is called.
func SetMigration(from uint32, step func(*Tx) error) (undo func()) {
	before := migrations[from]
	migrations[from] = step
	return func() {
		if migrations[from] = before; before == nil {
			delete(migrations, from)
		}
	}
}

// Age lets the closed file say that it is of the schema, by the program, and lack the
// bucket if one is named.
func Age(path string, version uint32, program, lacks string) error {
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: lockTimeout})
	if err != nil {
		return err
	}
	err = db.Update(func(btx *bolt.Tx) error {
		tx := &Tx{btx: btx}
		if lacks != "" {
			if err := btx.DeleteBucket([]byte(lacks)); err != nil {
				return err
			}
		}
		return errors.Join(tx.put(bucketMeta, metaSchema, schemaValue(version)), tx.put(bucketMeta, metaProgram, []byte(program)))
	})
	return errors.Join(err, db.Close())
}

// Schema is that of the program, and CreateBucket what a step may do.
const Schema = schema

func (tx *Tx) CreateBucket(name string) error {
	_, err := tx.btx.CreateBucket([]byte(name))
	return err
}

// Break lets a balance be another one than its rows say.
func (tx *Tx) Break() error {
	accounts, err := tx.Accounts()
	if err != nil {
		return err
	}
	accounts[0].Balance++
	return tx.putAccount(accounts[0])
}

// PhantomPage gives a sound leaf page with the receipt, as a transaction that never became
// durable may have left it on a page that is not in use.
func PhantomPage(id uint64, r *Receipt) []byte {
	key := numberKey(r.Number)
	value := seal(bucketReceipts, key, encode(toReceiptRecord(r)))
	page := make([]byte, 4096)
	binary.NativeEndian.PutUint64(page, id)
	binary.NativeEndian.PutUint16(page[8:], leafFlag)
	binary.NativeEndian.PutUint16(page[10:], 1)
	for i, n := range []int{elementSize, len(key), len(value)} {
		binary.NativeEndian.PutUint32(page[pageHeader+4+4*i:], uint32(n))
	}
	copy(page[pageHeader+elementSize:], append(key, value...))
	return page
}

// CopyAsKilled copies the file as a process leaves it that is killed now: with what
// has been committed, whether that is synced or not.
func (s *Store) CopyAsKilled(to string) error {
	s.commit.RLock()
	defer s.commit.RUnlock()
	content, err := os.ReadFile(s.path)
	if err != nil {
		return err
	}
	if err := os.WriteFile(to, bytes.TrimRight(content, "\x00"), 0o600); err != nil {
		return err
	}
	return os.Truncate(to, int64(len(content)))
}
