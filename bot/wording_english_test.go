package bot

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"ichido/internal/golden"
	"ichido/internal/grammar"
	"ichido/internal/ledger"
)

// wording is one sentence of the bot in both languages, as it stands in the source.
type wording struct {
	file, name string // name is of the constant, variable or function that says it
	ja, en     string
	label      bool // of a button
}

func (w wording) String() string { return fmt.Sprintf("%s: %s: %q, %q", w.file, w.name, w.ja, w.en) }

// wordings reads all sentences of the wording files, in their order.
func wordings(t *testing.T) (all []wording) {
	t.Helper()
	files, err := filepath.Glob("wording*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range parsed.Decls {
			all = append(all, wordingsIn(decl, file)...)
		}
	}
	if len(all) < 300 {
		t.Fatalf("only %d sentences", len(all))
	}
	return all
}

// wordingsIn finds what a declaration says: the calls of say and count, and the phrases.
func wordingsIn(decl ast.Decl, file string) (found []wording) {
	name := ""
	add := func(label bool, words ...ast.Expr) {
		if len(words) == 2 {
			found = append(found, wording{file, name, literal(words[0]), literal(words[1]), label})
		}
	}
	if f, ok := decl.(*ast.FuncDecl); ok {
		name = f.Name.Name
	}
	ast.Inspect(decl, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.ValueSpec:
			name = cmp.Or(name, n.Names[0].Name)
			if _, local := decl.(*ast.FuncDecl); !local {
				name = n.Names[0].Name
			}
		case *ast.CallExpr:
			switch called(n) {
			case "say":
				add(strings.HasSuffix(name, "Button") || strings.HasSuffix(name, "Label"), n.Args[:2]...)
			case "count":
				add(false, n.Args[1], n.Args[2])
				add(false, n.Args[1], n.Args[3])
			}
		case *ast.CompositeLit:
			for _, phrase := range phrases(n) {
				add(strings.HasSuffix(name, "Label") || name == "firstWords", phrase.Elts...)
			}
		}
		return true
	})
	return found
}

// called is the name of the method that is called.
func called(call *ast.CallExpr) string {
	if method, ok := call.Fun.(*ast.SelectorExpr); ok {
		return method.Sel.Name
	}
	return ""
}

// phrases gives what of the literal is a Phrase: itself, or elements that leave out their
// type.
func phrases(n *ast.CompositeLit) (found []*ast.CompositeLit) {
	var of ast.Expr
	switch t := n.Type.(type) {
	case *ast.Ident:
		if t.Name == "Phrase" {
			return []*ast.CompositeLit{n}
		}
	case *ast.MapType:
		of = t.Value
	case *ast.ArrayType:
		of = t.Elt
	}
	if name, ok := of.(*ast.Ident); !ok || name.Name != "Phrase" {
		return nil
	}
	for _, element := range n.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			element = pair.Value
		}
		if phrase, ok := element.(*ast.CompositeLit); ok && phrase.Type == nil {
			found = append(found, phrase)
		}
	}
	return found
}

// literal is the text of a literal; of anything else, what makes it, in braces.
func literal(e ast.Expr) string {
	if l, ok := e.(*ast.BasicLit); ok {
		if text, err := strconv.Unquote(l.Value); err == nil {
			return text
		}
	}
	if name, ok := e.(*ast.Ident); ok {
		return "{" + name.Name + "}"
	}
	return "{…}"
}

var (
	madeElsewhere = regexp.MustCompile(`^\{(?:\w+|…)\}$`)
	verbRE        = regexp.MustCompile(`%%|%(?:\[(\d+)\])?[0-9]*([a-z])`)
	japaneseRE    = regexp.MustCompile(`[\p{Han}\p{Hiragana}\p{Katakana}ー　-〿＀-￯]`)
	asciiLetterRE = regexp.MustCompile(`[A-Za-z]`)
)

