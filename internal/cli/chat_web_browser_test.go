package cli

import (
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"ichido/internal/linesim"
)

// In a browser, under the page's own policy, the script puts in what is new, and gives
// the rich menu and Flex messages their looks.
func TestChatWebInBrowser(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil && os.Getenv("ICHIDO_BROWSER") == "required" {
		t.Fatal("there is no chromium: ", err)
	}
	if err != nil || testing.Short() {
		t.Skip("there is no chromium, or no time for it: ", err)
	}
	t.Parallel()
	h := newWebHome(time.UTC)
	h.ctx, h.bot = t.Context(), &webBot{socket: filepath.Join(shortDir(t), "none")}
	endpoint, stop := h.platform.Start()
	t.Cleanup(stop)
	if err := h.setUpMenu(t.Context(), endpoint); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	handler := h.handler(listener.Addr())
	var said sync.Once
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/look") {
			// After the page itself, which does not have it yet.
			said.Do(func() { h.platform.Text(linesim.UserID("太郎"), "ランチ 900") })
		}
		handler.ServeHTTP(w, r)
	})}
	go server.Serve(listener)
	t.Cleanup(func() { server.Close() })
	out, err := exec.CommandContext(t.Context(), browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--user-data-dir="+shortDir(t),
		"--virtual-time-budget=1500", "--dump-dom", "http://"+listener.Addr().String()+"/"+h.key+"/").Output()
	if err != nil {
		t.Fatal(err)
	}
	dom := string(out)
	if !regexp.MustCompile(`(?s)<article class="msg mine.*<span class="text">ランチ 900</span>`).MatchString(dom) {
		t.Errorf("the script does not put the message in:\n%s", dom)
	}
	if !strings.Contains(dom, `aria-label="今月" data-css="left:0.000%`) || !strings.Contains(dom, `style="left: 0%; top: 0%`) {
		t.Errorf("the script does not place the buttons of the menu:\n%s", dom)
	}
}
