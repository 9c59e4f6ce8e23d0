package cli

import (
	"bufio"
	"bytes"
	crand "crypto/rand"
	"encoding/json"
	"errors"
	"html"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ichido/internal/control"
	"ichido/internal/linesim/page"
	"ichido/store"
)

// webPage is a chat --web of its own, with a household in a file.
type webPage struct {
	t       *testing.T
	url, db string
	process *exec.Cmd
}

func openWebPage(t *testing.T, args ...string) *webPage {
	t.Helper()
	w := &webPage{t: t, db: filepath.Join(shortDir(t), "ichido.db")}
	w.process = exec.Command("ichido", append([]string{"chat", "--web", "--db", w.db, "--tz", daytime()}, args...)...)
	w.process.Env = append(os.Environ(), "ICHIDO_ALLOW=", "ICHIDO_LISTEN=0.0.0.0:1", "LINE_CHANNEL_ACCESS_TOKEN=of the family's real account")
	w.process.Stderr = os.Stderr
	out, err := w.process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = w.process.Process.Signal(syscall.SIGTERM) // it may have ended
		_ = w.process.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal("no address is printed: ", err)
	}
	w.url = strings.TrimSuffix(strings.TrimSpace(line), "/")
	w.await("the bot runs", func(parts map[string]string) bool { return strings.Contains(parts["switches"], "動いています") })
	return w
}

// post does something as 太郎, in the chat with the bot alone unless the values say
// otherwise.
func (w *webPage) post(path string, values ...string) {
	w.t.Helper()
	form := url.Values{"who": {"太郎"}}
	for i := 0; i < len(values); i += 2 {
		form.Set(values[i], values[i+1])
	}
	resp, err := http.PostForm(w.url+path, form)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusNoContent {
		w.t.Fatalf("%s %q: %s %s", path, values, resp.Status, body)
	}
}

func (w *webPage) look(where string) (parts map[string]string) {
	w.t.Helper()
	resp, err := http.Get(w.url + "/look?" + url.Values{"where": {where}}.Encode())
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&parts); err != nil {
		w.t.Fatal(err)
	}
	return parts
}

// await waits until the page looks so, and returns its parts.
func (w *webPage) await(what string, so func(parts map[string]string) bool) (parts map[string]string) {
	w.t.Helper()
	eventually(w.t, time.Minute, what, func() bool {
		parts = w.look("")
		return so(parts)
	})
	return parts
}

// counted waits until the ledger has an item and the chat has its answer, and checks
// that each is there once.
func (w *webPage) counted(item, amount string) {
	w.t.Helper()
	answer := regexp.MustCompile("記録しました。 ?" + item + " " + amount)
	parts := w.await(item+" is recorded and answered", func(parts map[string]string) bool {
		return strings.Contains(parts["rows"], item) && answer.MatchString(words(parts["chat"]))
	})
	w.once(parts, item, answer)
}

func (w *webPage) once(parts map[string]string, item string, answer *regexp.Regexp) {
	w.t.Helper()
	if n := strings.Count(parts["rows"], ">"+item+"<"); n != 1 {
		w.t.Errorf("%s has %d rows", item, n)
	}
	if n := len(answer.FindAllString(words(parts["chat"]), -1)); n != 1 {
		w.t.Errorf("%s is answered %d times", item, n)
	}
}

var tag = regexp.MustCompile(`<[^>]*>`)

// words is what a person reads of some HTML.
func words(html string) string {
	return strings.Join(strings.Fields(tag.ReplaceAllString(html, " ")), " ")
}

