package bot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
	"ichido/store"
)

// What the bot has asked is open for ten minutes for the person and the chat. A button, a
// choice in words or the other half of the message (half.go) settles it, once; a word such
// as やめる drops it (drop.go). A greeting leaves it open, a question about something else
// takes its place, any other command ends it. All this goes by when the messages were typed: what comes late never answers what
// was typed after it.

// answerOpen lets what was said answer the question that is open, if it does. done says
// that it has. In a group only what is said to the bot can: an item there is talk.
func (t *turn) answerOpen() (reply Reply, done bool, err error) {
	q, err := t.openQuestion()
	if err != nil {
		return Reply{}, false, err
	}
	switch {
	case q != nil && t.saidWrong(q):
		if err := t.asCorrection(&t.cmd); err != nil {
			return Reply{}, false, err
		}
	case q != nil && (t.message.Direct || t.message.Addressed):
		meant := t.meanQuestion(q)
		text, ok, err := t.answerTo(q)
		if err != nil {
			return Reply{}, false, err
		}
		if ok {
			reply, err := t.settle(q, text)
			return reply, true, err
		}
		if meant { // what is asked anew has words of q, and goes with it when that is unsent
			err = t.answers(q)
		}
		if err != nil {
			return Reply{}, false, err
		}
	}
	if err := t.knowItem(); err != nil {
		return Reply{}, false, err
	}
	if q != nil && t.cmd.Kind != grammar.Remark {
		err = t.end(q)
	}
	return Reply{}, false, err
}

// expectCorrection leaves open what is right, where somebody has said that something is
// wrong: 間違えた, then 950円. A question that is open already stays so.
func (t *turn) expectCorrection() error {
	if t.cmd.Reason != grammar.HowToUndo || !t.message.Direct || t.sender == 0 {
		return nil
	}
	if q, err := t.tx.OpenQuestion(t.message.Chat); q != nil || err != nil {
		return err
	}
	return t.tx.Ask(t.message.Chat, t.message.Text)
}

// saidWrong says whether what is open is no question, but what is right.
func (t *turn) saidWrong(q *store.Receipt) bool {
	return t.parse(q.Asked, q.TypedAt().In(t.zone)).Reason == grammar.HowToUndo
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
	isWord := t.cmd.Kind == grammar.Remark || t.cmd.Kind == grammar.Ask || isDay(t.cmd) || isAccountAlone(t.cmd) || // 残高 asks what there is
		t.cmd.Kind == grammar.Query && t.cmd.Query == grammar.Members // 家族
	for _, c := range choices {
		if (isWord || strings.Contains(c.label.ja, "→")) && c.means(t.message.Text) {
			return c.text, true, nil
		}
	}
	if drops(t.message.Text) {
		return "", true, nil
	}
	if text, ok := t.completed(was); ok {
		return text, true, nil
	}
	text, ok = t.inserted(was)
	return text, ok, nil
}

// choose does what the pressed button of a question says.
func (t *turn) choose(p pressed) (Reply, error) {
	q := p.target
	switch asked, err := t.stillAsked(q); {
	case err != nil:
		return Reply{}, err
	case !asked:
		return said(t.text(oldButton)), nil
	case p.used:
		return t.answeredBefore(q)
	}
	if means, err := t.stillMeans(q, p.argument); !means || err != nil {
		return said(t.text(oldButton)), err
	}
	return t.settle(q, p.argument)
}

// stillMeans says whether the text of a choice is read as it was when it was offered: the
// household has no other words since, or would offer it still.
func (t *turn) stillMeans(q *store.Receipt, text string) (bool, error) {
	changed := false
	err := t.tx.Receipts(q.Number+1, func(r *store.Receipt) error {
		changed = changed || slices.ContainsFunc(r.Settings, func(c store.SettingChange) bool {
			return strings.HasPrefix(c.Name, categorySetting) || strings.HasPrefix(c.Name, accountSetting)
		})
		return nil
	})
	if !changed || err != nil {
		return err == nil, err
	}
	was, now := t.readQuestion(q), t.at
	t.typed(q.TypedAt())
	defer t.typed(now)
	choices, err := t.choices(&was, q.Answers != 0)
	return slices.ContainsFunc(choices, func(c choice) bool { return c.text == text }), err
}

