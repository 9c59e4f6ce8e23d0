package bot

import (
	"fmt"
	"slices"
	"time"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
	"ichido/store"
)

// What can't be read safely is asked about. Where one tap can settle it there are
// buttons, each of which is an operation with a text behind it: pressed, the text is
// read as if it had been typed instead of what was asked about, at that time and by
// that person. A question is answered once, by a button or by words: see half.go.

// choice is one way to settle a question.
type choice struct {
	label string
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
		return Reply{Text: unclear(t.cmd)}, nil
	}
	return t.askAbout(t.message.Text, false)
}

// askEdited is ask for the new text of a message, which is no command.
func (t *turn) askEdited() (Reply, error) {
	switch t.cmd.Reason {
	case grammar.WhoseWallet, grammar.ReceiptAlone, grammar.SeveralReceipts:
		return Reply{Text: unclear(t.cmd)}, nil
	}
	return t.askAbout(t.message.Text, false)
}

// askReceipt says what can be done with the number of a receipt.
func (t *turn) askReceipt() (Reply, error) {
	id, err := ledger.ParseRowID(t.cmd.Receipt)
	if err != nil {
		return Reply{}, err
	}
	return Reply{Text: receiptAlone(id), Buttons: []Button{undoButton(id)}}, nil
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
		a.offer(choiceButton(c, operation))
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
	reason := c.Reason
	if boughtOnly(c, spent) {
		reason = grammar.AmountOnly
	}
	offered, ok := choicesBecause[reason]
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

// boughtOnly says whether an account with an amount can only be what was paid: somebody
// has said so, or it is a card.
func boughtOnly(c *grammar.Command, spent bool) bool {
	return c.Reason == grammar.AccountOnly && (spent || isCard(c.Account))
}

// choose does what the pressed button of a question says.
func (t *turn) choose(p pressed) (Reply, error) {
	q := p.target
	switch asked, err := t.stillAsked(q); {
	case err != nil:
		return Reply{}, err
	case !asked:
		return Reply{Text: oldButton}, nil
	case p.used:
		return t.answeredBefore(q)
	}
	return t.settle(q, p.argument)
}

// stillAsked says whether the message that was asked about, and what it was asked
// about before, is there: it may have been unsent.
func (t *turn) stillAsked(q *store.Receipt) (bool, error) {
	for q.Asked != "" && q.Answers != 0 {
		before, err := t.tx.ReceiptByNumber(q.Answers)
		if err != nil || before.Asked == "" {
			return false, err
		}
		q = before
	}
	return q.Asked != "", nil
}

// answeredBefore says that the question has been answered, if what came of that
// stands.
func (t *turn) answeredBefore(q *store.Receipt) (Reply, error) {
	rows, err := t.rowsOf(q, standing)
	if len(rows) == 0 || err != nil {
		return Reply{Text: oldButton}, err
	}
	return Reply{Text: alreadyRecorded(commonID(rows))}, nil
}

// settle answers the question with the text, which is read as if it had been typed
// instead of what was asked about. The rows are of the person who was asked, whoever
// presses the button or says the word: it is that person's money. Of somebody whom
// nobody knows they are the answerer's.
func (t *turn) settle(q *store.Receipt, text string) (Reply, error) {
	if err := t.answers(q); err != nil {
		return Reply{}, err
	}
	if text == "" {
		return Reply{Text: notWanted}, nil
	}
	now, answerer := t.at, t.sender
	t.typed(q.TypedAt())
	was := t.asked(q)
	t.cmd = t.parse(text, t.at)
	if t.cmd.Kind == grammar.Ask {
		return t.askOn(text, now)
	}
	family, err := t.withFamily()
	if err != nil {
		return Reply{}, err
	}
	if family && !divided(&was) { // how many they were is known now
		return t.askOn(text, now)
	}
	if q.Member != 0 {
		t.sender = q.Member
	}
	say, err := t.write()
	t.typed(now)
	t.sender = answerer
	if err != nil {
		return Reply{}, err
	}
	return say()
}

// askOn asks about what the answer has left open. The text gets the day on which the
// first message was typed, because the next answer may come on another.
func (t *turn) askOn(text string, now time.Time) (Reply, error) {
	text = t.dated(text, t.at)
	t.typed(now)
	t.cmd = t.parse(text, t.at)
	return t.askAbout(text, true)
}

// dated puts the day of the typing in front of a text that names none, unless it is
// today.
func (t *turn) dated(text string, typed time.Time) string {
	day := ledger.DateOf(typed.In(t.zone))
	c := t.parse(text, typed)
	if day == ledger.DateOf(t.tx.Receipt().At.In(t.zone)) || c.Date != 0 || len(c.Entries) > 0 && c.Entries[0].Date != day {
		return text
	}
	return day.String() + " " + text
}

// write does what t.cmd records and returns what says so.
func (t *turn) write() (say func() (Reply, error), err error) {
	switch t.cmd.Kind {
	case grammar.Record:
		return t.writeRows()
	case grammar.Balance:
		return t.writeStatement()
	}
	return nil, fmt.Errorf("the answer to a question is %s", t.cmd.Kind)
}

// answers notes that this event answers the question, and closes it.
func (t *turn) answers(q *store.Receipt) error {
	if err := t.tx.Answers(q); err != nil {
		return err
	}
	for _, verb := range []string{tapChoose, tapCorrect} {
		if err := t.tx.UseUp(verb, q); err != nil {
			return err
		}
	}
	open, err := t.tx.OpenQuestion(t.message.Chat)
	if open == nil || open.Number != q.Number || err != nil {
		return err
	}
	return t.tx.CloseQuestion(t.message.Chat)
}
