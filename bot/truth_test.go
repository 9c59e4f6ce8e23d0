package bot

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"ichido/internal/ledger"
	"ichido/store"
)

var conversations = flag.Int("conversations", 20, "random conversations in TestTruth")

// TestTruth has random conversations: several people, in 1:1 and in a group, say,
// edit, quote, press and unsend things, which arrive out of order and again. Every
// line that the bot says must be true of the ledger as it is right after (see hear).
func TestTruth(t *testing.T) {
	texts := japaneseMessages(t)
	n := *conversations
	if testing.Short() {
		n = min(n, 8)
	}
	for seed := range n {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			f := newFamily(t, uint64(seed), texts)
			for range 70 {
				f.step()
			}
		})
	}
}

// happening is an event, as a door knows it.
type happening struct {
	what            Event
	about           store.About
	person          string // "": nobody tells
	text, id, key   string
	quotes          string // ID of a message
	at              time.Time
	direct, mention bool
	button          *Button // that was pressed
	begins          string  // what the answer begins with, if that is known
}

// family has a random conversation.
type family struct {
	*conversation
	*rand.Rand
	texts   []string // of all sorts
	people  []string
	now     *world
	count   int
	said    []happening // messages
	ours    []string    // IDs of the bot's messages
	buttons []Button
	late    []happening   // typed and not yet delivered
	fond    func() string // of what it often speaks; may be nil
	codes   []string      // for joining, not yet used
	log     []string

	reply  Reply // the last one
	hearer func(before, after *world, r store.Receipt, e happening, reply Reply)
}

func newFamily(t *testing.T, seed uint64, texts []string) *family {
	f := &family{conversation: newTalk(t), Rand: rand.New(rand.NewPCG(seed, 7)), texts: texts}
	f.clock = time.Date(2026, []time.Month{11, 12}[f.IntN(2)], 27+f.IntN(4), f.IntN(24), f.IntN(60), 0, 0, tokyo)
	f.people = []string{"taro", "hanako", "jiro"}[:1+f.IntN(3)]
	f.join("taro", pick(f, "太郎", ""))
	if len(f.people) > 1 && f.IntN(3) > 0 {
		f.join("hanako", pick(f, "花子", ""))
	}
	f.now = look(t, f.store)
	f.fond = []func() string{nil, f.household, f.correction, f.budgeting, f.asks, f.half}[seed%6]
	return f
}

func pick[T any](f *family, of ...T) T { return of[f.IntN(len(of))] }

// step lets something happen, after a while.
func (f *family) step() {
	f.clock = f.clock.Add(pick(f, 0, time.Second, time.Minute, time.Minute, 5*time.Minute, time.Hour, 3*time.Hour, 13*time.Hour, 26*time.Hour))
	if len(f.late) > 0 && f.IntN(4) == 0 {
		i := f.IntN(len(f.late))
		e := f.late[i]
		f.late = slices.Delete(f.late, i, i+1)
		f.deliver(e)
		return
	}
	if f.IntN(60) == 0 {
		f.leave(pick(f, f.people...))
		return
	}
	e := f.happening()
	f.count++
	e.key, e.at = fmt.Sprint("e", f.count), f.clock
	if e.what == Said {
		e.id = fmt.Sprint("m", f.count)
		f.said = append(f.said, e)
	}
	if f.IntN(8) == 0 {
		f.late = append(f.late, e)
		return
	}
	f.deliver(e)
	if f.IntN(20) == 0 {
		f.deliver(e) // again
	}
}

func (f *family) leave(person string) {
	err := f.store.Update(f.t.Context(), func(tx *store.Tx) error {
		_, err := tx.Move(person, f.clock, false)
		return err
	})
	if err != nil {
		f.t.Fatal(err)
	}
	f.now = look(f.t, f.store)
}

// deliver hands the event to the store and the bot, and holds the answer to what it
// did.
func (f *family) deliver(e happening) {
	f.t.Helper()
	before := f.now
	f.reply = Reply{}
	m := Message{Event: e.what, Text: e.text, At: e.at, Direct: e.direct, Addressed: e.mention}
	if !e.direct {
		m.Chat = "group"
	}
	m.InviteLink = func(code string) string { return "https://example.com/?" + code }
	req := store.Request{
		Scope: "talk", Key: e.key, Digest: store.NewDigest(e.text), At: e.at, Person: e.person, Admit: true, MessageID: e.id, About: e.about,
	}
	if e.direct {
		req.Invite = store.NormalizeInvite(e.text)
	}
	receipt, outcome, err := f.store.Submit(f.t.Context(), req, func(tx *store.Tx) (err error) {
		f.reply = Reply{}
		if e.about == store.Unsent {
			return nil
		}
		if f.prepare != nil {
			if err := f.prepare(tx); err != nil {
				return err
			}
		}
		if e.quotes != "" {
			var ours bool
			if m.Quoted, ours, err = tx.Quoted("talk", e.quotes); err != nil {
				return err
			}
			m.Quotes, m.Addressed = true, m.Addressed || ours
		}
		f.reply, err = f.bot.Handle(tx, m)
		return err
	})
	f.log = append(f.log, fmt.Sprintf("%s %s> %s (%v about %s, %s, direct %t) -> %d %v\n\t%s", e.at.Format("01-02 15:04:05"), e.person,
		e.text, e.what, e.id, e.quotes, e.direct, receipt.Number, outcome, strings.ReplaceAll(f.reply.Text(), "\n", "\n\t")))
	if err != nil {
		f.fail(err)
	}
	f.now = look(f.t, f.store)
	if outcome == store.Recorded {
		f.hear(before, receipt, e)
	} else if f.reply.Text() != "" || len(before.receipts) != len(f.now.receipts) && receipt.MessageID == "" {
		f.fail(fmt.Errorf("an event that is %v did something", outcome))
	}
}

