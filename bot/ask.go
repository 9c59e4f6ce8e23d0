package bot

import (
	"cmp"
	"slices"
	"strings"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
)

// What can't be read safely is asked about. Where one tap can settle it there are
// buttons, each of which is an operation with a text behind it: pressed, the text is
// read as if it had been typed instead of what was asked about, at that time and by
// that person. A question is answered once, by a button or by words: see settle.go.

// choice is one way to settle a question.
type choice struct {
	label Phrase
	text  string // what is read instead; "" records nothing
	words string // what else one may say for the label, separated by spaces

	// fits says whether the text is understood as what the label says. A choice that
	// does not fit is not offered.
	fits func(*grammar.Command) bool
}

// maxChoices is how many buttons are seen under an answer.
const maxChoices = 13

// ask says what is unclear and offers what may be meant; nothing is recorded.
func (t *turn) ask() (Reply, error) {
	switch c := &t.cmd; {
	case c.Reason == grammar.WhoseWallet && c.HasAmount:
		return t.balance() // the grammar does not know who is a member
	case c.Reason == grammar.ReceiptAlone:
		return t.askReceipt()
	case c.Reason == grammar.SeveralReceipts:
		return said(t.unclear(t.cmd)), nil
	}
	return t.askAbout(t.message.Text, false)
}

// askEdited is ask for the new text of a message, which is no command.
func (t *turn) askEdited() (Reply, error) {
	switch t.cmd.Reason {
	case grammar.WhoseWallet, grammar.ReceiptAlone, grammar.SeveralReceipts:
		return said(t.unclear(t.cmd)), nil
	}
	return t.askAbout(t.message.Text, false)
}

// askReceipt says what can be done with the number of a receipt.
func (t *turn) askReceipt() (Reply, error) {
	id, err := ledger.ParseRowID(t.cmd.Receipt)
	if err != nil {
		return Reply{}, err
	}
	return Reply{Lines: sentences(t.receiptAlone(id)), Buttons: []Button{t.undoButton(id)}}, nil
}

// askAbout asks about the text, which has been read as t.cmd. spent says that it is
// known already that the money was spent.
func (t *turn) askAbout(text string, spent bool) (Reply, error) {
	choices, err := t.choices(&t.cmd, spent)
	if err != nil {
		return Reply{}, err
	}
	if err := t.tx.Ask(t.message.Chat, text); err != nil {
		return Reply{}, err
	}
	a := answer{}
	a.add(t.question(spent))
	if err := t.offerChoices(&a, choices); err != nil {
		return Reply{}, err
	}
	if t.cmd.Reason == grammar.MaybeCorrect {
		err = t.offerToCorrect(&a)
	}
	return a.reply(), err
}

func (t *turn) offerChoices(a *answer, choices []choice) error {
	if len(choices) == 0 {
		return nil
	}
	operation, err := t.tx.Operation(tapChoose)
	for _, c := range choices {
		a.offer(t.choiceButton(c, operation))
	}
	return err
}

// choices gives the ways to settle the question about the command: of those with the same
// label the first that holds what it says.
func (t *turn) choices(c *grammar.Command, spent bool) ([]choice, error) {
	if c.Kind == grammar.Record {
		return t.splitChoices(c), nil
	}
	if c.Kind != grammar.Ask {
		return nil, nil
	}
	if err := t.betweenMembers(c); err != nil {
		return nil, err
	}
	reason := c.Reason
	if boughtOnly(c, spent) {
		reason = grammar.AmountOnly
	}
	offered, ok := choicesBecause()[reason]
	if !ok {
		return nil, nil
	}
	choices, err := offered(t, c)
	var fitting []choice
	for _, c := range choices {
		cmd := t.parse(c.text, t.at)
		same := func(other choice) bool { return other.label == c.label }
		if len(fitting) < maxChoices && !slices.ContainsFunc(fitting, same) && (c.fits == nil || c.fits(&cmd)) {
			fitting = append(fitting, c)
		}
	}
	return fitting, err
}

