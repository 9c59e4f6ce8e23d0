package store

import (
	"encoding/binary"
	"fmt"

	bolt "go.etcd.io/bbolt"
)

// migrations[v] turns a file of schema v into one of schema v+1. A released
// schema's entry is never changed: files of that schema exist.
var migrations = map[uint32]func(*Tx) error{}

func schemaOf(db *bolt.DB) (version uint32, err error) {
	err = db.View(func(btx *bolt.Tx) error {
		if err := checkSchema(btx); err != nil {
			return err
		}
		value, err := (&Tx{btx: btx}).get(bucketMeta, metaSchema)
		if err == nil {
			version = binary.BigEndian.Uint32(value)
		}
		return err
	})
	return version, err
}

// migrate brings an older file up to date, all steps in one transaction. A failure
// needs no exit 70: nothing has been promised yet, and the next opening verifies
// the file again.
func migrate(db *bolt.DB) error {
	version, err := schemaOf(db)
	if err != nil || version == schema {
		return err
	}
	return db.Update(func(btx *bolt.Tx) error {
		tx := &Tx{btx: btx, now: now()}
		for ; version < schema; version++ {
			step, ok := migrations[version]
			if !ok {
				return fmt.Errorf("there is no way from schema %d", version)
			}
			if err := step(tx); err != nil {
				return fmt.Errorf("migrating from schema %d: %w", version, err)
			}
		}
		return tx.put(bucketMeta, metaSchema, schemaValue(schema))
	})
}
