package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/user"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"ichido/bot/line"
	"ichido/internal/control"
)

// server asks the running server for something small: one that hangs takes
// connections, too.
func (d *doctor) server(ctx context.Context) finding {
	client, err := control.Dial(d.p.socket)
	if errors.Is(err, control.ErrNoServer) {
		return failed("start it: systemctl start ichido; if it ends again, journalctl -u ichido -e says why", "ichido serve does not run (nobody answers on %s)", d.p.socket)
	}
	if err == nil {
		d.serving = true
		ctx, cancel := context.WithTimeout(ctx, d.patience)
		defer cancel()
		_, err = client.Members(ctx)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		d.hanging = true
		return failed("restart it: systemctl restart ichido; if that does not help, the disk hangs (dmesg)", "ichido serve runs, but does not answer on %s", d.p.socket)
	}
	if err != nil {
		return failedBy(err)
	}
	return ok("ichido serve runs and answers on %s", d.p.socket)
}

// health asks for /healthz where the proxy finds the server.
func (d *doctor) health(ctx context.Context) finding {
	ctx, cancel := context.WithTimeout(ctx, d.patience)
	defer cancel()
	host, port, _ := net.SplitHostPort(d.command.address()) // was checked before
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1" // all addresses, this one among them
	}
	address := net.JoinHostPort(host, port)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/healthz", nil)
	if err != nil {
		return failedBy(err)
	}
	res, err := (&http.Client{Transport: &http.Transport{}}).Do(req) // no proxy of the environment's
	if err != nil {
		return failed("give the address that serve has: --listen or ICHIDO_LISTEN", "nothing answers on %s", address)
	}
	defer res.Body.Close()
	said, _ := io.ReadAll(io.LimitReader(res.Body, 200))
	reason := strings.TrimSpace(string(said))
	switch {
	case res.StatusCode == http.StatusServiceUnavailable:
		return failed("until then nothing can be recorded; LINE delivers it again", "/healthz says: %s", reason)
	case res.StatusCode != http.StatusOK || reason != "ok":
		return failed("give the address that serve has: --listen or ICHIDO_LISTEN", "another program answers on %s (status %d)", address, res.StatusCode)
	}
	return ok("/healthz on %s says ok", address)
}

// settings reads the secrets. Where a server runs, it has them; this command may lack
// them all the same, as it is run by another hand.
func (d *doctor) settings(context.Context) finding {
	secrets, err := readLineSecrets(slog.New(slog.DiscardHandler))
	if d.serving && (errors.Is(err, errNoSecret) || errors.Is(err, errNoTokens)) {
		return warning("give LINE_CHANNEL_SECRET and LINE_CHANNEL_ID to this command, too, as the server has them", "this command was not given the secrets, so LINE can't be asked")
	}
	if err != nil {
		return failedBy(err)
	}
	d.secrets = secrets
	if d.channel, err = newChannel(d.command.Endpoint, d.p); err != nil {
		return failedBy(err)
	}
	with := "channel ID " + secrets.channelID
	if secrets.token != "" {
		with = "a long-lived token"
	}
	return ok("the channel secret and %s are given", with)
}

// secretForm is how LINE makes channel secrets.
var secretForm = regexp.MustCompile(`^[0-9a-f]{32}$`)

func (d *doctor) channelSecret(context.Context) finding {
	switch {
	case d.channel == nil:
		return skipped("no secrets were given")
	case !secretForm.MatchString(d.secrets.channel):
		return warning("copy it again from the console, tab Basic settings; it is not the channel access token", "it has %d characters; LINE's have 32 digits and letters a to f", len(d.secrets.channel))
	}
	return ok("it looks like one of LINE's")
}

func (d *doctor) timeZone(context.Context) finding {
	name := d.p.zone.String()
	there := d.now.In(d.p.zone).Format("2006-01-02 15:04")
	if name == "UTC" || name == "Local" {
		return warning("set --tz or ICHIDO_TZ to the household's, as for serve; Japan's is Asia/Tokyo", "%s: there it is %s, and 今日 begins at its midnight", name, there)
	}
	return ok("%s: there it is %s", name, there)
}

// file does what ichido check does.
func (d *doctor) file(ctx context.Context) finding {
	if d.hanging {
		return skipped("the server has it open and does not answer")
	}
	ctx, cancel := context.WithTimeout(ctx, fileTime)
	defer cancel()
	var out bytes.Buffer
	p := *d.p
	p.stdout = &out
	switch err := (&checkCmd{}).Run(ctx, &p); {
	case errors.Is(err, context.DeadlineExceeded):
		return failed("the disk may be slow; ichido check takes the time that it needs", "checking it takes longer than %v", fileTime)
	case err != nil:
		return failedBy(err)
	}
	said := strings.TrimPrefix(strings.TrimSpace(out.String()), "ok: ")
	return ok("%s is sound; %s", d.p.db, said)
}

