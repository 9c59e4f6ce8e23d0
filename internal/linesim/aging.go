package linesim

import "time"

// aging is a map whose entries leave when they are ttl old: entries are put in
// the order of time, so that leaving costs as little as coming. The zero ttl
// keeps them for ever. The zero value is ready for use.
type aging[V any] struct {
	ttl   time.Duration
	live  map[string]V
	queue []birth // of the live keys, oldest first
}

type birth struct {
	key string
	at  time.Time
}

// get is the value of a key that is not yet ttl old at now.
func (a *aging[V]) get(now time.Time, key string) (V, bool) {
	a.expire(now)
	v, ok := a.live[key]
	return v, ok
}

// put adds a key that get did not find.
func (a *aging[V]) put(now time.Time, key string, v V) {
	a.expire(now)
	if a.live == nil {
		a.live = make(map[string]V)
	}
	a.live[key] = v
	if a.ttl > 0 {
		a.queue = append(a.queue, birth{key, now})
	}
}

func (a *aging[V]) expire(now time.Time) {
	for len(a.queue) > 0 && now.Sub(a.queue[0].at) >= a.ttl {
		delete(a.live, a.queue[0].key)
		a.queue = a.queue[1:]
	}
}
