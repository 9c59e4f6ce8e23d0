package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// Errors that callers tell apart. Errors of opening come wrapped with the path.
var (
	// ErrStranger says that the sender of an event is no member. Nothing is stored.
	ErrStranger = errors.New("the sender is not a member")
	// ErrAway says that a message may not be said because it goes to a person who was
	// removed or has left.
	ErrAway = errors.New("the person is no member any more")
	// ErrClosed says that the store was closed before it took the event.
	ErrClosed = errors.New("the store is closed")
	// ErrDiskFull says that the disk, a quota or a size limit left no room. Nothing
	// is stored, and the same event may be tried again.
	ErrDiskFull = errors.New("no room on the disk")
	// ErrPanic says that the function of a transaction panicked. Nothing is stored.
	ErrPanic = errors.New("handling panicked")

	// ErrInUse says that another process has the file open.
	ErrInUse = errors.New("the file is in use by another process")
	// ErrNewer says that a newer version of this program wrote the file.
	ErrNewer = errors.New("the file was written by a newer version of ichido")
	// ErrOlder says that the file must be brought up to date before it can be read.
	ErrOlder = errors.New("the file is of an older version")
	// ErrForeign says that the file is not one of this program's.
	ErrForeign = errors.New("the file is not an Ichido ledger")
	// ErrDamaged says that the file cannot be trusted. It was not touched.
	ErrDamaged = errors.New("the file is damaged")
	// ErrUnverified says that looking at the file came to no end: the process that
	// did it was killed, or it took too long.
	ErrUnverified = errors.New("the file could not be verified")
)

// Options says how to open a file. The zero value is right for a server.
type Options struct {
	// Log is told what the machine room must know. Nil discards. It never gets
	// an event's content.
	Log *slog.Logger

	// Fatal is called, once, when a commit has failed in a way that leaves open
	// whether it happened, or when bbolt panicked. It must not return: nothing
	// may be answered any more, and only a new start can tell. Nil writes the error
	// to standard error and ends the process with status 70.
	Fatal func(error)

	// Inspector is the command that opens an existing file first, in a child
	// process, because damage can kill a process that opens it (see Inspect). The
	// path is appended. Nil means this executable with the argument "inspect".
	Inspector []string

	// ReadOnly opens an existing file without a write to it. Submit and Update
	// fail, and several processes can have the file open so.
	ReadOnly bool

	// NoSync leaves out all disk syncs: for tests whose subject they are not.
	NoSync bool

	// MaxSize limits the size of the file in bytes; 0 means no limit.
	MaxSize int

	// Now is the clock of all transactions; nil is time.Now. It is for a talk that
	// is played at another time than it tells of.
	Now func() time.Time
}

// Store is an open file. Its methods may be called by any number of goroutines.
type Store struct {
	path string
	opts Options
	db   *bolt.DB

	queue  chan *Submission
	closed chan struct{} // closed by Close: nothing is taken any more
	done   chan struct{} // closed when the writer has ended
	once   sync.Once

	// commit is held by the writer around each commit and by readers while they
	// begin: bbolt shows a transaction to readers before its last sync, and what
	// can be read must be durable.
	commit sync.RWMutex

	// inflight counts the submissions of each scope and key that have been
	// accepted and not answered. Lookup reads it.
	inflight struct {
		sync.Mutex
		count map[string]int
	}

	failing atomic.Pointer[error] // the error of the last commit, nil after a good one
}

// Open opens the file, or makes it if there is none. Errors wrap ErrInUse, ErrNewer,
// ErrForeign, ErrDamaged, ErrUnverified or, with ReadOnly, ErrOlder where one of them is
// the reason.
func Open(path string, opts Options) (*Store, error) {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	s := &Store{
		path:   path,
		opts:   opts,
		queue:  make(chan *Submission, maxBatch),
		closed: make(chan struct{}),
		done:   make(chan struct{}),
	}
	s.inflight.count = make(map[string]int)
	db, err := openFile(path, opts)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	s.db = db
	if !opts.ReadOnly {
		s.wipeIfErased()
	}
	go s.runWriter()
	return s, nil
}

// Path is the path that the store was opened with.
func (s *Store) Path() string { return s.path }

// Close waits for what the writer has taken, refuses everything else with
// ErrClosed and closes the file.
func (s *Store) Close() error {
	s.once.Do(func() { close(s.closed) })
	<-s.done
	if !s.opts.ReadOnly {
		if err := storeFreelist(s.db); err != nil {
			s.opts.Log.Warn("the next opening will take longer", "error", err)
		}
	}
	return s.db.Close()
}

// View calls fn with a reading transaction. What it reads is durable. It should
// be short: while it lasts, the pages that it sees cannot be used again.
func (s *Store) View(fn func(*Tx) error) error {
	s.commit.RLock()
	btx, err := s.db.Begin(false)
	s.commit.RUnlock()
	if errors.Is(err, bolterrors.ErrDatabaseNotOpen) {
		return ErrClosed
	} else if err != nil {
		return fmt.Errorf("beginning to read: %w", err)
	}
	defer btx.Rollback()
	return fn(&Tx{btx: btx, now: s.now()})
}

// State is what Lookup knows about an event.
type State int

// NotFound is not "not saved": an event that is still on its way to this
// program is not found either. Sending the same content with the same key is
// always safe.
const (
	NotFound   State = iota
	InProgress       // accepted, not yet on the disk
	Found
)

// Lookup says what became of the event with the key. The receipt is only there
// for Found, and then it is durable.
func (s *Store) Lookup(scope, key string) (Receipt, State, error) {
	s.inflight.Lock()
	busy := s.inflight.count[string(scopedKey(scope, key))] > 0
	s.inflight.Unlock()
	var found *Receipt
	err := s.View(func(tx *Tx) (err error) {
		found, err = tx.receiptByKey(scope, key)
		return err
	})
	switch {
	case err != nil:
		return Receipt{}, NotFound, err
	case found != nil:
		return *found, Found, nil
	case busy:
		return Receipt{}, InProgress, nil
	}
	return Receipt{}, NotFound, nil
}

// Probe sends an empty transaction through the writer and returns when it has
// passed, or with the context's error. After a failed write it writes for real,
// so that the store is well again as soon as the disk is.
func (s *Store) Probe(ctx context.Context) error {
	passed := make(chan error, 1)
	go func() {
		passed <- s.Update(ctx, func(tx *Tx) error {
			if s.Failing() == nil {
				return nil
			}
			return tx.put(bucketMeta, metaSchema, schemaValue(schema))
		})
	}()
	select {
	case err := <-passed:
		return err
	case <-ctx.Done():
		return ctx.Err() // the writer may hang in a sync, where nothing reaches it
	}
}

// Failing returns the error of the last commit, or nil if it was good.
func (s *Store) Failing() error {
	if err := s.failing.Load(); err != nil {
		return *err
	}
	return nil
}

// Size returns the size of the file in bytes.
func (s *Store) Size() (int64, error) {
	info, err := os.Stat(s.path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (s *Store) now() time.Time {
	if s.opts.Now != nil {
		return wholeMillis(s.opts.Now())
	}
	return now()
}

func now() time.Time { return wholeMillis(time.Now()) }

// wholeMillis is the time as the file can keep it.
func wholeMillis(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }
