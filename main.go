// Ichido is a household budget that a family keeps by chatting in LINE.
package main

import (
	"os"

	"ichido/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
