package main

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"ichido/internal/linesim"
	"ichido/store"
)

var ichidoServe = contestant{
	name: "Ichido, webhook",
	about: "`ichido serve` as it is run; for each webhook it checks the signature, understands the text, records as above, and writes the answer with its buttons; " +
		"LINE can't be reached, so that the answers wait",
	start: func(s setting) (ledger, error) { return startServe(s, false) },
}

var ichidoAnswers = contestant{
	name: "Ichido, webhook and answer",
	about: "the same until the answer is there, with a LINE on this machine: each answer is claimed, sent and settled; " +
		"that LINE runs on the same processors, in the process of the clients",
	start: func(s setting) (ledger, error) { return startServe(s, true) },
}

type serveLedger struct {
	*webhooks
	server  *daemon
	db      string
	answers bool   // a purchase has been recorded when it has been answered
	stop    func() // ends LINE
}

// startServe starts the program with a LINE that takes answers, or with none.
func startServe(s setting, answers bool) (ledger, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	w, err := prepare(s, address)
	if err != nil {
		return nil, err
	}
	l := &serveLedger{webhooks: w, db: filepath.Join(s.dir, "ichido.db"), answers: answers, stop: func() {}}
	endpoint := "http://127.0.0.1:1"
	if answers {
		endpoint, l.stop = w.platform.Start() // the one that has given out the reply tokens
	}
	l.server, err = startDaemon([]string{"LINE_CHANNEL_SECRET=" + linesim.DefaultSecret, "LINE_CHANNEL_ACCESS_TOKEN=" + linesim.DefaultToken},
		s.ichido, "serve", "--db", l.db, "--listen", address, "--line-endpoint", endpoint, "--allow", strings.Join(w.people, ","))
	if err != nil {
		return nil, err
	}
	if err := l.server.await(listens("tcp", address)); err != nil {
		return nil, errors.Join(err, l.server.stop())
	}
	return l, nil
}

func (l *serveLedger) client() (func(n int) error, error) {
	post, err := l.webhooks.client()
	if !l.answers || err != nil {
		return post, err
	}
	return func(n int) error {
		if err := post(n); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		_, err := l.platform.Wait(ctx, l.of(n), n/len(l.people)+1)
		return err
	}, nil
}

func (l *serveLedger) processes() []int { return groupOf(l.server.cmd.Process.Pid) }

func (l *serveLedger) close() (int, error) {
	err := l.server.stop()
	l.stop()
	if err != nil {
		return 0, err
	}
	file, err := store.Open(l.db, store.Options{ReadOnly: true, Inspector: []string{"true"}})
	if err != nil {
		return 0, err
	}
	rows, err := countRows(file)
	return rows, errors.Join(err, file.Close())
}
