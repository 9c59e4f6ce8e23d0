package linesim_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ichido/internal/linesim"
)

const (
	keyA = "123e4567-e89b-12d3-a456-426614174000"
	keyB = "123E4567-E89B-52D3-A456-426614174001"
)

func TestReplyIsShownOnce(t *testing.T) {
	p := linesim.New(linesim.Options{})
	a := newAPI(t, p)
	e := p.GroupText(family, hanako, "スーパー 2480")
	a.reply(e.ReplyToken, "12 記録しました", "今月 2,480円").want(t, 200, `"sentMessages":[{"id":"`)
	a.reply(e.ReplyToken, "again").want(t, 400, `{"message":"Invalid reply token"}`)
	a.reply("00000000000000000000000000000000", "unknown").want(t, 400, `{"message":"Invalid reply token"}`)
	wantTexts(t, p, family, "12 記録しました", "今月 2,480円")
	wantTexts(t, p, hanako)

	chat := p.Chat(family)
	if len(chat) != 3 || chat[0].From != hanako || chat[0].Text != "スーパー 2480" || chat[0].Via != "" {
		t.Fatalf("chat: %+v", chat)
	}
	b := chat[2]
	if b.From != "" || b.Via != "reply" || b.Token != e.ReplyToken || b.Key != "" || b.At.IsZero() ||
		string(b.Messages) != `{"text":"今月 2,480円","type":"text"}` {
		t.Errorf("bubble: %+v", b)
	}
	if chat[1].ID == chat[2].ID || !(chat[0].ID < chat[1].ID) {
		t.Errorf("message IDs %s, %s, %s", chat[0].ID, chat[1].ID, chat[2].ID)
	}
}

func TestReplyTokenAge(t *testing.T) {
	const second = time.Second
	for name, c := range map[string]struct {
		redeliver, reply time.Duration // after the first delivery; 0 = no redelivery
		status           int
	}{
		"at once":                           {0, 0, 200},
		"a minute later":                    {0, time.Minute, 200},
		"a second more":                     {0, 61 * second, 400},
		"a minute from the redelivery":      {90 * second, 150 * second, 200},
		"over a minute from the redelivery": {90 * second, 151 * second, 400},
		"20 minutes after the event":        {1199 * second, 1200 * second, 200},
		"over 20 minutes after the event":   {1199 * second, 1201 * second, 400},
		"redelivered later than that":       {1201 * second, 1201 * second, 400},
		"redelivered an hour later":         {time.Hour, time.Hour, 400},
	} {
		for _, forget := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					p, _ := newBot(linesim.Options{Forget: forget})
					e := p.Text(taro, "x")
					e.Timestamp = time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC) // decides nothing
					begin := time.Now()
					if _, err := p.Deliver(t.Context(), e); err != nil {
						t.Fatal(err)
					}
					if c.redeliver > 0 {
						time.Sleep(c.redeliver)
						if _, err := p.Deliver(t.Context(), e.Redelivered()); err != nil {
							t.Fatal(err)
						}
					}
					time.Sleep(time.Until(begin.Add(c.reply)))
					newAPI(t, p).reply(e.ReplyToken, "ok").want(t, c.status, "")
				})
			})
		}
	}
}

func TestRedeliveryDoesNotReviveAUsedToken(t *testing.T) {
	p, _ := newBot(linesim.Options{})
	e := p.Text(taro, "x")
	a := newAPI(t, p)
	a.reply(e.ReplyToken, "1").want(t, 200, "")
	if _, err := p.Deliver(t.Context(), e.Redelivered()); err != nil {
		t.Fatal(err)
	}
	a.reply(e.ReplyToken, "2").want(t, 400, linesim.MessageReplyToken)
	wantTexts(t, p, taro, "1")
}

func TestReplyToARawEvent(t *testing.T) {
	p, _ := newBot(linesim.Options{})
	raw := json.RawMessage(`{"replyToken":"00aa","source":{"type":"room","roomId":"R1","userId":"U1"}}`)
	if _, err := p.Deliver(t.Context(), linesim.Event{Raw: raw}); err != nil {
		t.Fatal(err)
	}
	newAPI(t, p).reply("00aa", "hello").want(t, 200, "")
	wantTexts(t, p, "R1", "hello")
}

