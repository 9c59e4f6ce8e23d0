package sim

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ichido/internal/ledger"
	"ichido/store"
)

// mourn keeps what a restore has lost of what the program had: it may have told of that.
func (w *world) mourn(had, left []store.Receipt) {
	v := w.newVerdict()
	v.receipts = had
	v.play()
	for _, r := range had {
		if same := func(o store.Receipt) bool { return o.Number == r.Number && o.Key == r.Key }; !slices.ContainsFunc(left, same) {
			w.lost = append(w.lost, lostReceipt{uint64(r.Number), r.Key, v.classFor(uint64(r.Number))})
		}
	}
}

// lostReceipt is one that a restore has lost, and the answer that there may have been.
type lostReceipt struct {
	number uint64
	key    string
	answer class
}

// verdict is what is in the file in the end, beside what there must be.
type verdict struct {
	*world
	model    *model
	receipts []store.Receipt
	rows     map[uint64][]ledger.Row // by receipt
	accounts []ledger.Account
	members  map[string]ledger.MemberID // by person
	deeds    map[string]*deed           // by their events
	deedOf   map[uint64]*deed           // by receipt
	box      map[uint64]store.Outgoing
	unsaid   map[store.OutboxID]bool // will still be named
}

// judge compares what there is with what must be.
func (w *world) judge() {
	v := w.newVerdict()
	w.check()
	v.read()
	v.wantReceipts()
	v.play()
	v.wantLedger()
	v.wantAnswers()
}

func (w *world) newVerdict() *verdict {
	v := &verdict{
		world: w, model: newModel(), rows: map[uint64][]ledger.Row{}, members: map[string]ledger.MemberID{}, deeds: map[string]*deed{},
		deedOf: map[uint64]*deed{}, box: map[uint64]store.Outgoing{}, unsaid: map[store.OutboxID]bool{},
	}
	for _, d := range w.deeds {
		v.deeds[d.id()] = d
	}
	return v
}

// failf fails the run.
func (v *verdict) failf(format string, args ...any) {
	v.t.Helper()
	v.t.Errorf("seed %d: %s", v.seed, fmt.Sprintf(format, args...))
}

func (v *verdict) read() {
	v.receipts = v.receiptsOf(v.process.Load().store)
	err := v.process.Load().store.View(func(tx *store.Tx) error {
		err := tx.Rows(store.AllRows, func(r *ledger.Row) error {
			v.rows[uint64(r.ID.Receipt)] = append(v.rows[uint64(r.ID.Receipt)], *r)
			return nil
		})
		accounts, err2 := tx.Accounts()
		v.accounts = accounts
		members, err3 := tx.Members()
		for _, m := range members {
			v.members[m.Person] = m.ID
		}
		parked, err4 := tx.AllParked("")
		if len(parked) > 0 {
			v.failf("parked: %+v", parked)
		}
		return errors.Join(err, err2, err3, err4, v.readOutbox(tx))
	})
	if err != nil {
		v.t.Fatal(err)
	}
	for _, rows := range v.rows {
		slices.SortFunc(rows, func(a, b ledger.Row) int { return cmp.Compare(a.ID.Index, b.ID.Index) })
	}
}

// name is what an answer about the entry says of it.
func (e entry) name() string {
	if e.item == "" {
		return yen(e.amount)
	}
	return e.item
}

// yen is an amount as answers have it.
func yen(n int) string { return ledger.Yen(n).String() + "円" }

func (v *verdict) readOutbox(tx *store.Tx) error {
	keep := func(o store.Outgoing) error {
		if _, twice := v.box[uint64(o.Receipt)]; o.Notice == "" && (twice || o.State == store.Pending) {
			v.failf("the answer to receipt %d is %v, there before: %t", o.Receipt, o.State, twice)
		}
		if o.Notice == "" {
			v.box[uint64(o.Receipt)] = o
		}
		for _, id := range o.Names {
			v.unsaid[id] = true // of those that perhaps were named
		}
		return nil
	}
	return errors.Join(tx.PendingOutgoing(keep), tx.SettledOutgoing(keep))
}

