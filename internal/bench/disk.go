package main

import (
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// floor is what nothing durable can be faster than, one at a time.
var floor = contestant{
	name:  "floor",
	about: "writes one page of 4 KiB over one that is there, and fdatasync: the least that the disk needs for something durable, one at a time",
	start: func(s setting) (ledger, error) { return startFloor(s, 1) },
	alone: true,
}

// floorOfTwo is the floor of what bbolt does.
var floorOfTwo = contestant{
	name:  "floor, twice",
	about: "the same twice, for what bbolt must do in each commit: the pages and then, when these are safe, the page that points to them",
	start: func(s setting) (ledger, error) { return startFloor(s, 2) },
	alone: true,
}

// floorPages is how many pages the floor writes in turn.
const floorPages = 64

const pageSize = 4096

type floorLedger struct {
	file   *os.File
	writes int
	done   int
}

func startFloor(s setting, writes int) (ledger, error) {
	f, err := os.Create(filepath.Join(s.dir, "floor"))
	if err != nil {
		return nil, err
	}
	if _, err := f.Write(make([]byte, floorPages*pageSize)); err != nil {
		return nil, err
	}
	return &floorLedger{file: f, writes: writes}, f.Sync()
}

func (l *floorLedger) client() (func(int) error, error) {
	page := make([]byte, pageSize)
	return func(n int) error {
		for i := range l.writes {
			if _, err := l.file.WriteAt(page, int64((n*l.writes+i)%floorPages*pageSize)); err != nil {
				return err
			}
			if err := syscall.Fdatasync(int(l.file.Fd())); err != nil {
				return err
			}
		}
		l.done++
		return nil
	}, nil
}

func (l *floorLedger) processes() []int    { return []int{os.Getpid()} }
func (l *floorLedger) close() (int, error) { return l.done, l.file.Close() }

// inMemory says whether the directory is on a file system that has no disk.
func inMemory(dir string) bool {
	var s unix.Statfs_t
	return unix.Statfs(dir, &s) == nil && s.Type == unix.TMPFS_MAGIC
}

// opened is a database in this process, used by all clients.
type opened struct {
	record func(n int) error
	rows   func() (int, error)
	shut   func() error
	once   sync.Once
}

func (o *opened) client() (func(int) error, error) { return o.record, nil }
func (o *opened) processes() []int                 { return []int{os.Getpid()} }

func (o *opened) close() (rows int, err error) {
	o.once.Do(func() {
		rows, err = o.rows()
		if shut := o.shut(); err == nil {
			err = shut
		}
	})
	return rows, err
}
