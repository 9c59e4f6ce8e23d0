package web

import (
	"net"
	"net/http"
	"net/netip"
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

// allow says whether the key may do it at the time.
func (l *limiters) allow(key string, at time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.by) >= maxLimiters {
		clear(l.by)
	}
	if l.by[key] == nil {
		l.by[key] = rate.NewLimiter(rate.Every(l.every), l.burst)
	}
	return l.by[key].AllowN(at, 1)
}

// address is from where the request comes: the last one that a proxy on this machine has
// noted, or else the other end. Of IPv6 it is the network: who has one address there has
// them all.
func address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	forwarded := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	if last := strings.TrimSpace(forwarded[len(forwarded)-1]); last != "" && net.ParseIP(host).IsLoopback() {
		host = last
	}
	ip, err := netip.ParseAddr(host)
	if err != nil || ip.Unmap().Is4() {
		return host
	}
	network, err := ip.Prefix(64)
	if err != nil {
		return host
	}
	return network.String()
}
