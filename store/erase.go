package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
	bolt "go.etcd.io/bbolt"
)

// ErrNotOwner says that only the owner may do that.
var ErrNotOwner = errors.New("only the owner may do that")

// keptFacts are those that tell of the machine and not of the household.
var keptFacts = [][]byte{factKey(FactInviteLink), factKey(FactWebAddress)}

// Erase forgets all that the file holds but the owner, who must be the sender of the
// event: it becomes a fresh file of another ID that goes on with the numbers of the old
// one. What remains of the event is its own receipt, and what it says after this. What was
// sent before the event does not count any more, whenever it is delivered: Submit reports
// Left.
//
// Soon after it is on the disk, the file is written anew, so that what was forgotten is
// not in its unused pages either; if that fails, at the next opening.
func (tx *Tx) Erase() error {
	if tx.receipt == nil {
		return errNoEvent
	}
	if owner, ok, err := tx.Owner(); err != nil {
		return err
	} else if !ok || owner.ID != tx.member.ID {
		return ErrNotOwner
	}
	for _, name := range buckets {
		if bytes.Equal(name, bucketMeta) {
			continue
		}
		if err := empty(tx.btx, name); err != nil {
			return fmt.Errorf("emptying %s: %w", name, err)
		}
	}
	if err := tx.forgetFacts(); err != nil {
		return err
	}
	if err := tx.put(bucketPersons, []byte(tx.member.Person), id4(tx.member.ID)); err != nil {
		return err
	}
	id := uuid.New()
	tx.message, tx.history = Message{}, nil
	tx.erased = true
	return errors.Join(
		tx.putMember(tx.member), tx.SetOwner(tx.member.ID), tx.put(bucketMeta, metaFile, id[:]),
		tx.put(bucketMeta, metaErased, appendMillis(nil, tx.receipt.At)), tx.put(bucketMeta, metaWipe, nil),
	)
}

// empty takes all out of the bucket but the last number that it has given out.
func empty(btx *bolt.Tx, name []byte) error {
	last := btx.Bucket(name).Sequence()
	if err := btx.DeleteBucket(name); err != nil {
		return err
	}
	b, err := btx.CreateBucket(name)
	if err != nil {
		return err
	}
	return b.SetSequence(last)
}

func (tx *Tx) forgetFacts() error {
	var gone [][]byte
	err := tx.scan(bucketMeta, factKey(""), prefixEnd(factKey("")), func(key, _ []byte) error {
		if !slices.ContainsFunc(keptFacts, func(kept []byte) bool { return bytes.Equal(kept, key) }) {
			gone = append(gone, bytes.Clone(key))
		}
		return nil
	})
	for _, key := range gone {
		err = errors.Join(err, tx.delete(bucketMeta, key))
	}
	return err
}

// beforeErasing says whether the event is of the time before all was forgotten.
func (tx *Tx) beforeErasing(req Request) (bool, error) {
	value, err := tx.get(bucketMeta, metaErased)
	return value != nil && !wholeMillis(req.At).After(parseMillis(value)), err
}

// mustWipe says whether what was forgotten may still stand in unused pages.
func (tx *Tx) mustWipe() (bool, error) {
	value, err := tx.get(bucketMeta, metaWipe)
	return value != nil, err
}

// wipeIfErased writes the file anew if all in it was forgotten since that was done last.
// Only the writer calls it, or who has just opened the file.
func (s *Store) wipeIfErased() {
	must := false
	err := s.View(func(tx *Tx) (err error) {
		must, err = tx.mustWipe()
		return err
	})
	if err == nil && must {
		err = s.rewriteOpen()
	}
	if err == nil && must {
		err = s.forgetWipe()
	}
	if err != nil {
		s.opts.Log.Error("what was erased may still stand in unused pages of the file, until it is opened again", "error", err)
	}
}

// rewriteOpen is Compact for the open file. Meanwhile nobody begins to read, and who reads
// is waited for.
func (s *Store) rewriteOpen() error {
	s.commit.Lock()
	err := errors.Join(storeFreelist(s.db), s.db.Close())
	if err == nil {
		err = compact(context.Background(), s.path, s.opts.Inspector)
	}
	db, opening := openBolt(s.path, s.opts)
	if opening != nil {
		s.fatal(fmt.Errorf("opening the file again: %w", translate(opening))) // readers stay locked out
	}
	s.db = db
	s.commit.Unlock()
	return err
}

func (s *Store) forgetWipe() error {
	btx := s.begin()
	tx := &Tx{btx: btx, now: s.now()}
	if err := tx.delete(bucketMeta, metaWipe); err != nil {
		s.rollback(btx)
		return err
	}
	return s.commitTx(btx)
}