// wantReceipts wants one receipt for each deed that was taken, and for no other.
func (v *verdict) wantReceipts() {
	taken := map[*deed]uint64{}
	for _, r := range v.receipts {
		d := v.deeds[r.Key]
		switch {
		case d == nil:
			v.failf("receipt %d is of nothing that anybody did", r.Number)
			continue
		case taken[d] != 0:
			v.failf("receipts %d and %d are of the same: %v", taken[d], r.Number, d)
		}
		taken[d] = uint64(r.Number)
	}
	for _, d := range v.world.deeds {
		if taken[d] == 0 && !d.taken.IsZero() && !d.isRemark() {
			v.failf("it was taken and has no receipt: %v at %s", d, clock(d.event.Timestamp))
		}
		v.wantShown(d, taken[d])
	}
}

// wantShown wants a number that somebody was told to be that of the receipt, or of one
// that a restore has lost.
func (v *verdict) wantShown(d *deed, number uint64) {
	for _, n := range d.shown {
		lost := slices.ContainsFunc(v.lost, func(r lostReceipt) bool { return r.key == d.id() && r.number == n })
		if n != number && !lost {
			v.failf("%v was told receipt %d, and has %d", d, n, number)
		}
	}
}

// play plays the deeds in the order of their receipts.
func (v *verdict) play() {
	for _, r := range v.receipts {
		d, n := v.deeds[r.Key], uint64(r.Number)
		if d == nil {
			continue
		}
		v.deedOf[n] = d
		v.noteOrder(d)
		e := v.model.play(n, d, r.At)
		for _, said := range d.entries {
			v.about[said.name()] = e.message.id
		}
		if e.kind == fix && e.fix != nil {
			v.about[yen(d.amount)] = e.message.id
		}
		about := ""
		if e.message != nil {
			about = v.named(e.message)
		}
		v.tracef("receipt %d at %s: %v: %s, about %s", r.Number, clock(r.At), d, cmp.Or(e.answer, "silence"), about)
	}
}

// noteOrder counts what comes before its message.
func (v *verdict) noteOrder(d *deed) {
	m := v.model.messages[d.event.MessageID]
	switch {
	case d.kind == unsent && m == nil:
		v.happened.note("unsend first")
	case d.kind == edited && (m == nil || m.typed.IsZero()):
		v.happened.note("edit first")
	case d.kind == said && m != nil:
		v.happened.note("late record")
	}
}

// wantLedger compares the rows and what follows from them.
func (v *verdict) wantLedger() {
	for _, m := range v.model.messages {
		v.wantRows(m)
	}
	v.wantBalances()
}

func (v *verdict) wantRows(m *message) {
	var want, got []string
	for _, r := range m.rows {
		item := r.entry.item
		if !m.unsent.IsZero() {
			item = ""
		}
		want = append(want, fmt.Sprintf("%s %d %v %s voided %t withdrawn %t of %d", item, r.amount(), r.day, clock(r.at), r.voided, r.withdrawn, v.members[m.author]))
	}
	for _, n := range m.receipts {
		for _, r := range v.rows[n] {
			amount := r.Amount
			if r.Type == ledger.Adjustment {
				amount = r.Stated
			}
			got = append(got, fmt.Sprintf("%s %d %v %s voided %t withdrawn %t of %d", r.Item, amount, r.Date, clock(r.Time), r.Voided, r.Withdrawn, r.Member))
		}
	}
	if !slices.Equal(got, want) {
		v.failf("message %v (receipts %v, unsent %t):\n got %q\nwant %q", v.named(m), m.receipts, !m.unsent.IsZero(), got, want)
	}
}

// named says which message it is, for the reader of a failure.
func (v *verdict) named(m *message) string {
	if len(m.receipts) == 0 {
		return "a message that was unsent"
	}
	return typed(v.deedOf[m.receipts[0]].entries)
}

