package cli

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"ichido/bot/line"
	"ichido/internal/ledger"
	"ichido/internal/linesim"
	"ichido/store"
)

// ending is what is in the file in the end.
type ending struct {
	*family
	t        testing.TB
	byKey    map[string]*store.Receipt
	byNumber map[uint64]*store.Receipt
	rows     map[uint64][]ledger.Row // by receipt
	members  map[string]ledger.MemberID
	known    map[*deed]bool // quoted answers that the bot knows
	box      []store.Outgoing
	unsaid   map[store.OutboxID]bool // will still be named
	chatOf   map[uint64]string       // where the event with the receipt happened
	replay   *replay
}

// look reads the file, which nobody has open.
func (f *family) look() *ending {
	e := &ending{
		family: f, t: f.t, byKey: map[string]*store.Receipt{}, byNumber: map[uint64]*store.Receipt{}, rows: map[uint64][]ledger.Row{},
		members: map[string]ledger.MemberID{}, known: map[*deed]bool{}, unsaid: map[store.OutboxID]bool{},
		chatOf: map[uint64]string{}, replay: newReplay(),
	}
	s, err := store.Open(f.db, store.Options{})
	if err != nil {
		f.t.Fatal(err)
	}
	defer s.Close()
	for _, read := range []func(*store.Tx) error{e.readReceipts, e.readRows, e.readPeople, e.readOutbox} {
		if err := s.Update(f.t.Context(), read); err != nil {
			f.t.Fatal(err)
		}
	}
	return e
}

func (e *ending) readReceipts(tx *store.Tx) error {
	return tx.Receipts(0, func(r *store.Receipt) error {
		if e.byKey[r.Key] != nil || r.Key == "" || r.Scope != line.Scope {
			e.t.Errorf("receipt %d has the key %q, as another one has", r.Number, r.Key)
		}
		e.byKey[r.Key], e.byNumber[uint64(r.Number)] = r, r
		return nil
	})
}

func (e *ending) readRows(tx *store.Tx) error {
	return tx.Rows(store.AllRows, func(r *ledger.Row) error {
		n := uint64(r.ID.Receipt)
		e.rows[n] = append(e.rows[n], *r)
		slices.SortFunc(e.rows[n], func(a, b ledger.Row) int { return cmp.Compare(a.ID.Index, b.ID.Index) })
		return nil
	})
}

func (e *ending) readPeople(tx *store.Tx) error {
	members, err := tx.Members()
	for _, m := range members {
		e.members[m.Person] = m.ID
	}
	for _, d := range e.deeds {
		if d.kind == quoted && err == nil {
			var r *store.Receipt
			r, _, err = tx.Quoted(line.Scope, d.event.QuotedMessageID)
			e.known[d] = r != nil
		}
	}
	if parked, err := tx.AllParked(line.Scope); len(parked) > 0 || err != nil {
		e.t.Errorf("%d events are parked (%v)", len(parked), err)
	}
	return err
}

func (e *ending) readOutbox(tx *store.Tx) error {
	keep := func(o store.Outgoing) error {
		e.box = append(e.box, o)
		return nil
	}
	if err := tx.PendingOutgoing(keep); err != nil {
		return err
	}
	if err := tx.SettledOutgoing(keep); err != nil {
		return err
	}
	for _, o := range e.box {
		unsaid, err := tx.TakeUnsaid(o.Chat)
		if err != nil {
			return err
		}
		for _, u := range unsaid {
			e.unsaid[u.ID] = true
		}
	}
	return nil
}

// of is the receipt of the event, nil for none.
func (e *ending) of(d *deed) *store.Receipt { return e.byKey[d.event.ID] }