// argumentsOf are the arguments that the format takes, as %[1]s.
func argumentsOf(format string) (args []string) {
	next := 1
	for _, m := range verbRE.FindAllStringSubmatch(format, -1) {
		if m[0] == "%%" {
			continue
		}
		if m[1] != "" {
			next, _ = strconv.Atoi(m[1])
		}
		args = append(args, fmt.Sprintf("%%[%d]%s", next, m[2]))
		next++
	}
	slices.Sort(args)
	return slices.Compact(args)
}

// bareWords is a text without what is put into it.
func bareWords(text string) string {
	return regexp.MustCompile(`\{\w+\}`).ReplaceAllString(verbRE.ReplaceAllString(text, ""), "")
}

// TestBothLanguages holds each sentence to standing in both languages, each in its own,
// with the same things in it.
func TestBothLanguages(t *testing.T) {
	for _, w := range wordings(t) {
		if (w.ja == "") != (w.en == "") {
			t.Errorf("%v: a language is missing", w)
		}
		if !madeElsewhere.MatchString(w.ja) && !madeElsewhere.MatchString(w.en) && !slices.Equal(argumentsOf(w.ja), argumentsOf(w.en)) {
			t.Errorf("%v: takes %v and %v", w, argumentsOf(w.ja), argumentsOf(w.en))
		}
		if japaneseRE.MatchString(bareWords(w.en)) {
			t.Errorf("%v: the English has Japanese script", w)
		}
		if bare := bareWords(w.ja); asciiLetterRE.MatchString(bare) && !japaneseRE.MatchString(bare) {
			t.Errorf("%v: the Japanese has no Japanese script", w)
		}
		if w.label && (utf8.RuneCountInString(bareWords(w.ja)) > 20 || utf8.RuneCountInString(bareWords(w.en)) > 20) {
			t.Errorf("%v: a label is longer than 20 characters", w)
		}
	}
}

// TestLongestLabels makes the labels with an amount of the largest one, on the last day
// of a year.
func TestLongestLabels(t *testing.T) {
	const most = ledger.MaxAmount
	for _, v := range []Voice{Japanese, English} {
		labels := []string{
			v.text(withYen(familyLabel, most)), v.text(withYen(friendsLabel, most)), v.text(taxLabel(10, most)), v.text(taxLabel(0, most)),
			v.wholeButton("", most).Label, v.todayButton("", 20261231).Label, v.text(wayLabel("銀行", "カード")), v.text(peopleLabel(mostPeople)),
		}
		for _, c := range ledger.Categories {
			labels = append(labels, v.categoryButton(c, "").Label)
		}
		for _, label := range labels {
			if utf8.RuneCountInString(label) > 20 {
				t.Errorf("%q is longer than 20 characters", label)
			}
		}
	}
}

// englishExample finds what English sentences quote.
var englishExample = regexp.MustCompile(`“([^”]+)”`)

// onlyNames are what English sentences quote that is not to be sent by itself.
var onlyNames = []string{"card", "Other", "wallet", "undo", "%s", "{example}"}

// fillers are what may stand for the arguments of an example.
var fillers = []string{"12", "food", "shirt", "suica", "Hobby", "2025", "6/1"}

// TestEnglishExamplesWork types what English sentences quote: there must be a way to
// understand it.
func TestEnglishExamplesWork(t *testing.T) {
	examples := 0
	for _, w := range wordings(t) {
		for _, m := range englishExample.FindAllStringSubmatch(w.en, -1) {
			if slices.Contains(onlyNames, m[1]) {
				continue
			}
			if examples++; !slices.ContainsFunc(filled(m[1]), understood) {
				t.Errorf("%v: nobody understands %q", w, m[1])
			}
		}
	}
	if examples < 50 {
		t.Fatalf("only %d examples", examples)
	}
}

// filled puts the fillers into the example, in all ways.
func filled(example string) []string {
	at := verbRE.FindStringIndex(example)
	if at == nil {
		return []string{example}
	}
	var all []string
	for _, filler := range fillers {
		all = append(all, filled(example[:at[0]]+filler+example[at[1]:])...)
	}
	return all
}

