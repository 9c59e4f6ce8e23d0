package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"ichido/internal/control"
	"ichido/internal/linesim"
)

const (
	webRestart   = time.Second           // from the end of the bot to its next start, as systemd's
	webStarting  = 20 * time.Second      // longer no start takes
	webLookEvery = 10 * time.Millisecond // while it starts
	webTries     = 3                     // starts in a row that may fail, unless it was killed
)

// webBot is the bot in a process of its own, which can be killed as the power or the
// kernel would, and is started again.
type webBot struct {
	db, socket, endpoint, zone string
	address                    string // where it listens, the same after each start: links lead there
	secret, token              string
	allow                      []string
	note                       func(side, text string, bad bool)
	moved                      func() // tells that the ledger may be another one
	first                      func() // is called when it serves for the first time; may be nil

	mu      sync.Mutex
	process *os.Process // nil while none runs
	serves  bool
	killed  bool // by kill, since its start
}

// run keeps the bot running until ctx ends, and ends it then. It fails if the bot does
// not start.
func (b *webBot) run(ctx context.Context, platform *linesim.Platform) error {
	for failed := 0; ; {
		served, killed, output, err := b.once(ctx, platform)
		if ctx.Err() != nil {
			return nil
		}
		if failed++; served || killed {
			failed = 0
		}
		if failed == webTries {
			return fmt.Errorf("running the bot: %s", cmp.Or(strings.TrimSpace(output), fmt.Sprint(err)))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(webRestart):
		}
	}
}

// once runs the bot from its start to its end.
func (b *webBot) once(ctx context.Context, platform *linesim.Platform) (served, killed bool, output string, err error) {
	command, err := b.command()
	if err != nil {
		return false, false, "", err
	}
	var errs bytes.Buffer
	command.Stderr = &tail{b: &errs}
	ended := make(chan error, 1)
	started := make(chan struct{})
	go func() {
		// Linux sends the parent's death signal when the thread ends that started the
		// child, so that thread belongs to the child as long as it lives.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := command.Start(); err != nil {
			ended <- err
			return
		}
		b.begin(command.Process)
		close(started)
		ended <- command.Wait()
	}()
	select {
	case err := <-ended:
		return false, false, "", err
	case <-started:
	}
	platform.SetWebhook("http://" + b.address + "/line/webhook")
	waitCtx, stopWaiting := context.WithCancel(ctx)
	defer stopWaiting()
	go b.awaitServing(waitCtx)
	err = b.awaitEnd(ctx, command.Process, ended)
	served, killed = b.end()
	return served, killed, errs.String(), err
}

// awaitEnd returns how the process ended. When ctx ends it is asked to, and killed
// unless it does in time.
func (b *webBot) awaitEnd(ctx context.Context, process *os.Process, ended <-chan error) error {
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	_ = process.Signal(syscall.SIGTERM) // it may have ended by itself
	select {
	case err := <-ended:
		return err
	case <-time.After(stopTime + time.Second):
	}
	_ = process.Kill()
	return <-ended
}

// command is the serve command of this program, with LINE on loopback and nothing of
// what the environment says about another household.
func (b *webBot) command() (*exec.Cmd, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program: %w", err)
	}
	command := &exec.Cmd{
		Path: path, Args: []string{"ichido", "serve", "--db", b.db, "--socket", b.socket, "--listen", b.address,
			"--public-url", "http://" + b.address, "--line-endpoint", b.endpoint, "--tz", b.zone},
		SysProcAttr: &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}, // a ^C is for the parent, which ends it
	}
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, "ICHIDO_") && !strings.HasPrefix(name, "LINE_") && name != "NOTIFY_SOCKET" &&
			!strings.HasPrefix(name, "WATCHDOG_") && name != "CREDENTIALS_DIRECTORY" {
			command.Env = append(command.Env, variable)
		}
	}
	command.Env = append(command.Env, "LINE_CHANNEL_SECRET="+b.secret, "LINE_CHANNEL_ACCESS_TOKEN="+b.token,
		"ICHIDO_ALLOW="+strings.Join(b.allow, ","))
	return command, nil
}

func (b *webBot) begin(process *os.Process) {
	b.note("bot", "起動", false)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.process, b.serves, b.killed = process, false, false
}

// end says whether the bot that has ended had served, and whether kill ended it.
func (b *webBot) end() (served, killed bool) {
	b.mu.Lock()
	served, killed = b.serves, b.killed
	b.process, b.serves = nil, false
	b.mu.Unlock()
	if !killed {
		b.note("bot", "終わりました", true)
	}
	b.moved()
	return served, killed
}

// awaitServing notes when the bot serves.
func (b *webBot) awaitServing(ctx context.Context) {
	for deadline := time.Now().Add(webStarting); time.Now().Before(deadline); {
		if client, err := control.Dial(b.socket); err == nil {
			if _, err = client.Totals(ctx); err == nil {
				break
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(webLookEvery):
		}
	}
	b.mu.Lock()
	if b.process == nil || b.killed {
		b.mu.Unlock()
		return
	}
	b.serves = true
	first := b.first
	b.first = nil
	b.mu.Unlock()
	b.moved()
	if first != nil {
		first()
	}
}

// running says whether the bot serves.
func (b *webBot) running() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.serves && !b.killed
}

// kill ends the bot at once, as kill -9 does.
func (b *webBot) kill() {
	b.mu.Lock()
	process, again := b.process, b.killed
	b.killed = true
	b.mu.Unlock()
	if process == nil || again {
		return
	}
	if err := process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		b.note("bot", "落とせませんでした", true)
		return
	}
	b.note("bot", "落としました（SIGKILL）", true)
	b.moved()
}

// freePort is an address of loopback that was free just now.
func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// tail keeps the end of what is written.
type tail struct{ b *bytes.Buffer }

const tailBytes = 2 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.b.Write(p)
	if n := t.b.Len(); n > 2*tailBytes {
		t.b.Next(n - tailBytes)
	}
	return len(p), nil
}
