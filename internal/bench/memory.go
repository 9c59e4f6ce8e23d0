package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// usage is memory in bytes. What several processes share is divided among them.
type usage struct{ all, anonymous int64 }

// memoryWatch looks at the memory of processes and keeps the most that it has seen.
type memoryWatch struct {
	stopped chan struct{}
	peak    chan usage
}

// watchMemory looks ten times a second until it is stopped.
func watchMemory(pids []int) memoryWatch {
	w := memoryWatch{make(chan struct{}), make(chan usage)}
	go func() {
		var peak usage
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			now := memoryOf(pids)
			peak = usage{max(peak.all, now.all), max(peak.anonymous, now.anonymous)}
			select {
			case <-tick.C:
			case <-w.stopped:
				w.peak <- peak
				return
			}
		}
	}()
	return w
}

func (w memoryWatch) stop() usage {
	close(w.stopped)
	return <-w.peak
}

// memoryOf adds up the processes. One that has ended has no memory.
func memoryOf(pids []int) (sum usage) {
	for _, pid := range pids {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			name, rest, _ := strings.Cut(line, ":")
			kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			switch {
			case err != nil:
			case name == "Pss":
				sum.all += kib << 10
			case name == "Pss_Anon":
				sum.anonymous += kib << 10
			}
		}
	}
	return sum
}

// groupOf lists the processes of a group.
func groupOf(group int) (pids []int) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue
		}
		// After the name, which may hold anything: state, parent, group.
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if len(fields) > 2 && fields[2] == strconv.Itoa(group) {
			pids = append(pids, pid)
		}
	}
	return pids
}
