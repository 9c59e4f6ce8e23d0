package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// maxBatch is the most submissions that share one commit.
const maxBatch = 512

// maxKey is the longest ID of an event in bytes; no door makes longer ones.
const maxKey = 1024

// Leave is returned by the function of Submit to say that the event is none of
// ours: no receipt and no key are stored, and Submit reports the outcome Left.
//
//lint:ignore ST1012 it is no failure, as fs.SkipDir is none
var Leave = errors.New("leave")

// Outcome says what Submit made of an event.
type Outcome int

// The outcomes. The zero value means that there was an error.
const (
	Recorded Outcome = iota + 1 // a new receipt
	Repeated                    // same key and digest: the receipt of the first time, nothing done
	Conflict                    // same key and another digest: refused; the receipt of the first time
	Left                        // the caller's function returned Leave
)

// String names the outcome for logs.
func (o Outcome) String() string {
	return [...]string{"failed", "recorded", "repeated", "conflict", "left"}[o]
}

// Digest is a fingerprint of the fields of an event that decide its effect: one
// byte of version and a SHA-256.
type Digest []byte

// NewDigest makes the digest of the fields. Equal lists of fields, and only
// those, have equal digests.
func NewDigest(fields ...string) Digest {
	h := sha256.New()
	var length [8]byte
	for _, field := range fields {
		binary.BigEndian.PutUint64(length[:], uint64(len(field)))
		h.Write(length[:])
		h.Write([]byte(field))
	}
	return h.Sum([]byte{1})
}

// Request is what identifies an event.
type Request struct {
	Scope  string // the door's name space, without zero bytes
	Key    string // the event's own ID; "" means that repeats cannot be known
	Digest Digest
	At     time.Time // the event's own time; never zero

	// Person is the sender as the door knows him, "" if the door can't tell. He must
	// be a member, unless Admit or Invite makes him one. Whom the door can't tell is
	// heard only with Admit, as nobody (member 0).
	Person string
	Admit  bool   // the configuration lets the person, or everybody in this chat, in
	Invite string // an invitation's code that the event brings; see NewInvite

	// MessageID, if there is one, names the message that the event is about, and
	// About says what it is to it. An event with another key that brings a known
	// message records nothing: it gets a receipt that points to the first one. A
	// message that the file holds may be unsent by anybody.
	MessageID string
	About     About
}

func (r *Request) check() error {
	switch {
	case max(len(r.Key), len(r.MessageID), len(r.Person)) > maxKey:
		return errors.New("an ID of the event is too long")
	case !inRange(r.At) || millis(r.At) == 0: // on the disk 0 is no time
		return errors.New("the event's time is out of range")
	}
	return nil
}

// Submission is an event on its way through the writer.
type Submission struct {
	req   *Request // nil: an Update
	apply func(*Tx) error
	state atomic.Int32 // waiting, taken or withdrawn

	store *Store
	name  string // key of the in-flight table, which guards it; "" when it is not there

	// Set before done is closed:
	receipt Receipt
	outcome Outcome
	err     error
	done    chan struct{}
}

const (
	waiting int32 = iota
	taken
	withdrawn
)

// Submit records an event exactly once. It looks the key up, then the member,
// and calls apply if the event is new; apply writes through its Tx only, because
// it may be called more than once. When Submit returns without error, receipt
// and all that apply wrote are on the disk.
//
// With outcome Repeated or Conflict nothing was done, and the receipt is the one
// of the first time. An error means that nothing is stored and that the same
// request may be sent again: ErrStranger, ErrDiskFull, ErrPanic, ErrClosed, what
// apply returned, or the context's error. The context counts only until the
// writer has taken the event.
func (s *Store) Submit(ctx context.Context, req Request, apply func(*Tx) error) (Receipt, Outcome, error) {
	return s.Enqueue(ctx, req, apply).Wait(ctx)
}

// Enqueue puts an event in the queue, for which it may have to wait, and does not
// wait for its handling. Events that one goroutine enqueues are handled in that
// order. The caller must call Wait.
func (s *Store) Enqueue(ctx context.Context, req Request, apply func(*Tx) error) *Submission {
	sub := &Submission{req: &req, apply: apply, store: s, done: make(chan struct{})}
	if err := req.check(); err != nil {
		sub.answer(Receipt{}, 0, err)
		return sub
	}
	if req.Key != "" {
		sub.name = string(scopedKey(req.Scope, req.Key))
		s.inflight.Lock()
		s.inflight.count[sub.name]++
		s.inflight.Unlock()
	}
	s.enqueue(ctx, sub)
	return sub
}

