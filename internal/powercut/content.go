package powercut

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"os"
	"slices"
)

const (
	sectorSize = 512
	pageSize   = 4096
)

// content is what a file holds. Pages that are missing are zero. Contents share pages, which
// are never changed then.
type content struct {
	size  int64
	pages map[int64]*page
}

// page is a page with its sum, once that was asked for.
type page struct {
	bytes [pageSize]byte
	sum   *[sha256.Size]byte
}

// with is the content after the change, of which only those sectors of 512 bytes are
// written that keep wants; nil wants all.
func (c content) with(op *change, keep func(sector int) bool) content {
	after := content{c.size, maps.Clone(c.pages)}
	if after.pages == nil {
		after.pages = map[int64]*page{}
	}
	if op.truncate {
		after.truncate(op.offset)
		return after
	}
	fresh := map[int64]bool{}
	for done, sector := 0, 0; done < len(op.data); sector++ {
		at := op.offset + int64(done)
		n := min(len(op.data)-done, sectorSize-int(at%sectorSize))
		if keep == nil || keep(sector) {
			number := at / pageSize
			if !fresh[number] {
				fresh[number] = true
				after.own(number)
			}
			copy(after.pages[number].bytes[at%pageSize:], op.data[done:done+n])
			after.size = max(after.size, at+int64(n))
		}
		done += n
	}
	return after
}

// own makes the page one that nobody shares.
func (c content) own(number int64) {
	mine := &page{}
	if shared := c.pages[number]; shared != nil {
		mine.bytes = shared.bytes
	}
	c.pages[number] = mine
}

func (c *content) truncate(size int64) {
	for number := range c.pages {
		if number*pageSize >= size {
			delete(c.pages, number)
		}
	}
	if rest := size % pageSize; rest != 0 && c.pages[size/pageSize] != nil {
		c.own(size / pageSize)
		clear(c.pages[size/pageSize].bytes[rest:])
	}
	c.size = size
}

// hash is the same for the same content.
func (c content) hash() (sum [sha256.Size]byte) {
	h := sha256.New()
	var number [8]byte
	put := func(n int64) {
		binary.BigEndian.PutUint64(number[:], uint64(n))
		h.Write(number[:])
	}
	put(c.size)
	for _, n := range slices.Sorted(maps.Keys(c.pages)) {
		if p := c.pages[n]; p.bytes != [pageSize]byte{} {
			if p.sum == nil {
				sum := sha256.Sum256(p.bytes[:])
				p.sum = &sum
			}
			put(n)
			h.Write(p.sum[:])
		}
	}
	h.Sum(sum[:0])
	return sum
}

// writeTo makes a file of the content.
func (c content) writeTo(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	for n, p := range c.pages {
		end := min(pageSize, c.size-n*pageSize)
		if _, err := f.WriteAt(p.bytes[:end], n*pageSize); err != nil {
			return err
		}
	}
	return f.Truncate(c.size)
}
