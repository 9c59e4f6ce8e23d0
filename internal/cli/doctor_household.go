package cli

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"ichido/internal/control"
)

// ask has the server or the file answer.
func (d *doctor) ask(ctx context.Context, fn func(context.Context, *control.Client) error) error {
	ctx, cancel := context.WithTimeout(ctx, d.patience)
	defer cancel()
	return d.p.withClient(func(client *control.Client) error { return fn(ctx, client) })
}

// household wants somebody who may talk to the bot, and an owner who hears notices.
func (d *doctor) household(ctx context.Context) finding {
	var members []control.Member
	err := d.ask(ctx, func(ctx context.Context, client *control.Client) (err error) {
		members, err = client.Members(ctx)
		return err
	})
	if err != nil {
		return failedBy(err)
	}
	active, owner := 0, false
	for _, m := range members {
		if m.Removed.IsZero() && m.Left.IsZero() {
			active++
			owner = owner || m.Owner
		}
	}
	switch {
	case active == 0:
		return warning("ichido invite makes a code: send it to the bot; who is the first is the owner", "nobody is a member")
	case !owner:
		return warning("make somebody else the owner: ichido members owner NAME", "active members: %d, but the owner has left and hears no notices", active)
	}
	return ok("active members: %d, with an owner", active)
}

// What is still to be said is old after these times: a push waits for the morning.
const (
	oldReply = 10 * time.Minute
	oldPush  = 10 * time.Hour
)

func (d *doctor) outbox(ctx context.Context) finding {
	var box control.Outbox
	err := d.ask(ctx, func(ctx context.Context, client *control.Client) (err error) {
		box, err = client.Outbox(ctx, false, false)
		return err
	})
	if err != nil {
		return failedBy(err)
	}
	old := 0
	for _, o := range box.Messages {
		age := d.now.Sub(o.Created)
		if age > oldPush || age > oldReply && !o.Pushing {
			old++
		}
	}
	n := box.Counts
	detail := fmt.Sprintf("%d pending, %d unknown, %d failed", n.Pending, n.Unknown, n.Failed)
	if old > 0 {
		detail = fmt.Sprintf("%d pending (%d of them for long), %d unknown, %d failed", n.Pending, old, n.Unknown, n.Failed)
	}
	switch {
	case old > 0 && !d.serving:
		return warning("they are sent when ichido serve starts", "%s", detail)
	case old > 0:
		return warning("the server's log says why they wait; ichido outbox lists them", "%s", detail)
	case n.Unknown+n.Failed > 0:
		return warning("ichido outbox --all lists them; retry ID sends one, drop ID forgets it", "%s", detail)
	}
	return ok("%s", detail)
}

func (d *doctor) parked(ctx context.Context) finding {
	var parked []control.Parked
	err := d.ask(ctx, func(ctx context.Context, client *control.Client) (err error) {
		parked, err = client.Parked(ctx, false)
		return err
	})
	if err != nil {
		return failedBy(err)
	}
	if len(parked) > 0 {
		return warning("ichido parked lists them, ichido parked retry handles them; a newer version may be able to", "events that could not be handled: %d", len(parked))
	}
	return ok("all events were handled")
}

// backups wants a server that makes them.
func (d *doctor) backups(ctx context.Context) finding {
	var health control.Health
	err := d.ask(ctx, func(ctx context.Context, client *control.Client) (err error) {
		health, err = client.Health(ctx)
		return err
	})
	switch s := health.Backups; {
	case err != nil:
		return failedBy(err)
	case s == nil:
		return warning("give ichido serve --backup-dir DIR or ICHIDO_BACKUP_DIR, on another disk if there is one", "no backups are made")
	case s.Failure != "":
		return failed("ichido backups lists those that are there", "the last attempt failed: %s", s.Failure)
	case s.Last == nil:
		return warning("look again in a minute", "the first backup is still to be made")
	default:
		return worst(ok("the last one is of %s, in %s", d.p.clock(s.Last.At), s.Dir), d.backupDir(s.Dir))
	}
}

// backupDir looks at where the backups are: whether it can be written, and whether it is on
// the disk of the file, with which it would be lost. What a command takes elsewhere from
// there it can't see.
func (d *doctor) backupDir(dir string) finding {
	at, err := os.Stat(dir)
	if err != nil {
		return failedBy(err)
	}
	if err := unix.Access(dir, unix.W_OK|unix.X_OK); err != nil {
		return failed("it must belong to the user who runs ichido serve: chown ichido "+dir+"; under systemd name it in ReadWritePaths as well", "%s can't be written: %v", dir, err)
	}
	if at.Mode().Perm()&0o077 != 0 {
		return warning("chmod 700 "+dir, "%s has the mode %04o: others can read the backups or change them", dir, at.Mode().Perm())
	}
	if file, err := os.Stat(d.p.db); err == nil && d.device(file) == d.device(at) {
		f := ok("on the same disk as the file")
		f.Hint = "copy the backups to another machine as well (docs/operating.md, Backups elsewhere)"
		return f
	}
	return ok("on another disk than the file")
}

func deviceOf(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Dev)
	}
	return 0
}
