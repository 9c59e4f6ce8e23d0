package bot

import (
	"slices"
	"strings"

	"ichido/internal/grammar"
)

// The other half of a message (500, then ランチ), or the piece that was not clear, makes it
// one that can be recorded.

// means says whether the words are the choice's label or mean the same.
func (c choice) means(words string) bool {
	key := grammar.Key(words)
	like := func(s string) bool { return grammar.Key(s) == key }
	return key != "" && (like(c.label.ja) || like(c.label.en) || slices.ContainsFunc(strings.Fields(c.words), like))
}

// halves are the reasons to ask for which another piece of the message is missing.
var halves = []grammar.Reason{
	grammar.AmountOnly, grammar.ItemOnly, grammar.AccountOnly, grammar.IncomeOrNot, grammar.BetweenPeople,
	grammar.SplitWhat, grammar.HowManyPeople, grammar.WhichAccount,
}

// completed joins the message that was asked about with this one, which must be no
// command by itself, in either order: one row must come of that.
func (t *turn) completed(was grammar.Command) (string, bool) {
	if was.Kind != grammar.Ask || !slices.Contains(halves, was.Reason) || !isHalf(t.cmd) {
		return "", false
	}
	for _, text := range []string{was.Text + " " + t.message.Text, t.message.Text + " " + was.Text} {
		c := t.parse(text, t.at)
		if c.Reason == grammar.NotARow || c.Reason == grammar.Lent {
			return "", false // it is talk, in either order
		}
		if c.Kind != grammar.Record || len(c.Entries) != 1 || len(c.Unread) > 0 {
			continue
		}
		if e := c.Entries[0]; isAmountOf(was, e) || isAmountOf(t.cmd, e) {
			return text, true
		}
	}
	return "", false
}

// isAmountOf says whether the amount of the row, or the whole of which it is a share, is
// the only one that the message says.
func isAmountOf(c grammar.Command, e grammar.Entry) bool {
	return c.HasAmount && (e.Amount == c.Amount || e.Total == c.Amount)
}

// isHalf says whether the message may be a piece of another one.
func isHalf(c grammar.Command) bool {
	if c.Kind == grammar.Remark {
		return c.Reason == ""
	}
	return c.Kind == grammar.Ask && slices.Contains([]grammar.Reason{grammar.AmountOnly, grammar.ItemOnly, grammar.AccountOnly}, c.Reason)
}

// amountUnclear are the reasons to ask that an amount settles.
var amountUnclear = []grammar.Reason{
	grammar.TwoAmounts, grammar.GluedNumber, grammar.BadGrouping, grammar.Decimal, grammar.LetterDigit, grammar.LeadingZero,
	grammar.UnclearNumber, grammar.VagueAmount, grammar.BeforeTax, grammar.Discount, grammar.Change, grammar.ForeignMoney, grammar.TooLarge,
}

// dayUnclear are those that a day settles.
var dayUnclear = []grammar.Reason{grammar.NoDay, grammar.VagueDate, grammar.NoSuchDate}

// inserted puts the amount or the day that was said in the place of the one that was
// not clear.
func (t *turn) inserted(was grammar.Command) (string, bool) {
	c := t.cmd
	item := was.Item
	switch {
	case slices.Contains(amountUnclear, was.Reason) && c.Kind == grammar.Ask && c.Reason == grammar.AmountOnly && c.HasAmount:
		was.Amount = c.Amount
	case slices.Contains(dayUnclear, was.Reason) && isDay(c) && was.HasAmount:
		was.Date = c.Period.From
		item = strings.TrimPrefix(item, leadingPeriod.FindString(item))
	default:
		return "", false
	}
	words := retyped(&was, item, typedYen(was.Amount))
	read := t.parse(words, t.at)
	return words, item != "" && oneRow(&was, was.Amount)(&read)
}

// isDay says whether the message is a day and nothing else, which by itself asks what
// was spent on it.
func isDay(c grammar.Command) bool {
	return c.Kind == grammar.Query && c.Query == grammar.Summary && c.Period.From == c.Period.To && c.Period.From != 0 &&
		c.Item == "" && c.Category == "" && c.Account == "" && c.Owner == "" && !c.Own
}

// isAccountAlone says whether the message is an account word and nothing else, which by itself
// asks what is there.
func isAccountAlone(c grammar.Command) bool {
	return c.Kind == grammar.Query && c.Query == grammar.Balances && c.Account != ""
}