// wantReceipts compares which events have receipts, and in which order.
func (e *ending) wantReceipts() {
	ours := map[string]bool{}
	for _, d := range e.deeds {
		ours[d.event.ID] = true
		there := e.of(d) != nil
		switch {
		case there && (d.never || e.mustBeIgnored(d)), d.gate != nil && there != (e.of(d.gate) != nil):
			e.t.Errorf("event %s (%d) has left receipt %d", d.event.ID, d.kind, e.of(d).Number)
		case !d.never && d.gate == nil && !there && !e.mayBeIgnored(d):
			e.t.Errorf("event %s (%d) was acknowledged and has no receipt", d.event.ID, d.kind)
		}
	}
	for key, r := range e.byKey {
		if !ours[key] {
			e.t.Errorf("receipt %d is of no event: %s", r.Number, key)
		}
	}
	for _, race := range e.races {
		if (e.of(race[0]) == nil) == (e.of(race[1]) == nil) {
			e.t.Errorf("of two people with one code %s is in: %t, and %s: %t", race[0].event.Source.UserID, e.of(race[0]) != nil, race[1].event.Source.UserID, e.of(race[1]) != nil)
		}
	}
	e.wantOrder()
}

// mayBeIgnored says whether the event is a remark in a group, which leaves nothing at
// all, or an edit into one that came when nothing of its message had come. Of a message
// that was unsent before, everything leaves a receipt.
func (e *ending) mayBeIgnored(d *deed) bool {
	return d.isRemark() && !slices.ContainsFunc(e.deeds, func(other *deed) bool {
		return other.event.MessageID == d.event.MessageID && e.of(other) != nil && other.done.Before(d.first) &&
			(d.kind == edited || other.kind == unsent)
	})
}

// mustBeIgnored says whether the event is a remark in a group and its message was not
// unsent before.
func (e *ending) mustBeIgnored(d *deed) bool {
	return d.isRemark() && d.kind == said && !slices.ContainsFunc(e.deeds, func(other *deed) bool {
		return other.event.MessageID == d.event.MessageID && other.kind == unsent && e.of(other) != nil && e.of(other).Number < e.of(d).Number
	})
}

func (d *deed) isRemark() bool {
	return (d.kind == said || d.kind == edited) && len(d.rows) == 0 && d.event.Source.Type != "user"
}

// wantOrder wants an event that was acknowledged before another one was first
// delivered to have a smaller number.
func (e *ending) wantOrder() {
	var begun []*deed
	for _, d := range e.deeds {
		if e.of(d) != nil {
			begun = append(begun, d)
		}
	}
	ended := slices.Clone(begun)
	slices.SortFunc(begun, func(a, b *deed) int { return a.first.Compare(b.first) })
	slices.SortFunc(ended, func(a, b *deed) int { return a.done.Compare(b.done) })
	last := ledger.ReceiptNumber(0)
	for _, d := range begun {
		for ; ended[0].done.Before(d.first); ended = ended[1:] {
			last = max(last, e.of(ended[0]).Number)
		}
		if n := e.of(d).Number; n < last {
			e.t.Errorf("receipt %d was made after %d was acknowledged", n, last)
		}
	}
}

// wantEffects plays the events in the order of their receipts and compares what each
// of them did, and what there is in the end.
func (e *ending) wantEffects() {
	handled := slices.DeleteFunc(slices.Clone(e.deeds), func(d *deed) bool { return e.of(d) == nil })
	slices.SortFunc(handled, func(a, b *deed) int { return cmp.Compare(e.of(a).Number, e.of(b).Number) })
	for _, d := range handled {
		r := e.of(d)
		n := uint64(r.Number)
		e.chatOf[n] = d.event.Source.Chat()
		did := e.replay.play(n, d, e.wasKnown(d))
		if len(did.changes) != len(r.Changes) {
			e.t.Errorf("receipt %d (event %s, %d) made %d changes, want %d", n, d.event.ID, d.kind, len(r.Changes), len(did.changes))
		}
	}
	for _, m := range e.replay.messages {
		e.wantMessage(m)
	}
}

