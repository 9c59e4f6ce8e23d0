package powercut

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
)

// State is a file as it may be after a power cut.
type State struct {
	Line    int    // of the record, after which the power was cut
	Exists  bool   // there is a file at the path
	How     string // what of that which was not durable is on the disk
	Pending int    // how many changes were not durable
	Hash    [sha256.Size]byte

	content content
}

// Write makes it a file.
func (s *State) Write(path string) error { return s.content.writeTo(path) }

// Replay says of which run the states are to be rebuilt, and how many.
type Replay struct {
	Calls []*Call
	Root  string // the directory of the program's files, empty at first
	Path  string // the file, below it

	// PerCut is how many states there are at a moment at which there may be several, on
	// average. At the others there is one, or none with the chance of a PerCut below 1.
	PerCut float64

	Seed uint64

	// Lie says that a sync does nothing, of which these are the offsets of the writes that
	// it should have made durable. nil is an honest disk.
	Lie func(sync *Call, offsets []int64) bool
}

// Cuts counts the moments after which the file may be another one than before, and those of
// them at which it may be one of several.
func (r *Replay) Cuts() (all, open int, err error) {
	err = r.walk(func(_ int, d *disk) error {
		all++
		names := d.pendingNames(r.Path)
		if f := d.at(r.Path, names); len(names) > 0 || f != nil && len(f.pending()) > 0 {
			open++
		}
		return nil
	})
	return all, open, err
}

// States calls fn for states of the file, in the order of the moments at which the power
// is cut.
func (r *Replay) States(fn func(*State) error) error {
	rnd := rand.New(rand.NewPCG(r.Seed, 0))
	return r.walk(func(line int, d *disk) error {
		n := int(r.PerCut)
		if rnd.Float64() < r.PerCut-float64(n) {
			n++
		}
		if n == 0 {
			return nil
		}
		for _, c := range d.cut(r.Path, n, rnd) {
			c.Line = line
			if err := fn(c); err != nil {
				return err
			}
		}
		return nil
	})
}

// walk calls cut after each moment of the run that matters to the file, and at its end.
func (r *Replay) walk(cut func(line int, d *disk) error) (err error) {
	d := newDisk(r.Root)
	d.lie = r.Lie
	type moment struct {
		line int
		call *Call
		end  bool
	}
	var moments []moment
	for _, c := range r.Calls {
		moments = append(moments, moment{c.Begin, c, false}, moment{c.End, c, true})
	}
	slices.SortStableFunc(moments, func(a, b moment) int { return a.line - b.line })
	changes := map[*Call][]*change{}
	for _, m := range moments {
		var news []*change
		if m.end {
			news = d.end(m.call, changes[m.call])
			delete(changes, m.call)
		} else if news, err = d.begin(m.call); err != nil {
			return err
		} else if len(news) > 0 {
			changes[m.call] = news
		}
		matters := slices.ContainsFunc(news, func(op *change) bool { return d.touches(r.Path, op) })
		if m.end && len(news) > 0 {
			d.fold()
		}
		if matters {
			if err := cut(m.line, d); err != nil {
				return err
			}
		}
	}
	if len(moments) == 0 {
		return nil
	}
	return cut(moments[len(moments)-1].line, d)
}

// touches says whether the change has to do with what may be at the path.
func (d *disk) touches(p string, op *change) bool {
	if isAbove(op.unset, p) || isAbove(op.set, p) {
		return true
	}
	for _, f := range []*inode{d.names[p], d.kept[p]} {
		if f != nil && slices.Contains(f.ops, op) {
			return true
		}
	}
	return false
}

