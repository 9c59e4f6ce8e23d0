package cli

import (
	"fmt"
	"runtime"

	"ichido/internal/version"
)

type versionCmd struct{}

// Run shows what this program was built from.
func (c *versionCmd) Run(p *program) error {
	fmt.Fprintf(p.stdout, "ichido %s, %s\n", version.String(), runtime.Version())
	return nil
}