// wasKnown says whether the bot knew the answer that is quoted. It does as soon as it
// has LINE's word for having taken it; killed before that, it never does, or only
// when it has pushed it once more.
func (e *ending) wasKnown(d *deed) bool {
	switch {
	case d.of == 0:
		return true
	case !e.known[d]:
		return false
	case d.reply && d.event.Timestamp.Sub(d.shown) > 2*time.Second:
		return true
	}
	return len(e.of(d).Changes) > 0
}

func (e *ending) wantMessage(m *spoken) {
	var want, got []string
	for _, w := range m.rows {
		if m.unsent {
			w.item, w.category = "", ""
		}
		want = append(want, w.String())
	}
	for _, n := range m.receipts {
		for _, r := range e.rows[n] {
			got = append(got, (&written{
				entry: entry{r.Item, int(r.Amount)}, at: r.Time, category: string(r.Category), voided: r.Voided, withdrawn: r.Withdrawn,
			}).String())
			if r.Member != e.members[m.from.UserID] {
				e.t.Errorf("row %v is member %d's", r.ID, r.Member)
			}
		}
	}
	if !slices.Equal(got, want) {
		e.t.Errorf("message %s (receipts %v, unsent %t):\n got %q\nwant %q", m.id, m.receipts, m.unsent, got, want)
	}
}

// wantForgotten wants no text of an unsent message to be in the file, after it was
// compacted, and none of any message in the logs.
func (e *ending) wantForgotten() {
	if err := store.Compact(e.t.Context(), e.db, nil); err != nil {
		e.t.Fatal(err)
	}
	file, err := os.ReadFile(e.db)
	if err != nil {
		e.t.Fatal(err)
	}
	kept := false
	for _, item := range itemWord.FindAll(file, -1) {
		m := e.replay.messages[e.items[string(item)]]
		if m == nil || m.unsent {
			e.t.Errorf("the file has %s", item)
		}
		kept = true
	}
	if !kept {
		e.t.Error("the file has no items at all")
	}
	if item := itemWord.FindString(e.logs.String()); item != "" {
		e.t.Errorf("the logs have %s", item)
	}
	if strings.Contains(e.logs.String(), linesim.DefaultSecret) || strings.Contains(e.logs.String(), linesim.DefaultToken) {
		e.t.Error("the logs have a secret")
	}
}

// wantVariety wants a run in which enough has happened to tell anything. On a slow
// machine that may be little.
func (e *ending) wantVariety() {
	count := map[string]int{}
	for _, d := range e.deeds {
		r := e.of(d)
		if r == nil {
			count["without a receipt"]++
			continue
		}
		did := e.replay.did[uint64(r.Number)]
		count[string(did.answer)]++
		m := e.replay.messages[d.event.MessageID]
		switch {
		case d.kind == edited && !m.said.IsZero() && m.receipts[0] == uint64(r.Number):
			count["edits before their message"]++
		case d.kind == unsent && len(m.receipts) > 0 && m.receipts[0] > uint64(r.Number):
			count["unsent before their message"]++
		case d.kind == unsent:
			count["unsent"]++
		case d.kind == tapped && e.replay.did[d.of] != nil && did.answer == otherwise:
			count["buttons in vain"]++
		case d.kind == quoted && len(did.changes) > 0:
			count["quotes"]++
		}
	}
	for _, o := range e.box {
		count[o.State.String()]++
	}
	for _, c := range e.platform.Calls() {
		if c.Accepted {
			count["carried"] += len(messagesOf(&c)) - 1
		}
	}
	e.t.Logf("%d events: %v", len(e.deeds), count)
	for _, what := range []string{"text", "undo", "redo", "category", "edits before their message", "unsent before their message", "unsent", "buttons in vain", "quotes"} {
		if count[what] == 0 && len(e.deeds) > 1000 {
			e.t.Errorf("nothing of this has happened: %s", what)
		}
	}
}
