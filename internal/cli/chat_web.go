package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"ichido/internal/control"
	"ichido/internal/exchange"
	"ichido/internal/ledger"
	"ichido/internal/linesim/page"
	"ichido/store"
)

var (
	errNotLoopback = errors.New("--listen of the page is no address of this machine alone (127.0.0.1:8081)")
	errServed      = errors.New("a server has the file open already")
)

const (
	webIdle     = 2 * time.Minute  // a connection to the page's server stays open unused
	webReading  = 10 * time.Second // a request may take to come in, and the bot to tell its ledger
	webReread   = time.Second      // what was recorded in the bot's own pages is shown after
	webShutting = time.Second      // requests under way may take at the end
)

// web shows the chat as a page on loopback until ctx ends.
func (c *chatCmd) web(ctx context.Context, p *program) error {
	listener, err := listenLoopback(c.Listen)
	if err != nil {
		return err
	}
	defer listener.Close()
	db, socket := p.db, p.socket
	if !p.dbGiven {
		dir, err := os.MkdirTemp("", "ichido-chat-*")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		db = filepath.Join(dir, "ichido.db")
		socket = control.DefaultSocket(db)
	}
	if _, err := control.Dial(socket); err == nil {
		return fmt.Errorf("%w: %s", errServed, db)
	}
	if err := nothingWaitsIn(db); errors.Is(err, errWaiting) {
		return err // what else is wrong with the file the bot says
	}
	h := newWebHome(p.zone)
	endpoint, stopPlatform := h.platform.Start()
	defer stopPlatform()
	if err := h.setUpMenu(ctx, endpoint); err != nil {
		return err
	}
	address, err := freePort()
	if err != nil {
		return err
	}
	h.bot = &webBot{address: address, db: db, socket: socket, endpoint: endpoint, secret: h.secret, token: h.token, zone: p.zone.String(), allow: h.everybody(), note: h.note, moved: h.moved}
	if !p.dbGiven {
		h.bot.first = h.befriend
	}
	fmt.Fprintf(p.stdout, "http://%s/%s/\n", listener.Addr(), h.key)
	return h.live(ctx, listener)
}

// nothingWaitsIn is nothingWaits for a file that is not open.
func nothingWaitsIn(path string) error {
	s, err := store.Open(path, store.Options{})
	if err != nil {
		return err
	}
	return errors.Join(nothingWaits(s), s.Close())
}

// live runs the bot and serves the page until ctx ends or one of them fails. Then first
// the bot ends, and last what was on its way to it.
func (h *webHome) live(ctx context.Context, listener net.Listener) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	h.ctx = ctx
	server := &http.Server{
		Handler: h.handler(listener.Addr()), ReadHeaderTimeout: webReading, ReadTimeout: webReading, IdleTimeout: webIdle, MaxHeaderBytes: 16 << 10,
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			stop(err)
		}
	}()
	err := h.bot.run(ctx, h.platform)
	stop(nil)
	shutCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), webShutting)
	defer cancel()
	if server.Shutdown(shutCtx) != nil {
		server.Close()
	}
	<-served
	h.delivering.Wait()
	if cause := context.Cause(ctx); err == nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	return err
}

// listenLoopback listens where only this machine gets. "" is a free port.
func listenLoopback(address string) (net.Listener, error) {
	if address == "" {
		address = "127.0.0.1:0"
	}
	a, err := net.ResolveTCPAddr("tcp", address)
	if err != nil || !a.IP.IsLoopback() {
		return nil, settingError{errNotLoopback}
	}
	return net.Listen("tcp", address)
}

// rows are the rows of the ledger, the newest first, as the server of the file tells
// them. ok is false while none answers.
func (h *webHome) rows() (rows []page.Row, ok bool) {
	h.reading.Lock()
	defer h.reading.Unlock()
	h.mu.Lock()
	fresh := h.read == h.changes && time.Since(h.readAt) < webReread
	changes := h.changes
	h.mu.Unlock()
	if fresh && h.ledger != nil {
		return h.ledger, true
	}
	client, err := control.Dial(h.bot.socket)
	if err != nil {
		return nil, false
	}
	ctx, cancel := context.WithTimeout(h.ctx, webReading)
	defer cancel()
	var file bytes.Buffer
	if err := client.Export(ctx, "jsonl", &file); err != nil {
		return nil, false
	}
	rows, err = readRows(&file)
	if err != nil {
		return nil, false
	}
	h.ledger, h.read, h.readAt = rows, changes, time.Now()
	return rows, true
}

// readRows makes rows of an export. It is ordered by date; here what was entered last
// stands first.
func readRows(file *bytes.Buffer) ([]page.Row, error) {
	exported := []exchange.Row{}
	for decoder := json.NewDecoder(file); decoder.More(); {
		var r exchange.Row
		if err := decoder.Decode(&r); err != nil {
			return nil, err
		}
		exported = append(exported, r)
	}
	slices.SortStableFunc(exported, func(a, b exchange.Row) int { return int(b.Receipt) - int(a.Receipt) })
	rows := make([]page.Row, len(exported))
	for i, r := range exported {
		rows[i] = webRow(r)
	}
	return rows, nil
}

func webRow(r exchange.Row) page.Row {
	row := page.Row{
		Number: r.ID, Date: r.Date.String(), Item: r.Item, Amount: r.Amount.String() + "円", Category: string(r.Category),
		Account: owned(r.Account, r.AccountOwner), Who: r.Member, Struck: r.Voided,
	}
	switch r.Type {
	case ledger.Income.String(), ledger.Refund.String():
		row.Amount = "+" + row.Amount
	case ledger.Transfer.String():
		row.Item, row.Account = cmp.Or(row.Item, "口座の間"), row.Account+" → "+owned(r.ToAccount, r.ToAccountOwner)
	case ledger.Adjustment.String():
		row.Item, row.Amount = "残高", r.Stated.String()+"円"
		if !r.Opening {
			row.Category = "差 " + r.Amount.String() + "円"
		}
	}
	return row
}

// owned names an account as the bot does: one that belongs to somebody is a wallet.
func owned(account, owner string) string {
	if owner == "" {
		return account
	}
	return owner + "の財布"
}
