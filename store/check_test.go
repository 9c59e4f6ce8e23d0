package store

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ichido/internal/ledger"
)

var checked = time.UnixMilli(1796007601000).UTC()

// checkable makes a file that has some of everything:
//
//	1 a message with a row, 2 its edit, 3 it under another key
//	4 an edit whose message has not come
//	5 a message that was unsent by 6, with a row
//	7 a setting
//	8 an answer that carries the one of 1
func checkable(t *testing.T) *Store {
	s, err := Open(filepath.Join(t.TempDir(), "ichido.db"), Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	record := func(tx *Tx) error {
		wallet, err := tx.OpenAccount(ledger.Cash, 1)
		if err != nil {
			return err
		}
		tx.receipt.Kind = Record
		_, err = tx.Apply(ledger.Change{After: &ledger.Row{
			Type: ledger.Expense, Date: 20261130, Time: checked, Amount: 900, Item: "ランチ", Category: "食費", Account: wallet.ID, Member: 1,
		}})
		return err
	}
	say := func(o Outgoing) func(*Tx) error {
		return func(tx *Tx) error { _, err := tx.Say(o); return err }
	}
	all := func(steps ...func(*Tx) error) func(*Tx) error {
		return func(tx *Tx) (err error) {
			for _, step := range steps {
				err = errors.Join(err, step(tx))
			}
			return err
		}
	}
	late := Outgoing{Chat: "c", Pushing: true, Payload: []byte("[]")}
	for _, e := range []struct {
		key, message string
		about        About
		apply        func(*Tx) error
	}{
		{"a", "m", Said, all(record, say(late))},
		{"edit", "m", Edited, func(*Tx) error { return nil }},
		{"again", "m", Said, nil},
		{"first", "n", Edited, func(tx *Tx) error { tx.KeepText("ランチ"); return nil }},
		{"gone", "u", Said, all(record, say(Outgoing{Chat: "c", Payload: []byte("[]")}))},
		{"unsend", "u", Unsent, func(*Tx) error { return nil }},
		{"set", "", Said, func(tx *Tx) error { return tx.Set("wallet", "shared") }},
		{"last", "", Said, func(tx *Tx) error {
			late, err := tx.TakeLate("c", []OutboxID{1, 2}, 1)
			_, err2 := tx.Operation("undo")
			return errors.Join(err, err2, say(Outgoing{Chat: "c", Carries: []OutboxID{late[0].ID}, Of: []ledger.ReceiptNumber{8}})(tx))
		}},
	} {
		req := Request{
			Scope: "test", Key: e.key, Digest: NewDigest("x"), At: checked, Person: "U1", Admit: true, MessageID: e.message, About: e.about,
		}
		if _, _, err := s.Submit(t.Context(), req, e.apply); err != nil {
			t.Fatalf("%s: %v", e.key, err)
		}
	}
	if err := s.Update(t.Context(), func(tx *Tx) error { return tx.SetOwner(1) }); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(); err != nil {
		t.Fatalf("before: %v", err)
	}
	return s
}

// spoilMessage changes what is known of a message.
func spoilMessage(id string, spoil func(*messageRecord)) func(*Tx) error {
	return func(tx *Tx) error {
		var record messageRecord
		if ok, err := tx.read(bucketKeys, messageKey("test", id), &record); !ok || err != nil {
			return errors.Join(err, errors.New("no such message"))
		}
		spoil(&record)
		return tx.putRecord(bucketKeys, messageKey("test", id), &record)
	}
}

func spoilReceipt(n ledger.ReceiptNumber, spoil func(*Receipt)) func(*Tx) error {
	return func(tx *Tx) error {
		r, err := tx.ReceiptByNumber(n)
		if err != nil {
			return err
		}
		spoil(r)
		return tx.putReceipt(r)
	}
}

func spoilOutgoing(id OutboxID, spoil func(*Outgoing)) func(*Tx) error {
	return func(tx *Tx) error {
		o, _, err := tx.Outgoing(id)
		if err != nil {
			return err
		}
		spoil(&o)
		return tx.putOutgoing(o)
	}
}

// firstRow is that of the first receipt.
var firstRow = ledger.RowID{Receipt: 1}

// spoilings are what can be wrong in a file, and what the check says of it.
var spoilings = map[string]struct {
	spoil func(*Tx) error
	want  string
}{
	"a row changed":      {func(tx *Tx) error { r, _ := tx.Row(firstRow); r.Amount = 901; return tx.putRow(r) }, "row 1 does not follow"},
	"a row gone":         {func(tx *Tx) error { return tx.delete(bucketRows, rowKey(20261130, firstRow)) }, "there are 1 rows, the receipts made 2"},
	"a balance":          {func(tx *Tx) error { return tx.addBalance(1, 1) }, "account 1 has a balance"},
	"a total":            {func(tx *Tx) error { return tx.tally(&ledger.Row{Type: ledger.Expense, Date: 20261130, Amount: 1}, 1) }, "a total of month 202611"},
	"a total gone":       {func(tx *Tx) error { r, _ := tx.Row(firstRow); return tx.delete(bucketTotals, totalKey(r)) }, "1 totals are missing"},
	"a key gone":         {func(tx *Tx) error { return tx.delete(bucketKeys, eventKey("test", "a")) }, "receipt 1 is not found by its key"},
	"a key too many":     {func(tx *Tx) error { return tx.put(bucketKeys, eventKey("test", "b"), numberKey(1)) }, "there are 9 keys"},
	"a key of none":      {func(tx *Tx) error { return tx.put(bucketKeys, eventKey("test", "b"), numberKey(9)) }, "points to no receipt"},
	"a key of no kind":   {func(tx *Tx) error { return tx.put(bucketKeys, scopedKey("test", "x"), numberKey(1)) }, "of no kind"},
	"a button of none":   {func(tx *Tx) error { return tx.put(bucketKeys, operationKey("x"), numberKey(9)) }, "points to no receipt"},
	"a quote of none":    {func(tx *Tx) error { return tx.put(bucketKeys, sentKey("test", "s"), numberKey(9)) }, "points to no receipt"},
	"the timeline":       {func(tx *Tx) error { return tx.delete(bucketTimeline, timelineKey(1, checked, 1)) }, "receipt 1 is not in the timeline"},
	"the timeline's end": {func(tx *Tx) error { return tx.put(bucketTimeline, timelineKey(1, checked, 2), []byte{1}) }, "the timeline has 3 entries"},
	"another kind":       {func(tx *Tx) error { return tx.put(bucketTimeline, timelineKey(1, checked, 1), []byte{2}) }, "receipt 1 is not in the timeline"},
	"another time":       {spoilReceipt(1, func(r *Receipt) { r.Typed = checked.Add(time.Second) }), "receipt 1 is not in the timeline"},
	"a statement": {func(tx *Tx) error {
		return tx.put(bucketStatements, statementKey(1, checked, firstRow), id4(ledger.Date(20261130)))
	}, "1 statements in the index and 0"},
	"a statement nowhere": {func(tx *Tx) error {
		return tx.put(bucketStatements, statementKey(2, checked, firstRow), id4(ledger.Date(20261130)))
	}, "statement 1 is not where its row says"},
	"a person":           {func(tx *Tx) error { return tx.put(bucketPersons, []byte("U2"), id4(ledger.MemberID(1))) }, "2 persons and 1 members"},
	"a person gone":      {func(tx *Tx) error { return tx.delete(bucketPersons, []byte("U1")) }, "member 1 is not found by person"},
	"an owner":           {func(tx *Tx) error { return tx.put(bucketMeta, metaOwner, id4(ledger.MemberID(2))) }, "the owner is no member"},
	"a number too large": {func(tx *Tx) error { return tx.putRecord(bucketAccounts, id4(ledger.AccountID(9)), &accountRecord{}) }, "number 9 is used"},
	"a wrong checksum":   {func(tx *Tx) error { tx.writes++; return tx.btx.Bucket(bucketMeta).Put(metaFile, []byte("x")) }, "too short"},

	"a message gone": {func(tx *Tx) error { return tx.delete(bucketKeys, messageKey("test", "m")) }, "receipt 1 is not what its message says"},
	"a message of none": {func(tx *Tx) error {
		return tx.putRecord(bucketKeys, messageKey("test", "x"), &messageRecord{UnsentAt: 1})
	}, "a message is not what its receipts say"},
	"a message without an edit":  {spoilMessage("m", func(m *messageRecord) { m.Receipts = m.Receipts[:1] }), "receipt 2 is not what its message says"},
	"a message with one more":    {spoilMessage("m", func(m *messageRecord) { m.Receipts = append(m.Receipts, 7) }), "5 receipts of messages"},
	"a message said by another":  {spoilMessage("m", func(m *messageRecord) { m.Said = 2 }), "receipt 1 is not what its message says"},
	"a message said never":       {spoilMessage("n", func(m *messageRecord) { m.Said, m.At, m.Text = 4, checked.UnixMilli(), "" }), "3 said"},
	"a message of another time":  {spoilMessage("m", func(m *messageRecord) { m.At++ }), "receipt 1 is not what its message says"},
	"a message without a time":   {spoilMessage("n", func(m *messageRecord) { m.At = 1 }), "a message is not what its receipts say"},
	"a message edited earlier":   {spoilMessage("m", func(m *messageRecord) { m.EditedAt-- }), "receipt 2 is not what its message says"},
	"a message edited later":     {spoilMessage("m", func(m *messageRecord) { m.EditedAt++ }), "a message is not what its receipts say"},
	"a message never edited":     {spoilMessage("m", func(m *messageRecord) { m.EditedAt = 0 }), "receipt 2 is not what its message says"},
	"a text that is of no use":   {spoilMessage("m", func(m *messageRecord) { m.Text = "ランチ" }), "a message is not what its receipts say"},
	"a text of an unsent one":    {spoilMessage("u", func(m *messageRecord) { m.Text = "ランチ" }), "a message is not what its receipts say"},
	"a message not unsent":       {spoilMessage("u", func(m *messageRecord) { m.UnsentAt = 0 }), "receipt 6 is not what its message says"},
	"a message unsent by nobody": {spoilMessage("m", func(m *messageRecord) { m.UnsentAt = 1 }), "receipt 1 is not what its message says"},
	"a message unsent later":     {spoilMessage("u", func(m *messageRecord) { m.UnsentAt++ }), "a message is not what its receipts say"},
	"a first that is none":       {spoilReceipt(3, func(r *Receipt) { r.First = 2 }), "receipt 3 is not what its message says"},
	"an edit that is a repeat":   {spoilReceipt(3, func(r *Receipt) { r.About = Edited }), "receipt 3 is not what its message says"},

	"a digest of an unsent one": {spoilReceipt(5, func(r *Receipt) { r.Digest = NewDigest("x") }), "receipt 5 is not what its message says"},
	"its item in its receipt":   {spoilReceipt(5, func(r *Receipt) { r.Changes[0].After.Item = "ランチ" }), "receipt 5 tells of an unsent message"},
	"its item in a later one":   {spoilReceipt(6, func(r *Receipt) { r.Changes[0].Before.Item = "ランチ" }), "receipt 6 tells of an unsent message"},
	"its category":              {spoilReceipt(6, func(r *Receipt) { r.Changes[0].After.Category = "食費" }), "receipt 6 tells of an unsent message"},
	"its item in its row": {func(tx *Tx) error {
		r, err := tx.Row(ledger.RowID{Receipt: 5})
		r.Item = "ランチ"
		return errors.Join(err, tx.putRow(r))
	}, "row 5 does not follow"},
	"its row stands": {func(tx *Tx) error {
		r, err := tx.Row(ledger.RowID{Receipt: 5})
		r.Withdrawn = false
		return errors.Join(err, tx.putRow(r), spoilReceipt(6, func(r *Receipt) { r.Changes = nil })(tx))
	}, "row 5 is of an unsent message and not withdrawn"},
	"its answer":           {spoilOutgoing(2, func(o *Outgoing) { o.Payload = []byte("[]") }), "outgoing message 2 tells of an unsent message"},
	"its answer elsewhere": {spoilOutgoing(1, func(o *Outgoing) { o.Of = []ledger.ReceiptNumber{5} }), "outgoing message 1 tells of an unsent message"},

	"a setting":         {func(tx *Tx) error { return tx.put(bucketSettings, []byte("wallet"), []byte("own")) }, `the setting "wallet" is not what`},
	"a setting gone":    {func(tx *Tx) error { return tx.delete(bucketSettings, []byte("wallet")) }, `the setting "wallet" is missing`},
	"a setting of none": {func(tx *Tx) error { return tx.put(bucketSettings, []byte("x"), []byte("y")) }, `the setting "x" is not what`},
	"a setting before":  {spoilReceipt(7, func(r *Receipt) { r.Settings[0].Before = "own" }), `receipt 7 changes the setting "wallet" from`},

	"an answer to none":        {spoilOutgoing(1, func(o *Outgoing) { o.Receipt = 99 }), "outgoing message 1 has no receipt"},
	"an answer to nothing":     {spoilOutgoing(1, func(o *Outgoing) { o.Receipt = 0 }), "outgoing message 1 tells of nothing"},
	"an answer of none":        {spoilOutgoing(1, func(o *Outgoing) { o.Of = []ledger.ReceiptNumber{1, 99} }), "outgoing message 1 has no receipt"},
	"a carried one, by none":   {spoilOutgoing(3, func(o *Outgoing) { o.Carries = nil }), "outgoing message 1 goes along with none"},
	"a carried one, by two":    {spoilOutgoing(3, func(o *Outgoing) { o.Carries = []OutboxID{1, 1} }), "outgoing message 1 goes along with none, or with several"},
	"a carried one, ended":     {spoilOutgoing(1, func(o *Outgoing) { o.State = Unknown }), "outgoing message 1 goes along with none, or with several"},
	"an unsaid one of none":    {func(tx *Tx) error { return tx.noteUnsaid("c", 99) }, "outgoing message 99 is to be named and has not expired"},
	"an unsaid one, pending":   {func(tx *Tx) error { return tx.noteUnsaid("c", 3) }, "outgoing message 3 is to be named and has not expired"},
	"an unsaid one, elsewhere": {func(tx *Tx) error { return tx.noteUnsaid("d", 2) }, "outgoing message 2 is to be named and has not expired"},
	"an ended one carries":     {spoilOutgoing(2, func(o *Outgoing) { o.Carries = []OutboxID{1} }), "outgoing message 2 is expired and stands in the wrong place"},
	"a pending one has ended": {func(tx *Tx) error {
		return tx.putRecord(bucketOutbox, outboxKey(3, false), &outgoingRecord{Receipt: 8, State: Failed, Carries: []OutboxID{1}})
	}, "outgoing message 3 is failed"},
	"a number of the outbox": {func(tx *Tx) error {
		return tx.putRecord(bucketOutbox, outboxKey(9, true), &outgoingRecord{Receipt: 8, State: Failed})
	}, "number 9 is used"},
}

// A check finds each kind of thing that cannot be, and says what it is.
func TestCheckFinds(t *testing.T) {
	for name, tt := range spoilings {
		t.Run(name, func(t *testing.T) {
			s := checkable(t)
			if err := s.Update(t.Context(), tt.spoil); err != nil {
				t.Fatal(err)
			}
			if err := s.Check(); err == nil {
				t.Error("the check finds nothing")
			} else if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the check finds\n%v\nand not: %s", err, tt.want)
			}
		})
	}
}

// What the file knows by a record that points to a receipt that is not there does not count
// as new because of that.
func TestPointerToNoReceipt(t *testing.T) {
	gone := func(tx *Tx) error { return tx.delete(bucketReceipts, numberKey(1)) }
	for name, c := range map[string]struct {
		spoil        func(*Tx) error
		key, message string
	}{
		"a key":           {gone, "a", "m"},
		"another key":     {gone, "again", "m"},
		"a message":       {gone, "b", "m"},
		"no such message": {spoilMessage("m", func(m *messageRecord) { m.Said = 99 }), "b", "m"},
	} {
		t.Run(name, func(t *testing.T) {
			s := checkable(t)
			if err := s.Update(t.Context(), c.spoil); err != nil {
				t.Fatal(err)
			}
			req := Request{Scope: "test", Key: c.key, Digest: NewDigest("x"), At: checked, Person: "U1", Admit: true, MessageID: c.message}
			_, _, err := s.Submit(t.Context(), req, func(*Tx) error { t.Error("it is recorded as new"); return nil })
			if damaged := new(DamageError); !errors.As(err, &damaged) {
				t.Errorf("got %v, want damage", err)
			}
		})
	}
}
