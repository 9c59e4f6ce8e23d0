package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"ichido/bot/line"
	"ichido/internal/backups"
	"ichido/internal/control"
	"ichido/internal/linesim"
	"ichido/store"
)

// patient is a household with all around it that a doctor looks at: healthy at first.
type patient struct {
	t        *testing.T
	platform *linesim.Platform
	db       string
	store    *store.Store
	web      *httptest.Server // the webhook and /healthz
	hook     int              // status of the webhook
	health   string           // "" = well
	skew     time.Duration    // LINE's clock is ahead of ours

	command doctorCmd
	p       program
	free    uint64
	fsType  int64
	backups func() backups.Status // nil: none are made

	elsewhere string // the directory of the backups
	oneDisk   bool   // it is on the disk of the file
	stop      func() // the server's socket
}

func newPatient(t *testing.T) *patient {
	h := &patient{t: t, platform: linesim.New(linesim.Options{}), db: filepath.Join(shortDir(t), "ichido.db"), hook: 200, free: 1 << 30, fsType: unix.EXT4_SUPER_MAGIC}
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", time.Now().Add(h.skew).UTC().Format(http.TimeFormat))
		h.platform.ServeHTTP(w, r)
	}))
	t.Cleanup(api.Close)
	mux := http.NewServeMux()
	mux.HandleFunc(webhookPath, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(h.hook) })
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) {
		if h.health != "" {
			http.Error(w, h.health, http.StatusServiceUnavailable)
			return
		}
		io.WriteString(w, "ok\n")
	})
	h.web = httptest.NewServer(mux)
	t.Cleanup(h.web.Close)
	h.platform.SetWebhook(h.web.URL + webhookPath)
	for _, name := range []string{nameSecret, nameChannelID, nameToken, nameSecret + "_FILE", nameChannelID + "_FILE", nameToken + "_FILE", "CREDENTIALS_DIRECTORY"} {
		t.Setenv(name, "")
	}
	t.Setenv(nameSecret, linesim.DefaultSecret)
	t.Setenv(nameChannelID, linesim.DefaultChannelID)
	h.command = doctorCmd{Listen: strings.TrimPrefix(h.web.URL, "http://"), Endpoint: api.URL}
	zone, err := time.LoadLocation(defaultZone)
	if err != nil {
		t.Fatal(err)
	}
	h.p = program{db: h.db, socket: control.DefaultSocket(h.db), zone: zone, stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard}
	h.elsewhere = t.TempDir()
	h.chmodBackups(0o700)
	h.backups = func() backups.Status { return goodBackups(h.elsewhere) }
	h.serve()
	h.update(func(tx *store.Tx) error { _, err := tx.Join(linesim.UserID("taro"), "太郎"); return err })
	if _, err := h.channel().SetUpMenu(t.Context()); err != nil {
		t.Fatal(err)
	}
	return h
}

// say has the server say of its backups how they go.
func (h *patient) say(s backups.Status) {
	h.stop()
	h.backups = func() backups.Status { return s }
	h.serve()
}

// chmodBackups changes the mode of the directory of the backups.
func (h *patient) chmodBackups(mode fs.FileMode) {
	if err := os.Chmod(h.elsewhere, mode); err != nil {
		h.t.Fatal(err)
	}
}

// goodBackups are going well.
func goodBackups(dir string) backups.Status {
	return backups.Status{Dir: dir, Last: &backups.Backup{At: time.Now()}, Next: time.Now()}
}

// serve opens the file and listens on the socket.
func (h *patient) serve() {
	h.t.Helper()
	var err error
	if h.store, err = store.Open(h.db, store.Options{NoSync: true}); err != nil {
		h.t.Fatal(err)
	}
	l, err := control.Listen(h.p.socket)
	if err != nil {
		h.t.Fatal(err)
	}
	server := &http.Server{Handler: control.New(h.store, control.Door{Backups: h.backups})}
	go server.Serve(l)
	h.stop = func() {
		server.Close()
		h.store.Close()
		// The children of other tests have the socket open, too, from their fork to their exec.
		until(h.t, "nobody answers", func() bool {
			_, err := control.Dial(h.p.socket)
			return err != nil
		})
		h.stop = func() {}
	}
	h.t.Cleanup(func() { h.stop() })
}

func (h *patient) update(fn func(*store.Tx) error) {
	h.t.Helper()
	if err := h.store.Update(h.t.Context(), fn); err != nil {
		h.t.Fatal(err)
	}
}

