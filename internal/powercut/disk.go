package powercut

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// disk is the directory of a program, as the processes see it and as it is on the disk.
type disk struct {
	root  string
	lie   func(sync *Call, pending []int64) bool // the sync does nothing; nil: none lies
	names map[string]*inode                      // as the processes see them
	ops   []*change                              // of names, since the last that all before are on the disk
	kept  map[string]*inode                      // the names before these
	syncs map[*Call][]*change                    // under way, with what they will make durable
}

// inode is a file or directory.
type inode struct {
	directory bool
	ops       []*change // since the last that all before are on the disk
	kept      content   // before these
	cursor    int64     // where write goes on
}

// change is a change of a file's content, or of names. Until it is durable it may be on the
// disk or not.
type change struct {
	durable, ended bool

	// Of content:
	offset   int64
	data     []byte // nil: a truncation to offset
	truncate bool

	// Of names:
	unset, set string // "": none
	of         *inode // of set
}

func newDisk(root string) *disk {
	return &disk{root: root, names: map[string]*inode{root: {directory: true}}, kept: map[string]*inode{root: {directory: true}}, syncs: map[*Call][]*change{}}
}

func (d *disk) holds(p string) bool { return p == d.root || strings.HasPrefix(p, d.root+"/") }

// begin does what the call may do from now on, and says whether that is anything.
func (d *disk) begin(c *Call) (changes []*change, err error) {
	if c.Result < 0 {
		return nil, nil
	}
	at := strings.HasSuffix(c.Name, "at") || strings.HasSuffix(c.Name, "at2")
	first, to := 0, 1 // where paths are among the arguments
	if at {
		first, to = 1, 3
	}
	switch c.Name {
	case "open", "openat":
		return d.open(c.path(first, at), c.arg(first+1))
	case "mkdir", "mkdirat":
		return d.name("", c.path(first, at), &inode{directory: true}), nil
	case "link", "linkat":
		if from := c.path(first, at); d.names[from] != nil {
			return d.name("", c.path(to, at), d.names[from]), nil
		} else if d.holds(c.path(to, at)) {
			return nil, fmt.Errorf("line %d: a link to a file of which nothing is known", c.Begin)
		}
	case "rename", "renameat", "renameat2":
		from := c.path(first, at)
		if of := d.names[from]; of != nil && !of.directory {
			return d.name(from, c.path(to, at), of), nil
		} else if d.holds(from) || d.holds(c.path(to, at)) {
			return nil, fmt.Errorf("line %d: a rename that is not understood", c.Begin)
		}
	case "unlink", "unlinkat", "rmdir":
		return d.name(c.path(first, at), "", nil), nil
	case "pwrite64":
		return d.write(c, c.number(3))
	case "write":
		f := d.names[c.file(0)]
		if f == nil {
			return nil, d.unknown(c)
		}
		offset := f.cursor
		f.cursor += c.Result
		return d.write(c, offset)
	case "truncate", "ftruncate":
		p := c.file(0)
		if c.Name == "truncate" {
			p = c.path(0, false)
		}
		if f := d.names[p]; f != nil {
			return f.add(&change{offset: c.number(1), truncate: true}), nil
		}
		return nil, d.unknown(c)
	case "fsync", "fdatasync":
		return nil, d.sync(c)
	case "read":
	case "mmap":
		if strings.Contains(c.arg(2), "PROT_WRITE") && strings.Contains(c.arg(3), "MAP_SHARED") && d.holds(c.file(4)) {
			return nil, fmt.Errorf("line %d: a write through a map", c.Begin)
		}
	default: // the descriptor that it writes to is the first argument, or another one
		for i := range c.Args {
			if d.holds(c.file(i)) {
				return nil, fmt.Errorf("line %d: nothing is known of %s", c.Begin, c.Name)
			}
		}
	}
	return nil, nil
}

// unknown is an error if the call is about a file below the root.
func (d *disk) unknown(c *Call) error {
	if p := c.file(0); d.holds(p) {
		return fmt.Errorf("line %d: %s on %s, of which nothing is known", c.Begin, c.Name, p)
	}
	return nil
}

