package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"ichido/bot"
	"ichido/bot/line"
	"ichido/internal/ledger"
	"ichido/internal/linesim"
	"ichido/store"
)

type chatCmd struct{}

// Help is shown by ichido chat --help.
func (chatCmd) Help() string {
	return "Talks through the real webhook and a LINE platform of its own on loopback. The ledger is a temporary file " +
		"unless --db names one; ICHIDO_DB is ignored.\n\n" + chatHelp
}

const chatHelp = `A number presses the button of that number; \n in a message begins a new line of it. Commands:
  /as NAME   speak as somebody else of the household
  /twice     deliver the last message again, as LINE does at times
  /lose      lose LINE's answer to the bot's next message
  /ledger    show the rows
  /help      show this
  /quit      end`

// answerTime is how long chat waits for an answer that the outbox promises.
const answerTime = 10 * time.Second

// Run talks until the input ends.
func (c *chatCmd) Run(ctx context.Context, p *program) error {
	path := p.db
	if !p.dbGiven {
		dir, err := os.MkdirTemp("", "ichido-chat-*")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		path = filepath.Join(dir, "ichido.db")
	}
	s, err := store.Open(path, store.Options{Fatal: p.fatal})
	if err != nil {
		return err
	}
	return errors.Join(chat(ctx, p, s), s.Close())
}

// chat sets up both ends on loopback and runs the conversation.
func chat(ctx context.Context, p *program, s *store.Store) error {
	platform := linesim.New(linesim.Options{})
	endpoint, stopPlatform := platform.Start()
	defer stopPlatform()
	door, err := line.New(line.Config{
		Store: s, Bot: bot.New(p.zone), Secret: linesim.DefaultSecret, Token: linesim.DefaultToken, Endpoint: endpoint,
		Admit: func(string) bool { return true }, Zone: p.zone,
	})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: door}
	go server.Serve(listener)
	defer server.Close()
	platform.SetWebhook("http://" + listener.Addr().String() + "/line/webhook")

	sendCtx, stopSending := context.WithCancel(context.WithoutCancel(ctx))
	var sending sync.WaitGroup
	var sendErr error
	sending.Go(func() { sendErr = door.Run(sendCtx) })

	t := &talk{p: p, store: s, platform: platform, terminal: isTerminal(p.stdin)}
	if err = t.as(ctx, "太郎"); err == nil {
		err = t.run(ctx)
	}
	stopSending()
	sending.Wait()
	return errors.Join(err, sendErr)
}

// talk is the conversation on the terminal.
type talk struct {
	p        *program
	store    *store.Store
	platform *linesim.Platform
	terminal bool // a person types: prompt, and don't repeat what was typed

	name    string
	user    string
	last    *linesim.Event
	shown   map[string]int   // bubbles of each chat that have been shown
	seen    store.OutboxID   // the newest message that has been waited for
	buttons []linesim.Button // under the last answer
}

func (t *talk) run(ctx context.Context) error {
	if t.terminal {
		fmt.Fprintln(t.p.stdout, "話しかけてください。例: ランチ 900 ・ 財布 3000 ・ 今月 ・ ヘルプ (/help: commands of this terminal)")
	}
	lines, failed := readLines(t.p.stdin)
	for {
		t.prompt()
		select {
		case <-ctx.Done():
			return nil
		case text, ok := <-lines:
			if !ok {
				if t.terminal {
					fmt.Fprintln(t.p.stdout)
				}
				return <-failed
			}
			quit, err := t.say(ctx, strings.TrimSpace(text))
			if quit || err != nil {
				return err
			}
		}
	}
}

