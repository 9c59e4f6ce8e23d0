package powercut_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"ichido/internal/linesim"
	"ichido/internal/powercut"
	"ichido/store"
)

// house is a household that the real program serves.
type house struct {
	db, listen, endpoint string
	platform             *linesim.Platform
	users                []string
	process              *exec.Cmd
}

// runHouse is a program that lets ichido serve a household, which does what households do,
// and whose owner looks after the file: all of it once before and once after each way in
// which the process can end.
func runHouse(dir string) error {
	h := &house{db: filepath.Join(dir, "home", "ichido.db"), platform: linesim.New(linesim.Options{})}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	h.listen = l.Addr().String()
	l.Close()
	endpoint, stop := h.platform.Start()
	defer stop()
	h.endpoint = endpoint
	h.platform.SetWebhook("http://" + h.listen + "/line/webhook")
	h.users = []string{linesim.UserID("taro"), linesim.UserID("hanako"), linesim.UserID("jiro")}
	var token, session string
	for _, step := range []func() error{
		h.start, h.greet, func() error { return h.talk("first") }, h.end,
		func() (err error) { token, session, err = h.grant(); return err },
		h.start, func() error { return h.post(token, session) },
		func() error { return h.command("backup", filepath.Join(dir, "home", "backup.db")) },
		func() error { return h.talk("second") }, h.end,
		func() error { return h.command("compact") },
		h.start, func() error { return h.talk("third") }, h.kill,
		h.start, func() error { return h.talk("fourth") }, h.end,
	} {
		if err := step(); err != nil {
			if h.process != nil {
				_ = h.kill()
			}
			return err
		}
	}
	return nil
}

func (h *house) ichido(args ...string) *exec.Cmd {
	c := as("ichido", append(args, "--db", h.db)...)
	zone := fmt.Sprintf("Etc/GMT%+d", time.Now().UTC().Hour()-12) // it is noon: nothing is held back
	c.Env = append(c.Env, "LINE_CHANNEL_SECRET="+linesim.DefaultSecret, "LINE_CHANNEL_ACCESS_TOKEN="+linesim.DefaultToken,
		"ICHIDO_TZ="+zone, "ICHIDO_PUBLIC_URL=http://"+h.listen)
	return c
}

// command runs one, and says when it is done.
func (h *house) command(args ...string) error {
	c := h.ichido(args...)
	c.Stderr = nil
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("ichido %v: %w\n%s", args, err, out)
	}
	return acknowledge(args[0])
}

func (h *house) start() error {
	h.process = h.ichido("serve", "--listen", h.listen, "--line-endpoint", h.endpoint, "--allow", strings.Join(h.users, ","))
	h.process.Stderr = nil
	log, err := h.process.StderrPipe()
	if err != nil {
		return err
	}
	if err := h.process.Start(); err != nil {
		return err
	}
	var said []string
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		said = append(said, lines.Text())
		if strings.Contains(lines.Text(), "msg=serving") {
			go func() {
				for lines.Scan() { // or it would wait for us
				}
			}()
			return nil
		}
	}
	return fmt.Errorf("serve does not start:\n%s", strings.Join(said, "\n"))
}

func (h *house) end() error {
	_ = h.process.Process.Signal(syscall.SIGTERM)
	return h.process.Wait()
}

func (h *house) kill() error {
	_ = h.process.Process.Kill()
	_ = h.process.Wait()
	return nil
}

// greet lets the first user become the first member.
func (h *house) greet() error {
	status, err := h.platform.Deliver(context.Background(), h.platform.Text(h.users[0], "今月"))
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("the first event is answered with %d", status)
	}
	return err
}

// talk has the members talk at the same time, and waits until they have been answered.
func (h *house) talk(when string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var members sync.WaitGroup
	errs := make(chan error, len(h.users))
	for i, user := range h.users { // nobody says what another says: an unsent word is forgotten everywhere
		members.Go(func() { errs <- h.member(ctx, user, when+string(rune('a'+i))) })
	}
	members.Wait()
	close(errs)
	var err error
	for e := range errs {
		err = errors.Join(err, e)
	}
	return err
}

