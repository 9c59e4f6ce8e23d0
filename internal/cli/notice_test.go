package cli

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"ichido/internal/control"
	"ichido/internal/linesim"
)

// form is the form of a page that a member has got into by 「ウェブ」.
type form struct {
	v    *visitor
	base string
	date string
}

func (s *server) openForm(t *testing.T) *form {
	t.Helper()
	link := regexp.MustCompile(`http\S+`).FindString(s.hear(t, "ウェブ"))
	v := newVisitor(t)
	_, page := v.mustVisit(link, url.Values{})
	date := regexp.MustCompile(`name="date" type="date" value="([^"]+)"`).FindStringSubmatch(page)
	if date == nil {
		t.Fatalf("there is no form: %s", page)
	}
	return &form{v, "http://" + s.listen, date[1]}
}

// send sends a lunch with the key and gives the receipt's page.
func (f *form) send(key string) (page string) {
	f.v.t.Helper()
	page, err := f.try(key)
	if err != nil {
		f.v.t.Fatal(err)
	}
	return page
}

func (f *form) try(key string) (page string, err error) {
	_, page, err = f.v.visit(f.base+"/entries", url.Values{"key": {key}, "type": {"expense"}, "date": {f.date}, "amount": {"900"}, "item": {"ランチ"}})
	return page, err
}

func (f *form) receipt(key string) (page string) {
	f.v.t.Helper()
	_, page = f.v.mustVisit(f.base+"/receipts/"+key, nil)
	return page
}

// formKey is a key of a form.
func formKey(letter string) string { return strings.Repeat(letter, 22) }

const noticeHeading = "トークへのお知らせ"

// A chat that wants it is told of what a page records, once for each entry, and the page
// says how far that is. The entry stands, whatever becomes of the notice.
func TestNoticeOfEntries(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.env = append(s.env, "ICHIDO_PUBLIC_URL=http://"+s.listen)
	s.start()
	s.hear(t, "こんにちは")
	told := func() (n int) {
		for _, b := range s.platform.Chat(s.users[0]) {
			if text := b.PlainText(); strings.Contains(text, "ウェブから／") || strings.Contains(text, "、ウェブから") {
				n++
			}
		}
		return n
	}
	f := s.openForm(t)
	if page := f.send(formKey("a")); strings.Contains(page, noticeHeading) || !strings.Contains(page, "ランチ") {
		t.Errorf("without a wish: %s", page)
	}
	if said := s.hear(t, "通知 オン"); !strings.Contains(said, "このトークにお知らせします") {
		t.Fatalf("the bot says %q", said)
	}
	f.send(formKey("b"))
	until(t, "the notice", func() bool { return told() == 1 })
	until(t, "its end", func() bool { return strings.Contains(f.receipt(formKey("b")), "送りました。") })
	f.send(formKey("b"))
	f.send(formKey("b"))

	// LINE takes none for a while, in which the server dies: it is told once all the same.
	s.platform.SetFault(func(r *http.Request) linesim.Fault {
		if strings.HasSuffix(r.URL.Path, "/message/push") {
			return linesim.NotAccepted(http.StatusTooManyRequests, "later")
		}
		return linesim.Fault{}
	})
	if page := f.send(formKey("c")); !strings.Contains(page, noticeHeading) || !strings.Contains(page, "これから送ります。") {
		t.Errorf("while LINE takes none: %s", page)
	}
	s.kill()
	s.platform.SetFault(nil)
	s.start()
	until(t, "the notice after the restart", func() bool { return told() == 2 })

	// LINE refuses it for good.
	s.platform.SetFault(func(r *http.Request) linesim.Fault {
		if strings.HasSuffix(r.URL.Path, "/message/push") {
			return linesim.NotAccepted(http.StatusBadRequest, "no")
		}
		return linesim.Fault{}
	})
	f.send(formKey("d"))
	until(t, "the refusal", func() bool { return strings.Contains(f.receipt(formKey("d")), "送れませんでした。") })
	s.platform.SetFault(nil)
	if said := s.hear(t, "通知 オフ"); !strings.Contains(said, "お知らせしません") {
		t.Errorf("the bot says %q", said)
	}
	if page := f.send(formKey("e")); strings.Contains(page, noticeHeading) {
		t.Errorf("without a wish: %s", page)
	}

	// Who sends the same form at once is one entry. Notices come in order: when the next
	// entry's is there, none that was too many is still to come.
	s.hear(t, "通知 オン")
	var racing sync.WaitGroup
	for range 8 {
		racing.Go(func() {
			if page, err := f.try(formKey("f")); err != nil || !strings.Contains(page, "ランチ") {
				t.Errorf("%v: %s", err, page)
			}
		})
	}
	racing.Wait()
	f.send(formKey("g"))
	until(t, "the last notice", func() bool { return strings.Contains(f.receipt(formKey("g")), "送りました。") })
	if n := told(); n != 4 {
		t.Errorf("it was told %d times", n)
	}
	if rows := s.exported(); len(rows) != 7 {
		t.Errorf("%d rows", len(rows))
	}
}

// The receipt's page says what became of a notice that LINE did not take before the bot
// left the chat, and of one of which nobody knows.
func TestNoticeOfAChatThatIsLeft(t *testing.T) {
	s := newServer(t)
	s.env = append(s.env, "ICHIDO_PUBLIC_URL=http://"+s.listen)
	family := linesim.GroupID("family")
	s.users = append(s.users, family)
	s.start()
	s.hear(t, "こんにちは")
	f := s.openForm(t)
	for _, c := range []struct { // in this order: what is in doubt stays so for a while
		key   string
		fault linesim.Fault
		want  string
	}{
		{formKey("a"), linesim.NotAccepted(http.StatusTooManyRequests, "later"), "送りませんでした。"},
		{formKey("b"), linesim.Lost(), "届いたかどうか、わかりません。"},
	} {
		n := len(s.platform.BotTexts(family))
		s.deliver(s.platform.Mention(linesim.Group(family, s.users[0]), "通知 オン"))
		if _, err := s.platform.Wait(t.Context(), family, n+1); err != nil {
			t.Fatal(err)
		}
		tried := make(chan struct{}, 100)
		s.platform.SetFault(func(r *http.Request) linesim.Fault {
			if !strings.HasSuffix(r.URL.Path, "/message/push") {
				return linesim.Fault{}
			}
			tried <- struct{}{}
			return c.fault
		})
		if page := f.send(c.key); !strings.Contains(page, "これから送ります。") {
			t.Errorf("while LINE takes none: %s", page)
		}
		<-tried
		if c.want == "送りませんでした。" {
			until(t, "the end of the try", func() bool { return !s.inDoubt(t) })
		}
		s.deliver(s.platform.Leave(linesim.Group(family, "")))
		if page := f.receipt(c.key); !strings.Contains(page, noticeHeading) || !strings.Contains(page, c.want) {
			t.Errorf("want %q: %s", c.want, page)
		}
		s.platform.SetFault(nil)
	}
	if page := f.send(formKey("c")); strings.Contains(page, noticeHeading) {
		t.Errorf("it tells a chat that it has left: %s", page)
	}
}

// inDoubt says whether an attempt is under way or nobody knows how one has ended.
func (s *server) inDoubt(t *testing.T) bool {
	t.Helper()
	box, err := s.client().Outbox(t.Context(), true, false)
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(box.Messages, func(m control.Outgoing) bool { return m.Doubt })
}
