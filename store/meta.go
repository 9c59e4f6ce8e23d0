package store

import (
	"encoding/binary"
	"time"

	"github.com/google/uuid"
	bolt "go.etcd.io/bbolt"
)

// The meta bucket holds "schema", the version of the layout as 4 bytes, and "program", that
// of the program that wrote it first; "file",
// 16 random bytes that tell this household's file from any other; "owner", the
// member who is the owner, unless it is the first; only in a copy that no server has
// opened yet, "copy", when the copy was made; after all was erased, "erased", the time up to
// which nothing that was sent counts any more, and until the file has been written anew,
// "wipe" (erase.go); and the facts (facts.go).

func schemaValue(version uint32) []byte { return binary.BigEndian.AppendUint32(nil, version) }

// initialise makes the buckets of a new file.
func initialise(db *bolt.DB) error {
	return db.Update(func(btx *bolt.Tx) error {
		for _, name := range buckets {
			if _, err := btx.CreateBucket(name); err != nil {
				return err
			}
		}
		tx := &Tx{btx: btx}
		id := uuid.New()
		if err := tx.put(bucketMeta, metaFile, id[:]); err != nil {
			return err
		}
		return tx.putSchema()
	})
}

// FileID is a random ID that the file got when it was made.
func (tx *Tx) FileID() (uuid.UUID, error) {
	value, err := tx.get(bucketMeta, metaFile)
	if err != nil {
		return uuid.Nil, err
	}
	return uuid.FromBytes(value)
}

// numbersSince is how many receipt numbers a file leaves out that is restored from a copy
// of that time, so that a number that somebody has seen since never means something else:
// more than a household needs, also after an earlier restore of the same copy.
func numbersSince(copied, now time.Time) uint64 {
	return 1000 + uint64(max(0, now.Sub(copied)/time.Minute))
}

// CopiedAt returns when this file was copied from another one and true, if no
// server has resumed from it yet.
func (tx *Tx) CopiedAt() (time.Time, bool, error) {
	value, err := tx.get(bucketMeta, metaCopy)
	if value == nil || err != nil {
		return time.Time{}, false, err
	}
	return parseMillis(value), true, nil
}

// Resume makes a copy into the file that the household goes on with: what was
// unsent may have been sent since the copy was made and becomes Unknown, an
// invitation may have been used and access revoked, so that neither opens anything,
// some receipt numbers are left out, the mark is removed.
func (tx *Tx) Resume() error {
	var unsent []Outgoing
	err := tx.PendingOutgoing(func(o Outgoing) error {
		unsent = append(unsent, o)
		return nil
	})
	if err != nil {
		return err
	}
	for _, o := range unsent {
		o.State = Unknown
		if err := tx.PutOutgoing(o); err != nil {
			return err
		}
	}
	if err := tx.dropInvites(tx.now.Add(InviteTime)); err != nil {
		return err
	}
	if _, err := tx.deleteAccess(func(Access) bool { return true }); err != nil {
		return err
	}
	copied, marked, err := tx.CopiedAt()
	if err != nil {
		return err
	}
	if !marked {
		copied = tx.now
	}
	receipts := tx.btx.Bucket(bucketReceipts)
	if err := receipts.SetSequence(receipts.Sequence() + numbersSince(copied, tx.now)); err != nil {
		return err
	}
	return tx.delete(bucketMeta, metaCopy)
}

func markCopy(btx *bolt.Tx, at time.Time) error {
	tx := &Tx{btx: btx}
	return tx.put(bucketMeta, metaCopy, appendMillis(nil, at))
}
