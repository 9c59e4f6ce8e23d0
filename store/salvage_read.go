package store

import (
	"bytes"
	"encoding/binary"
	"os"
	"slices"
)

// scraps are what can still be read of a damaged file. It is read without bbolt, and
// without mapping it, so that a page that the disk does not give is lost and nothing else.
//
// A record proves with its checksum that it was written once for its bucket. That it
// stands yet is sure if the tree leads to it. Where a part of a tree is lost, what the
// other pages hold of that part is stray: the page may have been in use until the damage,
// or be free and hold what was long since changed, or was never acknowledged.
type scraps struct {
	pageFile
	reached []bool

	sure  map[string]map[string][]byte   // values by bucket and key
	stray map[string]map[string][][]byte // the same, in several versions
	lost  map[string][]bounds            // parts of buckets
	last  map[string]uint64              // sequences of buckets

	rootLost map[string]bool // of these buckets nothing is sure
}

// readScraps reads the file, of which somebody holds a lock.
func readScraps(f *os.File) (*scraps, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size, ok := pageSize(f)
	if !ok {
		size = os.Getpagesize() // that of files made here
	}
	s := &scraps{
		sure: map[string]map[string][]byte{}, stray: map[string]map[string][][]byte{},
		lost: map[string][]bounds{}, last: map[string]uint64{}, rootLost: map[string]bool{},
	}
	s.pageSize, s.pages = uint64(size), uint64((info.Size()+int64(size)-1)/int64(size))
	s.data, s.reached = make([]byte, s.pages*s.pageSize), make([]bool, s.pages)
	for at := int64(0); at < info.Size(); at += int64(size) {
		if n, _ := f.ReadAt(s.data[at:at+int64(size)], at); n < size {
			clear(s.data[at+int64(n) : at+int64(size)])
		}
	}
	for _, name := range buckets {
		s.sure[string(name)], s.stray[string(name)] = map[string][]byte{}, map[string][][]byte{}
	}
	if root, ok := s.root(f); ok {
		s.tree(root, 0, nil, bounds{})
	}
	for _, name := range buckets {
		if _, found := s.last[string(name)]; !found {
			s.rootLost[string(name)] = true
			s.lose(name, bounds{})
		}
	}
	if len(s.lost) > 0 {
		s.gather()
	}
	if s.newest(bucketMeta, metaWipe) != nil { // all was erased, and may still stand anywhere
		for bucket := range s.stray {
			clear(s.stray[bucket])
		}
	}
	return s, nil
}

// root is the page at which the trees begin, by the newest meta page that is valid and
// points to one.
func (s *scraps) root(f *os.File) (newest uint64, ok bool) {
	txid := uint64(0)
	for _, at := range []uint64{0, s.pageSize} {
		size, valid := metaAt(f, int64(at))
		if !valid || uint64(size) != s.pageSize || at+s.pageSize > uint64(len(s.data)) {
			continue
		}
		meta := s.data[at+metaHeader:]
		root, t := binary.NativeEndian.Uint64(meta[metaRoot:]), binary.NativeEndian.Uint64(meta[metaTxid:])
		if _, readable := s.at(root); readable && (!ok || t > txid) {
			newest, txid, ok = root, t, true
		}
	}
	return newest, ok
}

// at is the page of that number, if it is one and holds what its header says.
func (s *scraps) at(id uint64) (page, bool) {
	if id < 2 || id >= s.pages {
		return page{}, false
	}
	p, err := s.page(id)
	return p, err == nil && (p.flags == branchFlag || p.flags == leafFlag) && p.fits()
}

func (s *scraps) lose(bucket []byte, b bounds) {
	s.lost[string(bucket)] = append(s.lost[string(bucket)], b)
}

// isLost says whether a record with the key may have been lost.
func (s *scraps) isLost(bucket, key []byte) bool {
	return slices.ContainsFunc(s.lost[string(bucket)], func(b bounds) bool { return b.hold(nil, key) })
}

