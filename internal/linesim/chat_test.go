package linesim_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ichido/internal/linesim"
)

func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := linesim.New(linesim.Options{})
		a := newAPI(t, p)
		begin := time.Now()
		go func() {
			p.Text(taro, "a person's words do not count")
			time.Sleep(time.Second)
			a.push(taro, "", "1", "2")
			a.push(hanako, "", "elsewhere")
			time.Sleep(time.Second)
			a.push(taro, "", "3")
		}()
		for range 2 { // two wait at the same time
			go func() {
				if _, err := p.Wait(t.Context(), taro, 3); err != nil {
					t.Error(err)
				}
			}()
		}
		got, err := p.Wait(t.Context(), taro, 3)
		if err != nil || len(got) != 3 || got[2].Text != "3" || time.Since(begin) != 2*time.Second {
			t.Errorf("%v, %v after %v", got, err, time.Since(begin))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		got, err = p.Wait(ctx, taro, 4)
		if !errors.Is(err, context.DeadlineExceeded) || len(got) != 3 {
			t.Errorf("%v, %v", got, err)
		}
	})
}

func TestPeopleChangeTheirMessages(t *testing.T) {
	p := linesim.New(linesim.Options{})
	first := p.GroupText(family, hanako, "スーパー 2480")
	second := p.GroupText(family, "", "カフェ 480")
	edited := p.Edited(first, "スーパー 2840")
	p.Edited(linesim.Event{Source: first.Source, MessageID: "1"}, "of a message nobody saw")
	unsend := p.Unsend(second)
	want := []linesim.Bubble{
		{ID: first.MessageID, From: hanako, Text: "スーパー 2840"},
		{ID: second.MessageID, Unsent: true},
	}
	if diff := cmp.Diff(want, p.Chat(family), cmpopts.IgnoreFields(linesim.Bubble{}, "At")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if edited.ID == first.ID || edited.ReplyToken == first.ReplyToken || edited.MessageID != first.MessageID {
		t.Errorf("edited: %+v", edited)
	}
	if unsend.ReplyToken != "" || unsend.MessageID != second.MessageID || unsend.Source != second.Source {
		t.Errorf("unsend: %+v", unsend)
	}
}

const flexWithButtons = `{"type":"flex","altText":"記録しました","contents":{"type":"bubble",
	"footer":{"type":"box","layout":"vertical","contents":[{"type":"button","action":{"type":"postback","label":"元に戻す","data":"undo:1","displayText":"元に戻す"}}]},
	"body":{"type":"box","layout":"vertical","contents":[{"type":"text","text":"ランチ"},{"type":"box","layout":"vertical","contents":[{"type":"button","action":{"type":"uri","label":"台帳","uri":"https://example.com"}}]}]}},
	"quickReply":{"items":[{"type":"action","action":{"type":"message","label":"今月","text":"今月は？"}}]}}`

func TestButtons(t *testing.T) {
	p := linesim.New(linesim.Options{})
	a := newAPI(t, p)
	user := linesim.User(taro)
	send := func(messages string) {
		t.Helper()
		a.call("POST", "/v2/bot/message/push", `{"to":"`+taro+`","messages":[`+messages+`]}`).want(t, 200, "")
	}
	send(flexWithButtons + `,{"type":"text","text":"last"}`)
	if _, ok := p.Press(user, "今月"); ok || p.Chat(taro)[0].QuickReplies != nil {
		t.Error("LINE shows the quick replies of the last message only")
	}
	send(flexWithButtons)
	want := linesim.Bubble{
		Text: "記録しました", Via: "push",
		Buttons: []linesim.Button{
			{Type: "uri", Label: "台帳"},
			{Type: "postback", Label: "元に戻す", Text: "元に戻す", Data: "undo:1"},
		},
		QuickReplies: []linesim.Button{{Type: "message", Label: "今月", Text: "今月は？"}},
	}
	got := p.Chat(taro)[2]
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(linesim.Bubble{}, "ID", "At", "Messages")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if e, ok := p.Press(user, "今月"); !ok || e.Type != "message" || e.Text != "今月は？" || e.Source != user {
		t.Errorf("quick reply: %+v, %v", e, ok)
	}
	if _, ok := p.Press(user, "今月"); ok {
		t.Error("quick replies go with the next bubble")
	}
	for range 2 { // a button in a bubble stays
		e, ok := p.Press(user, "元に戻す")
		data := decode(t, e.JSON())["postback"]
		if diff := cmp.Diff(map[string]any{"data": "undo:1"}, data); !ok || diff != "" {
			t.Errorf("button: %v, %s", ok, diff)
		}
	}
	for _, label := range []string{"台帳", "ない"} {
		if e, ok := p.Press(user, label); ok {
			t.Errorf("%s: %+v", label, e)
		}
	}
	var said []string
	for _, b := range p.Chat(taro)[3:] {
		said = append(said, b.From+b.Text)
	}
	if diff := cmp.Diff([]string{taro + "今月は？", taro + "元に戻す", taro + "元に戻す"}, said); diff != "" {
		t.Error(diff)
	}
}

// A double tap, or another device that still shows the buttons.
func TestPressLate(t *testing.T) {
	p := linesim.New(linesim.Options{})
	a := newAPI(t, p)
	user := linesim.User(taro)
	for _, data := range []string{"old", "new"} {
		a.call("POST", "/v2/bot/message/push", `{"to":"`+taro+`","messages":[{"type":"text","text":"x","quickReply":{"items":[
			{"type":"action","action":{"type":"postback","label":"取消","data":"`+data+`","displayText":"取消"}},
			{"type":"action","action":{"type":"camera","label":"写真"}}]}}]}`).want(t, 200, "")
	}
	p.Text(taro, "an answer hides the quick replies")
	if _, ok := p.Press(user, "取消"); ok {
		t.Error("a quick reply was pressed that LINE does not show any more")
	}
	e, ok := p.PressLate(user, "取消")
	if diff := cmp.Diff(map[string]any{"data": "new"}, decode(t, e.JSON())["postback"]); !ok || diff != "" {
		t.Errorf("the latest button: %t, %s", ok, diff)
	}
	for _, label := range []string{"写真", "ない"} {
		if e, ok := p.PressLate(user, label); ok {
			t.Errorf("%s: %+v", label, e)
		}
	}
}

func TestQuotesAndMentions(t *testing.T) {
	p := linesim.New(linesim.Options{})
	group := linesim.Group(family, hanako)
	first := p.GroupText(family, taro, "ランチ 900")
	quote := p.Quote(group, first.MessageID, "取消")
	mention := p.Mention(group, "今月")
	if quote.Source != group || quote.QuotedMessageID != first.MessageID {
		t.Errorf("quote: %+v", quote)
	}
	want := []linesim.Bubble{
		{ID: first.MessageID, From: taro, Text: "ランチ 900"},
		{ID: quote.MessageID, From: hanako, Text: "取消", Quotes: first.MessageID},
		{ID: mention.MessageID, From: hanako, Text: "@一度 今月"},
	}
	if diff := cmp.Diff(want, p.Chat(family), cmpopts.IgnoreFields(linesim.Bubble{}, "At")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReadersGetCopies(t *testing.T) {
	p := linesim.New(linesim.Options{})
	newAPI(t, p).push(taro, "", "x")
	p.Chat(taro)[0].Text, p.Calls()[0].Path = "changed", "changed"
	wantTexts(t, p, taro, "x")
	if p.Calls()[0].Path == "changed" {
		t.Error("the log was changed through a copy")
	}
}
