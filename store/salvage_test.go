package store_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

var damagedFiles = flag.Int("damaged", 12, "damaged files in TestSalvage")

// Texts that must not come back: of messages that were unsent, and of receipts that were
// never acknowledged.
const (
	secret  = "秘密"
	phantom = "幻の品"
)

// original is a sound file, and what is known of it.
type original struct {
	content  []byte
	live     []record                                // that the newest state is made of
	receipts map[ledger.ReceiptNumber]*store.Receipt // as they are at the end
	states   map[ledger.RowID]map[ledger.Row]bool    // that a row was ever in, as far as was not forgotten
	rows     map[ledger.RowID]ledger.Row             // as they are at the end
	settings map[string]map[string]bool              // values that a setting ever had
	last     ledger.ReceiptNumber
	free     []int // pages that are not in use
	branches []int // branch pages in use
	root     int   // page of the root
	meta     int   // the meta page of the newest state
}

// record is a record of the newest state and the pages on the way to it, its own with those
// that go on from it.
type record struct {
	bucket, key string
	path        []int
}

// makeOriginal writes a file with thousands of receipts of every kind.
func makeOriginal(t *testing.T) *original {
	path := filepath.Join(t.TempDir(), "ichido.db")
	s, err := store.Open(path, store.Options{NoSync: true, Now: func() time.Time { return storetest.Noon }})
	if err != nil {
		t.Fatal(err)
	}
	family(t, s)
	rnd := rand.New(rand.NewPCG(7, 7))
	done := make(chan struct{})
	for i := range 2200 {
		if i == 2050 { // from here on no page is used again
			began := make(chan struct{})
			go s.View(func(*store.Tx) error { close(began); <-done; return nil })
			<-began
		}
		m, at := fmt.Sprint("m", i), after(20+30*i) // over weeks, as statements read the rows of the days behind them
		earlier := fmt.Sprint("m", max(0, i-1-rnd.IntN(30)))
		item := fmt.Sprintf("品%d", i)
		switch op := rnd.IntN(20); {
		case op == 0:
			storetest.Submit(t, s, storetest.Edited(earlier, "new", at), storetest.Hear("改"+item, "別"+item))
		case op == 1:
			storetest.Submit(t, s, lunch("state"+m), storetest.State(ledger.Yen(i), at, nil))
		case op == 2:
			_, _, err = s.Submit(t.Context(), lunch("undo"+m), storetest.Undo(ledger.ReceiptNumber(1+rnd.IntN(i+1))))
		case op == 3:
			storetest.Submit(t, s, lunch("set"+m), set("budget/"+[]string{"食費", "娯楽", ""}[rnd.IntN(3)], fmt.Sprint(i)))
		case op == 4:
			storetest.Submit(t, s, lunch("move"+m), func(tx *store.Tx) error {
				wallet, err := tx.OpenAccount(ledger.Cash, tx.Sender().ID)
				bank, err2 := tx.OpenAccount([]string{"銀行", "Suica"}[rnd.IntN(2)], 0)
				_, err3 := tx.Apply(ledger.Change{After: &ledger.Row{
					Type: ledger.Transfer, Date: ledger.DateOf(at), Time: at, Amount: 500, Account: bank.ID, ToAccount: wallet.ID, Member: tx.Sender().ID,
				}})
				tx.Receipt().Kind = store.Record
				return errors.Join(err, err2, err3)
			})
		case op == 5:
			storetest.Submit(t, s, storetest.Said(m, secret, at), storetest.Hear(secret+item, secret))
			for range 3 { // other pages are used meanwhile
				storetest.Submit(t, s, lunch(fmt.Sprint("x", m, rnd.Uint64())), storetest.Spend("x"+item, 5, at))
			}
			storetest.Submit(t, s, storetest.Unsent(m, at.Add(time.Second)), storetest.Hear())
		case op == 6:
			_, _, err = s.Submit(t.Context(), storetest.Unsent(earlier, at), storetest.Hear())
		case op == 7 && i > 5:
			req := storetest.Said(m, "", at)
			storetest.Submit(t, s, req, func(tx *store.Tx) error { return tx.Ask("chat", "いくら"+item) })
			req = storetest.Said(m+"a", "", at.Add(time.Second))
			storetest.Submit(t, s, req, func(tx *store.Tx) error {
				question, err := tx.OpenQuestion("chat")
				return errors.Join(err, tx.Answers(question), storetest.Hear(item)(tx))
			})
		default:
			items := []string{item, item + "二", item + "三"}[:1+rnd.IntN(3)]
			storetest.Submit(t, s, storetest.Said(m, "", at), storetest.Hear(items...))
		}
		if err != nil && !errors.Is(err, store.ErrUndone) && !errors.Is(err, store.ErrChanged) && !errors.Is(err, store.ErrNoReceipt) {
			t.Fatal(err)
		}
		err = nil
	}
	o := &original{
		receipts: map[ledger.ReceiptNumber]*store.Receipt{}, states: map[ledger.RowID]map[ledger.Row]bool{},
		rows: map[ledger.RowID]ledger.Row{}, settings: map[string]map[string]bool{},
	}
	close(done)
	view(t, s, o.remember)
	if err := errors.Join(s.Check(), s.Close()); err != nil {
		t.Fatal(err)
	}
	if o.content, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	o.walk()
	o.content = o.content[:u64(o.content, o.meta*page+16+40)*page]
	o.haunt()
	t.Logf("%d receipts, %d rows, %d pages, of which %d branches and %d free", len(o.receipts), len(o.rows), len(o.content)/page, len(o.branches), len(o.free))
	return o
}

func (o *original) remember(tx *store.Tx) error {
	note := func(r *ledger.Row) {
		if o.states[r.ID] == nil {
			o.states[r.ID] = map[ledger.Row]bool{}
		}
		o.states[r.ID][r.Facts()] = true
	}
	err := tx.Receipts(0, func(r *store.Receipt) error {
		o.receipts[r.Number], o.last = r, r.Number
		for _, c := range r.Changes {
			if c.Before != nil {
				note(c.Before)
			}
			note(c.After)
		}
		for _, c := range r.Settings {
			if o.settings[c.Name] == nil {
				o.settings[c.Name] = map[string]bool{"": true}
			}
			o.settings[c.Name][c.After] = true
		}
		return nil
	})
	return errors.Join(err, tx.Rows(store.AllRows, func(r *ledger.Row) error {
		note(r)
		o.rows[r.ID] = r.Facts()
		return nil
	}))
}

// walk reads the sound file by what bbolt's format says, apart from the code that is tested.
func (o *original) walk() {
	u16 := func(at int) int { return int(binary.NativeEndian.Uint16(o.content[at:])) }
	u32 := func(at int) int { return int(binary.NativeEndian.Uint32(o.content[at:])) }
	u64 := func(at int) int { return u64(o.content, at) }
	if u64(page+16+48) > u64(16+48) {
		o.meta = 1
	}
	used := map[int]bool{0: true, 1: true}
	var tree func(id int, bucket string, path []int)
	leaf := func(start int, bucket string, path []int) {
		for i := range u16(start + 10) {
			e := start + 16 + 16*i
			key := string(o.content[e+u32(e+4):][:u32(e+8)])
			value := e + u32(e+4) + u32(e+8)
			switch {
			case u32(e) == 0:
				o.live = append(o.live, record{bucket, key, path})
			case u64(value) != 0:
				tree(u64(value), key, path)
			}
		}
	}
	tree = func(id int, bucket string, path []int) {
		start := id * page
		path = slices.Clip(path)
		for i := range 1 + u32(start+12) {
			path, used[id+i] = append(path, id+i), true
		}
		if u16(start+8) == 2 {
			leaf(start, bucket, path)
			return
		}
		o.branches = append(o.branches, id)
		for i := range u16(start + 10) {
			tree(u64(start+16+16*i+8), bucket, path)
		}
	}
	o.root = u64(o.meta*page + 16 + 16)
	tree(o.root, "", []int{o.meta})
	for id := range len(o.content) / page {
		if !used[id] && id != u64(o.meta*page+16+32) && id < u64(o.meta*page+16+40) {
			o.free = append(o.free, id)
		}
	}
}

