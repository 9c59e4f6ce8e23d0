package page

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ichido/internal/golden"
	"ichido/internal/linesim"
)

// Each file of testdata/flex is a container; beside it stands how it is drawn.
func TestFlex(t *testing.T) {
	files, err := filepath.Glob("testdata/flex/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no flex messages", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			contents, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := strings.ReplaceAll(drawn(t, contents), "><", ">\n<") + "\n"
			golden.Check(t, strings.TrimSuffix(file, ".json")+".html", got)
		})
	}
}

func drawn(t *testing.T, contents []byte) string {
	t.Helper()
	n, ok := new(drawer).flex(contents)
	if !ok {
		t.Fatalf("it is not drawn: %s", contents)
	}
	var b strings.Builder
	if err := templates.ExecuteTemplate(&b, "node", n); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The number of a drawn button is its place in Buttons, and they are those of linesim.
func TestNumbersOfButtons(t *testing.T) {
	contents, err := os.ReadFile("testdata/flex/actions.json")
	if err != nil {
		t.Fatal(err)
	}
	message, err := json.Marshal(map[string]any{"type": "flex", "altText": "buttons", "contents": json.RawMessage(contents)})
	if err != nil {
		t.Fatal(err)
	}
	bubble := said(t, string(message))
	buttons := Buttons(bubble)
	byLabel := func(a, b linesim.Button) int { return strings.Compare(a.Label, b.Label) }
	if diff := cmp.Diff(slices.SortedFunc(slices.Values(bubble.Buttons), byLabel), slices.SortedFunc(slices.Values(buttons), byLabel)); diff != "" {
		t.Errorf("-linesim +page:\n%s", diff)
	}
	form := regexp.MustCompile(`aria-label="([^"]*)"[^>]*data-button="(\d+)"|data-button="(\d+)">([^<]+)<`)
	drawnButtons := 0
	for _, m := range form.FindAllStringSubmatch(drawn(t, contents), -1) {
		n, err := strconv.Atoi(m[2] + m[3])
		if label := m[1] + m[4]; err != nil || n >= len(buttons) || buttons[n].Label != label {
			t.Errorf("the button %q has the number %s", label, m[2]+m[3])
		}
		drawnButtons++
	}
	if drawnButtons != len(buttons)-1 { // without the link
		t.Errorf("%d of %d buttons can be pressed", drawnButtons, len(buttons))
	}
}

// said is the bubble of a message that a bot pushes.
func said(t *testing.T, message string) linesim.Bubble {
	t.Helper()
	p := linesim.New(linesim.Options{})
	user := linesim.UserID("太郎")
	body := `{"to":"` + user + `","messages":[` + message + `]}`
	url, stop := p.Start()
	defer stop()
	post(t, url+"/v2/bot/message/push", body)
	return p.Chat(user)[0]
}

// Nothing of what somebody wrote becomes HTML, CSS or an attribute.
func TestHostile(t *testing.T) {
	evil := `</span><script>alert(1)</script>"'><img src=x onerror=y>`
	quoted, err := json.Marshal(evil)
	if err != nil {
		t.Fatal(err)
	}
	flex := `{"type":"flex","altText":"x","contents":{"type":"bubble","size":` + string(quoted) + `,"body":{"type":"box","layout":` + string(quoted) +
		`,"backgroundColor":"red;}*{background:url(//evil)","width":"1px;x:y","contents":[{"type":"text","text":` + string(quoted) + `,"color":"#ff000g","size":"calc(1px)"},` +
		`{"type":` + string(quoted) + `},{"type":"button","action":{"type":"message","label":"<b>\"x","text":"x"}}]}}}`
	d := Document{
		Chat: Chat{
			Self: "U1", Bubbles: []linesim.Bubble{
				{ID: evil, From: "U1", Text: evil}, {ID: "2", From: evil, Text: evil + " https://x.example/" + evil, Quotes: evil},
				{ID: "3", Via: "reply", Text: "x", Messages: json.RawMessage(flex)},
				{ID: "4", Via: "reply", Text: evil, QuickReplies: []linesim.Button{{Label: evil}}},
			},
			Name: func(string) string { return evil }, Facts: func(string) Facts { return Facts{} }, Zone: time.UTC,
		},
		People: []string{evil}, Groups: []string{evil}, Who: evil, Where: evil, Theme: evil,
		Menu:     &Menu{linesim.RichMenu{ChatBarText: evil, Areas: []linesim.MenuArea{{Button: linesim.Button{Label: evil}}}}},
		Switches: []Switch{{evil, evil, evil, true, true}}, Rows: []Row{{evil, evil, evil, evil, evil, evil, evil, true}}, Log: []Note{{Side: evil, Text: evil}},
	}
	var b strings.Builder
	if err := d.Write(&b); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	if n := strings.Count(got, "<script"); n != 1 {
		t.Errorf("the page has %d scripts", n)
	}
	for _, bad := range []string{"<img src=x", "<b>\"", "evil)", "1px;x", "ff000g", "calc(1px)", "style="} {
		if strings.Contains(got, bad) {
			t.Errorf("the page has %s", bad)
		}
	}
	if !strings.Contains(got, "&lt;script&gt;") {
		t.Error("the texts are missing")
	}
}

func TestChat(t *testing.T) {
	at := time.Date(2026, 11, 30, 3, 5, 0, 0, time.UTC)
	c := Chat{
		Self: "U1", Zone: time.FixedZone("JST", 9*60*60),
		Bubbles: []linesim.Bubble{
			{ID: "1", From: "U1", Text: "ランチ 900", At: at},
			{ID: "2", Via: "reply", Text: "記録しました。https://line.me/x です", At: at},
			{ID: "3", From: "U2", Text: "取消", Quotes: "2", At: at.Add(time.Minute)},
			{ID: "4", From: "U1", Unsent: true, At: at},
			{ID: "5", From: "U1", At: at},
			{ID: "6", From: "U1", Text: "ランチ 950", At: at},
		},
		Name: func(id string) string { return map[string]string{"U1": "太郎", "U2": "花子"}[id] },
		Facts: func(id string) Facts {
			return map[string]Facts{"1": {Read: true}, "5": {Kind: "photo"}, "6": {Edited: true}}[id]
		},
	}
	var b strings.Builder
	if err := templates.ExecuteTemplate(&b, "chat", Document{Chat: c}); err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`\s+`).ReplaceAllString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(b.String(), " "), " ")
	want := " ランチ 900 既読 12:05 ⋯ 引用 編集 送信取消 一 一度 記録しました。 https://line.me/x です 12:05 ⋯ 引用 " +
		"花 花子 一度 記録しました。https://line.me/x です 取消 12:06 ⋯ 引用 " +
		"メッセージの送信を取り消しました 12:05 ⋯ 引用 編集 送信取消 ランチ 950 編集済み 12:05 ⋯ 引用 編集 送信取消 "
	if diff := cmp.Diff(want, text); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if !strings.Contains(b.String(), `aria-label="写真"`) {
		t.Error("the photo is missing")
	}
	c.First = time.Date(2026, 1, 1, 9, 41, 0, 0, c.Zone)
	if got := c.Messages()[2].Clock; got != "09:42" {
		t.Errorf("moved to 09:41, a minute after the first shows %s", got)
	}
}

// Parts are what the script puts into the places that the page has for them.
func TestParts(t *testing.T) {
	d := Document{Chat: Chat{Zone: time.UTC}}
	parts, err := d.Parts()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := d.Write(&b); err != nil {
		t.Fatal(err)
	}
	for name, part := range parts {
		if !strings.Contains(b.String(), `id="`+name+`"`) || !strings.Contains(b.String(), ">"+part+"<") {
			t.Errorf("the page has no place for %s", name)
		}
	}
}

// The areas of the rich menu lie where the image has them.
func TestMenu(t *testing.T) {
	m := Menu{linesim.RichMenu{Width: 2500, Height: 843, Areas: []linesim.MenuArea{
		{X: 0, Y: 0, Width: 833, Height: 421, Button: linesim.Button{Label: "今月"}},
		{X: 1666, Y: 421, Width: 834, Height: 422, Button: linesim.Button{Label: "ヘルプ"}},
	}}}
	want := []tile{{"今月", "left:0.000%;top:0.000%;width:33.320%;height:49.941%;"}, {"ヘルプ", "left:66.640%;top:49.941%;width:33.360%;height:50.059%;"}}
	if diff := cmp.Diff(want, m.Tiles()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