func TestChatWeb(t *testing.T) {
	t.Parallel()
	w := openWebPage(t)
	w.post("/say", "text", "ランチ 900")
	w.counted("ランチ", "900円")

	run := func(name string, fn func(t *testing.T)) {
		t.Run(name, func(t *testing.T) {
			outer := w.t
			w.t = t
			defer func() { w.t = outer }()
			fn(t)
		})
	}
	run("LINE delivers twice", func(t *testing.T) {
		w.post("/switch", "name", "twice")
		w.post("/say", "text", "スーパー 2480")
		w.post("/switch", "name", "twice")
		parts := w.await("both deliveries", func(parts map[string]string) bool { return strings.Contains(parts["log"], "（2回目） → 200") })
		w.counted("スーパー", "2,480円")
		if !strings.Contains(parts["log"], "（1回目） → 200") {
			t.Error("the first delivery is missing in the log")
		}
	})
	run("an answer is lost", func(t *testing.T) {
		w.post("/switch", "name", "lose")
		w.post("/say", "text", "カフェ 480")
		parts := w.await("the second call", func(parts map[string]string) bool { return strings.Contains(parts["log"], "返事 → 400") })
		if !strings.Contains(parts["log"], "その知らせは途中で消えた") {
			t.Error("the lost answer is missing in the log")
		}
		w.counted("カフェ", "480円")
	})
	run("killed in the middle of an answer", func(t *testing.T) {
		w.post("/switch", "name", "arm")
		w.post("/say", "text", "電車 320")
		w.await("the kill", func(parts map[string]string) bool { return strings.Contains(parts["log"], "SIGKILL") })
		w.counted("電車", "320円")
	})
	run("killed before a message", func(t *testing.T) {
		w.post("/switch", "name", "kill")
		w.post("/say", "text", "本 700")
		parts := w.await("LINE delivers again", func(parts map[string]string) bool { return strings.Contains(parts["log"], "（再送） → 200") })
		if !strings.Contains(parts["log"], "届かない") {
			t.Error("the first delivery does not fail")
		}
		w.counted("本", "700円")
	})
	run("the rich menu", func(t *testing.T) {
		w.post("/menu", "button", "0")
		w.await("the answer to 今月", func(parts map[string]string) bool { return strings.Contains(words(parts["chat"]), "今月の支出") })
	})
	run("a hostile item", func(t *testing.T) {
		w.post("/say", "text", `<i>パン</i> 100`)
		parts := w.await("it is recorded", func(parts map[string]string) bool { return strings.Contains(parts["rows"], "i&gt;パン&lt;/i") })
		if !strings.Contains(parts["chat"], "&lt;i&gt;パン&lt;/i&gt; 100") {
			t.Error("the message is not as it was typed")
		}
		for name, part := range parts {
			if strings.Contains(part, "<i>") || strings.Contains(part, "</i") {
				t.Errorf("what was typed is HTML in %s", name)
			}
		}
	})
	run("a group", func(t *testing.T) {
		w.post("/say", "where", "家族", "text", "お茶 150")
		id := w.messageOf("家族", "お茶 150")
		w.post("/edit", "where", "家族", "id", id, "text", "お茶 160")
		w.await("the edit", func(parts map[string]string) bool { return strings.Contains(parts["rows"], "160円") })
		w.post("/unsend", "where", "家族", "id", id)
		w.await("it is struck", func(parts map[string]string) bool { return strings.Contains(parts["rows"], `class="struck"`) })
	})
	run("a button", func(t *testing.T) {
		w.post("/say", "text", "花 500")
		w.counted("花", "500円")
		w.press("取消")
		w.await("it is struck", func(parts map[string]string) bool {
			return regexp.MustCompile(`class="struck">.*>花<`).MatchString(parts["rows"])
		})
	})
	if err := w.end(syscall.SIGTERM); err != nil {
		t.Error("the end: ", err)
	}
	if err := store.CheckFile(t.Context(), w.db, nil); err != nil {
		t.Error(err)
	}
}

// messageOf is the ID of the message with the text.
func (w *webPage) messageOf(where, text string) string {
	w.t.Helper()
	for _, message := range strings.Split(w.look(where)["chat"], "<article")[1:] {
		if m := regexp.MustCompile(`data-id="(\d+)"`).FindStringSubmatch(message); m != nil && strings.Contains(message, ">"+text+"<") {
			return m[1]
		}
	}
	w.t.Fatalf("%s has no message %q", where, text)
	return ""
}

