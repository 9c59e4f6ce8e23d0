package linesim_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/line/line-bot-sdk-go/v8/linebot/channel_access_token"
	"github.com/line/line-bot-sdk-go/v8/linebot/messaging_api"
	"github.com/line/line-bot-sdk-go/v8/linebot/webhook"

	"ichido/internal/linesim"
)

func newSDK(t *testing.T, url, token string) *messaging_api.MessagingApiAPI {
	t.Helper()
	sdk, err := messaging_api.NewMessagingApiAPI(token, messaging_api.WithEndpoint(url),
		messaging_api.WithHTTPClient(&http.Client{Timeout: 5 * time.Second}))
	if err != nil {
		t.Fatal(err)
	}
	return sdk
}

func text(s string) []messaging_api.MessageInterface {
	return []messaging_api.MessageInterface{messaging_api.TextMessage{Text: s}}
}

// TestSDKConversation is a whole conversation on sockets: the SDK's webhook
// parser and its client against the platform.
func TestSDKConversation(t *testing.T) {
	p := linesim.New(linesim.Options{})
	url, stop := p.Start()
	defer stop()
	sdk := newSDK(t, url, p.Token())
	webhookServer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		cb, err := webhook.ParseRequest(p.Secret(), r)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		for _, e := range cb.Events {
			e := e.(webhook.MessageEvent)
			said := e.Message.(webhook.TextMessageContent).Text
			if _, err := sdk.ReplyMessage(&messaging_api.ReplyMessageRequest{ReplyToken: e.ReplyToken, Messages: text(said + "!")}); err != nil {
				t.Error(err)
			}
		}
	}))
	defer webhookServer.Close()
	p.SetWebhook(webhookServer.URL)
	code, err := p.Deliver(short(t), p.Text(taro, "ランチ 900"), p.GroupText(family, hanako, "スーパー 2480"))
	if code != 200 || err != nil {
		t.Fatalf("%d, %v", code, err)
	}
	if _, err := p.Wait(short(t), family, 1); err != nil {
		t.Fatal(err)
	}
	wantTexts(t, p, taro, "ランチ 900!")
	wantTexts(t, p, family, "スーパー 2480!")

	verified, err := sdk.TestWebhookEndpoint(&messaging_api.TestWebhookEndpointRequest{})
	if err != nil || !verified.Success || verified.StatusCode != 200 {
		t.Errorf("testing the webhook: %+v, %v", verified, err)
	}
}

func TestSDKPush(t *testing.T) {
	p := linesim.New(linesim.Options{})
	url, stop := p.Start()
	defer stop()
	sdk := newSDK(t, url, p.Token())
	push := func(key string) (int, *messaging_api.PushMessageResponse, error) {
		resp, sent, err := sdk.PushMessageWithHttpInfo(&messaging_api.PushMessageRequest{To: taro, Messages: text("x")}, key)
		if resp == nil {
			return 0, sent, err
		}
		return resp.StatusCode, sent, err
	}
	p.Fail(linesim.Refuse(), linesim.Lost())
	for range 2 {
		if code, _, err := push(keyA); code != 0 || err == nil {
			t.Errorf("cut: %d, %v", code, err)
		}
	}
	if code, _, err := push(keyA); code != 409 || err == nil {
		t.Errorf("after a lost answer: %d, %v", code, err)
	}
	code, sent, err := push(keyB)
	if code != 200 || err != nil || sent.SentMessages[0].Id != p.Chat(taro)[1].ID {
		t.Errorf("%d, %+v, %v", code, sent, err)
	}
	p.Fail(linesim.Garbled())
	if code, _, err := push("123e4567-e89b-12d3-a456-426614174002"); code != 200 || err == nil {
		t.Errorf("garbled: %d, %v", code, err)
	}
	wantTexts(t, p, taro, "x", "x", "x")
}