// cut gives up to n states of the file. In some each change is there as a whole or not at
// all: every subset if these are few, else none, all, each missing and each alone. Others
// are of chance, and in them writes are torn too. If these are too many, chance decides.
func (d *disk) cut(p string, n int, rnd *rand.Rand) (states []*State) {
	type choice struct {
		of    *inode // nil: there is no file
		names []bool
		plan  []part
	}
	var choices []choice
	names := d.pendingNames(p)
	for _, happen := range wholes(len(names), 8, rnd) {
		f := d.at(p, chosen(names, happen))
		if f == nil {
			choices = append(choices, choice{names: happen})
			continue
		}
		pending := f.pending()
		plans := planWholes(wholes(len(pending), n, rnd))
		for len(plans) < n && len(pending) > 0 {
			plans = append(plans, planOfChance(pending, rnd))
		}
		for _, plan := range plans {
			choices = append(choices, choice{f, happen, plan})
		}
	}
	rnd.Shuffle(len(choices), func(i, j int) { choices[i], choices[j] = choices[j], choices[i] })
	for _, c := range choices[:min(len(choices), n)] {
		s := &State{}
		if c.of != nil {
			s = c.of.state(c.plan)
		}
		s.How = fmt.Sprint("names ", c.names, " ", s.How)
		s.Pending += len(names)
		states = append(states, s)
	}
	return states
}

func chosen(names []*change, happen []bool) (some []*change) {
	for i, op := range names {
		if happen[i] {
			some = append(some, op)
		}
	}
	return some
}

// wholes gives choices of n things: all if these are at most limit, else none, all, and
// each missing and each alone of some.
func wholes(n, limit int, rnd *rand.Rand) (all [][]bool) {
	if n < 20 && 1<<n <= limit {
		for bits := range 1 << n {
			choice := make([]bool, n)
			for i := range choice {
				choice[i] = bits>>i&1 == 1
			}
			all = append(all, choice)
		}
		return all
	}
	all = append(all, make([]bool, n), slices.Repeat([]bool{true}, n))
	for _, i := range rnd.Perm(n)[:min(n, 16)] {
		missing, alone := slices.Repeat([]bool{true}, n), make([]bool, n)
		missing[i], alone[i] = false, true
		all = append(all, missing, alone)
	}
	return all
}

// part says which sectors of a write are on the disk; nil: all.
type part struct {
	name string
	keep func(sector int) bool
	none bool
}

func planWholes(choices [][]bool) (plans [][]part) {
	for _, choice := range choices {
		plan := make([]part, len(choice))
		for i, there := range choice {
			plan[i] = part{name: "1"}
			if !there {
				plan[i] = part{name: "0", none: true}
			}
		}
		plans = append(plans, plan)
	}
	return plans
}

func planOfChance(pending []*change, rnd *rand.Rand) []part {
	plan := make([]part, len(pending))
	for i, op := range pending {
		switch n := rnd.IntN(4); {
		case n == 0:
			plan[i] = part{name: "0", none: true}
		case n == 1 || op.truncate:
			plan[i] = part{name: "1"}
		default:
			plan[i] = torn(op, rnd)
		}
	}
	return plan
}

// torn leaves the beginning, the end or any part of a write, in units of 512 B or 4 KiB.
func torn(op *change, rnd *rand.Rand) part {
	unit := 1 // sectors
	if len(op.data) > pageSize && rnd.IntN(2) == 0 {
		unit = pageSize / sectorSize
	}
	units := (len(op.data) + unit*sectorSize - 1) / (unit * sectorSize)
	there := make([]bool, units)
	at, shape := rnd.IntN(units+1), rnd.IntN(3)
	for i := range there {
		there[i] = shape == 0 && i < at || shape == 1 && i >= at || shape == 2 && rnd.IntN(2) == 0
	}
	return part{
		name: fmt.Sprintf("torn at %d: %v", unit*sectorSize, there),
		keep: func(sector int) bool { return there[min(sector/unit, units-1)] },
	}
}

// state is the file with what is durable and these parts of what is pending.
func (f *inode) state(plan []part) *State {
	s := &State{Exists: true, Pending: len(plan), content: f.kept}
	next := 0
	for _, op := range f.ops {
		if op.durable {
			s.content = s.content.with(op, nil)
			continue
		}
		if p := plan[next]; !p.none {
			s.content = s.content.with(op, p.keep)
		}
		s.How += fmt.Sprintf("%d:%s ", op.offset, plan[next].name)
		next++
	}
	s.Hash = s.content.hash()
	return s
}

// Forget drops the content, once it is written: states are many.
func (s *State) Forget() { s.content = content{} }
