package talk

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Step is a line that is to be done, at its time.
type Step struct {
	Line
	At time.Time // when the person does it; earlier than the clock if it arrives late
}

// Answer is what the bot says, or what a command prints.
type Answer struct {
	Chat    string // the person whose chat it is in, or the group
	Group   bool   // it is in a group
	Text    string
	Buttons []Button
}

// Button is offered below an answer.
type Button struct {
	Label string
	Says  string // what is said in the person's name when it is pressed
	Tap   bool   // it does something by itself, and what it says is only shown
}

// Scene is where a talk happens.
type Scene interface {
	// Until lets the time come and returns what the bot has said by itself.
	Until(at time.Time) ([]Answer, error)
	// Do does what the step says and returns what the bot answers.
	Do(Step) ([]Answer, error)
}

// Play has the conversation of the file and writes it with the answers that come.
// Times in the file are those of the zone. A file without a clock begins at now.
func Play(w io.Writer, file string, zone *time.Location, now time.Time, scene Scene) error {
	lines, err := Read(file)
	if err != nil {
		return err
	}
	p := player{w: w, scene: scene, clock: now.In(zone)}
	for _, line := range lines {
		if err := p.play(line); err != nil {
			return fmt.Errorf("%s: %w", line.Source, err)
		}
	}
	return p.wait()
}

type player struct {
	w     io.Writer
	scene Scene
	clock time.Time
	codes []string // joining codes that have been shown
}

func (p *player) play(line Line) error {
	if line.Verb == comment {
		at, err := time.ParseInLocation("# 2006-01-02 15:04", line.Text, p.clock.Location())
		p.print(line.Source)
		if err != nil {
			return nil
		}
		p.clock = at
		return p.wait()
	}
	if err := p.wait(); err != nil {
		return err
	}
	step, err := p.step(line)
	if err != nil {
		return err
	}
	p.print(line.Source)
	answers, err := p.scene.Do(step)
	for _, a := range answers {
		p.answer(a, line)
	}
	if len(answers) == 0 && err == nil && line.byPerson() && !unanswered[line.Verb] {
		p.print("bot>")
	}
	return err
}

// wait lets the time of the clock come.
func (p *player) wait() error {
	answers, err := p.scene.Until(p.clock)
	for _, a := range answers {
		p.answer(a, Line{})
	}
	return err
}

// byPerson says that a person does it in a chat.
func (l Line) byPerson() bool { return slices.Contains(verbs, l.Verb) }

func (p *player) step(line Line) (Step, error) {
	line.Text = p.uncode(line.Text)
	s := Step{Line: line, At: p.clock}
	switch {
	case line.Typed != "":
		at, err := time.ParseInLocation("2006-01-02 15:04", p.clock.Format("2006-01-02 ")+line.Typed, p.clock.Location())
		s.At = at
		return s, err
	case line.byPerson():
		p.clock = p.clock.Add(time.Minute)
	}
	return s, nil
}

func (p *player) print(line string) { fmt.Fprintln(p.w, line) }

// answer writes an answer to the line; that of the zero Line came by itself.
func (p *player) answer(a Answer, to Line) {
	text := p.encode(a.Text)
	if to.Verb == Command {
		p.print("    " + strings.ReplaceAll(text, "\n", "\n    "))
		return
	}
	who := "bot"
	switch {
	case a.Chat == to.Group && a.Group || a.Chat == to.Who && to.Group == "" && !a.Group:
		// where the line was said
	case a.Group:
		who += "@" + a.Chat
	default:
		who += " to " + a.Chat
	}
	p.print(strings.TrimSpace(who + "> " + strings.ReplaceAll(text, "\n", "\n"+further)))
	var buttons []string
	for _, b := range a.Buttons {
		if !b.Tap && b.Label != b.Says {
			b.Label += ": " + b.Says
		}
		buttons = append(buttons, "["+b.Label+"]")
	}
	if buttons != nil {
		p.print("    " + strings.Join(buttons, " "))
	}
}

// A joining code is made by chance: in the file it stands as a mark.
var (
	code = regexp.MustCompile(`\b[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}\b`)
	mark = regexp.MustCompile(`<code(?: \d+)?>`)
)

func markOf(i int) string {
	if i == 0 {
		return "<code>"
	}
	return fmt.Sprintf("<code %d>", i+1)
}

// encode puts marks for the codes.
func (p *player) encode(text string) string {
	return code.ReplaceAllStringFunc(text, func(c string) string {
		i := slices.Index(p.codes, c)
		if i < 0 {
			i = len(p.codes)
			p.codes = append(p.codes, c)
		}
		return markOf(i)
	})
}

// uncode puts the codes for the marks. A mark of no code stays.
func (p *player) uncode(text string) string {
	return mark.ReplaceAllStringFunc(text, func(m string) string {
		for i, c := range p.codes {
			if m == markOf(i) {
				return c
			}
		}
		return m
	})
}
