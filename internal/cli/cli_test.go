package cli

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"ichido/internal/control"
	"ichido/internal/golden"
	"ichido/internal/ledger"
	"ichido/store"
)

// TestMain makes this executable the program that the scripts run, the helpers
// beside it, and the child process that the store starts.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "inspect" && filepath.Base(os.Args[0]) != "ichido" {
		os.Exit(store.Inspect(os.Args[2:], os.Stdout))
	}
	if err := flag.Set("test.parallel", "4"); err != nil { // most of them wait for processes; -parallel overrides it
		panic(err)
	}
	testscript.Main(m, map[string]func(){
		"ichido":  func() { enterTrap(); os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
		"fixture": func() { helper(fillFile) },
		"control": func() { helper(serveControl) },
		"hold":    func() { helper(holdFile) },
		"callers": sendLost,
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *golden.Update,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			for _, name := range []string{"ICHIDO_DB", "ICHIDO_SOCKET", "ICHIDO_TZ", "ICHIDO_BACKUP_DIR"} {
				env.Setenv(name, "")
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"await":    await,
			"flip":     edit(flip),
			"truncate": edit(truncate),
			"newer":    edit(newer),
			"mode":     mode,
			"fact":     fact,
			"only":     only,
			"status":   status,
		},
	})
}

// await FILE waits until there is a file with the name.
func await(ts *testscript.TestScript, _ bool, args []string) {
	for range 500 {
		if _, err := os.Lstat(ts.MkAbs(args[0])); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	ts.Fatalf("%s does not appear", args[0])
}

// mode FILE PERM compares the permissions of a file.
func mode(ts *testscript.TestScript, _ bool, args []string) {
	info, err := os.Lstat(ts.MkAbs(args[0]))
	ts.Check(err)
	if got := fmt.Sprintf("%04o", info.Mode().Perm()); got != args[1] {
		ts.Fatalf("%s has the mode %s", args[0], got)
	}
}

// fact FILE NAME VALUE notes a fact in a closed file.
func fact(ts *testscript.TestScript, _ bool, args []string) {
	s, err := store.Open(ts.MkAbs(args[0]), store.Options{NoSync: true})
	ts.Check(err)
	ts.Check(s.Update(context.Background(), func(tx *store.Tx) error { return tx.SetFact(args[1], args[2]) }))
	ts.Check(s.Close())
}

// only DIR NAME... says that a directory has these entries, hidden ones too.
func only(ts *testscript.TestScript, _ bool, args []string) {
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if fmt.Sprint(names) != fmt.Sprint(args[1:]) {
		ts.Fatalf("%s has the entries %q", args[0], names)
	}
}

// status N PROGRAM ARG... says with which status a program ends.
func status(ts *testscript.TestScript, _ bool, args []string) {
	got := 0
	err := ts.Exec(args[1], args[2:]...)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	}
	if fmt.Sprint(got) != args[0] {
		ts.Fatalf("%q ends with status %d", args[1:], got)
	}
}

// edit makes a command of a change to a file's bytes. Its arguments are the file
// and numbers.
func edit(change func(file []byte, numbers []int) []byte) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, _ bool, args []string) {
		path := ts.MkAbs(args[0])
		file, err := os.ReadFile(path)
		ts.Check(err)
		var numbers []int
		for _, arg := range args[1:] {
			n, err := strconv.Atoi(arg)
			ts.Check(err)
			numbers = append(numbers, n)
		}
		ts.Check(os.WriteFile(path, change(file, numbers), 0o600))
	}
}

// flip changes a letter in each copy of the item of receipt 1.
func flip(file []byte, _ []int) []byte {
	return bytes.ReplaceAll(file, []byte("ランチ"), []byte("リンチ"))
}

func truncate(file []byte, numbers []int) []byte { return file[:numbers[0]] }

// newer makes the schema of the file one that no program knows.
func newer(file []byte, _ []int) []byte {
	record := func(version uint32) []byte {
		value := binary.BigEndian.AppendUint32(nil, version)
		sum := crc32.Checksum(append([]byte("meta\x00schema"), value...), crc32.MakeTable(crc32.Castagnoli))
		return binary.LittleEndian.AppendUint32(append([]byte("schema"), value...), sum)
	}
	return bytes.ReplaceAll(file, record(1), record(99))
}