// Update runs fn in a writing transaction that is no event: it may write the outbox,
// parked events, members, invitations, facts and IDs of sent messages, but neither the
// ledger nor settings. The errors are those of Submit.
func (s *Store) Update(ctx context.Context, fn func(*Tx) error) error {
	sub := &Submission{apply: fn, store: s, done: make(chan struct{})}
	s.enqueue(ctx, sub)
	_, _, err := sub.Wait(ctx)
	return err
}

func (s *Store) enqueue(ctx context.Context, sub *Submission) {
	if s.opts.ReadOnly {
		s.finish(sub, Receipt{}, 0, errReadOnly)
		return
	}
	select {
	case <-s.closed:
		s.finish(sub, Receipt{}, 0, ErrClosed)
		return
	default:
	}
	select {
	case s.queue <- sub:
		select {
		case <-s.done:
			s.refuseQueued() // the writer may have looked before we sent
		default:
		}
	case <-ctx.Done():
		s.finish(sub, Receipt{}, 0, ctx.Err())
	case <-s.closed:
		s.finish(sub, Receipt{}, 0, ErrClosed)
	}
}

// Wait returns what became of the event. See Submit.
func (sub *Submission) Wait(ctx context.Context) (Receipt, Outcome, error) {
	select {
	case <-sub.done:
	case <-ctx.Done():
		if sub.state.CompareAndSwap(waiting, withdrawn) {
			sub.store.land(sub) // nothing will come of it
			return Receipt{}, 0, ctx.Err()
		}
		<-sub.done
	}
	return sub.receipt, sub.outcome, sub.err
}

func (sub *Submission) answer(r Receipt, o Outcome, err error) {
	sub.receipt, sub.outcome, sub.err = r, o, err
	close(sub.done)
}

// finish takes the submission out of the in-flight table and answers it. What
// was committed is durable by now, so that Lookup never sees it in neither place.
func (s *Store) finish(sub *Submission, r Receipt, o Outcome, err error) {
	s.land(sub)
	sub.answer(r, o, err)
}

// land takes the submission out of the in-flight table, if it is there.
func (s *Store) land(sub *Submission) {
	s.inflight.Lock()
	defer s.inflight.Unlock()
	if sub.name == "" {
		return
	}
	if s.inflight.count[sub.name]--; s.inflight.count[sub.name] == 0 {
		delete(s.inflight.count, sub.name)
	}
	sub.name = ""
}

// runWriter is the single writer. It takes one submission, lets other goroutines
// run so that callers can queue up, takes what waits and commits all of it at
// once. There is no timer: alone, a submission waits for nobody.
func (s *Store) runWriter() {
	for {
		var batch []*Submission
		select {
		case sub := <-s.queue:
			batch = append(batch, sub)
		case <-s.closed:
			close(s.done)
			s.refuseQueued()
			return
		}
		for range 3 {
			runtime.Gosched()
		}
		s.commitBatch(s.take(s.drain(batch)))
	}
}

func (s *Store) drain(batch []*Submission) []*Submission {
	for len(batch) < maxBatch {
		select {
		case sub := <-s.queue:
			batch = append(batch, sub)
		default:
			return batch
		}
	}
	return batch
}

// take drops the submissions whose callers have gone.
func (s *Store) take(batch []*Submission) []*Submission {
	kept := batch[:0]
	for _, sub := range batch {
		if sub.state.CompareAndSwap(waiting, taken) {
			kept = append(kept, sub)
		} else {
			s.finish(sub, Receipt{}, 0, context.Canceled)
		}
	}
	return kept
}

// refuseQueued answers what was put in the queue while the store was closing.
// The writer does it after it has closed done; who sends later sees done closed
// and does it too.
func (s *Store) refuseQueued() {
	for {
		select {
		case sub := <-s.queue:
			s.finish(sub, Receipt{}, 0, ErrClosed)
		default:
			return
		}
	}
}

// result is the outcome of one submission in a batch that is not yet committed.
type result struct {
	receipt Receipt
	outcome Outcome
	err     error
	erased  bool // all was forgotten
}

// stored says whether what the submission wrote may be committed.
func (r result) stored() bool { return r.err == nil && r.outcome != Left }

// commitBatch handles the submissions in one transaction. One that has written
// and fails or leaves is taken out, and the others begin again without it.
func (s *Store) commitBatch(batch []*Submission) {
	for len(batch) > 0 {
		results, failed, err := s.tryBatch(batch)
		if err != nil {
			for _, sub := range batch {
				s.finish(sub, Receipt{}, 0, err)
			}
			return
		}
		if failed < 0 {
			erased := false
			for i, sub := range batch {
				s.finish(sub, results[i].receipt, results[i].outcome, results[i].err)
				erased = erased || results[i].erased
			}
			if erased {
				s.wipeIfErased()
			}
			return
		}
		s.finish(batch[failed], Receipt{}, results[failed].outcome, results[failed].err)
		batch = append(batch[:failed:failed], batch[failed+1:]...)
	}
}

