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
	"internal/ledger":       {},
	"internal/version":      {},
	"internal/grammar":      {"internal/ledger"},
	"internal/exchange":     {"internal/ledger"},
	"internal/golden":       {},
	"internal/linesim":      {},
	"internal/linesim/page": {"internal/linesim"},
	"store":                 {"internal/ledger", "internal/version"},
	"store/storetest":       {"internal/ledger", "store"},
	"internal/talk":         {"internal/ledger", "internal/linesim", "store"},
	"bot":                   {"internal/grammar", "internal/ledger", "store"},
	"bot/line":              {"bot", "internal/ledger", "store"},
	"internal/backups":      {"store"},
	"internal/control":      {"bot", "internal/backups", "internal/exchange", "internal/ledger", "store"},
	"internal/web":          {"bot", "internal/exchange", "internal/ledger", "store"},
	"internal/load":         {},
	"internal/planted":      {},
	"internal/powercut":     {},
	"internal/cli":          {"bot", "bot/line", "internal/backups", "internal/control", "internal/exchange", "internal/grammar", "internal/ledger", "internal/linesim", "internal/linesim/page", "internal/talk", "internal/version", "internal/web", "store"},
	"internal/sim":          {},
	"":                      {"internal/cli"},
}

// mayImportToTest says what else of the project the tests of a package may import. All
// may import what the package itself may, and the package.
var mayImportToTest = map[string][]string{
	"store":                 {"store/storetest"},
	"internal/talk":         {},
	"bot":                   {"internal/golden", "internal/talk", "store/storetest"},
	"bot/line":              {"internal/control", "internal/golden", "internal/linesim", "internal/talk", "store/storetest"},
	"internal/exchange":     {"internal/golden"},
	"internal/linesim/page": {"internal/golden"},
	"internal/backups":      {"internal/ledger", "store/storetest"},
	"internal/control":      {"store/storetest"},
	"internal/web":          {"store/storetest"},
	"internal/cli":          {"internal/golden", "store/storetest"},
	"internal/load":         {"internal/cli", "internal/linesim"},                                                // runs the program itself
	"internal/powercut":     {"internal/cli", "internal/ledger", "internal/linesim", "store", "store/storetest"}, // it runs the program
	"internal/sim":          {"bot", "bot/line", "internal/ledger", "internal/linesim", "internal/web", "store", "store/storetest"},
	"":                      {"internal/ledger", "store", "store/storetest"},
}

// mayUseToTest says which tests may import which module of others besides.
var mayUseToTest = map[string][]string{
	"github.com/anishathalye/porcupine":        {"store"},
	"github.com/chromedp/chromedp":             {"internal/web"},
	"github.com/google/uuid":                   {"store"},
	"github.com/line/line-bot-sdk-go/v8":       {"internal/linesim"},
	"github.com/rogpeppe/go-internal":          {"internal/cli", "internal/load"},
	"github.com/santhosh-tekuri/jsonschema/v6": {"internal/web"},
	"golang.org/x/text":                        {"bot"}, // folds as the checked code does, but by itself
}

// mayUse says which packages may import which module of others. A module that
// is not here may not be imported at all.
var mayUse = map[string][]string{
	"go.etcd.io/bbolt":                         {"store"},
	"github.com/fxamacker/cbor/v2":             {"store"},
	"filippo.io/age":                           {"internal/backups", "internal/cli"},
	"github.com/schollz/progressbar/v3":        {"internal/cli"},
	"github.com/google/uuid":                   {"store", "bot/line"},
	"github.com/line/line-bot-sdk-go/v8":       {"bot/line"},
	"github.com/rivo/uniseg":                   {"bot/line", "internal/linesim"},
	"golang.org/x/text":                        {"internal/grammar"},
	"golang.org/x/sys":                         {"internal/cli"},
	"golang.org/x/time":                        {"internal/web"},
	"github.com/alecthomas/kong":               {"internal/cli"},
	"github.com/coreos/go-systemd/v22":         {"internal/cli"},
	"github.com/rogpeppe/go-internal":          {},                  // tests only
	"github.com/chromedp/chromedp":             {},                  // tests only
	"github.com/santhosh-tekuri/jsonschema/v6": {},                  // tests only
	"github.com/google/go-cmp":                 {"internal/golden"}, // tests only
}

func TestImports(t *testing.T) {
	for from, paths := range imports(t, "{{range .Imports}} {{.}}{{end}}") {
		allowed, known := mayImport[from]
		if !known {
			t.Errorf("package %q is not in the table", from)
		}
		for _, path := range paths {
			if own, ours := ownPackage(path); ours && !slices.Contains(allowed, own) || !ours && !useAllowed(mayUse, from, path) {
				t.Errorf("%q may not import %s", from, path)
			}
		}
	}
}

// Tests may import more, but not anything.
func TestImportsOfTests(t *testing.T) {
	for from, paths := range imports(t, "{{range .TestImports}} {{.}}{{end}}{{range .XTestImports}} {{.}}{{end}}") {
		allowed := slices.Concat(mayImport[from], mayImportToTest[from], []string{from})
		for _, path := range paths {
			own, ours := ownPackage(path)
			compares := path == "github.com/google/go-cmp" || strings.HasPrefix(path, "github.com/google/go-cmp/")
			if ours && !slices.Contains(allowed, own) || !ours && !compares && !useAllowed(mayUse, from, path) && !useAllowed(mayUseToTest, from, path) {
				t.Errorf("tests of %q may not import %s", from, path)
			}
		}
	}
}

// imports gives for each package the paths that the template writes.
func imports(t *testing.T, template string) map[string][]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}}"+template, "ichido/...").CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	packages := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		name, _ := ownPackage(fields[0])
		packages[name] = fields[1:]
	}
	return packages
}

// ownPackage returns the name of a package of the project, "" for its root.
func ownPackage(path string) (name string, ours bool) {
	if path == "ichido" {
		return "", true
	}
	return strings.CutPrefix(path, "ichido/")
}

// useAllowed says whether the package may import what others have made; the standard
// library it may.
func useAllowed(table map[string][]string, from, path string) bool {
	if !strings.Contains(strings.Split(path, "/")[0], ".") {
		return true
	}
	for module, users := range table {
		if path == module || strings.HasPrefix(path, module+"/") {
			return slices.Contains(users, from)
		}
	}
	return false
}
