package line

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ichido/bot"
	"ichido/internal/linesim"
)

func TestRenderCuts(t *testing.T) {
	long := strings.Repeat("あ😀", 3000)
	var buttons []bot.Button
	for range 20 {
		buttons = append(buttons, bot.Button{Label: strings.Repeat("長", 30), Text: strings.Repeat("文", 400)})
	}
	payload := must(render(bot.Reply{Lines: []bot.Line{{Text: long}}, Buttons: buttons}))
	platform := linesim.New(linesim.Options{})
	e := platform.Text(taro, "x")
	s := newSender(nil, must(newClient(Config{Token: linesim.DefaultToken, Endpoint: "http://line.invalid", Transport: linesim.Transport(platform)})), tokyo, nil)
	if end := s.reply(t.Context(), e.ReplyToken, payload); end.kind != accepted {
		t.Errorf("LINE says %v to what was cut to its limits: %s", end, platform.Calls()[0].Body[:200])
	}
	if text := platform.BotTexts(taro)[0]; !strings.HasSuffix(text, "…") {
		t.Error("the cut does not show")
	}
}

// A button that does something is a postback; what can't be one whole is none.
func TestRenderButtons(t *testing.T) {
	platform := linesim.New(linesim.Options{})
	e := platform.Text(taro, "x")
	long := strings.Repeat("x", maxData)
	payload := must(render(bot.Reply{Lines: []bot.Line{{Text: "x"}}, Buttons: []bot.Button{
		{Label: "今月", Text: "今月の合計"},
		{Label: "取消", Text: strings.Repeat("文", 400), Tap: "undo:12:abc"},
		{Label: "長い", Tap: long},
		{Label: "長すぎる", Tap: long + "x"},
	}}, textMessageJSON{Type: "text", Text: "late", QuickReply: &quickReplyJSON{[]quickReplyItemJSON{{}}}}))
	s := newSender(nil, must(newClient(Config{Token: linesim.DefaultToken, Endpoint: "http://line.invalid", Transport: linesim.Transport(platform)})), tokyo, nil)
	if end := s.reply(t.Context(), e.ReplyToken, payload); end.kind != accepted || len(end.sent) != 2 {
		t.Fatalf("LINE says %v to %s", end, payload)
	}
	bubbles := platform.Chat(taro)
	got := bubbles[len(bubbles)-1].QuickReplies
	want := []linesim.Button{
		{Type: "message", Label: "今月", Text: "今月の合計"},
		{Type: "postback", Label: "取消", Text: strings.Repeat("文", maxButtonText-1) + "…", Data: "undo:12:abc"},
		{Type: "postback", Label: "長い", Text: "長い", Data: long},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("buttons (-want +got):\n%s", diff)
	}
	if late := bubbles[len(bubbles)-2]; late.Text != "late" || late.QuickReplies != nil {
		t.Errorf("in front stands %+v", late)
	}
}