func (d *disk) open(p, flags string) ([]*change, error) {
	f := d.names[p]
	switch {
	case !d.holds(p):
		return nil, nil
	case f == nil && strings.Contains(flags, "O_CREAT"):
		return d.name("", p, &inode{}), nil
	case f == nil || f.directory:
		return nil, nil
	}
	f.cursor = 0
	if strings.Contains(flags, "O_TRUNC") {
		return f.add(&change{truncate: true}), nil
	}
	return nil, nil
}

// name takes a name away, gives one, or both at once.
func (d *disk) name(unset, set string, of *inode) []*change {
	if !d.holds(unset) && !d.holds(set) {
		return nil
	}
	c := &change{unset: unset, set: set, of: of}
	c.rename(d.names)
	d.ops = append(d.ops, c)
	return []*change{c}
}

func (c *change) rename(names map[string]*inode) {
	delete(names, c.unset)
	if c.set != "" {
		names[c.set] = c.of
	}
}

func (d *disk) write(c *Call, offset int64) ([]*change, error) {
	f := d.names[c.file(0)]
	if f == nil {
		return nil, d.unknown(c)
	}
	return f.add(&change{offset: offset, data: c.data(1)[:c.Result]}), nil
}

func (f *inode) add(c *change) []*change {
	f.ops = append(f.ops, c)
	return []*change{c}
}

// sync notes what will be durable when the call has returned.
func (d *disk) sync(c *Call) error {
	p := c.file(0)
	f := d.names[p]
	if f == nil {
		return d.unknown(c)
	}
	var covered []*change
	if f.directory {
		for _, op := range d.ops {
			if op.ended && (op.unset != "" && path.Dir(op.unset) == p || op.set != "" && path.Dir(op.set) == p) {
				covered = append(covered, op)
			}
		}
	}
	var pending []int64
	for _, op := range f.ops {
		if op.ended && !op.durable && (!op.truncate || c.Name == "fsync") {
			covered = append(covered, op)
			pending = append(pending, op.offset)
		}
	}
	if d.lie == nil || !d.lie(c, pending) {
		d.syncs[c] = covered
	}
	return nil
}

// end notes that the call has returned, with what it has changed, and gives what is durable
// now and was not.
func (d *disk) end(c *Call, changes []*change) (durable []*change) {
	for _, op := range changes {
		op.ended = true
	}
	covered := d.syncs[c]
	delete(d.syncs, c)
	for _, op := range covered {
		op.durable = true
	}
	return covered
}

// fold lets what is on the disk, with all before it, be the past. It forgets the changes.
func (d *disk) fold() {
	for len(d.ops) > 0 && d.ops[0].durable {
		d.ops[0].rename(d.kept)
		d.ops = d.ops[1:]
	}
	for _, f := range d.names {
		for len(f.ops) > 0 && f.ops[0].durable {
			f.kept = f.kept.with(f.ops[0], nil)
			f.ops = f.ops[1:]
		}
	}
}

// pendingNames are the changes of names on which it depends what is at the path.
func (d *disk) pendingNames(p string) (pending []*change) {
	for _, op := range d.ops {
		if !op.durable && (isAbove(op.unset, p) || isAbove(op.set, p)) {
			pending = append(pending, op)
		}
	}
	return pending
}

func isAbove(name, p string) bool { return name != "" && (name == p || strings.HasPrefix(p, name+"/")) }

// at is the file at the path if of the changes of names only these happen, besides those
// that are durable. It is nil if there is none.
func (d *disk) at(p string, happen []*change) *inode {
	names := map[string]*inode{}
	for name, f := range d.kept {
		if isAbove(name, p) {
			names[name] = f
		}
	}
	for _, op := range d.ops {
		if op.durable || slices.Contains(happen, op) {
			op.rename(names)
		}
	}
	for above := path.Dir(p); above != d.root; above = path.Dir(above) {
		if names[above] == nil {
			return nil
		}
	}
	return names[p]
}

func (f *inode) pending() (pending []*change) {
	for _, op := range f.ops {
		if !op.durable {
			pending = append(pending, op)
		}
	}
	return pending
}
