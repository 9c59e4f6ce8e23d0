// Package golden holds what tests get to files that the tests can write.
package golden

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Update says that the files are to be written, not compared: go test PACKAGE -update.
var Update = flag.Bool("update", false, "rewrite the files that tests compare with")

// Check wants the file to be what the test got, or makes it so.
func Check(t testing.TB, file, got string) {
	t.Helper()
	if *Update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: -want +got (-update rewrites it; look at the difference):\n%s", file, diff)
	}
}
