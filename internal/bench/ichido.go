package main

import (
	"context"
	"path/filepath"
	"time"

	budget "ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

// ichidoSubmit is Ichido's store without the door and the bot.
var ichidoSubmit = contestant{
	name: "Ichido, `store.Submit`",
	about: "receipt, row, the indexes by message and by event, the account's running balance, the member, and the answer in the outbox, each with its checksum; " +
		"what waits is committed together",
	start: startStore,
}

func startStore(s setting) (ledger, error) {
	file, err := store.Open(filepath.Join(s.dir, "ichido.db"), store.Options{})
	if err != nil {
		return nil, err
	}
	return &opened{
		record: func(n int) error {
			req := storetest.Lunch(n, time.Now())
			_, _, err := file.Submit(context.Background(), req, func(tx *store.Tx) error {
				if err := storetest.RecordLunch(tx); err != nil {
					return err
				}
				_, err := tx.Say(store.Outgoing{Chat: req.Person, ReplyToken: req.Key, Payload: make([]byte, 200)})
				return err
			})
			return err
		},
		rows: func() (int, error) { return countRows(file) },
		shut: file.Close,
	}, nil
}

func countRows(file *store.Store) (n int, err error) {
	err = file.View(func(tx *store.Tx) error {
		return tx.Rows(store.AllRows, func(*budget.Row) error { n++; return nil })
	})
	return n, err
}
