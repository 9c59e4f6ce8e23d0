package control

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// record writes n receipts of one row each, and as many answers.
func record(t *testing.T, s *store.Store, n int) {
	t.Helper()
	at := time.Date(2026, 11, 30, 3, 0, 0, 0, time.UTC)
	for i := range n {
		key := fmt.Sprint("event-", i)
		request := store.Request{Scope: "line", Key: key, Digest: store.NewDigest(key), At: at, Person: "taro", Admit: true}
		_, _, err := s.Submit(t.Context(), request, func(tx *store.Tx) error {
			wallet, err := tx.OpenAccount(ledger.Cash, tx.Sender().ID)
			if err != nil {
				return err
			}
			_, err = tx.Apply(ledger.Change{After: &ledger.Row{
				Type: ledger.Expense, Item: "ランチ", Amount: 900, Date: 20261130, Time: at, Account: wallet.ID, Member: tx.Sender().ID,
			}})
			if err != nil {
				return err
			}
			_, err = tx.Say(store.Outgoing{Chat: "taro", ReplyToken: "secret", Payload: []byte("secret")})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// overSocket serves the store and returns a client of it.
func overSocket(t *testing.T, s *store.Store) *Client {
	t.Helper()
	path := DefaultSocket(s.Path())
	listener, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	server := http.Server{Handler: New(s, Door{})}
	go server.Serve(listener)
	t.Cleanup(func() { server.Close() })
	client, err := Dial(path)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// An export names categories as the household calls them now.
func TestExportNamesCategories(t *testing.T) {
	s := storetest.New(t)
	record(t, s, 1)
	storetest.Submit(t, s, store.Request{Scope: "line", At: time.Now(), Person: "taro", Admit: true}, func(tx *store.Tx) error {
		row, err := tx.Row(ledger.RowID{Receipt: 1})
		if err != nil {
			return err
		}
		after := *row
		after.Category = "食費"
		_, err = tx.Apply(ledger.Change{Before: row, After: &after})
		return errors.Join(err, tx.Set("category/食費", "食べ物"), tx.Set("category/食べ物", "食べ物"))
	})
	var out bytes.Buffer
	if err := Local(s).Export(t.Context(), "jsonl", &out); err != nil || !strings.Contains(out.String(), `"category":"食べ物"`) {
		t.Errorf("%v, exported %s", err, out.String())
	}
}

// Both ways to the handler give the same.
func TestClients(t *testing.T) {
	s := storetest.New(t)
	record(t, s, 3)
	for name, client := range map[string]*Client{"local": Local(s), "socket": overSocket(t, s)} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := client.Export(t.Context(), "jsonl", &out); err != nil {
				t.Fatal(err)
			}
			if got := strings.Count(out.String(), `"item":"ランチ"`); got != 3 {
				t.Errorf("%d rows exported: %s", got, out.String())
			}
			if err := client.Export(t.Context(), "pdf", io.Discard); err == nil || err.Error() != `bad request: there is no format "pdf"` {
				t.Errorf("unknown format: error %v", err)
			}
			totals, err := client.Check(t.Context())
			if err != nil || totals.Receipts != 3 || totals.Rows != 3 || totals.Bytes == 0 {
				t.Errorf("check: %+v, %v", totals, err)
			}
			members, err := client.Members(t.Context())
			if err != nil || len(members) != 1 || !members[0].Owner || members[0].Person != "taro" {
				t.Errorf("members: %+v, %v", members, err)
			}
			box, err := client.Outbox(t.Context(), false, false)
			if err != nil || len(box.Messages) != 3 || box.Counts != (Counts{Pending: 3}) {
				t.Errorf("outbox: %+v, %v", box, err)
			}
			parked, err := client.Parked(t.Context(), false)
			if err != nil || len(parked) != 0 {
				t.Errorf("parked: %+v, %v", parked, err)
			}
			path := filepath.Join(t.TempDir(), "copy.db")
			f, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			size, err := client.Backup(t.Context(), f, nil)
			if err != nil {
				t.Fatal(err)
			}
			if info, err := f.Stat(); err != nil || info.Size() != size {
				t.Errorf("backup of %d bytes has %d: %v", size, info.Size(), err)
			}
			if err := store.CheckFile(t.Context(), path, nil); err != nil {
				t.Error(err)
			}
			leftovers(t, s)
		})
	}
}

func leftovers(t *testing.T, s *store.Store) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(filepath.Dir(s.Path()), ".*"))
	if err != nil || len(found) > 0 {
		t.Errorf("left behind: %q, %v", found, err)
	}
}

