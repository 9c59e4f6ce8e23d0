package sim

import (
	"hash/fnv"
	"math/rand/v2"
	"time"
)

// chance is where all that is random in a run comes from. What the driver decides it
// draws in its order. What happens elsewhere, in goroutines that nobody has in order,
// goes by what it is about and by the moment at which it happens.
type chance struct {
	*rand.Rand // of the driver only
	seed       uint64
}

func newChance(seed uint64) chance { return chance{rand.New(rand.NewPCG(seed, 1)), seed} }

// at gives the source for something at this moment.
func (c chance) at(what string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(what))
	return rand.New(rand.NewPCG(c.seed^h.Sum64(), uint64(time.Now().UnixNano())))
}

// between is some duration, so that hardly ever two things happen at one moment.
func between(r *rand.Rand, least, most time.Duration) time.Duration {
	return least + time.Duration(r.Int64N(int64(most-least)))
}

// oneIn is true once in n times.
func oneIn(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }
