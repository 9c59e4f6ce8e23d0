package line

import (
	"strings"
	"testing"

	"ichido/bot"
	"ichido/internal/linesim"
)

func TestRenderCuts(t *testing.T) {
	long := strings.Repeat("あ😀", 3000)
	var buttons []bot.Button
	for range 20 {
		buttons = append(buttons, bot.Button{Label: strings.Repeat("長", 30), Text: strings.Repeat("文", 400)})
	}
	payload := must(render(bot.Reply{Text: long, Buttons: buttons}))
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