// member says this and that, changes it and takes it back.
func (h *house) member(ctx context.Context, user, when string) error {
	before := len(h.platform.BotTexts(user))
	text := func(s string) linesim.Event { return h.platform.Text(user, s) }
	lunch, several := text(when+"lunch 900"), text(when+"rice 100\n"+when+"miso 200\n"+when+"tea 300")
	secret := text(when + "gift 5000")
	all := [][]linesim.Event{
		{lunch}, {several}, {text("財布 30000")}, {lunch}, // once more
		{text(when + "bus 210"), text(when + "train 340"), text("今月")},
		{text("取消")}, {secret}, {h.platform.Edited(several, when+"rice 150\n"+when+"miso 200")}, {h.platform.Unsend(secret)},
	}
	for i, events := range all {
		if status, err := h.platform.Deliver(ctx, events...); err != nil || status != http.StatusOK {
			return fmt.Errorf("delivering %d: %d, %v", i, status, err)
		}
	}
	_, err := h.platform.Wait(ctx, user, before+6)
	return err
}

// grant lets a program and a browser in.
func (h *house) grant() (token, session string, err error) {
	s, err := store.Open(h.db, store.Options{})
	if err != nil {
		return "", "", err
	}
	err = s.Update(context.Background(), func(tx *store.Tx) error {
		m, _, err := tx.MemberByPerson(h.users[0])
		if err != nil {
			return err
		}
		token, err = tx.Grant(store.Token, m.ID, "test")
		if err == nil {
			session, err = tx.Grant(store.Session, m.ID, "test")
		}
		return err
	})
	return token, session, errors.Join(err, s.Close())
}

// post makes entries with the API and with the form.
func (h *house) post(token, session string) error {
	for i := range 4 {
		req, err := http.NewRequest("POST", "http://"+h.listen+"/api/v1/entries", strings.NewReader(fmt.Sprintf(`{"amount": %d, "item": "api"}`, 100+i)))
		if err != nil {
			return err
		}
		req.Header.Set("Authorization", "Bearer "+token)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Idempotency-Key", fmt.Sprintf(`"key %d"`, i))
		if err := h.do(req); err != nil {
			return err
		}
		form := fmt.Sprintf("key=%022d&type=expense&date=2026-11-30&amount=%d&item=form", i, 200+i)
		if req, err = http.NewRequest("POST", "http://"+h.listen+"/entries", strings.NewReader(form)); err != nil {
			return err
		}
		req.AddCookie(&http.Cookie{Name: "ichido", Value: session})
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Origin", "http://"+h.listen)
		if err := h.do(req); err != nil {
			return err
		}
	}
	return nil
}

func (h *house) do(req *http.Request) error {
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	res.Body.Close()
	if res.StatusCode >= 400 {
		return fmt.Errorf("%s is answered with %s", req.URL.Path, res.Status)
	}
	return nil
}

// lineEvents are the events of a webhook, as far as they matter here.
type lineEvents struct {
	Events []struct {
		WebhookEventID string
		ReplyToken     string
		Type           string
		Source         struct{ UserID string }
		Message        struct{ ID string }
		Unsend         struct{ MessageID string }
	}
}

// overheard are the events that the record shows, by what names them.
type overheard struct {
	events                    map[string]*event
	byReplyToken, byMessageID map[string]*event
	chats                     map[string][]*event // by the person, in the order in which they came
	chatOf                    map[*event]string
}

// overhear reads what was said over the sockets: webhooks and entries that came in and when
// they were answered, and when an answer was sent to LINE.
func overhear(turns []*powercut.Turn) (o overheard, err error) {
	o = overheard{map[string]*event{}, map[string]*event{}, map[string]*event{}, map[string][]*event{}, map[*event]string{}}
	for _, turn := range turns {
		head, body, _ := bytes.Cut(turn.Bytes, []byte("\r\n\r\n"))
		switch {
		case turn.Out && bytes.HasPrefix(head, []byte("POST /v2/bot/message/reply ")):
			var reply struct{ ReplyToken string }
			if err := json.Unmarshal(body, &reply); err != nil {
				return o, fmt.Errorf("line %d: a reply: %w", turn.Begin, err)
			}
			o.replied(reply.ReplyToken, turn.Begin)
		case turn.Out && turn.Before != nil && (bytes.HasPrefix(head, []byte("HTTP/1.1 2")) || bytes.HasPrefix(head, []byte("HTTP/1.1 303"))):
			if err := o.answered(turn.Before, turn.Begin); err != nil {
				return o, err
			}
		case !turn.Out && bytes.HasPrefix(head, []byte("POST /line/webhook ")):
			if err := o.webhook(turn.Begin, body); err != nil {
				return o, err
			}
		}
	}
	return o, nil
}

