package line

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ichido/internal/ledger"
	"ichido/internal/linesim"
	"ichido/store"
)

var allOrders = flag.Bool("orders", false, "TestEveryOrder tries all orders, not a sample")

// The events whose orders are tried, by letters. All are of one person in one
// group; r, R, 1, 2 and u are about one message.
const (
	record      = 'r'
	recordAgain = 'R' // the record, delivered again
	edit1       = '1'
	edit2       = '2'
	unsend      = 'u'
	undo        = 't' // 取消
	state       = 'w' // 財布 3000

	allEvents = "rR12utw"
	maxEvents = 4
)

// texts is what the message and its edits say.
type texts struct{ record, edit1, edit2 string }

// Two remarks, which are not for the bot.
const (
	remark      = "やっぱりやめた"
	otherRemark = "おいしかった"
)

var allTexts = []texts{
	{"ランチ 900", "ランチ 950\nカフェ 480", "昨日 夕食 2000"},
	{"ランチ 900", "ランチ 950", remark},
	{otherRemark, "ランチ 950", remark},
}

// trial is one order in which events are delivered, in one household.
type trial struct {
	texts     texts
	typed     string // the letters in the order of At; r and R are first, at the same time
	delivered string
}

func (o trial) String() string {
	return fmt.Sprintf("%s: typed %s, delivered %s", o.texts.record, o.typed, o.delivered)
}

// orders gives all trials of up to maxEvents events.
func orders() (all []trial) {
	for subset := range 1 << len(allEvents) {
		var chosen []byte
		for i := range len(allEvents) {
			if subset>>i&1 == 1 {
				chosen = append(chosen, allEvents[i])
			}
		}
		if len(chosen) == 0 || len(chosen) > maxEvents || isVague(string(chosen)) {
			continue
		}
		for _, typed := range permutations(string(chosen)) {
			if !recordFirst(typed) {
				continue
			}
			for _, delivered := range permutations(string(chosen)) {
				for _, texts := range allTexts {
					all = append(all, trial{texts, typed, delivered})
				}
			}
		}
	}
	return all
}

// isVague says whether there are edits without their message. When that was typed is
// not known then, and so there is no right order.
func isVague(events string) bool {
	return strings.Contains(events, string(edit1)+string(edit2)) && !strings.ContainsAny(events, "rR")
}

// recordFirst says whether the record, and behind it its redelivery, come first.
func recordFirst(typed string) bool {
	rest := strings.TrimPrefix(strings.TrimPrefix(typed, "r"), "R")
	return !strings.ContainsAny(rest, "rR")
}

func permutations(s string) (all []string) {
	if s == "" {
		return []string{""}
	}
	for i := range len(s) {
		for _, rest := range permutations(s[:i] + s[i+1:]) {
			all = append(all, s[i:i+1]+rest)
		}
	}
	return all
}

// play delivers the trials' events, the first of all, then the second and so on,
// and returns the ledger of each.
func play(t *testing.T, trials []trial, reopen bool) []string {
	w := newWorld(t)
	w.inspector = []string{"true"} // the file is sound, a thousand times
	w.door.admit = func(string) bool { return true }
	events := make([][]linesim.Event, len(trials))
	var opening []linesim.Event
	for i, o := range trials {
		var first linesim.Event
		first, events[i] = o.events(w.platform, i)
		opening = append(opening, first)
	}
	w.deliver(opening...)
	for step := range maxEvents {
		var now []linesim.Event
		for i := range trials {
			if step < len(events[i]) {
				now = append(now, events[i][step])
			}
		}
		w.deliver(now...)
		if reopen {
			w.close()
			w.open()
			w.door.admit = func(string) bool { return true }
		}
	}
	ledgers := make([]string, len(trials))
	for i := range trials {
		ledgers[i] = w.ledgerOf(personOf(i))
	}
	w.close()
	return ledgers
}

func personOf(i int) string { return linesim.UserID(fmt.Sprint("person", i)) }

// events makes the trial's events, and what was said two days before.
func (o trial) events(p *linesim.Platform, i int) (opening linesim.Event, events []linesim.Event) {
	in := linesim.Group(linesim.GroupID(fmt.Sprint("group", i)), personOf(i))
	noon := time.Date(2026, 11, 20, 12, 0, 0, 0, tokyo)
	say := func(text string) linesim.Event { return p.TextIn(in, text) }
	opening = say("財布 5000")
	opening.Timestamp = noon.AddDate(0, 0, -2)
	message := say(o.texts.record)
	for _, letter := range o.delivered {
		e := message
		switch letter {
		case recordAgain:
			e = message.Redelivered()
		case edit1:
			e = p.Edited(message, o.texts.edit1)
		case edit2:
			e = p.Edited(message, o.texts.edit2)
		case unsend:
			e = p.Unsend(message)
		case undo:
			e = say("取消")
		case state:
			e = say("財布 3000")
		}
		e.Timestamp = noon
		if letter != record && letter != recordAgain {
			e.Timestamp = noon.Add(time.Duration(1+strings.IndexRune(o.typed, letter)) * time.Minute)
		}
		events = append(events, e)
	}
	return opening, events
}

