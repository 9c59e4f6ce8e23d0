package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"ichido/store"
)

// What a real browser shows when answers get lost. The gate sets ICHIDO_BROWSER=required,
// which runs all of it; elsewhere it is a part, and nothing where there is no Chromium.
func required() bool { return os.Getenv("ICHIDO_BROWSER") == "required" }

func chromium(t *testing.T) string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if required() {
		t.Fatal("there is no Chromium")
	}
	t.Skip("there is no Chromium")
	return ""
}

// loss is what happens to the next posts of a form.
type loss int32

const (
	none       loss = iota
	beforehand      // the request never arrives
	meanwhile       // the connection is cut while the server works
	afterwards      // the answer is lost
)

// window is a browser at a door whose answers get lost.
type window struct {
	*house
	ctx     context.Context
	profile string
	exec    string
	still   bool         // no page loads itself again
	loss    atomic.Int32 // of all posts, until it is none or what arrived is asked for: browsers try once more by themselves
}

func newWindow(t *testing.T) *window {
	w := newWindowOf(t, newHouse)
	w.enter()
	return w
}

// newWindowOf is a window at the door of the house, with nobody in.
func newWindowOf(t *testing.T, build func(*testing.T) *house) *window {
	w := &window{exec: chromium(t), profile: t.TempDir()}
	h := build(t)
	w.house = h
	h.server.Close()
	h.server = httptest.NewServer(http.HandlerFunc(w.serve))
	t.Cleanup(h.server.Close)
	w.open(false)
	return w
}

func (w *window) serve(rw http.ResponseWriter, r *http.Request) {
	if w.still {
		rw = still{rw}
	}
	if r.Method != http.MethodPost || r.URL.Path != "/entries" {
		if strings.HasPrefix(r.URL.Path, "/receipts/") && loss(w.loss.Load()) != beforehand {
			w.loss.Store(int32(none))
		}
		w.door.ServeHTTP(rw, r)
		return
	}
	how := loss(w.loss.Load())
	if how == beforehand {
		panic(http.ErrAbortHandler)
	}
	switch how {
	case meanwhile:
		body := httptest.NewRecorder()
		clone := r.Clone(context.WithoutCancel(r.Context()))
		if err := r.ParseForm(); err == nil { // the request is there, and the connection goes
			clone.PostForm, clone.Form = r.PostForm, r.Form
		}
		go w.door.ServeHTTP(body, clone)
		panic(http.ErrAbortHandler)
	case afterwards:
		w.door.ServeHTTP(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler)
	}
	w.door.ServeHTTP(rw, r)
}

// open starts the browser with its profile; without scripts if so.
func (w *window) open(scriptless bool) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(w.exec), chromedp.NoSandbox, chromedp.UserDataDir(w.profile))
	if scriptless {
		options = append(options, chromedp.Flag("blink-settings", "scriptEnabled=false"))
	}
	allocator, stopAllocator := chromedp.NewExecAllocator(w.t.Context(), options...)
	ctx, stop := chromedp.NewContext(allocator)
	w.ctx = ctx
	w.t.Cleanup(func() { stop(); stopAllocator() })
	if err := chromedp.Do(ctx); err != nil { // it lives as long as the context of the first call
		w.t.Fatal(err)
	}
}

// close ends the browser; its profile stays.
func (w *window) close() {
	if err := chromedp.Cancel(w.ctx); err != nil {
		w.t.Fatal(err)
	}
}

func (w *window) run(steps ...chromedp.Action[chromedp.Void]) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, 30*time.Second)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		page, _ := chromedp.Run(w.ctx, chromedp.Text("body")) // for the message
		w.t.Fatalf("%v; the page says %q", err, page)
	}
}

func (w *window) enter() { w.enterAs("taro") }

func (w *window) enterAs(name string) {
	w.run(chromedp.Navigate(w.server.URL+"/enter/"+w.grant(store.Link, name)), chromedp.Click("button.main"), chromedp.WaitVisible(readyForm))
}

// fill fills the form in.
func (w *window) fill(item, amount string) {
	w.run(chromedp.SetValue("#item", item), chromedp.SetValue("#amount", amount))
}

// see waits until the page says the words.
func (w *window) see(words string) string {
	w.t.Helper()
	page := ""
	for range 300 {
		page, _ = chromedp.Run(w.ctx, chromedp.Text("body")) // fails while the page changes
		if strings.Contains(page, words) {
			return page
		}
		time.Sleep(50 * time.Millisecond)
	}
	w.t.Fatalf("the page never says %q; it says %q", words, page)
	return ""
}

func (w *window) address() string {
	at, err := chromedp.Run(w.ctx, chromedp.Location())
	if err != nil {
		w.t.Fatal(err)
	}
	return at
}

const sendButton = `#entry button.main`

// readyForm is the form once its script has begun.
const readyForm = `#entry[data-ready]`

