// Package cli is the command line of ichido: one file a command, the larger ones in
// several that begin with its name, and nothing in them but wiring.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
	_ "time/tzdata" // the household's zone must be there on every machine

	"github.com/alecthomas/kong"

	"ichido/internal/control"
	"ichido/store"
)

// The exit statuses. A shell and systemd tell them apart.
const (
	statusOK     = 0
	statusFailed = 1
	statusUsage  = 2
	statusDisk   = 70 // the disk can't be trusted: start again
)

// What the flags are without a value. An empty environment variable is none, so
// these are no defaults in the sense of kong.
const (
	defaultDB   = "ichido.db"
	defaultZone = "Asia/Tokyo"
)

// commands is the table of commands and of the flags that all of them have. The
// help is made of it.
type commands struct {
	DB     string `name:"db" env:"ICHIDO_DB" placeholder:"FILE" help:"The household's file (default: ${db})."`
	Socket string `env:"ICHIDO_SOCKET" placeholder:"FILE" help:"The control socket of a running serve (default: the file's path and .sock)."`
	TZ     zone   `name:"tz" env:"ICHIDO_TZ" placeholder:"ZONE" help:"The household's time zone (default: ${tz})."`

	Serve serveCmd `cmd:"" help:"Run the bot."`
	Chat  chatCmd  `cmd:"" help:"Talk to the bot in the terminal, without LINE."`

	Setup  setupCmd  `cmd:"" help:"Set up at LINE the rich menu and, with --url, the webhook."`
	Doctor doctorCmd `cmd:"" help:"Check the machine, the file, the server and LINE, and say what to do."`

	Explain explainCmd `cmd:"" help:"Show how the bot would read a message, as JSON."`
	Export  exportCmd  `cmd:"" help:"Write the ledger to standard output."`
	Backup  backupCmd  `cmd:"" help:"Make a verified copy of the file, also while serve runs."`
	Backups backupsCmd `cmd:"" help:"List the backups that serve has made, and say how it goes."`
	Restore restoreCmd `cmd:"" help:"Put a backup in the place of the file."`
	Check   checkCmd   `cmd:"" help:"Verify every record of the file and all sums."`
	Repair  repairCmd  `cmd:"" help:"Make a new file of what can still be read in a damaged one."`
	Compact compactCmd `cmd:"" help:"Rewrite the file smaller, without what was deleted in it, while serve is stopped."`
	Invite  inviteCmd  `cmd:"" help:"Make a code with which somebody joins the household."`
	Link    linkCmd    `cmd:"" help:"Make a link with which a member gets into the web pages."`
	Members membersCmd `cmd:"" help:"List, remove and rename who may talk to the bot."`
	Outbox  outboxCmd  `cmd:"" help:"List, send and drop what the bot still has to say."`
	Parked  parkedCmd  `cmd:"" help:"List, retry and drop events that could not be handled."`
	Version versionCmd `cmd:"" help:"Show the version."`
}

// program is what a command works with: the common flags and the streams.
type program struct {
	db      string
	dbGiven bool // db stood on the command line, not in the environment
	socket  string
	zone    *time.Location
	local   *control.Client // of the household, whatever the flags say; nil outside of a talk

	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
}

// Main runs the command line and returns the exit status. Errors go to stderr as
// sentences, without a stack.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) (status int) {
	// The store starts this program as its child: see store.Inspect.
	if len(args) > 0 && args[0] == "inspect" {
		return store.Inspect(args[1:], stdout)
	}
	if len(args) == 1 && args[0] == "--version" {
		args = []string{"version"}
	}
	if len(args) > 0 && args[0] == "help" {
		args = append(args[1:], "--help")
	}
	defer func() {
		switch p := recover().(type) {
		case nil:
		case exit:
			status = int(p)
		default:
			status = reportPanic(stderr, p)
		}
	}()
	ctx, stop := signal.NotifyContext(context.Background(), endSignals()...)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	return run(ctx, args, &program{stdin: stdin, stdout: stdout, stderr: stderr})
}