func TestReplyRefusesARetryKey(t *testing.T) {
	p := linesim.New(linesim.Options{})
	e := p.Text(taro, "x")
	a := newAPI(t, p)
	a.call("POST", "/v2/bot/message/reply", sendBody("replyToken", e.ReplyToken, []string{"x"}), "X-Line-Retry-Key", keyA).want(t, 400, "retry key")
	a.reply(e.ReplyToken, "still good").want(t, 200, "")
}

func TestTokensAreNeeded(t *testing.T) {
	p := linesim.New(linesim.Options{Token: "right"})
	e := p.Text(taro, "x")
	a := newAPI(t, p)
	for _, header := range []string{"Bearer wrong", "right", "bearer right", "Bearer ", ""} {
		a.call("POST", "/v2/bot/message/reply", sendBody("replyToken", e.ReplyToken, []string{"x"}), "Authorization", header).
			want(t, 401, `{"message":"Authentication failed.`)
		a.call("GET", "/v2/bot/info", "", "Authorization", header).want(t, 401, "")
	}
	a.reply(e.ReplyToken, "the token was not used up").want(t, 200, "")
}

func TestStatelessToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := linesim.New(linesim.Options{Secret: "s3cret", ChannelID: "42"})
		a := newAPI(t, p)
		a.call("POST", "/oauth2/v3/token", "grant_type=client_credentials&client_id=42&client_secret=no").want(t, 400, "invalid_client")
		a.call("POST", "/oauth2/v3/token", "client_id=42&client_secret=s3cret").want(t, 400, "unsupported_grant_type")
		got := a.call("POST", "/oauth2/v3/token", "grant_type=client_credentials&client_id=42&client_secret=s3cret", "Authorization", "")
		got.want(t, 200, `"expires_in":900`)
		var issued struct {
			Token string `json:"access_token"`
		}
		if err := json.Unmarshal([]byte(got.body), &issued); err != nil {
			t.Fatal(err)
		}
		a.token = issued.Token
		time.Sleep(15*time.Minute - time.Second)
		a.push(taro, "", "x").want(t, 200, "")
		time.Sleep(time.Second)
		a.push(taro, "", "x").want(t, 401, linesim.MessageUnauthorized)
	})
}

func TestRevoke(t *testing.T) {
	p := linesim.New(linesim.Options{})
	a := newAPI(t, p)
	issue := func() (token string) {
		got := a.call("POST", "/oauth2/v3/token", "grant_type=client_credentials&client_id="+linesim.DefaultChannelID+"&client_secret="+p.Secret())
		var issued struct {
			Token string `json:"access_token"`
		}
		if err := json.Unmarshal([]byte(got.body), &issued); err != nil {
			t.Fatal(err)
		}
		return issued.Token
	}
	a.token = issue()
	a.push(taro, "", "x").want(t, 200, "")
	p.Revoke()
	a.push(taro, "", "x").want(t, 401, linesim.MessageUnauthorized)
	a.token = issue()
	a.push(taro, "", "x").want(t, 200, "")
	a.token = p.Token()
	p.Revoke()
	a.push(taro, "", "x").want(t, 200, "") // the long-lived one is not revoked
}

func TestReissue(t *testing.T) {
	p := linesim.New(linesim.Options{Secret: "old", Token: "old-token"})
	a := newAPI(t, p)
	ask := func(secret string) result {
		return a.call("POST", "/oauth2/v3/token", "grant_type=client_credentials&client_id="+linesim.DefaultChannelID+"&client_secret="+secret)
	}
	signed := p.Sign([]byte("x"))
	p.Reissue("new", "")
	if p.Secret() != "new" || p.Sign([]byte("x")) == signed {
		t.Error("the secret is the old one")
	}
	ask("old").want(t, 400, "invalid_client")
	ask("new").want(t, 200, "Bearer")
	a.push(taro, "", "x").want(t, 200, "")
	p.Reissue("", "new-token")
	a.push(taro, "", "x").want(t, 401, "")
	a.token = "new-token"
	a.push(taro, "", "x").want(t, 200, "")
	ask("new").want(t, 200, "Bearer")
}

func TestPushWithRetryKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := linesim.New(linesim.Options{})
		a := newAPI(t, p)
		first := a.push(taro, keyA, "one")
		first.want(t, 200, "sentMessages")
		time.Sleep(24*time.Hour - time.Second)
		again := a.push(taro, keyA, "one")
		again.want(t, 409, `{"message":"The retry key is already accepted","sentMessages":[{"id":"`+p.Chat(taro)[0].ID)
		if id := first.header.Get("X-Line-Request-Id"); id == "" || again.header.Get("X-Line-Accepted-Request-Id") != id {
			t.Errorf("accepted request ID %q, want %q", again.header.Get("X-Line-Accepted-Request-Id"), id)
		}
		a.push(taro, keyB, "another key").want(t, 200, "")
		a.push(taro, "", "no key").want(t, 200, "")
		a.push(taro, "", "no key").want(t, 200, "")
		wantTexts(t, p, taro, "one", "another key", "no key", "no key")
		time.Sleep(time.Second)
		a.push(taro, keyA, "one").want(t, 200, "")
		if b := p.Chat(taro); len(b) != 5 || b[4].Key != keyA || b[4].Via != "push" {
			t.Errorf("%+v", b)
		}
	})
}

func TestRetryKeyAgesFromTheFirstAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := linesim.New(linesim.Options{})
		a := newAPI(t, p)
		p.Fail(linesim.NotAccepted(500, ""))
		a.push(taro, keyA, "x").want(t, 500, "")
		time.Sleep(time.Hour)
		a.push(taro, keyA, "x").want(t, 200, "")
		time.Sleep(23 * time.Hour)
		a.push(taro, keyA, "x").want(t, 200, "") // LINE has forgotten: twice in the chat
		wantTexts(t, p, taro, "x", "x")
	})
}

func TestQuota(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// The bubble begins at 2000-01-01 09:00 in Japan.
		p := linesim.New(linesim.Options{})
		a := newAPI(t, p)
		a.call("GET", "/v2/bot/message/quota", "").want(t, 200, `{"type":"none"}`)
		p.SetQuota(7)
		p.SetMembers(family, linesim.UserID("one"), linesim.UserID("two"), linesim.UserID("who was there before"))
		p.SetMembers(family, taro, hanako, linesim.UserID("jiro"))
		p.GroupText(family, linesim.UserID("saburo"), "speaks")
		p.MemberLeft(linesim.Group(family, ""), taro)
		a.push(family, keyA, "to three").want(t, 200, "")
		a.push(family, keyA, "to three").want(t, 409, "") // costs nothing
		a.push(family, "", "a", "b", "c").want(t, 200, "")
		a.push(family, keyB, "too many").want(t, 429, `{"message":"You have reached your monthly limit."}`)
		a.push(taro, "", "the last one").want(t, 200, "")
		a.push(taro, "", "over").want(t, 429, linesim.MessageQuota)
		a.reply(p.Text(taro, "x").ReplyToken, "free of charge").want(t, 200, "")
		a.call("GET", "/v2/bot/message/quota", "").want(t, 200, `{"type":"limited","value":7}`)
		a.call("GET", "/v2/bot/message/quota/consumption", "").want(t, 200, `{"totalUsage":7}`)
		wantTexts(t, p, taro, "the last one", "free of charge")

		time.Sleep(time.Until(time.Date(2000, 1, 31, 14, 59, 59, 0, time.UTC)))
		a.push(taro, "", "still January in Japan").want(t, 429, "")
		time.Sleep(time.Second)
		a.push(family, keyB, "February").want(t, 200, "")
	})
}

func TestBlocked(t *testing.T) {
	p := linesim.New(linesim.Options{})
	p.SetQuota(0)
	a := newAPI(t, p)
	p.SetBlocked(taro, true)
	a.push(taro, keyA, "x").want(t, 200, "sentMessages")
	a.push(taro, keyA, "x").want(t, 409, "")
	wantTexts(t, p, taro)
	p.SetQuota(1)
	p.Follow(taro, true)
	a.push(taro, keyB, "welcome back").want(t, 200, "")
	wantTexts(t, p, taro, "welcome back")
}

