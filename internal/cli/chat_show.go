package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"ichido/internal/ledger"
	"ichido/internal/talk"
	"ichido/store"
)

// speaker is who speaks and where: 太郎, or 太郎@家族 in a group.
func (t *chatTalk) speaker() string {
	if t.where != "" {
		return t.name + "@" + t.where
	}
	return t.name
}

func (t *chatTalk) prompt() {
	if t.terminal {
		fmt.Fprintf(t.p.stdout, "%s> ", t.speaker())
	}
}

// note shows what is no part of the conversation.
func (t *chatTalk) note(text string) { fmt.Fprintf(t.p.stdout, "(%s)\n", text) }

// show prints what the bot has said, in other chats too.
func (t *chatTalk) show(answers []talk.Answer) {
	for _, a := range answers {
		who := "一度"
		switch {
		case a.Group && a.Chat != t.where:
			who += "@" + a.Chat
		case !a.Group && (t.where != "" || a.Chat != t.name):
			who += "→" + a.Chat
		}
		margin := "      "
		fmt.Fprintf(t.p.stdout, "%s> %s\n", who, strings.Join(plainLines(a.Text), "\n"+margin))
		t.buttons = a.Buttons
		if len(t.buttons) > 0 {
			var labels []string
			for n, button := range t.buttons {
				labels = append(labels, fmt.Sprintf("[%d] %s", n+1, plain(button.Label)))
			}
			fmt.Fprintln(t.p.stdout, margin+strings.Join(labels, "  "))
		}
	}
}

func plainLines(text string) []string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = plain(line)
	}
	return lines
}

// ledger shows all rows as a table.
func (t *chatTalk) ledger(context.Context, string) error {
	return t.home.store.View(func(tx *store.Tx) error {
		categories, err := tx.Categories()
		if err != nil {
			return err
		}
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
			if r.Withdrawn {
				note = "(編集・送信取消)"
			}
			line := fmt.Sprintf("  %s%s  %s%s%s円  %s%s%s", pad(r.ID.String(), 6), r.Date, pad(r.Type.String(), 12),
				pad(plain(r.Item), 20), pad(amount.String(), -10), pad(string(categories.Of(r.Category)), 10), pad(name, 14), note)
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
