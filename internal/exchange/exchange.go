// Package exchange writes the ledger in formats that other programs read. It
// knows rows in words, and no store.
package exchange

import (
	"io"
	"iter"

	"ichido/internal/ledger"
)

// Row is one line of the ledger as an export has it, with names in the place of
// numbers. The order of the fields is that of the columns.
type Row struct {
	ID      string               `json:"id"` // "12" or "12-2"
	Receipt ledger.ReceiptNumber `json:"receipt"`
	Type    string               `json:"type"`
	Date    ledger.Date          `json:"date"`
	Amount  ledger.Yen           `json:"amount"` // signed for adjustments only

	// Stated is what the person said is there: nil unless it is an adjustment.
	Stated *ledger.Yen `json:"stated,omitempty"`
	// Opening says of an adjustment that it is the account's first statement, so
	// that its amount is no unexplained money.
	Opening bool `json:"opening,omitempty"`

	Item     string          `json:"item"`
	Category ledger.Category `json:"category"`
	Account  string          `json:"account"`
	// AccountOwner is the member whose wallet it is: several accounts can have
	// the name 現金. It is "" for an account of the household.
	AccountOwner   string `json:"account_owner"`
	ToAccount      string `json:"to_account"` // transfers only
	ToAccountOwner string `json:"to_account_owner"`
	Member         string `json:"member"` // who wrote it
	Source         string `json:"source"` // the door it came through
	Voided         bool   `json:"voided"` // taken back, edited away or unsent: counts nowhere
	Memo           string `json:"memo,omitempty"`
}

// Rows yields the rows of an export, or an error after which it ends.
type Rows = iter.Seq2[Row, error]

// Format is one way of writing rows.
type Format struct {
	Name      string
	MediaType string
	Write     func(io.Writer, Rows) error
}

// Formats are all formats.
var Formats = []Format{
	{"jsonl", "application/jsonl", writeJSONL},
	{"csv", "text/csv; charset=utf-8", writeCSV},
}

// FormatNamed returns the format with the name and whether there is one.
func FormatNamed(name string) (Format, bool) {
	for _, f := range Formats {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}
