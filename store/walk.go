package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
)

// bbolt trusts its pages: it checks its two meta pages and, of any other page,
// little more than the number. The walker reads a file without bbolt and trusts
// nothing: that each page is where it belongs, lies in one tree or in the free
// list and never in two, that keys ascend, that every record has its checksum.
// What it lets pass cannot make bbolt panic, hang or hand out a page that is in
// use. It reads each page once, on all processors, so that it can be done at
// every opening. It maps the file, so that an error of the disk kills the
// process: it belongs into the child.

// What stands in a page, in the byte order of the machine (bbolt's file format
// is not portable between byte orders).
const (
	pageHeader  = 16 // id:8 flags:2 count:2 overflow:4
	branchFlag  = 0x01
	leafFlag    = 0x02
	freeFlag    = 0x10
	elementSize = 16         // of both kinds of element
	bucketEntry = 0x01       // flag of a leaf element whose value is a bucket
	bucketSize  = 16         // root:8 sequence:8, then the page of an inline bucket
	noFreelist  = ^uint64(0) // in the meta page: the free list is not stored
	countInPage = 0xFFFF     // a free list with that count has the true one in its first entry
	maxDepth    = 32         // of a tree; real ones have at most six levels
)

// Offsets in a meta page, after its header: see also metaAt.
const (
	metaRoot     = 16
	metaFreelist = 32
	metaPages    = 40
	metaTxid     = 48
)

// pageFile is a file in memory, up to the last page in use or free.
type pageFile struct {
	data     []byte
	pageSize uint64
	pages    uint64 // how many, from page 0
}

type walker struct {
	pageFile
	seen []atomic.Uint64 // a bit for each page

	slots  chan struct{} // one for each goroutine beyond the first
	group  sync.WaitGroup
	failed atomic.Pointer[error] // the first error
}

// walk verifies the whole file. Its errors wrap ErrForeign or ErrDamaged, or are
// those of reading.
func walk(f *os.File) error {
	w, root, freelist, err := newWalker(f)
	if err != nil {
		return err
	}
	defer syscall.Munmap(w.data)
	w.check(w.free(freelist))
	w.check(w.tree(root, 0, nil, bounds{}))
	w.group.Wait()
	if err := w.failed.Load(); err != nil {
		return *err
	}
	if freelist == noFreelist {
		return nil
	}
	marked := uint64(0)
	for i := range w.seen {
		marked += uint64(bits.OnesCount64(w.seen[i].Load()))
	}
	if marked != w.pages {
		return fmt.Errorf("%w: %d of its pages belong nowhere", ErrDamaged, w.pages-marked)
	}
	return nil
}

// newWalker reads the meta pages, of which the one of the later transaction
// counts.
func newWalker(f *os.File) (w *walker, root, freelist uint64, err error) {
	if err := soundMetas(f); err != nil {
		return nil, 0, 0, err
	}
	size, _ := pageSize(f)
	metas := make([]byte, 2*size)
	if _, err := f.ReadAt(metas, 0); err == io.EOF {
		return nil, 0, 0, fmt.Errorf("%w: it ends in its meta pages", ErrDamaged)
	} else if err != nil {
		return nil, 0, 0, err
	}
	meta, other := metas[metaHeader:], metas[size+metaHeader:]
	number := func(meta []byte, offset int) uint64 { return binary.NativeEndian.Uint64(meta[offset:]) }
	if number(other, metaTxid) > number(meta, metaTxid) {
		meta = other
	}
	w = &walker{
		pageFile: pageFile{pageSize: uint64(size), pages: number(meta, metaPages)},
		slots:    make(chan struct{}, runtime.GOMAXPROCS(0)-1),
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0, 0, err
	}
	if missing := int64(w.pages*w.pageSize) - info.Size(); missing > 0 || w.pages < 4 {
		return nil, 0, 0, fmt.Errorf("%w: %d bytes are missing at its end", ErrDamaged, missing)
	}
	w.data, err = syscall.Mmap(int(f.Fd()), 0, int(w.pages*w.pageSize), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, 0, 0, fmt.Errorf("mapping it: %w", err)
	}
	w.seen = make([]atomic.Uint64, w.pages/64+1)
	w.seen[0].Store(0b11) // the meta pages
	return w, number(meta, metaRoot), number(meta, metaFreelist), nil
}

