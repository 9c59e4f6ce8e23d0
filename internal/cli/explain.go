package cli

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"time"

	"ichido/internal/grammar"
)

type explainCmd struct {
	Texts []string  `arg:"" optional:"" name:"text" help:"A message. Without any, each line of standard input is one, with \\n, \\t and \\\\ escaped."`
	Why   bool      `help:"Say as well which rule decided about each line, and what was made of each part of it by what."`
	At    time.Time `placeholder:"TIME" help:"What time it is, like 2026-11-30T12:00:00+09:00 (default: now)."`
}

// Run writes one object for each message.
func (c *explainCmd) Run(p *program) error {
	if c.At.IsZero() {
		c.At = time.Now()
	}
	now := c.At.In(p.zone)
	if len(c.Texts) == 0 {
		return c.explainLines(p, now)
	}
	for _, text := range c.Texts {
		if err := writeJSON(p.stdout, c.read(text, now)); err != nil {
			return err
		}
	}
	return nil
}

// read gives what is printed for a message.
func (c *explainCmd) read(text string, now time.Time) any {
	if c.Why {
		return grammar.Explain(text, now)
	}
	return grammar.Parse(text, now)
}

func (c *explainCmd) explainLines(p *program, now time.Time) error {
	in := bufio.NewReader(p.stdin)
	for {
		line, err := in.ReadString('\n')
		if line != "" {
			text := unescape.Replace(strings.TrimSuffix(line, "\n"))
			if err := writeJSON(p.stdout, c.read(text, now)); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// unescape undoes the escapes of a line. A backslash before anything else stays.
var unescape = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t")
