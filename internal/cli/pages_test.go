package cli

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"ichido/internal/linesim"
)

// visitor is a browser without scripts.
type visitor struct {
	t      *testing.T
	client *http.Client
}

func newVisitor(t *testing.T) *visitor {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &visitor{t, &http.Client{Jar: jar, Timeout: 10 * time.Second}}
}

// go opens the address, or sends a form to it; an error is an answer that is lost.
func (v *visitor) visit(address string, form url.Values) (at *url.URL, page string, err error) {
	var res *http.Response
	if form == nil {
		res, err = v.client.Get(address)
	} else {
		res, err = v.client.PostForm(address, form)
	}
	if err != nil {
		return nil, "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return res.Request.URL, string(body), err
}

func (v *visitor) mustVisit(address string, form url.Values) (*url.URL, string) {
	v.t.Helper()
	at, page, err := v.visit(address, form)
	if err != nil {
		v.t.Fatal(err)
	}
	return at, page
}

// A member asks for a link in the chat and gets in; a form is sent to a server that is
// killed, again and again, until its receipt is there: one row, and one number.
func TestPagesSurviveAKilledServer(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	base := "http://" + s.listen
	s.env = append(s.env, "ICHIDO_PUBLIC_URL="+base)
	s.start()
	said := s.hear(t, "ウェブ")
	link := regexp.MustCompile(`http\S+`).FindString(said)
	if !strings.HasPrefix(link, base+"/enter/") {
		t.Fatalf("the bot says %q", said)
	}
	v := newVisitor(t)
	if _, page := v.mustVisit(link, nil); !strings.Contains(page, "<button") {
		t.Fatal("the link shows no button")
	}
	at, page := v.mustVisit(link, url.Values{})
	key := at.Query().Get("key")
	if key == "" || !strings.Contains(page, `value="`+key+`"`) {
		t.Fatalf("the button leads to %v: %s", at, page)
	}
	today := regexp.MustCompile(`name="date" type="date" value="([^"]+)"`).FindStringSubmatch(page)
	if today == nil {
		t.Fatalf("the form has no date: %s", page)
	}
	form := url.Values{"key": {key}, "type": {"expense"}, "date": {today[1]}, "amount": {"900"}, "item": {"ランチ"}}
	for i := range 3 {
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _, _ = v.visit(base+"/entries", form) // whether it is answered is the question
		}()
		time.Sleep(time.Duration(i) * time.Millisecond)
		s.kill()
		<-done
		s.start()
	}
	_, page = v.mustVisit(base+"/entries", form)
	number := regexp.MustCompile(`受付 (\d+)`).FindStringSubmatch(page)
	if number == nil || !strings.Contains(page, "ランチ") {
		t.Fatalf("the receipt is %s", page)
	}
	if _, again := v.mustVisit(base+"/receipts/"+key, nil); !strings.Contains(again, number[0]) {
		t.Error("its number changes")
	}
	if list := s.hear(t, "今月"); !strings.Contains(list, "900円（1件）") {
		t.Errorf("the chat says %q", list)
	}
	if said := s.hear(t, "取消"); !strings.Contains(said, "取り消しました。") {
		t.Errorf("what a form recorded can't be taken back: %q", said)
	}
}

// hear says something as the first user and gives the answer.
func (s *server) hear(t *testing.T, text string) string {
	t.Helper()
	n := len(s.platform.BotTexts(s.users[0]))
	status, err := s.platform.Deliver(t.Context(), s.platform.TextIn(linesim.User(s.users[0]), text))
	if err != nil || status != http.StatusOK {
		t.Fatalf("%d, %v", status, err)
	}
	bubbles, err := s.platform.Wait(t.Context(), s.users[0], n+1)
	if err != nil {
		t.Fatal(err)
	}
	return bubbles[len(bubbles)-1].Text
}
