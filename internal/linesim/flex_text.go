package linesim

import (
	"encoding/json"
	"strings"
)

// PlainText is Text, or all texts of a flex message, a line for what stands side by
// side, where its altText has been cut. What can be pressed is in Buttons.
func (b *Bubble) PlainText() string {
	var m struct{ Contents flexPart }
	if !strings.HasSuffix(b.Text, "…") || json.Unmarshal(b.Messages, &m) != nil {
		return b.Text
	}
	if lines := m.Contents.lines(); len(lines) > 0 {
		return strings.Join(lines, "\n")
	}
	return b.Text
}

// flexPart is a container or a component, as far as it holds texts.
type flexPart struct {
	Type, Layout, Text   string
	Action               json.RawMessage
	Header, Body, Footer *flexPart
	Contents             []flexPart
}

func (f *flexPart) lines() (lines []string) {
	if f == nil || f.Action != nil {
		return nil
	}
	if f.Text != "" {
		return []string{f.Text}
	}
	lines = append(f.Header.lines(), f.Body.lines()...)
	for i := range f.Contents {
		lines = append(lines, f.Contents[i].lines()...)
	}
	lines = append(lines, f.Footer.lines()...)
	switch {
	case len(lines) == 0:
		return nil
	case f.Type == "text": // of spans
		return []string{strings.Join(lines, "")}
	case f.Type == "box" && f.Layout != "vertical":
		return []string{strings.Join(lines, " ")}
	}
	return lines
}
