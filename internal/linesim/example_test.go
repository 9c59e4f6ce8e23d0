package linesim_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"ichido/internal/linesim"
)

// A bot that loses the first answer and, as it should, tries the same retry key
// again: the person sees one bubble.
func Example() {
	p := linesim.New(linesim.Options{Webhook: "http://bot.test/line/webhook"})
	line := &http.Client{Transport: linesim.Transport(p)}
	user := linesim.UserID("taro")
	p.Fail(linesim.Lost())
	for range 2 {
		req, _ := http.NewRequest(http.MethodPost, "http://line.test/v2/bot/message/push",
			strings.NewReader(`{"to":"`+user+`","messages":[{"type":"text","text":"おはよう"}]}`))
		req.Header.Set("Authorization", "Bearer "+p.Token())
		req.Header.Set("X-Line-Retry-Key", "123e4567-e89b-12d3-a456-426614174000")
		if resp, err := line.Do(req); err != nil {
			fmt.Println("no answer")
		} else {
			fmt.Println(resp.StatusCode)
		}
	}
	fmt.Println(p.BotTexts(user))
	// Output:
	// no answer
	// 409
	// [おはよう]
}

// The webhook of a bot that is slow to get up: LINE delivers again.
func ExamplePlatform_DeliverUntil2xx() {
	asleep := true
	webhook := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asleep {
			asleep = false
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		body, _ := io.ReadAll(r.Body)
		fmt.Println(strings.Contains(string(body), `"isRedelivery":true`))
	})
	p := linesim.New(linesim.Options{
		Webhook: "http://bot.test/line/webhook",
		Client:  &http.Client{Transport: linesim.Transport(webhook)},
	})
	fmt.Println(p.DeliverUntil2xx(context.Background(), 3, 0, p.Text(linesim.UserID("taro"), "ランチ 900")))
	// Output:
	// true
	// 2 <nil>
}
