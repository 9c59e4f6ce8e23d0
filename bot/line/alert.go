package line

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"ichido/bot"
	"ichido/internal/ledger"
	"ichido/store"
)

// The kinds of notices to the owner, which go through the outbox.
const (
	noticeParked   = "parked"
	noticeRestored = "restored"
	noticeDisk     = "disk"
	noticeBackup   = "backup"
)

// The kinds of alerts: what the owner is told though the store is of no use.
const (
	AlertBroken  = "broken"  // the disk can't be trusted, and the program ends
	alertFailing = "failing" // what comes in can't be stored
)

const (
	alertTime   = 3 * time.Second  // for telling the owner, when the program can't go on
	watchEvery  = time.Minute      // the writes
	diskEvery   = 10 * time.Minute // the room on the disk
	probeTime   = 5 * time.Second  // what asks the store or the disk for longer has failed
	failingLong = 5 * time.Minute  // writes have failed for so long before the owner is told
	factTold    = " told"          // behind the kind: the day on which the owner was told last
)

// LowFree is how many bytes of the file's disk must be free: below, the owner is told.
const LowFree = 256 << 20

// ErrNoOwner says that there is nobody to tell.
var ErrNoOwner = errors.New("the household has no owner who is there")

// addressee is to whom an alert goes, known while the store can't be asked.
type addressee struct {
	file    uuid.UUID
	owner   string // LINE's user ID
	voice   bot.Voice
	version uint64 // of the file when this was read
}

// learnOwner keeps to whom alerts go, if the file has changed. It may wait for longer than the context lasts.
func (d *Door) learnOwner(context.Context) error {
	version, err := d.store.Version()
	if last := d.owner.Load(); err != nil || last != nil && last.version == version {
		return err
	}
	return d.store.View(func(tx *store.Tx) error {
		owner, ok, err := tx.Owner()
		if err != nil {
			return fmt.Errorf("reading who the owner is: %w", err)
		}
		if !ok || !owner.Active() {
			d.owner.Store(nil)
			return nil
		}
		file, err := tx.FileID()
		if err != nil {
			return err
		}
		voice, err := bot.VoiceOf(tx, owner.ID)
		if err == nil {
			d.owner.Store(&addressee{file, owner.Person, voice, version})
		}
		return err
	})
}

// noticeKey is the retry key of what the machine tells the owner: of one kind, about
// one thing, LINE shows one notice an hour, whatever loop the program is in.
func noticeKey(file uuid.UUID, kind, about string, now time.Time) string {
	hour := now.UTC().Truncate(time.Hour).Format(time.RFC3339)
	return uuid.NewSHA1(file, []byte(kind+" "+about+" "+hour)).String()
}

// notify puts a notice to the owner in the outbox, unless there is none who is there.
// What it is about is part of the retry key.
func (d *Door) notify(tx *store.Tx, kind, about string, text func(bot.Voice) string) (told bool, err error) {
	owner, ok, err := tx.Owner()
	if !ok || !owner.Active() || err != nil {
		return false, err
	}
	file, err := tx.FileID()
	if err != nil {
		return false, err
	}
	voice, err := bot.VoiceOf(tx, owner.ID)
	if err != nil {
		return false, err
	}
	payload, err := render(plain(text(voice)))
	if err != nil {
		return false, err
	}
	o := store.Outgoing{
		Notice: kind, Chat: owner.Person, Payload: payload, Pushing: true, RetryKey: noticeKey(file, kind, about, tx.Now()),
	}
	waiting := false
	err = tx.PendingOutgoing(func(other store.Outgoing) error {
		waiting = waiting || other.RetryKey == o.RetryKey
		return nil
	})
	if waiting || err != nil {
		return false, err // LINE would show only one of them
	}
	return true, d.sender.say(tx, o)
}