func TestBadRequests(t *testing.T) {
	p := linesim.New(linesim.Options{})
	a := newAPI(t, p)
	text := func(s string) string { return `{"type":"text","text":"` + s + `"}` }
	quick := func(n int, label string) string {
		item := `{"type":"action","action":{"type":"message","label":"` + label + `","text":"t"}}`
		return `{"type":"text","text":"x","quickReply":{"items":[` + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + `]}}`
	}
	flex := func(contents string) string { return `{"type":"flex","altText":"a","contents":` + contents + `}` }
	button := func(action string) string {
		return flex(`{"type":"bubble","footer":{"type":"box","layout":"vertical","contents":[{"type":"button","action":` + action + `}]}}`)
	}
	fat := `{"type":"bubble","x":"` + strings.Repeat("x", 29<<10) + `"}`
	for name, c := range map[string]struct{ messages, part string }{
		"no messages":           {``, `{"message":"Size must be between 1 and 5","property":"messages"}`},
		"six messages":          {strings.Repeat(text("x")+",", 5) + text("x"), "Size must be between 1 and 5"},
		"empty text":            {text(""), `{"message":"The request body has 1 error(s)","details":[{"message":"May not be empty","property":"messages[0].text"}]}`},
		"5001 units":            {text("x") + "," + text(strings.Repeat("あ", 5001)), `"messages[1].text"`},
		"5002 units in pairs":   {text(strings.Repeat("😀", 2501)), "Length must be between 0 and 5000"},
		"unknown type":          {`{"type":"hologram"}`, "messages[0].type"},
		"empty type":            {`{"type":"","text":"x"}`, "messages[0].type"},
		"not an object":         {`7`, "messages[0]"},
		"14 quick replies":      {quick(14, "a"), "quickReply.items"},
		"label of 21":           {quick(1, strings.Repeat("字", 21)), "items[0].action.label"},
		"action without a type": {button(`{"type":"","label":"a","data":"b"}`), "/footer/contents/0/action/type"},
		"postback without data": {button(`{"type":"postback","label":"a"}`), "/footer/contents/0/action/data"},
		"data of 301":           {button(`{"type":"postback","label":"a","data":"` + strings.Repeat("x", 301) + `"}`), "/footer/contents/0/action/data"},
		"button label of 41":    {button(`{"type":"postback","data":"a","label":"` + strings.Repeat("x", 41) + `"}`), "/footer/contents/0/action/label"},
		"no alt text":           {`{"type":"flex","altText":"","contents":{"type":"bubble"}}`, "altText"},
		"no container":          {`{"type":"flex","altText":"x"}`, "messages[0].contents"},
		"container of no type":  {flex(`{}`), `"property":"/type"`},
		"component of no type":  {flex(`{"type":"bubble","body":{"type":"box","contents":[{"text":"x"}]}}`), "/body/contents/0/type"},
		"body of empty type":    {flex(`{"type":"bubble","body":{"type":"","contents":[]}}`), "/body/type"},
		"13 bubbles":            {flex(`{"type":"carousel","contents":[` + strings.Repeat(`{"type":"bubble"},`, 12) + `{"type":"bubble"}]}`), "Size must be between 1 and 12"},
		"31 KB in a carousel":   {flex(`{"type":"carousel","contents":[{"type":"bubble","x":"` + strings.Repeat("x", 31<<10) + `"}]}`), `30720 bytes, is 31768","property":"/contents/0"`},
		"carousel of 58 KB":     {flex(`{"type":"carousel","contents":[` + fat + `,` + fat + `]}`), "51200 bytes"},
		"displayText of 301":    {button(`{"type":"postback","data":"a","label":"b","displayText":"` + strings.Repeat("字", 301) + `"}`), "/footer/contents/0/action/displayText"},
		"bubble of 31 KB":       {flex(`{"type":"bubble","x":"` + strings.Repeat("x", 31<<10) + `"}`), "30720 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAPI(t, p)
			token := p.Text(taro, "x").ReplyToken
			a.call("POST", "/v2/bot/message/reply", `{"replyToken":"`+token+`","messages":[`+c.messages+`]}`).want(t, 400, c.part)
			a.call("POST", "/v2/bot/message/push", `{"to":"`+taro+`","messages":[`+c.messages+`]}`, "X-Line-Retry-Key", keyA).want(t, 400, c.part)
			a.reply(token, "the token is still good").want(t, 200, "")
		})
	}
	hanakos := func(messages string) string { return `{"to":"` + hanako + `","messages":[` + messages + `]}` }
	a.call("POST", "/v2/bot/message/push", hanakos(text(strings.Repeat("あ", 5000)))).want(t, 200, "")
	a.call("POST", "/v2/bot/message/push", hanakos(quick(13, strings.Repeat("👨‍👩‍👧", 10)+strings.Repeat("か\u3099", 10)))).want(t, 200, "")
	a.call("POST", "/v2/bot/message/push", `{"to":`).want(t, 400, "could not be parsed as JSON")
	a.push("taro", keyA, "x").want(t, 400, "The property, 'to'")
	a.push("U"+strings.Repeat("A", 32), keyA, "x").want(t, 400, "The property, 'to'")
	a.push(hanako, "one-two", "x").want(t, 400, "retry key")
	a.call("POST", "/v2/bot/message/push", hanakos(text(strings.Repeat("x", 3<<20)))).want(t, 413, "")
	a.push(hanako, keyA, "none of the refusals took the key").want(t, 200, "")
}

