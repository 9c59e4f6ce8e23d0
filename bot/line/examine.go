package line

import (
	"context"
	"fmt"
	"net/http"

	"github.com/line/line-bot-sdk-go/v8/linebot/messaging_api"
)

// Info is what LINE calls the bot.
type Info struct{ Name, BasicID string }

// Info asks who the bot is. That LINE answers shows that the credentials are good.
func (c *Channel) Info(ctx context.Context) (info Info, err error) {
	_, err = c.call(ctx, "asking for the bot's name", func(api *messaging_api.MessagingApiAPI, _ *messaging_api.MessagingApiBlobAPI) (*http.Response, error) {
		res, bot, err := api.GetBotInfoWithHttpInfo()
		if err == nil {
			info = Info{bot.DisplayName, bot.BasicId}
		}
		return res, err
	})
	if err == nil && info.BasicID == "" {
		err = fmt.Errorf("asking for the bot's name: %w: its answer names none", ErrUnreachable)
	}
	return info, err
}

// Webhook is where LINE sends webhooks. The zero value is nowhere.
type Webhook struct {
	URL    string
	Active bool // the console's switch "Use webhook"
}

// Webhook asks where LINE sends webhooks.
func (c *Channel) Webhook(ctx context.Context) (hook Webhook, err error) {
	status, err := c.call(ctx, "asking for the webhook URL", func(api *messaging_api.MessagingApiAPI, _ *messaging_api.MessagingApiBlobAPI) (*http.Response, error) {
		res, answer, err := api.GetWebhookEndpointWithHttpInfo()
		if err == nil {
			hook = Webhook{answer.Endpoint, answer.Active}
		}
		return res, err
	})
	if status == http.StatusNotFound {
		return Webhook{}, nil // none was ever set
	}
	return hook, err
}

// WebhookTest is how a webhook of LINE's without events ended.
type WebhookTest struct {
	Success bool
	Status  int    // the server's answer; 0 or less: there was none
	Reason  string // LINE's word: OK, COULD_NOT_CONNECT, REQUEST_TIMEOUT, ERROR_STATUS_CODE, UNCLASSIFIED
	Detail  string
}

// testTimeout limits the test of a webhook, at whose end LINE itself waits for an answer
// for a time that it does not tell.
const testTimeout = 3 * callTimeout

// TestWebhook has LINE send a webhook without events to url, "" for the one that is
// set. LINE allows 60 an hour.
func (c *Channel) TestWebhook(ctx context.Context, url string) (t WebhookTest, err error) {
	_, err = c.callWithin(ctx, testTimeout, "testing the webhook", func(api *messaging_api.MessagingApiAPI, _ *messaging_api.MessagingApiBlobAPI) (*http.Response, error) {
		res, answer, err := api.TestWebhookEndpointWithHttpInfo(&messaging_api.TestWebhookEndpointRequest{Endpoint: url})
		if err == nil {
			t = WebhookTest{answer.Success, int(answer.StatusCode), answer.Reason, answer.Detail}
		}
		return res, err
	})
	return t, err
}

// Quota says how many push messages may be sent this month and how many were. LINE
// calls the second an approximation.
type Quota struct {
	Unlimited   bool
	Limit, Used int
}

// Quota asks for the quota of push messages.
func (c *Channel) Quota(ctx context.Context) (q Quota, err error) {
	_, err = c.call(ctx, "asking for the quota", func(api *messaging_api.MessagingApiAPI, _ *messaging_api.MessagingApiBlobAPI) (*http.Response, error) {
		res, limit, err := api.GetMessageQuotaWithHttpInfo()
		if err == nil {
			q.Unlimited, q.Limit = limit.Type == messaging_api.QuotaType_NONE, int(limit.Value)
		}
		return res, err
	})
	if err != nil {
		return q, err
	}
	_, err = c.call(ctx, "asking for what is used of the quota", func(api *messaging_api.MessagingApiAPI, _ *messaging_api.MessagingApiBlobAPI) (*http.Response, error) {
		res, used, err := api.GetMessageQuotaConsumptionWithHttpInfo()
		if err == nil {
			q.Used = int(used.TotalUsage)
		}
		return res, err
	})
	return q, err
}
