package cli

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A trap stops the system calls of a server process, and of the children that it starts,
// that have to do with its files, and says what becomes of each: Linux's seccomp with user
// notifications. It needs no root and no other program, and it counts the calls of all
// threads together, as strace does not. It can have the process see another time, too.
type trap struct {
	dir    string             // calls on other files are let pass
	writes bool               // also write(2), with which backups are written, and which sockets use, too
	decide func(trapped) harm // nil: all happen; called for one call at a time
	now    func() time.Time   // nil: the clock is not trapped

	mu sync.Mutex // held while decide is called
}

// trapped is a system call that waits for what becomes of it.
type trapped struct {
	name string // as in pwrite64
	path string // of its file; of a link, of the new name
	pid  int    // of the thread
	args [6]uint64
}

// harm is what becomes of a system call. The zero value is that it happens.
type harm struct {
	errno syscall.Errno // it does nothing and says this
	half  bool          // of a write: only the first half of the bytes is written, and it says so
	delay time.Duration // it happens so much later
}

const (
	trapEnv    = "ICHIDO_TEST_TRAP" // in the environment of a process that is to be trapped: "files", and perhaps "writes", "clock"
	trapSocket = 3                  // the descriptor on which it sends the listener
)

// trappedCalls are those that open, make, read, write, sync and remove files; but for
// what is read through the map of a file in memory.
var trappedCalls = map[int]string{
	unix.SYS_OPENAT: "openat", unix.SYS_PWRITE64: "pwrite64", unix.SYS_FTRUNCATE: "ftruncate", unix.SYS_FSYNC: "fsync",
	unix.SYS_FDATASYNC: "fdatasync", unix.SYS_LINKAT: "linkat", unix.SYS_MKDIRAT: "mkdirat", unix.SYS_UNLINKAT: "unlinkat",
	unix.SYS_RENAMEAT: "renameat", unix.SYS_PREAD64: "pread64", unix.SYS_FALLOCATE: "fallocate",
	unix.SYS_WRITE: "write", // only on demand
}

// start starts the command and, until its process has ended, answers for its calls in the
// background. A nil trap only starts it.
func (tr *trap) start(command *exec.Cmd) error {
	if tr == nil {
		return command.Start()
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "trap"), os.NewFile(uintptr(pair[1]), "trap")
	defer theirs.Close()
	command.ExtraFiles = []*os.File{theirs}
	what, start := "files", (*exec.Cmd).Start
	if tr.writes {
		what += " writes"
	}
	if tr.now != nil {
		what, start = what+" clock", startWithoutVDSO
	}
	command.Env = append(command.Env, trapEnv+"="+what)
	if err := start(command); err != nil {
		ours.Close()
		return err
	}
	go func() {
		defer ours.Close()
		if listener, err := receiveDescriptor(ours); err == nil {
			defer unix.Close(listener)
			tr.answerAll(listener)
		}
	}()
	return nil
}

