package backups

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"filippo.io/age"

	"ichido/store"
)

// Plan says which backups are made. Dir is required.
type Plan struct {
	Dir  string
	At   time.Duration // of the day, from midnight by the household's clock
	Zone *time.Location
	Keep Keep

	Recipients []age.Recipient // none: not encrypted
	Hook       string          // a command for the shell after each backup; "" for none
	HookOutput io.Writer       // gets what the command says; nil discards
}

// Config is what a Keeper needs. Store and Plan are required.
type Config struct {
	Store *store.Store
	Plan  Plan
	Log   *slog.Logger // nil discards

	// Tell tells the owner that backups fail, and of when the last good one is; the zero
	// time is that of none. made says that there is a good one all the same, and that what
	// is done with it has failed. It is called after each failure, and tells but once a day.
	Tell func(ctx context.Context, last time.Time, made bool)
}

// Keeper makes backups by its plan.
type Keeper struct {
	Config

	mu      sync.Mutex
	status  Status
	version uint64  // of the file, when the last backup was made; 0 for none
	untaken *Backup // the last one, as long as the command has not taken it elsewhere
}

// Status says how backups are going.
type Status struct {
	Dir     string    `json:"dir"`
	Last    *Backup   `json:"last,omitempty"` // the last good one; nil for none
	Next    time.Time `json:"next,omitzero"`
	Since   time.Time `json:"since,omitzero"`    // of the one that is being made
	Failure string    `json:"failure,omitempty"` // of the last attempt, "" for none
	Failed  time.Time `json:"failed,omitzero"`
}

const (
	retryTime = time.Hour      // after a failure, until the next attempt
	longTime  = 2 * time.Hour  // an attempt that takes longer has failed, though it may go on
	overdue   = 24 * time.Hour // a last backup of that age is made up for at once
	hookTime  = 1 * time.Hour  // the command may take
)

// New makes a Keeper.
func New(c Config) *Keeper {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Tell == nil {
		c.Tell = func(context.Context, time.Time, bool) {}
	}
	if c.Plan.HookOutput == nil {
		c.Plan.HookOutput = io.Discard
	}
	k := &Keeper{Config: c}
	if dir, err := filepath.Abs(c.Plan.Dir); err == nil { // who asks may stand elsewhere
		k.Plan.Dir = dir
	}
	k.status.Dir = k.Plan.Dir
	return k
}

// Status says how it is going.
func (k *Keeper) Status() Status {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.status
}

func (k *Keeper) note(change func(*Status)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	change(&k.status)
}

// Run makes backups until ctx ends: one each day at the hour, one at once if the last one
// is too old, and after a failure one each hour.
func (k *Keeper) Run(ctx context.Context) {
	all, err := k.list()
	if err != nil {
		k.Log.Warn("the backups that are there can't be listed", "error", err)
	}
	next := time.Now()
	if len(all) > 0 {
		k.note(func(s *Status) { s.Last = &all[0] })
		if next.Sub(all[0].At) < overdue {
			next = k.Plan.next(next)
		}
	}
	for {
		k.note(func(s *Status) { s.Next = next })
		timer := time.NewTimer(time.Until(next))
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
		next = k.Plan.next(time.Now())
		if err := k.attempt(ctx); err != nil && ctx.Err() == nil {
			retry := time.Now().Add(retryTime)
			if retry.Before(next) {
				next = retry
			}
		}
	}
}

// list returns the backups of this household, the newest first.
func (k *Keeper) list() ([]Backup, error) {
	household := ""
	err := k.Store.View(func(tx *store.Tx) error {
		id, err := tx.FileID()
		household = id.String()
		return err
	})
	if err != nil {
		return nil, err
	}
	all, err := List(k.Plan.Dir)
	return of(household, all), err
}

// next is when the next backup after the time is to be made: at the hour of a day that has
// not come yet, by the clock on the wall.
func (p Plan) next(after time.Time) time.Time {
	local := after.In(p.Zone)
	year, month, day := local.Date()
	hour, minute, second := local.Clock()
	if time.Duration(hour)*time.Hour+time.Duration(minute)*time.Minute+time.Duration(second)*time.Second >= p.At {
		day++
	}
	return time.Date(year, month, day, 0, 0, int(p.At/time.Second), 0, p.Zone)
}

// attempt makes a backup and tells if that fails. One that hangs, as a disk of the network
// may, is told of, too, and waited for.
func (k *Keeper) attempt(ctx context.Context) error {
	ended := make(chan error, 1)
	go func() { ended <- k.Make(ctx) }()
	timer := time.NewTimer(longTime)
	defer timer.Stop()
	for {
		select {
		case err := <-ended:
			if err != nil && ctx.Err() == nil {
				k.failed(ctx, err)
			}
			return err
		case <-ctx.Done():
			return ctx.Err() // nothing reaches a call that hangs
		case <-timer.C:
			k.failed(ctx, errHangs)
		}
	}
}

var (
	errHangs      = errors.New("making the backup does not end")
	errAfterwards = errors.New("the backup is good, but not all that follows it was done")
)

