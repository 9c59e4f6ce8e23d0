package linesim_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ichido/internal/linesim"
)

// richMessage has every component with all that it can have.
func richMessage(t *testing.T) map[string]any {
	t.Helper()
	raw, err := os.ReadFile("testdata/flex.json")
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, raw)
}

// planted puts a value into a message in place of what stands there; nil takes it away.
// The place is a JSON pointer from the message on.
func planted(t *testing.T, message map[string]any, pointer string, v any) map[string]any {
	t.Helper()
	keys := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	var o any = message
	for _, key := range keys[:len(keys)-1] {
		if list, ok := o.([]any); ok {
			o = list[sure(strconv.Atoi(key))]
		} else {
			o = o.(map[string]any)[key]
		}
	}
	last := keys[len(keys)-1]
	switch o := o.(type) {
	case []any:
		o[sure(strconv.Atoi(last))] = v
	case map[string]any:
		if o[last] = v; v == nil {
			delete(o, last)
		}
	default:
		t.Fatalf("there is no %s", pointer)
	}
	return message
}

func sure[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// refusal sends a message and returns what LINE finds wrong with it.
func refusal(t *testing.T, message any) (text string, properties []string) {
	t.Helper()
	p := linesim.New(linesim.Options{})
	body := sure(json.Marshal(map[string]any{"to": taro, "messages": []any{message}}))
	r := newAPI(t, p).call("POST", "/v2/bot/message/push", string(body))
	if r.status == 200 {
		return "", nil
	}
	var refused struct {
		Message string
		Details []struct{ Message, Property string }
	}
	if err := json.Unmarshal([]byte(r.body), &refused); err != nil || r.status != 400 {
		t.Fatalf("%d %s %v", r.status, r.body, err)
	}
	for _, d := range refused.Details {
		if d.Message == "" {
			t.Errorf("%s: no message", d.Property)
		}
		properties = append(properties, d.Property)
	}
	return refused.Message, properties
}

func TestFlexIsTaken(t *testing.T) {
	if text, at := refusal(t, richMessage(t)); text != "" {
		t.Errorf("%s %v", text, at)
	}
	for pointer, v := range map[string]any{
		"/altText": strings.Repeat("😀", 200),
		"/contents/contents/0/body/contents/0/contents": []any{},
		"/contents/contents/0/body/contents/0/color":    "#A1b2C3d4",
		"/contents/contents/0/body/contents/0/size":     "12.5px",
		"/contents/contents/0/body/contents/0/flex":     0,
		"/contents/contents/0/body/contents/0/wrap":     nil,
	} {
		if text, at := refusal(t, planted(t, richMessage(t), pointer, v)); text != "" {
			t.Errorf("%s with %v: %s %v", pointer, v, text, at)
		}
	}
}

func TestBubbleShowsFlex(t *testing.T) {
	p := linesim.New(linesim.Options{})
	m := string(sure(json.Marshal(richMessage(t))))
	newAPI(t, p).call("POST", "/v2/bot/message/push", `{"to":"`+taro+`","messages":[`+m+`]}`).want(t, 200, "")
	b := p.Chat(taro)[0]
	if string(b.Messages) != m || b.Text != "今月の支出 4,660円" || len(b.QuickReplies) != 8 {
		t.Errorf("%+v", b)
	}
	var labels []string
	for _, button := range b.Buttons {
		labels = append(labels, button.Label)
	}
	// What is in a box or bubble is before it.
	if got := strings.Join(labels, " "); got != "絵 ことば 箱 取消 写し 日付 台帳 大きい" {
		t.Errorf("buttons: %s", got)
	}
}

// Where what is planted stands, in the rich message.
const (
	firstAt  = "/contents/contents/0"
	secondAt = "/contents/contents/1"
	bodyAt   = firstAt + "/body"
	textAt   = bodyAt + "/contents/0"
	spansAt  = bodyAt + "/contents/1"
	lineAt   = bodyAt + "/contents/2"
	footerAt = firstAt + "/footer"
	buttonAt = footerAt + "/contents/0"
)

// Each of these is the only thing wrong with the message, and its place is named.
func TestFlexViolations(t *testing.T) {
	long := func(n int) string { return strings.Repeat("字", n) }
	box := func() any { return map[string]any{"type": "box", "layout": "vertical", "contents": []any{}} }
	span := map[string]any{"type": "span", "text": "x"}
	leaf := func(kind string) any {
		return map[string]any{"type": kind, "text": "x", "url": "https://example.com/x.png"}
	}
	for _, c := range []struct {
		place string
		value any
		named string // "" = the place
	}{
		{"/foo", 1, "messages[0].foo"},
		{"/type", "Flex", "messages[0].type"},
		{"/altText", "", "messages[0].altText"},
		{"/altText", nil, "messages[0].altText"},
		{"/altText", long(401), "messages[0].altText"},
		{"/altText", strings.Repeat("😀", 200) + "x", "messages[0].altText"},
		{"/contents", nil, "messages[0].contents"},
		{"/contents", []any{}, "messages[0].contents"},
		{"/contents/type", "bubbles", ""},
		{"/contents/foo", 1, ""},
		{"/contents/contents", []any{}, ""},
		{"/contents/contents", "x", ""},
		{secondAt, map[string]any{"type": "box", "size": "mega"}, secondAt + "/type"},
		{secondAt + "/size", "kilo", ""},
		{secondAt + "/hero", map[string]any{"type": "video", "url": "https://a/b", "previewUrl": "https://a/b", "altContent": box()}, ""},

		{firstAt + "/foo", 1, ""},
		{secondAt + "/direction", "x", ""},
		{firstAt + "/direction", "up", ""},
		{firstAt + "/header", leaf("text"), ""},
		{firstAt + "/header", "x", firstAt + "/header/type"},
		{firstAt + "/hero", leaf("text"), ""},
		{firstAt + "/hero", leaf("icon"), ""},
		{firstAt + "/body", leaf("image"), ""},
		{firstAt + "/footer", leaf("button"), ""},
		{firstAt + "/action/type", "camera", ""},
		{firstAt + "/action/uri", "javascript:x", ""},
		{firstAt + "/styles", "x", ""},
		{firstAt + "/styles/foo", map[string]any{}, ""},
		{firstAt + "/styles/header/foo", "x", ""},
		{firstAt + "/styles/header/backgroundColor", "white", ""},
		{firstAt + "/styles/header/separator", "true", ""},
		{firstAt + "/styles/header/separatorColor", "#12345", ""},

		{bodyAt + "/foo", 1, ""},
		{bodyAt + "/type", nil, ""},
		{bodyAt + "/type", "", ""},
		{bodyAt + "/layout", nil, ""},
		{bodyAt + "/layout", "diagonal", ""},
		{bodyAt + "/contents", nil, ""},
		{bodyAt + "/contents", "x", ""},
		{bodyAt + "/flex", -1, ""},
		{bodyAt + "/flex", 1.5, ""},
		{bodyAt + "/flex", "1", ""},
		{bodyAt + "/spacing", "huge", ""},
		{bodyAt + "/spacing", "5", ""},
		{bodyAt + "/spacing", "5%", ""},
		{bodyAt + "/margin", "xxs", ""},
		{bodyAt + "/backgroundColor", "#fff", ""},
		{bodyAt + "/borderColor", "#gggggg", ""},
		{bodyAt + "/borderWidth", "xl", ""},
		{bodyAt + "/cornerRadius", "10%", ""},
		{bodyAt + "/width", "half", ""},
		{bodyAt + "/width", "101%", ""},
		{bodyAt + "/maxWidth", "md", ""},
		{bodyAt + "/height", "10em", ""},
		{bodyAt + "/maxHeight", 10, ""},
		{bodyAt + "/paddingAll", "-1px", ""},
		{bodyAt + "/paddingTop", "3xl", ""},
		{bodyAt + "/paddingBottom", "px", ""},
		{bodyAt + "/paddingStart", "x", ""},
		{bodyAt + "/paddingEnd", " 1px", ""},
		{bodyAt + "/position", "fixed", ""},
		{bodyAt + "/offsetTop", "x", ""},
		{bodyAt + "/offsetBottom", "x", ""},
		{bodyAt + "/offsetStart", "x", ""},
		{bodyAt + "/offsetEnd", "x", ""},
		{bodyAt + "/justifyContent", "start", ""},
		{bodyAt + "/alignItems", "stretch", ""},
		{bodyAt + "/action/label", long(41), ""},
		{bodyAt + "/background", "x", ""},
		{bodyAt + "/background/type", "radialGradient", ""},
		{bodyAt + "/background/angle", "360deg", ""},
		{bodyAt + "/background/angle", "NaNdeg", ""},
		{bodyAt + "/background/angle", "45", ""},
		{bodyAt + "/background/startColor", nil, ""},
		{bodyAt + "/background/endColor", "red", ""},
		{bodyAt + "/background/centerColor", "red", ""},
		{bodyAt + "/background/centerPosition", "10px", ""},
		{bodyAt + "/background/foo", "x", ""},

		{textAt + "/foo", 1, ""},
		{textAt + "/type", "texts", textAt},
		{textAt + "/text", "", ""},
		{textAt + "/text", nil, ""},
		{textAt + "/text", 1, ""},
		{textAt + "/size", "full", ""},
		{textAt + "/size", "10%", ""},
		{textAt + "/color", "#1234567", ""},
		{textAt + "/weight", "heavy", ""},
		{textAt + "/style", "oblique", ""},
		{textAt + "/decoration", "overline", ""},
		{textAt + "/align", "left", ""},
		{textAt + "/gravity", "middle", ""},
		{textAt + "/wrap", "true", ""},
		{textAt + "/lineSpacing", "md", ""},
		{textAt + "/maxLines", -1, ""},
		{textAt + "/maxLines", 1 << 31, ""},
		{textAt + "/flex", -1, ""},
		{textAt + "/margin", "x", ""},
		{textAt + "/position", "x", ""},
		{textAt + "/offsetTop", "x", ""},
		{textAt + "/adjustMode", "grow", ""},
		{textAt + "/scaling", 1, ""},
		{textAt + "/action/type", "richmenuswitch", ""},
		{textAt + "/contents", "x", ""},
		{textAt + "/contents", []any{span, leaf("text")}, textAt + "/contents/1"},

		{spansAt + "/contents/0/text", "", ""},
		{spansAt + "/contents/0/text", nil, ""},
		{spansAt + "/contents/0/size", "full", ""},
		{spansAt + "/contents/0/color", "x", ""},
		{spansAt + "/contents/0/weight", "x", ""},
		{spansAt + "/contents/0/style", "x", ""},
		{spansAt + "/contents/0/decoration", "x", ""},
		{spansAt + "/contents/0/wrap", true, ""},

		{bodyAt + "/contents/0", leaf("span"), ""},
		{bodyAt + "/contents/0", leaf("icon"), ""},
		{bodyAt + "/contents/0", leaf("video"), ""},
		{bodyAt + "/contents/0", leaf("spacer"), ""},
		{bodyAt + "/contents/0", leaf("bubble"), ""},
		{lineAt + "/contents/0", box(), ""},
		{lineAt + "/contents/0", leaf("button"), ""},
		{lineAt + "/contents/0", leaf("image"), ""},
		{lineAt + "/contents/0", leaf("separator"), ""},
		{lineAt + "/contents/0/url", "http://example.com/i.png", ""},
		{lineAt + "/contents/0/url", nil, ""},
		{lineAt + "/contents/0/size", "full", ""},
		{lineAt + "/contents/0/aspectRatio", "1:4", ""},
		{lineAt + "/contents/0/scaling", "x", ""},
		{lineAt + "/contents/0/margin", "x", ""},
		{lineAt + "/contents/0/offsetTop", "x", ""},
		{lineAt + "/contents/0/flex", 1, ""},
		{bodyAt + "/contents/3/color", "x", ""},
		{bodyAt + "/contents/3/margin", "x", ""},
		{bodyAt + "/contents/3/size", "md", ""},
		{bodyAt + "/contents/4/flex", -1, ""},
		{bodyAt + "/contents/4/margin", "md", ""},

		{firstAt + "/hero/url", "https://" + strings.Repeat("x", 2000), ""},
		{firstAt + "/hero/url", "ftp://example.com/x.png", ""},
		{firstAt + "/hero/size", "huge", ""},
		{firstAt + "/hero/aspectRatio", "100001:1", ""},
		{firstAt + "/hero/aspectRatio", "3", ""},
		{firstAt + "/hero/aspectMode", "stretch", ""},
		{firstAt + "/hero/align", "x", ""},
		{firstAt + "/hero/gravity", "x", ""},
		{firstAt + "/hero/backgroundColor", "x", ""},
		{firstAt + "/hero/animated", "x", ""},
		{firstAt + "/hero/flex", "x", ""},
		{firstAt + "/hero/margin", "x", ""},
		{firstAt + "/hero/position", "x", ""},
		{firstAt + "/hero/foo", "x", ""},

		{buttonAt + "/action", nil, ""},
		{buttonAt + "/action", "x", ""},
		{buttonAt + "/style", "danger", ""},
		{buttonAt + "/color", "x", ""},
		{buttonAt + "/height", "lg", ""},
		{buttonAt + "/gravity", "x", ""},
		{buttonAt + "/adjustMode", "x", ""},
		{buttonAt + "/scaling", "x", ""},
		{buttonAt + "/flex", "x", ""},
		{buttonAt + "/margin", "x", ""},
		{buttonAt + "/position", "x", ""},
		{buttonAt + "/offsetEnd", "x", ""},
		{buttonAt + "/size", "md", ""},
		{buttonAt + "/action/label", "", ""},
		{buttonAt + "/action/label", nil, ""},
		{buttonAt + "/action/label", long(41), ""},
		{buttonAt + "/action/label", 7, ""},
		{buttonAt + "/action/data", nil, ""},
		{buttonAt + "/action/data", "", ""},
		{buttonAt + "/action/data", strings.Repeat("😀", 150) + "x", ""},
		{buttonAt + "/action/displayText", long(301), ""},
		{buttonAt + "/action/text", "both", ""},
		{buttonAt + "/action/inputOption", "openDoor", ""},
		{buttonAt + "/action/fillInText", long(301), ""},
		{buttonAt + "/action/inputOption", "closeRichMenu", buttonAt + "/action/fillInText"},
		{buttonAt + "/action/uri", "https://example.com", ""},
		{buttonAt + "/action/type", "camera", ""},
		{footerAt + "/contents/1/action/clipboardText", "", ""},
		{footerAt + "/contents/1/action/clipboardText", long(1001), ""},
		{footerAt + "/contents/2/action/data", nil, ""},
		{footerAt + "/contents/2/action/mode", "week", ""},
		{footerAt + "/contents/2/action/initial", "2026-13-01", ""},
		{footerAt + "/contents/2/action/max", "12:00", ""},
		{footerAt + "/contents/2/action/min", "2026/01/01", ""},
		{footerAt + "/contents/3/action/uri", nil, ""},
		{footerAt + "/contents/3/action/uri", "mailto:a@example.com", ""},
		{footerAt + "/contents/3/action/uri", "https://" + strings.Repeat("x", 993), ""},
		{footerAt + "/contents/3/action/uri", "https://%zz", ""},
		{footerAt + "/contents/3/action/altUri/desktop", "line://x", ""},
		{textAt + "/action/text", "", ""},
		{textAt + "/action/text", long(301), ""},

		{"/quickReply/foo", 1, "messages[0].quickReply.foo"},
		{"/quickReply/items", "x", "messages[0].quickReply.items"},
		{"/quickReply/items", slices.Repeat([]any{map[string]any{"type": "action", "action": map[string]any{"type": "camera", "label": "写真"}}}, 14), "messages[0].quickReply.items"},
		{"/quickReply/items/0/action", nil, "messages[0].quickReply.items[0].action"},
		{"/quickReply/items/0/type", "button", "messages[0].quickReply.items[0].type"},
		{"/quickReply/items/0/foo", 1, "messages[0].quickReply.items[0].foo"},
		{"/quickReply/items/0/imageUrl", "http://x", "messages[0].quickReply.items[0].imageUrl"},
		{"/quickReply/items/0/action/label", long(21), "messages[0].quickReply.items[0].action.label"},
		{"/quickReply/items/0/action/label", "", "messages[0].quickReply.items[0].action.label"},
		{"/quickReply/items/0/action/foo", 1, "messages[0].quickReply.items[0].action.foo"},
		{"/quickReply/items/1/action/displayText", "", "messages[0].quickReply.items[1].action.displayText"},
		{"/quickReply/items/1/action/type", "richmenuswitch", "messages[0].quickReply.items[1].action.type"},
		{"/sender/name", long(21), "messages[0].sender.name"},
		{"/sender/name", "", "messages[0].sender.name"},
		{"/sender/iconUrl", "x", "messages[0].sender.iconUrl"},
		{"/sender/foo", "x", "messages[0].sender.foo"},
	} {
		said, at := refusal(t, planted(t, richMessage(t), c.place, c.value))
		named := strings.TrimPrefix(cmp.Or(c.named, c.place), "/contents")
		inside := strings.HasPrefix(named, "/")
		if !slices.Equal(at, []string{named}) || inside != strings.HasPrefix(said, "A message (messages[0])") {
			t.Errorf("%s = %.40v: %s %v", c.place, c.value, said, at)
		}
	}
}

// A video stands in the hero of a wide bubble that stands alone.
func TestFlexVideo(t *testing.T) {
	video := func() map[string]any {
		return decode(t, []byte(`{"type":"flex","altText":"a","contents":{"type":"bubble","size":"mega","hero":{
			"type":"video","url":"https://example.com/v.mp4","previewUrl":"https://example.com/v.png","aspectRatio":"20:13",
			"altContent":{"type":"image","url":"https://example.com/v.png"},"action":{"type":"uri","label":"l","uri":"https://example.com"}}}}`))
	}
	if said, at := refusal(t, video()); said != "" {
		t.Errorf("%s %v", said, at)
	}
	for _, c := range []struct {
		place string
		value any
		named string
	}{
		{"/contents/size", "micro", "/size"},
		{"/contents/size", "huge", "/size"},
		{"/contents/hero/url", nil, "/hero/url"},
		{"/contents/hero/previewUrl", "http://x", "/hero/previewUrl"},
		{"/contents/hero/altContent/type", "text", "/hero/altContent"},
		{"/contents/hero/aspectRatio", "x", "/hero/aspectRatio"},
		{"/contents/hero/margin", "md", "/hero/margin"},
		{"/contents/hero/action/type", "message", "/hero/action/type"},
		{"/contents/hero/action/uri", "x", "/hero/action/uri"},
	} {
		_, at := refusal(t, planted(t, video(), c.place, c.value))
		if !slices.Contains(at, c.named) {
			t.Errorf("%s: %v", c.place, at)
		}
	}
	if _, at := refusal(t, planted(t, video(), "/contents/hero/altContent", nil)); !slices.Contains(at, "/hero/altContent") {
		t.Errorf("without its picture: %v", at)
	}
}

// Sizes are those of the bytes that are sent.
func TestFlexSizes(t *testing.T) {
	p := linesim.New(linesim.Options{})
	bubble := func(bytes int) string {
		const frame = `{"type":"bubble","body":{"type":"box","layout":"vertical","contents":[{"type":"text","text":""}]}}`
		return strings.Replace(frame, `"text":""`, `"text":"`+strings.Repeat("x", bytes-len(frame))+`"`, 1)
	}
	send := func(contents string) result {
		return newAPI(t, p).call("POST", "/v2/bot/message/push", `{"to":"`+taro+`","messages":[{"type":"flex","altText":"a","contents":`+contents+`}]}`)
	}
	carousel := func(sizes ...int) string {
		var all []string
		for _, n := range sizes {
			all = append(all, bubble(n))
		}
		return `{"type":"carousel","contents":[` + strings.Join(all, ",") + `]}`
	}
	frame := len(carousel(1000, 1000)) - 2000
	send(bubble(30<<10)).want(t, 200, "")
	send(bubble(30<<10+1)).want(t, 400, `30720 bytes, is 30721","property":"/"`)
	send(carousel(30<<10, 20<<10-frame)).want(t, 200, "")
	send(carousel(30<<10, 20<<10-frame+1)).want(t, 400, `51200 bytes, is 51201","property":"/"`)
	send(carousel(200, 30<<10+1)).want(t, 400, `"property":"/contents/1"`)
	send(carousel(slices.Repeat([]int{200}, 12)...)).want(t, 200, "")
	send(carousel(slices.Repeat([]int{200}, 13)...)).want(t, 400, `"property":"/contents"`)
	image := `{"type":"image","url":"https://example.com/a.png","animated":true}`
	images := func(n int) string {
		return `{"type":"bubble","body":{"type":"box","layout":"vertical","contents":[` + strings.TrimSuffix(strings.Repeat(image+",", n), ",") + `]}}`
	}
	send(images(10)).want(t, 200, "")
	send(images(11)).want(t, 400, "10 animated images")
	if n := len(p.Chat(taro)); n != 4 {
		t.Errorf("%d messages", n)
	}
}

// Of several messages, what is wrong with the request is told first, and then what is
// wrong inside of the first one.
func TestFlexInSeveralMessages(t *testing.T) {
	bad := `{"type":"flex","altText":"a","contents":{"type":"bubble","size":"x"}}`
	p := linesim.New(linesim.Options{})
	for messages, part := range map[string]string{
		bad + `,{"type":"text","text":""}`:       `{"message":"The request body has 1 error(s)","details":[{"message":"May not be empty","property":"messages[1].text"}]}`,
		`{"type":"text","text":"x"},` + bad:      `{"message":"A message (messages[1]) in the request body is invalid","details":[{"message":"Must be one of`,
		bad + "," + bad:                          `"A message (messages[0]) in`,
		`{"type":"text","text":"x","wrap":true}`: `"unknown field","property":"messages[0].wrap"`,
		`null`:                                   `"messages[0]"`,
	} {
		r := newAPI(t, p).call("POST", "/v2/bot/message/push", fmt.Sprintf(`{"to":%q,"messages":[%s]}`, taro, messages))
		r.want(t, 400, part)
		if strings.Contains(part, "messages[1].text") && r.body != part {
			t.Errorf("%s", r.body)
		}
	}
}
