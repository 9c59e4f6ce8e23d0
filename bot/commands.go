package bot

import (
	"strings"

	"ichido/internal/grammar"
)

// command is one thing that the bot understands.
type command struct {
	kind  grammar.Kind
	query string // of a grammar.Query
	help  usage  // the zero value keeps it out of the help
	run   func(*turn) (Reply, error)
}

// usage is an entry of the help.
type usage struct {
	words Phrase // an example of what to type
	does  Phrase
}

// commands is the table of all that can be said to the bot, in the order of the
// help: what is said most comes first. It is a function because help is printed from it.
func commands() []command {
	return []command{
		{grammar.Record, "", useRecord, (*turn).record},
		{grammar.Undo, "", useUndo, (*turn).undo},
		{grammar.Correct, "", useCorrect, (*turn).correct},
		{grammar.Query, grammar.Summary, useSummary, (*turn).summary},
		{grammar.Query, grammar.List, useList, (*turn).list},
		{grammar.Query, grammar.Budgets, useBudgets, (*turn).budgetsLeft},
		{grammar.Query, grammar.Balances, useBalances, (*turn).balances},
		{grammar.Balance, "", useBalance, (*turn).balance},
		{grammar.Budget, "", useBudget, (*turn).budget},
		{grammar.Redo, "", useRedo, (*turn).redo},
		{grammar.Query, grammar.Compare, useCompare, (*turn).compare},
		{grammar.Query, grammar.Trend, useTrend, (*turn).trend},
		{grammar.Query, grammar.Search, useSearch, (*turn).search},
		{grammar.Query, grammar.Categories, useCategories, (*turn).categoryList},
		{grammar.Query, grammar.Members, useMembers, (*turn).members},
		{grammar.Query, grammar.Words, useWords, (*turn).words},
		{grammar.Setting, "", useName, (*turn).setting},
		{grammar.Order, "", useInvite, (*turn).order},
		{grammar.Help, "", useHelp, (*turn).help},
		{grammar.Ask, "", usage{}, (*turn).ask},
		{grammar.Remark, "", usage{}, (*turn).remark},
		{grammar.Query, grammar.Last, usage{}, (*turn).last},
		{grammar.Recurring, "", usage{}, notYet(noRecurring)},
		{grammar.Settle, "", usage{}, notYet(noSettle)},
	}
}

// run does what the table says about the message.
func (t *turn) run() (Reply, error) {
	for _, c := range commands() {
		if c.kind == t.cmd.Kind && (c.query == "" || c.query == t.cmd.Query) {
			return c.run(t)
		}
	}
	return said(t.unclear(t.cmd)), nil
}

// helpText says how to talk to the bot.
func (v Voice) helpText() string { return strings.Join(v.helpLines(), "\n") }

func (v Voice) helpLines() []string {
	lines := []string{v.text(helpHead)}
	for _, c := range commands() {
		if c.help != (usage{}) {
			lines = append(lines, v.helpEntry(c.help))
		}
	}
	return lines
}

// shortHelp is how many entries the help has before one asks for more: what a phone shows
// at once.
const shortHelp = 7

func (t *turn) help() (Reply, error) {
	if t.cmd.Value == grammar.HelpMore {
		return said(t.helpText()), nil
	}
	a := answer{}
	a.add(t.helpLines()[:1+shortHelp]...)
	a.offer(t.helpButtons()...)
	return a.reply(), nil
}

// order does what concerns the household itself.
func (t *turn) order() (Reply, error) {
	switch t.cmd.Command {
	case "invite":
		return t.invite()
	case "web":
		return t.webLink()
	case "devices":
		return t.devices()
	case "erase":
		return t.erase()
	}
	return said(t.text(noOrder)), nil
}

// notYet answers what is understood but cannot be done yet.
func notYet(sentence Phrase) func(*turn) (Reply, error) {
	return func(t *turn) (Reply, error) { return said(t.text(sentence)), nil }
}

func (t *turn) remark() (Reply, error) {
	if err := t.expectCorrection(); err != nil {
		return Reply{}, err
	}
	return said(t.smallTalk(t.cmd.Reason, t.at.Hour())), nil
}