// tree takes what is sound in a subtree of a bucket, and notes what is not. The bucket nil
// is the root, of which the lost parts show in what is not found.
func (s *scraps) tree(id uint64, depth int, bucket []byte, b bounds) {
	p, ok := s.at(id)
	if !ok || depth > maxDepth || s.reached[id] {
		s.lose(bucket, b)
		return
	}
	for i := range uint64(len(p.data)) / s.pageSize {
		s.reached[id+i] = true
	}
	if p.flags == leafFlag {
		s.leaf(p, bucket, b)
		return
	}
	child, below := b, uint64(0) // the last one whose key is sound
	for i := range p.count {
		key, next, ok := p.child(i)
		if !ok || !b.hold(nil, key) || below != 0 && bytes.Compare(key, child.first) <= 0 {
			s.lose(bucket, b)
			continue
		}
		if below != 0 {
			child.end = key
			s.tree(below, depth+1, bucket, child)
		}
		child, below = bounds{first: key, end: b.end}, next
	}
	if below == 0 {
		s.lose(bucket, b)
		return
	}
	s.tree(below, depth+1, bucket, child)
}

// leaf takes the records whose checksums fit, or the buckets in them.
func (s *scraps) leaf(p page, bucket []byte, b bounds) {
	seed := checksumOf(bucket)
	for i := range p.count {
		key, value, _, ok := p.record(i)
		if bucket == nil {
			if ok {
				s.bucket(p.id, key, value)
			}
			continue
		}
		value, err := seed.unseal(bucket, key, value)
		if !ok || err != nil || !b.hold(nil, key) {
			s.lose(bucket, b)
			continue
		}
		s.sure[string(bucket)][string(key)] = value
	}
}

// bucket takes the bucket that a leaf of the root describes, unless it is none of ours.
func (s *scraps) bucket(id uint64, name, value []byte) {
	if s.sure[string(name)] == nil || len(value) < bucketSize {
		return
	}
	s.last[string(name)] = binary.NativeEndian.Uint64(value[8:])
	if root := binary.NativeEndian.Uint64(value); root != 0 {
		s.tree(root, 1, name, bounds{})
	} else if p, ok := inlinePage(id, value); ok && p.fits() {
		s.leaf(p, name, bounds{})
	} else {
		s.lose(name, bounds{})
	}
}

// gather takes from the pages to which no tree has led what may be of the lost parts. A
// page may stand where it does not belong.
func (s *scraps) gather() {
	for id := uint64(2); id < s.pages; id++ {
		header := s.data[id*s.pageSize:]
		p := page{id: id, flags: binary.NativeEndian.Uint16(header[8:]), count: int(binary.NativeEndian.Uint16(header[10:])), data: header}
		if s.reached[id] || p.flags != leafFlag || !p.fits() {
			continue
		}
		for i := range p.count {
			if key, value, isBucket, ok := p.record(i); ok && isBucket {
				s.strayBucket(id, key, value)
			} else if ok {
				s.strayRecord(buckets, key, value)
			}
		}
	}
}

// strayRecord keeps a record of a lost part. One that is cut off has no checksum.
func (s *scraps) strayRecord(of [][]byte, key, sealed []byte) {
	for _, bucket := range of {
		if value, err := unseal(bucket, key, sealed); err == nil && s.isLost(bucket, key) && s.sure[string(bucket)][string(key)] == nil {
			versions := s.stray[string(bucket)]
			versions[string(key)] = append(versions[string(key)], value)
		}
	}
}

// strayBucket takes from the description of a bucket its sequence, if that is lost, and the
// records of a small one.
func (s *scraps) strayBucket(id uint64, name, value []byte) {
	if s.sure[string(name)] == nil || len(value) < bucketSize {
		return
	}
	if s.rootLost[string(name)] {
		s.last[string(name)] = max(s.last[string(name)], binary.NativeEndian.Uint64(value[8:]))
	}
	if p, ok := inlinePage(id, value); ok && p.fits() && binary.NativeEndian.Uint64(value) == 0 {
		for i := range p.count {
			if key, value, _, ok := p.record(i); ok {
				s.strayRecord([][]byte{name}, key, value)
			}
		}
	}
}
