package bot

import (
	"slices"
	"strconv"
	"strings"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
	"ichido/store"
)

// A bill that was divided is recorded as one's own share. With the family all of it is
// spent, whoever has paid, so that it is asked who they were where it may be the family.

// divided says whether a row of the command is a share of a bill.
func divided(c *grammar.Command) bool { return slices.ContainsFunc(c.Entries, isShare) }

func isShare(e grammar.Entry) bool { return e.Total > 0 }

// withFamily says whether a bill may have been divided within the household: somebody
// of it is named, or nobody is and no more people share it than it has.
func (t *turn) withFamily() (bool, error) {
	if !divided(&t.cmd) {
		return false, nil
	}
	members, err := t.activeMembers()
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(t.cmd.Entries, func(e grammar.Entry) bool {
		if len(e.With) == 0 {
			return isShare(e) && e.People <= len(members)
		}
		return isShare(e) && slices.ContainsFunc(e.With, func(name string) bool { return isOneOf(members, name) })
	}), nil
}

func isOneOf(members []store.Member, name string) bool {
	_, is := memberCalled(members, name)
	return is
}

// splitChoices asks who divided the bill. Of several rows all are recorded.
func (t *turn) splitChoices(c *grammar.Command) (choices []choice) {
	shares := slices.DeleteFunc(slices.Clone(c.Entries), func(e grammar.Entry) bool { return !isShare(e) })
	if len(shares) == 0 || len(c.Unread) > 0 {
		return nil
	}
	whole := slices.Clone(c.Entries)
	for i := range whole {
		if isShare(whole[i]) {
			whole[i].Amount, whole[i].Total, whole[i].People, whole[i].With = whole[i].Total, 0, 0, nil
		}
	}
	family := choice{familyLabel, entryLines(whole), "家族 家族と", nil}
	friends := choice{friendsLabel, c.Text, "友人 友だち 友達 友人と 友だちと 友達と 友達で 友だちで ほかの人", nil}
	if len(shares) == 1 {
		family.label = withYen(familyLabel, shares[0].Total)
		friends.label = withYen(friendsLabel, shares[0].Amount)
	}
	if read := t.parse(family.text, t.at); sameEntries(read.Entries, whole) {
		choices = append(choices, family)
	}
	return append(choices, friends)
}

// entryLines writes the rows as one may type them.
func entryLines(entries []grammar.Entry) string {
	var lines []string
	for _, e := range entries {
		category := ""
		if e.SaidCategory && e.Item != string(e.Category) {
			category = string(e.Category)
		}
		lines = append(lines, spaced(e.Date.String(), e.Item, typedYen(e.Amount), unlessCash(e.Account), category))
	}
	return strings.Join(lines, "\n")
}

// sameEntries says whether the rows are the same to the ledger.
func sameEntries(read, want []grammar.Entry) bool {
	return slices.EqualFunc(read, want, func(a, b grammar.Entry) bool {
		return a.Type == b.Type && a.Date == b.Date && a.Item == b.Item && a.Amount == b.Amount && a.Total == b.Total &&
			a.Category == b.Category && accountName(a.Account) == accountName(b.Account) && a.ToAccount == b.ToAccount
	})
}

// mostPeople is for how many people who divide a bill there is a button.
const mostPeople = 5

// choosePeople asks by how many the bill is divided.
func choosePeople(c *grammar.Command) (choices []choice) {
	if c.Item == "" || !c.HasAmount || c.Amount < 1 {
		return nil
	}
	item := c.Item
	if family, ok := strings.CutSuffix(item, " 家族"); ok {
		item = family
		choices = append(choices, choice{withYen(familyLabel, c.Amount), retyped(c, item, typedYen(c.Amount)), "家族", oneRow(c, c.Amount)})
	}
	for people := 2; people <= mostPeople; people++ {
		n := strconv.Itoa(people)
		choices = append(choices, choice{peopleLabel(people), retyped(c, item, typedYen(c.Amount), n+"人で割り勘"), n + "人で " + n + "人です", shares(c, people)})
	}
	return choices
}

// shares says whether the command divides the amount of the other one.
func shares(c *grammar.Command, people int) func(*grammar.Command) bool {
	total := c.Amount
	return func(read *grammar.Command) bool {
		return read.Kind == grammar.Record && len(read.Entries) == 1 && len(read.Unread) == 0 &&
			read.Entries[0].Total == total && (people == 0 || read.Entries[0].People == people)
	}
}

// chooseWhatWasSplit offers categories for a bill without an item.
func (t *turn) chooseWhatWasSplit(c *grammar.Command) (choices []choice, err error) {
	if !c.HasAmount || c.Amount < 1 {
		return nil, nil
	}
	categories, err := t.spendingCategories()
	for _, category := range categories {
		choices = append(choices, choice{label: categoryLabel(category), text: category + " " + c.Text, fits: shares(c, 0)})
	}
	return choices, err
}

// tellShares says of the divided bills among the rows what the whole was. It offers to
// record the whole of an only row instead: that is what was spent until the others have
// given back theirs.
func (t *turn) tellShares(a *answer, entries []grammar.Entry, rows []ledger.Row) error {
	for _, e := range entries {
		if isShare(e) {
			a.add(t.dividedLine(e))
		}
	}
	if len(rows) != 1 || entries[0].Total <= rows[0].Amount {
		return nil
	}
	operation, err := t.tx.Operation(tapWhole)
	a.offer(t.wholeButton(operation, entries[0].Total))
	return err
}

// tapWhole makes the row under which the button stands all that was paid.
func (t *turn) tapWhole(p pressed) (Reply, error) {
	rows, then, err := t.rowsUnder(p)
	total, no := strconv.Atoi(p.argument)
	amount := ledger.Yen(total)
	if len(rows) != 1 || no != nil || err != nil || rows[0].Amount != then[0].Amount || amount <= rows[0].Amount || amount > ledger.MaxAmount {
		return said(t.text(oldButton)), err
	}
	after := rows[0]
	after.Amount = amount
	reply, err := t.amend(ledger.Change{Before: &rows[0], After: &after})
	reply.Lines = append(reply.Lines, sentences(t.howToGetBack(after.Item, amount-rows[0].Amount))...)
	return reply, err
}