func u64(b []byte, at int) int { return int(binary.NativeEndian.Uint64(b[at:])) }

// haunt puts receipts on free pages that were never acknowledged.
func (o *original) haunt() {
	for i, id := range o.free[:4] {
		r := &store.Receipt{
			Number: o.last + 1, Scope: "line", Key: fmt.Sprint("phantom", i), At: after(1), Now: after(1), Member: 1, Kind: store.Record,
			Dates: []ledger.Date{20261130},
		}
		if i > 1 {
			r.Number = ledger.ReceiptNumber(100 + i)
		}
		r.Changes = []ledger.Change{{After: &ledger.Row{
			ID: ledger.RowID{Receipt: r.Number}, Type: ledger.Expense, Date: 20261130, Time: after(1), Amount: 1, Item: phantom, Account: 1, Member: 1, Scope: "line",
		}}}
		copy(o.content[id*page:], store.PhantomPage(uint64(id), r))
	}
}

// ruins are the ways in which a file is damaged.
var ruins = []struct {
	name  string
	spoil func(o *original, r *rand.Rand, file []byte) []byte
}{
	{"bytes changed", func(o *original, r *rand.Rand, file []byte) []byte {
		for range 1 + r.IntN(40) {
			o.some(r, file)[r.IntN(page)] ^= byte(1 + r.IntN(255))
		}
		return file
	}},
	{"pages of zeroes", func(o *original, r *rand.Rand, file []byte) []byte {
		for range 1 + r.IntN(20) {
			clear(o.some(r, file))
		}
		return file
	}},
	{"pages swapped", func(o *original, r *rand.Rand, file []byte) []byte {
		for range 1 + r.IntN(5) {
			a, b := o.some(r, file), o.some(r, file)
			held := bytes.Clone(a)
			copy(a, b)
			copy(b, held)
		}
		return file
	}},
	{"pages copied over others", func(o *original, r *rand.Rand, file []byte) []byte {
		for range 1 + r.IntN(5) {
			copy(o.some(r, file), o.some(r, file))
		}
		return file
	}},
	{"torn pages", func(o *original, r *rand.Rand, file []byte) []byte {
		for range 1 + r.IntN(10) {
			clear(o.some(r, file)[page/2:])
		}
		return file
	}},
	{"the end cut off", func(o *original, r *rand.Rand, file []byte) []byte { return file[:len(file)/4+r.IntN(len(file)*3/4)] }},
	{"a meta page", func(o *original, r *rand.Rand, file []byte) []byte {
		file[page*r.IntN(2)+16+r.IntN(64)] ^= 1 << r.IntN(8)
		return file
	}},
	{"both meta pages", func(_ *original, _ *rand.Rand, file []byte) []byte { clear(file[:2*page]); return file }},
	{"branch pages", func(o *original, r *rand.Rand, file []byte) []byte {
		for range 1 + r.IntN(len(o.branches)) {
			clear(pageOf(file, o.branches[r.IntN(len(o.branches))]))
		}
		return file
	}},
	{"a branch page changed", func(o *original, r *rand.Rand, file []byte) []byte {
		for range 4 {
			pageOf(file, o.branches[r.IntN(len(o.branches))])[r.IntN(200)] ^= byte(1 + r.IntN(255))
		}
		return file
	}},
	{"the root page", func(o *original, _ *rand.Rand, file []byte) []byte { clear(pageOf(file, o.root)); return file }},
	{"free pages written over, garbage behind", func(o *original, r *rand.Rand, file []byte) []byte {
		for range 5 {
			copy(pageOf(file, o.free[r.IntN(len(o.free))]), o.some(r, file))
		}
		clear(pageOf(file, o.live[r.IntN(len(o.live))].path[1])) // something must be wrong
		return append(file, bytes.Repeat([]byte{0xA5}, r.IntN(3*page))...)
	}},
}

