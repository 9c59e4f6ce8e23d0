package web

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"ichido/bot"
	"ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

var pictures = flag.String("pictures", "", "take the pictures of all pages into this `directory` (.ci/screenshots does so); they are then not examined")

// axePath is where .ci/run installs axe-core, which looks for what shuts people out.
const axePath = "../../.ci/axe/node_modules/axe-core/axe.min.js"

// Each page, in light and dark, on a phone and on a desk: axe finds nothing that shuts
// anybody out, nothing is wider than the screen, and what is to be touched is as large as
// a finger.
func TestBrowserShowsPagesToEverybody(t *testing.T) {
	if *pictures != "" {
		if err := os.MkdirAll(*pictures, 0o755); err != nil {
			t.Fatal(err)
		}
		walk(t, func(w *window, page string) {
			eachLook(w, func(look string, width int64) { w.picture(page + "-" + look) })
		})
		return
	}
	if !required() {
		t.Skip("it runs where ICHIDO_BROWSER=required")
	}
	axe, err := os.ReadFile(axePath)
	if err != nil {
		t.Fatalf("%v: .ci/run installs it with npm ci", err)
	}
	t.Parallel()
	walk(t, func(w *window, page string) {
		w.evaluate(string(axe) + "; true")
		eachLook(w, func(look string, width int64) {
			for _, wrong := range w.examine(width) {
				t.Errorf("%s %s: %s", page, look, wrong)
			}
		})
	})
}

// examination gives what is wrong with the page, a sentence each.
const examination = `(async screenWidth => {
	const wrong = [];
	for (const v of (await axe.run({resultTypes: ["violations"]})).violations)
		for (const n of v.nodes) wrong.push("axe: " + v.id + " (" + v.help + ") at " + n.target + ": " + n.failureSummary.replace(/\s+/g, " "));
	if (document.documentElement.scrollWidth > screenWidth) wrong.push("it is " + document.documentElement.scrollWidth + " pixels wide");
	for (const e of document.querySelectorAll("a, button, select, textarea, input:not([type=hidden]), summary")) {
		const target = e.type === "radio" ? e.closest("label") : e;
		const {width, height} = target.getBoundingClientRect();
		if (width && Math.min(width, height) < 44) wrong.push("too small for a finger, " + width + " by " + height + ": " + e.outerHTML);
		if (width && e.matches("select, textarea, input:not([type=radio])") && parseFloat(getComputedStyle(e).fontSize) < 16) wrong.push("iOS would zoom into " + e.outerHTML);
	}
	return wrong;
})(%d)`

func (w *window) examine(width int64) []string {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, 30*time.Second)
	defer cancel()
	wrong, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](fmt.Sprintf(examination, width), chromedp.EvalAwaitPromise))
	if err != nil {
		w.t.Fatal(err)
	}
	return wrong
}

func (w *window) evaluate(script string) {
	w.t.Helper()
	if _, err := chromedp.Run(w.ctx, chromedp.Evaluate[bool](script)); err != nil {
		w.t.Fatal(err)
	}
}

// eachLook shows the page that is open as each kind of screen does.
func eachLook(w *window, look func(name string, width int64)) {
	for _, screen := range []struct {
		width, height int64
		scale         float64
	}{{360, 740, 1.5}, {1280, 800, 1}} {
		for _, scheme := range []string{"light", "dark"} {
			w.run(chromedp.EmulateViewport(screen.width, screen.height, chromedp.EmulateScale(screen.scale)),
				call("Emulation.setLocaleOverride", map[string]string{"locale": "ja-JP"}),
				call("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]string{"name": "prefers-color-scheme", "value": scheme}}}))
			look(fmt.Sprintf("%d-%s", screen.width, scheme), screen.width)
		}
	}
}

func call(method string, params any) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error { return t.Call(ctx, method, params, nil) })
}

