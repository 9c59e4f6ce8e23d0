package cli

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mayImport says which packages of the project a package may import. cli may
// import all, and nobody imports cli.
var mayImport = map[string][]string{
	"internal/ledger":   {},
	"internal/grammar":  {"internal/ledger"},
	"internal/exchange": {"internal/ledger"},
	"internal/linesim":  {},
	"store":             {"internal/ledger"},
	"store/storetest":   {"internal/ledger", "store"},
	"internal/talk":     {"internal/ledger", "internal/linesim", "store"},
	"bot":               {"internal/grammar", "internal/ledger", "store"},
	"bot/line":          {"bot", "internal/ledger", "store"},
	"internal/control":  {"bot", "internal/exchange", "internal/ledger", "store"},
	"internal/cli":      {"bot", "bot/line", "internal/control", "internal/exchange", "internal/grammar", "internal/ledger", "internal/linesim", "internal/talk", "store"},
	"":                  {"internal/cli"},
}

// mayUse says which packages may import which module of others. A module that
// is not here may not be imported at all.
var mayUse = map[string][]string{
	"go.etcd.io/bbolt":                   {"store"},
	"github.com/fxamacker/cbor/v2":       {"store"},
	"github.com/google/uuid":             {"store", "bot/line"},
	"github.com/line/line-bot-sdk-go/v8": {"bot/line"},
	"golang.org/x/text":                  {"internal/grammar"},
	"golang.org/x/sys":                   {"internal/cli"},
	"github.com/alecthomas/kong":         {"internal/cli"},
	"github.com/coreos/go-systemd/v22":   {"internal/cli"},
	"github.com/rogpeppe/go-internal":    {}, // tests only
	"github.com/google/go-cmp":           {}, // tests only
}

func TestImports(t *testing.T) {
	const format = `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`
	out, err := exec.Command("go", "list", "-f", format, "ichido/...").CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		from := strings.TrimPrefix(strings.TrimPrefix(fields[0], "ichido"), "/")
		allowed, known := mayImport[from]
		if !known {
			t.Errorf("package %q is not in the table", from)
		}
		for _, path := range fields[1:] {
			if path == "ichido" || strings.HasPrefix(path, "ichido/") {
				if !slices.Contains(allowed, strings.TrimPrefix(path, "ichido/")) {
					t.Errorf("%q may not import %s", from, path)
				}
			} else if strings.Contains(strings.Split(path, "/")[0], ".") && !useAllowed(from, path) {
				t.Errorf("%q may not import %s", from, path)
			}
		}
	}
}

func useAllowed(from, path string) bool {
	for module, users := range mayUse {
		if path == module || strings.HasPrefix(path, module+"/") {
			return slices.Contains(users, from)
		}
	}
	return false
}