// endSignals end the program in order; a hangup only if nohup has not said that it is
// nothing.
func endSignals() []os.Signal {
	if signal.Ignored(syscall.SIGHUP) {
		return []os.Signal{os.Interrupt, syscall.SIGTERM}
	}
	return []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
}

// exit is how kong's help flag ends the program.
type exit int

func run(ctx context.Context, args []string, p *program) (status int) {
	var c commands
	parser, err := kong.New(&c,
		kong.Name("ichido"),
		kong.Description("A household budget that a family keeps by chatting in LINE."),
		kong.Vars{"db": defaultDB, "tz": defaultZone},
		kong.Writers(p.stdout, p.stderr),
		kong.Exit(func(status int) { panic(exit(status)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(p),
	)
	if err != nil {
		return report(p.stderr, fmt.Errorf("building the command line: %w", err))
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		return report(p.stderr, usageError{err})
	}
	p.configure(&c, parsed)
	err = parsed.Run()
	if errors.Is(err, store.ErrDamaged) && ctx.Err() != nil {
		err = ctx.Err() // the signal has killed the child that was reading the file
	}
	return report(p.stderr, err)
}

// configure takes the common flags. A file named on the command line has its own
// socket, whatever the environment says: else a check of a backup would check
// the file of the server.
func (p *program) configure(c *commands, parsed *kong.Context) {
	given := map[string]bool{}
	for _, element := range parsed.Path {
		if element.Flag != nil && !element.Resolved {
			given[element.Flag.Name] = true
		}
	}
	p.db, p.dbGiven = cmp.Or(c.DB, defaultDB), given["db"]
	p.zone, p.socket = c.TZ.Location, c.Socket
	if p.zone == nil {
		p.zone, _ = time.LoadLocation(defaultZone) // is in time/tzdata
	}
	if p.socket == "" || p.dbGiven && !given["socket"] {
		p.socket = control.DefaultSocket(p.db)
	}
}

// zone is a time zone as a flag.
type zone struct{ *time.Location }

// UnmarshalText reads a name like Asia/Tokyo. An empty one leaves the zone nil.
func (z *zone) UnmarshalText(text []byte) (err error) {
	if len(text) == 0 {
		return nil
	}
	z.Location, err = time.LoadLocation(string(text))
	return err
}

// withClient calls fn with a client of the server that has the file open or, if
// none runs, with one that reads the file in this process.
func (p *program) withClient(fn func(*control.Client) error) error {
	return p.with(store.Options{ReadOnly: true}, fn)
}

// withWriter is withClient for what changes the file.
func (p *program) withWriter(fn func(*control.Client) error) error {
	return p.with(store.Options{Fatal: p.fatal}, fn)
}

func (p *program) with(options store.Options, fn func(*control.Client) error) error {
	if p.local != nil {
		return fn(p.local)
	}
	client, err := control.Dial(p.socket)
	if err == nil {
		return fn(client)
	} else if !errors.Is(err, control.ErrNoServer) {
		return err
	}
	s, err := p.openFile(options)
	if errors.Is(err, store.ErrInUse) {
		// Perhaps it is a server that was just starting and listens by now.
		if client, err := control.Dial(p.socket); err == nil {
			return fn(client)
		}
	}
	if err != nil {
		return err
	}
	return errors.Join(fn(control.Local(s)), s.Close())
}

// openFile opens the file, which must be there.
func (p *program) openFile(options store.Options) (*store.Store, error) {
	if err := p.needFile(); err != nil {
		return nil, err
	}
	return store.Open(p.db, options)
}

// needFile refuses a file that is not there: opening it would make one.
func (p *program) needFile() error {
	_, err := os.Stat(p.db)
	if errors.Is(err, os.ErrNotExist) {
		err = errNoFile
	}
	if err != nil {
		return fmt.Errorf("opening %s: %w", p.db, err)
	}
	return nil
}

// fatal ends the program after a write of which nobody knows whether it happened.
func (p *program) fatal(err error) {
	report(p.stderr, fmt.Errorf("writing %s: %w", p.db, err))
	os.Exit(statusDisk)
}