// wantBalances wants what each wallet holds, and what each statement explains, to follow
// from the rows that stand, in the order of their times.
func (v *verdict) wantBalances() {
	type line struct {
		*row
		m     *message
		index int
	}
	var all []line
	for _, m := range v.model.messages {
		seen := map[uint64]int{}
		for _, r := range m.rows {
			all = append(all, line{r, m, seen[r.by]})
			seen[r.by]++
		}
	}
	slices.SortFunc(all, func(a, b line) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.by, b.by), cmp.Compare(a.index, b.index))
	})
	held := map[ledger.MemberID]int{}
	for _, l := range all {
		if !l.stands() {
			continue
		}
		owner := v.members[l.m.author]
		if l.entry.item != "" {
			held[owner] -= l.amount()
			continue
		}
		found := v.rows[l.by][l.index].Amount
		if want := l.amount() - held[owner]; int(found) != want {
			v.failf("the balance of receipt %d leaves %d unexplained instead of %d", l.by, found, want)
		}
		held[owner] = l.amount()
	}
	for _, a := range v.accounts {
		if int(a.Balance) != held[a.Owner] {
			v.failf("the wallet of member %d holds %d instead of %d", a.Owner, a.Balance, held[a.Owner])
		}
	}
}

// bubble is a message that LINE has taken from the bot.
type bubble struct {
	chat, text string
	named      []uint64 // receipts of which it says that their answers came too late
}

var (
	unsaidNote = regexp.MustCompile(`(?:^|\n+)※ 受付 ([0-9、]+) のお返事は、.*`)
	nameIn     = regexp.MustCompile(`(item[a-z]{5})|残高 ?([0-9,]+円)`)
	numberIn   = regexp.MustCompile(`受付 ([0-9]+)`)
	amountOf   = regexp.MustCompile(`(item[a-z]{5}|残高) ?([0-9,]+円)(?: → ([0-9,]+円))?`)
)

// shown gives all that the chats show of the bot.
func (v *verdict) shown() (all []bubble) {
	for _, chat := range append([]string{v.group}, v.people...) {
		for _, b := range v.platform.Chat(chat) {
			if b.Via == "" || isNotice(b.Text) {
				continue
			}
			shown := bubble{chat: chat, text: strings.TrimLeft(unsaidNote.ReplaceAllString(b.Text, ""), "\n")}
			for _, note := range unsaidNote.FindAllStringSubmatch(b.Text, -1) {
				for number := range strings.SplitSeq(note[1], "、") {
					n, _ := strconv.ParseUint(number, 10, 64)
					shown.named = append(shown.named, n)
				}
			}
			all = append(all, shown)
		}
	}
	return all
}

// isNotice says whether the owner is told of the machine: of a restore, of a disk without
// room.
func isNotice(text string) bool {
	return strings.HasPrefix(text, "家計簿を、") || strings.HasPrefix(text, "しばらく前から、")
}

// heads are the beginnings of answers that tell of a change.
var heads = []struct {
	kind answerKind
	head *regexp.Regexp
}{
	{ofText, regexp.MustCompile(`^([0-9]+件を)?記録しました|^直しました|^編集されたので、`)},
	{ofUndo, regexp.MustCompile(`^([0-9]+件を)?取り消しました`)},
	{ofRedo, regexp.MustCompile(`^([0-9]+件を)?元に戻しました`)},
	{ofChange, regexp.MustCompile(`^記録(の変更を取り消しました|を元に戻しました)`)},
}

// class are answers that are told apart by nothing but their order.
type class struct {
	chat, message string
	kind          answerKind
}

func (v *verdict) classOf(b bubble) class {
	for _, h := range heads {
		if !h.head.MatchString(b.text) {
			continue
		}
		name := nameIn.FindStringSubmatch(b.text)
		if name == nil {
			v.failf("it is not said of what: %q", b.text)
			continue
		}
		return class{b.chat, v.about[name[1]+name[2]], h.kind}
	}
	return class{b.chat, "", otherwise}
}

