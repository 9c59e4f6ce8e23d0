package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"ichido/internal/control"
	"ichido/internal/linesim"
	"ichido/store"
)

var long = flag.Bool("long", false, "run the long forms, which need root and strace")

// server is a serve process on a household's file, with LINE on loopback.
type server struct {
	t        testing.TB
	db       string
	platform *linesim.Platform
	endpoint string
	listen   string   // the address, the same after each start
	users    []string // let in
	env      []string // more of the environment
	trap     *trap    // of the next processes' system calls; nil: none

	process *exec.Cmd
	stderr  *lineBuffer
	logs    strings.Builder // what the processes that have ended wrote to stderr
}

func newServer(t testing.TB) *server {
	s := &server{t: t, db: filepath.Join(shortDir(t), "ichido.db"), platform: linesim.New(linesim.Options{})}
	var stop func()
	s.endpoint, stop = s.platform.Start()
	s.listen = freeAddress(t)
	s.platform.SetWebhook("http://" + s.listen + "/line/webhook")
	for _, name := range []string{"taro", "hanako", "jiro", "saburo"} {
		s.users = append(s.users, linesim.UserID(name))
	}
	t.Cleanup(func() {
		if s.process != nil {
			s.kill()
		}
		stop()
	})
	return s
}

// shortDir is a directory whose path leaves room for a socket's.
func shortDir(t testing.TB) string {
	dir, err := os.MkdirTemp("", "ichido-test-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// freeAddress is one where nobody listens, and that nobody gets by asking for any: a
// server that has been killed must find it free, whatever the tests beside it open.
func freeAddress(t testing.TB) string {
	for range 1000 {
		address := fmt.Sprint("127.0.0.1:", 10000+nextPort.Add(1)%20000) // Linux gives out 32768 and up
		if l, err := net.Listen("tcp", address); err == nil {
			l.Close()
			return address
		}
	}
	t.Fatal("there is no free port")
	return ""
}

var nextPort atomic.Uint32

func init() { nextPort.Store(rand.Uint32N(20000)) } // for those who run the tests at the same time

// daytime is a zone in which it is about noon, so that pushes are not held back.
func daytime() string {
	offset := time.Now().UTC().Hour() - 12 // Etc/GMT+3 is three hours behind
	return fmt.Sprintf("Etc/GMT%+d", offset)
}

// start runs the program and waits until it serves.
func (s *server) start() {
	s.t.Helper()
	if err := s.tryStart(); err != nil {
		s.t.Fatalf("serve does not start: %v\n%s", err, s.stderr)
	}
}

func (s *server) tryStart() error {
	s.process = exec.Command("ichido", "serve", "--db", s.db, "--listen", s.listen, "--line-endpoint", s.endpoint,
		"--allow", strings.Join(s.users, ","), "--tz", daytime())
	s.process.Env = append(os.Environ(), "LINE_CHANNEL_SECRET="+linesim.DefaultSecret, "LINE_CHANNEL_ACCESS_TOKEN="+linesim.DefaultToken)
	s.process.Env = append(s.process.Env, s.env...)
	s.stderr = &lineBuffer{until: regexp.MustCompile(`msg=serving`), found: make(chan struct{}), ended: make(chan struct{})}
	pipe, err := s.process.StderrPipe()
	if err != nil {
		return err
	}
	if err := s.trap.start(s.process); err != nil {
		return err
	}
	go s.stderr.read(pipe)
	select {
	case <-s.stderr.found:
		return nil
	case <-s.stderr.ended:
		return s.wait()
	case <-time.After(20 * time.Second):
		return errors.New("it takes too long")
	}
}

// wait waits for the end of the process and returns how it was.
func (s *server) wait() error {
	<-s.stderr.ended
	err := s.process.Wait()
	s.process = nil
	s.logs.WriteString(s.stderr.String())
	return err
}

func (s *server) kill() {
	_ = s.process.Process.Kill()
	_ = s.wait()
}

// terminate asks the process to end and returns its status.
func (s *server) terminate() int {
	s.t.Helper()
	if err := s.process.Process.Signal(syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
	return exitStatus(s.wait())
}

func exitStatus(err error) int {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	return 0
}

// lineBuffer keeps what a process writes and watches for a line.
type lineBuffer struct {
	mu    sync.Mutex
	b     bytes.Buffer
	until *regexp.Regexp
	found chan struct{} // closed when a line matches
	ended chan struct{} // closed at the end
}

func (l *lineBuffer) read(r io.Reader) {
	defer close(l.ended)
	seen := false
	for scanner := bufio.NewScanner(r); scanner.Scan(); {
		l.mu.Lock()
		l.b.WriteString(scanner.Text() + "\n")
		l.mu.Unlock()
		if !seen && l.until.MatchString(scanner.Text()) {
			seen = true
			close(l.found)
		}
	}
}

func (l *lineBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (s *server) deliver(e linesim.Event) int {
	status, _ := s.platform.Deliver(s.t.Context(), e)
	return status
}

func (s *server) health() (int, string) {
	resp, err := http.Get("http://" + s.listen + "/healthz")
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, strings.TrimSpace(string(body))
}

func (s *server) client() *control.Client {
	s.t.Helper()
	c, err := control.Dial(control.DefaultSocket(s.db))
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

// exported reads the ledger through the control socket: items by receipt.
func (s *server) exported() map[uint64]string {
	s.t.Helper()
	var out bytes.Buffer
	if err := s.client().Export(s.t.Context(), "jsonl", &out); err != nil {
		s.t.Fatal(err)
	}
	items := map[uint64]string{}
	for decoder := json.NewDecoder(&out); ; {
		var row struct {
			Receipt uint64
			Item    string
		}
		if err := decoder.Decode(&row); err == io.EOF {
			return items
		} else if err != nil {
			s.t.Fatal(err)
		}
		if _, twice := items[row.Receipt]; twice {
			s.t.Errorf("receipt %d has two rows", row.Receipt)
		}
		items[row.Receipt] = row.Item
	}
}

// eventually waits for something that happens by itself.
func eventually(t testing.TB, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(limit); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("still not after %v: %s", limit, what)
		}
	}
}

func TestServe(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.start()
	if code := s.deliver(s.platform.Text(s.users[0], "ランチ 900")); code != 200 {
		t.Errorf("the webhook is answered with %d", code)
	}
	if _, err := s.platform.Wait(t.Context(), s.users[0], 1); err != nil {
		t.Fatal(err)
	}
	if code, body := s.health(); code != 200 || body != "ok" {
		t.Errorf("healthz: %d %s", code, body)
	}
	resp, err := http.Get("http://" + s.listen + "/export?format=jsonl")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 404 {
		t.Errorf("the control socket's paths are open to the world: %d", resp.StatusCode)
	}
	if status := s.terminate(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	if log := s.stderr.String(); strings.Contains(log, "ランチ") || strings.Contains(log, linesim.DefaultSecret) || strings.Contains(log, linesim.DefaultToken) {
		t.Errorf("a text or secret is in the log:\n%s", log)
	}
}

// The end lets requests under way be finished and the sender's call end.
func TestServeStopsAtASafePoint(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.start()
	s.platform.Fail(linesim.Slow(time.Second))
	if code := s.deliver(s.platform.Text(s.users[0], "ランチ 900")); code != 200 {
		t.Fatalf("the webhook is answered with %d", code)
	}
	eventually(t, 5*time.Second, "LINE gets the call", func() bool {
		return slices.ContainsFunc(s.platform.Calls(), func(c linesim.Call) bool { return c.ReplyToken != "" })
	})
	if status := s.terminate(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	s.start()
	box, err := s.client().Outbox(t.Context(), true, false)
	if err != nil || len(box.Messages) != 0 {
		t.Errorf("the outbox holds %+v (%v), want nothing: the answer came before the end", box, err)
	}
}

func TestSystemd(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	path := filepath.Join(shortDir(t), "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	s.env = []string{"NOTIFY_SOCKET=" + path, "WATCHDOG_USEC=300000"}
	s.start()
	want := []string{"READY=1", "WATCHDOG=1", "WATCHDOG=1"}
	buffer := make([]byte, 100)
	for _, message := range want {
		if err := conn.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
			t.Fatal(err)
		}
		n, err := conn.Read(buffer)
		if err != nil || string(buffer[:n]) != message {
			t.Fatalf("systemd hears %q (%v), want %q", buffer[:n], err, message)
		}
	}
	s.terminate()
}

// A file that may not grow is answered with 503; as soon as it may, the same
// events are taken, and nobody has to restart anything.
func TestFileSizeLimit(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.start()
	taro := s.users[0]
	if code := s.deliver(s.platform.Text(taro, "ランチ 900")); code != 200 {
		t.Fatalf("the webhook is answered with %d", code)
	}
	limit := func(bytes uint64) {
		if err := unix.Prlimit(s.process.Process.Pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: bytes, Max: unix.RLIM_INFINITY}, nil); err != nil {
			t.Fatal(err)
		}
	}
	limit(2 << 12) // no more than the two meta pages
	lost := s.platform.Text(taro, "カフェ 480")
	for range 3 {
		if code := s.deliver(lost); code != 503 {
			t.Errorf("without room the webhook is answered with %d, want 503", code)
		}
	}
	if code, body := s.health(); code != 503 {
		t.Errorf("healthz: %d %s, want 503", code, body)
	}
	limit(unix.RLIM_INFINITY)
	eventually(t, 5*time.Second, "healthy again by itself", func() bool { code, _ := s.health(); return code == 200 })
	if code := s.deliver(lost.Redelivered()); code != 200 {
		t.Errorf("with room again the webhook is answered with %d", code)
	}
	if items := s.exported(); len(items) != 2 {
		t.Errorf("the ledger holds %v", items)
	}
	if _, err := s.platform.Wait(t.Context(), taro, 2); err != nil {
		t.Error(err)
	}
	s.terminate()
	if err := store.CheckFile(t.Context(), s.db, nil); err != nil {
		t.Error(err)
	}
}