// failed notes and tells that an attempt has failed.
func (k *Keeper) failed(ctx context.Context, err error) {
	made := errors.Is(err, errAfterwards)
	if made {
		k.Log.Error("a backup was made, but not all that follows", "error", err)
	} else {
		k.Log.Error("no backup was made", "error", err)
	}
	var last time.Time
	k.note(func(s *Status) {
		s.Failure, s.Failed = err.Error(), time.Now()
		if s.Last != nil {
			last = s.Last.At
		}
	})
	k.Tell(ctx, last, made)
}

// Make makes a backup now, unless nothing has changed since the last one that this Keeper
// has made, removes those that need not be kept and runs the command for the last one,
// unless that has succeeded before. An error of these two means that there is a good backup
// all the same.
func (k *Keeper) Make(ctx context.Context) error {
	k.note(func(s *Status) { s.Since = time.Now() })
	defer k.note(func(s *Status) { s.Since = time.Time{} })
	version, err := k.Store.Version()
	if err != nil {
		return err
	}
	if version == k.version {
		k.Log.Info("no backup is needed: nothing has changed since the last one")
	} else {
		b, err := k.make(ctx)
		if err != nil {
			return fmt.Errorf("backing up to %s: %w", k.Plan.Dir, err)
		}
		k.version, k.untaken = version, &b
		k.note(func(s *Status) { s.Last = &b })
		k.Log.Info("made a backup", "file", b.File, "bytes", b.Bytes, "receipts", b.Receipts)
	}
	err = k.prune()
	if k.untaken != nil && k.Plan.Hook != "" {
		err = errors.Join(err, k.runHook(ctx, *k.untaken))
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errAfterwards, err)
	}
	k.untaken = nil
	k.note(func(s *Status) { s.Failure, s.Failed = "", time.Time{} })
	return nil
}

// make makes the copy beside the file, so that no reading transaction waits for another
// disk, and takes it from there to the directory.
func (k *Keeper) make(ctx context.Context) (Backup, error) {
	dir, err := store.NewTemp(filepath.Dir(k.Store.Path()))
	if err != nil {
		return Backup{}, err
	}
	defer dir.Close()
	at := time.Now().In(k.Plan.Zone).Truncate(time.Second)
	figures, err := k.Store.Backup(ctx, dir.Path("copy"))
	if err != nil {
		return Backup{}, errors.Unwrap(err) // without the temporary path
	}
	if err := store.MakeDir(k.Plan.Dir); err != nil {
		return Backup{}, err
	}
	return k.take(ctx, dir.Path("copy"), noteOf(figures, at, len(k.Plan.Recipients) > 0))
}

// take takes a proven copy to the directory and gives it its name there, with the note
// beside it.
func (k *Keeper) take(ctx context.Context, copied string, b Backup) (Backup, error) {
	temp, err := store.NewTemp(k.Plan.Dir)
	if err != nil {
		return b, err
	}
	defer temp.Close()
	src, err := os.Open(copied)
	if err != nil {
		return b, err
	}
	defer src.Close()
	dst, err := temp.Create("copy")
	if err != nil {
		return b, err
	}
	defer dst.Close()
	if b.Bytes, b.SHA256, err = Write(ctx, dst, src, k.Plan.Recipients); err != nil {
		return b, err
	}
	note, err := json.Marshal(b)
	if err == nil {
		err = writeFile(temp, "note", append(note, '\n'))
	}
	if err != nil {
		return b, err
	}
	path := filepath.Join(k.Plan.Dir, b.File)
	if _, err := os.Lstat(path); err == nil {
		return b, os.ErrExist // of the same second
	}
	if err := os.Rename(temp.Path("note"), path+noteSuffix); err != nil {
		return b, err
	}
	if err := os.Rename(temp.Path("copy"), path); err != nil {
		return b, errors.Join(err, os.Remove(path+noteSuffix))
	}
	return b, store.SyncPath(k.Plan.Dir)
}

func writeFile(dir *store.Temp, name string, content []byte) error {
	f, err := dir.Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Sync(), f.Close())
}

// prune removes the backups that need not be kept.
func (k *Keeper) prune() error {
	all, err := k.list()
	for _, b := range k.Plan.Keep.Surplus(all, k.Plan.Zone) {
		if failed := remove(k.Plan.Dir, b); failed != nil {
			err = errors.Join(err, fmt.Errorf("removing an old backup: %w", failed))
			continue
		}
		k.Log.Info("removed an old backup", "file", b.File)
	}
	return err
}

// runHook runs the command with the path of the backup in ICHIDO_BACKUP, in a group of its
// own and without the secrets of LINE.
func (k *Keeper) runHook(ctx context.Context, b Backup) error {
	ctx, cancel := context.WithTimeout(ctx, hookTime)
	defer cancel()
	command := exec.CommandContext(ctx, "/bin/sh", "-c", k.Plan.Hook)
	command.Env = append(slices.DeleteFunc(os.Environ(), secret), "ICHIDO_BACKUP="+filepath.Join(k.Plan.Dir, b.File))
	command.Stdout, command.Stderr = k.Plan.HookOutput, k.Plan.HookOutput
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
	command.WaitDelay = 5 * time.Second
	if err := command.Run(); err != nil {
		return fmt.Errorf("the command that takes it elsewhere has failed: %w", cmp.Or(ctx.Err(), err))
	}
	return nil
}

func secret(variable string) bool {
	return strings.HasPrefix(variable, "LINE_") || strings.HasPrefix(variable, "CREDENTIALS_DIRECTORY=")
}
