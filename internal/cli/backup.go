package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"filippo.io/age"
	"github.com/schollz/progressbar/v3"

	"ichido/internal/backups"
	"ichido/internal/control"
	"ichido/store"
)

type backupCmd struct {
	File    string   `arg:"" help:"Where to write it; - for standard output."`
	Encrypt []string `placeholder:"RECIPIENT" help:"Encrypt it so that only the holder of the key can read it: what age-keygen calls the public key."`
}

// Run makes the copy and says on stderr what was written.
func (c *backupCmd) Run(ctx context.Context, p *program) error {
	to, err := backups.ParseRecipients(c.Encrypt)
	if err != nil {
		return settingError{fmt.Errorf("--encrypt: %w", err)}
	}
	if c.File != "-" {
		return p.backupTo(ctx, c.File, to)
	}
	if isTerminal(p.stdout) {
		return fmt.Errorf("writing the backup: %w", errTerminal)
	}
	content, size := p.backup(ctx)
	defer content.Close()
	sealed, err := backups.Encrypt(content, to)
	if err == nil {
		_, err = io.Copy(p.stdout, sealed)
	}
	if err == nil {
		fmt.Fprintf(p.stderr, "wrote a backup of %d bytes\n", *size)
	}
	return err
}

// backup streams a proven copy, on a terminal with a bar of its progress. Its end is only
// good if reading it has no error; then its size is known.
func (p *program) backup(ctx context.Context) (content io.ReadCloser, size *int64) {
	r, w := io.Pipe()
	size = new(int64)
	go func() {
		err := p.withClient(func(client *control.Client) (err error) {
			bar, begin := p.progress("copying")
			*size, err = client.Backup(ctx, io.MultiWriter(w, bar), begin)
			return err
		})
		w.CloseWithError(err)
	}()
	return r, size
}

// progress shows on a terminal how much has been written of the size that begin is told.
func (p *program) progress(what string) (bar io.Writer, begin func(size int64)) {
	if !isTerminal(p.stderr) {
		return io.Discard, nil
	}
	shown := progressbar.NewOptions64(-1, progressbar.OptionSetWriter(p.stderr), progressbar.OptionSetDescription(what),
		progressbar.OptionShowBytes(true), progressbar.OptionClearOnFinish())
	return shown, shown.ChangeMax64
}

// backupTo makes the copy under another name first, so that path never names
// half of one.
func (p *program) backupTo(ctx context.Context, path string, to []age.Recipient) error {
	err := p.writeBackup(ctx, path, to)
	if err != nil {
		err = fmt.Errorf("backing up to %s: %w", path, err)
	}
	return err
}

func (p *program) writeBackup(ctx context.Context, path string, to []age.Recipient) error {
	if _, err := os.Lstat(path); err == nil {
		return fs.ErrExist
	}
	dir, err := store.NewTemp(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer dir.Close()
	temp, err := dir.Create("copy")
	if err != nil {
		return err
	}
	content, _ := p.backup(ctx)
	size, _, err := backups.Write(ctx, temp, content, to)
	if err := errors.Join(err, content.Close(), temp.Close()); err != nil {
		return err
	}
	if len(to) == 0 {
		if err := store.CheckFile(ctx, temp.Name(), nil); err != nil {
			return fmt.Errorf("verifying the backup: %w", err)
		}
	}
	if err := publish(temp.Name(), path); err != nil {
		return err
	}
	fmt.Fprintf(p.stderr, "wrote %s, a backup of %d bytes\n", path, size)
	return nil
}

// publish gives a complete file its name, which must be free, for good.
func publish(temp, path string) error {
	err := os.Link(temp, path)
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOTSUP) {
		// A memory stick has no links. There the name can be taken between these
		// two calls, and only there.
		if _, err = os.Lstat(path); err == nil {
			return fs.ErrExist
		}
		err = os.Rename(temp, path)
	}
	if err != nil {
		return err
	}
	return store.SyncPath(filepath.Dir(path))
}

// readable gives the path of a backup that can be read: of one that is encrypted, that of
// a decrypted copy, which is removed by done.
func (p *program) readable(ctx context.Context, path, identity string) (plain string, done func() error, err error) {
	done = func() error { return nil }
	encrypted, err := backups.Encrypted(path)
	switch {
	case err != nil:
		return "", done, err
	case !encrypted && identity != "":
		return "", done, settingError{fmt.Errorf("%s is not encrypted: --identity is of no use", path)}
	case !encrypted:
		return path, done, nil
	case identity == "":
		return "", done, errEncrypted
	}
	dir, err := store.NewTemp(filepath.Dir(p.db))
	if err != nil {
		return "", done, err
	}
	dst, err := dir.Create("decrypted")
	if err == nil {
		err = errors.Join(backups.Open(ctx, dst, path, identity), dst.Close())
	}
	if err != nil {
		return "", done, errors.Join(fmt.Errorf("decrypting %s: %w", path, err), dir.Close())
	}
	return dir.Path("decrypted"), dir.Close, nil
}