func TestFaults(t *testing.T) {
	for name, c := range map[string]struct {
		fault    linesim.Fault
		status   int // 0 = cut
		part     string
		accepted bool
	}{
		"none":       {linesim.Fault{}, 200, "sentMessages", true},
		"401":        {linesim.NotAccepted(401, ""), 401, linesim.MessageUnauthorized, false},
		"rate limit": {linesim.NotAccepted(429, ""), 429, linesim.MessageRateLimit, false},
		"quota":      {linesim.NotAccepted(429, linesim.MessageQuota), 429, linesim.MessageQuota, false},
		"500":        {linesim.NotAccepted(500, ""), 500, `{"message":"Internal Server Error"}`, false},
		"refuse":     {linesim.Refuse(), 0, "", false},
		"lost":       {linesim.Lost(), 0, "", true},
		"500 after":  {linesim.Accepted500(), 500, `{"message":"Internal Server Error"}`, true},
		"garbled":    {linesim.Garbled(), 200, `{"sentMessages":[{"id":`, true},
		"slow":       {linesim.Slow(time.Millisecond), 200, "sentMessages", true},
	} {
		t.Run(name, func(t *testing.T) {
			p := linesim.New(linesim.Options{})
			a := newAPI(t, p)
			e := p.Text(taro, "x")
			p.Fail(c.fault, c.fault)
			spoilt := []result{a.reply(e.ReplyToken, "reply"), a.push(taro, keyA, "push")}
			for _, r := range spoilt {
				if c.status == 0 {
					r.wantCut(t)
				} else {
					r.want(t, c.status, c.part)
				}
			}
			if json.Valid([]byte(spoilt[0].body)) == (name == "garbled" || c.status == 0) {
				t.Errorf("body %q", spoilt[0].body)
			}
			var want []string
			again := [2]int{200, 200}
			if c.accepted {
				want, again = []string{"reply", "push"}, [2]int{400, 409}
			}
			wantTexts(t, p, taro, want...)
			a.reply(e.ReplyToken, "reply").want(t, again[0], "")
			a.push(taro, keyA, "push").want(t, again[1], "")
			wantTexts(t, p, taro, "reply", "push")

			calls := p.Calls()
			if len(calls) != 4 || calls[0].Status != c.status || calls[1].Accepted != c.accepted || calls[1].RetryKey != keyA || calls[3].Status != again[1] {
				t.Errorf("calls: %+v", calls)
			}
			if c.fault != linesim.Refuse() && (calls[0].ReplyToken != e.ReplyToken || calls[1].To != taro) {
				t.Errorf("calls: %+v", calls)
			}
		})
	}
}

func TestFaultsOfRefusedCalls(t *testing.T) {
	p := linesim.New(linesim.Options{})
	a := newAPI(t, p)
	p.Fail(linesim.Lost(), linesim.Accepted500(), linesim.Slow(0))
	a.reply("bad", "x").wantCut(t)
	a.reply("bad", "x").want(t, 500, "")
	a.reply("bad", "x").want(t, 400, "")
	wantTexts(t, p, taro)
}

