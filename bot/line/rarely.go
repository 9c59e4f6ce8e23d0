package line

import (
	"sync"
	"time"
)

// maxRemembered is how many keys a rarely remembers. Beyond that nobody new is
// served.
const maxRemembered = 1024

// rarely bounds how often something is done for each of many people or chats, in
// memory only.
type rarely struct {
	every time.Duration

	mu   sync.Mutex
	last map[string]time.Time
}

// allow says whether it may be done for the key now, and notes that it is.
func (r *rarely) allow(key string, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if t, known := r.last[key]; known && now.Sub(t) < r.every {
		return false
	}
	if len(r.last) >= maxRemembered {
		for k, t := range r.last {
			if now.Sub(t) >= r.every {
				delete(r.last, k)
			}
		}
	}
	if len(r.last) >= maxRemembered {
		return false
	}
	if r.last == nil {
		r.last = make(map[string]time.Time)
	}
	r.last[key] = now
	return true
}
