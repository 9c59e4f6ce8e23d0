package store

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"

	"ichido/internal/ledger"
)

// scopeRepair is the scope of receipts that stand for lost ones.
const scopeRepair = "repair"

// mostLeftOut is how far the last number given out may lie beyond all that are used: a
// sequence has no checksum.
const mostLeftOut = 1 << 20

// replay makes receipts, rows, messages and settings of scraps such that each follows from
// the receipts. Where a receipt is lost to which something points, or without which a row
// or setting would not be what it is, a substitute has its number.
type replay struct {
	*scraps
	receipts    map[ledger.ReceiptNumber]*Receipt
	sure        map[ledger.ReceiptNumber]bool // receipts that stood at the end as they are here
	substitutes map[ledger.ReceiptNumber]bool
	untold      map[ledger.ReceiptNumber]bool // of whose rows texts are left out, as they may have been unsent
	last        ledger.ReceiptNumber

	rows     map[ledger.RowID]ledger.Row
	rowBy    map[ledger.RowID]ledger.ReceiptNumber // the last to change it
	sets     map[string]string
	setBy    map[string]ledger.ReceiptNumber
	messages map[string]*Message // by key
	noted    map[string]Message  // what the file itself says of messages
}

func newReplay(s *scraps) *replay {
	p := &replay{
		scraps: s, receipts: map[ledger.ReceiptNumber]*Receipt{}, sure: map[ledger.ReceiptNumber]bool{}, substitutes: map[ledger.ReceiptNumber]bool{}, untold: map[ledger.ReceiptNumber]bool{},
		rows: map[ledger.RowID]ledger.Row{}, rowBy: map[ledger.RowID]ledger.ReceiptNumber{},
		sets: map[string]string{}, setBy: map[string]ledger.ReceiptNumber{}, messages: map[string]*Message{}, noted: map[string]Message{},
	}
	p.takeReceipts()
	p.takeMessages()
	return p
}

// run does all. What it does first is what the later steps rely on.
func (p *replay) run() {
	p.forget()
	p.refer()
	for _, n := range p.numbers() {
		p.receipt(p.receipts[n])
	}
	p.compareRows()
	p.compareSettings()
	p.withdraw()
	p.finish()
	p.makeMessages()
}

// numbers are those of the receipts, in order.
func (p *replay) numbers() []ledger.ReceiptNumber { return slices.Sorted(maps.Keys(p.receipts)) }

// takeReceipts takes the sure ones and of the stray ones those that were acknowledged: they
// have a number that was given out, and the index of keys knows nothing else.
func (p *replay) takeReceipts() {
	for key, value := range p.scraps.sure[string(bucketReceipts)] {
		if r, err := decodeReceipt([]byte(key), value); err == nil && len(key) == 8 {
			p.receipts[r.Number], p.sure[r.Number] = r, true
			p.last = max(p.last, r.Number)
		}
	}
	given, known := p.scraps.last[string(bucketReceipts)]
	for key, versions := range p.stray[string(bucketReceipts)] {
		var newest *Receipt
		for _, value := range versions {
			r, err := decodeReceipt([]byte(key), value)
			if err != nil || len(key) != 8 || known && uint64(r.Number) > given && r.Number > p.last || !p.mayBe(r) {
				continue
			}
			if newest == nil || p.newer(r, newest) {
				newest = r
			}
		}
		if newest != nil {
			p.receipts[newest.Number] = newest
		}
	}
	for n := range p.receipts {
		p.last = max(p.last, n)
	}
	if known && given < uint64(p.last)+mostLeftOut {
		p.last = max(p.last, ledger.ReceiptNumber(given))
	}
}

// mayBe says whether the index of keys allows the stray receipt, and that all was not
// erased since.
func (p *replay) mayBe(r *Receipt) bool {
	if erased := p.newest(bucketMeta, metaErased); len(erased) == 8 && r.At.Before(parseMillis(erased)) {
		return false
	}
	key := eventKey(r.Scope, r.Key)
	value, there := p.scraps.sure[string(bucketKeys)][string(key)]
	switch {
	case r.Key == "":
		return true
	case there:
		return len(value) == 8 && parseNumber(value) == r.Number
	}
	return p.isLost(bucketKeys, key)
}

