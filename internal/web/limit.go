package web

import (
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// maxLimiters bounds how many addresses or members are remembered. Beyond it all are
// forgotten: an attacker with so many addresses is not held up by any of them.
const maxLimiters = 10_000

// limiters allow each key so many requests at once and one more in each interval.
type limiters struct {
	mu    sync.Mutex
	every time.Duration
	burst int
	by    map[string]*rate.Limiter
}

func newLimiters(every time.Duration, burst int) *limiters {
	return &limiters{every: every, burst: burst, by: map[string]*rate.Limiter{}}
}

func (l *limiters) allow(key string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.by) >= maxLimiters {
		clear(l.by)
	}
	if l.by[key] == nil {
		l.by[key] = rate.NewLimiter(rate.Every(l.every), l.burst)
	}
	return l.by[key].Allow()
}

// address is from where the request comes: the last one that a proxy on this machine has
// noted, or else the other end.
func address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	forwarded := strings.Split(r.Header.Get("X-Forwarded-For"), ",")
	if last := strings.TrimSpace(forwarded[len(forwarded)-1]); last != "" && net.ParseIP(host).IsLoopback() {
		return last
	}
	return host
}