// some is a page, mostly one in use.
func (o *original) some(r *rand.Rand, file []byte) []byte {
	if path := o.live[r.IntN(len(o.live))].path; r.IntN(4) > 0 {
		return pageOf(file, path[len(path)-1])
	}
	return pageOf(file, 2+r.IntN(len(file)/page-2))
}

func pageOf(file []byte, id int) []byte { return file[id*page:][:page] }

// A damaged file comes to a sound one: with all that stands on sound pages, to which sound
// pages lead, and with nothing that was not in the old one at some time, was forgotten, or
// never acknowledged.
func TestSalvage(t *testing.T) {
	o := makeOriginal(t)
	var mu sync.Mutex
	rescued := map[string][2]int{}
	t.Run("all", func(t *testing.T) {
		for seed := range uint64(*damagedFiles) {
			first := ruins[int(seed)%len(ruins)]
			t.Run(fmt.Sprintf("%s %d", first.name, seed), func(t *testing.T) {
				t.Parallel()
				rnd := rand.New(rand.NewPCG(seed, 2))
				file := first.spoil(o, rnd, bytes.Clone(o.content))
				if seed >= 5*uint64(len(ruins)) && seed%3 == 0 && len(file) >= len(o.content) { // several at once
					file = ruins[rnd.IntN(5)].spoil(o, rnd, file)
				}
				n := o.salvage(t, file)
				mu.Lock()
				defer mu.Unlock()
				rescued[first.name] = [2]int{rescued[first.name][0] + n, rescued[first.name][1] + len(o.receipts)}
			})
		}
	})
	for _, ruin := range ruins {
		if of := rescued[ruin.name]; of[1] > 0 {
			t.Logf("%s: %.2f%% of the receipts rescued", ruin.name, 100*float64(of[0])/float64(of[1]))
		}
	}
}

