package cli

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
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
	b.Run("arrivals=1000/s", benchArrivals)
}

// mute is a LINE that keeps nothing and, for the benchmark of the webhook alone,
// can't be reached: what is said afterwards is another matter.
func benchServer(b *testing.B) (*server, *http.Client) {
	s := newServer(b)
	s.platform = linesim.New(linesim.Options{Forget: true, Webhook: "http://" + s.listen + "/line/webhook"})
	s.endpoint = "http://127.0.0.1:1"
	s.start()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1024}}
	b.Cleanup(func() {
		b.ReportMetric(float64(s.anonymous())/(1<<20), "anon-MiB")
		s.kill()
	})
	return s, client
}

// webhooks prepares n signed bodies.
func (s *server) webhooks(n int) (bodies [][]byte, signatures []string) {
	for i := range n {
		body := s.platform.Body(s.platform.Text(s.users[i%len(s.users)], "ランチ 900"))
		bodies, signatures = append(bodies, body), append(signatures, s.platform.Sign(body))
	}
	return bodies, signatures
}

func (s *server) post(client *http.Client, body []byte, signature string) error {
	req, err := http.NewRequest(http.MethodPost, "http://"+s.listen+"/line/webhook", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("X-Line-Signature", signature)
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", resp.StatusCode)
	}
	return nil
}

func benchClients(b *testing.B, clients int) {
	s, client := benchServer(b)
	bodies, signatures := s.webhooks(b.N)
	used := s.cpu()
	b.ResetTimer()
	var next atomic.Int64
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= b.N {
					return
				}
				if err := s.post(client, bodies[i], signatures[i]); err != nil {
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

// benchArrivals sends webhooks at fixed times, whether or not earlier ones have
// been answered, and counts each one's time from when it should have left.
func benchArrivals(b *testing.B) {
	s, client := benchServer(b)
	const rate = 1000
	n := max(b.N, 3*rate)
	bodies, signatures := s.webhooks(n)
	took := make([]time.Duration, n)
	b.ResetTimer()
	var wg sync.WaitGroup
	start := time.Now()
	for i := range n {
		due := start.Add(time.Duration(i) * time.Second / rate)
		time.Sleep(time.Until(due))
		wg.Go(func() {
			if err := s.post(client, bodies[i], signatures[i]); err != nil {
				b.Error(err)
			}
			took[i] = time.Since(due)
		})
	}
	wg.Wait()
	slices.Sort(took)
	for _, p := range []int{50, 99} {
		b.ReportMetric(float64(took[n*p/100].Microseconds())/1000, fmt.Sprintf("p%d-ms", p))
	}
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