func TestSetFault(t *testing.T) {
	p := linesim.New(linesim.Options{})
	a := newAPI(t, p)
	p.SetFault(func(r *http.Request) linesim.Fault {
		if r.URL.Path == "/v2/bot/info" {
			return linesim.Fault{}
		}
		return linesim.Down()
	})
	p.Fail(linesim.NotAccepted(503, ""))
	a.call("GET", "/v2/bot/message/quota", "").wantRefused(t)
	a.push(taro, keyA, "x").want(t, 503, "")
	a.push(taro, keyA, "x").wantRefused(t)
	a.call("GET", "/v2/bot/info", "").want(t, 200, "")
	p.SetFault(nil)
	a.push(taro, keyA, "up again").want(t, 200, "")
	wantTexts(t, p, taro, "up again")
}

func TestSlowLosesItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := linesim.New(linesim.Options{})
		a := newAPI(t, p)
		a.client.Timeout = 10 * time.Second
		p.Fail(linesim.Slow(9*time.Second), linesim.Slow(time.Minute))
		begin := time.Now()
		a.push(taro, "", "patience").want(t, 200, "")
		if r := a.push(taro, "", "too slow"); r.err == nil || time.Since(begin) != 19*time.Second {
			t.Errorf("%+v after %v", r, time.Since(begin))
		}
		synctest.Wait()
		wantTexts(t, p, taro, "patience", "too slow")
		calls := p.Calls()
		if calls[0].Status != 200 || calls[1].Status != 0 || !calls[1].Accepted {
			t.Errorf("%+v", calls)
		}
	})
}

func TestForgetKeepsTheRules(t *testing.T) {
	p := linesim.New(linesim.Options{Forget: true})
	a := newAPI(t, p)
	e := p.Text(taro, "x")
	a.reply(e.ReplyToken, "1").want(t, 200, "")
	a.reply(e.ReplyToken, "1").want(t, 400, "")
	a.push(taro, keyA, "2").want(t, 200, "")
	a.push(taro, keyA, "2").want(t, 409, "")
	if diff := cmp.Diff([]int{0, 0}, []int{len(p.Chat(taro)), len(p.Calls())}); diff != "" {
		t.Error(diff)
	}
	if _, err := p.Wait(short(t), taro, 2); err != nil {
		t.Errorf("waiting: %v", err)
	}
}

func TestAtTheSameTimeOneIsAccepted(t *testing.T) {
	p := linesim.New(linesim.Options{})
	a := newAPI(t, p)
	token := p.Text(taro, "x").ReplyToken
	var mu sync.Mutex
	count := map[int]int{}
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			reply, push := a.reply(token, "reply"), a.push(taro, keyA, "push")
			mu.Lock()
			defer mu.Unlock()
			count[reply.status]++
			count[push.status]++
		})
	}
	wg.Wait()
	if diff := cmp.Diff(map[int]int{200: 2, 400: 15, 409: 15}, count); diff != "" {
		t.Error(diff)
	}
	if n := len(p.BotTexts(taro)); n != 2 {
		t.Errorf("%d bubbles", n)
	}
}

// FuzzMessage looks for messages that break the platform instead of being
// accepted or refused.
func FuzzMessage(f *testing.F) {
	f.Add(flexWithButtons)
	f.Add(`{"type":"template","altText":"a","template":{"type":"confirm","actions":[{"type":"postback","label":"a","data":"b"},7]}}`)
	f.Add(`{"type":"flex","altText":"a","contents":{"type":"carousel","contents":[null,{}]}}`)
	f.Add(`{"type":"text","text":"\ud800","quickReply":{"items":[null]}}`)
	p := linesim.New(linesim.Options{Forget: true})
	f.Fuzz(func(t *testing.T, message string) {
		body := `{"to":"` + taro + `","messages":[` + message + `]}`
		r := newAPI(t, p).call("POST", "/v2/bot/message/push", body)
		if r.err != nil || r.status != 200 && r.status != 400 && r.status != 413 {
			t.Errorf("%d %s %v", r.status, r.body, r.err)
		}
		if r.status == 200 && !json.Valid([]byte(body)) {
			t.Error("accepted what is no JSON")
		}
	})
}
