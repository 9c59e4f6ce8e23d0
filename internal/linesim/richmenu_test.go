package linesim_test

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/line/line-bot-sdk-go/v8/linebot/messaging_api"

	"ichido/internal/linesim"
)

// newMenu is a menu of two areas as LINE takes it.
func newMenu() *messaging_api.RichMenuRequest {
	area := func(x int64, text string) messaging_api.RichMenuArea {
		return messaging_api.RichMenuArea{
			Bounds: &messaging_api.RichMenuBounds{X: x, Width: 1250, Height: 843},
			Action: &messaging_api.MessageAction{Label: text, Text: text},
		}
	}
	return &messaging_api.RichMenuRequest{
		Size: &messaging_api.RichMenuSize{Width: 2500, Height: 843}, Selected: true,
		Name: "name", ChatBarText: "メニュー", Areas: []messaging_api.RichMenuArea{area(0, "今月"), area(1250, "一覧")},
	}
}

// picture is an image of one colour.
func picture(t *testing.T, encode func(io.Writer, image.Image) error, width, height int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b, image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.White})); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func asJPEG(w io.Writer, m image.Image) error { return jpeg.Encode(w, m, nil) }

// TestSDKRichMenu makes a menu with the SDK's two clients, on sockets, and takes it
// away again.
func TestSDKRichMenu(t *testing.T) {
	p := linesim.New(linesim.Options{})
	url, stop := p.Start()
	defer stop()
	sdk := newSDK(t, url, p.Token())
	data, err := messaging_api.NewMessagingApiBlobAPI(p.Token(), messaging_api.WithBlobEndpoint(url),
		messaging_api.WithBlobHTTPClient(&http.Client{Timeout: 5 * time.Second}))
	if err != nil {
		t.Fatal(err)
	}
	made, err := sdk.CreateRichMenu(newMenu())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sdk.SetDefaultRichMenu(made.RichMenuId); err == nil {
		t.Error("a menu without an image is shown")
	}
	if _, err := data.GetRichMenuImage(made.RichMenuId); err == nil {
		t.Error("there is an image")
	}
	want := picture(t, png.Encode, 2500, 843)
	if _, err := data.SetRichMenuImage(made.RichMenuId, "image/png", bytes.NewReader(want)); err != nil {
		t.Fatal(err)
	}
	if _, err := sdk.SetDefaultRichMenu(made.RichMenuId); err != nil {
		t.Fatal(err)
	}
	list, err := sdk.GetRichMenuList()
	if err != nil || len(list.Richmenus) != 1 || list.Richmenus[0].Name != "name" || len(list.Richmenus[0].Areas) != 2 {
		t.Errorf("the list is %+v, %v", list, err)
	}
	if shown, err := sdk.GetDefaultRichMenuId(); err != nil || shown.RichMenuId != made.RichMenuId {
		t.Errorf("everybody sees %+v, %v", shown, err)
	}
	got, err := data.GetRichMenuImage(made.RichMenuId)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	if b, err := io.ReadAll(got.Body); err != nil || !bytes.Equal(b, want) || got.Header.Get("Content-Type") != "image/png" {
		t.Errorf("the image has %d bytes of %s: %v", len(b), got.Header.Get("Content-Type"), err)
	}
	m, ok := p.RichMenu()
	if !ok || m.ChatBarText != "メニュー" || !m.Selected || m.Areas[1].Text != "一覧" || m.Areas[1].X != 1250 || len(m.Image) != len(want) {
		t.Errorf("people see %+v", m.Areas)
	}
	if _, err := sdk.DeleteRichMenu(made.RichMenuId); err != nil {
		t.Fatal(err)
	}
	if _, ok := p.RichMenu(); ok || len(p.RichMenus()) != 0 {
		t.Error("the deleted menu is still there")
	}
	if _, err := sdk.GetDefaultRichMenuId(); err == nil {
		t.Error("everybody sees a deleted menu")
	}
}

