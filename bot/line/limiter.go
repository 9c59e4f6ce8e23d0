package line

import (
	"sync"
	"time"
)

// maxRemembered is how many keys a limiter remembers. Beyond that nobody new is
// served.
const maxRemembered = 1024

// limiter bounds how often something is done, for each of many people or chats or, with
// the key "", at all. It remembers in memory only, and is safe for concurrent use.
type limiter struct {
	every time.Duration

	mu   sync.Mutex
	last map[string]time.Time
}

// allow says whether it may be done for the key now, and notes that it is.
func (l *limiter) allow(key string, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if t, known := l.last[key]; known && now.Sub(t) < l.every {
		return false
	}
	if len(l.last) >= maxRemembered {
		for k, t := range l.last {
			if now.Sub(t) >= l.every {
				delete(l.last, k)
			}
		}
	}
	if len(l.last) >= maxRemembered {
		return false
	}
	if l.last == nil {
		l.last = make(map[string]time.Time)
	}
	l.last[key] = now
	return true
}
