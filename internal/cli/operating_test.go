package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"ichido/bot"
	"ichido/internal/linesim"
)

// operatingBlock is a block of commands in docs/operating.md that says on which machine
// they are typed, and what they show ("" for nothing that is told).
type operatingBlock struct{ section, machine, commands, shown string }

var blockForm = regexp.MustCompile("(?ms)^## ([^\n]+)$|^```sh (server|new|home)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?")

func readOperating(t testing.TB) (page string, blocks []operatingBlock) {
	t.Helper()
	b, err := os.ReadFile("../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	section := ""
	for _, m := range blockForm.FindAllStringSubmatch(string(b), -1) {
		if m[1] != "" {
			section = m[1]
			continue
		}
		blocks = append(blocks, operatingBlock{section, m[2], m[3], m[4]})
	}
	return string(b), blocks
}

// site is some machines, each a directory with what the page expects of a machine: the
// program is the real one, and of the commands that only root of a real server can run
// there are small ones that do what matters here.
type site struct {
	*server
	dir    string
	backup string // the name of the last backup that the server has made by itself
}

// stubs stand in for commands of a real server. MACHINE is the directory of the one on
// which they run, SITE that of all.
var stubs = map[string]string{
	// What starts and stops the real program.
	"systemctl": `
pid=$MACHINE/pid
case "$*" in
daemon-reload) exit 0 ;;
start\ ichido | enable\ --now\ ichido)
  test -f $MACHINE/etc/systemd/system/ichido.service || { echo no unit >&2; exit 5; }
  set -a; . $MACHINE/etc/ichido/ichido.env
  LINE_CHANNEL_ID_FILE=$MACHINE/etc/ichido/channel-id LINE_CHANNEL_SECRET_FILE=$MACHINE/etc/ichido/channel-secret \
    setsid $MACHINE/usr/local/bin/ichido serve --db $MACHINE/var/lib/ichido/ichido.db >>$MACHINE/log 2>&1 </dev/null &
  echo $! >$pid
  for i in $(seq 1000); do
    test -S $MACHINE/var/lib/ichido/ichido.db.sock && exit 0
    kill -0 $(cat $pid) || break
    sleep 0.02
  done
  cat $MACHINE/log >&2; exit 1 ;;
stop\ ichido | disable\ --now\ ichido)
  kill $(cat $pid)
  while kill -0 $(cat $pid) 2>/dev/null && ! grep -qs '^State:.Z' /proc/$(cat $pid)/status; do sleep 0.02; done
  rm $pid ;;
*) echo "systemctl $*?" >&2; exit 1 ;;
esac`,
	"runuser": `test "$1 $2 $3" = "-u ichido --" || exit 1; shift 3; exec "$@"`,
	"useradd": `exit 0`,
	"nano":    `case $1 in */channel-id) printf %s "$ID" ;; */channel-secret) printf %s "$SECRET" ;; esac >$1`,
	"install": `
args=()
while test $# -gt 0; do
  case $1 in -o | -g) shift ;; *) args+=("$1") ;; esac
  shift
done
exec /usr/bin/install "${args[@]}"`,
	"scp": `case $1 in
root@YOUR.NAME:/* | root@OLD.NAME:/*) from=${1#*:}; exec cp "$SITE/server/${from#$MACHINE/}" "$2" ;;
*) exit 1 ;;
esac`,
}

// newSite makes machines with the household's server installed as the page says.
func newSite(t *testing.T, blocks []operatingBlock) *site {
	for _, need := range []string{"bash", "setsid", "install"} {
		if _, err := exec.LookPath(need); err != nil {
			t.Skip(err)
		}
	}
	s := &site{server: newServer(t), dir: shortDir(t)}
	t.Cleanup(func() {
		for _, m := range []string{"server", "new"} {
			if _, err := os.Stat(filepath.Join(s.dir, m, "pid")); err == nil {
				s.run(m, "systemctl stop ichido", "")
			}
		}
	})
	for name, text := range stubs {
		s.write("bin/"+name, "#!/bin/bash\n"+text+"\n", 0o755)
	}
	for _, m := range []string{"server", "new", "home"} {
		for _, dir := range []string{"usr/local/bin", "etc/systemd/system", "var/lib", "var/backups", "root"} {
			if err := os.MkdirAll(filepath.Join(s.dir, m, dir), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		program, err := exec.LookPath("ichido")
		if err == nil {
			err = os.Symlink(program, filepath.Join(s.dir, m, "root/ichido"))
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"ichido.service", "ichido.env"} {
			b, err := os.ReadFile("../../deploy/" + name)
			if err != nil {
				t.Fatal(err)
			}
			if name == "ichido.env" { // what differs here from a real server
				b = fmt.Appendf(b, "ICHIDO_LISTEN=%s\nLINE_API_ENDPOINT=%s\nICHIDO_ALLOW=%s\nICHIDO_TZ=%s\n", s.listen, s.endpoint, strings.Join(s.users, ","), daytime())
			}
			s.write(m+"/root/"+name, s.onMachine(m, string(b)), 0o644)
		}
	}
	for _, b := range blocks {
		if b.section == "Install" {
			s.follow(b)
		}
	}
	s.db = filepath.Join(s.dir, "server/var/lib/ichido/ichido.db")
	return s
}

func (s *site) write(name, content string, mode os.FileMode) {
	s.t.Helper()
	path := filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		s.t.Fatal(err)
	}
}

var (
	realPath   = regexp.MustCompile(`(^|[\s='"(:])/(etc/ichido|etc/systemd|var/lib|var/backups|usr/local/bin)`)
	backupFile = regexp.MustCompile(`ichido-\d{8}T\d{6}[+-]\d{4}\.db`)
)

// onMachine puts the paths of a real machine, and the name of a backup, in their place here.
func (s *site) onMachine(machine, commands string) string {
	commands = realPath.ReplaceAllString(commands, "${1}"+filepath.Join(s.dir, machine)+"/$2")
	if s.backup != "" {
		commands = backupFile.ReplaceAllString(commands, s.backup)
	}
	return commands
}

var (
	dates = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d|\d{8}-\d{6}(-\d)?`)
	sizes = regexp.MustCompile(`\b\d{5,7}\b`)
	gaps  = regexp.MustCompile(`[ \t\r]+`)
)

// telling leaves out what is another each time: dates, sizes, and the width of columns.
func telling(shown string) string {
	for _, r := range []struct {
		of *regexp.Regexp
		by string
	}{{backupFile, "BACKUP"}, {dates, "DATE"}, {sizes, "SIZE"}, {gaps, " "}} {
		shown = r.of.ReplaceAllString(shown, r.by)
	}
	return strings.TrimSpace(strings.ReplaceAll(shown, " \n", "\n"))
}

// follow types the commands of the block and wants to be shown what the page shows.
func (s *site) follow(b operatingBlock) {
	s.t.Helper()
	said := ""
	if strings.Contains(b.shown, "[y/N] y\n") {
		said = "y\n"
	}
	shown := s.run(b.machine, b.commands, said)
	if b.shown != "" && telling(shown) != telling(b.shown) {
		s.t.Errorf("%s: %s\nshows\n%s\nand docs/operating.md says\n%s", b.section, b.commands, shown, b.shown)
	}
}

var kakeibo = regexp.MustCompile(`(?ms)^kakeibo\(\) \(.*?^\)\n`)

// run types commands on a machine, on a terminal if something is to be answered, and returns
// what they show.
func (s *site) run(machine, commands, said string) string {
	s.t.Helper()
	page, _ := readOperating(s.t)
	here := filepath.Join(s.dir, machine)
	command := exec.Command("bash", "-e", "-c", s.onMachine(machine, kakeibo.FindString(page)+commands))
	command.Dir = filepath.Join(here, "root")
	command.Env = append(os.Environ(), "MACHINE="+here, "SITE="+s.dir, "ID="+linesim.DefaultChannelID, "SECRET="+linesim.DefaultSecret,
		"PATH="+filepath.Join(s.dir, "bin")+":"+filepath.Join(here, "usr/local/bin")+":"+os.Getenv("PATH"), "ICHIDO_TZ="+daytime())
	var shown bytes.Buffer
	command.Stdout, command.Stderr = &shown, &shown
	if said != "" {
		keyboard, terminal := openTerminal(s.t)
		if _, err := io.WriteString(keyboard, said); err != nil {
			s.t.Fatal(err)
		}
		command.Stdin = terminal
	}
	if err := command.Run(); err != nil {
		s.t.Fatalf("%s\non %s: %v\n%s", commands, machine, err, shown.String())
	}
	text := strings.ReplaceAll(shown.String(), here, "")
	if said != "" { // the terminal shows what is typed
		text = strings.Replace(text, "[y/N] ", "[y/N] "+said, 1)
	}
	return text
}

// say records a purchase and waits for the answer.
func (s *site) say(text string) {
	s.t.Helper()
	before := len(s.platform.BotTexts(s.users[0]))
	if status := s.deliver(s.platform.Text(s.users[0], text)); status != 200 {
		s.t.Fatalf("status %d", status)
	}
	until(s.t, "an answer", func() bool { return len(s.platform.BotTexts(s.users[0])) > before })
}

// backedUp has the server make a backup of what is there now: it makes one at its start if
// there is none.
func (s *site) backedUp() {
	s.t.Helper()
	s.run("server", "systemctl stop ichido\nrm -f /var/backups/ichido/ichido-*\nsystemctl start ichido", "")
	until(s.t, "a backup", func() bool { return s.backupsOf().Last != nil })
	s.backup = s.backupsOf().Last.File
}

func (s *site) restoredNotices() (n int) {
	want := strings.SplitAfter(bot.Restored(time.Time{}, time.UTC).In(bot.Japanese), "のバックアップ")[1]
	for _, said := range s.platform.BotTexts(s.users[0]) {
		n += strings.Count(said, want)
	}
	return n
}

// The page's restore, word for word, and the rehearsal at home.
func TestOperatingRestore(t *testing.T) {
	page, blocks := readOperating(t)
	s := newSite(t, blocks)
	s.say("ランチ 900")
	s.say("スーパー 2480")
	s.backedUp()
	s.say("薬 1200")
	done := map[string]int{}
	for _, name := range []string{"Restore", "Rehearse"} {
		for _, b := range blocks {
			if b.section == name {
				s.follow(b)
				done[name]++
			}
		}
	}
	if done["Restore"] != 4 || done["Rehearse"] != 2 {
		t.Errorf("blocks of commands: %v", done)
	}
	until(t, "the owner is told", func() bool { return s.restoredNotices() == 1 })
	want := bot.Restored(time.Date(2026, 12, 1, 3, 30, 0, 0, tokyo), tokyo).In(bot.Japanese)
	if !strings.Contains(page, "\n> "+want+"\n") {
		t.Errorf("the page does not say what the owner hears:\n%s", want)
	}
	s.say("薬 1200")
	if got := s.exported(); len(got) != 3 {
		t.Errorf("the ledger has %v", got)
	}
}

// The page's list of backups, and its move to another server, word for word.
func TestOperatingMove(t *testing.T) {
	_, blocks := readOperating(t)
	s := newSite(t, blocks)
	s.say("ランチ 900")
	s.say("スーパー 2480")
	s.backedUp()
	for _, b := range blocks { // steps 1 to 3 on the new server
		if b.section == "Install" && !strings.Contains(b.commands, "systemctl") {
			b.machine = "new"
			s.follow(b)
		}
	}
	n := 0
	for _, b := range blocks {
		switch b.section {
		case "Backups":
			s.follow(b)
		case "Move to another server":
			s.follow(b)
			n++
		}
	}
	if n != 3 {
		t.Errorf("%d blocks of commands", n)
	}
	until(t, "the owner is told", func() bool { return s.restoredNotices() == 1 })
	s.db = filepath.Join(s.dir, "new/var/lib/ichido/ichido.db")
	s.say("薬 1200")
	if got := s.exported(); len(got) != 3 {
		t.Errorf("the ledger has %v", got)
	}
}
