package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"ichido/internal/linesim"
	"ichido/internal/talk"
)

// chatCommand is something that can be typed besides messages.
type chatCommand struct {
	name, argument string
	does           string
	run            func(t *chatTalk, ctx context.Context, argument string) error
}

// chatCommands is the table of all of them, in the order of the help.
func chatCommands() []chatCommand {
	return []chatCommand{
		{"/as", "NAME", "speak as somebody else of the household", (*chatTalk).as},
		{"/stranger", "NAME", "speak as somebody who is no member yet", (*chatTalk).stranger},
		{"/group", "[NAME]", "speak in a group that the bot is in", (*chatTalk).group},
		{"/direct", "", "speak to the bot alone again", (*chatTalk).direct},
		{"/mention", "TEXT", "mention the bot", step(talk.Mentions)},
		{"/quote", "[N] TEXT", "quote the bot's last message, or the N-th last of the chat", (*chatTalk).quote},
		{"/edit", "TEXT", "change your last message; LINE has that in groups only", step(talk.Edits)},
		{"/unsend", "", "take your last message back", step(talk.Unsends)},
		{"/press", "BUTTON", "press a button, by its label or number", (*chatTalk).press},
		{"/photo", "", "send a picture", step(talk.SendsPhoto)},
		{"/sticker", "", "send a sticker", step(talk.SendsSticker)},
		{"/follow", "", "add the bot as a friend", step(talk.Follows)},
		{"/block", "", "block the bot", step(talk.Blocks)},
		{"/twice", "", "deliver the last message again, as LINE does at times", (*chatTalk).twice},
		{"/lose", "", "lose LINE's answer to the bot's next message", (*chatTalk).lose},
		{"/ledger", "", "show the rows", (*chatTalk).ledger},
		{"/help", "", "show this", (*chatTalk).help},
		{"/quit", "", "end", func(*chatTalk, context.Context, string) error { return errQuit }},
	}
}

// defaultGroup is the group into which the bot is taken if none is named.
const defaultGroup = "家族"

// errQuit ends the conversation.
var errQuit = errors.New("quit")

func chatHelp() string {
	var b strings.Builder
	b.WriteString("A number presses the button of that number; \\n in a message begins a new line of it. Commands:")
	for _, c := range chatCommands() {
		fmt.Fprintf(&b, "\n  %-18s %s", c.name+" "+c.argument, c.does)
	}
	return b.String()
}

// chatTalk is the conversation on the terminal.
type chatTalk struct {
	p        *program
	home     *home
	terminal bool // a person types: prompt, and don't repeat what was typed

	name    string        // who speaks
	where   string        // the group, "" in the chat with the bot alone
	groups  []string      // that the bot is in
	buttons []talk.Button // under the last answer
}

// chat talks until the input ends.
func chat(ctx context.Context, p *program, h *home) error {
	t := &chatTalk{p: p, home: h, terminal: isTerminal(p.stdin)}
	if err := t.as(ctx, "太郎"); err != nil {
		return err
	}
	if t.terminal {
		fmt.Fprintln(p.stdout, "話しかけてください。例: ランチ 900 ・ 財布 3000 ・ 今月 ・ ヘルプ (/help: commands of this terminal)")
	}
	lines, failed := readLines(p.stdin)
	for {
		t.prompt()
		select {
		case <-ctx.Done():
			return nil
		case text, ok := <-lines:
			if !ok {
				if t.terminal {
					fmt.Fprintln(p.stdout)
				}
				return <-failed
			}
			if err := t.say(ctx, strings.TrimSpace(text)); errors.Is(err, errQuit) {
				return nil
			} else if err != nil {
				return err
			}
		}
	}
}

// readLines reads in a goroutine of its own, so that a signal can end the
// conversation. When lines is closed, failed gives the error or nil.
func readLines(r io.Reader) (lines <-chan string, failed <-chan error) {
	read, end := make(chan string), make(chan error, 1)
	go func() {
		scanner := bufio.NewScanner(r)
		scanner.Buffer(nil, 1<<20)
		for scanner.Scan() {
			read <- scanner.Text()
		}
		end <- scanner.Err()
		close(read)
	}()
	return read, end
}

// say does what one line of input asks for.
func (t *chatTalk) say(ctx context.Context, text string) error {
	if text == "" {
		return nil
	}
	if !t.terminal {
		fmt.Fprintf(t.p.stdout, "%s> %s\n", t.speaker(), text)
	}
	if !strings.HasPrefix(text, "/") {
		if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(t.buttons) {
			return t.press(ctx, text)
		}
		return t.step(ctx, talk.Line{Verb: talk.Says, Text: text})
	}
	name, argument, _ := strings.Cut(text, " ")
	if name == "/exit" {
		name = "/quit"
	}
	commands := chatCommands()
	i := slices.IndexFunc(commands, func(c chatCommand) bool { return c.name == name })
	if i < 0 {
		t.note("no such command; /help lists them")
		return nil
	}
	c := commands[i]
	argument = strings.TrimSpace(argument)
	if argument == "" && c.argument != "" && !strings.HasSuffix(c.argument, "]") {
		t.note(fmt.Sprintf("%s %s: %s", c.name, c.argument, c.does))
		return nil
	}
	return c.run(t, ctx, argument)
}

