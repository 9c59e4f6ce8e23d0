package bot

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"ichido/internal/golden"
	"ichido/internal/grammar"
	"ichido/internal/talk"
	"ichido/store"
	"ichido/store/storetest"
)

var tokyo = time.FixedZone("JST", 9*60*60)

// TestTalk holds the conversations in testdata/talk: see package talk. Answers,
// ledger and accounts are what -update writes.
func TestTalk(t *testing.T) {
	files, err := filepath.Glob("testdata/talk/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no talk files", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			said, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			golden.Check(t, file, newTalk(t).play(string(said)))
		})
	}
}

// conversation is a talk with a bot on a real store, without LINE.
type conversation struct {
	t     *testing.T
	store *store.Store
	bot   *Bot
	clock time.Time // of the step

	prepare func(*store.Tx) error // what each event begins with; nil is nothing
	pages   bool                  // every link to them that is said is followed, in Chrome
}

// open gives the household pages if the file of the talk wants some.
func (k *conversation) open(file string) {
	k.t.Helper()
	if k.pages = strings.Contains(file, "\n# With pages"); !k.pages {
		return
	}
	err := k.store.Update(k.t.Context(), func(tx *store.Tx) error { return tx.SetFact(store.FactWebAddress, "https://kakeibo.example.com") })
	if err != nil {
		k.t.Fatal(err)
	}
}

var pageLink = regexp.MustCompile(`/enter/([\w-]{32})`)

// follow follows the link that was said.
func (k *conversation) follow(said string) {
	k.t.Helper()
	link := pageLink.FindStringSubmatch(said)
	if !k.pages || link == nil {
		return
	}
	err := k.store.Update(k.t.Context(), func(tx *store.Tx) error {
		_, _, err := tx.Follow(link[1], "Chrome")
		return err
	})
	if err != nil {
		k.t.Fatal(err)
	}
}

// chat names where somebody says something. Most talks do without a name for the 1:1 chat.
func (k *conversation) chat(person string, direct bool) string {
	switch {
	case !direct:
		return "group"
	case k.pages:
		return person
	}
	return ""
}

// unlinked is the talk without the secrets of its links.
func unlinked(talk string) string { return pageLink.ReplaceAllString(talk, "/enter/<link>") }

func newTalk(t *testing.T) *conversation {
	return &conversation{t: t, store: storetest.New(t), bot: New(tokyo)}
}

// play has the conversation and returns it with the answers that the bot gives.
func (k *conversation) play(file string) string {
	k.open(file)
	var out strings.Builder
	if err := talk.Play(&out, file, tokyo, time.Time{}, k); err != nil {
		k.t.Fatal(err)
	}
	err := k.store.View(func(tx *store.Tx) error {
		return talk.WriteLedger(&out, tx, func(m store.Member) string { return m.Person })
	})
	if err != nil {
		k.t.Fatal(err)
	}
	return unlinked(out.String())
}

// Until does nothing: the bot says nothing by itself.
func (k *conversation) Until(time.Time) ([]talk.Answer, error) { return nil, nil }

// Do does what the step says.
func (k *conversation) Do(s talk.Step) ([]talk.Answer, error) {
	switch s.Verb {
	case talk.Join:
		k.join(s.Who, s.Text)
		return nil, nil
	case talk.Says:
		k.clock = s.At
		return answers(s, k.say(s.Who, s.Text, s.At, s.Group == "")), nil
	}
	return nil, errors.New("a talk without LINE has no such thing")
}

func (k *conversation) join(person, name string) {
	k.t.Helper()
	err := k.store.Update(k.t.Context(), func(tx *store.Tx) error {
		_, err := tx.Join(person, name)
		return err
	})
	if err != nil {
		k.t.Fatal(err)
	}
}