// press presses the first button whose label begins so, of the last answer.
func (w *webPage) press(label string) {
	w.t.Helper()
	parts := w.look("")
	if m := regexp.MustCompile(`data-id="(\d+)" data-button="(\d+)">` + label).FindStringSubmatch(parts["quick"]); m != nil {
		w.post("/tap", "id", m[1], "button", m[2], "quick", "1")
		return
	}
	last := parts["chat"][strings.LastIndex(parts["chat"], "<article"):]
	id := regexp.MustCompile(`data-id="(\d+)"`).FindStringSubmatch(last)
	for _, button := range regexp.MustCompile(`(?s)<div [^>]*data-do="tap" data-button="(\d+)">.*?</div>`).FindAllStringSubmatch(last, -1) {
		if strings.HasPrefix(words(button[0]), label) || strings.Contains(button[0], `aria-label="`+label) {
			w.post("/tap", "id", id[1], "button", button[1])
			return
		}
	}
	w.t.Fatalf("the last answer has no button %s: %s %s", label, words(parts["quick"]), last)
}

// end sends the signal and waits.
func (w *webPage) end(signal syscall.Signal) error {
	if err := w.process.Process.Signal(signal); err != nil {
		return err
	}
	return w.process.Wait()
}

// However the page ends, its bot ends with it.
func TestChatWebLeavesNoBot(t *testing.T) {
	t.Parallel()
	w := openWebPage(t)
	if _, err := control.Dial(control.DefaultSocket(w.db)); err != nil {
		t.Fatal("the bot does not run: ", err)
	}
	_ = w.end(syscall.SIGKILL) // the error says so
	eventually(t, 5*time.Second, "the bot ends with the page that was killed", func() bool {
		_, err := control.Dial(control.DefaultSocket(w.db))
		return errors.Is(err, control.ErrNoServer)
	})
}

// Whoever kills the bot again and again, while it starts too, has each message counted
// and answered once.
func TestChatWebKillStorm(t *testing.T) {
	t.Parallel()
	messages, ends := 5, 2
	if *long {
		messages, ends = 20, 10
	}
	w := openWebPage(t)
	w.post("/switch", "name", "twice")
	var typed []string
	for i := range messages {
		item := "品" + string(rune('ア'+i)) // no が, which is a particle
		typed = append(typed, item)
		w.post("/say", "text", item+" 100")
		for range 3 { // often while it starts
			w.post("/switch", "name", "kill")
			time.Sleep(time.Duration(rand.N(400)) * time.Millisecond)
		}
	}
	for range ends {
		time.Sleep(webRestart + 30*time.Millisecond)
		w.post("/switch", "name", "kill")
	}
	var parts map[string]string
	w.await("all are recorded and answered", func(now map[string]string) bool {
		parts = now
		for _, item := range typed {
			if strings.Count(parts["rows"], ">"+item+"<") == 0 || !strings.Contains(words(parts["chat"]), item+" 100円") {
				return false
			}
		}
		return true
	})
	for _, item := range typed {
		w.once(parts, item, regexp.MustCompile(item+" 100円"))
	}
}

// Two pages do not share a file.
func TestChatWebSecondPage(t *testing.T) {
	t.Parallel()
	w := openWebPage(t)
	out, err := exec.Command("ichido", "chat", "--web", "--db", w.db).CombinedOutput()
	if exitStatus(err) != statusFailed || !strings.Contains(string(out), errServed.Error()) {
		t.Errorf("status %d: %s", exitStatus(err), out)
	}
}