// picture stores what the page shows, as small as can be.
func (w *window) picture(name string) {
	w.t.Helper()
	w.evaluate(`document.activeElement.style.caretColor = "transparent"; true`) // it blinks
	png, err := chromedp.Run(w.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		w.t.Fatal(err)
	}
	pngquant := exec.CommandContext(w.t.Context(), "pngquant", "--speed", "1", "--strip", "--force", "--output", filepath.Join(*pictures, name+".png"), "16", "-")
	pngquant.Stdin = strings.NewReader(string(png))
	if out, err := pngquant.CombinedOutput(); err != nil {
		w.t.Fatalf("pngquant: %v %s", err, out)
	}
}

// family is a household on a Monday noon whose clock stands still.
func family(t *testing.T) *house {
	h := newHouseAt(t, func() time.Time { return storetest.Noon })
	h.door.TellEntry = func(tx *store.Tx, chat string, r bot.Reply) error {
		_, err := tx.Say(store.Outgoing{Notice: store.NoticeEntry, Chat: chat, Payload: []byte("[]")})
		return err
	}
	for person, name := range map[string]string{"taro": "太郎", "hanako": "花子"} {
		h.update(func(tx *store.Tx) error { _, err := tx.Rename(h.members[person], name, true); return err })
	}
	return h
}