// say sends a message through the store.
func (k *conversation) say(person, text string, at time.Time, direct bool) Reply {
	k.t.Helper()
	m := Message{Text: text, At: at, Direct: direct}
	m.Chat = k.chat(person, direct)
	reply, receipt := k.submit(store.Request{Person: person}, m)
	k.checkHonesty(text, receipt, reply)
	k.checkButtons(m, reply)
	return reply
}

// submit sends what happens through the store, as a door does. The request says who it was
// and, of a message with an ID, what it is to that: nobody handles that one was unsent.
func (k *conversation) submit(req store.Request, m Message) (reply Reply, r store.Receipt) {
	k.t.Helper()
	req.Scope, req.At, req.Admit = "talk", m.At, true
	r, _, err := k.store.Submit(k.t.Context(), req, func(tx *store.Tx) (err error) {
		if req.About == store.Unsent {
			return nil
		}
		if k.prepare != nil {
			if err := k.prepare(tx); err != nil {
				return err
			}
		}
		if m.Quoted != nil {
			m.Quoted, err = tx.ReceiptByNumber(m.Quoted.Number)
		}
		if err == nil {
			reply, err = k.bot.Handle(tx, m)
		}
		return err
	})
	if err != nil {
		k.t.Fatalf("%q: %v", m.Text, err)
	}
	k.follow(reply.Text())
	return reply, r
}

func answers(s talk.Step, reply Reply) []talk.Answer {
	if reply.Text() == "" {
		return nil
	}
	a := talk.Answer{Chat: cmp.Or(s.Group, s.Who), Group: s.Group != "", Text: reply.Text()}
	for _, b := range reply.Buttons {
		says := b.Text
		if b.Tap != "" {
			says = b.Label // what it does counts, not what is shown
		}
		a.Buttons = append(a.Buttons, talk.Button{Label: b.Label, Says: says})
	}
	return []talk.Answer{a}
}

// checkHonesty compares what the bot claims with what it did.
func (k *conversation) checkHonesty(text string, r store.Receipt, reply Reply) {
	k.t.Helper()
	for claim, kinds := range map[string][]store.Kind{
		"記録しました":  {store.Record, store.Balance},
		"取り消しました": {store.Undo, store.Strike},
		"元に戻しました": {store.Redo},
	} {
		did := slices.Contains(kinds, r.Kind) && len(r.Changes)+len(r.Settings) > 0
		if claims := strings.Contains(reply.Text(), claim); claims != did {
			k.t.Errorf("%q: claims %s: %v, did: %v", text, claim, claims, did)
		}
	}
}

// checkButtons makes sure that the bot understands what its buttons say: the
// number of what is taken back, or the amount that is recorded.
func (k *conversation) checkButtons(m Message, reply Reply) {
	k.t.Helper()
	if len(reply.Buttons) > maxChoices {
		k.t.Errorf("there are %d buttons under %q", len(reply.Buttons), reply.Text())
	}
	for _, b := range reply.Buttons {
		if len(b.Tap) > maxTapData {
			k.t.Errorf("the button %q carries %d bytes", b.Label, len(b.Tap))
		}
		if utf8.RuneCountInString(b.Label) > 20 {
			k.t.Errorf("the label %q is too long", b.Label)
		}
		if b.Tap != "" {
			continue // it does by itself what it says: see TestTaps
		}
		c := grammar.Parse(b.Text, k.clock)
		if !m.Direct && !c.InGroup {
			k.t.Errorf("the button %q says what is not heard in a group", b.Label)
		}
		understood := c.Kind == grammar.Record && len(c.Entries) == 1 && strings.Contains(b.Label, Japanese.yen(c.Entries[0].Amount)) ||
			c.Kind == grammar.Undo && b.Text == "取消 "+c.Receipt ||
			c.Kind == grammar.Redo && b.Text == "元に戻す "+c.Receipt
		understood = understood || c.Kind == grammar.Query || c.Kind == grammar.Help
		if !understood {
			k.t.Errorf("the button %q is understood as %+v", b.Text, c)
		}
	}
}
