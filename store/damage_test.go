package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

const page = 4096

// household writes a file with some months of purchases, statements and undos,
// and returns its bytes.
func household(t *testing.T) []byte {
	path := filepath.Join(t.TempDir(), "ichido.db")
	s, err := store.Open(path, store.Options{NoSync: true, Now: func() time.Time { return storetest.Noon }})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 9, 1, 3, 0, 0, 0, time.UTC)
	for i := range 400 {
		at = at.Add(5 * time.Hour)
		req := store.Request{Scope: "line", Key: fmt.Sprintf("key%05d", i), At: at, Person: "U1", Admit: true, MessageID: fmt.Sprint(1000 + i)}
		_, _, err := s.Submit(t.Context(), req, func(tx *store.Tx) error {
			switch {
			case i%50 == 20:
				return stateWallet(tx, ledger.Yen(i*10), at)
			case i%25 == 7:
				tx.Receipt().Kind = store.Undo
				_, err := tx.Undo(tx.Receipt().Number - 1)
				return err
			}
			if i%10 == 0 {
				if _, err := tx.Say(store.Outgoing{Chat: "U1", Payload: []byte("{}")}); err != nil {
					return err
				}
			}
			return storetest.RecordLunch(tx)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	family(t, s)
	tight := filepath.Join(t.TempDir(), "copy.db") // without the room for growth at the end
	_, err = s.Backup(t.Context(), tight)
	if err := errors.Join(err, s.Check(), s.Close()); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(tight)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func stateWallet(tx *store.Tx, amount ledger.Yen, at time.Time) error {
	wallet, err := tx.OpenAccount(ledger.Cash, tx.Sender().ID)
	if err != nil {
		return err
	}
	tx.Receipt().Kind = store.Balance
	_, err = tx.Apply(ledger.Change{After: &ledger.Row{
		Type: ledger.Adjustment, Date: ledger.DateOf(at), Time: at, Stated: amount, Account: wallet.ID, Member: tx.Sender().ID,
	}})
	return err
}

// damages are the ways in which a file is spoilt. Each returns the whole file.
var damages = []struct {
	name  string
	spoil func(r *rand.Rand, file []byte) []byte
}{
	{"bits flipped", func(r *rand.Rand, file []byte) []byte {
		for range 1 + r.IntN(3) {
			file[r.IntN(len(file))] ^= 1 << r.IntN(8)
		}
		return file
	}},
	{"bits of a key page flipped", func(r *rand.Rand, file []byte) []byte {
		start := r.IntN(len(file)/page) * page
		for range 2 {
			file[start+r.IntN(256)] ^= 1 << r.IntN(8)
		}
		return file
	}},
	{"truncated", func(r *rand.Rand, file []byte) []byte { return file[:r.IntN(len(file))] }},
	{"truncated at a page", func(r *rand.Rand, file []byte) []byte { return file[:page*r.IntN(len(file)/page)] }},
	{"truncated in the meta pages", func(r *rand.Rand, file []byte) []byte { return file[:r.IntN(2*page)] }},
	{"pages swapped", func(r *rand.Rand, file []byte) []byte {
		a, b := page*r.IntN(len(file)/page), page*r.IntN(len(file)/page)
		held := bytes.Clone(file[a : a+page])
		copy(file[a:a+page], file[b:b+page])
		copy(file[b:b+page], held)
		return file
	}},
	{"a page copied over another", func(r *rand.Rand, file []byte) []byte {
		a, b := page*r.IntN(len(file)/page), page*r.IntN(len(file)/page)
		copy(file[a:a+page], file[b:b+page])
		return file
	}},
	{"a page of zeroes", func(r *rand.Rand, file []byte) []byte {
		a := page * r.IntN(len(file)/page)
		clear(file[a : a+page])
		return file
	}},
	{"a meta page spoilt", func(r *rand.Rand, file []byte) []byte {
		file[page*r.IntN(2)+16+r.IntN(64)] ^= 1 << r.IntN(8)
		return file
	}},
	{"empty", func(*rand.Rand, []byte) []byte { return nil }},
	{"foreign", func(r *rand.Rand, file []byte) []byte {
		foreign := append([]byte("SQLite format 3\x00"), make([]byte, r.IntN(3*page))...)
		for i := 16; i < len(foreign); i++ {
			foreign[i] = byte(r.Uint32())
		}
		return foreign
	}},
}

// Whatever happened to a file: it is refused with a sentence and left as it is,
// or it opens and tells the truth, or it says of a record that it is damaged.
// There is no stack, no wrong total, and no crash.
func TestDamagedFiles(t *testing.T) {
	good := household(t)
	want, err := totals(write(t, good))
	if err != nil {
		t.Fatal(err)
	}
	files := 200
	if testing.Short() {
		files = 40
	}
	var mu sync.Mutex
	var refused, opened int
	t.Run("all", func(t *testing.T) {
		for seed := range uint64(files) {
			damage := damages[int(seed)%len(damages)]
			t.Run(fmt.Sprintf("%s %d", damage.name, seed), func(t *testing.T) {
				t.Parallel()
				spoilt := damage.spoil(rand.New(rand.NewPCG(seed, 1)), bytes.Clone(good))
				path := write(t, spoilt)
				got, err := totals(path)
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					opened++
					if got != want {
						t.Errorf("it opens and says %s, but it was %s", got, want)
					}
					return
				}
				refused++
				if now, _ := os.ReadFile(path); !bytes.Equal(now, spoilt) {
					t.Error("the refused file was touched")
				}
				if s := err.Error(); strings.Contains(s, "goroutine") || strings.Contains(s, "\n") || strings.Contains(s, "0x") {
					t.Errorf("the refusal is no sentence: %s", s)
				}
				if !errors.Is(err, store.ErrDamaged) && !errors.Is(err, store.ErrForeign) {
					t.Errorf("the refusal is of an unexpected kind: %v", err)
				}
			})
		}
	})
	t.Logf("%d refused, %d opened", refused, opened)
	if refused < files/2 {
		t.Errorf("only %d of %d were refused: does the damage still hit?", refused, files)
	}
}

func write(t *testing.T, content []byte) string {
	path := filepath.Join(t.TempDir(), "ichido.db")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// totals opens the file and adds up what it holds, in every way that it can be
// asked.
func totals(path string) (string, error) {
	s, err := store.Open(path, store.Options{NoSync: true})
	if err != nil {
		return "", err
	}
	defer s.Close()
	var rows, voided, outgoing int
	var sum, balance ledger.Yen
	var last ledger.ReceiptNumber
	err = s.View(func(tx *store.Tx) error {
		err := tx.Rows(store.AllRows, func(r *ledger.Row) error {
			rows++
			if r.Voided {
				voided++
			} else {
				sum += r.Amount
			}
			return nil
		})
		if err != nil {
			return err
		}
		if err := tx.PendingOutgoing(func(store.Outgoing) error { outgoing++; return nil }); err != nil {
			return err
		}
		accounts, err := tx.Accounts()
		for _, a := range accounts {
			balance += a.Balance
		}
		if err != nil {
			return err
		}
		return tx.Receipts(0, func(r *store.Receipt) error { last = r.Number; return nil })
	})
	return fmt.Sprintf("%d rows (%d voided) of %d, balance %d, %d outgoing, last receipt %d", rows, voided, sum, balance, outgoing, last), err
}
