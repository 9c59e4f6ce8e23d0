package main

import (
	"errors"
	"path/filepath"
	"strings"

	"ichido/internal/linesim"
	"ichido/store"
)

var ichidoServe = contestant{
	name: "Ichido, webhook",
	about: "`ichido serve` as it is run; for each webhook it checks the signature, understands the text, records as above, and writes the answer with its buttons; " +
		"LINE can't be reached, so that the answers wait",
	start: func(s setting) (ledger, error) { return startServe(s, "http://127.0.0.1:1", func() {}) },
}

var ichidoAnswers = contestant{
	name: "Ichido, webhook and answer",
	about: "the same with a LINE on this machine that takes the answers: besides, each answer is claimed and settled on the disk and sent; " +
		"that LINE runs on the same processors, in the process of the clients",
	start: func(s setting) (ledger, error) {
		endpoint, stop := linesim.New(linesim.Options{Forget: true}).Start()
		return startServe(s, endpoint, stop)
	},
}

type serveLedger struct {
	*webhooks
	server *daemon
	db     string
	stop   func()
}

func startServe(s setting, endpoint string, stop func()) (ledger, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	w, err := prepare(s, address)
	if err != nil {
		return nil, err
	}
	l := &serveLedger{webhooks: w, db: filepath.Join(s.dir, "ichido.db"), stop: stop}
	l.server, err = startDaemon([]string{"LINE_CHANNEL_SECRET=" + linesim.DefaultSecret, "LINE_CHANNEL_ACCESS_TOKEN=" + linesim.DefaultToken},
		s.ichido, "serve", "--db", l.db, "--listen", address, "--line-endpoint", endpoint, "--allow", strings.Join(people, ","))
	if err != nil {
		return nil, err
	}
	if err := l.server.await(listens("tcp", address)); err != nil {
		return nil, errors.Join(err, l.server.stop())
	}
	return l, nil
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
