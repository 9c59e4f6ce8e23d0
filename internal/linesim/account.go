package linesim

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// The calls besides reply and push. All handlers run with Platform.mu held.

func (p *Platform) profile(c *call) answer {
	id := c.r.PathValue("user")
	if p.blocked[id] {
		return notFound(c) // LINE reference: also for who has blocked the bot
	}
	return p.profileOf(c, id)
}

func (p *Platform) memberProfile(c *call) answer {
	id := c.r.PathValue("user")
	if !p.members[c.r.PathValue("chat")][id] {
		return notFound(c)
	}
	return p.profileOf(c, id)
}

func (p *Platform) profileOf(c *call, id string) answer {
	name, ok := p.names[id]
	if !ok {
		return notFound(c)
	}
	return success(http.StatusOK, map[string]string{
		"userId": id, "displayName": name, "language": "ja",
		"pictureUrl": "https://profile.line-scdn.net/" + id,
	})
}

func (p *Platform) info(*call) answer {
	return success(http.StatusOK, map[string]string{
		"userId": BotUserID, "basicId": BotBasicID, "displayName": BotName,
		"chatMode": "bot", "markAsReadMode": "auto",
	})
}

func (p *Platform) quotaLimit(*call) answer {
	if p.quota < 0 {
		return success(http.StatusOK, map[string]any{"type": "none"})
	}
	return success(http.StatusOK, map[string]any{"type": "limited", "value": p.quota})
}

func (p *Platform) quotaUse(c *call) answer {
	p.turnMonth(c.At)
	return success(http.StatusOK, map[string]int{"totalUsage": p.used})
}

// issueToken makes a stateless channel access token.
func (p *Platform) issueToken(c *call) answer {
	form, err := url.ParseQuery(string(c.Body))
	switch {
	case err != nil || form.Get("grant_type") != "client_credentials":
		return oauthError("unsupported_grant_type")
	case form.Get("client_id") != p.channelID || form.Get("client_secret") != p.secret:
		return oauthError("invalid_client")
	}
	token := newToken() + newToken()
	p.issued.put(c.At, token, struct{}{})
	return success(http.StatusOK, map[string]any{
		"token_type": "Bearer", "access_token": token, "expires_in": int(IssuedTokenAge.Seconds()),
	})
}

func oauthError(code string) answer {
	return success(http.StatusBadRequest, map[string]string{"error": code})
}

func (p *Platform) endpoint(c *call) answer {
	if p.webhook == "" {
		return notFound(c)
	}
	return success(http.StatusOK, map[string]any{"endpoint": p.webhook, "active": !p.idle})
}

func (p *Platform) setEndpoint(c *call) answer {
	var req struct{ Endpoint string }
	if refusal, ok := c.parse(&req); !ok {
		return refusal
	}
	if !allowedEndpoint(req.Endpoint) {
		return failure(http.StatusBadRequest, "Invalid webhook endpoint URL")
	}
	p.webhook = req.Endpoint
	return success(http.StatusOK, struct{}{})
}

// allowedEndpoint says whether LINE takes a webhook URL: HTTPS, at most 500
// characters. Loopback may do without TLS, as it has no public certificate.
func allowedEndpoint(s string) bool {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || len(s) > 500 {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	loopback := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	return u.Scheme == "https" || u.Scheme == "http" && loopback
}

// testEndpoint posts a webhook without events and tells how it went.
func (p *Platform) testEndpoint(c *call) answer {
	var req struct{ Endpoint string }
	if len(c.Body) > 0 {
		if refusal, ok := c.parse(&req); !ok {
			return refusal
		}
	}
	target := or(req.Endpoint, p.webhook)
	if target == "" {
		return notFound(c)
	}
	p.mu.Unlock() // the bot may call the API before it answers
	defer p.mu.Lock()
	status, err := p.verify(c.r.Context(), target)
	return success(http.StatusOK, map[string]any{
		"success":    err == nil && status == http.StatusOK,
		"timestamp":  c.At.UTC().Format("2006-01-02T15:04:05.000Z"),
		"statusCode": status,
		"reason":     testReason(status, err),
		"detail":     testDetail(status, err),
	})
}

func (p *Platform) verify(ctx context.Context, target string) (status int, err error) {
	ctx, cancel := context.WithTimeout(ctx, WebhookTimeout)
	defer cancel()
	req, err := p.requestTo(ctx, target, p.Body())
	if err != nil {
		return 0, err
	}
	return p.post(req)
}

func testReason(status int, err error) string {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "REQUEST_TIMEOUT"
	case err != nil:
		return "COULD_NOT_CONNECT"
	case status != http.StatusOK:
		return "ERROR_STATUS_CODE"
	}
	return "OK"
}

func testDetail(status int, err error) string {
	if err != nil {
		return err.Error()
	}
	return strconv.Itoa(status)
}

// loading takes the animation that tells a person in a 1:1 chat to wait.
func (p *Platform) loading(c *call) answer {
	var req struct {
		ChatID         string
		LoadingSeconds *int
	}
	if refusal, ok := c.parse(&req); !ok {
		return refusal
	}
	c.To = req.ChatID
	if !chatIDForm.MatchString(req.ChatID) || req.ChatID[0] != 'U' {
		return badBody(detail{"The value must be a user ID", "chatId"})
	}
	if s := req.LoadingSeconds; s != nil && (*s < 5 || *s > 60 || *s%5 != 0) {
		return badBody(detail{"Must be a multiple of 5 between 5 and 60", "loadingSeconds"})
	}
	return success(http.StatusAccepted, struct{}{})
}

// turnMonth begins to count anew in another month of Japan.
func (p *Platform) turnMonth(now time.Time) {
	japan := time.FixedZone("JST", 9*60*60)
	if month := now.In(japan).Format("2006-01"); month != p.month {
		p.month, p.used = month, 0
	}
}