func TestBrowser(t *testing.T) {
	run := func(name string, often bool, test func(*testing.T)) {
		t.Run(name, func(t *testing.T) {
			if !often && !required() {
				t.Skip("it runs where ICHIDO_BROWSER=required")
			}
			t.Parallel()
			test(t)
		})
	}
	run("nothing is lost", false, func(t *testing.T) {
		w := newWindow(t)
		w.fill("ランチ", "900")
		w.run(chromedp.Click(sendButton))
		w.see("受付 1")
		w.wantRows("ランチ 900 by 1")
	})
	run("the request is lost", true, func(t *testing.T) {
		w := newWindow(t)
		w.fill("ランチ", "900")
		w.loss.Store(int32(beforehand))
		w.run(chromedp.Click(sendButton))
		w.see("記録されていない証拠ではありません")
		w.wantRows()
		w.loss.Store(int32(none))
		w.run(chromedp.Click("#pending button"))
		w.see("受付 1")
		w.wantRows("ランチ 900 by 1")
	})
	for name, how := range map[string]loss{"the connection is cut": meanwhile, "the answer is lost": afterwards} {
		run(name, how == afterwards, func(t *testing.T) {
			w := newWindow(t)
			w.fill("ランチ", "900")
			w.loss.Store(int32(how))
			w.run(chromedp.Click(sendButton))
			page := w.see("受付 1")
			if !strings.Contains(page, "記録済み") {
				t.Errorf("it says %q", page)
			}
			w.wantRows("ランチ 900 by 1")
		})
	}
	run("a double click", false, func(t *testing.T) {
		w := newWindow(t)
		w.fill("ランチ", "900")
		w.run(chromedp.DoubleClick(sendButton))
		w.see("受付 1")
		w.wantRows("ランチ 900 by 1")
	})
	run("back, and sent again", false, func(t *testing.T) {
		w := newWindow(t)
		w.fill("ランチ", "900")
		form := w.address()
		w.run(chromedp.Click(sendButton))
		w.see("受付 1")
		w.run(chromedp.NavigateBack())
		if at := w.address(); at != form {
			t.Fatalf("back is %s", at)
		}
		w.see("記録済み")
		w.wantRows("ランチ 900 by 1")
	})
	run("two tabs", false, func(t *testing.T) {
		w := newWindow(t)
		form, first := w.address(), w.ctx
		second, stop := chromedp.NewContext(first)
		defer stop()
		// A tab that is not in front draws nothing, so that scripts fill the forms in.
		send := `(() => { const f = document.getElementById("entry"); f.item.value = "ランチ"; f.amount.value = "900"; f.requestSubmit(); return true })()`
		if err := chromedp.Do(second, chromedp.Navigate(form)); err != nil { // the tab lives as long as this context
			t.Fatal(err)
		}
		for _, tab := range []context.Context{first, second} {
			if _, err := chromedp.Run(tab, chromedp.Evaluate[bool](send)); err != nil {
				t.Fatal(err)
			}
		}
		for _, tab := range []context.Context{first, second} {
			for range 200 {
				page, _ := chromedp.Run(tab, chromedp.Evaluate[string](`document.body.innerText`)) // fails while the page changes
				if strings.Contains(page, "受付 1") {
					tab = nil
					break
				}
				time.Sleep(50 * time.Millisecond)
			}
			if tab != nil {
				t.Error("a tab does not come to the receipt")
			}
		}
		w.wantRows("ランチ 900 by 1")
	})
	run("other content in another tab, and the answer is lost", false, func(t *testing.T) {
		w := newWindow(t)
		form, first := w.address(), w.ctx
		second, stop := chromedp.NewContext(first)
		defer stop()
		if err := chromedp.Do(second, chromedp.Navigate(form), chromedp.WaitReady(readyForm)); err != nil {
			t.Fatal(err)
		}
		w.fill("ランチ", "900")
		w.run(chromedp.Click(sendButton))
		w.see("受付 1")
		w.loss.Store(int32(afterwards))
		w.ctx = second
		w.evaluate(`(() => { const f = document.getElementById("entry"); f.item.value = "カフェ"; f.amount.value = "500"; f.requestSubmit(); return true })()`)
		w.see("「カフェ 500円」は記録していません。受付 1 は、ほかの内容です")
		w.evaluate(`document.querySelector("#pending button").click(); true`)
		w.see("ほかの内容が記録してあります")
		w.wantRows("ランチ 900 by 1")
		w.evaluate(`document.querySelector(".choice button").click(); true`)
		w.see("受付 2")
		w.wantRows("ランチ 900 by 1", "カフェ 500 by 1")
	})
	run("the browser is started again", false, func(t *testing.T) {
		w := newWindow(t)
		w.fill("ランチ", "900")
		w.loss.Store(int32(beforehand))
		w.run(chromedp.Click(sendButton))
		w.see("記録されていない証拠ではありません")
		w.loss.Store(int32(none))
		w.close()
		w.open(false)
		w.run(chromedp.Navigate(w.server.URL))
		w.see("ランチ 900円")
		w.run(chromedp.Click("#pending button"))
		w.see("受付 1")
		w.wantRows("ランチ 900 by 1")
	})
	run("the session has ended", false, func(t *testing.T) {
		w := newWindow(t)
		w.fill("ランチ", "900")
		w.update(func(tx *store.Tx) error { _, err := tx.Revoke(w.members["taro"], ""); return err })
		w.run(chromedp.Click(sendButton))
		w.see("入り直してください")
		w.wantRows()
		w.enter()
		w.see("ランチ 900円")
		w.run(chromedp.Click("#pending button"))
		w.see("受付 1")
		w.wantRows("ランチ 900 by 1")
	})
	run("without scripts", false, func(t *testing.T) {
		w := newWindow(t)
		w.close()
		w.open(true)
		w.run(chromedp.Navigate(w.server.URL), chromedp.WaitVisible("#entry"))
		form := w.address()
		w.run(chromedp.SendKeys("#item", "ランチ"), chromedp.SendKeys("#amount", "900"))
		w.loss.Store(int32(afterwards))
		_ = chromedp.Do(w.ctx, chromedp.Click(sendButton)) // the browser shows an error of its own
		time.Sleep(500 * time.Millisecond)
		w.run(chromedp.Navigate(form))
		w.see("記録済み")
		w.wantRows("ランチ 900 by 1")
	})
	run("somebody else gets in with the same browser", false, func(t *testing.T) {
		w := newWindow(t)
		w.fill("ランチ", "900")
		w.loss.Store(int32(beforehand))
		w.run(chromedp.Click(sendButton))
		w.see("記録されていない証拠ではありません")
		w.loss.Store(int32(none))
		w.enterAs("hanako")
		if page := w.see("記録する"); strings.Contains(page, "ランチ") {
			t.Errorf("she is shown what he has left: %q", page)
		}
		if hidden, err := chromedp.Run(w.ctx, chromedp.Evaluate[bool](`document.getElementById("pending").hidden`)); !hidden || err != nil {
			t.Errorf("she is asked about it (%v)", err)
		}
		w.wantRows()
		w.enter()
		w.see("ランチ 900円")
		w.run(chromedp.Click("#pending button.main"))
		w.see("受付 1")
		w.wantRows("ランチ 900 by 1")
	})
	run("two entries are lost", false, func(t *testing.T) {
		w := newWindow(t)
		w.loss.Store(int32(beforehand))
		for _, item := range []string{"ランチ", "カフェ"} {
			w.run(chromedp.Navigate(w.server.URL), chromedp.WaitVisible(readyForm))
			w.fill(item, "900")
			w.run(chromedp.Click(sendButton))
			w.see("「" + item + " 900円」の受付は")
		}
		w.loss.Store(int32(none))
		w.run(chromedp.Click("#pending button.main"))
		w.see("受付 1")
		w.run(chromedp.Navigate(w.server.URL))
		w.see("900円」の受付は")
		w.run(chromedp.Click("#pending button.main"))
		w.see("受付 2")
		if n := len(w.rows()); n != 2 {
			t.Errorf("%d rows", n)
		}
	})
	run("it takes longer than the server waits", false, func(t *testing.T) {
		w := newWindow(t)
		w.door.Patience = 300 * time.Millisecond
		w.fill("ランチ", "900")
		release := w.holdUp()
		w.run(chromedp.Click(sendButton))
		w.see("記録されていない証拠ではありません")
		release()
		w.run(chromedp.Click("#pending button.main"))
		w.see("受付 1")
		w.wantRows("ランチ 900 by 1")
	})
	run("nothing can be kept", false, func(t *testing.T) {
		w := newWindow(t)
		if _, err := chromedp.Run(w.ctx, chromedp.Evaluate[bool](`(() => { Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError") }; return true })()`)); err != nil {
			t.Fatal(err)
		}
		w.fill("ランチ", "900")
		w.update(func(tx *store.Tx) error { _, err := tx.Revoke(w.members["taro"], ""); return err })
		w.run(chromedp.Click(sendButton))
		if page := w.see("入り直してください"); strings.Contains(page, "残っています") || !strings.Contains(page, "ランチ 900円") {
			t.Errorf("it says %q", page)
		}
		w.wantRows()
	})
	run("an income has its own categories", false, func(t *testing.T) {
		w := newWindow(t)
		offers := func(kind string, want, not string) {
			t.Helper()
			got, err := chromedp.Run(w.ctx, chromedp.Evaluate[string](`(() => {
				document.querySelector("input[value=`+kind+`]").click();
				return [...document.getElementById("category").options].map(o => o.value).join() })()`))
			if err != nil || !strings.Contains(got, want) || strings.Contains(got, not) {
				t.Errorf("%s offers %s (%v)", kind, got, err)
			}
		}
		offers("income", "収入", "食費")
		offers("refund", "食費", "収入")
		offers("expense", "食費", "収入")
	})
	run("given up", false, func(t *testing.T) {
		w := newWindow(t)
		w.fill("ランチ", "900")
		w.loss.Store(int32(beforehand))
		w.run(chromedp.Click(sendButton))
		w.see("記録されていない証拠ではありません")
		w.run(chromedp.Click("#pending button:not(.main)"))
		w.see("記録されていないとは限りません")
		w.run(chromedp.Navigate(w.server.URL), chromedp.WaitVisible(readyForm))
		w.wantRows()
	})
}
