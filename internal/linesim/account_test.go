package linesim_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ichido/internal/linesim"
)

func TestProfiles(t *testing.T) {
	p := linesim.New(linesim.Options{})
	a := newAPI(t, p)
	p.SetProfile(taro, "太郎")
	p.SetProfile(hanako, "花子")
	p.GroupText(family, hanako, "x")
	room := linesim.RoomID("r")
	p.MemberJoined(linesim.Room(room, ""), taro)
	profile, member := "/v2/bot/profile/", "/v2/bot/group/"+family+"/member/"
	a.call("GET", profile+taro, "").want(t, 200, `"displayName":"太郎"`)
	a.call("GET", profile+linesim.UserID("nobody"), "").want(t, 404, `{"message":"Not found"}`)
	a.call("GET", member+hanako, "").want(t, 200, `"userId":"`+hanako)
	a.call("GET", member+taro, "").want(t, 404, "")
	a.call("GET", "/v2/bot/room/"+room+"/member/"+taro, "").want(t, 200, "太郎")
	p.MemberLeft(linesim.Group(family, ""), hanako)
	a.call("GET", member+hanako, "").want(t, 404, "")
	p.Unfollow(taro)
	a.call("GET", profile+taro, "").want(t, 404, "")
}

func TestInfoAndUnknownPaths(t *testing.T) {
	p := linesim.New(linesim.Options{})
	a := newAPI(t, p)
	info := a.call("GET", "/v2/bot/info", "")
	info.want(t, 200, `"userId":"`+linesim.BotUserID+`"`)
	if id := info.header.Get("X-Line-Request-Id"); len(id) != 36 || p.Calls()[0].RequestID != id {
		t.Errorf("request ID %q, logged %q", id, p.Calls()[0].RequestID)
	}
	a.call("GET", "/v2/bot/elsewhere", "").want(t, 404, `{"message":"Not found"}`)
	a.call("GET", "/v2/bot/message/push", "").want(t, 404, "")
}

func TestLoading(t *testing.T) {
	a := newAPI(t, linesim.New(linesim.Options{}))
	start := func(body string) result { return a.call("POST", "/v2/bot/chat/loading/start", body) }
	start(`{"chatId":"`+taro+`"}`).want(t, 202, "{}")
	start(`{"chatId":"`+taro+`","loadingSeconds":60}`).want(t, 202, "{}")
	start(`{"chatId":"`+taro+`","loadingSeconds":7}`).want(t, 400, "loadingSeconds")
	start(`{"chatId":"`+family+`"}`).want(t, 400, "chatId")
	start(`[]`).want(t, 400, "JSON")
}

func TestWebhookEndpoint(t *testing.T) {
	p := linesim.New(linesim.Options{})
	a := newAPI(t, p)
	const path = "/v2/bot/channel/webhook/endpoint"
	a.call("GET", path, "").want(t, 404, "")
	for _, bad := range []string{"http://example.com/", "ftp://127.0.0.1/", "/line", "https://e.com/" + strings.Repeat("x", 500)} {
		a.call("PUT", path, `{"endpoint":"`+bad+`"}`).want(t, 400, "Invalid webhook endpoint URL")
	}
	for _, good := range []string{"https://example.com/line/webhook", "http://127.0.0.1:8080/line/webhook", "http://localhost/"} {
		a.call("PUT", path, `{"endpoint":"`+good+`"}`).want(t, 200, "{}")
		a.call("GET", path, "").want(t, 200, `{"active":true,"endpoint":"`+good+`"}`)
	}
}

func TestWebhookTest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, in := newBot(linesim.Options{}, nothing, status(403), hang(time.Minute), cut)
		a := newAPI(t, p)
		a.client.Timeout = time.Hour
		test := func() result { return a.call("POST", "/v2/bot/channel/webhook/test", "") }
		test().want(t, 200, `{"detail":"200","reason":"OK","statusCode":200,"success":true,"timestamp":"2000-01-01T00:00:00.000Z"}`)
		if got := <-in.got; !strings.HasSuffix(string(got.body), `"events":[]}`) || got.signature != p.Sign(got.body) {
			t.Errorf("%s signed %s", got.body, got.signature)
		}
		test().want(t, 200, `"reason":"ERROR_STATUS_CODE","statusCode":403,"success":false`)
		test().want(t, 200, `"reason":"REQUEST_TIMEOUT","statusCode":0,"success":false`)
		test().want(t, 200, `"reason":"COULD_NOT_CONNECT","statusCode":0,"success":false`)
		time.Sleep(time.Minute) // the handler that hangs ends
		p.SetWebhook("")
		test().want(t, 404, "")
		a.call("POST", "/v2/bot/channel/webhook/test", `{"endpoint":"https://elsewhere.test/"}`).want(t, 200, `"success":true`)
	})
}

func nothing(http.ResponseWriter, *http.Request) {}
