package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"ichido/bot/line"
	"ichido/internal/backups"
	"ichido/internal/control"
	"ichido/store"
)

var (
	// errNoFile says that there is no file where a command needs one.
	errNoFile = errors.New("there is no such file")
	// errNeedsYes says that a question cannot be asked.
	errNeedsYes = errors.New("the file that is there would be replaced")
	// errTerminal says that a terminal is no place for bytes.
	errTerminal = errors.New("standard output is a terminal")
)

// usageError is a command line that cannot be understood.
type usageError struct{ error }

// settingError is a setting that is missing or cannot be understood.
type settingError struct{ error }

// Unwrap lets what is wrong be told apart.
func (e settingError) Unwrap() error { return e.error }

// hints says what to do about an error. The first that fits is taken.
var hints = []struct {
	is   error
	hint string
}{
	{store.ErrInUse, "if ichido serve has it open, stop it first; a command that only reads can go through its control socket: name that with --socket"},
	{store.ErrNewer, "install the newer ichido again, or restore a backup that this one has made"},
	{store.ErrOlder, "start ichido serve once: it brings the file up to date"},
	{store.ErrUnverified, "try again; if the machine is short of memory, make room first"},
	{store.ErrForeign, "is --db right? A new household begins with a file that does not exist yet"},
	{store.ErrDamaged, "keep the file as it is and put the last good backup in its place: ichido restore BACKUP; without one, ichido repair makes a new file of what can still be read"},
	{store.ErrDiskFull, "make room on the disk and try again; nothing is lost"},
	{syscall.ENOSPC, "make room on the disk and try again; nothing is lost"},
	{syscall.EDQUOT, "make room on the disk and try again; nothing is lost"},
	{store.ErrClosed, "the server is stopping; try again in a moment"},
	{control.ErrBrokenOff, "the server's log says why"},
	{errNoFile, "--db or ICHIDO_DB names the file; ichido serve makes a new one"},
	{errNeedsYes, "add --yes to replace it; it is kept under another name"},
	{errNoSecret, "LINE's console shows it; give it in the environment, in a file named by the same name with _FILE, or as a systemd credential"},
	{errNoTokens, "give LINE_CHANNEL_ID, the number beside the channel secret in LINE's console, or else LINE_CHANNEL_ACCESS_TOKEN, a long-lived token from there; in the environment, in a file named by the same name with _FILE, or as a systemd credential"},
	{errNoWord, "it stands alone in its file or variable: no quotes, no spaces, no second line"},
	{errListen, "it is an address and a port, as in 127.0.0.1:8080"},
	{errEndpoint, "leave it out to use LINE's; it is an address that begins with https:// or http://"},
	{errNoNumber, "LINE's console shows it beside the channel secret; are the two mixed up?"},
	{errReadingSecret, "the user who runs ichido serve must be able to read the file"},
	{errWebhookURL, "it is the address at which LINE reaches the proxy, as in https://YOUR.NAME/line/webhook"},
	{line.ErrCredentials, "compare channel ID and channel secret (or the long-lived token) with LINE's console: both must be of the same channel"},
	{line.ErrUnreachable, "can this machine reach https://api.line.me? Else try again later"},
	{line.ErrRefused, "if it is a limit (429), try again in an hour"},
	{syscall.EADDRINUSE, "another program has the address; name another one with --listen"},
	{errBackupAt, "it is an hour and a minute, as in 03:30"},
	{errEncrypted, "name the file with its key, as age-keygen wrote it: --identity FILE"},
	{errNoBackups, "ichido serve makes them with --backup-dir DIR, or ICHIDO_BACKUP_DIR; name the same here if it does not run"},
	{backups.ErrNoRecipient, "age-keygen writes it as the public key: age1 and more"},
	{backups.ErrNoIdentity, "it is the file that age-keygen wrote, with AGE-SECRET-KEY-1 in it"},
	{backups.ErrWrongIdentity, "it can only be read with the key that belongs to the recipient of --backup-encrypt"},
	{errWaiting, "talk with a copy: ichido backup COPY, then ichido chat --db COPY"},
	{errTerminal, "name a file, or send the output to another program"},
	{control.ErrNoMember, "ichido members lists them: by name, by number, or by LINE's ID"},
	{control.ErrOwner, "make somebody else the owner first: ichido members owner NAME"},
	{control.ErrGone, "ichido invite makes a code that lets the person in again"},
	{control.ErrNoPages, "ichido serve needs --public-url, the address at which browsers reach it"},
	{errPublicURL, "it is the address at which browsers reach the proxy, as in https://YOUR.NAME"},
	{control.ErrName, "a name has from 1 to 20 characters and is no word like 家族 or 財布"},
	{store.ErrNotParked, "ichido parked lists the keys"},
	{store.ErrNoSuchMessage, "ichido outbox --all lists the numbers; what was sent is not there any more"},
	{store.ErrOutdated, "the ledger is right; the person can ask for it with 「一覧」"},
	{store.ErrAway, "ichido invite makes a code that lets the person in again"},
	{control.ErrServing, "only one ichido serve can run for a file"},
	{control.ErrSocketPath, "name a shorter path with --socket or ICHIDO_SOCKET"},
	{fs.ErrNotExist, "is the path right?"},
	{fs.ErrExist, "nothing was overwritten; name a file that does not exist yet"},
	{fs.ErrPermission, "ichido must be able to write the file and its directory; run it as the user who runs ichido serve"},
	{syscall.EROFS, "ichido must be able to write the file and its directory"},
}

// report writes an error for people and returns the exit status. Nil is no
// error.
func report(w io.Writer, err error) (status int) {
	if err == nil {
		return statusOK
	}
	fmt.Fprintln(w, "ichido:", sentence(err))
	if _, ok := errors.AsType[usageError](err); ok {
		fmt.Fprintln(w, "hint: ichido --help lists commands and flags")
		return statusUsage
	}
	if hint := hintFor(err); hint != "" {
		fmt.Fprintln(w, "hint:", hint)
	}
	if _, ok := errors.AsType[settingError](err); ok {
		return statusUsage
	}
	return statusFailed
}

func hintFor(err error) string {
	if _, ok := errors.AsType[*store.DamageError](err); ok {
		err = store.ErrDamaged
	}
	for _, h := range hints {
		if errors.Is(err, h.is) {
			return h.hint
		}
	}
	return ""
}

// sentence puts an error on one line. Of what the operating system says, the
// name of the call is left out and the path is named only once.
func sentence(err error) string {
	if errors.Is(err, context.Canceled) {
		return "interrupted"
	}
	s := err.Error()
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		s = strings.Replace(s, path.Error(), path.Path+": "+path.Err.Error(), 1)
		s = strings.Replace(s, path.Path+": "+path.Path+": ", path.Path+": ", 1)
	}
	return strings.ReplaceAll(s, "\n", "; ")
}

// reportPanic tells of a bug without its stack, unless GOTRACEBACK asks for it.
func reportPanic(w io.Writer, p any) (status int) {
	if os.Getenv("GOTRACEBACK") != "" {
		panic(p)
	}
	fmt.Fprintf(w, "ichido: this is a bug in ichido: %v\nhint: GOTRACEBACK=all shows where; please report it\n", p)
	return statusFailed
}
