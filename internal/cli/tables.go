package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"
)

// writeTable writes rows below a heading, in columns.
func writeTable(w io.Writer, heading string, rows [][]string) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, strings.ReplaceAll(heading, " ", "\t"))
	for _, row := range rows {
		for i, cell := range row {
			row[i] = printable(cell)
		}
		fmt.Fprintln(table, strings.Join(row, "\t"))
	}
	return table.Flush()
}

// printable keeps what others have typed from steering the terminal, and shows
// what is not there as a dash.
func printable(cell string) string {
	if cell == "" {
		return "-"
	}
	return plain(cell)
}

// plain takes out what would move a terminal's cursor or change its colours.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
}

// writeJSON writes what a script reads, on one line.
func writeJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

// clock shows an instant to the second in the household's zone.
func (p *program) clock(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(p.zone).Format(time.DateTime)
}
