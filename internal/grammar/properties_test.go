package grammar

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// corpus gives the texts of all tables in testdata.
func corpus(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.tsv")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d tables, %v", len(files), err)
	}
	unescape := strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t")
	var texts []string
	for _, file := range files {
		table, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		header, rows, _ := strings.Cut(string(table), "\n")
		if !strings.HasPrefix(header, "text\t") {
			continue
		}
		for row := range strings.Lines(rows) {
			text, _, _ := strings.Cut(row, "\t")
			texts = append(texts, unescape.Replace(text))
		}
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}
