package store_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ichido/internal/ledger"
	"ichido/store"
)

var release = flag.String("release", "", "write a file of the present schema to testdata/db under the name, before a release")

// Every schema that was ever released opens for ever, and says what it said then.
// testdata/db holds a file of each and beside it what it says.
func TestReleasedFiles(t *testing.T) {
	if *release != "" {
		writeRelease(t, filepath.Join("testdata/db", *release))
	}
	files, err := filepath.Glob("testdata/db/*.db")
	if err != nil || len(files) == 0 {
		t.Fatalf("no released files: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(strings.TrimSuffix(file, ".db") + ".txt")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), describe(t, write(t, content))); diff != "" {
				t.Errorf("it says something else (-then +now):\n%s", diff)
			}
		})
	}
}

func writeRelease(t *testing.T, path string) {
	content := household(t)
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(strings.TrimSuffix(path, ".db")+".txt", []byte(describe(t, write(t, content))), 0o644); err != nil {
		t.Fatal(err)
	}
}

// describe tells all that a file holds.
func describe(t *testing.T, path string) string {
	s, err := store.Open(path, store.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	var b strings.Builder
	err = s.View(func(tx *store.Tx) error {
		_, copied, err := tx.CopiedAt()
		fmt.Fprintln(&b, "copy:", copied)
		accounts, err2 := tx.Accounts()
		members, err3 := tx.Members()
		for _, a := range accounts {
			fmt.Fprintf(&b, "account %d %s of %d: %d\n", a.ID, a.Name, a.Owner, a.Balance)
		}
		for _, m := range members {
			fmt.Fprintf(&b, "member %d %s %q admitted %t\n", m.ID, m.Person, m.Name, m.Admitted)
		}
		err4 := tx.Rows(store.AllRows, func(r *ledger.Row) error {
			_, err := fmt.Fprintf(&b, "row %v %v %v %s %d stated %d opening %t %q %q account %d to %d member %d scope %s voided %t\n", r.ID, r.Date, r.Type,
				r.Time.Format("15:04:05.000"), r.Amount, r.Stated, r.Opening, r.Item, r.Category, r.Account, r.ToAccount, r.Member, r.Scope, r.Voided)
			return err
		})
		err5 := tx.Receipts(0, func(r *store.Receipt) error {
			_, err := fmt.Fprintf(&b, "receipt %d %s %s message %s kind %d changes %d dates %v  undoes %d\n",
				r.Number, r.Scope, r.Key, r.MessageID, r.Kind, len(r.Changes), r.Dates, r.Undoes)
			return err
		})
		err6 := tx.PendingOutgoing(func(o store.Outgoing) error {
			_, err := fmt.Fprintf(&b, "outgoing %d for %d to %s: %s\n", o.ID, o.Receipt, o.Chat, o.Payload)
			return err
		})
		return errors.Join(err, err2, err3, err4, err5, err6)
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