// check keeps the first error, after which everything stops.
func (w *walker) check(err error) {
	if err != nil {
		w.failed.CompareAndSwap(nil, &err)
	}
}

func damaged(id uint64, what string) error {
	return fmt.Errorf("%w: page %d %s", ErrDamaged, id, what)
}

// mark notes that the page belongs somewhere; it must do so only once.
func (w *walker) mark(id uint64) error {
	if id < 2 || id >= w.pages {
		return damaged(id, "is used but does not exist")
	}
	bit := uint64(1) << (id % 64)
	if old := w.seen[id/64].Or(bit); old&bit != 0 {
		return damaged(id, "belongs to two places")
	}
	return nil
}

// page is a page with those that overflow from it.
type page struct {
	id    uint64
	flags uint16
	count int
	data  []byte // all of it, the header too
}

// page gives the page of that number, which must exist, after checking its header.
func (f *pageFile) page(id uint64) (page, error) {
	header := f.data[id*f.pageSize:]
	if binary.NativeEndian.Uint64(header) != id {
		return page{}, damaged(id, "is another page")
	}
	overflow := uint64(binary.NativeEndian.Uint32(header[12:]))
	if overflow >= f.pages-id {
		return page{}, damaged(id, "goes on beyond the end")
	}
	return page{
		id: id, flags: binary.NativeEndian.Uint16(header[8:]), count: int(binary.NativeEndian.Uint16(header[10:])),
		data: header[:(1+overflow)*f.pageSize],
	}, nil
}

// read marks a page with those that overflow from it, and checks its header.
func (w *walker) read(id uint64) (page, error) {
	if err := w.mark(id); err != nil {
		return page{}, err
	}
	p, err := w.page(id)
	if err != nil {
		return page{}, err
	}
	for next := id + 1; next < id+uint64(len(p.data))/w.pageSize; next++ {
		if err := w.mark(next); err != nil {
			return page{}, err
		}
	}
	return p, nil
}

// free marks the pages of the free list and the list's own.
func (w *walker) free(id uint64) error {
	if id == noFreelist {
		return nil
	}
	p, err := w.read(id)
	if err != nil {
		return err
	}
	if p.flags != freeFlag {
		return damaged(id, "is no free list")
	}
	ids, count := p.data[pageHeader:], uint64(p.count)
	if count == countInPage {
		ids, count = ids[8:], binary.NativeEndian.Uint64(ids)
	}
	if count > uint64(len(ids)/8) {
		return damaged(id, "holds a free list that is too long")
	}
	last := uint64(0)
	for i := range count {
		next := binary.NativeEndian.Uint64(ids[8*i:])
		if next <= last {
			return damaged(id, "holds a free list out of order")
		}
		if err := w.mark(next); err != nil {
			return err
		}
		last = next
	}
	return nil
}

// bounds are the keys between which those of a subtree must lie: from first up
// to, and not including, end; nil is open.
type bounds struct{ first, end []byte }

// tree verifies a subtree of a bucket; the bucket nil is the root, whose entries
// are buckets.
func (w *walker) tree(id uint64, depth int, bucket []byte, b bounds) error {
	if w.failed.Load() != nil {
		return nil
	}
	if depth > maxDepth {
		return damaged(id, "lies too deep")
	}
	p, err := w.read(id)
	if err != nil {
		return err
	}
	switch p.flags {
	case branchFlag:
		return w.branch(p, depth, bucket, b)
	case leafFlag:
		return w.leaf(p, bucket, b)
	}
	return damaged(id, "is of an unknown kind")
}

// element returns the part of a page that an element with the given position,
// counted from the element's own start, describes.
func (p *page) element(start int, pos, size uint64) ([]byte, bool) {
	from := uint64(start) + pos
	if to := from + size; pos > uint64(len(p.data)) || size > uint64(len(p.data)) || to > uint64(len(p.data)) {
		return nil, false
	}
	return p.data[from : from+size : from+size], true
}

// fits says whether all elements of the page lie inside of it.
func (p *page) fits() bool { return pageHeader+p.count*elementSize <= len(p.data) }

// child gives an element of a branch: a page, and the first key below it. It is not ok
// if the key does not lie in the page. The page must fit.
func (p *page) child(i int) (key []byte, id uint64, ok bool) {
	start := pageHeader + i*elementSize
	e := p.data[start:]
	key, ok = p.element(start, uint64(binary.NativeEndian.Uint32(e)), uint64(binary.NativeEndian.Uint32(e[4:])))
	return key, binary.NativeEndian.Uint64(e[8:]), ok
}

