package main

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"ichido/internal/linesim"
)

var phpMariaDB = contestant{
	name: "PHP + MariaDB, webhook",
	about: "Debian's nginx, php-fpm (32 processes, opcache, connections to the database that stay open) and MariaDB (`innodb_flush_log_at_trx_commit=1`, no binary log); " +
		"for each webhook it checks the signature, takes item and amount by a regular expression, inserts the key and then the row in one transaction; it has no answer",
	start: startPHP,
	absent: func() string {
		return missing("nginx", "mariadbd", "mariadb-install-db", "mariadb", cmp.Or(phpFPM(), "php-fpm"))
	},
}

// phpWorkers are as many as the clients of the middle column; other numbers were not tried.
const phpWorkers = 32

// phpFPM is the name of the newest php-fpm, which Debian gives with its version; "" if
// there is none.
func phpFPM() string {
	found, _ := filepath.Glob("/usr/sbin/php-fpm*") // the pattern is right
	if len(found) == 0 {
		return ""
	}
	return slices.Max(found)
}

//go:embed php
var phpFiles embed.FS

type phpLedger struct {
	*webhooks
	dir     string
	daemons []*daemon // in the order in which they were started
}

func startPHP(s setting) (ledger, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	l := &phpLedger{dir: s.dir}
	if l.webhooks, err = prepare(s, address); err != nil {
		return nil, err
	}
	if err := l.start(address); err != nil {
		return nil, errors.Join(err, l.stop())
	}
	return l, nil
}

// start runs MariaDB on an empty directory, php-fpm and nginx.
func (l *phpLedger) start(address string) error {
	if err := l.writeFiles(address); err != nil {
		return err
	}
	if err := l.startMariaDB(); err != nil {
		return err
	}
	root := []string{"--nodaemonize", "--fpm-config", l.path("fpm.conf")}
	if os.Getuid() == 0 {
		root = append(root, "--allow-to-run-as-root")
	}
	if err := l.run(listens("unix", l.path("fpm.sock")), phpFPM(), root...); err != nil {
		return err
	}
	return l.run(listens("tcp", address), "nginx", "-c", l.path("nginx.conf"), "-p", l.dir, "-e", l.path("nginx.log"))
}

// startMariaDB makes a database of its own and the tables.
func (l *phpLedger) startMariaDB() error {
	data := l.path("data")
	me := "--user=" + cmp.Or(os.Getenv("USER"), "root")
	install := exec.Command("mariadb-install-db", "--no-defaults", me, "--datadir="+data, "--auth-root-authentication-method=normal", "--skip-test-db")
	if out, err := install.CombinedOutput(); err != nil {
		return fmt.Errorf("making the database: %w\n%s", err, out)
	}
	socket := l.path("mariadb.sock")
	err := l.run(listens("unix", socket), "mariadbd", "--no-defaults", me, "--datadir="+data, "--socket="+socket,
		"--pid-file="+l.path("mariadb.pid"), "--skip-networking", "--innodb-flush-log-at-trx-commit=1", "--max-connections=500")
	if err != nil {
		return err
	}
	schema, err := phpFiles.ReadFile("php/schema.sql")
	if err != nil {
		return err
	}
	_, err = l.sql(string(schema))
	return err
}

func (l *phpLedger) path(name string) string { return filepath.Join(l.dir, name) }

// run starts a server and waits until it is ready.
func (l *phpLedger) run(ready func() bool, name string, args ...string) error {
	d, err := startDaemon(nil, name, args...)
	if err != nil {
		return err
	}
	l.daemons = append(l.daemons, d)
	return d.await(ready)
}

func (l *phpLedger) sql(statements string) (string, error) {
	cmd := exec.Command("mariadb", "--no-defaults", "--user=root", "--socket="+l.path("mariadb.sock"), "--skip-column-names", "--batch")
	cmd.Stdin = strings.NewReader(statements)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("asking MariaDB: %w\n%s", err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

// writeFiles writes the script and the servers' settings.
func (l *phpLedger) writeFiles(address string) error {
	values := map[string]any{
		"Dir": l.dir, "Root": os.Getuid() == 0, "Workers": phpWorkers, "Address": address, "Secret": linesim.DefaultSecret,
	}
	for _, name := range []string{"webhook.php", "fpm.conf", "nginx.conf"} {
		text, err := phpFiles.ReadFile("php/" + name)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if name == "webhook.php" {
			b.Write(text)
		} else if err := template.Must(template.New(name).Parse(string(text))).Execute(&b, values); err != nil {
			return err
		}
		if err := os.WriteFile(l.path(name), b.Bytes(), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func (l *phpLedger) processes() (pids []int) {
	for _, d := range l.daemons {
		pids = append(pids, groupOf(d.cmd.Process.Pid)...)
	}
	return pids
}

func (l *phpLedger) close() (int, error) {
	counted, err := l.sql("SELECT count(*) FROM budget.entries")
	if err := errors.Join(err, l.stop()); err != nil {
		return 0, err
	}
	return strconv.Atoi(counted)
}

// stop ends the servers, the last first.
func (l *phpLedger) stop() (err error) {
	for _, d := range slices.Backward(l.daemons) {
		err = errors.Join(err, d.stop())
	}
	return err
}