// say has somebody say something in the chat with the bot.
func (h *house) say(person, text string) {
	h.t.Helper()
	_, _, err := h.store.Submit(h.t.Context(), store.Request{Scope: "line", At: storetest.Noon, Person: person}, func(tx *store.Tx) error {
		_, err := h.door.Bot.Handle(tx, bot.Message{Text: text, Chat: person, At: storetest.Noon, Direct: true})
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

// livedIn is a month of all that is long, large or many.
var livedIn = []string{
	"給料 312000", "11/1 家賃 98000 銀行", "11/3 スーパー 12480 カード\n11/3 ドラッグストア 3280\n11/5 電車 2140 Suica", "11/8 電気代 8210 銀行\n11/8 映画 1900",
	"カテゴリ追加 ペットとうさぎのくらし", "11/12 うさぎのごはん 1980 ペットとうさぎのくらし", "11/15 中古の自動車 1284000 銀行", "11/20 歯医者 4400", "11/22 誕生日プレゼント 5500",
	"予算 食費 40000", "財布 3000", "11/29 飲み会 4500",
}

// postFrom sends a form from the page that is open.
func (w *window) postFrom(path string, fields url.Values) {
	w.t.Helper()
	script := fmt.Sprintf("(() => { const f = document.createElement('form'); f.method = 'post'; f.action = %q; ", path)
	for name := range fields {
		script += fmt.Sprintf("{ const i = document.createElement('input'); i.name = %q; i.value = %q; f.append(i); } ", name, fields.Get(name))
	}
	w.evaluate(script + "document.body.append(f); f.submit(); return true })()")
}

// longest is an entry of which everything is as long as can be.
func longest(key string) url.Values {
	return url.Values{
		"key": {key}, "type": {"expense"}, "date": {"2026-11-30"}, "amount": {"999999999"}, "category": {"食費"}, "account": {"カード"},
		"item": {strings.Repeat("とても長い名前の品物、", 9)}, "memo": {"https://example.com/" + strings.Repeat("long", 30) + "\n二行目"},
	}
}

// walk goes to every page there is.
func walk(t *testing.T, look func(w *window, page string)) {
	w := newWindowOf(t, family)
	w.still = true
	keys := [...]string{"AAAAAAAAAAAAAAAAAAAAAA", "BBBBBBBBBBBBBBBBBBBBBB", "CCCCCCCCCCCCCCCCCCCCCC", "DDDDDDDDDDDDDDDDDDDDDD", "EEEEEEEEEEEEEEEEEEEEEE"}
	show := func(page, words string) {
		t.Helper()
		w.see(words)
		look(w, page)
	}
	visit := func(page, path, words string) {
		t.Helper()
		w.run(chromedp.Navigate(w.server.URL + path))
		show(page, words)
	}

	visit("refusal", "/", "ここには入れません")
	visit("enter", "/enter/"+w.grant(store.Link, "taro"), "入る / Enter")
	w.run(chromedp.Click("button.main"), chromedp.WaitVisible("#entry"))
	show("start-empty", "今月")
	visit("not-found", "/receipts/"+keys[0], "まだありません")

	w.run(chromedp.Navigate(w.server.URL + "/?key=" + keys[0]))
	w.postFrom("/entries", lunch(keys[0]))
	show("receipt", "記録してあります")
	w.say("taro", "12 を 950")
	w.say("taro", "取消 1")
	visit("receipt-changed", "/receipts/"+keys[0], "そのあと")
	w.postFrom("/entries", url.Values{"key": {keys[0]}, "type": {"expense"}, "date": {"2026-11-30"}, "amount": {"950"}, "item": {"ランチ"}})
	show("conflict", "ほかの内容")

	for _, text := range livedIn {
		w.say("taro", text)
	}
	w.say("hanako", "ケーキ 1800")
	w.say("taro", "通知 オン")
	w.postFrom("/entries", longest(keys[1]))
	show("receipt-notice", "トークへのお知らせ")
	if *pictures == "" {
		visit("start-longest", "/?key="+keys[2], "最近の記録")
	}
	w.say("taro", "取消")
	w.say("hanako", "取消 1")
	visit("start-full", "/?key="+keys[2], "最近の記録")
	visit("start-used", "/?key="+keys[1], "記録済み")

	w.run(chromedp.Navigate(w.server.URL + "/?key=" + keys[2]))
	w.postFrom("/entries", url.Values{"key": {keys[2]}, "type": {"income"}, "date": {"2126-11-30"}, "amount": {"0"}, "item": {"お年玉"}, "category": {"食費"}})
	show("faulty", "1円から")

	w.run(chromedp.Navigate(w.server.URL + "/?key=" + keys[3]))
	w.fill("ランチ", "900")
	w.loss.Store(int32(beforehand))
	w.run(chromedp.Click(sendButton))
	show("pending", "記録されていない証拠ではありません")
	w.loss.Store(int32(none))
	w.evaluate("localStorage.clear(); true")

	release := w.holdUp()
	first := make(chan struct{})
	go func() {
		defer close(first)
		w.submitLate(keys[4])
	}()
	for state := store.NotFound; state != store.InProgress; {
		var err error
		if _, state, err = w.store.Lookup(fmt.Sprintf("web/%d", w.members["taro"]), keys[4]); err != nil {
			t.Fatal(err)
		}
	}
	visit("waiting", "/receipts/"+keys[4], "いま記録しています")
	release()
	<-first

	w.update(func(tx *store.Tx) error {
		_, err := tx.Grant(store.Token, w.members["taro"], "とても長い名前のショートカット、iPhoneの")
		return err
	})
	w.run(chromedp.Navigate(w.server.URL+"/access"), chromedp.SetValue("#label", "iPhoneのショートカット"), chromedp.Click(`form[action="/tokens"] button`))
	w.see("いまだけ")
	if *pictures != "" {
		w.evaluate(`document.querySelector("code").textContent = "k2hKpq3XyZ0sWmA4vB7nT1cRr5uL8oEd-JfGi6H_x9Q"; true`)
	}
	show("devices", "いまだけ")

	w.say("taro", "language en")
	visit("start-english", "/?key="+keys[3], "This month")
}

// submitLate records an entry of the form's door with the key, as soon as the writer may.
func (w *window) submitLate(key string) {
	e := bot.Entry{Type: ledger.Expense, Date: ledger.DateOf(storetest.Noon), Amount: 900, Item: "ランチ"}
	req := store.Request{Scope: fmt.Sprintf("web/%d", w.members["taro"]), Key: key, Digest: digest(e, e.Date.String()), At: storetest.Noon, Person: "taro"}
	_, _, err := w.store.Submit(context.WithoutCancel(w.t.Context()), req, func(tx *store.Tx) error {
		_, err := w.door.Bot.Record(tx, storetest.Noon, e)
		return err
	})
	if err != nil {
		w.t.Error(err)
	}
}

// still is an answer that does not load itself again.
type still struct{ http.ResponseWriter }

func (s still) WriteHeader(status int) {
	s.Header().Del("Refresh")
	s.ResponseWriter.WriteHeader(status)
}