// betweenMembers makes somebody of the household the Owner of money that he gave or got,
// which is no income: 花子から5000円もらった.
func (t *turn) betweenMembers(c *grammar.Command) error {
	if c.Reason != grammar.IncomeOrNot && c.Reason != grammar.BetweenPeople || c.Item == "" {
		return nil
	}
	members, err := t.tx.Members()
	if _, member := memberCalled(members, c.Item); member {
		c.Reason, c.Owner = grammar.BetweenPeople, c.Item
	}
	return err
}

// boughtOnly says whether an account with an amount can only be what was paid: somebody
// has said so, or it is a card.
func boughtOnly(c *grammar.Command, spent bool) bool {
	return c.Reason == grammar.AccountOnly && (spent || isCard(c.Account))
}

// question asks about t.cmd.
func (t *turn) question(spent bool) string {
	c := &t.cmd
	if i := slices.IndexFunc(c.Entries, isShare); i >= 0 {
		return t.askedSentence(t.text(whoShared), spaced(shortened(c.Entries[i].Item), t.yen(c.Entries[i].Total)), "")
	}
	sentence := t.text(unclearAbout[c.Reason])
	switch {
	case boughtOnly(c, spent):
		sentence = t.text(boughtWith)
	case c.Reason == grammar.WhichAccount && c.Item == topUp:
		sentence = t.text(toppedUpWhat)
	}
	if !t.message.Direct {
		sentence = t.wholeOnly(sentence)
	}
	what, example := t.inWords(c)
	if read := t.parse(example, t.at); sentence == "" || what == "" || read.Kind != grammar.Record {
		return t.unclear(*c)
	}
	return t.askedSentence(sentence, shortened(what), example)
}

// exampleAmount is what the command may be about, or some amount that the item may cost.
func (t *turn) exampleAmount(c *grammar.Command) string {
	choices := c.Choices
	if before, ok := onlyPrice(c.Text); ok && c.Reason == grammar.BeforeTax {
		choices = []ledger.Yen{before + before/10}
	}
	if len(choices) == 0 && c.Reason != grammar.ItemOnly {
		for _, at := range mistyped.FindAllString(c.Text, -1) {
			choices = append(choices, readings(c.Reason, narrow(at))...)
		}
	}
	if len(choices) > 0 {
		return digits(choices[0])
	}
	return cmp.Or(usually[t.dictionaryCategory(c.Item)], "900")
}

// knowItem makes a question of a message that is nothing but an item which the grammar
// does not know, but the ledger does; and of a category alone one about this month.
func (t *turn) knowItem() error {
	item := strings.TrimSpace(t.message.Text)
	if t.cmd.Kind != grammar.Remark || t.cmd.Reason != "" || !t.heard() || len([]rune(item)) > longestItem || strings.Contains(item, "\n") {
		return nil
	}
	if grammar.Key(item) == "" {
		return nil
	}
	if isCategory, err := t.isCategoryAlone(item); isCategory || err != nil {
		t.cmd = t.parse("今月 "+item, t.at)
		return err
	}
	taught, err := t.taught(item)
	if err != nil {
		return err
	}
	rows, err := t.rowsLike(item)
	if taught != "" || len(rows) > 0 {
		t.cmd.Kind, t.cmd.Reason, t.cmd.Item = grammar.Ask, grammar.ItemOnly, item
	}
	return err
}

// isCategoryAlone says whether the words are the name of a category in either language.
func (t *turn) isCategoryAlone(words string) (bool, error) {
	categories, err := t.tx.Categories()
	said := grammar.Folded(words)
	return slices.ContainsFunc(append(categories.All(), ledger.Pay), func(c ledger.Category) bool {
		return grammar.Folded(string(c)) == said || grammar.Folded(grammar.EnglishCategory(c)) == said
	}), err
}

// rowsLike gives the expenses and incomes of this month and the two before that have the
// item, oldest first.
func (t *turn) rowsLike(item string) (rows []ledger.Row, err error) {
	key := grammar.Key(item)
	recent := ledger.Period{From: ledger.Month(t.today, -2).From, To: ledger.Month(t.today, 0).To}
	err = t.tx.Rows(recent, func(r *ledger.Row) error {
		if r.Stands() && (r.Type == ledger.Expense || r.Type == ledger.Income) && key != "" && grammar.Key(r.Item) == key {
			rows = append(rows, *r)
		}
		return nil
	})
	return rows, err
}