func TestNoSecrets(t *testing.T) {
	s := storetest.New(t)
	record(t, s, 1)
	for _, path := range []string{"/outbox?all=true", "/parked", "/members", "/totals"} {
		resp, err := Local(s).do(t.Context(), http.MethodGet, path, nil)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil || !json.Valid(body) || strings.Contains(string(body), "secret") {
			t.Errorf("%s: %s, %v", path, body, err)
		}
	}
}

// What the store says stays recognisable on the other side.
func TestErrorsCross(t *testing.T) {
	for _, tt := range []struct{ thrown, want error }{
		{store.ErrClosed, store.ErrClosed},
		{fmt.Errorf("copying: %w", store.ErrDamaged), store.ErrDamaged},
		{&store.DamageError{Bucket: "rows", Reason: "wrong checksum"}, store.ErrDamaged},
		{&os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, store.ErrDiskFull},
		{fmt.Errorf("message 3: %w", store.ErrAway), store.ErrAway},
		{errors.New("something else"), nil},
	} {
		client := Client{http.Client{Transport: inProcess{handler(func(http.ResponseWriter, *http.Request) error { return tt.thrown })}}}
		_, err := client.Totals(t.Context())
		if err == nil || err.Error() != tt.thrown.Error() || tt.want != nil && !errors.Is(err, tt.want) {
			t.Errorf("%v came over as %v", tt.thrown, err)
		}
	}
}

