// Package powercut rebuilds the files of a program as they may be after the power was cut
// at any moment of a recorded run.
//
// The record is strace's: every call that changes a file or a directory, every sync, and,
// in the same order, every byte that went over a socket (Parse, Turns). Replay goes through
// it and gives at each moment states of a file that the disk may be in.
//
// What is assumed of the disk and its file system:
//
//   - A sector of 512 bytes is written whole or not at all. Beyond that nothing: what was
//     written and not synced is there, is not, or is torn between any sectors or any blocks
//     of 4 KiB, each write by itself and in any order.
//   - fsync and fdatasync of a file are honest: when they return, what was written to it
//     before they were called is on the disk, with the length that it needs. A truncation
//     is only after an fsync. What was synced does not decay.
//   - A name that was made, linked, renamed or removed is so on the disk after an fsync of
//     its directory. Before, each such change has happened or not, in any order, but a
//     rename is never half done. A file has no name by its own fsync, though Linux's
//     file systems are kinder.
//
// Not covered are disks that lie about syncs, lose what they had, or tear a sector, and
// writes through memory maps, of which there are none: a call that Replay does not know is
// an error.
package powercut

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// Calls is what strace's option -e must have traced.
const Calls = "trace=openat,open,creat,mkdir,mkdirat,link,linkat,symlink,symlinkat,rename,renameat,renameat2,unlink,unlinkat,rmdir," +
	"read,write,pwrite64,writev,pwritev,pwritev2,truncate,ftruncate,fallocate,copy_file_range,sendfile,splice," +
	"fsync,fdatasync,sync_file_range,sync,syncfs,mmap"

// Strace is the command that runs another one and writes the record to the file.
func Strace(record string) []string {
	return []string{"strace", "-f", "-qq", "-xx", "-y", "-s", "4194304", "-e", "signal=none", "-e", Calls, "-o", record}
}

// Call is a system call as strace wrote it.
type Call struct {
	Name   string
	Args   []string
	Result int64  // negative: it failed; of a write that nobody saw end, all that it was to write
	Opened string // the path of the descriptor that it returned

	// The lines of the record at which it was called and had returned. Between two that
	// differ, other threads and processes did something.
	Begin, End int
}

// Parse reads a record. The calls are in the order in which they began.
func Parse(r io.Reader) ([]*Call, error) {
	var calls []*Call
	begun := map[string]*Call{} // by thread
	lines := bufio.NewReaderSize(r, 1<<20)
	for n := 1; ; n++ {
		line, err := lines.ReadString('\n')
		if err == io.EOF && line == "" {
			return calls, nil
		} else if err != nil {
			return nil, err
		}
		thread, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		rest = strings.TrimLeft(rest, " ")
		switch {
		case strings.HasPrefix(rest, "+++"), strings.HasPrefix(rest, "---"), strings.HasPrefix(rest, "???"), strings.HasPrefix(rest, "syscall_"):
			// the end of a thread, or a signal
		case strings.HasPrefix(rest, "<..."):
			head, args, _ := strings.Cut(rest, " resumed>")
			c := begun[thread]
			if c == nil || head != "<... "+c.Name {
				return nil, fmt.Errorf("line %d resumes nothing", n)
			}
			delete(begun, thread)
			if err := c.end(strings.TrimPrefix(strings.TrimPrefix(args, ","), " "), n); err != nil {
				return nil, err
			}
		case strings.HasSuffix(rest, "<unfinished ...>"):
			name, args, ok := strings.Cut(strings.TrimRight(strings.TrimSuffix(rest, "<unfinished ...>"), ", "), "(")
			if !ok {
				return nil, fmt.Errorf("line %d can't be read", n)
			}
			begun[thread] = &Call{Name: name, Args: splitArgs(args), Result: -1, Begin: n, End: n}
			calls = append(calls, begun[thread])
		default:
			name, args, ok := strings.Cut(rest, "(")
			if !ok {
				return nil, fmt.Errorf("line %d can't be read", n)
			}
			c := &Call{Name: name, Begin: n}
			if err := c.end(args, n); err != nil {
				return nil, err
			}
			calls = append(calls, c)
		}
	}
}