func (o *original) salvage(t *testing.T, file []byte) (rescued int) {
	path := write(t, file)
	to := filepath.Join(t.TempDir(), "new.db")
	result, err := store.Salvage(t.Context(), path, to, nil)
	if now, _ := os.ReadFile(path); !bytes.Equal(now, file) {
		t.Error("the damaged file was touched")
	}
	if err != nil {
		t.Fatal(err)
	}
	if result.Sound {
		return len(o.receipts)
	}
	made, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{secret, phantom} {
		if bytes.Contains(made, []byte(text)) {
			t.Errorf("the new file says %s", text)
		}
	}
	if err := store.CheckFile(t.Context(), to, nil); err != nil {
		t.Error(err)
	}
	s, err := store.Open(to, store.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	got := map[ledger.ReceiptNumber]*store.Receipt{}
	rows := map[ledger.RowID]ledger.Row{}
	view(t, s, func(tx *store.Tx) error {
		err := tx.Receipts(0, func(r *store.Receipt) error { got[r.Number] = r; return nil })
		return errors.Join(err, tx.Rows(store.AllRows, func(r *ledger.Row) error { rows[r.ID] = r.Facts(); return nil }))
	})
	for id, row := range rows {
		if !o.states[id][row] && !o.states[id][silent(row)] {
			forgotten := false
			for state := range o.states[id] {
				forgotten = forgotten || silent(state) == silent(row) && silent(row) == row
			}
			if !forgotten {
				t.Errorf("row %v was never %+v", id, row)
			}
		}
	}
	for id, row := range rows {
		told := slices.Contains(result.Untold, id.Receipt) || slices.Contains(result.Substitutes, id.Receipt)
		if was := o.rows[id]; was != silent(was) && row == silent(row) && !told {
			t.Errorf("row %v has lost its texts, and nobody is told: %+v", id, was)
		}
	}
	for n, r := range got {
		if slices.Contains(result.Substitutes, n) {
			o.substitute(t, r)
			continue
		}
		rescued++
		if o.receipts[n] == nil {
			t.Errorf("there was no receipt %d: %+v", n, r)
		} else if tells(r, false) != tells(o.receipts[n], false) && tells(r, true) != tells(o.receipts[n], true) {
			t.Errorf("receipt %d says\n%s\ninstead of\n%s", n, tells(r, false), tells(o.receipts[n], false))
		}
	}
	o.complete(t, file, got, rows, result)
	return rescued
}

// complete looks for what must have been rescued.
func (o *original) complete(t *testing.T, file []byte, got map[ledger.ReceiptNumber]*store.Receipt, rows map[ledger.RowID]ledger.Row, result store.Salvaged) {
	missing := 0
	for _, r := range o.live {
		if slices.ContainsFunc(r.path, func(id int) bool {
			return len(file) < (id+1)*page || !bytes.Equal(pageOf(file, id), pageOf(o.content, id))
		}) {
			continue
		}
		switch r.bucket {
		case "receipts":
			n := ledger.ReceiptNumber(binary.BigEndian.Uint64([]byte(r.key)))
			if got[n] == nil || slices.Contains(result.Substitutes, n) || tells(got[n], false) != tells(o.receipts[n], false) {
				t.Errorf("receipt %d stood on sound pages and is not the same", n)
				missing++
			}
		case "rows":
			id := ledger.RowID{Receipt: ledger.ReceiptNumber(binary.BigEndian.Uint64([]byte(r.key[4:]))), Index: binary.BigEndian.Uint16([]byte(r.key[12:]))}
			if rows[id] != o.rows[id] {
				t.Errorf("row %v stood on sound pages and is\n%+v instead of\n%+v", id, rows[id], o.rows[id])
				missing++
			}
		}
		if missing > 5 {
			t.Fatal("and more")
		}
	}
}

// substitute makes sure that a receipt that stands for a lost one does nothing that was not
// done.
func (o *original) substitute(t *testing.T, r *store.Receipt) {
	was := o.receipts[r.Number]
	if r.Key != "" && (was == nil || was.Scope != r.Scope || was.Key != r.Key) {
		t.Errorf("the substitute %d has the key %s %s, which it never had", r.Number, r.Scope, r.Key)
	}
	for _, c := range r.Settings {
		if !o.settings[c.Name][c.After] {
			t.Errorf("the substitute %d sets %q to %q, which it never was", r.Number, c.Name, c.After)
		}
	}
}

// silent is the row without texts.
func silent(r ledger.Row) ledger.Row { r.Item, r.Memo, r.Category = "", "", ""; return r }

// tells gives what the receipt says, but where its rows stand and when it was typed, which
// later ones change; without texts and digest if they may have been forgotten.
func tells(r *store.Receipt, forgotten bool) string {
	var b strings.Builder
	c := *r
	c.Typed, c.Dates, c.Changes, c.Covered = time.Time{}, nil, nil, nil
	if forgotten {
		c.Digest, c.Asked = nil, ""
	}
	fmt.Fprintf(&b, "%+v\n", c)
	for _, change := range slices.Concat(r.Changes, r.Covered) {
		for _, row := range []*ledger.Row{change.Before, change.After} {
			if row != nil && forgotten {
				fmt.Fprintf(&b, "%+v\n", silent(row.Facts()))
			} else if row != nil {
				fmt.Fprintf(&b, "%+v\n", row.Facts())
			}
		}
	}
	return b.String()
}
