// Package backups keeps the backups that a server makes by itself: one a day in a
// directory, each proven before it gets its name, some of them kept for longer, and, if
// the household wants it so, encrypted and handed to a command that takes them elsewhere.
//
// A backup is two files: the copy, ichido-20261201T033000+0900.db, with .age behind it if
// it is encrypted, and what is known of it beside it, with .json behind that. The copy
// appears last, so that one that is there is whole. Nothing else in the directory is
// touched.
package backups

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"ichido/store"
)

// Backup is a backup in the directory.
type Backup struct {
	File   string    `json:"file"` // its name in the directory
	At     time.Time `json:"at"`   // of the state that it holds
	Bytes  int64     `json:"bytes"`
	SHA256 string    `json:"sha256"` // of the file, in hex

	// Of which household it is (store.Tx.FileID), and what that came to.
	Household string    `json:"household"`
	Receipts  uint64    `json:"receipts"` // the last number that was given out
	Rows      int       `json:"rows"`     // those that count
	Newest    time.Time `json:"newest,omitzero"`
}

// Encrypted says whether it can be read only by who has a key.
func (b Backup) Encrypted() bool { return strings.HasSuffix(b.File, encryptedSuffix) }

const (
	plainSuffix     = ".db"
	encryptedSuffix = ".db.age"
	noteSuffix      = ".json"
	nameTime        = "20060102T150405-0700"
)

// backupName is what a backup is called.
var backupName = regexp.MustCompile(`^ichido-\d{8}T\d{6}[+-]\d{4}\.db(\.age)?$`)

// nameOf names the backup of the state at the time, by the clock of the household.
func nameOf(at time.Time, encrypted bool) string {
	suffix := plainSuffix
	if encrypted {
		suffix = encryptedSuffix
	}
	return "ichido-" + at.Format(nameTime) + suffix
}

// List returns the backups in the directory, the newest first, of all households. Without the directory
// there are none. A file without its note, or of another length than that says, is no
// backup of ours.
func List(dir string) (all []Backup, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("listing backups: %w", err)
	}
	for _, entry := range entries {
		if !backupName.MatchString(entry.Name()) {
			continue
		}
		b, err := read(dir, entry.Name())
		if err != nil {
			return nil, fmt.Errorf("listing backups: %w", err)
		}
		if b.File != "" {
			all = append(all, b)
		}
	}
	slices.SortFunc(all, func(a, b Backup) int { return b.At.Compare(a.At) })
	return all, nil
}

// of leaves the backups of the household.
func of(household string, all []Backup) []Backup {
	return slices.DeleteFunc(all, func(b Backup) bool { return b.Household != household })
}

// read reads the note of a file; the zero value is that of none.
func read(dir, name string) (b Backup, err error) {
	info, err := os.Stat(filepath.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return Backup{}, nil // it was removed meanwhile
	} else if err != nil {
		return Backup{}, err
	}
	note, err := os.ReadFile(filepath.Join(dir, name+noteSuffix))
	if errors.Is(err, fs.ErrNotExist) {
		return Backup{}, nil
	} else if err != nil {
		return Backup{}, err
	}
	if json.Unmarshal(note, &b) != nil || b.File != name || b.Bytes != info.Size() {
		return Backup{}, nil
	}
	return b, nil
}

// noteOf is what the backup of a state is known by; its size and hash are to be filled in.
func noteOf(f store.Figures, at time.Time, encrypted bool) Backup {
	return Backup{File: nameOf(at, encrypted), At: at, Household: f.File.String(), Receipts: uint64(f.Receipts), Newest: f.Newest}
}

// Keep says how many backups are kept: the newest of each of the last days, weeks and
// months that have any. Days, weeks (from Monday on) and months are those of the
// household's calendar. The newest of all is always kept.
type Keep struct{ Daily, Weekly, Monthly int }

// Surplus returns those of the backups, the newest first, that need not be kept.
func (k Keep) Surplus(all []Backup, zone *time.Location) (surplus []Backup) {
	periods := []struct {
		left int
		of   func(time.Time) string
		last string
	}{
		{k.Daily, func(t time.Time) string { return t.Format(time.DateOnly) }, ""},
		{k.Weekly, func(t time.Time) string { year, week := t.ISOWeek(); return fmt.Sprint(year, " ", week) }, ""},
		{k.Monthly, func(t time.Time) string { return t.Format("2006-01") }, ""},
	}
	for i, b := range all {
		kept := i == 0
		for p := range periods {
			period := &periods[p]
			if this := period.of(b.At.In(zone)); this != period.last && period.left > 0 {
				period.last = this
				period.left--
				kept = true
			}
		}
		if !kept {
			surplus = append(surplus, b)
		}
	}
	return surplus
}

// remove removes a backup: the file first, as a note alone is none.
func remove(dir string, b Backup) error {
	path := filepath.Join(dir, b.File)
	return errors.Join(os.Remove(path), os.Remove(path+noteSuffix))
}