// replied notes an attempt at an answer. Those to events before it in the chat are out or go
// along with it.
func (o overheard) replied(token string, line int) {
	e := o.byReplyToken[token]
	if e == nil {
		return
	}
	e.said = min(e.said, line)
	for _, before := range o.chats[o.chatOf[e]] {
		before.waits = min(before.waits, line)
		if before == e {
			return
		}
	}
}

func (o overheard) event(key string) *event {
	if o.events[key] == nil {
		o.events[key] = &event{key: key, acknowledged: never, said: never}
	}
	return o.events[key]
}

func (o overheard) webhook(line int, body []byte) error {
	var all lineEvents
	if err := json.Unmarshal(body, &all); err != nil {
		return fmt.Errorf("line %d: a webhook: %w", line, err)
	}
	for _, came := range all.Events {
		key := "line " + came.WebhookEventID
		// What the answer would be about is not so any more.
		if e := o.byMessageID[came.Unsend.MessageID+came.Message.ID]; e != nil && came.Type != "message" {
			e.waits = min(e.waits, line)
		}
		if o.events[key] != nil {
			continue
		}
		e, chat := o.event(key), came.Source.UserID
		o.byReplyToken[came.ReplyToken], o.chatOf[e] = e, chat
		o.chats[chat] = append(o.chats[chat], e)
		if came.Type == "message" {
			o.byMessageID[came.Message.ID], e.waits = e, never
		}
	}
	return nil
}

var (
	apiKey  = regexp.MustCompile(`(?i)\r\nidempotency-key: "([^"]*)"`)
	formKey = regexp.MustCompile(`key=([0-9]+)&`)
)

// answered notes that a request was answered well.
func (o overheard) answered(request *powercut.Turn, line int) error {
	var keys []string
	switch head, body, _ := bytes.Cut(request.Bytes, []byte("\r\n\r\n")); {
	case bytes.HasPrefix(head, []byte("POST /line/webhook ")):
		var all lineEvents
		if err := json.Unmarshal(body, &all); err != nil {
			return err
		}
		for _, came := range all.Events {
			keys = append(keys, "line "+came.WebhookEventID)
		}
	case bytes.HasPrefix(head, []byte("POST /api/v1/entries ")):
		keys = append(keys, "api/1 "+string(apiKey.FindSubmatch(head)[1]))
	case bytes.HasPrefix(head, []byte("POST /entries ")):
		keys = append(keys, "web/1 "+string(formKey.FindSubmatch(body)[1]))
	}
	for _, key := range keys {
		e := o.event(key)
		e.acknowledged = min(e.acknowledged, line)
	}
	return nil
}

// The real program with a household that talks, posts, takes back, edits, makes a backup
// and compacts its file.
func TestPowerCutHouse(t *testing.T) {
	var o overheard
	calls, dir := record(t, "house", func(calls []*powercut.Call) (err error) {
		o, err = overhear(powercut.Turns(calls))
		return err
	})
	counts := map[string]int{}
	var events, backedUp []*event
	for key, e := range o.events {
		events = append(events, e)
		scope, _, _ := strings.Cut(key, " ")
		counts[scope]++
		if e.acknowledged == never {
			t.Errorf("%s was never acknowledged", key)
		}
		if e.said != never {
			counts["said"]++
		}
		if scope == "api/1" {
			copied := *e
			backedUp = append(backedUp, &copied)
		}
	}
	t.Log(counts)
	if counts["line"] < 100 || counts["api/1"] != 4 || counts["web/1"] != 4 || counts["said"] < 60 {
		t.Errorf("too little has happened")
	}
	for line := range powercut.Written(calls, "ack backup") {
		for _, e := range backedUp { // all were there before
			e.acknowledged = line
		}
	}
	ledger := powercut.Replay{Calls: calls, Root: dir, Path: dir + "/home/ichido.db"}
	tryCuts(t, ledger, dir+"/home/backup.db", events, backedUp)
	tryLies(t, ledger, events)
}
