package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ichido/internal/linesim"
	"ichido/store/storetest"
)

// BenchmarkWebhook measures a serve process of its own over loopback HTTP, with
// the client on the same machine. Floor is what the disk needs for one durable
// change; the other figures are to be read as ratios to it.
func BenchmarkWebhook(b *testing.B) {
	b.Run("floor", storetest.Floor)
	b.Run("clients=1", func(b *testing.B) { benchClients(b, 1) })
	b.Run("clients=32", func(b *testing.B) { benchClients(b, 32) })
	b.Run("floor/arrivals=1000/s", benchFloorArrivals)
	b.Run("arrivals=1000/s", benchArrivals)
}

// benchServer is a server whose LINE can't be reached: what is said afterwards is
// another matter.
func benchServer(b *testing.B) *server {
	s := newServer(b)
	s.platform = linesim.New(linesim.Options{Forget: true, Webhook: "http://" + s.listen + "/line/webhook"})
	s.endpoint = "http://127.0.0.1:1"
	s.start()
	b.Cleanup(func() {
		b.ReportMetric(float64(s.anonymous())/(1<<20), "anon-MiB")
		s.kill()
	})
	return s
}

// webhooks prepares n signed requests, byte for byte.
func (s *server) webhooks(b *testing.B, n int) [][]byte {
	requests := make([][]byte, n)
	for i := range requests {
		r, err := s.platform.Request(b.Context(), s.platform.Body(s.platform.Text(s.users[i%len(s.users)], "ランチ 900")))
		if err != nil {
			b.Fatal(err)
		}
		var w bytes.Buffer
		if err := r.Write(&w); err != nil {
			b.Fatal(err)
		}
		requests[i] = w.Bytes()
	}
	return requests
}

// client is one connection of a load generator that costs little itself, as it
// runs on the processors of the server.
type client struct {
	conn net.Conn
	in   *bufio.Reader
}

func (s *server) connect(b *testing.B) *client {
	conn, err := net.Dial("tcp", s.listen)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { conn.Close() })
	return &client{conn, bufio.NewReader(conn)}
}

// post sends a request and reads its answer, which has no body.
func (c *client) post(request []byte) error {
	if _, err := c.conn.Write(request); err != nil {
		return err
	}
	first, err := c.in.ReadString('\n')
	if err != nil || !strings.HasPrefix(first, "HTTP/1.1 200 ") {
		return fmt.Errorf("%q, %v", first, err)
	}
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil || len(line) <= 2 {
			return err
		}
	}
}

func benchClients(b *testing.B, clients int) {
	s := benchServer(b)
	requests := s.webhooks(b, b.N)
	used := s.cpu()
	b.ResetTimer()
	var next atomic.Int64
	var wg sync.WaitGroup
	for range clients {
		c := s.connect(b)
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= b.N {
					return
				}
				if err := c.post(requests[i]); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "webhooks/s")
	b.ReportMetric(float64((s.cpu()-used).Microseconds())/float64(b.N), "server-cpu-µs")
}

// benchArrivals sends webhooks at fixed times, whether or not earlier ones have
// been answered, and counts each one's time from when it should have left.
func benchArrivals(b *testing.B) {
	s := benchServer(b)
	requests := s.webhooks(b, arrivals)
	free := make(chan *client, 64)
	for range cap(free) {
		free <- s.connect(b)
	}
	arrive(b, func(i int) {
		c := <-free
		if err := c.post(requests[i]); err != nil {
			b.Error(err)
		}
		free <- c
	})
}

// benchFloorArrivals is what the timers and the disk of the machine leave to the
// best of servers: two pages are written and synced for what has come at the same
// times, and for all of it at once that came during the writing before.
func benchFloorArrivals(b *testing.B) {
	write := storetest.Durable(b)
	var disk sync.Mutex
	var began time.Time // the last writing
	arrive(b, func(int) {
		came := time.Now()
		disk.Lock()
		defer disk.Unlock()
		if began.Before(came) {
			began = time.Now()
			write()
		}
	})
}

// arrivals come at arrivalRate a second.
const (
	arrivalRate = 1000
	arrivals    = 3 * arrivalRate
)

// arrive calls do at fixed times and reports how long after its time each call
// has ended.
func arrive(b *testing.B, do func(i int)) {
	took := make([]time.Duration, arrivals)
	b.ResetTimer()
	var wg sync.WaitGroup
	start := time.Now()
	for i := range arrivals {
		due := start.Add(time.Duration(i) * time.Second / arrivalRate)
		time.Sleep(time.Until(due))
		wg.Go(func() {
			do(i)
			took[i] = time.Since(due)
		})
	}
	wg.Wait()
	slices.Sort(took)
	for _, p := range []int{50, 99} {
		b.ReportMetric(float64(took[arrivals*p/100].Microseconds())/1000, fmt.Sprintf("p%d-ms", p))
	}
}

// cpu is the processor time that the process has used, to the hundredth of a
// second.
func (s *server) cpu() time.Duration {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(s.process.Process.Pid), "stat"))
	if err != nil {
		s.t.Fatal(err)
	}
	fields := strings.Fields(string(stat))
	ticks := 0
	for _, field := range fields[13:15] { // utime and stime; the name has no spaces
		n, err := strconv.Atoi(field)
		if err != nil {
			s.t.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * time.Second / 100
}

// anonymous is the anonymous memory of the process in bytes.
func (s *server) anonymous() int {
	status, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(s.process.Process.Pid), "status"))
	if err != nil {
		s.t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "RssAnon:"); ok {
			kib, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(rest), " kB"))
			if err != nil {
				s.t.Fatal(err)
			}
			return kib << 10
		}
	}
	return 0
}
