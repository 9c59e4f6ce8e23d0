package main

import (
	"database/sql"
	"errors"
	"path/filepath"
	"time"

	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

var sqlite = contestant{
	name: "SQLite",
	about: "`modernc.org/sqlite`, WAL, `synchronous=FULL`; one connection for all, with prepared statements, so that nobody polls a lock; " +
		"inserts the key and then the row in one transaction, one event in each",
	start: startSQLite,
}

const sqliteSchema = `
	CREATE TABLE receipts (id INTEGER PRIMARY KEY, event TEXT NOT NULL UNIQUE, digest BLOB NOT NULL, at INTEGER NOT NULL) STRICT;
	CREATE TABLE rows (id INTEGER PRIMARY KEY, receipt INTEGER NOT NULL REFERENCES receipts, date TEXT NOT NULL, amount INTEGER NOT NULL,
		item TEXT NOT NULL, category TEXT NOT NULL, member TEXT NOT NULL) STRICT;
	CREATE INDEX rows_by_date ON rows (date);`

func startSQLite(s setting) (ledger, error) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(s.dir, "sqlite.db")+
		"?_txlock=immediate&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(sqliteSchema); err != nil {
		return nil, err
	}
	insertReceipt, err := db.Prepare("INSERT INTO receipts (event, digest, at) VALUES (?, ?, ?)")
	if err != nil {
		return nil, err
	}
	insertRow, err := db.Prepare("INSERT INTO rows (receipt, date, amount, item, category, member) VALUES (?, ?, ?, ?, ?, ?)")
	if err != nil {
		return nil, err
	}
	return &opened{
		record: func(n int) error { return insertBoth(db, insertReceipt, insertRow, eventID(n)) },
		rows: func() (n int, err error) {
			err = db.QueryRow("SELECT count(*) FROM rows").Scan(&n)
			return n, err
		},
		shut: db.Close,
	}, nil
}

// insertBoth records the event; one that is there already is refused by the index.
func insertBoth(db *sql.DB, insertReceipt, insertRow *sql.Stmt, id string) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	r := receipt{At: time.Now()}
	result, err := tx.Stmt(insertReceipt).Exec(id, r.Digest[:], r.At.UnixMilli())
	if failed, ok := errors.AsType[*driver.Error](err); ok && failed.Code() == lib.SQLITE_CONSTRAINT_UNIQUE {
		return nil
	} else if err != nil {
		return err
	}
	number, err := result.LastInsertId()
	if err != nil {
		return err
	}
	l := lunch(uint64(number))
	if _, err := tx.Stmt(insertRow).Exec(number, l.Date, l.Amount, l.Item, l.Category, l.Member); err != nil {
		return err
	}
	return tx.Commit()
}