func (t *talk) prompt() {
	if t.terminal {
		fmt.Fprintf(t.p.stdout, "%s> ", t.name)
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
func (t *talk) say(ctx context.Context, text string) (quit bool, err error) {
	if text == "" {
		return false, nil
	}
	if !t.terminal {
		fmt.Fprintf(t.p.stdout, "%s> %s\n", t.name, text)
	}
	command, argument, _ := strings.Cut(text, " ")
	switch command {
	case "/quit", "/exit":
		return true, nil
	case "/as":
		return false, t.as(ctx, strings.TrimSpace(argument))
	case "/twice":
		if t.last == nil {
			fmt.Fprintln(t.p.stdout, "(nothing has been said yet)")
			return false, nil
		}
		fmt.Fprintln(t.p.stdout, "(LINE delivers the last message again)")
		before := len(t.platform.BotTexts(t.user))
		err := t.deliver(ctx, t.last.Redelivered())
		if err == nil && len(t.platform.BotTexts(t.user)) == before {
			fmt.Fprintln(t.p.stdout, "(no new answer: it was counted the first time)")
		}
		return false, err
	case "/lose":
		fmt.Fprintln(t.p.stdout, "(LINE's answer to the next message of the bot will be lost)")
		t.platform.Fail(linesim.Lost())
		return false, nil
	case "/ledger":
		return false, t.ledger()
	case "/help":
		fmt.Fprintln(t.p.stdout, chatHelp)
		return false, nil
	}
	if strings.HasPrefix(text, "/") {
		fmt.Fprintln(t.p.stdout, "(no such command; /help lists them)")
		return false, nil
	}
	return false, t.deliver(ctx, t.event(text))
}

// event makes the message, or the press of a button if the text is its number.
func (t *talk) event(text string) linesim.Event {
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(t.buttons) {
		text = t.buttons[n-1].Text
		fmt.Fprintf(t.p.stdout, "%s> %s\n", t.name, text)
	}
	return t.platform.Text(t.user, strings.ReplaceAll(text, `\n`, "\n"))
}

// as lets somebody else speak, who joins the household with the first word.
func (t *talk) as(ctx context.Context, name string) error {
	if name == "" {
		fmt.Fprintln(t.p.stdout, "(/as NAME: whose name?)")
		return nil
	}
	t.name, t.user, t.buttons = name, linesim.UserID(name), nil
	t.platform.SetProfile(t.user, name)
	return t.store.Update(ctx, func(tx *store.Tx) error {
		_, err := tx.Join(t.user, name)
		return err
	})
}

// deliver posts the webhook and shows what the bot answers.
func (t *talk) deliver(ctx context.Context, e linesim.Event) error {
	t.last = &e
	before := len(t.platform.BotTexts(t.user))
	status, err := t.platform.Deliver(ctx, e)
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		fmt.Fprintf(t.p.stdout, "(the bot answered LINE with %d; LINE would deliver it again)\n", status)
	}
	pending, err := t.pending()
	if err != nil {
		return err
	}
	if pending {
		waitCtx, cancel := context.WithTimeout(ctx, answerTime)
		defer cancel()
		if _, err := t.platform.Wait(waitCtx, t.user, before+1); err != nil {
			fmt.Fprintln(t.p.stdout, "(no answer yet)")
		}
	}
	t.show()
	return nil
}

// pending says whether the outbox has something new for this chat.
func (t *talk) pending() (yes bool, err error) {
	err = t.store.View(func(tx *store.Tx) error {
		return tx.PendingOutgoing(func(o store.Outgoing) error {
			if o.Chat == t.user && o.ID > t.seen {
				t.seen, yes = o.ID, true
			}
			return nil
		})
	})
	return yes, err
}

// show prints the bot's bubbles that have not been shown.
func (t *talk) show() {
	if t.shown == nil {
		t.shown = make(map[string]int)
	}
	bubbles := t.platform.Chat(t.user)
	for _, b := range bubbles[min(t.shown[t.user], len(bubbles)):] {
		if b.From != "" {
			continue
		}
		for i, text := range strings.Split(b.Text, "\n") {
			who := "一度> "
			if i > 0 {
				who = "      "
			}
			fmt.Fprintln(t.p.stdout, who+plain(text))
		}
		t.buttons = b.QuickReplies
		if len(t.buttons) > 0 {
			var labels []string
			for n, button := range t.buttons {
				labels = append(labels, fmt.Sprintf("[%d] %s", n+1, button.Label))
			}
			fmt.Fprintln(t.p.stdout, "      "+strings.Join(labels, "  "))
		}
	}
	t.shown[t.user] = len(bubbles)
}

// ledger shows all rows as a table.
func (t *talk) ledger() error {
	return t.store.View(func(tx *store.Tx) error {
		return tx.Rows(store.AllRows, func(r *ledger.Row) error {
			account, err := tx.Account(r.Account)
			if err != nil {
				return err
			}
			name := account.Name
			if account.Owner != 0 {
				owner, err := tx.Member(account.Owner)
				if err != nil {
					return err
				}
				name = cmp.Or(owner.Name, fmt.Sprintf("%d人目", owner.ID)) + "の" + name
			}
			amount, note := r.Amount, ""
			if r.Type == ledger.Adjustment {
				amount, note = r.Stated, fmt.Sprintf("(差 %v円)", r.Amount)
			}
			if r.Opening {
				note = "(最初の残高)"
			}
			if r.Voided {
				note = "(取消)"
			}
			line := fmt.Sprintf("  %s%s  %s%s%s円  %s%s%s", pad(r.ID.String(), 6), r.Date, pad(r.Type.String(), 12),
				pad(plain(r.Item), 20), pad(amount.String(), -10), pad(string(r.Category), 10), pad(name, 14), note)
			_, err = fmt.Fprintln(t.p.stdout, strings.TrimRight(line, " "))
			return err
		})
	})
}

// pad fills a text up to a number of columns, on its left for a negative one. A
// Japanese character takes two.
func pad(s string, columns int) string {
	width := 0
	for _, r := range s {
		width++
		if r >= 0x1100 {
			width++
		}
	}
	if columns < 0 {
		return strings.Repeat(" ", max(-columns-width, 0)) + s
	}
	return s + strings.Repeat(" ", max(columns-width, 1))
}
