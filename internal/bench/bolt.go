package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	bolt "go.etcd.io/bbolt"
)

var boltUpdate = contestant{
	name:  "bbolt, `Update`",
	about: "looks the key up and puts key and row, in a transaction of its own; the options are those that Ichido gives bbolt",
	start: func(s setting) (ledger, error) { return startBolt(s, (*bolt.DB).Update) },
}

var boltBatch = contestant{
	name:  "bbolt, `Batch`",
	about: "the same through `Batch`, which waits up to 10 ms for others to share the commit with (its default)",
	start: func(s setting) (ledger, error) { return startBolt(s, (*bolt.DB).Batch) },
}

// receipt and row are the two things that every contestant but Ichido stores.
type receipt struct {
	Number uint64
	Digest [32]byte
	At     time.Time
}

type row struct {
	Receipt  uint64
	Date     string
	Amount   int
	Item     string
	Category string
	Member   string
}

// eventID is as long as LINE's.
func eventID(n int) string { return fmt.Sprintf("01KBA%021d", n) }

func lunch(number uint64) row {
	return row{number, "2026-11-30", 900, "ランチ", "食費", "U0123456789abcdef0123456789abcdef"}
}

func startBolt(s setting, transact func(*bolt.DB, func(*bolt.Tx) error) error) (ledger, error) {
	db, err := bolt.Open(filepath.Join(s.dir, "bolt.db"), 0o600, &bolt.Options{
		FreelistType: bolt.FreelistMapType, NoFreelistSync: true, InitialMmapSize: 1 << 30,
	})
	if err != nil {
		return nil, err
	}
	receipts, rows := []byte("receipts"), []byte("rows")
	err = db.Update(func(tx *bolt.Tx) error {
		if _, err := tx.CreateBucket(receipts); err != nil {
			return err
		}
		_, err := tx.CreateBucket(rows)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &opened{
		record: func(n int) error {
			return transact(db, func(tx *bolt.Tx) error {
				return putBoth(tx.Bucket(receipts), tx.Bucket(rows), eventID(n))
			})
		},
		rows: func() (n int, err error) {
			err = db.View(func(tx *bolt.Tx) error {
				n = tx.Bucket(rows).Stats().KeyN
				return nil
			})
			return n, err
		},
		shut: db.Close,
	}, nil
}

// putBoth records the event, if it is new.
func putBoth(receipts, rows *bolt.Bucket, id string) error {
	if receipts.Get([]byte(id)) != nil {
		return nil
	}
	number, err := receipts.NextSequence()
	if err != nil {
		return err
	}
	value, err := json.Marshal(receipt{Number: number, At: time.Now()})
	if err != nil {
		return err
	}
	if err := receipts.Put([]byte(id), value); err != nil {
		return err
	}
	if value, err = json.Marshal(lunch(number)); err != nil {
		return err
	}
	rows.FillPercent = 0.9 // they come in order
	return rows.Put(binary.BigEndian.AppendUint64([]byte("20261130"), number), value)
}
