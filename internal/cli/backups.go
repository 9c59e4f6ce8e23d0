package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"ichido/internal/backups"
	"ichido/internal/control"
)

// backupPlan is what serve does with backups of its own.
type backupPlan struct {
	Dir     string   `name:"backup-dir" env:"ICHIDO_BACKUP_DIR" placeholder:"DIR" help:"Where to keep a backup of each day. Without it none are made."`
	At      string   `name:"backup-at" env:"ICHIDO_BACKUP_AT" placeholder:"HH:MM" help:"When to make it, by the household's clock (default: 03:30)."`
	Encrypt []string `name:"backup-encrypt" env:"ICHIDO_BACKUP_ENCRYPT" placeholder:"RECIPIENT" help:"Encrypt it so that only the holder of the key can read it: what age-keygen calls the public key."`
	Hook    string   `name:"backup-hook" env:"ICHIDO_BACKUP_HOOK" placeholder:"COMMAND" help:"Run by the shell after each backup, with its path in ICHIDO_BACKUP: to copy it elsewhere."`
	Daily   *int     `name:"keep-daily" env:"ICHIDO_KEEP_DAILY" placeholder:"N" help:"Keep one of each of the last days (default: 7)."`
	Weekly  *int     `name:"keep-weekly" env:"ICHIDO_KEEP_WEEKLY" placeholder:"N" help:"Keep one of each of the last weeks (default: 5)."`
	Monthly *int     `name:"keep-monthly" env:"ICHIDO_KEEP_MONTHLY" placeholder:"N" help:"Keep one of each of the last months (default: 12)."`
}

// What the flags are without a value.
const (
	defaultBackupAt = 3*time.Hour + 30*time.Minute
	defaultDaily    = 7
	defaultWeekly   = 5
	defaultMonthly  = 12
)

var (
	errBackupAt = errors.New("--backup-at is no time of the day")
	errKeep     = errors.New("--keep-daily, --keep-weekly and --keep-monthly can't be less than 0")
	// errEncrypted says that a backup can't be read as it is.
	errEncrypted = errors.New("the backup is encrypted")
	errNoBackups = errors.New("no backups are made")
)

// plan reads the flags.
func (b *backupPlan) plan(zone *time.Location) (plan backups.Plan, err error) {
	plan = backups.Plan{Dir: b.Dir, At: defaultBackupAt, Zone: zone, Hook: b.Hook, Keep: backups.Keep{Daily: defaultDaily, Weekly: defaultWeekly, Monthly: defaultMonthly}}
	if b.At != "" {
		at, err := time.Parse("15:04", b.At)
		if err != nil {
			return plan, errBackupAt
		}
		plan.At = time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute
	}
	for given, n := range map[*int]*int{b.Daily: &plan.Keep.Daily, b.Weekly: &plan.Keep.Weekly, b.Monthly: &plan.Keep.Monthly} {
		if given == nil {
			continue
		}
		if *given < 0 {
			return plan, errKeep
		}
		*n = *given
	}
	if plan.Recipients, err = backups.ParseRecipients(b.Encrypt); err != nil {
		err = fmt.Errorf("--backup-encrypt: %w", err)
	}
	return plan, err
}

type backupsCmd struct {
	Dir  string `name:"backup-dir" env:"ICHIDO_BACKUP_DIR" placeholder:"DIR" help:"Where they are, if no server runs that knows."`
	JSON bool   `help:"Write JSON."`
}

// backupsView is what ichido backups --json writes.
type backupsView struct {
	backups.Status
	Backups []backups.Backup `json:"backups"` // the newest first
}

// Run lists the backups and says how making them goes.
func (c *backupsCmd) Run(ctx context.Context, p *program) error {
	view := backupsView{Status: backups.Status{Dir: c.Dir}}
	client, err := control.Dial(p.socket)
	if err == nil {
		health, err := client.Health(ctx)
		if err != nil {
			return err
		}
		if health.Backups != nil {
			view.Status = *health.Backups
		}
	} else if !errors.Is(err, control.ErrNoServer) {
		return err
	}
	if view.Dir == "" {
		return fmt.Errorf("listing backups: %w", errNoBackups)
	}
	all, unlisted := backups.List(view.Dir) // how it goes is told all the same
	view.Backups = append([]backups.Backup{}, all...)
	if c.JSON {
		return errors.Join(writeJSON(p.stdout, view), unlisted)
	}
	p.tellBackups(view.Status, client != nil)
	rows := make([][]string, len(view.Backups))
	for i, b := range view.Backups {
		rows[i] = []string{p.clock(b.At), strconv.FormatInt(b.Bytes, 10), strconv.FormatUint(b.Receipts, 10), b.File}
	}
	return errors.Join(writeTable(p.stdout, "OF BYTES RECEIPTS FILE", rows), unlisted)
}

// tellBackups says in words how it goes.
func (p *program) tellBackups(s backups.Status, serving bool) {
	switch {
	case !serving:
		fmt.Fprintln(p.stdout, "no server is running: no backups are made")
	case !s.Since.IsZero():
		fmt.Fprintf(p.stdout, "a backup is being made since %s\n", p.clock(s.Since))
	case s.Next.IsZero():
		fmt.Fprintln(p.stdout, "the server makes no backups: it has no --backup-dir")
	default:
		fmt.Fprintf(p.stdout, "the next backup is made at %s\n", p.clock(s.Next))
	}
	if s.Failure != "" {
		fmt.Fprintf(p.stdout, "the last attempt, at %s, failed: %s\n", p.clock(s.Failed), s.Failure)
	}
}
