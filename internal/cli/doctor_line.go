package cli

import (
	"context"
	"crypto/x509"
	"errors"
	"time"

	"ichido/bot/line"
)

// line asks LINE who the bot is.
func (d *doctor) line(ctx context.Context) finding {
	info, err := d.channel.Info(ctx)
	if invalid, is := errors.AsType[x509.CertificateInvalidError](err); is && invalid.Reason == x509.Expired {
		return failed("is the machine's clock right? timedatectl shows it", "%s", sentence(err))
	}
	if err != nil {
		return failedBy(err)
	}
	return ok("it knows the bot as %s (%s)", info.Name, info.BasicID)
}

// How far the clock may be off: 今日 and the quiet hours bear half a minute; beyond
// minutes, tokens and certificates fail.
const (
	clockBad  = 30 * time.Second
	clockFail = 5 * time.Minute
)

// clock needs any answer of LINE's, also a refusal.
func (d *doctor) clock(context.Context) finding {
	ahead, known := d.channel.ClockAhead()
	if !known {
		return skipped("LINE gave no answer to compare it with")
	}
	direction := "ahead of"
	if ahead < 0 {
		direction = "behind"
	}
	const hint = "have it set by the network: timedatectl set-ntp true"
	switch off := ahead.Abs().Round(time.Second); {
	case off > clockFail:
		return failed(hint, "the machine's clock is %v %s LINE's", off, direction)
	case off > clockBad:
		return warning(hint, "the machine's clock is %v %s LINE's", off, direction)
	}
	return ok("the machine's clock agrees with LINE's")
}

func (d *doctor) webhookURL(ctx context.Context) (f finding) {
	var err error
	if d.hook, err = d.channel.Webhook(ctx); err != nil {
		return failedBy(err)
	}
	const set = "ichido setup --url https://YOUR.NAME" + webhookPath + " sets it"
	if d.hook.URL == "" {
		return failed(set, "none is set")
	}
	if err := checkWebhookURL(d.hook.URL, d.command.Endpoint != ""); err != nil {
		return failed(set, "%s, but: %v", d.hook.URL, err)
	}
	return ok("%s", d.hook.URL)
}

func (d *doctor) webhookUse(context.Context) finding {
	if !d.hook.Active {
		return failed("switch it on in LINE's console, tab Messaging API: Use webhook (Webhookの利用)", "Use webhook is off: no message reaches the bot")
	}
	return ok("Use webhook is on (whether Webhook redelivery is, only the console shows)")
}

func (d *doctor) webhookTest(ctx context.Context) finding {
	test, err := d.channel.TestWebhook(ctx, "")
	switch {
	case err != nil:
		return failedBy(err)
	case !test.Success:
		return failed(testHint(test), "LINE says: %s", testWords(test))
	}
	return ok("LINE reaches the bot")
}

func (d *doctor) quota(ctx context.Context) finding {
	q, err := d.channel.Quota(ctx)
	const hint = "answers are free and go on; what is late is said with the next answer, but notices to the owner wait for the next month"
	switch {
	case err != nil:
		return failedBy(err)
	case q.Unlimited:
		return ok("push messages of this month: %d, without a limit", q.Used)
	case q.Used*100 > q.Limit*80:
		return warning(hint, "push messages of this month: %d of %d", q.Used, q.Limit)
	}
	return ok("push messages of this month: %d of %d", q.Used, q.Limit)
}

func (d *doctor) richMenu(ctx context.Context) finding {
	menus, err := d.channel.Menus(ctx)
	if err != nil {
		return failedBy(err)
	}
	if !menus.Good() {
		return warning("ichido setup makes it", "%s", menuState(menus))
	}
	return ok("everybody sees it")
}

func menuState(m line.Menus) string {
	switch {
	case m.Current == "" && len(m.Old) > 0:
		return "it is that of another version"
	case m.Current == "":
		return "there is none"
	case !m.HasImage:
		return "it has no image"
	case m.Default != m.Current:
		return "it is there, but not shown to everybody"
	}
	return "old ones are left"
}
