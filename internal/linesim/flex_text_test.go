package linesim_test

import (
	"testing"

	"ichido/internal/linesim"
)

func TestPlainText(t *testing.T) {
	const (
		spans   = `{"type":"text","contents":[{"type":"span","text":"食費"},{"type":"span","text":"（2件）"}]}`
		row     = `{"type":"box","layout":"baseline","contents":[` + spans + `,{"type":"text","text":"900円"}]}`
		pressed = `{"type":"box","layout":"vertical","action":{"type":"message","label":"一覧","text":"一覧"},"contents":[{"type":"text","text":"一覧"}]}`
		body    = `{"type":"box","layout":"vertical","contents":[{"type":"text","text":"今月"},` + row + `,{"type":"box","layout":"vertical","contents":[]},` + pressed + `]}`
		bubble  = `{"type":"bubble","body":` + body + `}`
		text    = "今月\n食費（2件） 900円"
	)
	for _, c := range []struct{ shown, message, want string }{
		{"今月の支…", `{"type":"flex","contents":` + bubble + `}`, text},
		{"今月の支…", `{"type":"flex","contents":{"type":"carousel","contents":[` + bubble + `,` + bubble + `]}}`, text + "\n" + text},
		{"今月の支出", `{"type":"flex","contents":` + bubble + `}`, "今月の支出"},
		{"今月の支…", `{"type":"text","text":"今月の支…"}`, "今月の支…"},
		{"今月の支…", "", "今月の支…"}, // a person's
	} {
		b := linesim.Bubble{Text: c.shown, Messages: []byte(c.message)}
		if got := b.PlainText(); got != c.want {
			t.Errorf("%s: %q, want %q", c.message, got, c.want)
		}
	}
}
