package exchange

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ichido/internal/golden"
	"ichido/internal/ledger"
)

var sample = []Row{
	{ID: "1", Receipt: 1, Type: "expense", Date: 20261128, Amount: 900, Item: "ランチ", Category: "食費", Account: "現金", AccountOwner: "太郎", Member: "太郎", Source: "line"},
	{ID: "2-1", Receipt: 2, Type: "expense", Date: 20261128, Amount: 100, Item: "=1+1", Account: "現金", AccountOwner: "花子", Member: "花子", Source: "line"},
	{ID: "2-2", Receipt: 2, Type: "expense", Date: 20261128, Amount: 12, Item: `"うまい" 棒,塩`, Account: "現金", AccountOwner: "花子", Member: "花子", Source: "line", Voided: true},
	{ID: "3", Receipt: 3, Type: "income", Date: 20261129, Amount: 5, Item: "two\nlines\r\n", Category: "収入", Account: "銀行", Member: "@花子", Source: "line"},
	{ID: "4", Receipt: 4, Type: "transfer", Date: 20261129, Amount: 2000, Account: "銀行", ToAccount: "現金", ToAccountOwner: "太郎", Member: "太郎", Source: "line"},
	{ID: "5", Receipt: 5, Type: "adjustment", Date: 20261130, Amount: -1200, Stated: new(ledger.Yen), Account: "現金", AccountOwner: "太郎", Member: "太郎", Source: "line"},
	{Memo: "駅前", ID: "6", Receipt: 6, Type: "adjustment", Date: 20261130, Amount: 3000, Stated: yen(3000), Opening: true, Account: "PayPay", Member: "太郎", Source: "line"},
}

func yen(n ledger.Yen) *ledger.Yen { return &n }

func each(rows []Row) Rows {
	return func(yield func(Row, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func export(t *testing.T, format string, rows Rows) []byte {
	t.Helper()
	f, ok := FormatNamed(format)
	if !ok {
		t.Fatalf("there is no format %q", format)
	}
	var out bytes.Buffer
	if err := f.Write(&out, rows); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestGolden(t *testing.T) {
	for _, f := range Formats {
		golden.Check(t, "testdata/ledger."+f.Name, string(export(t, f.Name, each(sample))))
	}
}

func TestJSONLLosesNothing(t *testing.T) {
	var got []Row
	decoder := json.NewDecoder(bytes.NewReader(export(t, "jsonl", each(sample))))
	decoder.DisallowUnknownFields()
	for decoder.More() {
		var r Row
		if err := decoder.Decode(&r); err != nil {
			t.Fatal(err)
		}
		got = append(got, r)
	}
	if diff := cmp.Diff(sample, got); diff != "" {
		t.Errorf("read back differs (-want +got):\n%s", diff)
	}
}

// A reader that follows RFC 4180 gets the same number of cells in each record.
func TestCSVIsRectangular(t *testing.T) {
	text, ok := strings.CutPrefix(string(export(t, "csv", each(sample))), byteOrderMark)
	if !ok {
		t.Error("there is no byte order mark")
	}
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll() // fails on records of other lengths
	if err != nil {
		t.Fatal(err)
	}
	if len(records) != len(sample)+1 {
		t.Errorf("%d records for %d rows and a header", len(records), len(sample))
	}
	if got := records[3][7]; got != sample[2].Item {
		t.Errorf("item %q is read as %q", sample[2].Item, got)
	}
}

// The header and the JSON have the same names in the same order.
func TestColumnsAreTheFields(t *testing.T) {
	r := sample[len(sample)-1]
	decoder := json.NewDecoder(bytes.NewReader(export(t, "jsonl", each([]Row{r}))))
	var fields []string
	for {
		token, err := decoder.Token()
		if err != nil {
			break
		}
		if name, ok := token.(string); ok {
			fields = append(fields, name)
			decoder.Token() // its value
		}
	}
	if diff := cmp.Diff(csvHeader, fields); diff != "" {
		t.Errorf("columns and fields differ (-columns +fields):\n%s", diff)
	}
}

func TestText(t *testing.T) {
	for cell, want := range map[string]string{
		"":                  "",
		"ランチ":               "ランチ",
		"a=1":               "a=1",
		"'quoted":           "'quoted",
		"=1+1":              "'=1+1",
		"+81":               "'+81",
		"-5":                "'-5",
		"@SUM(A1)":          "'@SUM(A1)",
		"\tx":               "'\tx",
		"\rx":               "'\rx",
		"\nx":               "'\nx",
		"＝1+1":              "'＝1+1",
		"＠x":                "'＠x",
		"\xff=":             "\xff=",
		"=HYPERLINK(\"x\")": "'=HYPERLINK(\"x\")",
	} {
		if got := text(cell); got != want {
			t.Errorf("text(%q) = %q, want %q", cell, got, want)
		}
	}
}

func TestErrorEndsTheExport(t *testing.T) {
	broken := errors.New("broken")
	rows := func(yield func(Row, error) bool) {
		if yield(sample[0], nil) {
			yield(Row{}, broken)
		}
	}
	for _, f := range Formats {
		if err := f.Write(&bytes.Buffer{}, rows); err != broken {
			t.Errorf("%s: error %v", f.Name, err)
		}
		if err := f.Write(full{}, each(sample)); err != errFull {
			t.Errorf("%s to a full disk: error %v", f.Name, err)
		}
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
