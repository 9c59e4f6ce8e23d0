package bot

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

var update = flag.Bool("update", false, "rewrite the answers and ledgers in testdata/talk")

var tokyo = time.FixedZone("JST", 9*60*60)

// TestTalk holds the conversations in testdata/talk. A file consists of
//
//	# 2026-11-30 12:00       sets the clock; each message moves it on a minute
//	# anything else          a comment
//	join taro 太郎           makes a member with a name; others join nameless
//	taro> ランチ 900         a message in a chat with the bot alone
//	    | スーパー 2480      its next line
//	taro(12:01)> 取消        typed at 12:01, delivered now; the clock stays
//	taro in group> ランチ 900
//	bot> ...                 the answer; nothing after the mark is silence
//	    | ...                its next line
//	    [取消 1] [元に戻す: 元に戻す 2]   its buttons, with the text if it differs
//
// and ends with the ledger (x marks what is struck) and the accounts. Answers,
// ledger and accounts are what -update writes.
func TestTalk(t *testing.T) {
	files, err := filepath.Glob("testdata/talk/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no talk files", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := newTalk(t).play(string(want))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("-want +got (go test ./bot -update rewrites):\n%s", diff)
			}
		})
	}
}

// talk is a conversation with a bot on a real store.
type talk struct {
	t     *testing.T
	store *store.Store
	bot   *Bot
	clock time.Time
	out   strings.Builder
}

func newTalk(t *testing.T) *talk {
	return &talk{t: t, store: storetest.New(t), bot: New(tokyo)}
}

var spoken = regexp.MustCompile(`^(\w+)(?:\((\d\d:\d\d)\))?( in group)?> (.*)$`)

// play has the conversation and returns it with the answers that the bot gives.
func (k *talk) play(script string) string {
	script, _, _ = strings.Cut(script, "\nledger:\n")
	lines := slices.DeleteFunc(strings.Split(strings.TrimSpace(script), "\n"), isAnswer())
	for i := 0; i < len(lines); i++ {
		k.out.WriteString(lines[i] + "\n")
		if at, err := time.ParseInLocation("# 2006-01-02 15:04", lines[i], tokyo); err == nil {
			k.clock = at
		}
		if who, ok := strings.CutPrefix(lines[i], "join "); ok {
			k.join(who)
		}
		m := spoken.FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		said := m[4]
		for ; i+1 < len(lines) && strings.HasPrefix(lines[i+1], further); i++ {
			k.out.WriteString(lines[i+1] + "\n")
			said += "\n" + strings.TrimPrefix(lines[i+1], further)
		}
		k.write(k.say(m[1], said, k.time(m[2]), m[3] == ""))
	}
	k.writeLedger()
	return k.out.String()
}

func (k *talk) join(who string) {
	person, name, _ := strings.Cut(who, " ")
	err := k.store.Update(k.t.Context(), func(tx *store.Tx) error {
		_, err := tx.Join(person, name)
		return err
	})
	if err != nil {
		k.t.Fatal(err)
	}
}

// further begins the further lines of a message or an answer.
const further = "    | "

// isAnswer tells the lines that the bot said, and what belongs to them, from
// the others. It must be given the lines in order.
func isAnswer() func(string) bool {
	answering := false
	return func(line string) bool {
		if !strings.HasPrefix(line, "    ") {
			answering = strings.HasPrefix(line, "bot>")
		}
		return answering
	}
}

// time is when a message was typed.
func (k *talk) time(typed string) time.Time {
	if typed == "" {
		now := k.clock
		k.clock = now.Add(time.Minute)
		return now
	}
	at, err := time.ParseInLocation("2006-01-02 15:04", k.clock.Format("2006-01-02 ")+typed, tokyo)
	if err != nil {
		k.t.Fatal(err)
	}
	return at
}

// say sends a message through the store.
func (k *talk) say(person, text string, at time.Time, direct bool) Reply {
	k.t.Helper()
	var reply Reply
	req := store.Request{Scope: "talk", At: at, Person: person, Admit: true}
	receipt, _, err := k.store.Submit(k.t.Context(), req, func(tx *store.Tx) (err error) {
		reply, err = k.bot.Handle(tx, Message{Text: text, At: at, Direct: direct})
		return err
	})
	if err != nil {
		k.t.Fatalf("%q: %v", text, err)
	}
	k.checkHonesty(text, receipt, reply)
	k.checkButtons(reply)
	return reply
}

