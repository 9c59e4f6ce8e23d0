package store_test

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

var release = flag.String("release", "", "write a file of the present schema to testdata/db under the name, before a release")

// Every schema that was ever released opens for ever, and says what it said then.
// testdata/db holds a file of each and beside it what it says.
func TestReleasedFiles(t *testing.T) {
	if *release != "" {
		writeRelease(t, filepath.Join("testdata/db", *release))
	}
	sums, err := os.ReadFile("testdata/db/SHA256SUMS")
	if err != nil {
		t.Fatal(err)
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
			// What was released stays as it is: a new schema gets new files.
			for name, content := range map[string][]byte{file: content, strings.TrimSuffix(file, ".db") + ".txt": want} {
				if line := fmt.Sprintf("%x  %s\n", sha256.Sum256(content), filepath.Base(name)); !strings.Contains(string(sums), line) {
					t.Errorf("%s is not what was released", name)
				}
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

// The facts that tell describe of what else can't be read from a file.
const (
	factCode   = "test/code"   // a joining code that is good at noon
	factButton = "test/button" // the data of a button that nobody has pressed
	factUsed   = "test/used"   // and of one that somebody has
)

// family lets a family do what there is besides recording: edit, unsend, strike, set,
// join and leave, press buttons; and its outbox has one of everything.
func family(t *testing.T, s *store.Store) {
	t.Helper()
	put := func(key string, at time.Time, apply func(*store.Tx) error) {
		t.Helper()
		req := lunch(key)
		req.At = at
		storetest.Submit(t, s, req, apply)
	}
	say := func(o store.Outgoing) func(*store.Tx) error {
		o.Chat = storetest.Taro
		return func(tx *store.Tx) error { _, err := tx.Say(o); return err }
	}
	storetest.Submit(t, s, storetest.Said("edited", "a b", after(0)), storetest.Hear("a", "b"))
	storetest.Submit(t, s, storetest.Edited("edited", "c", after(1)), storetest.Hear("c"))
	storetest.Submit(t, s, storetest.Edited("early", "d", after(3)), func(tx *store.Tx) error {
		tx.KeepText("d 100")
		return errors.Join(storetest.Hear("d")(tx), tx.SetTyped(tx.Receipt().Number, after(2)))
	})
	storetest.Submit(t, s, storetest.Said("unsent", "e", after(4)), storetest.Hear("e"))
	storetest.Submit(t, s, storetest.Unsent("unsent", after(5)), storetest.Hear())
	put("buttons", after(6), func(tx *store.Tx) error {
		button, err := sealed(tx, "undo", "")
		used, err2 := sealed(tx, "redo", "")
		return errors.Join(err, err2, tx.SetFact(factButton, button), tx.SetFact(factUsed, used), tx.Set("wallet", "shared"))
	})
	put("press", after(7), func(tx *store.Tx) error {
		used, err := tx.Fact(factUsed)
		_, _, _, err2 := tx.Consume(used)
		return errors.Join(err, err2)
	})
	put("expired", after(8), say(store.Outgoing{Payload: []byte(`["expired"]`)}))
	put("unknown", after(8), say(store.Outgoing{Payload: []byte(`["unknown"]`)}))
	put("late", after(9), say(store.Outgoing{Payload: []byte(`["late"]`), Pushing: true}))
	put("carrier", after(10), func(tx *store.Tx) error {
		late, err := tx.TakeLate(storetest.Taro, storetest.Pending(tx), 4)
		if err != nil {
			return err
		}
		return say(store.Outgoing{
			Payload: []byte(`["late","carrier"]`), ReplyToken: "token", RetryKey: "retry", Doubt: true, Tries: 2,
			Carries: []store.OutboxID{late[0].ID}, Names: []store.OutboxID{1}, Of: []ledger.ReceiptNumber{late[0].Receipt, tx.Receipt().Number},
		})(tx)
	})
	change(t, s, func(tx *store.Tx) error {
		hanako, err := tx.Join("hanako", "花子")
		jiro, err2 := tx.Join("jiro", "次郎")
		_, err3 := tx.Rename(hanako.ID, "はな", true)
		_, err4 := tx.Move("hanako", after(11), false)
		_, err5 := tx.Park(store.Parked{Scope: "line", Key: "parked", Event: []byte("{}"), Why: "on purpose"})
		code, err6 := tx.NewInvite()
		return errors.Join(err, err2, err3, err4, err5, err6, tx.Remove(jiro.ID), tx.SetOwner(hanako.ID), tx.SetFact(factCode, code),
			tx.NoteSent("line", []string{"sent"}, []ledger.ReceiptNumber{1}), endNewest(tx))
	})
}

// endNewest ends the answers that say how they end.
func endNewest(tx *store.Tx) error {
	var ends []store.Outgoing
	err := tx.PendingOutgoing(func(o store.Outgoing) error {
		switch string(o.Payload) {
		case `["expired"]`:
			o.State = store.Expired
			ends = append(ends, o)
		case `["unknown"]`:
			o.State = store.Unknown
			ends = append(ends, o)
		}
		return nil
	})
	for _, o := range ends {
		err = errors.Join(err, tx.PutOutgoing(o))
	}
	return err
}

// describe tells all that a file holds.
func describe(t *testing.T, path string) string {
	s, err := store.Open(path, store.Options{NoSync: true, Now: func() time.Time { return storetest.Noon.Add(time.Minute) }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	d := description{}
	view(t, s, func(tx *store.Tx) error {
		return errors.Join(d.household(tx), d.rows(tx), d.receipts(tx), d.outbox(tx))
	})
	d.events(t, s)
	return d.String()
}

type description struct{ strings.Builder }

func (d *description) add(format string, args ...any) error {
	_, err := fmt.Fprintf(d, format+"\n", args...)
	return err
}

// clock is the time as a description has it.
func clock(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.UTC().Format("2006-01-02T15:04:05.000")
}

func (d *description) household(tx *store.Tx) error {
	_, copied, err := tx.CopiedAt()
	accounts, err2 := tx.Accounts()
	members, err3 := tx.Members()
	owner, _, err4 := tx.Owner()
	wallet, err5 := tx.Setting("wallet")
	d.add("copy: %t\nowner: %d\nwallet: %s", copied, owner.ID, wallet)
	for _, a := range accounts {
		d.add("account %d %s of %d: %d", a.ID, a.Name, a.Owner, a.Balance)
	}
	for _, m := range members {
		d.add("member %d %s %q named %t admitted %t joined %s removed %s left %s moved %s",
			m.ID, m.Person, m.Name, m.Named, m.Admitted, clock(m.Joined), clock(m.Removed), clock(m.Left), clock(m.Moved))
	}
	err = errors.Join(err, err2, err3, err4, err5)
	for month := ledger.Date(20260901); month < 20261300; month += 100 {
		err = errors.Join(err, tx.Totals(month, func(x store.Total) error {
			return d.add("total of %d: %v member %d %q: %d in %d rows", month/100, x.Type, x.Member, x.Category, x.Sum, x.Rows)
		}))
	}
	return err
}

func (d *description) rows(tx *store.Tx) error {
	return tx.Rows(store.AllRows, func(r *ledger.Row) error {
		return d.add("row %v %v %v %s %d stated %d opening %t %q %q account %d to %d member %d scope %s voided %t withdrawn %t", r.ID, r.Date, r.Type,
			clock(r.Time), r.Amount, r.Stated, r.Opening, r.Item, r.Category, r.Account, r.ToAccount, r.Member, r.Scope, r.Voided, r.Withdrawn)
	})
}

func (d *description) receipts(tx *store.Tx) error {
	return tx.Receipts(0, func(r *store.Receipt) error {
		return d.add("receipt %d %s %s of %d message %s about %d digest %x at %s typed %s kind %d changes %d dates %v undoes %d first %d settings %q nonce %t",
			r.Number, r.Scope, r.Key, r.Member, r.MessageID, r.About, r.Digest, clock(r.At), clock(r.Typed), r.Kind, len(r.Changes), r.Dates,
			r.Undoes, r.First, r.Settings, r.Nonce != nil)
	})
}

func (d *description) outbox(tx *store.Tx) error {
	describe := func(o store.Outgoing) error {
		return d.add("outgoing %d for %d %s to %s: %s %v doubt %t pushing %t tries %d token %s key %s created %s settled %s names %d carries %d of %d",
			o.ID, o.Receipt, o.Notice, o.Chat, o.Payload, o.State, o.Doubt, o.Pushing, o.Tries, o.ReplyToken, o.RetryKey,
			clock(o.Created), clock(o.Settled), o.Names, o.Carries, o.Of)
	}
	parked, err := tx.AllParked("")
	for _, p := range parked {
		d.add("parked %s %s: %s tries %d since %s last %s %s", p.Scope, p.Key, p.Event, p.Tries, clock(p.Since), clock(p.Last), p.Why)
	}
	ours, _, err2 := tx.Quoted("line", "sent")
	if ours != nil {
		d.add("sent: receipt %d", ours.Number)
	}
	return errors.Join(err, err2, tx.PendingOutgoing(describe), tx.SettledOutgoing(describe))
}

// events tells of what only an event can see. They leave nothing.
func (d *description) events(t *testing.T, s *store.Store) {
	t.Helper()
	for _, id := range []string{"edited", "early", "unsent", "1000"} {
		req := storetest.Unsent(id, after(20)) // others of an unsent message are not heard
		req.Key = "x"
		storetest.Submit(t, s, req, func(tx *store.Tx) error {
			m := tx.Message()
			d.add("message %s: receipts %d said %d at %s edited %s unsent %s text %q", id, m.Receipts, m.Said, clock(m.At), clock(m.EditedAt), clock(m.UnsentAt), m.Text)
			return store.Leave
		})
	}
	storetest.Submit(t, s, lunch("x"), func(tx *store.Tx) error {
		for _, fact := range []string{factButton, factUsed} {
			data, err := tx.Fact(fact)
			verb, r, state, err2 := tx.Consume(data)
			if err := errors.Join(err, err2); err != nil || r == nil {
				return errors.Join(err, fmt.Errorf("a button of %s: %v", fact, r))
			}
			d.add("button %s of %d: %d", verb, r.Number, state)
		}
		unsaid, err := tx.TakeUnsaid(storetest.Taro)
		for _, o := range unsaid {
			d.add("unsaid: %d", o.ID)
		}
		return errors.Join(err, store.Leave)
	})
	var code string
	view(t, s, func(tx *store.Tx) (err error) { code, err = tx.Fact(factCode); return err })
	storetest.Submit(t, s, invited("guest", "join", code), func(tx *store.Tx) error {
		d.add("the code lets somebody in: %t", tx.JustJoined())
		return store.Leave
	})
}
