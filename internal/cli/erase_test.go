package cli

import (
	"bytes"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"ichido/internal/linesim"
)

// The owner erases all by two confirmations in LINE: the file holds nothing of it any more,
// what LINE delivers again does not come back, and the household goes on afresh, also after
// a restart.
func TestEraseAll(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.start()
	owner := s.users[0]
	var early []linesim.Event
	for _, text := range []string{"ひみつのケーキ 900", "スーパー 2480", "財布 3000"} {
		e := s.platform.Text(owner, text)
		early = append(early, e)
		if status := s.deliver(e); status != http.StatusOK {
			t.Fatalf("%s: %d", text, status)
		}
	}
	if _, err := s.platform.Wait(t.Context(), owner, len(early)); err != nil {
		t.Fatal(err)
	}
	if s.exported()[1] != "ひみつのケーキ" {
		t.Fatal("nothing is recorded")
	}
	warning := s.hear(t, "全データ削除")
	code := regexp.MustCompile(`「全データ削除 (\d{4})」`).FindStringSubmatch(warning)
	if code == nil {
		t.Fatalf("there is no code in %q", warning)
	}
	s.hear(t, "全データ削除 "+code[1])
	press, ok := s.platform.Press(linesim.User(owner), "すべて消す")
	if !ok {
		t.Fatal("there is no button")
	}
	s.deliver(press)
	said := func(words string) bool {
		texts := s.platform.BotTexts(owner)
		return len(texts) > 0 && strings.Contains(texts[len(texts)-1], words)
	}
	until(t, "the answer", func() bool { return said("すべて消しました") })
	check := func() {
		t.Helper()
		for _, e := range append(early, press) {
			if status := s.deliver(e.Redelivered()); status != http.StatusOK {
				t.Errorf("delivered again: %d", status)
			}
		}
		if rows := s.exported(); len(rows) != 0 {
			t.Errorf("rows came back: %v", rows)
		}
		if content, err := os.ReadFile(s.db); err != nil || bytes.Contains(content, []byte("ひみつ")) || bytes.Contains(content, []byte("スーパー")) {
			t.Errorf("the file still holds what was erased (%v)", err)
		}
	}
	check()
	s.kill()
	s.start()
	check()
	if said := s.hear(t, "お茶 150"); !strings.Contains(said, "記録しました") {
		t.Errorf("afterwards the bot says %q", said)
	}
	if rows := s.exported(); len(rows) != 1 {
		t.Errorf("%d rows", len(rows))
	}
}