// end reads the rest of the call's line: further arguments and the result.
func (c *Call) end(rest string, line int) error {
	i := strings.LastIndex(rest, ") ")
	if rest == ")" || i < 0 && strings.HasPrefix(rest, ")") {
		i = 0
	}
	m := result.FindStringSubmatch(rest[max(i, 0):])
	if i < 0 || m == nil {
		return fmt.Errorf("line %d: the end of %s can't be read", line, c.Name)
	}
	c.Args = append(c.Args, splitArgs(rest[:i])...)
	c.End, c.Result = line, -1
	switch {
	case m[1] != "?":
		c.Result, _ = strconv.ParseInt(m[1], 0, 64)
	case c.Name == "pwrite64" || c.Name == "write": // the process was killed in it
		c.Result = c.number(2)
	}
	c.Opened = unhex(m[2])
	return nil
}

var result = regexp.MustCompile(`^\) += (-?\d+|0x[0-9a-f]+|\?)(?:<([^>]*)>)?`)

// splitArgs relies on -xx: no string and no path has a comma in it.
func splitArgs(args string) []string {
	if args == "" {
		return nil
	}
	return strings.Split(args, ", ")
}

func (c *Call) arg(i int) string {
	if i < len(c.Args) {
		return c.Args[i]
	}
	return ""
}

func (c *Call) number(i int) int64 {
	n, _ := strconv.ParseInt(c.arg(i), 0, 64)
	return n
}

// file is the path, or what else it is, of the descriptor that is an argument.
func (c *Call) file(i int) string {
	_, rest, ok := strings.Cut(c.arg(i), "<")
	if !ok {
		return ""
	}
	inside, _, _ := strings.Cut(rest, ">")
	return unhex(inside)
}

// data is the string that is an argument.
func (c *Call) data(i int) []byte { return []byte(unhex(strings.Trim(c.arg(i), `".`))) }

// path is the path that is an argument, from the directory before it if that is at.
func (c *Call) path(i int, at bool) string {
	p := string(c.data(i))
	if at && !path.IsAbs(p) {
		p = path.Join(c.file(i-1), p)
	}
	return path.Clean(p)
}

// unhex reads what strace writes with -xx. Where that writes no hex, it is kept.
func unhex(s string) string {
	if !strings.HasPrefix(s, `\x`) {
		return s
	}
	plain := make([]byte, len(s)/4)
	for i := range plain {
		if _, err := hex.Decode(plain[i:i+1], []byte(s[4*i+2:4*i+4])); err != nil {
			return s
		}
	}
	return string(plain)
}

// Turn is what went one way over a socket before something came the other way.
type Turn struct {
	Socket string
	Out    bool // written by the process; else read
	Begin  int  // the line at which its first call began
	Bytes  []byte

	Before *Turn // on the same socket, nil for the first
}

// Turns gives all that went over sockets, in the order in which it began.
func Turns(calls []*Call) []*Turn {
	var all []*Turn
	last := map[string]*Turn{}
	for _, c := range calls {
		socket := c.file(0)
		if c.Result <= 0 || c.Name != "read" && c.Name != "write" || !strings.HasPrefix(socket, "socket:") {
			continue
		}
		out := c.Name == "write"
		turn := last[socket]
		if turn == nil || turn.Out != out {
			turn = &Turn{Socket: socket, Out: out, Begin: c.Begin, Before: turn}
			last[socket] = turn
			all = append(all, turn)
		}
		turn.Bytes = append(turn.Bytes, c.data(1)[:c.Result]...)
	}
	return all
}

// Written gives what was written to other things than sockets and beginning so, by the
// line at which that was.
func Written(calls []*Call, prefix string) map[int]string {
	all := map[int]string{}
	for _, c := range calls {
		if c.Name == "write" && strings.HasPrefix(string(c.data(1)), prefix) {
			all[c.Begin] = string(c.data(1))
		}
	}
	return all
}