// wantAnswers wants each answer to have been said once at most, and said or in the outbox
// in a state that says why not; and none that is not true.
func (v *verdict) wantAnswers() {
	count := map[class]int{}
	bubbles := v.shown()
	for _, b := range bubbles {
		c := v.classOf(b)
		count[c]++
		v.tracef("said: %q: %s", b.text, c.kind)
		v.wantTrue(b, c)
	}
	least, most := v.wanted()
	for c := range most {
		count[c] += 0
	}
	for _, c := range slices.SortedFunc(maps.Keys(count), func(a, b class) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) }) {
		if n := count[c]; n < least[c] || n > most[c] {
			v.failf("%v was said %d times, want %d to %d", c, n, least[c], most[c])
		}
	}
	v.wantNamed(bubbles)
}

// wanted gives how often there must and may be answers of a class. What was told of
// receipts that a restore has lost may have been said, too.
func (v *verdict) wanted() (least, most map[class]int) {
	least, most = map[class]int{}, map[class]int{}
	for n, did := range v.model.did {
		o, unsaid := v.box[n]
		if did.answer == silence {
			if unsaid {
				v.failf("receipt %d has an answer in the outbox, and none was to be said", n)
			}
			continue
		}
		c := v.classFor(n)
		switch {
		case !unsaid:
			least[c]++
			most[c]++
		case o.State == store.Unknown:
			v.happened.note("unknown")
			most[c]++
		default:
			v.happened.note(o.State.String())
			most[c] += 0
		}
	}
	for _, r := range v.lost {
		most[r.answer]++
	}
	return least, most
}

// classFor is the class of the answer to the receipt.
func (v *verdict) classFor(n uint64) class {
	did := v.model.did[n]
	c := class{chat: v.deedOf[n].event.Source.Chat(), kind: did.answer}
	if did.message != nil && did.answer != otherwise {
		c.message = did.message.id
	}
	return c
}

// wantTrue wants a confirmation of a record to say what was typed: each item, or balance,
// with an amount that a text or a correction gave it, and as its number a receipt of the
// message.
func (v *verdict) wantTrue(b bubble, c class) {
	if c.kind != ofText {
		return
	}
	for _, m := range amountOf.FindAllStringSubmatch(b.text, -1) {
		for _, amount := range m[2:] {
			if amount != "" && !v.wasTyped(m[1], amount) {
				v.failf("nobody typed %s of %s: %q", amount, m[1], b.text)
			}
		}
	}
	number := numberIn.FindStringSubmatch(b.text)
	if number == nil {
		v.failf("it has no number: %q", b.text)
	} else if n, _ := strconv.ParseUint(number[1], 10, 64); !v.isOf(n, c.message) {
		v.failf("%d is no receipt of the message: %q", n, b.text)
	}
}

// wasTyped says whether a text gave the amount to the name in an answer, or a correction to
// anything: no two deeds have the same amount.
func (v *verdict) wasTyped(name, amount string) bool {
	return slices.ContainsFunc(v.world.deeds, func(d *deed) bool {
		return d.kind == fix && yen(d.amount) == amount || slices.ContainsFunc(d.entries, func(e entry) bool {
			return cmp.Or(e.item, "残高") == name && yen(e.amount) == amount
		})
	})
}

// isOf says whether the number is of a receipt of the message, or was before a restore.
func (v *verdict) isOf(n uint64, message string) bool {
	if d := v.deedOf[n]; d != nil && cmp.Or(d.event.MessageID, d.key) == message {
		return true
	}
	return slices.ContainsFunc(v.lost, func(r lostReceipt) bool {
		return r.number == n && v.deeds[r.key] != nil && cmp.Or(v.deeds[r.key].event.MessageID, r.key) == message
	})
}

// wantNamed wants what certainly was not said to be named once at most. After a restore
// nobody knows any more what was named before, or said.
func (v *verdict) wantNamed(bubbles []bubble) {
	named := map[uint64]int{}
	for _, b := range bubbles {
		for _, n := range b.named {
			named[n]++
			if v.restores == 0 && v.box[n].State != store.Expired || named[n] > 1+v.restores {
				v.failf("receipt %d is named as not answered %d times, and is %v", n, named[n], v.box[n].State)
			}
		}
	}
}