// record gives an element of a leaf. It is not ok if it does not lie in the page. The
// page must fit.
func (p *page) record(i int) (key, value []byte, isBucket, ok bool) {
	start := pageHeader + i*elementSize
	e := p.data[start:]
	pos, keySize := uint64(binary.NativeEndian.Uint32(e[4:])), uint64(binary.NativeEndian.Uint32(e[8:]))
	key, ok = p.element(start, pos, keySize)
	value, ok2 := p.element(start, pos+keySize, uint64(binary.NativeEndian.Uint32(e[12:])))
	return key, value, binary.NativeEndian.Uint32(e)&bucketEntry != 0, ok && ok2
}

func (b bounds) hold(previous, key []byte) bool {
	return (previous == nil || bytes.Compare(previous, key) < 0) &&
		(b.first == nil || bytes.Compare(b.first, key) <= 0) && (b.end == nil || bytes.Compare(key, b.end) < 0)
}

// branch verifies a branch page and all below it. Near the root it hands
// subtrees to other goroutines as long as there are any to spare.
func (w *walker) branch(p page, depth int, bucket []byte, b bounds) error {
	if p.count == 0 || !p.fits() {
		return damaged(p.id, "is no branch")
	}
	keys, ids := make([][]byte, p.count), make([]uint64, p.count)
	for i := range keys {
		key, id, ok := p.child(i)
		if !ok {
			return damaged(p.id, "has a key outside")
		}
		keys[i], ids[i] = key, id
		if i > 0 && !b.hold(keys[i-1], key) || i == 0 && !b.hold(nil, key) {
			return damaged(p.id, "has its keys out of order")
		}
	}
	for i, key := range keys {
		child := bounds{first: key, end: b.end}
		if i+1 < len(keys) {
			child.end = keys[i+1]
		}
		err := w.spread(depth, func() error { return w.tree(ids[i], depth+1, bucket, child) })
		if err != nil {
			return err
		}
	}
	return nil
}

// spread runs the work in another goroutine if there is one to spare and the
// work is large, and else at once.
func (w *walker) spread(depth int, work func() error) error {
	if depth > 1 {
		return work()
	}
	select {
	case w.slots <- struct{}{}:
		w.group.Go(func() {
			w.check(work())
			<-w.slots
		})
		return nil
	default:
		return work()
	}
}

// leaf verifies a leaf page and its records, or the buckets in it.
func (w *walker) leaf(p page, bucket []byte, b bounds) error {
	if !p.fits() {
		return damaged(p.id, "is no leaf")
	}
	var previous []byte
	seed := checksumOf(bucket)
	for i := range p.count {
		key, value, isBucket, ok := p.record(i)
		if !ok {
			return damaged(p.id, "has a record outside")
		}
		if !b.hold(previous, key) {
			return damaged(p.id, "has its keys out of order")
		}
		previous = key
		if isBucket != (bucket == nil) {
			return damaged(p.id, "has a record of the wrong kind")
		}
		if isBucket {
			if err := w.bucket(p.id, key, value); err != nil {
				return err
			}
		} else if _, err := seed.unseal(bucket, key, value); err != nil {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
	}
	return nil
}

// bucket verifies the bucket that a leaf of the root describes. A small one
// stands in its description, as a page of its own kind.
func (w *walker) bucket(id uint64, name, value []byte) error {
	if len(value) < bucketSize {
		return damaged(id, "has a bucket that is too short")
	}
	if root := binary.NativeEndian.Uint64(value); root != 0 {
		return w.tree(root, 1, name, bounds{})
	}
	p, ok := inlinePage(id, value)
	if !ok {
		return damaged(id, "has a bucket that is none")
	}
	return w.leaf(p, name, bounds{})
}

// inlinePage is the page of a small bucket, which stands in its description.
func inlinePage(id uint64, bucket []byte) (page, bool) {
	inline := bucket[bucketSize:]
	if len(inline) < pageHeader || binary.NativeEndian.Uint16(inline[8:]) != leafFlag {
		return page{}, false
	}
	return page{id: id, flags: leafFlag, count: int(binary.NativeEndian.Uint16(inline[10:])), data: inline}, true
}