func TestSDKAccount(t *testing.T) {
	p := linesim.New(linesim.Options{})
	url, stop := p.Start()
	defer stop()
	tokens, err := channel_access_token.NewChannelAccessTokenAPI(channel_access_token.WithEndpoint(url))
	if err != nil {
		t.Fatal(err)
	}
	issued, err := tokens.IssueStatelessChannelTokenByClientSecret(linesim.DefaultChannelID, p.Secret())
	if err != nil || issued.ExpiresIn != 900 || issued.TokenType != "Bearer" {
		t.Fatalf("%+v, %v", issued, err)
	}
	sdk := newSDK(t, url, issued.AccessToken)
	p.SetProfile(taro, "太郎")
	p.SetMembers(family, taro)
	p.SetQuota(200)
	if got, err := sdk.GetProfile(taro); err != nil || got.DisplayName != "太郎" {
		t.Errorf("profile: %+v, %v", got, err)
	}
	if got, err := sdk.GetGroupMemberProfile(family, taro); err != nil || got.DisplayName != "太郎" {
		t.Errorf("member: %+v, %v", got, err)
	}
	if got, err := sdk.GetBotInfo(); err != nil || got.UserId != linesim.BotUserID {
		t.Errorf("info: %+v, %v", got, err)
	}
	if got, err := sdk.GetMessageQuota(); err != nil || got.Value != 200 || got.Type != messaging_api.QuotaType_LIMITED {
		t.Errorf("quota: %+v, %v", got, err)
	}
	if got, err := sdk.GetMessageQuotaConsumption(); err != nil || got.TotalUsage != 0 {
		t.Errorf("consumption: %+v, %v", got, err)
	}
	if _, err := sdk.ShowLoadingAnimation(&messaging_api.ShowLoadingAnimationRequest{ChatId: taro, LoadingSeconds: 5}); err != nil {
		t.Errorf("loading: %v", err)
	}
	if _, err := sdk.SetWebhookEndpoint(&messaging_api.SetWebhookEndpointRequest{Endpoint: "https://example.com/"}); err != nil {
		t.Errorf("setting the webhook: %v", err)
	}
	if got, err := sdk.GetWebhookEndpoint(); err != nil || got.Endpoint != "https://example.com/" || !got.Active {
		t.Errorf("webhook: %+v, %v", got, err)
	}
}

func TestSlowOnASocketSeesItsCallerGo(t *testing.T) {
	p := linesim.New(linesim.Options{})
	url, stop := p.Start()
	defer stop()
	p.Fail(linesim.Slow(time.Hour))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v2/bot/message/push", strings.NewReader(sendBody("to", taro, []string{"x"})))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+p.Token())
	if _, err := http.DefaultClient.Do(req); err == nil {
		t.Error("an answer came")
	}
	wantTexts(t, p, taro, "x")
	for end := time.Now().Add(5 * time.Second); p.Calls()[0].Status != 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the platform still waits for a caller who is gone")
		}
	}
}

func TestStopAndListenAgain(t *testing.T) {
	p := linesim.New(linesim.Options{})
	url, stop := p.Start()
	sdk := newSDK(t, url, p.Token())
	if _, err := sdk.GetBotInfo(); err != nil {
		t.Fatal(err)
	}
	stop()
	stop()
	_, err := sdk.GetBotInfo()
	result{err: err}.wantRefused(t)
	if _, again, err := p.Listen(strings.TrimPrefix(url, "http://")); err != nil {
		t.Error(err)
	} else {
		defer again()
	}
	if _, err := sdk.GetBotInfo(); err != nil {
		t.Errorf("after it came back: %v", err)
	}
	if _, _, err := p.Listen("127.0.0.1:no"); err == nil {
		t.Error("listened on nothing")
	}
}

func TestNoRedirectIsFollowed(t *testing.T) {
	webhookServer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		}
	}))
	defer webhookServer.Close()
	p := linesim.New(linesim.Options{Webhook: webhookServer.URL})
	if code, err := p.Deliver(short(t), p.Text(taro, "x")); code != http.StatusTemporaryRedirect || err != nil {
		t.Errorf("%d, %v", code, err)
	}
}

func BenchmarkReply(b *testing.B) {
	p := linesim.New(linesim.Options{Forget: true})
	client := &http.Client{Transport: linesim.Transport(p)}
	for b.Loop() {
		body := sendBody("replyToken", p.Text(taro, "x").ReplyToken, []string{"ok"})
		req, _ := http.NewRequest(http.MethodPost, "http://line.test/v2/bot/message/reply", strings.NewReader(body))
		req.Header.Set("Authorization", "Bearer "+p.Token())
		resp, err := client.Do(req)
		if err != nil || resp.StatusCode != 200 {
			b.Fatal(resp, err)
		}
	}
}
