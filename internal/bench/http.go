package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"ichido/internal/linesim"
)

// webhooks are signed webhooks, made before anything is measured, byte for byte.
type webhooks struct {
	address  string
	requests [][]byte
	people   []string // the household; they write in turn
	platform *linesim.Platform
}

// freeAddress is an address of loopback where nobody listens.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// prepare makes more webhooks than any contestant takes in the time.
func prepare(s setting, address string) (*webhooks, error) {
	const fastest = 20_000 // a second
	count := fastest
	if s.clients == 1 {
		count /= 4
	}
	w := &webhooks{
		address:  address,
		requests: make([][]byte, int(float64(count)*(s.span+s.span/10).Seconds())+s.clients),
		platform: linesim.New(linesim.Options{Forget: true, Webhook: "http://" + address + "/line/webhook"}),
	}
	for i := range 8 {
		w.people = append(w.people, linesim.UserID(fmt.Sprint("person", i)))
	}
	for i := range w.requests {
		body := w.platform.Body(w.platform.Text(w.of(i), "ランチ 900"))
		request, err := w.platform.Request(context.Background(), body)
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		if err := request.Write(&b); err != nil {
			return nil, err
		}
		w.requests[i] = b.Bytes()
	}
	return w, nil
}

// of is who writes message n.
func (w *webhooks) of(n int) string { return w.people[n%len(w.people)] }

func (w *webhooks) limit() int { return len(w.requests) }

// client is one connection, which stays open; it is dialled again when the server has
// closed it after an answer.
func (w *webhooks) client() (func(n int) error, error) {
	conn, err := net.Dial("tcp", w.address)
	if err != nil {
		return nil, err
	}
	in := bufio.NewReader(conn)
	return func(n int) error {
		again, err := post(conn, in, w.requests[n])
		if again && err == nil {
			conn.Close()
			if conn, err = net.Dial("tcp", w.address); err == nil {
				in.Reset(conn)
			}
		}
		return err
	}, nil
}

// post sends a request and reads its answer, after which the server may have closed the
// connection.
func post(conn net.Conn, in *bufio.Reader, request []byte) (closed bool, err error) {
	if _, err := conn.Write(request); err != nil {
		return false, err
	}
	answer, err := http.ReadResponse(in, nil)
	if err != nil {
		return false, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return false, err
	}
	if answer.StatusCode != http.StatusOK {
		return false, fmt.Errorf("answered with %s: %.500s", answer.Status, body)
	}
	return answer.Close, nil
}

// daemon is a server that this program has started, in a process group of its own.
type daemon struct {
	cmd    *exec.Cmd
	stderr bytes.Buffer
	ended  chan error
}

func startDaemon(env []string, name string, args ...string) (*daemon, error) {
	d := &daemon{cmd: exec.Command(name, args...), ended: make(chan error, 1)}
	d.cmd.Env = append(os.Environ(), env...)
	d.cmd.Stderr, d.cmd.Stdout = &d.stderr, &d.stderr
	d.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := d.cmd.Start(); err != nil {
		return nil, err
	}
	go func() { d.ended <- d.cmd.Wait() }()
	return d, nil
}

// await waits until the server is ready, for half a minute at most.
func (d *daemon) await(ready func() bool) error {
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		select {
		case err := <-d.ended:
			d.ended <- err
			return fmt.Errorf("%s has ended: %v\n%s", d.cmd.Path, err, d.stderr.String())
		default:
		}
		if ready() {
			return nil
		}
	}
	return fmt.Errorf("%s is not ready after half a minute", d.cmd.Path)
}

// stop asks the server to end and waits for it.
func (d *daemon) stop() error {
	if err := d.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-d.ended:
		return nil
	case <-time.After(30 * time.Second):
		return errors.Join(fmt.Errorf("%s does not end", d.cmd.Path), d.cmd.Process.Kill())
	}
}

// listens says whether somebody takes connections there.
func listens(network, address string) func() bool {
	return func() bool {
		conn, err := net.Dial(network, address)
		if err == nil {
			conn.Close()
		}
		return err == nil
	}
}

// missing says which of the programs is missing, "" if none is.
func missing(programs ...string) string {
	var not []string
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			not = append(not, name)
		}
	}
	if len(not) == 0 {
		return ""
	}
	return "not installed: " + strings.Join(not, ", ")
}