// stillAsked says whether the message that was asked about, and what it was asked
// about before, is there: it may have been unsent.
func (t *turn) stillAsked(q *store.Receipt) (bool, error) {
	before, err := t.askedBefore(q)
	return !slices.ContainsFunc(before, func(q *store.Receipt) bool { return q.Asked == "" }), err
}

// askedBefore gives the question and those on whose answers it follows, the first one at
// the end.
func (t *turn) askedBefore(q *store.Receipt) (all []*store.Receipt, err error) {
	for q != nil && err == nil {
		all = append(all, q)
		if q.Answers == 0 {
			break
		}
		q, err = t.tx.ReceiptByNumber(q.Answers)
	}
	return all, err
}

// firstAsked gives whom the bot has asked at first, as far as it knew who that was.
func (t *turn) firstAsked(q *store.Receipt) (first ledger.MemberID, err error) {
	before, err := t.askedBefore(q)
	for _, q := range before {
		first = cmp.Or(q.Member, first)
	}
	return first, err
}

// answeredBefore says that the question has been answered, if what came of that
// stands.
func (t *turn) answeredBefore(q *store.Receipt) (Reply, error) {
	rows, err := t.rowsOf(q, standing)
	if len(rows) == 0 || err != nil {
		return said(t.text(oldButton)), err
	}
	id := commonID(rows)
	if slices.ContainsFunc(rows, func(r ledger.Row) bool { return r.ID.Receipt != id.Receipt }) {
		id = ledger.RowID{Receipt: q.Number} // an edit has made some: the question's number stands for all
	}
	return said(t.alreadyRecorded(id)), nil
}

// settle answers the question with the text, which is read as if it had been typed
// instead of what was asked about. The rows are of the person who was asked first, whoever
// presses a button or says a word: it is that person's money. Of somebody whom
// nobody knows they are the answerer's.
func (t *turn) settle(q *store.Receipt, text string) (Reply, error) {
	if err := t.answers(q); err != nil {
		return Reply{}, err
	}
	if text == "" {
		return said(t.text(notWanted)), nil
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
	first, err := t.firstAsked(q)
	if err != nil {
		return Reply{}, err
	}
	t.sender = cmp.Or(first, answerer)
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

// dropQuestions lets nothing answer what was asked about earlier texts of the message, or
// about answers to that.
func (t *turn) dropQuestions() error {
	open, err := t.tx.OpenQuestion(t.message.Chat)
	if err != nil {
		return err
	}
	for _, n := range t.tx.Message().Receipts {
		r, err := t.tx.ReceiptByNumber(n)
		if err != nil {
			return err
		}
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

// answersOldText says whether the receipt is that of an answer by a text of this message to
// a question about a text that another message does not have any more.
func (t *turn) answersOldText(n ledger.ReceiptNumber) (bool, error) {
	answer, err := t.tx.ReceiptByNumber(n)
	if answer == nil || answer.Answers == 0 || answer.MessageID != t.tx.Receipt().MessageID || err != nil {
		return false, err
	}
	q, err := t.tx.ReceiptByNumber(answer.Answers)
	if err != nil {
		return false, err
	}
	before, err := t.askedBefore(q)
	for _, q := range before {
		if q.MessageID == "" || err != nil {
			continue
		}
		m, _, err := t.tx.History(q)
		if m.EditedAt.After(q.At) || err != nil {
			return err == nil, err
		}
	}
	return false, err
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
		if outdated, err := t.answersOldText(r.Number); outdated || err != nil {
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