// ledgerOf is what stands of the person's rows and what his accounts hold.
func (w *world) ledgerOf(person string) string {
	w.t.Helper()
	var lines []string
	err := w.store.View(func(tx *store.Tx) error {
		m, _, err := tx.MemberByPerson(person)
		if err != nil {
			return err
		}
		accounts, err := tx.Accounts()
		if err != nil {
			return err
		}
		names := map[ledger.AccountID]string{}
		for _, a := range accounts {
			if a.Owner == m.ID {
				names[a.ID] = a.Name
				lines = append(lines, fmt.Sprintf("%s %d", a.Name, a.Balance))
			}
		}
		return tx.Rows(store.AllRows, func(r *ledger.Row) error {
			if r.Member == m.ID && r.Stands() {
				lines = append(lines, fmt.Sprintf("%v %v %s %d stated %d opening %t %s", r.Date, r.Type, r.Item, r.Amount, r.Stated, r.Opening, names[r.Account]))
			}
			return nil
		})
	})
	if err != nil {
		w.t.Fatal(err)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// lawful is the order in which the events, delivered one by one, give the ledger
// that there must be: the order in which they were typed, but for what follows from
// the promises.
//
//   - 取消 acts on what is there when it is handled. A record or an edit that was
//     typed before it and comes after it stays and is not struck (DESIGN 4). So 取消
//     comes before these. An edit that comes after a newer one is not looked at: the
//     latest wins (DESIGN 4). For 取消 it is as if it had not come.
//   - What is said in a message that has been unsent is never read (DESIGN 4).
//   - A remark in a group leaves nothing at all (GRAMMAR 15): an edit into one, of a
//     message of which nothing has come, is as if it had never been.
func (o trial) lawful() trial {
	events, seen := "", "" // what is read; what 取消 finds
	older, _, _ := strings.Cut(o.typed, string(undo))
	for _, letter := range o.delivered {
		of := letterIn("rR12", letter)
		if of && letterIn(events, unsend) || letter == edit2 && o.texts.edit2 == remark && !strings.ContainsAny(events, o.texts.traces()) {
			continue
		}
		events += string(letter)
		if letterIn(older, letter) && !letterIn(events, undo) && !o.outdated(letter, events) {
			seen += string(letter)
		}
	}
	o.delivered = o.sorted(events)
	if letterIn(events, undo) {
		seen = o.sorted(seen) + string(undo)
		o.delivered = seen + without(o.delivered, seen)
	}
	return o
}

// outdated says whether the letter is an edit and a newer one is among the events.
func (o trial) outdated(letter rune, events string) bool {
	for _, other := range []rune{edit1, edit2} {
		if letterIn("12", letter) && letterIn(events, other) && strings.IndexRune(o.typed, other) > strings.IndexRune(o.typed, letter) {
			return true
		}
	}
	return false
}

// sorted gives the events as they were typed.
func (o trial) sorted(events string) string { return without(o.typed, without(o.typed, events)) }

// without gives the events that are not among the others.
func without(events, others string) string {
	return strings.Map(func(letter rune) rune {
		if letterIn(others, letter) {
			return -1
		}
		return letter
	}, events)
}

func letterIn(events string, letter rune) bool { return strings.ContainsRune(events, letter) }

// traces are the events that leave something of the message.
func (t texts) traces() string {
	if t.record == otherRemark {
		return "1u"
	}
	return "rR1u"
}

const (
	trialsAtOnce = 24 // in one file
	sampled      = 97 // one of so many trials is tried when not all are
)

// In whatever order events arrive, the ledger is as if they had arrived in the
// order in which they were typed, also if the program ends after each of them.
func TestEveryOrder(t *testing.T) {
	all := orders()
	if !*allOrders {
		all = sample(all)
	}
	want := map[trial]string{}
	for _, o := range all {
		want[o.lawful()] = ""
	}
	inFiles(t, slices.Collect(maps.Keys(want)), false, func(o trial, ledger string) { want[o] = ledger })
	for _, reopen := range []bool{false, true} {
		inFiles(t, all, reopen, func(o trial, ledger string) {
			if diff := cmp.Diff(want[o.lawful()], ledger); diff != "" {
				t.Errorf("%v, reopened %t (-want +got):\n%s", o, reopen, diff)
			}
		})
	}
}

func sample(all []trial) (some []trial) {
	step := sampled
	if testing.Short() {
		step *= 5
	}
	for i := 0; i < len(all); i += step {
		some = append(some, all[i])
	}
	return some
}

// inFiles plays the trials, some at a time, and hands over the ledgers, one at a
// time.
func inFiles(t *testing.T, trials []trial, reopen bool, got func(trial, string)) {
	var mu sync.Mutex
	t.Run(fmt.Sprintf("%d reopened %t", len(trials), reopen), func(t *testing.T) {
		for part := range slices.Chunk(trials, trialsAtOnce) {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				ledgers := play(t, part, reopen)
				mu.Lock()
				defer mu.Unlock()
				for i, o := range part {
					got(o, ledgers[i])
				}
			})
		}
	})
}