func understood(text string) bool {
	return isUnderstood(grammar.Parse(text, time.Date(2026, 11, 30, 12, 0, 0, 0, tokyo)))
}

// isUnderstood says whether the text is for the bot and needs no question; whose wallet is
// meant only the bot knows.
func isUnderstood(c grammar.Command) bool {
	return c.Kind != grammar.Remark && (c.Kind != grammar.Ask || c.Reason == grammar.WhoseWallet) && len(c.Unread) == 0
}

// TestEnglishHelpWorks types what the help says in English.
func TestEnglishHelpWorks(t *testing.T) {
	for _, c := range commands() {
		if c.help == (usage{}) {
			continue
		}
		got := grammar.Parse(c.help.words.en, time.Date(2026, 11, 30, 12, 0, 0, 0, tokyo))
		if got.Kind != c.kind || got.Query != c.query {
			t.Errorf("%q is understood as %s %s", c.help.words.en, got.Kind, got.Query)
		}
		if !strings.Contains(English.helpText(), c.help.words.en) {
			t.Errorf("the help does not mention %q", c.help.words.en)
		}
	}
	for _, v := range []Voice{Japanese, English} {
		if lines := strings.Count(v.helpText(), "\n") + 1; lines > 24 {
			t.Errorf("the help has %d lines", lines)
		}
	}
}

// wordingPage is where all sentences can be read side by side.
const wordingPage = "../docs/wording.md"

// TestWordingPage holds the page to the sources; -update writes it.
func TestWordingPage(t *testing.T) {
	golden.Check(t, wordingPage, pageOf(wordings(t)))
}

// pageHeadings say what the files are about.
var pageHeadings = map[string]string{
	"wording.go":         "Records and balances",
	"wording_ask.go":     "Help, small talk, questions back",
	"wording_budget.go":  "Budgets",
	"wording_choose.go":  "Questions with the person's own words, and their buttons",
	"wording_correct.go": "Corrections, edits, buttons under records",
	"wording_family.go":  "People and chats that come and go",
	"wording_form.go":    "Forms and programs",
	"wording_notice.go":  "Notices",
	"wording_query.go":   "Questions about the ledger",
	"wording_undo.go":    "Taking back and bringing back",
	"wording_words.go":   "Settings: words, categories, accounts, the wallet",
}

func pageOf(all []wording) string {
	var b strings.Builder
	b.WriteString("# What Ichido says\n\n" +
		"Every sentence of the bot, in both languages, as the sources in `bot/` have it. `%s` and `%d` stand for what is\n" +
		"put in, `%[2]s` for the second of these, `{name}` for words that are made elsewhere.\n" +
		"The tests write this page (`go test ./bot -run WordingPage -update`): do not edit it.\n")
	file, seen := "", map[[2]string]bool{}
	for _, w := range all {
		if w.file != file {
			file, seen = w.file, map[[2]string]bool{}
			fmt.Fprintf(&b, "\n## %s\n\n`bot/%s`\n\n| 日本語 | English |\n|---|---|\n", cmp.Or(pageHeadings[file], file), file)
		}
		if pair := [2]string{w.ja, w.en}; !seen[pair] && !(madeElsewhere.MatchString(w.ja) && madeElsewhere.MatchString(w.en)) {
			seen[pair] = true
			fmt.Fprintf(&b, "| %s | %s |\n", cell(w.ja), cell(w.en))
		}
	}
	return b.String()
}

func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", "<br>", "*", `\*`, "`", "'").Replace(text)
}

// TestPageHeadings holds the headings to the files that there are.
func TestPageHeadings(t *testing.T) {
	files := map[string]bool{}
	for _, w := range wordings(t) {
		files[w.file] = true
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if pageHeadings[file] == "" {
			t.Errorf("%s has no heading", file)
		}
	}
}
