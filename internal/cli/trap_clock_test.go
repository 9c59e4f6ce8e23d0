package cli

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// A process asks the kernel for the time without a system call, through the page of code
// that the kernel puts into it, the vDSO. One that is not told of that page makes system
// calls, which can be trapped.

// startWithoutVDSO starts the command and takes the page's address out of what the kernel
// tells the process, before that has run an instruction.
func startWithoutVDSO(command *exec.Cmd) error {
	runtime.LockOSThread() // only the thread that starts it may do the rest
	defer runtime.UnlockOSThread()
	command.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	if err := command.Start(); err != nil {
		return err
	}
	pid := command.Process.Pid
	var stopped unix.WaitStatus
	if _, err := unix.Wait4(pid, &stopped, 0, nil); err != nil || !stopped.Stopped() {
		return fmt.Errorf("waiting for the new process: %v, %w", stopped, err)
	}
	return errors.Join(hideVDSO(pid), unix.PtraceDetach(pid))
}

// hideVDSO changes the auxiliary vector of a process, which stands on its stack behind the
// arguments and the environment.
func hideVDSO(pid int) error {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return err
	}
	_, fields, _ := strings.Cut(string(stat), ") ")
	const startStack = 28 - 3 // proc(5) counts from 1, and the first two are cut off
	at, err := strconv.ParseUint(strings.Fields(fields)[startStack], 10, 64)
	if err != nil {
		return err
	}
	word := func(at uint64) uint64 {
		var b [8]byte
		err = errors.Join(err, readMemory(pid, at, b[:]))
		return binary.NativeEndian.Uint64(b[:])
	}
	for at += 8 * (1 + word(at) + 1); err == nil && word(at) != 0; at += 8 { // the arguments and a zero; the environment
	}
	const (
		end        = 0
		ignore     = 1
		vdsoHeader = 33 // AT_SYSINFO_EHDR
	)
	for at += 8; err == nil; at += 16 {
		switch word(at) {
		case vdsoHeader:
			var b [8]byte
			binary.NativeEndian.PutUint64(b[:], ignore)
			return errors.Join(err, writeMemory(pid, at, b[:]))
		case end:
			return errors.Join(err, errors.New("the process has no vDSO"))
		}
	}
	return err
}
