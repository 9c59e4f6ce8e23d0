package talk

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var tokyo = time.FixedZone("JST", 9*60*60)

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		source string
		want   Line
	}{
		{"太郎> ランチ 900", Line{Verb: Says, Who: "太郎", Text: "ランチ 900"}},
		{"太郎> 5 > 3", Line{Verb: Says, Who: "太郎", Text: "5 > 3"}},
		{"taro>", Line{Verb: Says, Who: "taro"}},
		{"taro@家族(12:01)> 取消", Line{Verb: Says, Who: "taro", Group: "家族", Typed: "12:01", Text: "取消"}},
		{"太郎@家族 mentions> 今月", Line{Verb: Mentions, Who: "太郎", Group: "家族", Text: "今月"}},
		{`太郎 quotes "記録しました"> 取消`, Line{Verb: Quotes, Who: "太郎", Of: "記録しました", Text: "取消"}},
		{"太郎 quotes> 取消", Line{Verb: Quotes, Who: "太郎", Text: "取消"}},
		{`太郎@家族(12:05) edits "スーパー"> "x"> 1`, Line{Verb: Edits, Who: "太郎", Group: "家族", Typed: "12:05", Of: "スーパー", Text: `"x"> 1`}},
		{"太郎 unsends", Line{Verb: Unsends, Who: "太郎"}},
		{`太郎 unsends "ランチ 900"`, Line{Verb: Unsends, Who: "太郎", Of: "ランチ 900"}},
		{"太郎 presses> 元に戻す", Line{Verb: Presses, Who: "太郎", Text: "元に戻す"}},
		{"太郎 sends a photo", Line{Verb: SendsPhoto, Who: "太郎"}},
		{"太郎@家族 adds the bot", Line{Verb: AddsBot, Who: "太郎", Group: "家族"}},
		{"LINE loses an answer", Line{Verb: Loses}},
		{"allow 家族", Line{Verb: Allow, Who: "家族"}},
		{"join taro 太郎", Line{Verb: Join, Who: "taro", Text: "太郎"}},
		{"join taro", Line{Verb: Join, Who: "taro"}},
		{"$ ichido invite", Line{Verb: Command, Text: "ichido invite"}},
		{"# 2026-11-30 12:00", Line{Verb: comment, Text: "# 2026-11-30 12:00"}},
	} {
		got, err := Read(tt.source)
		tt.want.Source = tt.source
		if err != nil || len(got) != 1 {
			t.Errorf("%s: %+v, %v", tt.source, got, err)
		} else if diff := cmp.Diff(tt.want, got[0]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.source, diff)
		}
	}
	for _, source := range []string{"太郎 dances", "太郎 unsends> x", "太郎 presses", "太郎", "LINE sleeps", "allow", "$", "    | 1", "太郎 in group> x"} {
		if got, err := Read(source); err == nil {
			t.Errorf("%q is read as %+v", source, got)
		}
	}
}

// echo is a scene with a bot that repeats what is said, and speaks up in 家族 and
// to 花子 when it becomes one o'clock.
type echo struct {
	now   time.Time
	heard []Step
}

func (e *echo) Until(at time.Time) (said []Answer, err error) {
	if one := time.Date(2026, 11, 30, 13, 0, 0, 0, tokyo); e.now.Before(one) && !at.Before(one) {
		said = []Answer{{Chat: "家族", Group: true, Text: "it is\none"}, {Chat: "花子", Text: "it is one"}}
	}
	e.now = at
	return said, nil
}

func (e *echo) Do(s Step) ([]Answer, error) {
	e.heard = append(e.heard, s)
	a := Answer{Chat: s.Who, Text: s.Text}
	if s.Group != "" {
		a.Chat, a.Group = s.Group, true
	}
	switch s.Text {
	case "ask 花子":
		a.Chat, a.Group = "花子", false
	case "fail":
		return nil, errors.New("no")
	case "ichido invite":
		a.Text = "7K2F9-QX3MD\nfor 15 minutes"
	case "again":
		a.Text = "or ABCDE-01234, not 7K2F9-QX3MD"
	case "buttons":
		a.Buttons = []Button{{"取消 1", "取消 1", false}, {"元に戻す", "元に戻す 2", false}, {"食費", "食費に変更", true}}
	case "", "hush":
		return nil, nil
	}
	return []Answer{a}, nil
}

const played = `# 2026-11-30 12:00
join 太郎
$ ichido invite
    <code>
    for 15 minutes
花子> <code>
    | <code 3>
bot> <code>
    | <code 3>
花子> again
bot> or <code 2>, not <code>
太郎(11:30)> buttons
bot> buttons
    [取消 1] [元に戻す: 元に戻す 2] [食費]
花子@家族> hush
bot>
花子@家族> ask 花子
bot to 花子> ask 花子
花子@家族 unsends

# Much later.
# 2026-11-30 12:59
花子@家族> quick
bot> quick
bot@家族> it is
    | one
bot to 花子> it is one
LINE repeats
`

func TestPlay(t *testing.T) {
	// What stood there as an answer does not matter, nor does the ledger.
	file := strings.NewReplacer("bot> quick", "bot> slow\n    | and more\n    [x]", "    for 15 minutes\n", "").Replace(played) + "\nledger:\n  1\n"
	e := &echo{}
	var out strings.Builder
	if err := Play(&out, file, tokyo, time.Time{}, e); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(played, out.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	said := e.heard[2]
	if said.Text != "7K2F9-QX3MD\n<code 3>" || !said.At.Equal(time.Date(2026, 11, 30, 12, 0, 0, 0, tokyo)) {
		t.Errorf("the code was said as %+v", said)
	}
	if late := e.heard[4]; late.At.Hour() != 11 || e.heard[5].At.Minute() != 2 {
		t.Errorf("times: %v and then %v", late.At, e.heard[5].At)
	}
}

func TestPlayFails(t *testing.T) {
	for file, want := range map[string]string{
		"太郎> fail":         "太郎> fail: no",
		"太郎> 1\n太郎 dances": `line 2 can't be read: "太郎 dances"`,
	} {
		var out strings.Builder
		if err := Play(&out, file, tokyo, time.Now(), &echo{}); err == nil || err.Error() != want {
			t.Errorf("%q: error %v", file, err)
		}
	}
}
