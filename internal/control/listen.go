package control

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"syscall"
	"time"
)

var (
	// ErrNoServer says that nobody listens on the socket.
	ErrNoServer = errors.New("no server is running")
	// ErrServing says that somebody already listens on the socket.
	ErrServing = errors.New("a server is already listening there")
	// ErrSocketPath says that the system takes no such long path for a socket.
	ErrSocketPath = fmt.Errorf("the path of a socket can have at most %d bytes", maxSocketPath)
)

// maxSocketPath is what fits into a sockaddr_un beside its final zero.
const maxSocketPath = 107

// DefaultSocket is where the server of the file listens.
func DefaultSocket(db string) string { return db + ".sock" }

// Listen listens on the path. Only this user can connect. The socket of a server
// that died is replaced, that of a living one is the error ErrServing. Closing
// the listener removes the socket.
func Listen(path string) (net.Listener, error) {
	l, err := listen(path)
	if err != nil {
		return nil, fmt.Errorf("listening on %s: %w", path, err)
	}
	return l, nil
}

func listen(path string) (net.Listener, error) {
	conn, err := connect(path)
	if err == nil {
		conn.Close()
		return nil, ErrServing
	} else if !errors.Is(err, ErrNoServer) {
		return nil, err
	}
	if len(path) > maxSocketPath {
		return nil, ErrSocketPath
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	// The mask is the whole process's: a server listens before it does anything
	// else.
	defer syscall.Umask(syscall.Umask(0o177))
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	return l, nil
}

// connect reaches the server that listens on the path. It returns ErrNoServer if
// there is no socket or only that of a dead process.
func connect(path string) (net.Conn, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, ErrNoServer
	} else if err != nil {
		return nil, err
	}
	if info.Mode().Type() != fs.ModeSocket {
		return nil, errors.New("that is no socket")
	}
	if len(path) > maxSocketPath {
		return nil, ErrSocketPath
	}
	conn, err := net.DialTimeout("unix", path, 5*time.Second)
	if errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoServer
	}
	return conn, err
}