// Alert tells the owner at once, past the outbox, and takes at most alertTime. It
// neither reads nor writes the store, and may be called from its Fatal hook. It is for
// when the store is of no use: then nothing could hold the message back until the
// morning, so that it is sent by night, too; and what people write until it is read is
// not recorded.
func (d *Door) Alert(ctx context.Context, kind string, text bot.Phrase) error {
	to := d.owner.Load()
	if to == nil {
		return ErrNoOwner
	}
	payload, err := render(plain(text.In(to.voice)))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, alertTime)
	defer cancel()
	end := d.sender.push(ctx, to.owner, payload, noticeKey(to.file, kind, "", time.Now()))
	if end.kind != accepted {
		return fmt.Errorf("telling the owner: LINE has not taken it: %v", end)
	}
	return nil
}

// watch looks after the machine: that what comes in can be stored, and will be.
func (d *Door) watch(ctx context.Context) {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	var writes failing
	var disk time.Time // when it was looked at
	for ctx.Err() == nil {
		if d.watchWrites(ctx, &writes); writes.since.IsZero() {
			look := []func(context.Context) error{d.learnOwner}
			if d.free != nil && time.Since(disk) >= diskEvery {
				disk = time.Now()
				look = append(look, d.watchDisk)
			}
			if err := inTime(ctx, look...); err != nil && ctx.Err() == nil {
				d.log.Error("looking after the machine failed", "error", err)
			}
		}
		select {
		case <-ctx.Done():
		case <-ticker.C:
		}
	}
}

// inTime calls the functions one after the other and waits for probeTime at most:
// whoever watches the store must not hang with it, and nothing reaches a call that
// hangs in a sync. Such a call ends by itself, if ever.
func inTime(ctx context.Context, calls ...func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		var all error
		for _, call := range calls {
			all = errors.Join(all, call(ctx))
		}
		ended <- all
	}()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// failing is what is known of failing writes. The zero value is that they are good.
type failing struct {
	since time.Time
	told  bool
}

// watchWrites tells the owner when writes have failed for long, once until they are
// good again.
func (d *Door) watchWrites(ctx context.Context, f *failing) {
	probe, cancel := context.WithTimeout(ctx, probeTime)
	err := d.store.Probe(probe)
	cancel()
	switch {
	case ctx.Err() != nil || errors.Is(err, store.ErrClosed):
		return // the program ends
	case err == nil && d.store.Failing() == nil:
		*f = failing{}
		return
	case f.since.IsZero():
		f.since = time.Now()
	}
	if f.told || time.Since(f.since) < failingLong {
		return
	}
	if err := d.Alert(ctx, alertFailing, bot.WritesFail); err != nil {
		d.log.Error("writes have been failing for long", "since", f.since, "error", err)
		return
	}
	f.told = true
}

// watchDisk tells the owner once a day, through the outbox and by day, that the disk
// is filling.
func (d *Door) watchDisk(ctx context.Context) error {
	free, err := d.free()
	if err != nil || free >= LowFree || d.owner.Load() == nil {
		return nil
	}
	told, err := d.tellDaily(ctx, noticeDisk, bot.DiskFilling)
	if told {
		d.log.Warn("the disk is filling", "free MiB", free>>20)
	}
	return err
}

// BackupsFail tells the owner once a day, through the outbox and by day, that no backup
// could be made; the last good one is of the time, which is zero if there is none. made
// says that one was made, and that what is done with it has failed.
func (d *Door) BackupsFail(ctx context.Context, last time.Time, made bool) {
	text := bot.BackupsFail(last, d.zone)
	if made {
		text = bot.BackupNotTaken(last, d.zone)
	}
	if _, err := d.tellDaily(ctx, noticeBackup, text); err != nil {
		d.log.Error("the owner was not told that backups fail", "error", err)
	}
}

// tellDaily tells the owner something through the outbox, unless he has been told of the
// kind on this day, and says whether it does.
func (d *Door) tellDaily(ctx context.Context, kind string, text bot.Phrase) (told bool, err error) {
	err = d.store.Update(ctx, func(tx *store.Tx) error {
		told = false
		day := ledger.DateOf(tx.Now().In(d.zone)).String()
		last, err := tx.Fact(kind + factTold)
		if last == day || err != nil {
			return err
		}
		told, err = d.notify(tx, kind, day, text.In)
		return errors.Join(err, tx.SetFact(kind+factTold, day))
	})
	if err != nil {
		return false, fmt.Errorf("telling the owner of %q: %w", kind, err)
	}
	return told, nil
}
