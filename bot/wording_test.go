package bot

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
)

// grammarConstants reads the values of all constants of the type; those of questions have
// none.
func grammarConstants(t *testing.T, typeName string) (values []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../internal/grammar/command.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok {
			return true
		}
		name := ""
		if spec.Type != nil {
			name = fmt.Sprint(spec.Type)
		}
		if literal, ok := spec.Values[0].(*ast.BasicLit); ok && name == typeName && literal.Kind == token.STRING {
			value, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, value)
		}
		return true
	})
	if len(values) == 0 {
		t.Fatalf("no constants of type %s", typeName)
	}
	return values
}

func TestEveryReasonHasASentence(t *testing.T) {
	elsewhere := []grammar.Reason{grammar.Greeting, grammar.ReceiptAlone}
	for _, value := range grammarConstants(t, "Reason") {
		reason := grammar.Reason(value)
		if unclearBecause[reason] == (Phrase{}) && friendly[reason] == (Phrase{}) && !slices.Contains(elsewhere, reason) {
			t.Errorf("no sentence for %q", reason)
		}
	}
}

// TestEverythingHasACommand runs what the table has for each kind and question.
func TestEverythingHasACommand(t *testing.T) {
	has := func(kind grammar.Kind, query string) bool {
		return slices.ContainsFunc(commands(), func(c command) bool { return c.kind == kind && c.query == query })
	}
	for _, value := range grammarConstants(t, "Kind") {
		if kind := grammar.Kind(value); kind != grammar.Query && !has(kind, "") {
			t.Errorf("no command for %q", value)
		}
	}
	for _, query := range grammarConstants(t, "") {
		if !has(grammar.Query, query) {
			t.Errorf("no command for the question %q", query)
		}
	}
}

// TestHelpWorks types what the help says.
func TestHelpWorks(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, tokyo)
	for _, c := range commands() {
		if c.help == (usage{}) {
			continue
		}
		got := grammar.Parse(c.help.words.ja, now)
		if got.Kind != c.kind || got.Query != c.query {
			t.Errorf("%q is understood as %s %s", c.help.words.ja, got.Kind, got.Query)
		}
		if !strings.Contains(Japanese.helpText(), c.help.words.ja) {
			t.Errorf("the help does not mention %q", c.help.words.ja)
		}
	}
}

// TestExamplesWork types the examples that are quoted in sentences.
func TestExamplesWork(t *testing.T) {
	var source []byte
	files, err := filepath.Glob("wording*.go")
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(file string) bool { return strings.HasSuffix(file, "_test.go") })
	for _, file := range files {
		part, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		source = append(source, part...)
	}
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, tokyo)
	examples := regexp.MustCompile(`「([^」%]* [^」%]*\d[^」%]*|[^」%]+円)」`).FindAllStringSubmatch(string(source), -1)
	if len(examples) < 20 {
		t.Fatalf("only %d examples", len(examples))
	}
	for _, example := range examples {
		switch c := grammar.Parse(example[1], now); {
		case c.Kind == grammar.Record, c.Kind == grammar.Balance, c.Kind == grammar.Undo, c.Kind == grammar.Redo, c.Kind == grammar.Correct:
		case c.Kind == grammar.Budget, c.Kind == grammar.Query && c.Query == grammar.Search:
		case c.Reason == grammar.WhoseWallet: // a member's, as the bot knows
		default:
			t.Errorf("%q is understood as %s (%s)", example[1], c.Kind, c.Reason)
		}
	}
}

func TestPeriodName(t *testing.T) {
	const today = 20261130
	tests := []struct {
		from, to ledger.Date
		want     string
	}{
		{20261101, 20261130, "今月"},
		{20261001, 20261031, "10月"},
		{20251201, 20251231, "2025年12月"},
		{20261130, 20261130, "今日"},
		{20261129, 20261129, "11/29(日)"},
		{20251130, 20251130, "2025/11/30"},
		{20261124, 20261130, "11/24〜11/30"},
		{20251230, 20260105, "2025/12/30〜1/5"},
	}
	for _, test := range tests {
		if got := Japanese.periodName(ledger.Period{From: test.from, To: test.to}, today); got != test.want {
			t.Errorf("%v to %v: got %s, want %s", test.from, test.to, got, test.want)
		}
	}
}

func TestNoticesNameWhatTheyMean(t *testing.T) {
	if got := Japanese.Unsaid([]Unanswered{{12, Stands}, {14, Nothing}, {13, Stands}}); !strings.Contains(got, "受付 12、13 ") || strings.Count(got, "※ 受付") != 2 {
		t.Error(got)
	}
	at := time.Date(2026, 11, 29, 18, 0, 0, 0, time.UTC)
	if got := Restored(at, tokyo).In(Japanese); !strings.Contains(got, "2026年11月30日 03:00") {
		t.Error(got)
	}
}