func (h *patient) channel() *line.Channel {
	c, err := newChannel(h.command.Endpoint, &h.p)
	if err != nil {
		h.t.Fatal(err)
	}
	return c
}

// examine returns the findings by check, without those named.
func (h *patient) examine(without ...string) map[string]finding {
	h.t.Helper()
	d := newDoctor(&h.command, &h.p)
	d.checkups = slices.DeleteFunc(slices.Clone(checkups), func(c checkup) bool { return slices.Contains(without, c.name) })
	d.free = func(string) (uint64, error) { return h.free, nil }
	d.fsType = func(string) (int64, error) { return h.fsType, nil }
	d.device = func(info fs.FileInfo) uint64 { // the backups are on a disk of their own
		if info.IsDir() && !h.oneDisk {
			return 2
		}
		return 1
	}
	found := map[string]finding{}
	d.examine(h.t.Context(), func(f finding) { found[f.Check] = f })
	if len(found) != len(d.checkups) {
		h.t.Errorf("%d findings of %d checks", len(found), len(d.checkups))
	}
	return found
}

// Where nothing is wrong, nothing is found.
func TestDoctorFindsNothing(t *testing.T) {
	for name, f := range newPatient(t).examine() {
		if f.State != stateOK || f.Detail == "" || f.Hint != "" {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// Each check finds what is wrong, says what to do, and those that don't need it go on.
func TestDoctorFinds(t *testing.T) {
	ancient := func(h *patient, change func(*store.Outgoing)) {
		f := filler{s: h.store, at: time.Now().Truncate(time.Millisecond)}
		f.typed(linesim.UserID("taro"), expense("ランチ", 900, "食費"))
		f.update(func(tx *store.Tx) error {
			o, _, err := tx.Outgoing(1)
			if err != nil {
				return err
			}
			change(&o)
			return tx.PutOutgoing(o)
		})
		if f.err != nil {
			h.t.Fatal(f.err)
		}
	}
	fault := func(path string, f linesim.Fault) func(*patient) {
		return func(h *patient) {
			h.platform.SetFault(func(r *http.Request) linesim.Fault {
				if strings.HasPrefix(r.URL.Path, path) {
					return f
				}
				return linesim.Fault{}
			})
		}
	}
	for name, c := range map[string]struct {
		plant  func(*patient)
		check  string
		state  string
		detail string
		hint   string
	}{
		"no server": {func(h *patient) { h.stop() }, "server", stateFailed, "does not run", "systemctl start"},
		"no socket": {func(h *patient) { h.stop(); os.WriteFile(h.p.socket, nil, 0o600) }, "server", stateFailed, "no socket", ""},

		"another port":     {func(h *patient) { h.command.Listen = freeAddress(h.t) }, "health", stateFailed, "nothing answers", "ICHIDO_LISTEN"},
		"not healthy":      {func(h *patient) { h.health = "the last write failed" }, "health", stateFailed, "the last write failed", "recorded"},
		"another program":  {func(h *patient) { h.command.Listen = h.command.Endpoint[len("http://"):] }, "health", stateFailed, "another program", "ICHIDO_LISTEN"},
		"no health either": {func(h *patient) { h.stop() }, "health", stateSkipped, "server", ""},

		"no secrets here":     {func(h *patient) { h.t.Setenv(nameSecret, "") }, "settings", stateWarning, "not given", nameSecret},
		"no secrets":          {func(h *patient) { h.stop(); h.t.Setenv(nameSecret, "") }, "settings", stateFailed, nameSecret, "console"},
		"no channel ID":       {func(h *patient) { h.stop(); h.t.Setenv(nameChannelID, "") }, "settings", stateFailed, nameToken, "give " + nameChannelID},
		"a strange ID":        {func(h *patient) { h.t.Setenv(nameChannelID, "x") }, "settings", stateFailed, "number", "mixed up"},
		"nothing of LINE":     {func(h *patient) { h.t.Setenv(nameSecret, "") }, "LINE", stateSkipped, "channel secret", ""},
		"the token as secret": {func(h *patient) { h.t.Setenv(nameSecret, strings.Repeat("x", 172)) }, "channel secret", stateWarning, "172 characters", "copy it again"},

		"UTC": {func(h *patient) { h.p.zone = time.UTC }, "time zone", stateWarning, "UTC", "Asia/Tokyo"},

		"no file":        {func(h *patient) { h.stop(); os.Remove(h.db) }, "file", stateFailed, "no such file", "ichido serve makes"},
		"damage":         {func(h *patient) { h.stop(); h.rewrite(func(b []byte) []byte { return b[:len(b)/2] }) }, "file", stateFailed, "damaged", "restore"},
		"newer":          {func(h *patient) { h.stop(); h.rewrite(func(b []byte) []byte { return newer(b, nil) }) }, "file", stateFailed, "newer", "install"},
		"foreign":        {func(h *patient) { h.stop(); h.rewrite(func([]byte) []byte { return []byte("text") }) }, "file", stateFailed, "", "--db"},
		"in use":         {func(h *patient) { os.Remove(h.p.socket) }, "file", stateFailed, "in use", "--socket"},
		"open file":      {func(h *patient) { os.Chmod(h.db, 0o644) }, "permissions", stateWarning, "0644", "chmod 600"},
		"open directory": {func(h *patient) { os.Chmod(filepath.Dir(h.db), 0o755) }, "permissions", stateWarning, "0755", "chmod 700"},
		"locked file":    {func(h *patient) { os.Chmod(h.db, 0o400) }, "permissions", stateFailed, "0400", "chmod 600"},
		"another's file": {func(h *patient) { h.chown(12345) }, "permissions", stateFailed, "belongs to user 12345", "chown"},
		"no file at all": {func(h *patient) { h.stop(); os.Remove(h.db) }, "permissions", stateSkipped, "no file", ""},

		"a full disk":    {func(h *patient) { h.free = 63 << 20 }, "disk", stateFailed, "63 MiB", "make room"},
		"a filling disk": {func(h *patient) { h.free = 255 << 20 }, "disk", stateWarning, "255 MiB", "make room"},
		"NFS":            {func(h *patient) { h.fsType = unix.NFS_SUPER_MAGIC }, "file system", stateFailed, "NFS", "local disk"},
		"CIFS":           {func(h *patient) { h.fsType = unix.CIFS_SUPER_MAGIC }, "file system", stateFailed, "CIFS", "local disk"},
		"CIFS, signed":   {func(h *patient) { h.fsType = unix.CIFS_SUPER_MAGIC - 1<<32 }, "file system", stateFailed, "CIFS", "local disk"},
		"FUSE":           {func(h *patient) { h.fsType = unix.FUSE_SUPER_MAGIC }, "file system", stateFailed, "FUSE", "local disk"},
		"in memory":      {func(h *patient) { h.fsType = unix.TMPFS_MAGIC }, "file system", stateWarning, "tmpfs", "disk that lasts"},

		"nobody":   {func(h *patient) { h.update(func(tx *store.Tx) error { return tx.Remove(1) }) }, "members", stateWarning, "nobody", "ichido invite"},
		"no owner": {func(h *patient) { h.update(func(tx *store.Tx) error { tx.Join("hanako", ""); return tx.Remove(1) }) }, "members", stateWarning, "the owner has left", "members owner"},

		"an old answer": {func(h *patient) { ancient(h, func(o *store.Outgoing) { o.Created = o.Created.Add(-11 * time.Minute) }) }, "outbox", stateWarning, "1 of them for long", "log"},
		"an old push": {func(h *patient) {
			ancient(h, func(o *store.Outgoing) { o.Pushing, o.Created = true, o.Created.Add(-11*time.Hour) })
		}, "outbox", stateWarning, "1 of them for long", "log"},
		"a push for morning": {func(h *patient) {
			ancient(h, func(o *store.Outgoing) { o.Pushing, o.Created = true, o.Created.Add(-9*time.Hour) })
		}, "outbox", stateOK, "1 pending, 0 unknown", ""},
		"a new answer": {func(h *patient) { ancient(h, func(*store.Outgoing) {}) }, "outbox", stateOK, "1 pending, 0 unknown", ""},
		"unknown":      {func(h *patient) { ancient(h, func(o *store.Outgoing) { o.State = store.Unknown }) }, "outbox", stateWarning, "1 unknown", "outbox --all"},
		"failed":       {func(h *patient) { ancient(h, func(o *store.Outgoing) { o.State = store.Failed }) }, "outbox", stateWarning, "1 failed", "outbox --all"},
		"parked": {func(h *patient) {
			h.update(func(tx *store.Tx) error {
				_, err := tx.Park(store.Parked{Scope: "line", Key: "k", Event: []byte("secret-event"), Why: "panic"})
				return err
			})
		}, "parked", stateWarning, "1", "parked retry"},
		"no backups":       {func(h *patient) { h.stop(); h.backups = nil; h.serve() }, "backups", stateWarning, "no backups", "--backup-dir"},
		"failing backups":  {func(h *patient) { h.say(backups.Status{Failure: "why"}) }, "backups", stateFailed, "why", "ichido backups"},
		"the first backup": {func(h *patient) { h.say(backups.Status{}) }, "backups", stateWarning, "still to be made", "look again"},

		"one disk":        {func(h *patient) { h.oneDisk = true }, "backups", stateOK, "on the same disk", "another machine"},
		"backups for all": {func(h *patient) { h.chmodBackups(0o755) }, "backups", stateWarning, "0755", "chmod 700"},
		"no directory":    {func(h *patient) { h.say(goodBackups("/nowhere/backups")) }, "backups", stateFailed, "no such file", "right"},

		"another secret":    {func(h *patient) { h.platform.Reissue(strings.Repeat("1", 32), "") }, "LINE", stateFailed, "credentials", "console"},
		"LINE is down":      {fault("/", linesim.Refuse()), "LINE", stateFailed, "can't be reached", "api.line.me"},
		"no answer at all":  {fault("/", linesim.Refuse()), "clock", stateSkipped, "no answer", ""},
		"after that":        {fault("/", linesim.Refuse()), "quota", stateSkipped, "LINE", ""},
		"a clock behind":    {func(h *patient) { h.skew = 40 * time.Second }, "clock", stateWarning, "behind LINE's", "timedatectl"},
		"a clock ahead":     {func(h *patient) { h.skew = -40 * time.Second }, "clock", stateWarning, "ahead of LINE's", "timedatectl"},
		"a clock far off":   {func(h *patient) { h.skew = 6 * time.Minute }, "clock", stateFailed, "behind LINE's", "timedatectl"},
		"a good clock":      {func(h *patient) { h.skew = 20 * time.Second }, "clock", stateOK, "agrees", ""},
		"shown by refusals": {func(h *patient) { h.skew = time.Hour; h.platform.Reissue(strings.Repeat("1", 32), "") }, "clock", stateFailed, "behind", "timedatectl"},

		"no webhook":     {func(h *patient) { h.platform.SetWebhook("") }, "webhook URL", stateFailed, "none", "setup --url"},
		"another path":   {func(h *patient) { h.platform.SetWebhook(h.web.URL + "/webhook") }, "webhook URL", stateFailed, "must end in", "setup --url"},
		"not asked":      {fault("/v2/bot/channel/webhook/endpoint", linesim.NotAccepted(500, "")), "webhook URL", stateFailed, "500", "try again"},
		"not in use":     {func(h *patient) { h.platform.SetWebhookUse(false) }, "webhook use", stateFailed, "no message", "Use webhook"},
		"a wrong secret": {func(h *patient) { h.hook = 401 }, "webhook test", stateFailed, "ERROR_STATUS_CODE (status 401)", "channel secret"},
		"no proxy":       {func(h *patient) { h.hook = 502 }, "webhook test", stateFailed, "502", "proxy"},
		"nobody there":   {func(h *patient) { h.platform.SetWebhook("http://" + freeAddress(h.t) + webhookPath) }, "webhook test", stateFailed, "COULD_NOT_CONNECT", "port 443"},

		"quota":         {func(h *patient) { h.platform.SetQuota(10); h.push(9) }, "quota", stateWarning, "9 of 10", "answers are free"},
		"just in it":    {func(h *patient) { h.platform.SetQuota(10); h.push(8) }, "quota", stateOK, "8 of 10", ""},
		"no quota told": {fault("/v2/bot/message/quota", linesim.NotAccepted(429, "")), "quota", stateFailed, "429", "an hour"},

		"no menu":        {func(h *patient) { h.menus("DELETE", "") }, "rich menu", stateWarning, "none", "ichido setup"},
		"menu not shown": {func(h *patient) { h.call("DELETE", "/v2/bot/user/all/richmenu") }, "rich menu", stateWarning, "not shown", "ichido setup"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newPatient(t)
			c.plant(h)
			without := []string{"file", "members", "outbox", "parked"} // reading the file takes time
			if slices.Contains(without, c.check) {
				without = nil
			}
			f := h.examine(without...)[c.check]
			if f.State != c.state || !strings.Contains(f.Detail, c.detail) || !strings.Contains(f.Hint, c.hint) || f.Hint != "" && c.hint == "" {
				t.Errorf("%s: %+v", c.check, f)
			}
		})
	}
}

// chown gives the file to another user, which only root can.
func (h *patient) chown(id int) {
	if err := os.Chown(h.db, id, -1); err != nil {
		h.t.Skip(err)
	}
}

// rewrite changes the bytes of the file.
func (h *patient) rewrite(change func([]byte) []byte) {
	h.t.Helper()
	b, err := os.ReadFile(h.db)
	if err == nil {
		err = os.WriteFile(h.db, change(b), 0o600)
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// call calls LINE's API.
func (h *patient) call(method, path string, body ...string) {
	h.t.Helper()
	req, err := http.NewRequest(method, h.command.Endpoint+path, strings.NewReader(strings.Join(body, "")))
	if err != nil {
		h.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+h.platform.Token())
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != 200 {
		h.t.Fatalf("%s %s: %d", method, path, res.StatusCode)
	}
}

// menus calls the API for each menu.
func (h *patient) menus(method, suffix string) {
	for _, m := range h.platform.RichMenus() {
		h.call(method, "/v2/bot/richmenu/"+m.ID+suffix)
	}
}

func (h *patient) push(n int) {
	for range n {
		h.call("POST", "/v2/bot/message/push", `{"to":"`+linesim.UserID("taro")+`","messages":[{"type":"text","text":"x"}]}`)
	}
}

// While no server runs, the doctor reads the file itself.
func TestDoctorWithoutServer(t *testing.T) {
	h := newPatient(t)
	h.stop()
	found := h.examine()
	for name, f := range found {
		want := map[string]string{"server": stateFailed, "health": stateSkipped, "backups": stateSkipped}[name]
		if want == "" {
			want = stateOK
		}
		if f.State != want {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// A server that takes connections and does not answer is found, and in time.
func TestDoctorServerHangs(t *testing.T) {
	h := newPatient(t)
	h.stop()
	l, err := net.Listen("unix", h.p.socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	d := newDoctor(&h.command, &h.p)
	d.patience = 50 * time.Millisecond
	if f := d.server(t.Context()); f.State != stateFailed || !strings.Contains(f.Detail, "does not answer") {
		t.Errorf("%+v", f)
	}
	if f := d.file(t.Context()); f.State != stateSkipped {
		t.Errorf("%+v", f)
	}
}

// The command writes lines or JSON, has a status, and tells no secret and nothing
// that was said.
func TestDoctorCommand(t *testing.T) {
	h := newPatient(t)
	f := filler{s: h.store, at: time.Now().Truncate(time.Millisecond)}
	f.typed(linesim.UserID("taro"), expense("ランチ", 900, "食費"))
	f.parked()
	if f.err != nil {
		t.Fatal(f.err)
	}
	doctor := func(more ...string) (status int, stdout, stderr string) {
		var out, errs bytes.Buffer
		args := append([]string{"doctor", "--db", h.db, "--listen", h.command.Listen, "--line-endpoint", h.command.Endpoint}, more...)
		status = run(t.Context(), args, &program{stdin: strings.NewReader(""), stdout: &out, stderr: &errs})
		for _, secret := range []string{linesim.DefaultSecret, "secret", "text of", "ランチ"} {
			if strings.Contains(strings.ReplaceAll(out.String()+errs.String(), "channel secret", ""), secret) {
				t.Errorf("%q is told:\n%s", secret, out.String()+errs.String())
			}
		}
		return status, out.String(), errs.String()
	}
	if status, out, errs := doctor(); status != statusOK || errs != "" || !strings.Contains(out, "\nwarning  parked         events") || !strings.Contains(out, " 0 failed, 0 skipped\n") {
		t.Errorf("status %d:\n%s%s", status, out, errs)
	}
	h.hook = 401
	status, out, errs := doctor("--json")
	var found []map[string]string
	if err := json.Unmarshal([]byte(out), &found); err != nil || status != statusFailed || errs != "ichido: not all is well\n" {
		t.Fatalf("status %d, %v:\n%s%s", status, err, out, errs)
	}
	if len(found) != len(checkups) || found[0]["check"] != "server" || found[0]["state"] != stateOK {
		t.Errorf("the JSON is %s", out)
	}
	if status, _, _ := doctor("--listen", "nonsense"); status != statusUsage {
		t.Errorf("status %d", status)
	}
	if status, _, _ := doctor("--tz", "Mars/Olympus"); status != statusUsage {
		t.Errorf("status %d", status)
	}
}