// permissions wants file and directory for their owner alone, who is whoever runs
// this; root looks at others' files.
func (d *doctor) permissions(context.Context) finding {
	dir := filepath.Dir(d.p.db)
	file, err := os.Stat(d.p.db)
	if errors.Is(err, fs.ErrNotExist) {
		return skipped("there is no file")
	}
	if err != nil {
		return failedBy(err)
	}
	directory, err := os.Stat(dir)
	if err != nil {
		return failedBy(err)
	}
	owner := os.Geteuid()
	if owner == 0 {
		owner = ownerOf(directory)
	}
	return worst(
		permission(d.p.db, file, owner, 0o600),
		permission(dir, directory, owner, 0o700),
	)
}

func permission(path string, info fs.FileInfo, owner int, want fs.FileMode) finding {
	has := info.Mode().Perm()
	switch {
	case ownerOf(info) != owner:
		return failed(fmt.Sprintf("chown %s %s, or run this as the user who runs ichido serve", userName(owner), path), "%s belongs to %s and not to %s", path, userName(ownerOf(info)), userName(owner))
	case has&want != want:
		return failed(fmt.Sprintf("chmod %o %s", want, path), "%s has the mode %04o: its owner can't use it", path, has)
	case has&^want != 0:
		return warning(fmt.Sprintf("chmod %o %s", want, path), "%s has the mode %04o: others can read or change it", path, has)
	}
	return ok("%s: %04o, %s", filepath.Base(path), has, userName(ownerOf(info)))
}

func ownerOf(info fs.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Uid)
	}
	return -1
}

func userName(id int) string {
	if u, err := user.LookupId(strconv.Itoa(id)); err == nil {
		return u.Username
	}
	return fmt.Sprintf("user %d", id)
}

func (d *doctor) disk(context.Context) finding {
	free, err := d.free(filepath.Dir(d.p.db))
	if errors.Is(err, fs.ErrNotExist) {
		return skipped("there is no directory " + filepath.Dir(d.p.db))
	}
	if err != nil {
		return failedBy(err)
	}
	need := uint64(line.LowFree)
	if info, err := os.Stat(d.p.db); err == nil {
		need = max(need, 2*uint64(info.Size())) // a copy, and growth
	}
	const hint = "make room; in the file's directory only ichido.db.replaced-… may be deleted"
	switch {
	case free < minFree:
		return failed(hint, "%d MiB are free: nothing can be recorded soon", free>>20)
	case free < need:
		return warning(hint, "%d MiB are free; %d should be, also for backups", free>>20, need>>20)
	}
	return ok("%d MiB are free", free>>20)
}

// Of these file systems (statfs(2)) the first are of other machines or programs, on
// which locks and syncs are not what the file rests on; the others don't last.
var (
	remote = map[int64]string{
		unix.NFS_SUPER_MAGIC: "NFS", unix.CIFS_SUPER_MAGIC: "CIFS", unix.SMB_SUPER_MAGIC: "SMB", unix.SMB2_SUPER_MAGIC: "SMB",
		unix.FUSE_SUPER_MAGIC: "FUSE", unix.V9FS_MAGIC: "9P", unix.AFS_SUPER_MAGIC: "AFS", unix.CODA_SUPER_MAGIC: "Coda", unix.CEPH_SUPER_MAGIC: "Ceph",
	}
	fleeting = map[int64]string{unix.TMPFS_MAGIC: "tmpfs", unix.RAMFS_MAGIC: "ramfs", unix.OVERLAYFS_SUPER_MAGIC: "a container's"}
)

func (d *doctor) fileSystem(context.Context) finding {
	dir := filepath.Dir(d.p.db)
	kind, err := d.fsType(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return skipped("there is no directory " + dir)
	}
	if err != nil {
		return failedBy(err)
	}
	// The kernel's type has 32 bits, which may arrive with a sign.
	kind = int64(uint32(kind))
	if name, found := remote[kind]; found {
		return failed("move the file to a local disk: ichido backup there, then ichido restore", "%s is on a file system of the kind %s, on which a crash can damage the file", dir, name)
	}
	if name, found := fleeting[kind]; found {
		return warning("move the file to a disk that lasts: ichido backup there, then ichido restore", "%s is on a file system (%s) that may be gone after a restart", dir, name)
	}
	return ok("it is a local one")
}
