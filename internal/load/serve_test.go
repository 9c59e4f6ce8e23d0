package load

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"ichido/internal/cli"
	"ichido/internal/linesim"
)

// TestMain makes this executable the program that the tests put under load, which looks
// at files in a child of its own.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"ichido": func() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// server is a serve process with a household, and LINE on loopback.
type server struct {
	t        *testing.T
	db       string
	address  string
	platform *linesim.Platform
	people   []string       // each in a chat with the bot
	messages []atomic.Int64 // of each of them
	process  *exec.Cmd
	said     sync.Mutex // one process writes to it while a failed test reads
	stderr   bytes.Buffer
}

// startServer starts a household with so many people.
func startServer(t *testing.T, people int, o linesim.Options) *server {
	dir, err := os.MkdirTemp("", "load-*") // t.TempDir is too long for a socket's path
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := &server{t: t, db: filepath.Join(dir, "ichido.db"), platform: linesim.New(o)}
	s.messages = make([]atomic.Int64, people)
	for i := range people {
		s.people = append(s.people, linesim.UserID(fmt.Sprint("person", i)))
	}
	endpoint, stop := s.platform.Start()
	t.Cleanup(stop)
	s.process = exec.Command("ichido", "serve", "--db", s.db, "--listen", "127.0.0.1:0", "--line-endpoint", endpoint,
		"--allow", strings.Join(s.people, ","), "--tz", daytime())
	s.process.Env = append(os.Environ(), "LINE_CHANNEL_SECRET="+linesim.DefaultSecret, "LINE_CHANNEL_ACCESS_TOKEN="+linesim.DefaultToken)
	pipe, err := s.process.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if s.process.ProcessState == nil {
			s.process.Process.Kill()
			s.process.Wait()
		}
	})
	s.await(pipe)
	s.platform.SetWebhook("http://" + s.address + "/line/webhook")
	return s
}

// daytime is a zone in which it is about noon, so that no answer waits for the morning.
func daytime() string {
	return fmt.Sprintf("Etc/GMT%+d", time.Now().UTC().Hour()-12) // Etc/GMT+3 is three hours behind
}

// await reads what the process logs until it says where it serves, and goes on reading.
func (s *server) await(pipe interface{ Read([]byte) (int, error) }) {
	s.t.Helper()
	serving := make(chan string, 1)
	go func() {
		for lines := bufio.NewScanner(pipe); lines.Scan(); {
			s.said.Lock()
			fmt.Fprintln(&s.stderr, lines.Text())
			s.said.Unlock()
			if _, rest, ok := strings.Cut(lines.Text(), "msg=serving address="); ok {
				serving <- strings.Fields(rest)[0]
			}
		}
	}()
	select {
	case s.address = <-serving:
	case <-time.After(20 * time.Second):
		s.t.Fatal("it does not serve\n" + s.logged())
	}
}

func (s *server) logged() string {
	s.said.Lock()
	defer s.said.Unlock()
	return s.stderr.String()
}

// lunch is a purchase of one of the people.
func (s *server) lunch(i int) linesim.Event {
	s.messages[i%len(s.people)].Add(1)
	return s.platform.Text(s.people[i%len(s.people)], "ランチ 900")
}

// deliver wants a 200 for the events.
func (s *server) deliver(ctx context.Context, events ...linesim.Event) error {
	status, err := s.platform.Deliver(ctx, events...)
	if err == nil && status != 200 {
		err = fmt.Errorf("answered with %d", status)
	}
	return err
}

// size is the file's in bytes.
func (s *server) size() int64 {
	s.t.Helper()
	info, err := os.Stat(s.db)
	if err != nil {
		s.t.Fatal(err)
	}
	return info.Size()
}

// memory is that of the process in bytes: all that it has in use, and of it what is no
// page of a file.
func (s *server) memory() (resident, anonymous int64) {
	s.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.process.Process.Pid))
	if err != nil {
		s.t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		kib, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
		switch name {
		case "VmRSS":
			resident = kib << 10
		case "RssAnon":
			anonymous = kib << 10
		}
	}
	return resident, anonymous
}

// receipts lists the receipt of each row.
func (s *server) receipts() (list []uint64) {
	s.t.Helper()
	out, err := exec.Command("ichido", "export", "--db", s.db, "--format", "jsonl").Output()
	if err != nil {
		s.t.Fatal(err)
	}
	for line := range bytes.Lines(out) {
		var row struct{ Receipt uint64 }
		if err := json.Unmarshal(line, &row); err != nil {
			s.t.Fatal(err)
		}
		list = append(list, row.Receipt)
	}
	return list
}

// end stops the server as systemd does, and has the file checked.
func (s *server) end() {
	s.t.Helper()
	if err := s.process.Process.Signal(syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
	if err := s.process.Wait(); err != nil {
		s.t.Errorf("serve ends with: %v\n%s", err, s.logged())
	}
	if out, err := exec.Command("ichido", "check", "--db", s.db).CombinedOutput(); err != nil {
		s.t.Errorf("check: %v\n%s", err, out)
	}
}

// eventually waits for something that happens by itself.
func eventually(t *testing.T, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(limit); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("still not after %v: %s", limit, what)
		}
	}
}

// connect opens a connection to the server, which the test's end closes.
func (s *server) connect(ctx context.Context) (net.Conn, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", s.address)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { conn.Close() })
	return conn, nil
}