// A terminal that is closed leaves no ledger behind.
func TestChatWebHangup(t *testing.T) {
	if signal.Ignored(syscall.SIGHUP) {
		t.Skip("the tests run under nohup")
	}
	t.Parallel()
	temporary := shortDir(t)
	process := exec.Command("ichido", "chat", "--web")
	process.Env = append(os.Environ(), "TMPDIR="+temporary)
	out, err := process.StdoutPipe()
	if err == nil {
		err = process.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if err := process.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if err := process.Wait(); err != nil {
		t.Error("the end: ", err)
	}
	if left, err := os.ReadDir(temporary); len(left) > 0 || err != nil {
		t.Errorf("left are %v, %v", left, err)
	}
}

// A bot that does not start ends the page, and says why.
func TestChatWebBotFails(t *testing.T) {
	t.Parallel()
	db := filepath.Join(shortDir(t), "ichido.db")
	if err := os.WriteFile(db, []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("ichido", "chat", "--web", "--db", db).CombinedOutput()
	if exitStatus(err) != statusFailed || !strings.Contains(string(out), "ichido: running the bot: ") || !strings.Contains(string(out), db) {
		t.Errorf("status %d: %s", exitStatus(err), out)
	}
}

// The ledger is told in the words that the bot uses.
func TestChatWebRows(t *testing.T) {
	file := `{"id":"1","receipt":1,"type":"adjustment","date":"2026-12-01","amount":3000,"stated":3000,"opening":true,"item":"","account":"現金","account_owner":"太郎","member":"太郎"}
{"id":"3","receipt":3,"type":"income","date":"2026-12-01","amount":250000,"item":"給料","category":"収入","account":"銀行","member":"太郎"}
{"id":"2-1","receipt":2,"type":"expense","date":"2026-12-02","amount":900,"item":"ランチ","category":"食費","account":"カード","member":"花子","voided":true}
{"id":"2-2","receipt":2,"type":"transfer","date":"2026-12-02","amount":2000,"item":"","account":"銀行","to_account":"現金","to_account_owner":"花子","member":"花子"}
{"id":"4","receipt":4,"type":"adjustment","date":"2026-12-03","amount":-50,"stated":2050,"item":"","account":"現金","account_owner":"太郎","member":"太郎"}
`
	got, err := readRows(bytes.NewBufferString(file))
	if err != nil {
		t.Fatal(err)
	}
	want := []page.Row{
		{Number: "4", Date: "2026-12-03", Item: "残高", Amount: "2,050円", Category: "差 -50円", Account: "太郎の財布", Who: "太郎"},
		{Number: "3", Date: "2026-12-01", Item: "給料", Amount: "+250,000円", Category: "収入", Account: "銀行", Who: "太郎"},
		{Number: "2-1", Date: "2026-12-02", Item: "ランチ", Amount: "900円", Category: "食費", Account: "カード", Who: "花子", Struck: true},
		{Number: "2-2", Date: "2026-12-02", Item: "口座の間", Amount: "2,000円", Account: "銀行 → 花子の財布", Who: "花子"},
		{Number: "1", Date: "2026-12-01", Item: "残高", Amount: "3,000円", Account: "太郎の財布", Who: "太郎"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestChatWebGuard(t *testing.T) {
	h := newWebHome(time.UTC)
	h.ctx, h.bot = t.Context(), &webBot{socket: filepath.Join(t.TempDir(), "none")}
	handler := h.handler(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8081})
	for _, c := range []struct {
		name, method, target, host string
		header                     [2]string
		want                       int
	}{
		{"the page", "GET", "/", "127.0.0.1:8081", [2]string{}, 200},
		{"by name", "GET", "/look", "localhost:8081", [2]string{"Sec-Fetch-Site", "same-origin"}, 200},
		{"a link of another page", "GET", "/", "localhost:8081", [2]string{"Sec-Fetch-Site", "cross-site"}, 200},
		{"another name", "GET", "/", "evil.example:8081", [2]string{}, 403},
		{"another name without a port", "GET", "/look", "evil.example", [2]string{}, 403},
		{"another port", "GET", "/", "127.0.0.1:8082", [2]string{}, 403},
		{"read by another page", "GET", "/look", "127.0.0.1:8081", [2]string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"read by another port", "GET", "/look", "127.0.0.1:8081", [2]string{"Sec-Fetch-Site", "same-site"}, 403},
		{"posted by another page", "POST", "/say", "127.0.0.1:8081", [2]string{"Origin", "https://evil.example"}, 403},
		{"posted by another page, told by the browser", "POST", "/switch", "127.0.0.1:8081", [2]string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"posted with an unknown name", "POST", "/say", "127.0.0.1:8081", [2]string{"Origin", "http://127.0.0.1:8081"}, 400},
		{"not posted", "GET", "/say", "127.0.0.1:8081", [2]string{}, 405},
		{"nothing there", "GET", "/page.go", "127.0.0.1:8081", [2]string{}, 404},
		{"no such person", "GET", "/?who=次郎", "127.0.0.1:8081", [2]string{}, 400},
		{"no such group", "GET", "/look?where=友だち", "127.0.0.1:8081", [2]string{}, 400},
	} {
		r := httptest.NewRequest(c.method, "/"+h.key+c.target, nil)
		r.Host = c.host
		if c.header[0] != "" {
			r.Header.Set(c.header[0], c.header[1])
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%s: %d, want %d", c.name, w.Code, c.want)
		}
		if policy := w.Header().Get("Content-Security-Policy"); w.Code == 200 && (!strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe")) {
			t.Errorf("%s: the policy is %q", c.name, policy)
		}
	}
	for _, path := range []string{"/", "/look", "/" + crand.Text() + "/", "/" + h.key + "x/"} {
		r := httptest.NewRequest("GET", path, nil)
		r.Host = "127.0.0.1:8081"
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != 404 {
			t.Errorf("without the key %s is answered with %d", path, w.Code)
		}
	}
	for _, address := range []string{"0.0.0.0:0", ":0", "192.0.2.1:0", "nowhere"} {
		if l, err := listenLoopback(address); err == nil {
			l.Close()
			t.Errorf("the page would listen at %s", address)
		}
	}
}

// 「ウェブ」 leads from the page into the real pages of the bot, the same after it was killed;
// what is recorded there stands in the ledger beside the chat.
func TestChatWebLeadsToThePages(t *testing.T) {
	t.Parallel()
	w := openWebPage(t)
	w.post("/say", "text", "ウェブ")
	link := ""
	w.await("the link", func(parts map[string]string) bool {
		m := regexp.MustCompile(`<a class="link" href="(http://127\.0\.0\.1:[^"]+)" target="_blank"`).FindStringSubmatch(parts["chat"])
		if m != nil {
			link = html.UnescapeString(m[1])
		}
		return m != nil
	})
	w.post("/switch", "name", "kill")
	w.await("the bot runs again", func(parts map[string]string) bool {
		return strings.Contains(parts["log"], "起動") && strings.Contains(parts["switches"], "動いています")
	})
	v := newVisitor(t)
	var page string
	eventually(t, 15*time.Second, "the page", func() bool {
		_, p, err := v.visit(link, url.Values{})
		page = p
		return err == nil
	})
	base := link[:strings.Index(link, "/enter/")]
	key := regexp.MustCompile(`name="key" value="([^"]+)"`).FindStringSubmatch(page)
	date := regexp.MustCompile(`name="date" type="date" value="([^"]+)"`).FindStringSubmatch(page)
	if key == nil || date == nil {
		t.Fatalf("there is no form: %s", page)
	}
	v.mustVisit(base+"/entries", url.Values{"key": {key[1]}, "type": {"expense"}, "date": {date[1]}, "amount": {"900"}, "item": {"弁当"}})
	w.await("the row", func(parts map[string]string) bool { return strings.Contains(parts["rows"], "弁当") })
}
