package exchange

import (
	"bufio"
	"io"
	"strconv"
	"strings"
)

// The byte order mark tells Excel that a file is UTF-8.
const byteOrderMark = "\uFEFF"

// A cell that starts with one of these is run as a formula by spreadsheets, by
// Japanese ones in its wide form too.
const formulaStarts = "=+-@\t\r\n＝＋－＠"

var csvHeader = []string{
	"id", "receipt", "type", "date", "amount", "stated", "opening", "item", "category", "account", "account_owner",
	"to_account", "to_account_owner", "member", "source", "voided", "memo",
}

// writeCSV writes RFC 4180 for spreadsheets.
func writeCSV(w io.Writer, rows Rows) error {
	out := bufio.NewWriter(w)
	out.WriteString(byteOrderMark)
	writeRecord(out, csvHeader)
	for row, err := range rows {
		if err != nil {
			return err
		}
		writeRecord(out, record(row))
	}
	return out.Flush() // the first error of any write before
}

// record gives the cells in the order of csvHeader.
func record(r Row) []string {
	stated := ""
	if r.Stated != nil {
		stated = strconv.FormatInt(int64(*r.Stated), 10)
	}
	return []string{
		r.ID, strconv.FormatUint(uint64(r.Receipt), 10), r.Type, r.Date.String(),
		strconv.FormatInt(int64(r.Amount), 10), stated, strconv.FormatBool(r.Opening),
		text(r.Item), text(string(r.Category)), text(r.Account), text(r.AccountOwner),
		text(r.ToAccount), text(r.ToAccountOwner), text(r.Member), text(r.Source), strconv.FormatBool(r.Voided), text(r.Memo),
	}
}

// text makes a cell of what somebody typed, with an apostrophe before it if a
// spreadsheet would run it. Numbers do not pass through here and stay numbers.
func text(s string) string {
	if strings.IndexAny(s, formulaStarts) == 0 {
		return "'" + s
	}
	return s
}

// writeRecord is used instead of encoding/csv because that, when told to end
// records with CR LF, changes the line breaks inside of cells as well.
func writeRecord(out *bufio.Writer, cells []string) {
	for i, cell := range cells {
		if i > 0 {
			out.WriteByte(',')
		}
		if strings.ContainsAny(cell, ",\"\r\n") {
			cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
		}
		out.WriteString(cell)
	}
	out.WriteString("\r\n")
}