// helper is the main function of a program that a script runs with a file.
func helper(main func(path string) error) {
	if err := main(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// holdFile opens the file and listens on no socket.
func holdFile(path string) error {
	s, err := store.Open(path, store.Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	if err := os.WriteFile(path+".held", nil, 0o600); err != nil {
		return err
	}
	return untilStopped(func(context.Context) error { return nil })
}

// serveControl is the part of serve that these commands need.
func serveControl(path string) error {
	s, err := store.Open(path, store.Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	listener, err := control.Listen(control.DefaultSocket(path))
	if err != nil {
		return err
	}
	server := http.Server{Handler: control.New(s, control.Door{
		RetryOutgoing: func(ctx context.Context, id store.OutboxID) (was store.Outgoing, err error) {
			err = s.Update(ctx, func(tx *store.Tx) error { was, err = tx.Resend(id); return err })
			return was, err
		},
		RetryParked: func(ctx context.Context, key string) error { // it fails again
			return s.Update(ctx, func(tx *store.Tx) error {
				_, err := tx.Park(store.Parked{Scope: "line", Key: key, Why: "panic"})
				return err
			})
		},
		ForgetParked: func(string) {},
	})}
	go server.Serve(listener)
	return untilStopped(server.Shutdown)
}

func untilStopped(stop func(context.Context) error) error {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	<-ctx.Done()
	return stop(context.Background())
}

var tokyo = time.FixedZone("JST", 9*60*60)

// fillFile makes a file with one of everything that an export can show.
func fillFile(path string) error {
	s, err := store.Open(path, store.Options{NoSync: true})
	if err != nil {
		return err
	}
	f := filler{s: s, at: time.Date(2026, 11, 28, 12, 0, 0, 0, tokyo)}
	f.typed("taro", expense("ランチ", 900, "食費"))
	f.update(func(tx *store.Tx) error {
		_, err := tx.Join("hanako", "花子")
		return err
	})
	f.typed("taro", expense("=1+1", 100, ""), expense(`"うまい" 棒,塩`, 12, "食費"))
	f.typed("hanako", expense("two\nlines", 300, "日用品"))
	f.typed("taro", ledger.Row{Type: ledger.Income, Item: "給料", Amount: 250000, Category: ledger.Pay})
	f.typed("taro", ledger.Row{Type: ledger.Refund, Item: "-返品", Amount: 450, Category: "衣服"})
	f.typed("hanako", ledger.Row{Type: ledger.Transfer, Item: "Suica", Amount: 2000})
	f.typed("taro", ledger.Row{Type: ledger.Adjustment, Stated: 3000})
	f.typed("taro", expense("<コーヒー> & ケーキ", 700, "食費"))
	f.typed("taro", ledger.Row{Type: ledger.Adjustment, Stated: 2000})
	f.undone("taro", 8)
	f.settled(1, store.Sent) // leaves the outbox
	f.settled(2, store.Unknown)
	f.settled(3, store.Expired)
	f.parked()
	if f.err != nil {
		return f.err
	}
	return s.Close()
}

// filler writes events, a minute apart. After an error it does nothing.
type filler struct {
	s   *store.Store
	at  time.Time
	n   int
	err error
}

func expense(item string, amount ledger.Yen, category ledger.Category) ledger.Row {
	return ledger.Row{Type: ledger.Expense, Item: item, Amount: amount, Category: category}
}

// event handles a new event and answers it.
func (f *filler) event(person string, apply func(*store.Tx) error) {
	if f.err != nil {
		return
	}
	f.n++
	f.at = f.at.Add(time.Minute)
	key := fmt.Sprintf("event-%d", f.n)
	request := store.Request{Scope: "line", Key: key, Digest: store.NewDigest(key), At: f.at, Person: person, Admit: true}
	_, _, f.err = f.s.Submit(context.Background(), request, func(tx *store.Tx) error {
		if err := apply(tx); err != nil {
			return err
		}
		_, err := tx.Say(store.Outgoing{Chat: "chat-of-" + person, ReplyToken: "secret-token", Payload: []byte(`[{"type":"text","text":"text of ` + person + `"}]`)})
		return err
	})
}

// typed records the rows on the person's wallet.
func (f *filler) typed(person string, rows ...ledger.Row) {
	f.event(person, func(tx *store.Tx) error {
		wallet, err := tx.OpenAccount(ledger.Cash, tx.Sender().ID)
		if err != nil {
			return err
		}
		var changes []ledger.Change
		for _, r := range rows {
			r.Account, r.Member, r.Date, r.Time = wallet.ID, tx.Sender().ID, ledger.DateOf(f.at), f.at.UTC()
			if r.Type == ledger.Transfer {
				suica, err := tx.OpenAccount("Suica", 0)
				if err != nil {
					return err
				}
				r.ToAccount = suica.ID
			}
			changes = append(changes, ledger.Change{After: &r})
		}
		_, err = tx.Apply(changes...)
		return err
	})
}

func (f *filler) undone(person string, n ledger.ReceiptNumber) {
	f.event(person, func(tx *store.Tx) error {
		_, err := tx.Undo(n)
		return err
	})
}

func (f *filler) update(fn func(*store.Tx) error) {
	if f.err == nil {
		f.err = f.s.Update(context.Background(), fn)
	}
}

func (f *filler) settled(id store.OutboxID, state store.OutgoingState) {
	f.update(func(tx *store.Tx) error {
		o, _, err := tx.Outgoing(id)
		if err != nil {
			return err
		}
		o.State, o.Tries, o.Doubt = state, 1, state == store.Unknown
		return tx.PutOutgoing(o)
	})
}

func (f *filler) parked() {
	f.update(func(tx *store.Tx) error {
		_, err := tx.Park(store.Parked{Scope: "line", Key: "event-99", Event: []byte("secret-event"), Why: "panic"})
		return err
	})
}