// newer says which of two stray versions is to be taken: the one that has its key in what is
// left of the index, then the one with fewer texts, then the one that knows more.
func (p *replay) newer(a, b *Receipt) bool {
	indexed := func(r *Receipt) int {
		if slices.ContainsFunc(p.stray[string(bucketKeys)][string(eventKey(r.Scope, r.Key))], func(v []byte) bool { return bytes.Equal(v, numberKey(r.Number)) }) {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(indexed(a), indexed(b)), cmp.Compare(b.texts(), a.texts()), a.Typed.Compare(b.Typed)) > 0
}

// texts is how long the receipt is without what can be added later.
func (r *Receipt) texts() int {
	record := toReceiptRecord(r)
	record.Typed, record.Dates = 0, nil
	return len(encode(record))
}

// stored are the rows as the file has them, in their order.
func (p *replay) stored() (rows []*ledger.Row) {
	for key, value := range p.scraps.sure[string(bucketRows)] {
		if len(key) == 14 {
			if r, err := decodeRow([]byte(key), value); err == nil && validRow(r) == nil {
				rows = append(rows, r)
			}
		}
	}
	slices.SortFunc(rows, func(a, b *ledger.Row) int { return compareIDs(a.ID, b.ID) })
	return rows
}

// need is the receipt of the number, or a substitute.
func (p *replay) need(n ledger.ReceiptNumber) *Receipt {
	if p.receipts[n] == nil {
		p.receipts[n], p.substitutes[n] = &Receipt{Number: n, Scope: scopeRepair}, true
		p.last = max(p.last, n)
	}
	return p.receipts[n]
}

// after is a substitute for a lost receipt after the number and before the end: the last
// of them, or nil if there is none. Without an end, it may be a new number.
func (p *replay) after(n, end ledger.ReceiptNumber) *Receipt {
	last := end - 1
	if end == 0 {
		last = p.last
	}
	for ; last > n; last-- {
		if p.receipts[last] == nil || p.substitutes[last] {
			return p.need(last)
		}
	}
	if end != 0 {
		return nil
	}
	return p.need(p.last + 1)
}

// refer makes substitutes for the lost receipts to which something points, and lets them be
// what the indexes know of them.
func (p *replay) refer() {
	for _, n := range p.numbers() {
		for _, to := range []*ledger.ReceiptNumber{&p.receipts[n].Undoes, &p.receipts[n].First, &p.receipts[n].Answers} {
			if *to >= n {
				*to = 0
			} else if *to != 0 {
				p.need(*to)
			}
		}
	}
	unsends := p.unsends()
	for _, key := range slices.Sorted(maps.Keys(p.noted)) {
		p.referMessage(key, p.noted[key], unsends)
	}
	point := func(key string, value []byte) {
		scope, rest, _ := strings.Cut(key, "\x00")
		n := ledger.ReceiptNumber(0)
		if len(value) == 8 {
			n = parseNumber(value)
		}
		if n == 0 || n > p.last || len(rest) == 0 {
			return
		}
		if r := p.receipts[n]; rest[0] == 'k' && (r == nil || p.substitutes[n] && r.Key == "" && (r.MessageID == "" || r.Scope == scope)) {
			r = p.need(n)
			r.Scope, r.Key = scope, rest[1:]
		} else if rest[0] == 'o' {
			p.need(n)
		}
	}
	sure, stray := p.scraps.sure[string(bucketKeys)], p.stray[string(bucketKeys)]
	for _, key := range slices.Sorted(maps.Keys(sure)) {
		point(key, sure[key])
	}
	for _, key := range slices.Sorted(maps.Keys(stray)) {
		for _, value := range stray[key] {
			point(key, value)
		}
	}
}

// unused is a substitute after the number that stands for nothing yet.
func (p *replay) unused(after ledger.ReceiptNumber) *Receipt {
	for n := p.last; n > after; n-- {
		if p.receipts[n] == nil {
			return p.need(n)
		}
	}
	return p.need(p.last + 1)
}

// receipt lets the rows and settings be what the receipt has made of them.
func (p *replay) receipt(r *Receipt) {
	var changes []ledger.Change
	for _, c := range r.Changes {
		id := c.After.ID
		now, there := p.rows[id]
		switch {
		case c.Before == nil && (there || id.Receipt != r.Number):
			continue // it is none that was written so
		case c.Before != nil && !there && p.receipts[id.Receipt] != nil && !p.substitutes[id.Receipt]:
			continue // of a row that was never made
		case c.Before != nil && (!there || now != c.Before.Facts()):
			changes = append(changes, p.step(r, *c.Before)...)
		}
		changes = append(changes, c)
		p.rows[id], p.rowBy[id] = c.After.Facts(), r.Number
	}
	r.Changes = changes
	var sets []SettingChange
	for _, c := range r.Settings {
		if now := p.sets[c.Name]; now != c.Before {
			if lost := p.after(p.setBy[c.Name], r.Number); lost != nil {
				lost.Settings = append(lost.Settings, SettingChange{c.Name, now, c.Before})
			} else {
				sets = append(sets, SettingChange{c.Name, now, c.Before})
			}
		}
		sets = append(sets, c)
		p.sets[c.Name], p.setBy[c.Name] = c.After, r.Number
	}
	r.Settings = sets
}

// step lets the row be what it is to be before the receipt, or at the end for nil: what a
// lost receipt has done. If none is lost there, the receipt itself has to do it.
func (p *replay) step(r *Receipt, row ledger.Row) (extra []ledger.Change) {
	id, to := row.ID, row.Facts()
	if _, there := p.rows[id]; !there {
		maker := p.need(id.Receipt)
		after := to
		maker.Changes = append(maker.Changes, ledger.Change{After: &after})
		p.rows[id], p.rowBy[id] = to, id.Receipt
		return nil
	}
	end := ledger.ReceiptNumber(0)
	if r != nil {
		end = r.Number
	}
	before := p.rows[id]
	c := ledger.Change{Before: &before, After: &to}
	p.rows[id] = to
	lost := p.after(p.rowBy[id], end)
	if lost == nil {
		return []ledger.Change{c}
	}
	lost.Changes = append(lost.Changes, c)
	p.rowBy[id] = lost.Number
	return nil
}

// compareRows lets each row that the file has be what it is there.
func (p *replay) compareRows() {
	for _, row := range p.stored() {
		if now, there := p.rows[row.ID]; (!there || now != row.Facts()) && row.ID.Receipt != 0 {
			if maker := p.receipts[row.ID.Receipt]; there || maker == nil || p.substitutes[maker.Number] {
				p.step(nil, *row)
			}
		}
	}
}

func (p *replay) compareSettings() {
	set := func(name, value string) {
		if now := p.sets[name]; now != value {
			lost := p.after(p.setBy[name], 0)
			lost.Settings = append(lost.Settings, SettingChange{name, now, value})
			p.sets[name], p.setBy[name] = value, lost.Number
		}
	}
	stored := p.scraps.sure[string(bucketSettings)]
	for _, name := range slices.Sorted(maps.Keys(stored)) {
		set(name, string(stored[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(p.sets)) {
		if _, there := stored[name]; !there && !p.isLost(bucketSettings, []byte(name)) {
			set(name, "")
		}
	}
}

// withdraw lets no row of an unsent message stand, nor have texts.
func (p *replay) withdraw() {
	unsent := p.unsends()
	ids := slices.SortedFunc(maps.Keys(p.rows), compareIDs)
	for _, id := range ids {
		if row := p.rows[id]; !row.Withdrawn && slices.ContainsFunc(p.messagesOf(p.receipts[id.Receipt]), func(key string) bool { return unsent[key] }) {
			row.Withdrawn = true
			p.step(nil, row)
		}
	}
}

// finish fills in what follows from the rest: where rows stand, and what the substitutes
// are.
func (p *replay) finish() {
	for _, r := range p.receipts {
		if p.substitutes[r.Number] {
			r.Dates = nil
		}
	}
	for _, id := range slices.SortedFunc(maps.Keys(p.rows), compareIDs) {
		r := p.receipts[id.Receipt]
		for len(r.Dates) <= dateIndex(id) || id.Index > 0 && len(r.Dates) < 2 {
			r.Dates = append(r.Dates, 0)
		}
		r.Dates[dateIndex(id)] = p.rows[id].Date
	}
	before := &Receipt{}
	for _, n := range p.numbers() {
		r := p.receipts[n]
		if p.substitutes[n] {
			p.describe(r, before)
		}
		before = r
	}
}

// describe lets a substitute be of the time of the receipt before it, unless more is known.
func (p *replay) describe(r, before *Receipt) {
	if r.At.IsZero() {
		r.At = before.At
	}
	r.Now = before.Now
	for _, c := range r.Changes {
		r.Member = cmp.Or(r.Member, c.After.Member)
		if r.At.IsZero() {
			r.At = c.After.Time
		}
	}
	if r.At.IsZero() {
		r.At = fromMillis(1)
	}
	if r.Now.IsZero() {
		r.Now = r.At
	}
	switch {
	case len(r.Dates) > 0:
		r.Kind = Record
	case len(r.Changes)+len(r.Settings) > 0:
		r.Kind = Correct
	}
}

// lostNumbers are the numbers in lost parts of which there is no receipt. It is to be
// asked before the substitutes are made.
func (p *replay) lostNumbers() (lost []ledger.ReceiptNumber) {
	for n := ledger.ReceiptNumber(1); n <= p.last; n++ {
		if p.receipts[n] == nil && p.isLost(bucketReceipts, numberKey(n)) {
			lost = append(lost, n)
		}
	}
	return lost
}

// newest is the value of a key in the bucket: the sure one, or else the longest of the
// stray ones, as records grow.
func (s *scraps) newest(bucket, key []byte) []byte {
	if value, ok := s.sure[string(bucket)][string(key)]; ok {
		return value
	}
	versions := s.stray[string(bucket)][string(key)]
	if len(versions) == 0 {
		return nil
	}
	return slices.MaxFunc(versions, func(a, b []byte) int { return cmp.Compare(len(a), len(b)) })
}

// keysOf are the keys of the bucket, sure and stray, in their order.
func (s *scraps) keysOf(bucket []byte) (keys [][]byte) {
	for _, key := range slices.Concat(slices.Collect(maps.Keys(s.sure[string(bucket)])), slices.Collect(maps.Keys(s.stray[string(bucket)]))) {
		keys = append(keys, []byte(key))
	}
	slices.SortFunc(keys, bytes.Compare)
	return keys
}
