package main

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"

	"golang.org/x/sys/unix"
	lib "modernc.org/sqlite/lib"
)

// machine describes in general words what the figures come from.
func machine() string {
	parts := []string{
		fmt.Sprintf("%d processors (%s)", runtime.NumCPU(), cmp.Or(field("/proc/cpuinfo", "model name"), runtime.GOARCH)),
		disk(os.TempDir()),
		"Linux " + number("/proc/sys/kernel/osrelease"),
		runtime.Version(),
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			switch d.Path {
			case "go.etcd.io/bbolt":
				parts = append(parts, "bbolt "+d.Version)
			case "modernc.org/sqlite":
				parts = append(parts, "SQLite "+lib.SQLITE_VERSION+" (modernc.org/sqlite "+d.Version+")")
			}
		}
	}
	for name, command := range map[string][]string{"PHP": {phpFPM(), "--version"}, "MariaDB": {"mariadbd", "--version"}} {
		if out, err := exec.Command(command[0], command[1:]...).Output(); err == nil {
			parts = append(parts, name+" "+dotted.FindString(string(out)))
		}
	}
	return strings.Join(parts, ", ")
}

var dotted = regexp.MustCompile(`\d+\.\d+(\.\d+)?`)

// number is the version in a file.
func number(path string) string {
	text, _ := os.ReadFile(path) // without one it is ""
	return dotted.FindString(string(text))
}

// field is the value of a line "name : value".
func field(path, name string) string {
	text, _ := os.ReadFile(path) // without one it is ""
	for line := range strings.Lines(string(text)) {
		if k, v, _ := strings.Cut(line, ":"); strings.TrimSpace(k) == name {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// disk says what kind of disk a directory is on.
func disk(dir string) string {
	var s unix.Stat_t
	if unix.Stat(dir, &s) != nil {
		return "an unknown disk"
	}
	device := fmt.Sprintf("/sys/dev/block/%d:%d", unix.Major(s.Dev), unix.Minor(s.Dev))
	name, _ := filepath.EvalSymlinks(device)
	switch rotates, _ := os.ReadFile(filepath.Join(device, "queue/rotational")); {
	case strings.Contains(name, "/virtio"):
		return "a virtual disk (" + fileSystem(dir) + ")"
	case strings.Contains(name, "nvme"):
		return "an NVMe disk (" + fileSystem(dir) + ")"
	case strings.TrimSpace(string(rotates)) == "1":
		return "a turning disk (" + fileSystem(dir) + ")"
	}
	return "a disk (" + fileSystem(dir) + ")"
}

// fileSystem is the name of the directory's file system.
func fileSystem(dir string) string {
	var s unix.Statfs_t
	if unix.Statfs(dir, &s) != nil {
		return "unknown file system"
	}
	known := map[int64]string{unix.EXT4_SUPER_MAGIC: "ext4", unix.XFS_SUPER_MAGIC: "XFS", unix.BTRFS_SUPER_MAGIC: "Btrfs", unix.OVERLAYFS_SUPER_MAGIC: "overlay"}
	return cmp.Or(known[s.Type], "another file system")
}