// receiveDescriptor waits for the listener. An error says that the process has ended.
func receiveDescriptor(from *os.File) (int, error) {
	control := make([]byte, unix.CmsgSpace(4))
	_, n, _, _, err := unix.Recvmsg(int(from.Fd()), make([]byte, 1), control, 0)
	if err != nil {
		return 0, err
	}
	messages, err := unix.ParseSocketControlMessage(control[:n])
	if err != nil || len(messages) != 1 {
		return 0, fmt.Errorf("%d messages: %w", len(messages), err)
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 {
		return 0, fmt.Errorf("%d descriptors: %w", len(fds), err)
	}
	return fds[0], nil
}

// notification is the kernel's struct seccomp_notif, response its seccomp_notif_resp.
type notification struct {
	id         uint64
	pid, flags uint32
	nr, arch   uint32
	ip         uint64
	args       [6]uint64
}

type response struct {
	id    uint64
	val   int64
	err   int32
	flags uint32
}

func (tr *trap) answerAll(listener int) {
	for {
		fds := []unix.PollFd{{Fd: int32(listener), Events: unix.POLLIN}}
		if _, err := unix.Poll(fds, -1); err == unix.EINTR {
			continue
		}
		if fds[0].Revents&unix.POLLIN == 0 {
			return // nobody is left
		}
		var n notification
		if seccompIoctl(listener, unix.SECCOMP_IOCTL_NOTIF_RECV, unsafe.Pointer(&n)) != 0 {
			continue // its process has been killed meanwhile
		}
		answer, delay := tr.answer(&n)
		if delay == 0 {
			seccompIoctl(listener, unix.SECCOMP_IOCTL_NOTIF_SEND, unsafe.Pointer(&answer))
			continue
		}
		time.AfterFunc(delay, func() {
			seccompIoctl(listener, unix.SECCOMP_IOCTL_NOTIF_SEND, unsafe.Pointer(&answer))
		})
	}
}

func seccompIoctl(fd int, request uintptr, arg unsafe.Pointer) syscall.Errno {
	_, _, errno := syscall.Syscall(unix.SYS_IOCTL, uintptr(fd), request, uintptr(arg))
	return errno
}

// answer says what becomes of the call, and how much later that is to be told.
func (tr *trap) answer(n *notification) (response, time.Duration) {
	happens := response{id: n.id, flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
	if n.nr == unix.SYS_CLOCK_GETTIME {
		var now [16]byte // struct timespec
		t := tr.now()
		binary.NativeEndian.PutUint64(now[:], uint64(t.Unix()))
		binary.NativeEndian.PutUint64(now[8:], uint64(t.Nanosecond()))
		if writeMemory(int(n.pid), n.args[1], now[:]) != nil {
			return happens, 0
		}
		return response{id: n.id}, 0
	}
	c := trapped{name: trappedCalls[int(n.nr)], pid: int(n.pid), args: n.args}
	if c.path = c.file(); tr.decide == nil || !strings.HasPrefix(c.path, tr.dir+"/") && c.path != tr.dir {
		return happens, 0
	}
	tr.mu.Lock()
	defer tr.mu.Unlock()
	h := tr.decide(c)
	switch {
	case h.half:
		written, err := c.writeHalf()
		if err != nil {
			return response{id: n.id, err: -int32(unix.EIO)}, 0
		}
		return response{id: n.id, val: int64(written)}, 0
	case h.errno != 0:
		return response{id: n.id, err: -int32(h.errno)}, 0
	}
	return happens, h.delay
}

// file is the path of the call's file; "" if that can't be told.
func (c *trapped) file() string {
	switch c.name {
	case "openat", "mkdirat", "unlinkat":
		return c.pathAt(0)
	case "linkat", "renameat":
		return c.pathAt(2)
	}
	path, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", c.pid, int32(c.args[0])))
	return strings.TrimSuffix(path, " (deleted)")
}

// pathAt is the path whose directory is the argument i and whose name is the next one.
func (c *trapped) pathAt(i int) string {
	name := readString(c.pid, c.args[i+1])
	if filepath.IsAbs(name) {
		return name
	}
	from := "cwd"
	if fd := int32(c.args[i]); fd != unix.AT_FDCWD {
		from = fmt.Sprintf("fd/%d", fd)
	}
	dir, _ := os.Readlink(fmt.Sprintf("/proc/%d/%s", c.pid, from))
	return filepath.Join(dir, name)
}

// writeHalf does the first half of a pwrite64.
func (c *trapped) writeHalf() (int, error) {
	data := make([]byte, c.args[2]/2)
	if err := readMemory(c.pid, c.args[1], data); err != nil {
		return 0, err
	}
	f, err := os.OpenFile(fmt.Sprintf("/proc/%d/fd/%d", c.pid, int32(c.args[0])), os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return f.WriteAt(data, int64(c.args[3]))
}

func readString(pid int, at uint64) string {
	const page = 4096
	s := make([]byte, 0, 256)
	for len(s) < page { // up to the end of each page: the next one may not be there
		part := make([]byte, min(256, page-at%page))
		if readMemory(pid, at, part) != nil {
			return ""
		}
		if i := strings.IndexByte(string(part), 0); i >= 0 {
			return string(append(s, part[:i]...))
		}
		s, at = append(s, part...), at+uint64(len(part))
	}
	return ""
}

func readMemory(pid int, at uint64, to []byte) error {
	local := []unix.Iovec{{Base: &to[0], Len: uint64(len(to))}}
	_, err := unix.ProcessVMReadv(pid, local, []unix.RemoteIovec{{Base: uintptr(at), Len: len(to)}}, 0)
	return err
}

func writeMemory(pid int, at uint64, from []byte) error {
	local := []unix.Iovec{{Base: &from[0], Len: uint64(len(from))}}
	_, err := unix.ProcessVMWritev(pid, local, []unix.RemoteIovec{{Base: uintptr(at), Len: len(from)}}, 0)
	return err
}

// enterTrap is called by the process that is to be trapped, if it is, before it is the
// program.
func enterTrap() {
	what, asked := os.LookupEnv(trapEnv)
	if !asked {
		return
	}
	os.Unsetenv(trapEnv) // its children are trapped already
	listener, err := filterCalls(strings.Contains(what, "writes"), strings.Contains(what, "clock"))
	if err == nil {
		err = unix.Sendmsg(trapSocket, []byte{0}, unix.UnixRights(listener), nil, 0)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "trapping system calls:", err)
		os.Exit(3)
	}
	unix.Close(listener)
	unix.Close(trapSocket)
}

// filterCalls makes the kernel ask at the listener about the calls of this process.
func filterCalls(writes, clock bool) (listener int, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const loadNumber, loadFirstArgument = 0, 16 // offsets in struct seccomp_data
	filter := []unix.SockFilter{{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: loadNumber}}
	for nr := range trappedCalls {
		if nr == unix.SYS_WRITE && !writes {
			continue
		}
		filter = append(filter, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: uint32(nr), Jf: 1},
			unix.SockFilter{Code: unix.BPF_RET, K: unix.SECCOMP_RET_USER_NOTIF})
	}
	if clock {
		filter = append(filter, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_CLOCK_GETTIME, Jf: 3},
			unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: loadFirstArgument},
			unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.CLOCK_REALTIME, Jf: 1},
			unix.SockFilter{Code: unix.BPF_RET, K: unix.SECCOMP_RET_USER_NOTIF})
	}
	filter = append(filter, unix.SockFilter{Code: unix.BPF_RET, K: unix.SECCOMP_RET_ALLOW})
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return 0, err
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	const flags = unix.SECCOMP_FILTER_FLAG_TSYNC | unix.SECCOMP_FILTER_FLAG_TSYNC_ESRCH |
		unix.SECCOMP_FILTER_FLAG_NEW_LISTENER | unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
	fd, _, errno := syscall.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return 0, errno
	}
	return int(fd), nil
}

// The trap is asked about what the process does from its first call on a file, and gives it
// the time.
func TestTrap(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	calls := map[string]int{}
	s.trap = &trap{
		dir:    filepath.Dir(s.db),
		decide: func(c trapped) harm { calls[c.name+" "+strings.TrimPrefix(c.path, s.db)]++; return harm{} },
		now:    func() time.Time { return time.Date(2036, 2, 29, 12, 0, 0, 0, time.UTC) },
	}
	s.start()
	s.stream(1)
	if status := s.terminate(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	s.trap.mu.Lock() // under which decide was called
	defer s.trap.mu.Unlock()
	if calls["linkat "] != 1 || calls["fdatasync "] < 4 || calls["pwrite64 "] <= calls["fdatasync "] || calls["ftruncate "] == 0 {
		t.Errorf("it was asked about %v", calls)
	}
	if !strings.Contains(s.stderr.String(), "time=2036-02-29T12:00:00.000Z level=INFO msg=serving") {
		t.Errorf("the process has another clock:\n%s", s.stderr)
	}
}
