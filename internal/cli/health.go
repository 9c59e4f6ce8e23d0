package cli

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"syscall"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	"ichido/store"
)

const (
	probeTime = 2 * time.Second
	minFree   = 64 << 20 // bytes of disk
)

// health answers 200 while events can be recorded, and 503 with a reason while
// they can't or soon can't.
type health struct{ store *store.Store }

func (h health) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if reason := h.reason(r.Context()); reason != "" {
		http.Error(w, reason, http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintln(w, "ok")
}

func (h health) reason(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	if err := h.store.Probe(ctx); ctx.Err() != nil {
		return "the disk is slow: a write has not passed in time"
	} else if err != nil || h.store.Failing() != nil {
		return "the last write failed"
	}
	free, err := freeBytes(filepath.Dir(h.store.Path()))
	if err == nil && free < minFree {
		return fmt.Sprintf("the disk is nearly full: %d MiB are free", free>>20)
	}
	return ""
}

func freeBytes(dir string) (uint64, error) {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil {
		return 0, err
	}
	return fs.Bavail * uint64(fs.Bsize), nil
}

func notifySystemd(log *slog.Logger, state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		log.Warn("telling systemd failed", "error", err)
	}
}

// feedWatchdog tells systemd that the writer still passes transactions, if
// systemd asks for it. A writer that hangs in a sync lets the watchdog bite; one
// that reports errors is alive.
func feedWatchdog(ctx context.Context, s *store.Store, log *slog.Logger) {
	interval, err := daemon.SdWatchdogEnabled(false)
	if err != nil || interval == 0 {
		return
	}
	ticker := time.NewTicker(interval / 3)
	defer ticker.Stop()
	for {
		probe, cancel := context.WithTimeout(ctx, interval/3)
		_ = s.Probe(probe)
		if probe.Err() == nil {
			notifySystemd(log, daemon.SdNotifyWatchdog)
		}
		cancel()
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}