// checkHonesty compares what the bot claims with what it did.
func (k *talk) checkHonesty(text string, r store.Receipt, reply Reply) {
	k.t.Helper()
	for claim, kinds := range map[string][]store.Kind{
		"記録しました":  {store.Record, store.Balance},
		"取り消しました": {store.Undo, store.Strike},
		"元に戻しました": {store.Redo},
	} {
		did := slices.Contains(kinds, r.Kind) && len(r.Changes) > 0
		if claims := strings.Contains(reply.Text, claim); claims != did {
			k.t.Errorf("%q: claims %s: %v, did: %v", text, claim, claims, did)
		}
	}
}

// checkButtons makes sure that the bot understands what its buttons say: the
// number of what is taken back, or the amount that is recorded.
func (k *talk) checkButtons(reply Reply) {
	k.t.Helper()
	for _, b := range reply.Buttons {
		c := grammar.Parse(b.Text, k.clock)
		understood := c.Kind == grammar.Record && len(c.Entries) == 1 && strings.Contains(b.Label, yen(c.Entries[0].Amount)) ||
			c.Kind == grammar.Undo && b.Text == "取消 "+c.Receipt ||
			c.Kind == grammar.Redo && b.Text == "元に戻す "+c.Receipt
		if !understood {
			k.t.Errorf("the button %q is understood as %+v", b.Text, c)
		}
		if utf8.RuneCountInString(b.Label) > 20 {
			k.t.Errorf("the label %q is too long", b.Label)
		}
	}
}

func (k *talk) write(reply Reply) {
	fmt.Fprintln(&k.out, strings.TrimSpace("bot> "+strings.ReplaceAll(reply.Text, "\n", "\n"+further)))
	var buttons []string
	for _, b := range reply.Buttons {
		if b.Label != b.Text {
			b.Label += ": " + b.Text
		}
		buttons = append(buttons, "["+b.Label+"]")
	}
	if buttons != nil {
		k.out.WriteString("    " + strings.Join(buttons, " ") + "\n")
	}
}

// writeLedger shows all rows and accounts as they are now.
func (k *talk) writeLedger() {
	err := k.store.View(func(tx *store.Tx) error {
		names := map[ledger.AccountID]string{}
		accounts, err := tx.Accounts()
		if err != nil {
			return err
		}
		for _, a := range accounts {
			names[a.ID] = a.Name
			if a.Owner != 0 {
				names[a.ID] += "(" + k.person(tx, a.Owner) + ")"
			}
		}
		k.out.WriteString("\nledger:\n")
		err = tx.Rows(store.AllRows, func(r *ledger.Row) error {
			fmt.Fprintln(&k.out, k.ledgerLine(tx, names, r))
			return nil
		})
		if len(accounts) > 0 {
			k.out.WriteString("accounts:\n")
		}
		for _, a := range accounts {
			fmt.Fprintf(&k.out, "  %s %v\n", names[a.ID], a.Balance)
		}
		return err
	})
	if err != nil {
		k.t.Fatal(err)
	}
}

func (k *talk) ledgerLine(tx *store.Tx, names map[ledger.AccountID]string, r *ledger.Row) string {
	mark := " "
	if r.Voided {
		mark = "x"
	}
	parts := []string{fmt.Sprintf("%s %-4v", mark, r.ID), r.Date.String(), r.Type.String()}
	switch {
	case r.Type == ledger.Adjustment && r.Opening:
		parts = append(parts, fmt.Sprintf("states %v (opening %v)", r.Stated, r.Amount))
	case r.Type == ledger.Adjustment:
		parts = append(parts, fmt.Sprintf("states %v (%v)", r.Stated, r.Amount))
	default:
		parts = append(parts, r.Item, r.Amount.String())
	}
	if r.Category != "" {
		parts = append(parts, string(r.Category))
	}
	parts = append(parts, names[r.Account])
	if r.ToAccount != 0 {
		parts = append(parts, "to "+names[r.ToAccount])
	}
	return strings.Join(append(parts, "by "+k.person(tx, r.Member)), " ")
}

func (k *talk) person(tx *store.Tx, id ledger.MemberID) string {
	m, err := tx.Member(id)
	if err != nil {
		k.t.Fatal(err)
	}
	return m.Person
}