// step is the command that does what the verb says, with the argument as its text.
func step(verb talk.Verb) func(*chatTalk, context.Context, string) error {
	return func(t *chatTalk, ctx context.Context, argument string) error {
		return t.step(ctx, talk.Line{Verb: verb, Text: argument})
	}
}

func (t *chatTalk) step(ctx context.Context, l talk.Line) error {
	l.Who, l.Group, l.Text = t.name, t.where, newLines(l.Text)
	e, err := t.home.stage.Event(talk.Step{Line: l})
	if err != nil {
		return t.refuse(err)
	}
	switch l.Verb {
	case talk.Unsends:
		t.note("your last message is gone")
	case talk.Blocks:
		t.note(t.name + " has blocked the bot")
	}
	return t.deliver(ctx, e)
}

// refuse tells of what LINE does not let a person do. Other errors end the talk.
func (t *chatTalk) refuse(err error) error {
	for _, known := range []error{talk.ErrNoMessage, talk.ErrNoButton, talk.ErrGroupsOnly, talk.ErrDirectOnly, talk.ErrNothingYet} {
		if errors.Is(err, known) {
			hint := map[error]string{talk.ErrGroupsOnly: "; /group goes to one", talk.ErrDirectOnly: "; /direct goes back"}[known]
			t.note(err.Error() + hint)
			return nil
		}
	}
	return err
}

// deliver posts the webhook and shows what the bot answers.
func (t *chatTalk) deliver(ctx context.Context, e linesim.Event) error {
	status, answers, late, err := t.home.deliver(ctx, e)
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		t.note(fmt.Sprintf("the bot answered LINE with %d; LINE would deliver it again", status))
	}
	if e.Redelivery && len(answers) == 0 && !late {
		t.note("no new answer: it was counted the first time")
	}
	t.show(answers)
	if late {
		t.note("no answer yet")
	}
	return nil
}

// as lets somebody of the household speak, who joins it with the first word.
func (t *chatTalk) as(ctx context.Context, name string) error {
	t.name, t.buttons = name, nil
	return t.home.join(ctx, t.home.stage.Person(name), name)
}

func (t *chatTalk) stranger(_ context.Context, name string) error {
	t.name, t.buttons = name, nil
	t.home.stage.Person(name)
	return nil
}

// group goes to a group, into which the bot is taken with the first word.
func (t *chatTalk) group(ctx context.Context, name string) error {
	if name == "" {
		name = defaultGroup
		if len(t.groups) > 0 {
			name = t.groups[len(t.groups)-1]
		}
	}
	t.where, t.buttons = name, nil
	if slices.Contains(t.groups, name) {
		return nil
	}
	t.groups = append(t.groups, name)
	t.home.allow(t.home.stage.Group(name))
	return t.step(ctx, talk.Line{Verb: talk.AddsBot})
}

func (t *chatTalk) direct(context.Context, string) error {
	t.where, t.buttons = "", nil
	return nil
}

func (t *chatTalk) quote(ctx context.Context, argument string) error {
	n, text := 0, argument
	if number, rest, ok := strings.Cut(argument, " "); ok {
		if i, err := strconv.Atoi(number); err == nil && i > 0 {
			n, text = i, strings.TrimSpace(rest)
		}
	}
	e, err := t.home.stage.Quote(t.name, t.where, n, newLines(text))
	if err != nil {
		return t.refuse(err)
	}
	return t.deliver(ctx, e)
}

// press presses a button. What it says in the person's name is shown.
func (t *chatTalk) press(ctx context.Context, label string) error {
	if n, err := strconv.Atoi(label); err == nil && n >= 1 && n <= len(t.buttons) {
		button := t.buttons[n-1]
		label = button.Label
		if button.Says != "" {
			fmt.Fprintf(t.p.stdout, "%s> %s\n", t.speaker(), plain(button.Says))
		}
	}
	return t.step(ctx, talk.Line{Verb: talk.Presses, Text: label})
}

func (t *chatTalk) twice(ctx context.Context, _ string) error {
	e, err := t.home.stage.Event(talk.Step{Line: talk.Line{Verb: talk.Repeats}})
	if err != nil {
		return t.refuse(err)
	}
	t.note("LINE delivers the last message again")
	return t.deliver(ctx, e)
}

func (t *chatTalk) lose(context.Context, string) error {
	t.home.stage.Trouble(talk.Loses)
	t.note("LINE's answer to the next message of the bot will be lost")
	return nil
}

func (t *chatTalk) help(context.Context, string) error {
	fmt.Fprintln(t.p.stdout, chatHelp())
	return nil
}