func (f *family) fail(err error) {
	f.t.Helper()
	f.t.Fatalf("%v\n%s", err, strings.Join(f.log[max(0, len(f.log)-25):], "\n"))
}

// hear holds the answer to the truth, and keeps it.
func (f *family) hear(before *world, r store.Receipt, e happening) {
	f.t.Helper()
	text := f.reply.Text()
	if f.prepare != nil {
		f.keep(r) // another language is not read
		return
	}
	if err := hear(before, f.now, r, e.text, e.what == Tapped, text); err != nil {
		f.fail(err)
	}
	if f.hearer != nil {
		f.hearer(before, f.now, r, e, f.reply)
	}
	edited := func(r *store.Receipt) bool { return r.MessageID == e.id && e.id != "" }
	if !strings.HasPrefix(text, e.begins) && r.Answers == 0 && e.person != "" && !slices.ContainsFunc(slices.Collect(maps.Values(before.receipts)), edited) {
		f.fail(fmt.Errorf("the answer should begin with %q", e.begins))
	}
	if err := errors.Join(f.keptPromise(before, r, e), checkParts(f.reply), f.checkNotes(f.reply, r.Changes)); err != nil {
		f.fail(err)
	}
	if text != "" {
		f.checkButtons(Message{Direct: e.direct}, f.reply)
	}
	f.keep(r)
}

// keep keeps what can be done with the answer.
func (f *family) keep(r store.Receipt) {
	f.t.Helper()
	text := f.reply.Text()
	if text == "" {
		return
	}
	f.buttons = append(f.buttons, f.reply.Buttons...)
	if _, code, ok := strings.Cut(text, "https://example.com/?"); ok {
		f.codes = append(f.codes, code)
	}
	id := fmt.Sprint("b", r.Number)
	f.ours = append(f.ours, id)
	err := f.store.Update(f.t.Context(), func(tx *store.Tx) error {
		return tx.NoteSent("talk", []string{id}, []ledger.ReceiptNumber{r.Number})
	})
	if err != nil {
		f.t.Fatal(err)
	}
}

// keptPromise compares what was done with what the button, or the number that was
// typed, stands for.
func (f *family) keptPromise(before *world, r store.Receipt, e happening) error {
	if err := f.keptChoice(r, e); err != nil {
		return err
	}
	label := e.text
	if e.button != nil {
		label = e.button.Label
	}
	number, strikes := strings.CutPrefix(label, "取消 ")
	strikes = strikes && e.what != Edited // a command does not run again
	if strikes && strings.Trim(number, "0123456789-") != "" {
		return nil // it is described
	}
	category, categorises := strings.CutPrefix(label, "→")
	for _, c := range r.Changes {
		row := f.now.row(c.After.ID)
		switch {
		case strikes && there(before.row(row.ID)) && !there(row) && !f.now.named(number, row) && !f.redid(number, row.ID):
			return fmt.Errorf("%s struck row %v", label, row.ID)
		case categorises && string(row.Category) != category:
			return fmt.Errorf("%s made row %v %s", label, row.ID, row.Category)
		}
	}
	if sum, records := strings.CutSuffix(label, "円"); e.button != nil && e.button.Tap == "" && records {
		words := strings.Fields(sum)
		if len(r.Changes) != 1 || is(words[len(words)-1], r.Changes[0].After.Amount) != nil {
			return fmt.Errorf("%s recorded %+v", label, r.Changes)
		}
	}
	return nil
}

// redid says whether the receipt changed the row, so that taking it back changes it
// too.
func (f *family) redid(number string, id ledger.RowID) bool {
	r := f.now.receipts[numberOf(number)]
	return r != nil && len(r.Dates) == 0 && slices.ContainsFunc(r.Changes, func(c ledger.Change) bool { return c.After.ID == id })
}