func TestRichMenuRules(t *testing.T) {
	a := newAPI(t, linesim.New(linesim.Options{}))
	for name, c := range map[string]struct {
		change func(m map[string]any)
		want   string // "" = it is taken
	}{
		"as it should be":     {func(map[string]any) {}, ""},
		"no size":             {func(m map[string]any) { delete(m, "size") }, "size.width"},
		"too wide":            {func(m map[string]any) { m["size"] = size(2501, 843) }, "size.width"},
		"too low":             {func(m map[string]any) { m["size"] = size(2500, 249) }, "size.height"},
		"too high":            {func(m map[string]any) { m["size"] = size(2500, 1725) }, "size.height"},
		"the highest":         {func(m map[string]any) { m["size"] = size(2500, 1724) }, ""},
		"selected is missing": {func(m map[string]any) { delete(m, "selected") }, "selected"},
		"no name":             {func(m map[string]any) { m["name"] = "" }, `"name"`},
		"a long name":         {func(m map[string]any) { m["name"] = strings.Repeat("名", 301) }, `"name"`},
		"the longest name":    {func(m map[string]any) { m["name"] = strings.Repeat("名", 300) }, ""},
		"a long bar":          {func(m map[string]any) { m["chatBarText"] = strings.Repeat("バ", 15) }, "chatBarText"},
		"the longest bar":     {func(m map[string]any) { m["chatBarText"] = strings.Repeat("バ", 14) }, ""},
		"no areas":            {func(m map[string]any) { delete(m, "areas") }, "areas"},
		"21 areas":            {func(m map[string]any) { m["areas"] = areas(21) }, "areas"},
		"20 areas":            {func(m map[string]any) { m["areas"] = areas(20) }, ""},
		"an area juts out":    {func(m map[string]any) { bounds(m)["x"] = 1251 }, "areas[1].bounds"},
		"an area of nothing":  {func(m map[string]any) { bounds(m)["width"] = 0 }, "areas[1].bounds"},
		"no action":           {func(m map[string]any) { delete(second(m), "action") }, "areas[1].action.type"},
		"a camera":            {func(m map[string]any) { action(m)["type"] = "camera" }, "areas[1].action.type"},
		"a long label":        {func(m map[string]any) { action(m)["label"] = strings.Repeat("字", 21) }, "areas[1].action.label"},
		"nothing to say":      {func(m map[string]any) { action(m)["text"] = "" }, "areas[1].action.text"},
		"too much to say":     {func(m map[string]any) { action(m)["text"] = strings.Repeat("字", 301) }, "areas[1].action.text"},
	} {
		t.Run(name, func(t *testing.T) {
			var m map[string]any
			body, err := json.Marshal(newMenu())
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(body, &m); err != nil {
				t.Fatal(err)
			}
			c.change(m)
			if body, err = json.Marshal(m); err != nil {
				t.Fatal(err)
			}
			status := 200
			if c.want != "" {
				status = 400
			}
			a.call("POST", "/v2/bot/richmenu/validate", string(body)).want(t, status, c.want)
			a.call("POST", "/v2/bot/richmenu", string(body)).want(t, status, c.want)
		})
	}
	a.call("POST", "/v2/bot/richmenu", "[]").want(t, 400, "JSON")
	a.call("GET", "/v2/bot/richmenu/richmenu-no", "").want(t, 404, "")
	a.call("POST", "/v2/bot/user/all/richmenu/richmenu-no", "").want(t, 404, "")
}

func size(width, height int) any { return map[string]any{"width": width, "height": height} }

func areas(n int) []any {
	one := map[string]any{"bounds": map[string]any{"x": 0, "y": 0, "width": 1, "height": 1}, "action": map[string]any{"type": "message", "text": "x"}}
	list := make([]any, n)
	for i := range list {
		list[i] = one
	}
	return list
}

func second(m map[string]any) map[string]any { return m["areas"].([]any)[1].(map[string]any) }
func bounds(m map[string]any) map[string]any { return second(m)["bounds"].(map[string]any) }
func action(m map[string]any) map[string]any { return second(m)["action"].(map[string]any) }

func TestRichMenuImageRules(t *testing.T) {
	p := linesim.New(linesim.Options{})
	a := newAPI(t, p)
	body, err := json.Marshal(newMenu())
	if err != nil {
		t.Fatal(err)
	}
	a.call("POST", "/v2/bot/richmenu", string(body)).want(t, 200, "richmenu-")
	path := "/v2/bot/richmenu/" + p.RichMenus()[0].ID + "/content"
	right := picture(t, asJPEG, 2500, 843)
	for _, c := range []struct {
		name, mediaType string
		image           []byte
		status          int
	}{
		{"no type", "", right, 415},
		{"another type", "image/gif", right, 415},
		{"the wrong type", "image/png", right, 400},
		{"no image", "image/jpeg", []byte("x"), 400},
		{"another size", "image/jpeg", picture(t, asJPEG, 2500, 1686), 400},
		{"too many bytes", "image/jpeg", append(bytes.Clone(right), make([]byte, 1<<20)...), 413},
		{"right", "image/jpeg", right, 200},
		{"a second one", "image/jpeg", right, 400},
	} {
		if got := a.call("POST", path, string(c.image), "Content-Type", c.mediaType); got.status != c.status {
			t.Errorf("%s: %d %s", c.name, got.status, got.body)
		}
	}
	a.call("POST", "/v2/bot/richmenu/richmenu-no/content", string(right), "Content-Type", "image/jpeg").want(t, 404, "")
}

// LINE takes 100 menus an hour.
func TestRichMenuRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := linesim.New(linesim.Options{})
		a := newAPI(t, p)
		body, err := json.Marshal(newMenu())
		if err != nil {
			t.Fatal(err)
		}
		for range 100 {
			a.call("POST", "/v2/bot/richmenu", string(body)).want(t, 200, "")
		}
		a.call("POST", "/v2/bot/richmenu", string(body)).want(t, 429, linesim.MessageRateLimit)
		time.Sleep(time.Hour)
		a.call("POST", "/v2/bot/richmenu", string(body)).want(t, 200, "")
	})
}

// The console's switch is told, and turned off it stays where it is when the URL
// changes.
func TestWebhookUse(t *testing.T) {
	p := linesim.New(linesim.Options{Webhook: "https://example.com/line/webhook"})
	a := newAPI(t, p)
	p.SetWebhookUse(false)
	a.call("PUT", "/v2/bot/channel/webhook/endpoint", `{"endpoint":"https://example.com/"}`).want(t, 200, "")
	a.call("GET", "/v2/bot/channel/webhook/endpoint", "").want(t, 200, `"active":false`)
}
