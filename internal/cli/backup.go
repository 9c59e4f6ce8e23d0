package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"ichido/internal/control"
	"ichido/store"
)

type backupCmd struct {
	File string `arg:"" help:"Where to write it; - for standard output."`
}

// Run makes the copy and says on stderr what was written.
func (c *backupCmd) Run(ctx context.Context, p *program) error {
	if c.File != "-" {
		return p.backupTo(ctx, c.File)
	}
	if isTerminal(p.stdout) {
		return fmt.Errorf("writing the backup: %w", errTerminal)
	}
	return p.withClient(func(client *control.Client) error {
		size, err := client.Backup(ctx, p.stdout)
		if err == nil {
			fmt.Fprintf(p.stderr, "wrote a backup of %d bytes\n", size)
		}
		return err
	})
}

// backupTo makes the copy under another name first, so that path never names
// half of one.
func (p *program) backupTo(ctx context.Context, path string) error {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("backing up to %s: %w", path, fs.ErrExist)
	}
	dir, err := store.NewTemp(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("backing up to %s: %w", path, err)
	}
	defer dir.Close()
	temp, err := dir.Create("copy")
	if err != nil {
		return fmt.Errorf("backing up to %s: %w", path, err)
	}
	var size int64
	err = p.withClient(func(client *control.Client) (err error) {
		size, err = client.Backup(ctx, temp)
		return err
	})
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return err
	}
	if err := store.CheckFile(ctx, temp.Name(), nil); err != nil {
		return fmt.Errorf("verifying the backup: %w", err)
	}
	if err := publish(temp.Name(), path); err != nil {
		return fmt.Errorf("backing up to %s: %w", path, err)
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
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