// tryBatch runs the batch in one transaction and commits it. failed is the index
// of a submission that made the transaction unusable, or -1. err is an error of
// the disk, after which nothing of the batch is stored.
func (s *Store) tryBatch(batch []*Submission) (results []result, failed int, err error) {
	btx := s.begin()
	at := s.now()
	wrote := false
	var after []func()
	results = make([]result, len(batch))
	for i, sub := range batch {
		tx := &Tx{btx: btx, now: at}
		results[i] = s.handle(tx, sub)
		if !results[i].stored() && tx.writes > 0 {
			s.rollback(btx)
			return results, i, nil
		}
		wrote = wrote || tx.writes > 0
		if results[i].stored() {
			after = append(after, tx.after...)
		}
	}
	if !wrote {
		s.rollback(btx)
	} else if err := s.commitTx(btx); err != nil {
		return results, -1, err
	}
	for _, fn := range after {
		fn()
	}
	return results, -1, nil
}

// handle runs one submission in the batch's transaction. A panic of the caller's
// function becomes an error.
func (s *Store) handle(tx *Tx, sub *Submission) (res result) {
	defer func() {
		if p := recover(); p != nil {
			s.opts.Log.Error("handling an event panicked", "stack", string(debug.Stack()))
			res = result{err: ErrPanic}
		}
	}()
	if sub.req == nil {
		return result{err: sub.apply(tx)}
	}
	receipt, outcome, err := tx.submit(*sub.req, sub.apply)
	if errors.Is(err, Leave) {
		return result{outcome: Left}
	} else if err != nil {
		return result{err: err}
	}
	return result{receipt: *receipt, outcome: outcome, erased: tx.erased}
}

func (s *Store) begin() *bolt.Tx {
	defer s.fatalPanic("beginning a transaction")
	btx, err := s.db.Begin(true)
	if err != nil {
		s.fatal(fmt.Errorf("beginning a transaction: %w", err))
	}
	return btx
}

func (s *Store) rollback(btx *bolt.Tx) {
	defer s.fatalPanic("rolling back")
	if err := btx.Rollback(); err != nil {
		s.fatal(fmt.Errorf("rolling back: %w", err))
	}
}

// commitTx commits, and returns only if the transaction is on the disk or
// certainly is not.
func (s *Store) commitTx(btx *bolt.Tx) error {
	defer s.fatalPanic("committing")
	id := btx.ID()
	s.commit.Lock()
	err := btx.Commit()
	if err != nil && (!nothingWritten(err) || s.visible(id)) {
		s.fatal(fmt.Errorf("committing: %w", err)) // readers stay locked out
	}
	s.commit.Unlock()
	if err != nil {
		s.opts.Log.Error("committing failed; nothing of it was stored", "error", err)
		err = fmt.Errorf("committing: %w (%v)", ErrDiskFull, err)
		s.failing.Store(&err)
		return err
	}
	s.failing.Store(nil)
	return nil
}

// visible says whether a transaction that reported an error can be read all the
// same.
func (s *Store) visible(id int) bool {
	btx, err := s.db.Begin(false)
	if err != nil {
		return true
	}
	defer btx.Rollback()
	return btx.ID() >= id
}

// nothingWritten says of an error of Commit that the transaction certainly did
// not happen and that the file can be used on. These are the errors of finding
// room, which come before the meta page is written. After any other, a failed
// sync above all, the transaction may be visible, or come back, or not.
func nothingWritten(err error) bool {
	if errors.Is(err, bolterrors.ErrMaxSizeReached) || strings.HasPrefix(err.Error(), "file resize error:") {
		return true
	}
	var path *os.PathError
	return errors.As(err, &path) && path.Op == "write" &&
		(errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG))
}

// fatalPanic turns a panic inside bbolt, which never releases its lock then,
// into the end.
func (s *Store) fatalPanic(doing string) {
	if p := recover(); p != nil {
		s.fatal(fmt.Errorf("%s: bbolt panicked: %v", doing, p))
	}
}

// fatal ends the process and never returns.
func (s *Store) fatal(err error) {
	if s.opts.Fatal != nil {
		s.opts.Fatal(err)
	} else {
		fmt.Fprintf(os.Stderr, "ichido: %v\nhint: the disk can't be trusted now; starting again tells what is stored\n", err)
		os.Exit(70)
	}
	select {}
}
