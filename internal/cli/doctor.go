package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"ichido/bot/line"
)

// errUnwell says that at least one check has failed.
var errUnwell = errors.New("not all is well")

// How long a question to the running server may take, and the check of its whole file.
const (
	questionTime = 10 * time.Second
	fileTime     = 5 * time.Minute
)

type doctorCmd struct {
	Listen   string `env:"ICHIDO_LISTEN" placeholder:"ADDRESS" help:"Where serve listens (default: 127.0.0.1:8080)."`
	Endpoint string `name:"line-endpoint" env:"LINE_API_ENDPOINT" placeholder:"URL" help:"LINE's API, if it is another one than LINE's."`
	JSON     bool   `help:"Write JSON."`
}

// Help is shown by ichido doctor --help.
func (doctorCmd) Help() string {
	return "Nothing is changed. A webhook without events is sent, as LINE's button Verify does. The secrets are given as " +
		"to serve; without them LINE is not asked. The exit status is 1 if a check has failed."
}

// The states of a check.
const (
	stateOK      = "ok"
	stateWarning = "warning" // it works, but not for long or not as it should
	stateFailed  = "failed"
	stateSkipped = "skipped" // another check must be well first
)

// finding is what came out of a check. It holds no secret and nothing that was said.
type finding struct {
	Check  string `json:"check"`
	State  string `json:"state"`
	Detail string `json:"detail"`
	Hint   string `json:"hint"` // what to do; "" if there is nothing
}

func ok(format string, args ...any) finding {
	return finding{State: stateOK, Detail: fmt.Sprintf(format, args...)}
}

func warning(hint, format string, args ...any) finding {
	return finding{State: stateWarning, Detail: fmt.Sprintf(format, args...), Hint: hint}
}

func failed(hint, format string, args ...any) finding {
	return finding{State: stateFailed, Detail: fmt.Sprintf(format, args...), Hint: hint}
}

func skipped(why string) finding { return finding{State: stateSkipped, Detail: why} }

// failedBy is a check that an error has ended.
func failedBy(err error) finding { return failed(hintFor(err), "%s", sentence(err)) }

// doctor is one examination. What an earlier check has found out is there for the
// later ones.
type doctor struct {
	p        *program
	command  *doctorCmd
	findings []finding

	serving bool          // a server has the file open
	hanging bool          // and does not answer
	secrets lineSecrets   // zero without them
	channel *line.Channel // nil without secrets
	hook    line.Webhook  // as LINE has it
	now     time.Time     // when it began

	// What tests have differently.
	checkups []checkup
	patience time.Duration // questionTime
	free     func(dir string) (uint64, error)
	fsType   func(dir string) (int64, error)
	device   func(fs.FileInfo) uint64 // deviceOf
}

func newDoctor(c *doctorCmd, p *program) *doctor {
	return &doctor{p: p, command: c, now: time.Now(), checkups: checkups, patience: questionTime, free: freeBytes, device: deviceOf, fsType: func(dir string) (int64, error) {
		var system unix.Statfs_t
		err := unix.Statfs(dir, &system)
		return int64(system.Type), err
	}}
}

// checkup is a check. It is made if those that it needs did not fail and were not
// skipped.
type checkup struct {
	name  string
	needs []string
	run   func(*doctor, context.Context) finding
}

// checkups are all checks in their order.
var checkups = []checkup{
	{"server", nil, (*doctor).server},
	{"health", []string{"server"}, (*doctor).health},
	{"settings", nil, (*doctor).settings},
	{"channel secret", []string{"settings"}, (*doctor).channelSecret},
	{"time zone", nil, (*doctor).timeZone},
	{"file", nil, (*doctor).file},
	{"permissions", nil, (*doctor).permissions},
	{"disk", nil, (*doctor).disk},
	{"file system", nil, (*doctor).fileSystem},
	{"members", []string{"file"}, (*doctor).household},
	{"outbox", []string{"file"}, (*doctor).outbox},
	{"parked", []string{"file"}, (*doctor).parked},
	{"backups", []string{"server"}, (*doctor).backups},
	{"LINE", []string{"channel secret"}, (*doctor).line},
	{"clock", []string{"channel secret"}, (*doctor).clock},
	{"webhook URL", []string{"LINE"}, (*doctor).webhookURL},
	{"webhook use", []string{"webhook URL"}, (*doctor).webhookUse},
	{"webhook test", []string{"webhook URL"}, (*doctor).webhookTest},
	{"quota", []string{"LINE"}, (*doctor).quota},
	{"rich menu", []string{"LINE"}, (*doctor).richMenu},
}

// examine makes all checks and tells each finding when it is there.
func (d *doctor) examine(ctx context.Context, tell func(finding)) {
	for _, c := range d.checkups {
		f := finding{State: stateSkipped}
		if missing := d.unmet(c.needs); missing != "" {
			f.Detail = fmt.Sprintf("%q must be well first", missing)
		} else if ctx.Err() == nil {
			f = c.run(d, ctx)
		}
		f.Check = c.name
		f.Detail, f.Hint = plain(f.Detail), plain(f.Hint)
		d.findings = append(d.findings, f)
		tell(f)
	}
}

// unmet is the first of the needed checks that did not end well.
func (d *doctor) unmet(needs []string) string {
	for _, f := range d.findings {
		if slices.Contains(needs, f.Check) && f.State != stateOK && f.State != stateWarning {
			return f.Check
		}
	}
	return ""
}

// Run examines and reports.
func (c *doctorCmd) Run(ctx context.Context, p *program) error {
	if err := (&serveCmd{Listen: c.Listen, Endpoint: c.Endpoint}).check(); err != nil {
		return settingError{err}
	}
	d := newDoctor(c, p)
	tell := func(f finding) { writeFinding(p.stdout, f) }
	if c.JSON {
		tell = func(finding) {}
	}
	d.examine(ctx, tell)
	if err := ctx.Err(); err != nil {
		return err
	}
	n := map[string]int{}
	for _, f := range d.findings {
		n[f.State]++
	}
	if c.JSON {
		if err := writeJSON(p.stdout, d.findings); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(p.stdout, "\n%d ok, %d warning, %d failed, %d skipped\n", n[stateOK], n[stateWarning], n[stateFailed], n[stateSkipped])
	}
	if n[stateFailed] > 0 {
		return errUnwell
	}
	return nil
}

// writeFinding writes a line, and what to do below it.
func writeFinding(w io.Writer, f finding) {
	fmt.Fprintf(w, "%-8s %-14s %s\n", f.State, f.Check, f.Detail)
	if f.Hint != "" {
		fmt.Fprintf(w, "%s-> %s\n", strings.Repeat(" ", 24), f.Hint)
	}
}

// worst joins what was found about one thing: the worst state, all details, and the
// hints of what is not well.
func worst(findings ...finding) finding {
	order := []string{stateOK, stateWarning, stateFailed}
	all := finding{State: stateOK}
	var details, hints []string
	for _, f := range findings {
		if slices.Index(order, f.State) > slices.Index(order, all.State) {
			all.State = f.State
		}
		details = append(details, f.Detail)
		if f.Hint != "" {
			hints = append(hints, f.Hint)
		}
	}
	all.Detail, all.Hint = strings.Join(details, "; "), strings.Join(hints, "; ")
	return all
}

// address is where serve can be asked from this machine.
func (c *doctorCmd) address() string { return cmp.Or(c.Listen, defaultListen) }