func TestClosedStore(t *testing.T) {
	s := storetest.New(t)
	client := Local(s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := client.Export(t.Context(), "csv", io.Discard); !errors.Is(err, store.ErrClosed) {
		t.Errorf("export of a closed store: %v", err)
	}
}

// call returns the answer of a handler in this process.
func call(t *testing.T, ctx context.Context, h http.HandlerFunc) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://ichido/", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := inProcess{h}.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

// The handler is never further than one write ahead of the reader.
func TestInProcessStreams(t *testing.T) {
	const chunk, chunks = 1 << 10, 1 << 10
	written := 0
	resp := call(t, t.Context(), func(w http.ResponseWriter, _ *http.Request) {
		for range chunks {
			written++ // the pipe orders this before the reader's next read
			w.Write(make([]byte, chunk))
		}
	})
	buf := make([]byte, chunk)
	for i := range chunks {
		if _, err := io.ReadFull(resp.Body, buf); err != nil {
			t.Fatal(err)
		}
		if i == 0 && resp.StatusCode != http.StatusOK {
			t.Errorf("status %d", resp.StatusCode)
		}
	}
	if n, err := resp.Body.Read(buf); n != 0 || err != io.EOF {
		t.Errorf("after the end: %d bytes, %v", n, err)
	}
	resp.Body.Close()
	if written != chunks {
		t.Errorf("%d chunks written", written)
	}
}

// A reader that goes away ends the handler, and Close waits for that.
func TestInProcessClose(t *testing.T) {
	ended := false
	resp := call(t, t.Context(), func(w http.ResponseWriter, _ *http.Request) {
		for {
			if _, err := w.Write(make([]byte, 100)); err != nil {
				ended = true
				return
			}
		}
	})
	io.ReadFull(resp.Body, make([]byte, 150))
	resp.Body.Close()
	if !ended {
		t.Error("the handler is still running")
	}
}

func TestInProcessCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stuck := make(chan struct{})
	resp := call(t, ctx, func(w http.ResponseWriter, _ *http.Request) {
		w.Write([]byte("half"))
		cancel()
		<-stuck
	})
	defer resp.Body.Close()
	defer close(stuck)
	if _, err := io.ReadAll(resp.Body); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// An answer that stops in the middle is an error on both ways.
func TestBrokenOff(t *testing.T) {
	h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		w.Write(make([]byte, 500))
		panic(http.ErrAbortHandler)
	})
	path := filepath.Join(t.TempDir(), "sock")
	listener, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	server := http.Server{Handler: h}
	go server.Serve(listener)
	defer server.Close()
	socket, err := Dial(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, client := range map[string]*Client{"local": {http.Client{Transport: inProcess{h}}}, "socket": socket} {
		if _, err := client.Backup(t.Context(), io.Discard, nil); !errors.Is(err, ErrBrokenOff) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestListen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sock")
	if _, err := Dial(path); !errors.Is(err, ErrNoServer) {
		t.Errorf("dialling nothing: %v", err)
	}
	listener, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket has mode %v, %v", info.Mode(), err)
	}
	if _, err := Listen(path); !errors.Is(err, ErrServing) {
		t.Errorf("listening twice: %v", err)
	}
	if err := listener.Close(); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// The socket of a process that died is no server and is replaced.
func TestListenStale(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sock")
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	dead.SetUnlinkOnClose(false)
	dead.Close()
	if _, err := Dial(path); !errors.Is(err, ErrNoServer) {
		t.Errorf("dialling a stale socket: %v", err)
	}
	listener, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if _, err := Dial(path); err != nil {
		t.Error(err)
	}
}

// A file of another kind is neither taken for a socket nor replaced.
func TestListenOnFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "letter")
	if err := os.WriteFile(path, []byte("dear"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Dial(path); err == nil || errors.Is(err, ErrNoServer) {
		t.Errorf("dialling a file: %v", err)
	}
	if _, err := Listen(path); err == nil {
		t.Error("a file was replaced by a socket")
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "dear" {
		t.Errorf("the file is %q, %v", got, err)
	}
	if _, err := Listen(filepath.Join(t.TempDir(), strings.Repeat("x", maxSocketPath))); !errors.Is(err, ErrSocketPath) {
		t.Errorf("a path that is too long: %v", err)
	}
}

// Both wallets are called 現金, and a member can be without a name.
func TestNames(t *testing.T) {
	s := storetest.New(t)
	record(t, s, 1)
	err := s.Update(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Join("hanako", "花子")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	err = s.View(func(tx *store.Tx) error {
		n, err := readNames(tx)
		wallets := map[ledger.AccountID]ledger.Account{1: {Name: ledger.Cash, Owner: 1}, 2: {Name: ledger.Cash, Owner: 2}, 3: {Name: ledger.Cash}}
		n.Accounts = wallets
		for id := range ledger.AccountID(3) {
			r := n.Row(&ledger.Row{Account: id + 1, ToAccount: (id+1)%3 + 1, Member: 2})
			got = append(got, strings.Join([]string{r.Account, r.AccountOwner, r.ToAccount, r.ToAccountOwner, r.Member}, " "))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"現金 member-1 現金 花子 花子", "現金 花子 現金  花子", "現金  現金 member-1 花子"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("names differ (-want +got):\n%s", diff)
	}
}

// A reader that stops early stops the scan.
func TestRowsStop(t *testing.T) {
	s := storetest.New(t)
	record(t, s, 3)
	err := s.View(func(tx *store.Tx) error {
		var ids []string
		for r, err := range rows(tx) {
			if err != nil {
				return err
			}
			if ids = append(ids, r.ID); len(ids) == 2 {
				break
			}
		}
		if !slices.Equal(ids, []string{"1", "2"}) {
			t.Errorf("rows %q", ids)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
