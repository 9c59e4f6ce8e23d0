package bot

import (
	"slices"
	"strings"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
	"ichido/store"
)

// What the bot has asked is open for ten minutes for the person and the chat. The other
// half (500, then ランチ), or a choice in words, answers it. A greeting leaves it open, a
// question about something else takes its place, any other command ends it. All this
// goes by when the messages were typed: what comes late never answers what was typed
// after it.

// answerOpen lets what was said answer the question that is open, if it does. done says
// that it has. In a group only what is said to the bot can: an item there is talk.
func (t *turn) answerOpen() (reply Reply, done bool, err error) {
	q, err := t.openQuestion()
	if err != nil {
		return Reply{}, false, err
	}
	if q != nil && (t.message.Direct || t.message.Addressed) {
		text, ok, err := t.answerTo(q)
		if err != nil {
			return Reply{}, false, err
		}
		if ok {
			reply, err := t.settle(q, text)
			return reply, true, err
		}
	}
	if q != nil && t.cmd.Kind != grammar.Remark {
		if err := t.end(q); err != nil {
			return Reply{}, false, err
		}
	}
	return Reply{}, false, t.knowItem()
}

// openQuestion gives the question that what was said may answer: the one that it quotes,
// however old that is, or the open one. nil is none.
func (t *turn) openQuestion() (*store.Receipt, error) {
	q, err := t.tx.OpenQuestion(t.message.Chat)
	if r := t.message.Quoted; r != nil && r.Asked != "" && r.Member == t.sender && !r.TypedAt().After(t.at) {
		q = r
	} else if t.message.Quotes {
		return nil, err // it is about something else
	}
	if q == nil || err != nil {
		return nil, err
	}
	if asked, err := t.stillAsked(q); !asked || err != nil {
		return nil, err
	}
	answered, err := t.tx.Used(tapChoose, q)
	if answered || err != nil {
		return nil, err
	}
	return q, nil
}

// end closes the question. A record of the same item answers it with more words: its
// buttons would record that again.
func (t *turn) end(q *store.Receipt) error {
	was := t.readQuestion(q)
	again := func(e grammar.Entry) bool { return was.Item != "" && grammar.Key(e.Item) == grammar.Key(was.Item) }
	if t.cmd.Kind == grammar.Record && slices.ContainsFunc(t.cmd.Entries, again) {
		if err := t.tx.UseUp(tapChoose, q); err != nil {
			return err
		}
	}
	return t.tx.CloseQuestion(t.message.Chat)
}

// asked reads what was asked about, as of when it was typed.
func (t *turn) asked(q *store.Receipt) grammar.Command {
	return t.parse(q.Asked, q.TypedAt().In(t.zone))
}

// readQuestion is asked for what the message may answer: an item that only the ledger
// knows asks how much it was.
func (t *turn) readQuestion(q *store.Receipt) grammar.Command {
	c := t.asked(q)
	if c.Kind == grammar.Remark {
		c.Kind, c.Reason, c.Item = grammar.Ask, grammar.ItemOnly, strings.TrimSpace(q.Asked)
	}
	return c
}

// answerTo gives the text that is to be read instead of what was asked about, if what
// was said settles the question.
func (t *turn) answerTo(q *store.Receipt) (text string, ok bool, err error) {
	was := t.readQuestion(q)
	now := t.at
	t.typed(q.TypedAt())
	defer t.typed(now)
	choices, err := t.choices(&was, q.Answers != 0)
	if err != nil {
		return "", false, err
	}
	isWord := t.cmd.Kind == grammar.Remark || t.cmd.Kind == grammar.Ask || isDay(t.cmd) || isAccountAlone(t.cmd) // 残高 asks what there is
	for _, c := range choices {
		if (isWord || strings.Contains(c.label, "→")) && c.means(t.message.Text) {
			return c.text, true, nil
		}
	}
	if text, ok := t.completed(was); ok {
		return text, true, nil
	}
	text, ok = t.inserted(was)
	return text, ok, nil
}

// dropQuestions lets nothing answer what was asked about earlier texts of the message.
func (t *turn) dropQuestions() error {
	texts, err := t.texts()
	if err != nil {
		return err
	}
	open, err := t.tx.OpenQuestion(t.message.Chat)
	if err != nil {
		return err
	}
	for _, r := range texts {
		if err := t.tx.UseUp(tapChoose, r); err != nil {
			return err
		}
		if open != nil && open.Number == r.Number {
			if err := t.tx.CloseQuestion(t.message.Chat); err != nil {
				return err
			}
		}
	}
	return nil
}

// texts gives the receipts of the texts that the message has had, without those of the
// answers to questions about it.
func (t *turn) texts() (texts []*store.Receipt, err error) {
	for _, n := range t.tx.Message().Receipts {
		r, err := t.tx.ReceiptByNumber(n)
		if err != nil {
			return nil, err
		}
		if r.MessageID == t.tx.Receipt().MessageID && r.MessageID != "" {
			texts = append(texts, r)
		}
	}
	return texts, nil
}

// answerAgain reads the new text of a message that has answered a question as another
// answer to that.
func (t *turn) answerAgain() error {
	texts, err := t.texts()
	for _, r := range texts {
		if r.Answers == 0 || err != nil {
			continue
		}
		q, err := t.tx.ReceiptByNumber(r.Answers)
		if err != nil || q.Asked == "" {
			return err
		}
		text, ok, err := t.answerTo(q)
		if ok && text != "" {
			t.typed(q.TypedAt())
			t.cmd = t.parse(text, t.at)
		}
		return err
	}
	return err
}

// means says whether the words are the choice's label or mean the same.
func (c choice) means(words string) bool {
	key := grammar.Key(words)
	like := func(s string) bool { return grammar.Key(s) == key }
	return key != "" && (like(c.label) || slices.ContainsFunc(strings.Fields(c.words), like))
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
		if c.Reason == grammar.NotARow {
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
	words := retyped(&was, item, yen(was.Amount))
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

// longestItem is the length in runes of the longest item that is looked for.
const longestItem = 40

// knowItem makes a question of a message that is nothing but an item which the grammar
// does not know, but the ledger does.
func (t *turn) knowItem() error {
	item := strings.TrimSpace(t.message.Text)
	if t.cmd.Kind != grammar.Remark || t.cmd.Reason != "" || !t.heard() || len([]rune(item)) > longestItem || strings.Contains(item, "\n") {
		return nil
	}
	if grammar.Key(item) == "" {
		return nil
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
